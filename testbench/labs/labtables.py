# SPDX-License-Identifier: Apache-2.0
"""The tables of the labs (labs.tsv, checks.tsv, doors.txt), and who judges which."""
import importlib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LABS = ROOT / "programs/labs"
JUDGES = {   # `how` of labs.tsv: the Python module beside this one that has SUFFIXES, read, judge, reference and Grading (see checks_rtl)
    "door": "checks_rtl", "plugin": "checks_rtl", "own": "checks_own", "cu": "program_lab", "cpolicy": "policy_lab"}


def table(path, *columns):
    """Rows of a file with tabs as dictionaries; lines with # are comments."""
    rows = [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    bad = [r for r in rows if len(r) != len(columns)]
    if bad:
        raise SystemExit(f"error: {path.relative_to(ROOT)}: '{bad[0][0]}' has {len(bad[0])} columns instead of {len(columns)}")
    return [dict(zip(columns, r)) for r in rows]


def labs():
    """{name: row}"""
    return {r["lab"]: r for r in table(LABS / "labs.tsv", "lab", "number", "module", "how", "folder", "uses", "title")}


def judge_of(lab):
    """The Python module that judges a lab."""
    if str(HERE) not in sys.path:
        sys.path.insert(0, str(HERE))
    return importlib.import_module(JUDGES[labs()[lab]["how"]])


def doors():
    """Modules that are doors in the SM of the labs."""
    return [m for m in (HERE / "doors.txt").read_text().split("\n") if m and m[0] != "#"]


def checks(lab):
    """The lab's checks in their order, points as numbers."""
    rows = [r for r in table(HERE / "checks.tsv", "lab", "points", "kind", "argument", "expected") if r["lab"] == lab]
    return [dict(r, points=int(r["points"])) for r in rows]


def first_line(text, *patterns):
    """The first line that matches one of the patterns, in their order."""
    for p in patterns:
        for line in text.splitlines():
            if re.search(p, line):
                return re.sub(r"\s+", " ", line).strip()[:300]
    return next((re.sub(r"\s+", " ", line).strip()[:300] for line in text.splitlines() if line.strip()), "")
