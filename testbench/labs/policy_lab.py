# SPDX-License-Identifier: Apache-2.0
"""Grading of lab 9, in which the student writes a block policy in C and answers questions on occupancy (`cpolicy` in labs.tsv).

The policy is compiled and runs in a sandbox of its own (policy_host.c), apart from the simulator: it gets snapshots of the view
and answers with SMs by two pipes (policy_proxy.c is the simulator's end). So whatever its code does, it decides
where blocks go and nothing else; the engine refuses a pick that does not fit. Cycles come from the simulator's report.
"""
import json
import os
import re
import resource
import signal
import subprocess
import threading

import kernels
import sandbox
import source
from labtables import HERE, ROOT, first_line

SUFFIXES = (".c",)
FIRST = ()
WG = ROOT / "build/bin/warpglass"
LIB = ROOT / "build/labs/lib"   # gigathread (the host program), proxy.so: made by prepare.sh
HEADER = '#include "model/gte/gte_policy.h"'
WORDS = {w: t for w, t in kernels.WORDS.items() if w in ("asm", "__asm", "__asm__", "__attribute__", "__attribute", "__declspec", "main", "printf", "_Pragma", "defined",
                                                         "alignas", "malloc", "free")} | {
    "extern": "names what is not of the file", "goto": "is not needed here", "_Alignas": "an attribute", "union": "is not needed here", "register": "is not needed here",
    "fork": "a policy is asked, it starts nothing", "system": "a policy is asked, it starts nothing", "exit": "a policy does not end"}
NAMES = re.compile(r"wg_gte_(view_(sms|sub_cores|fits|room|capacity|total|left|grids|sm|t)|sm_view_t|sm_view|answer_t|policy_t|policy_mine)")
FILLS = ("memcpy", "memset", "memmove", "memcmp")   # which compilers call for structures and loops
LIMITERS = {"shared memory": "shared", "registers": "registers", "warp slots": "warps", "block slots": "blocks"}
KERNELS = {   # preset, threads, registers, shared bytes, blocks of the grid
    "a": ("tiny", 64, 32, 5000, 0), "b": ("tiny", 96, 40, 0, 0), "c": ("v100", 256, 40, 8192, 1000), "d": ("v100", 32, 20, 0, 5000)}
SPREAD = "4 8 0 1 : 105"   # two blocks for each SM
BUILT_IN, _lock = {}, threading.Lock()

read = source.read


def reference(row):
    """Path of a solution."""
    return HERE / f"reference/{row['lab']}.c"


def judge(text, _row):
    """None if the text may be tried, else one sentence with the line."""
    at = text.find(HEADER)
    code, why = kernels.bare(text if at < 0 else kernels.blank(text, at, at + len(HEADER)))
    if why:
        return why
    code, why = kernels.directives(code, text)
    if why:
        return why
    for m in re.finditer(r"[A-Za-z_]\w*|[^\x00-\x7e]", code):
        w = m[0]
        if w in WORDS or not w.isascii() or w.startswith(("__", "environ")):
            return kernels.fault(text, m.start(), f"'{w}': {WORDS.get(w, 'not allowed outside of comments')}")
        if w.startswith("wg_") and not NAMES.fullmatch(w):
            return kernels.fault(text, m.start(), f"'{w}': not a function or type of a policy's view")
    return kernels.notes(text, "answer", True)[1]


class Run:
    """why: None, or why it counts for nothing. cycles of the launch."""

    def __init__(self, why, cycles):
        self.why, self.cycles = why, cycles


