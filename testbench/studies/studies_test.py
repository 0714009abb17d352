#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The studies' machinery, in its small form. Run from the root after `make build programs sm SHAPE=tiny` and `SHAPE=sm16`.

usage: testbench/studies/studies_test.py [PART ...]
parts: marks (every column of a picture has its own), schedulers (every policy, the best static limit and the oracle against runs by hand, run on, one more policy in C), others (a seeded one of
the other studies), plans (what the whole studies would run), claims (verdicts on figures made for them), results (the recorded whole studies: tables and verdicts follow from their cells, and a
seeded cell takes the recorded cycles), area (one seeded policy), refused, points (what --points-only says), killed (a killed study leaves nothing behind), area_refused.
Default: all. TEST_ALL=1: all other studies, all policies' areas, a cell of each recorded study. Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import csv
import pathlib
import re
import subprocess
import sys
import time
import xml.dom.minidom

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(__file__).resolve().parents[2] / "studies")]
import claims  # noqa: E402  pylint: disable=wrong-import-position
import draw  # noqa: E402  pylint: disable=wrong-import-position
import study  # noqa: E402  pylint: disable=wrong-import-position
import suite  # noqa: E402  pylint: disable=wrong-import-position
from suite import ALL, RANDOM, ROOT, WG, check  # noqa: E402  pylint: disable=wrong-import-position


def sh(*args):
    return suite.sh(args)




def cells(folder):
    """{(kernel, column): row}"""
    with open(folder / "cells.csv", encoding="utf-8") as f:
        return {(r["kernel"], r["column"]): r for r in csv.DictReader(f)}


def run_study(name, folder, *more):
    code, out = sh("studies/study.py", name, "--small", "-o", folder, *more)
    check(code == 0, f"study {name} {' '.join(more)}", out)
    xml.dom.minidom.parse(str(folder / "chart.svg"))  # raises if it is no XML
    said = (folder / "STATEMENT.md").read_text(encoding="utf-8")
    check(said.count("\n| ") == 1 + len(claims.CLAIMS[name]) and "small form" in said, "  a verdict on every claim, and that the form is small", said)
    return out


def by_hand(kernel, sched, progress="on"):
    rows = {r["kernel"]: r for r in study.kernels("schedulers", True, [])}
    out = sh(WG, "run", "--preset", "tiny", "--sms", "1", "--sched", sched, "--progress", progress, study.target(rows[kernel])[1], *rows[kernel]["args"].split())[1]
    return re.search(r"^PASS .*cycles=(\d+)", out, re.M)[1]


def part_marks():
    """Marks of a picture differ in shape and filling, without their colour; the recorded pictures have as many as columns."""
    def plain(n):
        return re.sub(r'#[0-9a-f]{6}', "", draw.mark(0, 0, n))
    check(draw.MOST >= 24 and len({plain(n) for n in range(draw.MOST)}) == draw.MOST, f"{draw.MOST} marks, unlike each other in grey too")
    near = [n for n in range(draw.MOST - 1) if re.search("#[0-9a-f]{6}", draw.mark(0, 0, n))[0] == re.search("#[0-9a-f]{6}", draw.mark(0, 0, n + 1))[0]]
    check(not near and len({draw.mark(0, 0, n, n in (1, 12)) for n in range(draw.MOST)}) == draw.MOST, "neighbours have other colours, hollow ones are their own", str(near))
    for name in study.STUDIES:
        chosen = study.kernels(name, False, [])
        data = study.from_cells(ROOT / "studies/results" / name / "cells.csv", chosen)
        picture, columns = (ROOT / "studies/results" / name / "chart.svg").read_text(encoding="utf-8"), study.columns_of(name, data)
        legend = [re.sub(r' (?:cx|cy|points)="[^"]*"', "", m[1]) + str(m[1].count(",")) + shape_of(m[1])
                  for m in re.finditer(r'^(<(?:circle|polygon).*)<text x="806"', picture, re.M)]
        check(len(legend) == len(set(legend)) == len(columns), f"study {name}: {len(set(legend))} marks for {len(columns)} columns", str(legend))


def shape_of(mark):
    """Points of a mark relative to its first one."""
    p = [tuple(map(float, q.split(","))) for q in (re.search(r'points="([^"]*)"', mark) or [0, ""])[1].split()]
    return str([(round(x - p[0][0], 1), round(y - p[0][1], 1)) for x, y in p])


