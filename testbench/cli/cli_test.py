#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The words of `warpglass`: every command, its options, what is made from their tables. Run from the root after `make build`.

usage: testbench/cli/cli_test.py [PART ...]
parts:
  help    every command has --help with an example; every option of it stands in the manual page and in bash's completion
  wrong   a misspelt command or option of each command is refused with the nearest, nothing is printed on stdout
  man     the manual page has only macros of man(7)
  bash    the completion completes: commands, options, values, presets as they are now
  json    presets and occupancy as documents: the values that the tables have
  files   no command writes over a file that it reads; nothing is left of a run that is refused; a document that breaks its schema is refused by its place
  doctor  finds what is wrong, and is content with what is right; schedulers names all of isa/cfg.def
  tools   the other tools of build/bin: what is named and is not there, folders and bytes that are no text, PTX versions
  sets    keys of a preset at the ends of their ranges and beside them, a seeded sample (all with TEST_ALL=1): the run ends, or is refused in a sentence
  clock   the back end func has none: --counters shows no cycles, caches or traffic for it, and its faults have no cycle
  readme  where the README's table lists the words of an option, it lists all
  presets lanes are those that the preset leaves of its shape
  copied  executables of a copied tree run that tree's run-time library; one outside of the tree the library of its wgcc
  missing  what the settings name and is not there (a plug-in, an SM, golden kernels) or is no such thing: exit code 2 likewise
  together  settings that do not go with each other or with the machine are refused as wrong use (2), before the program begins
  closed  stdin, stdout, stderr closed: what is written into files is whole, and an output that cannot be written is exit code 1
Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, ROOT, SEED, WG, check, program, sh_apart  # noqa: E402


def sh(*args, **env):
    """(exit code, stdout, stderr)"""
    return sh_apart(args, timeout=120, **env)


def commands():
    """Every command, those of sweep as two words."""
    names = re.findall(r"^  ([a-z]+) +\S", sh(WG, "--help")[1].split("\nexamples:")[0], re.M)
    words = re.findall(r"^  ([a-z]+) +\S", sh(WG, "sweep", "--help")[1], re.M)
    return [[n] for n in names if n != "sweep"] + [["sweep", w] for w in words]


def options(command):
    return re.findall(r"^  (--?[a-zA-Z_-]+)", sh(WG, *command, "--help")[1], re.M)


def part_help():
    found = commands()
    check(len(found) >= 17 and ["run"] in found and ["sweep", "merge"] in found, f"{len(found)} commands", str(found))
    man, bash = sh(WG, "--man")[1], sh(WG, "--completion")[1]
    for c in found:
        code, out, err = sh(WG, *c, "--help")
        name = " ".join(c)
        check(code == 0 and out.startswith(f"usage: warpglass {name}") and "Example" in out and not err and max(map(len, out.splitlines())) < 160,
              f"{name} --help: usage and an example", out + err)
        page = man.split(f"\n.SS {name}\n")[-1].split("\n.SS ")[0]
        case = bash.split(f"\n    '{name}')\n")[-1].split("\n    '")[0]
        lost = [o for o in options(c) if f".B {o.replace('-', chr(92) + '-')}" not in page or f"{o} " not in case]
        check(f"\n.SS {name}\n" in man and f"\n    '{name}')\n" in bash and not lost, f"  {len(options(c))} options in page and completion", str(lost))
        check(sh(WG, *c, "-h")[1] == out, "  -h is the same")


    keys = re.search(r"kKeys\[\] = \{(.*?)NULL", (ROOT / "cosim/session_cfg.c").read_text(), re.S)[1]
    keys = re.findall(r'"(\w+)"', keys)
    lost = [k for k in keys if not {"--" + k, "--" + k.replace("_", "-")} & set(options(["run"]))]
    check(len(keys) > 25 and not lost, f"{len(keys)} settings of a session are options of run", str(lost))
    lost = [o for o in re.findall(r'^WG_SETTING\("(\w+)"', (ROOT / "cosim/cli/cli_settings.def").read_text(), re.M) if o not in keys]
    check(not lost, "and every line of cli_settings.def is a setting", str(lost))


def part_wrong():
    for word, near in (("rnu", "run"), ("swep", "sweep"), ("compre", "compare"), ("docter", "doctor"), ("schedulrs", "schedulers")):
        code, out, err = sh(WG, word)
        check(code == 2 and not out and f"did you mean '{near}'" in err, f"{word}: {near}", out + err)
    code, out, err = sh(WG, "sweep", "mrege")
    check(code == 2 and not out and "did you mean 'merge'" in err, "sweep mrege: merge", out + err)
    for c in commands():
        long = [o for o in options(c) if len(o) > 4] or ["--help"]
        for o in long:
            bad = o[:-2] + o[-1] + o[-2] if o[-1] != o[-2] else o + "x"
            if bad in long:
                continue
            code, out, err = sh(WG, *c, bad, "x")
            check(code == 2 and not out and f"unknown option '{bad}'" in err and "did you mean '" in err, f"{' '.join(c)} {bad}", out + err)
        values = [m for m in re.findall(r"^  (--[a-z-]+) [A-Z]", sh(WG, *c, "--help")[1], re.M)]
        if values:
            code, out, err = sh(WG, *c, values[0])
            check(code == 2 and not out and f"option '{values[0]}' needs a value" in err, f"{' '.join(c)} {values[0]}: needs a value", out + err)


