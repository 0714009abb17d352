// SPDX-License-Identifier: Apache-2.0
//
// The commands as a user runs them: wgcc and warpglass, good and bad lines. Run from the root, after `make build`.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct Result {
  int code;
  std::string text;  // stdout and stderr
};

Result Shell(const std::string &cmd) {
  Result r = {-1, ""};
  FILE *p = popen((cmd + " 2>&1").c_str(), "r");
  if (p == nullptr) return r;
  char buf[4096];
  for (size_t n; (n = fread(buf, 1, sizeof buf, p)) > 0;) r.text.append(buf, n);
  int st = pclose(p);
  r.code = WIFEXITED(st) ? WEXITSTATUS(st) : 128;
  return r;
}

bool Has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/wgtest.XXXXXX";
    ASSERT_NE(nullptr, mkdtemp(name));
    dir_ = name;
  }
  void TearDown() override { EXPECT_EQ(0, Shell("rm -r " + dir_).code); }
  std::string Write(const std::string &name, const std::string &text) {
    std::ofstream(dir_ + "/" + name) << text;
    return dir_ + "/" + name;
  }
  bool Exists(const std::string &name) { return std::ifstream(dir_ + "/" + name).good(); }
  std::string dir_;
};

const char kGood[] =
    "#include <cstdio>\n"
    "__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x; }\n"
    "int main(int argc, char **) {\n"
    "  int *p; cudaMalloc(&p, 128);\n"
    "  k<<<1, argc > 1 ? 2048 : 32>>>(p);\n"
    "  return cudaGetLastError() == cudaSuccess ? 0 : 4;\n"
    "}\n";

TEST_F(CommandTest, BadCompileLinesGiveOneErrorAndNoFile) {
  std::string good = Write("good.cu", kGood), out = dir_ + "/out";
  const struct {
    std::string args, part;
  } kBad[] = {{"", "no input files"},
              {dir_ + "/none.cu", "no such file"},
              {dir_, "cannot read"},
              {"--turbo " + good, "unknown option '--turbo'"},
              {"-o", "needs a value"},
              {"-arch=gfx90a " + good, "unknown architecture 'gfx90a'"},
              {"-rdc=true " + good, "not supported"},
              {"-dc " + good, "not supported"},
              {"-c " + good + " " + good, "one -o for 2 inputs"},
              {Write("text.txt", "x"), "do not know what to do"},
              {"-maxrregcount=8 " + good, "out of range"},
              {"--max-regs many " + good, "no number of registers"},
              {"-x fortran " + good, "language"},
              {"--device-ptx " + dir_ + "/none.ptx " + good, "cannot read the PTX file"},
              {"--device-ptx " + good + " -ptx " + good, "does not go with '-ptx'"},
              {"--device-ptx " + Write("bad.ptx", "what\n") + " " + good, "the device code"},
              {"--device-ptx " + good + " -c " + good + " " + good, "one -o for 2 inputs"}};
  for (const auto &b : kBad) {
    Result r = Shell("build/bin/wgcc " + b.args + (b.args == "-o" ? "" : " -o " + out));
    EXPECT_NE(0, r.code) << b.args;
    EXPECT_TRUE(Has(r.text, "wgcc: error: ")) << b.args << ": " << r.text;
    EXPECT_TRUE(Has(r.text, b.part)) << b.args << ": " << r.text;
    EXPECT_FALSE(Exists("out")) << b.args;
  }
}

// Device code of another compiler: it runs in place of the source's own, and both must hold the same kernels.
TEST_F(CommandTest, DeviceCodeFromAPtxFile) {
  std::string src = Write("main.cu",
                          "#include <cstdio>\n"
                          "namespace n { template <class T> __global__ void k(T *p) { *p = 1; } }\n"
                          "int main() {\n"
                          "  int *p, v = 0; cudaMalloc(&p, 4); n::k<int><<<1, 1>>>(p); cudaMemcpy(&v, p, 4, cudaMemcpyDefault);\n"
                          "  cudaFree(p); printf(\"value %d\\n\", v); return 0;\n"
                          "}\n");
  std::string exe = dir_ + "/main", ptx = dir_ + "/main.ptx";
  ASSERT_EQ(0, Shell("build/bin/wgcc -ptx " + src + " -o " + ptx).code);
  ASSERT_EQ(0, Shell("sed -i 's/, 1;/, 42;/' " + ptx).code);
  Result r = Shell("build/bin/wgcc --device-ptx " + ptx + " " + src + " -o " + exe);
  ASSERT_EQ(0, r.code) << r.text;
  r = Shell("WARPGLASS=backend=func " + exe);
  EXPECT_TRUE(Has(r.text, "value 42\n")) << r.text;
  std::string two = dir_ + "/two.ptx", none = dir_ + "/one.ptx";
  ASSERT_EQ(0, Shell("sed 's/_ZN1n1kIiEEvPT_/_ZN1n1jIiEEvPT_/' " + ptx + " >" + none).code);
  r = Shell("build/bin/wgcc --device-ptx " + none + " " + src + " -o " + dir_ + "/out");
  EXPECT_TRUE(Has(r.text, "' has no kernel 'void n::k<int>(int*)' of '")) << r.text;
  EXPECT_FALSE(Exists("out"));
  ASSERT_EQ(0, Shell("{ cat " + ptx + "; sed -n '/[.]entry/,/^}/p' " + none + "; } >" + two).code);
  r = Shell("build/bin/wgcc --device-ptx " + two + " " + src + " -o " + dir_ + "/out");
  EXPECT_TRUE(Has(r.text, "' has no kernel 'void n::j<int>(int*)' of '")) << r.text;
  EXPECT_FALSE(Exists("out"));
}

