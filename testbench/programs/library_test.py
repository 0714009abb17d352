#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The library of programs/: what they claim is measured, and no order of blocks changes a result. Run from the root after
`make build programs sm SHAPE=tiny`.

usage: library_test.py [PART ...]
parts: claims (each program on the golden model: its checks, its golden kernels, no data race, every claim beside its formula), rtl (the same in
lockstep on the tiny SM; a seeded sample), places (the same results on 1, 6 and 16 SMs, blocks in order, reversed, shuffled, on SMs at random; RTL: an sm16 SM), refused (wrong
kernels, wrong golden kernels, wrong claims and wrong arguments are told), tables (TABLES.md holds),
samples (what the programs' READMEs show is what they print), profile (wg_profile against --counters-json), questions (the lecture's three, answered). Default: all. Everything with TEST_ALL=1.
"""
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, RANDOM, ROOT, SEED, check, sh  # noqa: E402


# program: arguments on the golden model, least number of claims that must agree there, [arguments on the tiny SM]
LIBRARY = {
    "matmul": (["64"], 75, [["64", "twolevel", "16", "4"], ["64", "shared", "16"], ["64", "registers", "0", "4"]]),
    "reductions": (["2048"], 8, [["1024"], ["512", "all", "time"]]),
    "ladders": ([], 42, [["coalescing"], ["banks"], ["little"], ["occupancy"], ["spill"], ["latency"]]),
    "amdahl": ([], 4, [["fraction"], ["chain"]]),
    "vector_add": (["4096"], 4, [["1000"]]),
    "transpose": (["64"], 8, [["64"]]),
    "histogram": (["4096"], 6, [["2000"]]),
    "scan": (["2048"], 2, [["600"]]),
    "stencil": (["64", "32"], 2, [["32", "32"]]),
    "spmv": (["256"], 2, [["100"]]),
    "bfs": (["512"], 1, [["200"]]),
    "bitonic_sort": (["2048"], 1, [["1024"]]),
    "n_body": (["128"], 2, [["64"]]),
    "mandelbrot": (["64", "32", "64"], 2, [["32", "16", "32"]]),
    "mma_matmul": (["64"], 3, [["32"]]),
    "persistent_threads": (["64"], 4, [["32"]]),
    "cross_block": ([], 0, [[]]),
    "residency": ([], 2, [[]]),
    "streams": ([], 23, [[], ["4", "16"], ["2", "1"], ["1", "1", "1", "0"]]),
    "pcie": (["32"], 6, [["32"]]),
    "cache_kernels": (["all", "100", "9"], 6, [["all", "64", "8"]]),
}
BROKEN = {  # what in a golden kernel is changed, and must then be noticed
    "matmul": ("fmaf(a[i * side + k], b[k * side + j], sum)", "fmaf(a[i * side + k], b[j * side + k], sum)"),
    "reductions": ("a[i] += a[i + d]", "a[i] += a[i + d] + (i == 6)"),
    "ladders": ("(t % wrap) * n * loads", "(t % wrap) * n * loads + (t == 1)"),
    "amdahl": ("* 5u + 3u", "* 5u + 2u"),
    "vector_add": ("a[i] + b[i]", "a[i] - b[i]"),
    "transpose": ("out[j * n + i]", "out[i * n + j]"),
    "histogram": ("bins[in[i]]++", "bins[in[i] ^ (i == 77)]++"),
    "scan": ("sums[k] = sum", "sums[k] = sum + (k == 3)"),
    "stencil": ("p[-1] + p[1]", "p[-1] - p[1]"),
    "spmv": ("k < start[i + 1]", "k < start[i + 1] - (i == 5)"),
    "bfs": ("level[edge[k]] = now + 1", "level[edge[k]] = now + 2"),
    "bitonic_sort": ("(a & k) == 0", "(a & k) != 0"),
    "n_body": ("0.01f", "0.02f"),
    "mandelbrot": ("> 4.0f", "> 3.9f"),
    "streams": ("0.75f, 0.5f", "0.75f, 0.5f + (float)(i == 99)"),
    "pcie": ("b[k * n + x]", "b[k * n + x] + (float)(k == 3)"),
    "mma_matmul": ("a[i * n + k]", "a[k * n + i]"),
    "persistent_threads": ("? 96u : 4u", "? 96u : 5u"),
    "cross_block": ("*flag += 1", "*flag += 2"),
    "residency": ("/ 3.0f", "/ 3.0000002f"),
    "cache_kernels": ("y[i] += row(a, x, i, columns)", "y[i] += row(a, x, i, columns) + (float)(i == 77)"),
}
PLACES = {"cross_block": ["gridbarrier"]}  # the rest of it depends on the order: that is its subject
SIZED_BY_SMS = {"ladders", "persistent_threads", "cross_block"}  # their grids grow with the machine: results are compared, not instructions
ONE_SM = {"pcie"}  # its times, not its results, are of one SM: judged there
RACING = {"bfs"}  # who comes first decides which thread does what, not what comes out


def run(name, args, settings, *options):
    """A program against its golden kernels; (its text, did it pass)."""
    code, text = sh([BIN / "warpglass", "run", *options, ROOT / "build/programs" / name / name, *args], settings)
    good = code == 0 and re.search(rf"^PASS {name} ", text, re.M) and "golden kernels bit for bit" in text and f"\n{name}: ok\n" in text
    return text, bool(good)


def agreed(text):
    return len(re.findall(r"  agree$", text, re.M))


def sample(things, n):
    things = list(things)
    return things if ALL or len(things) <= n else sorted(RANDOM.sample(things, n))


def part_claims():
    said = suite.side_by_side(lambda name: run(name, LIBRARY[name][0], f"preset=v100 backend=func race={'off' if name in RACING else 'on'}"), LIBRARY)
    for (name, (args, least, _)), (text, ok) in zip(LIBRARY.items(), said):
        n = agreed(text)
        check(ok and n >= least, f"{name} {' '.join(args)}: {n} claims agree", text[-3000:])


def part_rtl():
    chosen = sample(((n, a) for n, (_, _, runs) in LIBRARY.items() for a in runs), 5)
    said = suite.side_by_side(lambda one: run(*one, "preset=tiny check=units limit=20000000"), chosen)
    for (name, args), (text, ok) in zip(chosen, said):
        check(ok, f"{name} {' '.join(args)} on the tiny SM, {agreed(text)} claims", text[-3000:])
    text, ok = run("streams", ["6", "32", "2", "8"], "preset=tiny check=units concurrent=on")
    check(ok, f"streams with kernels beside each other, {agreed(text)} claims", text[-3000:])


def hash_of(text):
    found = re.search(r"^PASS .* (warp_insts=\S+ retire_hash=\S+)$", text, re.M)
    return found.group(1) if found else "?"


def part_places():
    """No program knows how many SMs there are, and blocks may start in any order."""
    orders = ("order=forward", "order=reverse", f"order=shuffle:{SEED}", f"blocks=random seed={SEED}")
    for name, (args, _, runs) in LIBRARY.items():
        args = PLACES.get(name, args)
        first, ok = run(name, args, "preset=v100 backend=func sms=1")
        settings = [f"sms={n} {order}" for n in (1, 6, 16) for order in orders][1:]
        chosen = sample(settings, 4)
        for at, (text, good) in zip(chosen, suite.side_by_side(lambda at: run(name, args, f"preset=v100 backend=func {at}"), chosen)):
            check(ok and good and (name in SIZED_BY_SMS | RACING or hash_of(text) == hash_of(first)), f"{name} {' '.join(args)}: the same with {at}",
                  f"{hash_of(first)} {hash_of(text)}\n{text[-1500:]}")
    for name, args in (("convolve_1d", ["1000"]), ("mm_tiled", ["64"]), ("reduce", ["5000"]), ("matrix_add", ["11", "5"]), ("divergence", []), ("barriers", [])):
        texts = [sh([BIN / "warpglass", "run", ROOT / "build/programs" / name / name, *args], f"preset=v100 backend=func {at}")
                 for at in ("sms=1", f"sms=6 {RANDOM.choice(orders)}", f"sms=16 {RANDOM.choice(orders)}")]
        same = {hash_of(text) if code == 0 and "golden kernels bit for bit" in text else text for code, text in texts}
        check(len(same) == 1, f"{name} {' '.join(args)}: the same on 1, 6 and 16 SMs", "\n".join(sorted(same)))
    rtl = [(name, PLACES.get(name, args), f"sms={n} {orders[i % 4]}") for i, (name, (_, _, runs)) in enumerate(LIBRARY.items())
           for args in runs[:1] for n in (6, 16) if name not in ONE_SM]
    for name, args, at in sample(rtl, 2):
        text, ok = run(name, args, f"preset=v100 {at}")
        check(ok, f"{name} {' '.join(args)}: right on the RTL with {at}", text[-1500:])


def changed(name, file, old, new, tmp):
    """A copy of programs/ with one file changed; its path."""
    here = pathlib.Path(tmp) / "programs"
    (here / name).mkdir(parents=True, exist_ok=True)
    for f in ("wg_program.h", "wg_golden.h"):
        (here / f).write_text((ROOT / "programs" / f).read_text())
    text = (ROOT / "programs" / name / file).read_text()
    check(text.count(old) >= 1, f"{name}: {file} still has {old!r}")
    (here / name / file).write_text(text.replace(old, new, 1))
    return here / name / file


def part_refused():
    source = (ROOT / "programs/reductions/reductions.cu").read_text().splitlines()
    for form in ("wrong", "nobarrier"):
        for settings in ("preset=tiny backend=func", "preset=tiny"):
            text, ok = run("reductions", ["1024", form], settings)
            check(not ok and f"WRONG {form}" in text and "FAIL reductions golden kernel: launch 1" in text, f"reductions {form}, {settings}: refused", text)
        text, ok = run("reductions", ["1024", form], "preset=v100 backend=func race=on")
        line = 1 + next(i for i, x in enumerate(source) if "A[i] += A[i + d]" in x and i > source.index(f"__global__ void reduce{'Wrong' if form == 'wrong' else 'NoBarrier'}(float *A, int length) {{"))
        check(not ok and f"reductions.cu:{line}: error: data race" in text and "on global memory by two blocks" in text, f"reductions {form}: the race is told with its line", text)
    text, ok = run("bfs", ["512"], "preset=v100 backend=func race=on")
    check(not ok and "data race" in text and "bfs.cu" in text, "bfs: its race, which does no harm, is told when asked for", text[-800:])
    for backend in ("func", "rtl"):
        for args, what, order in ((["backward"], "flag", "forward"), (["forward"], "flag", "reverse"), (["gridbarrier", "1"], "gridBarrier", "forward")):
            text, ok = run("cross_block", args, f"preset=tiny backend={backend} order={order}")
            check(not ok and f"the device hangs in {what}(" in text and "spins for ever" in text and "no block that is not resident" in text,
                  f"cross_block {' '.join(args)}, {backend}, {order}: told at once", text)
            if "gridbarrier" in args:
                check("barrier of the whole grid" in text, f"cross_block {' '.join(args)}, {backend}: the remedy names the barrier", text)
        text, ok = run("cross_block", ["backward"], f"preset=tiny backend={backend} order=reverse")
        check(ok, f"cross_block backward, {backend}, reverse: ends", text)
    with tempfile.TemporaryDirectory() as tmp:
        for name, (old, new) in sorted(sample(BROKEN.items(), 5)):
            golden = changed(name, "golden.c", old, new, tmp)
            code, text = sh(["clang-19", "-std=c11", "-O2", "-fPIC", "-shared", "-ffp-contract=off", f"-I{ROOT}", golden, "-o", f"{tmp}/g.so", "-lm"])
            check(code == 0, f"{name}: the changed golden kernel compiles", text)
            text, ok = run(name, LIBRARY[name][0], "preset=v100 backend=func", "--golden", f"{tmp}/g.so")
            check(not ok and f"FAIL {name} golden kernel: launch " in text, f"{name}: a changed golden kernel is refused", text[-1500:])
        source = changed("matmul", "matmul.cu", "2.0 * n3 / V);\n  claim(\"shared", "2.0 * n3 / L);\n  claim(\"shared", tmp)
        code, text = sh([BIN / "wgcc", "-O3", "-arch=sm_70", source, "-o", f"{tmp}/matmul"])
        check(code == 0, "matmul with a wrong claim compiles", text)
        code, text = sh([f"{tmp}/matmul", "64", "twolevel", "32", "4"], "preset=v100 backend=func")
        check(code == 1 and text.count("DIFFER") == 1 and "FAIL matmul program exit code 1" in text, "matmul: a wrong claim is told", text)
    for backend in ("func", "rtl"):
        text, ok = run("residency", ["half"], f"preset=tiny backend={backend} limit=300000")
        check(not ok and "FAIL residency the device hangs in half(" in text, f"residency half, {backend}: told", text)
    code, text = sh([ROOT / "build/programs/reductions/reductions", "512", "all", "tmie"], "preset=v100 backend=func")
    check(code == 2 and "error: the third argument is 'tmie'\n  remedy: time" in text, "reductions 512 all tmie: told", text)
    for args, what in ((["65"], "N is '65'"), (["64", "tiles"], "no part 'tiles'"), (["x"], "N is 'x'")):
        code, text = sh([ROOT / "build/programs/matmul/matmul", *args], "preset=v100 backend=func")
        check(code == 2 and f"error: {what}" in text and "remedy: " in text, f"matmul {' '.join(args)}: told", text)


def part_tables():
    """programs/TABLES.md is what the runs give: all of it with TEST_ALL=1 (an sm16 SM), else what needs no clock."""
    page = ROOT / "programs/TABLES.md"
    backend = "rtl" if ALL else "func"
    code, text = sh([ROOT / "programs/tables.py", "--backend", backend, "--check", page])
    check(code == 0 and "is what the runs give" in text, f"TABLES.md, {backend}", text)
    with tempfile.TemporaryDirectory() as tmp:
        lines = page.read_text(encoding="utf-8").split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith("| strided"))
        lines[at] = lines[at].replace("| 945 |", "| 944 |")
        (pathlib.Path(tmp) / "t.md").write_text("\n".join(lines), encoding="utf-8")
        code, text = sh([ROOT / "programs/tables.py", "--backend", "func", "--check", f"{tmp}/t.md"])
        check(code == 1 and "1 lines differ; remedy: " in text, "a changed figure in it is told", text)


def part_samples():
    """Lines of claims that a README shows: those of the program's first run on the tiny SM, to the letter."""
    shown = {p.parent.name: re.findall(r"^ .*  (?:agree|DISAGREE|not measured)$", "\n".join(re.findall(r"^```\n(.*?)^```$", p.read_text(), re.M | re.S)), re.M)
             for p in sorted((ROOT / "programs").glob("*/README.md"))}
    shown = {name: lines for name, lines in shown.items() if lines}
    check("streams" in shown, f"READMEs with lines of claims: {' '.join(shown)}", str(shown))
    for name, lines in shown.items():
        text, good = run(name, LIBRARY[name][2][0], "preset=tiny")
        lost = [x for x in lines if x not in text.splitlines()]
        check(good and not lost, f"programs/{name}/README.md: {len(lines)} lines as the program prints them", "\n".join(lost) + "\n" + text[-2500:])
        told = re.findall(r"one stream: (.*?) = ([\d.]+),.*\n(?:.*\n)*?  1 stream +\S+   (.*?)  +([\d.]+)  ", text) if name == "streams" else []
        check(name != "streams" or (len(told) == 1 and told[0][:2] == told[0][2:]), "  a formula has one value in all of them", str(told))


