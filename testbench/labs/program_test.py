# SPDX-License-Identifier: Apache-2.0
"""Tests of the program labs' graders, parts of labs_test.py.

Answers of a reference or wrong solution that stand as a question mark are filled in from a run that goes another way than
the grader: the program is built as a student builds it, and the values come from the verdict line, from --find and from
counters that are named here again.
"""
import json
import re
import subprocess

import grade
import kernels
import sandbox
from suite import check, sample

ROOT = sandbox.ROOT
WG = ROOT / "build/bin/warpglass"


def solution(lab):
    """Text of a solution that has all points, its answers open."""
    return grade.judge_of(lab).reference(grade.labs()[lab]).read_text()


def built(lab, text, tmp):
    """The student's way: the host program with the file inside; None if it does not compile."""
    tmp.mkdir(parents=True, exist_ok=True)
    (tmp / "own.cu").write_text(text)
    folder = grade.labs()[lab]["folder"]
    p = subprocess.run([ROOT / "build/bin/wgcc", "-O3", f'-DLAB_FILE="{tmp}/own.cu"', ROOT / f"programs/labs/{folder}/main.cu", "-o", tmp / "own"],
                       capture_output=True, text=True, check=False)
    return tmp / "own" if p.returncode == 0 else None


def said(program, *words, options=()):
    """What a run on the RTL of tiny prints."""
    p = subprocess.run([WG, "run", "--preset", "tiny", "--golden", "none", "--limit", "400000", *options, program, *words], capture_output=True, text=True,
                       check=False, cwd=ROOT)
    return p.stdout + p.stderr


def number(pattern, text):
    m = re.search(pattern, text, re.M)
    return m[1] if m else "0"


def values_first(program):
    text = said(program)
    return {"warp_insts": number(r"warp_insts=(\d+)", text), "cycles": number(r" cycles=(\d+)", text), "last_lanes": "0xff",
            "first_issue": number(r"^found .* at cycle (\d+)", said(program, options=("--find", "pc:0x0"))),
            "block0_end": number(r"^found .* at cycle (\d+)", said(program, options=("--find", "block-end:0")))}


def counted(program, *words):
    """Launch of a run's report, with its barrier instructions."""
    report, events = program.with_name("own.json"), program.with_name("own.events")
    said(program, *words, options=("--json", report, "--events", events, "--events_depth", "insts"))
    if not report.exists() or not (launches := json.loads(report.read_text())["launches"]):
        return None
    text = subprocess.run([WG, "trace", events, "--text", "-"], capture_output=True, text=True, check=True).stdout
    return dict(launches[0], barriers=sum(" issue " in x and " BAR" in x for x in text.splitlines()))


def values_optimise(program):
    """Those of the given kernels by reckoning. matmul: 128 warps x 64 steps; 16 rows of A and 2 columns of B a request. reduce: 32 blocks of 8 warps with
    9 barriers; in 5 steps all 8 warps part, then 4, 2 and 1."""
    values = {"matmul_sectors_per_request_before": "8.5", "matmul_load_sectors_before": str(128 * 64 * 17), "reduce_barriers_before": str(32 * 8 * 9),
              "reduce_divergent_before": str(32 * (5 * 8 + 4 + 2 + 1))}
    launch = kernels.notes(program.with_name("own.cu").read_text(), "launch")[0]
    m = counted(program, "matmul", "64", *(str(launch[f"matmul_{k}"]) for k in ("block_x", "block_y", "tile_x", "tile_y")))
    r = counted(program, "reduce", "8192", *(str(launch[f"reduce_{k}"]) for k in ("block", "elements")))
    if m:
        values |= {"matmul_sectors_per_request_after": f"{m['load_sectors'] / m['load_requests']:.3f}", "matmul_load_sectors_after": str(m["load_sectors"])}
    if r:
        values |= {"reduce_barriers_after": str(r["barriers"]), "reduce_divergent_after": str(r["divergent_branch_insts"])}
    return values


def filled(lab, text, tmp):
    """The text with its open answers filled in; a text of another lab as it is."""
    if grade.labs()[lab]["how"] != "cu" or not re.search(r"^// answer \w+ = \?$", text, re.M):
        return text
    program = built(lab, text, tmp)
    values = globals()["values_" + lab](program) if program else {}
    return re.sub(r"^(// answer (\w+) =) \?$", lambda m: f"{m[1]} {values.get(m[2], 0)}", text, flags=re.M)


