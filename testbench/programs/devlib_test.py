#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Device printf, assert, malloc: devlib/*.cu, in both divergence modes. Run from the root after `make build` (and
`make sm SHAPE=tiny` for the RTL).

usage: devlib_test.py [--backend rtl|func] [--seed N] [--all] [PART ...]
parts: print (kernel and host print alike), leave (what a program that ends at once loses), ring (a FIFO that is too small, limits), fail (assertions, wrong frees),
heap (malloc, free, new, delete; exhaustion and reuse), headers (those of the C and C++ libraries in a .cu: all in one, some alone before
<stdlib.h>), spin (the text's two lanes of one warp: a hang under the
stack, two lines under its), wmma (matrix products of all layouts against the host's), paths (the lecture's figure 2, as a branch and as guarded assignments), intrinsics (of
our headers), math (the math library within the bounds of devlib/math_bounds.tsv; seeded), refused (what the device
library has not)
"""
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import suite  # noqa: E402
from suite import ALL, BIN, SEED, check, sh_apart  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent / "devlib"


class Programs:
    """Programs compiled once each, run in both modes."""

    def __init__(self, opt, folder):
        self.opt, self.folder, self.made = opt, folder, set()

    def compile(self, name, source=None, *options):
        out = f"{self.folder}/{name}"
        if name not in self.made:
            rc, _, err = sh_apart([BIN / "wgcc", "-O3", *options, source or HERE / f"{name}.cu", "-o", out])
            check(rc == 0 and "error" not in err, f"{name} compiles", err)
            self.made.add(name)
        return out

    def both(self, name, *args, settings=""):
        """(mode, exit code, stdout, stderr) for each divergence mode."""
        prog = self.compile(name)
        level = "" if self.opt.backend == "func" else " check=units"
        for mode in ("stack", "its"):
            yield (mode, *sh_apart([prog, *args], f"preset=tiny backend={self.opt.backend}{level} diverge={mode} {settings}"))


def part_print(p):
    for mode, rc, out, err in p.both("print", 3 if p.opt.backend == "func" else 1):
        lines = out.splitlines()
        where = [lines.index(w) for w in ("before", "after", "strings")]
        device, host = lines[where[0] + 1:where[1]], lines[where[1] + 1:where[2]]
        # threads print line by line side by side, the host thread by thread
        check(rc == 0 and where[0] == 0 and len(device) > 10 and sorted(device) == sorted(host),
              f"print, {mode}: {len(device)} lines as from the host", out + err)
        want = ["[local] [x] [(null)]", "<5>"]
        check(lines[where[2] + 1:] == want + ["returned 3 1 -1"] + want, f"print, {mode}: strings and return values",
              "\n".join(lines[where[2]:]))


def part_leave(p):
    """What is left in the FIFO is printed by a program that returns, and lost by one that leaves at once."""
    for mode, rc, out, err in p.both("leave", "return"):
        check(rc == 0 and out == "first\nsecond\n", f"leave by return, {mode}: all printed", out + err)
    for way in ("_exit", "_Exit", "quick_exit"):
        for mode, rc, out, err in p.both("leave", way):
            check(rc == 0 and out == "first\n", f"leave by {way}, {mode}: lost", out + err)


def part_ring(p):
    for mode, rc, out, err in p.both("ring", 1024, 40):
        lines = out.splitlines()
        check(lines[:2] == [f"defaults 1024 {1 << 20} {8 << 20}", "set 0 0: 1024 1024 102400"], f"ring, {mode}: limits",
              "\n".join(lines[:2]))
        # a line takes one granule of 32 bytes, so 32 of them fit
        check(lines[2:] == [f"line {i}" for i in range(8, 40)] + [f"line {i}" for i in range(3)] +
              ["too large -2", "again 1 cudaErrorInvalidValue", "unknown cudaErrorUnsupportedLimit"],
              f"ring, {mode}: the newest lines are there", out)
        told = "device printf: 256 of 1280 bytes were overwritten" in err and "in use and cannot change" in err
        check(rc == 0 and told,
              f"ring, {mode}: what is lost is told", err)


def part_fail(p):
    for mode, rc, out, err in p.both("fail"):
        want = [f"{HERE}/fail.cu:10: void check(const int *, int): block: [1,0,0], thread: [{t},0,0] Assertion "
                "`p[t] < n && \"too large\"` failed." for t in (0, 2)]
        check(rc == 1 and out.splitlines() == ["thread 5 is still well", "710 cudaErrorAssert"] and
              [s for s in err.splitlines() if "Assertion" in s] == want,
              f"assert, {mode}: CUDA's words, error 710", out + err)
        check("FAIL fail device fault at fail.cu:10: device assert in kernel 'check(int const*, int)', block (1,0,0), "
              "warp 0, lanes 0x00000005" in err, f"assert, {mode}: the fault", err)
    for how, what in ((1, "twice"), (2, "inside a block"), (3, "of a local variable")):
        for mode, rc, out, err in p.both("fail", how):
            check(rc == 1 and out == "719 cudaErrorLaunchFailure\n" and "trap" in err and "fail.cu:1" in err,
                  f"free {what}, {mode}: a trap", out + err)


def part_heap(p):
    rows = [(32, 1 << 20, {40: 32, 4080: 32, 20000: 32}), (64, 100000, {100: 64, 2000: 50, 30000: 3}),
            (64, 65536, {16: 64, 48: 64})]  # neighbours: an atomic of more than one sector
    if p.opt.backend == "func":
        rows.append((256, 8 << 20, {1: 256, 48: 256, 49: 256, 4080: 256, 4081: 256, 32752: 256, 32753: (226, 227),
                                    8388592: 1, 8388593: 0}))
    for threads, size, fits in rows:
        for mode, rc, out, err in p.both("heap", threads, size, *fits):
            # 64-byte units, 16 bytes of each block are the heap's; the second turn begins elsewhere
            want = [f"{n} bytes: 0 bad, {k} of {threads}" for n, ks in fits.items()
                    for k in (ks if isinstance(ks, tuple) else (ks, ks))]
            check(rc == 0 and out.splitlines() == want + ["lists: 0 wrong"],
                  f"heap of {size} bytes, {threads} threads, {mode}", out + err)


# headers of the C and C++ libraries that C++17 may include
HEADERS = """assert.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h setjmp.h signal.h stdarg.h stddef.h stdint.h stdio.h stdlib.h string.h
 time.h wchar.h wctype.h unistd.h sys/time.h sys/stat.h sys/wait.h pthread.h getopt.h fcntl.h algorithm array atomic bitset cassert cctype cerrno cfloat chrono
 cinttypes climits cmath complex condition_variable cstdarg cstddef cstdint cstdio cstdlib cstring ctime deque exception filesystem forward_list fstream
 functional future initializer_list iomanip ios iostream istream iterator limits list map memory mutex new numeric optional ostream queue random ratio regex set
 shared_mutex sstream stack stdexcept streambuf string string_view thread tuple type_traits typeinfo unordered_map unordered_set utility valarray variant
 vector""".split()


def part_headers(p):
    """A .cu may include what a C++ program may, in any order; the names of both worlds mean the same afterwards."""
    shuffled = random.Random(p.opt.seed).sample(HEADERS, len(HEADERS))
    alone = HEADERS if p.opt.all else ["stdlib.h"] + shuffled[:2]
    for name, first in [("all in one", shuffled)] + [(h, [h]) for h in alone]:
        source = pathlib.Path(p.folder) / "headers.cu"
        lines = [f"#include <{h}>" for h in [*first, "stdlib.h", "math.h", "stdio.h", "cstdlib"]]
        lines += ["__global__ void take(int *o) {", "  int *a = (int *)malloc(4), *b = (int *)std::malloc(4);", "  *a = abs(-3) + (int)sqrtf(16.0f), *b = max(1, 2) + (int)fabs(-2.0);",
                  "  o[0] = *a * 10 + *b;", "  free(a), std::free(b);", "}", "int main() {", "  int *d, h = 0;", "  void *x = malloc(4), *y = std::malloc(4);",
                  "  cudaMalloc(&d, 4);", "  take<<<1, 1>>>(d);", "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);", "  cudaFree(d), free(x), std::free(y);",
                  '  printf("%d %d\\n", h, abs(-5) + (int)floor(fabs(-2.5)));', "}"]
        source.write_text("\n".join(lines) + "\n")
        code, out, err = sh_apart([BIN / "wgcc", "-std=c++17", source, "-o", pathlib.Path(p.folder) / "headers"])
        if code == 0:
            code, out, err = sh_apart([pathlib.Path(p.folder) / "headers"], f"preset=tiny backend={p.opt.backend}")
        check(code == 0 and out == "74 7\n", f"headers: {name}", out + err[:2000])


def part_spin(p):
    for mode, rc, out, err in p.both("spin", settings="limit=100000"):
        said = ["Thread 0 收到数据！", "Thread 1 发送数据！"]
        if mode == "its":
            check(rc == 0 and sorted(out.splitlines()[:2]) == said and out.splitlines()[2:] == ["cudaSuccess"],
                  "spin, its: both lanes get through", out + err)
        else:
            check(rc == 1 and out == "cudaErrorLaunchTimeout\n" and "the device hangs in spin() at spin.cu:11" in err,
                  "spin, stack: the lane that waits keeps the other one away", out + err)


def part_wmma(p):
    for mode, rc, out, err in p.both("wmma"):
        lines = out.splitlines()
        check(rc == 0 and len(lines) == 33 and lines[-1] == "0 wrong: no error", f"wmma, {mode}: {len(lines) - 1} products as on the host",
              out + err)


def part_paths(p):
    for mode, rc, out, err in p.both("paths"):
        check(rc == 0 and out.startswith("0 of 64 wrong, "), f"paths, {mode}: branch and guarded assignments agree",
              out + err)


def part_intrinsics(p):
    for mode, rc, out, err in p.both("intrinsics"):
        check(rc == 0 and out == "0 0 0 0 0 0\n", f"intrinsics, {mode}: as defined", out + err)


def part_math(p):
    """Every function within its bound; on the RTL a seeded few, with fewer inputs."""
    bounds = {}
    for line in (HERE / "math_bounds.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, *worst = line.split("\t")
            bounds[name] = dict(zip(("float", "double"), map(float, worst)))
    two = ("pow", "powi", "atan2", "hypot", "rhypot", "norm3d", "fmod", "remainder", "remquo", "fdim", "copysign",
           "nextafter", "scalbn")
    one = [n for n in bounds if n not in two]
    func = p.opt.backend == "func"
    names = [] if func else sorted(random.Random(p.opt.seed).sample(one, 4))
    count = (2000 if p.opt.all else 60) if func else 20
    prog = p.compile("math")
    level = "" if func else " check=units"
    rc, out, err = sh_apart([prog, p.opt.seed, count, *names], f"preset=tiny backend={p.opt.backend}{level}")
    check(rc == 0, f"math, seed {p.opt.seed}, {count} inputs a range: runs {' '.join(names)}", err)
    seen = set()
    for line in out.splitlines():
        name, kind, inputs, worst, where = line.split("\t")
        seen.add((name, kind))
        bound = bounds[name][kind]
        check(float(worst) <= bound, f"{name} {kind}: {worst} ulp on {inputs} inputs, at most {bound:g} allowed", where)
    check(seen == {(n, k) for n in names or bounds for k in ("float", "double")}, "math: every function was tried")


def part_refused(p):
    """What the device library has not is refused by name."""
    for name in ("cyl_bessel_i0f", "j1"):
        source = f"{p.folder}/refused.cu"
        pathlib.Path(source).write_text(f"__global__ void k(float *x) {{ x[0] = {name}(x[1]); }}\n"
                                        "int main() { return 0; }\n")
        rc, _, err = sh_apart([BIN / "wgcc", source, "-o", f"{p.folder}/refused"])
        check(rc != 0 and f"device code calls '{name}', which the device library does not have" in err,
              f"{name} is refused", err)


def options(ap):
    ap.add_argument("--seed", type=int, default=SEED)
    ap.add_argument("--all", action="store_true", default=ALL)


def main():
    with tempfile.TemporaryDirectory() as folder:
        return suite.main(globals(), backend="func", options=options, given=lambda opt: {"p": Programs(opt, folder)})


if __name__ == "__main__":
    sys.exit(main())