def part_man():
    code, out, _ = sh(WG, "--man")
    known = {".TH", ".SH", ".SS", ".TP", ".B", ".I", ".RI", ".PP", ".br", ".nf", ".fi", '.\\"'}
    used = {line.split(" ")[0] for line in out.splitlines() if line[:1] in (".", "'")}
    check(code == 0 and used <= known and out.count("\n.nf\n") == out.count("\n.fi\n") > 5, "macros of man(7), literal text begun and ended", str(used - known))
    check(not re.search(r"(?<!\\)-", re.sub(r"^\.\\\".*|^\.TH.*", "", out, flags=re.M)), "hyphens are hyphens")
    check((ROOT / "build/share/man/man1/warpglass.1").read_text() == out, "make build leaves it under build/share")
    check((ROOT / "build/share/bash-completion/completions/warpglass").read_text() == sh(WG, "--completion")[1], "and the completion")


def part_bash(tmp):
    script = tmp / "complete.sh"
    script.write_text(f"source <('{WG}' --completion)\n" 'COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()\n_warpglass\n' 'printf "%s\\n" "${COMPREPLY[@]}"\n')
    presets = sorted(p.stem for p in (ROOT / "configs").glob("*.cfg"))
    (tmp / "store.db").write_text("")
    for words, want in ((["comp"], ["compare"]), (["run", "--pre"], ["--preset"]), (["run", "--preset", ""], presets), (["run", "--preset", "ti"], ["tiny"]),
                        (["run", "--dep", ""], ["scoreboard", "control-bits"]), (["sweep", "ex"], ["export"]), (["sweep", "run", "--time"], ["--timeout"]),
                        (["sweep", "run", "--diverge", "i"], ["its"]), (["presets", "sh"], ["show"]), (["compare", f"{tmp}/st"], [f"{tmp}/store.db"]),
                        (["run", "--blocks", "lc"], ["lcs"]), (["run", "--seed", ""], [""])):
        code, out, err = sh("bash", script, WG, *words)
        check(code == 0 and sorted(out.splitlines()) == sorted(want) and not err, f"{' '.join(words)}: {' '.join(want)}", out + err)


def part_json():
    doc = json.loads(sh(WG, "presets", "--json")[1])
    names = sorted(p.stem for p in (ROOT / "configs").glob("*.cfg"))
    check(doc["schema"] == "warpglass-presets-1" and [p["name"] for p in doc["presets"]] == names, "presets --json: all of configs/", str(doc)[:300])
    doc = json.loads(sh(WG, "presets", "show", "--json", "tiny+sm.mshrs=4+sm.scheduler_knobs=1,2,3,4")[1])["preset"]["keys"]
    check(doc["sm"]["mshrs"] == 4 and doc["sm"]["scheduler_knobs"] == [1, 2, 3, 4] and doc["l2"]["slice_hash"] is True and doc["hbm"]["tRFC_clocks"] == 229 and
          doc["sm"]["scheduler"] == "lrr", "presets show --json: values after overrides", str(doc)[:600])
    code, out, err = sh(WG, "presets", "show", "tiny+sm.mshrs=4+sm.scheduler=gto")
    lines = [x.split(None, 2) for x in out.splitlines()]
    check(code == 0 and ["sm.mshrs", "4", "set by the name; the file says 16"] in lines and ["sm.scheduler", '"gto"', 'set by the name; the file says "lrr"'] in lines
          and out.count("set by the name") == 2, "presets show: values after overrides, and the file's", out)
    for name, text in (("tiny+sm.mshrx=8", "did you mean 'sm.mshrs'"), ("tiny+sm.scheduler=gtp", "did you mean 'gto'"), ("tinny+sm.mshrs=8", "did you mean 'tiny'")):
        code, out, err = sh(WG, "presets", "show", name)
        check(code == 2 and not out and text in err, f"presets show {name}: {text}", out + err)
    code, out, err = sh(WG, "presets", "show", "--json", "tinny")
    check(code == 2 and not out and "did you mean 'tiny'" in err, "a preset that is not there", out + err)
    doc = json.loads(sh(WG, "occupancy", "--json", "--preset", "v100", "--regs", "64", "--threads", "256")[1])["kernels"][0]
    text = sh(WG, "occupancy", "--preset", "v100", "--regs", "64", "--threads", "256")[1]
    check(f"resident: {doc['resident_blocks']} blocks, {doc['resident_warps']} of {doc['max_warps']} warps" in text and doc["limiter"] == "registers" and
          doc["occupancy_percent"] == 50 and doc["remedy"] in text, "occupancy --json: the table's figures", str(doc) + text)
    code, out, err = sh(WG, "occupancy", "--json", "--rank", "--regs", "64")
    check(code == 2 and not out and "contradict" in err, "--json and --rank", out + err)


