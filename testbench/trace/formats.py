# SPDX-License-Identifier: Apache-2.0
"""Strict readers of the formats that `warpglass trace` writes. Each returns what it read, or raises Bad with the place.

kanata    Konata's log, as documented with it (docs/kanata-log-format.md, version 0004)
chrome    the Trace Event Format, JSON object form, as far as it is used here: phases M X i C b e
wavedrom  WaveJSON: signal, head, config
"""
import json
import re


class Bad(Exception):
    """Not in the format."""


def need(ok, what):
    if not ok:
        raise Bad(what)


# ---- Konata ----

STAGES = ["F", "D", "B", "I", "C", "X", "M", "W"]


def kanata(path):
    """Instructions: {id: dict(label, detail, thread, begin, end, flushed, stages [(name, from, to)], stalls [(name, from, to)])}."""
    ops, live, order, retired, now, started = {}, {}, 0, 0, None, False
    with open(path, encoding="ascii") as f:
        for n, line in enumerate(f, 1):
            need(line.endswith("\n"), f"line {n}: no newline")
            a = line[:-1].split("\t")
            if n == 1:
                need(a == ["Kanata", "0004"], "line 1: not the header of version 0004")
                continue
            if n == 2:
                need(a[0] == "C=" and len(a) == 2, "line 2: no C=")
                now = int(a[1])
                continue
            cmd, width = a[0], {"C": 2, "I": 4, "L": 4, "S": 4, "E": 4, "R": 4}
            need(cmd in width and len(a) == width[cmd], f"line {n}: {line!r}")
            if cmd == "C":
                need(int(a[1]) > 0, f"line {n}: time stands still or goes back")
                now += int(a[1])
                continue
            i = int(a[1])
            if cmd == "I":
                need(i == order, f"line {n}: id {i}, the next is {order}")
                order += 1
                ops[i] = live[i] = {"label": "", "detail": "", "thread": int(a[3]), "begin": now, "end": None, "flushed": None,
                                    "stages": [], "stalls": []}
                continue
            need(i in live, f"line {n}: instruction {i} has not begun, or has ended")
            op = live[i]
            if cmd == "L":
                need(a[2] in ("0", "1"), f"line {n}: kind of label {a[2]}")
                op["label" if a[2] == "0" else "detail"] += a[3]
            elif cmd == "S":
                need(a[2] in ("0", "1") and a[3] != "" and " " not in a[3], f"line {n}: lane or stage")
                lane = op["stages" if a[2] == "0" else "stalls"]
                if lane and lane[-1][2] is None:
                    lane[-1][2] = now
                need(a[2] == "1" or a[3] in STAGES, f"line {n}: stage {a[3]}")
                lane.append([a[3], now, None])
            elif cmd == "E":
                lane = op["stages" if a[2] == "0" else "stalls"]
                need(lane and lane[-1][0] == a[3] and lane[-1][2] is None, f"line {n}: ends what is not open")
                lane[-1][2] = now
            else:
                need(a[3] in ("0", "1"), f"line {n}: kind of end")
                op["end"], op["flushed"] = now, a[3] == "1"
                if not op["flushed"]:
                    need(int(a[2]) == retired, f"line {n}: retirement {a[2]}, the next is {retired}")
                    retired += 1
                for lane in (op["stages"], op["stalls"]):
                    if lane and lane[-1][2] is None:
                        lane[-1][2] = now
                del live[i]
            started = True
    need(started, "no instruction")
    for i, op in ops.items():
        need(op["label"] != "" and op["stages"], f"instruction {i} has no label or no stage")
        names = [s[0] for s in op["stages"]]
        need(names == sorted(names, key=STAGES.index) and len(set(names)) == len(names), f"instruction {i}: stages {names}")
    return ops


# ---- trace events ----

