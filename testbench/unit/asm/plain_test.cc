// SPDX-License-Identifier: Apache-2.0
//
// wgdis --plain is wgas's inverse: objects that the PTX compiler made of the lecture programs, and a text with everything that
// has a directive, come back unchanged. Run from the root of the repository.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "toolchain/asm/wg_asm.h"
#include "toolchain/ptx/wg_ptx.h"

namespace {

std::string Plain(const wg_obj_t *o) {
  char *text = nullptr;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  wg_dis_plain(o, f);
  fclose(f);
  std::string s(text, n);
  free(text);
  return s;
}

/** Assemble the plain text of `o` and compare all that the text is to keep. */
void RoundTrip(const wg_obj_t *o, const std::string &name) {
  std::string text = Plain(o);
  wg_obj_t *b = nullptr;
  wg_diag_t d = {};
  ASSERT_EQ(wg_asm_text(text.c_str(), name.c_str(), &b, &d), kWgOk) << name << ":" << d.line << ": " << d.msg;
  ASSERT_EQ(b->num_kernels, o->num_kernels) << name;
  ASSERT_EQ(b->const3_size, o->const3_size) << name;
  ASSERT_EQ(b->const2_size, o->const2_size) << name;
  if (o->const3_size != 0) EXPECT_EQ(memcmp(b->const3, o->const3, o->const3_size), 0) << name;
  if (o->const2_size != 0) EXPECT_EQ(memcmp(b->const2, o->const2, o->const2_size), 0) << name;
  for (size_t i = 0; i < o->num_kernels; i++) {
    const wg_obj_kernel_t &x = o->kernels[i], &y = b->kernels[i];
    EXPECT_STREQ(x.name, y.name);
    EXPECT_EQ(x.regs, y.regs) << x.name;
    EXPECT_EQ(x.shared_bytes, y.shared_bytes) << x.name;
    EXPECT_EQ(x.local_bytes, y.local_bytes) << x.name;
    EXPECT_EQ(x.barriers, y.barriers) << x.name;
    EXPECT_EQ(x.max_threads, y.max_threads) << x.name;
    ASSERT_EQ(x.num_params, y.num_params) << x.name;
    for (uint32_t p = 0; p < x.num_params; p++) {
      EXPECT_EQ(x.params[p].offset, y.params[p].offset) << x.name << " parameter " << p;
      EXPECT_EQ(x.params[p].size, y.params[p].size) << x.name << " parameter " << p;
    }
    ASSERT_EQ(x.num_insns, y.num_insns) << x.name;
    for (uint32_t j = 0; j < x.num_insns; j++) {
      EXPECT_EQ(x.code[j].lo, y.code[j].lo) << x.name << " instruction " << j;
      EXPECT_EQ(x.code[j].hi, y.code[j].hi) << x.name << " instruction " << j;
      const char *fx = "", *fy = "";
      unsigned lx = 0, ly = 0;
      uint32_t pc = wg_obj_kernel_pc(o, i) + 16 * j;
      if (!wg_obj_line_of(o, pc, &fx, &lx)) continue;
      EXPECT_TRUE(wg_obj_line_of(b, pc, &fy, &ly));
      EXPECT_STREQ(fx, fy) << x.name << " instruction " << j;
      EXPECT_EQ(lx, ly) << x.name << " instruction " << j;
    }
  }
  EXPECT_EQ(Plain(b), text) << name;
  wg_obj_free(b);
}

TEST(PlainTest, LectureProgramsComeBack) {
  int files = 0;
  for (const auto &e : std::filesystem::directory_iterator("testbench/unit/ptx/data")) {
    if (e.path().extension() != ".ptx") continue;
    std::ifstream f(e.path());
    std::stringstream s;
    s << f.rdbuf();
    wg_obj_t *o = nullptr;
    wg_diag_t d = {};
    ASSERT_EQ(wg_ptx_compile(s.str().c_str(), e.path().c_str(), nullptr, &o, &d), kWgOk) << e.path() << d.msg;
    RoundTrip(o, e.path());
    wg_obj_free(o);
    files++;
  }
  EXPECT_GE(files, 9) << "run from the root of the repository";
}

TEST(PlainTest, EveryDirectiveComesBack) {
  const char *text =
      ".const2\n.byte 1, 2, 3, 4\n.const3\n.word 5, 0x80000001\n.byte 7, 8, 9, 255\n.text\n"
      ".kernel a\n.regs 9\n.shared 48\n.local 12\n.barriers 3\n.maxthreads 96\n.param 1\n.param 8\n.param 12, 4\n"
      ".line \"x y.cu\" 3\nstart:\n  MOV R1, c[0x3][0x4] {stall=3 wr=1}\n  @!P0 BRA start\n.line \"z.cu\" 9\n  EXIT\n"
      ".kernel b\n  BRA .+0\n  .word 0x0000000000000007, 0x8000000000000000\n  @P1 FADD.FTZ R3, -|R1|, -(2.0)\n  EXIT\n";
  wg_obj_t *o = nullptr;
  wg_diag_t d = {};
  ASSERT_EQ(wg_asm_text(text, "t.s", &o, &d), kWgOk) << d.line << ": " << d.msg;
  RoundTrip(o, "t.s");
  wg_obj_free(o);
}

}  // namespace
