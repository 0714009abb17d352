#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several RTL SMs: host threads, progress on a terminal, the journal of launches.

usage: testbench/scale/scale_test.py [PART ...]     after `make build programs sm SHAPE=tiny`
parts:
  threads   1, 3 and 8 SMs of shape tiny: output, counters, faults and hangs are the same for 1, 2 and 4 threads; bad numbers
  memory    host memory of an RTL SM stays below what the README says
  progress  a line on a terminal, gone at the end of the launch; not a byte of it in a pipe
  journal   killed and run again: finished launches are skipped, output and counters are the same bytes; damaged, foreign and
            unfitting journals, settings that do not go with one
Each line is `ok` or `FAIL`; `N passed, N failed` is last.
"""
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, ROOT, SEED, check, environment, program, sh_apart  # noqa: E402

MIB_PER_SM = 2  # model/README.md, "Several SMs"


def machine(tmp, sms):
    """The preset tiny with so many SMs."""
    text, n = re.subn(r"^(num_sms(?:_full)? = )1 ", rf"\g<1>{sms} ", (ROOT / "configs/tiny.cfg").read_text(), flags=re.M)
    if n != 2:
        sys.exit("error: configs/tiny.cfg has no two lines 'num_sms'")
    out = tmp / f"tiny{sms}.cfg"
    out.write_text(text)
    return out


def counted(args, settings, tmp):
    """What a run says and counts."""
    counters = tmp / "counters.json"
    counters.write_text("")
    code, out, err = sh_apart([BIN / "warpglass", "run", "--json", counters, *args], settings)
    return code, out, counters.read_text(), err


def part_threads(tmp):
    runs = [(8, "reduce", "4096", "check=units"), (3, "convolve_1d", "512", "check=retire sched=gto"), (1, "mm_tiled", "32", "check=units")]
    if ALL:
        runs += [(sms, p, a, "check=units") for sms in (2, 4, 5, 8) for p, a in (("mm_tiled", "64"), ("convolve_1d", "4096"), ("reduce", "4096"))]
    for sms, name, arg, words in runs:
        first = counted([program(name), arg], f"preset={machine(tmp, sms)} {words}", tmp)
        check(first[0] == 0 and f'"sms": {sms}' in first[2], f"{name} {arg}, {sms} SMs", first[1] + first[3])
        for jobs in (1, 2, 4):
            check(counted([program(name), arg], f"preset={machine(tmp, sms)} {words} jobs={jobs}", tmp)[:3] == first[:3],
                  f"  the same with {jobs} threads")
    files = sorted((ROOT / "programs/asm").glob("*.s"))
    files = files if ALL else files[SEED % 10::10]
    said = [sh_apart([BIN / "wgasmtest", "-s", f"preset={machine(tmp, 3)} check=units diverge=its jobs={jobs}", *files]) for jobs in (1, 2, 4)]
    check(said[0] == said[1] == said[2] and "PASS" in said[0][1], f"{len(files)} assembly programs, faults among them, 3 SMs, 1, 2 and 4 threads",
          "\n".join(s[1][-600:] for s in said))
    for words, text in ((["-j", "0"], "remedy: a number from 1 to 64: host threads"), (["-j65"], "a number from 1 to 64"), (["--jobs", "two"], "bad value 'two' of setting 'jobs'")):
        code, out, err = sh_apart([BIN / "warpglass", "run", "--preset", "tiny", *words, program("reduce"), "4096"])
        check(code != 0 and text in out + err, f"{' '.join(words)}: refused", out + err)


def part_memory(tmp):
    peak = []
    for sms in (1, 8):
        p = subprocess.Popen([program("reduce"), "4096"], cwd=ROOT, env=environment(f"preset={machine(tmp, sms)}", TERM="xterm"), stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        peak.append(os.wait4(p.pid, 0)[2].ru_maxrss / 1024)
    each = (peak[1] - peak[0]) / 7
    check(0 < each < MIB_PER_SM, f"an RTL SM of shape tiny takes {each:.1f} MiB, less than {MIB_PER_SM}", str(peak))


def on_terminal(args, settings, enough):
    """Run with stderr on a terminal until it ends or `enough` was said: what stood there."""
    master, slave = pty.openpty()
    p = subprocess.Popen([str(a) for a in args], cwd=ROOT, env=environment(settings, TERM="xterm"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    text, end = "", time.time() + 240
    while time.time() < end and not (enough and re.search(enough, text)):
        if not select.select([master], [], [], 0.2)[0]:
            continue
        try:
            data = os.read(master, 4096)
        except OSError:
            data = b""
        if not data:
            break
        text += data.decode(errors="replace")
    if enough:
        p.send_signal(signal.SIGTERM)
    p.wait()
    os.close(master)
    return text


LINE = r"mm_tiled\(\S.{0,40}: \d+ of \d+ blocks, \d+ cycles, \d+/s"


def part_progress():
    args = [BIN / "warpglass", "run", "--preset", "tiny", "--check", "units", program("mm_tiled")]
    text = on_terminal([*args, "256"], "", LINE + ", about ")
    check(re.search(LINE, text) and re.search(r", about (\d+h)?(\d+m)?\d+[sm] left", text), "kernel, blocks, cycles, speed, time on a terminal", repr(text[-400:]))
    text = on_terminal([*args, "128"], "", None)
    last = text.rsplit("\r\x1b[K", 1)[-1]
    check("blocks, " not in last, "gone at the end of the launch", repr(text[-400:]))
    code, out, err = sh_apart([*args, "128"])
    check(code == 0 and "\r" not in out + err and "blocks, " not in out + err, "not in a pipe", out + err)


def started(args, settings, journal, entries):
    """Run until the journal has grown so often, then kill."""
    p = subprocess.Popen([str(a) for a in args], cwd=ROOT, env=environment(settings, TERM="xterm"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, start_new_session=True)
    size, grown, end = 0, 0, time.time() + 240
    while grown < entries and time.time() < end and p.poll() is None:
        now = journal.stat().st_size if journal.exists() else 0
        grown, size = grown + (now > size), now
        time.sleep(0.005)
    os.killpg(p.pid, signal.SIGKILL)
    p.wait()
    return grown


def skipped(err):
    m = re.search(r"journal '.*': (\d+) launches skipped", err)
    return int(m[1]) if m else 0


def alone_killed(tmp):
    """kill -9 of the command alone: its program must not go on, and hold the journal, without it."""
    p = subprocess.Popen([str(a) for a in (BIN / "warpglass", "run", "--preset", "tiny", "--journal", tmp / "alone.journal", program("mm_tiled"), "512")], cwd=ROOT,
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    children, end = [], time.time() + 60
    while not ((tmp / "alone.journal").exists() and children) and time.time() < end and p.poll() is None:
        children = pathlib.Path(f"/proc/{p.pid}/task/{p.pid}/children").read_text().split()
        time.sleep(0.01)
    p.kill()
    p.wait()
    end = time.time() + 20
    while any(pathlib.Path("/proc", c).exists() for c in children) and time.time() < end:
        time.sleep(0.02)
    left = [c for c in children if pathlib.Path("/proc", c).exists()]
    check(children and not left, "killed alone: its program ends with it", f"children {children}, still there {left}")
    for c in left:
        os.kill(int(c), signal.SIGKILL)


def part_journal(tmp):
    preset, journal = machine(tmp, 2), tmp / "run.journal"
    args, words = [program("convolve_1d"), "512"], f"preset={preset} check=units jobs=2"
    whole = counted(args, words, tmp)
    with_journal = f"{words} journal={journal}"
    grown = started([BIN / "warpglass", "run", *args], with_journal, journal, 6)
    again = counted(args, with_journal, tmp)
    check(grown >= 6 and 1 <= skipped(again[3]) < 40 and again[:3] == whole[:3] and whole[0] == 0,
          f"killed and run again: {skipped(again[3])} of 40 launches skipped, the same bytes", again[1] + again[3])
    alone_killed(tmp)
    third = counted(args, with_journal.replace("jobs=2", "jobs=1"), tmp)
    check(skipped(third[3]) == 40 and third[:3] == whole[:3], "run a third time, one thread: all skipped, the same bytes", third[1] + third[3])
    size = journal.stat().st_size
    for what, damage in (("cut", lambda d: d[:size * 2 // 3]), ("a bit turned", lambda d: d[:size // 2] + bytes([d[size // 2] ^ 4]) + d[size // 2 + 1:])):
        journal.write_bytes(damage(journal.read_bytes()))
        run = counted(args, with_journal, tmp)
        check(run[:3] == whole[:3] and 0 < skipped(run[3]) < 40 and "not recorded whole; from here on it is run" in run[3] and
              journal.stat().st_size == size, f"a journal {what}: what is sound is skipped ({skipped(run[3])}), the rest made anew", run[1] + run[3])
    for what, more, other in (("other data", "", [program("convolve_1d"), "640"]), ("another scheduler", " sched=gto", args), ("another check level", " check=retire", args)):
        copy = tmp / "copy.journal"
        copy.write_bytes(journal.read_bytes())
        run = counted(other, f"{words}{more} journal={copy}", tmp)
        check(run[:3] == counted(other, words + more, tmp)[:3] and skipped(run[3]) < 2 and "is another one than the recorded one" in run[3],
              f"{what}: not skipped", run[1] + run[3])
    foreign = tmp / "notes.txt"
    foreign.write_text("do not touch\n")
    for more, text in ((f"journal={foreign}", "is no journal of this version"), (f"journal={journal} backend=func", "a journal needs the back end rtl"),
                       (f"journal={journal} find=pc:0x0", "a journal does not go with 'find'"), (f"journal={journal} concurrent=on", "does not go with concurrent=on"), (f"journal={tmp}/no/x", "cannot open the journal"),
                       (f"journal={tmp}", "cannot open the journal")):
        code, out, err = sh_apart([BIN / "warpglass", "run", *args], f"{words} {more}")
        check(code != 0 and text in out + err, f"refused: {text}", out + err)
    check(foreign.read_text() == "do not touch\n", "a file that is no journal stays what it is")


if __name__ == "__main__":
    sys.exit(suite.main(globals()))
