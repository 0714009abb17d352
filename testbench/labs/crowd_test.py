# SPDX-License-Identifier: Apache-2.0
"""A large class (part `crowd` of labs_test.py): 200 submissions, right, wrong and hostile ones, graded by a call that
is killed in the middle and goes on, and by one that is not disturbed. Many hand in the same text, as when a solution
goes round: it costs once.
The sample has 8, with the checks that take a second each."""
import csv
import os
import pathlib
import random
import subprocess
import time

import grade
import sandbox
from suite import ALL, SEED, check

LAB = "lrr"
SKIP = "formal,plugin" if ALL else "unit,formal,plugin"
PER_TEXT = 105 + 15   # seconds alone on one core: the budget and what is around it


def hostile(own):
    """{name: (text, word of the remark or None: it is graded)}; None as text: a link."""
    def body(text):
        return own.replace("endmodule", text + "\nendmodule")
    many = "\n".join(f"  logic [{i}:0] much_{i};" for i in range(1, 3000))
    few = {"prints": (body('  initial $display("100 of 100");'), "a string"),
           "includes": ("`include \"/etc/passwd\"\n" + own, "string"),
           "link": (None, "link"), "much_output": (body(many), None)}
    if ALL:   # takes its whole budget
        few["endless"] = (body("  logic [31:0] n;\n  always_comb begin\n    n = '0;\n"
                               "    for (int unsigned i = 0; i < 2000000000; i++) n = n * 32'd3 + i + 32'(eligible_i);\n"
                               "  end\n  logic unused_n;\n  assign unused_n = ^n;"), None)
    return few


def fill(folder, number, own, wrong):
    """Write the class; {name: word of the remark}."""
    rng, bad = random.Random(SEED), hostile(own)
    texts = [own, *wrong] if ALL else [own, rng.choice(wrong)]
    chosen = [*bad, *(rng.randrange(len(texts)) for _ in range(number - len(bad)))]
    rng.shuffle(chosen)
    words = {}
    for i, what in enumerate(chosen):
        path = folder / f"student{i:03d}.sv"
        text, words[path.stem] = bad[what] if isinstance(what, str) else (texts[what], None)
        if text is None:
            path.symlink_to("/etc/passwd")
        else:
            path.write_text(text)
    return words


def processes(word):
    """Command lines of processes that have this word among their words."""
    found = []
    for p in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = p.read_bytes().decode(errors="replace").replace("\0", " ")
        except OSError:
            continue
        if word in line:
            found.append(line[:200])
    return found


def crowd(tmp, own, wrong):
    """The checks. own: text of the reference; wrong: texts of wrong solutions."""
    folder, number = tmp / "class", 200 if ALL else 8
    folder.mkdir()
    words = fill(folder, number, own, wrong)
    line = [pathlib.Path(grade.__file__).with_name("grade_all.py"), LAB, folder, "--jobs", "2", "--skip", SKIP, "--out"]
    grade.prepare(LAB, False)
    with subprocess.Popen([*line, tmp / "killed"], cwd=sandbox.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as p:
        done = [p.stdout.readline() for _ in range(number // 3)]
        p.kill()
        done += p.stdout.readlines()
    done = [s for s in done if " points " in s]
    check(0 < len(done) < number and not (tmp / "killed/grades.csv").exists(),
          f"killed when {len(done)} of {number} were graded: no table yet", done)
    end = time.monotonic() + 20
    while (left := processes(str(tmp / "killed"))) and time.monotonic() < end:
        time.sleep(0.2)
    check(not left, "nothing of the killed call runs on", left)
    kept = len(list((tmp / "killed/results").glob("*.json")))
    second = subprocess.run([*line, tmp / "killed"], cwd=sandbox.ROOT, capture_output=True, text=True, check=False)
    begin = time.monotonic()
    whole = subprocess.run([*line, tmp / "whole"], cwd=sandbox.ROOT, capture_output=True, text=True, check=False)
    took = time.monotonic() - begin
    check(second.returncode == 0 and whole.returncode == 0, "called again it comes to its end",
          second.stdout[-2000:] + second.stderr)
    files = [tmp / d / "grades.csv" for d in ("killed", "whole")]
    tables = [p.read_bytes() if p.exists() else b"" for p in files]
    check(second.stdout.count("(as before)") >= len(done) and kept > 0,
          f"{kept} texts were not graded again", second.stdout[-2000:])
    check(tables[0] == tables[1] and tables[0].count(b"\n") == number + 1,
          f"the table of {number} is that of an undisturbed call, byte by byte")
    rows = list(csv.DictReader(tables[1].decode().splitlines()))
    texts = len({r["sha256"] for r in rows})
    check(len(list((tmp / "whole/results").glob("*.json"))) <= texts + 1 < number,
          f"{number} submissions, {texts} texts, each graded once")
    bad = [r["name"] for r in rows if (w := words[r["name"]]) and (w not in r["remark"] or r["points"] != "0")]
    check(not bad, "hostile ones have 0 points and a remark", bad)
    best = str(sum(c["points"] for c in grade.checks(LAB) if c["kind"] not in SKIP.split(",")))
    mine = [r["points"] for r in rows if r["sha256"] == grade.hashlib.sha256(own.encode()).hexdigest()]
    check(mine and set(mine) == {best}, f"{len(mine)} that are right have all points, {best}", mine)
    pages = [(tmp / "whole/pages" / f"{r['name']}.md") for r in rows]
    check(all(p.exists() and p.stat().st_size < 100000 for p in pages), "a page for each, none long")
    check(os.path.getsize(tmp / "whole/grades.csv") < 400 * number, "nor is the table")
    check(took < texts * PER_TEXT, f"{took:.0f} s for {texts} texts")
