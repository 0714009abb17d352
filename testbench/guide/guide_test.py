#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages that tell what runs print. Run from the root after `make build programs`; the RTL of shape sm16 for the factors.

usage: guide_test.py [--backend func|rtl|both] [PART ...]
parts: pitfalls (programs/PITFALLS.md: the messages of the tools, the factors; what a page that is wrong is told). Default: all.
A seeded sample; all with TEST_ALL=1.
"""
import pathlib
import re
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(__file__).resolve().parents[2] / "programs")]
import pitfalls  # noqa: E402
import suite  # noqa: E402
from suite import ALL, ROOT, check, sample, sh  # noqa: E402


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
