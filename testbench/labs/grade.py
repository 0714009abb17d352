#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grade one submission of a lab: points for each check, with the reason where some are lost, and waveforms of the
first failures.

usage: grade.py LAB FILE [--out DIR]
LAB: a name of programs/labs/labs.tsv. Checks and points: testbench/labs/checks.tsv, 100 in all. Writes result.json,
feedback.md and the waveforms of the checks that have some into DIR (build/labs/grade/LAB/NAME). Exit code: 0 when it
could be judged, whatever the points, else 2.
How a kind of lab is judged: the module that labtables.JUDGES names, e.g. checks_rtl.py.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import sandbox  # noqa: E402
from labtables import HERE, LABS, ROOT, checks, judge_of, labs, table  # noqa: E402,F401

BUDGET = 105   # seconds of processor time for a submission, all checks together

PICKS = ("SchedLab.PicksOneThatIsEligible", "SchedLab.PicksWheneverOneIsEligible")   # without one of them a scheduler does nothing


def harness():
    """Hash of everything that decides about points: another one, and results are no longer valid."""
    h = hashlib.sha256()
    own = [p for p in HERE.rglob("*") if p.is_file() and p.suffix != ".pyc" and not p.name.endswith("_test.py") and HERE / "wrong" not in p.parents]
    for p in [*sorted(own), LABS / "labs.tsv", *sorted(p for p in (ROOT / "testbench/rtl").rglob("*") if p.suffix in (".cc", ".h", ".sv")),
              *sorted((ROOT / "rtl").rglob("*.sv")), *sorted((ROOT / "model/twin").glob("*.[ch]")), *sorted((ROOT / "programs/asm").glob("*.s")),
              *sorted(p for room in ("programs/labs", "model", "toolchain", "cosim", "runtime") for p in (ROOT / room).rglob("*") if p.suffix in (".cu", ".c", ".h")),
              ROOT / "programs/wg_program.h", ROOT / "configs/tiny.cfg"]:
        h.update(f"{p.relative_to(ROOT)}\0".encode() + p.read_bytes())
    return h.hexdigest()


def attempt(grading, check, why):
    """(points, reason) of one check. why: it cannot be tried."""
    if why is None and grading.left() <= 0:
        why = f"not tried: the {BUDGET} s of processor time of a submission are used up"
    answer = why or getattr(grading, "check_" + check["kind"])(check["argument"])
    if isinstance(answer, tuple):
        return int(answer[0] * check["points"]), answer[1]
    return (0, answer) if answer else (check["points"], "")


