#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of a program (`warpglass check`) on programs with a planted fault and on look-alikes without. Run from the root after
`make build programs sm SHAPE=tiny`.

usage: check_test.py [--backend func|rtl|both] [--table] [PART ...]
parts: programs (testbench/check/*.cu: the head says tool and kind, or `clean`; lines of findings end in `// bad`), library (programs/
without a false alarm; the three that have what a check looks for are named), words (settings, verdicts, JSON, exit codes), sanitizer (what
compute-sanitizer said of the same programs on a GPU, recorded by record_sanitizer.py, agrees or has its reason). Default: all.
--table writes table.tsv: what each program of this folder and of testbench/race must show, and where. A seeded sample; all with TEST_ALL=1.
"""
import hashlib
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, ROOT, check, sample, sh  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# what the library really has, by tool: all of it must be named, and nothing else
KNOWN = {("barriers", "all"): ("sync", "divergent-barrier", "bar.sync 0;"), ("bfs", "200"): ("race", None, None),
         ("streams", "4 64"): ("init", "uninitialized-global", "float v = x[i];")}


class Program:
    """A source of this folder: what must be found, and at which lines."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        head = {m[1]: m[2] for m in (re.match(r"// (expect|settings|modes): (.*)", line) for line in lines) if m}
        self.path, self.name, self.settings = path, path.stem, head.get("settings", "")
        self.modes = head.get("modes", "stack its").split()
        self.tool, self.kind = (head["expect"].split() + [None])[:2]
        self.bad = {i + 1 for i, line in enumerate(lines) if line.endswith("// bad")}
        self.maybe = {i + 1 for i, line in enumerate(lines) if line.endswith("// bad?")}
        self.error = self.tool not in ("clean", "advice") and self.kind not in ("leak", "shuffle-source")


def programs():
    return [Program(p) for p in sorted(HERE.glob("*.cu"))]


def table():
    """program, tool, kind, lines; the racy programs of testbench/race too."""
    rows = ["# program\ttool\tkind\tlines\tgenerated: check_test.py --table"]
    rows += [f"check/{p.name}\t{p.tool}\t{p.kind or '-'}\t{','.join(map(str, sorted(p.bad))) or '-'}" for p in programs()]
    for path in sorted((ROOT / "testbench/race").glob("*.cu")):
        lines = path.read_text().splitlines()
        expect = next(line[len("// expect: "):] for line in lines if line.startswith("// expect: ")).split()
        racy = [str(i + 1) for i, line in enumerate(lines) if line.endswith("// racy")]
        rows.append(f"race/{path.stem}\t{'race' if len(expect) > 1 else 'clean'}\t{' '.join(expect) if len(expect) > 1 else '-'}\t{','.join(racy) or '-'}")
    return "\n".join(rows) + "\n"


def compile_cu(path, out, *words):
    code, text = sh([BIN / "wgcc", "-O3", "-g", "-lineinfo", "-I", HERE, *words, path, "-o", out])
    if code != 0:
        check(False, f"{path.name} compiles", text)
    return code == 0


def findings_of(tmp, exe, settings, tools, *args):
    """Run under the checks: (exit code, text, findings)."""
    out = pathlib.Path(tmp) / "findings.json"
    out.unlink(missing_ok=True)
    code, text = sh([BIN / "warpglass", "check", "--tools", tools, "--findings", out, exe, *args], settings)
    return code, text, json.loads(out.read_text())["findings"] if out.exists() and out.stat().st_size else []


def judge(p, what, code, text, found):
    mine = [f for f in found if f["tool"] == p.tool and f["kind"] in p.kind.split("|")] if p.kind else []
    errors = [f for f in found if f["level"] == "error"]
    if p.tool == "clean":
        check(code == 0 and not found, f"{what}: clean", text)
        return
    lines = {f["line"] for f in mine if f["file"] == p.path.name}
    ok = bool(mine) and p.bad <= lines <= p.bad | p.maybe and (code != 0) == p.error and all(f["tool"] == p.tool and f["kind"] in p.kind.split("|") for f in errors)
    if p.tool == "advice":
        ok = ok and found[0]["line"] in p.bad and f"{p.path.name}:{found[0]['line']}: advice: " in text
    else:
        ok = ok and all(f["count"] >= 1 and f["remedy"] for f in mine)
        ok = ok and all(f"{p.path.name}:{n}: {'error' if p.error else 'note'}: {p.tool.split('-')[0]}" in text for n in lines)
    if p.error:
        ok = ok and re.search(r"^FAIL ", text, re.M)
    check(ok, f"{what}: {p.tool} {p.kind} at {sorted(p.bad)}", f"lines told: {sorted(lines)}\n{text}\n{json.dumps(found, indent=1)}")


def part_programs(opt):
    every = programs()
    planted = [p for p in every if p.tool != "clean"]
    race = [p for p in (ROOT / "testbench/race").glob("*.cu") if "// expect: clean" not in p.read_text()]
    check(len(planted) + len(race) >= 60, f"{len(planted)} programs with a planted fault here, {len(race)} race; {len(every) - len(planted)} without")
    check((HERE / "table.tsv").read_text() == table(), "table.tsv is what the programs say", "check_test.py --table writes it anew")
    chosen = {p.name for p in sample(planted, 12)} | {p.name for p in sample([p for p in every if p.tool == "clean"], 4)}
    on_rtl = set(sample(sorted(chosen), 5))
    with tempfile.TemporaryDirectory() as tmp:
        for p in every:
            if p.name not in chosen or not compile_cu(p.path, f"{tmp}/{p.name}"):
                continue
            tools = {"clean": "all", "advice": "advice"}.get(p.tool, "mem,init-all,sync")
            for backend in opt.backends if p.name in on_rtl or opt.backends == ["rtl"] else ["func"]:
                for mode in p.modes if backend == "func" or ALL else p.modes[:1]:
                    settings = f"preset=tiny backend={backend} diverge={mode} {p.settings}".strip()
                    code, text, found = findings_of(tmp, f"{tmp}/{p.name}", settings, tools)
                    judge(p, f"{p.name}, {backend}, {mode}", code, text, found)


def known_line(name, text):
    """Lines of a program of the library with this text."""
    lines = (ROOT / "programs" / name / f"{name}.cu").read_text().splitlines()
    return {i + 1 for i, line in enumerate(lines) if text in line}


def part_library(opt):
    if "func" not in opt.backends:
        print("skip  library: on the model only")
        return
    rows = [line.split("\t")[:2] for line in (ROOT / "programs/runs.tsv").read_text().splitlines() if line and not line.startswith("#")]
    runs = sorted({(name, args) for name, args in rows})
    with tempfile.TemporaryDirectory() as tmp:
        for name, args in sample(runs, 8):
            for mode in ("stack", "its"):
                code, text, found = findings_of(tmp, ROOT / "build/programs" / name / name, f"preset=v100 sms=4 diverge={mode}",
                                                "all", *args.split())
                errors = [f for f in found if f["level"] == "error"]
                tool, kind, line = KNOWN.get((name, args), (None, None, None))
                if tool is None:
                    check(code == 0 and not errors, f"no false alarm: {name} {args}, {mode}", text[-2500:])
                    continue
                ok = code != 0 and errors and all(f["tool"] == tool and f["kind"] in (kind or f["kind"]) for f in errors)
                if line is not None:
                    ok = ok and {f["line"] for f in errors} <= known_line(name, line)
                check(ok, f"what it has is named, and nothing else: {name} {args}, {mode}", text[-2500:])


def part_words():
    prog = ROOT / "build/programs/matrix_add/matrix_add"
    for settings, parts in (("tools=memory", ["bad value 'memory' of setting 'tools'", "one of: mem init"]),
                            ("tools=mem,", ["bad value '' of setting 'tools'"]),
                            ("tools=mem check=off", ["tools does not go with check=off", "check=retire"]),
                            ("tools=mem backend=stub", ["tools does not go with this back end"]),
                            ("tools=mem backend=func concurrent=on", ["concurrent=on does not go with tools"])):
        code, text = sh([prog, "11", "5"], f"preset=tiny {settings}")
        check(code != 0 and all(p in text for p in parts), f"refused: {settings}", text)
    code, text = sh([BIN / "warpglass", "check", "--help"])
    check(code == 0 and "--tools" in text, "check --help", text)
    code, text = sh([BIN / "warpglass", "check", "--tools", "mem", "--preset=tiny", prog, "11", "5"])
    check(code == 0 and ", memory;" in text and "data races" not in text, "the verdict says what was looked for", text)
    code, text = sh([BIN / "warpglass", "check", "--preset=tiny", prog, "11", "5"])
    check(code == 0 and "data races, memory, initialisation (shared and local memory too), synchronisation" in text, "all four without a word", text)
    code, off = sh([BIN / "warpglass", "run", "--backend=func", "--preset=tiny", prog, "11", "5"])
    code2, on = sh([BIN / "warpglass", "check", "--tools", "init-all,advice", "--preset=tiny", prog, "11", "5"])
    check(code == code2 == 0 and off.splitlines()[-1] == on.splitlines()[-1], "the same instructions and hash with and without", off + on)
    code3, moved = sh([BIN / "warpglass", "check", "--preset=tiny", prog, "11", "5"])
    count = r"warp_insts=\d+"
    check(code3 == 0 and re.findall(count, off) == re.findall(count, moved), "mem, with room between arrays: as many instructions", off + moved)
    with tempfile.TemporaryDirectory() as tmp:
        for name, mode, parts in ((f"{tmp}/nofile", None, "there is no program '"), ("no_such_command", None, "there is no program '"),
                                  (f"{tmp}/text", 0o644, "is not executable"), (tmp, None, "is a folder"), (HERE / "tail.cu", None, "is CUDA source")):
            if mode is not None:
                pathlib.Path(name).write_text("text\n")
                pathlib.Path(name).chmod(mode)
            code, text = sh([BIN / "warpglass", "check", name])
            check(code == 2 and parts in text and len(text.splitlines()) == 2 and "  remedy: " in text, f"no program: {parts}", text)
        if compile_cu(HERE / "shared_fresh.cu", f"{tmp}/shared"):
            code, text = sh([BIN / "warpglass", "check", "--preset=tiny", f"{tmp}/shared"])
            check(code == 1 and "shared_fresh.cu:11: error: init-all" in text, "shared memory nobody wrote is told without a word", text)
        if compile_cu(ROOT / "testbench/race/warp_bare.cu", f"{tmp}/warp", "-I", ROOT / "testbench/race"):
            code, text = sh([BIN / "warpglass", "check", "--preset=tiny", f"{tmp}/warp"])
            check(code == 0 and "warp_bare.cu:19: note: data race" in text, "and what only lanes in step order, as a note", text)
            code, text = sh([BIN / "warpglass", "check", "--tools=race", "--preset=tiny", f"{tmp}/warp"])
            check(code == 0 and "note: data race" not in text, "which --tools race leaves out", text)
        if compile_cu(HERE / "tail.cu", f"{tmp}/tail"):
            code, text = sh([f"{tmp}/tail"], "preset=tiny backend=func tools=mem")
            check(code == 1 and "FAIL tail mem: " in text, "a bare program", text)
            code, text = sh([f"{tmp}/tail"], "preset=tiny backend=func")
            check(code == 0 and "bytes that were asked for" not in text, "nothing is said without the setting", text)
            code, text = sh([BIN / "warpglass", "check", "--findings", f"{tmp}/no/x.json", f"{tmp}/tail"], "preset=tiny")
            check(code == 2 and "--findings: cannot write" in text, "a file that cannot be written is told first", text)


def columns(name):
    """A table of this folder: its head and its rows."""
    rows = [line.split("\t") for line in (HERE / name).read_text().splitlines()]
    return rows[0], rows[1:]


def part_sanitizer():
    ours, (head, there), why = columns("table.tsv")[1], columns("compute_sanitizer.tsv"), dict(columns("sanitizer_differs.tsv")[1])
    check([r[0] for r in ours] == [r[0] for r in there], "every program has a recorded verdict", "record_sanitizer.py records anew")
    tool_of = {"mem": "memcheck", "init": "initcheck", "init-all": "initcheck", "sync": "synccheck", "race": "racecheck"}
    agreed = 0
    for (name, tool, kind, lines), row in zip(ours, there):
        text, verdicts = row[1], dict(zip(head[2:6], row[2:6]))
        path = ROOT / "testbench" / f"{name}.cu"
        want = set(lines.split(",")) | {str(n) for n in (Program(path).maybe if name.startswith("check/") else ())}
        if tool in tool_of:
            same = bool(want & set(verdicts[tool_of[tool]].split(",")))
        else:
            same = set(verdicts.values()) == {"-"}
        fresh = hashlib.sha256(path.read_bytes()).hexdigest()[:12] == text
        check(fresh and same == (name not in why), f"{name}: compute-sanitizer {'agrees' if same else 'differs: ' + why.get(name, 'no reason')}",
              f"{tool} {kind} at {sorted(want)}, there {verdicts}" + ("" if fresh else "; recorded for another text: record_sanitizer.py records anew"))
        agreed += same
    check(set(why) <= {r[0] for r in ours}, "reasons are of programs that exist")
    print(f"compute-sanitizer agrees on {agreed} of {len(ours)} programs")


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        (HERE / "table.tsv").write_text(table())
    else:
        sys.exit(suite.main(globals(), backend="both"))