def part_schedulers(tmp):
    folder = tmp / "s"
    run_study("schedulers", folder)
    have, names = cells(folder), study.policies()
    kernels = [r["kernel"] for r in study.kernels("schedulers", True, [])]
    check(len(names) >= 9 and all((k, p) in have for k in kernels for p in names + ["best-swl", "oracle"]), "  every policy, the best static limit and the oracle for every kernel")
    sched = RANDOM.choice(names)
    check(have["kmeans", sched]["cycles"] == by_hand("kmeans", sched), f"  kmeans under {sched}: the cycles of a run by hand")
    least = min((int(by_hand("kmeans", s, "off")), s) for s in ("gto", "swl", "swl:1", "swl:2"))
    check(int(have["kmeans", "best-swl"]["cycles"]) == least[0], f"  the best static limit is {least[1]}")
    free = by_hand("kmeans", "gto", "off")
    check(have["kmeans", "gto-free"]["cycles"] == free and ("kmeans", "lrr-free") not in have, "  policies without the progress rule, but those that need none")
    check(have["kmeans", "oracle"]["warp_insts"] == have["kmeans", "lrr"]["warp_insts"], "  the oracle does the same work")
    before = (folder / "cells.csv").read_bytes()
    out = run_study("schedulers", folder)
    check(set(re.findall(r": (\d+) runs", out)) == {"0"} and (folder / "cells.csv").read_bytes() == before, "  run on: nothing is run twice", out)
    part = tmp / "part"
    run_study("schedulers", part, "--kernels", "kmeans", "--policies", "lrr,gto", "--no-oracle")
    check(set(cells(part)) == {("kmeans", c) for c in ("lrr", "gto", "gto-free")}, "  a part: two policies of one kernel", str(set(cells(part))))
    code, out = sh("scripts/cpolicy.sh", "study_new", tmp / "study_new.c")
    check(code != 0, "  a policy in C that is not there is refused", out)
    source = (ROOT / "testbench/plugin/loads_first.c").read_text(encoding="utf-8").replace("loads_first", "study_new")
    (tmp / "study_new.c").write_text(source, encoding="utf-8")
    check(sh("scripts/cpolicy.sh", "study_new", tmp / "study_new.c")[0] == 0, "  a new policy in one C file")
    run_study("schedulers", folder, "--also", "c:study_new", "--kernels", "triad")
    check(("triad", "c:study_new") in cells(folder) and "c:study_new" in (folder / "table.txt").read_text(), "  and it is in table and picture")
    (ROOT / "build/plugin/c/study_new.so").unlink()


def part_others(tmp):
    others = [s for s in study.STUDIES if s != "schedulers"]
    for name in others if ALL else [RANDOM.choice(others)]:
        run_study(name, tmp / name)
        columns = {c for _, c in cells(tmp / name)}
        check(len(columns) >= 2, f"  its columns: {', '.join(sorted(columns))}")


def part_plans():
    for name in study.STUDIES:
        code, out = sh("studies/study.py", name, "--points-only")
        rows = re.findall(r"^(\w+) +(\w+) +(\d+) runs", out, re.M)
        check(code == 0 and len(rows) >= (12 if name == "schedulers" else 6) and all(int(n) >= 2 for _, _, n in rows), f"the whole study {name}: {len(rows)} kernels", out)
    groups = {r["group"] for r in study.kernels("schedulers", False, [])}
    check(groups == {"sensitive", "insensitive", "memory"}, "the three groups of the literature")
    told = [r for r in study.kernels("schedulers", False, []) if r["cycles"] != "-" and int(r["cycles"]) < 200000]
    check(not told, "no measured kernel is below 200,000 cycles", str(told))


