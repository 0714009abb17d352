#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Record compute-sanitizer's verdicts on the programs of table.tsv: compute_sanitizer.tsv. For a machine with a CUDA GPU; check_test.py compares.

usage: record_sanitizer.py [--arch sm_90] [--out FILE]
A row a program: the first 12 digits of its text's SHA-256, then for memcheck, racecheck, initcheck and synccheck the lines of its own file
in their reports (of the host, where no line of a kernel is named), `-` for none, `hang` for a run stopped after 20 s.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parents[1]
TOOLS = {"memcheck": ["--leak-check", "full"], "racecheck": ["--racecheck-report", "all"], "initcheck": [], "synccheck": []}


def need(name):
    found = shutil.which(name) or shutil.which(f"/usr/local/cuda/bin/{name}")
    return found or sys.exit(f"record_sanitizer.py: error: no {name}: install the CUDA toolkit")


def run(args, seconds):
    """(exit code, output); None for the code of a run that was stopped, with its children."""
    p = subprocess.Popen(args, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                         start_new_session=True)
    try:
        text, _ = p.communicate(timeout=seconds)
        return p.returncode, text
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        return None, p.communicate()[0]


def cell(source, code, text):
    """A table's cell of one run."""
    if code is None:
        return "hang"
    if not re.search(r"(ERROR|RACECHECK) SUMMARY: ", text):
        sys.exit(f"record_sanitizer.py: error: no summary for {source}:\n{text}")
    if re.search(r"ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: \d+ hazards? displayed \(0 errors, 0 warnings\)", text):
        return "-"
    of_kernels = {int(n) for line in text.splitlines() if "Host Frame" not in line for n in re.findall(re.escape(source.name) + r":(\d+)", line)}
    lines = of_kernels or {int(n) for n in re.findall(re.escape(source.name) + r":(\d+)", text)}
    return ",".join(map(str, sorted(lines))) or "without a line"


def row(name, tmp, arch, tools):
    source, exe = BENCH / f"{name}.cu", pathlib.Path(tmp) / name.replace("/", "_")
    code, text = run([need("nvcc"), "-std=c++17", "-O3", "-g", "-lineinfo", f"-arch={arch}", "-I", source.parent, source, "-o", exe], 300)
    if code != 0:
        sys.exit(f"record_sanitizer.py: error: {source} does not compile:\n{text}")
    cells = [cell(source, *run([need("compute-sanitizer"), "--tool", tool, *words, "--print-limit", "200", exe], 20)) for tool, words in tools.items()]
    return "\t".join([name, hashlib.sha256(source.read_bytes()).hexdigest()[:12], *cells]) + "\n"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--arch", default="sm_90")
    ap.add_argument("--out", type=pathlib.Path, default=BENCH / "check/compute_sanitizer.tsv")
    opt = ap.parse_args()
    names = [line.split("\t")[0] for line in (BENCH / "check/table.tsv").read_text().splitlines() if not line.startswith("#")]
    version = re.search(r"Version (\S+)", run([need("compute-sanitizer"), "--version"], 60)[1])[1]
    gpu = run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], 60)[1].splitlines()[0]
    with tempfile.TemporaryDirectory() as tmp, concurrent.futures.ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda name: row(name, tmp, opt.arch, TOOLS), names))
    opt.out.write_text(f"# program\ttext\t{chr(9).join(TOOLS)}\tcompute-sanitizer {version}, {gpu}; record_sanitizer.py\n" + "".join(rows))


if __name__ == "__main__":
    main()