CHEATS = {   # text behind a right kernel, and a word of the answer
    "host function": ("void f() {}", "host code"), "main": ("int main() { return 0; }", "'main'"), "constructor": ("struct S { __device__ S() {} };\nS s;", "variable of the host"),
    "host attribute": ("__host__ __device__ int f() { return 1; }", "'__host__'"), "variable": ("int x = 1;", "variable of the host"),
    "include": ("#include </etc/passwd>", "directive"), "include of a string": ('#include "x"', "a string"), "embed": ("__device__ char a[] = {\n#embed </etc/passwd>\n};", "directive"),
    "if": ("#if 1\n#endif", "directive"), "pasted name": ("#define A(x) x##m\n", "directive"), "small name": ("#define saxpy other\n", "directive"),
    "asm": ('__device__ void f() { asm("trap;"); }', "a string"), "asm without text": ("#define T asm\n", "'asm'"), "attribute": ("__attribute__((constructor)) void f();", "'__attribute__'"),
    "C++ attribute": ("[[gnu::constructor]] void f();", "attribute"), "joined line": ("// a comment \\\nint x;", "lines are not joined"),
    "split comment end": ("/* *\\\n/ int x; /* */", "lines are not joined"), "trigraph": ("// ??/\nint x;", "another way"), "digraph": ("%:include <x>", "another way"),
    "printf": ('__device__ void f() { printf("elements right"); }', "a string"), "character": ("__device__ char c = 'a';", "a string or character"),
    "pragma operator": ("_Pragma(x)", "'_Pragma'"), "pragma": ("#pragma clang section x", "directive"), "extern": ("extern int x;", "'extern'"),
    "built-in": ("__device__ void f() { __builtin_trap(); }", "'__builtin_trap'"), "run-time library": ("__device__ void f() { cudaMalloc(0, 0); }", "'cudaMalloc'"),
    "answer twice": ("// answer cycles = 1\n// answer cycles = 2", "stands twice"), "answer that is no number": ("// answer cycles = many", "a number"), "other digits": ("// answer cycles = ١٢", "a number"), "open comment": ("/* ", "without an end"),
    "open brace": ("__device__ void f() {", "not closed")}
TAKEN = """#define TILE 16
#define AT(r, c) ((r) * TILE + (c))
__constant__ float k[4];
__device__ int count;
struct Pair { float a, b; };
template <int N> __device__ float twice(float x) { return N * x; }
constexpr int kN = 4;
// 线程块: a comment in Chinese, "quoted"
__global__ void saxpy(int n, float a, const float *x, float *y) {
  extern __shared__ float s[];
  __shared__ float t[TILE][TILE + 1];
#pragma unroll 4
  for (int i = 0; i < kN; i++) t[i][0] = twice<2>(k[i]);
  __syncthreads();
}
"""
BAD_RUNS = {   # body of saxpy, a word of the reason
    "hangs": ("const volatile float *all = x; while (all[0] > 0.0f) {}", "did not come to its end"), "faults": ("y[n + (1 << 28)] = a;", "did not come to its end"),
    "endless recursion of templates": ("f<0>();", "the compiler refuses it")}


def part_kernels(tmp):
    own = solution("first")
    for name, (text, word) in CHEATS.items():
        why = kernels.judge(own.replace("// answer cycles = ?\n", "") + text + "\n")
        check(why and word in why, f"refused: {name}", why)
    check(kernels.judge(TAKEN) is None, "taken: macros in capitals, templates, shared memory, constants", kernels.judge(TAKEN))
    for lab, row in grade.labs().items():
        if row["how"] == "cu":
            check(kernels.judge(solution(lab)) is None, f"taken: the solution of {lab}", kernels.judge(solution(lab)))
            for p in sorted((grade.LABS / row["folder"]).glob("*.cu")):
                check(p.name == "main.cu" or kernels.judge(p.read_text()) is None, f"taken: {p.name}", kernels.judge(p.read_text()))
    grade.prepare("first", False)
    for name, (body, word) in sample(BAD_RUNS.items(), 1):
        path = tmp / "bad.cu"
        path.write_text(("template <int N> __device__ void f() { f<N + 1>(); }\n" if "f<0>" in body else "") +
                        "__global__ void saxpy(int n, float a, const float *x, float *y) { " + body + " }\n")
        r = grade.grade("first", path, tmp / "grade")
        check(r["points"] == 0 and word in r["checks"][0]["reason"] and all(c["reason"] for c in r["checks"]), f"no points: a kernel that {name}", r["checks"])
    given = (grade.LABS / grade.labs()["optimise"]["folder"] / "optimise.cu").read_text()
    at = given.index("__global__ void reduce")
    copy = given[:at].replace("reduce_block = 256", "reduce_block = 1").replace("reduce_elements = 256", "reduce_elements = 1")
    path.write_text(copy + "__global__ void reduce(const float *in, float *out, int n) { if (n > 0) out[blockIdx.x] = in[blockIdx.x]; }\n")
    r = grade.grade("optimise", path, tmp / "grade")
    lost = [c for c in r["checks"] if c["expected"].startswith("reduce")]
    check("reduce_elements = 1\n" in copy and sum(c["points"] for c in lost) == 0 and any("is '1'" in c["reason"] for c in lost),
          "no points: sums of one number each, which need no barriers", [(c["points"], c["reason"]) for c in lost])
    seeds = {grade.judge_of("first").Grading("first", grade.labs()["first"], t, folder(tmp / f"seed{t}"), 10).seed for t in "abc"}
    check(len(seeds) == 3, "inputs depend on the submission: no table of results fits", seeds)


