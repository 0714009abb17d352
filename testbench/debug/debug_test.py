#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The debugger of `warpglass run` (--break, --debug-script), on the SM of shape tiny. Run from anywhere, after
`make build programs sm SHAPE=tiny`.

usage: testbench/debug/debug_test.py [PART ...]
parts:
  same    a run that is stopped and stepped has the cycles and the hash of one that is not; two transcripts are equal
  nowhere places that the program does not have, and sockets, scripts and files that are none, are refused
  library kernels of a shared library: the program's file does not tell them all
  ends    a run that the debugger ends: the program sees a sticky CUDA error
  breaks  each kind of place and event stops where --find says it happens
  steps   cycles, instructions, lines: how far each goes
  sched   what a slot is said to pick is what issues in the next cycle, under every policy; reasons name what is waited for
  modes   every look, with the SIMT stack and with independent threads; TEST_ALL: on the SM of v100 too
  state   registers, predicates, lanes, stack, masks, barriers, memory: against what the programs compute
  func    the same on the golden model alone, instruction by instruction
  gdb     Debian's gdb-multiarch: breaks on a line, steps by lines and instructions, lanes as threads, memory, faults; ends
  params  a kernel's parameters, at the prompt and in gdb
  packets the stub alone: each packet's answer, wrong ones, rubbish, a closed socket
  local   local memory of a lane
  tty     at a terminal: Ctrl-C stops, an empty line repeats, quit ends
  words   wrong commands, scripts and settings are refused in words; rubbish at the prompt ends nothing
