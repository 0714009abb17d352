// SPDX-License-Identifier: Apache-2.0
//
// Malformed texts: mutations of the lecture PTX either compile or are refused with a place and a message; nothing
// crashes (the sanitizer build of this test is what finds memory errors). WG_FUZZ=n sets the number of mutations.
// WG_FUZZ_FILES=a.ptx:b.ptx adds texts.
#include <random>

#include "testbench/unit/ptx/px_run.h"

namespace {

std::vector<std::string> Lines(const std::string &s) {
  std::vector<std::string> v;
  std::stringstream in(s);
  for (std::string l; std::getline(in, l);) v.push_back(l + "\n");
  return v;
}

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : rng_(seed) {}
  std::string Mutate(const std::string &text, const std::string &other) {
    std::vector<std::string> a = Lines(text), b = Lines(other);
    int n = 1 + Below(4);
    for (int i = 0; i < n && !a.empty(); i++) {
      size_t at = size_t(Below(int(a.size())));
      switch (Below(9)) {
        case 0:
          a.erase(a.begin() + long(at));
          break;
        case 1:
          a.insert(a.begin() + long(at), a[size_t(Below(int(a.size())))]);
          break;
        case 2:
          a.insert(a.begin() + long(at), b[size_t(Below(int(b.size())))]);
          break;
        case 3:
          std::swap(a[at], a[size_t(Below(int(a.size())))]);
          break;
        case 4:
          Byte(&a[at]);
          break;
        case 5:
          Token(&a[at], b[size_t(Below(int(b.size())))]);
          break;
        case 6:
          Number(&a[at]);
          break;
        case 7:
          a.resize(at + 1);
          break;
        default:
          Token(&a[at], a[size_t(Below(int(a.size())))]);
          break;
      }
    }
    std::string out;
    for (const std::string &l : a) out += l;
    return out;
  }

 private:
  std::mt19937_64 rng_;
  int Below(int n) { return n <= 0 ? 0 : int(rng_() % uint64_t(n)); }
  void Byte(std::string *s) {
    size_t at = size_t(Below(int(s->size())));
    const char pool[] = "{}[]();,:.@!%|<>-+0\"/*$_x9\n\x01\xff";
    char c = Below(2) ? pool[Below(int(sizeof pool) - 1)] : char(1 + Below(255));
    if (Below(2)) (*s)[at] = c;
    else s->insert(at, 1, c);
  }
  void Number(std::string *s) {
    size_t at = s->find_first_of("0123456789");
    const char *const v[] = {
        "0", "4294967295", "4294967296", "18446744073709551615", "99999999999999999999999", "65536",
        "1", "0x7fffffff", "3"};
    if (at != std::string::npos) s->replace(at, 1, v[Below(9)]);
  }
  void Token(std::string *s, const std::string &from) {
    std::vector<std::string> w, x;
    std::stringstream a(*s), b(from);
    for (std::string t; a >> t;) w.push_back(t);
    for (std::string t; b >> t;) x.push_back(t);
    if (w.empty() || x.empty()) return;
    w[size_t(Below(int(w.size())))] = x[size_t(Below(int(x.size())))];
    *s = "";
    for (const std::string &t : w) *s += t + " ";
    *s += "\n";
  }
};

