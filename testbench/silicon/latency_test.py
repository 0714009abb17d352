#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Latencies and rates of the RTL against a GPU's: rows of latency/*.csv, each measured again.
Run from the root after `make build` and `make sm SHAPE=tiny`, with --all `make sm SHAPE=sm32`.

usage: latency_test.py [--all] [--table FILE] [--break] [TABLE ...]
With --all every row, on preset h200. Without it the rows of SAMPLE: what one warp or one sub-core's few warps see, on the small
shape with h200's knobs (its 8 lanes make every load and barrier 3 cycles longer: the knobs are less by as much). Kernels are those of the
recording programs, unchanged; latency/rows_*.cu launch the rows that are asked for and say what differs. Every recorded
number is compared within 10 % or stands in latency/left_out.tsv with its reason. dispatch, interleave, warpid and the ladder of
small blocks are compared by what they say: rules, not cycles.
--table writes what was measured as Markdown. --break makes recorded numbers wrong: the test has to fail.
"""
import concurrent.futures
import csv
import gzip
import os
import pathlib
import re
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, ROOT, check, sh, sh_apart  # noqa: E402

LATENCY = pathlib.Path(__file__).resolve().parent / "latency"
TOLERANCE = 0.10
# table: (program, columns that name a row, its arguments, [column and unit])
TABLES = {
    "ops": ("rows_ops", 1, lambda k: [k[0]], ["dependent", "eight chains"]),
    "issue": ("rows_issue", 3, lambda k: ["issue", k[0], k[1]], [None, "a cycle"]),
    "subcore": ("rows_issue", 2, lambda k: ["subcore", k[0], k[1]], ["warp 0", "warp k", None, None]),
    "barrier": ("rows_sync", 2, lambda k: ["barrier", k[0], k[1]], ["cycles"]),
    "conflict": ("rows_sync", 2, lambda k: ["conflict", k[0], k[1]], ["dependent", "back to back"]),
    "chase": ("rows_memory", 3, lambda k: ["chase", k[0], k[1], k[2]], ["first pass", "second pass"]),
    "pattern": ("rows_memory", 3, lambda k: ["pattern", k[0], k[1], "0"], ["dependent", "back to back"]),
    "shared": ("rows_memory", 1, lambda k: ["shared", k[0], "0", "0"], ["cycles"]),
    "atomics": ("rows_memory", 1, lambda k: ["atomics", k[0], "0", "0"], ["cycles"]),
}
# table: {row: columns}; None = all
SAMPLE = {"ops": {k: ["dependent"] for k in ("FADD", "FMUL", "IMAD", "SHF", "HFMA2", "HADD2", "SHFL")},
          "barrier": {f"bar.sync 0,{w}": None for w in (1, 2, 4, 8)}, "shared": {"ld.shared.u32": None, "ld.shared.u32 same word": None},
          "conflict": {f"{k},{d}": ["dependent"] for k in ("ld.shared", "atom.shared.add bank") for d in (1, 2, 8, 16)},
          "pattern": {f"8,{n},{n // 4}": ["dependent"] for n in (8, 16, 64)},
          "atomics": {"atom.shared.add own word 32 lanes": None}}
SMALL = {"shape": '"tiny"', "warp_slots_per_sub_core": 8, "block_slots": 8, "registers_per_sub_core": 32768, "shared_bytes": 20480,
         "shared_per_block_bytes": 20480, "shared_per_block_optin_bytes": 20480, "l1_sets": 16, "l1_ways": 4,
         "max_threads_per_block": 256, "issue_interval_cycles": "[0, 0, 0, 0]"}
LESS = {"shared_pad_cycles": 3, "global_pad_cycles": 3, "barrier_extra_cycles": 3}


def read(name):
    path = LATENCY / f"{name}.csv" if name != "conflict" else ROOT / "testbench/unit/twin/data/conflict.csv"
    with (open(path, encoding="ascii") if path.exists() else gzip.open(f"{path}.gz", "rt")) as f:
        return list(csv.reader(f))[1:]


class LeftOut:
    """left_out.tsv: table, expression for the row's key, column ('*' = all, '-' = the row is not run), reason."""

    def __init__(self):
        self.rules = []
        for n, line in enumerate((LATENCY / "left_out.tsv").read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith("#"):
                table, key, column, reason = line.split("\t")
                self.rules.append([table, re.compile(key), column, reason, n, 0])

    def reason(self, table, key, column, needed=True):
        for r in self.rules:
            if r[0] == table and r[1].fullmatch(key) and (r[2] == column or r[2] == "*" and column != "-"):
                r[5] += needed
                return r[3]
        return None

    def unused(self, tables):
        return [f"  line {r[4]}: {r[0]} {r[1].pattern} {r[2]}" for r in self.rules if r[0] in tables and r[5] == 0]


def small_preset(tmp):
    """h200's knobs on shape tiny, as a file."""
    lines = (ROOT / "configs/h200.cfg").read_text(encoding="utf-8").splitlines()
    for n, line in enumerate(lines):
        key = re.match(r"\s*(\w+) = (\d*)", line)
        if key and key[1] in SMALL:
            lines[n] = f"{key[1]} = {SMALL[key[1]]}"
        elif key and key[1] in LESS:
            lines[n] = f"{key[1]} = {int(key[2]) - LESS[key[1]]}"
    path = pathlib.Path(tmp) / "h200_small.cfg"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def compile_program(program, tmp):
    """Once a program; whether its executable is there."""
    exe = f"{tmp}/{program}"
    if not os.path.exists(exe):
        code, text = sh([BIN / "wgcc", "-O3", "-arch=sm_90", LATENCY / f"{program}.cu", "-o", exe])
        check(code == 0, f"{program}.cu compiles", text)
    return os.path.exists(exe)


def launch(program, args, tmp, opt, preset=None, settings=""):
    """(went well, what to say, output): may run in a thread of its own."""
    start = time.time()
    code, out, err = sh_apart([BIN / "warpglass", "run", f"{tmp}/{program}", *args], f"preset={preset or opt.preset} check=off {settings}", cwd=tmp)
    last = out.rstrip("\n").rsplit("\n", 1)[-1]
    return code == 0 and last.startswith(f"PASS {program} "), f"{program}: {last} ({time.time() - start:.1f} s)", out[-700:] + err[-700:], out


def run(program, args, tmp, opt, preset=None, settings=""):
    """One run; its output."""
    if not compile_program(program, tmp):
        return ""
    good, what, detail, text = launch(program, args, tmp, opt, preset, settings)
    check(good, what, detail)
    return text


def choose(table, rows, left, opt):
    """The rows to measure: [(key, recorded numbers, columns or None)]. Rows that left_out.tsv marks `-` are not run."""
    width = TABLES[table][1]
    keyed = [(",".join(r[:width]), r[width:]) for r in rows]
    want = SAMPLE.get(table, {})
    return [(k, v, None if opt.all else want[k]) for k, v in keyed
            if (opt.all or k in want) and left.reason(table, k, "-") is None]


def compare(table, chosen, have, left, opt, lines):
    """One table: every number within the tolerance, or excused."""
    columns = TABLES[table][3]
    bad, compared, excused = [], 0, 0
    for n, (key, recorded, only) in enumerate(chosen):
        got = have.get(key)
        if got is None:
            bad.append(f"  {key}: not measured")
            continue
        for c, name in enumerate(columns):
            if name is None or float(recorded[c]) == 0 or (only and name not in only):  # no latency; not measured in that form
                continue
            want, value = float(recorded[c]) * (1.3 if opt.wrong and n == 0 else 1), float(got[c])
            away = value / want - 1
            near = abs(away) <= TOLERANCE
            reason = left.reason(table, key, name, not near)
            if reason is None and not near:
                bad.append(f"  {key}, {name}: {value:.3f}, recorded {want:.3f} ({away:+.0%})")
            compared += reason is None
            excused += reason is not None
            lines.append((table, key, name, want, value, away, reason))
    note = f", {excused} of left_out.tsv" if excused else ""
    check(not bad and (compared or excused), f"{table}: {compared} numbers of {len(chosen)} rows within {TOLERANCE:.0%}{note}",
          "\n".join(bad[:60]))


def measure(tables, tmp, opt):
    """{table: {key: numbers}} of {table: rows}, two runs at a time, the longest tables first."""
    jobs, have = [], {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for table, chosen in sorted(tables.items(), key=lambda t: -len(t[1])):
            program, width, words, _ = TABLES[table]
            have[table] = {}
            if not compile_program(program, tmp):
                continue
            for part in range(0, len(chosen), 30):
                args = [w for row in chosen[part:part + 30] for w in words(row[0].split(","))]
                jobs.append((table, width, pool.submit(launch, program, args, tmp, opt)))
        for table, width, job in jobs:
            good, what, detail, text = job.result()
            check(good, f"{table}, {what}", detail)
            for line in text.splitlines():
                cells = line.split(",")
                if cells[0] == table:
                    have[table][",".join(cells[1:1 + width])] = cells[1 + width:]
    return have


def warp_slots(tmp, opt):
    """warpid.csv and the same here: warp k of a block runs on sub-core (s + k) mod 4, in the lowest free slot of it; s is where the block
    before it on the SM ended. All blocks of a launch are on their SMs together."""
    def wrong(rows):
        blocks, used, following, bad = {}, {}, {}, []
        for launch, block, _, slot, sm in rows:
            blocks.setdefault((launch, sm, int(block)), []).append(int(slot))
        for (launch, sm, block), slots in sorted(blocks.items()):
            taken = used.setdefault((launch, sm), set())
            first, want = following.get((launch, sm), slots[0] % 4), []
            for k in range(len(slots)):
                want.append(min(x for x in range((first + k) % 4, 64, 4) if x not in taken))
                taken.add(want[-1])
            following[launch, sm] = (first + len(slots)) % 4
            if slots != want:
                bad.append(f"  {launch} SM {sm} block {block}: slots {slots}, by the rule {want}")
        return bad, len(blocks)
    bad, blocks = wrong(read("warpid"))
    check(not bad and blocks == 15, f"warpid: {blocks} recorded blocks follow the rule of rotate", "\n".join(bad))
    text = run("slots", [], tmp, opt)
    bad, blocks = wrong([line.split(",")[1:] for line in text.splitlines() if line.startswith("warpid,")])
    check(not bad and blocks == 8, f"warpid: {blocks} blocks here follow it", "\n".join(bad))


def interleave(tmp, opt):
    """interleave.csv and interleave.cu, unmodified: one side of a branch runs to its end before the other begins; with nanosleep the sides
    take turns. That one is compared in mode its (the stack cannot), the others in mode stack: the loops of this program have volatile
    accesses, behind which our compiler puts YIELD, so that in mode its all sides take turns."""
    def apart(rows, sleeps):
        cases = {}
        for case, side, *t in rows:
            cases.setdefault(case, {})[side] = [int(x) for x in t]
        return {c: s["lane 0"][-1] < s["lane 1"][0] or s["lane 1"][-1] < s["lane 0"][0] for c, s in cases.items()
                if ("nanosleep" in c) == sleeps}

    for sleeps, mode, number, what in ((False, "stack", 8, "one side after the other"), (True, "its", 2, "in turns")):
        want = apart(read("interleave"), sleeps)
        text = run("interleave", [], tmp, opt, settings=f"diverge={mode}")
        have = apart([line.split(",")[1:] for line in text.splitlines() if line.startswith("INTER,")], sleeps)
        check(want == have and len(want) == number and all(a != sleeps for a in want.values()),
              f"interleave, {mode}: {len(want)} traces: {what}", f"  {have}\n  recorded {want}")


def dispatch(tmp, opt):
    """dispatch.csv: while there are SMs without a block, no SM gets a second one. (What the GigaThread engine of the model does: gte_test.cc.)"""
    del tmp, opt
    rows = [r for r in read("dispatch") if int(r[1]) <= 132]
    bad = [r[0] + " " + r[1] for r in rows if len(set(r[4:4 + int(r[1])])) != int(r[1])]
    check(not bad and len(rows) > 20, f"dispatch: {len(rows)} recorded grids go breadth first", "\n".join(bad))


def room(warps, rotate, slots, blocks):
    """Warps on each of four sub-cores when no more blocks of so many fit: rtl/README.md, "Allocator"."""
    used, first, held = [0] * 4, 0, 0
    while held < blocks:
        for k in range(4 if rotate else 1):
            start = (first + k) % 4 if rotate else 0
            after = [used[s] + len(range((s - start) % 4, warps, 4)) for s in range(4)]
            if max(after) <= slots:
                used, first, held = after, start + warps, held + 1
                break
        else:
            break
    return used


def ladder(tmp, opt):
    """ladder.cu on ga102: blocks of 1 to 8 warps fill the sub-cores as the rule says, literal (warp k on sub-core k mod 4) and rotating."""
    cycles = {}
    for rule in ("literal", "rotate"):
        text = run("ladder", [], tmp, opt, "ga102", f"first={rule}")
        rows = [[int(x) for x in line.split(",")[1:]] for line in text.splitlines() if line.startswith("ladder,")]
        bad = [f"  {w} warps: {seen}, expected {room(w, rule == 'rotate', 12, 16)}" for w, _, *seen, _ in rows
               if seen != room(w, rule == "rotate", 12, 16)]
        check(not bad and len(rows) == 8, f"ladder: blocks of 1 to 8 warps, {rule}", "\n".join(bad))
        cycles[rule] = [r[-1] for r in rows]
        for w, blocks, *seen, c in rows:
            print(f"      {rule:8} {blocks:3} blocks of {w}: {seen} = {sum(seen)} of 48 slots, {c} cycles")
    check(cycles["literal"][:1] > cycles["rotate"][:1], "ladder: one-warp blocks take longer on sub-core 0 alone")


def markdown(lines):
    text = ["# Latencies and rates: the RTL against an H200", "",
            "Made by `make latency-table` (testbench/silicon/latency_test.py --all --table). Cycles, or instructions a cycle and SM; within",
            "10 %, or with the reason why not.", ""]
    table = None
    for t, key, name, want, value, away, reason in lines:
        if t != table:
            text += [f"## {t}", "", "| row | number | H200 | RTL | away | |", "|---|---|---|---|---|---|"]
            table = t
        text.append(f"| {key} | {name} | {want:.2f} | {value:.2f} | {away:+.0%} | {reason or ''} |")
    return "\n".join(text) + "\n"


def main():
    ap = suite.parser(__doc__)
    ap.add_argument("--all", action="store_true", default=ALL)
    ap.add_argument("--table")
    ap.add_argument("--break", dest="wrong", action="store_true")
    other = {"warpid": warp_slots, "interleave": interleave, "dispatch": dispatch, "ladder": ladder}
    opt = suite.parse(ap, [*TABLES, *other], "table")
    shape = "sm32" if opt.all else "tiny"
    if not (ROOT / f"build/sm/{shape}-fast/libwgsm.so").exists():
        sys.exit(f"error: build/sm/{shape}-fast/libwgsm.so is not there; remedy: make sm SHAPE={shape}")
    left, lines = LeftOut(), []
    small = [*SAMPLE, "interleave", "dispatch"]
    with tempfile.TemporaryDirectory() as tmp:
        opt.preset = "h200" if opt.all else small_preset(tmp)
        tables = opt.words or ([*TABLES, *other] if opt.all else small)
        for t in tables:
            if not opt.all and t not in small:
                sys.exit(f"error: {t} needs four sub-cores; remedy: --all")
        chosen = {t: choose(t, read(t), left, opt) for t in tables if t in TABLES}
        have = measure(chosen, tmp, opt)
        for t in tables:
            if t in other:
                other[t](tmp, opt)
            else:
                compare(t, chosen[t], have[t], left, opt, lines)
    if opt.all:
        stale = left.unused([t for t in tables if t in TABLES])
        check(not stale, "left_out.tsv: every line excuses a number that is farther away", "\n".join(stale))
    if opt.table:
        pathlib.Path(opt.table).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(opt.table).write_text(markdown(lines), encoding="utf-8")
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