TEST_F(CommandTest, ToolsNameTheWrongWord) {
  std::string s = Write("k.s", ".kernel k\n  EXIT\n"), ptx = Write("k.ptx", ""), none = Write("none.s", "");
  const struct {
    std::string line, part;
    int code;
  } kCases[] = {{"wgas --help", "usage: wgas", 0},
                {"wgptx --help", "usage: wgptx", 0},
                {"wgas -q " + s, "wgas: error: unknown option '-q'", 2},
                {"wgas " + s + " b.s -o x", "wgas: error: a second input 'b.s'", 2},
                {"wgas " + s, "wgas: error: no output file: -o FILE.elf", 2},
                {"wgas " + s + " -o", "wgas: error: no file after '-o'", 2},
                {"wgas -o x", "wgas: error: no input file", 2},
                {"wgptx " + ptx, "wgptx: error: no output: -o FILE or -S", 2},
                {"wgptx -S " + ptx, ptx + ": error: the file is empty: PTX begins with .version", 1},
                {"wgas " + none + " -o " + dir_ + "/x", none + ": error: no kernel in the file\n", 1},
                {"wgptx -z", "wgptx: error: unknown option '-z'", 2},
                {"wgptx -o", "wgptx: error: no value after '-o'", 2},
                {"wgcc -c -ptx " + s, "wgcc: error: '-ptx' does not go with '-c'", 1},
                {"wgcc -arch=sm_99z " + s, "wgcc: error: unknown architecture 'sm_99z'", 1}};
  for (const auto &c : kCases) {
    Result r = Shell("build/bin/" + c.line);
    EXPECT_EQ(c.code, r.code) << c.line;
    EXPECT_EQ(0u, r.text.find(c.part)) << c.line << ": " << r.text;
  }
  std::string cu = Write("good.cu", kGood);
  Result r = Shell("PATH= /bin/sh build/bin/wgcc " + cu);
  EXPECT_EQ("wgcc: error: the command 'readlink' is not found: PATH is ''\n", r.text);
  r = Shell("TMPDIR=" + dir_ + "/none build/bin/wgcc " + cu);
  EXPECT_EQ(0u, r.text.find("wgcc: error: cannot make a temporary folder in '" + dir_ + "/none'\n")) << r.text;
  r = Shell("build/bin/wgcc -O0 -c -o " + dir_ + "/o.o " +
            Write("o.cu", "__global__ void k(int *p) { *p = 1; }\nint main() {}\n"));
  EXPECT_EQ(0, r.code) << r.text;  // generic accesses and local variables, as -O0 makes them
}

// No room for the output: nothing is left of it, what was there before stays, and one line says why. A disk of 8 KB, all of it
// taken; where nobody may mount one, no file may grow instead: wgcc's compilers cannot bear that, and libelf's work file is the
// first that wgas and wgptx cannot write.
TEST_F(CommandTest, FullDiskLeavesNothingBehind) {
  std::string disk = dir_ + "/disk", cu = Write("good.cu", kGood), s = Write("k.s", ".kernel k\n  EXIT\n");
  const bool mounted = Shell("mkdir " + disk + " && mount -t tmpfs -o size=8k none " + disk).code == 0;
  const std::string limit = mounted ? "" : "trap '' XFSZ; ulimit -f 0; ";
  Shell("echo old >" + disk + "/old; cp " + dir_ + "/good.cu " + disk + "/; head -c 9000 /bin/sh >" + disk + "/fill");
  ASSERT_EQ(0, Shell("build/bin/wgcc -ptx " + cu + " -o " + dir_ + "/k.ptx").code);
  const struct {
    std::string tool, args;
  } kCases[] = {{"wgcc", cu + " -o "}, {"wgcc", "-ptx " + cu + " -o "}, {"wgas", s + " -o "},
                {"wgptx", dir_ + "/k.ptx -o "}};
  std::string before = Shell("ls " + disk).text;
  for (const auto &c : kCases) {
    if (!mounted && c.tool == "wgcc") continue;
    for (const char *name : {"/new", "/old"}) {
      Result r = Shell(limit + "build/bin/" + c.tool + " " + c.args + disk + name);
      EXPECT_EQ(1, r.code) << c.tool;
      if (mounted) {
        EXPECT_EQ(0u, r.text.find(c.tool + ": error: cannot write '" + disk + name + "': No space left on device\n")) << r.text;
      } else {
        EXPECT_EQ(0u, r.text.find(c.tool + ": error: cannot ")) << r.text;
        EXPECT_EQ(r.text.size() - 1, r.text.find('\n')) << r.text;
      }
      EXPECT_EQ(before, Shell("ls -A " + disk).text) << c.tool;
      EXPECT_EQ("old\n", Shell("cat " + disk + "/old").text) << c.tool;
    }
  }
  if (mounted) EXPECT_EQ(0, Shell("umount " + disk).code);
}

// The same of reports and pictures: half of one is removed, and said. Where nobody may mount a disk, no file may grow instead,
// which the record of a run could not bear either.
TEST_F(CommandTest, FullDiskLeavesNoHalfReport) {
  std::string disk = dir_ + "/disk", good = dir_ + "/good";
  const bool mounted = Shell("mkdir " + disk + " && mount -t tmpfs -o size=8k none " + disk).code == 0;
  const std::string limit = mounted ? "" : "trap '' XFSZ; ulimit -f 0; ";
  ASSERT_EQ(0, Shell("build/bin/wgcc " + Write("good.cu", kGood) + " -o " + good).code);
  if (mounted) Shell("head -c 4096 /bin/sh >" + disk + "/fill");
  const std::string before = Shell("ls -A " + disk).text;
  const struct {
    std::string line, place;
    bool runs;
  } kCases[] = {{"occupancy --regs 16 --plot " + disk + "/plot", disk + "/plot.csv", false},
                {"dispatch --svg " + disk + "/d.svg", disk + "/d.svg", false},
                {"run --preset tiny --backend func --blocklog " + disk + "/log " + good, disk + "/log", true},
                {"run --preset tiny --backend func --timeline " + disk + "/time " + good, disk + "/time", true},
                {"run --preset tiny --backend func --json " + disk + "/json " + good, disk + "/json", true}};
  for (const auto &c : kCases) {
    if (c.runs && !mounted) continue;
    Result r = Shell((c.runs ? "head -c 9000 /bin/sh >>" + disk + "/fill; " : limit) + "build/bin/warpglass " + c.line);
    EXPECT_NE(0, r.code) << c.line << ": " << r.text;
    EXPECT_NE(std::string::npos, r.text.find("'" + c.place + "'")) << r.text;
    EXPECT_EQ(before, Shell("ls -A " + disk).text) << c.line;
  }
  if (mounted) EXPECT_EQ(0, Shell("umount " + disk).code);
}

