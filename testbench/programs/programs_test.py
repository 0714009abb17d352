#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The programs of programs/ end to end: from their .cu to a verdict. Run from the root after `make build programs`.

usage: programs_test.py [--backend rtl|func] [--preset NAME] [--sms N] [PART ...]
parts: lecture (the printed sources are unchanged), run (the lines of programs/runs.tsv, of the library's a seeded sample, pass against their golden
kernels), broken (a wrong golden kernel, and a wrong program, are refused), faults (wrong kernels are explained), hash (the retire hash is the same everywhere), counters
(convolve v1 against v2, text M16), cycles (recorded counts hold; needs a back end with timing). Default: all that the back end can do.
"""
import hashlib
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, ROOT, SEED, check, sh  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def runs():
    """Lines of programs/runs.tsv; of those behind `# library` a seeded sample, all with TEST_ALL=1."""
    text, _, library = (ROOT / "programs" / "runs.tsv").read_text().partition("\n# library")
    lines, more = text.splitlines(), library.splitlines()[1:]
    if not ALL:
        more = random.Random(SEED).sample(more, min(len(more), 4))
    for line in lines + more:
        if line and not line.startswith("#"):
            name, args, settings = line.split("\t")
            yield name, args.split(), settings


def run_program(opt, name, args, settings, *options):
    level = opt.check or ("units" if "preset=tiny" in settings else "retire")
    words = f"{settings} backend={opt.backend} check={level}"
    return sh([BIN / "warpglass", "run", *options, ROOT / "build" / "programs" / name / name, *args], words)


def verdict(text):
    return text.rstrip("\n").rsplit("\n", 1)[-1]


def part_lecture():
    for line in (HERE / "lecture.sha256").read_text().splitlines():
        want, name = line.split()
        have = hashlib.sha256((ROOT / "programs" / name).read_bytes()).hexdigest()
        check(have == want, f"{name} is as printed")


HOLD = {}  # run: what it said with its recorded cycles compared, if they hold


def judged(opt, run):
    """A run against its golden kernels and, on the RTL, its recorded cycles: (exit code, text); without the cycles if those do not hold."""
    name, args, settings = run
    if opt.backend == "rtl":
        rc, text = run_program(opt, name, args, settings, *cycles_of(name))
        if rc == 0:
            HOLD[name, *args, settings] = text
            return rc, text
    return run_program(opt, name, args, settings)


def cycles_of(name):
    return "--cycles-check", ROOT / "programs" / name / "cycles.tsv"


def part_run(opt):
    chosen = list(runs())
    for (name, args, settings), (rc, text) in zip(chosen, suite.side_by_side(lambda run: judged(opt, run), chosen)):
        good = rc == 0 and verdict(text).startswith(f"PASS {name} ") and "golden kernels bit for bit" in text
        check(good, f"{name} {' '.join(args)} ({settings}): {verdict(text)}", text)


def part_broken(opt):
    """What must not pass: a golden kernel with one changed operation, for each program."""
    changes = {"convolve_1d": ("result / 3.0f", "result / 3.0000002f"),
               "mm_tiled": ("float sum = 0.0f", "float sum = 1.0f"),
               "reduce": ("s[t] += s[t + d]", "s[t] += s[t + d] + (t == 1 && d == 64)"),
               "matrix_add": ("*a + *b", "*a - *b")}
    for name, (old, new) in changes.items():
        source = (ROOT / "programs" / name / "golden.c").read_text()
        check(old in source, f"{name}: the golden kernel still has '{old}'")
        args, settings = next((a, s) for n, a, s in runs() if n == name)
        with tempfile.TemporaryDirectory() as tmp:
            (pathlib.Path(tmp) / "g.c").write_text(source.replace(old, new))
            rc, text = sh(["clang-19", "-std=c11", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-I.",
                           f"{tmp}/g.c", "-o", f"{tmp}/g.so", "-lm"])
            check(rc == 0, f"{name}: the changed golden kernel compiles", text)
            rc, text = run_program(opt, name, args, settings, "--golden", f"{tmp}/g.so")
        check(rc == 1 and verdict(text).startswith(f"FAIL {name} golden kernel: launch 1 "),
              f"{name}: a changed golden kernel is refused: {verdict(text)}", text)
    rc, text = run_program(opt, "mm_tiled", ["16"], "preset=tiny")
    check(rc == 1 and "error 9" in verdict(text), f"mm_tiled 16 launches an empty grid: {verdict(text)}", text)
    rc, text = run_program(opt, "mm_tiled", ["48"], "preset=tiny")
    check(rc == 1 and verdict(text).startswith("FAIL"), f"mm_tiled 48 is no multiple of 32: {verdict(text)}", text)
    rc, text = run_program(opt, "mm_tiled", ["64"], "preset=lecture")
    check(rc == 1 and "8192 bytes of shared memory" in verdict(text) and "error 701" in verdict(text),
          f"mm_tiled on lecture (1.5 KB shared): {verdict(text)}", text)


def part_faults(opt):
    """Wrong kernels: CUDA's error, the place, and a verdict that says so, though the program returns 0."""
    cases = [(700, "faults.cu:9: error: illegal address at 0x0 in", "null pointer"),
             (700, "faults.cu:9: error: illegal address at 0x200100000100: 0 bytes behind the end of the nearest", "guard"),
             (700, "faults.cu:9: error: illegal address at 0x7", "not a device address"),
             (716, "faults.cu:12: error: misaligned address at 0x200100000002: inside the allocation of 256", "multiple"),
             (717, "faults.cu:16: error: invalid address space in", "shared"), (719, "faults.cu:21: error: trap in", "trap"),
             (702, "no progress up to cycle", "same barriers")]
    with tempfile.TemporaryDirectory() as tmp:
        rc, text = sh([BIN / "wgcc", HERE / "faults.cu", "-o", f"{tmp}/faults"])
        check(rc == 0, "faults compiles", text)
        for i, (number, place, remedy) in enumerate(cases):
            rc, text = sh([BIN / "warpglass", "run", f"{tmp}/faults", i], f"preset=tiny backend={opt.backend}")
            ok = f"\n{number} cudaError" in "\n" + text and place in text and remedy in text and rc == 1
            what = "the device hangs in" if number == 702 else "device fault at faults.cu:"
            check(ok and verdict(text).startswith(f"FAIL faults {what}"), f"fault case {i}: error {number}", text)


