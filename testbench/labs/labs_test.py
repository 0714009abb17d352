#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The graders of the labs (programs/labs): reference solutions, wrong ones, dishonest ones. Run from the root.

usage: labs_test.py [PART ...]
parts:
  tables     labs, checks (100 points a lab), at least eight wrong solutions each, whose text still fits the module; skeletons are up to date
  words      what a submission may not contain is refused with its line, what it may is not
  yosys      what README lists is not read by Yosys, what to write instead is
  sandbox    a program in the sandbox sees no network, no other submission, writes nothing outside, is ended by time and memory
  make       the Make targets refuse what is missing or wrong
  class      a folder: CSV, pages, a second call uses the results of the first; links, folders, long and binary files
  kernels    the same for the words of the program labs; a kernel that hangs or faults has 0 points and a reason
  crowd      a class of 200 (sample: 8) whose grading is killed and goes on: the same table, equal texts graded once
  proofs     a failed proof is told: the output, the cycle, both values; formal.vcd has them (sample: one lab)
  contradictions  a design that contradicts itself in the proof's shape is not proved; loops through helpers are found
  skeletons  what is handed out has no points, whatever constants its outputs are
  limits     a submission that would take the tools for ever ends within its budget
  policies   the same for lab 9, whose policy runs in a process of its own
  points     the reference has all points, wrong solutions (testbench/labs/wrong) lose those that they deserve
By default one lab and two of its wrong solutions by SEED, without co-simulation (its SM takes minutes to build); all with TEST_ALL=1.
Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import argparse
import concurrent.futures
import contextlib
import csv
import io
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import grade  # noqa: E402
import grade_all  # noqa: E402
import crowd_test  # noqa: E402
import program_test  # noqa: E402
import proof_test  # noqa: E402
from program_test import part_kernels, part_policies  # noqa: E402, F401 pylint: disable=unused-import
import sandbox  # noqa: E402
import shim  # noqa: E402
import skeletons  # noqa: E402
import source  # noqa: E402
from suite import ALL, SEED, check, finish  # noqa: E402

ROOT = sandbox.ROOT


def wrong(lab):
    """Rows of the lab's wrong solutions; lost: numbers of the checks, from 1, that they fail."""
    rows = grade.table(HERE / f"wrong/{lab}.tsv", "name", "points", "lost", "what", "old", "new")
    for r in rows:
        r["points"], r["old"], r["new"] = int(r["points"]), r["old"].replace("\\n", "\n"), r["new"].replace("\\n", "\n")
        r["lost"] = [int(x) for x in r["lost"].split(",")] if r["lost"] != "-" else []
    return rows


def text_of(lab, row):
    return reference(lab).replace(row["old"], row["new"])


def reference(lab):
    """Text of the solution that has all points."""
    return grade.judge_of(lab).reference(grade.labs()[lab]).read_text()


def part_tables(_tmp):
    for lab, r in grade.labs().items():
        cs = grade.checks(lab)
        check(sum(c["points"] for c in cs) == 100 and all(hasattr(grade.judge_of(lab).Grading, "check_" + c["kind"]) for c in cs), f"{lab}: checks of 100 points", cs)
        check((grade.LABS / r["folder"] / "README.md").exists(), f"{lab}: a hand-out")
        rows, own = wrong(lab), reference(lab)
        bad = [w["name"] for w in rows if own.count(w["old"]) != 1]
        check(len(rows) >= 8 and not bad, f"{lab}: {len(rows)} wrong solutions fit the module", bad)
        bad = [w["name"] for w in rows if w["points"] != 100 - sum(cs[n - 1]["points"] for n in w["lost"])]
        check(not bad, f"{lab}: their points are those of their checks", bad)
    old = [str(p.relative_to(ROOT)) for p in skeletons.stale()]
    check(not old, "skeletons are up to date", old)