// A program that is killed leaves no log of blocks that ends in the middle of a line.
TEST_F(CommandTest, AKilledProgramLeavesNoHalfLog) {
  const char kKilled[] = R"(#include <cstdlib>
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main() {
  int *p;
  cudaMalloc(&p, 128);
  for (int i = 0; i < 8; i++) k<<<64, 32>>>(p);
  cudaDeviceSynchronize();
  abort();
}
)";
  ASSERT_EQ(0, Shell("build/bin/wgcc " + Write("killed.cu", kKilled) + " -o " + dir_ + "/killed").code);
  Result r = Shell("build/bin/warpglass run --preset tiny --backend func --blocklog " + dir_ + "/log " + dir_ + "/killed");
  EXPECT_TRUE(Has(r.text, "the log of blocks '" + dir_ + "/log' was cut short and has been removed")) << r.text;
  EXPECT_TRUE(Has(r.text, "FAIL killed killed by signal 6")) << r.text;
  EXPECT_NE(0, Shell("test -e " + dir_ + "/log").code);
}

TEST_F(CommandTest, BadGoldenLibraryStopsTheRunBeforeItBegins) {
  ASSERT_EQ(0, Shell("build/bin/wgcc " + Write("good.cu", kGood) + " -o " + dir_ + "/good").code);
  Result r = Shell("WARPGLASS='preset=tiny backend=func' WARPGLASS_GOLDEN=" + dir_ + "/none.so " + dir_ + "/good");
  EXPECT_EQ(4, r.code);  // the program itself is told: no call succeeds
  EXPECT_TRUE(Has(r.text, "warpglass: cannot open the golden kernels: ")) << r.text;
  EXPECT_TRUE(Has(r.text, "FAIL good golden kernels: cannot be opened")) << r.text;
}

TEST_F(CommandTest, MissingFrontEndIsSaidOnce) {
  Result r = Shell("WGCC_CLANG=no-such-clang build/bin/wgcc " + Write("good.cu", kGood) + " -o " + dir_ + "/out");
  EXPECT_EQ(1, r.code);
  EXPECT_TRUE(Has(r.text, "'no-such-clang' is not installed")) << r.text;
  EXPECT_TRUE(Has(r.text, "apt-get install clang-19")) << r.text;
  EXPECT_FALSE(Exists("out"));
}

TEST_F(CommandTest, ErrorsInTheSourceComeThrough) {
  Result r =
      Shell("build/bin/wgcc " + Write("bad.cu", "__global__ void k() { return 1 }\n") + " -o " + dir_ + "/out");
  EXPECT_NE(0, r.code);
  EXPECT_TRUE(Has(r.text, "bad.cu:1:")) << r.text;
  EXPECT_FALSE(Exists("out"));
}

TEST_F(CommandTest, UnknownDeviceFunctionIsNamed) {
  Result r =
      Shell("build/bin/wgcc " + Write("m.cu", "__global__ void k(float *p) { *p = j0f(*p); }\nint main() {}\n") +
            " -o " + dir_ + "/out");
  EXPECT_NE(0, r.code);
  EXPECT_TRUE(Has(r.text, "'j0f'")) << r.text;
  EXPECT_FALSE(Exists("out"));
}

TEST_F(CommandTest, UnsupportedPtxIsRefusedAtItsLine) {
  Result r = Shell("build/bin/wgcc " +
                   Write("a.cu", "__global__ void k(double *p) {\n  p[0] =\n    p[1];\n  asm(\"cp.async.wait_all;\");\n}\nint main() {}\n") +
                   " -o " + dir_ + "/out");
  EXPECT_NE(0, r.code);
  EXPECT_TRUE(Has(r.text, "a.cu:4: error:")) << r.text;
  EXPECT_TRUE(Has(r.text, "cp.async")) << r.text;
  EXPECT_FALSE(Exists("out"));
}

TEST_F(CommandTest, TooMuchStaticSharedMemoryIsRefused) {
  const std::string text = "__global__ void k(int *p) {\n  __shared__ int a[12288];\n  a[threadIdx.x] = p[0];\n"
                           "  __syncthreads();\n  p[threadIdx.x] = a[threadIdx.x ^ 1];\n}\nint main() {}\n";
  std::string more = text;
  more.replace(more.find("12288"), 5, "12289");
  Result r = Shell("build/bin/wgcc -c " + Write("fits.cu", text) + " -o " + dir_ + "/fits.o");
  EXPECT_EQ(0, r.code) << r.text;
  r = Shell("build/bin/wgcc -c " + Write("more.cu", more) + " -o " + dir_ + "/more.o");
  EXPECT_EQ(1, r.code);
  EXPECT_TRUE(Has(r.text, "more.cu:")) << r.text;
  EXPECT_TRUE(Has(r.text, "kernel 'k(int*)' uses too much shared data: 49156 bytes, at most 49152")) << r.text;
  EXPECT_TRUE(Has(r.text, "cudaFuncAttributeMaxDynamicSharedMemorySize")) << r.text;
  EXPECT_FALSE(Exists("more.o"));
}

