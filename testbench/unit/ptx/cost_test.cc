// SPDX-License-Identifier: Apache-2.0
//
// Long and hostile texts: compiled or refused within a second and within a bounded piece of memory, which a
// quadratic pass would exceed many times. Each text is compiled in a child process with limits of its own.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "testbench/unit/ptx/px_run.h"

namespace {

constexpr int kN = 20000;

std::string Times(int n, const std::function<std::string(int)> &f) {
  std::string s;
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}
std::string Text(const std::string &body, const std::string &params = "") {
  return ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k(" + params +
         ")\n{\n.reg .pred %p<20000>;\n.reg .b32 %r<50000>;\n.reg .b64 %d<2>;\nmov.u32 %r0, %tid.x;\n"
         "setp.eq.u32 %p0, %r0, 3;\nmov.u64 %d0, 0;\n" + body + "ret;\n}\n";
}
std::string S(int i) { return std::to_string(i); }

/** Compile in a child; @return its verdict: 0 compiled, 1 refused, others: limits exceeded or a crash */
int Verdict(const std::string &text, double *seconds) {
  pid_t pid = fork();
  if (pid == 0) {
#if !defined(__SANITIZE_ADDRESS__) && !(defined(__has_feature) && __has_feature(address_sanitizer))
    long pages = 0;
    if (FILE *f = fopen("/proc/self/statm", "r")) {
      if (fscanf(f, "%ld", &pages) != 1) pages = 0;
      fclose(f);
    }
    rlim_t room = rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + (200u << 20);
    rlimit as = {room, room};
    setrlimit(RLIMIT_AS, &as);
#endif
    rlimit cpu = {20, 20};
    setrlimit(RLIMIT_CPU, &cpu);
    px::Module m(text);
    _exit(m.status == kWgOk ? 0 : m.status == kWgNoSpace ? 2 : 1);
  }
  int status = 0;
  rusage u = {};
  wait4(pid, &status, 0, &u);
  *seconds = double(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + double(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

struct Cost {
  const char *name;
  int verdict;
  std::string text;
};

class CostTest : public testing::TestWithParam<Cost> {};

TEST_P(CostTest, TimeAndMemoryAreBounded) {
  double seconds = 0;
  EXPECT_EQ(Verdict(GetParam().text, &seconds), GetParam().verdict);
  EXPECT_LT(seconds, 3) << "a second on an idle machine";
}

std::string Predicates(int n) {
  return Times(n, [](int i) { return "setp.eq.u32 %p" + S(i) + ", %r0, " + S(i) + ";\n"; }) +
         Times(n, [](int i) { return "@%p" + S(i) + " add.u32 %r0, %r0, " + S(i + 3) + ";\n"; }) +
         "st.global.u32 [%d0], %r0;\n";
}
std::string Branches(const std::string &p, const char *end) {
  return "setp.eq.u32 %p1, %r1, 3;\n" + Times(kN, [p, end](int i) {
           return "@" + p + " bra L" + S(i) + ";\nadd.u32 %r0, %r0, 1;\n" + end + "L" + S(i) + ":\n";
         });
}

INSTANTIATE_TEST_SUITE_P(
    Texts, CostTest,
    testing::Values(
        Cost{"LivePredicates2000", 1, Text(Predicates(2000))}, Cost{"LivePredicates250", 0, Text(Predicates(250))},
        Cost{"Returns", 0, Text(Times(kN, [](int) { return std::string("ret;\n"); }))},
        Cost{"GuardedReturns", 0,
             Text(Times(kN, [](int i) { return "setp.eq.u32 %p0, %r0, " + S(i) + ";\n@%p0 ret;\n"; }))},
        Cost{"BranchesAroundReturns", 0, Text(Branches("%p1", "ret;\n"))},
        Cost{"UniformBranches", 0, Text(Branches("%p1", ""))},
        Cost{"DivergentBranches", 1, Text(Branches("%p0", "st.global.u32 [%d0], %r0;\n"))},
        Cost{"Labels", 0, Text(Times(kN, [](int i) { return "L" + S(i) + ":\nadd.u32 %r0, %r0, 1;\n"; }))},
        Cost{"Parameters", 1,
             Text("", Times(kN, [](int i) { return (i ? ", .param .u32 a" : ".param .u32 a") + S(i); }))},
        Cost{"LiveRegisters", 1,
             Text(Times(49000, [](int i) { return "ld.global.u32 %r" + S(i + 1) + ", [%d0];\n"; }) +
                  Times(49000, [](int i) { return "add.u32 %r0, %r0, %r" + S(i + 1) + ";\n"; }) +
                  "st.global.u32 [%d0], %r0;\n")},
        Cost{"Stores", 0, Text(Times(kN, [](int i) { return "st.global.u32 [%d0+" + S(4 * i) + "], %r0;\n"; }))},
        Cost{"Scopes", 1, Text(std::string(kN, '{') + std::string(kN, '}'))}),
    [](const auto &i) { return std::string(i.param.name); });

} // namespace
