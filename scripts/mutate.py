#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Alter random places of the hand-written RTL, one at a time, and name what catches each.

  scripts/mutate.py [--seed S] [--n N] [--only GLOB] [--checks FILE] [--list]

Everything happens in a copy under build/mutate/tree (its own build/ stays, so that builds are incremental); the working
tree is only read. The places depend on the seed and the sources alone. A mutant goes through these checks, cheapest
first, until one catches it:
  lint    Verilator -Wall on the altered module as top
  bench   every testbench/rtl bench whose sources contain the module: its build, then its run
  and the lines of scripts/mutate.cfg, in order.
A check that fails on the unaltered copy cannot judge: it is named and left out. Results: build/mutate/report.tsv.
Exit code: 0 when every mutant was judged (survivors included), 2 for a wrong call or when no check works.
"""
import argparse
import fcntl
import fnmatch
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AREA = os.path.join(ROOT, "build/mutate")
TREE = os.path.join(AREA, "tree")


def fail(text, remedy):
    print(f"mutate: error: {text}\n  remedy: {remedy}", file=sys.stderr)
    sys.exit(2)


# ---- the copy ----

def sync():
    """Make the copy equal to the working tree; unchanged files keep their time stamps, so that builds stay valid."""
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT,
                         capture_output=True, check=True)
    wanted = {p for p in out.stdout.decode().split("\0") if p and os.path.isfile(os.path.join(ROOT, p))}
    for path in sorted(wanted):
        src, dst = os.path.join(ROOT, path), os.path.join(TREE, path)
        with open(src, "rb") as f:
            data = f.read()
        if os.path.isfile(dst):
            with open(dst, "rb") as f:
                if f.read() == data:
                    continue
        os.makedirs(os.path.dirname(dst), exist_ok=True)
        with open(dst, "wb") as f:
            f.write(data)
        shutil.copymode(src, dst)
    for folder, dirs, files in os.walk(TREE):
        if folder == TREE and "build" in dirs:
            dirs.remove("build")
        for name in files:
            if os.path.relpath(os.path.join(folder, name), TREE) not in wanted:
                os.remove(os.path.join(folder, name))


# ---- places ----

SWAP = {"+": "-", "-": "+", "==": "!=", "!=": "==", "&&": "||", "||": "&&", ">=": ">", ">": ">=", "<": "<=", "&": "|",
        "|": "&", "^": "|", "<<": ">>", ">>": "<<", ">>>": ">>"}
TOKEN = re.compile(r"\d*'[sS]?[bdhBDH][0-9a-fA-F_]+|[A-Za-z_$][\w$]*|\d+|"
                   r">>>|<<<|===|!==|<=|>=|==|!=|&&|\|\||<<|>>|\+:|-:|"
                   r"\+\+|--|\+=|-=|~[&|^]|::|\S")
SKIP_LINE = re.compile(r"^\s*(input|output|inout|parameter|typedef|import|package|endpackage|module|"
                       r"logic\b(?!.*=)|wire\s+unused|wire\b.*\bunused|genvar)")
UNUSED = re.compile(r"\bassign\s+unused\w*\s*=[^;]*;")  # read by nothing: no place


def strip(text):
    """The text with comments and strings replaced by blanks, same length."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group(0))
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def next_literal(tok):
    """A sized literal plus one (minus one at the top of its range); None if it has don't-care digits."""
    m = re.fullmatch(r"(\d*)'([sS]?)([bdhBDH])([0-9a-fA-F_]+)", tok)
    if not m:
        return None
    base = {"b": 2, "d": 10, "h": 16}[m.group(3).lower()]
    value, bits = int(m.group(4).replace("_", ""), base), int(m.group(1) or 32)
    value = value + 1 if value + 1 < 1 << bits else value - 1
    digits = {2: "{:b}", 10: "{:d}", 16: "{:x}"}[base].format(value)
    return f"{m.group(1)}'{m.group(2)}{m.group(3)}{digits}"


