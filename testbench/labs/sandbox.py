# SPDX-License-Identifier: Apache-2.0
"""Run one command on a submission: in a bubblewrap sandbox, with limits.

Inside there is no network, no other process, the system's programs and the project's sources to be read, one private
folder to be written. Environment and open files of the caller do not go in. Limits: wall and processor time of all
processes together, address space, size of a file; when the time is over every process of the sandbox is killed.
"""
import fcntl
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
READ = ("rtl", "testbench", "model", "isa", "cosim", "scripts", "configs", "toolchain", "programs", "build/bin", "build/lib", "build/libwg.a",
        "build/programs", "build/obj/verilated", "build/labs/sm", "build/labs/lib", "build/sm/tiny-fast",
        "build/sm/tiny-wave", "runtime")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
MEMORY = 6 << 30   # bytes of address space of a process; clang needs two
FILE = 512 << 20   # bytes of a file
SCRATCH = 256 << 20   # bytes of /tmp, all files together


class Refused(Exception):
    """No sandbox here; the text has the remedy."""


class Result:
    """rc: exit code, negative: signal, None: out of time. out: stdout and stderr, at most 200,000 characters.
    seconds: processor time."""

    def __init__(self, rc, out, seconds):
        self.rc, self.out, self.seconds = rc, out, seconds

    def ending(self):
        """How it ended, in words."""
        if self.late():
            return "it did not end within its time"
        if self.starved():
            return f"it needs more memory than the {MEMORY >> 30} GiB of a process"
        if self.rc < 0 or self.rc > 128:
            n = -self.rc if self.rc < 0 else self.rc - 128
            names = {s.value: s.name for s in signal.Signals}
            return f"it was ended by signal {names.get(n, n)}"
        return f"it ended with exit code {self.rc}"

    def starved(self):
        """It failed for want of memory."""
        return bool(self.rc) and ("std::bad_alloc" in self.out or "Cannot allocate memory" in self.out or "out of memory" in self.out)

    def late(self):
        """Ended by the limit of time."""
        return self.rc is None or abs(self.rc) in (signal.SIGXCPU, signal.SIGKILL) or self.rc in (128 + signal.SIGXCPU, 128 + signal.SIGKILL)


def words(writable, extra=(), write=(), keep=False):
    """The command line in front of the command. writable: the private folder. extra: (source, place) to be read at
    other places; write: the same to be written, folders inside the private one. keep: the private
    folder is only read."""
    line = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--size", str(SCRATCH),
            "--tmpfs", "/tmp"]
    for path in SYSTEM:
        if os.path.islink(path):
            line += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            line += ["--ro-bind", path, path]
    for name in READ:
        if (ROOT / name).exists():
            line += ["--ro-bind", str(ROOT / name), str(ROOT / name)]
    line += ["--ro-bind", str(ROOT / "Makefile"), str(ROOT / "Makefile"), "--ro-bind" if keep else "--bind",
             str(writable), str(writable)]
    for source, place in extra:
        line += ["--ro-bind", str(source), str(place)]
    for source, place in write:
        line += ["--bind", str(source), str(place)]
    for name, value in {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C", "CCACHE_DISABLE": "1"}.items():
        line += ["--setenv", name, value]
    return line + ["--remount-ro", "/", "--chdir", str(ROOT)]


def limits(seconds):
    """Called in the child."""
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def used(pid):
    """Seconds of processor time of a process and all below it, those that have ended and were waited for included."""
    times, below = {}, {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                with open(f"/proc/{entry.name}/stat", "rb") as f:
                    cells = f.read().rpartition(b")")[2].split()   # from the state on: 1 is the parent, 11 to 14 the times
            except OSError:
                continue   # it ended meanwhile
            times[int(entry.name)] = sum(map(int, cells[11:15]))
            below.setdefault(int(cells[1]), []).append(int(entry.name))
    total, todo = 0, [pid]
    while todo:
        p = todo.pop()
        total += times.get(p, 0)
        todo += below.get(p, [])
    return total / os.sysconf("SC_CLK_TCK")


def wait(p, text, seconds):
    """Feed text to process p and wait for its end; (exit code or None: it was ended here, processor seconds)."""
    try:
        p.stdin.write(text)
        p.stdin.close()
    except BrokenPipeError:
        pass
    end, pause, spent = time.monotonic() + 4 * seconds + 10, 0.005, 0.0
    while True:
        pid, status, usage = os.wait4(p.pid, os.WNOHANG)
        if pid:
            p.returncode = os.waitstatus_to_exitcode(status)
            return p.returncode, max(spent, usage.ru_utime + usage.ru_stime)   # bwrap's own; what ran inside was looked at
        if pause >= 0.05:
            spent = max(spent, used(p.pid))
        if spent > seconds or time.monotonic() > end:
            os.killpg(p.pid, signal.SIGKILL)   # the first process of its space: all others go with it
            p.wait()
            return None, spent
        time.sleep(pause)
        pause = min(0.25, pause * 1.5)


def run(args, writable, seconds, env=None, extra=(), stdin="", write=(), fds=()):
    """Run args in a sandbox; Result. seconds: processor time of everything that runs in it; four times that is the
    limit of the wall clock, so that a machine with much else to do does not judge. fds: open files that go in, beside
    stdin."""
    line = words(writable, extra, write)
    for name, value in (env or {}).items():
        line += ["--setenv", name, str(value)]
    with tempfile.TemporaryFile(dir=writable) as out:
        p = subprocess.Popen([*line, "--", *map(str, args)], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT, pass_fds=fds,
                             start_new_session=True, preexec_fn=limits(seconds))  # pylint: disable=subprocess-popen-preexec-fn
        rc, spent = wait(p, stdin.encode(), seconds)
        out.seek(0)
        return Result(rc, out.read(200000).decode("utf-8", "replace"), spent)


def need():
    """Raise Refused unless a sandbox can be made here."""
    if not shutil.which("bwrap"):
        raise Refused("no command bwrap; remedy: apt-get install --no-install-recommends bubblewrap (submissions run only in a sandbox)")
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as scratch:   # not below /tmp, which is another one inside
        r = run(["true"], scratch, 20)
    if r.rc != 0:
        raise Refused("bubblewrap cannot make a sandbox here (" + (r.out.strip().splitlines() or [r.ending()])[-1] +
                      "); remedy: a machine or container that allows user namespaces (submissions run only in a sandbox)")


class Lock:
    """Held while one process uses what is at `path`; others wait, and say that they do. The file PATH.lock stays."""

    def __init__(self, path, what):
        self.path, self.what, self.file = path.with_name(path.name + ".lock"), what, None

    def __enter__(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.file = open(self.path, "wb")  # pylint: disable=consider-using-with
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"waiting: another call {self.what}", file=sys.stderr, flush=True)
            fcntl.flock(self.file, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_):
        self.file.close()
