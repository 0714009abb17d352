#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Read rtl/ with Yosys (shape tiny, whole hierarchy, nothing flattened) and count what it holds.

usage: scripts/synth.sh [--update]
Elaborates once (implicit declarations are errors), then every module by itself against the ports of its children, two at a
time: proc, opt -fast, memory -nomap, check -assert (no undriven net, no net with two drivers), no latch. Modules whose
elaborated text has not changed since the last call are not read again (build/synth/cache). Writes build/synth/area.md and
area.tsv; --update copies area.md to rtl/AREA.md. Last line: `N passed, N failed`.
"""
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
OUT = ROOT / "build/synth"
PARAMS = ["SubCores", "WarpSlots", "LanesInt", "LanesFp32", "LanesFp64", "LanesSfu", "RegsPerSubcore", "SmemBytes",
          "BlockSlots", "L1iBytes", "L0iBytes", "MmaRows"]
PASSES = ("proc; opt -fast; memory -nomap; check -assert; select -assert-none t:$dlatch t:$adlatch t:$dlatchsr; "
          "select -clear")
COUNTS = ["cells", "operator_bits", "flip_flop_bits", "memory_bits"]
STATELESS = {"old"}  # schedulers without registers of their own: its ages are sm_warp_sched's
FF = re.compile(r"\$(?:s|a|al)?dff(?:sr|ce|e)*$|\$dffsre?$|\$ff$")


class Failure(Exception):
    """A module that Yosys refuses; the text says why."""


# ---- elaboration ----

def sources():
    return [ROOT / f for f in (ROOT / "rtl/sm.f").read_text().split()]


def shape():
    line = re.search(r"^WG_SHAPE\(tiny, (.*)\)$", (ROOT / "isa/cfg.def").read_text(), re.M)
    return dict(zip(PARAMS, line[1].split(", ")))


def digest(*texts):
    h = hashlib.sha256()
    for t in texts:
        h.update(t.encode() + b"\0")
    return h.hexdigest()


def yosys(script, log, *options):
    p = subprocess.run(["yosys", *options, "-q", "-l", str(log), "-p", script], cwd=ROOT, text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if p.returncode != 0:
        raise Failure("\n".join(p.stdout.strip().splitlines()[-12:]))


def elaborate(version):
    """RTLIL text of all modules, from build/synth/sm.il if the sources are those that made it."""
    il, stamp = OUT / "sm.il", OUT / "sm.il.key"
    params = " ".join(f"-chparam {k} {v}" for k, v in shape().items())
    script = (f"read_verilog -sv {' '.join(str(f.relative_to(ROOT)) for f in sources())}; "
              f"hierarchy -check -top sm_top {params}; write_rtlil build/synth/sm.il")
    key = digest(version, script, *[f.read_text() for f in sources()])
    if not (il.exists() and stamp.exists() and stamp.read_text() == key):
        stamp.unlink(missing_ok=True)
        yosys(script, OUT / "elaborate.log", "-e", "implicitly declared")
        stamp.write_text(key)
    return il.read_text(), digest(*[f.read_text() for f in sources()])[:12]


def split(text):
    """{module: its RTLIL}"""
    mods, name, lines, before = {}, None, [], []
    for line in text.splitlines(True):
        if name is None and line.startswith("module "):
            name, lines, before = line[7:].strip(), before + [line], []
        elif name is None:
            before = before + [line] if line.startswith("attribute ") else []
        else:
            lines.append(line)
            if line.startswith("end"):
                mods[name] = "".join(lines)
                name = None
    return mods


def stub(name, text):
    """A black box with the module's ports and parameters."""
    keep = re.findall(r"^  wire .*?(?:input|output|inout) \d+ .*\n|^  parameter .*\n", text, re.M)
    return f"attribute \\blackbox 1\nmodule {name}\n" + "".join(keep) + "end\n"


def children(text, mods):
    return [c for c in re.findall(r"^  cell (\S+) ", text, re.M) if c in mods]


def plain(text):
    """A module's text without lines of sources and with the numbers that Yosys gives to names counted from 0."""
    seen = {}
    text = re.sub(r"^ *attribute \\src .*\n", "", text, flags=re.M)
    text = re.sub(r"\.sv:[0-9.|-]+", ".sv", text)
    return re.sub(r"\$(\d+)", lambda m: "$" + str(seen.setdefault(m[1], len(seen))), text)


# ---- one module ----

def counts_of(stat, kids):
    """COUNTS of the section of `stat -width`; memory bits are added by the caller."""
    cells = bits = ffs = 0
    for kind, n in re.findall(r"^ {5}(\S+) +(\d+)$", stat, re.M):
        if kind in kids:
            continue
        base, _, width = kind.rpartition("_")
        known = base and width.isdigit()
        cells += int(n)
        if known and FF.match(base):
            ffs += int(n) * int(width)
        elif known:
            bits += int(n) * int(width)
    return {"cells": cells, "operator_bits": bits, "flip_flop_bits": ffs}


def constant(text):
    """Value of an RTLIL constant: 256, 32'0101."""
    return int(text.split("'")[1].lstrip("s"), 2) if "'" in text else int(text)


