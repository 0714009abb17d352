#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reproduce what the literature reports: sweep, comparison, statement. Run from the root; `make study-NAME` builds what is needed.

usage: studies/study.py NAME [--small] [--kernels K,K] [--policies P,P] [--also c:POLICY] [--no-oracle] [--base-only] [--points-only] [--report-only] [--record] [-j N] [-o FOLDER]
  NAME           schedulers, divergence, blocks or occupancy: the sweep's axes stand in studies/NAME.plan, kernels in kernels.tsv
  --small        the kernels that have a small form, on the tiny SM: tests the machinery; its statement says so
  --kernels K,K  these kernels only: a part; the rest can follow
  --policies P,P of the schedulers only these, without static limits: a part; the rest can follow
  --also P       a scheduler in C or a plug-in beside those that `warpglass schedulers` lists; again for several
  --no-oracle    leave out the recorded warps replayed with perfect knowledge
  --base-only    only the first column's runs; without --small and -o their cycles go to kernels.tsv
  --points-only  print the runs and what they will take, run nothing
  --report-only  compare what the store has
  --record       then copy a whole study's result to studies/results/NAME, which testbench/studies holds against runs
  -j N           runs at the same time, of one kernel (1); cycles and tables are the same
  -o FOLDER      where results go, and store.db is
Into FOLDER (build/studies/NAME): store.db, which a killed study goes on from; table.txt, cells.csv, chart.svg, STATEMENT.md. Exit codes:
0 all runs passed, whatever the statement says; 1 some failed; 2 wrong use.
"""
import argparse
import csv
import ctypes
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import claims
import draw

ROOT = pathlib.Path(__file__).resolve().parents[1]
HERE = pathlib.Path(__file__).resolve().parent
WG = ROOT / "build/bin/warpglass"
BOUNDED = {"lrr", "rr", "twolevel"}  # need no progress rule, or hardly: rtl/README.md, "Progress"
SUB_CORES = {"v100": 4, "tiny": 1}
# study: axes that make a column, the first column
STUDIES = {"schedulers": (["sched"], "lrr"), "divergence": (["diverge", "reconverge"], "stack on"), "blocks": (["blocks"], "breadth"),
           "occupancy": (["blocks_per_sm", "sched"], "16 lrr")}
# what structures did in a run, in the units of the counters: proxies of energy
ACTIVITY = ["warp_insts", "operand_rows", "bank_read_rows", "collector_hit_rows", "bank_write_rows", "l1_lines", "l1_ld_hit_sectors", "l1_ld_miss_sectors", "shared_wavefronts", "mem_req_flits", "mem_rsp_sectors", "l2_req_flits",
            "dram_read_bytes", "dram_write_bytes", "dram_activates"]
STATS = ACTIVITY + ["thread_insts", "active_thread_insts", "issue_slots.issued_slots", "issue_slots.register_bank_slots", "issue_slots.throttled_slots"]


class Wrong(Exception):
    """Wrong use, or something is not there: one sentence."""


PR_SET_PDEATHSIG = 1  # linux/prctl.h
LIBC = ctypes.CDLL(None, use_errno=True)
PARENT = os.getpid()


def end_with_parent():
    """In a child, before its exec: it is ended when this process is, however that happens; a sweep then ends its runs."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != PARENT:  # it has gone already
        os._exit(1)


def sh(args, **more):
    p = subprocess.run([str(a) for a in args], cwd=ROOT, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False, preexec_fn=end_with_parent, env={k: v for k, v in os.environ.items() if k != "WARPGLASS"} | more)
    return p.returncode, p.stdout, p.stderr


def kernels(study, small, only):
    """Rows of kernels.tsv that take part: dicts of its columns."""
    with open(HERE / "kernels.tsv", encoding="utf-8") as f:
        rows = list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t"))
    rows = [r for r in rows if study in r["studies"].split(",") and (not small or r["small"] != "-")]
    names = [r["kernel"] for r in rows]
    for k in only:
        if k not in names:
            raise Wrong(f"no kernel '{k}' in study '{study}'; remedy: one of {' '.join(names)}")
    for r in rows:
        r["args"] = r["small" if small else "args"]
    return [r for r in rows if not only or r["kernel"] in only]


