#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the test suites and print one line a suite, the failures, and `N passed, N failed` last.

  scripts/run_tests.py [--all] [--seed N] [--only SUITE] [--list]

A suite is a line of scripts/suites.txt: name, share of the budget in seconds, `sample` or `all` (run by --all alone), and
a shell command. The command's results are counted from GoogleTest's closing lines and from lines `N passed, N failed`; a
command that prints neither counts as one test, by its exit code. Exit code: 0 only if nothing failed and something ran.
"""
import argparse
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def suites():
    for number, line in enumerate(open(os.path.join(ROOT, "scripts/suites.txt"), encoding="utf-8"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        fields = [f.strip() for f in line.split("|", 3)]
        if len(fields) != 4 or fields[2] not in ("sample", "all"):
            sys.exit(f"scripts/suites.txt:{number}: error: want name | seconds | sample or all | command")
        yield fields[0], int(fields[1]), fields[2], fields[3]


def count(text, code):
    """(passed, failed) of a suite's output."""
    passed = failed = 0
    found = False
    for m in re.finditer(r"^\[  PASSED  \] (\d+) tests?\.|^(\[  FAILED  \]) .* \(\d+ ms\)$|^(\d+) passed, (\d+) failed$", text, re.M):
        found = True
        if m.group(1):
            passed += int(m.group(1))
        elif m.group(2):
            failed += 1
        else:
            passed += int(m.group(3))
            failed += int(m.group(4))
    if not found:
        return (1, 0) if code == 0 else (0, 1)
    if code != 0 and failed == 0:
        failed = 1  # died after or between its tests
    return passed, failed


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--all", action="store_true")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--only")
    ap.add_argument("--list", action="store_true")
    args = ap.parse_args()
    table = list(suites())
    if args.only and args.only not in [s[0] for s in table]:
        sys.exit(f"error: no suite '{args.only}'\n  remedy: one of {', '.join(s[0] for s in table)}")
    if args.list:
        for name, share, kind, command in table:
            print(f"{name:20} {share:5} s  {kind:6} {command}")
        return 0
    os.makedirs(os.path.join(ROOT, "build/log"), exist_ok=True)
    env = dict(os.environ, SEED=str(args.seed), TEST_ALL="1" if args.all else "0")
    env.pop("WARPGLASS", None)
    print(f"seed {args.seed}, {'all tests' if args.all else 'sample'}; repeat with SEED={args.seed}")
    total = [0, 0]
    bad, slow = [], []
    for name, share, kind, command in table:
        if args.only and name != args.only or kind == "all" and not args.all and not args.only:
            continue
        start = time.time()
        log = os.path.join(ROOT, f"build/log/{name}.log")
        with open(log, "w", encoding="utf-8", errors="replace") as out:
            code = subprocess.call(["bash", "-c", command], cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL)
        text = open(log, encoding="utf-8", errors="replace").read()
        passed, failed = count(text, code)
        took = time.time() - start
        total[0] += passed
        total[1] += failed
        print(f"{name:20} {passed:5} passed {failed:4} failed  {took:7.1f} s of {share} s", flush=True)
        if failed:
            bad.append((name, log, text))
        if took > share and not args.all:
            slow.append(name)
    for name, log, text in bad:
        print(f"\n--- {name}: last lines of build/log/{name}.log ---")
        print("\n".join(text.splitlines()[-40:]))
    if slow:
        print("over their share of the budget (no failure): " + ", ".join(slow))
    if total[0] + total[1] == 0:
        print("error: no test ran")
        total[1] = 1
    print(f"{total[0]} passed, {total[1]} failed")
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