def kept(what, path, want, *args):
    """The command is refused with exit code 2 and a remedy, and the file holds what it held."""
    before = path.read_bytes()
    code, _, err = sh(*args)
    ok = code in (1, 2) and want in err and "remedy: another" in err and path.read_bytes() == before
    check(ok, f"{what} is refused and the file is kept", f"{code}: {err[:300]}")


def part_files(tmp):
    lost = "would be lost"
    prog, store, doc, source = tmp / "prog", tmp / "s.db", tmp / "r.json", tmp / "x.cu"
    shutil.copy(ROOT / "build/programs/reduce/reduce", prog)
    run = [WG, "run", "--backend", "func", "--preset", "tiny"]
    for opt in ("--json", "--timeline", "--findings", "--blocklog", "--events", "--trace"):
        kept(f"run {opt} PROGRAM", prog, lost, *run, opt, prog, prog, 256)
    kept("run --json=PROGRAM under another name", prog, lost, *run, f"--json={tmp}/./prog", prog, 256)
    (tmp / "data").write_text("256")
    kept("run --json FILE of the program's arguments", tmp / "data", lost, *run, "--json", tmp / "data", prog, tmp / "data")
    code, _, err = sh(*run, "--json", tmp / "two", "--timeline", tmp / "two", prog, 256)
    check(code == 2 and "another option writes too" in err and not (tmp / "two").exists(), "two options that write one file are refused", err)
    code, _, err = sh(*run, "--json", tmp / "a", "--json", doc, "--timeline", "/dev/null", "--findings", "/dev/null", prog, 256)
    check(code == 0 and doc.exists() and not (tmp / "a").exists(), "an option again is no second file, and devices may be named twice", err)
    code, _, err = sh(*run, "--json", tmp / "left", "--timeline", tmp / "none" / "x", prog, 256)
    check(code == 2 and not (tmp / "left").exists(), "no file is left of a run that is refused", err)
    kept("report --html of its own file", doc, lost, WG, "report", doc, "--html", doc)
    code, _, err = sh(WG, "sweep", "run", "--store", store, "--backend", "func", "--preset", "tiny", "--sched", "lrr gto", prog, 256)
    check(code == 0, "a store to lose", err)
    for words in (["compare", store, "--metric", "warp_insts", "--baseline", "sched=lrr", "--csv"], ["compare", "--baseline=sched=lrr", store, "--svg"],
                  ["compare", "--baseline=sched=lrr", store, "--html"], ["sweep", "export", store, "--csv"]):
        kept(f"{words[0]} {words[-1]} STORE", store, lost, WG, *words, store)
    for words in (["report", doc, "--html"], ["compare", store, "--metric", "warp_insts", "--baseline", "sched=lrr", "--svg"],
                  ["compare", store, "--metric", "warp_insts", "--baseline", "sched=lrr", "--html"], ["sweep", "export", store, "--all", "--csv"]):
        code, _, err = sh("bash", "-c", 'ulimit -f 1; exec "$@"', "-", WG, *words, tmp / "full")
        check(code in (1, 2) and "cannot write" in err and "File too large" in err and not (tmp / "full").exists(), f"{words[0]} {words[-1]} on a full disk leaves no half",
              f"{code}: {err[:300]}")
        (tmp / "old").write_text("old\n")
        code, _, err = sh("bash", "-c", 'ulimit -f 1; exec "$@"', "-", WG, *words, tmp / "old")
        check(code in (1, 2) and (tmp / "old").read_text() == "old\n" and not list(tmp.glob("*.part")), "  and of an older file all", f"{code}: {err[:300]}")
    code, _, err = sh("bash", "-c", 'ulimit -f 1; exec "$@"', "-", *run, "/bin/sh", "-c", f"head -c 5000 {prog} > {tmp}/five")
    check(code == 1 and (tmp / "five").stat().st_size == 1024, "a program has the signal of such a limit as it was", f"{code}: {err[:300]}")
    code, out, err = sh("bash", "-c", 'ulimit -f 1; exec "$@"', "-", *run, "/bin/sh", "-c", f"exec head -c 5000 {prog} > {tmp}/five")
    check(code == 1 and "killed by signal 25" in out, "and is killed by it", f"{code}: {out[-300:]}")
    shutil.copy(ROOT / "programs/asm/bar_arms.s", tmp / "x.s")
    kept("wgas -o its input", tmp / "x.s", lost, WG.parent / "wgas", tmp / "x.s", "-o", tmp / "x.s")
    source.write_text("__global__ void k(int *o) { o[0] = 1; }\nint main() { return 0; }\n")
    kept("wgcc -o its input", source, lost, WG.parent / "wgcc", source, "-o", tmp / "." / "x.cu")
    code, _, err = sh(WG.parent / "wgcc", "-ptx", source, "-o", tmp / "x.ptx")
    check(code == 0, "PTX text", err[:300])
    kept("wgptx -o its input", tmp / "x.ptx", lost, WG.parent / "wgptx", tmp / "x.ptx", "-o", tmp / "x.ptx")
    kept("ptx -o its input", tmp / "x.ptx", lost, WG, "ptx", tmp / "x.ptx", "-o", tmp / "x.ptx")
    broken_documents(tmp, json.loads(doc.read_text()))