def part_profile():
    """wg_profile gives what --json gives, and nothing where nothing was measured."""
    with tempfile.TemporaryDirectory() as tmp:
        code, text = sh([BIN / "wgcc", "-O3", ROOT / "testbench/programs/profile.cu", "-o", f"{tmp}/profile"])
        check(code == 0, "profile.cu compiles", text)

        def values(settings, keys):
            code, text = sh([BIN / "warpglass", "run", f"--json={tmp}/c.json", f"{tmp}/profile", *keys], settings)
            launch = json.loads(pathlib.Path(f"{tmp}/c.json").read_text())["launches"][0] if code == 0 else {}
            rows = {w[0]: w[1:] for w in (line.split() for line in text.splitlines()) if len(w) in (3, 5) and (w[0] in keys or w[0] == "machine")}
            return code, text, launch, rows

        for settings in ("preset=tiny", "preset=tiny backend=func"):
            _, _, launch, _ = values(settings, [])
            keys = [k for k, v in launch.items() if type(v) is int and k not in ("launch", "dynamic_shared_bytes", "static_shared_bytes",
                                                                                       "registers_per_thread", "local_bytes_per_thread", "bound_cycles")]
            code, text, _, rows = values(settings, keys)
            timed = {k for k in keys if k.endswith(("cycles", "time_ns")) or k.startswith(("l1_", "l2_", "mem_", "xbar_", "dram_"))}
            bad = [k for k in keys if rows.get(k) != ["nan", "nan" if "func" in settings and k in timed else str(launch[k])]]
            check(code == 0 and len(keys) > 50 and not bad, f"{len(keys)} values as --json has them, {settings}", f"{bad}\n{text[-3000:]}")
            check(rows.get("machine") == ["16", "14.032", "1e+09", "1"], f"values of the machine, {settings}", str(rows.get("machine")))
        _, text, _, rows = values("preset=tiny check=off", ["warp_insts", "cycles"])
        check(rows.get("warp_insts") == ["nan", "nan"] and rows.get("cycles", ["", "nan"])[1] != "nan", "without a checker cycles are measured, instructions not", text)
        code, text, _, _ = values("preset=tiny backend=func", ["load_lane"])
        check(code == 1 and "error: no measured value 'load_lane'\n  remedy: " in text and "FAIL profile wg_profile: no measured value" in text,
              "a key that is none is told", text)
        alone = pathlib.Path(tmp) / "alone.c"
        alone.write_text('#include <stdio.h>\n#include "wg_profile.h"\nint main(void) { printf("%f\\n", wg_profile("cycles")); return 0; }\n')
        code, text = sh(["clang-19", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/runtime/include", alone, "-o", f"{tmp}/alone"])
        check(code == 0, "wg_profile.h compiles alone, in C", text)
        code, text = sh([f"{tmp}/alone"])
        check(code == 0 and text == "nan\n", "without the simulator nothing is measured", text)


def part_questions():
    """`make questions`, on the RTL with TEST_ALL=1 (an sm16 SM)."""
    for backend in ("func", "rtl") if ALL else ("func",):
        code, text = sh([ROOT / "programs/questions.py", "--backend", backend])
        agree, differ = text.count(": agree\n"), text.count(": DIFFERS: ")
        check(code == 0 and "\nquestions: ok\n" in text and agree >= 17 and differ == 4,
              f"questions, {backend}: {agree} figures agree, {differ} differ with the reason", text)


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
