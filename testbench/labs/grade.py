#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grade one submission of a lab: points for each check, with the reason where some are lost, and a waveform of the first failure.

usage: grade.py LAB FILE [--out DIR]
LAB: a name of programs/labs/labs.tsv. Checks and points: testbench/labs/checks.tsv, 100 in all. Writes result.json, feedback.md and, where
a check of the RTL failed, first_failure.vcd into DIR (build/labs/grade/LAB/NAME). Exit code: 0 when it could be judged, whatever the points, else 2.
What the submission is compiled to runs only in a sandbox (sandbox.py). Nothing that it prints counts: benches write their results to a
file, behind a word that is new in each run.
"""
import argparse
import hashlib
import json
import pathlib
import re
import secrets
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import sandbox  # noqa: E402
import shim  # noqa: E402
import source  # noqa: E402

ROOT = sandbox.ROOT
LABS = ROOT / "programs/labs"
PKGS = ["rtl/pkg/sm_cfg_pkg.sv", "rtl/pkg/sm_isa_pkg.sv", "rtl/pkg/sm_mufu_pkg.sv", "rtl/pkg/sm_pkg.sv", "rtl/front/sm_sub_pkg.sv"]
WAVE_BEFORE, WAVE_AFTER = 400, 20   # evaluations, two a cycle, around the first failure


def table(path, *columns):
    """Rows of a file with tabs as dictionaries; lines with # are comments."""
    rows = [line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    bad = [r for r in rows if len(r) != len(columns)]
    if bad:
        raise SystemExit(f"error: {path.relative_to(ROOT)}: '{bad[0][0]}' has {len(bad[0])} columns instead of {len(columns)}")
    return [dict(zip(columns, r)) for r in rows]


def labs():
    """{name: row}"""
    return {r["lab"]: r for r in table(LABS / "labs.tsv", "lab", "number", "module", "how", "folder", "uses", "title")}


def doors():
    """Modules that are doors in the SM of the labs."""
    return [m for m in (HERE / "doors.txt").read_text().split("\n") if m and m[0] != "#"]


def checks(lab):
    """The lab's checks in their order, points as numbers."""
    rows = [r for r in table(HERE / "checks.tsv", "lab", "points", "kind", "argument", "expected") if r["lab"] == lab]
    return [dict(r, points=int(r["points"])) for r in rows]


def first_line(text, *patterns):
    """The first line that matches one of the patterns, in their order."""
    for p in patterns:
        for line in text.splitlines():
            if re.search(p, line):
                return re.sub(r"\s+", " ", line).strip()[:300]
    return next((re.sub(r"\s+", " ", line).strip()[:300] for line in text.splitlines() if line.strip()), "")


class Grading:
    """One submission. Steps that several checks need are done once; a check answers None or why it failed."""

    def __init__(self, lab, text, out):
        self.lab, self.row, self.text, self.out = lab, labs()[lab], text, out
        self.module, self.file = self.row["module"], out / f"{self.row['module']}.sv"
        self.built, self.hung, self.wave = {}, False, None
        self.file.write_text(text)

    def run(self, args, seconds, **more):
        return sandbox.run(args, self.out, seconds, **more)

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

    def compiles(self):
        """None, or why Verilator cannot read it; warnings are kept for the check."""
        core = self.top()
        name = f"lab_{self.module}" if core else self.module
        r = self.run(["verilator", "--lint-only", "-Wall", "-Wno-fatal", "-Wno-DECLFILENAME", "-Wno-UNUSEDPARAM", "-Wno-MULTITOP", "--top-module", name,
                      *self.sources(), self.file, *core], 40)
        text = self.place(r.out)
        warnings = re.findall(r"^(%Warning-\w+): (\S+?):(\d+):\d+: (.*)$", text, re.M)
        self.warnings = [w for w in warnings if w[1] == self.file.name]
        if r.rc != 0:
            return "Verilator cannot read it: " + (first_line(text, r"^%Error.*" + re.escape(self.file.name), r"^%Error") if not r.late() else r.ending())
        return None

    def check_lint(self, _argument):
        if self.warnings:
            kind, _, line, what = self.warnings[0]
            return f"{len(self.warnings)} warnings; the first: line {line}: {kind[1:]}: {what.strip()}"
        return None

    def check_synth(self, _argument):
        used = [p for p in self.sources() if p.endswith(".sv")]
        prims = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "rtl/prim").glob("*.sv"))
        script = (f"read_verilog -sv {' '.join(used + prims)} {self.file}; hierarchy -check -top {self.module}; proc; opt -fast; memory -nomap; check -assert; select -assert-none t:$dlatch t:$adlatch t:$dlatchsr")
        r = self.run(["yosys", "-q", "-e", "implicitly declared", "-p", script], 60)
        if r.rc == 0:
            return None
        if r.late():
            return "Yosys: " + r.ending()
        text = self.place(r.out)
        if "assert-none" in text or "Assertion failed: selection" in text:
            return "Yosys infers a latch: an output or variable of always_comb keeps its value on some path"
        return "Yosys: " + first_line(text, r"found logic loop|Warning: (?:found|Wire)|multiple conflicting|no driver|used but", r"ERROR", r"Warning")

    def bench(self, name):
        """The bench's folder with its binary inside, or why it cannot be built."""
        if name not in self.built:
            where = self.out / ("bench_" + name.replace("/", "_"))
            r = self.run(["testbench/labs/bench.sh", name, self.file, where], 90)
            bad = r.rc != 0 or not (where / "bench").exists()
            self.built[name] = (where, ("the bench cannot be built with it: " +
                                        (r.ending() if r.late() else first_line(self.place(r.out), "%Error", "error"))) if bad else None)
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
            return f"{failed[0][0]}: {failed[0][2]}"
        if not rows or r.rc != 0:
            self.hung |= r.late()
            text = "" if r.late() else first_line(self.place(r.out), "%Error", "did not converge")
            return f"{name}: the simulation gave no verdict: {r.ending()}" + (f" ({text})" if text.startswith("%") else "")
        return None

    def waveform(self, where, name, at):
        """The cycles around the first failure of all, once."""
        if self.wave or self.hung or at == 0:
            return
        wave = self.out / "first_failure.vcd"
        self.test(where, name, {"LAB_WAVE": wave, "LAB_FROM": max(1, at - WAVE_BEFORE), "LAB_TO": at + WAVE_AFTER})
        if wave.exists() and wave.stat().st_size > 0:
            self.wave = wave

    def check_formal(self, argument):
        """Bounded proof that the outputs are those of the project's module, whatever the inputs. argument: cycles."""
        proof = HERE / f"formal/{self.lab}.sv"
        own = shim.source_of(self.module).read_text()
        (self.out / "reference.sv").write_text(re.sub(rf"\bmodule {self.module}\b", f"module ref_{self.module}", own))
        used = re.search(r"files: (.*)", proof.read_text())[1].split()
        wave = self.out / "formal.vcd"
        script = (f"read_verilog -formal -sv {' '.join(PKGS)} {' '.join(used)} {self.out}/reference.sv {self.file} {proof}; hierarchy -check -top formal_top; "
                  f"proc; flatten; opt; memory; opt -full; sat -seq {argument} -prove-asserts -set-assumes -set-at 1 n 0 -dump_vcd {wave} "
                  "-show-inputs -verify formal_top")
        r = self.run(["yosys", "-q", "-p", script], 60)
        if r.rc == 0:
            return None
        if "proof did fail" in r.out:
            if not self.wave and wave.exists():
                self.wave = wave.rename(self.out / "first_failure.vcd")
            return f"there are inputs for which an output differs from what is described, within {argument} cycles from reset"
        return "Yosys: " + (r.ending() if r.late() else first_line(self.place(r.out), "ERROR", "Warning"))

    def door(self):
        """The library behind the SM's door, or why it cannot be built."""
        if "door" not in self.built:
            lib = self.out / f"lab_{self.module}.so"
            r = self.run(["testbench/labs/door.sh", self.module, self.file, self.out / "door", lib], 90)
            self.built["door"] = (lib, None if r.rc == 0 and lib.exists() else "the SM cannot be built with it: " +
                                  (r.ending() if r.late() else first_line(self.place(r.out), "%Error", "error")))
        return self.built["door"]

    def check_cosim(self, argument):
        """Programs in the SM around the module, each instruction compared with the golden model. argument: settings : programs."""
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


    def check_plugin(self, argument):
        """The policy as a plug-in that drives the pick port: programs pass, in the cycles of the built-in one. argument: name : programs."""
        name, programs = argument.split(" : ")
        place = self.out / "plugin"
        place.mkdir(exist_ok=True)
        shutil.copytree(ROOT / "build/obj/verilated", self.out / "verilated", dirs_exist_ok=True)
        r = self.run(["scripts/plugin.sh", name, "8", self.file], 60, env={"OUT": self.out / "verilated"}, write=[(place, ROOT / "build/plugin")])
        if r.rc != 0:
            return "the plug-in cannot be built: " + (r.ending() if r.late() else first_line(self.place(r.out), "%Error", "error"))
        for p in programs.split():
            cycles = []
            for sched in (name, f"plugin:{name}"):
                r = self.run([ROOT / "build/bin/wgasmtest", "-s", f"preset=tiny check=units limit=20000 sched={sched}", ROOT / f"programs/asm/{p}.s"],
                             4 if self.hung else 25, env={"WARPGLASS_HOME": ROOT}, extra=[(place, ROOT / "build/plugin")])
                if r.rc != 0 or "1 passed, 0 failed" not in r.out:
                    self.hung |= r.late()
                    return f"programs/asm/{p}.s: " + (r.ending() if r.late() else first_line(self.place(r.out), "FAIL", "error"))
                cycles.append(int(re.search(r"cycles=(\d+)", r.out)[1]))
            if cycles[0] != cycles[1]:
                return f"programs/asm/{p}.s: {cycles[1]} cycles instead of {cycles[0]}"
        return None