TEST(FuzzTest, MutatedTextsCompileOrAreRefused) {
  std::vector<std::string> text;
  for (const char *n :
       {"convolve_1d.clang", "convolve_1d.nvcc", "mm_tiled.clang", "mm_tiled.nvcc", "reduce.clang", "reduce.nvcc"}) {
    text.push_back(px::ReadFile(std::string("testbench/unit/ptx/data/") + n + ".ptx"));
    ASSERT_FALSE(text.back().empty());
  }
  const char *n = getenv("WG_FUZZ"), *first = getenv("WG_FUZZ_SEED");
  uint64_t count = n != nullptr ? strtoull(n, nullptr, 10) : 3000,
           seed = first != nullptr ? strtoull(first, nullptr, 10) : 1;
  if (const char *more = getenv("WG_FUZZ_FILES")) { /* further texts, separated by colons */
    std::stringstream names(more);
    for (std::string name; std::getline(names, name, ':');) text.push_back(px::ReadFile(name));
  }
  int status[16] = {};
  for (uint64_t i = 0; i < count; i++) {
    Mutator mut(seed + i);
    /* the small texts more often: they compile faster */
    size_t a = i % 12 == 0 ? 2 : i % 12 == 1 ? 3 : std::vector<size_t>{0, 1, 4, 5}[i % 4];
    if (text.size() > 6 && i % 3 != 0) a = 6 + i / 3 % (text.size() - 6);
    std::string t = mut.Mutate(text[a], text[(i / 7) % text.size()]);
    if (getenv("WG_FUZZ_PRINT") != nullptr) fprintf(stderr, "seed %llu\n", (unsigned long long)(seed + i));
    wg_ptx_options_t opt = px::Options(unsigned(i % 4) | (i % 3 == 0 ? 14u << 8 : 0u));
    px::Module m(t, &opt);
    status[m.status]++;
    if (m.status == kWgOk) {
      ASSERT_NE(m.obj, nullptr);
      continue;
    }
    ASSERT_TRUE(m.status == kWgBadInput || m.status == kWgUnsupported) << seed + i << ": " << m.diag.msg;
    ASSERT_EQ(m.obj, nullptr);
    ASSERT_NE(m.diag.msg[0], '\0');
    ASSERT_STREQ(m.diag.file, "t.ptx");
  }
  printf("%llu texts: %d compiled, %d malformed, %d not supported\n", (unsigned long long)count, status[kWgOk],
         status[kWgBadInput], status[kWgUnsupported]);
  EXPECT_GT(status[kWgOk], 0);
  EXPECT_GT(status[kWgBadInput], 0);
}

// Thousands of branches into each other: refused after a bounded number of steps, where it would take hours.
TEST(FuzzTest, EntangledBranchesAreRefusedInBoundedTime) {
  std::string t = ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<2>;\n"
                  ".reg .b32 %r<2>;\nmov.u32 %r1, %tid.x;\n";
  const int n = 12000;
  for (int i = 0; i < n; i++) t += "setp.eq.u32 %p1, %r1, 1;\n@%p1 bra L" + std::to_string(i * 7919 % n) + ";\n";
  for (int i = 0; i < n; i++) t += "L" + std::to_string(i) + ":\nadd.u32 %r1, %r1, 1;\n";
  wg_ptx_options_t opt = px::Options(0);
  px::Module m(t + "ret;\n}\n", &opt);
  EXPECT_EQ(m.status, kWgUnsupported);
  EXPECT_NE(strstr(m.diag.msg, "too entangled"), nullptr) << m.diag.msg;
  EXPECT_EQ(m.diag.line, 4u);
}

TEST(FuzzTest, EmptyAndOddTexts) {
  for (const char *t : {"",
                        "\n",
                        "//",
                        "/*",
                        ".version",
                        ".version 6.4",
                        ".visible",
                        ".entry",
                        ".entry k(",
                        ".entry k() {",
                        ".entry k() { ret",
                        "\"",
                        ".reg",
                        "{",
                        "}",
                        ".global .b8 x[4] = {1,2,3,4,5};",
                        ".shared .b8 x[];",
                        ".entry k() { { { } } ret; }",
                        ".entry k() { L: L: ret; }",
                        ".entry k() { bra L; }",
                        ".entry k() { L: bra L; }",
                        ".entry k() { .reg .b32 %r<0>; mov.u32 %r0, 1; }",
                        ".entry k() { .reg .pred %p; @%p bra L; L: ret; }"}) {
    px::Module m(t);
    EXPECT_TRUE(m.status == kWgOk || m.diag.msg[0] != '\0') << t;
  }
}

} // namespace