// What device code cannot use yet: one error with the line of the source, the name as the programmer wrote it, a remedy.
TEST_F(CommandTest, RefusalsNameWhatTheSourceSays) {
  const struct {
    const char *text, *line, *what;
  } kCases[] = {
      {"__global__ void k(int *o) {\n  o[0] = 1;\n  asm volatile(\"brkpt;\");\n}\n", "a.cu:3: error:", "brkpt"},
      /* intrinsics are inline functions of headers: the line of the call */
      {"__global__ void k(int *o) {\n  o[0] = 1;\n\n  __prof_trigger(1);\n  o[1] = 2;\n}\n", "a.cu:4: error:",
       "pmevent"}};
  for (const auto &c : kCases) {
    Result r = Shell("build/bin/wgcc -c " + Write("a.cu", c.text) + " -o " + dir_ + "/out");
    EXPECT_EQ(1, r.code) << r.text;
    EXPECT_TRUE(Has(r.text, c.line)) << r.text;
    EXPECT_TRUE(Has(r.text, c.what)) << r.text;
    EXPECT_TRUE(Has(r.text, "remedy: ")) << r.text;
    EXPECT_FALSE(Exists("out"));
    /* -ptx is for looking at the text: it is written, the refusal is a warning */
    r = Shell("build/bin/wgcc -ptx " + dir_ + "/a.cu -o " + dir_ + "/out.ptx");
    EXPECT_EQ(0, r.code) << r.text;
    EXPECT_TRUE(Has(r.text, "warning: ")) << r.text;
    EXPECT_FALSE(Has(r.text, "error: ")) << r.text;
    EXPECT_EQ(0, Shell("grep -q '^.visible .entry' " + dir_ + "/out.ptx").code);
    EXPECT_EQ(0, Shell("rm " + dir_ + "/out.ptx").code);
  }
}

TEST_F(CommandTest, PtxIsWrittenWithUnknownFunctions) {
  std::string cu = Write("m.cu", "__global__ void k(float *p) { *p = j0f(*p); }\nint main() {}\n");
  Result r = Shell("build/bin/wgcc -ptx " + cu + " -o " + dir_ + "/out.ptx");
  EXPECT_EQ(0, r.code) << r.text;
  EXPECT_TRUE(Has(r.text, "warning: device code calls 'j0f'")) << r.text;
  EXPECT_TRUE(Exists("out.ptx"));
}

// A name outside ASCII makes clang's back end die with a stack dump.
TEST_F(CommandTest, CrashOfTheFrontEndIsOneError) {
  std::string cu = Write("u.cu", "__global__ void gr\xc3\xb6n(float *o) { o[0] = 1; }\nint main() {}\n");
  for (const char *opts : {"-O3", "-G"}) {
    Result r = Shell("build/bin/wgcc " + std::string(opts) + " " + cu + " -o " + dir_ + "/out");
    EXPECT_EQ(1, r.code) << r.text;
    EXPECT_TRUE(Has(r.text, "crashed on '" + cu + "'")) << r.text;
    EXPECT_TRUE(Has(r.text, "must be ASCII")) << r.text;
    EXPECT_FALSE(Has(r.text, "Stack dump")) << r.text;
    EXPECT_FALSE(Exists("out"));
  }
  EXPECT_TRUE(Has(Shell("build/bin/wgcc -v " + cu + " -o " + dir_ + "/out").text, "Stack dump"));
}

TEST_F(CommandTest, CompileLinesOfTheSourcesWork) {
  std::string good = Write("good.cu", kGood);
  for (const char *opts :
       {"-O3 -arch=sm_70", "-O3 -arch=sm_70 -lineinfo", "-std=c++17 -DX=1 -I. -Xcompiler -Wall,-O1 -lm", "-g -G",
        "-use_fast_math -gencode arch=compute_70,code=sm_70 --ptxas-options=-v"}) {
    Result r = Shell("build/bin/wgcc " + std::string(opts) + " " + good + " -o " + dir_ + "/out");
    EXPECT_EQ(0, r.code) << opts << r.text;
    r = Shell("WARPGLASS='preset=tiny backend=func' " + dir_ + "/out");
    EXPECT_EQ(0, r.code) << opts << r.text;
    EXPECT_TRUE(Has(r.text, "PASS out cycles=none warp_insts=")) << r.text;
  }
  EXPECT_EQ(0, Shell("build/bin/wgcc -c " + good + " -o " + dir_ + "/good.o").code);
  EXPECT_EQ(0, Shell("build/bin/wgcc " + dir_ + "/good.o -o " + dir_ + "/linked").code);
  EXPECT_TRUE(Exists("linked"));
  EXPECT_EQ(0, Shell("build/bin/wgcc -ptx " + good + " -o " + dir_ + "/good.ptx").code);
  EXPECT_EQ(0, Shell("build/bin/warpglass ptx " + dir_ + "/good.ptx").code);
}

const char kEnds[] = R"(#include <cstdio>
#include <cstdlib>
#include <unistd.h>
__global__ void a_kernel_with_a_rather_long_name(int n, const float *first_argument, float *second_argument) {
  second_argument[threadIdx.x + n] = 1.0f;
}
__global__ void two_barriers(int n, float *p) {
  p[threadIdx.x] = 2.0f;
  if (threadIdx.x < n)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  __syncthreads();
  p[threadIdx.x] = 1.0f;
}
int main(int argc, char **argv) {
  int what = argc > 1 ? atoi(argv[1]) : 0, host = 0;
  float *p = NULL;
  if (what == 9) _exit(0);
  cudaMalloc(&p, 256);
  a_kernel_with_a_rather_long_name<<<1, 32>>>(what == 1 ? 1 << 20 : 0, p, p);
  if (what == 1) return cudaDeviceSynchronize() == cudaSuccess ? 0 : 0;
  if (what == 2) { two_barriers<<<1, 64>>>(32, p); cudaDeviceSynchronize(); return 0; }
  if (what == 3) _exit(0);
  if (what == 4) _exit(3);
  if (what == 5) quick_exit(0);
  if (what == 6) abort();
  if (what == 7) cudaMemcpy(&host, (char *)p + 300, 4, cudaMemcpyDeviceToHost); /* ignored */
  if (what == 8) printf("%s\n", cudaGetErrorString(cudaMemcpy(&host, (char *)p + 300, 4, cudaMemcpyDeviceToHost)));
  if (what == 10) { cudaMemcpy(&host, (char *)p + 300, 4, cudaMemcpyDeviceToHost); cudaGetLastError(); }
  if (what == 11) { cudaEvent_t e; cudaEventCreate(&e); cudaEventQuery(e); cudaStreamQuery(0); }
  if (what == 12) cudaFree((char *)p + 4);
  if (what == 13) return cudaMemcpy(&host, (char *)p + 300, 4, cudaMemcpyDeviceToHost) == cudaSuccess ? 0 : 5;
  if (what == 14) { fflush(stdout); pid_t c = fork(); if (c == 0) _exit(7); }
  return 0;
}
)";

