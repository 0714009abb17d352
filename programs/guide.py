#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The guide (programs/guide): runs the commands of its chapters, writes or compares what they print, draws its figures. Run from the root after
`make build programs`, with the SMs of shape tiny and sm16 built.

usage: guide.py [-o | --check] [CHAPTER ...]
A command is a line `$ ...` of a block ```console, its output the lines below it. -o writes outputs and figures (`make guide` does); --check fails
if anything else comes out than what stands there; without either, outputs are only printed. CHAPTER: 1 to 10; all without one.
"""
import argparse
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
GUIDE = ROOT / "programs/guide"
WORK = ROOT / "build/guide"
CHAPTERS = {int(p.name[:2]): p for p in sorted(GUIDE.glob("[0-9][0-9]-*.md"))}
# figures that a chapter's commands draw into build/guide
DRAWN = {6: ["dispatch.svg"], 9: ["occupancy.svg"], 10: ["roofline.svg"]}
ROOFLINE = ("build/bin/warpglass run --preset v100 --sms 1 --json build/guide/mm.json build/programs/matmul/matmul 64 twolevel 32 2 > build/guide/mm.txt && "
            "build/bin/warpglass report build/guide/mm.json --html build/guide/mm.html --plots build/guide/plots > build/guide/mm.txt && "
            "cp build/guide/plots/launch1-roofline-fp32.svg build/guide/roofline.svg")


def sh(command):
    """Exit code and lines of a command of bash, run in the root without settings from outside; the code is that of a pipe's last command."""
    env = dict(os.environ)
    env.pop("WARPGLASS", None)
    p = subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, check=False)
    return p.returncode, p.stdout.replace(f"{ROOT}/", "").rstrip("\n").splitlines()


def blocks(lines):
    """Console blocks of a chapter: [(first line behind the fence, line of the closing fence)]."""
    out, start = [], None
    for i, line in enumerate(lines):
        if line == "```console":
            start = i + 1
        elif line == "```" and start is not None:
            out.append((start, i))
            start = None
    return out


def commands(lines):
    """[(command, its printed lines)] of the lines of one block."""
    out = []
    for line in lines:
        if line.startswith("$ "):
            out.append((line[2:], []))
        elif not out:
            sys.exit(f"error: a block of the guide begins with '{line}', not with a command")
        else:
            out[-1][1].append(line)
    return out


def run_chapter(number):
    """(lines of the chapter as they are, as they should be). A command that fails ends the program."""
    lines = CHAPTERS[number].read_text(encoding="utf-8").splitlines()
    want, at = [], 0
    WORK.mkdir(parents=True, exist_ok=True)
    for start, end in blocks(lines):
        want += lines[at:start]
        for command, _ in commands(lines[start:end]):
            code, printed = sh(command)
            if code != 0:
                sys.exit(f"error: {CHAPTERS[number].name}: exit code {code} of '{command}'\n" + "\n".join(printed[-20:]))
            want += [f"$ {command}", *printed]
        at = end
    return lines, want + lines[at:]


def figures(number):
    """Figures of a chapter, drawn: [(drawn, the guide's)]."""
    if number == 10:
        code, printed = sh(ROOFLINE)
        if code != 0:
            sys.exit("error: no roofline\n" + "\n".join(printed[-20:]))
    return [(WORK / name, GUIDE / "figures" / name) for name in DRAWN.get(number, [])]


def shape(path):
    """A drawing without its numbers: what must not change when cycles do."""
    return re.sub(r"[0-9.]+", "#", html.unescape(path.read_text(encoding="utf-8"))) if path.exists() else None


def check(number):
    """Differences of a chapter and its figures, told; how many."""
    have, want = run_chapter(number)
    bad = 0
    if have != want:
        for i in range(max(len(have), len(want))):
            h, w = (x[i] if i < len(x) else "(nothing)" for x in (have, want))
            if h != w:
                print(f"{CHAPTERS[number].name}:{i + 1}:\n  have {h}\n  want {w}")
                bad += 1
                break
    for drawn, kept in figures(number):
        if shape(drawn) != shape(kept):
            print(f"{kept.relative_to(ROOT)}: another drawing comes out")
            bad += 1
    return bad


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    how = ap.add_mutually_exclusive_group()
    how.add_argument("-o", action="store_true")
    how.add_argument("--check", action="store_true")
    ap.add_argument("chapters", nargs="*", metavar="CHAPTER", type=int, help="1 to 10")
    opt = ap.parse_args()
    for n in opt.chapters:
        if n not in CHAPTERS:
            ap.error(f"no chapter {n}; one of: {', '.join(map(str, CHAPTERS))}")
    bad = 0
    for number in opt.chapters or CHAPTERS:
        if opt.check:
            bad += check(number)
            continue
        have, want = run_chapter(number)
        for start, end in blocks(want):
            print("\n".join(want[start:end]))
        if opt.o:
            if have != want:
                CHAPTERS[number].write_text("\n".join(want) + "\n", encoding="utf-8")
            for drawn, kept in figures(number):
                kept.parent.mkdir(exist_ok=True)
                shutil.copyfile(drawn, kept)
    if opt.check:
        print(f"guide: {len(opt.chapters or CHAPTERS)} chapters, {bad} differences" + ("; remedy: make guide" if bad else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