def policies():
    """Names of the warp schedulers that are built in: a new one is in the study without an edit here."""
    code, out, err = sh([WG, "schedulers"])
    names = re.findall(r"^  (\w+) {2,}", out, re.M)
    if code != 0 or len(names) < 2:
        raise Wrong(f"cannot list the schedulers: {err or out}")
    return names


def plan_file(study, small):
    return HERE / f"{study}{'.small' if small else ''}.plan"


def axes(study, small, also, base_only, only=()):
    """Words of the sweeps that make the study: what its plans say and, of schedulers, all policies; or the first column alone."""
    if base_only:
        preset, sms = machine(plan_file(study, small))
        return [["--preset", preset, "--sms", sms] + [w for a, v in zip(STUDIES[study][0], STUDIES[study][1].split()) for w in (f"--{a}", v)]]
    if study != "schedulers":
        return [["--plan", plan_file(study, small)]]
    names = policies()
    for n in only:
        if n not in names:
            raise Wrong(f"no policy '{n}'; remedy: one of {' '.join(names)}")
    free = [n for n in only or names if n not in BOUNDED]
    if only:  # without the static limits of the plan
        preset, sms = machine(plan_file(study, small))
        limits = ["--preset", preset, "--sms", sms, "--progress", "off"]
    else:
        limits = ["--plan", plan_file(f"{study}.free", small)]
    return [["--plan", plan_file(study, small), "--sched", " ".join([*(only or names), *also])]] + [[*limits, "--sched", " ".join(free)]] * bool(free)


def target(kernel):
    p = kernel["program"]
    return ["--program", ROOT / f"build/programs/{p}/{p}", "--args", kernel["args"]]


# ---- runs ----

def sweep(store, words, kernel, label, jobs):
    """@return (runs now, failed)"""
    code, out, err = sh(["nice", "-n", "3", WG, "sweep", "run", "-j", jobs, "--store", store, *words, *target(kernel)])
    m = re.search(r"(\d+) run now, \d+ were there; (\d+) failed", out)
    if code == 2 or m is None:
        raise Wrong(f"{kernel['kernel']}: {err.strip() or out.strip()}")
    print(f"  {kernel['kernel']:10} {label}: {m[1]} runs, {m[2]} failed", flush=True)
    return int(m[1]), int(m[2])


def compile_plugin(name, source, *more):
    """A scheduler of this folder as build/plugin/NAME.so."""
    out = ROOT / f"build/plugin/{name}.so"
    out.parent.mkdir(parents=True, exist_ok=True)
    new = f"{out}.{os.getpid()}.new"  # parts of a study may run at the same time
    twins = sorted((ROOT / "model/twin").glob("sched*.c"))
    code, said, err = sh(["clang-19", "-std=c11", "-O2", "-fPIC", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-I.", "-shared", "-Wl,-Bsymbolic",
                          *more, "-o", new, HERE / source, *twins])
    if code != 0:
        raise Wrong(f"cannot compile studies/{source}:\n{said}{err}")
    os.replace(new, out)
    return out


def machine(plan):
    """(preset, SMs) that a plan names."""
    text = plan.read_text(encoding="utf-8")
    return re.search(r"^preset *= *(\w+)", text, re.M)[1], int(re.search(r"^sms *= *(\d+)", text, re.M)[1])


def oracle(folder, plan, kernel, jobs):
    """Record each warp's instructions, compile them into a policy, and run that. @return (runs now, failed)"""
    preset, sms = machine(plan)
    name, cores = f"oracle_{preset}_{kernel['kernel']}", f"-DWG_SUB_CORES={SUB_CORES[preset]}"
    record = folder / f"{name}_{re.sub(r'[^0-9a-z]+', '_', kernel['args'])}.inc"
    begun, ran = time.time(), 0
    if not record.exists():
        compile_plugin(f"recorder_{preset}", "oracle.c", cores)
        part = record.with_suffix(".part")
        part.unlink(missing_ok=True)
        code, out, err = sh(["nice", "-n", "3", WG, "run", "--preset", preset, "--sms", sms, "--progress", "off", "--sched", f"plugin:recorder_{preset}", target(kernel)[1], *kernel["args"].split()],
                            WG_ORACLE_RECORD=str(part))
        insts = re.search(r"^PASS .*warp_insts=(\d+)", out, re.M)
        if code != 0 or insts is None or not part.exists():
            raise Wrong(f"{kernel['kernel']}: the recording run failed: {err.strip() or out.strip()[-300:]}")
        told = sum(int(row.split(", ")[3].rstrip("},")) for row in part.read_text().splitlines())
        if told != int(insts[1]):
            raise Wrong(f"{kernel['kernel']}: the record has {told} warp instructions, the run {insts[1]}")
        os.replace(part, record)
        ran = 1
    compile_plugin(name, "oracle.c", cores, f'-DWG_ORACLE_TABLE="{record}"')
    now, failed = sweep(folder / "store.db", ["--preset", preset, "--sms", sms, "--progress", "off", "--sched", f"plugin:{name}"], kernel, f"oracle ({time.time() - begun:.0f} s)", jobs)
    return now + ran, failed