def broken_documents(tmp, good):
    """Documents with one fault each: (path of keys, value or None to take the key away, what the error says)"""
    launch = ["launches", 0]
    cases = [(launch + ["grid"], "abc", "'launches[0].grid' is no array"), (launch + ["grid"], [1, 2], "'launches[0].grid' has too few"),
             (launch + ["grid"], [1, -1, 1], "'launches[0].grid[1]' is too small"), (launch + ["warp_insts"], -5, "'launches[0].warp_insts' is too small"),
             (launch + ["warp_insts"], "many", "'launches[0].warp_insts' is no integer"), (launch + ["warp_insts"], 2**63 - 1, "is too large a number"),
             (launch + ["rates"], [], "'launches[0].rates' is no object"), (launch + ["name"], None, "'launches[0].name' is not there"),
             (launch + ["name"], "", "'launches[0].name' is empty"), (launch, 5, "'launches[0]' is no object"), (["launches"], {}, "'launches' is no array"),
             (["launches"], None, "'launches' is not there"), (["verdict"], "MAYBE", "'verdict' is none of the words"), (["setup", "sms"], -1, "'setup.sms' is too small"),
             (["setup", "clock"], 1, "'setup.clock' is no boolean"), (["wings"], 2, "'wings' is no key")]
    file = tmp / "bad.json"
    for path, value, want in cases:
        doc = json.loads(json.dumps(good))
        inner = doc
        for k in path[:-1]:
            inner = inner[k]
        if value is None:
            del inner[path[-1]]
        else:
            inner[path[-1]] = value
        file.write_text(json.dumps(doc))
        code, out, err = sh(WG, "report", file)
        check(code == 2 and out == "" and want in err and "remedy:" in err, f"report: {want}", f"{code}: {err[:300]}")


def part_doctor(tmp):
    code, out, err = sh(WG, "doctor")
    check(code in (0, 1) and not err and re.search(r"^ok +run-time library", out, re.M) and (code == 1) == ("\nsomething is bad\n" in out), "the state of this machine", out + err)
    code, out, err = sh(WG, "doctor", "--json")
    doc = json.loads(out)
    check(doc["schema"] == "warpglass-doctor-1" and (doc["verdict"] == "bad") == (code == 1) and len(doc["checks"]) > 12, "as JSON", out + err)
    code, out, err = sh(WG, "doctor", WARPGLASS="preset=tinny")
    check(code == 1 and re.search(r"^bad +WARPGLASS +there is no preset 'tinny'\n +remedy: did you mean 'tiny'", out, re.M), "a wrong word in WARPGLASS", out + err)
    code, out, err = sh(WG, "doctor", PATH="/nowhere")
    check(code == 1 and re.search(r"^bad +clang-19 +it cannot be run", out, re.M), "no compiler", out + err)
    # a build with an SM of another version, a preset with a wrong number, no library
    home = tmp / "home"
    (home / "build/sm/tiny-fast").mkdir(parents=True)
    shutil.copytree(ROOT / "configs", home / "configs")
    (home / "build/sm/tiny-fast/libwgsm.so").write_text("no library")
    text = (home / "configs/tiny.cfg").read_text()
    (home / "configs/tiny.cfg").write_text(text.replace("mshrs = 16", "mshrs = 999", 1))
    code, out, err = sh(WG, "doctor", WARPGLASS_HOME=str(home))
    for what, line in (("a preset", r"^bad +preset +.*tiny.cfg:\d+: 'sm.mshrs' is 999"), ("an SM", r"^bad +SM tiny fast +it cannot be loaded"),
                       ("the run-time library", r"^bad +run-time library "), ("wgcc", r"^bad +wgcc "), ("no SM at all", r"^bad +SMs +none can run")):
        check(code == 1 and re.search(line, out, re.M), f"{what} that cannot be used", out + err)
    (tmp / "lacks.c").write_text('const char *sm_dut_lacks(void) { return "avx10"; }\n')  # an SM of a machine that can more
    code, out, err = sh("clang-19", "-shared", "-fPIC", "-o", home / "build/sm/tiny-fast/libwgsm.so", tmp / "lacks.c")
    check(code == 0, "a library that tells what it needs", err)
    (home / "configs/tiny.cfg").write_text(text)
    for words in (["doctor"], ["run", "--preset", "tiny", ROOT / "build/programs/vector_add/vector_add"]):
        code, out, err = sh(WG, *words, WARPGLASS_HOME=str(home))
        check(code != 0 and "built for a processor with avx10, which this one lacks" in out + err and "MARCH=" in out + err, f"{words[0]}: an SM for another processor", out + err)
    names = re.findall(r'^WG_POLICY\(\w+, (?!15)\d+, "(\w+)"', (ROOT / "isa/cfg.def").read_text(), re.M)
    doc = json.loads(sh(WG, "schedulers", "--json")[1])
    check(len(names) > 8 and [s["name"] for s in doc["schedulers"]][:len(names)] == names and doc["presets"]["tiny"] == "lrr", "schedulers: all of isa/cfg.def", str(doc))


