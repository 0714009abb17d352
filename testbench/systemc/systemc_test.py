#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The SystemC back end against the native loop, and memories in SystemC in place of L2 and HBM.

usage: testbench/systemc/systemc_test.py [PART ...]     after `make build programs systemc sm SHAPE=tiny`
parts:
  equal    lecture programs and assembly programs: cycles, hashes, every counter, every message; 1 and 3 SMs, also behind request
           queues of one place (TEST_ALL=1: all assembly programs, and v100)
  again    three devices one after the other in a process
  memory   the fixed latency memory of cosim/systemc: programs pass, a chain of loads takes the cycles predicted, exactly; a
           loosely timed memory; latencies in a line
  wrong    memories that break the protocol, missing libraries, bad words: one error with place and remedy
Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, ROOT, SEED, check, program, sh_apart  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
LECTURE = [("convolve_1d", "512"), ("mm_tiled", "32"), ("reduce", "4096")]


def sh(args, settings="", **env):
    """(exit code, stderr and stdout, one behind the other: which is flushed first is nobody's business)"""
    code, out, err = sh_apart(args, settings, **env)
    return code, err + out


def own(tmp, name):
    """A program of this folder."""
    out = tmp / name
    code, text = sh([BIN / "wgcc", "-O3", HERE / f"{name}.cu", "-o", out])
    if code != 0:
        sys.exit(f"error: wgcc {name}.cu failed\n{text}")
    return out


def memory(name, source):
    code, text = sh([ROOT / "scripts/systemc_memory.sh", name, source])
    check(code == 0, f"scripts/systemc_memory.sh {name}", text)


def cycles(text):
    m = re.search(r"^PASS \S+ cycles=(\d+) ", text, re.M)
    return int(m[1]) if m else None


def narrow(tmp):
    """tiny with three SMs behind request queues of one flit and an L2 that soon stalls: requests wait in the SMs. Two responses a cycle."""
    text = (ROOT / "configs/tiny.cfg").read_text()
    for key, value in (("num_sms", 3), ("num_sms_full", 3), ("sm_queue_flits", 1), ("slice_queue_flits", 1), ("responses_per_cycle", 2), ("waiter_sectors", 4), ("fill_cycles", 60)):
        text, n = re.subn(rf"^(\s*{key} = )\d+", rf"\g<1>{value}", text, flags=re.M)
        if n != 1:
            sys.exit(f"error: configs/tiny.cfg has no single line '{key}'")
    out = tmp / "narrow.cfg"
    out.write_text(text)
    return out


def both(args, settings, tmp):
    """What a run says and counts, on the native loop and in SystemC, the back end's name left out."""
    result = []
    for backend in ("rtl", "systemc"):
        counters = tmp / f"{backend}.json"
        counters.write_text("")
        extra = ["run", "--json", counters] if args[0].name == "warpglass" else []
        code, text = sh([args[0], *extra, *args[1:]], f"{settings} backend={backend}")
        result.append((code, (text + counters.read_text()).replace(f'"backend": "{backend}"', "").replace(f"backend={backend}", "")))
    return result


def part_equal(tmp):
    runs = [(f"preset=tiny check=units sched={('lrr', 'gto')[SEED % 2]}", LECTURE), (f"preset={narrow(tmp)} check=units", LECTURE)]
    if ALL:
        runs += [("preset=v100 sms=2", [("convolve_1d", "4096"), ("mm_tiled", "64"), ("reduce", "65536")]), ("preset=tiny check=off", LECTURE)]
    runs += [(runs[1][0], [("stores", "")])]
    for settings, programs in runs:
        for name, arg in programs:
            native, top = both([BIN / "warpglass", *([own(tmp, name)] if arg == "" else [program(name), arg])], settings, tmp)
            check(native == top and native[0] == 0 and cycles(top[1]), f"{name} {arg} [{settings.replace(str(tmp) + '/', '')}]: "
                  f"{cycles(native[1])} cycles, equal counters", f"{native[1][-800:]}\n{top[1][-800:]}")
    files = sorted((ROOT / "programs/asm").glob("*.s"))
    if not ALL:
        files = files[SEED % 8::8]
    for settings in ("preset=tiny check=units", f"preset={narrow(tmp)} check=units diverge=its"):
        native, top = asm_both(files, settings)
        check(native == top and "PASS" in native, f"{len(files)} assembly programs, faults and hangs among them "
              f"[{settings.replace(str(tmp) + '/', '')}]", "\n".join(a + "\n" + b for a, b in zip(native.splitlines(), top.splitlines()) if a != b)[:1500])


def asm_both(files, settings):
    return [sh([BIN / "wgasmtest", "-s", f"{settings} backend={b}", *files])[1].replace(f"backend={b}", "") for b in ("rtl", "systemc")]


def part_again(tmp):
    native, top = both([BIN / "warpglass", own(tmp, "again")], f"preset={narrow(tmp)}", tmp)
    check(native == top and top[0] == 0 and top[1].count(": 0 bad") == 3, "three devices in one process", top[1])


