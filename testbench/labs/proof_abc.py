# SPDX-License-Identifier: Apache-2.0
"""A proof (check_formal) by ABC, for harnesses with a line `// solver: abc`: Yosys makes a net of AND gates and
flip-flops of the harness, ABC merges what is equal in submission and expected module (scorr) and proves the rest for
any number of cycles (pdr), or at least for those from reset that are asked for (bmc3). Its counterexample is played by
Yosys' `sim`, which writes the waveform.

The harness has one clock, clk_i, and every flip-flop begins at 0.
"""
import re

import proof_wave
from labtables import HERE

FOREVER, BOUNDED = 10, 20   # seconds that the two ways may take


def elaborate(read, out):
    """Yosys' script. read: its commands up to `hierarchy`. m.il is what `sim` plays, m.aig what ABC looks at."""
    return "; ".join([
        read, "proc; async2sync; flatten; opt -fast; memory -nomap; memory_map; opt -fast",
        f"setundef -init -zero; setundef -zero; write_rtlil {out}/m.il",
        f"techmap -map {HERE}/formal/shift.v; opt -fast; techmap; opt -fast; dffunmap; aigmap; opt_clean",
        f"write_aiger -zinit -map {out}/m.aim {out}/m.aig"])


def inputs(text, frame):
    """Lines of an AIGER witness, inputs of cycles 0 to frame, of what `write_cex -a` wrote."""
    return [line.strip() for line in text.replace("# DONE", "").splitlines() if line.strip()][-frame - 1:]


def attempt(grading, commands, seconds):
    """(Result, number of the first cycle in which an output differs or None, proved for ever) of one call of ABC."""
    cex = grading.out / "m.cex"
    cex.unlink(missing_ok=True)
    script = f"read_aiger {grading.out}/m.aig; {commands}; print_status; write_cex -a {cex}"
    r = grading.run(["yosys-abc", "-q", script], seconds)
    status = re.search(r"^Status = (-?\d+)", r.out, re.M)
    at = re.search(r"^Output \d+ of miter .* was asserted in frame (\d+)", r.out, re.M)
    return r, int(at[1]) if at and cex.exists() else None, bool(status) and status[1] == "1"


def prove(grading, read, cycles, wave):
    """(verdict, Result of the last step). verdict: "proved", "differs" (then wave is there, if `sim` could play it),
    "open" (not done within its time) or "failed" (a tool cannot read it). wave: path that is written."""
    out = grading.out
    for name in ("m.il", "m.aim", "m.aig"):
        (out / name).unlink(missing_ok=True)
    r = grading.run(["yosys", "-q", "-p", elaborate(read, out)], 60)
    if r.rc != 0 or not (out / "m.aig").exists():
        return "open" if r.late() else "failed", r
    r, frame, proved = attempt(grading, f"scorr; pdr -T {FOREVER}", FOREVER + 5)
    if proved:
        return "proved", r
    r, frame, _ = attempt(grading, f"scorr; bmc3 -F {cycles} -T {BOUNDED}", BOUNDED + 5)
    if frame is None and "combinational" in r.out:   # scorr left no flip-flops, and bmc3 wants some
        r, frame, _ = attempt(grading, f"bmc3 -F {cycles} -T {BOUNDED}", BOUNDED + 5)
    if frame is None:
        done = re.search(r"^No output asserted in (\d+) frames", r.out, re.M)
        return "proved" if done and int(done[1]) >= int(cycles) else "open", r
    latches = len(re.findall(r"^latch ", (out / "m.aim").read_text(), re.M))
    witness = ["1", "b0", "0" * latches, *inputs((out / "m.cex").read_text(), frame), "."]
    (out / "m.aiw").write_text("\n".join(witness) + "\n")
    play = f"sim -clock clk_i -zinit -r {out}/m.aiw -map {out}/m.aim -vcd {wave} formal_top"
    played = grading.run(["yosys", "-q", "-p", f"read_rtlil {out}/m.il; {play}"], 20)
    if played.rc != 0:
        wave.unlink(missing_ok=True)
    return "differs", r


def tell(wave):
    """As proof_wave.tell(), for a waveform of `sim`."""
    return proof_wave.tell(wave, proof_wave.read_sim)