POLICY_CHEATS = {   # text behind a right policy, and a word of the answer
    "include": ("#include <unistd.h>", "directive"), "include of a string": ('#include "/etc/passwd"', "a string"), "string": ('const char *x = "100";', "a string"),
    "asm": ("void f(void) { asm volatile (x); }", "'asm'"), "constructor": ("__attribute__((constructor)) void f(void) {}", "'__attribute__'"), "system call": ("int x = system(0);", "'system'"),
    "libc": ("extern int kill(int, int);", "'extern'"), "the simulator": ("void f(void) { wg_gpu_stop(0, 0, 0); }", "'wg_gpu_stop'"), "the loader": ("int x = wg_gte_policy_add(0);", "'wg_gte_policy_add'"),
    "main": ("int main(void) { return 0; }", "'main'"), "embed": ("char x[] = {\n#embed </etc/passwd>\n};", "directive"), "macro that pastes": ("#define A(x) x##m", "directive"),
    "built-in": ("void f(void) { __builtin_trap(); }", "'__builtin_trap'"), "joined line": ("// \\\nint x;", "lines are not joined")}
REACHES_OUT = """static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  (void)state, (void)v, (void)grid;
  for (char *p = (char *)v; ; p += 4096) *p = 1;
  *sm = 0;
  return kWgGtePick;
}
"""


def part_policies(tmp):
    """Lab 9: words of a policy; one that overwrites its process loses its own points and no more; the page of policies."""
    own = solution("gigathread")
    judge = grade.judge_of("gigathread").judge
    check(judge(own, None) is None and judge((grade.LABS / "09_gigathread/mine.c").read_text(), None) is None, "taken: the solution and the skeleton of lab 9")
    for name, (text, word) in POLICY_CHEATS.items():
        why = judge(own + text + "\n", None)
        check(why and word in why and "line " in why, f"refused in a policy: {name}", why)
    page = re.findall(r"^```c\n(.*?)^```", (ROOT / "cosim/POLICY.md").read_text(), re.M | re.S)
    check(any(p in (ROOT / "testbench/gte/diagonal.c").read_text() for p in page), "the block policy of cosim/POLICY.md is the one that is tested")
    path = tmp / "bad.c"
    for name, more, word in (("uses a function that is nowhere", "int nowhere(void);\nint my_use(void);\nint my_use(void) { return nowhere(); }\n", "'nowhere' is used"),
                             ("declares a function of the system", "long syscall(long n, ...);\nlong my_use(void);\nlong my_use(void) { return syscall(57); }\n", "'syscall' is used"),
                             ("starts threads", "int pthread_create(void *, const void *, void *(*)(void *), void *);\nint my_use(void);\nint my_use(void) { return pthread_create(0, 0, 0, 0); }\n", "'pthread_create' is used"),
                             ("defines a function of the view", "uint32_t wg_gte_view_sms(const wg_gte_view_t *v) { return v != NULL; }\n", "'wg_gte_view_sms' is defined")):
        path.write_text(own + more)
        r = grade.grade("gigathread", path, tmp / "grade")
        check(r["points"] == 0 and word in r["refused"] and "linker" not in r["refused"], f"not linked: a policy that {name}", r["refused"])
    grade.prepare("gigathread", False)
    begin, end = own.index("static wg_gte"), own.index("const wg_gte_policy_t")
    for name, text, word in (("overwrites its process", own[:begin] + REACHES_OUT + own[end:], "ended by signal"),
                             ("places nothing", (grade.LABS / "09_gigathread/mine.c").read_text(), "'mine' leaves blocks unsent")):
        path.write_text(re.sub(r"// answer.*\n", "", text))
        r = grade.grade("gigathread", path, tmp / "grade")
        check(r["points"] == 0 and word in r["checks"][0]["reason"] and all(c["reason"] for c in r["checks"]), f"no points: a policy that {name}", r["checks"][:3])


def folder(path):
    path.mkdir()
    return path
