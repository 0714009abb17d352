#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The lecture's three questions, answered part by part from runs, beside the text's figures. Run by `make questions`.

usage: questions.py [--backend rtl|func] [1] [2] [3]
Each line is a figure of the text, the figure of the runs, and whether they agree; where hardware is known to differ, the reason.
With func, what needs a clock is left out, and said to be. Exit code 1 if a run fails or a figure agrees less than it should.
"""
import argparse
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = ROOT / "build/bin"
wrong = 0


def fail(what):
    global wrong
    wrong += 1
    print(f"  WRONG: {what}")


def head(text):
    print(f"\n{text}")


def say(text):
    print(f"  {text}")


def figure(what, text, measured, agree, why=""):
    """A figure of the text beside that of the runs, or of the same arithmetic on the presets' numbers. `agree`: None = known to differ, for the reason `why`."""
    if agree is None:
        print(f"  {what}: text {text}; here {measured}: DIFFERS: {why}")
        return
    print(f"  {what}: text {text}; here {measured}: {'agree' if agree else 'DIFFER'}")
    if not agree:
        fail(what)


def near(a, b, relative=0.01):
    return abs(a - b) <= relative * abs(b)


class Run:
    """A program of programs/ with its golden kernels, and the counters of its launches."""

    def __init__(self, opt, name, args, settings):
        with tempfile.NamedTemporaryFile(suffix=".json") as f:
            p = subprocess.run([BIN / "warpglass", "run", f"--json={f.name}", ROOT / "build/programs" / name / name, *map(str, args)],
                               cwd=ROOT, env=dict(os.environ, WARPGLASS=f"backend={opt.backend} {settings}"), text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.text = p.stdout
            data = pathlib.Path(f.name).read_text(encoding="utf-8")
        self.ok = p.returncode == 0 and "golden kernels bit for bit" in self.text
        self.launches = json.loads(data)["launches"] if data else []
        self.what = f"{name} {' '.join(map(str, args))} ({settings})"

    def must_pass(self):
        if not self.ok:
            fail(f"{self.what} failed:\n{self.text[-800:]}")
        return self

    def find(self, pattern):
        m = re.search(pattern, self.text)
        return m.groups() if m else None

    def total(self, key):
        return sum(l.get(key, 0) for l in self.launches)


def cycles(opt, run):
    return f"{run.total('cycles'):,} cycles" if opt.backend == "rtl" else "cycles not measured (func has no clock)"


# ---- 1: the wrong reduction ----

def result_of(run, by_luck):
    """What a form that may be wrong gave, and 1 if that was wrong. `by_luck`: nothing in the program makes it right."""
    if run.ok:
        return "right, by luck" if by_luck else "right", 0
    found = run.find(r"element 0 is (\S+), the host's loop gives (\S+)")
    if not found:
        fail(f"{run.what} gave no sum:\n{run.text[-800:]}")
        return "no sum", 0
    return f"{found[0]} (right is {found[1]})", 1


def question1(opt):
    """Reductions over several blocks: wrong without a barrier of the grid, and what is right."""
    head("Question 1. reduce_2 sums with many blocks and __syncthreads(). Safer than without? Correct? Two correct ways?")
    machines = ["preset=tiny", "preset=v100 sms=1", "preset=v100 sms=1 sched=lrr", "preset=v100 sms=1 order=reverse"]
    bad = {"wrong": 0, "nobarrier": 0}
    for form, name in (("wrong", "with __syncthreads()"), ("nobarrier", "with no barrier")):
        for settings in machines:
            said, count = result_of(Run(opt, "reductions", [2048, form], settings), True)
            bad[form] += count
            say(f"2048 numbers, 8 blocks, {name}, {settings}: {said}")
    figure("still not correct: the barrier holds one block", "wrong, undefined", f"wrong on {bad['wrong']} of {len(machines)} machines", bad["wrong"] > 0)
    race = Run(opt, "reductions", [2048, "wrong"], "preset=tiny race=on").find(r"warpglass: (reductions.cu:\d+): error: (data race, [^:\n]* by two blocks)")
    figure("why: blocks are not held", "unsynchronised dependence", " ".join(race) if race else "no race told", race is not None)
    one = {form: result_of(Run(opt, "reductions", [256, form], "preset=tiny"), form == "nobarrier")[0] for form in bad}
    say(f"256 numbers, one block, preset=tiny: with __syncthreads() {one['wrong']}, without {one['nobarrier']}")
    figure("safer only where all data belong to one block", "block only", f"one block: {one['wrong']}", one["wrong"] == "right")
    rows = {}
    for n in (256, 4096):
        for form in ("kernels", "single", "twolevel"):
            rows[form, n] = Run(opt, "reductions", [n, form], "preset=v100 sms=1").must_pass()
    for form, letter, remark in (("kernels", "a", "a launch a level"), ("single", "b", "one block"), ("twolevel", "c", "blocks, then blocks of their sums")):
        for n in (256, 4096):
            r = rows[form, n]
            say(f"({letter}) {remark}, {n} numbers: right, {len(r.launches)} launches, {r.total('warp_insts'):,} warp instructions, {cycles(opt, r)}")
    figure("(a) launches", "log2 n = 12", len(rows["kernels", 4096].launches), len(rows["kernels", 4096].launches) == 12)
    figure("(b) blocks, so SMs that work", "1", rows["single", 4096].total("blocks"), rows["single", 4096].total("blocks") == 1)
    if opt.backend == "rtl":
        t = {k: r.total("cycles") for k, r in rows.items()}
        figure("(c) is the quickest for many numbers", "more practical", f"{t['twolevel', 4096]:,} cycles against {t['kernels', 4096]:,} and {t['single', 4096]:,}",
               t["twolevel", 4096] < min(t["kernels", 4096], t["single", 4096]))


# ---- 2: arithmetic intensity ----

def machine(name):
    """Peak TFLOP/s, GB/s and ridge of a preset's whole machine."""
    text = subprocess.run([BIN / "warpglass", "presets", "show", name], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True).stdout
    last = lambda key: float(re.search(rf"^  {key}.* (\S+)$", text, re.M).group(1))
    shared = int(re.search(r"shared_per_block_optin_bytes +(\d+)", text).group(1))
    return last("fp32 +TFLOP/s"), last("memory GB/s"), last("ridge FLOP/byte"), shared


def question2(opt):
    """Tiles of a matrix product: where the ridge lies, and what registers add."""
    head("Question 2. N = 1024 matrix product by L x L tiles, 12.7 TFLOP/s, 900 GB/s.")
    n3, runs = 64.0**3, {}
    for L, V in ((16, 2), (32, 2), (64, 2), (32, 4), (64, 4), (64, 8)):
        runs[L, V] = Run(opt, "matmul", [64, "twolevel", L, V], "preset=v100 sms=1").must_pass()
    for L in (16, 32, 64):
        ai = 2 * n3 / (4 * max(runs[L, 2].total("load_lanes"), 1))
        figure(f"(1) AI with L = {L} (lanes that load, 4 bytes each)", f"L/4 = {L / 4:g}", f"{ai:g}", near(ai, L / 4))
    ridge = 12.7e12 / 900e9
    figure("(2) ridge, and the least L = 4 x ridge", "14.1, 56.4, so 64", f"{ridge:.1f}, {4 * ridge:.1f}, so {16 * math.ceil(4 * ridge / 16)}",
           16 * math.ceil(4 * ridge / 16) == 64)
    peak, bw, own, _ = machine("v100")
    say(f"    the preset v100 (80 SMs at its boost clock): {peak:.1f} TFLOP/s, {bw:.0f} GB/s, ridge {own:.1f}: L >= {4 * own:.1f}, so "
        f"{16 * math.ceil(4 * own / 16)} as well")
    say("    shared memory for L = 64: 2 x 64 x 64 x 4 B = 32 KB; it ran" if runs[64, 2].ok else "    L = 64 did not run")
    loads = runs[32, 2].total("load_lanes") / n3 * 1024.0**3  # the same share at N = 1024
    bytes_, flops = 4 * loads, 2 * 1024.0**3
    figure("(3) traffic at L = 32, scaled to N = 1024", "268 MB", f"{bytes_ / 1e6:.0f} MB", near(bytes_ / 1e6, 268))
    figure("    time by bandwidth against time by arithmetic", "298 us > 169 us", f"{bytes_ / 900e3:.0f} us > {flops / 12.7e6:.0f} us",
           near(bytes_ / 900e3, 298) and near(flops / 12.7e6, 169))
    figure("    attainable", "7.2 TFLOP/s, 57 %", f"{flops / (bytes_ / 900e9) / 1e12:.1f} TFLOP/s, {100 * flops / (bytes_ / 900e9) / 12.7e12:.0f} %",
           near(flops / (bytes_ / 900e9) / 1e12, 7.2))
    ffma = n3 / 64  # 64 lanes of an SM, cycles
    for (L, V), r in sorted(runs.items()):
        passes = r.total("shared_wavefronts")
        rate = f", reached {2 * n3 / r.total('cycles'):.1f} of 128 FLOP/cycle at N = 64" if opt.backend == "rtl" else ""
        say(f"    L = {L}, V = {V}: {passes:,} passes of the SM's one shared-memory pipe against {ffma:,.0f} cycles of multiply-adds{rate}")
    least = runs[32, 2].total("shared_wavefronts") / ffma
    figure("    can the kernel reach it", "57 % of the peak", f"at most {100 / least:.0f} %", None if least > 1 / 0.57 else False,
           "an SM has one pipe for shared loads, not one a sub-core: at V = 2 it is busier than the multiply-adds, and rows of A conflict")
    head("Question 2 (4). The same on an H100 with its fp32 lanes.")
    peak, bw, own, shared = machine("h100")
    say("    the text's numbers: 37.5 TFLOP/s over 1 TB/s: ridge 37.5, L >= 150")
    figure("    a vendor's H100 (preset h100)", "37.5 TFLOP/s, 1 TB/s", f"{peak:.1f} TFLOP/s, {bw / 1e3:.2f} TB/s, ridge {own:.1f}, L >= {4 * own:.0f}",
           None if 4 * own < 150 else False, "the text reckons with 1.11 GHz and a round 1 TB/s")
    figure("    tiles of L = 150", "do not fit", f"2 x 150 x 150 x 4 B = {2 * 150 * 150 * 4:,} B of {shared:,} B a block", None if 180000 < shared else False,
           "they do; and the tile's depth along k need not be L")


# ---- 3: resources ----

def question3(opt):
    """Resources of an SM: what limits the blocks on it, and what helps."""
    head("Question 3. Blocks of 128 threads and 130 floats; an SM of 384 threads and 1.5 KB (preset lecture).")
    r = Run(opt, "residency", ["blocks"], "preset=lecture").must_pass()
    parts = re.findall(r"room for (\d+) blocks; \d+ bytes: (\d+);.*\n +resident blocks +(\d+) .*\n +resident warps +(\d+), cycles of \d+ blocks (\S+)", r.text)
    if len(parts) != 2:
        fail(f"residency told {len(parts)} sizes:\n{r.text[-1500:]}")
        return
    (threads, shared, blocks, warps, time), (_, _, blocks2, warps2, time2) = parts
    figure("(1) by threads, by shared memory, resident", "3, 2, 2", f"{threads}, {shared}, {blocks}", (threads, shared, blocks) == ("3", "2", "2"))
    figure("(2) 256 threads and 258 floats: resident", "1", blocks2, blocks2 == "1")
    figure("    resident warps, 128 and 256 threads", "8 and 8", f"{warps} and {warps2}", warps == warps2 == "8")
    figure("    section 2.5: \"blocks halve, occupancy is worse\"", "worse", f"{blocks} blocks become {blocks2}, {warps} warps stay {warps2}", None,
           "occupancy in warps is equal, barriers and release are coarser")
    if opt.backend == "rtl":
        say(f"    cycles of the same work: {time} and {time2}")
    r = Run(opt, "residency", ["half"], "preset=lecture limit=300000")
    reason = r.find(r"FAIL residency (the device hangs.*)")
    figure("(3) a block of 256 in two halves: the first half waits for one that was never started", "deadlock",
           reason[0].split(";")[0] if reason else "no hang", reason is not None)
    r = Run(opt, "residency", ["large"], "preset=lecture")
    reason = r.find(r"large: (.*)")
    figure("    so a block that does not fit is not started at all", "not allowed", f"refused: {reason[0]}" if reason else "started", reason is not None and not r.ok)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("--backend", default="rtl", choices=["rtl", "func"])
    ap.add_argument("questions", nargs="*", choices=["1", "2", "3", []], help="default: all")
    opt = ap.parse_args()
    for number, answer in (("1", question1), ("2", question2), ("3", question3)):
        if not opt.questions or number in opt.questions:
            answer(opt)
    print(f"\nquestions: {'ok' if wrong == 0 else f'{wrong} wrong'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it, without words
    sys.exit(main())
