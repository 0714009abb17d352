#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The memory path against a GPU's counters: each counters/*.cu with its device code from nvcc's PTX (wgcc --device-ptx), run at
its own sizes. Output hashes of results.csv and every counter of EXACT have to be equal, launch by launch, but for the rows of
deviations.tsv, each of which must still be needed. The same sources compiled by clang have to give the hashes too. Ratio of
threads to instructions (SIMT efficiency): within 20 %. Run from the root after `make build` (and `make sm SHAPE=sm16`).

usage: counters_test.py [--backend rtl|func] [--preset NAME] [--seed N] [--all] [--table FILE] [--break] [PROGRAM ...]
Without programs a seeded sample, with --all (TEST_ALL=1) all of them. --table FILE writes what is only near as text (near.tsv).
--break makes one recorded counter of each program wrong: the test has to fail.
"""
import csv
import fnmatch
import gzip
import json
import pathlib
import random
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, SEED, check, sh, sh_apart  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent / "counters"
PROGRAMS = ("bitonic bytes calls compact constmem conv2d dgemm divergence doc_convolve_1d doc_mm_tiled doc_reduce "
            "gather global_atomics gstride histogram intmath localmem mandelbrot matvec nbody reductions scan "
            "shared_atomics shared_stride shared_wide spmv stencil2d transpose vecadd vecload warpshfl").split()
NEAR = 0.20
RTL_SAMPLE_INSTS = 25000  # warp instructions of a program that the sample may run on the RTL


def exact_columns():
    """{column of counters.csv: counters of a launch whose sum it is}"""
    m = {"sm__ctas_launched.sum": "blocks", "smsp__warps_launched.sum": "warps", "smsp__threads_launched.sum": "threads",
         "memory_l1_tag_requests_global": "global_ld_lines global_st_lines red_lines atom_lines",
         "memory_l2_theoretical_sectors_global": "global_ideal_sectors",
         "memory_l1_wavefronts_shared": "shared_ld_wavefronts shared_st_wavefronts shared_atom_wavefronts"}
    for op, word in (("ld", "load"), ("st", "store"), ("red", "red"), ("atom", "atom")):
        m[f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum"] = f"{word}_{'requests' if word != op else 'reqs'}"
        m[f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum"] = f"{word}_sectors"
    for op in ("ld", "st", "atom"):
        m[f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"] = f"shared_{op}_wavefronts"
        m[f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum"] = f"shared_{op}_conflict_wavefronts"
    for space in ("global", "shared"):
        for op in ("ld", "st"):
            m[f"smsp__sass_data_bytes_mem_{space}_op_{op}.sum"] = f"{space}_{op}_bytes"
    for op in ("fadd", "fmul", "ffma", "dfma"):
        m[f"smsp__sass_thread_inst_executed_op_{op}_pred_on.sum"] = f"{op}_thread_insts"
    return {c: keys.split() for c, keys in m.items()}


EXACT = exact_columns()
SHARED = [f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")]
DIVERGENT = "smsp__sass_branch_targets_threads_divergent.sum"


def table(name):
    with open(HERE / name, encoding="ascii") as f:
        return list(csv.DictReader(f))


class Deviations:
    """Rows of deviations.tsv: what is not compared, and whether it was found to differ."""

    def __init__(self):
        text = (HERE / "deviations.tsv").read_text(encoding="ascii")
        self.rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
        self.needed = [False] * len(self.rows)

    def excuses(self, program, kernel, column, differs):
        found = False
        for i, (p, k, c, _) in enumerate(self.rows):
            if fnmatch.fnmatchcase(program, p) and fnmatch.fnmatchcase(kernel, k) and fnmatch.fnmatchcase(column, c):
                found = True
                self.needed[i] |= differs
        return found

    def idle(self, programs):
        return ["\t".join(r[:3]) for r, n in zip(self.rows, self.needed) if not n and any(fnmatch.fnmatchcase(p, r[0]) for p in programs)]


def run(program, tmp, arg, opt, backend, ptx):
    """(stdout, launches) of one run, or None"""
    exe = f"{tmp}/{program}"
    made = [BIN / "wgcc", "-O3", "-arch=sm_70", HERE / f"{program}.cu", "-o", exe]
    if ptx:
        (pathlib.Path(tmp) / "dev.ptx").write_bytes(gzip.decompress((HERE / "ptx" / f"{program}.ptx.gz").read_bytes()))
        made += ["--device-ptx", f"{tmp}/dev.ptx"]
    code, text = sh(made)
    if not check(code == 0, f"{program}: {'nvcc PTX' if ptx else 'clang'} compiles", text):
        return None
    words = f"preset={opt.preset} backend={backend}" + (" check=retire" if backend == "rtl" else "")
    start = time.time()
    code, out, err = sh_apart([BIN / "warpglass", "run", "--json", f"{tmp}/c.json", exe, *([arg] if arg else [])], words)
    last = out.rstrip("\n").rsplit("\n", 1)[-1]
    text = f"{program} {arg} on {backend} {opt.preset}".replace("  ", " ") + f": {last} ({time.time() - start:.1f} s)"
    if not check(code == 0 and last.startswith(f"PASS {program} "), text, out[-800:] + err[-800:]):
        return None
    with open(f"{tmp}/c.json", encoding="utf-8") as f:
        return out, json.load(f)["launches"]


def hashes(program, out, results, devs, who):
    """Compare the RESULT lines of a run with results.csv."""
    have = [line.split(",")[1:] for line in out.splitlines() if line.startswith("RESULT,")]
    want = [list(r.values())[1:] for r in results if r["program"] == program]
    bad = []
    for h, w in zip(have, want):
        differs = h != w
        if not devs.excuses(program, w[1], "fnv1a", differs) and differs:
            bad.append(f"  recorded {w}\n  here     {h}")
    if want:
        check(not bad and len(have) == len(want), f"{program}: {len(want)} output hashes, {who}", "\n".join(bad[:4]))


def profiled(program, launches):
    """The launches that were profiled: of the lecture's programs but reduce the first of each kernel."""
    if not program.startswith("doc_") or program == "doc_reduce":
        return launches
    seen = {}
    for launch in launches:
        seen.setdefault(launch["kernel"], launch)
    return list(seen.values())


