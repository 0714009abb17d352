# SPDX-License-Identifier: Apache-2.0
"""How a warp scheduler of the student's own is judged (`own` in labs.tsv): checks_rtl.py, and what it needs beyond.
There is no module of the project that it must equal: its bench checks what every policy owes, and its cycles are
measured beside those of two built-in policies. Interface: see checks_rtl.py."""
import checks_rtl
from checks_rtl import FIRST, SUFFIXES, judge, read  # noqa: F401
from labtables import HERE

SETTINGS = "preset=tiny check=off limit=400000"   # limit: SM cycles, several times what lrr needs


def reference(row):
    """Path of a solution that has all points."""
    return HERE / f"reference/{row['lab']}.sv"


class Grading(checks_rtl.Grading):
    """One submission."""

    def expected(self):
        """A proof has nothing to compare with: its harness says what is owed."""
        return ""

    def check_programs(self, argument):
        """Programs in the SM, its picks by the plug-in, everything else compared with the golden model. argument:
        settings : programs."""
        settings, programs = argument.split(" : ")
        if why := self.plugin()[1]:
            return why
        for p in programs.split():
            _, why = self.cycles(p, f"preset=tiny check=units limit=20000 sched=plugin:own {settings}")
            if why:
                return why
        return None

    def measured(self, kernel, sched):
        """self.cycles() of a kernel under a policy, run once."""
        if (kernel, sched) not in self.built:
            self.built[kernel, sched] = self.cycles(kernel, f"{SETTINGS} sched={sched}")
        return self.built[kernel, sched]

    def check_faster(self, argument):
        """Fewer cycles than a built-in policy. argument: lrr : kernel, or both : kernels with ", " between them, on
        one of which it takes fewer than lrr and than gto. The cycles are told in any case."""
        than, kernels = argument.split(" : ")
        if why := self.plugin()[1]:
            return why
        lines, won = [], False
        for kernel in kernels.split(", "):
            own, why = self.measured(kernel, "plugin:own")
            if why:
                lines.append(f"{kernel}: it does not pass: {why}")
                continue
            lrr, gto = (self.measured(kernel, s)[0] for s in ("lrr", "gto"))
            fewer = own < (lrr if than == "lrr" else min(lrr, gto))
            won |= fewer
            lines.append(f"{kernel}: {own} cycles, lrr {lrr}, gto {gto}: " +
                         ("fewer" if fewer else "not fewer") + (" than lrr" if than == "lrr" else " than both"))
        return int(won), "\n".join(lines)
