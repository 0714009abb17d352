#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Statistics of a run: the JSON document, its schema and what must hold inside it. Run from the root after `make build programs`.

usage: report_test.py [--backend rtl|func] [PART ...]
parts: schema (the schema itself: every key has a description, every number a unit by the README's rule; documents of several runs obey it and have no empty
field; altered ones do not), sums (numbers of one document agree with each other), rules (lost counts are found; needs the RTL), report (the text shows what is in the
document, in every section), options (files that cannot be written, words that are none).
Default: all that the back end can do; a sample of the runs, all of them with TEST_ALL=1.
"""
import copy
import json
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, ROOT, SEED, check, sh  # noqa: E402

# program, arguments, settings: kernels with shared memory, atomics and copies beside kernels, many launches, no launch, double precision
RUNS = [("reduce", ["4096"], "preset=tiny"), ("mm_tiled", ["32"], "preset=tiny sched=gto check=off"), ("matrix_add", [], "preset=tiny diverge=its"),
        ("streams", [], "preset=tiny concurrent=on"), ("divergence", [], "preset=tiny check=units"), ("reductions", ["2048", "kernels"], "preset=lecture"),
        ("convolve_1d", ["512"], "preset=v100 sms=2")]


def verdict(text):
    return text.rstrip().rsplit("\n", 1)[-1]


def run(opt, tmp, name, args, settings, *options):
    """(exit code, text, document or None) of a run."""
    file = pathlib.Path(tmp) / "run.json"
    file.unlink(missing_ok=True)
    code, text = sh([BIN / "warpglass", "run", "--json", file, *options, ROOT / "build/programs" / name / name, *args], f"{settings} backend={opt.backend}")
    return code, text, json.loads(file.read_text()) if file.exists() else None


# ---- the part of JSON Schema that the schema uses ----

KINDS = {"object": dict, "array": list, "string": str, "boolean": bool}


def wrong(value, schema, at="$"):
    """Where a value breaks a schema: a list of sentences."""
    kind, bad = schema.get("type"), []
    if "const" in schema and value != schema["const"]:
        return [f"{at} is {value!r}, not {schema['const']!r}"]
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind in KINDS and not isinstance(value, KINDS[kind]) or kind == "number" and not number or kind == "integer" and not (number and value == int(value)):
        return [f"{at}: {value!r} is no {kind}"]
    if number and value < schema.get("minimum", value):
        bad.append(f"{at}: {value} is too small")
    if "enum" in schema and value not in schema["enum"]:
        bad.append(f"{at}: {value!r} is none of {schema['enum']}")
    if kind == "string" and len(value) < schema.get("minLength", 0):
        bad.append(f"{at} is empty")
    if kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            bad.append(f"{at}: {len(value)} items")
        for i, item in enumerate(value):
            bad += wrong(item, schema["items"], f"{at}[{i}]")
    if kind == "object":
        bad += [f"{at} has no '{k}'" for k in schema.get("required", []) if k not in value]
        for k, v in value.items():
            bad += wrong(v, schema["properties"][k], f"{at}.{k}") if k in schema["properties"] else [f"{at}: unknown key '{k}'"]
    return bad


def members(schema, at="$"):
    """Every property of a schema, with its place."""
    for key, member in schema.get("properties", {}).items():
        yield f"{at}.{key}", key, member
        yield from members(member, f"{at}.{key}")
    if "items" in schema:
        yield from members(schema["items"], at + "[]")


def leaves(value, at="$"):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from leaves(v, f"{at}.{k}")
        if not value:
            yield at, None
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from leaves(v, f"{at}[{i}]")
    else:
        yield at, value


def rule_of_units(schema):
    """Keys that break the rule: a number's key ends with its unit, or with what is counted ("count"); every key has a description."""
    known = {"allowed": ("type", "description", "unit", "count", "minimum", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
                         "minLength", "enum", "const")}
    bad = []
    for at, key, s in members(schema):
        bad += [f"{at}: no description"] if not s.get("description", "").strip() else []
        bad += [f"{at}: '{k}' is no word of this schema" for k in s if k not in known["allowed"]]
        if s.get("type") in ("integer", "number"):
            last, unit = key.rsplit("_", 1)[-1], s.get("unit", "")
            bad += [f"{at}: unit '{unit}'"] if unit.split("/")[-1] != last or "/" in unit and f"{unit.split('/')[0]}_per_{last}" not in key else []
    return bad


