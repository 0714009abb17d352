#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Warps, atomics and matrices against a GPU's answers: programs/*.cu, compiled by wgcc and run, have to print the recorded
tables of warp/, atomics/ and tensor/. Run from the root after `make build` (and `make sm SHAPE=tiny` for the RTL).

usage: warp_test.py [--backend rtl|func] [--preset NAME] [--diverge stack|its] [PROGRAM ...]
Left out, with reasons: rows of e4m3 products (recorded from other instructions: only their layout says something);
final words of `exch ... set` and values of `progress` behind the first (they depend on order). Only with --diverge its:
progress, whose lanes wait for each other, and corner 3, which hangs on the GPU and has to here, with a report that says who waits.
mma runs on the RTL by name, or if TEST_ALL=1.
"""
import csv
import gzip
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, check, sh, sh_apart  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# program: [(first word of its lines, table)], or the names of the tables that it writes itself
PRINTS = {"shfl": [("SHFL", "warp/shfl.csv.gz")],
          "votes": [("VOTE", "warp/vote.csv"), ("MATCH", "warp/match.csv"), ("REDUX", "warp/redux.csv"), ("ELECT", "warp/elect.csv")],
          "lanes": [("LANE", "warp/lanes.csv"), ("LANEMASK", "warp/lanemasks.csv")],
          "barriers": [("BAR", "warp/barriers.csv")], "corner": [("CORNER", "warp/corner.csv")],
          "samestore": [("STORE", "warp/samestore.csv")], "progress": [("PROG", "warp/progress.csv")],
          "atomics": [("ATOM", "atomics/atomics.csv")],
          "mma": [("MAT", "tensor/matrices.csv.gz"), ("DOT", "tensor/dots.csv"), ("FRAG", "tensor/fragments.csv")],
          "ldmatrix": [("LDM", "tensor/ldmatrix.csv")], "atomf": []}
WRITES = {"atomf": ["atomics/atomf.csv", "atomics/atomf64.csv", "atomics/atomh.csv"]}


def rows(path):
    with (gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="ascii")) as f:
        return list(csv.reader(f))


def norm(row):
    """Cells without leading zeros, without empty ones at the end."""
    row = list(row)
    while row and row[-1] == "":
        row.pop()
    return [c.lstrip("0") or "0" for c in row]


def lines(text, kind):
    if kind == "MATCH":
        return [[bits] + r for bits in ("32", "64") for r in lines(text, kind + bits)]
    return [line.split(",")[1:] for line in text.splitlines() if line.startswith(kind + ",")]


def expected(kind, table):
    want = [norm(r) for r in rows(HERE / table)[1:]]
    return [r for r in want if r[1:] != ["HANGS"]] if kind == "CORNER" else want


def reduce_rows(kind, have, want):
    """The rows and cells that are compared, from both sides."""
    if kind == "ATOM":  # `set`: which value stays depends on the order
        cut = lambda r: r[:4] + r[5:] if r[1].endswith(" set") else r
        return [cut(r) for r in have], [cut(r) for r in want]
    if kind == "PROG":
        cut = lambda r: r[:3] if r[0].startswith("spinlock") else r
        return [cut(r) for r in have], [cut(r) for r in want]
    if kind == "MAT":
        return [r for r in have if "e4m3" not in r[0]], [r for r in want if "e4m3" not in r[0]]
    if kind == "FRAG":  # kinds whose table is like another's were recorded once
        kinds = {r[0] for r in want}
        return sorted(r for r in have if r[0] in kinds), sorted(want)
    return have, want


def compare(name, have, want):
    bad = [f"  {h[:6]}...\n  recorded {w[:6]}... first difference {next((x for x in zip(h, w) if x[0] != x[1]), 'length')}"
           for h, w in zip(have, want) if h != w]
    check(have == want and len(want) > 0, f"{name}: {len(want)} rows", f"{len(have)} rows here\n" + "\n".join(bad[:4]))


def start(exe, opt, tmp, *args, more=""):
    words = f"preset={opt.preset} backend={opt.backend}" + (f" check=retire diverge={opt.diverge}" if opt.backend == "rtl" else "") + more
    return sh_apart([BIN / "warpglass", "run", exe, *args], words, cwd=tmp)


def run(prog, exe, opt, tmp, *args):
    begin = time.time()
    code, out, err = start(exe, opt, tmp, *args)
    last = out.rstrip("\n").rsplit("\n", 1)[-1]
    check(code == 0 and last.startswith(f"PASS {prog} "),
          f"{' '.join([prog, *args])} on {opt.backend} {opt.preset}: {last} ({time.time() - begin:.1f} s)", out[-700:] + err[-700:])
    return out


def hangs(exe, opt, tmp):
    """Corner 3: one arm waits at a barrier at which the other arm of the warp only arrives."""
    code, out, err = start(exe, opt, tmp, "3", more=" limit=20000")
    last = out.rstrip("\n").rsplit("\n", 1)[-1]
    for warp in (0, 1):
        want = f"warp {warp} lanes 0x55555555 at barrier 1 wait for 0xaaaaaaaa of their warp"
        check(code != 0 and last.startswith("FAIL corner the device hangs in t3") and want in last,
              f"corner 3 hangs, and the report says: {want}", out[-700:] + err[-700:])


def test(prog, opt):
    with tempfile.TemporaryDirectory() as tmp:
        exe = f"{tmp}/{prog}"
        code, text = sh([BIN / "wgcc", "-O3", "-arch=sm_90", HERE / "programs" / f"{prog}.cu", "-o", exe])
        if code or "warning" in text:
            check(False, f"{prog}.cu compiles without a refused instruction", text)
            return
        if prog == "corner":
            text = "".join(run(prog, exe, opt, tmp, str(k)) for k in (0, 1, 2, 4, 5))
            if opt.backend == "rtl" and opt.diverge == "its":
                hangs(exe, opt, tmp)
        else:
            text = run(prog, exe, opt, tmp)
        for kind, table in PRINTS[prog]:
            have, want = reduce_rows(kind, [norm(r) for r in lines(text, kind)], expected(kind, table))
            compare(table, have, want)
        for table in WRITES.get(prog, []):
            path = pathlib.Path(tmp) / pathlib.Path(table).name
            have = rows(path) if path.exists() else [[]]
            compare(table, [norm(r) for r in have[1:]], [norm(r) for r in rows(HERE / table)[1:]])


def main():
    ap = suite.parser(__doc__, "func")
    ap.add_argument("--preset", default="tiny")
    ap.add_argument("--diverge", default="stack", choices=["stack", "its"])
    opt = suite.parse(ap, PRINTS, "program")
    its = opt.backend == "rtl" and opt.diverge == "its"
    every = [p for p in PRINTS if p != "progress" or its]
    if opt.backend == "rtl" and not ALL:
        every.remove("mma")  # half a million instructions
    for p in opt.words or every:
        test(p, opt)
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