def part_claims():
    group = {"a": "sensitive", "b": "sensitive", "c": "insensitive"}
    data = {k: {"x": {"cycles": 100, "m": 10}, "y": {"cycles": 200, "m": 40}} for k in group}
    fast = {"claim": "", "source": "", "measure": claims.ratio(("sensitive",), "x", "y"), "least": 1.5}
    check(claims.judge(fast, data, group)[1] == "agrees", "a speed-up of 2 where 1.5 is claimed agrees")
    check(claims.judge(dict(fast, least=2.5), data, group)[1] == "**disagrees**", "where 2.5 is claimed it disagrees")
    check(claims.judge(dict(fast, least=0, most=1.9), data, group)[1] == "**disagrees**", "and where at most 1.9 is")
    check(claims.judge(dict(fast, measure=claims.total(("sensitive",), "x", "y", "m"), least=-1, most=-0.7), data, group)[1] == "agrees", "a quarter of the misses: -75 %")
    check(claims.judge(dict(fast, measure=claims.spread(("insensitive",), ["x", "y"]), least=0.4, most=0.6), data, group)[1] == "agrees", "half the speed: a deviation of 50 %")
    del data["b"]["x"]
    check(claims.judge(fast, data, group)[1] == "not measured", "with a run missing nothing is said")
    steps = {"a": {f"{n} lrr": {"cycles": c} for n, c in ((1, 300), (4, 100), (16, 150))}}
    best = {"claim": "", "source": "", "measure": claims.best_below(("sensitive",), "lrr", 16), "least": 1}
    check(claims.judge(best, steps, {"a": "sensitive"}) == ("1 of 1 kernels (a at 4: 1.500)", "agrees"), "fewer blocks are best")
    enough = {"claim": "", "source": "", "measure": claims.enough(("sensitive",), "lrr", 16, 0.95), "least": 1}
    check(claims.judge(enough, steps, {"a": "sensitive"})[0] == "1 of 1 kernels (a from 4)", "a quarter of the blocks is enough")


def words_of(name, col):
    """The axes of a recorded column."""
    if name == "schedulers":
        policy, _, knob = col.partition(":")
        free = policy.endswith("-free")
        return ["--sched", policy.removesuffix("-free") + (f":{knob}" if knob else ""), "--progress", "off" if free else "on"]
    return [w for axis, value in zip(study.STUDIES[name][0], col.split()) for w in (f"--{axis}", value)]


def part_results(tmp):
    for name in study.STUDIES:
        folder, chosen = ROOT / "studies/results" / name, study.kernels(name, False, [])
        data = study.from_cells(folder / "cells.csv", chosen)
        check(study.table(name, chosen, data) == (folder / "table.txt").read_text(), f"recorded study {name}: its table follows from its cells")
        check(study.statement(name, False, chosen, data, [], 0.0) == (folder / "STATEMENT.md").read_text(), "  and so do its verdicts")
        check(study.cells_csv(name, chosen, data) == (folder / "cells.csv").read_text(), "  and the cells themselves")
    for name in study.STUDIES if ALL else [RANDOM.choice(list(study.STUDIES))]:
        chosen = study.kernels(name, False, [])
        data = study.from_cells(ROOT / "studies/results" / name / "cells.csv", chosen)
        if name == "schedulers":
            check(set(study.policies()) <= set(study.columns_of(name, data)), "every built-in policy is in the recorded study")
        kernel, col = RANDOM.choice([(k, c) for k, row in data.items() for c, v in row.items() if c not in ("best-swl", "oracle") and v["cycles"] < 250000])
        preset, sms = study.machine(study.plan_file(name, False))
        row = {r["kernel"]: r for r in chosen}[kernel]
        store = tmp / f"{name}.db"
        code, out = sh(WG, "sweep", "run", "--store", store, "--preset", preset, "--sms", sms, *words_of(name, col), *study.target(row))
        now = list(csv.DictReader(sh(WG, "sweep", "export", store)[1].splitlines())) if code == 0 else []
        check(len(now) == 1 and int(now[0]["cycles"]) == data[kernel][col]["cycles"],
              f"study {name}: {kernel} under {col} takes the recorded {data[kernel][col]['cycles']:.0f} cycles", out + str([r["cycles"] for r in now]))


def part_area():
    names = study.policies()
    for n in names if ALL else [RANDOM.choice([p for p in names if p not in ("ccws", "gcaws")])]:
        code, out = sh("studies/area.py", "--check", n)
        check(code == 0, f"area of {n}", out)
    page = (ROOT / "studies/AREA.md").read_text(encoding="utf-8")
    check(re.findall(r"^\| (\w+) \| \d", page, re.M) == names, "every policy has its area, and no other")