def part_schema(opt, tmp):
    code, text = sh([BIN / "warpglass", "schema"])
    schema = json.loads(text)
    check(code == 0 and text == (ROOT / "cosim/cli/run.schema.json").read_text(), "cosim/cli/run.schema.json is what `warpglass schema` prints")
    bad = rule_of_units(schema)
    numbers = sum(s.get("type") in ("integer", "number") for _, _, s in members(schema))
    check(not bad and numbers > 200, f"{numbers} numbers, each with its unit and a description", "\n".join(bad[:20]))
    for spoil in ({"cycles_of": {"type": "integer", "description": "x", "unit": "cycles"}}, {"x_cycles": {"type": "integer", "description": "", "unit": "cycles"}}):
        check(rule_of_units({"properties": spoil}) != [], f"the rule refuses {list(spoil)[0]}")
    runs = RUNS if ALL else RUNS[:2] + random.Random(SEED).sample(RUNS[2:], 2 if opt.backend == "func" else 1)
    for name, args, settings in runs:
        code, text, doc = run(opt, tmp, name, args, settings)
        if not check(code == 0 and doc is not None, f"{name} {' '.join(args)} [{settings}] passes", text[-600:]):
            continue
        bad = wrong(doc, schema)
        empty = [at for at, v in leaves(doc) if v is None or v == "" or v != v]
        check(not bad and not empty, f"  {sum(1 for _ in leaves(doc))} values of it by the schema, none empty", "\n".join((bad + empty)[:20]))
        check(doc["verdict"] == "PASS" and verdict(text).startswith("PASS "), "  the verdict is the last line, and in the document")
        has_clock = opt.backend == "rtl"
        check(all(("cycles" in l) == has_clock and ("issue_slots" in l) == has_clock or l["beside_others"] for l in doc["launches"]),
              f"  {'with' if has_clock else 'no'} cycles, as the back end can", str(doc["launches"][:1])[:800])
        if name == "reduce":
            altered(doc, schema)
    code, text, doc = run(opt, tmp, "reduce", ["4096"], "preset=tiny", "--golden", "none", "--order", "reverse")
    check(doc is not None and doc["setup"]["seed"] == "0" and run(opt, tmp, "reduce", ["256"], "preset=tiny seed=77")[2]["setup"]["seed"] == "77", "set-up holds the seed")
    check(doc is not None and doc["setup"]["blocks"] == "breadth+reverse", "set-up holds what the options chose", text)


def altered(doc, schema):
    """The validator and the schema refuse documents with something wrong in them."""
    def change(path, value):
        d = copy.deepcopy(doc)
        at = d
        for k in path[:-1]:
            at = at[k]
        if value is None:
            del at[path[-1]]
        else:
            at[path[-1]] = value
        return d
    for path, value in ((["schema"], "warpglass-run-2"), (["launches", 0, "warp_insts"], -1), (["launches", 0, "warp_insts"], "many"), (["launches", 0, "warp"], 3),
                        (["launches", 0, "kernel"], ""), (["launches", 0, "name"], None), (["launches", 0, "grid"], [1, 2]), (["machine", "sms"], True),
                        (["totals"], None), (["setup", "arguments"], []), (["verdict"], "MAYBE"), (["launches", 0, "rates", "issue_share"], 1.5)):
        check(wrong(change(path, value), schema) != [], f"  refused: {'.'.join(map(str, path))} = {value!r}")