// However a program ends: one verdict, whole, that says what happened, with and without `warpglass run`.
TEST_F(CommandTest, EveryEndHasItsVerdict) {
  const char kFault[] = "FAIL ends device fault at ends.cu:5: illegal address at 0x",
             kTail[] = " in kernel 'a_kernel_with_a_rather_long_name(int, float const*, float*)', block (0,0,0), warp 0";
  const char kCopy[] = "FAIL ends cudaMemcpy failed: error 1 cudaErrorInvalidValue; the program never asked";
  const struct {
    int what;
    std::vector<std::string> parts;
  } kCases[] = {{0, {"PASS ends cycles="}},
                {1, {kFault, kTail, ", SM 0"}},
                {2, {"FAIL ends the device hangs in two_barriers(int, float*) at ends.cu:10: no progress", "(line 10)",
                     "(line 11)"}},
                {3, {"PASS ends cycles="}},
                {4, {"FAIL ends program exit code 3"}},
                {5, {"PASS ends cycles="}},
                {7, {kCopy}},
                {8, {"PASS ends cycles="}},
                {10, {"PASS ends cycles="}},
                {11, {"PASS ends cycles="}},
                {12, {"FAIL ends cudaFree failed: error 1"}},
                {13, {"FAIL ends cudaMemcpy failed: error 1 cudaErrorInvalidValue; program exit code 5"}},
                {14, {"PASS ends cycles="}}};
  Result r = Shell("build/bin/wgcc -O1 " + Write("ends.cu", kEnds) + " -o " + dir_ + "/ends");
  ASSERT_EQ(0, r.code) << r.text;
  for (const auto &c : kCases) {
    for (const std::string &run : {std::string(), std::string("build/bin/warpglass run ")}) {
      r = Shell("WARPGLASS='preset=tiny backend=func limit=20000' " + run + dir_ + "/ends " + std::to_string(c.what));
      size_t at = std::min(r.text.rfind("FAIL ends"), r.text.rfind("PASS ends"));
      ASSERT_NE(at, std::string::npos) << c.what << run << r.text;
      std::string verdict = r.text.substr(at);
      for (const std::string &part : c.parts) EXPECT_TRUE(Has(verdict, part)) << c.what << run << r.text;
      EXPECT_EQ(r.code == 0, Has(verdict, "PASS")) << c.what << run << r.text;
    }
  }
  r = Shell("WARPGLASS='preset=tiny backend=func' build/bin/warpglass run " + dir_ + "/ends 9");
  EXPECT_TRUE(Has(r.text, "no CUDA call was seen")) << r.text;
  r = Shell("WARPGLASS='preset=tiny backend=func' build/bin/warpglass run " + dir_ + "/ends 6");
  EXPECT_TRUE(Has(r.text, "FAIL ends killed by signal 6")) << r.text;
  r = Shell("WARPGLASS='preset=tiny backend=func sms=99' build/bin/warpglass run " + dir_ + "/ends 6");
  EXPECT_TRUE(r.code == 2 && Has(r.text, "error: preset 'tiny' describes a machine with 1 SM, 99 were asked for")) << r.text;
}

const char kMath[] = R"(#include <cmath>
#include <cstdio>
__global__ void k(float *o, const float *in) {
  int i = threadIdx.x;
  float x = in[i];
  o[2 * i] = sqrtf(x);
#ifdef FAST
  o[2 * i + 1] = expf(-x) * sinf(x) + cosf(x) + logf(x + 1.0f) + powf(x + 1.0f, 0.5f) + exp2f(-x);
#else
  o[2 * i + 1] = __expf(-x) * __sinf(x) + __cosf(x) + __logf(x + 1.0f) + 1.0f / rsqrtf(x + 1.0f) + exp2f(-x);
#endif
}
int main() {
  float h[64], g[128], *p, *q;
  int bad = 0;
  for (int i = 0; i < 64; i++) h[i] = i * 0.097f;
  cudaMalloc(&p, sizeof g);
  cudaMalloc(&q, sizeof h);
  cudaMemcpy(q, h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(p, q);
  cudaMemcpy(g, p, sizeof g, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) {
    double x = h[i], d = exp(-x) * sin(x) + cos(x) + log(x + 1) + sqrt(x + 1) + exp2(-x), s = sqrt(x);
#ifndef FAST
    s = sqrtf(h[i]);
    bad += g[2 * i] != (float)s;
#endif
    bad += fabs(g[2 * i] - s) > 1e-6 || fabs(g[2 * i + 1] - d) > 1e-5;
  }
  return bad;
}
)";

TEST_F(CommandTest, SpecialFunctionsFromTheSource) {
  std::string cu = Write("math.cu", kMath);
  for (const char *opts : {"-O3", "-G", "-O3 -use_fast_math -DFAST"}) {
    Result r = Shell("build/bin/wgcc " + std::string(opts) + " " + cu + " -o " + dir_ + "/math");
    ASSERT_EQ(0, r.code) << opts << r.text;
    r = Shell("WARPGLASS='preset=tiny backend=func' " + dir_ + "/math");
    EXPECT_EQ(0, r.code) << opts << r.text;
  }
}

