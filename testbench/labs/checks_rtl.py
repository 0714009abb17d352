# SPDX-License-Identifier: Apache-2.0
"""How labs whose submission is a module are judged (`how` door and plugin in labs.tsv); a part of grade.py.

What grade.py asks of such a Python module (labtables.JUDGES): SUFFIXES of submissions; FIRST, kinds of checks that
come before the others; read(path) and judge(text, row), as in source.py; reference(row), the path of a solution that
has all points; Grading.
check_KIND(argument) of
a Grading answers None, or why the points are lost (first what happened in one line, then lines with more), or
(the share that it gets, 0 to 1, text).
What the submission is compiled to runs only in a sandbox (sandbox.py). Nothing that it prints counts: benches write
their results to a file, behind a word that is new in each run.
"""
import re
import secrets
import shutil

import proof_abc
import proof_wave
import sandbox
import shim
import source
from labtables import HERE, LABS, ROOT, doors, first_line

SUFFIXES = (".sv", ".v")
FIRST = ("lint", "synth")
SHOWN = 12   # warnings that are shown
PKGS = ["rtl/pkg/sm_cfg_pkg.sv", "rtl/pkg/sm_isa_pkg.sv", "rtl/pkg/sm_mufu_pkg.sv", "rtl/pkg/sm_pkg.sv", "rtl/front/sm_sub_pkg.sv"]
CONTRADICTS = "nothing is proved: the design contradicts itself in the shape of the proof"
WAVE_BEFORE, WAVE_AFTER = 400, 20   # evaluations, two a cycle, around the first failure


read = source.read


def judge(text, row):
    """None if the text may be tried, else why not."""
    return source.judge(text, row["module"], [u for u in row["uses"].split() if u != "-"])


def reference(row):
    """Path of the project's own module."""
    return shim.source_of(row["module"])


def told(message):
    """A failure of GoogleTest, whose lines are kept apart by \x1f, as lines that say what was seen and what was
    expected there. By custom of the benches the first value is the module's."""
    lines = [line.strip() for line in message.split("\x1f") if line.strip()]
    names, values, rest = ("got     ", "expected"), [], lines[1:]
    if not lines or lines[0] != "Expected equality of these values:":
        m = re.fullmatch(r"Value of: (.*)", lines[0] if lines else "")
        if not m or len(lines) < 3:
            return "\n".join(lines)
        values, rest = [f"{m[1]} is {lines[1].partition(': ')[2]}", lines[2].partition(": ")[2]], lines[3:]
    while rest and len(values) < 2:
        name = rest.pop(0)
        value = rest.pop(0)[10:] if rest and rest[0].startswith("Which is: ") else ""
        values.append(value if value and name in ("got", "want", "expected") else f"{name} is {value}" if value else name)
    return "\n".join([*(f"{word} {v}" for word, v in zip(names, values)), *(f"at       {r}" for r in rest)])


