# SPDX-License-Identifier: Apache-2.0
"""The counterexample of a failed proof (check_formal): what Yosys' `sat -show-public -dump_vcd` left is read, the cycle
is found in which an output differs, and a waveform is written with scopes, a clock, and that cycle as its last.

A harness (testbench/labs/formal) has the submission as u_dut, the expected module as u_ref, the number of the cycle as
n, and for each output a signal wrong_OUTPUT that is not 0 in cycles in which it differs and counts. One with more bits
than one says that only so many of the output's lowest bits count.
"""
import re

PERIOD = 10   # of the clock, in the units of the waveform: cycle n begins at n * PERIOD with a rising edge
CLOCK = "clk_i"
SHOWN = 6     # outputs that are told


def read(path):
    """(widths {name: bits}, cycles [{name: value in binary digits}]) of the solver's file, cycle n at place n. The
    solver numbers its steps from 1; step 0 has initial states alone, before `$end`, and step 1 has no line of its
    own."""
    ids, widths, steps = {}, {}, [{}]
    for line in path.read_text(errors="replace").splitlines():
        # names with blanks are parts of initial states
        if m := re.fullmatch(r"\$var wire (\d+) (\w+) \\(\S+) \$end", line):
            ids[m[2]], widths[m[3]] = m[3], int(m[1])
        elif line == "$end" and ids or re.fullmatch(r"#([2-9]|\d\d+)", line):
            steps.append({})
        elif m := re.fullmatch(r"(?:b([01x]+) |([01x]))(\w+)", line):
            if m[3] in ids:
                steps[-1][ids[m[3]]] = m[1] or m[2]
    return widths, [s for s in steps[1:] if s]


def read_sim(path):
    """The same of a file that Yosys' `sim -vcd` wrote: cycle n begins at time 10 n. Names with other characters than
    those of a name are Yosys' own."""
    ids, widths, steps, at = {}, {}, {}, 0
    now = {}
    for line in path.read_text(errors="replace").splitlines():
        if m := re.fullmatch(r"\$var \w+ (\d+) (\w+) ([\w.\[\]]+) \$end", line):
            ids[m[2]], widths[m[3]] = m[3], int(m[1])
        elif m := re.fullmatch(r"#(\d+)", line):
            at = int(m[1])
        elif (m := re.fullmatch(r"b([01xz]+) (\w+)", line)) and m[2] in ids:
            now[ids[m[2]]] = m[1]
            if at % 10 == 0:
                steps[at // 10] = dict(now)
    return widths, [steps[n] for n in sorted(steps)]


def wrong(cycles):
    """(number of the first cycle in which outputs differ, their wrong_ signals), or (None, [])."""
    for n, values in enumerate(cycles):
        if found := sorted(k for k, v in values.items() if k.startswith("wrong_") and "1" in v):
            return n, found
    return None, []


def digits(value):
    """Binary digits as Verilog writes a number: 4'hc."""
    return f"{len(value)}'h{int(value.replace('x', '0'), 2):0{(len(value) + 3) // 4}x}"


def scopes(names):
    """Names by their scopes: {scope: {...}, signal: full name}."""
    tree = {}
    for name in sorted(names):
        *path, last = name.split(".")
        at = tree
        for p in path:
            at = at.setdefault((p, "scope"), {})
        at[(last, "signal")] = name
    return tree


def write(path, widths, cycles):
    """The waveform of these cycles, over the file at path."""
    ids = {name: f"s{i}" for i, name in enumerate(sorted(widths))}
    out = ["$timescale 1ns $end"]

    def declare(tree):
        for (name, kind), below in tree.items():
            if kind == "scope":
                out.append(f"$scope module {name} $end")
                declare(below)
                out.append("$upscope $end")
            else:
                w = widths[below]
                out.append(f"$var wire {w} {ids[below]} {name}{f' [{w - 1}:0]' if w > 1 else ''} $end")
    declare({("formal_top", "scope"): scopes(widths)})
    out.append("$enddefinitions $end")
    clocks, last = [k for k in widths if k.split(".")[-1] == CLOCK], {}
    for n, values in enumerate(cycles):
        out.append(f"#{n * PERIOD}")
        for name, v in {**values, **{c: "1" for c in clocks}}.items():
            if last.get(name) != v or name in clocks:
                out.append(f"b{v} {ids[name]}" if widths[name] > 1 else v + ids[name])
        last = values
        out += [f"#{n * PERIOD + PERIOD // 2}", *("0" + ids[c] for c in clocks)]
    out.append(f"#{len(cycles) * PERIOD}")
    path.write_text("\n".join(out) + "\n")


def tell(path, reader=read):
    """Make the solver's file at path the waveform of a student; lines that say which outputs differ, when, and their
    values. A file without such an output stays as it is: []. reader: read or read_sim."""
    widths, cycles = reader(path)
    n, found = wrong(cycles)
    if n is None:
        return []
    write(path, widths, cycles[:n + 1])
    lines = []
    for signal in found[:SHOWN]:
        output = signal.removeprefix("wrong_")
        got, want = (cycles[n].get(f"{u}.{output}", "x") for u in ("u_dut", "u_ref"))
        if widths[signal] > 1:
            got, want, output = got[-widths[signal]:], want[-widths[signal]:], f"{output}[{widths[signal] - 1}:0]"
        lines += [f"got      {output} is {digits(got)} in cycle {n}, the last of the waveform ({n * PERIOD} ns)",
                  f"expected {output} is {digits(want)}"]
    return lines
