#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages of runs and comparisons in a real browser (headless Chromium). Run from the root after `make build programs sm SHAPE=tiny`.

usage: testbench/html/html_test.py [PART ...]
parts:
  run      (with event traces: states of warps and heat over lines against the counters and the events as text) pages of several runs: nothing on the console, nothing loaded, every plot has marks; their sizes, measured in the
           page against its axes, are the document's numbers; so are the CSV files and the SVG files beside it
  look     pixels of screenshots are the colours and lengths that the data ask for; light, dark, print, narrow; contrast
  compare  ratios, intervals and geometric means against `compare --csv`, a store with spread and failures; the main figures and
           the stacks of warp states and issue slots against the store
  refused  files that cannot be written or are of another run, words that are none, hostile names: one sentence, nothing left behind
A browser that is not there is a failure (`scripts/deps.sh browser` installs it). TEST_ALL=1: more runs. Last line: `N passed, N failed`.
"""
import collections
import csv
import json
import math
import pathlib
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from browser import Browser, BrowserError  # noqa: E402
from seal import seal  # noqa: E402
from suite import ALL, ROOT, WG, check, sh_apart  # noqa: E402

# name of the document: program, arguments, options (with an event trace), with a log of blocks
RUNS = {"reduce": ("reduce", ["4096"], ["--preset", "tiny", "--events", "EVENTS"], True), "mm": ("mm_tiled", ["32"], ["--preset", "tiny", "--sched", "gto"], False),
        "mma": ("mma_matmul", [], ["--preset", "tiny"], False),
        "func": ("reductions", ["2048", "kernels"], ["--preset", "tiny", "--backend", "func"], False)}
MORE = {"streams": ("streams", [], ["--preset", "tiny", "--concurrent", "on", "--events", "EVENTS"], True), "off": ("reduce", ["2048"], ["--preset", "tiny", "--check", "off"], True),
        "fp64": ("convolve_1d", ["256"], ["--preset", "tiny"], True)}


def sh(*args):
    """(exit code, stdout, stderr)"""
    return sh_apart(args)


def number(doc, path):
    for key in path.split("."):
        doc = doc.get(key) if isinstance(doc, dict) else None
    return doc


# ---- what a page shows ----

FIGURES = """[...document.querySelectorAll('figure')].map(f => {
  const svg = f.querySelector('svg'), v = svg.viewBox.baseVal, out = [];
  for (const t of svg.querySelectorAll('text')) {
    const b = t.getBBox();
    if (b.x < -0.5 || b.y < -0.5 || b.x + b.width > v.width + 0.5 || b.y + b.height > v.height + 0.5) out.push(t.textContent);
  }
  const box = e => { const r = e.getBoundingClientRect(); return [r.x + scrollX, r.y + scrollY, r.width, r.height]; };
  return {id: f.id, title: svg.querySelector('title').textContent, cut: out, box: box(svg), scale: svg.getBoundingClientRect().width / v.width,
    texts: [...svg.querySelectorAll('text')].map(t => t.textContent),
    ticks: [...svg.querySelectorAll('text.tick')].map(t => ({x: +t.getAttribute('x'), y: +t.getAttribute('y'), middle: t.getAttribute('text-anchor') == 'middle', v: +t.textContent})),
    errs: [...svg.querySelectorAll('line.err')].map(e => ['x1', 'y1', 'x2', 'y2'].map(k => +e.getAttribute(k))),
    marks: [...svg.querySelectorAll('.mark')].map(m => { const b = m.getBBox(); return {x: b.x, y: b.y, w: b.width, h: b.height, page: box(m),
      fill: getComputedStyle(m).fill, tip: m.querySelector('title').textContent}; })};
})"""
CONTRAST = """(() => {
  const rgb = t => t.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const lum = c => { const f = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const ratio = (a, b) => { const x = lum(rgb(a)), y = lum(rgb(b)); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const page = getComputedStyle(document.body).backgroundColor, bad = [];
  for (const e of document.querySelectorAll('h1,h2,h3,p,td,figcaption,caption,a')) {
    const r = ratio(getComputedStyle(e).color, page);
    if (r < 4.5) bad.push(e.tagName + ' ' + e.textContent.slice(0, 30) + ' ' + r);
  }
  for (const t of document.querySelectorAll('svg text')) {
    const s = [...t.classList].find(c => /^t[0-9]+$/.test(c));
    let under = page;
    const k = [...t.classList].find(c => /^k[0-9]+$/.test(c));
    const cls = s ? '.s' + s.slice(1) : k ? '.h' + k.slice(1) : '';
    if (cls) under = getComputedStyle(t.ownerSVGElement.querySelector(cls)).fill;
    const r = ratio(getComputedStyle(t).fill, under);
    if (r < 4.5) bad.push('svg ' + s + ' ' + t.textContent + ' ' + r);
  }
  return {page, bad};
})()"""


def axis(figure, middle=True):
    """(position of 0 or of the first tick, pixels a unit, is it logarithmic) of an axis, from its ticks alone."""
    ticks = [t for t in figure["ticks"] if t["middle"] == middle]
    key = "x" if middle else "y"
    a, b = ticks[0], ticks[-1]
    return a[key], a["v"], b[key], b["v"]


def value_of(figure, x):
    x0, v0, x1, v1 = axis(figure)
    return v0 + (x - x0) * (v1 - v0) / (x1 - x0)


def log_value(figure, at, middle):
    p0, v0, p1, v1 = axis(figure, middle)
    at -= 0 if middle else -4  # the numbers of the vertical axis stand four pixels below their line
    return 10 ** (math.log10(v0) + (at - p0) * (math.log10(v1) - math.log10(v0)) / (p1 - p0))


def lengths(figure):
    """Labels and lengths of the marks, in units of the axis."""
    return [(m["tip"].rsplit(":", 1)[0], value_of(figure, m["x"] + m["w"]) - value_of(figure, m["x"])) for m in figure["marks"]]


def ratios_of(figure):
    """Labels and ratios of bars that begin at 1, to either side."""
    ends = [(m["tip"].rsplit(":", 1)[0], value_of(figure, m["x"]), value_of(figure, m["x"] + m["w"])) for m in figure["marks"]]
    return [(tip, b if abs(a - 1) < abs(b - 1) else a) for tip, a, b in ends]


def near(a, b, span):
    """Equal to what a picture can show of an axis of that span."""
    return abs(a - b) <= max(2e-5 * abs(span), 1e-9)


def differ(what, got, want, span):
    """Differences of two lists of (label, value)."""
    if len(got) != len(want):
        return [f"{what}: {len(got)} marks for {len(want)} numbers: {got} {want}"]
    return [f"{what}, {w[0]}: drawn {g[1]}, document {w[1]}" for g, w in zip(got, want) if not near(g[1], w[1], span) or w[0] not in g[0]]


SPEED = ["compute", "issue", "int_pipe", "fp_pipe", "fp64_pipe", "sfu_pipe", "lsu_pipe", "mma_pipe", "memory", "shared", "l1", "xbar", "l2", "dram"]
SPEED_NAMES = ["compute", "issue slots", "INT", "FP32", "FP64", "SFU", "LSU", "matrix", "memory", "shared", "L1", "crossbar", "L2", "DRAM"]


def launch_figures(doc, l, blocks):
    """What a launch's plots must show: id without the launch: ([(label, value)], span of the axis)."""
    want, n = {}, f"launch{l['launch']}-"
    rates = l.get("rates", {})
    speed = [(name, rates[f"{k}_percent"]) for k, name in zip(SPEED, SPEED_NAMES) if f"{k}_percent" in rates]
    if speed:
        want[n + "speed-of-light"] = (speed, 100)
    hits = [(name, rates[k]) for name, k in (("L1", "l1_ld_hit_percent"), ("L2", "l2_ld_hit_percent"), ("DRAM", "dram_row_hit_percent")) if k in rates]
    if hits:
        want[n + "hit-rates"] = (hits, 100)
    occ = [(k, l["occupancy"][f"{k}_warps"]) for k in ("theoretical", "achieved") if f"{k}_warps" in l.get("occupancy", {})]
    if occ:
        want[n + "occupancy"] = (occ, doc["machine"]["max_resident_warps"])
    for key, name, scale in (("issue_slots", "issue-slots", None), ("warp_states", "warp-states", l.get("warp_insts", 0))):
        parts = l.get(key, {})
        total = sum(parts.values())
        per = 100 / total if scale is None and total else 1 / scale if scale else 0
        part = [(k.rsplit("_", 1)[0].replace("_", " "), v * per) for k, v in parts.items() if v]
        if part and per and ("rates" in l or name == "issue-slots"):
            want[n + name] = (part, sum(v for _, v in part))
    if blocks:
        mine = [b for b in blocks if int(b["grid"]) == l["launch"]]
        first, ends = min(int(b["cycle"]) for b in mine), {}
        for b in mine:
            if b["event"] == "end":
                ends[b["number"]] = int(b["cycle"]) + 1
        want[n + "blocks"] = ([(b["number"], ends[b["number"]] - int(b["cycle"])) for b in mine if b["event"] == "start"], max(ends.values()) - first)
    return want


def run_figures(doc, blocks):
    want, points = {}, {}
    ls = doc["launches"]
    for l in ls:
        want.update(launch_figures(doc, l, blocks))
    if len(ls) > 1:
        cycles = [(str(l["launch"]), l["cycles"]) for l in ls if "cycles" in l]
        if cycles:
            want["cycles"] = (cycles, max(v for _, v in cycles))
        stacks = [(k.rsplit("_", 1)[0].replace("_", " "), 100 * v / sum(l["issue_slots"].values())) for l in ls if "issue_slots" in l for k, v in l["issue_slots"].items() if v]
        if stacks:
            want["issue-slots"] = (stacks, 100)
    copies = [(k.replace("_", " "), v["busy_ns"]) for k in ("host_to_device", "device_to_host", "within_device", "set") for v in [doc.get("copies", {}).get(k)] if v]
    if copies:
        want["copies-busy"] = (copies, max(v for _, v in copies))
    for bits in ("32", "64"):
        point = {}
        for l in ls:
            flops, moved = number(l, f"rates.fp{bits}_flops"), l.get("dram_read_bytes", 0) + l.get("dram_write_bytes", 0)
            if flops and moved and l.get("cycles"):
                point[l["launch"]] = (flops / moved, flops / l["cycles"])
        for n, p in point.items():
            points[f"launch{n}-roofline-fp{bits}"] = [p]
        if point and len(ls) > 1:
            points[f"roofline-fp{bits}"] = list(point.values())
    return want, points


OF_TRACE = ("warp-timeline", "scheduler-warps", "slot-states", "lines", "instructions")  # judge_trace judges them
OF_HEAT = ("heat-ptx", "heat-source")  # judge_heat


def judge(figures, doc, blocks):
    """Sentences on where a page's plots are not what the document says."""
    want, points = run_figures(doc, blocks)
    bad, seen = [], {f["id"]: f for f in figures if not f["id"].endswith(OF_TRACE + OF_HEAT)}
    bad += [f"plot {i}: in the page {i in seen}, expected {i in want or i in points}" for i in sorted(set(want) ^ (set(seen) - set(points)) | set(points) - set(seen))]
    for name, (values, span) in want.items():
        if name in seen:
            bad += differ(name, lengths(seen[name]), values, span)
    for name, values in points.items():
        if name not in seen:
            continue
        f = seen[name]
        got = [(log_value(f, m["x"] + m["w"] / 2, True), log_value(f, m["y"] + m["h"] / 2, False)) for m in f["marks"]]
        if len(got) != len(values) or any(abs(math.log10(g / w)) > 2e-4 for a, b in zip(got, values) for g, w in zip(a, b)):
            bad.append(f"{name}: drawn {got}, document {values}")
    for f in figures:
        bad += [f"{f['id']} has no mark"] if not f["marks"] else []
        bad += [f"{f['id']}: a text is cut: {t}" for t in f["cut"]]
        bad += [f"{f['id']}: no title"] if not f["title"] else []
    return bad


def quiet(browser, path):
    """What the page said or loaded besides itself."""
    return browser.console + [u for u in browser.requests if u != path.resolve().as_uri() and not u.startswith("data:")]


# ---- parts ----

def make_run(tmp, name):
    """(document, its path, options of `report`, blocks) of a run"""
    program, args, options, log = (RUNS | MORE)[name]
    path, blocklog = tmp / f"{name}.json", tmp / f"{name}.blocks"
    if not path.exists():
        options = [tmp / f"{name}.events" if o == "EVENTS" else o for o in options]
        code, out, err = sh(WG, "run", *options, *(["--blocklog", blocklog] if log else []), "--json", path, ROOT / "build/programs" / program / program, *args)
        if code != 0:
            raise RuntimeError(f"{name}: {(out + err)[-800:]}")
    more = (["--blocklog", blocklog] if log else []) + (["--events", tmp / f"{name}.events"] if (tmp / f"{name}.events").exists() else [])
    return json.loads(path.read_text()), path, more, list(csv.DictReader(blocklog.open())) if log else None


def csv_values(path):
    """Numbers of a plot's CSV file, in its order, those of a stack without zeros."""
    rows = list(csv.reader(path.open()))
    return rows[0], rows[1:]


def judge_files(plots, figures, doc, blocks):
    """The CSV files against the document, the SVG files against the page."""
    want, _ = run_figures(doc, blocks)
    bad = [f"{f}: not there" for x in figures for f in (f"{x['id']}.svg", f"{x['id']}.csv") if not (plots / f).exists()]
    bad += [f"{p}: of no plot" for p in plots.iterdir() if p.stem not in {x["id"] for x in figures}]
    if bad:
        return bad
    for f in figures:
        root = ET.parse(plots / f"{f['id']}.svg").getroot()
        marks = sum("mark" in (e.get("class") or "").split() for e in root.iter())
        bad += [f"{f['id']}.svg: {marks} marks of {len(f['marks'])}"] if marks != len(f["marks"]) else []
        head, rows = csv_values(plots / f"{f['id']}.csv")
        bad += [f"{f['id']}.csv: empty"] if not rows else []
        bad += [f"{f['id']}.csv: a row of another width"] if any(len(r) != len(head) for r in rows) else []
        if f["id"] not in want:
            continue
        if f["id"].endswith("blocks"):
            got = [int(r[3]) - int(r[2]) for r in rows]
        else:
            got = [float(v) for r in rows for v in r[1:] if v and (float(v) or not f["id"].endswith(("issue-slots", "warp-states")))]
        good = len(got) == len(want[f["id"]][0]) and all(math.isclose(g, w, rel_tol=1e-10) for g, (_, w) in zip(got, want[f["id"]][0]))
        bad += [] if good else [f"{f['id']}.csv: {got[:8]} for {want[f['id']][0][:8]}"]
    return bad


def warps_by_text(path, grid):
    """From the events as text: ({(SM, sub, slot): [state by cycle, None]}, first cycle, {pc: issues})"""
    code, text, err = sh(WG, "trace", path, "--text", "-")
    assert code == 0, err
    why, there, since, states, issues = {}, {}, {}, collections.defaultdict(dict), collections.Counter()

    def until(w, cycle):  # the warp had its state up to here
        for c in range(since.get(w, cycle), cycle):
            if there.get(w, (0,))[0] == grid and why.get(w, "no warp") != "no warp":
                states[w][c] = why[w]
        since[w] = cycle
    for line in text.splitlines():
        m = re.match(r" *(\d+) sm(\d+) (\w+) +(.*)", line)
        if not m:
            continue
        cycle, sm, kind, rest = int(m[1]), int(m[2]), m[3], m[4]
        place = re.match(r"warp (\d+)\.(\d+) ", rest)
        w = place and (sm, int(place[1]), int(place[2]))
        if kind == "init":
            since[w], there[w] = cycle, (int(re.search(r"grid (\d+)", rest)[1]), int(re.search(r"slot (\d+) threads", rest)[1]))
        elif kind == "why":
            for sub, slot, reason in re.findall(r"(\d+)\.(\d+): ([A-Za-z ]+)", rest):
                until((sm, int(sub), int(slot)), cycle)
                why[sm, int(sub), int(slot)] = reason.strip()
        elif kind == "issue":
            until(w, cycle)
            if there[w][0] == grid:
                states[w][cycle] = "issued"
                issues[re.search(r"pc (0x[0-9a-f]+)", rest)[1]] += 1
            since[w] = cycle + 1
        elif kind == "free":
            for x, (_, block) in list(there.items()):
                if x[0] == sm and block == int(re.search(r"(\d+)", rest)[1]):
                    until(x, cycle + 1)
                    del there[x]
    first, last = min(min(v) for v in states.values()), max(max(v) for v in states.values()) + 1
    return {w: [v.get(c) for c in range(first, last)] for w, v in sorted(states.items())}, issues


def judge_trace(figures, plots, l, events):
    """Plots of an event trace against the counters of the launch, and against the events as text."""
    bad, seen, n = [], {f["id"]: f for f in figures}, f"launch{l['launch']}-"
    by_warp, issues = warps_by_text(events, l["launch"])
    table = {}
    for name in OF_TRACE:
        if n + name not in seen:
            return [f"no plot {name}"]
        table[name] = csv_values(plots / f"{n}{name}.csv")
        if name != "warp-timeline":
            bad += differ(name, lengths(seen[n + name]), [(f"{r[0].lstrip()}, " + h.rsplit(" (", 1)[0], float(v)) for r in table[name][1]
                                                          for h, v in zip(table[name][0][1:], r[1:]) if float(v)], axis(seen[n + name])[3])
    sums = {name: {h.rsplit(" (", 1)[0].lower(): sum(float(r[i + 1]) for r in table[name][1]) for i, h in enumerate(table[name][0][1:])} for name in OF_TRACE[1:]}
    states = {k.rsplit("_", 1)[0].replace("_", " "): v for k, v in l["warp_states"].items() if v}
    bad += [f"slots: {sums['slot-states']}, counters {states}"] if sums["slot-states"] != states else []
    length = len(next(iter(by_warp.values())))
    bad += [] if all(abs(sums["scheduler-warps"][k] * length - v) < 1e-5 * v + 1e-5 for k, v in states.items()) else [f"schedulers: {sums['scheduler-warps']}"]
    for name in ("lines", "instructions"):  # what is not of an instruction to come: waiting for the end
        want = {k: v for k, v in states.items() if k != "finished"}
        bad += [] if all(0 <= v - sums[name].get(k, 0) <= (0 if k != "branch" else 0.1 * v) for k, v in want.items()) else [f"{name}: {sums[name]}, counters {want}"]
    got = {"0x" + (r[0].split()[0].lstrip("0") or "0"): int(r[1]) for r in table["instructions"][1]}
    bad += [f"issues: {got}, events {dict(issues)}"] if got != dict(issues) or sum(got.values()) != l["warp_insts"] else []
    rows = collections.defaultdict(list)
    for state, row, a, b in table["warp-timeline"][1]:
        rows[row].append((state.lower(), int(a), int(b)))
    edges = [length * c // 200 for c in range(201)]
    for (sm, sub, slot), cycles in by_warp.items():
        want = []
        for a, b in zip(edges, edges[1:]):
            count = collections.Counter(c.lower() for c in cycles[a:b] if c)
            best = {k for k, v in count.items() if v == max(count.values())}
            want.append((a, b, best))
        drawn = {c: state for state, a, b in rows[f"SM{sm}.{sub} warp {slot}"] for c in range(a, b)}
        bad += [f"SM{sm}.{sub} warp {slot}, cycle {a}: drawn {drawn.get(a)}, events {best}" for a, b, best in want if a < b and
                ((drawn.get(a) not in best) if best else a in drawn)][:3]
    spans = [(f"{r[0]}, {r[1]}", int(r[3]) - int(r[2])) for r in table["warp-timeline"][1]]
    bad += differ("timeline", lengths(seen[n + "warp-timeline"]), spans, length)
    return bad


def modules_of(path):
    """Of an event trace, read here by its description (cosim/events.h).

    @return {launch: (PTX lines, [(pc, PTX line)], [(pc, file, line)])}
    """
    data, at, modules, launches = path.read_bytes(), 12, [], {}
    while at < len(data):
        kind, size = struct.unpack_from("<cI", data, at)
        body, at = data[at + 5:at + 5 + size], at + 5 + size
        if kind == b"M":
            p = 16
            for _ in range(struct.unpack_from("<I", body, 12)[0]):
                words, name = struct.unpack_from("<IH", body, p + 4)
                p += 10 + name + 16 * words
            files, p = struct.unpack_from("<I", body, p)[0], p + 4
            names = []
            for _ in range(files):
                n = struct.unpack_from("<H", body, p)[0]
                names.append(body[p + 2:p + 2 + n].decode())
                p += 2 + n
            count = struct.unpack_from("<I", body, p)[0]
            lines = [struct.unpack_from("<III", body, p + 4 + 12 * i) for i in range(count)]
            modules.append([[], [], [(pc, names[f], line) for pc, f, line in lines]])
        elif kind == b"P":
            count = struct.unpack_from("<I", body)[0]
            modules[-1][1] = [struct.unpack_from("<II", body, 4 + 8 * i) for i in range(count)]
            modules[-1][0] = body[4 + 8 * count:].decode().split("\n")
        elif kind == b"L":
            grid, module = struct.unpack_from("<II", body)
            launches[grid] = module
    return {grid: modules[m] for grid, m in launches.items()}


def heat_by_text(path, grid):
    """From the events as text: {pc: [issues, lanes, sectors]}"""
    _, text, _ = sh(WG, "trace", path, "--text", "-")
    of, tag, sums = {}, {}, collections.defaultdict(lambda: [0, 0, 0])
    for line in text.splitlines():
        m = re.match(r" *\d+ (sm\d+) (init|issue|lsu|line) +(.*)", line)
        if not m or m[3].startswith("done"):
            continue
        sm, kind, rest = m.groups()
        warp = re.match(r"warp \d+\.\d+", rest)
        if kind == "init":
            of[sm, warp[0]] = int(re.search(r"grid (\d+)", rest)[1])
        elif kind == "issue" and of[sm, warp[0]] == grid:
            pc, lanes = re.search(r"pc 0x([0-9a-f]+) .* lanes 0x([0-9a-f]+)", rest).groups()
            sums[int(pc, 16)][0] += 1
            sums[int(pc, 16)][1] += int(lanes, 16).bit_count()
        elif kind == "lsu":
            pc = int(re.search(r"pc 0x([0-9a-f]+)", rest)[1], 16)
            tag[sm, re.search(r"tag (\d+)", rest)[1]] = pc if of[sm, warp[0]] == grid else None
        elif kind == "line" and tag[sm, re.search(r"tag (\d+)", rest)[1]] is not None:
            pc = tag[sm, re.search(r"tag (\d+)", rest)[1]]
            sums[pc][2] += int(re.search(r"sectors 0x([0-9a-f]+)", rest)[1], 16).bit_count()
    return sums


def at_or_before(table, pc):
    """What a table of places says of a pc."""
    found = [row[1:] for row in table if row[0] <= pc]
    return found[-1] if found else (0,)


def judge_heat(figures, plots, l, events):
    """Heat over lines of PTX and of the source, against the events as text and the counters."""
    bad, seen, n = [], {f["id"]: f for f in figures}, f"launch{l['launch']}-"
    if any(n + name not in seen for name in OF_HEAT):
        return ["no heat"]
    ptx, ptx_lines, lines = modules_of(events)[l["launch"]]
    by_pc = heat_by_text(events, l["launch"])
    head, rows = csv_values(plots / f"{n}instructions.csv")
    issued = next(i for i, h in enumerate(head) if h.startswith("issued"))
    stalls = {int(r[0].split()[0], 16): sum(float(v or 0) for v in r[1:issued] + r[issued + 1:]) for r in rows}
    for name, table in (("heat-ptx", ptx_lines), ("heat-source", [(pc, line) for pc, _, line in lines])):
        want = collections.defaultdict(lambda: [0, 0, 0, 0])
        for pc, (issues, lanes, sectors) in by_pc.items():
            for i, v in enumerate((issues, lanes, stalls[pc], sectors)):
                want[at_or_before(table, pc)[0]][i] += v
        head, rows = csv_values(plots / f"{n}{name}.csv")
        got = {int(r[0]): [float(v or 0) for v in r[2:]] for r in rows if r[2]}
        good = {k: [v[0], v[1] / v[0], v[2], v[3]] for k, v in want.items()}
        pairs = [(a, b) for k in good for a, b in zip(got.get(k, [math.nan] * 4), good[k])]
        same = set(got) == set(good) and all(math.isclose(a, b, rel_tol=1e-9) for a, b in pairs)
        bad += [] if same else [f"{name}: {got} instead of {good}"]
        if head != ["line", "text", "warp instructions", "active lanes", "stall cycles", "sectors"]:
            bad.append(f"{name}: heads {head}")
        sums = [sum(v[i] for v in got.values()) for i in (0, 3)]
        ran = sum(v[0] * v[1] for v in got.values())  # not those of 32 whose guard held: a branch that is not taken idles no lane
        bad += [f"{name}: {ran} lanes"] if round(ran) != l["active_thread_insts"] else []
        bad += [f"{name}: sums {sums}"] if sums != [l["warp_insts"], l["load_sectors"] + l["store_sectors"]] else []
        tips = {(k, h): v for k, values in got.items() for h, v in zip(head[2:], values) if v}
        drawn = {}
        for m in seen[n + name]["marks"]:
            k, h, v = re.fullmatch(r"line (\d+), (.*): (.*)", m["tip"]).groups()
            drawn[int(k), h] = (float(v), m["fill"])
        if set(drawn) != set(tips) or any(not math.isclose(drawn[k][0], tips[k], rel_tol=1e-9) for k in tips):
            bad.append(f"{name}: drawn {drawn}, file {tips}")
        colours = collections.defaultdict(set)  # of eight levels; one colour each
        for (k, h), (v, fill) in drawn.items():
            top = max(x for (_, other), x in tips.items() if other == h)
            share = (32 - v) / 32 if h == "active lanes" else v / top
            colours[max(math.ceil(share * 8 - 1e-12) - 1, 0)].add(fill)
        if any(len(v) != 1 for v in colours.values()) or len(set.union(*colours.values())) != len(colours):
            bad.append(f"{name}: colours {dict(colours)}")
        if name == "heat-ptx":
            bad += [f"PTX line {r[0]}: {r[1]}" for r in rows if r[1] != ptx[int(r[0]) - 1].rstrip("\r")]
            access = re.compile(r"\b(ld|st|red|atom)\.global")
            bad += [f"PTX line {k}: sectors of {ptx[k - 1]}" for k, v in got.items() if v[3] and not access.search(ptx[k - 1])]
            code = [line for line in ptx if l["kernel"] + "(" in line]
            bad += ["the PTX does not begin with the kernel"] if not code or rows[0][1] != code[0].rstrip("\r") else []
    return bad


def judge_matrix(figures, doc):
    """The matrix units' row: rows of the counters over the machine's, and none without matrix instructions."""
    bars = {f["id"]: dict(lengths(f)) for f in figures if f["id"].endswith("-speed-of-light")}
    bad = []
    for l in doc["launches"]:
        drawn = bars[f"launch{l['launch']}-speed-of-light"]["  matrix units"]
        want = 100 * l["mma_pipe_rows"] / (l["cycles"] * doc["machine"]["mma_peak_rows_per_cycle"])
        bad += [] if near(drawn, want, 100) and ("Mma" in l["name"]) == (drawn > 5) else [(l["name"], drawn, want)]
    check(not bad and any("Mma" in l["name"] for l in doc["launches"]), "  the row of the matrix units is its rows over the peak, and empty without matrix instructions", bad)


def part_run(tmp, browser):
    for name in list(RUNS) + (list(MORE) if ALL else []):
        doc, path, options, blocks = make_run(tmp, name)
        page, plots = tmp / f"{name}.html", tmp / f"{name}_plots"
        code, out, err = sh(WG, "report", path, *options, "--html", page, "--plots", plots)
        if not check(code == 0 and err == "" and page.exists(), f"{name}: a page", out + err):
            continue
        try:
            ET.fromstring(page.read_text().split("\n", 1)[1])
            well = ""
        except ET.ParseError as e:
            well = str(e)
        check(well == "", "  it is also well-formed XML", well)
        check(not re.search(r"<script|https?://(?!www\.w3\.org/2000/svg)|@import|url\(", page.read_text()), "  no script, no address, nothing to load")
        browser.media()
        browser.width(1000)
        browser.open(page)
        figures = browser.evaluate(FIGURES)
        check(quiet(browser, page) == [], "  nothing on the console, nothing loaded", quiet(browser, page))
        if len(doc["launches"]) > 24:
            continue
        bad = judge(figures, doc, blocks)
        check(not bad and figures, f"  {len(figures)} plots, {sum(len(f['marks']) for f in figures)} marks are the document's numbers", "\n".join(bad[:20]))
        text = browser.evaluate("document.body.textContent")
        no_row = "units of branches, barriers and EXIT (CTRL), of S2R (SREG) and of VOTE, MATCH and REDUX (XLANE) have no row"
        rates = [l.get("rates", {}) for l in doc["launches"]]
        whole, outside = any("compute_percent" in x for x in rates), any("compute_percent" not in x and "dram_percent" in x for x in rates)
        check((no_row in text) == whole and ("Outside the SMs alone: this run counted no instructions" in text) == outside and outside == (name == "off"),
              "  which instructions have no row in the speed of light is said, and that of a run that counts none nothing of the SMs has one", f"{whole} {outside}")
        if name == "mma":
            judge_matrix(figures, doc)
        bad = [l["launch"] for l in doc["launches"] if l["name"] not in text]
        check(not bad and doc["verdict"] in text and (name == "func") == ("no clock" in text), "  kernels, verdict, what was not measured", bad)
        row = browser.evaluate("[...document.querySelectorAll('#kernels ~ div table')][0].innerText").split("\n")
        check(len(row) == len(doc["launches"]) + 1, "  the criteria, one line a kernel", row)
        bad = judge_files(plots, figures, doc, blocks)
        check(not bad, "  SVG and CSV files of all plots", "\n".join(bad[:20]))
        if name != "reduce":
            continue
        for l in doc["launches"]:
            bad = judge_trace(figures, plots, l, tmp / f"{name}.events")
            check(not bad, f"  launch {l['launch']}: states of warps are the counters' and the events'", "\n".join(bad[:20]))
            bad = judge_heat(figures, plots, l, tmp / f"{name}.events")
            check(not bad, f"  launch {l['launch']}: heat over PTX and source lines is the events'", "\n".join(bad)[:3000])
        wrong = dict(doc["launches"][1], warp_states=dict(doc["launches"][1]["warp_states"], barrier_cycles=1))
        check(len(judge_trace(figures, plots, wrong, tmp / f"{name}.events")) > 0, "  and others are not taken for them")
        moved = (plots / "launch1-heat-ptx.csv").read_text()
        moved = re.sub(r"^(\d+,.*,\d+,\d+,)(\d+),", r"\g<1>1\g<2>,", moved, count=1, flags=re.M)
        (tmp / "moved").mkdir(exist_ok=True)
        for f in plots.glob("launch1-*.csv"):
            (tmp / "moved" / f.name).write_text(moved if f.name == "launch1-heat-ptx.csv" else f.read_text())
        bad = judge_heat(figures, tmp / "moved", doc["launches"][0], tmp / f"{name}.events")
        check(len(bad) >= 2, "  and a line that is off is found", bad)
        check("shfl.sync.down.b32" in text, "  the PTX stands in the page")
        check("__shfl_down_sync" in text and "S2R" in text, "  source lines and instructions are told")
        altered = json.loads(json.dumps(doc))  # the judge must be able to refuse
        altered["launches"][0]["rates"]["dram_percent"] += 0.5
        check(len(judge(figures, altered, blocks)) == 1, "  a bar that is half a percent off is found")
        altered["launches"][1]["issue_slots"]["issued_slots"] += 40
        check(len(judge(figures, altered, blocks)) > 2, "  and a stack that is")
        svg = plots / "launch1-issue-slots.svg"
        browser.open(svg)
        fills = set(browser.evaluate("[...document.querySelectorAll('.mark')].map(m => getComputedStyle(m).fill)"))
        check(quiet(browser, svg) == [] and len(fills) >= 5, "  an SVG file alone has its colours", [quiet(browser, svg), fills])
    # source lines
    program = ROOT / "build/programs/transpose/transpose"
    sh(WG, "check", "--tools", "advice", "--findings", tmp / "advice.json", program, "64")
    sh(WG, "run", "--preset", "tiny", "--backend", "func", "--json", tmp / "lines.json", program, "64")
    code, out, err = sh(WG, "report", tmp / "lines.json", "--findings", tmp / "advice.json", "--html", tmp / "lines.html")
    browser.open(tmp / "lines.html")
    figure, = [f for f in browser.evaluate(FIGURES) if f["id"] == "lines-memory"]
    found = [(f"{x['file']}:{x['line']}", x["units"]) for x in json.loads((tmp / "advice.json").read_text())["findings"] if x["tool"] == "advice"]
    bad = differ("lines", lengths(figure), found, max(v for _, v in found))
    check(code == 0 and not bad and len(found) >= 2, f"{len(found)} source lines by their sectors and wavefronts", "\n".join(bad) + err)


def colour(text):
    return tuple(int(float(v)) for v in re.findall(r"[0-9.]+", text)[:3])


def run_length(picture, x, y, want):
    """Pixels of a colour from x on."""
    w, h, rows = picture
    n = 0
    while x + n < w and 0 <= y < h and max(abs(a - b) for a, b in zip(rows[y][3 * (x + n):3 * (x + n) + 3], want)) <= 2:
        n += 1
    return n


def part_look(tmp, browser):
    doc, path, options, blocks = make_run(tmp, "reduce")
    page = tmp / "look.html"
    code, out, err = sh(WG, "report", path, *options, "--html", page)
    check(code == 0, "a page to look at", out + err)
    shots = {}
    for scheme in ("light", "dark"):
        browser.media(scheme)
        browser.width(1000)
        browser.open(page)
        figures = browser.evaluate(FIGURES)
        check(not judge(figures, doc, blocks), f"{scheme}: the plots are the document's")
        shots[scheme] = browser.evaluate(CONTRAST)
        check(shots[scheme]["bad"] == [], f"{scheme}: contrast of all texts at least 4.5", shots[scheme])
        bad, looked = [], 0
        for f in figures:
            if not f["id"].endswith(("speed-of-light", "issue-slots", "blocks", "cycles", "heat-source")):
                continue
            box = [math.floor(f["box"][0]), math.floor(f["box"][1]), math.ceil(f["box"][2]) + 1, math.ceil(f["box"][3]) + 1]
            shot = browser.picture(*box)
            for m in f["marks"]:
                x, y, w, _ = m["page"]
                if w < 8:
                    continue
                at = math.ceil(x - box[0]) + 2  # clear of the mark's edge, above the text in it
                n, looked = run_length(shot, at, round(y - box[1]) + 3, colour(m["fill"])), looked + 1
                if abs(n - (w - (at - (x - box[0])))) > 2.5:
                    bad.append(f"{f['id']} {m['tip']}: {n} pixels of {m['fill']} from {at} on, width {w}")
        check(not bad and looked > 20, f"{scheme}: {looked} marks in screenshots have the length and colour of their data", "\n".join(bad[:10]))
        check(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{scheme}: nothing is wider than the page")
    check(shots["light"]["page"] == "rgb(255, 255, 255)" and max(colour(shots["dark"]["page"])) < 60, "light is white, dark is dark", shots)
    browser.width(420)
    check(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a telephone's width needs no scrolling to the side")
    browser.width(1000)
    browser.media("dark", "print")
    look = browser.evaluate(CONTRAST)
    check(look["page"] in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)") and look["bad"] == [] and
          browser.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none", "print is light whatever the screen is, without links to sections", look)
    pdf = browser.pdf()
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    check(pdf.startswith(b"%PDF") and 2 <= pages <= 60, f"printed: {pages} pages")
    browser.media()


def judge_figures(figures, store, plots, cells):
    """The main figures and the stacks against the store itself."""
    table = list(csv.DictReader((plots / "figures.csv").open()))
    own = [(c["row"], c["column"], c["ratio"][:9]) for c in cells]
    check(own == [(c["row"], c["column"], c["ratio"][:9]) for c in table if c["figure"] == "cycles"], "  figures.csv has the cells of --csv", table[:9])
    means = [(f"{c['figure']}{', speed-up' if c['ratio is'] == 'baseline/value' else ''} ({c['unit']}), {c['column']}", float(c["ratio"])) for c in table if c["kind"] == "geomean" and c["ratio"]]
    bad = differ("means", ratios_of(figures["geometric-means"]), means, 1)
    check(not bad and len(means) >= 12, "  geometric means of all figures", bad)
    db = sqlite3.connect(store)
    label = {(p, n): v for p, n, v in db.execute("SELECT point, name, value FROM label")}
    ipc = {(label[p, "args"], label[p, "sched"], label[p, "seed"]): w / c for p, w, c in db.execute("SELECT id, warp_insts, cycles FROM point WHERE status = 'ok'")}
    stat = collections.defaultdict(lambda: collections.Counter())
    for p, name, v in db.execute("SELECT s.point, s.name, s.value FROM stat s JOIN point p ON p.id = s.point WHERE p.status = 'ok' AND s.name LIKE 'totals.%' AND s.launch = 0"):
        if not isinstance(v, str):
            stat[label[p, "args"], label[p, "sched"]][name[7:]] += v
    db.close()
    got = {(c["figure"], c["row"], c["column"]): c for c in table}
    want = {s: sum(ipc["256", s, k] / ipc["256", "lrr", k] for k in "1234") / 4 for s in ("gto", "rr")}
    bad = [s for s, v in want.items() if not math.isclose(float(got["insts_per_cycle", "reduce 256", f"sched={s}"]["ratio"]), v, rel_tol=1e-9)]
    check(not bad and got["insts_per_cycle", "reduce 512", "sched=rr"]["kind"] == "failed", "  IPC is warp_insts over cycles, seed by seed", [bad, want])
    one = stat["256", "gto"]
    sectors, moved = (one["load_sectors"] + one["store_sectors"]) / (one["load_requests"] + one["store_requests"]), (one["dram_read_bytes"] + one["dram_write_bytes"]) / 4
    check(math.isclose(float(got["sectors_per_request", "reduce 256", "sched=gto"]["mean"]), sectors, rel_tol=1e-9) and
          math.isclose(float(got["dram_bytes", "reduce 256", "sched=gto"]["mean"]), moved, rel_tol=1e-9), "  sectors a request, bytes of DRAM", [sectors, moved])
    for stack, key in (("warp-states", "warp_states."), ("issue-slots", "issue_slots.")):
        part = {}
        for sched in ("lrr", "gto", "rr"):  # the row of 512 misses rr: it is in no mean
            mine = {k[len(key):].rsplit("_", 1)[0].replace("_", " "): v for k, v in stat["256", sched].items() if k.startswith(key) and v}
            part.update({(f"sched={sched}", k.lower()): 100 * v / sum(mine.values()) for k, v in mine.items()})
        drawn = {tuple(tip.lower().split(", ", 1)): v for tip, v in lengths(figures[stack])}
        bad = [(k, v, drawn.get(k)) for k, v in part.items() if k not in drawn or not near(drawn[k], v, 100)]
        check(not bad and len(drawn) == len(part) > 10, f"  {stack}: shares of each reason by scheduler", bad[:5])
        rows = [r for r in csv.DictReader((plots / "stalls.csv").open()) if r["stack"] == stack]
        bad = [r for r in rows if stat[r["row"].split()[1], r["column"][6:]][f"{key}{r['reason'].replace(' ', '_').lower()}_{r['unit']}"] != int(r["sum over seeds"])]
        check(not bad and len(rows) == 5 * 16, f"  {stack}: stalls.csv is the store's", bad[:3])


def part_compare(tmp, browser):
    store, page, plots = tmp / "s.db", tmp / "cmp.html", tmp / "cmp_plots"
    sh(WG, "sweep", "run", "--store", store, "--preset", "tiny", "--sched", "lrr gto rr", "--seed", "1..4", "--args", "256", "--args", "512", "--program",
       ROOT / "build/programs/reduce/reduce")
    db = sqlite3.connect(store)  # runs of this program do not depend on the seed: give them spread, and a failure
    for i, (point,) in enumerate(db.execute("SELECT id FROM point ORDER BY id").fetchall()):
        db.execute("UPDATE point SET cycles = cycles + ? WHERE id = ?", (37 * (i * i % 11), point))
    db.execute("UPDATE point SET status = 'failed', message = 'out of luck', cycles = NULL, warp_insts = NULL, retire_hash = NULL WHERE id IN "
               "(SELECT point FROM label WHERE name = 'sched' AND value = 'rr' INTERSECT SELECT point FROM label WHERE name = 'args' AND value = '512')")
    seal(db)
    db.close()
    for flags in ([], ["--speedup"]):
        code, out, err = sh(WG, "compare", store, "--baseline", "sched=lrr", *flags, "--html", page, "--plots", plots, "--csv", tmp / "cmp.csv")
        cells = list(csv.DictReader((tmp / "cmp.csv").open()))
        check(code == 0 and err == "" and len(cells) == 2 * 3 + 3, f"a page {' '.join(flags)}", out + err)
        browser.media()
        browser.width(1000)
        browser.open(page)
        figures = {f["id"]: f for f in browser.evaluate(FIGURES)}
        check(quiet(browser, page) == [] and {"geometric-means", "ratios", "ratios-insts-per-cycle", "ratios-dram-bytes", "warp-states", "issue-slots", "warp-states-rows"} <= set(figures)
              and not any(f["cut"] for f in figures.values()), "  nothing on the console, the figures and stacks, no text cut", [quiet(browser, page), list(figures), [f["cut"] for f in figures.values()]])
        said = [i for i, f in figures.items() if i.startswith("ratio") or i == "geometric-means" if not any("bars begin at 1, the baseline, not at 0" in t for t in f["texts"])]
        check(said == [], "  the axis of every bar says where it begins", said)
        judge_figures(figures, store, plots, cells)
        for scheme, kind, width in (("light", "screen", 1280), ("dark", "screen", 600), ("dark", "print", 700)):
            browser.media(scheme, kind)
            browser.width(width)
            look = browser.evaluate(CONTRAST)
            wide = browser.evaluate("document.documentElement.scrollWidth > innerWidth || matchMedia('print').matches && "
                                    "[...document.querySelectorAll('table')].some(t => t.offsetWidth > t.parentElement.offsetWidth)")
            split = browser.evaluate("[...document.querySelectorAll('th')].filter(t => { const r = document.createRange(), w = t.querySelector('wbr'); "
                                     "if (!/^[^ ]+=[^ ]+$/.test(t.textContent)) return false; if (!w) return true; r.selectNode(w.nextSibling); return r.getClientRects().length > 1; }).length")
            check(look["bad"] == [] and not wide and split == 0, f"  {scheme}, {kind}, {width} pixels: contrast, nothing too wide, no value broken in a head", [look, wide, split])
        browser.media()
        browser.width(1000)
        ratios = [(c["column"], float(c["ratio"])) for c in cells if c["kind"] == "ratio"]
        bad = differ("ratios", ratios_of(figures["ratios"]), ratios, 1)
        check(not bad and len(ratios) == 5 and figures["ratios"]["texts"].count("failed") == 1, "  bars are the ratios; what failed is said", bad)
        halves = [float(c["ci95_half"]) for c in cells if c["kind"] == "ratio" and c["ci95_half"] and float(c["ci95_half"]) > 1e-9]
        spans = [e for e in figures["ratios"]["errs"] if e[1] == e[3]]
        got = [(value_of(figures["ratios"], e[2]) - value_of(figures["ratios"], e[0])) / 2 for e in spans]
        check(len(got) == len(halves) == 3 and all(near(g, h, 2) for g, h in zip(got, halves)), "  whiskers are the 95 % intervals over seeds", [got, halves])
        rows = list(csv.DictReader((plots / "ratios.csv").open()))
        good = [(r["column"], float(r["ratio"])) for r in rows if r["ratio"]]
        check(len(good) == 5 and all(math.isclose(a[1], b[1], rel_tol=1e-10) for a, b in zip(good, ratios)) and {p.name for p in plots.iterdir()} ==
              {f"{i}.{e}" for i in figures for e in ("csv", "svg")} | {"figures.csv", "stalls.csv"}, "  and their files", rows)
        text = browser.evaluate("document.body.innerText")
        check(all(w in text for w in ("Settings and builds", "preset\ttiny", "sched\tgto, lrr, rr", "build of program\t", "seed\t1, 2, 3, 4")), "  settings and builds are stated", text[-1500:])
        empty = browser.evaluate("[...document.querySelectorAll('table')].filter(t => [...t.rows[0].cells].some((c, i) => t.rows.length > 1 && [...t.rows].slice(1).every(r => r.cells[i].textContent == ''))).length")
        check(empty == 0, "  no table has an empty column", empty)
        check("4 seeds" in text and "geometric mean of 1" in text and ("speed-up" in text) == bool(flags), "  table, baseline, seeds")


def part_refused(tmp, browser):
    doc, path, options, _ = make_run(tmp, "reduce")
    _, other, other_log, _ = make_run(tmp, "mm")
    folder = tmp / "refused"
    folder.mkdir()
    page, bad = folder / "x.html", folder / "bad.json"
    bad.write_text("{")
    (folder / "text").write_text("a,b\n1,2\n")
    (folder / "file").write_text("")
    sh(WG, "run", "--preset", "tiny", "--events", folder / "blocks.events", "--events_depth", "blocks", ROOT / "build/programs/reduce/reduce", "4096")
    sh(WG, "run", "--preset", "tiny", "--sched", "gto", "--events", folder / "gto.events", "--blocklog", folder / "gto.blocks", ROOT / "build/programs/reduce/reduce", "4096")
    for words, text in (([path, "--html", "/nowhere/x.html"], "cannot write '/nowhere/x.html'"), ([path, "--html", folder], "cannot write"),
                        ([path, "--plots", folder / "p"], "option '--plots' goes with a page"), ([path, *options], "option '--blocklog' goes with a page"),
                        ([path, "--html", page, "--plots", "/nowhere/p"], "cannot make the folder"), ([path, "--html", page, "--plots", folder / "file"], "cannot write"),
                        ([path, "--html", page, "--launch", "9"], "has 2 launches and no number 9"), ([bad, "--html", page], "line 1"),
                        ([other, "--html", page, *options], "the log of blocks is of another run"), ([path, "--html", page, "--blocklog", folder / "text"], "text:1"),
                        ([path, "--html", page, "--blocklog", folder / "gto.blocks"], "the log of blocks is of another run"),
                        ([path, "--html", page, "--findings", path], "has no findings"), ([path, "--html", page, "--findings", "/nowhere"], "cannot read"),
                        ([other, "--html", page, "--events", tmp / "reduce.events"], "the event trace is of another run"),
                        ([path, "--html", page, "--events", folder / "gto.events"], "the event trace is of another run"), ([path, "--html", page, "--events", path], "is no event trace"),
                        ([path, "--html", page, "--events", folder / "blocks.events"], "does not say why warps wait"), ([path, "--htm", page], "did you mean '--html'")):
        code, out, err = sh(WG, "report", *words)
        check(code == 2 and out == "" and text in err and err.count("error:") == 1 and not page.exists(), f"refused: {text}", [code, out, err])
    both = [folder / "both.json", "--blocklog", folder / "both.blocks"]
    for settings in (["--concurrent", "off"], ["--concurrent", "on"], ["--backend", "func"]):
        sh(WG, "run", "--preset", "tiny", *settings, "--json", *both, ROOT / "build/programs/cross_block/cross_block")
        code, out, err = sh(WG, "report", *both, "--html", page)
        check(code == 0 and page.exists(), f"a log of blocks of the same run is taken: {' '.join(settings)}", err)
        page.unlink(missing_ok=True)
    code, out, err = sh(WG, "report", path, "--html", "-")
    check(code == 0 and out.startswith("<!DOCTYPE html>") and out.endswith("</html>\n"), "a page on stdout", err)
    code, out, err = sh("bash", "-c", f"trap '' XFSZ; ulimit -f 8; exec {WG} report {path} --html {page}")
    check(code == 2 and "cannot write" in err and not page.exists(), "a file that cannot grow: no half of a page is left", [code, out, err])
    evil = "<script>alert(1)</script>\"'&\u0007\u00e9\u4e2d" + "x" * 300
    doc["setup"]["program"] = doc["launches"][0]["name"] = doc["launches"][1]["name"] = evil
    doc["setup"]["arguments"] = [evil, "]]>"]
    doc["verdict"], doc["reason"] = "FAIL", evil
    (folder / "evil.json").write_text(json.dumps(doc))
    code, out, err = sh(WG, "report", folder / "evil.json", "--html", page, "--plots", folder / "evil")
    browser.open(page)
    check(code == 0 and browser.evaluate("document.querySelectorAll('script').length") == 0 and quiet(browser, page) == [] and
          "FAIL: <script>" in browser.evaluate("document.body.innerText") and "中" in browser.evaluate("document.querySelector('h1').innerText"),
          "names with markup in them are text", [err, quiet(browser, page)])
    for f in folder.glob("evil/*.svg"):
        ET.parse(f)
    for name, change in (("no launch", lambda d: d.update(launches=[])), ("no machine", lambda d: d.pop("machine")),
                         ("rates of 1e308", lambda d: [d["launches"][0]["rates"].update({k: 1e308}) for k in d["launches"][0]["rates"]])):
        d = json.loads(path.read_text())
        change(d)
        (folder / "odd.json").write_text(json.dumps(d))
        code, out, err = sh(WG, "report", folder / "odd.json", "--html", page)
        browser.open(page)
        check(code == 0 and quiet(browser, page) == [] and all(f["marks"] for f in browser.evaluate(FIGURES)) and
              not re.search(r'="-?(nan|inf)', page.read_text()), f"a document with {name}", [code, err])
    page.unlink()
    d = json.loads(path.read_text())
    d["launches"][0].update(rates="x", issue_slots=[], occupancy=None, grid=3, cycles=-5)
    (folder / "odd.json").write_text(json.dumps(d))
    code, out, err = sh(WG, "report", folder / "odd.json", "--html", page)
    check(code == 2 and err.count("error:") == 1 and "'launches[0].grid' is no array" in err and not page.exists(), "refused: numbers that are none", [code, err])


def main():
    if shutil.which("chromium") is None:
        subprocess.run([ROOT / "scripts/deps.sh", "browser"], cwd=ROOT, check=False)
    browser = None
    try:
        browser = Browser()
        with tempfile.TemporaryDirectory() as tmp:  # one for all parts: they look at the same runs
            return suite.main(globals(), given=lambda opt: {"browser": browser, "tmp": pathlib.Path(tmp)})
    except BrowserError as e:
        check(False, f"a browser: {e}")
        return suite.finish()
    finally:
        if browser is not None:
            browser.close()


if __name__ == "__main__":
    sys.exit(main())