class Grading:
    """One submission. Steps that several checks need are done once. budget: seconds of processor time for everything.
    file: the submission as it was tried; waves: {kind: waveform}; without: {kind of check: why it is not tried}."""

    def __init__(self, lab, row, text, out, budget):
        self.lab, self.row, self.text, self.out, self.budget = lab, row, text, out, budget
        self.module, self.file = self.row["module"], out / f"{self.row['module']}.sv"
        self.built, self.hung, self.waves, self.without, self.warnings = {}, False, {}, {}, []
        self.file.write_text(text)

    def left(self):
        """Seconds that are left, whole ones."""
        return int(self.budget)

    def run(self, args, seconds, **more):
        r = sandbox.run(args, self.out, max(1, min(seconds, self.left())), **more)
        self.budget -= r.seconds
        return r

    def place(self, text):
        """Messages without the folders of this machine."""
        return text.replace(str(self.file), self.file.name).replace(str(self.out) + "/", "").replace(str(ROOT) + "/", "")

    def sources(self):
        """Arguments that let the submission find what it may use, and nothing else."""
        used = self.row["uses"].split() if self.row["uses"] != "-" else []
        return ["-y", "rtl/prim", *PKGS, *[str(shim.source_of(m).relative_to(ROOT)) for m in used]]

    def top(self):
        """Module alone, in the shape that co-simulation has."""
        core = ROOT / f"build/labs/sm/{self.module}_core.sv"
        return [str(core.relative_to(ROOT))] if core.exists() else []

    @staticmethod
    def unwritten(text):
        """The text without comments, blanks and assignments of constants to outputs."""
        code = source.bare(text)[0] or text
        return re.sub(r"\s+", "", re.sub(r"\bassign\s+\w+\s*=\s*(?:\d*\s*'\s*\w+|\d+)\s*;", " ", code))

    def compiles(self):
        """None, or why Verilator cannot read it; warnings are kept for the check."""
        given = LABS / self.row["folder"] / f"{self.row['module']}.sv"
        if self.unwritten(self.text) == self.unwritten(given.read_text()):
            return "nothing is built yet: every output is a constant, as in the skeleton"
        core = self.top()
        name = f"lab_{self.module}"
        if not core:
            core = [self.out / f"{self.module}_core.sv"]
            core[0].write_text(shim.core(shim.Header(LABS / self.row["folder"] / f"{self.module}.sv", self.module), {}))
        r = self.run(["verilator", "--lint-only", "-Wall", "-Wno-fatal", "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM", "-Wno-MULTITOP", "--top-module", name,
                      *self.sources(), self.file, *core], 40)
        text = self.place(r.out)
        warnings = re.findall(r"^(%Warning-\w+): (\S+?):(\d+):\d+: (.*)$", text, re.M)
        self.warnings = [w for w in warnings if w[1] == self.file.name]
        if wrong := [what for kind, place, _, what in warnings if place.endswith("_core.sv") and ("PINMISSING" in kind or " port connection " in what)]:
            return f"its ports are not those of the skeleton: {wrong[0].strip()[:200]}"
        if r.rc != 0:
            return "Verilator cannot read it: " + (first_line(text, r"^%Error.*" + re.escape(self.file.name), r"^%Error") if not r.late() else r.ending())
        return None

    def check_lint(self, _argument):
        shown = [f"line {line}: {kind.split('-')[1]}: {what.strip()[:200]}" for kind, _, line, what in self.warnings[:SHOWN]]
        if len(self.warnings) > SHOWN:
            shown.append(f"and {len(self.warnings) - SHOWN} more")
        return "\n".join([f"{len(self.warnings)} warning{'s' if len(self.warnings) > 1 else ''}:", *shown]) if shown else None

    def check_synth(self, argument):
        """Yosys finds hardware. argument: -, or parameters NAME=VALUE of the shape in which it is looked for."""
        shape = "" if argument == "-" else "".join(f" -chparam {w.replace('=', ' ')}" for w in argument.split())
        used = [p for p in self.sources() if p.endswith(".sv")]
        prims = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "rtl/prim").glob("*.sv"))
        # latches come first: where one is, the steps behind take for ever
        script = (f"read_verilog{' -defer' if shape else ''} -sv {' '.join(used + prims)} {self.file}; "
                  f"hierarchy -check -top {self.module}{shape}; proc; "
                  "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr; opt -fast; memory -nomap; check -assert; flatten; check -assert")
        latches = [f"line {line}: {what.strip()[:200]}" for kind, _, line, what in self.warnings if kind.endswith("LATCH")][:SHOWN]
        r = self.run(["yosys", "-q", "-e", "implicitly declared", "-p", script], 10 if latches else 40)
        if r.rc == 0:
            return None
        self.without["formal"] = "not tried: Yosys finds no hardware in it"
        text = self.place(r.out)
        if "Latch inferred" in text or "Assertion failed: selection" in text or (r.late() and latches):
            return "\n".join(["a latch: a variable of always_comb keeps its value on some path", *(latches or [first_line(text, "Latch inferred", "dlatch")])])
        if r.late():
            return "Yosys: " + r.ending()
        return "Yosys: " + first_line(text, r"found logic loop|Warning: (?:found|Wire)|multiple conflicting|no driver|used but", r"ERROR", r"Warning")

    def bench(self, name):
        """The bench's folder with its binary inside, or why it cannot be built."""
        if name not in self.built:
            where = self.out / ("bench_" + name.replace("/", "_"))
            r = self.run(["testbench/labs/bench.sh", name, self.file, where], 90)
            bad = r.rc != 0 or not (where / "bench").exists()
            self.built[name] = (where, ("the bench cannot be built with it: " +
                                        (r.ending() if r.late() or r.starved() else first_line(self.place(r.out), "%Error", "error"))) if bad else None)
        return self.built[name]

    def test(self, where, name, env):
        """({test: (verdict, evaluation, message)}, Result) of one run."""
        word, result = secrets.token_hex(16), where / "result"
        result.unlink(missing_ok=True)
        r = self.run([where / "bench", f"--gtest_filter={name}"], 4 if self.hung else 20, env=dict(env, LAB_RESULT=result), stdin=word + "\n")
        rows = {}
        for line in result.read_text(errors="replace").splitlines() if result.exists() else []:
            cells = line.split("\t")
            if len(cells) == 5 and cells[0] == word:
                rows[cells[1]] = (cells[2], int(cells[3]), cells[4])
        return rows, r

    def check_unit(self, argument):
        bench, name = argument.split()
        where, why = self.bench(bench)
        if why:
            return why
        rows, r = self.test(where, name, {})
        failed = [(n, at, text) for n, (verdict, at, text) in rows.items() if verdict != "pass"]
        if failed:
            self.waveform(where, name, failed[0][1])
            return f"{failed[0][0]}\n{told(failed[0][2])}"
        if not rows or r.rc != 0:
            self.hung |= r.late()
            text = "" if r.late() else first_line(self.place(r.out), "%Error", "did not converge")
            return f"{name}: the simulation gave no verdict: {r.ending()}" + (f" ({text})" if text.startswith("%") else "")
        return None

    def waveform(self, where, name, at):
        """The cycles around the first failure of all, once."""
        if "unit" in self.waves or self.hung or at == 0:
            return
        wave = self.out / "first_failure.vcd"
        self.test(where, name, {"LAB_WAVE": wave, "LAB_FROM": max(1, at - WAVE_BEFORE), "LAB_TO": at + WAVE_AFTER})
        if wave.exists() and wave.stat().st_size > 0:
            self.waves["unit"] = wave

    def expected(self):
        """Path of a module ref_MODULE, what a proof compares with; "" if there is none."""
        other = self.out / "reference.sv"
        text = shim.source_of(self.module).read_text()
        other.write_text(re.sub(rf"\bmodule {self.module}\b", f"module ref_{self.module}", text))
        return other

    def contradiction(self, script):
        """None, or why a proof of the design that these commands of Yosys read would prove anything: loops and nets
        with two drivers in the shape of the proof, inputs of a module that it drives itself."""
        parts = self.out / "parts.il"
        parts.unlink(missing_ok=True)
        r = self.run(["yosys", "-q", "-p", f"{script}; proc; check -assert; dump -o {parts}; flatten; check -assert"], 40)
        if r.late() or r.starved():
            return (f"nothing is proved: Yosys was not done with it ({r.ending()})" if r.late() and self.left() > 0
                    else "Yosys: " + r.ending())
        if r.rc != 0:
            text = self.place(r.out)
            found = first_line(text, r"found logic loop|multiple conflicting|no driver|used but", r"ERROR", r"Warning")
            return (CONTRADICTS if "check -assert" in text else "Yosys") + f": {found}"
        for module in parts.read_text().split("\nmodule ")[1:]:
            inputs = set(re.findall(r"^  wire .*\b(?:input|inout) \d+ .*?(\\\S+)$", module, re.M))
            for left in re.findall(r"^  connect (\{[^}]*\}|\S+)", module, re.M):
                if driven := inputs & set(left.split()):
                    return f"{CONTRADICTS}: it drives its own input {min(driven)[1:]}"
        return None

    def check_formal(self, argument):
        """Proof that the outputs are those of the project's module, whatever the inputs. argument: cycles, or the name
        of the harness of testbench/labs/formal, by default the lab's, and cycles."""
        *name, cycles = argument.split()
        proof = HERE / f"formal/{name[0] if name else self.lab}.sv"
        other, wave = self.expected(), self.out / "formal.vcd"
        says = dict(re.findall(r"\b(files|options|solver): (.*)$", proof.read_text(), re.M))
        used = [*says.get("files", "").split(), *(p for p in self.sources() if p.endswith(".sv"))]
        defines = f"-DLAB_MODULE={self.module} -DLAB_REFERENCE=ref_{self.module}"
        script = f"read_verilog -formal -sv {defines} {' '.join(dict.fromkeys(used))} {other} {self.file} {proof}; hierarchy -check -top formal_top"
        if why := self.contradiction(script):
            return why
        held = self.out / "held"   # written once the proof is done: what fails then is the look for a contradiction
        held.unlink(missing_ok=True)
        if says.get("solver") == "abc":
            verdict, r = proof_abc.prove(self, script, cycles, wave)
        else:
            r = self.run(["yosys", "-q", "-p", f"{script}; proc; flatten; opt; memory; check -assert; opt -full; sat -seq {cycles} -prove-asserts -set-assumes "
                          f"-set-at 1 n 0 {says.get('options', '')} -dump_vcd {wave} -show-public -verify formal_top; "
                          f"tee -q -o {held} log held; sat -seq {cycles} -set-assumes -set-at 1 n 0 {says.get('options', '')} -verify formal_top"], 60)
            if held.exists() and r.rc != 0 and not r.late() and not r.starved():
                return CONTRADICTS + ": no inputs at all agree with it"
            verdict = ("proved" if r.rc == 0 else "differs" if "proof did fail" in r.out else "open" if r.late() else "failed")
        if verdict == "proved":
            return None
        if verdict == "differs":
            told_by = []
            if wave.exists():
                told_by = (proof_abc if says.get("solver") == "abc" else proof_wave).tell(wave)
                self.waves["formal"] = wave
            return "\n".join([f"there are inputs for which an output differs from what is described, within {cycles} cycles from reset", *told_by])
        if verdict == "open" and self.left() > 0:   # else points would be had by what is hard to prove
            return ("nothing is proved: the solver found no such inputs, but was not done within its time; what is described is proved well "
                    "within it, simpler logic helps")
        return "Yosys: " + (r.ending() if r.late() or r.starved() else first_line(self.place(r.out), "ERROR", "Warning"))

    def door(self):
        """The library behind the SM's door, or why it cannot be built."""
        if "door" not in self.built:
            lib = self.out / f"lab_{self.module}.so"
            r = self.run(["testbench/labs/door.sh", self.module, self.file, self.out / "door", lib], 90)
            self.built["door"] = (lib, None if r.rc == 0 and lib.exists() else "the SM cannot be built with it: " +
                                  (r.ending() if r.late() or r.starved() else first_line(self.place(r.out), "%Error", "error")))
        return self.built["door"]

    def check_cosim(self, argument):
        """Programs in the SM around the module, each instruction compared with the golden model. argument: settings :
        programs."""
        lib, why = self.door()
        if why:
            return why
        settings, programs = argument.split(" : ")
        libs = [lib if m == self.module else ROOT / f"build/labs/sm/lab_{m}.so" for m in doors()]
        for p in programs.split():
            r = self.run([ROOT / "build/bin/wgasmtest", "-s", f"preset=tiny check=units limit=20000 {settings}", ROOT / f"programs/asm/{p}.s"], 4 if self.hung else 25,
                         env={"LD_PRELOAD": " ".join(map(str, libs)), "WARPGLASS_HOME": ROOT},
                         extra=[(ROOT / "build/labs/sm/libwgsm.so", ROOT / "build/sm/tiny-fast/libwgsm.so")])
            if r.rc != 0 or "1 passed, 0 failed" not in r.out:
                self.hung |= r.late()
                text = self.place(r.out)
                return f"programs/asm/{p}.s: " + (r.ending() if r.late() or not text.strip() else
                                                   first_line(text, "FAIL", "mismatch|differs|hung|hang", "error"))
        return None

    def plugin(self):
        """The policy as a plug-in of the pick port: (folder to be mounted at build/plugin, None or why it cannot be
        built)."""
        if "plugin" not in self.built:
            place, name = self.out / "plugin", self.module.removeprefix("sm_sched_")
            place.mkdir(exist_ok=True)
            shutil.copytree(ROOT / "build/obj/verilated", self.out / "verilated", dirs_exist_ok=True)
            r = self.run(["scripts/plugin.sh", name, "8", self.file], 60, env={"OUT": self.out / "verilated"}, write=[(place, ROOT / "build/plugin")])
            self.built["plugin"] = (place, None if r.rc == 0 else "the plug-in cannot be built: " +
                                    (r.ending() if r.late() or r.starved() else first_line(self.place(r.out), "%Error", "%Warning", "error")))
        return self.built["plugin"]

    def cycles(self, program, settings):
        """(cycles, None) of a program under these settings, or (None, why it failed). program: NAME of programs/asm,
        a path of a .s file, or the name and words of a program of programs/."""
        words = program.split()
        path = ROOT / (program if "/" in program else f"programs/asm/{program}.s")
        if not path.exists():
            path = words[0]
            line = [ROOT / "build/bin/warpglass", "run", *(w for s in settings.split() for w in ("--" + s.split("=", 1)[0], s.split("=", 1)[1])),
                    ROOT / f"build/programs/{path}/{path}", *words[1:]]
        else:
            path = path.relative_to(ROOT)
            line = [ROOT / "build/bin/wgasmtest", "-s", settings, ROOT / path]
        r = self.run(line, 4 if self.hung else 25, env={"WARPGLASS_HOME": ROOT}, extra=[(self.plugin()[0], ROOT / "build/plugin")])
        found = re.search(r"^PASS .*\bcycles=(\d+)", r.out, re.M)
        if r.rc != 0 or not found:
            self.hung |= r.late()
            return None, f"{path}: " + (r.ending() if r.late() or not r.out.strip() else first_line(self.place(r.out), "FAIL", "error"))
        return int(found[1]), None

    def check_plugin(self, argument):
        """The policy as a plug-in that drives the pick port: programs pass, in the cycles of the built-in one.
        argument: name : programs."""
        name, programs = argument.split(" : ")
        if why := self.plugin()[1]:
            return why
        for p in programs.split():
            own, why = self.cycles(p, f"preset=tiny check=units limit=20000 sched=plugin:{name}")
            built_in, _ = self.cycles(p, f"preset=tiny check=units limit=20000 sched={name}")
            if why:
                return why
            if own != built_in:
                return f"programs/asm/{p}.s: {own} cycles instead of {built_in}"
        return None