def part_sums(opt, tmp):
    """Numbers of one document agree with each other: totals with launches, rates with counters, slots with cycles."""
    for name, args, settings in (("reductions", ["2048", "kernels"], "preset=tiny"), ("convolve_1d", ["512"], "preset=lecture")):
        code, text, doc = run(opt, tmp, name, args, settings)
        if not check(code == 0 and doc is not None, f"{name} [{settings}] passes", text[-600:]):
            continue
        ls, x, bad = doc["launches"], doc["machine"], []
        for key, total in doc["totals"].items():
            if isinstance(total, int) and key != "launches" and sum(l[key] for l in ls) != total:
                bad.append(key)
        check(not bad and doc["totals"]["launches"] == len(ls), f"  totals of {len(ls)} launches are their sums", str(bad))
        for l in ls:
            bad += [] if l["grid_blocks"] == l["launched_blocks"] == l["retired_blocks"] == l["grid"][0] * l["grid"][1] * l["grid"][2] else ["blocks"]
            bad += [] if l["operand_rows"] == l["bank_read_rows"] + l["collector_hit_rows"] > 0 < l["bank_write_rows"] else ["register rows"]
            if opt.backend != "rtl":
                continue
            bad += [] if sum(l["issue_slots"].values()) == l["cycles"] * x["sms"] * x["sub_cores"] else ["slots"]
            bad += [] if l["issue_slots"]["issued_slots"] == l["warp_insts"] else ["issued"]
            states = l["warp_states"]
            bad += [] if states["issued_cycles"] == l["warp_insts"] and 0 < sum(states.values()) <= l["resident_warp_cycles"] else ["states"]
            bad += [] if sum(states.values()) > 0.8 * l["resident_warp_cycles"] or l["cycles"] < 500 else ["states cover too little"]
            bad += [] if abs(l["rates"]["warp_cycles_per_inst"] * l["warp_insts"] - sum(states.values())) < 0.01 else ["warp cycles"]
            bad += [] if l["resident_warp_cycles"] == l["block_cycles"] * l["occupancy"]["block_warps"] else ["occupancy"]
            bad += [] if l["mem_in_flight_cycles"] == l["mem_latency_cycles"] and l["mem_asked_sectors"] == l["mem_rsp_sectors"] == l["l2_rsp_flits"] else ["memory"]
            bad += [] if abs(l["rates"]["insts_per_cycle"] * l["cycles"] - l["warp_insts"]) < 1e-3 else ["rate"]
            pipes = ("int", "fp", "fp64", "sfu", "lsu", "mma")
            bad += [] if l["rates"]["compute_percent"] == max(l["rates"][f"{k}_percent"] for k in ["issue"] + [f"{p}_pipe" for p in pipes]) else ["compute_percent"]
            lanes = {"tiny": 8, "lecture": 16}[doc["setup"]["preset"]]  # of INT and FP32: an instruction keeps its pipe for 32 / lanes cycles
            bad += [f"{k} pipe" for k in ("int", "fp") if abs(l["rates"][f"{k}_pipe_percent"] * l["cycles"] * x["sms"] * x["sub_cores"] / 100 -
                                                              (l["int_pipe_insts"] if k == "int" else l["fp32_pipe_insts"] + l["half_pipe_insts"]) * 32 / lanes) > 1e-3]
            bad += [] if 0 < l["int_pipe_insts"] < l["warp_insts"] and l["bound_cycles"] <= l["cycles"] else ["instructions of pipes"]
            bad += [] if l["rates"]["memory_percent"] == max(l["rates"][f"{k}_percent"] for k in ("shared", "l1", "xbar", "l2", "dram")) else ["memory_percent"]
            bad += [] if all(0 <= v <= 100.0001 for k, v in l["rates"].items() if k.endswith("_percent") and k != "predicted_percent") else ["above 100 %"]
            bad += [] if l["occupancy"]["achieved_warps"] <= l["occupancy"]["theoretical_warps"] + 1e-9 else ["occupancy above theory"]
        check(not bad, "  blocks, slots, occupancy, memory, rates of every launch", str(bad))


def part_rules(opt, tmp):
    """Every count of model/sum_faults.def that is lost is told, with the rule, both sides and the place."""
    found = {"launch": "counters of grid 1 do not add up: blocks launched, 7, are not blocks of the grid, 8",
             "retire": "counters of grid 1 do not add up: blocks retired, 7, are not blocks launched, 8",
             "resident": r"counters of grid 1 do not add up: resident warps x cycles \(occupancy\), \d+, are not lifetimes of all warps, \d+",
             "slot": r"issue slots of SM 0 do not add up: \d+ have an owner, \d+ cycles x 1 sub-cores",
             "state": r"warp states of SM 0 do not add up: \d+ warp cycles have a state, \d+ warp cycles are resident",
             "issue": r"warp states of SM 0 do not add up: warps issued in \d+ cycles, \d+ slots say so"}
    table = re.findall(r'^WG_SUM_FAULT\(\w+, "([^"]+)"', (ROOT / "model/sum_faults.def").read_text(), re.M)
    check(sorted(table) == sorted(found), "every count of model/sum_faults.def is tested")
    for kind, says in found.items():
        for level in ("off", "retire"):
            code, text, doc = run(opt, tmp, "reduce", ["4096"], f"preset=tiny check={level}", "--inject", f"sum-{kind}@500")
            told = re.search(says, text) and "a sum rule of the simulation does not hold in reduce_kernel" in text
            check(code == 1 and told and verdict(text).startswith("FAIL reduce ") and doc is not None and re.search(says, doc["reason"]),
                  f"lost sum-{kind}, check={level}: {verdict(text)[-90:]}", text[-800:])
    code, text, doc = run(opt, tmp, "reduce", ["4096"], "preset=tiny", "--inject", "sum-slot@900000000")
    check(code == 0 and re.search(r"; NO fault was injected: the run ended at SM cycle \d+, before cycle 900000000$", text, re.M),
          "a fault behind the run's end is told as such", text[-400:])