def memory_bits(il):
    """Sum over $mem_v2 of SIZE x WIDTH."""
    total = 0
    for cell in re.findall(r"^  cell \$mem_v2 .*?^  end", il, re.M | re.S):
        size, width = (constant(re.search(rf"parameter (?:signed )?\\{p} (\S+)", cell)[1]) for p in ("SIZE", "WIDTH"))
        total += size * width
    return total


def examine(name, mods, version):
    """Counts of one module, from the cache if its text has been read before; Failure if Yosys refuses it."""
    kids = sorted(set(children(mods[name], mods)))
    stubs = "".join(stub(k, mods[k]) for k in kids)
    key = digest(version, PASSES, "1", plain(stubs), plain(mods[name]))
    cached = OUT / "cache" / (key + ".json")
    if cached.exists():
        return json.loads(cached.read_text())
    base = re.sub(r"\W+", "_", name).strip("_")
    il, out, stat = (OUT / "work" / (base + s) for s in (".il", ".out.il", ".stat"))
    il.write_text("autoidx 100000000\n" + stubs + mods[name])  # above every number in a name
    yosys(f"read_rtlil {il}; {PASSES}; tee -o {stat} stat -width; write_rtlil -selected {out}", OUT / "work" / (base + ".log"))
    section = next(s for s in re.split(r"^=== ", stat.read_text(), flags=re.M) if s.startswith(name.lstrip("\\") + " ==="))
    result = counts_of(section, {k.lstrip("\\") for k in kids})
    result["memory_bits"] = memory_bits(out.read_text())
    for f in (il, out, stat):
        f.unlink()
    cached.write_text(json.dumps(result))
    return result


def examine_all(mods, version):
    """{module: counts}; two at a time, the largest first"""
    for d in ("cache", "work"):
        (OUT / d).mkdir(exist_ok=True)
    order = sorted(mods, key=lambda n: -len(mods[n]))
    results, bad = {}, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = {pool.submit(examine, n, mods, version): n for n in order}
        for job in concurrent.futures.as_completed(jobs):
            try:
                results[jobs[job]] = job.result()
            except Failure as e:
                bad += 1
                print(f"FAIL  {jobs[job]}\n{e}", flush=True)
    return results, bad


# ---- tables ----

def base_name(module):
    """sm_fifo of $paramod$123\\sm_fifo or \\sm_fifo"""
    return re.search(r"\\(sm_\w+)", module)[1]


def instances(mods, top):
    """{module: how often the whole SM holds it}"""
    count = {m: 0 for m in mods}

    def walk(m, times):
        count[m] += times
        for c in children(mods[m], mods):
            walk(c, times)

    walk(top, 1)
    return count


def with_children(module, mods, counts):
    total = dict(counts[module])
    for c in children(mods[module], mods):
        for k, v in with_children(c, mods, counts).items():
            total[k] += v
    return total


def only(mods, name):
    found = [m for m in mods if base_name(m) == name]
    if len(found) != 1:
        raise Failure(f"{len(found)} modules are called {name}, one was expected")
    return found[0]


def policies():
    text = (ROOT / "isa/cfg.def").read_text()
    return [p for p in re.findall(r'^WG_POLICY\(\w+, \d+, "(\w+)"', text, re.M) if p != "ext"]


def add(rows):
    return {k: sum(r[k] for r in rows) for k in COUNTS}


def tables(mods, counts):
    """[(table, first cells, counts)]: modules, schedulers, divergence"""
    times = instances(mods, only(mods, "sm_top"))
    rows = []
    for name in sorted({base_name(m) for m in mods}):
        mine = [m for m in mods if base_name(m) == name]
        rows.append(("module", [name, str(len(mine)), str(sum(times[m] for m in mine))],
                     {k: sum(counts[m][k] * times[m] for m in mine) for k in COUNTS}))
    rows.append(("module", ["the SM", "", ""], add([r[2] for r in rows])))
    for p in policies():
        rows.append(("scheduler", [p], with_children(only(mods, f"sm_sched_{p}"), mods, counts)))
    for what, name in (("ccws: victim tags", "sm_ccws_vta"), ("all: progress rule", "sm_sched_progress"),
                       ("all: door", "sm_sched_events"), ("all: door of C and plug-ins", "sm_sched_view")):
        rows.append(("scheduler", [f"({what}, {name})"], with_children(only(mods, name), mods, counts)))
    rows.append(("scheduler", ["(all: ages and choice, sm_warp_sched)"], counts[only(mods, "sm_warp_sched")]))
    for mode, names in (("stack", ["sm_simt_stack"]), ("its", ["sm_its"]), ("both", ["sm_sleep"])):
        rows.append(("divergence", [mode, " ".join(names)], add([with_children(only(mods, n), mods, counts) for n in names])))
    own = counts[only(mods, "sm_diverge")]
    rows.append(("divergence", ["both", "sm_diverge without the three"], own))
    return rows


