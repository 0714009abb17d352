#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The GigaThread engine seen from programs and commands. Run from the root after `make build`.

usage: gte_test.py [--backend rtl|func] [PART ...]
parts: policies (every policy runs on the back end), blocks (policies in C), places (results do not depend on policy, order of blocks or
number of SMs), flag (a block that waits for another one: the order 0,1 passes, 1,0 is diagnosed), barrier (a grid
barrier of a program's own making passes at capacity and is diagnosed with one block more), occupancy, dispatch, demo
(the commands), report (waves, tail, prediction), persistent (one wave against many), words (wrong words are refused),
placing (cycles in which an SM places a block).
Default: all.
"""
import json
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, ROOT, SEED, check, sh  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def build(tmp, name):
    out = pathlib.Path(tmp) / name
    rc, text = sh([BIN / "wgcc", "-O3", "-arch=sm_70", "-lineinfo", "-I.", HERE / f"{name}.cu", "-o", out])
    if rc != 0:
        sys.exit(f"error: cannot build {name}.cu\n{text}")
    return out


def run(opt, program, args, settings):
    return sh([BIN / "warpglass", "run", "--golden", "none", program, *args], f"backend={opt.backend} {settings}")


def policies():
    text = sh([BIN / "warpglass", "policies"])[1]
    part = text.split("warp schedulers")[0]
    return re.findall(r"^  (\w+) +\S", part, re.M)


def part_blocks(opt, tmp):
    """Policies in C: the built-in ones as such give the same cycles; one of one's own; wrong ones are told."""
    program = ROOT / "build/programs/reduce/reduce"
    for name in suite.sample(["greedy", "lcs", "bcs", "dyncta"], 1):
        text = (ROOT / f"model/gte/policy_{name}.c").read_text()
        (tmp / "own.c").write_text(re.sub(rf"\bwg_gte_policy_{name}\b", "wg_gte_policy_own", text))
        rc, out = sh([ROOT / "scripts/cblocks.sh", "own", tmp / "own.c"])
        check(rc == 0, f"{name} as a policy in C", out)
        texts = [run(opt, program, ["4096"], f"preset=lecture blocks={b}")[1] for b in (name, "c:own")]
        verdicts = [re.findall(r"^PASS .*", t, re.M) for t in texts]
        check(verdicts[0] and verdicts[0] == verdicts[1], f"  runs as the built-in one: {verdicts[0]}", "\n".join(texts))
    for name in ("diagonal", "overfull"):
        rc, out = sh([ROOT / "scripts/cblocks.sh", name, HERE / f"{name}.c"])
        check(rc == 0, f"{name}.c is made loadable", out)
    rc, out = sh([BIN / "warpglass", "dispatch", "--blocks", "6", "--threads", "128", "--policy", "c:diagonal"])
    check(rc == 0 and len(re.findall(r"SM ?[01]", out)) > 1, "warpglass dispatch takes a policy in C", out)
    for words, want in (("c:overfull", "to SM 0 in cycle"), ("c:overfull:99", "SM 99 in cycle 0, which does not exist"), ("c:overfull:100", "0 to 99"), ("c:diagonal:1", "no knobs"),
                        ("c:absent", "scripts/cblocks.sh absent"), ("c:", "1 to 9 letters"), ("c:a-b", "1 to 9 letters"), ("c:muchtoolong", "1 to 9 letters")):
        rc, out = run(opt, program, ["4096"], f"preset=lecture blocks={words}")
        check(rc != 0 and want in out, f"blocks={words} is refused: {want}", out)


def part_places():
    """The library's lecture programs: equal hash and results for every policy, order and number of SMs."""
    rng = random.Random(SEED)
    names = policies()
    check(len(names) == 8 and names[0] == "breadth", f"eight block policies are listed: {names}")
    orders = ["forward", "reverse", "shuffle:7", "1,0"]
    cases = [(p, o, n) for p in names for o in orders for n in (1, 6, 16)]
    rng.shuffle(cases)
    for name, args in (("convolve_1d", ["2048"]), ("reduce", ["4096"])):
        program = ROOT / "build" / "programs" / name / name
        want = None
        cases.sort(key=lambda c: c != ("breadth", "forward", 1))  # stable: the reference first
        for policy, order, sms in cases if ALL else cases[:9]:
            rc, text = sh([BIN / "warpglass", "run", program, *args],
                          f"backend=func preset=v100 sms={sms} blocks={policy} order={order}")
            m = re.search(r"^PASS .*retire_hash=(\w+)", text, re.M)
            if want is None and m:
                want = m[1]
            if rc != 0 or not m or m[1] != want:
                check(False, f"{name} with blocks={policy} order={order} on {sms} SMs", text[-400:])
                break
        else:
            check(want is not None, f"{name}: one result for policies, orders of blocks and 1, 6, 16 SMs")


def part_policies(opt):
    """Every policy on the chosen back end: the same work, the same results, and the same cycles in a second run."""
    rng = random.Random(SEED)
    names = policies()
    chosen = names if ALL else sorted(rng.sample(names[1:], 2))
    program = ROOT / "build" / "programs" / "reduce" / "reduce"
    preset = "lecture" if opt.backend == "func" else "tiny"
    seen = {}
    for name in ["breadth", *[n for n in chosen if n != "breadth"]]:
        twice = {re.sub(r".*PASS", "PASS", sh([BIN / "warpglass", "run", program, "4096"],
                                              f"backend={opt.backend} preset={preset} blocks={name}")[1].strip(), flags=re.S)
                 for _ in range(2)}
        check(len(twice) == 1 and next(iter(twice)).startswith("PASS"), f"{name}: passes, twice alike", str(twice))
        m = re.search(r"warp_insts=(\d+) retire_hash=(\w+)", next(iter(twice)))
        seen[name] = m and m.groups()
    check(len(set(seen.values())) == 1 and None not in seen.values(), "the same instructions under every policy", str(seen))


def part_flag(opt, tmp):
    program = build(tmp, "flag")
    one = "preset=tiny sms=1 blocks_per_sm=1"
    rc, text = run(opt, program, [], f"{one} order=0,1")
    check(rc == 0 and "PASS" in text, "cross-block flag, one SM, one block: order 0,1 passes", text)
    rc, text = run(opt, program, [], f"{one} order=1,0")
    good = (rc == 1 and "FAIL" in text and "spins for ever" in text and "block (1,0,0) warp 0" in text and
            "blocks that have not begun: 1, no SM has a place until one ends" in text and re.search(r"flag\.cu:\d+", text))
    check(good, "order 1,0 is diagnosed with block, line and the block that has no place", text)
    rc, text = run(opt, program, [], "preset=tiny sms=1 order=1,0")
    check(rc == 0, "order 1,0 with room for both passes", text)


def part_barrier(opt, tmp):
    program = build(tmp, "flag")
    rc, text = sh([BIN / "warpglass", "occupancy", "--preset", "lecture", "--kernel", "grid_barrier", "--threads", "128", program])
    m = re.search(r"resident: (\d+) blocks?", text)
    check(rc == 0 and m, "the capacity is asked for", text)
    capacity = 2 * int(m[1])  # lecture has two SMs
    rc, text = run(opt, program, ["barrier", str(capacity)], "preset=lecture")
    check(rc == 0 and f"0 of {capacity} blocks are wrong" in text, f"a grid barrier of {capacity} blocks, all resident, passes", text)
    rc, text = run(opt, program, ["barrier", str(capacity + 1)], "preset=lecture")
    check(rc == 1 and "spins for ever" in text and "blocks that have not begun: 1," in text, f"{capacity + 1} blocks are diagnosed", text)


def part_occupancy(tmp):
    program = ROOT / "build" / "programs" / "convolve_1d" / "convolve_1d"
    rc, text = sh([BIN / "warpglass", "occupancy", "--preset", "lecture", "--threads", "128", "--kernel", "v2", program])
    check(rc == 0 and re.search(r"bytes of shared memory +520 +1536 +2  <- limit", text) and
          "resident: 2 blocks, 8 of 12 warps, occupancy 66.7 %" in text and
          "at most 512 bytes of shared memory a block let an SM hold 3 blocks" in text, "limiter and remedy of convolve_v2", text)
    for preset, regs, warps in (("ga102", 40, 48), ("ga102", 41, 40), ("v100", 32, 64), ("v100", 33, 48)):
        rc, text = sh([BIN / "warpglass", "occupancy", "--preset", preset, "--threads", "128", "--regs", regs])
        check(rc == 0 and f", {warps} of " in text, f"{preset}: {regs} registers, {warps} warps", text)
    rc, text = sh([BIN / "warpglass", "occupancy", "--preset", "v100", "--regs", "32", "--threads", "100", "--work", "1000000"])
    best = re.search(r"why\n.\s+(\d+) ", text)
    check(rc == 0 and best and int(best[1]) % 32 == 0 and int(best[1]) >= 128, "the best size is a multiple of 32 and at least 128", text)
    check("28 of its lanes, with 32 registers each, are allocated and never active" in text and
          re.search(r"^> +100 .*no multiple of 32: 28 lanes idle", text, re.M) and
          re.search(r"^ +32 .*1 of 4 sub-cores a block", text, re.M), "what is wrong with 100 and 32 threads is said", text)
    plot = pathlib.Path(tmp) / "plot"
    rc, text = sh([BIN / "warpglass", "occupancy", "--preset", "h200", "--regs", "64", "--plot", plot])
    rows = plot.with_suffix(".csv").read_text().splitlines() if rc == 0 else []
    svg = plot.with_suffix(".svg").read_text() if rc == 0 else ""
    check(rc == 0 and len(rows) == 1 + 32 + 31 + 64 and svg.startswith("<svg") and svg.rstrip().endswith("</svg>") and
          svg.count("<rect") > 120, "plot: a row and a bar for each size", text)
    check("threads,256,4,32,50.00,registers" in rows, "plot: the asked-for point", "\n".join(rows[:12]))
    rc, text = sh([BIN / "warpglass", "ptx", "-o", plot.with_suffix(".elf"), "testbench/gte/none.ptx"])
    check(rc == 2, "a missing file is refused")


def part_dispatch(tmp):
    log = pathlib.Path(tmp) / "log.csv"
    program = ROOT / "build" / "programs" / "convolve_1d" / "convolve_1d"
    rc, text = sh([BIN / "warpglass", "run", program, "1024"], f"backend=func preset=lecture blocklog={log}")
    lines = log.read_text().splitlines() if log.exists() else []
    check(rc == 0 and len(lines) == 1 + 40 * 8 * 2, "a log has a start and an end of every block of 40 launches", text)
    svg = log.with_suffix(".svg")
    rc, text = sh([BIN / "warpglass", "dispatch", "--log", log, "--grid", "21", "--svg", svg, "--steps", "3"])
    check(rc == 0 and "NUM_BLOCKS=8, a block needs 128 threads, 520 bytes shared" in text and svg.read_text().count("<title>") == 8,
          "a grid of it is told and drawn", text)
    log.write_text("\n".join(lines[:1] + lines[2:]))
    rc, text = sh([BIN / "warpglass", "dispatch", "--log", log])
    check(rc == 2 and "log.csv: block 2 cannot have started in block slot 1 of SM 0" in text, "a log that cannot be is refused", text)


def part_demo(opt):
    if opt.backend == "rtl" and not (ROOT / "build/sm/sm16-fast/libwgsm.so").exists():
        sys.exit("error: no SM of shape sm16; remedy: make sm SHAPE=sm16")
    rc, text = sh(["scripts/demo_dispatch.sh"], BACKEND=opt.backend, N="128000" if ALL and opt.backend == "rtl" else "2048")
    figure = text.split("== the real run")[0]
    check(rc == 0 and re.search(r"t6 .*block 0 ends on SM0.*block 4 -> SM0 \(contexts 0-127.*\n"
                                r"t7 .*block 2 ends on SM0.*block 5 -> SM0 \(contexts 128-255", figure), "the figure's t6 and t7", text)
    ends = re.findall(r"^(\d+) cycles; at most (\d)", text, re.M)
    same = re.search(r"v1 too: (\d+) cycles with blocks of 128, (\d+) with", text)
    check(len(ends) == 5 and same and [e[1] for e in ends] == ["2", "2", "1", "1", "2"] and same[1] == ends[4][0]
          and same[2] == ends[3][0] and "not convolve_v2" in text,
          "question 3 is compared with its own kernel, and why not with the first is said", text)
    check(text.count("t1   cycle") == 4 and "2 x 256 = 512 > 384" in text, "both grids are told twice, question 3 with its limits", text)
    for name in ("figure", "real", "question3", "question3_real"):
        svg = ROOT / "build" / "demo-dispatch" / f"{name}.svg"
        check(svg.exists() and svg.read_text().rstrip().endswith("</svg>"), f"{name}.svg")


def placed(starts, sub_cores, warps, shared):
    """Cycles of the starts of equal blocks on one SM that holds them all, by rtl/cta/README.md: 4 + sub-cores + warps, and
    one for each resident range that first fit passes, in shared memory and in the registers of each sub-core."""
    now, first, ranges, out = 0, 0, [0] * sub_cores, []
    for block in range(starts):
        out.append(now)
        now += 4 + sub_cores + warps + (block if shared else 0)
        for k in range(min(warps, sub_cores)):
            sub = (first + k) % sub_cores
            now += ranges[sub]
            ranges[sub] += 1
        first = (first + warps) % sub_cores
    return out


def part_placing(opt, tmp):
    """How long an SM takes to place a block: the RTL cycle by cycle, and what `dispatch` says of it."""
    log = pathlib.Path(tmp) / "place.csv"
    machines = [("tiny", 1, [(8, 32, 0), (8, 32, 256), (4, 64, 16), (2, 128, 0)]),
                ("v100", 4, [(16, 128, 0), (16, 128, 512), (16, 32, 0), (8, 256, 64), (10, 96, 0)])]
    program = build(tmp, "place") if opt.backend == "rtl" else None
    for preset, sub_cores, cases in machines if opt.backend == "rtl" else []:
        for blocks, threads, shared in suite.sample(cases, 2):
            log.unlink(missing_ok=True)
            rc, text = run(opt, program, [str(blocks), str(threads), str(shared)],
                           f"preset={preset} sms=1 check=off blocklog={log}")
            lines = log.read_text().splitlines() if log.exists() else []
            have = [int(line.split(",")[0]) for line in lines if ",start," in line]
            want = placed(blocks, sub_cores, threads // 32, shared)
            check(rc == 0 and have == want,
                  f"{preset}: {blocks} blocks of {threads} threads, {shared} bytes start in cycles {want}", f"{have}\n{text}")
    rc, text = sh([BIN / "warpglass", "dispatch", "--blocks", "4", "--threads", "96"])
    check(rc == 0 and "an SM takes 3 cycles to place a block here, one a warp; the RTL's takes 11," in text,
          "held blocks: what the RTL takes is said", text)
    log.write_text("cycle,event,sm,slot,grid,number,blocks,threads,registers,shared_bytes\n"
                   "0,start,0,0,1,0,1,128,16,520\n9,end,0,0,1,0,1,128,16,520\n")
    rc, text = sh([BIN / "warpglass", "dispatch", "--log", log])
    check(rc == 0 and "an SM's RTL takes 12 cycles to place a block," in text and "4 where blocks are only held"
          in text, "and behind a log", text)


def part_report(opt, tmp):
    """Waves, tail, prediction, lanes that are never active: by hand for grids of convolve_1d on two SMs with two places each."""
    program = build(tmp, "lecture")
    rc, text = run(opt, program, ["1300"], "preset=lecture")  # 11 blocks of 128, 6 of 256, twice 11 of 128
    rc2, counted = sh([BIN / "warpglass", "run", "--golden", "none", "--json", pathlib.Path(tmp) / "c.json", program, "1300"],
                      f"backend={opt.backend} preset=lecture")
    check(rc == 0 and rc2 == 0, "the program runs", text + counted)
    launches = json.loads((pathlib.Path(tmp) / "c.json").read_text())["launches"]
    want = [(11, 4, 3), (6, 2, 3), (11, 6, 2), (11, 4, 3)]
    have = [(x["grid_blocks"], x["block_places"], x["block_waves"]) for x in launches]
    check(have == want, f"blocks, places, waves: {have}")
    for x in launches:
        if opt.backend == "func":
            check("block_cycles" not in x and "predicted_cycles" not in x, "no times on a back end without timing")
            continue
        mean = x["block_cycles"] / x["grid_blocks"]
        check(x["shortest_block_cycles"] <= mean <= x["longest_block_cycles"], "the mean block lies between the extremes")
        check(x["most_busy_sm_cycles"] <= x["cycles"] and x["tail_cycles"] <= x["cycles"] and
              x["sm_busy_cycles"] == x["least_busy_sm_cycles"] + x["most_busy_sm_cycles"], "busy cycles of two SMs", str(x))
        check(x["predicted_cycles"] == x["block_waves"] * (x["block_cycles"] // x["grid_blocks"]) + x["drain_cycles"], "the formula")
    rc, text = run(opt, build(tmp, "tailwarp"), [], "preset=tiny")
    m = re.search(r"^PASS", text, re.M)
    rc, text = sh([BIN / "warpglass", "run", "--golden", "none", "--json", pathlib.Path(tmp) / "c.json",
                   pathlib.Path(tmp) / "tailwarp"], f"backend={opt.backend} preset=tiny")
    x = json.loads((pathlib.Path(tmp) / "c.json").read_text())["launches"][0]
    regs = x["idle_registers"] // x["idle_lanes"] if x["idle_lanes"] else 0
    check(m and rc == 0 and x["idle_lanes"] == 3 * 28 and regs >= 8 and regs % 8 == 0, "100 threads: 28 of 128 lanes never active", text)


def part_persistent(opt, tmp):
    """A block a task, persistent threads, grid stride: many waves against one, and what the formula makes of them (with times)."""
    out = pathlib.Path(tmp) / "p.json"
    rc, text = sh([BIN / "warpglass", "run", "--json", out,
                   ROOT / "build" / "programs" / "persistent_threads" / "persistent_threads", "64"],
                  f"backend={opt.backend} preset=lecture" + (" check=off" if opt.backend == "rtl" else ""))
    check(rc == 0, "the program passes", text)
    launches = json.loads(out.read_text())["launches"]
    have = [(x["name"].split("(")[0], x["grid_blocks"], x["block_places"], x["block_waves"]) for x in launches]
    check(have == [("blockPerTask", 64, 6, 11), ("persistent", 6, 6, 1), ("gridStride", 6, 6, 1)], f"blocks, places, waves: {have}")
    for x in launches if opt.backend == "rtl" else []:
        whole = x["cycles"] + x["drain_cycles"]
        check(0.85 < x["predicted_cycles"] / whole < 1.1, f"{x['name']}: {x['predicted_cycles']} predicted, {whole} measured")
        one_wave = x["block_waves"] == 1
        check((x["tail_cycles"] > 0.9 * x["cycles"]) == one_wave, "one wave is all tail, many waves have a short one", str(x))


def part_words():
    bad = (("occupancy", [], "neither a file nor the registers"), ("occupancy", ["--regs", "0"], "bad value '0'"),
           ("occupancy", ["--regs", "16", "--threads", "1025"], "bad value"), ("occupancy", ["--rgs", "1"], "unknown option"),
           ("occupancy", ["--regs"], "needs a value"), ("occupancy", ["--regs", "16", "/etc/hostname"], "contradict"),
           ("occupancy", [ROOT / "Makefile"], "holds no kernel"), ("occupancy", ["--preset", "v101", "--regs", "16"], "v100"),
           ("occupancy", ["--regs", "16", "--plot", "/nonexistent/x"], "cannot write"),
           ("dispatch", ["--blocks", "0"], "bad value"), ("dispatch", ["--cycles", "1,,2"], "bad value"),
           ("dispatch", ["--policy", "deep"], "unknown block policy"), ("dispatch", ["--threads", "512"], "never fits"),
           ("dispatch", ["--log", "/nonexistent"], "cannot read"), ("policies", ["x"], "no more words"))
    for command, args, what in bad:
        rc, text = sh([BIN / "warpglass", command, *args])
        check(rc == 2 and what in text and text.startswith("warpglass: error: "), f"{command} {' '.join(map(str, args))}: {what}", text)
    program = ROOT / "build" / "programs" / "reduce" / "reduce"
    for word, what in (("blocks=deep", "one of: breadth"), ("order=0,2", "stands twice"), ("blocks_per_sm=0", "1 to 32"),
                       ("blocks_per_sm=33", "bad value"), ("blocklog=/nonexistent/x", "cannot write")):
        rc, text = sh([BIN / "warpglass", "run", program, "64"], f"backend=func {word}")
        check(rc != 0 and what in text, f"{word}: {what}", text)


if __name__ == "__main__":
    sys.exit(suite.main(globals(), backend="func"))