"""
import os
import pathlib
import pty
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, RANDOM, ROOT, SEED, WG, check, sample  # noqa: E402

TMP = tempfile.TemporaryDirectory()
POLICIES = ["lrr", "rr", "old", "gto", "twolevel", "swl:2", "ccws", "gcaws", "gty"]


def run(program, args, *options, script=None, stdin=None, hidden=False):
    """(exit code, output) of a run; script: lines of commands; hidden: another program calls it."""
    words = [WG, "run", "--preset", "tiny", *options]
    if script is not None:
        path = pathlib.Path(TMP.name) / "script"
        path.write_text("\n".join(script) + "\n")
        words += ["--debug-script", path]
    p = subprocess.run([str(w) for w in [*words, *["/usr/bin/env"] * hidden, suite.program(program), *args.split()]], cwd=ROOT, env=suite.environment(),
                       input=stdin, stdin=None if stdin is not None else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       check=False, timeout=300)
    return p.returncode, p.stdout.decode(errors="replace")


def verdict(text):
    m = re.search(r"^PASS \S+ cycles=(\w+) warp_insts=(\w+) retire_hash=(\w+)$", text, re.M)
    return m.groups() if m else None


def answers(text):
    """Blocks of output, each behind its command: [(command, answer)]; the first is what the first stop said."""
    parts = re.split(r"^\(wg\) (.*)$", text, flags=re.M)
    said = [("", parts[0])] + [(parts[i], parts[i + 1]) for i in range(1, len(parts) - 1, 2)]
    return said + [("", "")] * 20  # a transcript that is too short fails by what it lacks


def behind(text):
    m = re.search(r"^behind (?:SM cycle|instruction) (\d+)$", text, re.M)
    return int(m[1]) if m else None


def part_same():
    steps = ["step", "sched", "step 7", "insn", "regs", "line", "warps", "scoreboard", "until barrier:0", "barriers", "where"]
    kinds = [("reduce", "2048", ("--sched", "gto")), ("convolve_1d", "256", ("--check", "units", "--diverge", "its"))]
    if ALL:
        kinds += [("reduce", "2048", ("--sched", p)) for p in POLICIES] + [("mm_tiled", "32", ("--dep", "control-bits"))]
    for program, args, options in kinds:
        code, plain = run(program, args, *options)
        lines = [s for s in steps if "barrier" not in s or program != "convolve_1d"] * 8
        outs = [run(program, args, *options, script=["until cycle:60", *lines, "detach"]) for _ in range(2)]
        check(code == 0 and verdict(plain) and verdict(plain) == verdict(outs[0][1]) and outs[0][1].count("behind ") > 20,
              f"{program} {' '.join(options)}: cycles and hash of a run without the debugger", plain + outs[0][1])
        text = [re.sub(r"[\d.]+ (ms/iter|GB/s)", "", o[1]) for o in outs]
        check(text[0] == text[1], "  and the same transcript twice")


def found(program, args, event, *options):
    m = re.search(r"^found .* at cycle (\d+)$", run(program, args, "--find", event, *options)[1], re.M)
    return int(m[1]) if m else None


def part_breaks():
    cases = [("reduce", "2048", e) for e in ("block:1", "block-end:0", "barrier:0,block=1", "arrive:0,warp=2", "exit,warp=1")]
    cases += [("divergence", "ifelse", "diverge"), ("divergence", "ifelse", "reconverge,warp=1")]
    for program, args, event in sample(cases, 4):
        want = found(program, args, event, "--check", "units")
        code, text = run(program, args, "--break", event, script=["detach"])
        check(code == 0 and want is not None and behind(text) == want and f"breakpoint 1, {event}: " in text,
              f"{program} {event}: stops behind cycle {want}, where --find says it happens", text)
    # a pc: before the instruction; the next issue of the warp is the one that --find sees
    want = found("convolve_1d", "256", "pc:0x70,warp=2,block=1")
    code, text = run("convolve_1d", "256", "--break", "0x70,warp=2,block=1", script=["insn", "detach"])
    a = answers(text)
    check(code == 0 and want is not None and behind(a[0][1]) < want and behind(a[1][1]) == want and "0x70 " in a[0][1] and "0x80 " in a[1][1],
          f"pc 0x70: stops before it, one instruction later it is cycle {want}", text)
    # a source line: the first instruction of it; its text is shown
    code, text = run("convolve_1d", "256", "--break", "convolve_1d.cu:29,warp=1", script=["continue", "detach"])
    a = answers(text)
    check(code == 0 and all("convolve_1d.cu:29" in x and "output[index] = result / 3.0f" in x and "0x70 " in x and ") warp 1 is there" in x
                            for _, x in a[:2]) and "block (0,0,0)" in a[0][1] and "block (1,0,0)" in a[1][1], "a line, twice: warp 1 of both blocks", text)
    # kernels, launches, numbers of times, several at once
    code, text = run("convolve_1d", "256", "--break", "kernel:convolve_v2#3", "--break", "start", script=["continue", "info", "break", "delete 2", "continue", "detach"])
    a = answers(text)
    check(code == 0 and "launch 1: convolve_v1(" in a[0][1] and "launch 2: " in a[1][1] and "launch 2: convolve_v1" in a[2][1]
          and "start, met 2 times" in a[3][1] and "breakpoint 1, kernel:convolve_v2#3" in a[5][1], "kernel:NAME#3 and start; list and delete", text)
    code, text = run("convolve_1d", "256", "--break", "cycle:123", script=["detach"])
    check(code == 0 and behind(text) == 123, "cycle:123", text)
    code, text = run("convolve_1d", "256", "--break", "cycle:99999999", "--break", "exit,block=77", "--break",
                     "block:1#2", script=["continue", "where"])
    check(code == 0 and text.count("stop:") == 1 and "the run has ended before line 2 of 'script': where" in text
          and "breakpoint 1, cycle:99999999: met 0 times\n" in text
          and "breakpoint 2, exit,block=77: met 0 times\n" in text and re.search(r"breakpoint 3, block:1#2: met ([3-9]|\d\d) times\n", text), "the end says how often each place was met, and which command not", text)
    code, text = run("convolve_1d", "256", script=["continue"])
    check(code == 0 and "met" not in text, "and nothing of the start of a script that asks for no place", text)
    code, text = run("convolve_1d", "256", "--backend", "func", script=["until barrier:3"])
    check(code == 0 and "until barrier:3: never met\n" in text, "nor does 'until' end without a word", text)


NOWHERE = {"convolve_1d.cu:1": "no code in line 1|the nearest line with code: 24",
           "convolve_1d.cu:27": "no code in line 27|the nearest lines with code: 25 and 28",
           "convolve_1d.cu:999": "no code in line 999|the nearest line with code: 44",
               "nofile.cu:29": "no kernel has code of a file 'nofile.cu'|files with code: convolve_1d.cu",
           "kernel:convolve_v3": "no kernel 'convolve_v3'|did you mean 'convolve_v1'?",
               "0x4000": "no kernel has an instruction there|convolve_v1 0x0 to 0x620",
           "pc:0x640": "no kernel has an instruction there|convolve_v2 0x680 to"}


def part_nowhere(tmp):
    for place, words in sample(list(NOWHERE.items()), 3):
        said = [f"no place to stop at: '{place}': "] + words.split("|")
        for backend in ("rtl", "func"):
            code, text = run("convolve_1d", "256", "--backend", backend, "--break", "start", "--break", place, script=["where"])
            check(code == 2 and all(w in text for w in said) and text.count("error: ") == 1 and "CUDA" not in text
                  and "FAIL" not in text, f"{place}, {backend}: refused before the program begins, with what is near", text)
            code, text = run("convolve_1d", "256", "--backend", backend, "--break", place, script=["where"], hidden=True)
            check(code == 1 and all(w in text for w in said) and "stop:" not in text
                  and "FAIL env launch of convolve_v1" in text,
                  f"{place}, {backend}: where the file does not tell, at the first launch", text)
        code, text = run("convolve_1d", "256", "--break", "start",
                         stdin=f"break {place}\nuntil {place}\ndetach\n".encode())
        check(code == 0 and text.count("error: ") == 2 and all(w in text for w in said),
              f"{place}: refused at the prompt", text)
    for backend, race in (("rtl", "off"), ("func", "note")):  # what is there is not refused, whatever it is compiled with
        code, text = run("divergence", "nested", "--backend", backend, "--race", race, "--schedule", "off", "--break", "0x20",
                         "--break", "kernel:nested", "--break", ":43", stdin=b"detach\n")
        check(code == 0 and "stop:" in text and "error: " not in text, f"{backend}, race={race}: places that there are", text)
    code, text = run("convolve_1d", "256", "--break", "", stdin=b"")
    check(code == 2 and "option '--break': the value is empty\n  remedy: --break WHERE: " in text, "no place at all: the remedy says what one is", text)
    for options, words in ((("--break", "exit,sm=1"), "the device has no SM 1"),
                           (("--break", "start", "--debug-script", tmp), "cannot read the debug script"),
                           (("--gdb-elf", tmp / "x"), "there is none"),
                               (("--gdb", "0", "--gdb-elf", tmp), "no ordinary file"),
                           *(((f"--gdb={where}",), f"'{where}'") for where
                             in ("abc", "-1", "1e3", "99999", "0x10", f"{tmp}", "./nonexistent/socket", "gdb.socket"))):
        code, text = run("convolve_1d", "256", *options, stdin=b"detach\n")
        check(code == 2 and words in text and "CUDA" not in text and text.count("error: ") == 1,
              f"{' '.join(map(str, options))[:40]}: wrong use, before the program begins", text)
    made = [p for p in ("abc", "-1", "1e3", "0x10", "gdb.socket", "99999") if (ROOT / p).exists()]
    check(not made, "and no file is made", made)


LIBRARY = "__global__ void inlib(int *o) { o[0] = 7; }\nextern \"C\" void calllib(int *p) { inlib<<<1, 1>>>(p); }\n"
USER = """
extern "C" void calllib(int *p);
__global__ void inmain(int *o) { o[0] = 8; }
int main() {
  int *p;
  cudaMalloc(&p, 4);
  inmain<<<1, 1>>>(p);
  calllib(p);
  return cudaFree(p);
}
"""


def part_library(tmp):
    (tmp / "lib.cu").write_text(LIBRARY)
    (tmp / "user.cu").write_text(USER)
    built = suite.sh([BIN / "wgcc", "-shared", "-Xcompiler", "-fPIC", tmp / "lib.cu", "-o", tmp / "liblab.so"])
    built = suite.sh([BIN / "wgcc", tmp / "user.cu", "-o", tmp / "user", "-L", tmp, "-llab"]) if built[0] == 0 else built
    (tmp / "script").write_text("detach\n")
    for kernel, want in (("inlib", 0), ("inmain", 0), ("nowhere", 1)):
        code, text = suite.sh([WG, "run", "--preset", "tiny", "--backend", "func", "--break", f"kernel:{kernel}", "--debug-script", tmp / "script",
                               tmp / "user"], LD_LIBRARY_PATH=str(tmp))
        check(code == want and (f"kernel:{kernel}: met 1 time" in text or "has no kernel 'nowhere'" in text),
              f"kernel:{kernel} of a program with a library: {'met' if want == 0 else 'not there, which the first launch tells'}", built[1] + text)


ENDED = """
#include <cstdio>
__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *p, h = 0;
  cudaMalloc(&p, 256);
  fill<<<1, 64>>>(p);
  printf("launch %d\\n", cudaGetLastError());
  printf("wait %d\\n", cudaDeviceSynchronize());
  printf("copy %d\\n", cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost));
  fill<<<1, 64>>>(p);
  printf("again %d\\n", cudaGetLastError());
}
"""


def part_ends(tmp):
    (tmp / "ended.cu").write_text(ENDED)
    built = suite.sh([BIN / "wgcc", "-O1", "-lineinfo", tmp / "ended.cu", "-o", tmp / "ended"])
    for backend in ("rtl", "func"):
        for what, options, words in (("quit", ("--break", "start"), "ended by the debugger"),
                                     ("where nobody", ("--break", "start"), "the command cannot be done"),
                                     ("where", ("--break", "ended.cu:1"), "no code in line 1")):
            (tmp / "script").write_text(what + "\n")
            code, text = suite.sh([WG, "run", "--preset", "tiny", "--backend", backend, *options, "--debug-script",
                                   tmp / "script", "/usr/bin/env", tmp / "ended"])
            said = dict(re.findall(r"^(launch|wait|copy|again) (\d+)$", text, re.M))
            check(code == 1 and words in text and said == {"launch": "0", "wait": "719", "copy": "719", "again": "719"},
                  f"{backend}, {what}: the program sees error 719 from then on", built[1] + text)


def part_steps():
    script = ["until 0x20,warp=3", "step", "step 10", "insn", "insn 3", "line", "line", "until pc:0xb0,warp=3", "insn 500", "warps"]
    code, text = run("convolve_1d", "256", script=[*script, "detach"])
    a = answers(text)
    at = [behind(x) for _, x in a]
    check(code == 0 and at[2] == at[1] + 1 and at[3] == at[2] + 10, "step 1 and 10: so many cycles", text)
    pcs = [int(m[1], 16) if (m := re.search(r"^  0x([0-9a-f]+)  ", x, re.M)) else None for _, x in a]
    check(pcs[1] == 0x20 and pcs[4] == pcs[3] + 0x10 and pcs[5] == pcs[4] + 0x30, "insn 1 and 3: so many instructions of the warp", str(pcs))
    lines = [re.search(r"convolve_1d\.cu:(\d+)", x) for _, x in a]
    lines = [int(m[1]) if m else None for m in lines]
    check(lines[5] == 25 and lines[6] == 29 and lines[7] == 25, "line: until the source line is another one", str(lines))
    check("0xb0 " in a[8][1] and ") warp 3 is there" in a[8][1], "until: a place, once", a[8][1])
    check("the warp has ended" in a[9][1], "insn 500: the warp ends before", a[9][1])
    # after a stop of any warp, that warp is stepped, or the one that is chosen; what others meet is told
    for backend in ("rtl", "func"):
        code, text = run("convolve_1d", "256", "--backend", backend, "--break", "convolve_1d.cu:29",
                         script=["line", "line", "insn 2", "step 3", "warp 0/2", "insn", "line", "continue", "detach"])
        a = [x for _, x in answers(text)]
        who = [m[1] if (m := re.search(r"block \(0,0,0\) warp (\d)[,:\n]", x.split("behind")[-1])) else None for x in a]
        count = sum(int(n) for n in re.findall(r"met breakpoint 1, convolve_1d.cu:29, (\d+) time",
                                               text)) + len(re.findall(r"^stop: breakpoint 1", text, re.M))
        check(code == 0 and who[:5] == ["0"] * 5 and who[5:8] == ["2"] * 3 and not any("stop:" in x for x in a[1:8])
              and "stop: breakpoint 1" in a[8]
              and f"breakpoint 1, convolve_1d.cu:29: met {count} times" in text,
                  f"{backend}: steps are those of the warp that stopped, or of the one chosen", text)
    code, text = run("reduce", "2048", "--break", "start;cycle:1200;arrive:0#20;exit",
                     script=["step 3000", "step 3000", "insn 400", "detach"])
    a = [x for _, x in answers(text)]
    check(code == 0 and "arrive:0#20: " in a[1] and "cycle:1200: reached" in a[2] and "stop: the warp has ended"
          in a[3] and "other warps met breakpoint 4, exit" in a[3]
          and re.search(r"breakpoint 4, exit: met \d times so far", text),
              "the Nth time and a cycle stop a step too, other warps do not", text)


def picks(text):
    """{(cycle, sub-core): (slot that issued in the cycle before, slot to be picked)}; None: nothing."""
    out = {}
    for m in re.finditer(r"^SM 0, cycle (\d+) to come.*\n((?:  .*\n)+)", text, re.M):
        for sub, last, pick in re.findall(r"sub-core (\d): last cycle (?:nothing|slot (\d+)) issued; (?:picks slot (\d+)|picks nothing|no warp)", m[2]):
            out[int(m[1]), int(sub)] = (last, pick)
    return out


def part_sched():
    for policy in sample(POLICIES, 2):
        n, first = 400 if ALL else 120, RANDOM.randrange(100, 1500)
        code, text = run("reduce", "2048", "--sched", policy, script=[f"until cycle:{first}", *["sched", "step"] * n, "sched", "detach"])
        got = picks(text)
        wrong = [k for k, (_, pick) in got.items() if (k[0] + 1, k[1]) in got and got[k[0] + 1, k[1]][0] != pick]
        check(code == 0 and len(got) == n + 1 and not wrong and sum(p != "" for _, p in got.values()) > 5,
              f"{policy}: {n} picks from cycle {first} on are those that then issue", f"{wrong[:9]} of {len(got)}\n{text[:500]}")
    code, text = run("convolve_1d", "256", script=["until 0x140,warp=0", "sched", "scoreboard", "why", "detach"])
    a = answers(text)
    want = r"slot 0  warp 0  block \(0,0,0\) warp 0: long dependence, R8 of 0xd0 \(cycle \d+\).*; 0x140 FADD"
    check(re.search(want, a[4][1]) and a[4][1].count("slot 0 ") == 1 and " warp 1: " not in a[4][1],
          "why: the same of the selected warp alone", a[4][1])
    check(re.search(r"slot 0  warp 0  block \(0,0,0\) warp 0: long dependence, R8 of 0xd0 \(cycle \d+\).*; 0x140 FADD", a[2][1]) is not None,
          "a load that is waited for: which register, of which instruction", a[2][1])
    check(re.search(r"0x000d0 cycle \d+  LDG\.E\.NC R8, \[R0\].*\n +R8 lanes 0xffffffff, ", a[3][1]) is not None, "and it is open on the scoreboard", a[3][1])
    code, text = run("reduce", "2048", script=["until arrive:0,warp=1", "step 3", "sched", "barriers", "detach"])
    a = answers(text)
    check(re.search(r"warp 1: barrier 0; ", a[3][1]) and re.search(r"barrier 0: arrived 0x[0-9a-f]*[2367abef], of them waiting", a[4][1]), "a barrier: the slot and who has come", text)


def part_state():
    code, text = run("convolve_1d", "256", script=["until 0x30,warp=1,block=1", "regs R4", "lane 5", "regs", "until 0x50,warp=1,block=1", "preds", "memory 0x0", "detach"])
    check(code == 1 and "debug script" in text and "nothing can be read at 0x0" in text, "memory that is not there: an error", text)
    a = answers(text)
    want = " ".join(f"0x{160 + i:08x}" for i in range(32))
    check(want == " ".join(re.findall(r"0x[0-9a-f]{8}", a[2][1])), "a register of all lanes: blockIdx.x * blockDim.x + threadIdx.x", a[2][1])
    check("R4   0x000000a5" in a[4][1] and "R15  ?" in a[4][1], "registers of a lane; ? where nothing has written", a[4][1])
    check("P0 = 0x00000000  (lane: false)" in a[6][1] and "P1 = ?" in a[6][1], "predicates", a[6][1])
    # shared memory of a tile, and the input in device memory
    code, text = run("reduce", "2048", script=["until barrier:0,block=0", "shared 0 8", "regs", "detach"])
    a = answers(text)
    words = re.findall(r" (0x[0-9a-f]{8})\b(?!:)", re.sub(r"0x\w+:", "", a[2][1]))
    check(code == 0 and words == ["0x40000000"] * 8, "shared memory behind the first barrier", text)
    # divergence: stack entries and lanes; its: lanes and masks
    script = ["until diverge", "step", "stack", "lanes", "joins", "until reconverge", "lanes", "detach"]
    code, text = run("divergence", "ifelse", script=script)
    a = answers(text)
    masks = [int(m, 16) for m in re.findall(r"^  lanes 0x([0-9a-f]+) ", a[4][1], re.M)]
    check(code == 0 and re.search(r"path: +lanes 0x", a[3][1]) and re.search(r"sync B\d+: lanes 0x", a[3][1]) and len(masks) > 1 and sum(masks) == 0xffffffff,
          "SIMT stack: a path and its join; the lanes are all somewhere, once", a[3][1] + a[4][1])
    check(re.search(r"B\d+  lanes 0xffffffff meet at 0x", a[5][1]) is not None, "joins: mask and place", a[5][1])
    code, text = run("divergence", "ifelse", "--diverge", "its", script=script)
    a = answers(text)
    masks = [int(m, 16) for m in re.findall(r"^  lanes 0x([0-9a-f]+) ", a[4][1], re.M)]
    check(code == 0 and "independent threads" in a[3][1] and len(masks) > 1 and sum(masks) == 0xffffffff and re.search(r"B\d+  lanes 0x", a[5][1]),
          "independent threads: each lane's pc, masks of the convergence barriers", a[3][1] + a[5][1])


LOOKS = [  # command, what its answer holds; in front of it reduce stands at its first barrier, warp 1
    ("step", r"behind SM cycle \d+\n"),
    ("insn 2", r"behind SM cycle \d+\nSM 0 warp \d+: block \(0,0,0\) warp 1,"),
    ("warp 0/3", r"block \(0,0,0\) warp 3, sub-core \d slot \d+, lane 0 runs\n  lanes 0xffffffff of 0xffffffff run"),
    ("warp 0/1", r"\) warp 1,"),
    ("regs", r"lane 0\n(  R\d+ +(0x[0-9a-f]{8}|\?) *)+"),
    ("regs R4", r"R4, lanes 0 to 31\n  0x00000020 0x00000021 (.*\n){3}.* 0x0000003f\n"),
    ("preds", r"  P0 = 0x[0-9a-f]{8}  \(lane: (true|false)\)\n"),
    ("lanes", r"  lanes 0xffffffff  pc 0x\w+  runs: "),
    ("scoreboard", r"nothing is open|0x\w+ cycle \d+ "),
    ("shared 0 4", r"0x100000000:( 0x40000000){4}\n"),
    ("barriers", r"warps 0xff take part\n  (barrier 0: arrived 0x|no warp has)"),
    ("why", r"sub-core \d: picks .*\n    slot \d+ +warp \d+ +block \(0,0,0\) warp 1: ")]
MODE_LOOKS = {
    "stack": [("stack", r"running: pc 0x\w+ lanes 0xffffffff; 0 entries"), ("joins", "no convergence barrier is open")],
    "its": [("stack", r"independent threads: .*\n  lanes 0xffffffff  pc 0x\w+ "), ("joins", r"no convergence barrier is open|B\d+ ")]}


def part_modes():
    """Every look in both modes of divergence; on the SM of v100 too, where there are four sub-cores."""
    for preset in ("tiny", "v100") if ALL else ("tiny",):
        for mode, own in MODE_LOOKS.items():
            looks = LOOKS + own
            code, text = run("reduce", "2048", "--preset", preset, "--sms", "1", "--diverge", mode,
                             script=["until barrier:0,block=0", "warp 0/1", *(c for c, _ in looks), "sched", "detach"])
            a = answers(text)[3:]
            wrong = [c for (c, want), (said, answer) in zip(looks, a) if said != c or not re.search(want, answer)]
            check(code == 0 and verdict(text) and not wrong, f"{preset}, {mode}: {len(looks)} looks at a warp",
                  f"{wrong}\n{text}")
            cores, slots = a[len(looks)][1].count("  sub-core "), len(re.findall(r"^    slot ", a[len(looks)][1], re.M))
            check((cores, slots) == ((1, 8) if preset == "tiny" else (4, 32)),
                  f"  and at every slot of its {cores} schedulers", a[len(looks)][1])


def part_func():
    code, plain = run("reduce", "2048", "--backend", "func")
    script = ["step", "step 5", "insn 2", "line", "until barrier:0", "barriers", "until 0x40,warp=2", "regs", "scoreboard", "until exit,warp=3", "info"]
    code, text = run("reduce", "2048", "--backend", "func", script=[*script, "detach"])
    a = answers(text)
    check(code == 0 and verdict(plain) and verdict(plain) == verdict(text), "the hash of a run without the debugger", plain + text)
    check(behind(a[1][1]) == 1 and behind(a[2][1]) == 6, "step: so many instructions", text)
    check("barrier 0 is released" in a[5][1] and ") warp 2 is there" in a[7][1] and "has every result at once" in a[9][1] and "warp 3 exits" in a[10][1],
          "events, places, no scoreboard", text)
    rtl = run("convolve_1d", "256", script=["until 0x100,warp=3,block=1", "regs", "regs R4", "preds", "detach"])[1]
    func = run("convolve_1d", "256", "--backend", "func", script=["until 0x100,warp=3,block=1", "regs", "regs R4", "preds", "detach"])[1]
    known = [re.sub(r"0x0+\b", "?", "".join(x for _, x in answers(t)[2:4])).split() for t in (rtl, func)]  # what nothing has written is 0 there
    loads = [re.sub(r"R(0|1|8|9) \S+", "", " ".join(k)) for k in known]  # loads under way: the golden model alone has them already
    check(loads[0] == loads[1] and "0x000000e0" in loads[0], "registers as on the RTL", loads[0] + loads[1])
    code, text = run("divergence", "ifelse", "--backend", "func", script=["until diverge", "stack", "until reconverge", "lanes", "detach"])
    check(code == 0 and "diverges" in text and "reconverges" in text and "path:" in text, "diverge and reconverge", text)


class Awaited:
    """A run that waits for gdb at a socket."""

    def __init__(self, tmp, program, args="", *options, exe=None):
        self.at, self.elf = tmp / "socket", tmp / "kernels.elf"
        self.at.unlink(missing_ok=True)
        words = [WG, "run", "--preset", "tiny", *options, "--gdb", self.at, "--gdb-elf", self.elf, exe or suite.program(program), *args.split()]
        # pylint: disable-next=consider-using-with
        self.log = open(tmp / "log", "w+", encoding="utf-8")
        # pylint: disable-next=consider-using-with
        self.p = subprocess.Popen([str(w) for w in words], cwd=ROOT, env=suite.environment(), stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        end = time.monotonic() + 60
        while self.p.poll() is None and time.monotonic() < end and "gdb is awaited" not in (tmp / "log").read_text():
            time.sleep(0.02)

    def end(self):
        """(exit code, output) of the run."""
        try:
            code = self.p.wait(timeout=120)
        except subprocess.TimeoutExpired:
            self.p.kill()
            code = 124
        self.log.seek(0)
        text = self.log.read()
        self.log.close()
        return code, text

    def gdb(self, *commands):
        """What gdb says to the commands, and then (exit code, output) of the run."""
        script = self.elf.with_suffix(".gdb")
        script.write_text("\n".join(["set pagination off", "set confirm off", f"target remote {self.at}", *commands]) + "\n")
        text = suite.sh(["gdb-multiarch", "-nx", "-batch", "-x", script, self.elf], timeout=120)[1]
        return text, *self.end()


FAULTY = """
__global__ void faulty(int *p, int n) {
  int i = threadIdx.x;
  if (i == 7) p += 1 << 28;
  p[i] = n;
}
int main() {
  int *p;
  cudaMalloc(&p, 128);
  faulty<<<1, 32>>>(p, 5);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


PARAMS = """
struct S { int a; float b; };
template <typename T>
__global__ void k(T *p, const float *q, int n, unsigned u, double d, char c, bool b, S s, long long w) {
  p[threadIdx.x] = n + u + d + c + b + s.a + w + q[0];
}
extern "C" __global__ void plain(int n, float *p) {
  p[threadIdx.x] = n;
}
int main() {
  float *p, h[4] = {0.5f, 1.5f, 2.5f, 3.5f};
  cudaMalloc(&p, 4096);
  cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
  k<float><<<1, 64>>>(p, p, -5, 4000000000u, 2.25, 'x', true, S{7, 1.5f}, -7000000000ll);
  plain<<<1, 32>>>(-9, p);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


def part_params(tmp):
    (tmp / "params.cu").write_text(PARAMS)
    built = suite.sh([BIN / "wgcc", "-O1", "-lineinfo", tmp / "params.cu", "-o", tmp / "params"])[1]
    wants = [r"arg0 +c\[0x0\]\[0x160\] +float\* +0x2001\d+", r"arg2 .*\[0x170\] +int +-5",
             r"arg3 .* unsigned int +4000000000", r"arg4 .* double +2\.25",
             r"arg5 .* char +120", r"arg6 .* bool +1", r"arg7 .* S +0x3fc0000000000007",
                 r"arg8 .* long long +-7000000000"]
    for backend in ("rtl", "func"):
        (tmp / "script").write_text("params\nuntil kernel:plain\nparams\nmemory 0x300000160\nmemory 0x300001000\n")
        code, text = suite.sh([WG, "run", "--preset", "tiny", "--backend", backend, "--break", "start#1",
                               "--debug-script", tmp / "script", tmp / "params"])
        a = answers(text)
        check(not [w for w in wants if not re.search(w, a[1][1])], f"{backend}: types and values of parameters",
              built + text)
        check(re.search(r"arg0 .*\? +0xfffffff7", a[3][1]) and "0x300000160: 0xfffffff7 " in a[4][1] and code == 1
              and "nothing can be read at 0x300001000" in a[5][1],
              f"{backend}: without types their words, and where they lie", text)
    gdb = Awaited(tmp, "", "", exe=tmp / "params").gdb("info args", "p *arg1@4", "bt", "tbreak plain", "continue",
                                                       "info args", "continue")
    args = {"arg0 = 0x2001", "arg2 = -5\n", "arg3 = 4000000000\n", "arg4 = 2.25\n", "arg5 = 120 'x'\n",
            "arg6 = true\n", "arg8 = -7000000000\n", "$1 = {0.5, 1.5, 2.5, 3.5}"}
    check(not [w for w in args if w not in gdb[0]] and "#0  k<float> (arg0=0x2001" in gdb[0]
          and "Temporary breakpoint 1, plain (arg0=" in gdb[0] and gdb[1] == 0,
          "gdb: info args, what a pointer points to, bt", gdb[0] + gdb[2])


def part_gdb(tmp):
    if shutil.which("gdb-multiarch") is None:
        suite.sh(["scripts/deps.sh", "gdb"], timeout=600)
    if not check(shutil.which("gdb-multiarch") is not None, "there is a gdb-multiarch", "remedy: scripts/deps.sh gdb"):
        return
    plain = verdict(run("convolve_1d", "256")[1])
    said, code, text = Awaited(tmp, "convolve_1d", "256").gdb(
        "break convolve_1d.cu:29", "continue", "step", "step", "stepi", "p $x5", "thread 4", "p $x5", "p/x $mask", "bt", "x/2xw 0x200100000004", "p $pc", "monitor where",
        "monitor step", "tbreak convolve_v2", "delete 1", "continue", "info symbol $pc", "continue")
    check("Thread 1 hit Breakpoint 1, convolve_v1 (arg0=256, arg1=0x2001" in said
          and "29\t  output[index] = result / 3.0f;" in said, "breaks on a source line", said)
    lines = re.findall(r"^(\d+)\t", said.split("hit Breakpoint 1")[-1], re.M)
    check(lines[:4] == ["29", "25", "28", "29"], "steps by source lines, in the order of the code", said)
    check("$1 = 0\n" in said and "$2 = 3\n" in said and "$3 = 0xffffffff" in said
          and "#0  convolve_v1 (arg0=256, arg1=0x2001" in said, "registers of two lanes, which are threads", said)
    check("0x200100000004:\t0x3a83126e\t0x3b031269" in said and "0xb0 <convolve_v1(int, float const*, float*)+176>" in said, "memory, and the pc with its function", said)
    check("SM 0 warp 0: block (0,0,0) warp 0" in said and "'step' would go on" in said, "monitor: the debugger's commands, but none that goes on", said)
    for options in (("--diverge", "its"), ("--backend", "func")):
        looked, _, log = Awaited(tmp, "reduce", "2048", "--break", "arrive:0,warp=1", *options).gdb(
            "monitor help", "echo ==\\n", "monitor regs", "echo ==\\n", "monitor warps", "echo ==\\n", "monitor why",
                "echo ==\\n", "monitor nothing", "kill")
        part = looked.split("==\n")
        why = r"warp 1: barrier 0; .*\n.*\n  barrier 0: arrived 0x" if "its" in options else r"this one waits at a barrier\n.*\n  barrier 0: arrived 0x"
        check(len(part) == 5 and all(f"  {c}" in part[0] for c in ("help", "regs", "warps", "why", "sched", "params"))
              and re.search(r"^  R0 +0x", part[1], re.M)
              and part[2].count("block (0,0,0) warp ") == 8 and re.search(why,
                  part[3]) and "no command 'nothing'" in part[4] and "ended by gdb" in log,
              f"monitor help, regs, warps, why, {' '.join(options)}", looked + log)
    check("Temporary breakpoint 2, convolve_v2 (arg0=256, " in said and "convolve_v2(int, float const*, float*)"
          in said and "exited normally" in said, "the other kernel, later; the end", said)
    check(code == 0 and verdict(text) == plain, "and the run is that of one without gdb", text)
    said, code, text = Awaited(tmp, "divergence", "ifelse", "--break", "diverge").gdb("monitor step", "continue", "stepi", "info threads", "detach")
    pcs = set(re.findall(r"^[* ] \d+ +Thread \d+ \(block \(0,0,0\) warp \d lane \d+: (\w+)", said, re.M))
    check(code == 0 and len(re.findall(r"^[* ] \d+ +Thread", said, re.M)) == 32 and {"runs", "suspended"} <= pcs and "detached" in said, "divergence: lanes that run and others", said + text)
    said, code, text = Awaited(tmp, "reduce", "2048", "--backend", "func").gdb("break reduce.cu:37", "continue", "x/4xw 0x100000000", "stepi", "delete", "continue")
    check(code == 0 and "hit Breakpoint 1" in said and "0x100000000:\t0x40000000" in said and "exited normally" in said, "on the golden model alone; shared memory", said + text)
    (tmp / "faulty.cu").write_text(FAULTY)
    code, text = suite.sh([BIN / "wgcc", "-O1", "-lineinfo", tmp / "faulty.cu", "-o", tmp / "faulty"])
    for backend in ("rtl", "func"):
        said, code, text = Awaited(tmp, "", "", "--backend", backend, exe=tmp / "faulty").gdb("continue", "continue")
        check(code == 1 and ("received signal SIGSEGV" in said and "exited with code 01" in said or "terminated with signal SIGSEGV" in said), f"a fault is a signal, {backend}",
              said + text)


def packet(data):
    return b"$" + data + b"#%02x" % (sum(data) % 256)


def ask(sock, data):
    """The answer to a packet, b"" if there is none; of console output (O) the first piece."""
    sock.sendall(packet(data))
    got = b""
    while True:
        whole = re.findall(rb"\$([^#]*)#..", got)
        if whole and (whole[-1] == b"OK" or whole[-1][:1] != b"O"):
            sock.sendall(b"+" * len(whole))
            return whole[0]
        more = sock.recv(65536)
        if not more:
            return b""
        got += more


def part_packets(tmp):
    plain = verdict(run("convolve_1d", "256")[1])
    a = Awaited(tmp, "convolve_1d", "256")
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(60)
        s.connect(str(a.at))
        wants = [(b"qSupported:swbreak+", b"PacketSize=.*qXfer:features:read\\+.*"), (b"?", b"T05thread:1;"), (b"qC", b"QC1"), (b"qAttached", b"1"), (b"Hg20", b"OK"), (b"Hg21", b"E01"),
                 (b"Hg0", b"OK"), (b"Hc-1", b"OK"), (b"Hg", b"E01"), (b"g", b"0{16}x{496}0{16}.*"), (b"p0", b"0{16}"), (b"p20", b"0{16}"), (b"p21", b"0{8}"), (b"p23", b"1f0{6}"),
                 (b"pfff", b"E01"), (b"p", b"E01"), (b"pxy", b"E01"), (b"m0,4", b"[0-9a-f]{8}"), (b"m10000000,4", b"E0e"), (b"mfffffff0,20", b"E0e"), (b"m200100000004,4", b"6e12833a"),
                 (b"m200100000000,0", b""), (b"mffffffffffffffff,ff", b"E0e"), (b"m1", b"E01"), (b"m,", b"E01"), (b"m0,1,2", b"E01"), (b"m100000000,4", b"E0e"), (b"M0,1:00", b"E01"),
                 (b"P1=00", b"E01"), (b"G00", b"E01"), (b"X0,0:", b""), (b"Z0,70,4", b"OK"), (b"Z0,71,4", b"E02"), (b"Z0,10000070,4", b"E01"), (b"Z0,7", b"E01"), (b"Z2,0,4", b""),
                 (b"z0,70,4", b"OK"), (b"z0,70,4", b"E02"), (b"Z", b""), (b"T1", b"OK"), (b"T21", b"E01"), (b"T", b"E01"), (b"qfThreadInfo", b"m1,2,3,.*,20"), (b"qsThreadInfo", b"l"),
                 (b"qThreadExtraInfo,2", b"[0-9a-f]+"), (b"qThreadExtraInfo,77", b"E01"), (b"qXfer:features:read:target.xml:0,20", b"m<.xml.*"),
                 (b"qXfer:features:read:target.xml:99999,20", b"E01"), (b"qXfer:features:read:target.xml:x", b"E01"), (b"qXfer:features:read:other.xml:0,20", b""), (b"vCont?", b"vCont;c;C;s;S"),
                 (b"vCont;x", b"E01"), (b"vCont;s:99", b"E01"), (b"vCont", b"E01"), (b"vMustReplyEmpty", b""), (b"s40", b"E01"), (b"c40", b"E01"), (b"unheard of", b""), (b"", b""),
                 (b"qRcmd,7a7a7a", b"O.*"), (b"s", b"T05thread:20;"), (b"vCont;s:3;c", b"T05thread:3;"), (b"p20", b"20(00){7}")]
        wrong = []
        for data, want in wants:
            got = ask(s, data)
            if not re.fullmatch(want, got):
                wrong.append((data, got, want))
        check(not wrong, f"{len(wants)} packets have their answers", wrong)
        s.sendall(b"$m0,4#00$g#6")
        s.sendall(b"z")
        check(b"-" in s.recv(1), "a wrong checksum is asked for again")
        s.sendall(packet(b"D"))
        code, text = a.end()
    check(code == 0 and verdict(text) == plain, "detached: the run goes on as ever", text)
    ends = [(b"", 0, "closed at once"), (packet(b"c"), 0, "closed while it runs"), (b"$g", 0, "closed within a packet"), (packet(b"k"), 1, "killed"), (packet(b"vKill;1"), 1, "killed by vKill")]
    ends += [(bytes(RANDOM.choice(b"$$##+-}\x03gmpsHZqv0,;:afkXX\xff\0") for _ in range(3000)), None, f"{n}: rubbish (seed {SEED})") for n in range(8 if ALL else 3)]
    for data, want, what in ends:
        a = Awaited(tmp, "convolve_1d", "256")
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(str(a.at))
            s.sendall(data)
        code, text = a.end()
        check((code == want or (want is None and code in (0, 1))) and "signal" not in text and (code == 1 or verdict(text) == plain), what, text)
    check(not a.at.exists(), "the socket is gone with the run")
    for options, words in ((("--gdb", "99999"), "no port for gdb: '99999'"), (("--gdb", "/nonexistent/socket"), "cannot wait for gdb at"),
                           (("--gdb", "0", "--debug-script", ROOT / "Makefile"), "does not go with both gdb and debug_script")):
        code, text = run("convolve_1d", "256", *options)
        check(code != 0 and words in text, f"{' '.join(map(str, options))[:40]}: refused", text)


def read_until(fd, words, seconds=60):
    """What a terminal prints up to these words."""
    text, end = "", time.monotonic() + seconds
    while words not in text and time.monotonic() < end:
        if not select.select([fd], [], [], 0.2)[0]:
            continue
        try:
            text += os.read(fd, 4096).decode(errors="replace")
        except OSError:  # the other end is closed
            break
    return text


def part_tty():
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.execve(WG, ["warpglass", "run", "--preset", "tiny", "--break", "start", str(suite.program("mm_tiled")), "256"], suite.environment())
    first = read_until(fd, "(wg) ")
    os.write(fd, b"continue\n")
    stop, end = "", time.monotonic() + 60
    while "(wg) " not in stop and time.monotonic() < end:  # once more, should one come before the run goes on
        time.sleep(0.3)
        os.write(fd, b"\x03")
        stop += read_until(fd, "(wg) ", 2)
    check("stop: launch 1: mm_tiled(" in first and "stop: interrupted" in stop and behind(stop.replace("\r", "")) > 11, "Ctrl-C stops the run", first + stop)
    os.write(fd, b"\x03step 2\n")
    one = read_until(fd, "(wg) ").replace("\r", "")
    os.write(fd, b"\n")
    two = read_until(fd, "(wg) ").replace("\r", "")
    check(behind(one) == behind(stop.replace("\r", "")) + 2 and behind(two) == behind(one) + 2, "Ctrl-C at the prompt does nothing; an empty line steps again", one + two)
    os.write(fd, b"quit\n")
    last = read_until(fd, "FAIL mm_tiled") + read_until(fd, "\n")
    check(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1 and "ended by the debugger" in last, "quit", last)
    os.close(fd)


LOCAL = """
__global__ void local(int *p, int n) {
  volatile int a[8];
  for (int i = 0; i < 8; i++) a[i] = threadIdx.x * 16 + i;
  __threadfence();
  p[threadIdx.x] = a[n];
}
int main() {
  int *p;
  cudaMalloc(&p, 128);
  local<<<1, 32>>>(p, 5);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
"""


def part_local(tmp):
    (tmp / "local.cu").write_text(LOCAL)
    built = suite.sh([BIN / "wgcc", "-O1", "-lineinfo", tmp / "local.cu", "-o", tmp / "local"])
    (tmp / "script").write_text("insn\nlane 9\nmemory 0x200000000 8\nmemory 0x200000000 9\n")
    for backend in ("rtl", "func"):
        code, text = suite.sh([WG, "run", "--preset", "tiny", "--backend", backend, "--break", "local.cu:6", "--debug-script", tmp / "script", tmp / "local"])
        a = answers(text)
        words = [int(w, 16) for w in re.findall(r" 0x([0-9a-f]{8})\b", re.sub(r"0x\w+:", "", a[3][1]))]
        check(code == 1 and words == [144 + i for i in range(8)] and "nothing can be read at 0x200000020" in a[4][1], f"{backend}: a lane's frame, and no more", built[1] + text)


def part_words():
    code, text = run("convolve_1d", "256", script=["where", "wher"])
    check(code == 1 and "no command 'wher'; did you mean 'where'?" in text and re.search(r"^FAIL convolve_1d .*line 2: the command cannot be done", text, re.M),
          "a wrong command in a script fails the run, with its line", text)
    code, text = run("convolve_1d", "256", script=["quit"])
    check(code == 1 and re.search(r"^FAIL convolve_1d .*ended by the debugger", text, re.M), "quit: the run fails, and says so", text)
    bad = ["step 0", "step -1", "step 99999999999999", "insn x", "warp 99", "warp 7/7", "warp 0/", "lane 32", "regs R999", "regs -", "until", "until foo", "break pc:0x41",
           "break barrier:99", "break cycle:", "break x.cu:0", "break kernel:", "delete 77", "memory", "memory 0x10", "memory 0x5", "shared 2", "memory 0x200000000", "shared 0", "help nothing",
           "sm 5", "where 1 2 3 4 5 6 7 8 9", "x" * 600, "y " * 300, "sb 1"]
    code, text = run("convolve_1d", "256", "--break", "start", stdin=("\n".join(bad) + "\n").encode())
    check(code == 0 and text.count("error: ") == len(bad) and "end of commands: the run goes on" in text, f"{len(bad)} wrong lines at the prompt: one error each, the end of input goes on",
          text)
    code, text = run("convolve_1d", "256", "--break", "start;0x40", stdin=bytes(RANDOM.choice(b"\0 \t\r#;:,/0x19azbreakstepwarp\xff%sn\n") for _ in range(20000)) + b"\ndetach\n")
    check(code == 0 and verdict(text), f"rubbish at the prompt (seed {SEED}): the run ends as ever", text)
    helps = run("convolve_1d", "256", "--break", "start", stdin=b"help\n")[1]
    names = re.findall(r"^  ([a-z]+)(?:, \w+)?  ?.*$", answers(helps)[1][1], re.M)
    readme = (ROOT / "cosim/README.md").read_text()
    lost = [n for n in names if f"`{n}" not in readme]
    check(len(names) > 25 and not lost, f"{len(names)} commands in help, and in the room's README", str(lost) + helps)
    for options, words in ((("--backend", "stub"), "does not go with backend=stub"), (("--check", "off"), "does not go with check=off"),
                           (("--journal", f"{TMP.name}/j"), "does not go with journal"), (("--break", "nowhere"), "no place to stop at: 'nowhere'"),
                           (("--break", "barrier:16"), "no place to stop at: 'barrier:16'"), (("--debug-script", "/nonexistent"), "cannot read the debug script")):
        code, text = run("convolve_1d", "256", "--break", "start", *options, stdin=b"detach\n")
        check(code != 0 and words in text and "(wg)" not in text, f"{' '.join(options)[:40]}: refused", text)


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
