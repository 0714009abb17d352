// SPDX-License-Identifier: Apache-2.0
//
// programs/asm: every file assembles, its header parses, parameters agree, its text is a fixed point of the
// disassembler. Run from the root of the repository.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

extern "C" {
#include "toolchain/asm/wg_asm.h"
#include "toolchain/asm/wg_asmtest.h"
}

namespace {

std::vector<std::filesystem::path> Programs() {
  std::vector<std::filesystem::path> v;
  if (!std::filesystem::is_directory("programs/asm")) return v;
  for (const auto &e : std::filesystem::directory_iterator("programs/asm")) {
    if (e.path().extension() == ".s") v.push_back(e.path());
  }
  std::sort(v.begin(), v.end());
  return v;
}

std::string Slurp(const std::filesystem::path &p) {
  std::ifstream f(p, std::ios::binary);
  std::stringstream s;
  s << f.rdbuf();
  return s.str();
}

TEST(ProgramsTest, AllAssembleAndParse) {
  std::set<unsigned> used;
  auto files = Programs();
  ASSERT_GE(files.size(), 60u) << "run this from the root of the repository";
  for (const auto &p : files) {
    std::string text = Slurp(p);
    wg_diag_t d = {};
    wg_obj_t *o = nullptr;
    wg_asmtest_t *t = nullptr;
    ASSERT_EQ(wg_asm_text(text.c_str(), p.c_str(), &o, &d), kWgOk) << p << ":" << d.line << ": " << d.msg;
    ASSERT_EQ(wg_asmtest_parse(text.c_str(), p.c_str(), &t, &d), kWgOk)
        << p << ":" << d.line << ": " << d.msg;
    ASSERT_EQ(o->num_kernels, 1u) << p;
    EXPECT_STREQ(o->kernels[0].name, p.stem().c_str());
    ASSERT_EQ(o->kernels[0].num_params, t->num_params) << p;
    for (size_t i = 0; i < t->num_params; i++)
      EXPECT_EQ(o->kernels[0].params[i].offset, t->params[i].offset) << p;
    for (unsigned i = 0; i < o->kernels[0].num_insns; i++) {
      wg_word_t w = o->kernels[0].code[i];
      wg_insn_t in, back;
      if (wg_decode(w, &in) != kWgOk) continue;
      used.insert(in.op);
      char buf[256];
      wg_dis_insn(w, 0, buf, sizeof buf);
      ASSERT_EQ(wg_asm_insn(buf, &back, &d), kWgOk) << p << ": " << buf;
      EXPECT_EQ(wg_encode(&back).lo, w.lo) << buf;
      EXPECT_EQ(wg_encode(&back).hi, w.hi) << buf;
    }
    wg_obj_free(o);
    wg_asmtest_free(t);
  }
  size_t n;
  const wg_insn_info_t *table = wg_insn_table(&n);
  for (size_t i = 0; i < n; i++) {
    wg_insn_t in = wg_insn_default(table[i].opcode);
    if (!wg_insn_built(&in)) continue;
    EXPECT_TRUE(used.count(table[i].opcode)) << "no program uses " << table[i].mnemonic;
  }
}

TEST(ProgramsTest, FaultPcNamesAnInstruction) {
  for (const auto &p : Programs()) {
    std::string text = Slurp(p);
    wg_diag_t d = {};
    wg_obj_t *o = nullptr;
    wg_asmtest_t *t = nullptr;
    ASSERT_EQ(wg_asm_text(text.c_str(), "x", &o, &d), kWgOk);
    ASSERT_EQ(wg_asmtest_parse(text.c_str(), "x", &t, &d), kWgOk);
    if (t->outcome == kWgAsmtestFault && t->has_pc) {
      EXPECT_EQ(t->fault_pc % 16, 0u) << p;
      EXPECT_LT(t->fault_pc / 16, o->kernels[0].num_insns) << p;
    }
    wg_obj_free(o);
    wg_asmtest_free(t);
  }
}

}  // namespace