def harness():
    """Hash of everything that decides about points: another one, and results are no longer valid."""
    h = hashlib.sha256()
    for p in [*sorted(HERE.glob("*.py")), *sorted(HERE.glob("*.sh")), *sorted(HERE.glob("*.cc")), *sorted(HERE.glob("vtop/*")), *sorted(HERE.glob("formal/*")), *sorted(HERE.glob("bench/*")),
              HERE / "checks.tsv", HERE / "doors.txt", LABS / "labs.tsv", *sorted((ROOT / "testbench/rtl").rglob("*.cc")), *sorted((ROOT / "testbench/rtl").rglob("*.h")),
              *sorted((ROOT / "testbench/rtl").rglob("*.sv")), *sorted((ROOT / "rtl").rglob("*.sv"))]:
        if p.name != "labs_test.py":
            h.update(p.read_bytes())
    return h.hexdigest()


def grade(lab, path, out, skip=()):
    """Grade the file at path; the result, written to out/result.json and out/feedback.md as well. skip: kinds of checks that
    are not made (the graders' own tests)."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    todo = checks(lab)
    text, why = source.read(path)
    result = {"lab": lab, "file": pathlib.Path(path).name, "sha256": hashlib.sha256((text or "").encode()).hexdigest(), "harness": harness(), "refused": "",
              "checks": [], "wave": ""}
    why = why or source.judge(text, labs()[lab]["module"])
    g = None
    if why is None:
        g = Grading(lab, text, out)
        why = g.compiles()
    result["refused"], not_hardware = why or "", None
    for c in todo:
        reason = f"not tried: {why}" if why else "not made" if c["kind"] in skip else not_hardware if c["kind"] == "formal" else None
        reason = reason or getattr(g, "check_" + c["kind"])(c["argument"])
        if c["kind"] == "synth" and reason:
            not_hardware = "not tried: Yosys finds no hardware in it"
        result["checks"].append({"kind": c["kind"], "expected": c["expected"], "of": c["points"], "points": 0 if reason else c["points"], "reason": reason or ""})
    result["points"] = sum(c["points"] for c in result["checks"])
    result["of"] = sum(c["of"] for c in result["checks"])
    if g and g.wave:
        result["wave"] = g.wave.name
    for p in out.iterdir():   # what was built is large
        if p.name not in ("first_failure.vcd",) and not (g and p == g.file):
            shutil.rmtree(p) if p.is_dir() else p.unlink()
    (out / "result.json").write_text(json.dumps(result, indent=1) + "\n")
    (out / "feedback.md").write_text(page(result))
    return result


def page(r):
    """Feedback of one submission, Markdown."""
    row = labs()[r["lab"]]
    out = [f"# Lab {row['number']}: {row['title']}", "", f"`{r['file']}`: **{r['points']} of {r['of']} points**", ""]
    if r["refused"]:
        out += [f"Not graded further: {r['refused']}", ""]
    out += ["| points | check | expected | what was seen |", "|---|---|---|---|"]
    for c in r["checks"]:
        seen = (c["reason"] or "as expected").replace("|", "\\|").replace("<", "&lt;")
        out.append(f"| {c['points']} of {c['of']} | {c['kind']} | {c['expected']} | {seen} |")
    if r["wave"]:
        out += ["", f"Waveform of the first failure: `gtkwave {r['wave']}` (in the folder of this page). The failure stands 10 cycles before its end; "
                "the submission is the innermost scope."]
    return "\n".join(out) + "\n"


def tell(r):
    for c in r["checks"]:
        print(f"{c['points']:3d} of {c['of']:3d}  {c['kind']}: {c['expected']}" + (f"\n            {c['reason']}" if c["reason"] else ""))
    print(f"{r['points']:3d} of {r['of']:3d}  {r['lab']}: {r['file']}")


def prepare(lab, cosim=True):
    """Everything of a lab that does not depend on a submission, built once; SystemExit with the text of what failed. cosim:
    with the SM (minutes, the first time)."""
    p = subprocess.run(["testbench/labs/prepare.sh", lab, *([] if cosim else ["without-cosim"])], cwd=ROOT, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, check=False)
    if p.returncode != 0:
        sys.exit(f"error: cannot prepare lab {lab}\n{p.stdout[-3000:]}")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("lab")
    p.add_argument("file", type=pathlib.Path)
    p.add_argument("--out", type=pathlib.Path)
    a = p.parse_args()
    if a.lab not in labs():
        sys.exit(usage(f"no lab '{a.lab}'", "one of " + " ".join(labs())))
    if not a.file.exists():
        sys.exit(usage(f"no file '{a.file}'", "FILE=the file with your module"))
    out = (a.out or ROOT / "build/labs/grade" / a.lab / re.sub(r"\W", "_", a.file.stem)).resolve()
    try:
        sandbox.need(ROOT / "build/labs/probe")
    except sandbox.Refused as e:
        sys.exit(usage(*str(e).split("; remedy: ")))
    prepare(a.lab)
    r = grade(a.lab, a.file, out)
    tell(r)
    print(f"page: {out.relative_to(ROOT) if out.is_relative_to(ROOT) else out}/feedback.md" + (f"; waveform: {r['wave']} beside it" if r["wave"] else ""))


def usage(what, remedy):
    print(f"error: {what}; remedy: {remedy}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