def export(store, study=None):
    """Points of the store: dicts of label and figure. With `study`: they must be of that one."""
    if not store.is_file():
        raise Wrong(f"no file '{store}'; remedy: run the study first, without --report-only")
    code, out, err = sh([WG, "sweep", "stats", store])
    there = set(re.findall(r"^ *([\w.]+)", out, re.M))  # an older build's runs may lack some
    words = [w for s in STATS if s in there for w in ("--stat", s)]
    if code == 0:
        code, out, err = sh([WG, "sweep", "export", store, "--build", "newest", *words])  # a policy that was edited: its last form
    if code != 0:
        raise Wrong(err.strip())
    points = list(csv.DictReader(io.StringIO(out)))
    lacks = [w for w in ("program", "args", "status", "message", "cycles", "progress", *(STUDIES[study][0] if study else ())) if points and w not in points[0]]
    if lacks or study and not points:
        raise Wrong(f"'{store}' is no store of the study '{study}': it has no {lacks[0] if lacks else 'points'}; remedy: -o names the folder of a study")
    return points


# ---- comparison ----

def column(study, point):
    name = " ".join(point[a] for a in STUDIES[study][0])
    if name.startswith("plugin:oracle_"):
        return "oracle"
    policy, _, knob = name.partition(":")
    return f"{policy}-free" + (f":{knob}" if knob else "") if study == "schedulers" and point["progress"] == "off" else name


def columns_of(study, data):
    """Columns of the table: the first one first, what knows more than hardware last; single static limits stand in their best alone."""
    names = {c for row in data.values() for c in row if study != "schedulers" or not re.match(r"swl(-free)?:", c)}
    return sorted(names, key=lambda c: (c != STUDIES[study][1], c in ("best-swl", "oracle"), [(0, int(w), "") if w.isdigit() else (1, 0, w) for w in c.split()]))


def collect(study, chosen, points):
    """({kernel: {column: figures}}, failures). The best static limit is a column made of those of swl."""
    of = {(r["program"], r["args"]): r["kernel"] for r in chosen}
    data, bad = {r["kernel"]: {} for r in chosen}, []
    for p in points:
        kernel = of.get((p["program"], p["args"]))
        if kernel is None:
            continue
        c = column(study, p)
        if p["status"] != "ok":
            bad.append(f"{kernel} {c}: {p['message']}")
            continue
        data[kernel][c] = {k: float(p[k]) for k in ["cycles"] + STATS if p.get(k)}
    if study == "schedulers":
        all_limits = {c for row in data.values() for c in row if c == "gto-free" or c.startswith("swl-free")}
        for row in data.values():
            limits = {c: v for c, v in row.items() if c in all_limits}
            if any(":" in c for c in limits) and len(limits) == len(all_limits):  # the best of some would be no bound
                best = min(sorted(limits), key=lambda c: limits[c]["cycles"])
                row["best-swl"] = dict(limits[best], limit=best)
    return data, bad


def from_cells(path, chosen):
    """What collect() gave, from the cells.csv that was written of it."""
    data = {r["kernel"]: {} for r in chosen}
    with open(path, encoding="utf-8") as f:
        for r in csv.DictReader(f):
            v = {k: float(r[k]) for k in ["cycles"] + STATS if r[k]}
            data[r["kernel"]][r["column"]] = dict(v, limit=r["limit"]) if r["limit"] else v
    return data