def part_refused(tmp):
    code, out = sh("studies/study.py", "schedulers", "--small", "--kernels", "kmean", "-o", tmp / "r")
    check(code == 2 and "no kernel 'kmean'" in out and "remedy: one of kmeans" in out, "an unknown kernel", out)
    code, out = sh("studies/study.py", "schedulers", "--small", "--policies", "lrr,gtoo", "-o", tmp / "r")
    check(code == 2 and "no policy 'gtoo'" in out and "remedy: one of lrr rr" in out, "an unknown policy of a part", out)
    code, out = sh("studies/study.py", "schedulers", "--small", "--also", "c:not_there", "-o", tmp / "r")
    check(code == 2 and "no scheduler 'c:not_there'" in out and "remedy" in out, "an unknown policy", out)
    for words, says in ((["schedulers", "--kernels", ""], "--kernels names none"), (["schedulers", "--policies", ","], "--policies names none"), (["blocks", "--also", "c:x"], "--also is of the study of schedulers"),
                        (["blocks", "-o", "/etc/passwd"], "'/etc/passwd'"), (["blocks", "-o", "/proc/x"], "'/proc/x'"), (["blocks", "--report-only", "-o", tmp / "none"], "no file")):
        code, out = sh("studies/study.py", *words)
        check(code == 2 and says in out and "remedy" in out and "Traceback" not in out, f"study.py {' '.join(map(str, words))!r}", out)
    (tmp / "other").mkdir()
    code, out = sh(WG, "sweep", "run", "--store", tmp / "other/store.db", "--preset", "tiny", "--backend", "func", "--program", study.target({"program": "reduce", "args": "1"})[1], "--args", "256")
    code2, out2 = sh("studies/study.py", "schedulers", "--small", "--report-only", "-o", tmp / "other")
    check(code == 0 and code2 == 2 and "is no store of the study 'schedulers'" in out2 and "Traceback" not in out2, "the store of another sweep", out + out2)
    (tmp / "junk").mkdir()
    (tmp / "junk/store.db").write_text("no store\n")
    code, out = sh("studies/study.py", "schedulers", "--report-only", "-o", tmp / "junk")
    check(code == 2 and "store.db" in out and "Traceback" not in out, "a file that is no store", out)
    code, out = sh("studies/study.py", "--help")
    options = set(re.findall(r"\[(-[-a-z]+)", study.__doc__)) - {"-j", "-o"}
    check(code == 0 and not [o for o in sorted(options) + ["-j", "-o"] if not re.search(rf"^  {o}\b.*\w", out, re.M)], "--help describes every option", out)


def part_points():
    """What is said of the cycles: of the small form nothing, of the whole one the sum of runs x the recorded mean; what it tells of a recorded study is near to it."""
    code, out = sh("studies/study.py", "schedulers", "--small", "--points-only")
    check(code == 0 and "their cycles are not known" in out and not re.search(r"\d{5,}", out), "the small form's cycles are not known", out)
    for name in ("blocks", "occupancy"):
        code, out = sh("studies/study.py", name, "--points-only")
        rows = [(int(n), float(c)) for n, c in re.findall(r" (\d+) runs of (\d+) cycles", out)]
        whole = int(re.search(r"^\d+ runs, about (\d+) cycles", out, re.M)[1])
        with open(ROOT / "studies/results" / name / "cells.csv", encoding="utf-8") as f:
            true = sum(int(r["cycles"]) for r in csv.DictReader(f))
        check(code == 0 and abs(whole - sum(n * c for n, c in rows)) < 1000 and abs(whole - true) < 0.1 * true, f"{name}: about {whole} cycles, recorded {true}", out)


def part_killed(tmp):
    """A study that is killed leaves no sweep behind; its run, of 402,658 cycles, would take far longer than is waited."""
    with subprocess.Popen([ROOT / "studies/study.py", "schedulers", "--kernels", "kmeans", "--base-only", "-o", tmp / "k"], cwd=ROOT, stdout=subprocess.DEVNULL) as p:
        def mine():
            told = suite.sh(["ps", "-eo", "pid,args"])[1].splitlines()
            return [line for line in told if str(tmp / "k/store.db") in line and "study.py" not in line]
        until = time.time() + 60
        while not mine() and p.poll() is None and time.time() < until:
            time.sleep(0.05)
        there = mine()
        p.kill()
    until = time.time() + 4
    while mine() and time.time() < until:
        time.sleep(0.1)
    check(there and not mine(), "kill -9 of a study ends its sweep", f"{there}\n{mine()}")


def part_area_refused():
    code, out = sh("studies/area.py", "--check", "gtoo")
    check(code == 1 and "no policy 'gtoo'" in out, "an unknown policy's area", out)


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