def grade(lab, path, out, skip=(), ready=None):
    """Grade the file at path; the result, written to out/result.json and out/feedback.md as well. skip: kinds of
    checks that are not made (the graders' own tests). ready: called once it is known that the submission can be
    tried, to build what checks need."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    todo, judge, row = checks(lab), judge_of(lab), labs()[lab]
    text, why = judge.read(path)
    result = {"lab": lab, "file": shown(pathlib.Path(path).name), "sha256": hashlib.sha256(text.encode()).hexdigest() if text is not None else "", "harness": harness(), "refused": "",
              "checks": [], "waves": {}}
    why = why or judge.judge(text, row)
    g = None
    if why is None:
        g = judge.Grading(lab, row, text, out, BUDGET)
        why = g.compiles()
    if why is None and ready:
        ready()
    result["refused"], done = why or "", {}
    for n in sorted(range(len(todo)), key=lambda n: (judge.FIRST.index(todo[n]["kind"]) if todo[n]["kind"] in judge.FIRST else 99, n)):
        c = todo[n]
        cannot = f"not tried: {why}" if why else "not made" if c["kind"] in skip else g.without.get(c["kind"])
        done[n] = attempt(g, c, cannot)
    begun = [n for n, c in enumerate(todo) if c["argument"].endswith(PICKS)]
    if why is None and begun and not any(done[n][0] for n in begun):   # what picks nobody does nothing wrong either
        for n, c in enumerate(todo):
            if n not in begun and c["kind"] not in ("lint", "synth") and done[n][0]:
                done[n] = 0, f"not counted, since neither of the checks {' and '.join(str(n + 1) for n in begun)} holds: begin with these"
    for n, c in enumerate(todo):
        result["checks"].append({"kind": c["kind"], "expected": c["expected"], "of": c["points"], "points": done[n][0], "reason": done[n][1]})
    result["points"] = sum(c["points"] for c in result["checks"])
    result["of"] = sum(c["of"] for c in result["checks"])
    keep = [g.file, *g.waves.values()] if g else []
    result["seconds"] = round(BUDGET - g.budget, 1) if g else 0   # of processor time
    result["waves"] = {kind: p.name for kind, p in g.waves.items()} if g else {}
    for p in out.iterdir():   # what was built is large
        if p not in keep:
            shutil.rmtree(p) if p.is_dir() and not p.is_symlink() else p.unlink()
    (out / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (out / "feedback.md").write_text(page(result))
    return result


def shown(name):
    """A file's name as text: bytes that are no UTF-8 as \\xNN."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def page(r):
    """Feedback of one submission, Markdown."""
    row = labs()[r["lab"]]
    out = [f"# Lab {row['number']}: {row['title']}", "", f"`{r['file']}`: **{r['points']} of {r['of']} points**", ""]
    if r["refused"]:
        out += ["Not graded further:", "", *quoted(r["refused"]), ""]
    out += ["| | points | check | what is checked |", "|---|---|---|---|"]
    out += [f"| {n} | {c['points']} of {c['of']} | {c['kind']} | {c['expected']} |" for n, c in enumerate(r["checks"], 1)]
    for n, c in enumerate(r["checks"], 1):
        if c["reason"] and not r["refused"]:
            out += ["", f"## Check {n}, {c['kind']}: {c['points']} of {c['of']}", "", f"Expected: {c['expected']}", "", "What was seen:", "", *quoted(c["reason"])]
    if r["waves"]:
        out += ["", "## Waveforms", ""]
        notes = {"unit": "the first unit check that failed; the failure stands 10 cycles before the end", "formal": "the inputs that the solver found, cycle by cycle (`n`), your module `u_dut` beside `u_ref`, what was expected",
                 "run": "the whole run; its views: `WG_VIEW=warps WG_FILTERS=isa/gen/gtkwave gtkwave -S waves/views.tcl FILE` in the project's folder"}
        out += [f"- `gtkwave {name}` (in the folder of this page): {notes.get(kind, 'of the check ' + kind)}" for kind, name in r["waves"].items()]
        if "run" not in r["waves"]:
            out += ["", "In a waveform the submission is the innermost scope; in that of the solver it is `u_dut`."]
    return "\n".join(out) + "\n"


def quoted(text):
    """Lines of a message as they are, for Markdown."""
    return ["    " + line for line in text.splitlines()]


def tell(r):
    """Print what the page says."""
    if r["refused"]:
        print("not graded further: " + r["refused"].replace("\n", "\n    "))
    for n, c in enumerate(r["checks"], 1):
        print(f"{c['points']:3d} of {c['of']:3d}  {n:2d} {c['kind']}: {c['expected']}")
        if c["reason"] and not r["refused"]:
            print("            seen: " + c["reason"].replace("\n", "\n                  "))
    print(f"{r['points']:3d} of {r['of']:3d}  {r['lab']}: {r['file']}")


def prepare(lab, cosim=True, stdout=subprocess.PIPE):
    """Everything of a lab that does not depend on a submission, built once; SystemExit with the text of what failed.
    cosim:
    with the SM (minutes, the first time)."""
    p = subprocess.run(["testbench/labs/prepare.sh", lab, *([] if cosim else ["without-cosim"])], cwd=ROOT, stdout=stdout,
                       stderr=subprocess.STDOUT, text=True, check=False)
    if p.returncode != 0:
        sys.exit(f"error: cannot prepare lab {lab}\n{(p.stdout or '')[-3000:]}")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("lab")
    p.add_argument("file", type=pathlib.Path)
    p.add_argument("--out", type=pathlib.Path)
    a = p.parse_args()
    if a.lab not in labs():
        return usage(f"no lab '{a.lab}'", "one of " + " ".join(labs()))
    if not a.file.exists() and not a.file.is_symlink():
        return usage(f"no file '{a.file}'", "FILE=the file with your module")
    out = (a.out or ROOT / "build/labs/grade" / a.lab / re.sub(r"\W", "_", a.file.stem)).resolve()
    try:
        sandbox.need()
    except sandbox.Refused as e:
        return usage(*str(e).split("; remedy: "))
    with sandbox.Lock(out, f"grades into {out.name}"):
        r = grade(a.lab, a.file, out, ready=lambda: prepare(a.lab))
    tell(r)
    where = out.relative_to(ROOT) if out.is_relative_to(ROOT) else out
    print(shown(f"page: {where}/feedback.md") + "".join(f"; {kind}: {name}" for kind, name in r["waves"].items()))
    return 0


def usage(what, remedy):
    print(f"error: {what}; remedy: {remedy}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
