#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grade a class: every submission of a folder, several at a time, going on where an earlier call was stopped.

usage: grade_all.py LAB DIR [--jobs N] [--out DIR] [--skip KIND,..]
A submission is DIR/NAME.sv (or what the lab takes) or the one such file in DIR/NAME/. Writes into --out
(build/labs/class/LAB-DIR): grades.csv (name, points, points of each check, file, hash), pages/NAME.md with
waves/NAME.*.vcd beside, results/HASH.json. A result is used again while the text of the submission and the checks are
the same (their hashes): a killed call loses at most what was being graded, and what several hand in alike is
graded once. --skip: kinds of checks that are not made, at no points (for tests). Exit code 0 when all were judged.
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


def submissions(folder, suffixes):
    """{name: path} and what cannot be taken, {name: why}."""
    found, bad = {}, {}
    for p in sorted(folder.iterdir()):
        if p.name.startswith("."):
            continue
        name = re.sub(r"[^\w.-]", "_", p.stem if not p.is_dir() else p.name)
        if name in found or name in bad:
            name += "_" + hashlib.sha256(os.fsencode(p.name)).hexdigest()[:6]
        if p.is_dir() and not p.is_symlink():
            files = [q for q in sorted(p.iterdir()) if q.suffix in suffixes]
            if len(files) == 1:
                found[name] = files[0]
            else:
                bad[name] = f"{len(files)} files that could be the submission instead of one"
        elif p.suffix in suffixes:
            found[name] = p
        elif p.is_symlink() or p.suffix.lower() in suffixes:
            bad[name] = "a link; hand in the file or the folder itself" if p.is_symlink() else f"its name ends in {grade.shown(p.suffix)} instead of {suffixes[0]}"
        else:
            print(f"not looked at: {p.name!r}, its name ends in none of: {' '.join(suffixes)}", file=sys.stderr)
    return found, bad


def digest_of(lab, path, key):
    """What decides about the points of a submission, as one word."""
    text, why = grade.judge_of(lab).read(path)
    return hashlib.sha256(f"{lab}\0{key}\0{text if why is None else why}".encode()).hexdigest()


def one(lab, path, out, digest, skip):
    """(result, was it there before) of one submission, from its record results/DIGEST.json if there is one."""
    record = out / f"results/{digest}.json"
    if record.exists():
        return json.loads(record.read_text()), True
    scratch = out / f"scratch/{digest}"
    result = grade.grade(lab, path, scratch, skip)
    for kind, name in result["waves"].items():
        shutil.move(scratch / name, out / f"results/{digest}.{kind}{pathlib.Path(name).suffix}")
    shutil.rmtree(scratch)
    new = record.with_suffix(".new")
    new.write_text(json.dumps(result, indent=1) + "\n")
    new.rename(record)   # the waveforms are there by now
    return result, False


def publish(result, digest, name, path, out):
    """The page and the waveforms of one who handed this in; the result with the names that are theirs."""
    result = dict(result, file=grade.shown(path.name), waves={k: f"../waves/{name}.{k}{pathlib.Path(w).suffix}" for k, w in result["waves"].items()})
    for kind, place in result["waves"].items():
        wave = out / "waves" / pathlib.Path(place).name
        wave.unlink(missing_ok=True)
        os.link(out / f"results/{digest}.{kind}{wave.suffix}", wave)
    (out / f"pages/{name}.md").write_text(grade.page(result))
    return result


def write_csv(lab, out, rows, bad):
    """grades.csv of {name: result} and {name: why not}, in the order of the names."""
    of = [f"{i + 1} {c['kind']} ({c['points']})" for i, c in enumerate(grade.checks(lab))]
    new = out / "grades.csv.new"
    with open(new, "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(["name", "points", *of, "file", "sha256", "remark"])
        for name in sorted({*rows, *bad}):
            if name in bad:
                w.writerow([name, 0, *[0] * len(of), "", "", bad[name]])
                (out / f"pages/{name}.md").write_text(f"# Lab {lab}\n\nNot graded: {bad[name]}\n")
                continue
            r = rows[name]
            file = f"'{r['file']}" if r["file"][0] in "=+-@" else r["file"]   # else a spreadsheet computes it
            w.writerow([name, r["points"], *[c["points"] for c in r["checks"]], file, r["sha256"], r["refused"].split("\n")[0]])
    new.rename(out / "grades.csv")


def grade_class(a, out, found, bad):
    """Grade what was found; the number of those that could not be judged, whose remark tells why."""
    for d in ("pages", "results", "waves", "scratch"):
        (out / d).mkdir(parents=True, exist_ok=True)
    skip, key = tuple(a.skip.split(",")), grade.harness() + a.skip
    same = {}   # what is the same text is graded once
    for name, path in found.items():
        same.setdefault(digest_of(a.lab, path, key), []).append(name)
    rows, remarks, failed = {}, dict(bad), 0
    for n, (name, why) in enumerate(bad.items(), 1):
        print(f"{n:4d} of {len(found) + len(bad)}    0 points  {name}: {why}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(int(a.jobs)) as pool:
        todo = {pool.submit(one, a.lab, found[names[0]], out, digest, skip): digest for digest, names in same.items()}
        for f in concurrent.futures.as_completed(todo):
            digest = todo[f]
            for n, name in enumerate(same[digest]):
                try:
                    result, again = f.result()
                    rows[name] = publish(result, digest, name, found[name], out)
                except Exception as e:   # the machine's fault or the grader's, not the student's: the others go on
                    remarks[name] = f"not judged, to be graded again: {type(e).__name__}: {grade.shown(str(e))}"
                    print(f"FAIL  {name}: {remarks[name]}", flush=True)
                    failed += 1
                    continue
                note = "  (as before)" if again else f"  (as {same[digest][0]})" if n else ""
                print(f"{len(rows) + len(remarks):4d} of {len(found) + len(bad)}  {result['points']:3d} points  {name}{note}", flush=True)
    write_csv(a.lab, out, rows, remarks)
    shutil.rmtree(out / "scratch")
    return failed


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("lab")
    p.add_argument("dir", type=pathlib.Path)
    p.add_argument("--jobs", default=str(os.cpu_count()))
    p.add_argument("--out", type=pathlib.Path)
    p.add_argument("--skip", default="")
    a = p.parse_args()
    if a.lab not in grade.labs():
        return grade.usage(f"no lab '{a.lab}'", "one of " + " ".join(grade.labs()))
    if not a.dir.is_dir():
        return grade.usage(f"no folder '{a.dir}'", "DIR=a folder with a file for each student")
    if not re.fullmatch("[1-9][0-9]{0,3}", a.jobs):
        return grade.usage(f"'{a.jobs}' jobs", "JOBS=a number from 1 to 9999")
    suffixes = grade.judge_of(a.lab).SUFFIXES
    found, bad = submissions(a.dir, suffixes)
    if not found and not bad:
        return grade.usage(f"no submission in '{a.dir}'", f"NAME{suffixes[0]}, or NAME/ with one such file")
    try:
        sandbox.need()
    except sandbox.Refused as e:
        return grade.usage(*str(e).split("; remedy: "))
    out = (a.out or sandbox.ROOT / "build/labs/class" / f"{a.lab}-{a.dir.resolve().name}").resolve()
    with sandbox.Lock(out, f"grades into {out.name}"):
        grade.prepare(a.lab, not {"cosim", "plugin", "programs"} & {*a.skip.split(",")})
        failed = grade_class(a, out, found, bad)
    print(grade.shown(f"{len(found) + len(bad)} submissions, {failed} not judged: {out}/grades.csv, {out}/pages/"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