def means(values):
    """Geometric and harmonic mean."""
    if not values:
        return float("nan"), float("nan")
    product = 1.0
    for v in values:
        product *= v ** (1.0 / len(values))
    return product, len(values) / sum(1.0 / v for v in values)


def table(study, chosen, data):
    """Text: speed relative to the first column, kernels by group, means of each group."""
    base, columns = STUDIES[study][1], columns_of(study, data)
    width = max(8, *(len(c) + 1 for c in columns))
    out = [f"speed relative to '{base}' (its cycles over the column's; more is better)", "",
           f"{'kernel':12}{'group':13}{base + ' cycles':>16}" + "".join(f"{c:>{width}}" for c in columns)]
    groups = list(dict.fromkeys(r["group"] for r in chosen))
    for group in groups:
        members = [r["kernel"] for r in chosen if r["group"] == group]
        for k in members:
            have = data[k]
            cells = [f"{have[base]['cycles'] / have[c]['cycles']:>{width}.3f}" if base in have and c in have else f"{'-':>{width}}" for c in columns]
            out.append(f"{k:12}{group:13}{int(have[base]['cycles']) if base in have else '-':>16}" + "".join(cells))
        for i, what in ((0, "geometric"), (1, "harmonic")):
            cells = []
            for c in columns:
                v = [data[k][base]["cycles"] / data[k][c]["cycles"] for k in members if base in data[k] and c in data[k]]
                cells.append(f"{means(v)[i]:>{width}.3f}" if len(v) == len(members) else f"{'-':>{width}}")
            out.append(f"{'':12}{what + ' mean':29}" + "".join(cells))
        out.append("")
    return "\n".join(out)


def cells_csv(study, chosen, data):
    f = io.StringIO()
    w = csv.writer(f, lineterminator="\n")
    w.writerow(["kernel", "group", "column", "limit", "cycles", "speed"] + STATS)
    base, columns = STUDIES[study][1], columns_of(study, data)
    for r in chosen:
        have = data[r["kernel"]]
        for c in columns + sorted(set(have) - set(columns)):
            v = have.get(c)
            if v is None:
                continue
            speed = have[base]["cycles"] / v["cycles"] if base in have else ""
            w.writerow([r["kernel"], r["group"], c, v.get("limit", ""), int(v["cycles"]), f"{speed:.4f}" if speed else ""] +
                       [int(v[s]) if s in v else "" for s in STATS])
    return f.getvalue()


def l1_bytes(preset):
    text = sh([WG, "presets", "show", preset])[1]
    return 128 * int(re.search(r"sm\.l1_sets +(\d+)", text)[1]) * int(re.search(r"sm\.l1_ways +(\d+)", text)[1])


def statement(study, small, chosen, data, bad, speed):
    """Markdown: literature, our number, agrees or disagrees."""
    preset, sms = machine(plan_file(study, small))
    base = STUDIES[study][1]
    total = sum(v["cycles"] for row in data.values() for c, v in row.items() if c != "best-swl")
    short = [k for k in data if base in data[k] and data[k][base]["cycles"] < 200000]
    out = [f"# Study: {study}", "", f"Preset `{preset}`, {sms} SM{'s' * (sms > 1)}, L1 of {l1_bytes(preset)} bytes an SM. {len(chosen)} kernels, {len(columns_of(study, data))} columns, "
           f"{total:.0f} cycles simulated in the RTL" + (f", {speed:.0f} cycles a second in this call ({total / speed / 60:.0f} minutes at that speed for all)" if speed else "") + ".", ""]
    if small:
        out += ["**The small form: it tests the machinery. Its numbers say nothing about the literature.**", ""]
    elif short:
        out += [f"Below 200,000 cycles under `{base}`: {', '.join(short)}.", ""]
    out += ["| claim | literature | measured | verdict |", "|---|---|---|---|"]
    group = {r["kernel"]: r["group"] for r in chosen}
    for c in claims.CLAIMS[study]:
        measured, verdict = claims.judge(c, data, group)
        out.append(f"| {c['claim']} | {c['source']} | {measured} | {verdict} |")
    out += ["", "Sources marked *recalled* were not at hand: their direction is from memory and no number of theirs is given.", ""]
    out += [f"Run failed: {b}" for b in bad]
    return "\n".join(out).rstrip("\n") + "\n"


