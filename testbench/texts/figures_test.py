#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of the lecture that follow from others: work and span, peaks and ridges, predicted times, the host's steps, the programs' own sizes.
Run from the root after `make build programs sm SHAPE=tiny`.

usage: figures_test.py [PART ...]
parts: span (the RTL's lockstep and the golden model follow the same chains; they grow as the text says), settings (what --span does not go
with), presets (every peak and ridge that the text names, with the vendor's), times (predicted beside measured, the host's seven steps, memory
that is never freed), base (Amdahl's f over one core's time), sizes (blocks, waves, launches of the programs at the text's own sizes on 80 SMs,
golden model; reduce in every fifth sample, all but mm_tiled with TEST_ALL=1).
"""
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, RANDOM, ROOT, check, sh  # noqa: E402


def run(name, args, settings, *options):
    """A program of programs/; (did it pass, its text, its JSON)."""
    with tempfile.NamedTemporaryFile(suffix=".json") as f:
        code, text = sh([BIN / "warpglass", "run", *options, f"--json={f.name}", ROOT / "build/programs" / name / name, *args], settings)
        data = pathlib.Path(f.name).read_text(encoding="utf-8")
    return code == 0, text, json.loads(data) if data else {"launches": []}


def spans(name, args, settings):
    ok, text, data = run(name, args, "preset=tiny limit=20000000 span=on " + settings)
    check(ok and data["launches"], f"{name} {' '.join(args)}, {settings}", text[-600:])
    rows = [l.get("work_span", {}) for l in data["launches"]]
    return [r.get("span_insts", 0) for r in rows], [r.get("work_thread_insts", 0) for r in rows], data["totals"].get("work_span", {})


# program, arguments, settings, launches (from 0) whose atomics meet in another order on another machine
ALIKE = (("convolve_1d", ["512"], "", ()), ("mm_tiled", ["32"], "", ()), ("reduce", ["4096"], "", ()), ("divergence", ["all"], "", ()),
         ("divergence", ["all"], "diverge=its", ()), ("barriers", ["all"], "", ()), ("reductions", ["1024"], "", ()), ("histogram", ["1024"], "", ()),
         ("scan", ["512"], "", ()), ("mma_matmul", ["16"], "", ()), ("streams", ["4", "64"], "", ()), ("cross_block", ["all"], "", ()),
         ("waiting", [], "", (3, 4)), ("waiting", [], "diverge=its", (3, 4)), ("transpose", ["32"], "sched=gto", ()))


def part_span():
    """L 4.1, M15."""
    rows = ALIKE if ALL else RANDOM.sample(ALIKE[:-4], 2) + [RANDOM.choice(ALIKE[-4:])]
    for name, args, settings, left_out in rows:
        a, b = spans(name, args, f"backend=func {settings}"), spans(name, args, f"backend=rtl {settings}")
        pairs = [(i, x, y) for i, (x, y) in enumerate(zip(a[0], b[0])) if i not in left_out]
        check(len(a[0]) == len(b[0]) and pairs and all(x == y > 0 for _, x, y in pairs),
              f"{name} {' '.join(args)} {settings}: golden model and RTL follow the same chains ({len(pairs)} launches)", str(pairs))
    a, b = (spans("waiting", [], f"backend=func {s}") for s in ("", "diverge=its split=alternate"))
    check(a[1][1] > 50 * a[0][1] and b[0][1] == a[0][1], f"a loop that waits: work {a[1][1]} and {b[1][1]}, span {a[0][1]} and {b[0][1]}: its turns do not count")
    small, large = (spans("convolve_1d", [n], "backend=func") for n in ("512", "4096"))
    check(small[0] == large[0] and len(set(small[0])) == 2 and max(small[0]) < 40, f"convolution: span {small[0][0]} and {small[0][-1]} for 512 and 4096 elements: Theta(1)")
    ratio = large[1][0] / small[1][0]
    check(7.9 < ratio < 8.1, f"convolution: work grows with N, {ratio:.2f} times for 8 times the elements: parallelism is Theta(N)")
    product = {n: spans("mm_tiled", [str(n)], "backend=func preset=v100 sms=1")[0][0] for n in (32, 64, 128)}
    steps = product[64] - product[32], product[128] - product[64]
    check(steps[1] == 2 * steps[0] and steps[0] >= 32, f"matrix product: span {product} for N: Theta(N), at least the N additions into a sum")
    levels = {n: spans("reduce", [str(n)], "backend=func preset=v100 sms=1") for n in (512, 2**18)}
    one, two = levels[512][2]["span_insts"], levels[2**18][2]["span_insts"]
    check(len(levels[512][0]) == 1 and len(levels[2**18][0]) == 2 and 1.8 < two / one < 2.2, f"reduction: span {one} for 2^9 numbers, {two} for 2^18: Theta(log n)")
    _, text, data = run("reduce", ["65536"], "preset=v100 backend=func span=on")
    machine = data["machine"]
    check(machine["max_resident_threads"] == 2048 and machine["full_machine_threads"] == 163840, "a V100 holds 80 x 64 x 32 = 163,840 threads, an SM 2048")
    total = re.search(r"^all +(\d+) +(\d+) +([\d.]+)  in stream order$", text, re.M)
    of_run = data["totals"]["work_span"]
    check(total is not None and int(total[2]) == of_run["span_insts"] == sum(l["work_span"]["span_insts"] for l in data["launches"]) and
          int(total[1]) == of_run["work_thread_insts"] == sum(l["thread_insts"] for l in data["launches"]) and abs(float(total[3]) - int(total[1]) / int(total[2])) < 0.06,
          "launches of a stream add up; parallelism is work over span", text[-1500:])
    parallelism = int(total[1]) / int(total[2]) if total else 0
    check(re.search(rf"min\(parallelism, resident\) busy: 2048, {parallelism:.0f}$", text, re.M) is not None, "min(W / S, P_HW) is printed", text[-900:])
    _, text, data = run("reduce", ["4096"], "preset=tiny backend=func span=on", "--report")
    check(re.search(r"^Work and span: work_thread_insts = [\d,]+; span_insts = 36; parallelism_ratio = ", text, re.M) is not None, "the report says it too", text[-3000:])
    _, text, data = run("reduce", ["4096"], "preset=tiny backend=func")
    check("span_insts" not in json.dumps(data) and "parallelism" not in text, "without the setting nothing is measured and nothing printed")


def part_settings():
    program = [ROOT / "build/programs/reduce/reduce", "4096"]
    for settings, message, remedy in (("backend=stub", "does not go with this back end", "backend=func"), ("check=off", "does not go with check=off", "check=retire"),
                                      ("concurrent=on backend=func", "concurrent=on does not go with span", "leave one of them out"),
                                      ("journal=build/figures.journal", "a journal does not go with 'span'", "one of the two")):
        code, text = sh([BIN / "warpglass", "run", *program], f"preset=tiny span=on {settings}")
        check(code != 0 and message in text and remedy in text, f"span=on {settings}: refused with a remedy", text)
    code, text = sh([BIN / "warpglass", "run", "--span", "yes", *program], "preset=tiny backend=func")
    check(code == 2 and "yes" in text and "on" in text, "--span yes: names the words", text)


def part_presets():
    """L 2.9, 4.3: 4.6, 12.7, 37.5, 1000 TFLOP/s; 14.1, 37.5, 1000 FLOP/byte; the vendor's beside them."""
    figures = {
        "gtx980": (r"fp32 +peak TFLOP/s +4\.6 +4\.6 +4\.6 +1123 ", r"resident threads +2048 +2048 +32768$"),
        "v100": (r"fp32 +peak TFLOP/s +12\.7 +14\.1 +14\.0 +1240 ", r"fp32 +ridge FLOP/byte +14\.1 +15\.7 +text: 900 GB/s, here 898$",
                 r"matrix peak TFLOP/s +- +113\.0 +112\.0 ", r"fp64 +TFLOP/s +0\.0883 +0\.0883 +7\.0656$", r"half +TFLOP/s +0\.3533 +0\.3533 +28\.2624$",
                 r"ridge of matrix +100\.7 +100\.7 +125\.9$", r"resident threads +2048 +2048 +163840$"),
        "h100": (r"fp32 +peak TFLOP/s +37\.5 +66\.9 +67\.0 +1110 ", r"fp32 +ridge FLOP/byte +37\.5 +20\.0 +text: 1000 GB/s, here 3352$",
                 r"matrix peak TFLOP/s +1000\.0 +1070\.5 +989\.0 ", r"matrix ridge FLOP/byte +1000\.0 +319\.3 ", r"int +Top/s +0\.1267 +0\.1267 +16\.7270$"),
    }
    for name, lines in figures.items():
        code, text = sh([BIN / "warpglass", "presets", "show", name])
        for line in lines:
            check(code == 0 and re.search("^  " + line, text, re.M), f"presets show {name}: {line}", text[:2600])
    # the text's figures from its clocks: SMs x lanes x 2 x clock
    for name, lanes, mhz, tera in (("gtx980", 2048, 1123, 4.6), ("v100", 5120, 1240, 12.7), ("h100", 16896, 1110, 37.5)):
        check(abs(2 * lanes * mhz * 1e6 / 1e12 - tera) < 0.05, f"{name}: {lanes} lanes x 2 x {mhz} MHz are the text's {tera} TFLOP/s")
    code, text = sh([BIN / "warpglass", "presets", "show", "tiny"])
    check(code == 0 and "figures of others" not in text, "nobody says anything of tiny")


