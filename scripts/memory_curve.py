#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Latency against bandwidth of a preset's memory system, as CSV and SVG, from build/bin/wgmem.

usage: scripts/memory_curve.py OUT [PRESET]     writes OUT.csv and OUT.svg; PRESET: v100
       scripts/memory_curve.py --check FILE.csv runs again and compares every row; the shape must be right as well
"""
import csv
import io
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SERIES = [("sequential reads", ["pattern=seq"]), ("reads, every third flit a store", ["pattern=mixed"]),
          ("random sectors: fr-fcfs-cap", ["pattern=random"]), ("random: fr-fcfs, closed page", ["pattern=random", "scheduler=fr-fcfs", "page=closed"]),
          ("random: bank-rr", ["pattern=random", "scheduler=bank-rr"]), ("random: fcfs", ["pattern=random", "scheduler=fcfs"])]
COLOURS = ["#0b5394", "#38761d", "#990000", "#b45f06", "#674ea7", "#555555"]
W, H, LEFT, TOP, PW, PH = 760, 430, 70, 30, 460, 340


def measure(preset):
    rows = []
    for name, words in SERIES:
        text = subprocess.run([ROOT / "build/bin/wgmem", preset, *words], check=True, capture_output=True, text=True).stdout
        rows += [{"series": name, **r} for r in csv.DictReader(io.StringIO(text))]
    return rows


def text_of(rows):
    out = io.StringIO()
    w = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
    w.writeheader()
    w.writerows(rows)
    return out.getvalue()


def faults_of(rows):
    """What is wrong with the shape: flat at low load, at least 90 % of the pins for sequential reads, less for random ones."""
    of = {n: [(float(r["reached_percent"]), float(r["latency_mean_cycles"])) for r in rows if r["series"] == n] for n, _ in SERIES}
    seq, rnd, fcfs = of[SERIES[0][0]], of[SERIES[2][0]], of[SERIES[5][0]]
    bad = []
    if max(p for p, _ in seq) < 90:
        bad.append("sequential reads stay below 90 % of the pins")
    if max(p for p, _ in rnd) > 40:
        bad.append("random sectors are too fast for the activate window")
    if max(p for p, _ in fcfs) > 0.5 * max(p for p, _ in rnd):
        bad.append("arrival order is as fast as first ready")
    if seq[5][1] > 1.3 * seq[0][1]:
        bad.append("latency rises below half of the load")
    if seq[-1][1] < 2 * seq[0][1]:
        bad.append("latency does not rise at saturation")
    return bad


def svg(rows, preset):
    """The curves as a picture. rows: measured points; preset: its name."""
    top = 2200.0
    px = lambda p: LEFT + PW * p / 100
    py = lambda c: TOP + PH * (1 - min(c, top) / top)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{W}" height="{H}" font-family="sans-serif" font-size="12">',
           f'<rect width="{W}" height="{H}" fill="white"/>',
           f'<text x="{LEFT}" y="18">Memory system of {preset}, one SM\'s share: latency against bandwidth</text>']
    for p in range(0, 101, 20):
        out.append(f'<path d="M{px(p):.1f} {TOP}V{TOP + PH}" stroke="#ddd"/><text x="{px(p):.1f}" y="{TOP + PH + 16}" text-anchor="middle">{p}</text>')
    for c in range(0, int(top) + 1, 400):
        out.append(f'<path d="M{LEFT} {py(c):.1f}H{LEFT + PW}" stroke="#ddd"/><text x="{LEFT - 6}" y="{py(c) + 4:.1f}" text-anchor="end">{c}</text>')
    out.append(f'<text x="{LEFT + PW / 2}" y="{TOP + PH + 36}" text-anchor="middle">bandwidth reached, % of the memory\'s pins</text>')
    out.append(f'<text transform="translate(16 {TOP + PH / 2}) rotate(-90)" text-anchor="middle">mean latency at the SM\'s port, SM cycles</text>')
    for (name, _), colour, k in zip(SERIES, COLOURS, range(len(SERIES))):
        pts = [(px(float(r["reached_percent"])), py(float(r["latency_mean_cycles"]))) for r in rows if r["series"] == name]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in pts)}"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in pts]
        y = TOP + 14 + 20 * k
        out.append(f'<path d="M{LEFT + PW + 14} {y}h18" stroke="{colour}" stroke-width="2"/><text x="{LEFT + PW + 38}" y="{y + 4}">{name}</text>')
    return "\n".join(out + ["</svg>\n"])


def main():
    args = sys.argv[1:]
    if len(args) == 2 and args[0] == "--check":
        want = pathlib.Path(args[1]).read_text()
        rows = measure(next(csv.DictReader(io.StringIO(want)))["preset"])
        bad = faults_of(rows)
        if text_of(rows) != want:
            bad.append(f"{args[1]} is stale; remedy: make memory-curve")
        for b in bad:
            print("FAIL  " + b)
        print(f"{5 + 1 - len(bad)} passed, {len(bad)} failed")
        return 1 if bad else 0
    if len(args) not in (1, 2) or args[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    preset = args[1] if len(args) == 2 else "v100"
    rows = measure(preset)
    pathlib.Path(args[0] + ".csv").write_text(text_of(rows))
    pathlib.Path(args[0] + ".svg").write_text(svg(rows, preset))
    return 0


if __name__ == "__main__":
    sys.exit(main())