// A structure by value, a last parameter of one byte (bank 0 ends inside its word), arrays in local memory, and more
// values than the register limit; the program checks its results itself.
const char kLocal[] = R"(#include <cstdio>
struct P { int n; float k; char c; double *unused; float a[6]; };
__global__ void by_value(P p, float *out, char last) {
  int i = threadIdx.x;
  if (i < p.n) out[i] = p.k * i + p.c + p.a[3] + last;
}
__global__ void arrays(long long *out, int k) {
  long long a[8];
  short h[6];
  for (int i = 0; i < 8; i++) a[i] = (long long)i * k << 20;
  for (int i = 0; i < 6; i++) h[i] = (short)(i - k);
  a[k & 7] += 5;
  out[threadIdx.x] = a[threadIdx.x & 7] + h[threadIdx.x % 6u];
}
__global__ void many(const int *in, int *out) {
  int v[40], s = 0;
  for (int i = 0; i < 40; i++) v[i] = in[threadIdx.x + i] * (i + 1);
  __syncthreads();
  for (int i = 39; i >= 0; i--) s = s * 3 + v[i];
  out[threadIdx.x] = s;
}
int main() {
  float *f; long long *l; int *n, hn[104];
  cudaMalloc(&f, 256); cudaMalloc(&l, 512); cudaMalloc(&n, sizeof hn + 256);
  for (int i = 0; i < 104; i++) hn[i] = i * 7 - 100;
  cudaMemcpy(n, hn, sizeof hn, cudaMemcpyHostToDevice);
  by_value<<<1, 64>>>(P{64, 0.5f, 'a', nullptr, {0, 1, 2, 30, 4, 5}}, f, (char)-7);
  arrays<<<1, 64>>>(l, 3);
  many<<<1, 64>>>(n, n + 104);
  float hf[64]; long long hl[64]; int ho[64];
  cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
  cudaMemcpy(hl, l, sizeof hl, cudaMemcpyDeviceToHost);
  cudaMemcpy(ho, n + 104, sizeof ho, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) {
    int s = 0;
    for (int k = 39; k >= 0; k--) s = s * 3 + hn[i + k] * (k + 1);
    long long a = (long long)(i & 7) * 3 << 20;
    if ((i & 7) == 3) a += 5;
    if (hf[i] != 0.5f * i + 97 + 30 - 7) return printf("by_value %d\n", i), 5;
    if (hl[i] != a + (i % 6 - 3)) return printf("arrays %d\n", i), 6;
    if (ho[i] != s) return printf("many %d\n", i), 7;
  }
  return cudaGetLastError() == cudaSuccess ? 0 : 4;
}
)";

TEST_F(CommandTest, LocalMemorySpillsAndParametersByValue) {
  std::string cu = Write("local.cu", kLocal);
  for (const char *opts : {"-O3", "-O3 -maxrregcount=16", "-O3 --max-regs 24"}) {
    Result r = Shell("build/bin/wgcc " + std::string(opts) + " " + cu + " -o " + dir_ + "/out");
    ASSERT_EQ(0, r.code) << opts << r.text;
    r = Shell("WARPGLASS='preset=tiny backend=func' " + dir_ + "/out");
    EXPECT_EQ(0, r.code) << opts << r.text;
    EXPECT_TRUE(Has(r.text, "PASS out")) << r.text;
  }
  Result r = Shell("build/bin/wgcc -ptx -maxrregcount=16 " + cu + " -o " + dir_ + "/out.ptx");
  ASSERT_EQ(0, r.code) << r.text;
  size_t limits = 0;
  std::ifstream ptx(dir_ + "/out.ptx");
  for (std::string line; std::getline(ptx, line);) limits += line == ".maxnreg 16";
  EXPECT_EQ(3u, limits); // one a kernel
}

TEST_F(CommandTest, RunPrintsTheVerdictLastAndAgreesWithIt) {
  std::string prog = dir_ + "/prog", base = "build/bin/warpglass run --preset tiny --backend func ";
  ASSERT_EQ(0, Shell("build/bin/wgcc " + Write("good.cu", kGood) + " -o " + prog).code);
  Result r = Shell(base + prog);
  EXPECT_EQ(0, r.code) << r.text;
  EXPECT_EQ(0u, r.text.substr(r.text.rfind('\n', r.text.size() - 2) + 1).find("PASS prog cycles=none")) << r.text;
  r = Shell(base + prog + " x");  // 2048 threads: error 9, the program returns 4
  EXPECT_EQ(1, r.code);
  EXPECT_TRUE(Has(r.text, "FAIL prog program exit code 4")) << r.text;
  r = Shell(base + dir_ + "/nothing");
  EXPECT_EQ(2, r.code);
  EXPECT_TRUE(Has(r.text, "there is no program '" + dir_ + "/nothing'")) << r.text;
  r = Shell(base + "/bin/true");
  EXPECT_EQ(1, r.code);
  EXPECT_TRUE(Has(r.text, "FAIL true no CUDA call was seen")) << r.text;
  r = Shell(base + "--cycles-check " + dir_ + "/cycles.tsv " + prog);
  EXPECT_EQ(1, r.code);
  EXPECT_TRUE(Has(r.text, "no timing claim")) << r.text;
  EXPECT_FALSE(Exists("cycles.tsv"));
}

