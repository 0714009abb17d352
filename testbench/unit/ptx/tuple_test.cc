// SPDX-License-Identifier: Apache-2.0
//
// Tuples: instructions with the same operands of several registers share one copy, in front of a loop if the values come
// from there; results stay what they are.
#include <array>

#include "testbench/unit/ptx/px_run.h"

namespace {

/** Copies from register to register in kernel `k`, and those of them between its first and last matrix instruction. */
struct Copies {
  int all = 0, between = 0, products = 0;
  explicit Copies(const px::Module &m) {
    int since = 0;
    for (uint32_t i = 0; m.obj != nullptr && i < m.obj->kernels[0].num_insns; i++) {
      wg_insn_t in;
      EXPECT_EQ(wg_decode(m.obj->kernels[0].code[i], &in), kWgOk);
      bool copy = in.op == kWgOp_MOV && in.form == kWgFormReg && in.rb != kWgRZ;
      all += copy;
      since += copy;
      if (in.op != kWgOp_IMMA && in.op != kWgOp_HMMA) continue;
      between += products++ > 0 ? since : 0;
      since = 0;
    }
  }
};

/** d = {%r<d>..+3} += A {%r<a>, %r<a8>} * B %r3: rows g and g + 8 of A are one register each. */
std::string Product(int d, int a, int a8) {
  auto r = [](int n) { return "%r" + std::to_string(n); };
  std::string acc = "{" + r(d) + "," + r(d + 1) + "," + r(d + 2) + "," + r(d + 3) + "}";
  return "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 " + acc + ", {" + r(a) + "," + r(a8) + "}, {%r3}, " +
         acc + ";\n";
}

/** r1, r2, r3: bytes of 1, of 2 (1 << r5), of 1, by way of memory; r10 to r25: zero. */
std::string Begin() {
  std::string s = "ld.global.v2.u32 {%r4, %r5}, [%i];\nmul.lo.u32 %r1, %r4, 1;\nshl.b32 %r2, %r4, %r5;\nmov.b32 %r3, 0x01010101;\n"
                  "xor.b32 %r3, %r3, %r4;\nxor.b32 %r3, %r3, %r4;\n";
  for (int i = 10; i < 26; i++) s += "mov.u32 %r" + std::to_string(i) + ", 0;\n";
  return s;
}

/** {r10..r13}, {r14..r17} and so on of each lane. */
std::array<uint32_t, 8> RunOne(const px::Module &m, unsigned lane, uint32_t shift = 1) {
  px::Memory mem(2 * 32 * 32);
  for (int t = 0; t < 32; t++) {
    *mem.At<uint32_t>(size_t(32 * (32 + t))) = 0x01010101;
    *mem.At<uint32_t>(size_t(32 * (32 + t) + 4)) = shift;
  }
  px::Args a;
  a.Add(px::kBase).Add(px::kBase + 32 * 32);
  px::Run(m, "k", {1}, {32}, 0, a, &mem);
  std::array<uint32_t, 8> out;
  memcpy(out.data(), mem.At<uint8_t>(32 * lane), 32);
  return out;
}

const char kStore[] = "st.global.v4.u32 [%o], {%r10, %r11, %r12, %r13};\nst.global.v4.u32 [%o+16], {%r14, %r15, %r16, %r17};";

void ExpectRows(const px::Module &m, uint32_t first, uint32_t second, uint32_t shift = 1) {
  for (unsigned lane : {0u, 17u, 31u}) {
    std::array<uint32_t, 8> o = RunOne(m, lane, shift);
    for (int i = 0; i < 4; i++) {
      EXPECT_EQ(o[size_t(i)], first * (i < 2 ? 1u : 1u << shift)) << lane << " " << i;
      EXPECT_EQ(o[size_t(4 + i)], second * (i < 2 ? 1u : 1u << shift)) << lane << " " << i;
    }
  }
}

TEST(TupleTest, OperandsOfALoopAreCopiedInFrontOfIt) {
  std::string body = Begin() + "mov.u32 %r30, 0;\nL:\n";
  for (int i = 0; i < 8; i++) body += Product(10 + 4 * (i % 4), 1, 2);
  body += "add.u32 %r30, %r30, 1;\nsetp.lt.u32 %p1, %r30, 5;\n@%p1 bra L;\n";
  px::Module m(px::Kernel(body + kStore));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  Copies c(m);
  EXPECT_EQ(c.products, 8);
  EXPECT_EQ(c.between, 0);
  ExpectRows(m, 16 * 2 * 5, 16 * 2 * 5);
}

/* A value that belongs to two tuples cannot have both registers: each is copied once. */
TEST(TupleTest, SharedValuesAreCopiedOncePerTuple) {
  std::string body = Begin();
  for (int i = 0; i < 12; i++) body += Product(10 + 4 * (i % 2), 1, 2) + Product(18 + 4 * (i % 2), 2, 1);
  body += kStore;
  for (unsigned options : {0u, 1u}) {
    wg_ptx_options_t opt = px::Options(options);
    px::Module m(px::Kernel(body), &opt);
    ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
    Copies c(m);
    EXPECT_EQ(c.products, 24);
    EXPECT_LE(c.between, 4) << options;
    ExpectRows(m, 16 * 6, 16 * 6);
  }
}

/* Each side of a branch has its own: a copy in front of both would be made for lanes that do not need it. */
TEST(TupleTest, SidesOfABranchKeepTheirs) {
  std::string body = Begin() + "setp.eq.u32 %p1, %r5, 1;\n@!%p1 bra.uni B;\n" + Product(10, 1, 2) + Product(14, 1, 2) +
                     "bra.uni D;\nB:\n" + Product(14, 1, 2) + Product(10, 1, 2) + "D:\n";
  px::Module m(px::Kernel(body + kStore));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(Copies(m).products, 4);
  ExpectRows(m, 16, 16);
  ExpectRows(m, 16, 16, 2); /* the other side */
}

/* A tuple of values that are written again is a new one each time. */
TEST(TupleTest, ValuesThatChangeAreCopiedAgain) {
  std::string body = Begin() + "mov.u32 %r6, %r1;\n" + Product(10, 6, 2) + "mov.u32 %r6, %r2;\n" + Product(14, 6, 2);
  px::Module m(px::Kernel(body + kStore));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  std::array<uint32_t, 8> o = RunOne(m, 3);
  EXPECT_EQ(o[0], 16u);
  EXPECT_EQ(o[2], 32u);
  EXPECT_EQ(o[4], 32u);
  EXPECT_EQ(o[6], 32u);
}

} // namespace