CHEATS = {   # what stands in the body, and a word of the answer
    "$display": ('initial $display("[  PASSED  ] 6 tests.");', "a string"), "$finish": ("always_ff @(posedge clk_i) $finish;", "'$finish'"),
    "$system": ("always_comb $system(x);", "'$system'"), "$c": ("assign y = $c(1);", "'$c'"), "$readmemh": ("logic [7:0] m [4]; always_ff @(posedge clk_i) $readmemh(a, m);", "'$readmemh'"),
    "include": ("`include <rtl/sched/sm_barrier.sv>", "directive"), "a string": ('`include "x"', "a string"), "define": ("`define X 1", "directive"), "ifdef": ("`ifdef VERILATOR\n`endif", "directive"),
    "DPI": ('import "DPI-C" function void exit(int x);', "a string"), "package import": ("import sm_pkg::*;", "'import'"), "bind": ("bind barrier_bench my_x u ();", "'bind'"),
    "upward name": ("assign red_valid_o = barrier_bench.red_valid_o;", "'barrier_bench.'"), "root": ("assign red_o = $root.x;", "'$root'"),
    "directive in a comment": ("/* verilator lint_off UNUSED */", "in a comment"), "second comment": ("logic a; /*verilator public_flat*/", "in a comment"),
    "attribute": ("(* keep *) logic a;", "attribute"), "initial": ("initial a = 1;", "'initial'"), "delay": ("assign #1 a = b;", "a delay"),
    "endless": ("always_comb while (1) a = b;", "'while'"), "forever": ("always forever a = b;", "'forever'"), "force": ("always_comb force a = b;", "'force'"),
    "escaped": ("logic \\a ;", "escaped"), "class": ("class c; endclass", "'class'"), "assert": ("assert property (a);", "'assert'"), "inout": ("inout wire x;", "'inout'"),
    "wired": ("wand x;", "'wand'")}


def body(text, module="sm_barrier"):
    own = shim.Header(shim.source_of(module), module)
    return own.text + text + "\nendmodule\n"


def part_words(tmp):
    for name, (text, word) in CHEATS.items():
        why = source.judge(body(text), "sm_barrier")
        check(why and word in why and "line " in why, f"refused: {name}", why)
    own = shim.source_of("sm_barrier").read_text()
    more = {"harness module": "module barrier_bench; endmodule\n", "project module": "module sm_fifo; endmodule\n", "package": "package sm_pkg; endpackage\n",
            "outside of modules": "logic x;\n", "the module twice": own, "an open module": "module my_x;\n"}
    for name, text in more.items():
        check(source.judge(own + text, "sm_barrier"), f"refused: {name}")
    check(source.judge(own.replace("module sm_barrier", "module my_barrier"), "sm_barrier"), "refused: another name")
    check(source.judge(own + "module my_help (input logic a_i, output logic b_o);\n  assign b_o = a_i; // 屏障\nendmodule\n", "sm_barrier") is None, "taken: a helper my_help, Chinese in a comment")
    for r in grade.labs().values():
        if r["how"] in ("door", "plugin"):
            check(grade.judge_of(r["lab"]).judge(shim.source_of(r["module"]).read_text(), r) is None, f"taken: {r['module']}.sv of the project")
    for name, code in (("another policy", "if (WarpSlots == 8) begin : g sm_sched_gcaws #(.WarpSlots(8)) u_r (.*); end"), ("what the proof compares with", "ref_sm_barrier u_r (.*);"),
                       ("the harness of a proof", "formal_top u_f (.*);"), ("the module behind the door", "lab_sm_barrier u_l (.*);")):
        why = source.judge(body(code), "sm_barrier")
        check(why and "a module of the project" in why and "line " in why, f"refused: {name} in a branch that lint does not see", why)
    for name, data in {"empty": b" \n", "long": b"/" * 300000, "zero byte": b"module\0", "not UTF-8": b"// \xff\xfe\n"}.items():
        (tmp / "x.sv").write_bytes(data)
        check(source.read(tmp / "x.sv")[1], f"refused: {name}")
    for name, c in {"a lone carriage return": "\r", "a form feed": "\f", "U+2028": "\u2028", "a character that turns the line": "\u202e", "U+0085": "\x85"}.items():
        for lab, file in (("barrier", "x.sv"), ("first", "x.cu"), ("gigathread", "x.c")):
            (tmp / file).write_text(f"module a;\r\n// a comment {c} initial\r\nendmodule\n", newline="")
            why = grade.judge_of(lab).read(tmp / file)[1]
            check(why and why.startswith("line 2: character U+"), f"lab {lab} refuses {name}, in a comment too", why)
    (tmp / "link.sv").symlink_to("/etc/hostname")
    check("link" in (source.read(tmp / "link.sv")[1] or ""), "refused: a link")
    check(source.read(tmp)[1] and source.read(tmp / "none.sv")[1], "refused: a folder, no file")


