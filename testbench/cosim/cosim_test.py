#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Co-simulation as a whole: assembly programs in lockstep, injected faults, plug-in schedulers, determinism, waveforms.

usage: testbench/cosim/cosim_test.py [PART ...]     run from anywhere, after `make build programs sm`
parts:
  asm      every program of programs/asm on the RTL at check level units (tiny; with TEST_ALL=1 also v100 under both schedulers)
  shapes   the shape sm32 (TEST_ALL=1 only)
  memfaults each fault of model/mem/mem_faults.def is caught by the memory system's checker, with its place, at check=off
  gtefaults a block's end that is lost is told with kernel, block and SM, never as a hang; a fault behind the run's end
  inject   each fault of cosim/inject.def is caught by the check that it names, with block, pc and instruction where there is one
  gating   an inactive lane does nothing: no program trips an assertion of testbench/sva, and for each class of instruction a fault does
  fault    the whole message of every programs/asm/fault_*.s and of wrong kernels: model and RTL, both divergence modes
  plugin   a built-in policy verilated alone drives the pick port and takes the same cycles
  cpolicy  the same for policies in C; a bad pick is an error
  sched    spinning warps end under every policy; each policy has its effect (programs in testbench/cosim/sched)
  memory   counters of the L1, its MSHRs, constants and local memory on programs of known answer (testbench/cosim/mem)
  same     two runs, other seeds, other check levels and a traced run give the same cycles and retire hash
  schedule the compiler's reordering on and off: same results, other cycles
  cli      what the commands print, and what they say to wrong words
  wave     every signal of every view exists in a trace; a window holds just its cycles; an event's window is found
Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, RANDOM, ROOT, SEED, check, environment, sh  # noqa: E402


def program(name, *args):
    return [ROOT / "build/programs" / name / name, *args]


def verdict(text):
    m = re.search(r"^PASS \S+ (cycles=\d+ warp_insts=\d+ retire_hash=\w+)$", text, re.M)
    return m[1] if m else None


def fits_tiny(file):
    return not re.search(r"^# block: (5\d\d|[6-9]\d\d|1\d\d\d)", file.read_text(), re.M)


def part_asm():
    files = sorted((ROOT / "programs/asm").glob("*.s"))
    small = [f for f in files if fits_tiny(f)]
    big = [f for f in files if f not in small]
    runs = [("preset=tiny check=units", small), ("preset=v100 check=units", big),
            ("preset=tiny check=units diverge=its", small),
            (f"preset=tiny check=units diverge=its split=random seed={SEED}", small)]
    if ALL:
        runs += [("preset=tiny check=units diverge=its split=alternate", small), ("preset=v100 check=units diverge=its", files),
                 ("preset=tiny check=retire diverge=its", small), ("preset=tiny check=units sched=gto", small), ("preset=v100 check=units sched=gto", files),
                 ("preset=v100 check=retire sched=lrr", files)]
    else:
        runs += [("preset=v100 check=units sched=gto", files[SEED % 5::5])]
    said = suite.side_by_side(lambda run: sh([BIN / "wgasmtest", "-s", run[0], *run[1]]), runs)
    for (settings, chosen), (code, text) in zip(runs, said):
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


# the fault that lets an inactive lane do something, and the classes of instruction in which that must be seen
GATES = {"gate-issue": ["issue"], "gate-int": ["int"], "gate-fp32": ["fp32"], "gate-half": ["half"], "gate-fp64": ["fp64"],
         "gate-sfu": ["sfu"], "gate-cvt": ["cvt"], "gate-mma": ["mma"], "gate-line": ["load", "store", "atomic"],
         "gate-wave": ["load", "store", "atomic"], "gate-byte": ["store", "atomic"], "gate-flit": ["store"], "gate-shfl": ["shuffle"],
         "gate-vote": ["vote"], "gate-lanes": ["match", "reduce"], "gate-branch": ["branch", "barrier"]}


def part_gating():
    """The variant `inject` carries the assertions. check=off: nothing else may notice the fault."""
    sva = "".join(f.read_text() for f in (ROOT / "testbench/sva").glob("*.sv"))
    have = set(re.findall(r'gating (\w+):', sva)) | set(re.findall(r'\.Class\("(\w+)"\)', sva))
    check(have == {c for classes in GATES.values() for c in classes}, "every class of testbench/sva has a fault that trips it", str(have))
    table = re.findall(r'^WG_INJECT\("(gate-[^"]+)"', (ROOT / "cosim/inject.def").read_text(), re.M)
    check(sorted(table) == sorted(GATES), "every gate of cosim/inject.def is tested")
    lanes = ROOT / "testbench/cosim/gating/lanes.s"
    files = [lanes] + [f for f in sorted((ROOT / "programs/asm").glob("*.s")) if not f.name.startswith("hang_") and fits_tiny(f)]
    if not ALL:
        files = [lanes] + files[1 + SEED % 8::8]
    for mode in ("stack", "its"):
        code, text = sh([BIN / "wgasmtest", "-s", f"preset=tiny check=units inject=none diverge={mode}", *files])
        check(code == 0 and ": gating " not in text, f"{len(files)} programs, no inactive lane does anything, {mode}",
              "\n".join(line for line in text.splitlines() if "PASS" not in line)[-1500:])
    faults = [(kind, mode) for kind in GATES for mode in (("its", "stack") if kind == "gate-branch" else ("its",))]
    said = suite.side_by_side(lambda f: sh([BIN / "wgasmtest", "-s", f"preset=tiny check=off limit=20000 inject={f[0]} diverge={f[1]}", lanes]), faults)
    for (kind, mode), (code, text) in zip(faults, said):
        classes = [c for c in GATES[kind] if mode != "stack" or c != "barrier"]  # stack: a whole warp arrives
        missing = [c for c in classes if f": gating {c}: " not in text]
        check(code == 1 and not missing, f"{kind} is caught in {', '.join(classes)}, {mode}", f"missing: {missing}\n{text[-1500:]}")


