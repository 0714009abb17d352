# SPDX-License-Identifier: Apache-2.0
"""Grading of the labs in which the student writes kernels (`cu` in labs.tsv).

The submission is compiled for the device only, to PTX text; the host program is the lab's main.cu, compiled without any
text of the submission (wgcc --device-ptx). It runs on the RTL of `tiny`, in the sandbox of sandbox.py. Verdicts come from
a file that the host program writes behind a word that is new in each run, counters and cycles from the simulator's
report. Inputs depend on the submission's text, so that no table of results fits. Expected answers are those of the
submission's own run.
"""
import hashlib
import json
import re
import secrets
import subprocess

import kernels
import sandbox
import source
from labtables import HERE, ROOT, first_line

SUFFIXES = (".cu",)
FIRST = ()
WG = ROOT / "build/bin/warpglass"
LIMIT = 400000   # SM cycles of a launch; the slowest that is right takes a tenth
ENTRY = {
    "first": {"saxpy": "saxpy(int, float, float const*, float*)"},
    "optimise": {"matmul": "matmul(float const*, float const*, float*, int)", "reduce": "reduce(float const*, float*, int)"}}


def unmangled(names):
    """C++ text of each mangled name."""
    p = subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE, text=True, check=True)
    return p.stdout.split("\n")[:len(names)]


read = source.read


def judge(text, _row):
    """None if the text may be tried, else why not."""
    return kernels.judge(text)


def reference(row):
    """Path of a solution."""
    return HERE / f"reference/{row['lab']}.cu"


class Run:
    """One run of the host program. why: None, or why it counts for nothing. verdicts: {name: (good, text)}."""

    def __init__(self, why, verdicts, launches, events):
        self.why, self.verdicts, self.launches, self.events = why, verdicts, launches, events