def part_times():
    """B 101: launch + waves x block time + tail + drain; L 2.6: seven steps; steps that programs leave out."""
    for name, args, launches, frees in (("convolve_1d", ["512"], 40, True), ("mm_tiled", ["32"], 5, False), ("reduce", ["4096"], 2, False)):
        with tempfile.NamedTemporaryFile() as f:
            ok, text, data = run(name, args, "preset=tiny", f"--timeline={f.name}")
            page = pathlib.Path(f.name).read_text(encoding="utf-8")
        rows = re.findall(r"^ +(\d+) +([\d.]+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)  \w+\(", page, re.M)
        sums = all(abs(float(r[1]) + int(r[2]) * float(r[3]) + float(r[4]) - float(r[5])) < 0.02 for r in rows)
        near = all(0.5 * float(r[6]) < float(r[5]) < 2.0 * float(r[6]) for r in rows)
        check(ok and len(rows) == launches == len(data["launches"]) and sums and near, f"{name}: launch + waves x block time + drain beside the measured time, {launches} launches", page[:3000])
        for i, r in enumerate(rows[:3]):
            l = data["launches"][i]
            check(int(r[2]) == l["block_waves"] and float(r[1]) > 0, f"{name}, launch {i + 1}: {r[2]} waves, launch {r[1]} us, predicted {r[5]} us, measured {r[6]} us", page[:1500])
        steps = [re.search(rf"^{i} [a-z ]+ +.*$", page, re.M) for i in range(1, 8)]
        check(all(steps), f"{name}: seven steps", page[:1200])
        moved = [re.search(r" (\d+) +([\d.]+)  ", s[0] + "  ") for s in steps if s]
        copies = moved[3] is not None and int(moved[3][1]) > 0 and float(moved[3][2]) > 0 and moved[5] is not None and int(moved[5][1]) > 0
        check(copies, f"{name}: copies with bytes and time", page[:1200])
        noted = "were never freed" in page and "step 7 is missing" in page
        check(noted != frees and ("never freed" in text) != frees, f"{name}: {'frees all it allocates' if frees else 'step 7 is missing, and said to be'}", page[:1200])