def chrome(path):
    """List of events. Slices of a thread nest, asynchronous ones are closed, times are not negative."""
    data = json.loads(open(path, encoding="utf-8").read())
    need(isinstance(data, dict) and isinstance(data.get("traceEvents"), list), "no traceEvents")
    need(data.get("displayTimeUnit") in ("ms", "ns"), "displayTimeUnit")
    events, threads, flights, named = data["traceEvents"], {}, {}, set()
    for n, e in enumerate(events):
        need(isinstance(e, dict) and isinstance(e.get("name"), str) and e["name"] != "", f"event {n}: no name")
        need(isinstance(e.get("pid"), int) and isinstance(e.get("tid"), int), f"event {n}: pid, tid")
        ph = e.get("ph")
        need(ph in ("M", "X", "i", "C", "b", "e"), f"event {n}: phase {ph!r}")
        if ph == "M":
            need(e["name"] in ("process_name", "thread_name", "process_sort_index", "thread_sort_index"), f"event {n}: {e['name']}")
            key = "name" if e["name"].endswith("_name") else "sort_index"
            need(isinstance(e["args"][key], str if key == "name" else int), f"event {n}: args")
            if key == "name":
                need((e["name"], e["pid"], e["tid"]) not in named, f"event {n}: named twice")
                named.add((e["name"], e["pid"], e["tid"]))
            continue
        need(isinstance(e.get("ts"), (int, float)) and e["ts"] >= 0 and isinstance(e.get("cat"), str), f"event {n}: ts, cat")
        need(("process_name", e["pid"], 0) in named, f"event {n}: process {e['pid']} has no name")
        if ph == "X":
            need(isinstance(e.get("dur"), (int, float)) and e["dur"] >= 0, f"event {n}: dur")
            need(("thread_name", e["pid"], e["tid"]) in named, f"event {n}: thread {e['tid']} has no name")
            threads.setdefault((e["pid"], e["tid"]), []).append((e["ts"], -e["dur"], n))
        elif ph == "i":
            need(e.get("s") in ("t", "p", "g"), f"event {n}: scope")
        elif ph == "C":
            need(e["args"] and all(isinstance(v, (int, float)) for v in e["args"].values()), f"event {n}: counter")
        else:
            key = (e["cat"], e["id"])
            need(isinstance(e["id"], str), f"event {n}: id")
            if ph == "b":
                need(key not in flights, f"event {n}: {key} begins twice")
                flights[key] = e
            else:
                need(key in flights and flights[key] is not None, f"event {n}: {key} ends without a begin")
                b = flights[key]
                need(b["name"] == e["name"] and b["pid"] == e["pid"] and e["ts"] >= b["ts"], f"event {n}: end of another slice")
                flights[key] = None
    need(not [k for k, v in flights.items() if v is not None], "asynchronous slices that never end")
    for where, slices in threads.items():
        stack = []
        for ts, dur, n in sorted(slices):
            while stack and stack[-1] <= ts + 1e-6:
                stack.pop()
            need(not stack or ts - dur <= stack[-1] + 1e-3, f"event {n}: overlaps another slice of {where}")
            stack.append(ts - dur)
    return events


# ---- WaveDrom ----

def wavedrom(path):
    """Rows: {name: [state of each cycle]}; states are data texts, None for x."""
    data = json.loads(open(path, encoding="utf-8").read())
    need(set(data) == {"head", "config", "signal"} and isinstance(data["head"].get("text"), str), "keys")
    rows, width = {}, None
    for row in data["signal"]:
        need(set(row) <= {"name", "wave", "data"} and row["name"] not in rows, f"row {row.get('name')}")
        need(re.fullmatch(r"[px=2-9][p.x=2-9]*", row["wave"]) is not None, f"row {row['name']}: wave {row['wave']}")
        need(width in (None, len(row["wave"])), f"row {row['name']}: another length")
        width = len(row["wave"])
        states, texts = [], list(row.get("data", []))
        need(all(isinstance(t, str) and t != "" for t in texts), f"row {row['name']}: data")
        for c in row["wave"]:
            if c == ".":
                states.append(states[-1])
            elif c in "px":
                states.append(None)
            else:
                need(texts, f"row {row['name']}: too few data")
                states.append(texts.pop(0))
        need(not texts, f"row {row['name']}: {len(texts)} data too many")
        rows[row["name"]] = states
    need(width, "no row")
    return rows