# what a reader takes the report's words for
MEANS = {"Compute throughput": "rates.compute_percent", "  DRAM": "rates.dram_percent", "Lower bound by": "bound_by", "Reached, of the roof": "rates.roof_percent",
         "Registers per thread": "registers_per_thread", "Dynamic shared memory of a block": "dynamic_shared_bytes", "Blocks retired": "retired_blocks",
         "Tail": "tail_cycles", "Theoretical occupancy": "occupancy.theoretical_percent", "Achieved occupancy": "occupancy.achieved_percent",
         "Eligible warps of a scheduler": "rates.scheduler_eligible_warps", "Warp cycles per instruction": "rates.warp_cycles_per_inst",
         "Branches": "branch_insts", "Thread instructions, running": "active_thread_insts", "FADD lanes": "fadd_thread_insts", "DRAM read": "dram_read_bytes",
         "L2 fills": "l2_fill_sectors", "mean latency from an SM's port": "rates.mem_latency_mean_cycles", "DRAM row hits": "rates.dram_row_hit_percent"}


def look(doc, path):
    for k in path.split("."):
        doc = doc.get(k) if isinstance(doc, dict) else None
    return doc


def part_report(opt, tmp):
    """The text report shows what is in the document, nothing else; --counters and it agree."""
    whole = json.loads((ROOT / "cosim/cli/run.schema.json").read_text())["properties"]
    known = {at[2:] for at, _, _ in members(whole["launches"]["items"])} | {at[2:] for at, _, _ in members(whole["copies"])}
    source = (ROOT / "cosim/cli/cli_report_parts.c").read_text()
    rows = re.findall(r'\{"([^"]+)",\s*\{"([a-z0-9_.]+)"\}\}', source)
    cells = [p for row in re.findall(r'\{"[^"]+",\s*\{([^}]*,[^}]*)\}\}', source) for p in re.findall(r'"([a-z0-9_.]+)"', row)]
    unknown = [p for p in [path for _, path in rows] + cells if p not in known]
    check(len(rows) > 80 and len(cells) > 30 and not unknown, f"{len(rows)} rows and {len(cells)} cells of the report are keys of the schema", str(unknown))
    code, text, doc = run(opt, tmp, "reduce", ["4096"], "preset=tiny", "--report", "--counters")
    code2, again = sh([BIN / "warpglass", "report", pathlib.Path(tmp) / "run.json"])
    check(code == code2 == 0 and again in text and verdict(text).startswith("PASS "), "run --report prints what `warpglass report` makes of the document", text[-500:])
    want = ["Launch Statistics", "Occupancy", "Instruction Statistics", "Roofline (FP32)", "Memory Workload: global and local accesses"]
    if opt.backend == "rtl":
        want += ["Speed of Light", "Scheduler Statistics", "Scheduler Slots by Owner", "Warp State Statistics", "Memory Workload: shared memory",
                 "Memory Workload: caches (sectors)", "Warp Cycles by State", "Memory Workload: crossbar, L2 and DRAM", "Activity (accesses, proxies of energy)"]
    copied = re.search(r"^Copies\n.*\n  host to device +(\d+) +(\d+) ", again, re.M)
    check(copied and [int(v) for v in copied.groups()] == [doc["copies"]["host_to_device"][k] for k in ("copies", "copied_bytes")], "copies by direction", again[:900])
    missing = [w for w in want if again.count(f"\n{w}\n") != len(doc["launches"])]
    check(not missing, f"{len(want)} sections, for each launch", str(missing))
    shown, bad = 0, []
    for l, part in zip(doc["launches"], re.split(r"\nLaunch \d+: ", again)[1:]):
        for label, path in rows:
            v, m = look(l, path), re.search(rf"^  {re.escape(label)} +(\S.*)$", part, re.M)
            if v is None or isinstance(v, str):
                continue
            shown += 1
            if m is None or not any(float(f) == v or abs(float(f) - v) <= 0.005 for f in re.findall(rf"^  {re.escape(label)} +(-?[0-9.]+)", part, re.M)):
                bad.append((label, path, v, m and m.group(1)))
        line = re.search(r"^Criteria: active lanes / 32 = (\S+) %; sectors / ideal = (\S+); lane bytes / DRAM bytes = (\S+)$", part, re.M)
        bad += [] if line and abs(float(line.group(1)) - l["rates"]["active_lanes_percent"]) <= 0.005 else ["criteria"]
        for label, path in MEANS.items():
            v, m = look(l, path), re.search(rf"^  {re.escape(label)} +(\S+)", part, re.M)
            bad += [] if v is None or m and (m.group(1) == v or re.fullmatch(r"[0-9.]+", m.group(1)) and abs(float(m.group(1)) - v) <= 0.005) else [(label, path, v)]
    check(shown > 40 and not bad, f"{shown} numbers as the document has them", str(bad[:5]))
    columns, agree, bad = [], 0, []
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == "launch":
            columns = words
        elif len(words) == len(columns) and words[0].isdigit() and int(words[0]) <= len(doc["launches"]):
            l = doc["launches"][int(words[0]) - 1]
            for key, value in zip(columns[1:], words[1:]):
                v = l.get(key, l["rates"].get(key))
                if v is not None and value != "-":
                    agree += 1
                    bad += [] if abs(float(value) - v) <= 0.005 else [(key, value, v)]
    check(agree > 60 and not bad, f"--counters shows the same {agree} numbers", str(bad[:5]))
    for words, says in ((["--launch", "9", f"{tmp}/run.json"], "no number 9"), (["--launch", "x", f"{tmp}/run.json"], "bad value"), ([f"{tmp}/none"], "cannot read"),
                        ([ROOT / "cosim/cli/run.schema.json"], "no document of the schema"), ([ROOT / "Makefile"], "line 1"), ([], "no file"), (["--all", "x"], "unknown option")):
        code, text = sh([BIN / "warpglass", "report", *words])
        check(code == 2 and says in text, f"report {' '.join(str(w).rsplit('/', 1)[-1] for w in words)}: refused", text)