def part_fault():
    """Messages stand in the programs (# expect-message); the part `asm` compares those of the RTL at check level units."""
    files = sorted((ROOT / "programs/asm").glob("fault_*.s"))
    mute = [f.name for f in files if "# expect-message: " not in f.read_text()]
    check(not mute, f"{len(files)} faulting programs say their whole message", str(mute))
    codes = {w for f in files for w in re.findall(r"^# expect-fault: (\d+)", f.read_text(), re.M)}
    known = set(re.findall(r"^WG_FAULT\((?!None|Hang)\w+, \d+, (\d+)", (ROOT / "isa/cfg.def").read_text(), re.M))
    check(codes == known, "each kind of fault has a program", f"{codes} {known}")
    for settings in (f"backend={b} diverge={m} check=off" for b in ("func", "rtl") for m in ("stack", "its")):
        # without the checker nobody knows a late store's lanes, nor why a barrier traps
        why = [f for f in files if "backend=rtl" in settings and re.search(r"^# expect-message: \d+: trap: ", f.read_text(), re.M)]
        chosen = [f for f in files if f not in why and ("backend=func" in settings or f.name != "fault_out_of_bounds.s")]
        for f in why:
            text = sh([BIN / "wgasmtest", "-s", f"preset=tiny {settings}", f])[1]
            check(f"got '{re.search(r'expect-message: (.*?): ', f.read_text())[1]}: trap in kernel '{f.stem}'" in text, f"{f.name} traps without its reason, {settings}", text)
        code, text = sh([BIN / "wgasmtest", "-s", f"preset=tiny {settings}", *chosen])
        check(code == 0, f"{len(chosen)} messages, {settings}", "\n".join(line for line in text.splitlines() if "PASS" not in line))
    with tempfile.TemporaryDirectory() as tmp:
        broken = pathlib.Path(tmp) / "broken.s"
        broken.write_text((ROOT / "programs/asm/fault_trap.s").read_text().replace("lanes 0xffffffff", "lanes 0x7fffffff"))
        code, text = sh([BIN / "wgasmtest", "-s", "preset=tiny backend=func", broken])
        check(code == 1 and "expected the message" in text, "another message is a failure", text)
        fault_kernels(tmp)


def fault_kernels(tmp):
    """Wrong kernels in CUDA C: the line of the source and the whole message, the same from model and RTL."""
    source = ROOT / "testbench/cosim/fault/kernels.cu"
    code, text = sh([BIN / "wgcc", source, "-lineinfo", "-o", f"{tmp}/kernels"])
    check(code == 0, "the wrong kernels compile", text)
    lines = source.read_text().splitlines()
    cases = [(re.search(r"// case (\d+): (\d+) (.*)$", line), n + 1) for n, line in enumerate(lines) if "// case " in line]
    for m, line in cases:
        modes = [f"preset=tiny backend={b} diverge={d}" for b in ("func", "rtl") for d in ("stack", "its")]
        for settings, (code, text) in zip(modes, suite.side_by_side(lambda settings: sh([f"{tmp}/kernels", m[1]], settings), modes)):
            got = re.search(r"kernels.cu:(\d+): error: (.*), PC 0x[0-9a-f]+, SM 0(, cycle \d+)?$", text, re.M)
            check(got and bool(got[3]) == ("backend=rtl" in settings) and int(got[1]) == line and got[2] == m[3] and f"\n{m[2]} cuda" in "\n" + text,
                  f"kernel fault {m[1]} at line {line}, {settings}", f"wanted {line}: {m[3]}\n{text}")
    check(len(cases) == 11, "eleven wrong kernels")


def part_inject():
    kinds = {"pick": "mismatch: scheduler", "lane": "mismatch: wrong guard lanes at issue", "mask": "mismatch: SIMT stack",
             "barrier": "mismatch: barrier release", "fma-bit": "mismatch: wrong register value",
             "store-byte": "mismatch: wrong store", "slot": "issue slots of SM 0 do not add up"}
    table = re.findall(r'^WG_INJECT\("([^"]+)"', (ROOT / "cosim/inject.def").read_text(), re.M)
    check(sorted(k for k in table if k not in GATES) == sorted(kinds), "every kind of cosim/inject.def is tested here or by `gating`")
    for kind, found in kinds.items():
        code, text = sh([BIN / "warpglass", "run", *program("convolve_1d", "512")],
                        f"preset=tiny check=units sched=lrr inject={kind}")
        place = kind in ("pick", "barrier", "slot") or "block (0,0,0)" in text and re.search(r"pc 0x\w+, .*convolve_1d.cu:\d+", text)
        facts = kind == "slot" or all(w in text for w in ("seed ", "cycle ", "expected:", "got:"))
        last = text.rstrip().rsplit("\n", 1)[-1]
        check(code != 0 and found in text and place and facts and last.startswith("FAIL convolve_1d "),
              f"injected {kind} is caught: {found}", text[-1500:])
        if kind == "fma-bit":
            show = re.search(r"^  (WG_MARK=\d+ WG_VIEW=sched WG_FILTERS=\S+ gtkwave -S \S+ (\S+))$", text, re.M)
            check(show and all(os.path.exists(w.split("=")[-1]) for w in show[1].split() if "/" in w),
                  "a mismatch comes with the command that shows its waveform", text)
            check(re.search(r"^  WG_MARK=\d+ WG_PNG_CYCLES=\d+ \S+/png.sh (\S+)\.fst sched \1\.png$", text, re.M), "and with the one that makes a picture", text)
    code, text = sh([BIN / "wgasmtest", "-s", "preset=tiny inject=lane", ROOT / "programs/asm/fp_setp.s"])
    check(code == 1 and len(re.findall("wrong guard lanes", text)) == 1 and "remedy:" not in text and "\n  expected: " in text,
          "wgasmtest prints a mismatch once", text)
    code, text = sh(program("convolve_1d", "512"), "preset=tiny inject=nonsense")
    check(code != 0 and "cannot inject 'nonsense'" in text, "an unknown kind is refused", text)