def part_yosys(tmp):
    readme = (grade.LABS / "README.md").read_text()
    for r in grade.table(HERE / "yosys.tsv", "what", "bad", "good"):
        said = []
        for kind in ("bad", "good"):
            (tmp / "x.sv").write_text(f"module x (input logic clk_i, input logic [3:0] a, output logic [3:0] y);\n{r[kind]}\nendmodule\n")
            p = subprocess.run(["yosys", "-q", "-p", f"read_verilog -sv {tmp}/x.sv; hierarchy -check -top x; proc"],
                               capture_output=True, check=False)
            said.append(p.returncode)
        check(f"\n| {r['what']} | " in readme and said[0] != 0 and said[1] == 0, f"as README says, not read: {r['what']}", said)


def part_sandbox(tmp):
    box = tmp / "box"
    sandbox.need()
    box.mkdir()
    secret = ROOT / "build/labs/probe/secret"
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_text("x")

    def sh(text, seconds=5):
        return sandbox.run(["bash", "-c", text], box, seconds)
    check(sh(f"echo a > {box}/x && cat {box}/x").out == "a\n", "writes into its folder")
    for place in (ROOT / "rtl/x", ROOT / "testbench/labs/checks.tsv", "/usr/x", "/etc/x"):
        check(sh(f"echo a >> {place}").rc != 0, f"does not write {pathlib.Path(place).name}")
    with tempfile.TemporaryDirectory() as other:
        outside = pathlib.Path(other) / "secret"
        outside.write_text("x")
        check(all(p.exists() and sh(f"cat {p}").rc != 0 for p in (secret, outside)), "does not see other folders")
    check(sh("exec 3<>/dev/tcp/127.0.0.1/22").rc != 0 and sh("cat /proc/net/dev").out.count(":") <= 1, "has no network", sh("cat /proc/net/dev").out)
    check(len([p for p in sh("ls /proc").out.split() if p.isdigit()]) <= 4, "sees no other processes")
    os.environ["LAB_SECRET"] = "s3cret"
    check("s3cret" not in sh("env").out, "does not see the environment")
    r = sh("while :; do :; done", 1)
    check(r.late(), "a loop is ended by time", r.ending())
    r = sh(f"python3 -c 'bytearray({sandbox.MEMORY})'", 20)
    check(r.rc != 0, "memory is limited", r.ending())
    r = sh(f"head -c {sandbox.FILE + 1} /dev/zero > {box}/big", 20)
    check(r.rc != 0 and (box / "big").stat().st_size <= sandbox.FILE, "a file is limited", r.ending())
    r = sh(f"for i in 1 2 3 4; do head -c {sandbox.SCRATCH // 3} /dev/zero > /tmp/$i || exit 7; done", 20)
    check(r.rc == 7 and "No space left" in r.out, "all files of /tmp together are limited", r.out)
    check(sh("echo a > /dev/shm/x").rc != 0, "does not write /dev/shm")
    p = subprocess.run([*sandbox.words(box, keep=True), "--", "bash", "-c", f"cat {box}/x; echo b > {box}/y"], capture_output=True, text=True, check=False)
    check(p.stdout == "a\n" and p.returncode != 0, "a folder that is kept is only read", p.stdout + p.stderr)
    r = sh("echo std::bad_alloc; kill -ABRT $$")
    check("more memory than the 6 GiB" in r.ending(), "a want of memory is told", r.ending())
    empty = tmp / "bin"
    empty.mkdir()
    p = subprocess.run([sys.executable, HERE / "grade.py", "barrier", shim.source_of("sm_barrier")], env={"PATH": str(empty)}, capture_output=True, text=True, check=False)
    check(p.returncode == 2 and "bubblewrap; remedy" not in p.stderr and "bwrap" in p.stderr and "remedy: " in p.stderr, "without bubblewrap: refused with a sentence", p.stderr)


