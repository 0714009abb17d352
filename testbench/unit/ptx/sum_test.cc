// SPDX-License-Identifier: Apache-2.0
//
// Sums of three: which additions become one IADD3, and that random chains of them stay what they are.
#include <array>
#include <random>

#include "testbench/unit/ptx/px_run.h"

namespace {

std::vector<wg_insn_t> Sums(const px::Module &m) {
  std::vector<wg_insn_t> v;
  for (uint32_t i = 0; m.obj != nullptr && i < m.obj->kernels[0].num_insns; i++) {
    wg_insn_t in;
    EXPECT_EQ(wg_decode(m.obj->kernels[0].code[i], &in), kWgOk);
    if (in.op == kWgOp_IADD3 && (in.mods & 1u << kWgModLsb_X) == 0 && in.pd0 == kWgPT) v.push_back(in);
  }
  return v;
}

const char kLoad[] = "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%i];\n";

struct Case {
  const char *name, *body;
  size_t sums; /* IADD3 that are left */
};

class SumTest : public testing::TestWithParam<Case> {};

TEST_P(SumTest, AdditionsThatAreLeft) {
  px::Module m(px::Kernel(kLoad + std::string(GetParam().body) + "st.global.u32 [%o], %r10;"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(Sums(m).size(), GetParam().sums);
}

INSTANTIATE_TEST_SUITE_P(
    All, SumTest,
    testing::Values(
        Case{"Three", "add.u32 %r5, %r1, %r2;\nadd.u32 %r10, %r5, %r3;\n", 1},
        Case{"InPlace", "mov.u32 %r10, %r1;\nadd.u32 %r10, %r10, %r2;\nadd.u32 %r10, %r10, %r3;\n", 1},
        Case{"Four", "add.u32 %r5, %r1, %r2;\nadd.u32 %r6, %r5, %r3;\nadd.u32 %r10, %r6, %r4;\n", 2},
        Case{"Difference", "sub.u32 %r5, %r1, %r2;\nsub.u32 %r10, %r3, %r5;\n", 1},
        Case{"Literals", "add.u32 %r5, %r1, 7;\nmov.u32 %r6, %r5;\nsub.u32 %r10, %r6, %r2;\n", 1},
        Case{"Constant", "ld.param.u32 %r5, [k_out];\nadd.u32 %r6, %r5, %r1;\nadd.u32 %r10, %r6, %r2;\n", 1},
        /* kept: the first sum is read twice, or by another block, or two constants would meet */
        Case{"ReadTwice", "add.u32 %r5, %r1, %r2;\nadd.u32 %r6, %r5, %r3;\nmul.lo.u32 %r10, %r5, %r6;\n", 2},
        Case{"ReadElsewhere", "add.u32 %r5, %r1, %r2;\nadd.u32 %r10, %r5, %r3;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra L;\n"
                              "st.global.u32 [%o+4], %r5;\nL:\n", 2},
        Case{"TwoConstants", "ld.param.u32 %r5, [k_out];\nadd.u32 %r6, %r5, %r1;\nadd.u32 %r10, %r6, 9;\n", 2},
        Case{"Carry", "add.cc.u32 %r5, %r1, %r2;\naddc.u32 %r6, %r3, 0;\nadd.u32 %r10, %r5, %r6;\n", 1},
        Case{"Guarded", "mov.u32 %r10, %r3;\nsetp.eq.u32 %p1, %r4, 0;\nadd.u32 %r10, %r10, %r1;\n@%p1 add.u32 %r10, %r10, %r2;\n",
             2},
        Case{"OperandWritten", "mov.u32 %r5, %r1;\nadd.u32 %r6, %r5, %r2;\nmul.lo.u32 %r5, %r5, %r3;\nadd.u32 %r10, %r6, %r5;\n"
                               "xor.b32 %r10, %r10, %r5;\n", 2}),
    [](const testing::TestParamInfo<Case> &i) { return std::string(i.param.name); });

/* Additions and subtractions over eight registers, some under a guard, some across a branch, with the sums computed here. */
TEST(SumChainTest, RandomChainsAreRight) {
  std::mt19937 rng(20);
  size_t fewer = 0;
  for (int round = 0; round < 150; round++) {
    std::string body = "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%i];\nld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%i+16];\n"
                       "setp.lt.u32 %p1, %r0, %r7;\n";
    std::array<uint32_t, 8> in, v;
    for (uint32_t &x : in) x = uint32_t(rng());
    v = in;
    bool p = in[0] < in[7], skip = false;
    size_t text = 0;
    int label = 0;
    for (int i = 0; i < 24; i++) {
      unsigned d = rng() % 8, a = rng() % 8, b = rng() % 8, kind = rng() % 10;
      bool sub = rng() % 3 == 0, imm = rng() % 4 == 0, guard = kind == 0;
      uint32_t k = uint32_t(rng());
      if (kind == 1) {
        if (label % 2 == 0) body += "@%p1 bra L" + std::to_string(label) + ";\n", skip = p;
        else body += "L" + std::to_string(label - 1) + ":\n", skip = false;
        label++;
      }
      body += std::string(guard ? "@%p1 " : "") + (sub ? "sub" : "add") + ".u32 %r" + std::to_string(d) + ", %r" +
              std::to_string(a) + ", " + (imm ? std::to_string(k) : "%r" + std::to_string(b)) + ";\n";
      text++;
      uint32_t y = imm ? k : v[b];
      if (!skip && (!guard || p)) v[d] = sub ? v[a] - y : v[a] + y;
    }
    if (label % 2 == 1) body += "L" + std::to_string(label - 1) + ":\n";
    body += "st.global.v4.u32 [%o], {%r0, %r1, %r2, %r3};\nst.global.v4.u32 [%o+16], {%r4, %r5, %r6, %r7};";
    px::Module m(px::Kernel(body));
    ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
    fewer += Sums(m).size() < text;
    px::Memory mem(64);
    memcpy(mem.At<uint8_t>(32), in.data(), 32);
    px::Args args;
    args.Add(px::kBase).Add(px::kBase + 32);
    px::Run(m, "k", {1}, {1}, 0, args, &mem);
    for (size_t i = 0; i < 8; i++) ASSERT_EQ(*mem.At<uint32_t>(4 * i), v[i]) << round << " r" << i << "\n" << body;
  }
  EXPECT_GT(fewer, 100u);
}

} // namespace