def closing(code, start):
    """Index of the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(code)):
        depth += (code[i] == "(") - (code[i] == ")")
        if depth == 0:
            return i
    return -1


def places(text):
    """All alterations of a file as (start, end, new text, kind), in file order."""
    code = strip(text)
    code = UNUSED.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), code)
    found = []
    starts = [0] + [m.end() for m in re.finditer("\n", code)]
    skip = [bool(SKIP_LINE.match(line)) for line in code.split("\n")]
    toks = [(m.start(), m.group(0)) for m in TOKEN.finditer(code)]
    selects = []  # open brackets: is it a select (and not the range of a declaration)?
    line = 0
    statement = True  # no assignment seen yet in this statement: `<=` may be one
    for i, (pos, tok) in enumerate(toks):
        while line + 1 < len(starts) and starts[line + 1] <= pos:
            line += 1
        before = toks[i - 1][1] if i else ""
        if tok == "[":
            selects.append(before not in ("logic", "wire", "unsigned", "signed", "bit", "int", "automatic"))
        elif tok == "]" and selects:
            selects.pop()
        after = toks[i + 1][1] if i + 1 < len(toks) else ""
        operand = (re.match(r"[\w'$)\]}]", before[-1:]) is not None
                   and before not in ("return", "case", "begin", "else", "assign"))
        if tok in (";", "begin", "else", ":", "end"):
            statement = True
        elif tok == "=":
            statement = False
        if skip[line] or selects and not selects[-1]:
            continue
        end = pos + len(tok)
        if tok == "<=":
            if not statement:
                found.append((pos, end, "<", "compare"))
            statement = False
        elif tok in SWAP and operand:
            if not (tok == "<" and before == "#") and not (tok in "+-" and after in (":",)):
                found.append((pos, end, SWAP[tok], "operator"))
        elif tok in ("~", "!") and not operand:
            found.append((pos, end, "", "inversion dropped"))
        elif "'" in tok and tok != "'":
            new = next_literal(tok)
            if new and new != tok:
                found.append((pos, end, new, "constant"))
        elif tok.isdigit() and selects and selects[-1]:
            found.append((pos, end, str(int(tok) - 1 if int(tok) > 0 else 1), "slice"))
        elif tok == "if" and after == "(":
            open_at = toks[i + 1][0]
            close = closing(code, open_at)
            if close > 0 and "genvar" not in code[open_at:close]:
                found.append((open_at, close + 1, "(!" + text[open_at:close + 1] + ")", "condition negated"))
    return found


def all_places(only):
    """[(path, start, end, new, kind)] of all hand-written files."""
    out = []
    for folder, dirs, files in os.walk(os.path.join(TREE, "rtl")):
        dirs.sort()
        for name in sorted(files):
            path = os.path.relpath(os.path.join(folder, name), TREE)
            if not name.endswith(".sv") or only and not fnmatch.fnmatch(path, only):
                continue
            with open(os.path.join(TREE, path), encoding="utf-8") as f:
                text = f.read()
            if "enerated" in text.split("\n", 1)[0] or path.startswith("rtl/pkg/"):
                continue
            found = places(text)
            # Slices are many, and lint catches most of them by their width: a quarter is enough.
            slices = [p for p in found if p[3] == "slice"]
            out += [(path,) + p for p in found if p[3] != "slice" or slices.index(p) % 4 == 0]
    return out


# ---- checks ----

def run(command, seconds, log):
    """(exit code or None for a time-out). The command's process group is ended with it."""
    with open(log, "w", encoding="utf-8") as f:
        p = subprocess.Popen(["bash", "-c", command], cwd=TREE, stdout=f, stderr=subprocess.STDOUT,
                             stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            return p.wait(timeout=seconds)
        except BaseException as why:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
            if isinstance(why, subprocess.TimeoutExpired):
                return None
            raise


class Check:
    """One check: `covers(path)` says whether it can see a file, `steps` are (label, command) run in order."""

    def __init__(self, name, seconds, steps, covers):
        self.name, self.seconds, self.steps, self.covers = name, seconds, steps, covers
        self.baseline = None  # True: passes on the unaltered copy
        self.took = 0.0       # seconds it took there; a mutant gets eight times that, and 20 s, at most `seconds`

    def judge(self):
        """None if all steps pass, else the label of what failed."""
        for label, command in self.steps:
            limit = min(self.seconds, 20 + 8 * self.took) if self.baseline else self.seconds
            code = run(command, limit, os.path.join(AREA, "check.log"))
            if code is None:
                return label + " (time-out)"
            if code != 0:
                return label
        return None


def lint_check(path):
    with open(os.path.join(TREE, "rtl/sm.f"), encoding="utf-8") as f:
        packages = " ".join(line for line in f.read().split() if line.endswith("_pkg.sv"))
    folders = " ".join(f"-y rtl/{d}" for d in sorted(os.listdir(os.path.join(TREE, "rtl")))
                       if os.path.isdir(os.path.join(TREE, "rtl", d)))
    waive = "rtl/lint.vlt" if os.path.exists(os.path.join(TREE, "rtl/lint.vlt")) else ""
    top = os.path.basename(path)[:-3]
    command = f"verilator --lint-only -Wall -Wno-UNUSEDPARAM --top-module {top} {folders} {waive} {packages} {path}"
    return Check("lint " + top, 60, [("lint", command)], lambda p: p == path)


def bench_sources(bench):
    """Source files of a bench as its last verilation found them; None before the first one."""
    path = os.path.join(TREE, "build/rtl/{}_{}/Vtop__ver.d".format(*bench.split("/")))
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        return {os.path.normpath(p) for p in f.read().split()}


def bench_check(bench):
    def covers(path):
        sources = bench_sources(bench)
        return sources is None or path in sources
    return Check("bench " + bench, 180,
                 [(f"build of {bench}", f"testbench/rtl/bench.sh {bench}"),
                  (f"bench {bench}", f"build/test/rtl_{bench.replace('/', '_')} --gtest_brief=1")], covers)


def configured(path):
    """Checks of the configuration file: name | seconds | glob of the files it sees | command."""
    if not os.path.exists(path):
        fail(f'cannot read "{path}"', "name an existing --checks file")
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        f = [x.strip() for x in line.split("|", 3)]
        if len(f) != 4 or not f[1].isdigit():
            fail(f"{path}:{number}: want name | seconds | files | command", "see the head of the file")
        yield Check(f[0], int(f[1]), [(f[0], f[3])], lambda p, g=f[2]: fnmatch.fnmatch(p, g))


def all_benches():
    out = []
    base = os.path.join(TREE, "testbench/rtl")
    for folder, dirs, files in os.walk(base):
        dirs.sort()
        for f in sorted(files):
            if f.endswith("_test.cc"):
                out.append(os.path.relpath(os.path.join(folder, f), base)[:-len("_test.cc")])
    return out


def baseline(check):
    if check.baseline is None:
        start = time.time()
        why = check.judge()
        check.baseline, check.took = why is None, time.time() - start
        if why:
            print(f"left out: {check.name}: fails on the unaltered copy", flush=True)
    return check.baseline


# ---- one mutant ----

def judge(path, checks, lints):
    if path not in lints:
        raise KeyError(path)
    for c in [lints[path]] + checks:
        if c.baseline and c.covers(path):
            why = c.judge()
            if why:
                return why
    return None


def ended(number, _frame):
    """A signal ends the run like an error would, so that the running check ends with it."""
    raise SystemExit(128 + number)


def main():
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended)
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--n", type=int, default=40, help="number of mutants")
    ap.add_argument("--only", help="glob of the files to alter, e.g. 'rtl/exec/*'")
    ap.add_argument("--checks", default=os.path.join(ROOT, "scripts/mutate.cfg"))
    ap.add_argument("--list", action="store_true", help="print the places, alter nothing")
    args = ap.parse_args()
    if args.n < 1:
        fail(f"--n {args.n} is not a number of mutants", "give 1 or more")
    os.makedirs(TREE, exist_ok=True)
    lock = open(os.path.join(AREA, "lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        fail("another run works in build/mutate", "wait for it")
    sync()
    found = all_places(args.only)
    if not found:
        fail("no place to alter", "check --only; the default is all of rtl/")
    chosen = random.Random(args.seed).sample(found, min(args.n, len(found)))
    print(f"seed {args.seed}: {len(chosen)} of {len(found)} places in {len({p[0] for p in found})} files")
    files = sorted({p[0] for p in chosen})
    texts = {p: open(os.path.join(TREE, p), encoding="utf-8").read() for p in files}
    describe = lambda m: "{}:{} {}: {} -> {}".format(
        m[0], texts[m[0]].count("\n", 0, m[1]) + 1, m[4], re.sub(r"\s+", " ", texts[m[0]][m[1]:m[2]]),
        re.sub(r"\s+", " ", m[3]) or "(nothing)")
    if args.list:
        print("\n".join(describe(m) for m in chosen))
        return 0
    lints = {p: lint_check(p) for p in files}
    # Small benches first. A check that sees none of the chosen files is not even run on the unaltered copy.
    benches = sorted(all_benches(), key=lambda b: (len(bench_sources(b) or ()), b))
    checks = [bench_check(b) for b in benches] + list(configured(args.checks))
    checks = [c for c in checks if any(c.covers(p) for p in files)]
    for c in list(lints.values()) + checks:
        baseline(c)
    if not any(c.baseline for c in checks):
        fail("no bench or configured check passes on the unaltered copy",
             "repair them first: run testbench/rtl/bench.sh")
    return mutate(chosen, texts, checks, lints, describe)


def mutate(chosen, texts, checks, lints, describe):
    """Alter one place after the other, judge it and write report.tsv. @return exit code of the script"""
    tally = {}
    with open(os.path.join(AREA, "report.tsv"), "w", encoding="utf-8") as report:
        for number, m in enumerate(chosen, 1):
            path, start, end, new, _ = m
            target, text, t0 = os.path.join(TREE, path), texts[path], time.time()
            try:
                with open(target, "w", encoding="utf-8") as f:
                    f.write(text[:start] + new + text[end:])
                why = judge(path, checks, lints)
            finally:
                with open(target, "w", encoding="utf-8") as f:
                    f.write(text)
            verdict = f"caught by {why}" if why else "SURVIVED"
            tally[why or "SURVIVED"] = tally.get(why or "SURVIVED", 0) + 1
            line_start = text.rfind("\n", 0, start) + 1
            line = text[line_start:text.find("\n", start)].strip()
            print(f"{number:3} {describe(m)}: {verdict} ({time.time() - t0:.0f} s)", flush=True)
            if not why:
                print(f"      {line}", flush=True)
            report.write(f"{describe(m)}\t{why or 'SURVIVED'}\t{line}\n")
    survived = tally.pop("SURVIVED", 0)
    for name in sorted(tally, key=lambda k: (-tally[k], k)):
        print(f"{tally[name]:4} caught by {name}")
    caught = len(chosen) - survived
    print(f"{len(chosen)} altered, {caught} caught, {survived} survived; table: build/mutate/report.tsv")
    return 0


if __name__ == "__main__":
    sys.exit(main())