def part_hash(opt):
    """The retire hash depends on what threads compute, not on scheduler, number of SMs or back end."""
    def hash_of(name, args, settings):
        rc, text = sh([BIN / "warpglass", "run", ROOT / "build" / "programs" / name / name, *args], settings)
        words = dict(w.split("=", 1) for w in verdict(text).split() if "=" in w)
        return (words.get("retire_hash", "?") if rc == 0 else verdict(text)), words.get("warp_insts", "?")

    for name, args in (("matrix_add", ["11", "5"]), ("reduce", ["2048"]), ("mm_tiled", ["32"]), ("convolve_1d", ["300"])):
        want = hash_of(name, args, "preset=tiny backend=func")
        check(len(want[0]) == 16, f"{name}: hash {want[0]} of the functional run")
        for settings in ("preset=tiny sched=lrr", "preset=tiny sched=gto", f"preset={opt.preset} sms={opt.sms}") if opt.backend == "rtl" else (
                "preset=v100 sms=2", "preset=v100 sms=3"):
            have = hash_of(name, args, f"{settings} backend={opt.backend}")
            check(have == want, f"{name}: same hash and instructions on {opt.backend} {settings}", f"{have} {want}")


def counters(text):
    """Rows of `warpglass run --counters` by column name."""
    names = []
    for line in text.splitlines():
        if line.split()[:1] == ["launch"]:
            names = line.split()
            continue
        words = line.split(None, max(len(names) - 1, 0))  # a kernel's name, the last column of its table, has blanks
        if words and len(words) == len(names) and words[0].isdigit():
            yield {n: int(w) if w.isdigit() else w for n, w in zip(names, words)}


def part_counters(opt):
    blocks = 32
    want = {1: (384, 12, 56), 2: (130, 5, 17)}  # a block: lanes, requests, sectors (text M16)
    with tempfile.TemporaryDirectory() as tmp:
        prog = f"{tmp}/convolve_once"
        rc, text = sh([BIN / "wgcc", "-O3", "-arch=sm_70", "-I", ROOT, HERE / "convolve_once.cu", "-o", prog])
        check(rc == 0, "convolve_once compiles", text)
        rows = {}
        for version in (1, 2):
            rc, text = sh([BIN / "warpglass", "run", "--counters", "--golden",
                           ROOT / "build/programs/convolve_1d/golden.so", prog, version, blocks * 128],
                          f"preset={opt.preset} sms={opt.sms} backend={opt.backend}")
            row = next((r for r in counters(text) if r["launch"] == 2), None)
            check(rc == 0 and row is not None, f"convolve v{version}: {verdict(text)}", text)
            rows[version] = row or {}
    for version, (lanes, reqs, sectors) in want.items():
        for key, per_block in (("ld_lanes", lanes), ("ld_reqs", reqs), ("ld_sectors", sectors)):
            have = rows[version].get(key)
            check(have == per_block * blocks,
                  f"convolve v{version}: {key} = {per_block} a block x {blocks} (have {have})")
    if opt.backend == "func":
        print("skip  DRAM bytes: the back end 'func' has no memory system")
        return
    have = [rows[v].get("dram_rd_bytes") for v in (1, 2)]
    check(have[0] == have[1] and bool(have[0]), f"both versions read the same bytes from DRAM {have}")


def part_cycles(opt):
    """Recorded counts; runs that part_run has just seen to hold them are not run again."""
    for name, args, settings in runs():
        have = HOLD.get((name, *args, settings))
        rc, text = (0, have) if have else run_program(opt, name, args, settings, *cycles_of(name))
        check(rc == 0, f"{name} {' '.join(args)} ({settings}) cycles: {verdict(text)}", text)


def options(ap):
    ap.add_argument("--preset", default="v100", help="of the counters part")
    ap.add_argument("--sms", default="1", help="of the counters part")
    ap.add_argument("--check", default="", help="check level; default units on tiny, else retire")


def timed(opt):
    """All parts but that of cycles, if the back end has none."""
    return [n[5:] for n in globals() if n.startswith("part_") and (opt.backend == "rtl" or n != "part_cycles")]


if __name__ == "__main__":
    sys.exit(suite.main(globals(), backend="rtl", options=options, default=timed))
