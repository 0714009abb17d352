#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions against a GPU's answers: each ops/*.cu, compiled by wgcc and run, has to print the recorded tables.
Run from the root after `make build` (and `make sm SHAPE=tiny` for the RTL).

usage: ops_test.py [--backend rtl|func] [--preset NAME] [--seed N] [--all] [PROGRAM ...]
Every column is compared on every row but those of ops/deviations.tsv; `.approx` and div.full columns by distance, reported as
the largest one in units of the last place (ulp). On the RTL a seeded third of the programs runs, with --all all of them.
--table FILE writes the distances as text. --break makes one recorded number wrong in each table: the test has to fail.
"""
import csv
import gzip
import pathlib
import random
import struct
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, SEED, check, sh  # noqa: E402

OPS = pathlib.Path(__file__).resolve().parent / "ops"
TABLES = {"cvt_int": ["cvt_int_int", "cvt_int_float"], "f16": ["f16_unary", "f16_binary", "f16_ternary", "f16x2", "bf16x2"],
          "f32": ["f32_unary", "f32_binary", "f32_ternary"], "f64": ["f64_unary", "f64_binary", "f64_ternary"],
          "int32": ["int32_unary", "int32_binary", "int32_ternary", "int16_binary"],
          "int64": ["int64_unary", "int64_binary", "int64_ternary"]}
# Largest distance in ulp allowed by the PTX manual for finite, normal results; absolute bounds where it gives those.
ULP = {"rcp": 1, "sqrt": 2, "rsqrt": 2, "div": 2, "ex2": 2, "lg2": 3, "tanh": 1 << 13}
ABSOLUTE = {"sin": 2.0**-20, "cos": 2.0**-20, "lg2": 2.0**-22}


def read(path):
    with (gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="ascii")) as f:
        return list(csv.reader(f))


def deviations():
    """{(table, instruction): kind}"""
    rows = {}
    for line in (OPS / "deviations.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            table, column, kind, _ = line.split("\t")
            rows[table, column] = kind
    return rows


def signed(v, bits):
    return v - (1 << bits) if v >> (bits - 1) & 1 else v


def excused(kind, row, want):
    """Is this row one of those that the deviation is about?"""
    if kind == "equal":
        return want == 1
    if kind == "overflow":
        total = (signed(row[0], 32) * signed(row[1], 32) >> 32) + signed(row[2], 32)
        return total != signed(total & 0xffffffff, 32)
    return max(row[1] & 0xffffffff, row[2] & 0xffffffff) > 255


def number(v, kind):
    code, size = {"f16": ("e", 2), "f32": ("f", 4), "f64": ("d", 8)}[kind]
    return struct.unpack("<" + code, v.to_bytes(size, "little"))[0]


def distance(column, want, got):
    """Units of the last place between two results, None if they differ in kind (NaN, infinity, sign)."""
    kind = column.rsplit(".", 1)[1]
    if kind.endswith("x2"):
        parts = [distance(column[:-2], want >> s & 0xffff, got >> s & 0xffff) for s in (0, 16)]
        return None if None in parts else max(parts)
    bits = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}[kind]
    top = {"f16": 0x7c00, "bf16": 0x7f80, "f32": 0x7f800000, "f64": 0x7ff << 52}[kind]
    mag = (1 << (bits - 1)) - 1
    if (want & mag) > top or (got & mag) > top:
        return 0 if want == got else None
    if want != got and (want ^ got) >> (bits - 1) and want & mag and got & mag:
        return None
    return abs((want & mag) - (got & mag))


def absolute(column, want, got):
    """|want - got|; infinite for infinities and NaN."""
    w, g = number(want, column.rsplit(".", 1)[1]), number(got, column.rsplit(".", 1)[1])
    d = abs(w - g)
    return d if d == d and abs(w) != float("inf") and abs(g) != float("inf") else (0.0 if want == got else float("inf"))


def close(column, want, got, ulp):
    if want == got:
        return True
    op, kind = column.split(".")[0], column.rsplit(".", 1)[1]
    if kind == "f32" and op in ABSOLUTE and absolute(column, want, got) <= ABSOLUTE[op]:
        return True
    if ulp is None or op in ("sin", "cos"):
        return False
    if kind == "f64":  # seeds: 20 bits of the significand; rsqrt.approx.f64: the last bits
        return ulp <= (4 if column == "rsqrt.approx.f64" else 1 << 34)
    return ulp <= (1 if kind != "f32" else ULP[op])


def compare(table, have, record, devs):
    """Check one table; {approximate column: largest distance}."""
    if have[0] != record[0] or len(have) != len(record):
        check(False, f"{table}: columns and rows as recorded", f"{len(have)} rows, {len(record)} recorded")
        return {}
    inputs = len([h for h in record[0] if len(h) == 1])
    worst, bad, exact, skipped = {}, [], 0, 0
    for c in range(inputs, len(record[0])):
        column = record[0][c]
        approx = ".approx" in column or ".full" in column
        exact += not approx
        for r, (want_row, have_row) in enumerate(zip(record[1:], have[1:])):
            want, got = int(want_row[c], 16), int(have_row[c], 16)
            kind = devs.get((table, column))
            if kind and excused(kind, [int(v, 16) for v in want_row[:inputs]], want):
                skipped += 1
            elif approx:
                ulp = distance(column, want, got)
                if column.split(".")[0] in ABSOLUTE and column.endswith("f32"):
                    step, unit = absolute(column, want, got), "absolute"
                elif column.endswith(".approx.ftz.f64"):
                    step, unit = (ulp or 0) >> 32, "units of the upper word"
                else:
                    step, unit = ulp or 0, "ulp"
                worst[column] = max(worst.get(column, (0, unit)), (step, unit))
                if not close(column, want, got, ulp):
                    bad.append(f"  {column} row {r + 1}: {want_row[:inputs]} gave {got:x}, recorded {want:x}")
            elif want != got:
                bad.append(f"  {column} row {r + 1}: {want_row[:inputs]} gave {got:x}, recorded {want:x}")
    note = f", {skipped} results of deviations.tsv left out" if skipped else ""
    check(not bad, f"{table}: {exact} columns equal on {len(record) - 1} rows, {len(worst)} close{note}",
          "\n".join(bad[:8]) + (f"\n  ... {len(bad)} in all" if len(bad) > 8 else ""))
    return worst


def run(program, opt, devs, worst):
    with tempfile.TemporaryDirectory() as tmp:
        code, text = sh([BIN / "wgcc", "-O3", "-arch=sm_90", OPS / f"{program}.cu", "-o", f"{tmp}/{program}"])
        if code or "warning" in text:
            check(False, f"{program}.cu compiles without a refused instruction", text)
            return
        words = f"preset={opt.preset} backend={opt.backend} " + ("check=retire" if opt.backend == "rtl" else "")
        start = time.time()
        code, text = sh([BIN / "warpglass", "run", f"{tmp}/{program}", tmp], words)
        last = text.rstrip("\n").rsplit("\n", 1)[-1]
        check(code == 0 and last.startswith(f"PASS {program} "),
              f"{program} on {opt.backend} {opt.preset}: {last} ({time.time() - start:.1f} s)", text[-2000:])
        for table in TABLES[program]:
            path = pathlib.Path(tmp) / f"{table}.csv"
            record = read(OPS / f"{table}.csv.gz")
            if opt.broken:
                record[-1][-1] = f"{int(record[-1][-1], 16) ^ 0x40:x}"
            if path.exists():
                worst.update(compare(table, read(path), record, devs))


def main():
    ap = suite.parser(__doc__, "func")
    ap.add_argument("--preset", default="tiny")
    ap.add_argument("--seed", type=int, default=SEED)
    ap.add_argument("--all", action="store_true", default=ALL)
    ap.add_argument("--table", metavar="FILE")
    ap.add_argument("--break", dest="broken", action="store_true")
    opt = suite.parse(ap, TABLES, "program")
    chosen = opt.words or list(TABLES)
    if opt.backend == "rtl" and not opt.words and not opt.all:
        chosen = sorted(random.Random(opt.seed).sample(chosen, 2))
        print(f"seed {opt.seed}: {' '.join(chosen)}")
    columns = [r[2] for r in read(OPS / "columns.csv")[1:]]
    tables = [r[2] for t in TABLES.values() for n in t for r in [[0, 0, c] for c in read(OPS / f"{n}.csv.gz")[0] if len(c) > 1]]
    check(sorted(columns) == sorted(tables), f"the tables hold the {len(columns)} recorded instruction forms")
    devs, worst = deviations(), {}
    for program in chosen:
        run(program, opt, devs, worst)
    text = "".join(f"{column}\t{step:.3g}\t{unit}\n" for column, (step, unit) in worst.items())
    print("largest distance to the recorded result:\n" + text, end="")
    if opt.table:
        pathlib.Path(opt.table).write_text("# instruction\tdistance\tunit\n" + text)
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
