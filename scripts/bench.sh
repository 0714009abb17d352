#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Simulation speed of one SM of the v100 shape on mm_tiled, untraced, at each checking level: simulated cycles, warp and thread
# instructions per host second of one thread (user + system time of the whole process, start-up included; the best of RUNS), and the
# time of a cold build of that shape; at each level also with an event trace (--events, all of it): what it adds, and its bytes for
# 100,000 cycles. Figures move with the host; the ratios between the levels are the message.
#   N=128 RUNS=3 BUILD=1 scripts/bench.sh
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 - "${N:-128}" "${RUNS:-3}" "${BUILD:-1}" <<'PY'
import os, re, resource, shutil, subprocess, sys, time
n, runs, build = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "1"
env = dict(os.environ)
env.pop("WARPGLASS", None)

EVENTS = "build/bench.ev"

def one(level, *more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.run(["build/bin/warpglass", "run", "--preset", "v100", "--sms", "1", "--check", level, "--counters", *more,
                        "build/programs/mm_tiled/mm_tiled", n], env=env, text=True, stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    m = re.search(r"^PASS mm_tiled cycles=(\d+) warp_insts=(\d+)", p.stdout, re.M)
    if p.returncode != 0 or m is None:
        sys.exit("error: the run failed:\n" + p.stdout)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, int(m[1]), int(m[2])

build_s = 0.0
if build:
    shutil.move("build/sm/sm16-fast", "build/sm/sm16-fast.kept")
    try:
        start = time.time()
        subprocess.run(["scripts/verilate.sh", "sm16", "fast"], env=dict(env, CCACHE_DISABLE="1"), check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        build_s = time.time() - start
        shutil.rmtree("build/sm/sm16-fast.kept")
    except BaseException:
        shutil.rmtree("build/sm/sm16-fast", ignore_errors=True)
        shutil.move("build/sm/sm16-fast.kept", "build/sm/sm16-fast")
        raise
base = None
lines = {}
for level in ("off", "retire", "units"):
    # turn by turn, so that a host that slows down slows both
    plain, traced = zip(*[(one(level), one(level, "--events", EVENTS)) for _ in range(runs)])
    best, cycles, warps = min(plain)
    events = min(traced)[0]
    base = base or best
    # every thread of mm_tiled executes every instruction of its warp: 32 lanes an instruction
    lines[level] = (f"BENCH v100 mm_tiled level={level} cycles/s={cycles / best:.0f} "
                    f"thread_insts/s={32 * warps / best:.0f} warp_insts/s={warps / best:.0f}")
    print(f"{lines[level]} cost={best / base:.2f}x events_percent={100 * (events / best - 1):.1f} "
          f"events_MB_per_100k_cycles={os.path.getsize(EVENTS) / cycles / 10:.2f}")
print(f"{lines['retire']} build_s={build_s:.0f}")
PY