TEST_F(CommandTest, GoldenKernelsAreComparedAndRequired) {
  std::string prog = dir_ + "/prog", base = "build/bin/warpglass run --preset tiny --backend func ";
  ASSERT_EQ(0, Shell("build/bin/wgcc " + Write("good.cu", kGood) + " -o " + prog).code);
  auto golden = [&](const std::string &value) {
    std::string src = Write("g.c",
                            "#include \"programs/wg_golden.h\"\n"
                            "int wg_golden__Z1kPi(const wg_golden_launch_t *l, wg_golden_mem_t *m) {\n"
                            "  int *p = m->at(m->ctx, wg_golden_u64(l, 0), 128);\n"
                            "  if (p == 0) return 1;\n"
                            "  for (int i = 0; i < 32; i++) p[i] = " +
                                value + ";\n  return 0;\n}\n");
    return Shell("clang-19 -shared -fPIC -I. " + src + " -o " + dir_ + "/golden.so").code;
  };
  ASSERT_EQ(0, golden("i"));
  Result r = Shell(base + prog);
  EXPECT_EQ(0, r.code) << r.text;
  EXPECT_TRUE(Has(r.text, "golden kernels bit for bit")) << r.text;
  ASSERT_EQ(0, golden("i == 9 ? 8 : i"));
  r = Shell(base + prog);
  EXPECT_EQ(1, r.code);
  EXPECT_TRUE(Has(r.text, "word 9")) << r.text;
  EXPECT_TRUE(Has(r.text, "got 0x00000009, want 0x00000008")) << r.text;
  EXPECT_EQ(0, Shell(base + "--golden none " + prog).code);
  ASSERT_EQ(0, Shell("clang-19 -shared -fPIC -x c /dev/null -o " + dir_ + "/golden.so").code);
  r = Shell(base + prog);
  EXPECT_EQ(1, r.code);
  EXPECT_TRUE(Has(r.text, "no golden kernel for _Z1kPi")) << r.text;
  r = Shell(base + "--golden " + dir_ + "/none.so " + prog);
  EXPECT_EQ(2, r.code);
  EXPECT_TRUE(Has(r.text, "error: --golden: there is no '")) << r.text;
}

TEST_F(CommandTest, WrongUseNamesTheNearestWord) {
  const struct {
    const char *args, *part, *hint;
  } kBad[] = {{"", "usage:", "run"},
              {"rnu", "unknown command 'rnu'", "'run'"},
              {"run", "no program", "warpglass run"},
              {"run --prset v100 x", "unknown option '--prset'", "'--preset'"},
              {"run --sms", "needs a value", ""},
              {"run --sms two x", "bad value 'two'", "number"},
              {"run --sched fifo x", "fifo", ""},
              {"run '--trace=a b' x", "blank", ""},
              {"run --golden '' x", "value is empty", ""},
              {"presets list v100", "takes no more words", ""},
              {"presets shwo", "unknown word 'shwo'", "'show'"},
              {"presets show", "takes one name", ""},
              {"presets show v10", "v10", "v100"},
              {"ptx", "no PTX file", ""},
              {"ptx --quite x", "--quite", "'--quiet'"},
              {"ptx /nonexistent.ptx", "cannot read", ""}};
  for (const auto &b : kBad) {
    Result r = Shell(std::string("build/bin/warpglass ") + b.args);
    EXPECT_NE(0, r.code) << b.args;
    EXPECT_TRUE(Has(r.text, b.part)) << b.args << ": " << r.text;
    EXPECT_TRUE(Has(r.text, b.hint)) << b.args << ": " << r.text;
  }
  EXPECT_EQ(0, Shell("build/bin/warpglass --help").code);
  EXPECT_EQ(0, Shell("build/bin/warpglass presets").code);
  EXPECT_EQ(0, Shell("build/bin/warpglass presets show v100").code);
}

// A NUL byte ends a string in C: without a check the rest of the file would be left out in silence.
TEST_F(CommandTest, FilesThatAreNoTextAreRefused) {
  std::string ptx = Write("nul.ptx", std::string(".version 6.4\n.target sm_70\n\0{{{", 31));
  std::string s = Write("nul.s", std::string("// nothing\n\0{{{", 15)), out = dir_ + "/out";
  for (const std::string &c :
       {"wgptx -S " + ptx, "warpglass ptx " + ptx, "wgas " + s + " -o " + out, "wgasmtest " + s}) {
    Result r = Shell("build/bin/" + c);
    EXPECT_NE(0, r.code) << c;
    EXPECT_TRUE(Has(r.text, "NUL bytes")) << c << ": " << r.text;
    EXPECT_FALSE(Exists("out"));
  }
  Result dir = Shell("build/bin/wgptx -S " + dir_);
  EXPECT_TRUE(Has(dir.text, "Is a directory")) << dir.text;
}