def part_memfaults():
    mem = re.findall(r'^WG_MEM_FAULT\(\w+, "([^"]+)"', (ROOT / "model/mem/mem_faults.def").read_text(), re.M)
    found = {"lost-request": "lost: ", "lost-response": "lost: ", "lost-fill": "lost: ", "twice-response": "duplicated response: ",
             "stray-response": "duplicated response: ", "stop-slice": "L2 slice 0 has stopped: ",
             "stop-channel": "memory channel 0 has stopped: ", "lost-byte": "counters do not add up: "}
    check(sorted(found) == sorted(mem), "every fault of model/mem/mem_faults.def is tested")
    for kind, says in found.items():  # convolve_v2 begins late: every fault falls into a busy launch
        code, text = sh([BIN / "warpglass", "run", *program("convolve_1d", "512")], f"preset=tiny check=off inject=mem-{kind}@1500")
        place = kind == "lost-byte" or re.search(r"line 0x2\w+ .*SM 0, id \d+|SM 0, id \d+, sector \d of line 0x2", text)
        check(code == 1 and f"memory checker: {says}" in text and place and "hung" not in text,
              f"injected mem-{kind} is caught: {says}", text[-1500:])


def part_gtefaults():
    """A block whose end is lost: told with kernel, block and SM, and never as a hang."""
    gte = re.findall(r'^WG_GTE_FAULT\(\w+, "([^"]+)"', (ROOT / "model/gte/gte_faults.def").read_text(), re.M)
    check(gte == ["lost-end"], "every fault of model/gte/gte_faults.def is tested", str(gte))
    for cycle, args in ((0, ("vector_add", "256")), (2000, ("convolve_1d", "2048")), (4000, ("reduce", "4096"))):
        code, text = sh([BIN / "warpglass", "run", *program(*args)], f"preset=tiny check={RANDOM.choice(['off', 'retire'])} inject=gte-lost-end@{cycle}")
        check(code == 1 and re.search(r"^FAIL \w+ the simulated GigaThread engine failed its check in \w+.*: GigaThread checker: (a block's end was lost on SM 0: "
                                      r"block \(\d+,0,0\) of grid \d+ in block slot \d+, sent in cycle \d+|SM 0 reports the end of block \(\d+,0,0\) of grid \d+ in "
                                      r"block slot \d+, but the allocator's twin has block \(\d+,0,0\) of grid)", text, re.M) and "hung" not in text,
              f"a block's end lost from cycle {cycle} on, {args[0]}", text[-1500:])
    code, text = sh([BIN / "warpglass", "run", *program("vector_add", "256")], "preset=tiny inject=gte-lost-end@80000000")
    check(code == 0 and re.search(r"; NO fault was injected: the run ended at SM cycle \d+, before cycle 80000000$", text, re.M), "behind the run's end", text[-500:])
    check("gte-lost-end" in sh([BIN / "warpglass", "--completion"])[1] and "gte-lost-end" in sh([BIN / "warpglass", "run", "--help"])[1], "help and completion know it")


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
        some = {"twolevel": ":1", "swl": ":1", "ccws": ":1,20", "gcaws": ":1"}.get(name)
        for knobs in ("", some) if some else ("",):
            want, have = cycles(name + knobs), cycles(f"c:{name}{knobs}")
            check(want[1] == 0 and want == have, f"c:{name}{knobs} takes the cycles of the built-in policy", f"{want}\n{have}")
    want, code = cycles("gto:1,20")
    check(code != 0 and "reads none" in want, "knobs of a policy that reads none are refused", want)
    want, code = cycles("swl:1,20")
    check(code != 0 and "has no knob 1" in want, "a knob that a policy does not read is refused", want)
    for name in ("robin", "loads_first", "block_first", "bad_pick"):
        code, text = sh([ROOT / "scripts/cpolicy.sh", name, f"testbench/plugin/{name}.c"])
        check(code == 0, f"C policy {name} builds", text)
    check(cycles("c:robin") == cycles("lrr"), "c:robin, a copy of lrr, takes its cycles")
    for name in ("loads_first", "block_first"):
        have = cycles(f"c:{name}", ("convolve_1d", "512"))
        check(have[1] == 0 and have != cycles("lrr", ("convolve_1d", "512")), f"c:{name} runs, and not as lrr", str(have))
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
    code, text = sh([BIN / "warpglass", "run", "--preset", "v100", "--sched", "plugin:gto", *program("reduce", "2048")])
    check(code == 2 and "'gto' was built for 8 warp slots a sub-core, this machine has 16" in text and "remedy: scripts/plugin.sh gto 16" in text,
          "a plug-in for fewer warp slots than the machine has is refused", text)
    code, text = sh([BIN / "warpglass", "run", "--preset", "v100", "--set", "sm.warps_per_subcore=8", "--sched", "plugin:gto", "--backend", "func",
                     *program("reduce", "2048")])
    check(code == 0, "  but not where the preset has no more", text)