HEAD = """# Area: what the SM holds

Made by `make area` from rtl/ (sources {key}), shape `tiny`: one sub-core of 8 warp slots, lanes int/fp32/fp64/sfu
8/8/2/2. Do not edit. Yosys {version} reads the whole hierarchy without flattening; each module after `proc; opt -fast; memory -nomap`.

- **cells**: word-level operations and registers, not gates: an adder of 32 bits is one. Instances of other modules are not counted.
- **operator bits**: their widths, summed, without registers and memories: the widest of an operation's operands and result.
- **flip-flop bits**, **memory bits**: state. Arrays that Yosys cannot keep as memories count as flip-flops.
"""


def markdown(rows, key, version):
    """The page of areas. rows: (kind, name, ...counts); key: of the sources read; version: of Yosys."""
    out = [HEAD.format(key=key, version=version)]

    def table(kind, title, text, columns):
        out.extend([f"## {title}", "", text, "", "| " + " | ".join(columns + [c.replace("_", " ").replace("flip flop", "flip-flop")
                                                                        for c in COUNTS]) + " |"])
        out.append("|---" * len(columns) + "|---:" * len(COUNTS) + "|")
        for r in rows:
            if r[0] == kind:
                out.append("| " + " | ".join(r[1] + [str(r[2][c]) for c in COUNTS]) + " |")
        out.append("")

    table("scheduler", "Warp schedulers", "Each policy's module with what it is made of; in brackets what stands beside them. `old` has no register of its own.",
          ["policy"])
    table("divergence", "SIMT stack against independent thread scheduling", "For all warp slots of the sub-core. The stack keeps 32 "
          "entries a warp; its keeps\na PC a lane and, a lane, a mask for each of 16 barriers and WARPSYNC.", ["mode", "modules"])
    table("module", "Modules", "Sums over all instances of the SM; variants: different parameters.", ["module", "variants", "instances"])
    return "\n".join(out)


def judge(rows):
    """What is missing or zero."""
    bad = []
    have = {r[1][0]: r for r in rows if r[0] == "module"}
    for f in sources():
        name = f.stem
        if name.endswith("_pkg"):
            continue
        if name not in have:
            bad.append(f"module {name} of rtl/sm.f is not in the table")
        elif have[name][2]["cells"] == 0 or have[name][1][2] == "0":
            bad.append(f"module {name} is empty or has no instance")
    named = {r[1][0] for r in rows if r[0] == "scheduler"}
    bad += [f"scheduler {p} is not in the table" for p in policies() if p not in named]
    for r in rows:
        state = r[2]["flip_flop_bits"] + r[2]["memory_bits"]
        if r[0] != "module" and (r[2]["cells"] == 0 or (state == 0) != (r[1][0] in STATELESS)):
            bad.append(f"{r[0]} {r[1][0]}: {r[2]['cells']} cells, {state} bits of state")
    return bad


def self_test(rows):
    """What the judgement does not find in tables with one defect each."""
    first = {kind: next(i for i, r in enumerate(rows) if r[0] == kind) for kind in ("module", "scheduler", "divergence")}
    zero = {c: 0 for c in COUNTS}
    base, missed = len(judge(rows)), []
    for kind, i in first.items():
        if kind != "divergence" and len(judge(rows[:i] + rows[i + 1:])) != base + 1:
            missed.append(f"a table without a {kind} was not found")
        if len(judge(rows[:i] + [(kind, rows[i][1], zero)] + rows[i + 1:])) != base + 1:
            missed.append(f"a {kind} with zeros was not found")
    return missed


def main():
    if sys.argv[1:] not in ([], ["--update"]):
        print(f"error: unknown argument '{sys.argv[1]}'; remedy: scripts/synth.sh [--update]", file=sys.stderr)
        return 2
    OUT.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["yosys", "-V"], text=True, stdout=subprocess.PIPE, check=True).stdout.split()[1]
    try:
        text, key = elaborate(version)
        mods = split(text)
        counts, bad = examine_all(mods, version)
        rows = tables(mods, counts) if bad == 0 else []
    except Failure as e:
        print(f"FAIL  elaboration\n{e}\n0 passed, 1 failed")
        return 1
    problems = judge(rows) + self_test(rows) if bad == 0 else []
    for p in problems:
        print("FAIL  " + p)
    if bad == 0:
        (OUT / "area.md").write_text(markdown(rows, key, version), encoding="utf-8")
        lines = ["table\tname\tvariants\tinstances\t" + "\t".join(COUNTS)]
        for kind, cells, n in rows:
            lines.append("\t".join([kind] + (cells + ["", ""])[:3] + [str(n[c]) for c in COUNTS]))
        (OUT / "area.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        copy = ROOT / "rtl/AREA.md"
        if sys.argv[1:] == ["--update"] and not problems:
            copy.write_text((OUT / "area.md").read_text(encoding="utf-8"), encoding="utf-8")
        elif not copy.exists() or copy.read_text(encoding="utf-8") != (OUT / "area.md").read_text(encoding="utf-8"):
            print("note: rtl/AREA.md is of another state of rtl/; `make area` rewrites it")
        print(f"synth: {len(counts)} modules without latch, implicit declaration or undriven net; build/synth/area.md")
    failed = bad + len(problems)
    print(f"{len(counts) + 1 - (1 if problems else 0)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