TEST_F(CommandTest, FullDiskIsAnError) {
  std::string ptx = Write("k.ptx", ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n");
  std::string elf = dir_ + "/k.elf";
  ASSERT_EQ(0, Shell("build/bin/wgptx " + ptx + " -o " + elf).code);
  Result s = Shell("(build/bin/wgptx -S " + ptx + " >/dev/full)");
  Result d = Shell("(build/bin/wgdis " + elf + " >/dev/full)");
  EXPECT_EQ(1, s.code);
  EXPECT_TRUE(Has(s.text, "cannot write")) << s.text;
  EXPECT_EQ(1, d.code);
  EXPECT_TRUE(Has(d.text, "cannot write")) << d.text;
}

TEST_F(CommandTest, ChildProcessesCannotUseTheDevice) {
  std::string src = Write("fork.cu",
                          "#include <unistd.h>\n#include <sys/wait.h>\n#include <cstdlib>\n"
                          "__global__ void k(int *p) { p[threadIdx.x] = 1; }\n"
                          "int main(int argc, char **) {\n"
                          "  int *p; cudaMalloc(&p, 128); k<<<1, 32>>>(p);\n"
                          "  if (fork() == 0) { if (argc > 1) k<<<1, 32>>>(p); exit(0); }\n"
                          "  wait(nullptr); return cudaFree(p); }\n");
  std::string prog = dir_ + "/fork", run = "build/bin/warpglass run --preset tiny --backend func --counters " + prog;
  ASSERT_EQ(0, Shell("build/bin/wgcc " + src + " -o " + prog).code);
  Result idle = Shell(run), used = Shell(run + " x"), full = Shell("(" + run + " >/dev/full)");
  EXPECT_EQ(0, idle.code) << idle.text;
  EXPECT_FALSE(Has(idle.text, "\n     2 ")) << idle.text;  // no launch twice
  EXPECT_EQ(1, used.code) << used.text;
  EXPECT_TRUE(Has(used.text, "FAIL fork a child process used the device")) << used.text;
  EXPECT_NE(0, full.code);
  EXPECT_TRUE(Has(full.text, "cannot write the verdict")) << full.text;
}

TEST_F(CommandTest, ExitInsideALaunchIsAFailure) {
  std::string src = Write("mid.cu",
                          "#include <unistd.h>\n#include <cstdlib>\n#include <thread>\n"
                          "__global__ void k(int *p) { while (*(volatile int *)p >= 0) {} }\n"
                          "int main() {\n"
                          "  int *p; cudaMalloc(&p, 128); cudaMemset(p, 0, 128);\n"
                          "  std::thread t([] { usleep(200000); exit(0); }); k<<<1, 32>>>(p); cudaDeviceSynchronize(); t.join(); }\n");
  ASSERT_EQ(0, Shell("build/bin/wgcc " + src + " -o " + dir_ + "/mid").code);
  Result r = Shell("timeout 20 build/bin/warpglass run --preset tiny --backend func " + dir_ + "/mid");
  EXPECT_EQ(1, r.code) << r.text;
  EXPECT_TRUE(Has(r.text, "FAIL mid the program ended in the middle of a launch")) << r.text;
}

// A kernel that waits for another stream's kernel or copy: ends only if both really run at the same time.
const char kPair[] = R"(#include <cstdio>
#include <cstring>
__global__ void waits(volatile int *flag, int *out) {
  while (flag[0] == 0) {}
  out[threadIdx.x] = flag[0] + (int)threadIdx.x;
}
__global__ void sets(volatile int *flag, int n) {
  int x = 1;
  for (int i = 0; i < n; i++) x = x * 3 + 1;
  flag[1] = x;
  if (threadIdx.x == 0) flag[0] = 41;
}
int main(int argc, char **argv) {
  int *flag, *out, host[32], *pin;
  cudaStream_t a, b;
  cudaMalloc(&flag, 256); cudaMalloc(&out, 256); cudaMallocHost((void **)&pin, 4);
  cudaMemset(flag, 0, 256);
  cudaStreamCreate(&a); cudaStreamCreate(&b);
  waits<<<1, 32, 0, a>>>(flag, out);
  *pin = 41;
  if (argc > 1 && strcmp(argv[1], "copy") == 0) cudaMemcpyAsync(flag, pin, 4, cudaMemcpyHostToDevice, b);
  else sets<<<1, 32, 0, b>>>(flag, 20);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess) { printf("%s\n", cudaGetErrorName(e)); return 2; }
  cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[31]);
  cudaFree(flag); cudaFree(out); cudaFreeHost(pin);
  return host[31] == 72 ? 0 : 1;
}
)";

TEST_F(CommandTest, KernelsOfTwoStreamsRunBesideEachOther) {
  std::string run = "build/bin/warpglass run --preset tiny ", prog = dir_ + "/pair", src = Write("pair.cu", kPair);
  ASSERT_EQ(0, Shell("build/bin/wgcc -O3 " + src + " -o " + prog).code);
  for (const char *backend : {"--backend func ", "--check units "}) {
    for (const char *what : {" kernel", " copy"}) {
      Result r = Shell(run + backend + "--concurrent on " + prog + what);
      EXPECT_EQ(0, r.code) << r.text;
      EXPECT_TRUE(Has(r.text, "41 72\n")) << r.text;
    }
    Result alone = Shell(run + backend + prog + " kernel");
    EXPECT_EQ(1, alone.code) << alone.text;
    EXPECT_TRUE(Has(alone.text, "spins for ever")) << alone.text;
  }
  Result races = Shell(run + "--backend func --concurrent on --race on " + prog);
  EXPECT_TRUE(Has(races.text, "concurrent=on does not go with race")) << races.text;
}

TEST_F(CommandTest, TheTimelineOfAProgram) {
  std::string prog = dir_ + "/pair", src = Write("pair.cu", kPair), file = dir_ + "/t.txt";
  std::string run = "build/bin/warpglass run --preset tiny --backend func --concurrent on --timeline ";
  ASSERT_EQ(0, Shell("build/bin/wgcc -O3 " + src + " -o " + prog).code);
  Result r = Shell(run + file + " " + prog + " && cat " + file), out = Shell(run + "- " + prog + " copy"), bad = Shell(run + dir_ + "/no/t.txt " + prog);
  EXPECT_EQ(0, r.code) << r.text;
  for (const char *line : {"3 allocate on device", "7 free ", "device to host             1            128 ", "waits(int volatile*, int*)", "host sync"}) {
    EXPECT_TRUE(Has(r.text, line)) << line << r.text;
  }
  EXPECT_FALSE(Has(r.text, "never freed")) << r.text;
  EXPECT_TRUE(Has(out.text, "host to device             1              4 ")) << out.text;
  EXPECT_EQ(2, bad.code);
  EXPECT_TRUE(Has(bad.text, "--timeline: cannot write")) << bad.text;
}

TEST_F(CommandTest, LongSettingsAreNotCut) {
  Result r = Shell("WARPGLASS='" + std::string(3000, ' ') + "preset=none' build/bin/warpglass run /bin/true");
  EXPECT_EQ(2, r.code);
  EXPECT_TRUE(Has(r.text, "WARPGLASS are too long")) << r.text;
}

TEST_F(CommandTest, BadSettingsOfABareProgram) {
  std::string prog = dir_ + "/prog";
  ASSERT_EQ(0, Shell("build/bin/wgcc " + Write("good.cu", kGood) + " -o " + prog).code);
  Result r = Shell("WARPGLASS='prest=tiny' " + prog);
  EXPECT_NE(0, r.code);
  EXPECT_TRUE(Has(r.text, "did you mean 'preset'?")) << r.text;
  EXPECT_TRUE(Has(r.text, "FAIL prog")) << r.text;
}

}  // namespace
