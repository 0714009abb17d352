# SPDX-License-Identifier: Apache-2.0
"""A part of labs_test.py: what a student gets of a failed proof, the sentence and formal.vcd."""
import re

import grade
from suite import check


def values_of(path):
    """(names, [{full name: binary digits} at the end of each cycle of 10 ns]) of a waveform with scopes."""
    ids, scope, now, cycles, at = {}, [], {}, {}, None
    for line in path.read_text().splitlines():
        w = line.split()
        if w[0] == "$scope":
            scope.append(w[2])
        elif w[0] == "$upscope":
            scope.pop()
        elif w[0] == "$var":
            ids[w[3]] = ".".join([*scope, w[4]])
        elif line[0] == "#":
            if at is not None:
                cycles[at // 10] = dict(now)
            at = int(line[1:])
        elif line[0] in "b01x":
            value, key = (w[0][1:], w[1]) if line[0] == "b" else (line[0], line[1:])
            now[ids[key]] = value
    return set(ids.values()), [cycles[n] for n in sorted(cycles)]


def proof(lab, text, tmp):
    """(reason, waveform or None) of the lab's proof of this text, which Yosys can read."""
    g = grade.judge_of(lab).Grading(lab, grade.labs()[lab], text, tmp, grade.BUDGET)
    why = g.check_formal(next(c["argument"] for c in grade.checks(lab) if c["kind"] == "formal"))
    return why or "", g.waves.get("formal")


def proofs(tmp, labs, text_of):
    """text_of(lab): (name, text) of a solution whose proof fails."""
    for lab in labs:
        name, text = text_of(lab)
        (tmp / lab).mkdir()
        why, wave = proof(lab, text, tmp / lab)
        told = re.findall(r"^got +(\w+)\S* is (\d+)'h([0-9a-f]+) in cycle (\d+),.*\n"
                          r"expected +\S+ is \d+'h([0-9a-f]+)$", why, re.M)
        check(told and wave, f"{lab}: {name}: the output that differs, the cycle and both values are told", why)
        if not told or not wave:
            continue
        names, cycles = values_of(wave)
        n = int(told[0][3])
        counted = [int(c["formal_top.n"], 2) for c in cycles]
        check(counted == list(range(n + 1)), f"{lab}: n counts, cycle {n} is the last", counted)
        bad = []
        for output, bits, got, _, want in told:
            seen = [int(cycles[n][f"formal_top.{u}.{output}"][-int(bits):], 2) for u in ("u_dut", "u_ref")]
            if seen != [int(got, 16), int(want, 16)] or seen[0] == seen[1]:
                bad.append((output, got, want, seen))
        check(not bad, f"{lab}: u_dut and u_ref differ there in {', '.join(t[0] for t in told)}, as told", bad)
        outs = [x for x in names if re.fullmatch(r"formal_top\.u_(dut|ref)\.\w+_o", x)]
        moved = [x for x in outs if len({c.get(x) for c in cycles}) > 1]
        check({x.split(".")[1] for x in moved} >= {"u_dut", "u_ref"} and all(x in c for c in cycles for x in outs),
              f"{lab}: outputs of both have a value in each cycle, and change", outs)
