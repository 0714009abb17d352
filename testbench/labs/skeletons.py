#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What students begin with: for each RTL lab the module's comment, parameters and ports as they are in rtl/, every output 0.

usage: skeletons.py [--check]     writes programs/labs/FOLDER/MODULE.sv; --check: says which are not up to date, exit code 1
"""
import sys
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import grade  # noqa: E402
import shim  # noqa: E402


OTHERWISE = {   # what the comment of a module says of its own inside, and what a student reads instead
    "sm_barrier": (("(and extra_i; some longer, u_late)", "(and extra_i; some later still, see README.md here, \"Later releases\")"),),
    "sm_smem": ((": `unit` below is\n// the first bank of one. The common case, all lanes of the group in one 128-byte row, cannot conflict and is found\n"
                 "// first. An atomic's", ".\n// An atomic's"),)}


def comment(head, module):
    """The comment above the module, for those who do not have its body; an error if a phrase is no longer there."""
    text = head.above.replace("// SPDX-License-Identifier: Apache-2.0\n", "")
    for old, new in OTHERWISE.get(module, ()):
        if text.count(old) != 1:
            raise ValueError(f"{module}: its comment no longer says '{old}'")
        text = text.replace(old, new)
    return text


def made():
    """{path: text} of all skeletons."""
    out = {}
    for r in grade.labs().values():
        if r["how"] in ("door", "plugin", "own"):
            own = shim.source_of("sm_sched_lrr" if r["how"] == "own" else r["module"])   # for its ports
            head = shim.Header(own, own.stem)
            if r["how"] == "own":
                head.text = head.text.replace(own.stem, r["module"])
                head.above = f"// {r['module']}: a scheduling policy of your own; what it owes: README.md here.\n"
            note = (f"// SPDX-License-Identifier: Apache-2.0\n//\n// Lab {r['number']}, {r['title']}: yours to write. "
                    f"Made from {own.relative_to(grade.ROOT)} by testbench/labs/skeletons.py.\n")
            out[grade.LABS / r["folder"] / f"{r['module']}.sv"] = shim.skeleton(head, note + comment(head, r["module"]))
    return out


def stale():
    return [p for p, text in made().items() if not p.exists() or p.read_text() != text]


def main(words):
    if words not in ([], ["--check"]):
        print("error: unknown words; remedy: skeletons.py [--check]", file=sys.stderr)
        return 2
    for p in stale():
        if words:
            print(f"error: {p.relative_to(grade.ROOT)} is not up to date; remedy: testbench/labs/skeletons.py", file=sys.stderr)
        else:
            p.parent.mkdir(exist_ok=True)
            p.write_text(made()[p])
    return 1 if words and stale() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
