#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counters of the launches of runs: a line a launch, two blanks between fields.   launches.py RUN.json ... COUNTER ...

RUN.json is of `warpglass run --json`; a counter is any key of a launch (`warpglass schema`)."""
import json
import sys


def main():
    files = [w for w in sys.argv[1:] if w.endswith(".json")]
    keys = [w for w in sys.argv[1:] if not w.endswith(".json")]
    if not files or not keys:
        sys.exit("usage: launches.py RUN.json ... COUNTER ...")
    for name in files:
        try:
            with open(name, encoding="utf-8") as f:
                launches = json.load(f)["launches"]
            for launch in launches:
                print("  ".join([launch["name"].split("(")[0], *(f"{k} {launch[k]}" for k in keys)]))
        except KeyError as missing:
            sys.exit(f"error: no counter {missing} in '{name}'; remedy: one of {', '.join(launches[0])}")
        except (OSError, ValueError) as bad:
            sys.exit(f"error: '{name}': {bad}; remedy: a file of warpglass run --json")


if __name__ == "__main__":
    main()
