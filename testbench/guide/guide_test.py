#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages that tell what runs print. Run from the root after `make build programs`; the RTL of shapes tiny and sm16.

usage: guide_test.py [--backend func|rtl|both] [PART ...]
parts: guide (programs/guide: ten chapters, each with a program, a scene and a question; every command prints what stands there), pitfalls (programs/PITFALLS.md: the messages of the tools, the factors; what a page that is wrong is told). Default: all.
A seeded sample; all with TEST_ALL=1.
"""
import pathlib
import re
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(__file__).resolve().parents[2] / "programs")]
import guide  # noqa: E402
import pitfalls  # noqa: E402
import suite  # noqa: E402
from suite import ALL, ROOT, check, sample, sh  # noqa: E402


RTL_CHAPTERS = {2, 5, 9, 10}


def part_guide(opt):
    """Ten chapters; all that they point to is there; what their commands print stands there."""
    scenes = {line.split("\t")[0] for line in (ROOT / "waves/scenes.tsv").read_text(encoding="utf-8").splitlines() if line[0] != "#"}
    check(list(guide.CHAPTERS) == list(range(1, 11)), f"ten chapters: {list(guide.CHAPTERS)}")
    index = (guide.GUIDE / "README.md").read_text(encoding="utf-8")
    once = re.search(r"^Before chapter 1, once[^\n]*\n\n((?:    [^\n]*\n)+)", index, re.M)
    made = set(re.findall(r"mkdir -p (\S+)", once[1] if once else ""))
    texts = "".join(path.read_text(encoding="utf-8") for path in guide.CHAPTERS.values())
    written = set(re.findall(r"\b(build/[a-z]+)/\w+\.\w+", texts))
    check(once and written == made, "what is done once makes the folders that the chapters' commands write to", f"{made} {written}")
    for number, path in guide.CHAPTERS.items():
        text = path.read_text(encoding="utf-8")
        check(f"| {number} | [" in index and f"]({path.name})" in index, f"chapter {number} is in the table")
        check(re.search(r"^\*\*Programs?\.\*\*", text, re.M) and re.search(r"^\*\*(Scenes?|Figure)\.\*\*", text, re.M)
              and re.search(r"^\*\*Question\.\*\* [^\n]*\?", text, re.M), f"chapter {number}: a program, a scene, a question")
        question = text.index("**Question.**")
        check("```console\n$ " in text[question:], f"chapter {number}: a command answers the question")
        check(re.search(r"[\u4e00-\u9fff]", text) is not None, f"chapter {number}: terms of the texts")
        named = set(re.findall(r"`make scene-(\w+)`", text))
        check(named <= scenes and (named or number == 10), f"chapter {number}: scenes {' '.join(sorted(named))}")
        links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
        missing = [link for link in links if not (path.parent / link).exists()]
        check(not missing, f"chapter {number}: {len(links)} links lead somewhere", str(missing))
    fit = [n for n in guide.CHAPTERS if "rtl" in opt.backends or n not in RTL_CHAPTERS]
    chosen = fit if ALL else sample([n for n in fit if n in RTL_CHAPTERS], 1) + sample([n for n in fit if n not in RTL_CHAPTERS], 2)
    code, out = sh([ROOT / "programs/guide.py", "--check", *chosen])
    check(code == 0 and f"{len(chosen)} chapters, 0 differences" in out, f"chapters {' '.join(map(str, chosen))}: what the commands print", out)
    # a chapter that says something else, and one whose command fails, are told
    path, kept = guide.CHAPTERS[1], guide.CHAPTERS[1].read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as tmp:
        other = pathlib.Path(tmp) / path.name
        guide.CHAPTERS[1] = other
        try:
            check("threads 72 " in kept, "chapter 1 says 72 threads")
            other.write_text(kept.replace("threads 72 ", "threads 55 "), encoding="utf-8")
            check(guide.check(1) == 1, "a chapter with another answer is refused")
            other.write_text("```console\n$ build/bin/warpglass nothing\n```\n", encoding="utf-8")
            try:
                guide.run_chapter(1)
                check(False, "a command that fails is told")
            except SystemExit as told:
                check("exit code 2 of 'build/bin/warpglass nothing'" in str(told), "a command that fails is told", str(told))
        finally:
            guide.CHAPTERS[1] = path
    code, out = sh([ROOT / "programs/guide.py", "11"])
    check(code == 2 and "no chapter 11; one of: 1, 2" in out, "a chapter that there is not is refused", out)


def part_pitfalls(opt):
    """Six pitfalls, each with wrong and right programs; what the page says comes out again."""
    page = ROOT / "programs/PITFALLS.md"
    text = page.read_text(encoding="utf-8")
    heads = re.findall(r"^## (\d)\. (.*)$", text, re.M)
    check([h[0] for h in heads] == list("123456") and len(pitfalls.PAIRS) >= 6, f"six pitfalls, {len(pitfalls.PAIRS)} pairs")
    used = {n for p in pitfalls.PAIRS.values() for n in (p.wrong, p.right)}
    check(used == {p.stem for p in (ROOT / "programs/pitfalls").glob("*.cu")}, "every program of programs/pitfalls is of a pair", str(used))
    for name, pair in pitfalls.PAIRS.items():
        ok = text.count(f"[{pair.wrong}.cu]") == 1 and "says" in text
        check(ok, f"{name}: is on the page")
    names = list(pitfalls.PAIRS)
    if "func" in opt.backends:
        chosen = sample(names, 3)
        code, out = sh([ROOT / "programs/pitfalls.py", "--backend", "func", "--check", page, *chosen])
        check(code == 0 and f"{len(chosen)} pairs, 0 lines differ" in out, f"pitfalls, func: {' '.join(chosen)}", out)
    if "rtl" in opt.backends:
        chosen = names if ALL else sample(["barrier", "divergence", "banks", "staged", "copies", "shared"], 1)
        code, out = sh([ROOT / "programs/pitfalls.py", "--check", page, *chosen])
        check(code == 0 and f"{len(chosen)} pairs, 0 lines differ" in out, f"pitfalls, rtl: {' '.join(chosen)}", out)
    with tempfile.TemporaryDirectory() as tmp:
        # a page that says something else is refused: a result, a message, a text that is not there
        for old, new in (("`sum 2048 of 2048`", "`sum 2047 of 2048`"), ("no barrier orders blocks", "a barrier orders blocks"), ("[barrier_wrong.cu]", "[x.cu]")):
            other = pathlib.Path(tmp) / "page.md"
            check(old in text, f"the page has '{old}'")
            other.write_text(text.replace(old, new), encoding="utf-8")
            code, out = sh([ROOT / "programs/pitfalls.py", "--backend", "func", "--check", other, "barrier"])
            check(code == 1 and "remedy: make pitfalls" in out, f"a page with '{new}' is refused", out)
    a, b = "- Factor: **2.0** (20 cycles against 10)", "- Factor: **2.6** (26 cycles against 10)"
    check(pitfalls.same(a, a.replace("2.0", "2.2")) and not pitfalls.same(a, b) and not pitfalls.same(a, "- Factor: the wrong one never ends"),
          "factors: 20 % are allowed, 30 are not")
    code, out = sh([ROOT / "programs/pitfalls.py", "nothing"])
    check(code == 2 and "no pair 'nothing'; one of: barrier, flag" in out, "a pair that there is not is refused", out)


if __name__ == "__main__":
    sys.exit(suite.main(globals(), backend="both"))
