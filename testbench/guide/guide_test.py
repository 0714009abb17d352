#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages that tell what runs print. Run from the root after `make build programs`; the RTL of shape sm16 for the factors.

usage: guide_test.py [--backend func|rtl|both] [PART ...]
parts: pitfalls (programs/PITFALLS.md: the messages of the tools, the factors; what a page that is wrong is told). Default: all.
A seeded sample; all with TEST_ALL=1.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALL = os.environ.get("TEST_ALL") == "1"
SEED = os.environ.get("SEED", "1")
RANDOM = random.Random(int(SEED))
sys.path.insert(0, str(ROOT / "programs"))
import pitfalls  # noqa: E402

passed, failed = 0, 0


def check(ok, what, detail=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    print(("ok    " if ok else "FAIL  ") + what + ("" if ok or not detail else f"\n{detail}"), flush=True)


def sh(args, **env):
    """Run a command in the root; (exit code, stdout + stderr)."""
    p = subprocess.run([str(a) for a in args], cwd=ROOT, env=dict(os.environ, WARPGLASS="", **env), text=True, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
    return p.returncode, p.stdout


def sample(items, n):
    items = list(items)
    return items if ALL else RANDOM.sample(items, min(n, len(items)))


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


def main():
    parts = {k[5:]: v for k, v in globals().items() if k.startswith("part_")}
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("--backend", default="both", choices=["func", "rtl", "both"])
    ap.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts))
    opt = ap.parse_args()
    for p in opt.parts:
        if p not in parts:
            ap.error(f"no part '{p}'; one of: {', '.join(parts)}")
    opt.backends = ["func", "rtl"] if opt.backend == "both" else [opt.backend]
    for p in opt.parts or parts:
        parts[p](opt)
    print(f"SEED={SEED}\n{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
