# SPDX-License-Identifier: Apache-2.0
"""What the literature reports, as a figure of our runs and the direction in which it should go. A claim is judged, not tuned: where it
does not show, the statement says `disagrees`.

CLAIMS[study]: dicts of claim and source (texts), and measure: a function of the data ({kernel: {column: figures}}) and the group of each
kernel that returns (value, text), value being compared with the limits `least` and `most` (either may be absent). NAN: not measured.
"""
import math


def _members(group, names):
    return [k for k, g in group.items() if g in names]


def _harmonic(values):
    return len(values) / sum(1.0 / v for v in values) if values else math.nan


def ratio(names, better, worse, figure="cycles"):
    """Harmonic mean over the groups `names` of worse's figure over better's: a speed-up if the figure is cycles."""
    def measure(data, group):
        members = _members(group, names)
        v = [data[k][worse][figure] / data[k][better][figure] for k in members
             if better in data[k] and worse in data[k] and data[k][better].get(figure, 0) > 0]
        if not v or len(v) < len(members):
            return math.nan, f"{len(v)} of {len(members)} kernels measured"
        each = ", ".join(f"{k} {x:.3f}" for k, x in zip(members, v))
        return _harmonic(v), f"{_harmonic(v):.3f} over {len(v)} kernels ({each})"
    return measure


def total(names, left, right, figure):
    """Sum over the groups of left's figure, relative to right's, less 1."""
    def measure(data, group):
        members = [k for k in _members(group, names) if left in data[k] and right in data[k]]
        if not members or len(members) < len(_members(group, names)):
            return math.nan, f"{len(members)} of {len(_members(group, names))} kernels measured"
        a, b = (sum(data[k][c].get(figure, 0) for k in members) for c in (left, right))
        return (a / b - 1.0 if b else math.nan), (f"{100 * a / b - 100:+.1f} % {figure} over {len(members)} kernels" if b else f"no {figure}")
    return measure


def spread(names, columns):
    """Largest deviation from 1 of any of the columns' speed relative to the first, over the groups."""
    def measure(data, group):
        worst, where = 0.0, ""
        for k in _members(group, names):
            if any(c not in data[k] for c in columns):
                return math.nan, f"{k} is not measured"
            for c in columns[1:]:
                d = abs(data[k][columns[0]]["cycles"] / data[k][c]["cycles"] - 1.0)
                if d >= worst:
                    worst, where = d, f"{k} under {c}"
        looked = ", ".join(columns[1:])
        return (worst, f"at most {100 * worst:.1f} % ({where}); looked at: {looked}") if where else (math.nan, "no kernel measured")
    return measure


def lanes(names, left, right):
    """Lanes that run of those issued, right's share less left's, mean over the groups, in percent points."""
    def share(f):
        return 100.0 * f["active_thread_insts"] / (32.0 * f["warp_insts"])

    def measure(data, group):
        members = [k for k in _members(group, names) if left in data[k] and right in data[k]]
        if not members or len(members) < len(_members(group, names)):
            return math.nan, f"{len(members)} of {len(_members(group, names))} kernels measured"
        a, b = (sum(share(data[k][c]) for k in members) / len(members) for c in (left, right))
        return b - a, f"{a:.1f} % under '{left}', {b:.1f} % under '{right}'"
    return measure


def best_below(names, sched, most):
    """Kernels that are at least 2 % faster with fewer blocks than `most`."""
    def measure(data, group):
        told, members = [], _members(group, names)
        for k in members:
            of = {int(c.split()[0]): v["cycles"] for c, v in data[k].items() if c.endswith(" " + sched)}
            if most not in of:
                return math.nan, f"{k} is not measured"
            best = min(of, key=lambda n: (of[n], -n))
            if of[best] * 1.02 <= of[most]:
                told.append(f"{k} at {best}: {of[most] / of[best]:.3f}")
        return len(told), f"{len(told)} of {len(members)} kernels" + (f" ({', '.join(told)})" if told else "")
    return measure


def enough(names, sched, most, share):
    """Kernels that reach `share` of their best speed with at most half of the blocks."""
    def measure(data, group):
        told, members = [], _members(group, names)
        for k in members:
            of = {int(c.split()[0]): v["cycles"] for c, v in data[k].items() if c.endswith(" " + sched)}
            if most not in of:
                return math.nan, f"{k} is not measured"
            few = [n for n in sorted(of) if min(of.values()) >= share * of[n]]
            if few and few[0] <= most // 2:
                told.append(f"{k} from {few[0]}")
        return len(told) / len(members), f"{len(told)} of {len(members)} kernels" + (f" ({', '.join(told)})" if told else "")
    return measure


def _each(claim, source, measure, **limits):
    """A claim twice: of the policies as built, within the progress rule, and without it, as their papers have them."""
    names = ("ccws", "gto", "gcaws", "swl")
    return [dict(limits, claim=claim.format(**{n: n + more for n in names}), source=source, measure=measure(lambda n, more=more: n + more)) for more in ("", "-free")]