TOGETHER = ("--span on --concurrent on", "--race on --concurrent on", "--tools mem --concurrent on", "--race on --check off", "--span on --check off",
            "--tools init --check off", "--oob exact --check off", "--sched gto:1", "--sched ext", "--backend func --dep control-bits",
            "--backend func --set sm.dependence=control-bits", "--reconverge off", "--unsafe half-block", "--sms 2", "--memory x", "--journal {}/j --backend func",
            "--journal {}/j --race on", "--trace {}/x.fst --trace_scope sub3", "--events {}/e --backend func")


def part_together(tmp):
    program = ROOT / "build/programs/vector_add/vector_add"
    for words in TOGETHER:
        code, out, err = sh(WG, "run", "--preset", "tiny", *words.format(tmp, tmp).split(), program, 64)
        check(code == 2 and out == "" and len(re.findall("error: ", err)) == 1, f"refused as wrong use, before the program begins: {words}", f"exit code {code}\n{out}{err}")
    check(not list(tmp.iterdir()), "and no file is left", str(list(tmp.iterdir())))
    code, out, err = sh(WG, "run", "--preset", "tiny", "--backend", "func", ROOT / "build/programs/mm_tiled/mm_tiled", 16)
    check(code == 1 and len(re.findall(r"launch of .* refused", err)) == 1, "five equal launches: one refusal", out + err)


def counters_of(text):
    """Columns of the tables of --counters: name -> cells."""
    found, heads = {}, []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["launch"]:
            heads = words
        elif heads and words and re.fullmatch(r"\d+|all|share%", words[0]):
            for name, cell in zip(heads[1:], words[1:]):
                found.setdefault(name, []).append(cell)
        else:
            heads = []
    return found


def part_clock(tmp):
    reduce = ROOT / "build/programs/reduce/reduce"
    func, rtl = (sh(WG, "run", "--preset", "tiny", "--backend", b, "--counters", reduce, 1024) for b in ("func", "rtl"))
    a, b = counters_of(func[1]), counters_of(rtl[1])
    check(func[0] == rtl[0] == 0 and len(a) > 90 and set(a) < set(b) and {"issued", "throttled"} <= set(b) - set(a),
          f"{len(a)} columns of counters", str(set(b) ^ set(a)))
    timed = [n for n in a if n.endswith("cycles") or re.match(r"(l1_|l2_|dram_|mem_|xbar_|ipc_)", n)]
    check(len(timed) > 40 and all(c == "-" for n in timed for c in a[n]), "the golden model: no cycles, caches or memory traffic",
          str([(n, a[n]) for n in timed if set(a[n]) != {"-"}]))
    check("bound_cycles" in timed and a["by"] == ["-", "-"] and "issue slots have no owners" in func[1] and "kernels: this back end makes no timing claim" in func[1],
          "  nor a bound, issue slots or a kernel's time", func[1][-1500:])
    same = [n for n in ("warp_insts", "ld_sectors", "sh_wavefronts", "thread_insts", "divergent_branch_insts", "shared_ld_bytes") if a[n] != b[n]]
    check(not same, "  what follows from the instructions is the RTL's", str(same))
    check(all(c.isdigit() and int(c) > 0 for n in ("cycles", "bound_cycles", "mem_latency_cycles") for c in b[n]), "the RTL has them", str(b["cycles"]))
    source, exe = tmp / "x.cu", tmp / "x"
    source.write_text("__global__ void k(int *p) { *p = 1; }\nint main() { k<<<1, 1>>>((int *)5); return cudaDeviceSynchronize(); }\n")
    code, out, err = sh(WG.parent / "wgcc", "-lineinfo", source, "-o", exe)
    check(code == 0, "a faulty program", out + err)
    for backend, cycle in (("func", False), ("rtl", True)):
        code, out, err = sh(exe, WARPGLASS=f"preset=tiny backend={backend}")
        check(code != 0 and re.search(r"PC 0x\w+, SM 0" + (r", cycle \d+$" if cycle else "$"), err, re.M), f"its fault on {backend}: {'with' if cycle else 'without'} a cycle", out + err)