def asm(name, settings, folder="sched"):
    """Counters of a program of testbench/cosim/<folder> that passes; empty if it does not."""
    code, text = sh([BIN / "wgasmtest", "-s", settings, "-c", ROOT / f"testbench/cosim/{folder}/{name}.s"])
    m = re.search(r"^PASS \S+ (.*)$", text, re.M)
    check(code == 0 and m, f"{name} [{settings}]", text[-800:])
    return {k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", m[1])} if m else {}


def part_sched():
    """Every policy lets spinning warps go on; each has the effect that its source claims, on a program made for it."""
    for sched in POLICIES + ["swl:1", "twolevel:1", "ccws:1,1000"]:
        for name in ("spin_two_up", "spin_two_down", "spin_ring_up", "spin_ring_down"):
            asm(name, f"preset=tiny check=units sched={sched}")
        asm("spin_ring_up", f"preset=tiny check=units diverge=its sched={sched}")

    def less(name, key, winner, loser, preset="tiny"):
        a, b = (asm(name, f"preset={preset} check=units sched={s}").get(key, 0) for s in (winner, loser))
        check(0 < a < b, f"{name}: {key} {winner} {a} < {loser} {b}")
    less("thrash", "l1_sector_misses", "swl", "gto")
    less("thrash", "l1_sector_misses", "ccws", "gto")
    less("thrash", "l1_sector_misses", "gto", "lrr")
    # the progress rule: without it a limit keeps its lines; the shorter the wait, the nearer all policies are to turns
    less("thrash", "l1_sector_misses", "swl progress=off", "swl")
    less("thrash", "l1_sector_misses", "swl", "swl progress=64")
    for name, rest in (("spin_two_up", 1), ("spin_ring_up", 7)):
        asm(name, "preset=tiny check=units sched=swl:1 progress=512")
        code, text = sh([BIN / "wgasmtest", "-s", "preset=tiny check=units sched=swl:1 progress=off", ROOT / f"testbench/cosim/sched/{name}.s"])
        check(code == 1 and f"kernel '{name}' spins for ever" in text and f"{rest} warp{'s' * (rest > 1)} could go on, but the scheduler gives" in text and
              "block (0,0,0) warp 1: could go on at pc 0xb0" in text and "warp 0: lanes 0xffffffff spin" in text and "remedy: progress=on" in text,
              f"{name}: without the progress rule one warp starves {rest}: told as a livelock", text[-800:])
    less("stagger", "cycles", "twolevel", "lrr", "v100 sms=1")
    less("stagger", "cycles", "twolevel:2", "lrr", "v100 sms=1")
    for other in ("lrr", "old", "gto", "gty"):
        less("critical", "cycles", "gcaws", other)
    less("thrash", "cycles", "lrr", "rr")
    for sched in ("old", "gto"):
        asm("oldest_first", f"preset=tiny check=units sched={sched}")
    asm("youngest_first", "preset=tiny check=units sched=gty")
    asm("fence_gives_way", "preset=tiny check=units sched=twolevel:1")


def part_memory():
    """Programs of known answer; the division of the array between L1 and shared memory by presets made for it."""
    def count(name, settings, **want):
        have = asm(name, settings, "mem")
        have = {k: have.get(k) for k in want}
        check(have == want, f"{name} [{settings}]: {' '.join(f'{k}={v}' for k, v in want.items())}", str(have))

    def preset(tmp, name, **keys):
        text = (ROOT / "configs/tiny.cfg").read_text()
        for key, value in keys.items():
            text, n = re.subn(rf"^(\s*{key} =) \d+", rf"\g<1> {value}", text, count=1, flags=re.M)
            check(n == 1, f"tiny.cfg has the key {key}")
        (pathlib.Path(tmp) / f"{name}.cfg").write_text(text)
        return f"preset={tmp}/{name}.cfg check=units"

    count("merge", "preset=v100 sms=1 check=units", l1_sector_hits=0, l1_sector_misses=36, l1_merged_sectors=28)
    count("lines", "preset=v100 sms=1 check=units", l1_sector_hits=0, l1_sector_misses=80, l1_merged_sectors=0, l1_mshr_full_cycles=0)
    count("rounds", "preset=tiny check=units", l1_sector_hits=256, l1_sector_misses=256, global_load_lines=128)
    count("constants", "preset=tiny check=units", const_requests=4, const_passes=43, replay_passes=39, global_load_requests=0)
    count("arena", "preset=tiny backend=func", launched_blocks=16384, local_load_requests=2 * 16384, local_store_sectors=8 * 16384)
    with tempfile.TemporaryDirectory() as tmp:
        full = asm("lines", preset(tmp, "few", mshrs=4), "mem")
        check(full.get("l1_mshr_full_cycles", 0) > 100 and full.get("l1_sector_misses") == 80, "lines: four MSHRs are full for long", str(full))
        big = dict(shared_bytes=28672, shared_per_block_bytes=28672, shared_per_block_optin_bytes=28672)
        half = preset(tmp, "half", l1_sets=8, **big)  # 4 KB of L1: 32 lines
        count("rounds", half, l1_sector_hits=0, l1_sector_misses=512)
        count("block_28k", half, shared_store_requests=1, shared_load_requests=1)
        code, text = sh([BIN / "wgasmtest", "-s", "preset=tiny", ROOT / "testbench/cosim/mem/block_28k.s"])
        check(code == 1 and "shared memory" in text, "a block of 28 KB does not fit beside 16 KB of L1", text[-400:])
        code, text = sh([BIN / "wgasmtest", "-s", preset(tmp, "more", **big), ROOT / "testbench/cosim/mem/rounds.s"])
        check(code == 2 and "error" in text, "28 KB of shared memory and 16 KB of L1 are more than the array", text[-400:])


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


def cli(*args, settings="", **env):
    return sh([BIN / "warpglass", *args], settings, **env)


def part_cli():
    code, text = cli("presets", "show", "v100")
    for line in (r"SMs +1 +1 +80$", r"fp32 +TFLOP/s +0\.1766 +0\.1766 +14\.1312$", r"memory GB/s +14\.0 +14\.0 +898\.0$",
                 r"ridge FLOP/byte +12\.6 +12\.6 +15\.7$", r"hbm\.tRCD_clocks +13 +14 ns \[HBM\]$",
                 r"l2\.hit_cycles +40 +.*second hand\]$", r"sm\.scheduler_knobs +\[0, 0, 0, 0\] +\w+ reads none", r"\[HBM\] +DRAMsim3"):
        check(code == 0 and re.search(r"^ +" + line, text, re.M), f"presets show prints {line}", text)
    cli_asmtest()
    cli_words()
    cli_interrupt()
    cli_random()
    cli_readme()
    cli_make()
    cli_trace()
    cli_scripts()


def cli_asmtest():
    with tempfile.TemporaryDirectory() as tmp:
        bad, good = pathlib.Path(tmp) / "bad.s", ROOT / "programs/asm/fp_setp.s"
        bad.write_text("# block: 32\n# buffer: A 4\n# expect: A[0] = 0\n.kernel k\n\tFADD R1, R2, Rx\n  EXIT\n")
        code, text = sh([BIN / "wgasmtest", "-s", "preset=tiny", bad])
        check(code == 1 and text.count(str(bad)) == 1 and re.search(rf"^FAIL {bad}:5:\d+: error: .*\n  \tFADD R1, R2, Rx\n  \t +\^$", text, re.M),
              "wgasmtest shows path, line and caret once", text)
        code, text = sh([BIN / "wgasmtest", good])
        check(code == 0 and text.startswith("settings: preset=v100 backend=rtl sched=gto sms=1 check=retire (the defaults"),
              "wgasmtest says what its defaults are", text)
        code, text = sh([BIN / "wgasmtest", "--help"])
        check(code == 0 and "-s SETTINGS" in text, "wgasmtest --help tells of -s", text)
        code, text = sh([BIN / "wgasmtest", "-x", good])
        check(code == 2 and "unknown option '-x'" in text, "wgasmtest refuses an unknown option", text)
        code, text = sh([BIN / "wgasmtest", "-s", "preset=none", good])
        check(code == 2 and text.count("there is no preset 'none'") == 1, "wgasmtest tells of a wrong preset once", text)


def cli_words():
    """Words that look like a program, golden kernels, a preset, a table, and are none: one error with its remedy, exit code 2."""
    with tempfile.TemporaryDirectory() as tmp:
        here = pathlib.Path(tmp)
        (here / "vadd").write_bytes((ROOT / "build/programs/reduce/reduce").read_bytes())
        (here / "vadd").chmod(0o755)
        (here / "x.cu").write_text("int main() {}\n")
        (here / "text").write_text("text\n")
        tiny = (ROOT / "configs/tiny.cfg").read_text()
        (here / "shape.cfg").write_text(tiny.replace('"tiny"', '"tny"', 1))
        (here / "sched.cfg").write_text(tiny.replace('scheduler = "lrr"', 'scheduler = "lr"').replace('scheduler = "gto"', 'scheduler = "lr"'))
        (here / "key.cfg").write_text(tiny + "num_smz = 1;\n")
        prog = str(ROOT / "build/programs/reduce/reduce")
        for words, want in ((["run", "vadd"], "no command 'vadd'\n  remedy: did you mean './vadd'?"),
                            (["run", "x.cu"], "'x.cu' is CUDA source, no program\n  remedy: compile it first: wgcc -O3 -lineinfo x.cu -o x,"),
                            (["run", "./text"], "'./text' is not executable"), (["run", tmp], "is a folder"),
                            (["run", "--golden", "x.cu", prog], "'x.cu' is source, no library\n  remedy: a shared library with a C function wg_golden_"),
                            (["run", "--golden", "text", prog], "'text' is no shared library\n  remedy: "),
                            (["run", "--preset", "nope", prog], "there is no preset 'nope'\n  remedy: one of: "),
                            (["presets", "show", "nope"], "there is no preset 'nope'\n  remedy: one of: "),
                            (["presets", "show", "./none.cfg"], "cannot open the preset './none.cfg'"),
                            (["run", "--preset", "shape.cfg", prog], "did you mean 'tiny'? one of: tiny sm16 sm32"),
                            (["presets", "show", "shape.cfg"], "did you mean 'tiny'? one of: tiny sm16 sm32"),
                            (["presets", "show", "sched.cfg"], "did you mean 'lrr'? one of: "),
                            (["presets", "show", "key.cfg"], "unknown key 'num_smz'"),
                            (["run", "--cycles-update", "none/c.tsv", prog], "cannot write 'none/c.tsv': No such file"),
                            (["run", "--cycles-update", ".", prog], "'.' is no ordinary file")):
            code, text = sh([BIN / "warpglass", *words], "preset=tiny", cwd=tmp)
            check(code == 2 and text.startswith("warpglass: error: ") and text.count("error:") == 1 and want in text,
                  f"warpglass {' '.join(words).replace(tmp, 'DIR').replace(str(ROOT) + '/', '')} is refused", text)


def cli_interrupt():
    """An interrupted run leaves no half-written trace, says FAIL last and ends by the signal; what ran for it is gone too."""
    def default():  # a caller in the background ignores the interrupt, and so would the run
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as tmp:
        for sig in (signal.SIGINT, signal.SIGTERM):
            run = subprocess.Popen([BIN / "warpglass", "run", "--preset", "tiny", "--trace", f"{tmp}/t.fst", *program("mm_tiled", "128")],
                                   cwd=ROOT, env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=default)
            for _ in range(600):
                if os.path.exists(f"{tmp}/t.fst"):
                    break
                time.sleep(0.1)
            began = os.path.exists(f"{tmp}/t.fst")
            run.send_signal(sig)
            try:
                text = run.communicate(timeout=30)[0]
            except subprocess.TimeoutExpired:  # the program runs on and holds the pipe
                os.killpg(run.pid, signal.SIGKILL)
                text = run.communicate()[0]
            check(began and run.returncode == -sig and not os.listdir(tmp) and
                  re.search(rf"^FAIL mm_tiled killed by signal {int(sig)} ", text.rstrip().rsplit("\n", 1)[-1]),
                  f"{sig.name} during a traced run leaves nothing", text + str(os.listdir(tmp)))


def cli_random():
    """wgrandom: the wrong word and the right ones; a library that cannot be loaded is no mismatch."""
    for words, want in ((("--mix", "foo"), "unknown mix 'foo'\n  remedy: one of: all alu mem flow bar fault"),
                        (("--class", "rcy"), "unknown class 'rcy'\n  remedy: did you mean 'racy'? one of: ordered racy fault"),
                        (("--cuont", "1"), "unknown option '--cuont'\n  remedy: did you mean '--count'?"), (("--seed",), "'--seed': no value"),
                        (("--count", "0"), "option '--count': bad value '0'\n  remedy: a number from 1 "), (("--out",), "'--out' needs a value"),
                        (("--size", "x"), "bad value 'x'"), (("-s", "preset=tny"), "did you mean 'tiny'?"), (("-s", "preste=tiny"), "'preste'")):
        code, text = sh([BIN / "wgrandom", *words])
        check(code == 2 and text.startswith("wgrandom: error: ") and text.count("\n") == 2 - ("needs a value" in want) and want in text,
              f"wgrandom {' '.join(words)} is refused", text)
    code, text = sh([BIN / "wgrandom", "--help"])
    check(code == 0 and text.startswith("usage: wgrandom") and "--max-failures" in text, "wgrandom --help is no error", text)
    with tempfile.TemporaryDirectory() as tmp:
        home = pathlib.Path(tmp)
        (home / "configs").symlink_to(ROOT / "configs")
        lib = home / "build/sm/tiny-fast/libwgsm.so"
        lib.parent.mkdir(parents=True)
        for what, want in (("missing", "make sm SHAPE=tiny VARIANT=fast"), ("other", "another ABI version")):
            if what == "other":  # a shared library, without the SM in it
                subprocess.run(["clang-19", "-shared", "-fPIC", ROOT / "programs/reduce/golden.c", f"-I{ROOT}", "-o", lib], check=True)
            code, text = sh([BIN / "wgrandom", "--count", "3", "--out", home / "out"], WARPGLASS_HOME=tmp)
            check(code == 2 and text.count("error:") == 1 and want in text and "FAIL" not in text and not (home / "out").exists(),
                  f"wgrandom ends at once without an SM ({what})", text)


def cli_readme():
    """The tour of README.md that follows an instruction, line by line; it writes below build/ alone."""
    text = (ROOT / "README.md").read_text()
    tour = re.search(r"^\*\*Follow one instruction\.(?:.*\n)*?```\n((?:.*\n)*?)```", text, re.M)[1].splitlines()
    before = sorted(f.name for f in ROOT.iterdir())
    outs = {w.split()[0]: sh(["bash", "-c", w]) for w in tour if not w.startswith("make")}
    check(all(code == 0 for code, _ in outs.values()) and len(outs) == 4, "the README's tour runs", str(outs))
    check("div.rn.f32 \t%f7, %f6, 0f40400000;" in outs["grep"][1].split("\n")[0] and outs["grep"][1].count("\n") == 2,
          "its PTX line is the first of two", outs["grep"][1])
    code = outs["build/bin/wgptx"][1]
    check(re.search(r"00b0\S* .*MUFU\.RCP", code) and re.search(r"0100\S* .*FFMA", code), "MUFU.RCP and FFMA are where it says", code[:3000])
    check("found pc:0x100 on SM 0 at cycle" in outs["WARPGLASS=\"preset=tiny"][1], "and the event is found", str(outs))
    check(before == sorted(f.name for f in ROOT.iterdir()), "nothing is left in the checkout")
    code, text = sh([BIN / "isagen", "--help"])
    check(code == 0 and text.startswith("usage: isagen"), "isagen --help is no error", text)
    code, text = sh([BIN / "isagen", "--chek"])
    check(code == 2 and "'--chek'" in text, "isagen refuses a wrong word", text)


def cli_make():
    """A wrong word ends make before anything is built, in one line that lists the right ones."""
    for words, have in ((("sm", "SHAPE=sm61"), "tiny sm16 sm32"), (("sm", "VARIANT=slow"), "fast wave inject"), (("sm", "SHAPE=%"), "tiny"),
                        (("run", "P=nothing"), "convolve_1d matrix_add"), (("run", "P="), "convolve_1d"),
                        (("run", "P=reduce mm_tiled"), "convolve_1d"), (("wave", "PRESET=tny"), "lecture tiny v100"),
                        (("run", "PRESET=tny"), "lecture tiny v100"), (("wave", "V=all"), "fetch sched mem barrier"),
                        (("run", "SCHED=lrrr"), "lrr gto plugin:"), (("run", "SCHED="), "lrr gto plugin:"),
                        (("sm", "PRESETS=v100"), "variable PRESET SCHED SHAPE"), (("foo",), "target demo test wave-png"),
                        (("scene-nothing",), "target scenes scene-barrier"),
                        (("demo", "foo"), "target demo test wave-png")):
        code, text = sh(["make", "-s", *words])
        name = words[-1].split("=")[0]
        check(code == 2 and text.count("\n") == 1 and (f"{name}='" in text or f"'{name}'" in text) and all(w in text for w in have.split()),
              f"make {' '.join(words)} lists what {name} may be", text)
    makefiles = [ROOT / "Makefile", *ROOT.glob("*/*.mk"), *ROOT.glob("*/*/room.mk")]
    phony = {w for f in makefiles for line in re.findall(r"^\.PHONY: (.*)", f.read_text(), re.M) for w in line.split() if w[0] != "$"}
    listed = set(re.search(r"^TARGETS := ((?:.*\\\n)*.*)", makefiles[0].read_text(), re.M)[1].replace("\\\n", " ").split())
    check(phony == listed, "the Makefile lists every target", str(phony ^ listed))
    code, text = sh(["make", "-n", "run", "P=reduce", "SCHED=plugin:abc", "PRESET=tiny"])
    check(code == 0 and "--preset tiny --sched plugin:abc build/programs/reduce/reduce" in text, "SCHED and PRESET reach the run", text)
    with tempfile.TemporaryDirectory() as tmp:
        blank = pathlib.Path(tmp) / "a b"
        blank.mkdir()
        (blank / "Makefile").write_text((ROOT / "Makefile").read_text())
        code, text = sh(["make", "-s", "-C", blank, "demo"])
        check(code == 2 and text.count("\n") == 1 and "a b' has a blank in its path" in text, "a path with a blank is refused at once", text)
    for args, want in ((["--program", "nothing"], "convolve_1d"), (["--program", "reduce", "--preset", "tny"], "lecture tiny v100"),
                       (["--program", "reduce", "--view", "all"], "fetch, sched, mem, barrier"),
                       (["--program", "reduce", "--from", "x"], "--from 'x' is no number"),
                       (["--program", "reduce", "--from", "9", "--to", "9"], "not behind"),
                       (["--png", "--program", "reduce", "--around", "foo"], "no event 'foo'; remedy: pc:0x40"),
                       (["--png", "--program", "reduce", "--around", "pc:0x41"], "a multiple of 16"),
                       (["--png", "--program", "reduce", "--around", "pc:0xfff0"], "'pc:0xfff0' never happens in this run"), (["--bad"], "unknown option '--bad'")):
        code, text = sh([ROOT / "waves/wave.sh", *args])
        check(code == 2 and text.count("\n") == 1 and want in text, f"wave.sh {' '.join(args)} is refused", text)


def cli_scripts():
    """Verilator's runtime is compiled by one script, for SMs, plug-ins and benches alike."""
    scripts = [*(ROOT / "scripts").glob("*.sh"), *(ROOT / "testbench").rglob("*.sh")]
    name = re.compile(r"\$root/include/\$\w+\.cpp")
    have = sorted(f.name for f in scripts if name.search(f.read_text()))
    check(have == ["verilator_runtime.sh"], f"one script compiles Verilator's runtime: {have}")
    code, text = sh([ROOT / "scripts/verilator_runtime.sh", "verilated", "verilated_threads"])
    old = [os.stat(ROOT / f).st_mtime_ns for f in text.split()]
    check(code == 0 and len(old) == 2, "and prints its objects", text)
    again = [os.stat(ROOT / f).st_mtime_ns for f in sh([ROOT / "scripts/verilator_runtime.sh", "verilated", "verilated_threads"])[1].split()]
    check(again == old, "which a second call does not make again")
    for words, want in ((("verilate.sh", "foo", "fast"), "no shape 'foo'; remedy: one of tiny sm16 sm32"),
                        (("verilate.sh", "tiny", "slow"), "no variant 'slow'; remedy: one of fast wave inject"),
                        (("verilate.sh", "tiny"), "1 words instead of 2"), (("plugin.sh", "foo"), "one of lrr rr old gto twolevel swl ccws gcaws gty\n"),
                        (("plugin.sh",), "0 words"), (("plugin.sh", "lrr", "9"), "8 for the shape tiny"),
                        (("plugin.sh", "../x"), "no name of a module")):
        code, text = sh([ROOT / "scripts" / words[0], *words[1:]])
        check(code == 2 and want in text and text.count("\n") == 1, f"{' '.join(words)} is refused: {want}", text)
    with tempfile.TemporaryDirectory() as tmp:  # a machine without the tools
        for tool in (f for d in os.get_exec_path() if os.path.isdir(d) for f in os.scandir(d)):
            if tool.name not in ("verilator", "yosys", "clang-19", "clang++-19") and not os.path.lexists(f"{tmp}/{tool.name}"):
                os.symlink(tool.path, f"{tmp}/{tool.name}")
        for words, want in ((["scripts/lint.sh"], "verilator"), (["scripts/synth.sh"], "yosys"), (["scripts/plugin.sh", "gto"], "verilator clang-19"),
                            (["scripts/verilate.sh", "tiny", "fast"], "verilator clang-19"),
                            (["scripts/verilator_runtime.sh", "verilated"], "verilator clang-19"),
                            (["make", "-s", f"B={tmp}/b", f"{tmp}/b/obj/isa/wg_cfg.o"], "clang-19")):
            code, text = sh(words, PATH=tmp)
            check(code != 0 and text.count("\n") == 1 and "no command" in text and f"--no-install-recommends {want}" in text,
                  f"{words[0]} without tools names the packages {want}", text)
    code, text = sh([ROOT / "scripts/demo.sh"], N="many")
    check(code == 2 and "N='many'" in text, "demo.sh refuses a bad N", text)
    code, text = sh([ROOT / "scripts/verilator_runtime.sh", "nothing"])
    check(code == 2 and "no part 'nothing'" in text, "an unknown part is refused", text)


def cli_trace():
    """A trace that cannot be written fails the run, and nothing half-written stays. (No test with real devices: run as root the
    writer would replace them, which is why they are refused.)"""
    run = ["run", "--preset", "tiny", "--to", "6000"]
    prog = program("convolve_1d", "512")
    with tempfile.TemporaryDirectory() as tmp:
        os.mkfifo(f"{tmp}/fifo")
        os.symlink(f"{tmp}/fifo", f"{tmp}/link.fst")
        for path, want in ((f"{tmp}/fifo", "no ordinary file"), (f"{tmp}/link.fst", "no ordinary file"), (tmp, "no ordinary file"),
                           (f"{tmp}/none/t.fst", "No such file or directory"), (f"{tmp}/none/", "names a folder")):
            code, text = cli(*run, "--trace", path, *prog)
            check(code == 2 and want in text and text.count("\n  remedy: ") == 1, f"--trace is refused: {want}", text)
            code, text = sh(prog, f"preset=tiny trace={path}")
            check(code != 0 and want in text, f"and by a bare program: {want}", text)
        for words in (("--trace", f"{tmp}/t.fst"), ("--inject", "lane"), ("--find", "pc:0")):
            code, text = cli("run", "--backend", "func", *words, *prog)
            check(code == 2 and "needs the RTL" in text, f"no {words[0]} without signals", text)
        code, text = cli(*run, "--trace", f"{tmp}/t.fst", *prog)
        check(code == 0 and os.path.getsize(f"{tmp}/t.fst") > 10000, "a trace that fits is kept", text)
        # a file size limit acts as a full disk does: the writer is told of neither
        code, text = sh(["bash", "-c", f"trap '' XFSZ; ulimit -f 16; exec '{BIN}/warpglass' {' '.join(run)} --trace {tmp}/u.fst {prog[0]} 512"])
        check(code == 1 and "could not be written" in text and not [f for f in os.listdir(tmp) if f.startswith("u.fst")],
              "a trace cut short is removed, the run fails", text + str(os.listdir(tmp)))
        pathlib.Path(f"{tmp}/mine.txt").write_text("no trace")
        code, text = cli(*run, "--trace", f"{tmp}/mine.txt", "/bin/false")
        check(code == 1 and pathlib.Path(f"{tmp}/mine.txt").read_text() == "no trace", "a file that no run wrote stays", text)
        disk = f"{tmp}/disk"
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], stderr=subprocess.DEVNULL, check=False).returncode:
            print("skip  full disk: may not mount one")
            return
        try:
            code, text = cli(*run, "--trace", f"{disk}/t.fst", *prog)
            check(code == 2 and "less than 1 MiB is free" in text and not os.listdir(disk), "a full disk is refused", text)
            code, text = sh(prog, f"preset=tiny trace={disk}/t.fst")
            check(code != 0 and "less than 1 MiB is free" in text and not os.listdir(disk), "and by a bare program", text)
            subprocess.run(["mount", "-o", "remount,size=2m", disk], check=True)
            code, text = cli("run", "--preset", "tiny", "--trace", f"{disk}/t.fst", *prog)
            check(code == 1 and "could not be written" in text and not os.listdir(disk), "one that fills up fails the run", text)
        finally:
            subprocess.run(["umount", disk], check=False)


