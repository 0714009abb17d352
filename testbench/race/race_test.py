#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The race checker (race=on, race=note) on programs that race and on look-alikes that do not. Run from the root after
`make build programs sm SHAPE=tiny`.

usage: race_test.py [--backend func|rtl|both] [PART ...]
parts: programs (testbench/race/*.cu: `// expect:` in the head says kinds and classes, or `clean`; lines that race end in `// racy`),
library (programs/ without a false alarm; its two wrong reductions are named), runahead (the hazard of the texts: silent with joins,
named without), stray (an index that leaves its array is no race alone),
    silicon (the programs that racecheck of compute-sanitizer was run on: the same verdict),
        words (settings, verdicts and exit codes). Default: all.
Programs run on the golden model in both divergence modes, and on the RTL. A seeded sample; all with TEST_ALL=1.
"""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import BIN, ROOT, check, sample, sh  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CLASSES = {"block": "warps of a block", "grid": "two blocks", "apart": "lanes of a warp that ran apart",
           "same": "lanes of one instruction, different values", "hidden": "lanes of a warp, hidden by reconvergence", "equal": "the same value"}
REMEDIES = {"block": "__syncthreads()", "grid": "no barrier orders blocks", "apart": "__syncwarp()", "same": "let one lane write",
            "hidden": "__syncwarp()", "equal": "none needed"}
# runs of programs/ that end by themselves: every one must be free of races
LIBRARY = ["convolve_1d 512", "mm_tiled 32", "reduce 4096", "matrix_add 11 5", "divergence all", "barriers all", "barriers staggered", "waiting all",
           "waiting hash 8", "waiting list 4", "waiting range 8", "waiting producer_first", "waiting chain", "waiting sleeper", "waiting slow 2",
           "reductions 1024", "matmul 64 twolevel 16 4", "ladders coalescing", "ladders banks", "ladders little", "ladders occupancy",
           "ladders spill"]


def told(text):
    """Races in a run's text: [(error or note, kind, class, lines of both sides, remedy)]."""
    heads = r"^warpglass: \S+:\d+: (error|note): data race, (\w+) \([a-z ]+\) on \w+ memory by (.*)$"
    races = []
    for m in re.finditer(heads + r"\n  kernel .*\n  .* at [\w.]+:(\d+), pc .*\n  then .* at [\w.]+:(\d+), pc .*\n  remedy: (.*)$", text, re.M):
        races.append((m[1], m[2], m[3], {int(m[4]), int(m[5])}, m[6]))
    return races


def silent(text):
    return not re.search(r"^warpglass: .*data race|^FAIL .*data race", text, re.M)


def compile_cu(path, out, *options):
    code, text = sh([BIN / "wgcc", "-O3", "-lineinfo", *options, "-I", HERE, path, "-o", out])
    if code != 0:
        check(False, f"{path.name} compiles", text)
    return code == 0


def judge(path, expect, marked, settings, text, code):
    """One run of a program of this folder."""
    races, what = told(text), f"{path.stem}, {settings}"
    if expect == "clean":
        check(code == 0 and silent(text), f"{what}: clean", text)
        return
    kinds, cls = expect.split()
    classes = {CLASSES[c]: REMEDIES[c] for c in cls.split("|")}
    note = cls in ("hidden", "equal")
    lines = set().union(*(r[3] for r in races))
    ok = races and all(r[0] == ("note" if note else "error") and r[1] in kinds.split("|") and r[2] in classes and classes[r[2]] in r[4]
                       for r in races)
    ok = ok and lines == marked and (code == 0) == note and (note or re.search(r"^FAIL .*data race", text, re.M))
    check(ok, f"{what}: {expect} at lines {sorted(marked)}", f"lines told: {sorted(lines)}\n{text}")


def part_programs(opt):
    with tempfile.TemporaryDirectory() as tmp:
        all_cu = sorted(HERE.glob("*.cu"))
        clean = [p for p in all_cu if "// expect: clean" in p.read_text()]
        racy = [p for p in all_cu if p not in clean]
        check(len(racy) >= 10 and len(clean) >= 10, f"{len(racy)} programs race, {len(clean)} do not")
        for path in sample(racy, 5) + sample(clean, 4):
            source = path.read_text().splitlines()
            expect = next(line[len("// expect: "):] for line in source if line.startswith("// expect: "))
            own = next((line[len("// settings: "):] for line in source if line.startswith("// settings: ")), "")
            marked = {i + 1 for i, line in enumerate(source) if line.endswith("// racy")}
            if not compile_cu(path, f"{tmp}/{path.stem}"):
                continue
            texts = {}
            for backend in opt.backends:
                for mode in ("stack", "its"):
                    if "diverge=" in own and mode == "stack":
                        continue
                    base = f"preset=tiny backend={backend} race=on diverge={mode}"
                    code, text = sh([BIN / "warpglass", "run", f"{tmp}/{path.stem}"], f"{base} {own}")
                    judge(path, expect, marked, f"{base} {own}".strip(), text, code)
                    texts[backend, mode] = text[:text.find("checked:")] if "checked:" in text else text
            if expect.split()[-1] in ("apart", "same", "hidden") and len(opt.backends) == 2:  # one warp: the same order everywhere
                check(texts["func", "its"] == texts["rtl", "its"], f"{path.stem}: the same report from the model and the RTL")


STRAY = {"shared": ("WAW", "__shared__ int s[128], t[128]; s[threadIdx.x + 1] = p[threadIdx.x];\n"
                    "t[threadIdx.x] = 1; __syncthreads(); p[threadIdx.x] = s[threadIdx.x + 1] + t[127 - threadIdx.x];"),
         "global": ("WAW", "if (blockIdx.x == 0) p[threadIdx.x] = 2;\nq[blockIdx.x * 128 + threadIdx.x] = 3;"),
             "none": ("WAW", "p[threadIdx.x] = blockIdx.x;")}


def part_stray(opt):
    """An index that has left its array looks like a race: where one instruction is in two arrays, both are told."""
    head = '#include "race.h"\n__global__ void k(int *p, int *q) {\n'
    tail = ("\n}\nint main() {\n  int *q = zeros(128), *p = zeros(128);\n"
            "  k<<<2, 128>>>(q < p ? p : q, q < p ? q : p);\n  return done(p);\n}\n")
    with tempfile.TemporaryDirectory() as tmp:
        for name, (kind, body) in STRAY.items():
            path = pathlib.Path(tmp) / f"{name}.cu"
            path.write_text(head + body + tail)
            if not compile_cu(path, f"{tmp}/{name}"):
                continue
            for backend in opt.backends:
                code, text = sh([BIN / "warpglass", "run", f"{tmp}/{name}"], f"preset=tiny backend={backend} race=on")
                hints = re.findall(r"^  or an index beyond its array: the access at \S+, pc 0x\w+ is also at (\w+) 0x", text, re.M)
                in_verdict = "(or an index beyond its array)" in text.split("FAIL")[-1]
                ok = not hints and "an index" not in text if name == "none" else name in hints and in_verdict
                check(code != 0 and ok and f"data race, {kind} " in text,
                      f"{name}, {backend}: {'no word of it' if name == 'none' else 'told'}", text)
        path = pathlib.Path(tmp) / "order.cu"
        path.write_text(head + "p[threadIdx.x] = blockIdx.x;\nif (blockIdx.x == 1) q[threadIdx.x + 1] = 3;" + tail)
        if compile_cu(path, f"{tmp}/order"):
            code, text = sh([BIN / "warpglass", "check", "--preset", "tiny", f"{tmp}/order"])
            verdict = text.split("FAIL")[-1]
            check(code != 0 and "outside every allocation" in text and "data race, WAW" in text and "race" not in verdict,
                  "check: an access out of bounds is the verdict, not the race beside it", text)


def heap(backend):
    """Memory that one thread frees and another one gets is no race."""
    if backend != "func":
        return
    with tempfile.TemporaryDirectory() as tmp:
        if not compile_cu(ROOT / "testbench/programs/devlib/heap.cu", f"{tmp}/heap"):
            return
        for mode in ("stack", "its"):
            code, text = sh([f"{tmp}/heap", "128", "65536", "16", "100", "5000"], f"preset=tiny backend={backend} diverge={mode} race=on")
            check(code == 0 and silent(text), f"no false alarm: device malloc and free, {mode}", text[-1500:])


def part_library(opt):
    for backend in opt.backends:
        runs = LIBRARY if backend == "func" else sample(LIBRARY, 6)
        for mode in ("stack", "its"):
            for run in sample(runs, 8):
                name, *args = run.split()
                code, text = sh([BIN / "warpglass", "run", ROOT / "build/programs" / name / name, *args],
                                f"preset=tiny backend={backend} diverge={mode} race=on limit=20000000")
                check(code == 0 and silent(text), f"no false alarm: {run}, {backend}, {mode}", text[-1500:])
        heap(backend)
        source = (ROOT / "programs/reductions/reductions.cu").read_text().splitlines()
        for form, kernel, cls in (("wrong", "reduceWrong", "grid"), ("nobarrier", "reduceNoBarrier", "grid")):
            first = next(i for i, line in enumerate(source) if f" {kernel}(" in line)
            line = 1 + next(i for i, text in enumerate(source) if i > first and "A[i] += A[i + d]" in text)
            code, text = sh([BIN / "warpglass", "run", ROOT / "build/programs/reductions/reductions", "1024", form], f"preset=tiny backend={backend} race=on")
            named = [r for r in told(text) if r[0] == "error" and r[2] == CLASSES[cls] and r[3] == {line}]
            check(code != 0 and named and f"kernel '{kernel}(" in text, f"the texts' wrong reduction ({form}) is named, {backend}", text)


def part_runahead(opt):
    with tempfile.TemporaryDirectory() as tmp:
        path = ROOT / "testbench/texts/runahead.cu"
        if not compile_cu(path, f"{tmp}/runahead"):
            return
        for backend in opt.backends:
            for settings, args, error, note in (("race=on", [], 0, 0), ("race=note", [], 0, 1), ("race=on reconverge=off", [], 1, 0),
                                                ("race=on reconverge=off", ["sync"], 0, 0), ("race=note", ["sync"], 0, 0)):
                code, text = sh([f"{tmp}/runahead", *args], f"preset=tiny backend={backend} diverge=its {settings}")
                races = told(text)
                kinds = {r[0] for r in races}
                ok = ("error" in kinds) == bool(error) and ("note" in kinds) == bool(note) and (code != 0) == bool(error)
                ok = ok and all(r[4].startswith("__syncwarp()") and "'word' + " in text for r in races)
                check(ok, f"run ahead, {backend}, {settings} {' '.join(args)}: {'error' if error else 'note' if note else 'silent'}", text)


def part_silicon(opt):
    """racecheck on an H200: no hazard in silicon/counters, but the wanted one of `sh_st32 stride=0` (silicon/README.md)."""
    if "func" not in opt.backends:
        print("skip  silicon: these programs are run on the model only")
        return
    paths = [p for p in sorted((ROOT / "testbench/silicon/counters").glob("*.cu")) if not p.stem.startswith("doc_")]
    with tempfile.TemporaryDirectory() as tmp:
        for path in sample(paths, 2):
            if not compile_cu(path, f"{tmp}/{path.stem}", "-std=c++17"):
                continue
            for mode in ("stack", "its"):
                code, text = sh([f"{tmp}/{path.stem}"], f"preset=v100 backend=func race=on diverge={mode}")
                races = told(text)
                if path.stem == "shared_stride":
                    ok = code != 0 and [r[:3] for r in races] == [("error", "WAW", CLASSES["same"])] and "kernel 'sh_st32(" in text
                else:
                    ok = code == 0 and silent(text)
                check(ok, f"{path.name}, {mode}: as racecheck says", text[-2000:])


def part_words():
    prog = ROOT / "build/programs/matrix_add/matrix_add"
    for settings, parts in (("race=yes", ["bad value 'yes' of setting 'race'", "one of: off on note"]),
                            ("race=on check=off", ["race=on does not go with check=off", "check=retire"]),
                            ("race=note backend=stub", ["race=note does not go with this back end"])):
        code, text = sh([prog, "11", "5"], f"preset=tiny {settings}")
        check(code != 0 and all(p in text for p in parts), f"refused: {settings}", text)
    code, text = sh([BIN / "warpglass", "run", "--race", "on", "--backend=func", "--preset=tiny", prog, "11", "5"])
    check(code == 0 and ", data races" in text, "the verdict says that races were looked for", text)
    code, text = sh([BIN / "warpglass", "run", "--backend=func", "--preset=tiny", prog, "11", "5"])
    check(code == 0 and "data race" not in text, "and does not say so if they were not", text)
    with tempfile.TemporaryDirectory() as tmp:
        if compile_cu(HERE / "reverse_bare.cu", f"{tmp}/r"):
            for settings, rc in (("race=off", 0), ("race=on", 1)):
                code, text = sh([f"{tmp}/r"], f"preset=tiny backend=func {settings}")
                check(code == rc and ("FAIL r data race" in text) == (rc == 1), f"a bare program, {settings}: exit code {rc}", text)


if __name__ == "__main__":
    sys.exit(suite.main(globals(), backend="both"))
