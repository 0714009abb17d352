#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grade a class: every submission of a folder, several at a time, going on where an earlier call was stopped.

usage: grade_all.py LAB DIR [--jobs N] [--out DIR] [--skip KIND,..]
A submission is DIR/NAME.sv (or .v, .c) or the one such file in DIR/NAME/. Writes into --out (build/labs/class/LAB-DIR): grades.csv (name, points, points
of each check, file, hash), pages/NAME.md with waves/NAME.vcd beside, results/HASH.json. A result is used again while the text of the submission and the
checks are the same (their hashes), so a killed call loses at most what was being graded. --skip: kinds of checks that are not made, at no points (for tests). Exit code 0
when all were judged.
"""
import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import grade  # noqa: E402
import sandbox  # noqa: E402


def submissions(folder):
    """{name: path} and what cannot be taken, {name: why}."""
    found, bad = {}, {}
    for p in sorted(folder.iterdir()):
        if p.name.startswith("."):
            continue
        name = re.sub(r"[^\w.-]", "_", p.stem if not p.is_dir() else p.name)
        if name in found or name in bad:
            name += "_" + hashlib.sha256(p.name.encode()).hexdigest()[:6]
        if p.is_dir() and not p.is_symlink():
            files = [q for q in sorted(p.iterdir()) if q.suffix in (".sv", ".v", ".c", ".cu")]
            if len(files) == 1:
                found[name] = files[0]
            else:
                bad[name] = f"{len(files)} files that could be the submission instead of one"
        elif p.suffix in (".sv", ".v", ".c", ".cu"):
            found[name] = p
    return found, bad


def one(lab, name, path, out, key, skip):
    """The result of one submission, from its record if there is one."""
    text, why = grade.source.read(path)
    digest = hashlib.sha256(f"{lab}\0{key}\0{text if why is None else why}".encode()).hexdigest()
    record, wave = out / f"results/{digest}.json", out / f"waves/{name}.vcd"
    if record.exists():
        return json.loads(record.read_text()), digest, True
    scratch = out / f"scratch/{name}"
    result = grade.grade(lab, path, scratch, skip)
    if result["wave"]:
        shutil.move(scratch / result["wave"], wave)
        result["wave"] = f"../waves/{name}.vcd"
    shutil.rmtree(scratch)
    new = record.with_suffix(f".{os.getpid()}.{name}.new")
    new.write_text(json.dumps(result, indent=1) + "\n")
    new.rename(record)
    return result, digest, False


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("lab")
    p.add_argument("dir", type=pathlib.Path)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--out", type=pathlib.Path)
    p.add_argument("--skip", default="")
    a = p.parse_args()
    if a.lab not in grade.labs():
        return grade.usage(f"no lab '{a.lab}'", "one of " + " ".join(grade.labs()))
    if not a.dir.is_dir():
        return grade.usage(f"no folder '{a.dir}'", "DIR=a folder with a file for each student")
    if a.jobs < 1:
        return grade.usage(f"{a.jobs} jobs", "1 or more")
    found, bad = submissions(a.dir)
    if not found and not bad:
        return grade.usage(f"no submission in '{a.dir}'", "NAME.sv, or NAME/ with one such file")
    try:
        sandbox.need(sandbox.ROOT / "build/labs/probe")
    except sandbox.Refused as e:
        return grade.usage(*str(e).split("; remedy: "))
    skip = tuple(a.skip.split(","))
    grade.prepare(a.lab, not {"cosim", "plugin"} & {*skip})
    out = (a.out or sandbox.ROOT / "build/labs/class" / f"{a.lab}-{a.dir.resolve().name}").resolve()
    for d in ("pages", "results", "waves", "scratch"):
        (out / d).mkdir(parents=True, exist_ok=True)
    key, rows, failed = grade.harness() + a.skip, {}, 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        todo = {pool.submit(one, a.lab, n, f, out, key, skip): n for n, f in found.items()}
        for f in concurrent.futures.as_completed(todo):
            name = todo[f]
            try:
                result, digest, again = f.result()
            except OSError as e:   # the machine's fault, not the student's
                print(f"FAIL  {name}: {e}", flush=True)
                failed += 1
                continue
            rows[name] = (result, digest)
            (out / f"pages/{name}.md").write_text(grade.page(result))
            print(f"{len(rows):4d} of {len(found)}  {result['points']:3d} points  {name}" + ("  (as before)" if again else ""), flush=True)
    of = [f"{i + 1} {c['kind']} ({c['points']})" for i, c in enumerate(grade.checks(a.lab))]
    new = out / "grades.csv.new"
    with open(new, "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(["name", "points", *of, "file", "sha256", "remark"])
        for name in sorted({*rows, *bad}):
            if name in bad:
                w.writerow([name, 0, *[0] * len(of), "", "", bad[name]])
                (out / f"pages/{name}.md").write_text(f"# Lab {a.lab}\n\nNot graded: {bad[name]}\n")
                continue
            r = rows[name][0]
            w.writerow([name, r["points"], *[c["points"] for c in r["checks"]], found[name].name, r["sha256"], r["refused"]])
    new.rename(out / "grades.csv")
    shutil.rmtree(out / "scratch")
    print(f"{len(rows) + len(bad)} submissions, {failed} not judged: {out}/grades.csv, {out}/pages/")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