class Grading:
    """One submission; the interface is that of checks_rtl.Grading."""

    def __init__(self, lab, row, text, out, budget):
        self.lab, self.row, self.out, self.budget = lab, row, out, budget
        self.file, self.own, self.work = out / f"{lab}.c", out / "own", out / "work"
        self.waves, self.without, self.runs, self.dead = {}, {}, {}, ""   # dead: how the policy's process failed
        self.answers = kernels.notes(text, "answer", True)[0]
        self.own.mkdir()
        self.work.mkdir()
        self.file.write_text(text)

    def left(self):
        """Seconds that are left, whole ones."""
        return int(self.budget)

    def box(self, args, where, seconds, **more):
        """A command in the sandbox; its processor time is taken from the submission's."""
        r = sandbox.run(args, where, max(1, min(seconds, self.left())), **more)
        self.budget -= r.seconds
        return r

    def compiles(self):
        """None, or why it cannot be compiled."""
        source_file = self.own / "mine.c"
        source_file.write_text(self.file.read_text())
        flags, compiled = ["clang-19", "-std=c11", "-O2", "-Wall", "-I.", "-D_GNU_SOURCE"], self.own / "mine.o"
        r = self.box([*flags, "-c", source_file, "-o", compiled], self.own, 20)
        if r.rc == 0 and compiled.exists():
            r = self.box(["nm", "-u", "--format=posix", compiled], self.own, 5)
            if r.rc != 0 or r.late():
                return "the names that it uses cannot be listed: " + r.ending()
            foreign = [w for w in re.findall(r"^(\S+) U", r.out, re.M) if w not in FILLS and not NAMES.fullmatch(w)]
            if foreign:
                return f"'{foreign[0]}' is used, and is no function of a policy's view or of yours; declare nothing that the file does not define"
            r = self.box([*flags, compiled, "testbench/labs/policy_host.c", "-o", self.own / "policy"], self.own, 20)
        if r.rc == 0 and (self.own / "policy").exists():
            return None
        text = r.out.replace(str(self.own) + "/", "").replace(str(ROOT) + "/", "")
        if missing := re.search(r"undefined (?:reference to|symbol:?) [`']?(\w+)", text):
            return f"it cannot be linked: '{missing[1]}' is used, and nothing defines it"
        if twice := re.search(r"multiple definition of [`']?(\w+)|duplicate symbol:? (\w+)", text):
            return f"it cannot be linked: '{twice[1] or twice[2]}' is defined by the grader, too; take another name, or static"
        return "the compiler refuses it: " + (r.ending() if r.late() or r.starved() else first_line(text, r"error:"))

    def run(self, words, sms, policy="proxy"):
        """One run of the host program on so many SMs, made once; Run. policy: proxy, the submission; else a built-in one."""
        key = (words, sms, policy)
        if self.dead and policy == "proxy":
            return Run(f"not tried, since {self.dead}", 0)
        if key not in self.runs:
            ends, p = [], None
            if policy == "proxy":
                ends = [*os.pipe(), *os.pipe()]   # the policy's stdin, its stdout
                p = subprocess.Popen([*sandbox.words(self.own, keep=True), "--", self.own / "policy"], stdin=ends[0], stdout=ends[3], stderr=subprocess.DEVNULL,
                                     start_new_session=True, preexec_fn=limits)  # pylint: disable=subprocess-popen-preexec-fn
                os.close(ends[0])
                os.close(ends[3])
            report = self.work / "run.json"
            report.unlink(missing_ok=True)
            name = "c:proxy" if p else policy
            r = self.box([WG, "run", "--preset", "tiny", "--set", f"num_sms_full={sms}", "--set", f"num_sms={sms}", "--golden", "none", "--limit", 1000000, "--blocks", name,
                          "--json", report, LIB / "gigathread", *words.split()], self.work, 10, fds=tuple(ends[1:3]),
                         env={"WARPGLASS_HOME": ROOT} | ({"LAB_POLICY": f"{ends[2]},{ends[1]}"} if p else {}),
                         extra=[(LIB / "proxy.so", ROOT / "build/plugin/blocks/proxy.so")])
            self.runs[key] = self.judged(r, report, p, ends)
        return self.runs[key]

    def judged(self, r, report, p, ends):
        """The Run of a simulation that has ended; ends the policy's process."""
        ended = None
        if p:
            os.close(ends[1])
            os.close(ends[2])
            try:
                ended = p.wait(2)
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGKILL)
                p.wait()
                ended = None if re.search("^PASS", r.out, re.M) else "it does not answer"
        if re.search(r"^PASS ", r.out, re.M) and report.exists():
            return Run(None, json.loads(report.read_text())["launches"][0]["cycles"])
        if r.late() or isinstance(ended, str):
            self.dead = "the policy does not answer within its time"
        elif ended:
            result = sandbox.Result(ended, "", 0)
            self.dead = "the policy does not answer within its time" if result.late() else "the policy's process " + result.ending().removeprefix("it ")
        if self.dead:
            return Run(self.dead, 0)
        text = first_line(re.sub(r"'?c:proxy'?", "'mine'", r.out), r"block policy", r"error:", r"^FAIL")
        return Run(re.sub(r"^(warpglass: .*?error|remedy): ", "", text.strip()), 0)

    def check_valid(self, argument):
        """Runs in which all is right. argument: SMs words | SMs words ..."""
        for one in argument.split(" | "):
            sms, words = one.split(" ", 1)
            if why := self.run(words, int(sms)).why:
                return f"{words} on {sms} SMs: {why}"
        return None

    def check_cycles(self, argument):
        """argument: SMs words : percent of the cycles of breadth; `spread` behind it: not for a policy that leaves SMs without work"""
        run, most = argument.split(" : ")
        most, *spread = most.split()
        if spread and self.check_cycles(SPREAD):
            return "not looked at, since two blocks for each SM are not spread over all SMs"
        sms, words = run.split(" ", 1)
        r = self.run(words, int(sms))
        if r.why:
            return f"{words} on {sms} SMs: {r.why}"
        with _lock:
            if run not in BUILT_IN:
                BUILT_IN[run] = self.run(words, int(sms), "breadth").cycles
        limit = BUILT_IN[run] * int(most) / 100
        return None if r.cycles <= limit else f"{r.cycles} cycles; needed: {limit:.0f} or less ({most} % of breadth's {BUILT_IN[run]})"

    def check_answer(self, argument):
        """An answer on occupancy beside what warpglass occupancy says. argument: its name"""
        have = self.answers.get(argument)
        if have is None:
            return f"no answer yet: // answer {argument} = VALUE"
        return None if have == occupancy(*argument.split("_")) else f"your answer is {have}; warpglass occupancy says something else"


def limits():
    """Of the policy's process; called in the child."""
    resource.setrlimit(resource.RLIMIT_CPU, (5, 6))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def occupancy(kernel, what):
    """What warpglass occupancy says of a kernel of KERNELS: blocks, limiter (a word of LIMITERS) or waves."""
    preset, threads, regs, shared, grid = KERNELS[kernel]
    p = subprocess.run([WG, "occupancy", "--preset", preset, "--threads", str(threads), "--regs", str(regs), "--shared", str(shared), "--json"], cwd=ROOT, check=True,
                       stdout=subprocess.PIPE, text=True)
    k = json.loads(p.stdout)["kernels"][0]
    sms = int(re.search(r"^num_sms_full *= *(\d+)", (ROOT / f"configs/{preset}.cfg").read_text(), re.M)[1])
    return {"blocks": k["resident_blocks"], "limiter": LIMITERS[k["limiter"]], "waves": -(-grid // (k["resident_blocks"] * sms))}[what]