def compare_launch(row, have, devs, bad):
    """Compare one launch; number of counters that were equal by duty."""
    count = 0
    for column, keys in EXACT.items():
        want, got = int(row[column] or 0), sum(have[k] for k in keys)
        if column == "memory_l1_wavefronts_shared" and want != sum(int(row[c] or 0) for c in SHARED):
            continue  # the profiler's estimate from addresses is not what the hardware counted: the latter is compared
        if devs.excuses(row["program"], row["kernel"], column, want != got):
            continue
        count += 1
        if want != got:
            bad.append(f"  {row['kernel']} {row['config']} {column}: recorded {want}, here {got}")
    if row["program"] == "constmem":  # serial passes of constants whose address differs between lanes
        want = int(row["idc__requests.sum"]) - int(row["smsp__inst_executed_op_ldc.sum"])
        got, count = have["const_passes"] - have["const_reqs"], count + 1
        if want != got:
            bad.append(f"  {row['kernel']} {row['config']} passes of constants beyond the first: recorded {want}, here {got}")
    if row["program"] == "divergence":
        want, got = int(row[DIVERGENT]), have["divergent_branch_insts"]
        if not devs.excuses("divergence", row["kernel"], DIVERGENT, want != got):
            count += 1
            if want != got:
                bad.append(f"  {row['kernel']} {row['config']} {DIVERGENT}: recorded {want}, here {got}")
    ratio = near_of(row, have)["efficiency"]
    if abs(ratio[1] / ratio[0] - 1) > NEAR and not devs.excuses(row["program"], row["kernel"], "efficiency", True):
        bad.append(f"  {row['kernel']} {row['config']} SIMT efficiency: recorded {ratio[0]:.3f}, here {ratio[1]:.3f}")
    return count


def near_of(row, have):
    """What is near only: {name: (silicon, here)}"""
    n, t = int(row["smsp__inst_executed.sum"]), int(row["smsp__thread_inst_executed.sum"])
    return {"warp_insts": (n, have["warp_insts"]), "efficiency": (t / n / 32, have["active_thread_insts"] / have["warp_insts"] / 32),
            "branch_insts": (int(row["smsp__inst_executed_op_branch.sum"]), have["branch_insts"]),
            "divergent_branch_insts": (int(row[DIVERGENT]), have["divergent_branch_insts"])}