def part_readme():
    """Where the README's table of options lists words, it lists them all."""
    settings = dict(re.findall(r'^WG_SETTING\("(\w+)", "[^"]*", "([^"]*)"', (ROOT / "cosim/cli/cli_settings.def").read_text(), re.M))
    rows = re.findall(r"`--(\w+) (\w+(?:\\\|\w+)+)`", (ROOT / "README.md").read_text())
    check(len(rows) > 2, f"{len(rows)} options with their words", str(rows))
    for name, words in rows:
        check(sorted(words.split("\\|")) == sorted(settings.get(name, "").split()), f"--{name}: {settings.get(name)}", words)


def part_presets():
    for name, want in (("h200", "int 16 (the shape's 32, an instruction every 2 cycles), fp32 32, fp64 16, sfu 4"), ("v100", "int 16, fp32 16, fp64 8, sfu 4"),
                       ("v100+sm.issue_interval_cycles=0,0,0,8", "int 16, fp32 16, fp64 8, sfu 2 (the shape's 4, an instruction every 16 cycles)")):
        code, out, err = sh(WG, "presets", "show", name)
        lanes = re.search(r"^  lanes a sub-core: (.*)$", out, re.M)
        check(code == 0 and lanes and lanes[1] == want, f"{name}: {want}", out[:900] + err)
        ints = re.search(r"^  int +Top/s +([\d.]+)", out, re.M)
        khz = int(re.search(r"clock (\d+) kHz", out)[1])
        check(abs(float(ints[1]) * 1e9 / (4 * khz) - float(re.match(r"int ([\d.]+)", want)[1])) < 0.01, "  as its peak says", out[:900])
    code, out, err = sh(WG, "presets")
    check(code == 0 and "1 SMs" not in out and re.search(r"^tiny +tiny +1 SM  of +1 ", out, re.M), "one SM is no SMs", out + err)
    code, out, err = sh(WG, "run", "--preset", "tiny", "--sms", "2", "x")
    check(code == 2 and "a machine with 1 SM, 2 were" in err, "  nor in an error", out + err)


def library_of(exe):
    """The run-time library that an executable loads."""
    return os.path.normpath((re.search(r"libcudart\.so => (\S+)", sh("ldd", exe)[1]) or ["", "none"])[1])


def part_copied(tmp):
    source = tmp / "x.cu"
    source.write_text("#include <cstdio>\n__global__ void k(int *p) { *p = 1; }\nint main() { int *p; puts(cudaMalloc(&p, 4) == cudaSuccess ? \"fine\" : \"bad\"); }\n")
    wgcc = WG.parent / "wgcc"
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        inside, copy = pathlib.Path(folder) / "deep" / "x", tmp / "copy"
        inside.parent.mkdir()
        code, out, err = sh(wgcc, source, "-o", inside)
        check(code == 0 and library_of(inside) == str(ROOT / "build/lib/libcudart.so"), "a program in the tree: its library", out + err + library_of(inside))
        place = copy / inside.relative_to(ROOT)
        place.parent.mkdir(parents=True)
        (copy / "build/lib").mkdir()
        shutil.copy(inside, place)
        shutil.copy(ROOT / "build/lib/libcudart.so", copy / "build/lib")
        (copy / "configs").symlink_to(ROOT / "configs")
        check(library_of(place) == str(copy / "build/lib/libcudart.so"), "in a copied tree: that tree's", library_of(place))
        code, out, err = sh(place, WARPGLASS="preset=tiny")
        check(f"{copy}/build/sm/tiny-fast" in err and str(ROOT) not in err.replace(str(copy), ""), "  which looks for its SM there too", out + err)
        moved = tmp / "moved"
        shutil.copy(inside, moved)
        check(library_of(moved) == str(ROOT / "build/lib/libcudart.so"), "taken out of the tree: the library of the tree that made it", library_of(moved))
    code, out, err = sh(wgcc, source, "-o", tmp / "outside")
    check(code == 0 and library_of(tmp / "outside") == str(ROOT / "build/lib/libcudart.so"), "made elsewhere: the library of its wgcc", out + err)
    code, out, err = sh(tmp / "outside", WARPGLASS="preset=tiny backend=func")
    check(code == 0 and out.startswith("fine"), "  and it runs", out + err)


