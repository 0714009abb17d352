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
import pathlib
import re
import secrets
import subprocess
import tempfile
import threading

import kernels
import sandbox
import source
from labtables import HERE, LABS, ROOT, first_line, labs

SUFFIXES = (".cu",)
FIRST = ()
WG = ROOT / "build/bin/warpglass"
SOUND = {"matmul 64": "matmul 64", "reduce 8192": "reduce 8192"}   # runs that are measured, and what warpglass check has to find nothing in
LAUNCH = {"matmul": {"block_x": 16, "block_y": 16, "tile_x": 16, "tile_y": 16}, "reduce": {"block": 256, "elements": 256}}   # settings and their defaults
LIMIT = 1000000   # SM cycles, or instructions of the golden model, of a launch; the given kernels, the slowest that are right, take half of that
FUNC = ("run", "--backend", "func")   # for results alone, without cycles
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
    """One run of the host program. why: None, or why it counts for nothing. verdicts: {name: (good, text)}. said: what was printed."""

    def __init__(self, why, verdicts, launches, events, said):
        self.why, self.verdicts, self.launches, self.events, self.said = why, verdicts, launches, events, said


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

    def words(self, argument):
        """Words of the host program: `matmul 64` and `reduce 8192` get the submission's settings of the launch behind them."""
        kernel = argument.split()[0]
        return " ".join([argument, *(str(self.launch.get(f"{kernel}_{name}") or default) for name, default in LAUNCH.get(kernel, {}).items())])

    def run(self, argument, tool=("run",)):
        """One run of the program, made once; Run. Events are recorded where runs are short."""
        words, events = self.words(argument), tool == ("run",) and not argument.startswith("matmul")
        if self.refusal == "":
            self.refusal = self.build()
        if self.refusal:
            return Run(self.refusal, {}, [], "", "")
        key = (words, tool)
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
            why = None if ended else "it did not come to its end: " + self.first(r, r"^error: [A-Za-z_]+ is ", r"^error: a tile", r"^FAIL", r"error")
            launches = json.loads(report.read_text())["launches"] if ended and report.exists() else []
            text = ""
            if events and ended:
                self.box([WG, "trace", trace, "--text", self.work / "run.text"], 20)
                text = (self.work / "run.text").read_text(errors="replace")
            self.runs[key] = Run(why, verdicts, launches, text, r.out)
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
        """The host program's verdict. argument: name : words of a run | words of another; `func` behind them: on the golden model."""
        name, runs = argument.split(" : ")
        for words in runs.split(" | "):
            r = self.run(words.removesuffix(" func"), FUNC if words.endswith(" func") else ("run",))
            if r.why:
                return f"{words}: {r.why}"
            if name not in r.verdicts:
                return f"{words}: no verdict"
            if bad := [n for n in ("elements", name) if not r.verdicts.get(n, (True, ""))[0]]:
                return f"{words}: {bad[0]}: {r.verdicts[bad[0]][1]}"
        return None

    def findings(self, argument):
        """(None, or the first finding of warpglass check; why the run counts for nothing), made once."""
        key = ("findings", argument)
        if key not in self.runs:
            found = self.work / "findings.json"
            found.unlink(missing_ok=True)
            r = self.run(argument, tool=("check", "--findings", found))
            errors = [f for f in json.loads(found.read_text())["findings"] if f["level"] == "error"] if found.exists() else []
            m = re.search(r"^warpglass: (.* error: .*(?:\n  .*)*)", self.place(r.said), re.M)
            text = f"{len(errors)} finding{'s' if len(errors) > 1 else ''}; the first:\n{m[1] if m else errors[0]['kind']}" if errors else None
            self.runs[key] = (text, None if found.exists() else r.why or "the checks gave no result")
        return self.runs[key]

    def check_bounds(self, argument):
        """No finding of the memory, initialisation, race and synchronisation checks. argument: words of the host program."""
        found, failed = self.findings(argument)
        why = self.right(argument)
        return found or (f"not looked at, since the result is wrong: {why}" if why else failed)

    def right(self, words):
        """None, or why this run's results are not those of the lab."""
        r = self.run(words)
        return r.why or next((f"{n}: {t}" for n, (good, t) in r.verdicts.items() if not good), None)

    def sound(self, words):
        """None, or why there is nothing to be measured: a wrong result, or in lab 10 one that is right by luck."""
        if why := self.right(words):
            return f"not looked at, since the result is wrong: {why}"
        checked = SOUND.get(words)
        return "not looked at, since warpglass check has findings" if checked and any(self.findings(checked)) else None

    def check_answer(self, argument):
        """An answer beside what the submission's own run shows. argument: name : words of the host program."""
        name, words = argument.split(" : ")
        if why := self.sound(words):
            return why
        if self.answers.get(name) is None:
            return f"no number yet: // answer {name} = VALUE"
        want = getattr(self, "measure_" + self.lab)(name, words)
        have = self.answers[name]
        if isinstance(want, str):
            return want
        near = abs(have - want) <= (0.01 * abs(want) if isinstance(want, float) else 0)
        return None if near else f"your answer is {self.shown(name, have)}; look again, the run gives another value"

    @staticmethod
    def shown(name, value):
        return f"0x{value:08x}" if name.endswith("lanes") and isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)

    def measure_first(self, name, words):
        """What the run shows: a number, or why there is none."""
        r = self.run(words)
        if name in ("cycles", "warp_insts"):
            return r.launches[0][name]
        return Timeline(r.events).measure(name)


    def check_counter(self, argument):
        """A counter of a run. argument: run : counter most [of what the given kernel has]"""
        words, what = argument.split(" : ")
        name, most, *relative = what.split()
        if why := self.sound(words):
            return why
        have = counters(self.run(words))[name]
        if have is None:
            return "the kernel does not use shared memory"
        before = counters(given(self.lab, words))[name] if relative else 1
        limit = float(most) * before
        if have <= limit:
            return None
        return f"{name}: {have:g}; needed: {limit:g} or less" + (f" ({most} of the given kernel's {before:g})" if relative else "")

    def measure_optimise(self, name, words):
        """KERNEL_COUNTER_before or _after."""
        _, counter, when = re.fullmatch(r"([a-z]+)_(\w+)_(before|after)", name).groups()
        return counters(given(self.lab, words) if when == "before" else self.run(words))[counter]


def counters(run):
    """Counters of a run's one launch that lab 10 asks for. conflict_percent is None without shared memory."""
    n = run.launches[0]
    shared = n["shared_wavefronts"]
    return {"cycles": n["cycles"], "load_sectors": n["load_sectors"], "sectors_per_request": n["load_sectors"] / max(1, n["load_requests"]),
            "shared_wavefronts": shared, "conflict_percent": 100 * n["shared_conflict_wavefronts"] / shared if shared else None,
            "divergent": n["divergent_branch_insts"], "barriers": len(re.findall(r" issue .* BAR", run.events))}


_given, _lock = {}, threading.Lock()


def given(lab, words):
    """The run of the kernels that the lab hands out, made once a process."""
    with _lock:
        if (lab, words) not in _given:
            row = labs()[lab]
            text = (LABS / row["folder"] / f"{lab}.cu").read_text()
            with tempfile.TemporaryDirectory(dir=ROOT / "build/labs") as out:
                run = Grading(lab, row, text, pathlib.Path(out), 100).run(words)
            if run.why or not run.launches:
                raise OSError(f"the given kernels of lab {lab} do not run: {run.why}")
            _given[lab, words] = run
        return _given[lab, words]


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
