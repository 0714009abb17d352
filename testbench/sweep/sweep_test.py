#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`warpglass sweep` and its store. Run from the root after `make build programs sm SHAPE=tiny`.

usage: testbench/sweep/sweep_test.py [PART ...]
parts:
  plan     axes from options and from a plan file, numbers and keys of points, equal machines are one point
  run      results are those of `warpglass run`, on the golden model and on the RTL; provenance; nothing is run twice
  kill     SIGKILL in the middle, several times, then to the end: the bytes of the table are those of a whole sweep; SIGTERM
  failed   points that fail have their message and no figure; --retry; --timeout
  refused  unknown words, programs, presets, overrides; a full disk, read-only, foreign, newer and busy stores: one sentence, and
           nothing is changed
  builds   a policy that is edited and run again: the newest build is compared, the other by its hash, and it is said; a build
           of failures alone is none; program, preset and run-time library likewise
  rebuilt  a policy, a program that is rebuilt while the sweep runs: it stops, no point has another build's figures
  names    stores whose names mean something to a shell or to SQLite
  crash    policies that fault or abort: run and the sweep's points name them, with a remedy
  cut      plug-ins, golden kernels and an SM that are cut short or no library: refused with a remedy, by run and by sweep
  compare  ratios to a baseline against figures of the runs themselves; table, CSV, JSON and picture; what has no figure
  progress bar and time left on a terminal; in a pipe a line now and then
  damaged  a store of which bytes were changed: its points do not match their digests, are in no table and run anew;
           random bytes of the file, stores of the version before
  hostile  triggers, views, tables and indices that are not a sweep's: refused; a trigger made meanwhile falsifies nothing
  lock     the lock removed by hand and a second sweep: one of both ends with a sentence
  gone     a store that is removed or replaced while a sweep writes it; one in a folder that is not there
  merge    parts in any order give the same table; a failure gives way to a result; results that differ are refused
TEST_ALL=1: `kill` takes 200 points and three kills. Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import csv
import hashlib
import io
import json
import os
import pathlib
import pty
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from seal import digest, seal  # noqa: E402
from suite import ALL, ROOT, SEED, WG, check, environment, program, sh_apart  # noqa: E402


def sh(*args, settings="", limit=None, home=None):
    """(exit code, stdout, stderr); limit: bytes that a file may have"""
    full = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
    return sh_apart(args, settings, preexec=full, **({"WARPGLASS_HOME": home} if home else {}))


def sweep(store, *args, **kw):
    return sh(WG, "sweep", "run", "--store", store, *args, **kw)


def table(store, *more):
    code, out, err = sh(WG, "sweep", "export", store, *more)
    assert code == 0, out + err
    return out


def rows(store, *more):
    return list(csv.DictReader(io.StringIO(table(store, *more))))


