#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""testbench/suite.py, which counts for every other suite: run small suites with it and look at what they say. Run from anywhere.

usage: testbench/suite_test.py [PART ...]
parts:
  count    passed and failed checks, the closing line, exit codes; a suite that checked nothing has failed
  words    parts by name, unknown ones refused, options of a suite, what parts are given
  command  commands: both outputs, their environment, a time-out
  sample   the seed chooses, TEST_ALL=1 takes all
  beside   commands two at a time: their results in their order
Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import os
import re
import subprocess
import sys

import suite
from suite import check

HEAD = f"""import pathlib, sys
sys.path.insert(0, {str(suite.ROOT / 'testbench')!r})
import suite
from suite import check
"""


def small(tmp, text, *words, main="suite.main(globals())", **env):
    """(exit code, output) of a suite made of a text"""
    path = tmp / "small.py"
    path.write_text(f'"""A small suite."""\n{HEAD}{text}\nsys.exit({main})\n')
    env = {k: v for k, v in os.environ.items() if k not in ("SEED", "TEST_ALL")} | env
    p = subprocess.run([sys.executable, path, *words], env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=60)
    return p.returncode, p.stdout


def part_count(tmp):
    code, text = small(tmp, 'def part_a():\n  check(True, "one", "not shown")\n  check([1], "two")\ndef part_b():\n  check(1 > 0, "three")\n')
    check(code == 0 and text.splitlines() == ["== a", "ok    one", "ok    two", "== b", "ok    three", "SEED=1", "3 passed, 0 failed"], "all pass: exit code 0", text)
    code, text = small(tmp, 'def part_a():\n  check(True, "one")\n  print(check(None, "two", ["why"]))\n')
    check(code == 1 and text.endswith("ok    one\nFAIL  two\n['why']\nFalse\nSEED=1\n1 passed, 1 failed\n"), "one fails: its detail, exit code 1", text)
    code, text = small(tmp, "def part_a():\n  pass\n")
    check(code == 1 and text.endswith("\n0 passed, 0 failed\n"), "nothing was checked: exit code 1", text)
    code, text = small(tmp, 'def part_a():\n  check(False, "long", "a" * 5000 + "b" * 5000)\n')
    check(re.search(r"\na{3000}\n\[... 4000 characters ...\]\nb{3000}\n", text), "a long detail: its two ends", text)
    code, text = small(tmp, 'def part_a():\n  raise RuntimeError("out of luck")\n')
    check(code == 1 and "out of luck" in text and "passed" not in text, "a suite that breaks off says no sum", text)


def part_words(tmp):
    parts = 'def part_a(tmp):\n  check(not list(tmp.iterdir()), "a"); (tmp / "x").write_text("")\n' \
            'def part_b(opt, tmp):\n  check(not list(tmp.iterdir()) and opt.backends, f"b {opt.backends}")\ndef part_c(it):\n  check(it == 7, "c")\n'
    more = 'suite.main(globals(), backend="both", default=lambda opt: ["b", "a"], given=lambda opt: {"it": 7})'
    code, text = small(tmp, parts, main=more)
    check(code == 0 and re.findall("^ok    (.*)", text, re.M) == ["b ['func', 'rtl']", "a"], "the parts of default, each with a folder of its own", text)
    code, text = small(tmp, parts, "c", "b", "--backend", "func", main=more)
    check(code == 0 and re.findall("^ok    (.*)", text, re.M) == ["c", "b ['func']"], "parts that are named, in that order, on one back end", text)
    code, text = small(tmp, parts, "d", main=more)
    check(code == 2 and text == "error: no part 'd'\n  remedy: one of a, b, c\n", "an unknown part is refused, and nothing is run", text)
    code, text = small(tmp, parts, "--backend", "sim", main=more)
    check(code == 2 and "sim" in text and "passed" not in text, "so is an unknown back end", text)
    code, text = small(tmp, parts, "--help", main=more)
    check(code == 0 and text.startswith("A small suite.\n") and "a, b, c" in text, "--help is the suite's docstring", text)


def part_command(tmp):
    code, both = suite.sh(["sh", "-c", "echo out; echo err >&2; exit 3"])
    check((code, both) == (3, "out\nerr\n"), "both outputs as they came, and the exit code", both)
    check(suite.sh_apart(["sh", "-c", "echo out; echo err >&2; cat"]) == (0, "out\n", "err\n"), "or apart; stdin is empty")
    os.environ["WARPGLASS_HOME"], os.environ["WARPGLASS"] = "/nowhere", "preset=none"
    text = suite.sh(["env"], "preset=tiny", MORE=tmp)[1].splitlines()
    check("WARPGLASS=preset=tiny" in text and f"MORE={tmp}" in text and not any(x.startswith("WARPGLASS_HOME") for x in text), "settings and more, nothing of ours", str(text))
    check(not any(x.startswith("WARPGLASS") for x in suite.sh(["env"])[1].splitlines()), "without settings none")
    code, text = suite.sh(["sh", "-c", "echo begun; exec sleep 60"], timeout=1)
    check(code == 124 and text == "begun\n\nended after 1 s\n", "a command that takes too long is ended: 124, and what it had said", f"{code} {text}")


def part_sample(tmp):
    text = 'def part_a():\n  check(True, str(suite.sample(range(100), 5)))\n'
    runs = [small(tmp, text, **env)[1] for env in ({}, {"SEED": "1"}, {"SEED": "2"}, {"SEED": "2", "TEST_ALL": "1"})]
    check(runs[0] == runs[1] and "SEED=2" in runs[2] and runs[2].replace("SEED=2", "SEED=1") != runs[1], "another seed, another sample", "".join(runs))
    check(str(list(range(100))) in runs[3], "TEST_ALL=1: all", runs[3])
    code, said = small(tmp, text, SEED="x")
    check(code == 1 and said == "error: SEED='x' is no number\n  remedy: SEED=1\n", "a seed that is no number", said)


def part_beside(tmp):
    def meet(name):  # each of the first two waits for the other
        (tmp / str(name)).write_text("")
        return name, suite.sh(["sh", "-c", f"n=0; while [ ! -e {tmp}/0 ] || [ ! -e {tmp}/1 ]; do sleep 0.05; n=$((n + 1)); [ $n -lt 600 ] || exit 1; done; echo {name}"])
    said = suite.side_by_side(meet, range(4))
    two = (os.cpu_count() or 1) > 1
    check(said == [(n, (0, f"{n}\n")) for n in range(4)] or not two, "two run together, and each result stands where its command does", str(said))


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
