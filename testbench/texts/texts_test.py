#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the two texts say of warps, as runs of programs/ on the golden model and on the RTL. Run from the root after
`make build programs sm SHAPE=tiny`.

usage: texts_test.py [--backend func|rtl|both] [PART ...]
parts: divergence (costs and efficiency of branches, stack height), order (the table A1 B1 A2 B2), runahead (lanes that nobody holds at a join read what is not written yet),
spin (waiting inside a warp: ends,
or is told at once with lanes, lines and remedy), locks (lanes, warps and blocks that wait for each other, under every
scheduler), barriers (in one arm, both arms, behind a return; arrival masks), dependence (control bits give the
scoreboard's results), schedulers (SCHEDULERS.md shows every claim; with TEST_ALL=1 it is measured again), page (the commands of cosim/POLICY.md work as printed, from the idea to the plots and round again). Default: all.
A seeded sample of schedulers; all with TEST_ALL=1.
"""
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, RANDOM, ROOT, SEED, check, sh  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
POLICIES = re.findall(r'^WG_POLICY\(\w+, \d+, "(\w+)"', (ROOT / "isa/cfg.def").read_text(), re.M)
POLICIES.remove("ext")


def run(name, args, settings, *options):
    """A program of programs/ on the tiny machine, against its golden kernels; (its text, did it pass)."""
    limit = "" if "limit=" in settings else " limit=20000000"
    code, text = sh([BIN / "warpglass", "run", *options, ROOT / "build/programs" / name / name, *args], f"preset=tiny check=units {settings}{limit}")
    return text, code == 0 and re.search(rf"^PASS {name} ", text, re.M) is not None and "golden kernels bit for bit" in text


def launches(path):
    """Warp and thread instructions of each kernel, in order of launch: [(kernel, warp_insts, thread_insts)]."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    return [(r["kernel"], r["warp_insts"], r["thread_insts"]) for r in json.loads(text)["launches"]] if text else []


def part_divergence(opt):
    """L63, fig. 2: each way costs its instructions again; lanes that are off do nothing."""
    for backend in opt.backends:
        for mode in ("stack", "its"):
            with tempfile.NamedTemporaryFile(suffix=".json") as f:
                text, ok = run("divergence", [], f"backend={backend} diverge={mode}", f"--json={f.name}")
                check(ok, f"divergence, {backend}, {mode}", text[-600:])
                rows = launches(f.name)
            by = {k: (w, t) for k, w, t in rows}
            ladder = [by.get(f"_Z6ladderILi{p}EEvPj", (0, 0)) for p in (2, 4, 8, 16, 32)]
            steps = [(b[0] - a[0]) / p for a, b, p in zip(ladder, ladder[1:], (2, 4, 8, 16))]
            check(len(set(steps)) == 1 and steps[0] >= 10, f"a way more costs {steps[0]:g} warp instructions, from 2 to 32 ways {steps}")
            # lanes alternate, so what is not run by 32 lanes is run by 16: F full + D divided instructions a warp
            for kernel, least in (("_Z8asBranchPKfPf", 6), ("_Z12asPredicatesPKfPf", 5)):
                warp, thread = (v // 2 for v in by[kernel])
                divided = (32 * warp - thread) / 16
                check(divided >= least and (kernel[3] != "2" or divided == 5),
                      f"{kernel}: {divided:g} of {warp} warp instructions at 50 % (1 addition, 4 multiplications{', branches' if least == 6 else ''})")
            warp, thread = by["_Z8tailWarpPj"]
            check(warp % 4 == 0 and thread == warp // 4 * 100, f"tail warp: {thread} thread instructions = {warp // 4} x 100 threads")
            warp, thread = by["_Z11earlyReturnPj"]
            behind = (32 * warp // 2 - thread // 2 - 20) / 12  # 20 lanes do not execute the EXIT itself
            check(behind == int(behind) and behind >= 10, f"lanes that returned run nothing more: {behind:g} instructions for 20 lanes")
            warp, thread = by["_Z9loopTripsPj"]
            check(warp >= 2 * 8 * 10 and thread < 0.7 * 32 * warp, f"a loop turns as often as its busiest lane: {thread / warp:.1f} of 32 lanes on average")
    if "rtl" in opt.backends:
        door(opt)
        text, ok = run("divergence", ["nested"], "sched=c:door")
        heights = [max(map(int, re.findall(r"depth (\d+)", part))) for part in re.split(r"(?=depth 1\n)", text) if "depth" in part]
        check(ok and heights == [2, 3, 4, 5], f"a level of nesting is a stack entry more: heights {heights} for 1 to 4 levels", text[-600:])


def part_order(opt):
    """B "old and new architecture": the order in which the steps of two sides issue."""
    with tempfile.TemporaryDirectory() as tmp:
        code, text = sh([BIN / "wgcc", "-O3", "-lineinfo", HERE / "order.cu", "-o", f"{tmp}/order"])
        check(code == 0, "order.cu compiles", text)
        for backend in opt.backends:
            for mode, want in (("stack", "A1 A2 B1 B2"), ("its split=h200", "A1 A2 B1 B2"), ("its split=alternate", "A1 B1 A2 B2")):
                code, text = sh([f"{tmp}/order"], f"preset=tiny check=units backend={backend} diverge={mode}")
                check(code == 0 and text.startswith(want + "\n"), f"order of issue, {backend}, {mode}: {want}", text)


def part_runahead(opt):
    """B "benefits and dangers of ITS", M10: the join holds lanes as on H200; without it they run ahead, but for __syncwarp()."""
    with tempfile.TemporaryDirectory() as tmp:
        code, text = sh([BIN / "wgcc", "-O3", "-lineinfo", HERE / "runahead.cu", "-o", f"{tmp}/runahead"])
        check(code == 0, "runahead.cu compiles", text)
        for backend in opt.backends:
            for settings, args, lanes in (("", [], 0), ("reconverge=off", [], 16), ("reconverge=off", ["sync"], 0)):
                code, text = sh([f"{tmp}/runahead", *args], f"preset=tiny check=units backend={backend} diverge=its {settings}")
                check(code == 0 and text.startswith(f"{lanes} lanes read"),
                      f"run ahead, {backend}, {settings or 'with joins'}{' and __syncwarp()' if args else ''}: {lanes} lanes read garbage", text)


def hangs(text, parts):
    """The run was given up for a proved livelock, not for its limit, and says all of this."""
    return "FAIL" in text and "spins for ever" in text and "the limit of" not in text and all(re.search(p, text) for p in parts)


def part_spin(opt):
    """B "warp deadlock": lane 0 waits for what lane 1 has yet to do."""
    source = (ROOT / "programs/waiting/waiting.cu").read_text().splitlines()
    loop = 1 + next(i for i, line in enumerate(source) if "while (flag == 0)" in line)  # consumerFirst's is the first one
    other = 1 + next(i for i, line in enumerate(source) if "threadIdx.x == producer" in line)
    stack = [rf"waiting\.cu:{loop}: error: kernel 'consumerFirst", rf"block \(0,0,0\) warp 0: lanes 0x1 spin at pc 0x\w+ \(line {loop}\) to pc 0x\w+ \(line {loop}\)",
             rf"on shared memory 0x0, lanes 0xfffffffe wait at pc 0x\w+ \(line {other}\)", r"remedy: the SIMT stack .*diverge=its"]
    for backend in opt.backends:
        text, ok = run("waiting", ["consumer_first"], f"backend={backend} diverge=stack")
        check(not ok and hangs(text, stack), f"consumer first, {backend}, stack: told at once", text)
        for what, modes in (("consumer_first", ("its", "its split=alternate", f"its split=random seed={SEED}")), ("producer_first", ("stack", "its")),
                            ("chain", ("stack", "its"))):
            for mode in modes:
                text, ok = run("waiting", [what], f"backend={backend} diverge={mode}")
                check(ok, f"{what}, {backend}, {mode}: ends", text[-600:])
        thousands = {"func": "400", "rtl": "8"}[backend]  # some of the windows in which a livelock is looked for
        text, ok = run("waiting", ["slow", thousands], f"backend={backend}")
        check(ok, f"a flag that comes after {thousands},000 turns without a store, {backend}: no false alarm", text[-600:])
        text, ok = run("waiting", ["sleeper"], f"backend={backend} diverge=its")
        check(ok, f"a flag that comes from a lane that sleeps, {backend}: no false alarm", text[-600:])
    with tempfile.TemporaryDirectory() as tmp:
        code, text = sh([BIN / "wgcc", "-O3", "-lineinfo", HERE / "spin.cu", "-o", f"{tmp}/spin"])
        check(code == 0, "spin.cu, the text's listing, compiles", text)
        for backend in opt.backends:
            for mode in ("stack", "its"):  # stack: clang tests thread 1 first, so the listing itself meets no deadlock
                code, text = sh([BIN / "warpglass", "run", f"{tmp}/spin"], f"preset=tiny backend={backend} diverge={mode}")
                check(code == 0 and "Thread 0: 10, thread 1: 11" in text, f"the text's listing, {backend}, {mode}: ends", text)


def part_locks(opt):
    """M9 and the classical kernels: who waits for another warp goes on under every scheduler and either mode."""
    chosen = POLICIES if ALL else RANDOM.sample(POLICIES, 3)
    for backend in opt.backends:
        scheds = chosen if backend == "rtl" else ["lrr"]
        for mode in ("stack", "its"):
            for sched in scheds:
                text, ok = run("waiting", ["all"], f"backend={backend} diverge={mode} sched={sched}")
                check(ok, f"two warps in both roles and three locks, {backend}, {mode}, {sched}", text[-600:])
            for what in ("hash", "range") + (("list",) if ALL or backend == "func" else ()):
                text, ok = run("waiting", [what, "8"], f"backend={backend} diverge={mode}")
                check(ok, f"{what}: 8 lanes of each warp quarrel, {backend}, {mode}", text[-600:])


def door(opt):
    if not hasattr(opt, "door"):
        code, text = sh([ROOT / "scripts/cpolicy.sh", "door", HERE / "door.c"])
        check(code == 0, "the policy that looks at the door builds", text)
        opt.door = True


def part_barriers(opt):
    """B "__syncthreads", named barriers, "if"."""
    for backend in opt.backends:
        for mode in ("stack", "its"):
            text, ok = run("barriers", [], f"backend={backend} diverge={mode}")
            check(ok, f"barriers, {backend}, {mode}", text[-600:])
        text, ok = run("barriers", ["onearm"], f"backend={backend} diverge=stack")
        check(ok, f"__syncthreads in one arm, {backend}, stack: the warp arrives as a whole", text[-600:])
        text, ok = run("barriers", ["onearm"], f"backend={backend} diverge=its")
        check(not ok and hangs(text, [r"lanes 0xffff0000 spin .*line 1\d\d", r"lanes 0xffff wait at", "every thread of a block must reach the same barriers"]),
              f"__syncthreads in one arm, {backend}, its: told at once", text)
    if "rtl" in opt.backends:
        door(opt)
        text, ok = run("barriers", ["staggered"], "sched=c:door")
        want = ["00000100", "00000101", "00000111", "00001111", "00011111", "00111111", "10111111", "11111111", "00000000"]
        have = re.findall(r"^barrier (\d+)$", text, re.M)
        check(ok and have == want, f"arrivals: {' '.join(want)}", str(have) + text[-600:])


def part_dependence(opt):
    """The same programs obey stall counts and counters: same values, checked for hazards."""
    if "rtl" not in opt.backends:
        print("skip  dependence: the golden model has no time")
        return
    for name, args in (("divergence", []), ("barriers", []), ("waiting", ["all"]), ("waiting", ["hash", "8"])):
        hashes = set()
        for dep in ("scoreboard", "control-bits"):
            text, ok = run(name, args, f"dep={dep} diverge=its")
            check(ok, f"{name} {' '.join(args)}: dep={dep}", text[-600:])
            hashes.add(re.findall(r"retire_hash=(\w+)", text)[-1] if ok else dep)
        if name != "waiting":  # who gets a lock first, and how often others try, is a matter of time
            check(len(hashes) == 1, f"{name}: the same retire hash", str(hashes))


def part_schedulers():
    """Each of the nine policies shows the effect that its source claims."""
    page = HERE / "SCHEDULERS.md"
    shown = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \| [^|]+ \| [^|]+ \| (\S+) \|$", page.read_text(), re.M))
    check(shown == {p: "yes" for p in POLICIES}, f"SCHEDULERS.md has the claim of each policy: {' '.join(POLICIES)}", str(shown))
    if ALL:
        code, text = sh([HERE / "sched_table.py", "--check", page])
        check(code == 0, "SCHEDULERS.md is what is measured", text[-3000:])


def part_page(opt):
    """cosim/POLICY.md alone carries a scheduler in C from the idea to the plots, and round again: its commands, as printed."""
    if "rtl" not in opt.backends:
        print("skip  page: schedulers drive the RTL")
        return
    page = (ROOT / "cosim/POLICY.md").read_text().split("\n## A block policy", 1)[0]
    blocks = re.findall(r"^```c\n(.*?)^```", page, re.M | re.S)
    code = blocks[0] if blocks else ""
    name = re.search(r"wg_sched_policy_t wg_sched_(\w+) =", code)
    check(name and len(blocks) == 2 and code.count("\n") <= 25, "the page holds a policy of about twenty lines, and a knob and a random number")
    commands = re.findall(r"^    (\S.*)$", page, re.M)
    with tempfile.TemporaryDirectory() as tmp:
        folder, source = pathlib.Path(tmp), pathlib.Path(tmp) / f"{name[1]}.c"

        def give(word, n):
            """The page's commands with this word in them, in its folder of this test."""
            chosen = [c for c in commands if word in c]
            check(len(chosen) == n, f"the page has {n} commands with '{word}'", str(chosen))
            return [sh(["bash", "-c", c.replace("build/policy", str(folder))]) for c in chosen]

        source.write_text(code)
        built, = give("cpolicy.sh", 1)
        check(built[0] == 0 and "warning" not in built[1], "it builds without a warning", built[1])
        ran = give("warpglass run --preset tiny --sched c:", 1) + give("warpglass run --preset tiny --sched lrr", 1)
        cycles = [re.findall(r"^PASS \w+ cycles=(\d+)", text, re.M) for _, text in ran]
        check(all(rc == 0 for rc, _ in ran) and cycles[0] and cycles[0] != cycles[1], f"it runs as shown, and not as lrr: {cycles}", ran[0][1][-600:])
        sweep, = give("sweep run", 1)
        compared = give("compare", 3)
        picture = [folder / "s.svg", folder / "s.html"]
        check(sweep[0] == 0 and all(rc == 0 for rc, _ in compared) and all(p.read_text().rstrip().endswith((">", "</html>")) for p in picture) and
              f"sched=c:{name[1]}" in compared[0][1] and "left out" not in compared[0][1], "a sweep, a table, bars and a page", sweep[1] + "".join(t for _, t in compared))
        study, = give("study.py", 1)
        check(study[0] == 0 and f"c:{name[1]}" in (folder / "study/table.txt").read_text(), "a study has it", study[1][-800:])
        update = blocks[1].split("\n\n", 1)
        source.write_text(code.replace("static wg_sched_out_t pick", update[1] + "\nstatic wg_sched_out_t pick").replace("pick, NULL}", "pick, update}")
                          .replace("  if (best == s->num_slots) best =", update[0] + "\n  if (best == s->num_slots || s->word[0] % 16 < limit) best ="))
        built, = give("cpolicy.sh", 1)
        sweep, = give("sweep run", 1)
        again, *_ = give("compare", 3)
        check(built[0] == 0 and "warning" not in built[1] and "2 run now, 4 were there" in sweep[1] and again[0] == 0 and
              f"left out: 2 points of another build (plug-in of c:{name[1]}: " in again[1] and again[1] != compared[0][1],
              "edited, with the page's knob and random number: what changed is run, the newest build compared", built[1] + sweep[1] + again[1])
        (ROOT / f"build/plugin/c/{name[1]}.so").unlink()
        steps = give("sed ", 1) + give("plugin.sh", 1) + give("--sched plugin:", 1)
        gto = sh([BIN / "warpglass", "run", "--preset", "tiny", "--sched", "gto", ROOT / "build/programs/reduce/reduce", "2048"])
        verdicts = [re.findall(r"^PASS .*", text, re.M) for _, text in (steps[-1], gto)]
        check(all(rc == 0 for rc, _ in steps) and verdicts[0] and verdicts[0] == verdicts[1], "a policy in RTL: the copy of gto takes gto's cycles", steps[1][1][-800:] + steps[-1][1][-800:])
        (folder / "other.sv").write_text((folder / "sm_sched_young.sv").read_text())
        other = sh([ROOT / "scripts/plugin.sh", "young", "8", folder / "other.sv"])
        check(other[0] == 0 and "Warning" not in other[1], "and in a file of another name", other[1][-800:])
        (ROOT / "build/plugin/young.so").unlink()


if __name__ == "__main__":
    sys.exit(suite.main(globals(), backend="both"))