def part_wave():
    with tempfile.TemporaryDirectory() as tmp:
        fst = f"{tmp}/t.fst"
        sh(program("convolve_1d", "512"), f"preset=tiny trace={fst} from=200 to=500")
        code, text = sh(["fst2vcd", fst])
        times = [int(t) for t in re.findall(r"^#(\d+)$", text, re.M)]
        check(code == 0 and times and min(times) == 200_000 and max(times) == 499_500, "a window holds just its cycles",
              f"{times[:1]} {times[-1:]}")
        for view in re.search(r"^VIEWS := (.*)$", (ROOT / "waves/room.mk").read_text(), re.M)[1].split():
            code, text = sh([ROOT / "waves/png.sh", fst, view, f"{tmp}/{view}.png"])
            check(code == 0 and os.path.getsize(f"{tmp}/{view}.png") > 20000, f"view {view} shows all its signals", text)
        check("$timescale\n\t1ps\n$end" in sh(["fst2vcd", fst])[1], "a trace's unit is 1 ps: 1000 a cycle, the axis reads ns")
        for words, want in (((fst, "nothing", f"{tmp}/x.png"), "no view 'nothing'; remedy: one of fetch sched mem barrier"),
                            ((fst, "", f"{tmp}/x.png"), "no view ''"), ((fst, "sched"), "2 words instead of 3"),
                            ((f"{tmp}/no.fst", "sched", f"{tmp}/x.png"), "cannot read the trace"),
                            ((fst, "sched", f"{tmp}/no/x.png"), "cannot write"), ((fst, "sched", f"{tmp}/x.jpg"), "end in .png")):
            start = time.monotonic()
            code, text = sh([ROOT / "waves/png.sh", *words])
            check(code == 2 and want in text and text.count("\n") == 1 and time.monotonic() - start < 2,
                  f"png.sh refuses at once: {want}", text)
        png = f"{tmp}/around.png"
        code, text = sh([ROOT / "waves/wave.sh", "--png", "--program", "convolve_1d", "--args", "512", "--around", "pc:0x100", "--out", png])
        m = re.search(r"first happens at cycle (\d+)\n(?:.*\n)*waveform: \S+, cycles (\d+) to (\d+)\n", text)
        at = [int(w) for w in m.groups()] if m else [0, 0, 0]
        check(code == 0 and at[1] == at[0] - 5 and at[2] == at[0] + 25, "a picture of an event shows 5 cycles before it and 25 behind", text)
        # the marker is GTKWave's only colour with far more red than green and blue, but for headings left of the waves
        red = ["convert", png, "-crop", "1200x400+380+26", "-fx", "r>0.7&&g<0.6&&b<0.6",
               "-format", "%[fx:mean*w*h]", "info:"]
        code, text = sh(red)
        check(code == 0 and float(text or 0) > 150, "with a marker at it", text)
    code, text = sh(program("convolve_1d", "512"), "preset=tiny find=barrier:0")
    check(re.search(r"^found barrier:0 on SM 0 at cycle \d+$", text, re.M), "the first barrier release is found", text)
    code, text = sh(program("convolve_1d", "512"), "preset=tiny find=pc:0xfff0")
    check("never found: pc:0xfff0" in text, "an event that never happens is said to be so", text)


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