S, I, M = ("sensitive",), ("insensitive",), ("memory",)
# Policies that differ in their order alone, as built; not rr and swl, which leave slots empty though a warp could issue, nor the forms without the progress rule.
FAIR = ["lrr", "old", "gto", "gty", "twolevel", "ccws", "gcaws"]
CLAIMS = {
    "schedulers": [
        *_each("`{ccws}` beats `{gto}` on cache-sensitive kernels", "Rogers, MICRO 2012: +24 % (harmonic mean) over earlier policies",
               lambda n: ratio(S, n("ccws"), n("gto")), least=1.02),
        *_each("`{ccws}` has fewer L1 misses than `{gto}` there", "Rogers, MICRO 2012: 25 % fewer", lambda n: total(S, n("ccws"), n("gto"), "l1_ld_miss_sectors"), most=-0.02),
        *_each("`{gto}` beats round robin on cache-sensitive kernels", "Lee, ISCA 2015: +16 %", lambda n: ratio(S, n("gto"), "lrr"), least=1.02),
        *_each("criticality-aware `{gcaws}` beats round robin there", "Lee, ISCA 2015: +23 %, with a cache part that `gcaws` has not",
               lambda n: ratio(S, n("gcaws"), "lrr"), least=1.02),
        {"claim": "`twolevel` gains nothing over round robin there", "source": "Lee, ISCA 2015: -2 %", "measure": ratio(S, "twolevel", "lrr"), "most": 1.02},
        *_each("the best static limit is no worse than `{ccws}`", "Rogers, MICRO 2012, *recalled*", lambda n: ratio(S, "best-swl", n("ccws")), least=1.0),
        {"claim": "knowing each warp's instructions beats round robin", "source": "Lee, PACT 2014: +17 % with an oracle of criticality", "measure": ratio(S + I, "oracle", "lrr"), "least": 1.02},
        *_each("`{ccws}` does not slow cache-insensitive kernels", "Rogers, MICRO 2012, *recalled*", lambda n: ratio(I, n("ccws"), n("gto")), least=0.98),
        {"claim": "on cache-insensitive kernels the order hardly matters", "source": "Rogers, MICRO 2012, *recalled*", "measure": spread(I, FAIR), "most": 0.10},
        *_each("four warps a sub-core (`{swl}`) do not help what streams", "Rogers, MICRO 2012, *recalled*", lambda n: ratio(M, n("swl"), "lrr"), most=1.0),
    ],
    "divergence": [
        {"claim": "meeting again after a branch keeps more lanes busy", "source": "Fung, MICRO 2007, *recalled*", "measure": lanes(S + I + M, "its off", "its on"), "least": 0.5},
        {"claim": "and is faster", "source": "Fung, MICRO 2007, *recalled*", "measure": ratio(S + I + M, "its on", "its off"), "least": 1.02},
        {"claim": "a PC a thread costs code without locks little", "source": "ElTantawy, MICRO 2016, *recalled*", "measure": spread(S + I + M, ["stack on", "its on"]), "most": 0.05},
    ],
    "blocks": [
        {"claim": "a count of blocks that follows memory waits is faster under contention", "source": "Kayiran, PACT 2013: +28 % over 31 applications",
         "measure": ratio(S + M, "dyncta", "breadth"), "least": 1.02},
        {"claim": "a limit found from the first block is faster there", "source": "Lee, HPCA 2014, *recalled*", "measure": ratio(S + M, "lcs", "breadth"), "least": 1.02},
        {"claim": "neighbours on one SM are faster where blocks share lines", "source": "Lee, HPCA 2014, *recalled*", "measure": ratio(M, "bcs", "breadth"), "least": 1.01},
        {"claim": "the limit costs compute kernels little", "source": "Lee, HPCA 2014, *recalled*", "measure": ratio(I, "lcs", "breadth"), "least": 0.95},
    ],
    "occupancy": [
        {"claim": "all blocks that fit are not always best: cache-sensitive kernels want fewer", "source": "Kayiran, PACT 2013", "measure": best_below(S, "lrr", 16), "least": 1},
        {"claim": "the same under a greedy scheduler", "source": "Rogers, MICRO 2012, *recalled*", "measure": best_below(S, "gto", 16), "least": 1},
        {"claim": "half of the blocks do for kernels that compute", "source": "Volkov, GTC 2010, *recalled*", "measure": enough(I, "lrr", 16, 0.95), "least": 0.5},
        {"claim": "what streams needs warps to cover latency: one block is slower than all", "source": "Little's law", "measure": ratio(M, "16 lrr", "1 lrr"), "least": 1.02},
    ],
}


def judge(claim, data, group):
    """(measured text, verdict) of one claim."""
    present = {k: g for k, g in group.items() if k in data}
    try:
        value, text = claim["measure"](data, present)
    except ZeroDivisionError:
        value, text = math.nan, "nothing to divide by"
    if math.isnan(value):
        return text, "not measured"
    ok = value >= claim.get("least", -math.inf) and value <= claim.get("most", math.inf)
    return text, "agrees" if ok else "**disagrees**"