def part_base():
    """L 4.2: f."""
    ok, text, _ = run("amdahl", ["base"], "preset=tiny backend=func")
    check(ok and re.search(r"f by the text's figures +0\.006985 .* agree$", text, re.M) and re.search(r"one core of this host, measured: N = 256 in \S+ ms, [\d.]+ GFLOP/s", text),
          "amdahl base: f over one core's time, by the text's figure and measured", text)


def part_sizes():
    """M18: programs/SIZES.md, and what it must say of the text's run lines: 3 launches, 6.4 waves, 268 MB, 71 us."""
    page = (ROOT / "programs/SIZES.md").read_text(encoding="utf-8")
    for row in (r"`reduce 16777216`: reduce_kernel \| 1 \| 32768 \| 8388608 \| 51\.20 .*\| 67\.2 \| 74\.9 ", r"`convolve_1d 1048576`: convolve_v1 \| 20 \| 8192 \| 1048576 \| 6\.40 ",
                r"`mm_tiled 1024`: mm_tiled, from 64, 128, 256 \| 5 \| 1024 \| 262144 .*\| 2147483648 \| 272\.6 "):
        check(re.search(row, page), f"SIZES.md: {row}", page)
    check(page.count("`reduce 16777216`") == 3, "SIZES.md: reduce has three launches", page)
    for name in ("reduce", "convolve_1d", "mm_tiled") if ALL else ("reduce",) if RANDOM.random() < 0.2 else ():
        code, text = sh([ROOT / "programs/sizes.py", "--check", ROOT / "programs/SIZES.md", name])
        check(code == 0 and "is what the runs give" in text, f"SIZES.md: {name} gives its rows again", text)


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
