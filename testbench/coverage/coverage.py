#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage of the instruction table in lockstep, of the warp schedulers' contract, of the silicon tables.

usage: testbench/coverage/coverage.py [--report] [--silicon DIR]   (needs build/bin/wgcover, the SM of shape tiny)
Without --report a test suite: for SEED an eighth of the instructions, with TEST_ALL=1 all of them, in each mode. With --report
all of them, and build/coverage.tsv and build/coverage.md are written. Fails if a cell has fewer than 64 rows for a kind of mask
in a mode and exceptions.tsv does not name it with a reason, or if an exception is not needed. README.md says what a cell is.
--silicon DIR: also, every file of the measurements in DIR has a line in testbench/silicon/coverage.tsv.
Lines begin with `ok` or `FAIL`; `N passed, N failed` is last.
"""
import csv
import fnmatch
import pathlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import ALL, ROOT, SEED, check, finish, parser, sh  # noqa: E402

HERE = ROOT / "testbench/coverage"
ROWS = 64   # the least, of each kind of mask in each mode
PARTS = 8   # a sample is one of so many
MASKS = ["full", "partial", "single"]
MODES = [(v, p) for v in ("stack", "its") for p in ("scoreboard", "control-bits")]
SPLITS = ["h200", "alternate", "random"]


def mode_name(mode):
    return f"{mode[0]}/{mode[1]}"


def policies():
    """(id, name) of each warp scheduler of the table but the pick port."""
    found = re.findall(r'^WG_POLICY\((\w+), \d+, "(\w+)"', (ROOT / "isa/cfg.def").read_text(), re.M)
    return [p for p in found if p[1] != "ext"]


# ---- runs ----

def settings(i):
    """Settings of mode number i: schedulers and split orders take turns with the seed."""
    names = [p[1] for p in policies()]
    diverge, dep = MODES[i]
    split = f" split={SPLITS[(SEED + i) % 3]}" if diverge == "its" else ""
    return f"preset=tiny check=units diverge={diverge} dep={dep} sched={names[(SEED + 2 * i) % len(names)]}{split}"


def read_counts(path):
    """[(op, kind, cell, [full, partial, single])] of a file that wgcover wrote."""
    with open(path, encoding="utf-8") as f:
        rows = list(csv.reader(f, delimiter="\t"))
    if rows[0] != ["op", "kind", "cell"] + MASKS:
        sys.exit(f"error: {path}: not a table of wgcover")
    return [(r[0], r[1], r[2], [int(x) for x in r[3:]]) for r in rows[1:]]


def run_mode(i, part, folder):
    out = folder / f"cover_{MODES[i][0]}_{MODES[i][1]}.tsv"
    return *sh([ROOT / "build/bin/wgcover", "-s", settings(i), "--seed", str(SEED), "--part", part, "--out", out]), out


def run_all(part, folder):
    """{(op, kind, cell): {mode: [full, partial, single]}}, or None after a mismatch"""
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda i: run_mode(i, part, folder), range(len(MODES))))
    table, good = {}, True
    for i, (code, text, out) in enumerate(results):
        check(code == 0, f"design and golden model agree: {settings(i)} seed {SEED} part {part}", text[-3000:])
        good = good and code == 0
        for op, kind, cell, counts in read_counts(out) if code == 0 else []:
            table.setdefault((op, kind, cell), {})[mode_name(MODES[i])] = counts
    return table if good else None


# ---- judgement ----

def read_exceptions():
    """[(op, cell, mode, mask, reason)] with wildcards"""
    with open(HERE / "exceptions.tsv", encoding="utf-8") as f:
        rows = [r for r in csv.reader(f, delimiter="\t") if r and not r[0].startswith("#")]
    for r in rows:
        if len(r) != 5 or not r[4].strip():
            sys.exit(f"error: exceptions.tsv: want op, cell, mode, mask, reason between tabs: {r}")
    return [tuple(r) for r in rows]


def table_cells():
    """(op, cell) of each instruction and of each defined value of its modifier groups, read from isa.def by itself."""
    text = (ROOT / "isa/isa.def").read_text()
    groups = {m[0]: m[1].split("|") for m in re.findall(r'^WG_MOD\((\w+), \d+, \d+, "([^"]*)"\)', text, re.M)}
    cells = []
    for name, mods in re.findall(r'^WG_INSN\(\w+, "([^"]+)", \w+, \w+, "[^"]*", "([^"]*)"', text, re.M):
        cells.append((name, ""))
        for g in [m for m in mods.split(",") if m in groups]:
            for i, v in enumerate(groups[g]):
                if v == "#":
                    cells += [(name, f"{g}={n}") for n in range(16 if name == "PLOP3" else 256)]
                elif v == "*":
                    cells += [(name, f"{g}={n}") for n in ((0, 1) if g == "CIMM" else (i,))]
                elif v != "?":
                    cells.append((name, f"{g}={v or '(none)'}"))
    return cells


def judge(table, exceptions, whole):
    """Cells with too few rows that no exception names; exceptions that nothing needs; cells of isa.def that are not there.

    whole: the table holds all instructions. @return (list of texts, number of exceptions used)"""
    bad, used = [], set()

    def excused(op, cell, mode, mask):
        hits = [i for i, e in enumerate(exceptions)
                if all(fnmatch.fnmatchcase(x, p) for x, p in zip((op, cell, mode, mask), e))]
        used.update(hits)
        return bool(hits)

    for (op, _, cell), counts in table.items():
        for mode in map(mode_name, MODES):
            for mask, n in zip(MASKS, counts.get(mode, [0, 0, 0])):
                if n < ROWS and not excused(op, cell, mode, mask):
                    bad.append(f"{op} {cell or '(all)'}, {mask} mask, {mode}: {n} rows, at least {ROWS} wanted")
    ops, have = {k[0] for k in table}, {(k[0], k[2]) for k in table if k[1] in ("op", "value")}
    for op, cell in table_cells():
        if (whole or op in ops) and (op, cell) not in have and not excused(op, cell, "-", "-"):
            bad.append(f"{op} {cell or '(all)'}: in isa.def, and not counted")
    for i, e in enumerate(exceptions):
        known = whole or any(fnmatch.fnmatchcase(op, e[0]) for op in ops)
        if known and i not in used:
            bad.append(f"exceptions.tsv: {' '.join(e[:4])}: not needed")
    return bad, len(used)


def self_test(table, exceptions, whole):
    """The judgement can fail: each kind of defect, put into a copy."""
    several = {k[0] for k in table if k[1] == "value"} - {e[0] for e in exceptions}
    cell = next(k for k in table if k[1] == "op" and k[0] in several)
    low = {k: {m: list(c) for m, c in v.items()} for k, v in table.items()}
    low[cell][mode_name(MODES[0])][2] = ROWS - 1
    base = len(judge(table, exceptions, whole)[0])
    check(len(judge(low, exceptions, whole)[0]) == base + 1, "a cell with 63 rows is found")
    less = {k: v for k, v in table.items() if k != cell}
    check(len(judge(less, exceptions, whole)[0]) == base + 1, "a cell that is not counted is found")
    extra = exceptions + [(cell[0], cell[2], "*", "*", "for nothing")]
    check(len(judge(table, extra, whole)[0]) == base + 1, "an exception that nothing needs is found")


def judge_ops(table, exceptions, whole):
    bad, used = judge(table, exceptions, whole)
    for op in sorted({k[0] for k in table}):
        mine = [b for b in bad if b.startswith(op + " ")]
        cells = sum(k[0] == op for k in table)
        check(not mine, f"{op}: {cells} cells, each kind of mask, {len(MODES)} modes", "\n".join("  " + b for b in mine[:20]))
        bad = [b for b in bad if b not in mine]
    check(not bad, f"exceptions: {used} used", "\n".join("  " + b for b in bad))


# ---- schedulers, silicon ----

def scheduler_rows():
    """[(name, places)]: which contract suites run a policy of the table."""
    suites = {"twin (testbench/unit/twin/sched_test.cc)": r"INSTANTIATE_TEST_SUITE_P\(\w+, SchedContract,(.*?)\)\);",
              "RTL (testbench/rtl/sched/policy_test.cc, policy16_test.cc)": r"const Policy kPolicies\[\] = \{(.*?)\};"}
    files = ["testbench/unit/twin/sched_test.cc", "testbench/rtl/sched/policy_cases.h"]
    lists = {}
    for (suite, pattern), path in zip(suites.items(), files):
        m = re.search(pattern, (ROOT / path).read_text(), re.S)
        lists[suite] = set(re.findall(r"kWgPolicy(\w+)", m[1])) if m else set()
    return [(name, {s: ident in ids for s, ids in lists.items()}) for ident, name in policies()]


def check_schedulers():
    for name, places in scheduler_rows():
        check(all(places.values()), f"scheduler {name} is in every contract suite",
              "\n".join(f"  not in {s}" for s, there in places.items() if not there))


def silicon_rows():
    """[(measured, rows, here, reader, remark)] of testbench/silicon/coverage.tsv"""
    with open(ROOT / "testbench/silicon/coverage.tsv", encoding="utf-8") as f:
        return [tuple(r) for r in csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if r and not r[0].startswith("#")]


def judge_silicon(rows, folder):
    """Lines that say what is not so; tables of testbench/silicon, and of the measurements in folder, without a line."""
    bad = []
    for r in rows:
        if len(r) != 5 or "" in r[:4] or (r[2] == "-") != (r[3] == "-") or (r[2] == "-" and not r[4]):
            bad.append(f"want measured, rows, here, reader, remark; here and reader, or a remark that says why not: {r}")
        elif r[2] != "-" and not ((ROOT / r[2]).is_file() and (ROOT / r[3]).is_file()):
            bad.append(f"{r[0]}: {r[2]} or {r[3]} is not there")
        elif r[2] != "-" and pathlib.Path(r[2]).name.split(".")[0] not in (ROOT / r[3]).read_text():
            bad.append(f"{r[0]}: {r[3]} does not name {pathlib.Path(r[2]).name}")
    here = {r[2] for r in rows}
    for p in sorted((ROOT / "testbench/silicon").rglob("*")):
        name = p.relative_to(ROOT).as_posix()
        if p.name.endswith((".csv", ".csv.gz", ".cu")) and name not in here:
            bad.append(f"{name}: no line says where it comes from and who reads it")
    for p in sorted(folder.rglob("*")) if folder else []:
        name = p.relative_to(folder).as_posix()
        if p.is_file() and not any(fnmatch.fnmatchcase(name, r[0]) for r in rows):
            bad.append(f"{name} of the measurements: no line")
    return bad


def check_silicon(folder):
    rows = silicon_rows()
    bad = judge_silicon(rows, folder)
    unused = sum(r[2] == "-" for r in rows)
    check(not bad, f"silicon: {len(rows) - unused} tables and programs read, {unused} groups with a reason",
          "\n".join("  " + b for b in bad))
    used = next(i for i, r in enumerate(rows) if r[2].startswith("testbench/silicon/warp/elect"))
    wrong = rows[:used] + rows[used + 1:]
    wrong += [("x", "all", "testbench/silicon/none.csv", "Makefile", ""), ("y", "all", "-", "-", "")]
    check(len(judge_silicon(wrong, None)) == len(judge_silicon(rows, None)) + 3,
          "a table without a line, a line without a table or a reason are found")


# ---- report ----

def write_report(table, exceptions):
    out = ROOT / "build/coverage.tsv"
    with open(out, "w", encoding="utf-8") as f:
        f.write("op\tkind\tcell\t" + "\t".join(f"{mode_name(m)} {k}" for m in MODES for k in MASKS) + "\n")
        for (op, kind, cell), c in table.items():
            f.write("\t".join([op, kind, cell] + [str(n) for m in MODES for n in c[mode_name(m)]]) + "\n")
    lines = ["# Coverage", "", "Made by `make coverage`; what the columns mean: testbench/coverage/README.md. Rows are warp "
             "instructions that the lockstep checker has judged, " + ", ".join(MASKS) + " mask.", ""]
    lines += [f"- {mode_name(m)}: `{settings(i)}`, seed {SEED}" for i, m in enumerate(MODES)]
    head = "| instruction | " + " | ".join(mode_name(m) for m in MODES) + " |"
    rule = "|---" * (len(MODES) + 1) + "|"

    def cells_of(c):
        return " | ".join(" ".join(str(n) for n in c[mode_name(m)]) for m in MODES)

    lines += ["", "## Instructions", "", "Fewest rows of any cell of the instruction.", "",
              head.replace("instruction", "instruction (cells)"), rule]
    for op in dict.fromkeys(k[0] for k in table):
        mine = [c for k, c in table.items() if k[0] == op]
        least = {mode_name(m): [min(c[mode_name(m)][j] for c in mine) for j in range(3)] for m in MODES}
        lines.append(f"| {op} ({len(mine)}) | {cells_of(least)} |")
    lines += ["", "## Modifiers", "", "Each value; combinations and pairs stand in coverage.tsv.", "",
              head.replace("instruction", "instruction, value"), rule]
    for (op, kind, cell), c in table.items():
        if kind == "value":
            name = f"{op} `{cell}`".replace("|", "\\|")
            lines.append(f"| {name} | {cells_of(c)} |")
    lines += ["", "## Exceptions", "", "| instruction | cell | mode | mask | reason |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(x.replace("|", "\\|") for x in e) + " |" for e in exceptions]
    rows = scheduler_rows()
    suites = list(rows[0][1])
    lines += ["", "## Warp schedulers in the contract suites", "", "| scheduler | " + " | ".join(suites) + " |",
              "|---" * (len(suites) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join("yes" if p[s] else "NO" for s in suites) + " |" for name, p in rows]
    lines += ["", "## Silicon", "", "| measured | rows | here | read by | remark |", "|---|---|---|---|---|"]
    lines += ["| " + " | ".join(x.replace("|", "\\|") for x in r) + " |" for r in silicon_rows()]
    (ROOT / "build/coverage.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("written: build/coverage.tsv, build/coverage.md")


def main():
    ap = parser(__doc__)
    ap.add_argument("--report", action="store_true")
    ap.add_argument("--silicon", type=pathlib.Path)
    args = ap.parse_args()
    if args.silicon and not args.silicon.is_dir():
        sys.exit(f"error: '{args.silicon}' is no folder\n  remedy: the folder of the silicon measurements")
    report = args.report
    whole = report or ALL
    exceptions = read_exceptions()
    table = run_all("0/1" if whole else f"{SEED % PARTS}/{PARTS}", ROOT / "build/cover")
    if table is not None:
        judge_ops(table, exceptions, whole)
        self_test(table, exceptions, whole)
        if report:
            write_report(table, exceptions)
    check_schedulers()
    check_silicon(args.silicon)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