def closed(tmp, which, *args):
    """(exit code, stderr) of a command for which some of stdin (0), stdout (1) and stderr (2) are closed"""
    with open(tmp / "err.txt", "w+", encoding="utf-8") as err:
        done = subprocess.run([str(a) for a in (WG, *args)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err, cwd=ROOT, timeout=120, check=False,
                              env=suite.environment(), preexec_fn=lambda: [os.close(fd) for fd in which])
        err.seek(0)
        return done.returncode, err.read()


def part_closed(tmp):
    doc, store = tmp / "k.json", tmp / "s.db"
    for which in ((1,), (0, 1, 2), (1, 2), (0, 1), (0,), (2,)):
        want, said = int(1 in which), 1 in which and 2 not in which
        doc.unlink(missing_ok=True)
        store.unlink(missing_ok=True)
        code, err = closed(tmp, which, "run", "--preset", "tiny", "--backend", "func", "--json", doc, program("vector_add"), "256")
        verdict = json.loads(doc.read_text())["verdict"] if doc.exists() else None
        check(code == want and verdict == "PASS" and (err.count("error: cannot write the verdict: ") == 1) == said, f"run with {which} closed: the JSON document is there, exit code {want}",
              f"{code} {verdict} {err}")
        code, err = closed(tmp, which, "sweep", "run", "--store", store, "--preset", "tiny", "--backend", "func", "--sched", "lrr gto", "vector_add", "256")
        out = sh(WG, "sweep", "show", store)[1]
        check(code == want and "2 points, 0 failed" in out and (err.count("error: cannot write the result: ") == 1) == said, f"  sweep run: its points are there, exit code {want}", f"{code} {out}{err}")
    words = [["--help"], ["--man"], ["presets"], ["presets", "--json"], ["schedulers"], ["schema"], ["doctor"], ["report", doc], ["sweep", "show", store], ["sweep", "show", "--json", store],
             ["sweep", "export", store], ["sweep", "stats", store], ["sweep", "points", "--preset", "tiny", "vector_add", "256"], ["sweep", "merge", "--store", tmp / "m.db", store],
             ["occupancy", "--preset", "tiny", "--regs", "32"], ["occupancy", "--preset", "tiny", "--regs", "32", "--json"], ["compare", store, "--baseline", "sched=lrr", "--metric", "warp_insts"],
             ["compare", store, "--baseline", "sched=lrr", "--metric", "warp_insts", "--json"]]
    for args in words:
        code, err = closed(tmp, (1,), *args)
        check(code == 1 and err.count("error: cannot write ") == 1, f"{' '.join(map(str, args))} with stdout closed: exit code 1, and it is said", f"{code} {err}")


def part_missing(tmp):
    """What the settings name and is not there: exit code 2 as for wrong use, before the program begins."""
    program, foreign, home = ROOT / "build/programs/vector_add/vector_add", tmp / "notes.txt", tmp / "home"
    foreign.write_text("do not touch\n")
    (home / "build").mkdir(parents=True)
    (home / "configs").symlink_to(ROOT / "configs")
    for words, text, remedy, more in (
            ("--sched plugin:nothing", "cannot load the policy 'nothing'", "scripts/plugin.sh nothing", {}),
            ("--sched c:nothing", "cannot load the C policy 'nothing'", "scripts/cpolicy.sh nothing FILE.c", {}),
            ("--sched c:../x", "'c:../x' names no policy in C", "c:NAME loads build/plugin/c/NAME.so, made by scripts/cpolicy.sh NAME FILE.c", {}),
            (f"--journal {foreign}", "is no journal of this version", "another name, or remove the file", {}),
            (f"--journal {tmp}", "it is no ordinary file", "another name", {}),
            ("--backend rtl", "cannot load the SM of shape 'tiny', variant 'fast'", "make sm SHAPE=tiny VARIANT=fast", {"WARPGLASS_HOME": home}),
            (f"--trace {tmp}/x.fst", "cannot load the SM of shape 'tiny', variant 'wave'", "make sm SHAPE=tiny VARIANT=wave", {"WARPGLASS_HOME": home}),
            ("--inject lane", "cannot load the SM of shape 'tiny', variant 'inject'", "make sm SHAPE=tiny VARIANT=inject", {"WARPGLASS_HOME": home}),
            ("--backend systemc", "cannot load the SM of shape 'tiny'", "make sm SHAPE=tiny", {"WARPGLASS_HOME": home}),
            ("--preset nowhere", "there is no preset 'nowhere'", "", {}), ("--golden /nowhere.so", "--golden: there is no '/nowhere.so'", "a shared library", {}),
            ("--debug-script /nowhere", "cannot read the debug script", "", {})):
        code, out, err = sh(WG, "run", "--preset", "tiny", *words.split(), program, 64, **more)
        check(code == 2 and out == "" and len(re.findall("error: ", err)) == 1 and text in err and f"remedy: {remedy}" in err,
              f"not there, exit code 2: {words.split()[-1]}", f"exit code {code}\n{out}{err}")
    check(foreign.read_text() == "do not touch\n" and sorted(x.name for x in tmp.iterdir()) == ["home", "notes.txt"], "and nothing is changed", "")


def part_tools(tmp):
    (tmp / "bytes").write_bytes(bytes(range(256)) * 8)
    program = ROOT / "programs/asm/bar_arms.s"
    for name in (tmp / "nofile", tmp, tmp / "bytes"):
        for words in (["wgas", name, "-o", tmp / "y"], ["wgptx", name, "-o", tmp / "y"], ["wgdis", name], ["wgasmtest", name], ["warpglass", "ptx", name],
                      ["warpglass", "report", name], ["warpglass", "trace", name], ["warpglass", "dispatch", "--log", name], ["warpglass", "run", name]):
            code, out, err = sh(WG.parent / words[0], *words[1:])
            want = 1 if name.name == "bytes" and words[0] == "wgdis" else 2
            check(code == want and not out and len(re.findall("error: ", err)) == 1 and "remedy: " in err, f"{' '.join(map(str, words[:-1]))} {name.name}: refused", f"{code}\n{out}{err}")
    for tool in ("isagen", "mufugen"):
        code, out, err = sh(WG.parent / tool, tmp)
        check(code == 2 and "is no root of the repository" in err, f"{tool} of another folder", out + err)
    code, out, err = sh(WG.parent / "wgasmtest", "-s", "preset=tiny sched=plugin:nothing", program)
    check(code == 2 and "scripts/plugin.sh nothing" in out, "wgasmtest with a policy that is not there", out + err)
    for version, word in (("99.0", "unknown"), ("0.0", "too old"), ("6", "is no PTX version"), ("6.4.4", "is no PTX version"), ("6.4", "")):
        (tmp / "v.ptx").write_text(f".version {version}\n.target sm_70\n")
        code, out, err = sh(WG.parent / "wgptx", tmp / "v.ptx", "-S")
        check(code == (1 if word else 0) and word in err and ("remedy: " in err) == bool(word), f".version {version}: {word or 'taken'}", out + err)
    check(not (tmp / "y").exists(), "and nothing is written", "")


def preset_keys():
    """(key, value) of configs/tiny.cfg, as --set names it."""
    group = ""
    for line in (ROOT / "configs/tiny.cfg").read_text().splitlines():
        if m := re.match(r"(\w+) : \{", line):
            group = m[1] + "."
        elif line.startswith("}"):
            group = ""
        elif m := re.match(r" *(\w+) = ([^#]*)", line):
            yield group + m[1], m[2].strip()


def values_of(key, value):
    """What the key may hold, as its own refusals say: words, or both ends of a range."""
    none, many = "99999999999", "[" in value
    wrong = sh(WG, "presets", "show", f"tiny+{key}={'0,0,0,' if many else ''}{none}")[2]
    if m := re.search(r"must be (\d+) to (\d+)", wrong):
        ends = sorted({int(m[1]), int(m[1]) + 1, int(m[2]) - 1, int(m[2])})
        return [",".join([str(v)] * 4) if many else str(v) for v in ends]
    if "true or false" in wrong:
        return ["true", "false"]
    m = re.search(r"must be one of: (\S+)", wrong)
    return m[1].split("|") if m else []


def part_sets():
    rng, todo, program = random.Random(SEED), [], ROOT / "build/programs/vector_add/vector_add"
    keys = [k for k, _ in preset_keys() if k.split(".")[0] in ("host", "gte", "xbar", "l2", "hbm")]
    check(len(keys) > 60, f"{len(keys)} keys around the SM", str(keys))
    values = dict(preset_keys())
    chosen = keys if ALL else rng.sample(keys, 12)
    for k in chosen:
        todo += [[f"{k}={v}"] for v in values_of(k, values[k])]
    for _ in range(200 if ALL else 10):  # several at once
        todo.append([f"{k}={rng.choice(values_of(k, values[k]) or [values[k].strip(chr(34))])}" for k in rng.sample(chosen, 3)])
    ran = refused = 0
    for sets in todo:
        backend = ("func", "stub")[rng.randrange(2)]
        words = [w for s in sets for w in ("--set", s)]
        code, out, err = sh(WG, "run", "--preset", "tiny", "--backend", backend, "--golden", "none", *words, program, 256)
        ended = code in (0, 1) and re.search(r"^(PASS|FAIL vector_add program exit code 1)", out, re.M) and "assert" not in err and (code == 0 or backend == "stub")
        told = code == 2 and out == "" and len(re.findall("error:", err)) == 1
        ran, refused = ran + bool(ended), refused + told
        if not ended and not told:
            check(False, f"--set {' '.join(sets)} on {backend}", out + err)
    check(ran > refused > 0, f"{ran} settings of preset keys run, {refused} are refused in one sentence")
    code, out, err = sh(WG, "run", "--preset", "tiny", "--set", "hbm.tREFI_clocks=255", program, 256)
    check(code == 2 and out == "" and re.search(r"'hbm.tREFI_clocks' is 255, must be at least \d+: between two refreshes", err), "a refresh interval without room for an access", err)


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