def part_make(tmp):
    for words, want in ((["lab-grade"], "LAB or FILE is missing"), (["lab-grade", "LAB=bariere", "FILE=x"], "one of:"), (["lab-grade", "LAB=barrier", "FILE=/none.sv"], "no file"),
                        (["lab-grade-all", "LAB=barrier"], "LAB or DIR is missing"), (["lab-grade-all", "LAB=barrier", "DIR=/none"], "no folder"),
                        (["lab-grade-all", "LAB=barrier", f"DIR={tmp}", "JOBS=abc"], "error: 'abc' jobs; remedy: "),
                        (["lab-grade-all", "LAB=barrier", f"DIR={tmp}", "JOBS=0"], "error: '0' jobs; remedy: "),
                        (["lab-grade-all", "LAB=barrier", f"DIR={tmp}"], "no submission"),
                        (["lab-grade", "LAB=barrier", "FILE=/it's a \"$(touch {tmp}/x)\"; exit 0"], "no file"),
                        (["lab-grade", "LAB='; exit 0", "FILE=x"], "one of:"),
                        (["lab-grade-all", "LAB=barrier", "DIR=/it's a \"$(touch x)\"", "JOBS=2"], "no folder")):
        p = subprocess.run(["make", "-s", *words], cwd=ROOT, capture_output=True, text=True, check=False)
        check(p.returncode != 0 and want in p.stderr and "Traceback" not in p.stderr, f"make {' '.join(words[:3])[:60]}: {want}", p.stderr + p.stdout)
    mine = tmp / "it's my \"own\" $(HOME).sv"   # such a name, twice at once: refused for its text, before anything is built
    mine.write_text("module sm_barrier; initial x = 1; endmodule\n")
    calls = [subprocess.Popen(["make", "-s", "lab-grade", "LAB=barrier", f"FILE={mine}"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) for _ in range(2)]
    said = [p.communicate()[0] for p in calls]
    check([p.returncode for p in calls] == [0, 0] and all("line 1: 'initial'" in s and "Traceback" not in s for s in said),
          "two calls at once for a file with quotes in its name: both refuse its text", "\n".join(said))
    with sandbox.Lock(tmp / "out", "holds it"):
        p = subprocess.Popen([HERE / "grade.py", "barrier", mine, "--out", tmp / "out"], cwd=ROOT, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        line = p.stderr.readline()
        check(line.startswith("waiting: ") and p.poll() is None and not (tmp / "out").exists(),
              "a call waits for the one that uses its folder", line)
    said = p.communicate()
    check(p.returncode == 0 and (tmp / "out/feedback.md").exists(), "and goes on after it", said)


def part_class(tmp):
    lab = "lrr"
    folder, out = tmp / "class", tmp / "out"
    folder.mkdir()
    own = shim.source_of("sm_sched_lrr").read_text()
    (folder / "prints.sv").write_text(own.replace("  logic unused_door;", '  initial $display("100");\n  logic unused_door;'))
    (folder / "syntax.sv").write_text(own.replace("endmodule", "endmodul"))
    (folder / "link.sv").symlink_to("/etc/passwd")
    (folder / "nested").mkdir()
    (folder / "nested" / "answer.sv").write_text("module sm_sched_lrr; endmodule\nmodule sm_fifo; endmodule\n")
    (folder / "nothing").mkdir()
    (folder / "blank, 'name' <b>.sv").write_text("")
    (folder / "good.sv").write_text(own)
    (folder / "up.SV").write_text(own)
    (folder / os.fsdecode(b"bytes\xff.sv")).write_text(own)
    (folder / "folder").symlink_to("nothing")
    args = [HERE / "grade_all.py", lab, folder, "--jobs", "2", "--out", out, "--skip", "plugin"]
    env = dict(os.environ)
    p = subprocess.run(args, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(open(out / "grades.csv", newline="", encoding="utf-8"))) if (out / "grades.csv").exists() else []
    check(p.returncode == 0 and len(rows) == 10 and all(r["points"] == "0" and r["remark"] for r in rows if r["name"] not in ("good", "bytes_")), "eight submissions that cannot be graded: 0 points and why", p.stdout + p.stderr)
    check([r["points"] for r in rows if r["name"] == "good"] == ["85"], "one that is right, without the plug-in: 85 points", rows)
    check([(r["points"], r["file"]) for r in rows if r["name"] == "bytes_"] == [("85", "bytes\\xff.sv")], "a file whose name is no UTF-8: graded like another", rows)
    check("10 of 10" in p.stdout and [r["sha256"] for r in rows if r["name"] == "link"] == [""], "all are counted; a link that was not read has no hash", p.stdout)
    check(all((out / "pages" / f"{r['name']}.md").stat().st_size > 50 for r in rows), "a page for each")
    p = subprocess.run(args, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    check(p.stdout.count("(as before)") == 7, "a second call uses the results of the first", p.stdout)
    (folder / "syntax.sv").write_text("module sm_sched_lrr;\n`define A\nendmodule\n")
    p = subprocess.run(args, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    check(p.stdout.count("(as before)") == 6, "a changed file is graded again", p.stdout)
    before, grade.grade = grade.grade, lambda lab, path, *rest: 1 // 0 if path.stem == "odd" else before(lab, path, *rest)
    (folder / "odd.sv").write_text(own + "// odd\n")
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            found, bad = grade_all.submissions(folder, (".sv",))
            failed = grade_all.grade_class(argparse.Namespace(lab=lab, skip="plugin", jobs="2"), out, found, bad)
    finally:
        grade.grade = before
    rows = {r["name"]: r for r in csv.DictReader(open(out / "grades.csv", newline="", encoding="utf-8"))}
    check(failed == 1 and len(rows) == 11 and "not judged" in rows["odd"]["remark"] and rows["good"]["points"] == "85",
          "one at which the grader itself fails has a remark, and the others their points", rows.get("odd"))


def part_crowd(tmp):
    crowd_test.crowd(tmp, reference(crowd_test.LAB), [text_of(crowd_test.LAB, w) for w in wrong(crowd_test.LAB)])


def part_limits(tmp):
    """What would take the tools for ever ends within the budget."""
    own = reference("barrier")
    for name, (old, new), word in (("latch", ("    wake = '0;\n", "\n"), "a latch"),):
        check(own.count(old) == 1, f"{name}: the change fits the module")
        (tmp / "x.sv").write_text(own.replace(old, new))
        r = grade.grade("barrier", tmp / "x.sv", tmp / "grade", ("cosim", "unit"))
        synth = next(c for c in r["checks"] if c["kind"] == "synth")
        check(synth["points"] == 0 and word in synth["reason"] and 0 < r["seconds"] < 30,
              f"{name}: told after {r['seconds']} s of processor time (30 at most)", synth)
    for lab in ("barrier", "gto", "own"):
        own, port = reference(lab), "fault_o" if lab == "barrier" else "pick_slot_o"
        more, wider = own.replace("    input  logic ", "    input  logic mine_i,\n    input  logic ", 1), own.replace("] older_i", ":0] older_i")
        for name, text in (("another name", own.replace(port, "my" + port)), ("a port too many", more), ("a narrow port", wider.replace("WarpSlots*WarpSlots-1:0:0", "WarpSlots-1:0"))):
            if text == own:
                continue
            (tmp / "x.sv").write_text(text)
            r = grade.grade(lab, tmp / "x.sv", tmp / "grade", ("cosim", "unit", "plugin", "formal", "programs", "faster"))
            check(r["points"] == 0 and r["refused"], f"{lab}: {name}: no points: {r['refused']}", r["checks"][:2])
    text = grade.judge_of("barrier").told("Expected equality of these values:\x1f  got\x1f    Which is: 3\x1f  without\x1f    Which is: 4\x1fhere")
    check(text == "got      3\nexpected without is 4\nat       here", "a value named got is told once", text)
    g = grade.judge_of("barrier").Grading("barrier", grade.labs()["barrier"], "", tmp, 3)
    g.run = lambda *_args, **_more: sandbox.Result(None, "", 60)   # a solver that is not done
    why = g.check_formal("8")
    check(isinstance(why, str) and "nothing is proved" in why, "a proof that is not done in time gives no points, and says so", why)
    del g.run
    r = g.run(["bash", "-c", "for i in 1 2 3 4; do (while :; do :; done) & done; wait"], 60)
    check(r.late() and 3 <= r.seconds < 6 and g.left() <= 0, f"four processes without an end: the budget of 3 s ends them together, {r.seconds:.1f} s")
    points, why = grade.attempt(g, {"kind": "lint", "points": 5, "argument": "-"}, None)
    check(points == 0 and "used up" in why, "a check beyond the budget has no points", why)


def part_proofs(tmp):
    able = [lab for lab in grade.labs() if any(c["kind"] == "formal" for c in grade.checks(lab))]

    def failing(lab):
        kinds = ["-", *(c["kind"] for c in grade.checks(lab))]
        row = next(w for w in wrong(lab) if "formal" in (lost := [kinds[n] for n in w["lost"]]) and not {"lint", "synth"} & {*lost})
        return row["name"], text_of(lab, row)
    proof_test.proofs(tmp, able if ALL else random.Random(SEED).sample(able, 1), failing)


CONTRADICTIONS = {   # what in the shape of the proof alone (four slots), whatever the inputs, would leave nothing to disprove
    "a loop": "logic [1:0] a, b; assign a = b + 2'd1; assign b = a; assign x = a[0];",
    "two drivers": "assign x = ^eligible_i; assign x = ~^eligible_i;",
    "an input driven": "assign eligible_i[3:1] = 3'd0; assign x = 1'b0;"}


def part_contradictions(tmp):
    for lab in ("lrr", "own"):
        row = grade.labs()[lab]
        empty = (grade.LABS / row["folder"] / f"{row['module']}.sv").read_text()
        for n, (name, body_of) in enumerate(CONTRADICTIONS.items()):
            branch = f"  logic x;\n  if (WarpSlots == 4) begin : g_a\n    {body_of}\n  end else begin : g_b\n    assign x = 1'b0;\n  end\n"
            text = empty.replace("  assign pick_valid_o = '0;\n", branch + "  assign pick_valid_o = x;\n")
            (tmp / f"{lab}{n}").mkdir()
            why, _ = proof_test.proof(lab, text, tmp / f"{lab}{n}")
            check(text != empty and "the design contradicts itself" in why, f"{lab}: no proof from {name}", why)
    row = grade.labs()["lrr"]
    text = (grade.LABS / row["folder"] / f"{row['module']}.sv").read_text()
    text = text.replace("  assign pick_valid_o = '0;\n", "  logic a;\n  my_inc u_inc (.x_i(a), .y_o(a));\n  assign pick_valid_o = a;\n")
    text += "\nmodule my_inc (\n    input  logic x_i,\n    output logic y_o\n);\n  assign y_o = !x_i;\nendmodule\n"
    g = grade.judge_of("lrr").Grading("lrr", row, text, tmp, grade.BUDGET)
    why = g.check_synth("-") or ""
    check("loop" in why, "synth: a loop through a module of its own", why)


def part_skeletons(tmp):
    for lab, row in grade.labs().items():
        if row["how"] not in ("door", "plugin", "own"):
            continue
        text = (grade.LABS / row["folder"] / f"{row['module']}.sv").read_text()
        for name, mine in (("as it is", text), ("with 1 for 0", text.replace("= '0;", "= '1;")), ("with other blanks", text.replace("endmodule", "\n  // mine\nendmodule"))):
            (tmp / "x.sv").write_text(mine)
            r = grade.grade(lab, tmp / "x.sv", tmp / "grade")
            check(r["points"] == 0 and "nothing is built" in r["refused"], f"{lab}: the skeleton, {name}: 0 points", r["refused"])


def part_points(tmp):
    rng = random.Random(SEED)
    chosen = list(grade.labs()) if ALL else [rng.choice(list(grade.labs()))]
    for lab in chosen:
        grade.prepare(lab, ALL)
        rows, cs = wrong(lab), grade.checks(lab)
        if not ALL:
            print(f"{lab}: without co-simulation, which TEST_ALL=1 has")
        skip = () if ALL else ("cosim", "plugin", "programs", "faster")
        tries = [dict(name="reference", lost=[], text=reference(lab), points=100)]
        tries += [dict(w, text=text_of(lab, w)) for w in (rows if ALL else rng.sample(rows, 2))]

        def one(t, lab=lab):
            path = tmp / f"{t['name']}{grade.judge_of(lab).SUFFIXES[0]}"
            path.write_text(program_test.filled(lab, t["text"], tmp / "own" / t["name"]))
            return grade.grade(lab, path, tmp / "grade" / t["name"], skip)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(one, tries))
        for t, r in zip(tries, results):
            lost = [n + 1 for n, c in enumerate(r["checks"]) if c["points"] < c["of"] and cs[n]["kind"] not in skip]
            want = [n for n in t["lost"] if cs[n - 1]["kind"] not in skip]
            check(lost == want, f"{lab}: {t['name']}: {t['points']} points, loses {want or 'nothing'}", "\n".join(f"{n + 1} {c['reason']}" for n, c in enumerate(r["checks"])))
            for kind in sorted({cs[n - 1]["kind"] for n in lost} & {"unit", "formal"}):
                if not r["refused"] and not any("no verdict" in c["reason"] or "not tried" in c["reason"] for c in r["checks"]):
                    head = tmp / "grade" / t["name"] / r["waves"].get(kind, "none")
                    check(head.exists() and "$enddefinitions" in head.read_text(errors="replace")[:200000], f"{lab}: {t['name']}: a waveform of kind {kind}")


def main(words):
    parts = {n[5:]: f for n, f in globals().items() if n.startswith("part_")}
    bad = [w for w in words if w not in parts]
    if bad:
        sys.exit(grade.usage(f"no part '{bad[0]}'", "one of " + " ".join(parts)))
    for name, f in parts.items():
        if not words or name in words:
            with tempfile.TemporaryDirectory(dir=ROOT / "build/labs") as tmp:
                try:
                    f(pathlib.Path(tmp))
                except sandbox.Refused as e:
                    check(False, f"{name}: {e}")
    return finish()


if __name__ == "__main__":
    (ROOT / "build/labs").mkdir(parents=True, exist_ok=True)
    subprocess.run([ROOT / "scripts/deps.sh", "labs"], cwd=ROOT, check=False)
    sys.exit(main(sys.argv[1:]))
