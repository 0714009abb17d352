# SPDX-License-Identifier: Apache-2.0
"""What every suite under testbench/ does alike: checks that are counted, commands with a time-out and an environment
of their own, the seed and the size of the sample, parts by name on the command line, the closing line, the exit code.

A suite begins with

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
    import suite
    from suite import BIN, check, sh

and ends with `sys.exit(suite.main(globals()))`: its parts are its functions part_<name>, run in the order in which they
are written, or those named on the command line. A part is given what its parameters name: `opt` (the options), `tmp`
(a folder of its own, a pathlib.Path, gone afterwards). A suite without parts prints its checks and returns finish().

From the environment: SEED (a number, 1 without it) chooses samples, TEST_ALL=1 asks for all of them. Each line is `ok`
or `FAIL`; behind `SEED=N`, so that a failure can be had again, `N passed, N failed` is last. Exit code: 0 if all passed
and there was something to pass, 1 if not, 2 for a word that is not known.
"""
import argparse
import concurrent.futures
import inspect
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = ROOT / "build/bin"
WG = BIN / "warpglass"
ALL = os.environ.get("TEST_ALL") == "1"
TIMEOUT_S = 1800  # of a command: far more than any takes, but the end of one that hangs
DETAIL = 6000     # characters of a failure's detail that are printed

try:
    SEED = int(os.environ.get("SEED", "1"))
except ValueError:
    sys.exit(f"error: SEED='{os.environ['SEED']}' is no number\n  remedy: SEED=1")
RANDOM = random.Random(SEED)
_counts = {"passed": 0, "failed": 0}


def check(ok, what, detail=""):
    """Count and print one check; detail, of any type, only if it failed: its first and last 3000 characters.

    @return whether it passed"""
    _counts["passed" if ok else "failed"] += 1
    detail = "" if ok else str(detail)
    if len(detail) > DETAIL:
        detail = f"{detail[:DETAIL // 2]}\n[... {len(detail) - DETAIL} characters ...]\n{detail[-DETAIL // 2:]}"
    print(("ok    " if ok else "FAIL  ") + what + (f"\n{detail}" if detail else ""), flush=True)
    return bool(ok)


def finish():
    """Print the seed and the closing line. @return the suite's exit code"""
    print(f"SEED={SEED}\n{_counts['passed']} passed, {_counts['failed']} failed", flush=True)
    return 1 if _counts["failed"] or not _counts["passed"] else 0


def environment(settings="", **more):
    """The environment of a command: ours without any WARPGLASS variable, the given settings in WARPGLASS, and more."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("WARPGLASS")}
    return env | ({"WARPGLASS": settings} if settings else {}) | {k: str(v) for k, v in more.items()}


def _run(args, settings, stderr, cwd, timeout, preexec, more):
    try:
        # pylint: disable-next=subprocess-popen-preexec-fn
        return subprocess.run([str(a) for a in args], cwd=cwd, env=environment(settings, **more), encoding="utf-8",
                              errors="replace", timeout=timeout, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=stderr, check=False, preexec_fn=preexec)
    except subprocess.TimeoutExpired as e:
        said = [(x or b"").decode(errors="replace") for x in (e.stdout, e.stderr)]
        return subprocess.CompletedProcess(args, 124, said[0] + f"\nended after {timeout} s\n", said[1])


def sh(args, settings="", *, cwd=ROOT, timeout=TIMEOUT_S, **more):
    """Run a command, stdin empty.

    @return (exit code, stdout and stderr as they came); 124 if it took longer than timeout seconds
    settings: what stands in WARPGLASS; more: further variables of its environment"""
    p = _run(args, settings, subprocess.STDOUT, cwd, timeout, None, more)
    return p.returncode, p.stdout


def sh_apart(args, settings="", *, cwd=ROOT, timeout=TIMEOUT_S, preexec=None, **more):
    """As sh(). @return (exit code, stdout, stderr)

    preexec: a function that the child calls before the command"""
    p = _run(args, settings, subprocess.PIPE, cwd, timeout, preexec, more)
    return p.returncode, p.stdout, p.stderr


def sample(items, n):
    """n of items, chosen by SEED, or all of them with TEST_ALL=1, as a list."""
    items = list(items)
    return items if ALL else RANDOM.sample(items, min(n, len(items)))


def side_by_side(function, items):
    """function(item) of each item, two at a time: for commands that take long and write no file in common.

    @return the results, in the order of the items
    function: prints and checks nothing, since its turn is not certain"""
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        return list(pool.map(function, items))


def program(name):
    """The path of a program of programs/."""
    return ROOT / "build/programs" / name / name


def parser(doc, backend=""):
    """The parser of a suite's options; its help is the suite's docstring.

    backend: which back ends run without --backend: "func", "rtl" or "both"; "" for a suite that has no such option
    """
    ap = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter,
                                 usage=argparse.SUPPRESS)
    if backend:
        ap.add_argument("--backend", default=backend, choices=["func", "rtl"] + (["both"] if backend == "both" else []))
    return ap


def parse(ap, known, what="part"):
    """Parse the command line. @return the options; `words` are the words that are none, each of them one of known

    known: names; what: their kind, for the refusal"""
    ap.add_argument("words", nargs="*", metavar=what.upper(), help=", ".join(known))
    opt = ap.parse_args()
    for word in opt.words:
        if word not in known:
            print(f"error: no {what} '{word}'\n  remedy: one of {', '.join(known)}", file=sys.stderr)
            sys.exit(2)
    return opt


def main(names, backend="", options=None, default=None, given=None):
    """Run a suite of parts. @return its exit code

    names: the suite's globals(); backend: as of parser(), then opt.backends lists those to run; options: adds the
    suite's own options to a parser; default: from the options, the names of the parts that run if none is named
    (without it, all); given: from the options, further things that parts may name, by name"""
    parts = {k[5:]: v for k, v in names.items() if k.startswith("part_")}
    ap = parser(names["__doc__"], backend)
    if options:
        options(ap)
    opt = parse(ap, parts)
    if backend:
        opt.backends = ["func", "rtl"] if opt.backend == "both" else [opt.backend]
    more = given(opt) if given else {}
    for name in opt.words or (default(opt) if default else parts):
        print(f"== {name}" + (f" ({opt.backend})" if backend else ""), flush=True)
        with tempfile.TemporaryDirectory() as tmp:
            have = {"opt": opt, "tmp": pathlib.Path(tmp)} | more
            parts[name](**{p: have[p] for p in inspect.signature(parts[name]).parameters})
    return finish()
