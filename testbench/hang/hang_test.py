#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Deadlocks and livelocks of the texts: each is named, with block, warp, lanes, PC, source line, barrier with arrived and expected, the word that is
spun on with its last writer and where he is, and the remedy. Run from the root after `make build sm SHAPE=tiny`.

usage: hang_test.py [--backend func|rtl|both] [PROGRAM ...]
Heads of the programs: `// say:` what the report must hold (a|b: one of them; @name: the line that ends in `// name`), `// modes:`, `// settings:`,
`// args:`. unsafe=half-block is the golden model's only. Programs run on the model in each mode, and a seeded sample on the RTL; all with TEST_ALL=1.
"""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, RANDOM, ROOT, check, sh  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def marked(lines, name):
    return next(i + 1 for i, line in enumerate(lines) if line.endswith(f"// {name}"))


def pattern(want, lines):
    """A `say` as a pattern; marks become the program's lines."""
    out = ""
    for piece in re.split(r"(@\w+)", want):
        if not piece.startswith("@"):
            out += re.escape(piece)
        elif out.endswith("pc\\ "):
            out += rf"0x[0-9a-f]+ \(line {marked(lines, piece[1:])}\)"
        else:
            out += str(marked(lines, piece[1:]))
    return out


def holds(want, lines, name, text):
    """Is one alternative of a `say` in the report? "spins for ever @x": the place stands in front of the sentence."""
    for alternative in want.split("|"):
        m = re.fullmatch(r"spins for ever @(\w+)", alternative)
        place = rf"{name}\.cu:{marked(lines, m[1])}: error: .*spins for ever" if m else pattern(alternative, lines)
        if re.search(place, text):
            return True
    return False


def run_one(path, exe, backend, mode):
    lines = path.read_text().splitlines()
    says = [line[len("// say: "):] for line in lines if line.startswith("// say: ")]
    own = next((line[len("// settings: "):] for line in lines if line.startswith("// settings: ")), "")
    args = next((line[len("// args: "):] for line in lines if line.startswith("// args: ")), "").split()
    code, text = sh([exe, *args], f"preset=tiny backend={backend} diverge={mode} {own}")
    missing = [s for s in says if not holds(s, lines, path.stem, text)]
    if backend == "rtl" and "no progress" in says and not re.search(r"the last issue was in SM cycle [1-9]\d*;", text):
        missing.append("the cycle of the last issue")
    check(code != 0 and not missing, f"{path.stem}, {backend}, {mode}: {len(says)} facts", f"missing: {missing}\n{text}")


def half_block(exe):
    """Without a barrier the switch does no harm; it is refused where it cannot be, and off without a word."""
    code, text = sh([exe, "0"], "preset=tiny backend=func unsafe=half-block")
    check(code == 0, "half a block, no barrier: it ends", text)
    code, text = sh([exe, "1"], "preset=tiny backend=func")
    check(code == 0, "a whole block with the barrier ends", text)
    code, text = sh([exe, "1"], "preset=tiny unsafe=half-block")
    check(code != 0 and "does not go with backend=rtl" in text, "refused on the RTL", text)
    code, text = sh([exe, "1"], "preset=tiny backend=func unsafe=half")
    check(code != 0 and "bad value 'half' of setting 'unsafe'" in text, "and only by its name", text)


def main():
    every = sorted(HERE.glob("*.cu"))
    opt = suite.parse(suite.parser(__doc__, "both"), [p.stem for p in every], "program")
    paths = [p for p in every if not opt.words or p.stem in opt.words]
    func = set(paths if ALL or opt.words else RANDOM.sample(paths, min(5, len(paths))))
    can = [p for p in paths if p.stem != "half_block"]
    rtl = set(can if ALL or opt.backend == "rtl" and opt.words else RANDOM.sample(can, min(2, len(can)))) if opt.backend != "func" else set()
    with tempfile.TemporaryDirectory() as tmp:
        for path in paths:
            if path not in func | rtl:
                continue
            exe = f"{tmp}/{path.stem}"
            code, text = sh([BIN / "wgcc", "-O3", "-lineinfo", "-I", ROOT / "testbench/check", path, "-o", exe])
            if code != 0:
                check(False, f"{path.stem} compiles", text)
                continue
            modes = next((line[len("// modes: "):] for line in path.read_text().splitlines() if line.startswith("// modes: ")), "stack its").split()
            if opt.backend != "rtl" and path in func:
                for mode in modes if ALL or opt.words else RANDOM.sample(modes, 1):
                    run_one(path, exe, "func", mode)
            if path in rtl:
                run_one(path, exe, "rtl", modes[0])
            if path.stem == "half_block" and opt.backend != "rtl" and path in func:
                half_block(exe)
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