def part_options(opt, tmp):
    program = ROOT / "build/programs/reduce/reduce"
    base = [BIN / "warpglass", "run", "--preset", "tiny", "--backend", opt.backend]
    for words, says in ((["--json", "-"], "names no file"), (["--json", f"{tmp}/no/such.json"], "cannot write"), (["--json="], "is empty")):
        code, text = sh([*base, *words, program, "256"])
        check(code == 2 and says in text and "Traceback" not in text and "PASS" not in text, f"{' '.join(words).replace(str(tmp), '')}: refused before the run", text)
    code, text = sh([*base, "--counters-json", f"{tmp}/a.json", program, "256"])
    code2, text2 = sh([*base, "--json", f"{tmp}/b.json", program, "256"])
    same = code == code2 == 0 and pathlib.Path(f"{tmp}/a.json").read_text() == pathlib.Path(f"{tmp}/b.json").read_text()
    check(same, "--counters-json is the same option, and two runs are the same bytes", text + text2)
    (pathlib.Path(tmp) / "cycles.tsv").write_text("")
    code, text, doc = run(opt, tmp, "reduce", ["256"], "preset=tiny", "--cycles-check", f"{tmp}/cycles.tsv")
    check(code == 1 and doc is not None and doc["verdict"] == "FAIL" and f"FAIL reduce {doc['reason']}\n" in text, "a run that fails has a document too, with the reason", text[-600:])
    code, text = sh([BIN / "warpglass", "schema", "x"])
    check(code == 2 and "takes no words" in text, "schema x: refused", text)


def timed(opt):
    """All parts but that of the rules of cycles, if the back end has none."""
    return [n[5:] for n in globals() if n.startswith("part_") and (opt.backend == "rtl" or n != "part_rules")]


if __name__ == "__main__":
    sys.exit(suite.main(globals(), backend="func", default=timed))