def part_memory(tmp):
    memory("fixed_latency", ROOT / "cosim/systemc/fixed_latency.cc")
    memory("plain", HERE / "plain.cc")
    warpglass = [BIN / "warpglass", "run", "--backend", "systemc"]
    chase = own(tmp, "chase")
    c = {(n, lat): cycles(sh([*warpglass, "--preset", "tiny", "--memory", f"fixed_latency:{lat}", chase, n])[1])
         for n in ("64", "128") for lat in (100, 350)}
    if None in c.values():
        check(False, "a chain of loads passes", str(c))
    else:  # 64 more loads, one behind the other, each 250 cycles later
        got = (c["128", 350] - c["128", 100]) - (c["64", 350] - c["64", 100])
        check(got == 64 * 250, f"64 more dependent loads x 250 more cycles = {64 * 250}", f"got {got}: {c}")
    for name, arg in LECTURE if ALL else LECTURE[2:]:
        native = sh([BIN / "warpglass", "run", "--preset", "tiny", program(name), arg])[1]
        hash_of = re.compile(r"warp_insts=\d+ retire_hash=\w+")
        took = []
        for lat in (300, 1000, 1700):  # so long that nothing else hides them
            code, text = sh([*warpglass, "--preset", "tiny", "--memory", f"fixed_latency:{lat}", program(name), arg])
            took.append(cycles(text) if code == 0 and hash_of.search(text)[0] == hash_of.search(native)[0] else None)
        check(None not in took and took[2] - took[1] == took[1] - took[0] > 0, f"{name}: same results, cycles grow in a line", str(took))
    code, text = sh([*warpglass, "--preset", narrow(tmp), "--memory", "plain:5", program("reduce"), "4096"])
    check(code == 0, "a loosely timed memory", text)
    code, text = sh([BIN / "wgasmtest", "-s", f"preset={narrow(tmp)} check=units backend=systemc memory=fixed_latency:17",
                     *sorted((ROOT / "programs/asm").glob("mem_*.s"))])
    bad = [m for m in re.findall(r"^FAIL \S+.*(?:\n  .*)*", text, re.M)]
    check(not bad and code == 0, "memory and atomic programs on it", "\n".join(bad)[:1500])


def part_wrong(tmp):
    memory("bad", HERE / "bad.cc")
    want = {"never": "", "twice": "sm0: the memory ended its request phase twice", "stranger": "named a transaction that is not open",
            "atomic": "did not perform an atomic", "sector": "brought a sector that was not asked for",
            "error": "answered with TLM_BURST_ERROR_RESPONSE", "throw": "the memory has burnt",
            "again": "answered with TLM_GENERIC_ERROR_RESPONSE"}
    again = own(tmp, "again")
    for how, text_of in want.items():
        code, text = sh([BIN / "warpglass", "run", "--backend", "systemc", "--preset", "tiny", "--memory", f"bad:{how}", again])
        end = text.strip().splitlines()[-1]
        check(code == 1 and end.startswith("FAIL again ") and text_of in end, f"a memory that is wrong: {how}", text)
    for words, parts in ((("--memory", "fixed_latency:soon"), ("latency 'soon' is no number of cycles",)),
                         (("--memory", "nowhere"), ("cannot load the memory 'nowhere'", "remedy: scripts/systemc_memory.sh nowhere FILE.cc")),
                         (("--memory", "../x"), ("bad value '../x' of setting 'memory'", "remedy: ")),
                         (("--backend", "rtl", "--memory", "plain:1"), ("needs the back end systemc", "remedy: backend=systemc")),
                         (("--memory", "plain:1", "--cycles-check", "x.tsv"), ("no recorded cycles are its own",))):
        code, text = sh([BIN / "warpglass", "run", "--preset", "tiny", "--backend", "systemc", *words, again])
        check(code != 0 and all(p in text for p in parts), " ".join(words) + ": refused", text)
    home = tmp / "home"
    (home / "build/lib").mkdir(parents=True)
    (home / "configs").symlink_to(ROOT / "configs")
    (home / "build/sm").symlink_to(ROOT / "build/sm")
    code, text = sh([BIN / "warpglass", "run", "--preset", "tiny", "--backend", "systemc", again], WARPGLASS_HOME=str(home))
    check(code != 0 and "cannot load the SystemC top" in text and "remedy: make systemc" in text, "without the SystemC top", text)
    fake = tmp / "bin"
    fake.mkdir()
    (fake / "dpkg-query").write_text('#!/bin/sh\n[ "$3" = libsystemc-dev ] || echo "install ok installed"\n')
    (fake / "id").write_text("#!/bin/sh\necho 1000\n")
    for f in fake.iterdir():
        f.chmod(0o755)
    code, text = sh([ROOT / "scripts/deps.sh"], PATH=f"{fake}:{os.environ['PATH']}", WG_SUDO="")
    check(code == 1 and "missing Debian packages: libsystemc-dev\n  remedy: " in text, "without the package", text)


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
