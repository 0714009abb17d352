#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Co-simulation as a whole: assembly programs in lockstep, injected faults, plug-in schedulers, determinism, waveforms.

usage: testbench/cosim/cosim_test.py [PART ...]     run from anywhere, after `make build programs sm`
parts:
  asm      every program of programs/asm on the RTL at check level units (tiny; with TEST_ALL=1 also v100 under both schedulers)
  shapes   the shape sm32 (TEST_ALL=1 only)
  inject   each fault of cosim/inject.def is caught by the check that it names, with block, pc and instruction where there is one
  plugin   a built-in policy verilated alone drives the pick port and takes the same cycles
  cpolicy  the same for policies in C; a bad pick is an error
  sched    spinning warps end under every policy; each policy has its effect (programs in testbench/cosim/sched)
  same     two runs, other seeds, other check levels and a traced run give the same cycles and retire hash
  schedule the compiler's reordering on and off: same results, other cycles
  wave     every signal of every view exists in a trace; a window holds just its cycles; an event's window is found
Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / "build/bin"
ALL = os.environ.get("TEST_ALL") == "1"
passed, failed = 0, 0


def check(ok, what, detail=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    print(("ok    " if ok else "FAIL  ") + what + ("" if ok or not detail else "\n" + detail), flush=True)


def sh(args, settings="", **env):
    full = dict(os.environ, WARPGLASS=settings, **env)
    p = subprocess.run([str(a) for a in args], cwd=ROOT, env=full, text=True, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
    return p.returncode, p.stdout


def program(name, *args):
    return [ROOT / "build/programs" / name / name, *args]


def verdict(text):
    m = re.search(r"^PASS \S+ (cycles=\d+ warp_insts=\d+ retire_hash=\w+)$", text, re.M)
    return m[1] if m else None


def part_asm():
    files = sorted((ROOT / "programs/asm").glob("*.s"))
    big = [f for f in files if re.search(r"^# block: (5\d\d|[6-9]\d\d|1\d\d\d)", f.read_text(), re.M)]
    small = [f for f in files if f not in big]
    runs = [("preset=tiny check=units", small), ("preset=v100 check=units", big)]
    if ALL:
        runs += [("preset=tiny check=units sched=gto", small), ("preset=v100 check=units sched=gto", files),
                 ("preset=v100 check=retire sched=lrr", files)]
    else:
        runs += [("preset=v100 check=units sched=gto", files[int(os.environ.get("SEED", "1")) % 5::5])]
    for settings, chosen in runs:
        code, text = sh([BIN / "wgasmtest", "-s", settings, *chosen])
        tail = re.search(r"^(\d+) passed, (\d+) failed$", text, re.M)
        good = {m for m in re.findall(r"^PASS (\S+)", text, re.M)}
        for f in chosen:
            if str(f) not in good:
                check(False, f"{f.name} [{settings}]", "\n".join(re.findall(rf"^FAIL {re.escape(str(f))}.*(?:\n  .*)*", text, re.M)))
        check(code == 0 and tail and int(tail[1]) == len(chosen), f"{len(chosen)} assembly programs, {settings}")


def part_shapes():
    """Pipes of 32 lanes: the shape that no shipped preset uses yet (TEST_ALL=1 only: it is one more build)."""
    if not ALL:
        return
    code, text = sh(["make", "-s", "sm", "SHAPE=sm32", "VARIANT=fast"])
    check(code == 0, "shape sm32 builds", text[-800:])
    files = sorted((ROOT / "programs/asm").glob("*.s"))
    with tempfile.TemporaryDirectory() as tmp:
        preset = pathlib.Path(tmp) / "wide.cfg"
        preset.write_text((ROOT / "configs/v100.cfg").read_text().replace('"sm16"', '"sm32"'))
        for sched in ("gto", "lrr"):
            code, text = sh([BIN / "wgasmtest", "-s", f"preset={preset} check=units sched={sched}", *files])
            check(code == 0, f"{len(files)} assembly programs on sm32, {sched}",
                  "\n".join(line for line in text.splitlines() if line.startswith("FAIL")))


def part_inject():
    kinds = {"pick": "mismatch: scheduler", "lane": "mismatch: wrong guard lanes at issue", "mask": "mismatch: SIMT stack",
             "barrier": "mismatch: barrier release", "fma-bit": "mismatch: wrong register value",
             "store-byte": "mismatch: wrong store"}
    table = re.findall(r'^WG_INJECT\("([^"]+)"', (ROOT / "cosim/inject.def").read_text(), re.M)
    check(sorted(table) == sorted(kinds), "every kind of cosim/inject.def is tested")
    for kind, found in kinds.items():
        code, text = sh([BIN / "warpglass", "run", *program("convolve_1d", "512")],
                        f"preset=tiny check=units sched=lrr inject={kind}")
        place = kind in ("pick", "barrier") or "block (0,0,0)" in text and re.search(r"pc 0x\w+, .*convolve_1d.cu:\d+", text)
        facts = all(w in text for w in ("seed ", "cycle ", "expected:", "got:"))
        last = text.rstrip().rsplit("\n", 1)[-1]
        check(code != 0 and found in text and place and facts and last.startswith("FAIL convolve_1d "),
              f"injected {kind} is caught: {found}", text[-1500:])
    code, text = sh(program("convolve_1d", "512"), "preset=tiny inject=nonsense")
    check(code != 0 and "cannot inject 'nonsense'" in text, "an unknown kind is refused", text)


POLICIES = re.findall(r'^WG_POLICY\(\w+, \d+, "(\w+)"', (ROOT / "isa/cfg.def").read_text(), re.M)
POLICIES.remove("ext")


def part_cpolicy():
    """Policies in C drive the pick ports: the twin of each built-in policy takes its cycles, with and without knobs."""
    def cycles(sched, args=("reduce", "2048")):
        code, text = sh(program(*args), f"preset=tiny check=units sched={sched}")
        return verdict(text) or text[-300:], code
    for name in POLICIES:
        code, text = sh([ROOT / "scripts/cpolicy.sh", name, f"model/twin/sched_{name}.c"])
        check(code == 0, f"C policy {name} builds", text)
        for knobs in ("", ":1,20"):
            want, have = cycles(name + knobs), cycles(f"c:{name}{knobs}")
            check(want[1] == 0 and want == have, f"c:{name}{knobs} takes the cycles of the built-in policy", f"{want}\n{have}")
    for name in ("robin", "loads_first", "bad_pick"):
        code, text = sh([ROOT / "scripts/cpolicy.sh", name, f"testbench/plugin/{name}.c"])
        check(code == 0, f"C policy {name} builds", text)
    check(cycles("c:robin") == cycles("lrr"), "c:robin, a copy of lrr, takes its cycles")
    check(cycles("c:loads_first")[1] == 0, "c:loads_first runs")
    text, code = cycles("c:bad_pick")
    check(code != 0 and "'bad_pick' picked slot 0" in text and "not eligible" in text, "a bad pick ends the run with its place", text)
    code, text = sh(program("reduce", "2048"), "preset=tiny sched=c:nothing")
    check(code != 0 and "scripts/cpolicy.sh nothing" in text, "a missing C policy names its remedy", text)


def part_plugin():
    for name in POLICIES if ALL else ("gto", "lrr", "ccws"):
        code, text = sh([ROOT / "scripts/plugin.sh", name, "8"])
        check(code == 0, f"plug-in {name} builds", text)
        built_in = verdict(sh(program("reduce", "2048"), f"preset=tiny sched={name}")[1])
        plugged = verdict(sh(program("reduce", "2048"), f"preset=tiny sched=plugin:{name}")[1])
        check(built_in is not None and built_in == plugged, f"plug-in {name} takes the cycles of the built-in policy",
              f"{built_in}\n{plugged}")
    code, text = sh(program("reduce", "2048"), "preset=tiny sched=plugin:nothing")
    check(code != 0 and "scripts/plugin.sh nothing" in text, "a missing plug-in names its remedy", text)


def asm(name, settings):
    """Counters of a program of testbench/cosim/sched that passes; empty if it does not."""
    code, text = sh([BIN / "wgasmtest", "-s", settings, "-c", ROOT / f"testbench/cosim/sched/{name}.s"])
    m = re.search(r"^PASS \S+ (.*)$", text, re.M)
    check(code == 0 and m, f"{name} [{settings}]", text[-800:])
    return {k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", m[1])} if m else {}


def part_sched():
    """Every policy lets spinning warps go on; each has the effect that its source claims, on a program made for it."""
    for sched in POLICIES + ["swl:1", "twolevel:1", "ccws:1,1000"]:
        for name in ("spin_two_up", "spin_two_down", "spin_ring_up", "spin_ring_down"):
            asm(name, f"preset=tiny check=units sched={sched}")

    def less(name, key, winner, loser, preset="tiny"):
        a, b = (asm(name, f"preset={preset} check=units sched={s}").get(key, 0) for s in (winner, loser))
        check(0 < a < b, f"{name}: {key} {winner} {a} < {loser} {b}")
    less("thrash", "l1_sector_misses", "swl", "gto")
    less("thrash", "l1_sector_misses", "ccws", "gto")
    less("thrash", "l1_sector_misses", "gto", "lrr")
    less("stagger", "cycles", "twolevel", "lrr", "v100 sms=1")
    less("stagger", "cycles", "twolevel:2", "lrr", "v100 sms=1")
    for other in ("lrr", "old", "gto", "gty"):
        less("critical", "cycles", "gcaws", other)
    less("thrash", "cycles", "lrr", "rr")
    for sched in ("old", "gto"):
        asm("oldest_first", f"preset=tiny check=units sched={sched}")
    asm("youngest_first", "preset=tiny check=units sched=gty")


def part_same():
    want = verdict(sh(program("convolve_1d", "512"), "preset=tiny")[1])
    check(want is not None, "convolve_1d 512 passes")
    for settings in ("preset=tiny", "preset=tiny seed=77", "preset=tiny check=units"):
        have = verdict(sh(program("convolve_1d", "512"), settings)[1])
        check(have == want, f"the same cycles and hash again: {settings}", f"{want}\n{have}")
    with tempfile.TemporaryDirectory() as tmp:
        have = verdict(sh(program("convolve_1d", "512"), f"preset=tiny trace={tmp}/t.fst from=100 to=300")[1])
        check(have == want, "the same cycles and hash when traced", f"{want}\n{have}")
    have = verdict(sh(program("convolve_1d", "512"), "preset=tiny check=off")[1])
    check(have is not None and have.split()[:2] == want.split()[:2], "the same cycles without lockstep", f"{want}\n{have}")
    one = verdict(sh(program("reduce", "8192"), "preset=v100 sms=1")[1])
    for sms in ((2, 3, 8) if ALL else (2,)):
        many = verdict(sh(program("reduce", "8192"), f"preset=v100 sms={sms}")[1])
        check(one and many and one.split()[2] == many.split()[2], f"the same retire hash on {sms} SMs", f"{one}\n{many}")


def part_schedule():
    """The compiler's reordering (lecture: the scheduler can keep issuing): same results, fewer cycles."""
    for name, arg in (("convolve_1d", "4096"), ("mm_tiled", "64")):
        cycles = {}
        for order in ("on", "off"):
            code, text = sh([BIN / "warpglass", "run", *program(name, arg)], f"preset=v100 schedule={order}")
            m = re.search(r"^PASS \S+ cycles=(\d+) ", text, re.M)
            cycles[order] = int(m[1]) if m else 0
            check(code == 0 and m, f"{name} passes with schedule={order}", text[-800:])
        print(f"      {name}: {cycles['off']} cycles in source order, {cycles['on']} reordered")
        check(0 < cycles["on"] < cycles["off"], f"{name}: reordering takes fewer cycles", str(cycles))


def part_wave():
    with tempfile.TemporaryDirectory() as tmp:
        fst = f"{tmp}/t.fst"
        sh(program("convolve_1d", "512"), f"preset=tiny trace={fst} from=200 to=500")
        code, text = sh(["fst2vcd", fst])
        times = [int(t) for t in re.findall(r"^#(\d+)$", text, re.M)]
        check(code == 0 and times and min(times) >= 400 and max(times) < 1000, "a window holds just its cycles",
              f"{times[:1]} {times[-1:]}")
        for view in ("fetch", "sched", "mem", "barrier"):
            code, text = sh([ROOT / "waves/png.sh", fst, view, f"{tmp}/{view}.png"])
            check(code == 0 and os.path.getsize(f"{tmp}/{view}.png") > 20000, f"view {view} shows all its signals", text)
    code, text = sh(program("convolve_1d", "512"), "preset=tiny find=barrier:0")
    check(re.search(r"^found barrier:0 on SM 0 at cycle \d+$", text, re.M), "the first barrier release is found", text)
    code, text = sh(program("convolve_1d", "512"), "preset=tiny find=pc:0xfff0")
    check("never found: pc:0xfff0" in text, "an event that never happens is said to be so", text)


def main():
    parts = {k[5:]: v for k, v in globals().items() if k.startswith("part_")}
    chosen = sys.argv[1:] or list(parts)
    for name in chosen:
        if name not in parts:
            sys.exit(f"error: no part '{name}'\n  remedy: one of {', '.join(parts)}")
    for name in chosen:
        parts[name]()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