class Grading:
    """One submission; the interface is that of checks_rtl.Grading."""

    def __init__(self, lab, row, text, out, budget):
        self.lab, self.row, self.text, self.out, self.budget = lab, row, text, out, budget
        self.file, self.work = out / f"{lab}.cu", out / "work"
        self.waves, self.without, self.runs, self.program = {}, {}, {}, self.work / "program"
        self.answers, self.launch = kernels.notes(text, "answer")[0], kernels.notes(text, "launch")[0]
        self.seed = int(hashlib.sha256(text.encode()).hexdigest()[:7], 16)
        self.refusal = ""   # why there is no program; empty: not known yet
        self.work.mkdir()
        self.file.write_text(text)

    def left(self):
        """Seconds that are left, whole ones."""
        return int(self.budget)

    def box(self, args, seconds, **more):
        """A command in the sandbox; its processor time is taken from the submission's."""
        r = sandbox.run(args, self.out, max(1, min(seconds, self.left())), **more)
        self.budget -= r.seconds
        return r

    def place(self, text):
        """Messages without the folders of this machine."""
        for name in (str(self.file), str(self.work) + "/", str(self.out) + "/", str(ROOT) + "/"):
            text = text.replace(name, self.file.name if name == str(self.file) else "")
        return text

    def first(self, r, *patterns):
        """The line of an output that says what was wrong."""
        return r.ending() if r.late() or not r.out.strip() else first_line(self.place(r.out), *patterns)

    def compiles(self):
        """None: what compiles it is built only when its text is known to be clean."""
        return None

    def build(self):
        """None, or why there is no program. Device code first, alone; then the host program around it."""
        ptx = self.work / "kernels.ptx"
        r = self.box(["build/bin/wgcc", "-O3", "-ptx", self.file, "-o", ptx], 40)
        if r.rc != 0 or not ptx.exists():
            return "the compiler refuses it: " + self.first(r, r"error:", r"error")
        found = unmangled(re.findall(r"^.*\.entry\s+([A-Za-z_$][\w$]*)", ptx.read_text(errors="replace"), re.M))
        want = ENTRY[self.lab]
        for name, form in want.items():
            if form not in found:
                return f"there is no kernel {form}; there is: {' '.join(found) or 'none'}"
        if more := [f for f in found if f not in want.values()]:
            return f"kernel {more[0]} beside " + ", ".join(want) + ": one more than the host program knows; make it a __device__ function"
        r = self.box(["build/bin/wgcc", "-O3", "--device-ptx", ptx, f"programs/labs/{self.row['folder']}/main.cu", "-o", self.program], 60)
        if r.rc != 0 or not self.program.exists():
            return "the device code cannot be used: " + self.first(r, r"error:", r"error")
        return None

    def run(self, words, events=False, tool=("run",)):
        """One run of the program with these words, made once; Run."""
        if self.refusal == "":
            self.refusal = self.build()
        if self.refusal:
            return Run(self.refusal, {}, [], "")
        key = (words, events, tool)
        if key not in self.runs:
            word, result, report, trace = secrets.token_hex(16), self.work / "result", self.work / "run.json", self.work / "run.events"
            for p in (result, report, trace):
                p.unlink(missing_ok=True)
            args = [WG, *tool, "--preset", "tiny", "--golden", "none", "--limit", LIMIT]
            args += ["--json", report] if tool == ("run",) else []
            args += ["--events", trace, "--events_depth", "insts"] if events else []
            r = self.box([*args, self.program, *words.split()], 20, env={"LAB_RESULT": result, "LAB_SEED": self.seed, "WARPGLASS_HOME": ROOT},
                            stdin=word + "\n")
            rows = [line.split("\t") for line in result.read_text(errors="replace").splitlines()] if result.exists() else []
            verdicts = {c[1]: (c[2] == "pass", c[3]) for c in rows if len(c) == 4 and c[0] == word}
            ended = re.search(r"^(PASS|FAIL) ", r.out, re.M) and not r.late() and verdicts
            why = None if ended else "it did not come to its end: " + self.first(r, r"^error: .*main\.cu.*", r"^FAIL", r"error")
            launches = json.loads(report.read_text())["launches"] if ended and report.exists() else []
            text = ""
            if events and ended:
                self.box([WG, "trace", trace, "--text", self.work / "run.text"], 20)
                text = (self.work / "run.text").read_text(errors="replace")
            self.runs[key] = Run(why, verdicts, launches, text)
        return self.runs[key]

    # ---- checks ----

    def check_run(self, argument):
        """It comes to its end. argument: words of the host program. With it a waveform, where the SM with tracing is built."""
        why = self.run(argument).why
        if why is None and (ROOT / "build/sm/tiny-wave/libwgsm.so").exists() and self.lab == "first":
            wave = self.out / "run.fst"
            self.box([WG, "run", "--preset", "tiny", "--golden", "none", "--limit", LIMIT, "--trace", wave, "--from", 0, "--to", 3000, self.program, *argument.split()], 40,
                     env={"WARPGLASS_HOME": ROOT, "LAB_SEED": self.seed})
            if wave.exists():
                self.waves["run"] = wave
        return why

    def check_result(self, argument):
        """The host program's verdict. argument: name : words of a run | words of another."""
        name, runs = argument.split(" : ")
        for words in runs.split(" | "):
            r = self.run(words)
            if r.why:
                return f"{words}: {r.why}"
            if name not in r.verdicts:
                return f"{words}: no verdict"
            if bad := [n for n in ("elements", name) if not r.verdicts.get(n, (True, ""))[0]]:
                return f"{words}: {bad[0]}: {r.verdicts[bad[0]][1]}"
        return None

    def check_bounds(self, argument):
        """No finding of the memory, initialisation, race and synchronisation checks. argument: words of the host program."""
        if why := self.right(argument):
            return f"not looked at, since the result is wrong: {why}"
        found = self.work / "findings.json"
        found.unlink(missing_ok=True)
        r = self.run(argument, tool=("check", "--findings", found))
        findings = [f for f in json.loads(found.read_text())["findings"] if f["level"] == "error"] if found.exists() else []
        if findings:
            f = findings[0]
            return f"line {f['line']}: {f['message']}: {f['detail']}" + (f" (the first of {len(findings)})" if len(findings) > 1 else "")
        return r.why if found.exists() else r.why or "the checks gave no result"

    def right(self, words):
        """None, or why this run's results are not those of the lab."""
        r = self.run(words)
        return r.why or next((f"{n}: {t}" for n, (good, t) in r.verdicts.items() if not good), None)

    def check_answer(self, argument):
        """An answer beside what the submission's own run shows. argument: name : words of the host program."""
        name, words = argument.split(" : ")
        if why := self.right(words):
            return f"not looked at, since the result is wrong: {why}"
        if self.answers.get(name) is None:
            return f"no number yet: // answer {name} = VALUE"
        want = getattr(self, "measure_" + self.lab)(name, words)
        have = self.answers[name]
        if isinstance(want, str):
            return want
        near = abs(have - want) <= (0.01 * abs(want) if isinstance(want, float) else 0)
        return None if near else f"your answer is {self.shown(name, have)}; look again, your program gives another value"

    @staticmethod
    def shown(name, value):
        return f"0x{value:08x}" if name.endswith("lanes") and isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)

    def measure_first(self, name, words):
        """What the run shows: a number, or why there is none."""
        r = self.run(words, events=True)
        if name in ("cycles", "warp_insts"):
            return r.launches[0][name]
        return Timeline(r.events).measure(name)


class Timeline:
    """Events of the first launch, from the text of warpglass trace."""

    def __init__(self, text):
        self.lines = [(int(m[1]), m[2]) for m in re.finditer(r"^\s*(\d+) sm0 (\S.*)$", text, re.M)]

    def measure(self, name):
        """first_issue, block0_end: cycles. last_lanes: lanes of the last block's warp 0 that store. A number, or why there is none."""
        slot_of, warp_of, masks, last, end0 = {}, {}, {}, -1, None
        for cycle, what in self.lines:
            if m := re.match(r"init\s+warp (\S+) grid \d+ block \((\d+),0,0\) warp (\d+) slot (\d+)", what):
                warp_of[m[1]], slot_of[int(m[4])], last = (int(m[2]), int(m[3])), int(m[2]), max(last, int(m[2]))
            elif m := re.match(r"free\s+block slot (\d+)", what):
                end0 = cycle if end0 is None and slot_of.get(int(m[1])) == 0 else end0
            elif m := re.match(r"issue\s+warp (\S+) .* STG\S* .*lanes (0x\w+) guard (0x\w+)", what):
                at = warp_of.get(m[1])
                masks[at] = masks.get(at, 0) | int(m[2], 16) & int(m[3], 16)
        if name == "first_issue":
            return next((c for c, w in self.lines if w.startswith("issue")), "nothing issues")
        if name == "block0_end":
            return end0 if end0 is not None else "block 0 does not end"
        return masks.get((last, 0), "warp 0 of the last block stores nothing")