def note_cycles(folder, study, chosen):
    """Write the measured cycles of the first column into kernels.tsv."""
    data = collect(study, chosen, export(folder / "store.db"))[0]
    path, lines = HERE / "kernels.tsv", []
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        cycles = data.get(fields[0], {}).get(STUDIES[study][1], {}).get("cycles")
        lines.append("\t".join(fields[:-1] + [f"{cycles:.0f}"]) if cycles and len(fields) > 1 else line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def report(study, small, chosen, folder, speed):
    """Write table, cells, picture and statement. @return the runs that failed"""
    points = export(folder / "store.db", study)
    data, bad = collect(study, chosen, points)
    if not bad and not any(data.values()):
        raise Wrong(f"'{folder / 'store.db'}' is no store of the study '{study}': none of its {len(points)} points is of these kernels; remedy: -o names the folder of a study, "
                    "--small its small form")
    text, base = table(study, chosen, data), STUDIES[study][1]
    said = statement(study, small, chosen, data, bad, speed)
    picture = draw.dots(f"{study}: speed relative to {base}", chosen, data, columns_of(study, data), base, oracles=("best-swl", "oracle"))
    for name, content in (("table.txt", text), ("cells.csv", cells_csv(study, chosen, data)), ("chart.svg", picture), ("STATEMENT.md", said)):
        (folder / name).write_text(content, encoding="utf-8")
    print(text + "\n" + said)
    return bad


def record(study, chosen, folder):
    """Keep the result of a whole study in the repository."""
    data = from_cells(folder / "cells.csv", chosen)
    columns = columns_of(study, data)
    holes = [f"{k} {c}" for k, row in data.items() for c in columns if c not in row]
    if holes or len(columns) < 2:
        raise Wrong(f"not recorded: runs are missing, {', '.join(holes[:4]) or 'all but a column'}; remedy: studies/study.py {study} without --kernels, --policies and --no-oracle")
    to = HERE / "results" / study
    to.mkdir(parents=True, exist_ok=True)
    for name in ("table.txt", "cells.csv", "chart.svg"):
        (to / name).write_bytes((folder / name).read_bytes())
    (to / "STATEMENT.md").write_text(statement(study, False, chosen, data, [], 0.0), encoding="utf-8")


def recorded_mean(study, kernel):
    """Mean cycles of the kernel's runs in the recorded whole study; None: it is not there."""
    path = HERE / "results" / study / "cells.csv"
    if not path.exists():
        return None
    with open(path, encoding="utf-8") as f:
        cycles = [int(r["cycles"]) for r in csv.DictReader(f) if r["kernel"] == kernel and r["column"] != "best-swl"]
    return sum(cycles) / len(cycles) if cycles else None


def show_points(study, small, chosen, words):
    """Print what would run. Cycles: runs x the mean of the recorded study's; where it has none, those of the first column; of the small form none are known."""
    total, runs, unknown = 0.0, 0, 0
    for k in chosen:
        n = len({line.split()[1] for w in words for line in sh([WG, "sweep", "points", *w, *target(k)])[1].splitlines()})
        runs += n
        mean, said = None, "cycles not known"
        if not small:
            mean = recorded_mean(study, k["kernel"])
            said = f"of {mean:.0f} cycles on average (studies/results/{study})" if mean else said
            if mean is None and k["cycles"].isdigit():
                mean, said = int(k["cycles"]), f"of {k['cycles']} cycles if all take as long as the first of the schedulers' study"
        total += n * (mean or 0)
        unknown += mean is None
        print(f"{k['kernel']:10} {k['group']:13} {n} runs {said}: {k['program']} {k['args']}")
    if unknown == len(chosen):
        print(f"{runs} runs; their cycles are not known" + (": kernels.tsv and results have those of the whole form" if small else ""))
    else:
        print(f"{runs} runs, about {total:.0f} cycles" + (f", those of {unknown} kernels not counted" if unknown else "") + "; `make bench` tells the cycles a second of this machine")


def listed(word, text):
    """Names of a list with commas; None: it was not given."""
    names = [w for w in (text or "").split(",") if w]
    if text is not None and not names:
        raise Wrong(f"{word} names none; remedy: leave {word} out for all, or {word} NAME,NAME")
    return names


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n", maxsplit=1)[0], formatter_class=argparse.RawDescriptionHelpFormatter,
                                 description=__doc__.split("\n\n", maxsplit=1)[0] + "\n\n" + __doc__.split("usage: ")[1].split("\n", maxsplit=1)[1], add_help=False)
    ap.add_argument("name", choices=list(STUDIES), help=argparse.SUPPRESS)
    ap.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    for word in ("--small", "--no-oracle", "--base-only", "--points-only", "--report-only", "--record"):
        ap.add_argument(word, action="store_true", help=argparse.SUPPRESS)
    for word in ("--kernels", "--policies"):
        ap.add_argument(word, help=argparse.SUPPRESS)
    ap.add_argument("--also", action="append", default=[], help=argparse.SUPPRESS)
    ap.add_argument("-j", metavar="N", type=int, default=1, help=argparse.SUPPRESS)
    ap.add_argument("-o", metavar="FOLDER", help=argparse.SUPPRESS)
    opt = ap.parse_args()
    for word, given in (("--policies", opt.policies is not None), ("--also", opt.also), ("--no-oracle", opt.no_oracle)):
        if given and opt.name != "schedulers":
            raise Wrong(f"{word} is of the study of schedulers; remedy: leave it out")
    if opt.points_only and (opt.report_only or opt.record):
        raise Wrong("--points-only runs and reports nothing; remedy: leave out --report-only and --record")
    opt.kernels, opt.policies = listed("--kernels", opt.kernels), listed("--policies", opt.policies)
    folder = pathlib.Path(opt.o if opt.o is not None else ROOT / f"build/studies/{opt.name}{'-small' if opt.small else ''}")
    if opt.o == "":
        raise Wrong("-o names no folder; remedy: -o FOLDER")
    folder = folder.resolve()
    chosen = kernels(opt.name, opt.small, opt.kernels)
    for c in opt.also:
        kind, _, file = c.partition(":")
        if kind not in ("c", "plugin") or not (ROOT / f"build/plugin/{'c/' if kind == 'c' else ''}{file}.so").exists():
            raise Wrong(f"no scheduler '{c}'; remedy: scripts/cpolicy.sh {file or 'NAME'} FILE.c, then c:{file or 'NAME'} (cosim/POLICY.md)")
    if opt.record and (opt.small or opt.kernels or opt.policies or opt.also or opt.no_oracle or opt.base_only):
        raise Wrong("--record is of a whole study; remedy: leave out the words that make it a part")
    if opt.j < 1:
        raise Wrong(f"-j {opt.j}: at least 1")
    base, all_words = axes(opt.name, opt.small, [], True)[0], axes(opt.name, opt.small, opt.also, opt.base_only, opt.policies)
    if opt.points_only:
        show_points(opt.name, opt.small, chosen, [base, *all_words])
        return 0
    if opt.report_only:
        export(folder / "store.db", opt.name)
    folder.mkdir(parents=True, exist_ok=True)
    ran, begun, before = 0, time.time(), 0.0
    if not opt.report_only:
        had = export(folder / "store.db") if (folder / "store.db").exists() else []
        before = sum(float(p["cycles"] or 0) for p in had)
        for k in chosen:
            if not opt.base_only:  # also where a plan cannot hold it: not every value of an axis goes with every other
                ran += sweep(folder / "store.db", base, k, "first column", opt.j)[0]
            for words in all_words:
                ran += sweep(folder / "store.db", words, k, "sweep" if words is all_words[0] else "without the progress rule", opt.j)[0]
            if opt.name == "schedulers" and not opt.no_oracle and not opt.base_only:
                ran += oracle(folder, plan_file(opt.name, opt.small), k, opt.j)[0]
    seconds = time.time() - begun
    if opt.base_only and opt.name == "schedulers" and not opt.small and not opt.o:
        note_cycles(folder, opt.name, chosen)
    after = sum(float(p["cycles"] or 0) for p in export(folder / "store.db"))
    bad = report(opt.name, opt.small, chosen, folder, (after - before) / seconds if ran else 0.0)
    if opt.record and not bad:
        record(opt.name, chosen, folder)
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Wrong as e:
        print(f"error: {e}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # who reads along has gone; the files are written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as e:
        print(f"error: '{e.filename or 'standard output'}': {e.strerror}; remedy: -o FOLDER, one that can be written", file=sys.stderr)
        sys.exit(2)