def image(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


FUNC = ["--preset", "tiny", "--backend", "func"]


def part_plan(tmp):
    plan = tmp / "study.plan"
    plan.write_text(f"# a study\nprogram = {program('vector_add')}\nargs = 256\nargs = 512   # two sizes\npreset = tiny\nbackend = func\n"
                    "set  sm.mshrs = 4 8\nsched = lrr gto swl:2\nseed = 1..3\n")
    code, out, err = sh(WG, "sweep", "points", "--plan", plan)
    lines = out.splitlines()
    check(code == 0 and len(lines) == 36 and len({x.split()[1] for x in lines}) == 36, "2 x 2 x 3 x 3 points, each with a key of its own", out + err)
    words = ["--seed", "1..3", "--sched", "lrr gto swl:2", "--set", "sm.mshrs=4 8", "--args", "256", "--args", "512", *FUNC, "--program", program("vector_add")]
    check(sh(WG, "sweep", "points", *words)[1] == out, "the same by options in another order: the same numbers and keys")
    check(sh(WG, "sweep", "points", "--count", "--plan", plan)[1] == "36\n" and sh(WG, "sweep", "points", "--points", "5..6", "--plan", plan)[1].splitlines() == lines[5:7],
          "--count and --points")
    code, out, err = sh(WG, "sweep", "points", *FUNC, "--sched", "default lrr", "--set", "sm.mshrs=16 0x10 default", "vector_add", "256")
    check(code == 0 and len({x.split()[1] for x in out.splitlines()}) == 1, "the preset's own values are the same point, said or not", out + err)
    store = tmp / "same.db"
    code, out, err = sweep(store, *FUNC, "--sched", "default lrr", "vector_add", "256")
    check(code == 0 and ": 1 of 1 points" in out.replace("sweep", "") and len(rows(store)) == 1, "and run once", out + err)
    keys = [sh(WG, "sweep", "points", *FUNC, *more)[1].split()[1] for more in
            (["vector_add", "256"], ["vector_add", "512"], ["reduce", "256"], ["--seed", "1", "vector_add", "256"], ["--set", "l2.ways=2", "vector_add", "256"],
             ["--golden", "none", "vector_add", "256"], ["--check", "off", "vector_add", "256"])]
    check(len(set(keys)) == len(keys), "arguments, program, seed, an override, golden kernels, a setting: another key each", str(keys))
    other = tmp / "copy" / "vector_add"
    other.parent.mkdir()
    other.write_bytes(program("vector_add").read_bytes())
    other.chmod(0o755)
    (other.parent / "golden.so").write_bytes((program("vector_add").parent / "golden.so").read_bytes())
    check(sh(WG, "sweep", "points", *FUNC, other, "256")[1].split()[1] == keys[0], "a copy of the program elsewhere: the same key")
    other.write_bytes(program("vector_add").read_bytes().replace(b"vector_add", b"vector_adt"))
    check(sh(WG, "sweep", "points", *FUNC, other, "256")[1].split()[1] != keys[0], "another image: another key")
    check(sh(WG, "sweep", "points", "vector_add", "256", settings="preset=tiny backend=func")[1].split()[1] == keys[0], "settings of the environment hold")


def part_run(tmp):
    store = tmp / "run.db"
    words = ["-j2", "--preset", "tiny", "--backend", "rtl func", "--sched", "lrr gto", "--set", "sm.mshrs=4 16", "--seed", "3", "vector_add", "256"]
    code, out, err = sweep(store, *words)
    found = rows(store, "--stat", "dram_read_bytes", "--stat", "issue_slots.issued_slots")
    check(code == 0 and len(found) == 8 and all(r["status"] == "ok" for r in found) and "8 run now" in out, "8 points", out + err)
    for r in found:
        if r["backend"] == "func":
            check(r["cycles"] == "" and r["warp_insts"] == "152", f"func {r['sched']}: no cycles", str(r))
            continue
        doc = tmp / "one.json"
        more = ["--set", r["overrides"]] if r["overrides"] else []
        code, out, err = sh(WG, "run", "--preset", "tiny", "--sched", r["sched"], "--seed", "3", *more, "--json", doc, program("vector_add"), "256")
        launch = json.loads(doc.read_text())["launches"][0]
        check(code == 0 and f"cycles={r['cycles']} " in out and f"retire_hash={r['retire_hash']}\n" in out and int(r["dram_read_bytes"]) == launch["dram_read_bytes"] and
              int(r["issue_slots.issued_slots"]) == launch["issue_slots"]["issued_slots"], f"rtl {r['sched']} {r['overrides']}: figures of warpglass run", out + str(r))
    before = image(store)
    code, out, err = sweep(store, *words)
    check(code == 0 and "0 run now, 8 were there" in out and image(store) == before, "again: nothing is run, nothing is written", out + err)
    db = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    inputs, prov, preset = db.execute("SELECT p.inputs, t.body, u.body FROM point p JOIN text t ON t.hash = p.provenance JOIN text u ON u.hash = p.preset_text "
                                      "JOIN label l ON l.point = p.id WHERE l.name = 'overrides' AND l.value = 'sm.mshrs=4'").fetchone()
    check(all(re.search(x, inputs, re.M) for x in (r"^program vector_add [0-9a-f]{64}$", r"^golden [0-9a-f]{64}$", r"^setting seed 3$", r"^build run-time [0-9a-f]{64}$")) and
          not re.search(r"^setting \w+ default$", inputs, re.M),
          "inputs: hashes of program, golden kernels, build; seed; no setting left open", inputs)
    check(all(re.search(x, prov, re.M) for x in (r"^source sha256 [0-9a-f]{64}$", r"^build flags .*-O2", r"^build compiler \S", r"^tool verilator \S", r"^host \S")),
          "provenance: sources, flags, tools, host", prov)
    check(re.search(r"mshrs = 4L?;", preset) and "tRFC_clocks" in preset, "the preset's text after its overrides", preset)
    n, = db.execute("SELECT count(*) FROM stat s JOIN point p ON p.id = s.point WHERE s.launch = 1 AND p.cycles IS NOT NULL").fetchone()
    check(n > 4 * 80, f"{n} figures of launches", "")
    code, out, err = sh(WG, "sweep", "show", store, "--stat", "dram_read_byte")
    check(code == 2 and "did you mean 'dram_read_bytes'" in err, "a figure that is not there: the nearest", out + err)
    doc = json.loads(sh(WG, "sweep", "show", "--json", store)[1])
    check(len(doc["points"]) == 8 and doc["points"][0]["point"]["program"] == "vector_add", "show --json")


def start(store, words):
    return subprocess.Popen([str(a) for a in (WG, "sweep", "run", "--store", store, *words)], cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def recorded(store):
    try:
        db = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=10)
        n, = db.execute("SELECT count(*) FROM point").fetchone()
        db.close()
        return n
    except sqlite3.Error:
        return 0


def left_over():
    """Processes of this build's runs that nobody waits for."""
    found = []
    for p in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            exe, words = os.readlink(p / "exe"), (p / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if exe.startswith(str(ROOT / "build/programs")) or (exe == str(WG) and b"--json" in words):
            found.append(p.name)
    return found


def part_kill(tmp):
    rng = random.Random(SEED)
    seeds, kills = ("1..25", 3) if ALL else ("1..8", 2)
    words = ["-j2", "--preset", "tiny", "--backend", "rtl" if ALL else "func", "--sched", "lrr gto", "--set", "sm.mshrs=4 16", "--set", "l2.ways=2 4", "--seed", seeds,
             "reduce", "4096"]
    points = int(sh(WG, "sweep", "points", "--count", *words[1:])[1])
    check(points == (200 if ALL else 64), f"{points} points")
    whole, cut = tmp / "whole.db", tmp / "cut.db"
    code, out, err = sweep(whole, *words)
    check(code == 0, "a whole sweep", out + err)
    had = 0
    for i in range(kills):
        p = start(cut, words)
        enough = had + rng.randrange(2, points // (kills + 1))
        end = time.time() + 300
        while recorded(cut) < enough and p.poll() is None and time.time() < end:
            time.sleep(0.01)
        p.send_signal(signal.SIGKILL)
        p.wait()
        p.stdout.close()
        now = recorded(cut)
        check(enough <= now < points and p.returncode == -signal.SIGKILL, f"killed with {now} of {points} points", str(p.returncode))
        had = now
        end = time.time() + 20
        while left_over() and time.time() < end:
            time.sleep(0.05)
        check(not left_over(), "  its runs have ended too", str(left_over()))
    db = sqlite3.connect(cut)
    ids = {k for k, in db.execute("SELECT key FROM point")}
    stamps = dict(db.execute("SELECT key, recorded || host_seconds FROM point"))
    db.close()
    code, out, err = sweep(cut, *words)
    check(code == 0 and f"{points - len(ids)} run now, {len(ids)} were there; 0 failed" in out, "then to the end: only what was missing is run", out + err)
    db = sqlite3.connect(cut)
    check(all(dict(db.execute("SELECT key, recorded || host_seconds FROM point"))[k] == v for k, v in stamps.items()), "  no point twice")
    check(db.execute("PRAGMA integrity_check").fetchone() == ("ok",), "  the file is sound")
    db.close()
    for more in ([], ["--all"], ["--stat", "warp_insts", "--launch", "1"]):
        check(table(cut, *more) == table(whole, *more) and table(cut).count("\n") == points + 1, f"  the table is byte for byte that of the whole sweep {' '.join(more)}")
    for word in ("show", "run"):  # killed while it wrote: SQLite's journal lies beside half a transaction
        torn = tmp / f"torn_{word}.db"
        torn.write_bytes(whole.read_bytes())
        code = ("import os, signal, sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], isolation_level=None)\ndb.execute('PRAGMA cache_size = 2')\n"
                "db.execute('BEGIN')\ndb.execute('UPDATE stat_value SET value = 7')\nos.kill(os.getpid(), signal.SIGKILL)\n")
        subprocess.run([sys.executable, "-c", code, str(torn)], check=False)
        journal = pathlib.Path(f"{torn}-journal")
        hot = journal.exists() and torn.read_bytes() != whole.read_bytes()
        code, out, err = sh(WG, "sweep", "show", torn) if word == "show" else sweep(torn, *words)
        check(hot and code == 0 and not journal.exists() and table(torn, "--all") == table(whole, "--all"), f"{word} of a store killed amid a write: as before it",
              f"hot {hot} {code}" + out + err)
    stop = tmp / "stop.db"
    p = start(stop, words)
    while recorded(stop) < 2 and p.poll() is None:
        time.sleep(0.01)
    p.send_signal(signal.SIGTERM)
    out, _ = p.communicate(timeout=60)
    check(p.returncode == -signal.SIGTERM and "the same command goes on" in out and not any(r["status"] == "failed" for r in rows(stop)),
          "SIGTERM: what ran is left, not failed", out)
    check(not list(tmp.glob("*-lock")), "no lock is left behind")
    slow, mark = tmp / "slow", f"{100 + os.getpid()}.5"
    slow.write_text(f"#!/bin/sh\nexec sleep {mark}\n")
    slow.chmod(0o755)
    p = start(tmp / "slow.db", [*FUNC, slow])
    end = time.time() + 60
    while not sleepers(mark) and time.time() < end:
        time.sleep(0.02)
    begun = sleepers(mark)
    p.send_signal(signal.SIGKILL)
    p.wait()
    p.stdout.close()
    end = time.time() + 20
    while sleepers(mark) and time.time() < end:
        time.sleep(0.05)
    check(begun == 1 and sleepers(mark) == 0, "a program that would go on ends with a sweep that is killed", f"{begun}, {sleepers(mark)}")


def sleepers(mark):
    n = 0
    for p in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            n += (p / "cmdline").read_bytes() == f"sleep\0{mark}\0".encode()
        except OSError:
            pass
    return n


def on_terminal(*args):
    """A sweep whose errors go to a terminal: (exit code, stdout, what the terminal got)."""
    master, slave = pty.openpty()
    p = subprocess.Popen([str(a) for a in (WG, "sweep", "run", *args)], cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave, text=True)
    os.close(slave)
    text = ""
    while True:
        try:
            data = os.read(master, 4096)
        except OSError:
            break
        if not data:
            break
        text += data.decode()
    out, _ = p.communicate()
    os.close(master)
    return p.returncode, out, text


def part_progress(tmp):
    words = ["-j1", *FUNC, "--seed", "1..80", "vector_add", "256"]
    code, out, text = on_terminal("--store", tmp / "p.db", *words)
    seen = re.findall(r"\r\x1b\[K\[([#.]{24})\] (\d+) of 80 points, 0 failed, 1 running(, about \d+s left)?", text)
    counts = [int(n) for _, n, _ in seen]
    check(code == 0 and len(seen) >= 2 and counts == sorted(counts) and any(left for _, _, left in seen), "bar, points, time left on a terminal", repr(text[-300:]))
    check(all(bar.count("#") == int(n) * 24 // 80 for bar, n, _ in seen) and text.endswith("\r\x1b[K") and "80 of 80" in out, "gone at the end, the sum on stdout", repr(text[-100:]) + out)
    slow = tmp / "slow"
    slow.write_text(f"#!/bin/sh\nsleep 0.3\nexec {program('vector_add')} 256\n")
    slow.chmod(0o755)
    code, out, err = sweep(tmp / "q.db", "-j1", *FUNC, "--golden", "none", "--seed", "1..10", slow)
    told = [re.fullmatch(r"warpglass: (\d+) of 10 points, 0 failed, [01] running(, about \d+s left)?", line) for line in err.splitlines()]
    counts = [int(m[1]) for m in told if m]
    check(code == 0 and "\r" not in out + err and all(told) and counts[0] == 0 and 2 <= len(counts) <= 5 and counts == sorted(set(counts)),
          "in a pipe lines, a second or more apart", out + err)
    code, out, err = sweep(tmp / "q.db", "--retry", *FUNC, "--golden", "none", "--seed", "1..11", slow)
    check(code == 0 and not err, "none for a point alone", out + err)
    code, out, err = sweep(tmp / "q.db", "--part", "0/2", *FUNC, "--golden", "none", "--seed", "12..17", slow)
    check(code == 0 and not err, "none from a task", out + err)
    for last, large in ((2000, False), (2001, True)):  # a wrong digest: every point is checked, none is run
        words = [*FUNC, "--seed", f"1..{last}", "--digest", "0" * 64, "vector_add", "256"]
        code, out, text = on_terminal("--store", tmp / "r.db", *words)
        told = re.findall(rf"\r\x1b\[Kchecking the points of the plan: (\d+) of {last}(?=\r)", text)
        check(code == 2 and bool(told) == large and (told[:1] == ["0"]) == large and [int(n) for n in told] == sorted(int(n) for n in told) and
              text.count("checking") == len(told) and not re.search(r"of \d+warpglass", text), f"{last} points: {'checking them is told, and gone' if large else 'checked without a word'}", repr(text[-300:]))
    code, out, err = sweep(tmp / "r.db", *words)
    check(code == 2 and "\r" not in out + err and "checking" not in out + err, "not a word of it in a pipe", out + err)


def part_failed(tmp):
    store = tmp / "failed.db"
    # blocks of 128 threads do not fit into two warps
    words = [*FUNC, "--set", "sm.warps_per_subcore=2 8", "--sched", "lrr gto", "vector_add", "256"]
    code, out, err = sweep(store, *words)
    found = rows(store, "--stat", "warp_insts")
    bad = [r for r in found if r["status"] == "failed"]
    check(code == 1 and len(found) == 4 and len(bad) == 2 and "2 failed" in out and err.count("failed:") == 2, "two points fail, the others are run", out + err)
    check(all(r["message"] and r["cycles"] == "" and r["warp_insts"] == "" and r["retire_hash"] == "" for r in bad), "a failure has a message and no figure", str(bad))
    code, out, err = sh(WG, "sweep", "show", "--failed", store)
    check(code == 0 and out.count("failed  ") == 2 and bad[0]["message"] in out, "show --failed", out + err)
    code, out, err = sweep(store, *words)
    check(code == 1 and "0 run now, 4 were there; 2 failed" in out, "failures are not run again", out + err)
    code, out, err = sweep(store, "--retry", *words)
    check(code == 1 and "2 run now, 2 were there; 2 failed" in out and len(rows(store)) == 4, "but with --retry", out + err)
    # a program without golden kernels for it, killed by itself
    script = tmp / "dies"
    script.write_text("#!/bin/sh\nkill -9 $$\n")
    script.chmod(0o755)
    loud = tmp / "loud"
    loud.write_text("#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' x\necho\necho PASS loud cycles=5 warp_insts=5 retire_hash=5\nexit 0\n")
    loud.chmod(0o755)
    slow = tmp / "slow"
    slow.write_text("#!/bin/sh\nsleep 60 & wait\n")
    slow.chmod(0o755)
    nuls = tmp / "nuls"
    nuls.write_text(f"#!/bin/sh\nhead -c 300000 /dev/zero\nexec {ROOT}/build/programs/vector_add/vector_add 256\n")
    nuls.chmod(0o755)
    code, out, err = sweep(store, *FUNC, "--program", nuls)
    check(code == 0 and [r["status"] for r in rows(store) if r["program"] == "nuls"] == ["ok"], "a program that prints NULs", out + err)
    code, out, err = sweep(store, *FUNC, "-j3", "--timeout", "2", "--program", script, "--program", loud, "--program", slow)
    said = {r["program"]: r for r in rows(store)}
    check(code == 1 and "killed by signal 9" in said["dies"]["message"], "a program that is killed", out + err)
    check("no CUDA call" in said["loud"]["message"] and said["loud"]["cycles"] == "", "a program that only says PASS", str(said["loud"]))
    check(said["slow"]["message"] == "it took longer than 2 s of host time", "a program that takes too long", str(said["slow"]))


def refused(what, tmp, store, words, text, code=2, **kw):
    """One sentence with its remedy, and nothing is changed."""
    before, files = image(store), sorted(x.name for x in tmp.iterdir())
    got, out, err = sweep(store, *words, **kw) if words is not None else (None, "", "")
    errors = [x for x in err.splitlines() if x.startswith("warpglass: error: ")]
    check(got == code and len(errors) == 1 and text in err and image(store) == before and sorted(x.name for x in tmp.iterdir()) == files, what,
          f"exit code {got}\n{out}{err}")


def part_refused(tmp):
    new, ok = tmp / "new.db", [*FUNC, "vector_add", "256"]
    for words, text in ((["--backend", "func", "--preset", "tiny", "vector_ad", "256"], "did you mean 'vector_add'"),
                        ([*FUNC, "/nowhere/x"], "there is no program '/nowhere/x'"),
                        ([*FUNC, "--set", "sm.mshrs=4 999", "vector_add", "256"], "'sm.mshrs' is 999, must be 1 to"),
                        ([*FUNC, "--set", "sm.mshr=4", "vector_add", "256"], "did you mean 'sm.mshrs'"),
                        ([*FUNC, "--set", "sm.shared_bytes=16384 65536", "vector_add", "256"], "is above the shape's"),
                        ([*FUNC, "--sched", "lrr gtoo", "vector_add", "256"], "did you mean 'gto'"),
                        ([*FUNC, "--sched", "lrr c:nothing", "vector_add", "256"], "scripts/cpolicy.sh nothing FILE.c"),
                        ([*FUNC, "--sched", "lrr plugin:nothing:1", "vector_add", "256"], "scripts/plugin.sh nothing"),
                        ([*FUNC, "--golden", "/nowhere.so", "vector_add", "256"], "there is no '/nowhere.so'"),
                        ([*FUNC, "--race", "on off", "--concurrent", "off on", "vector_add", "256"], "does not go with race"),
                        (["--preset", "tiny tinny", "--backend", "func", "vector_add", "256"], "tinny"),
                        ([*FUNC, "--sms", "2", "vector_add", "256"], "describes a machine with 1 SM, 2"),
                        ([*FUNC, "--sced", "gto", "vector_add", "256"], "did you mean '--sched'"),
                        ([*FUNC, "--sched", "gto gto", "vector_add", "256"], "twice"),
                        ([*FUNC, "--seed", "9..1", "vector_add", "256"], "is empty"),
                        ([*FUNC, "--points", "0..1", "vector_add", "256"], "the plan has points 0 to 0"),
                        (FUNC, "the plan has no program"),
                        (["--plan", tmp / "no.plan"], "cannot read the plan")):
        refused(f"refused: {text}", tmp, new, words, text)
    plan = tmp / "bad.plan"
    plan.write_text("program = vector_add\nsched: gto\n")
    refused("a plan's line has its place", tmp, new, ["--plan", plan], "bad.plan:2: 'sched: gto' is no line of a plan")
    for text in ("program = vector_add\nseed = 1\0 2\n", "program = vector_add\nseed = 1\0 2"):
        plan.write_text(text)
        refused("a plan with a NUL byte", tmp, new, ["--plan", plan], "bad.plan:2: a line has a NUL byte in it")
    plan.write_text("program = vector_add\nargs = " + "x" * 4088 + "\n")
    refused("a line that is too long", tmp, new, ["--plan", plan], "bad.plan:2: a line is longer than 4094 letters")
    plan.write_text("program = vector_add\nshced = gto\n")
    refused("a plan's axis has the nearest", tmp, new, ["--plan", plan], "did you mean 'sched'")
    store = tmp / "there.db"
    sweep(store, *ok)
    more = [*FUNC, "--seed", "1..40", "vector_add", "256"]
    os.chmod(store, 0o444)
    refused("a store marked read-only", tmp, store, more, "is read-only")
    os.chmod(store, 0o644)
    newer = tmp / "newer.db"
    newer.write_bytes(store.read_bytes())
    db = sqlite3.connect(newer)
    db.execute("PRAGMA user_version = 3")
    db.close()
    refused("a store of a newer version", tmp, newer, more, "made by a newer version of warpglass: its format is 3, this one knows up to 2")
    for word in ("show", "export", "stats"):
        code, out, err = sh(WG, "sweep", word, newer)
        check(code == 2 and out == "" and "newer version" in err, f"  {word} too", out + err)
    foreign = tmp / "foreign.db"
    db = sqlite3.connect(foreign)
    db.execute("CREATE TABLE mine(a)")
    db.commit()
    db.close()
    refused("another program's database", tmp, foreign, more, "is another program's database")
    notes = tmp / "notes.txt"
    notes.write_text("do not touch\n" * 20)
    refused("a file that is no database", tmp, notes, more, "is no store of a sweep")
    refused("a folder", tmp, tmp, more, "is no ordinary file")
    refused("a folder that is not there", tmp, tmp / "no" / "s.db", ok, f"there is no folder '{tmp}/no' for the store")
    home = tmp / "home"
    (home / "build/sm/tiny-fast").mkdir(parents=True)
    for name in ("configs", "build/programs", "build/lib"):
        (home / name).symlink_to(ROOT / name)
    for what, text in ((None, "is not built"), ("no library", "is no shared object of this machine")):
        if what:
            (home / "build/sm/tiny-fast/libwgsm.so").write_text(what)
        code, out, err = sh(WG, "sweep", "run", "--store", new, "--preset", "tiny", "vector_add", "256", home=home)
        check(code == 2 and text in err and "make sm SHAPE=tiny" in err and not new.exists(), f"an SM that {text}", out + err)
    os.mkfifo(tmp / "pipe")
    for words in (("report", tmp / "pipe"), ("sweep", "points", "--plan", tmp / "pipe")):
        code, out, err = sh("timeout", "20", WG, *words)
        check(code == 2 and "is a pipe, no ordinary file" in err and "remedy: " in err, f"{words[0]}: a pipe is not waited for", f"{code} {out}{err}")
    (tmp / "mark.plan").write_text("\ufeffprogram = vector_add\nargs = 256\npreset = tiny\nbackend = func\n", encoding="utf-8")
    code, out, err = sh(WG, "sweep", "points", "--count", "--plan", tmp / "mark.plan")
    check(code == 0 and out == "1\n", "a plan with a byte order mark", out + err)
    # a limit on the size of files is a full disk
    for words in (("presets", "show", "v100"), ("presets",), ("occupancy", "--preset", "tiny", "--regs", "32")):
        with open(tmp / "out.txt", "w", encoding="utf-8") as f:
            full = subprocess.run([str(WG), *words], stdout=f, stderr=subprocess.PIPE, env=environment(), encoding="utf-8", check=False,
                                  preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))))
        check(full.returncode == 1 and "cannot write 'stdout'" in full.stderr, f"{words[0]}: an output that cannot be written", f"{full.returncode} {full.stderr}")
    refused("no room for a new store", tmp, new, ok, "cannot write the store", limit=8192)
    before = rows(store)
    size = store.stat().st_size
    code, out, err = sweep(store, *more, limit=size + 30000)
    errors = [x for x in err.splitlines() if x.startswith("warpglass: error: ")]
    db = sqlite3.connect(store)
    sound = db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    now = rows(store)
    check(code == 1 and len(errors) == 1 and "cannot write the store" in err and "make room" in err and sound and len(before) <= len(now) < 40 and
          all(r["status"] == "ok" for r in now) and all(r in now for r in before), f"a disk that fills up: one sentence, {len(now)} points are kept whole", out + err)
    code, out, err = sweep(store, *more)
    check(code == 0 and len(rows(store)) == 41, "and with room again it goes on", out + err)
    # two at once
    p = start(tmp / "busy.db", [*FUNC, "--seed", "1..400", "vector_add", "256"])
    while recorded(tmp / "busy.db") < 1 and p.poll() is None:
        time.sleep(0.01)
    code, out, err = sweep(tmp / "busy.db", *ok)
    check(code == 2 and "is in use by another sweep" in err, "a store in use", out + err)
    code, out, err = sh(WG, "sweep", "show", tmp / "busy.db")
    check(code == 0, "  can be looked at meanwhile", out + err)
    p.send_signal(signal.SIGTERM)
    p.communicate(timeout=60)


def part_merge(tmp):
    words = [*FUNC, "--sched", "lrr gto swl:2", "--set", "sm.warps_per_subcore=2 8", "--seed", "1..2", "vector_add", "256"]
    whole = tmp / "whole.db"
    sweep(whole, *words)
    parts = [tmp / f"part{i}.db" for i in range(4)]
    for i, p in enumerate(parts):
        sweep(p, "--points", f"{3 * i}..{3 * i + 2}", *words)
    tables = []
    rng = random.Random(SEED)
    for i in range(3):
        out = tmp / f"merged{i}.db"
        order = rng.sample(parts, len(parts))
        code, said, err = sh(WG, "sweep", "merge", "--store", out, *order, order[0])
        check(code == 0 and "12 points" in said, "four parts in some order", said + err)
        tables.append(table(out, "--all"))
    check(set(tables) == {table(whole, "--all")}, "the table of each is byte for byte that of one sweep")
    code, said, err = sweep(tmp / "merged0.db", *words)
    check("0 run now, 12 were there" in said, "nothing of the plan is left to run", said + err)
    one, other = tmp / "one.db", tmp / "other.db"
    for store, status in ((one, "failed"), (other, "ok")):
        store.write_bytes((tmp / "merged1.db").read_bytes())
        if status == "failed":
            db = sqlite3.connect(store)
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("UPDATE point SET status = 'failed', message = 'out of luck', cycles = NULL, warp_insts = NULL, retire_hash = NULL WHERE status = 'ok'")
            seal(db)
            db.close()
    for first, second in ((one, other), (other, one)):
        out = tmp / f"{first.stem}_first.db"
        sh(WG, "sweep", "merge", "--store", out, first, second)
        check(table(out, "--all") == tables[0], "a result takes the place of a failure, in either order")
    db = sqlite3.connect(other)
    db.execute("UPDATE point SET warp_insts = warp_insts + 1 WHERE status = 'ok'")
    seal(db)
    db.close()
    out = tmp / "merged2.db"
    before = table(out, "--all")
    code, said, err = sh(WG, "sweep", "merge", "--store", out, other)
    check(code == 1 and "disagree" in err and table(out, "--all") == before, "results that differ: refused, nothing is changed", said + err)
    code, said, err = sh(WG, "sweep", "merge", "--store", out, tmp / "no.db")
    check(code == 2 and "there is no store" in err, "a part that is not there", said + err)
    torn = tmp / "torn.db"
    torn.write_bytes(other.read_bytes())
    db = sqlite3.connect(torn)
    db.execute("DROP TABLE label")
    db.commit()
    db.close()
    fresh = tmp / "fresh.db"
    code, said, err = sh(WG, "sweep", "merge", "--store", fresh, torn)
    check(code == 2 and f"the store '{torn}' is not as a sweep makes it: its table 'label' is missing" in err and "remedy: " in err and not fresh.exists(),
          "a part that misses a table: it is named, and no store is left", said + err)
    code, said, err = sh(WG, "sweep", "show", torn)
    check(code == 2 and "'label' is missing" in err and "remedy: " in err, "  show names it too", said + err)
    again = tmp / "again.db"  # the first part is sound, so nothing of it may stay
    again.write_bytes(other.read_bytes())
    db = sqlite3.connect(again)
    db.execute("UPDATE point SET warp_insts = warp_insts + 1 WHERE status = 'ok'")
    seal(db)
    db.close()
    code, said, err = sh(WG, "sweep", "merge", "--store", out, again)
    check(code == 1 and "disagree" in err and "remedy: " in err, "stores that disagree have a remedy", said + err)
    code, said, err = sh(WG, "sweep", "merge", "--store", out, out)
    check(code == 2 and "into itself" in err, "a store into itself", said + err)


def sentence(code, err, text):
    """One error with its remedy."""
    return (
        code not in (0, None)
        and code < 128
        and err.count("warpglass: error: ") == 1
        and text in err
        and "\n  remedy: " in err
    )


def changed(store, to, sql):
    """A copy of a store with something changed in it."""
    to.write_bytes(store.read_bytes())
    db = sqlite3.connect(to)
    db.execute(sql)
    db.commit()
    db.close()
    return to


def part_damaged(tmp):
    words = [*FUNC, "--sched", "lrr gto", "--set", "sm.warps_per_subcore=2 8", "--seed", "1..2", "vector_add", "256"]
    store, bad, all_of = tmp / "s.db", tmp / "bad.db", ["--all"]
    sweep(store, *words)
    whole = table(store, *all_of)
    db = sqlite3.connect(store)
    said = db.execute("SELECT id, digest FROM point").fetchall()
    check(
        len(said) == 8 and all(digest(db, i) == d for i, d in said), "each point has the digest of its canonical text"
    )
    key, at = db.execute("SELECT key, id FROM point WHERE status = 'ok' LIMIT 1").fetchone()
    db.close()
    compare = ("compare", "--baseline", "sched=lrr", "--metric", "warp_insts")
    for what, sql in (
        ("a figure of the point", f"UPDATE point SET warp_insts = warp_insts + 1 WHERE id = {at}"),
        (
            "a figure of a launch",
            (
                f"UPDATE stat_value SET value = value + 1 WHERE point = {at} AND launch = 1 AND name = (SELECT id FROM"
                " stat_name WHERE name = 'warp_insts')"
            ),
        ),
        (
            "a figure that is gone",
            (
                f"DELETE FROM stat_value WHERE point = {at} AND launch = 1 AND name = (SELECT id FROM stat_name WHERE"
                " name = 'warp_insts')"
            ),
        ),
        ("the value of an axis", f"UPDATE label SET value = 'rr' WHERE point = {at} AND name = 'sched'"),
        (
            "what it was made of",
            f"UPDATE point SET inputs = replace(inputs, 'program vector_add', 'program vector_adt') WHERE id = {at}",
        ),
        ("its key", f"UPDATE point SET key = '{'5' * 64}' WHERE id = {at}"),
        ("its command", f"UPDATE point SET command = command || ' 512' WHERE id = {at}"),
        ("its digest", f"UPDATE point SET digest = '{'0' * 64}' WHERE id = {at}"),
        ("a name of a figure", "UPDATE stat_name SET name = 'warp_instt' WHERE name = 'warp_insts'"),
        ("the preset's text", "UPDATE text SET body = body || ' ' WHERE hash IN (SELECT preset_text FROM point)"),
        ("the provenance", "UPDATE text SET body = replace(body, 'source sha256', 'source sha255')"),
    ):
        changed(store, bad, sql)
        before, good = image(bad), True
        for verb in (("show",), ("export",), ("export", "--all"), compare):
            code, out, err = sh(WG, *(("sweep", *verb) if verb[0] != "compare" else verb), bad)
            good = good and out == "" and sentence(code, err, f"of the store '{bad}' does not match its digest")
        check(
            good and (key[:16] in err or "text" in sql or "name" in sql or "key" in sql) and image(bad) == before,
            f"{what} was changed: one sentence, no table",
            out + err,
        )
        code, out, err = sh(WG, "sweep", "merge", "--store", tmp / "all.db", bad)
        check(
            sentence(code, err, "does not match its digest") and not (tmp / "all.db").exists(),
            "  nor is it merged",
            out + err,
        )
        again = changed(store, tmp / "again.db", "DELETE FROM point WHERE 0")
        before = image(bad)
        code, out, err = sh(WG, "sweep", "merge", "--store", bad, again)
        check(sentence(code, err, "does not match its digest") and image(bad) == before, "  nor merged into", out + err)
        ran = re.search(r"(\d+) run now", sweep(tmp / "have.db", "--have", bad, *words)[1])
        check(ran and int(ran[1]) >= 1, "  --have: it counts as missing", ran)
        (tmp / "have.db").unlink()
        code, out, err = sweep(bad, *words)
        check(
            code == 1
            and err.count("does not match its digest") == 1
            and "dropped, and run anew" in err
            and table(bad, *all_of) == whole
            and recorded(bad) == 8,
            "  the sweep drops it and runs it anew: the table is byte for byte that of before",
            out + err,
        )
    data = store.read_bytes()
    # of the record of a label (kinds of its columns, then the columns) the number of its point, 5, becomes -95: a search
    # still finds it between the labels of 5, the table as a whole has it at no point
    record = data.index(b"\x04\x01\x21\x13\x05concurrentoff")
    bad.write_bytes(data[: record + 4] + b"\xa1" + data[record + 5 :])
    for verb in (("export", "--all"), ("stats",)):
        code, out, err = sh(WG, "sweep", *verb, bad)
        check(
            out == "" and sentence(code, err, "does not match its digest"),
            f"a label of no point, {verb[0]}: told",
            out[:300] + err,
        )
    for what, sql in (
        ("label", "INSERT INTO label VALUES(99, 'axis', 'x')"),
        ("stat_value", "INSERT INTO stat_value SELECT 99, 1, id, 7 FROM stat_name LIMIT 1"),
    ):
        changed(store, bad, sql)
        code, out, err = sh(WG, "sweep", "export", bad)
        check(
            out == "" and sentence(code, err, f"a row of '{what}' belongs to nothing"), f"{what} of no point: told", err
        )
        code, out, err = sweep(bad, *words)
        check(
            code == 1 and "mended, no point is lost" in err and table(bad, *all_of) == whole,
            "  the sweep mends it",
            out + err,
        )
    changed(store, bad, "INSERT INTO stat_name(name) VALUES('totals.nobody')")
    code, out, err = sh(WG, "sweep", "stats", bad)
    check(
        code == 0 and "nobody" not in out and table(bad, *all_of) == whole,
        "a name that no figure has is in no list",
        out[-300:] + err,
    )
    mark = data.index(key.encode(), data.index(b"sqlite_autoindex_point_1") + 1)
    places = [i for i in range(len(data)) if data.startswith(key.encode(), i)]
    for place in places:  # the key in the table, and its copy in the index
        bad.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        code, out, err = sh(WG, "sweep", "export", bad)
        told = out == "" and sentence(code, err, f"the store '{bad}'")
        code, out, err = sweep(bad, *words)
        check(
            told and code == 1 and table(bad, *all_of) == whole,
            f"a key that was changed at {place}: told, and the sweep mends it",
            out + err,
        )
    check(mark in places and len(places) == 2, "both were changed", str(places))
    rng = random.Random(SEED)
    found = {"told": 0, "same": 0}
    for i in range(600 if ALL else 60):
        torn = bytearray(data)
        place = rng.randrange(len(torn))
        torn[place] ^= rng.randrange(1, 256)
        bad.write_bytes(torn)
        code, out, err = sh(WG, "sweep", "export", "--all", bad)
        same = code == 0 and out == whole
        found["same" if same else "told"] += 1
        if not same and not (out == "" and sentence(code, err, "")):
            check(
                False,
                f"byte {place} of {len(data)} changed from {data[place]} to {torn[place]}: told",
                f"{code} {out[:2000]}{err}",
            )
        if i % 20 != 0:
            continue
        code, out, err = sweep(bad, *words)
        if not (code == 1 and "points in" in out and table(bad, *all_of) == whole) and not sentence(code, err, ""):
            check(False, f"byte {place} changed from {data[place]} to {torn[place]}: the sweep", f"{code} {out}{err}")
    check(
        found["told"] and found["same"] and not list(tmp.glob("bad.db-*")),
        f"random bytes of the file: {found['told']} told, {found['same']} in no value",
        str(found),
    )
    old = tmp / "old.db"  # as the version before made it
    old.write_bytes(data)
    db = sqlite3.connect(old)
    db.executescript("ALTER TABLE point DROP COLUMN digest; PRAGMA user_version = 1;")
    db.close()
    code, out, err = sh(WG, "sweep", "export", "--all", old)
    check(
        code == 0 and out == whole and "of format 1, without digests: its figures are shown unchecked" in err,
        "a store of the version before is read, and it is said what it lacks",
        out + err,
    )
    refused(
        "  nothing is written into it",
        tmp,
        old,
        words,
        "was made by an older version of warpglass: its format is 1, this one writes 2",
    )
    code, out, err = sh(WG, "sweep", "merge", "--store", tmp / "new.db", old)
    db = sqlite3.connect(tmp / "new.db")
    check(
        code == 0
        and table(tmp / "new.db", "--all") == whole
        and all(digest(db, i) == d for i, d in db.execute("SELECT id, digest FROM point").fetchall()),
        "  merged into a new store its points have digests",
        out + err,
    )
    db.close()
    db = sqlite3.connect(bad)
    bad.write_bytes(data)
    db.execute("PRAGMA user_version = 1")
    db.close()
    code, out, err = sh(WG, "sweep", "export", "--all", bad)
    check(
        out == "" and sentence(code, err, "its format says 1, and its points have digests"),
        "a version that was changed does not hide the digests",
        out + err,
    )


def part_hostile(tmp):
    words = [*FUNC, "--sched", "lrr gto", "--seed", "1..2", "vector_add", "256"]
    store, bad, old, new = tmp / "s.db", tmp / "bad.db", tmp / "old.db", tmp / "new.db"
    sweep(store, *words)
    whole = table(store, "--all")
    fake = "CREATE VIEW stat AS SELECT v.point, v.launch, n.name, v.value + 1 AS value FROM stat_value v JOIN stat_name n ON n.id = v.name"
    trigger = "CREATE TRIGGER t AFTER INSERT ON point BEGIN UPDATE point SET warp_insts = 1 WHERE id = new.id; END"
    sound = old  # as the version before made it
    sound.write_bytes(store.read_bytes())
    with sqlite3.connect(sound) as db:
        db.executescript("ALTER TABLE point DROP COLUMN digest; PRAGMA user_version = 1;")
    db.close()
    check(table(old, "--all") == whole, "a store of the version before is read")
    for what, sql, text in (
        ("a trigger", trigger, "its trigger 't' is not a sweep's"),
        ("another view", f"DROP VIEW stat; {fake}", "its view 'stat' is another one"),
        ("a view of its own", "CREATE VIEW a AS SELECT 1", "its view 'a' is not a sweep's"),
        ("a table of its own", "CREATE TABLE zz(a)", "its table 'zz' is not a sweep's"),
        ("an index", "CREATE INDEX i ON label(value)", "its index 'i' is not a sweep's"),
        ("statistics of SQLite", "ANALYZE", "its table 'sqlite_stat1' is not a sweep's"),
        ("a column", "ALTER TABLE label ADD COLUMN more", "its table 'label' is another one"),
        ("no view", "DROP VIEW stat", "its view 'stat' is missing"),
        ("a name with a bell", 'CREATE TABLE "z\a\n"(a)', "its table 'z??' is not a sweep's"),
    ):
        for source in (store, old):
            bad.write_bytes(source.read_bytes())
            db = sqlite3.connect(bad)
            db.executescript(sql)
            db.close()
            before, good = image(bad), True
            verbs = [("sweep", v, bad) for v in ("show", "export", "stats")]
            verbs += [("compare", bad, "--baseline", "sched=lrr"), ("sweep", "merge", "--store", new, bad)]
            verbs += [("sweep", "run", "--store", new, "--have", bad, *words)]
            if source == store:
                verbs += [("sweep", "merge", "--store", bad, store), ("sweep", "run", "--store", bad, *words)]
            for verb in verbs:
                code, out, err = sh(WG, *verb)
                ours = out == "" and sentence(code, err, f"the store '{bad}' is not as a sweep makes it: {text}")
                if not ours:
                    check(False, f"{what}: {' '.join(map(str, verb))}", out[:300] + err)
                good = good and ours
                new.unlink(missing_ok=True)
            check(good and image(bad) == before, f"{what} in a store of version {2 if source == store else 1}: refused")
    many = [*FUNC, "--seed", "1..60", "vector_add", "256"]
    sweep(tmp / "whole.db", "-j2", *many)
    p = start(bad := tmp / "mid.db", ["-j1", *many])
    while recorded(bad) < 2 and p.poll() is None:
        time.sleep(0.01)
    db = sqlite3.connect(bad, timeout=20)
    db.execute(trigger)
    db.commit()
    had, = db.execute("SELECT count(*) FROM point").fetchone()
    db.close()
    said, _ = p.communicate(timeout=120)
    code, out, err = sh(WG, "sweep", "export", bad)
    db = sqlite3.connect(bad)
    db.execute("DROP TRIGGER t")
    db.commit()
    db.close()
    check(
        had < 60 and p.returncode == 0 and sentence(code, err, "its trigger 't' is not a sweep's")
        and table(bad, "--all") == table(tmp / "whole.db", "--all"),
        f"a trigger made in mid-sweep, after {had} points: it falsifies nothing",
        said + err,
    )


def part_lock(tmp):
    store, words = tmp / "s.db", ["-j1", *FUNC, "--seed", "1..300", "vector_add", "256"]
    first = start(store, words)
    while recorded(store) < 2 and first.poll() is None:
        time.sleep(0.01)
    lock = pathlib.Path(f"{store}-lock")
    lock.unlink()
    second = start(store, words)
    both = [(p.communicate(timeout=300)[0], p.returncode) for p in (first, second)]
    lost, won = sorted(both, key=lambda x: -x[1])
    check(
        lost[1] == 1
        and "UNIQUE" not in lost[0]
        and sentence(1, lost[0], f"another sweep writes the store '{store}' at the same time, since '{lock}' was removed"),
        "a lock removed by hand, and a second sweep: one of both says what happened",
        str(both),
    )
    check(won[1] == 0 and len(rows(store)) == 300, "  the other one ends with all points", won[0])
    code, out, err = sweep(store, *words)
    check(code == 0 and "0 run now, 300 were there" in out, "  nothing is left", out + err)


def part_gone(tmp):
    words = ["-j2", *FUNC, "--seed", "1..400", "vector_add", "256"]
    other = tmp / "other.db"
    sweep(other, *FUNC, "vector_add", "256")
    for what in ("removed", "replaced by another file", "in a folder that is removed"):
        folder = tmp / "in"
        folder.mkdir()
        store = folder / "s.db"
        p = start(store, words)
        while recorded(store) < 2 and p.poll() is None:
            time.sleep(0.01)
        if what == "removed":
            store.unlink()
        elif what.startswith("replaced"):
            copy = folder / "copy.db"
            copy.write_bytes(other.read_bytes())
            os.replace(copy, store)
        else:
            while folder.exists():
                shutil.rmtree(folder, ignore_errors=True)
        out, _ = p.communicate(timeout=60)
        left = sorted(x.name for x in folder.iterdir()) if folder.exists() else []
        text = f"the store '{store}' was {what if 'folder' not in what else 'removed'} while it was written"
        check(
            p.returncode == 1
            and sentence(1, out, text)
            and "0 of 400 points" in out
            and left == (["s.db"] if what.startswith("replaced") else [])
            and not left_over(),
            f"a store {what} in mid-sweep: one sentence, nothing is left",
            f"{p.returncode} {out}{left}",
        )
        check("replaced" not in what or image(store) == image(other), "  the other file is as it was")
        shutil.rmtree(folder, ignore_errors=True)
    for path, text in (
        (tmp / "no" / "s.db", f"there is no folder '{tmp}/no' for the store"),
        (other / "s.db", "for the store"),
    ):
        refused(f"a store in a folder that is not there: {text[:30]}", tmp, path, [*FUNC, "vector_add", "256"], text)
        code, out, err = sh(WG, "sweep", "merge", "--store", path, other)
        check(sentence(code, err, text), "  merge says so too", out + err)
        code, out, err = sh(WG, "sweep", "show", path)
        check(code == 2 and err.count("error: ") == 1, "  show: there is none", out + err)


def part_names(tmp):
    whole = None
    for name in ("a b.db", "'q'.db", "%s.db", ":memory:", "file:x?mode=memory"):
        for words in (
            ("sweep", "run", "--store", name, *FUNC, "vector_add", "256"),
            ("sweep", "export", name),
            ("sweep", "merge", "--store", f"{name}2", name),
            ("sweep", "export", f"{name}2"),
        ):
            p = subprocess.run([str(WG), *words], cwd=tmp, env=environment(), capture_output=True, text=True, check=False)
            same = words[1] != "export" or p.stdout == (whole := whole or p.stdout)
            check(p.returncode == 0 and same and (tmp / name).is_file(), f"{words[1]}: a store called {name}", p.stdout + p.stderr)


def policy(tmp, source):
    """Make the C policy c:sweep_test of this text; its object is the plug-in's."""
    file = tmp / "sweep_test.c"
    file.write_text(source)
    code, out, err = sh(ROOT / "scripts/cpolicy.sh", "sweep_test", file)
    assert code == 0, out + err


POLICY = """#include "model/twin/sched.h"
static wg_sched_out_t pick(const wg_sched_t *s, const wg_sched_in_t *in) { return wg_sched_answer(s, %s, 0); }
const wg_sched_policy_t wg_sched_sweep_test = {kWgSchedAbi, kWgPolicyExt, pick, 0};
"""
OLDEST, NEXT, GREEDY = (f"wg_sched_{x})" for x in ("oldest(s, in->eligible", "next(s, in->eligible, s->last", "greedy_oldest(s, in->eligible"))
BAD = "wg_sched_oldest(s, in->valid)"


def part_crash(tmp):
    script, crash = ROOT / "scripts/cpolicy.sh", "*(volatile int *)(uintptr_t)8 = (int)in->valid;"
    source = POLICY.replace("return wg_sched_answer", "%s return wg_sched_answer")
    store, ok = tmp / "s.db", ["--preset", "tiny", "vector_add", "256"]
    blocks = (ROOT / "testbench/gte/diagonal.c").read_text().replace("diagonal", "sweepblk")
    assert blocks.count("return kWgGtePick") == 1
    (tmp / "sweepblk.c").write_text(blocks.replace("return kWgGtePick", "return abort(), kWgGtePick"))
    code, out, err = sh(ROOT / "scripts/cblocks.sh", "sweepblk", tmp / "sweepblk.c")
    check(code == 0, "a block policy that aborts", out + err)
    for what, how, signal_ in (("faults", crash, 11), ("traps", "__builtin_trap();", 4)):
        policy(tmp, source % (how, OLDEST))
        code, out, err = sh(WG, "run", "--preset", "tiny", "--sched", "c:sweep_test:1", program("vector_add"), "256")
        last = out.splitlines()[-1]
        check(
            code == 1
            and last.startswith(f"FAIL vector_add killed by signal {signal_} (")
            and "; loaded: the warp scheduler c:sweep_test; remedy: the same run with --sched lrr;" in last
            and last.endswith(f"build it again with scripts/{script.name}"),
            f"run: a warp scheduler that {what} is named, with a remedy",
            out + err,
        )
    code, out, err = sweep(store, "--sched", "lrr c:sweep_test", "--blocks", "breadth c:sweepblk", *ok)
    said = {(r["sched"], r["blocks"]): r["message"] for r in rows(store)}
    check(
        code == 1 and len(said) == 4 and "3 failed" in out and said["lrr", "breadth"] == "",
        "a sweep: only what loads one fails",
        out + err,
    )
    both = said["c:sweep_test", "c:sweepblk"]
    check(
        "loaded: the warp scheduler c:sweep_test; remedy: " in said["c:sweep_test", "breadth"]
        and "loaded: the block policy c:sweepblk; remedy: the same run with --blocks breadth;" in said[
            "lrr", "c:sweepblk"
        ]
        and "loaded: the warp scheduler c:sweep_test, the block policy c:sweepblk; remedy: the same run with --sched lrr --blocks breadth;"
        in both,
        "  the points' messages name what was loaded",
        str(said),
    )
    dies = tmp / "dies"
    for sig, named in ((9, False), (11, True)):
        dies.write_text(f"#!/bin/sh\nkill -{sig} $$\n")
        dies.chmod(0o755)
        code, out, err = sh(WG, "run", "--preset", "tiny", "--sched", "c:sweep_test", dies)
        check(
            code == 1 and f"signal {sig}" in out and ("loaded:" in out) == named,
            f"  killed by signal {sig}: {'named' if named else 'not blamed on it'}",
            out + err,
        )
    code, out, err = sh(WG, "run", *FUNC, dies)
    check(code == 1 and "signal 11" in out and "loaded" not in out, "  nor without a plug-in", out + err)
    (ROOT / "build/plugin/blocks/sweepblk.so").unlink()
    (ROOT / "build/plugin/c/sweep_test.so").unlink()


def part_builds(tmp):
    store, words = tmp / "s.db", ["-j2", "--preset", "tiny", "--sched", "lrr c:sweep_test", "--args", "1024", "--args", "2048", "--program", "reduce"]
    base = ["--baseline", "sched=lrr"]

    def compared(*more, cells=2):
        code, out, err = sh(WG, "compare", store, *base, "--json", *more)
        doc = json.loads(out) if code == 0 else {"cells": [], "note": out + err}
        found = [x["mean"] for x in doc["cells"] if x["column"] == "sched=c:sweep_test" and x["kind"] == "ratio"]
        return found, doc.get("note", ""), code == 0 and len(found) == cells

    policy(tmp, POLICY % OLDEST)
    code, out, err = sweep(store, *words)
    old, note, ok = compared()
    check(code == 0 and ok and note == "", "a policy in C beside lrr", out + err + note)
    time.sleep(1.1)  # a store keeps whole seconds
    policy(tmp, POLICY % NEXT)
    code, out, err = sweep(store, *words)
    new, note, ok = compared()
    lrr = [x["mean"] for x in json.loads(sh(WG, "compare", store, *base, "--json")[1])["cells"] if x["column"] == "sched=lrr"]
    check(ok and "2 run now, 2 were there" in out and new == lrr and new != old, "edited and run again: the newest build is compared", f"{old} {new} {lrr}{out}{err}")
    m = re.fullmatch(r"left out: 2 points of another build \(plug-in of c:sweep_test: (\w{8}), the one here is (\w{8})\); --build (\w{8}) takes the other", note)
    check(m and m[1] == m[3] != m[2], "and what is left out is said, with its hash", note)
    check(compared("--build", m[1])[0] == old and compared("--build", m[2])[0] == new and compared("--build", "newest")[0] == new, "--build HASH, --build newest")
    text, page = sh(WG, "compare", store, *base)[1], tmp / "x.html"
    code, out, err = sh(WG, "compare", store, *base, "--html", page)
    check(note in text and note in page.read_text() and note in err, "in the table, on the page, on stderr beside a page", text + err)
    found = rows(store, "--build", "newest")
    check(len(rows(store)) == 6 and len(found) == 4 and {int(r["cycles"]) for r in found if r["sched"] != "lrr"} == set(new), "export --build newest", str(found))
    rest = tmp / "two.db"  # only one of two points is run with the next build: its column is no mixture
    store_of = store
    store = rest
    rest.write_bytes(store_of.read_bytes())
    time.sleep(1.1)
    policy(tmp, POLICY % GREEDY)
    code, out, err = sweep(rest, *words, "--points", "1..1")
    one, note, ok = compared(cells=1)
    check(ok and len(one) == 1 and note.count("left out: ") == 2, "a build of which one of two points was run: the other is a gap", f"{one} {note}{out}{err}")
    here = {x for x in re.findall(r"the one here is (\w{8})", note)}
    shown = sh(WG, "sweep", "show", rest)[1].splitlines()
    at = shown[2].index("build") if "build" in shown[2] else 0
    builds = {line[at - 3:at + 5] for line in shown[3:] if "c:sweep_test" in line}
    check(len(here) == 1 and here | set(re.findall(r"--build (\w{8})", note)) == builds, "  after two edits one build is here; sweep show has the same hashes", f"{note} {builds}")
    row = next(r["build"] for r in rows(rest) if r["sched"] == "c:sweep_test" and int(r["cycles"]) in old)
    found = {int(r["cycles"]) for r in rows(rest, "--build", row) if r["sched"] == "c:sweep_test"}
    other = {int(r["cycles"]) for r in rows(rest, "--build", next(iter(here))) if r["sched"] == "c:sweep_test"}
    check(found == set(old) and other == set(one), "  --build takes points of that build alone", f"{found} {old} {other} {one}")
    store = store_of
    time.sleep(1.1)
    policy(tmp, POLICY % BAD)
    code, out, err = sweep(store, *words)
    now, note, ok = compared()
    check(code == 1 and ok and now == new and "left out: 2 points that failed, of a build of which no run has succeeded" in note,
          "a build whose runs all fail does not count", f"{now}{note}{out}{err}")
    code, out, err = sh(WG, "compare", store, *base, "--build", "cafe")
    check(code == 2 and out == "" and "no point of the store is of the build 'cafe'" in err and "remedy: " in err, "a build that is not there", out + err)
    text, blocks = (ROOT / "testbench/gte/diagonal.c").read_text().replace("diagonal", "sweepblk"), tmp / "blocks.db"
    for change, want in (("", "2 run now, 0 were there"), ("n + i", "1 run now, 1 were there"), ("n + i", "0 run now, 2 were there")):
        file = tmp / "sweepblk.c"
        file.write_text(text.replace("n + i", "n + i + 1") if change else text)
        code, out, err = sh(ROOT / "scripts/cblocks.sh", "sweepblk", file)
        check(code == 0, "a block policy in C", out + err)
        code, out, err = sweep(blocks, *FUNC, "--blocks", "breadth c:sweepblk", "vector_add", "512")
        check(code == 0 and want in out, f"  edited: {want}" if change else "  in a sweep", out + err)
    code, out, err = sh(WG, "compare", blocks, "--baseline", "blocks=breadth", "--metric", "warp_insts")
    check(code == 0 and "left out: 1 point of another build (block policy of c:sweepblk: " in out, "  the newest build of it is compared", out + err)
    for was, now, want in (("return kWgGtePick", "return kWgGteFull", "remedy: the block policy c:sweepblk leaves blocks unsent for ever"),
                           ("    *sm = s;", "    (void)sm;", "sent block 0 of grid 1 without naming an SM")):
        assert was in text
        file.write_text(text.replace(was, now))
        sh(ROOT / "scripts/cblocks.sh", "sweepblk", file)
        code, out, err = sh(WG, "run", "--preset", "tiny", "--blocks", "c:sweepblk", program("vector_add"), "256")
        check(code == 1 and want in out + err, f"  a block policy's fault is named: {want[:40]}", out + err)
    policy(tmp, POLICY % "s->num_slots")
    code, out, err = sh(WG, "run", "--preset", "tiny", "--sched", "c:sweep_test", "--progress", "off", program("vector_add"), "256")
    check(code == 1 and "the warp scheduler sweep_test must pick" in out + err, "  a scheduler that never picks is named", out + err)
    (ROOT / "build/plugin/blocks/sweepblk.so").unlink()
    (ROOT / "build/plugin/c/sweep_test.so").unlink()
    mixed = tmp / "mixed.db"  # a run-time library that was rebuilt between two schedulers: nothing is there twice
    mixed.write_bytes(rest.read_bytes())
    db = sqlite3.connect(mixed)
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("DELETE FROM point WHERE id NOT IN (SELECT point FROM label WHERE name = 'sched' AND value = 'lrr')")
    db.execute("UPDATE label SET value = 'gto' WHERE name = 'sched' AND point = (SELECT max(id) FROM point)")
    db.execute("UPDATE label SET value = '1024' WHERE name = 'args'")
    hexes, = db.execute("SELECT inputs FROM point WHERE id = (SELECT max(id) FROM point)").fetchone()
    was = re.search(r"^build run-time (\w{64})$", hexes, re.M)[1]
    db.execute("UPDATE point SET inputs = replace(inputs, ?, ?) WHERE id = (SELECT max(id) FROM point)", (was, "5" * 64))
    seal(db)
    db.close()
    code, out, err = sh(WG, "compare", mixed, *base)
    check(code == 0 and re.search(r"mixed: some points are of the run-time library \w{8}, others of \w{8}; --build HASH takes one", out) and "55555555" in out,
          "points of two run-time libraries: said", out + err)
    code, out, err = sh(WG, "compare", mixed, "--baseline", "sched=gto", "--build", "5555")
    check(code == 2 and "nothing to compare" in err, "  --build takes one of them", out + err)


def part_rebuilt(tmp):
    store, words = tmp / "mid.db", ["-j2", "--preset", "tiny", "--sched", "c:sweep_test", "--seed", "1..40", "reduce", "2048"]
    cycles = {}
    for source in (NEXT, OLDEST):
        policy(tmp, POLICY % source)
        sweep(tmp / "two.db", "--points", "0..0", *words)
        cycles[source] = ({r["cycles"] for r in rows(tmp / "two.db")} - set(cycles.values())).pop()
    check(cycles[NEXT] != cycles[OLDEST], "two policies with figures of their own", cycles)

    def until(process, least):
        while process.poll() is None and recorded(store) < least:
            time.sleep(0.02)

    process = start(store, words)
    until(process, 3)
    policy(tmp, POLICY % OLDEST)  # the same image in a new file
    until(process, 10)
    policy(tmp, POLICY % NEXT)
    said, _ = process.communicate()
    found = rows(store)
    check(process.returncode == 1 and 10 <= len(found) < 40 and {r["cycles"] for r in found} == {cycles[OLDEST]},
          "a policy rebuilt in mid-sweep: its figures are not kept", said + str([r["cycles"] for r in found]))
    check(re.search(r"error: the plug-in '\S*/sweep_test.so' was changed while the sweep ran, which stops: its points so far are kept\n  remedy: the same command",
                    said) and f"{40 - len(found)} were not run with this build" in said, "  it is said what changed", said)
    code, out, err = sweep(store, "--points", "0..5", *words)
    kept = rows(store, "--build", "newest")
    check(code == 0 and "6 run now, 0 were there" in out and {r["cycles"] for r in kept} == {cycles[NEXT]}, "  the same command runs them with the new build", out + err)
    one = tmp / "prog" / "vector_add"  # a golden library beside a program, written in place
    one.parent.mkdir()
    for name in ("vector_add", "golden.so"):
        (one.parent / name).write_bytes((program("vector_add").parent / name).read_bytes())
    one.chmod(0o755)
    store = tmp / "prog.db"
    process = start(store, ["-j1", *FUNC, "--seed", "1..200", one, "256"])
    until(process, 3)
    with open(one.parent / "new.so", "wb") as f:
        f.write((program("reduce").parent / "golden.so").read_bytes())
    os.replace(one.parent / "new.so", one.parent / "golden.so")
    said, _ = process.communicate()
    check(process.returncode == 1 and "error: the library of golden kernels '" in said and all(r["status"] == "ok" for r in rows(store)), "golden kernels replaced in mid-sweep: no failure is kept", said)
    (ROOT / "build/plugin/c/sweep_test.so").unlink()


def part_cut(tmp):
    policy(tmp, POLICY % OLDEST)
    whole = (ROOT / "build/plugin/c/sweep_test.so").read_bytes()
    cut = ROOT / "build/plugin/c/sweep_cut.so"
    middle = [random.Random(SEED + i).randrange(100, len(whole) - 1) for i in range(3)]
    for size in (0, 63, 64, *middle, len(whole) - 1):
        cut.write_bytes(whole[:size])
        for words in (("run", "--preset", "tiny", "--sched", "c:sweep_cut", program("vector_add"), "256"),
                      ("sweep", "run", "--store", tmp / "x.db", "--preset", "tiny", "--sched", "lrr c:sweep_cut", "vector_add", "256")):
            code, out, err = sh(WG, *words)
            check(code == 2 and "cannot load the C policy 'sweep_cut': " in out + err and "remedy: scripts/cpolicy.sh sweep_cut FILE.c" in out + err,
                  f"{words[0]}: a policy cut to {size} of {len(whole)} bytes", f"{code} {out}{err}")
    cut.unlink()
    os.mkfifo(cut)
    code, out, err = sh(WG, "run", "--preset", "tiny", "--sched", "c:sweep_cut", program("vector_add"), "256", home=ROOT)
    check(code == 2 and "is no ordinary file" in out + err, "a pipe is not waited for", f"{code} {out}{err}")
    cut.unlink()
    for folder, words, script in (("blocks", ("--blocks", "c:sweep_cut"), "cblocks.sh"), ("", ("--sched", "plugin:sweep_cut"), "plugin.sh")):
        path = ROOT / "build/plugin" / folder / "sweep_cut.so"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(whole[:9000])
        code, out, err = sh(WG, "run", "--preset", "tiny", *words, program("vector_add"), "256")
        check(code == 2 and f"is cut short: it has 9000 bytes and speaks of {len(whole)}" in out + err and f"remedy: scripts/{script} sweep_cut" in out + err,
              f"{words[0]} {words[1]} cut short", f"{code} {out}{err}")
        path.unlink()
    golden = tmp / "golden.so"
    golden.write_bytes((program("vector_add").parent / "golden.so").read_bytes()[:5000])
    code, out, err = sh(WG, "run", *FUNC, "--golden", golden, program("vector_add"), "256")
    check(code != 0 and code < 128 and "is cut short" in out + err and "remedy: " in out + err, "golden kernels cut short", f"{code} {out}{err}")
    home = tmp / "home"  # an SM cut short: a build folder of its own
    (home / "build/sm/tiny-fast").mkdir(parents=True)
    for name in ("configs", "programs", "isa"):
        (home / name).symlink_to(ROOT / name)
    for name in ("lib", "bin", "programs"):
        (home / "build" / name).symlink_to(ROOT / "build" / name)
    sm = (ROOT / "build/sm/tiny-fast/libwgsm.so").read_bytes()
    (home / "build/sm/tiny-fast/libwgsm.so").write_bytes(sm[:len(sm) // 2])
    for words in (("run", "--preset", "tiny", program("vector_add"), "256"), ("sweep", "run", "--store", tmp / "x.db", "--preset", "tiny", program("vector_add"), "256"),
                  ("doctor",)):
        code, out, err = sh(WG, *words, home=home)
        check(0 < code < 128 and "make sm SHAPE=tiny" in out + err, f"{words[0]}: an SM cut short", f"{code} {out}{err}")
    (ROOT / "build/plugin/c/sweep_test.so").unlink()
    check(not (tmp / "x.db").exists(), "no store was begun")


def part_compare(tmp):
    store = tmp / "cmp.db"
    code, out, err = sweep(store, "-j2", "--preset", "tiny", "--sched", "lrr gto", "--seed", "1..2", "--program", "vector_add", "--program", "reduce", "--args", "256",
                           "--args", "512")
    check(code == 0, "2 schedulers, 2 programs, 2 sizes, 2 seeds", out + err)
    for more, text in ((["--launch", "99"], "no run of the store has 'cycles' of launch 99"),
                       (["--metric", "occupancy.achieved_percent"], "'occupancy.achieved_percent' does not add up over launches")):
        one = tmp / "two_launches.db"
        sweep(one, "--preset", "tiny", "--sched", "lrr gto", "reduce", "2048")
        code, out, err = sh(WG, "compare", one, "--baseline", "sched=lrr", *more)
        check(code == 2 and text in err and "remedy: " in err and "func" not in err, f"no figure: {text}", out + err)
    with sqlite3.connect(one) as db:
        db.execute("UPDATE point SET status = 'failed', message = 'x', cycles = NULL, warp_insts = NULL, retire_hash = NULL WHERE id IN (SELECT point FROM label WHERE name = 'sched' AND value = 'lrr')")
        seal(db)
    db.close()
    code, out, err = sh(WG, "compare", one, "--baseline", "sched=lrr")
    check(code == 2 and "every run of the baseline sched=lrr has failed" in err and "--failed" in err, "a baseline that has failed: said", out + err)
    found = rows(store, "--stat", "l1_lines")
    one = {(r["program"], r["args"], r["sched"], r["seed"]): r for r in found}
    for metric, pick in (("cycles", lambda r: int(r["cycles"])), ("l1_lines", lambda r: int(r["l1_lines"]))):
        code, out, err = sh(WG, "compare", store, "--baseline", "sched=lrr", "--metric", metric, "--csv", "-")
        cells = list(csv.DictReader(io.StringIO(out)))
        product, good = 1.0, code == 0 and len(cells) == 8 + 2
        for c in cells[:8]:
            program_, args = c["row"].split()
            sched = c["column"].split("=")[1]
            ratios = [pick(one[program_, args, sched, s]) / pick(one[program_, args, "lrr", s]) for s in ("1", "2")]
            good = good and c["kind"] == "ratio" and c["seeds"] == "2" and abs(float(c["ratio"]) - sum(ratios) / 2) < 1e-12
            product *= sum(ratios) / 2 if sched == "gto" else 1
        mean = {c["column"]: float(c["ratio"]) for c in cells if c["kind"] == "geomean"}
        check(good and abs(mean["sched=gto"] - product ** 0.25) < 1e-12 and mean["sched=lrr"] == 1, f"{metric}: ratios and geometric mean", out + err)
    many = tmp / "many.db"  # a program with several launches: totals, figures of one launch, what does not add up
    sweep(many, "--preset", "tiny", "convolve_1d", "256")
    doc = tmp / "many.json"
    sh(WG, "run", "--preset", "tiny", "--json", doc, program("convolve_1d"), "256")
    doc = json.loads(doc.read_text())
    names = ("l1_lines", "issue_slots.issued_slots", "longest_block_cycles", "rates.issue_percent", "machine.sms")
    args = [x for n in names for x in ("--stat", n)]
    whole, = rows(many, *args)
    check(len(doc["launches"]) > 1 and [whole[n] for n in names] ==
          [str(sum(x["l1_lines"] for x in doc["launches"])), str(doc["totals"]["issue_slots"]["issued_slots"]), "", "", "1"],
          "several launches: totals of what adds up, nothing of what does not", str(whole))
    third, = rows(many, *args, "--launch", "3")
    x = doc["launches"][2]
    check([third[n] for n in names[:3]] == [str(x["l1_lines"]), str(x["issue_slots"]["issued_slots"]), str(x["longest_block_cycles"])] and
          abs(float(third[names[3]]) - x["rates"]["issue_percent"]) < 1e-9, "--launch 3", str(third))
    everything, = rows(many, "--all")
    check(len(everything) > 100 and "longest_block_cycles" not in everything and everything["l1_lines"] == whole["l1_lines"], "--all: what adds up", str(list(everything)[-20:]))
    doc = json.loads(sh(WG, "compare", store, "--baseline", "sched=lrr", "--speedup", "--json")[1])
    fast = {(c["row"], c["column"]): c for c in doc["cells"]}["reduce 256", "sched=gto"]
    check(abs(fast["ratio"] - int(one["reduce", "256", "lrr", "1"]["cycles"]) / int(one["reduce", "256", "gto", "1"]["cycles"])) < 1e-12, "--speedup, --json", str(fast))
    svg = tmp / "bars.svg"
    code, out, err = sh(WG, "compare", store, "--baseline", "sched=lrr", "--svg", svg)
    picture = svg.read_text()
    check(code == 0 and picture.endswith("</svg>\n") and picture.count("<title>") == 11 and "bars begin at 1, the baseline, not at 0" in picture and "geometric mean of 4 rows" in out and "same for 2 seeds" in out and "+-" not in out and "tells nothing of a spread" in out, "table and bars; seeds that agree are no interval", out + err)
    for words, text in ((["--baseline", "shced=lrr"], "did you mean 'sched'"), (["--baseline", "sched=lr"], "did you mean 'lrr'"), ([], "no baseline"),
                        (["--baseline", "sched=lrr", "--metric", "l1_line"], "did you mean 'l1_lines'"), (["--baseline", "preset=tiny"], "nothing to compare"),
                        (["--baseline", "sched"], "is no axis with a value"), (["--basline", "sched=lrr"], "did you mean '--baseline'"),
                        (["--baseline", "sched=lrr", "--svg", "/nowhere/x.svg"], "cannot write '/nowhere/x.svg'")):
        code, out, err = sh(WG, "compare", store, *words)
        check(code == 2 and out == "" and text in err, f"refused: {text}", out + err)
    # one failure, and no cycles: neither is a number
    bad = tmp / "bad.db"
    sweep(bad, *FUNC, "--set", "sm.warps_per_subcore=2 8", "--sched", "lrr gto", "vector_add", "256")
    code, out, err = sh(WG, "compare", bad, "--baseline", "sched=lrr", "--metric", "warp_insts")
    check(code == 0 and out.count("failed") >= 2 and "geometric mean of 1 row " in out, "a failed row is in no mean", out + err)
    code, out, err = sh(WG, "compare", bad, "--baseline", "sched=lrr")
    check(code == 2 and "no point of the store can be compared by 'cycles'" in err and "--metric" in err, "func has no cycles to compare", out + err)


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
