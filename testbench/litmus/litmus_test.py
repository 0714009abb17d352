#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ordering between SMs: litmus tests (litmus.cu) on two SMs of the RTL, in lockstep, over memory systems that differ.

usage: testbench/litmus/litmus_test.py     run from anywhere, after `make build sm SHAPE=tiny`; TEST_ALL=1: more machines, more rounds
With fences, atomics or a kernel's end between, no round may have a weak outcome. Without fences message passing and store
buffering must show one: the L1s are not coherent, and a test that never sees that would not see a missing fence either.
"""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import ALL, BIN, ROOT, check, finish, sh  # noqa: E402

STRONG = ("mp+fences", "sb+fences", "lb+fences", "corr", "atomics", "lock+fences", "kernels")
WEAK = ("mp", "sb")


def machine(tmp, name, **keys):
    """configs/tiny.cfg with two SMs and the given keys ("l2.slices" as l2_slices)."""
    out, group = [], ""
    keys = dict(num_sms=2, num_sms_full=2, **keys)
    for line in (ROOT / "configs/tiny.cfg").read_text().splitlines():
        m = re.match(r"(\w+) : \{", line)
        group = m[1] + "_" if m else "" if line == "}" else group
        m = re.match(r"( *)(\w+) = ", line)
        if m and group + m[2] in keys:
            line = f"{m[1]}{m[2]} = {keys.pop(group + m[2])}"
        out.append(line)
    assert not keys, f"no such key in configs/tiny.cfg: {keys}"
    path = tmp / f"{name}.cfg"
    path.write_text("\n".join(out) + "\n")
    return path


def main():
    with tempfile.TemporaryDirectory() as where:
        tmp = pathlib.Path(where)
        rc, text = sh([BIN / "wgcc", "-O3", "-arch=sm_70", ROOT / "testbench/litmus/litmus.cu", "-o", tmp / "litmus"])
        check(rc == 0, "litmus.cu compiles", text)
        machines = {"one slice": (machine(tmp, "one"), ""),
                    "two slices": (machine(tmp, "two", l2_slices=2, hbm_channels=2), "sched=gto"),
                    "slow crossbar, small queues": (machine(tmp, "slow", xbar_request_cycles=60, xbar_slice_queue_flits=1, l2_slices=4,
                                                            l2_mshrs=1), "diverge=its")}
        if ALL:
            machines |= {"L2 at a third": (machine(tmp, "third", l2_clock_ratio_den=3), "dep=control-bits"),
                         "FCFS, closed page": (machine(tmp, "fcfs", hbm_scheduler='"fcfs"', hbm_page='"closed"',
                                                       hbm_write_drain='"oldest"'), "sched=old"),
                         "L2 of eight lines": (machine(tmp, "eight", l2_slice_bytes=1024, hbm_scheduler='"bank-rr"'), "sched=twolevel")}
        for name, (cfg, more) in machines.items():
            rc, text = sh([BIN / "warpglass", "run", tmp / "litmus", 40 if ALL else 12], f"preset={cfg} check=units {more}")
            weak = {m[1]: int(m[2]) for m in re.finditer(r"^(\S+) rounds=\d+ weak=(\d+)$", text, re.M)}
            check(rc == 0 and set(weak) == set(STRONG + WEAK), f"{name}: all litmus tests ran", text)
            check(all(weak.get(t) == 0 for t in STRONG), f"{name}: no weak outcome where order is promised", str(weak))
            check(all(weak.get(t, 0) > 0 for t in WEAK), f"{name}: without fences the stale L1 shows", str(weak))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
