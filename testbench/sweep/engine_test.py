#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps on more than one machine: `warpglass sweep run --engine slurm|parallel`. Run from the root after `make build programs`.

usage: testbench/sweep/engine_test.py [PART ...]
parts:
  split     --part K/N, --have, --wait, --digest: parts that do not overlap, merged in any order, are one sweep
  slurm     a Slurm cluster of two nodes on this host (slurm.sh): a node is lost in mid-sweep and the waiting command killed;
            nothing is lost, nothing is run twice, the table is byte for byte that of a sweep on one machine
  parallel  GNU parallel over ssh to two machines on this host (sshd.sh), one of which is lost; points that fail
  refused   no sbatch, no Slurm, no folder that all see; parts that are cut, foreign, of another plan; one sentence each
A missing Slurm is a failure; as root it is installed (`scripts/deps.sh cluster`). TEST_ALL=1: `slurm` also kills the daemon of a node
alone, whose tasks run on, and takes 200 points and three kills. Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import sweep_test as base  # which finds suite
import suite
from suite import ALL, ROOT, SEED, WG, check, program
from sweep_test import FUNC, image, rows, sh, sweep, table

HERE = ROOT / "testbench/sweep"
NODES = ("node1", "node2")


def tool(script, *words):
    p = subprocess.run([str(HERE / script), *(str(w) for w in words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    return p.returncode, p.stdout


def slow_program(tmp):
    """A program that notes each start of it in $RUN_LOG and takes $RUN_SLEEP s longer; its key does not depend on these."""
    folder = tmp / "slow"
    folder.mkdir(exist_ok=True)
    path = folder / "slow"
    path.write_text(f"#!/bin/sh\n[ -z \"$RUN_LOG\" ] || echo \"$WARPGLASS|${{SLURMD_NODENAME:-here}}\" >>\"$RUN_LOG\"\nsleep \"${{RUN_SLEEP:-0}}\"\n"
                    f"exec {program('vector_add')} \"$@\"\n")
    path.chmod(0o755)
    shutil.copy(program("vector_add").parent / "golden.so", folder / "golden.so")
    return path


def begin(store, words, **env):
    return subprocess.Popen([str(a) for a in (WG, "sweep", "run", "--store", store, *words)], cwd=ROOT, env=suite.environment(**env),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def starts(log):
    """[(settings, node)] of every run that began."""
    return [tuple(x.rsplit("|", 1)) for x in log.read_text().splitlines()] if log.exists() else []


def parts_of(store):
    return sorted(pathlib.Path(f"{store}-parts").glob("part-*.db"))


def stamps(stores):
    """When each point was recorded, and how long it took: what a point that is run again would not keep."""
    found = {}
    for path in stores:
        try:
            db = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
            found.update(db.execute("SELECT key, recorded || ' ' || host_seconds FROM point"))
            db.close()
        except sqlite3.Error:  # it is just being made
            pass
    return found


def until(what, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        if what():
            return True
        time.sleep(0.05)
    return False


def one_error(err, text):
    errors = [x for x in err.splitlines() if x.startswith("warpglass: error: ")]
    return len(errors) == 1 and text in err


# ---- a plan in parts ----

def part_split(tmp):
    words = [*FUNC, "--sched", "default lrr gto", "--set", "sm.mshrs=4 8", "--seed", "1..2", "vector_add", "256"]
    whole = tmp / "whole.db"
    code, out, err = sweep(whole, "-j2", *words)
    points = len(rows(whole))
    check(code == 0 and points == 8, "a whole sweep: 12 points, 8 keys", out + err)
    parts = [tmp / f"part{k}.db" for k in range(3)]
    for k, p in enumerate(parts):
        code, out, err = sweep(p, "--part", f"{k}/3", *words)
        check(code == 0, f"part {k} of 3", out + err)
    keys = [set(stamps([p])) for p in parts]
    check(sorted(len(k) for k in keys) == [2, 3, 3] and len(set.union(*keys)) == points, "the parts are even and do not overlap", str([len(k) for k in keys]))
    rng = random.Random(SEED)
    for i in range(2):
        store = tmp / f"merged{i}.db"
        code, out, err = sh(WG, "sweep", "merge", "--store", store, *rng.sample(parts, 3))
        before = table(store, "--all")
        again = sh(WG, "sweep", "merge", "--store", store, *rng.sample(parts, 3))
        check(code == 0 and before == table(whole, "--all") and table(store, "--all") == before and ": 0 points" in again[1], "merged in some order, and once more: the same bytes", out + err)
    code, out, err = sweep(tmp / "rest.db", "--have", parts[1], *words)
    check(code == 0 and set(stamps([tmp / "rest.db"])) == keys[0] | keys[2], "--have: what another store has is not run", out + err)
    code, out, err = sweep(tmp / "none.db", "--digest", "0" * 64, *words)
    check(code == 2 and one_error(err, "other ones here than where the sweep was begun") and not (tmp / "none.db").exists(), "--digest of another sweep: refused", out + err)
    for value in ("3/3", "1", "x/3", "1/0", "-1/3"):
        code, out, err = sweep(tmp / "none.db", "--part", value, *words)
        check(code == 2 and one_error(err, "--part") and not (tmp / "none.db").exists(), f"--part {value}: refused", out + err)
    # two at once on one part: the second waits and then has nothing to do
    slow, log, store = slow_program(tmp), tmp / "wait.log", tmp / "wait.db"
    words = [*FUNC, "--seed", "1..4", slow, "256"]
    first = begin(store, words, RUN_LOG=log, RUN_SLEEP=0.3)
    until(lambda: starts(log))
    second = begin(store, ["--wait", *words], RUN_LOG=log, RUN_SLEEP=0.3)
    third = begin(store, words, RUN_LOG=log)
    out3, err3 = third.communicate(timeout=60)
    out1, err1 = first.communicate(timeout=60)
    out2, err2 = second.communicate(timeout=60)
    check(third.returncode == 2 and "in use by another sweep" in err3 and first.returncode == 0, "without --wait a store in use is refused", out3 + err3 + out1 + err1)
    check(second.returncode == 0 and "waiting for it" in err2 and "0 run now, 4 were there" in out2 and len(starts(log)) == 4, "with --wait it is waited for, nothing is run twice", out2 + err2)


# ---- Slurm ----

class Cluster:
    """slurm.sh as a context: whatever happens, nothing of it runs afterwards."""

    def __init__(self, folder):
        self.folder = folder
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")

    def __enter__(self):
        code, said = tool("slurm.sh", "start", self.folder)
        check(code == 0, "a Slurm cluster of two nodes on this host", said)
        if code != 0:
            self.__exit__()
            sys.exit("error: no cluster\n  remedy: see above")
        return self

    def __exit__(self, *_):
        tool("slurm.sh", "stop", self.folder)
        left = [p.name for p in pathlib.Path("/proc").glob("[0-9]*") if f"SLURM_CONF={self.folder}/slurm.conf\0".encode() in self.environ(p)]
        check(not left, "no process of the cluster is left", str(left))
        del os.environ["SLURM_CONF"]

    @staticmethod
    def environ(p):
        try:  # this test itself has the variable in os.environ, not in the environment that it was started with
            dead = (p / "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
            return b"" if dead else (p / "environ").read_bytes()
        except OSError:
            return b""

    def log(self):
        return (self.folder / "slurmctld.log").read_text()

    def failed(self, since=0):
        """Nodes that Slurm gave up (behind so much of its log), and whose tasks it began again: on a machine with much else to do one that is only slow may be among them."""
        return set(re.findall(r"due to failure of node (\S+)", self.log()[since:]))

    def tasks(self):
        """{array index: state} of what waits or runs."""
        out = subprocess.run(["squeue", "-h", "-r", "-o", "%K %T"], stdout=subprocess.PIPE, text=True, check=False).stdout
        return dict(x.split() for x in out.splitlines())

    def idle(self):
        out = subprocess.run(["sinfo", "-h", "-N", "-o", "%T"], stdout=subprocess.PIPE, text=True, check=False).stdout
        return out.split() == ["idle"] * len(NODES)


def finished(what, store, whole, p, points, had):
    out, err = p.communicate(timeout=240)
    check(p.returncode == 0 and f"{points} of {points} points" in out and "0 failed" in out, what, out + err)
    now = stamps([store])
    check(all(now.get(k) == v for k, v in had.items()), f"  {len(had)} points that were recorded before are kept as they were", str(len(now)))
    check(all(table(store, *more) == table(whole, *more) for more in ([], ["--all"])), "  the table is byte for byte that of a sweep on one machine")
    check(not pathlib.Path(f"{store}-parts").exists(), "  nothing of the parts is left", str(list(pathlib.Path(f"{store}-parts").glob("*"))))
    return out + err


def node_lost(tmp, cluster, slow, whole, words, points):
    """A node loses its power in mid-sweep, and the command that waits is killed."""
    store, log = tmp / "lost.db", tmp / "lost.log"
    words = ["--engine", "slurm", "--tasks", "4", *words]
    p = begin(store, words, RUN_LOG=log, RUN_SLEEP=0.5)
    until(lambda: {n for _, n in starts(log)} == set(NODES) and len(stamps(parts_of(store))) >= 4)
    code, said = tool("slurm.sh", "lose", cluster.folder, "node1")
    had, begun = stamps(parts_of(store)), starts(log)
    check(code == 0 and 0 < len(had) < points and {n for _, n in begun} == set(NODES), f"node1 is lost with {len(had)} of {points} points recorded", said + str(begun))
    p.send_signal(signal.SIGKILL)
    p.communicate(timeout=60)
    again = begin(store, words, RUN_LOG=log, RUN_SLEEP=0)
    said = finished("the array job ends on the other node, and the same command merges it", store, whole, again, points, had)
    check("still has" in said and "waiting for it" in said, "  it did not submit another one", said)
    check("node1" in cluster.failed(), "  Slurm began the tasks of the lost node again", cluster.log())
    count = {}
    for settings, node in starts(log):
        count[settings] = count.get(settings, 0) + 1
    twice = {s for s, n in count.items() if n > 1}
    others = cluster.failed() - {"node1"}
    in_flight = {s for s, n in begun if n == "node1"} | {s for s, n in starts(log) if n in others}
    check(len(count) == points and max(count.values()) <= 2 and len(twice) <= 2 + 2 * len(others) and twice <= in_flight,
          f"  {len(twice)} points were in flight there and begun again, no other", f"{twice} of {in_flight}")


def daemon_killed(tmp, cluster, slow, whole, words, points):
    """The daemon of a node is killed alone: its tasks run on while Slurm begins them again elsewhere. Nothing may run twice."""
    store, log = tmp / "daemon.db", tmp / "daemon.log"
    before = len(cluster.log())
    p = begin(store, ["--engine", "slurm", "--tasks", "4", *words], RUN_LOG=log, RUN_SLEEP=4)
    until(lambda: {n for _, n in starts(log)} == set(NODES))
    code, said = tool("slurm.sh", "kill", cluster.folder, "node2")
    check(code == 0, "the daemon of node2 is killed, its tasks are not", said)
    finished("the sweep ends", store, whole, p, points, {})
    check("node2" in cluster.failed(before), "  Slurm began the tasks again", "")
    begun = starts(log)
    check(len({s for s, _ in begun}) == points <= len(begun) <= points + 2 * len(cluster.failed(before) - {"node2"}), "  no point was begun twice: the second of a task waited for the first", f"{len(begun)} starts")


def driver_killed(tmp, slow):
    """The command that waits is killed three times in a sweep of 200 points."""
    words = [*FUNC, "--set", "sm.mshrs=4 8", "--seed", "1..100", slow, "256"]
    whole, store, log = tmp / "whole200.db", tmp / "cut200.db", tmp / "cut200.log"
    code, out, err = sweep(whole, "-j2", *words)
    check(code == 0, "200 points on one machine", out + err)
    words = ["--engine", "slurm", "--tasks", "8", *words]
    for kill in range(3):
        p = begin(store, words, RUN_LOG=log, RUN_SLEEP=0.2)
        enough = (kill + 1) * 40
        until(lambda: len(starts(log)) >= enough or p.poll() is not None, 200)
        check(p.poll() is None, f"killed after {len(starts(log))} starts")
        p.send_signal(signal.SIGKILL)
        p.communicate(timeout=60)
    had = stamps([store, *parts_of(store)])
    finished("200 points, the waiting command killed three times", store, whole, begin(store, words, RUN_LOG=log), 200, had)
    check(len(starts(log)) == 200, "  no point was begun twice", str(len(starts(log))))


def job_left(tmp, cluster, slow, whole, words, points):
    """The waiting command is stopped and the array job cancelled: the same command submits only what is missing."""
    store, log = tmp / "left.db", tmp / "left.log"
    words = ["--engine", "slurm", "--tasks", "4", *words]
    p = begin(store, words, RUN_LOG=log, RUN_SLEEP=0.5)
    until(lambda: len(stamps(parts_of(store))) >= 4)
    p.send_signal(signal.SIGTERM)
    out, err = p.communicate(timeout=60)
    check(p.returncode == -signal.SIGTERM and "goes on: the same command waits for it, `scancel " in out, "SIGTERM: the array job is left, and named", out + err)
    subprocess.run(["scancel", out.split("`scancel ")[1].split("`")[0]], check=True)
    check(until(lambda: not cluster.tasks(), 30) and until(lambda: not base.sleepers("0.5"), 10), "it is cancelled", str(cluster.tasks()))
    had = stamps([store, *parts_of(store)])
    said = finished("then the same command: only what is missing is submitted", store, whole, begin(store, words, RUN_LOG=log), points, had)
    check("waiting for it" not in said and len(starts(log)) <= points + 4, "  by an array job of its own", said + str(len(starts(log))))


def part_slurm(tmp):
    os.chmod(tmp, 0o755)  # munge insists that its socket can be reached
    slow, whole = slow_program(tmp), tmp / "whole.db"
    words = [*FUNC, "--sched", "lrr gto", "--seed", "1..10", slow, "256"]
    code, out, err = sweep(whole, "-j2", *words)
    points = len(rows(whole))
    check(code == 0 and points == 20, "20 points on one machine", out + err)
    with Cluster(tmp / "cluster") as cluster:
        code, out, err = sweep(tmp / "bad.db", "--engine", "slurm", "--engine-args", "--partition=nowhere", *words)
        check(code == 2 and one_error(err, "sbatch did not take the tasks: ") and "partition" in err and not list(tmp.glob("bad.db*")), "a partition that is not there: Slurm's own words, nothing is left", out + err)
        node_lost(tmp, cluster, slow, whole, words, points)
        if ALL:
            tool("slurm.sh", "node", cluster.folder, "node1")
            check(until(cluster.idle, 60), "node1 is back")
            daemon_killed(tmp, cluster, slow, whole, words, points)
            tool("slurm.sh", "node", cluster.folder, "node2")
            check(until(cluster.idle, 60), "node2 is back")
            driver_killed(tmp, slow)
            job_left(tmp, cluster, slow, whole, words, points)


# ---- GNU parallel over ssh ----

def part_parallel(tmp):
    slow, whole, store, log = slow_program(tmp), tmp / "whole.db", tmp / "ssh.db", tmp / "ssh.log"
    # blocks of 256 threads do not fit into two warps: half of the points fail
    words = [*FUNC, "--set", "sm.warps_per_subcore=2 8", "--seed", "1..4", slow, "256"]
    code, out, err = sweep(whole, "-j2", *words)
    bad = [r for r in rows(whole) if r["status"] == "failed"]
    check(code == 1 and len(rows(whole)) == 8 and len(bad) == 4, "8 points on one machine, 4 of which fail", out + err)
    machines = tmp / "ssh"
    code, said = tool("sshd.sh", "start", machines)
    check(code == 0, "two machines that ssh reaches", said)
    os.environ["PARALLEL_SSH"] = str(machines / "ssh")
    try:
        # ssh does not carry the environment: the sleep is a part of the program's folder
        slow.write_text(slow.read_text().replace('[ -z "$RUN_LOG" ]', f'RUN_LOG={log}\nRUN_SLEEP=$(cat {tmp}/sleep)\n[ -z "$RUN_LOG" ]').replace("${SLURMD_NODENAME:-here}", "${SSH_CONNECTION##* }"))
        (tmp / "sleep").write_text("0")
        whole.unlink()
        sweep(whole, "-j2", *words)
        log.unlink()
        (tmp / "sleep").write_text("0.7")
        words = ["--engine", "parallel", "--hosts", "1/node1,1/node2", "--tasks", "4", *words]
        p = begin(store, words)
        until(lambda: len({n for _, n in starts(log)}) == 2 and len(stamps(parts_of(store))) >= 1)
        code, said = tool("sshd.sh", "lose", machines, "node2")
        had = stamps(parts_of(store))
        check(code == 0 and 0 < len(had) < 8 and len({n for _, n in starts(log)}) == 2, f"node2 is lost with {len(had)} of 8 points recorded", said + str(starts(log)))
        (tmp / "sleep").write_text("0")
        out, err = p.communicate(timeout=120)
        now = stamps([store])
        check(p.returncode == 1 and "8 of 8 points" in out and "4 failed" in out and all(now[k] == v for k, v in had.items()), "the other machine ends the sweep", out + err)
        check(all(table(store, *more) == table(whole, *more) for more in ([], ["--all"])), "  the table is byte for byte that of a sweep on one machine")
        check(all(r["message"] and not r["cycles"] and not r["warp_insts"] for r in rows(store) if r["status"] == "failed"), "  a failure has its message and no number")
        settings = [s for s, _ in starts(log)]
        check(len(set(settings)) == 8 and len(settings) <= 8 + 1, "  at most the one in flight there is begun again", str(starts(log)))
        check(not list(tmp.glob("ssh.db-*")), "  nothing of the parts is left", str(list(tmp.glob("ssh.db-*"))))
        code, out, err = sweep(store, *words)
        check(code == 1 and "0 run now, 8 were there; 4 failed" in out and len(starts(log)) == len(settings), "again: nothing is run", out + err)
        code, out, err = sweep(store, "--retry", *words)
        check(code == 1 and "4 run now, 4 were there; 4 failed" in out and len(starts(log)) == len(settings) + 4, "--retry: only what failed", out + err)
        # a machine that has not got the folder: it is away while that one works
        hidden, folder = tmp / "hidden", tmp / "none.db-parts"
        hidden.write_text(f"#!/bin/sh\nmv {folder} {folder}-away\n{machines}/ssh \"$@\"\nrc=$?\nmv {folder}-away {folder}\nexit $rc\n")
        hidden.chmod(0o755)
        os.environ["PARALLEL_SSH"] = str(hidden)
        code, out, err = sweep(tmp / "none.db", "--engine", "parallel", "--hosts", "1/node1", "--tasks", "1", *FUNC, "vector_add", "256")
        check(code == 1 and one_error(err, "no task could begin: is the folder") and "on the other machines?" in err, "a machine without the folder", out + err)
        os.environ["PARALLEL_SSH"] = str(machines / "ssh")
        code, out, err = sweep(tmp / "none.db", "--engine", "parallel", "--hosts", "1/nobody", "--tasks", "1", *FUNC, "vector_add", "256")
        check(code == 1 and one_error(err, "no task could begin") and "nobody" in err, "a machine that is not there", out + err)
        unknown = tmp / "unknown"
        unknown.write_text("#!/bin/sh\necho 'ssh: Could not resolve hostname nobody: Name or service not known' >&2\nexit 255\n")
        unknown.chmod(0o755)
        os.environ["PARALLEL_SSH"] = str(unknown)
        code, out, err = sweep(tmp / "none.db", "--engine", "parallel", "--hosts", "1/nobody", "--tasks", "1", *FUNC, "vector_add", "256")
        check(code == 1 and one_error(err, "ssh did not reach its machine: ssh: Could not resolve") and "`ssh HOST true`" in err and "on the other machines?" not in err,
              "a machine that ssh does not know: ssh's own words", out + err)
        os.environ["PARALLEL_SSH"] = str(machines / "ssh")
        code, out, err = sweep(tmp / "none.db", "--engine", "parallel", "--hosts", "1/node1", *FUNC, "vector_add", "256")
        check(code == 0 and "1 run now" in out and not list(tmp.glob("none.db-*")), "  then on one that is", out + err)
    finally:
        tool("sshd.sh", "stop", machines)
        del os.environ["PARALLEL_SSH"]
    left = [p.name for p in pathlib.Path("/proc").glob("[0-9]*") if str(machines).encode() in cmdline(p)]
    check(not left, "no sshd is left", str(left))


def cmdline(p):
    try:
        return (p / "cmdline").read_bytes()
    except OSError:
        return b""


# ---- what is refused before anything is begun ----

def part_refused(tmp):
    ok, store = [*FUNC, "vector_add", "256"], tmp / "s.db"
    empty, fake = tmp / "empty", tmp / "fake"
    for folder in (empty, fake):
        folder.mkdir()
    (fake / "parallel").write_text("#!/bin/sh\necho another program\n")
    (fake / "ssh").write_text("#!/bin/sh\nexit 0\n")
    for name in ("parallel", "ssh"):
        (fake / name).chmod(0o755)
    slurm, ssh = ["--engine", "slurm"], ["--engine", "parallel", "--hosts", "node1"]
    for what, words, text, path in (("Slurm that is not installed", slurm, "there is no command 'sbatch' here", empty),
                                    ("GNU parallel that is not installed", ssh, "there is no command 'parallel' here", empty),
                                    ("a 'parallel' that is another program", ssh, "is another program of that name", fake),
                                    ("an engine that there is not", ["--engine", "slrum"], "did you mean 'slurm'", None),
                                    ("parallel without machines", ["--engine", "parallel"], "has no machines", None),
                                    ("a machine's number of tasks without the machine", ["--engine", "parallel", "--hosts", "node1 2/"], "option '--hosts': '2/' is no machine", None),
                                    ("an option in place of a machine", ["--engine", "parallel", "--hosts", "-oX=y"], "option '--hosts': '-oX=y' is no machine", None),
                                    ("a number of tasks that is none", ["--engine", "parallel", "--hosts", "abc/node1"], "'abc/node1' is no machine", None),
                                    ("no tasks on a machine", ["--engine", "parallel", "--hosts", "0/node1"], "'0/node1' is no machine", None),
                                    ("tasks of no engine", ["--tasks", "4"], "--tasks goes with another engine", None),
                                    ("too many tasks", [*slurm, "--tasks", "5000"], "--tasks", None),
                                    ("hosts of Slurm", [*slurm, "--hosts", "a"], "--hosts does not go with the engine slurm", None),
                                    ("a part of an engine's sweep", [*slurm, "--part", "0/2"], "--part is for a task", None),
                                    ("an override that cannot be", [*slurm, "--set", "sm.mshrs=999"], "'sm.mshrs' is 999, must be 1 to", None),
                                    ("a program that is not there", [*slurm, "--program", "vector_ad"], "did you mean 'vector_add'", None)):
        before = os.environ["PATH"]
        if path is not None:
            os.environ["PATH"] = str(path)
        code, out, err = sweep(store, *words, *ok)
        os.environ["PATH"] = before
        check(code == 2 and one_error(err, text) and not list(tmp.glob("s.db*")), f"{what}: one sentence, nothing is left", out + err)
    conf = tmp / "dead.conf"
    conf.write_text(f"ClusterName=x\nSlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort=1\nAuthType=auth/munge\nAuthInfo=socket={tmp}/none\nMessageTimeout=2\n"
                    "NodeName=n NodeAddr=127.0.0.1\nPartitionName=p Nodes=n Default=YES\n")
    os.environ["SLURM_CONF"] = str(conf)
    code, out, err = sweep(store, *slurm, *ok)
    del os.environ["SLURM_CONF"]
    check(code == 2 and one_error(err, "sbatch did not take the tasks: ") and "controller" in err and not list(tmp.glob("s.db*")), "a Slurm that does not answer: its own words, nothing is left", out + err)
    # stores that cannot be merged into: one sentence, nothing is changed
    part = tmp / "part.db"
    sweep(part, *FUNC, "--seed", "1..3", "vector_add", "256")
    sweep(store, *ok)
    for what, change, text, code in (("read-only", lambda: os.chmod(store, 0o444), "is read-only", 2), ("of a newer version", lambda: newer(store), "newer version", 2),
                                     ("on a full disk", None, "cannot write the store", 1)):
        sound = store.read_bytes()
        if change:
            change()
        before = image(store)
        got, out, err = sh(WG, "sweep", "merge", "--store", store, part, limit=None if change else store.stat().st_size + 2048)
        check(got == code and one_error(err, text) and image(store) == before, f"merge into a store {what}: one sentence, nothing is changed", f"exit code {got}\n{out}{err}")
        os.chmod(store, 0o644)
        store.write_bytes(sound)
        pathlib.Path(f"{store}-journal").unlink(missing_ok=True)
    got, out, err = sweep(tmp / "full.db", *slurm, *ok, limit=8192)
    check(got == 2 and one_error(err, "cannot write the store") and not list(tmp.glob("full.db*")), "an engine's sweep on a full disk", f"exit code {got}\n{out}{err}")


    broken_parts(tmp, fake)


def broken_parts(tmp, fake):
    """A sweep of which some parts are there, whose folder is then damaged in several ways."""
    store, before_path = tmp / "parts.db", os.environ["PATH"]
    (fake / "parallel").write_text("#!/bin/sh\necho GNU parallel\n")
    os.environ["PATH"] = f"{fake}:{before_path}"  # one that begins nothing
    plan = [*FUNC, "--seed", "1..6", "vector_add", "256"]
    words = ["--engine", "parallel", "--hosts", "node1", "--tasks", "3", *plan]
    code, out, err = sweep(store, *words)
    check(code == 1 and one_error(err, "no task could begin: is the folder") and "6 left: the same command goes on" in out, "an engine that begins nothing", out + err)
    folder = pathlib.Path(f"{store}-parts")
    part, before = folder / "part-0.db", image(store)
    code, out, err = sweep(part, "--part", "0/3", *plan)
    sound, had = part.read_bytes(), stamps([part])
    check(code == 0 and len(had) == 2, "a part with two points", out + err)

    def refuse(what, text, code=1):
        files = {x.name: image(x) for x in folder.iterdir()}
        got, out, err = sweep(store, *words)
        check(got == code and one_error(err, text) and image(store) == before and {x.name: image(x) for x in folder.iterdir()} == files, what, f"exit code {got}\n{out}{err}")

    hole = sound[:20480] + bytes(4096) + sound[24576:]
    for what, data in (*((f"that is cut to {n} of {len(sound)} bytes", sound[:n]) for n in (len(sound) // 2, len(sound) - 4096, 2000)), ("whose sixth page is empty", hole)):
        part.write_bytes(data)
        refuse(f"a part {what}: one sentence, nothing is changed", "is damaged, cut short perhaps")
        code, out, err = sweep(store, *words)
        check("remedy: remove " in err, "  and a remedy", err)
        code, out, err = sh(WG, "sweep", "merge", "--store", tmp / "cut.db", part)
        check(code == 2 and one_error(err, "is damaged, cut short perhaps") and not (tmp / "cut.db").exists(), "  merge says so too", out + err)
    part.unlink()
    sweep(part, *FUNC, "vector_add", "512")
    refuse("a part of another plan", "is of another plan: 1 of its 1 points are none of this one")
    part.write_bytes(sound)
    words[5] = "2"
    refuse("another number of tasks", "was begun with 3 tasks", code=2)
    words[5] = "3"
    words[-1] = "512"
    refuse("another plan in the same folder", "has parts of another plan", code=2)
    words[-1] = "256"
    record = folder / "sweep.job"
    text = record.read_text()
    record.write_text("warpglass sweep 7\n")
    refuse("a folder of another version", "is no record of a sweep that this version knows", code=2)
    record.write_text(text)
    words = words[6:]
    refuse("a sweep of this machine alone into the same store, meanwhile", "is under way in", code=2)
    words = ["--engine", "parallel", "--hosts", "node1", "--tasks", "3", *plan]
    (folder / "part-1.db").write_text("")  # killed while it was made
    code, out, err = sweep(store, *words)
    check(code == 1 and "2 of 6 points" in out and stamps([store]) == had and not part.exists(), "whole again: what the part has is merged, and kept", out + err)
    (fake / "parallel").write_text(f"#!/bin/sh\necho GNU parallel\n[ \"$1\" = --version ] || {{ sed -i s/512/6/\;s/256/512/ {folder}/sweep.plan; sh {folder}/task.sh 1; }}\n")
    code, out, err = sweep(store, *words)
    check(code == 1 and one_error(err, "task 1 ended before its points: warpglass: error: the points of this plan are other ones here") and stamps([store]) == had,
          "a task that finds another plan, as where builds differ: the task's own words", out + err)
    (fake / "parallel").write_text(f"#!/bin/sh\necho GNU parallel\n[ \"$1\" = --version ] || for k in 0 1 2; do sh {folder}/task.sh $k || exit 1; done\n")
    code, out, err = sweep(store, *words)
    log = folder.exists()
    check(code == 0 and "6 of 6 points" in out and "4 run now, 2 were there" in out and not log and all(stamps([store])[k] == v for k, v in had.items()), "the tasks run what is missing, and no more", out + err)
    os.environ["PATH"] = before_path


def newer(store):
    db = sqlite3.connect(store)
    db.execute("PRAGMA user_version = 3")
    db.close()


def need():
    """Slurm, parallel and an sshd: installed if they can be, else a failure."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [c for c in ("munged", "slurmctld", "slurmd", "sbatch", "parallel", "sshd", "ssh") if not shutil.which(c, path=path)]
    if missing:
        subprocess.run([ROOT / "scripts/deps.sh", "cluster"], cwd=ROOT, check=False)
    missing = [c for c in missing if not shutil.which(c, path=path)]
    if missing:
        sys.exit(f"error: there is no command {', '.join(missing)}\n  remedy: scripts/deps.sh cluster")


def both():
    """All parts: Slurm takes its time to see that a node is gone, the others run meanwhile. @return exit code"""
    sums, groups = [0, 0], [["slurm"], ["split", "parallel", "refused"]]
    runs = [subprocess.Popen([sys.executable, __file__, *g], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for g in groups]
    for r in runs:
        lines = r.communicate()[0].splitlines()
        last = lines[-1].split() if lines else []
        whole = len(last) == 4 and last[1] == "passed," and last[3] == "failed"
        print("\n".join(lines[:-2] if whole else [*lines, "FAIL  a part broke off"]), flush=True)
        sums = [sums[0] + int(last[0]), sums[1] + int(last[2])] if whole else [sums[0], sums[1] + 1]
    print(f"SEED={SEED}\n{sums[0]} passed, {sums[1]} failed")
    return 1 if sums[1] or not sums[0] else 0


if __name__ == "__main__":
    if not any(w in ("-h", "--help") for w in sys.argv[1:]):
        need()
    sys.exit(both() if len(sys.argv) == 1 else suite.main(globals()))