def compare(program, arg, launches, counters, devs, near, opt):
    rows = [r for r in counters if r["program"] == program and (r["launch"].split(".")[0] == arg if arg else True)]
    launches = profiled(program, launches)
    if not check(len(launches) >= len(rows), f"{program}: {len(rows)} launches", f"{len(launches)} here"):
        return
    if opt.broken:
        rows = [dict(r) for r in rows]
        rows[-1]["smsp__threads_launched.sum"] = str(int(rows[-1]["smsp__threads_launched.sum"]) + 1)
    bad, count = [], 0
    for row, have in zip(rows, launches):
        same = row["kernel"].split("<")[0] in have["kernel"] and row["grid"] == "x".join(map(str, have["grid"])) \
            and row["block"] == "x".join(map(str, have["block"]))
        if not same:
            bad.append(f"  recorded {row['kernel']} {row['grid']} {row['block']}, here {have['name']} {have['grid']} {have['block']}")
            continue
        count += compare_launch(row, have, devs, bad)
        near.append((row, near_of(row, have)))
    check(not bad, f"{program} {arg}: {count} counters of {len(rows)} launches equal".replace("  ", " "),
          "\n".join(bad[:12]) + (f"\n  ... {len(bad)} in all" if len(bad) > 12 else ""))


def test(program, opt, devs, data, near):
    counters, results = data
    args = sorted({r["launch"].split(".")[0] for r in counters if r["program"] == program and "." in r["launch"]}) or [""]
    with tempfile.TemporaryDirectory() as tmp:
        for arg in args:
            got = run(program, tmp, arg, opt, opt.backend, True)
            if got is None:
                return
            hashes(program, got[0], results, devs, "nvcc PTX")
            compare(program, arg, got[1], counters, devs, near, opt)
        if opt.backend == "func" and any(r["program"] == program for r in results):
            got = run(program, tmp, args[0], opt, "func", False)
            if got is not None:
                hashes(program, got[0], results, devs, "clang")


def near_table(near):
    text = "# program\tkernel\tconfig\tsilicon_warp_insts\twarp_insts\tsilicon_efficiency\tefficiency\tsilicon_branches\tbranches\t" \
           "silicon_divergent\tdivergent\n"
    for row, n in near:
        cells = [f"{v:.3f}" if isinstance(v, float) else str(v) for pair in n.values() for v in pair]
        text += "\t".join([row["program"], row["kernel"], row["config"], *cells]) + "\n"
    return text


def sample(opt, counters):
    """Programs of this run."""
    if opt.all:
        return PROGRAMS
    insts = {p: sum(int(r["smsp__inst_executed.sum"]) for r in counters if r["program"] == p) for p in PROGRAMS}
    small = [p for p in PROGRAMS if insts[p] <= RTL_SAMPLE_INSTS]
    chosen = sorted(random.Random(opt.seed).sample(small if opt.backend == "rtl" else PROGRAMS, 2 if opt.backend == "rtl" else 3))
    print(f"seed {opt.seed}: {' '.join(chosen)}")
    return chosen


def main():
    ap = suite.parser(__doc__, "func")
    ap.add_argument("--preset", default="v100")
    ap.add_argument("--seed", type=int, default=SEED)
    ap.add_argument("--all", action="store_true", default=ALL)
    ap.add_argument("--table", metavar="FILE")
    ap.add_argument("--break", dest="broken", action="store_true")
    opt = suite.parse(ap, PROGRAMS, "program")
    counters, results, devs, near = table("counters.csv"), table("results.csv"), Deviations(), []
    check(sorted({r["program"] for r in counters}) == PROGRAMS, f"counters.csv holds the {len(PROGRAMS)} programs")
    chosen = opt.words or sample(opt, counters)
    for program in chosen:
        test(program, opt, devs, (counters, results), near)
    idle = [] if opt.backend == "rtl" else devs.idle(chosen)
    check(not idle, f"each row of deviations.tsv about these programs is needed ({len(devs.rows)} in all)", "\n".join(idle))
    near_insts = [sum(n["warp_insts"][k] for _, n in near) for k in (0, 1)]
    print(f"warp instructions: {near_insts[0]} recorded, {near_insts[1]} here")
    if opt.table:
        pathlib.Path(opt.table).write_text(near_table(near), encoding="ascii")
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
