// SPDX-License-Identifier: Apache-2.0
//
// Calls, addresses of variables and functions, generic accesses, atomics.
#include "testbench/unit/ptx/px_run.h"

namespace {

const char kFunctions[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".global .align 4 .u32 counter = 5;\n.const .align 4 .u32 table[4] = {10, 20, 30, 40};\n"
    ".func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n"
    "ld.param.u32 %r1, [a];\nsetp.gt.u32 %p1, %r1, 1000;\n@%p1 bra BIG;\nadd.u32 %r2, %r1, %r1;\n"
    "st.param.b32 [r], %r2;\nret;\nBIG:\nst.param.b32 [r], 7;\nret;\n}\n"
    ".func (.param .b32 r) thrice(.param .b32 a)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [a];\n"
    "{\n.param .b32 p0;\n.param .b32 r0;\nst.param.b32 [p0], %r1;\ncall.uni (r0), twice, (p0);\nld.param.b32 %r2, "
    "[r0];\n}\n"
    "add.u32 %r3, %r1, %r2;\nst.param.b32 [r], %r3;\nret;\n}\n"
    ".func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 a[16], .param .b8 c)\n{\n.reg .b64 %d<3>;\n.reg "
    ".b32 %r<2>;\n"
    "ld.param.u64 %d1, [a];\nld.param.u64 %d2, [a+8];\nld.param.s8 %r1, [c];\nst.param.b64 [r+8], %d1;\n"
    "st.param.b32 [r], %r1;\nst.param.b16 [r+4], 17;\nst.param.b8 [r+6], 18;\nst.param.b8 [r+7], 19;\nret;\n}\n";


std::string Kernel(const std::string &body, const std::string &vars = "") {
  return std::string(kFunctions) +
         ".visible .entry k(.param .u64 k_out)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<30>;\n.reg .f32 %f<9>;\n" +
         ".reg .b64 %d<20>;\n.reg .b64 %o;\n" + vars + "ld.param.u64 %o, [k_out];\nmov.u32 %r1, %tid.x;\n" + body +
         "\nret;\n}\n";
}

std::string Call(const std::string &callee, const std::string &arg, const std::string &result,
                 const std::string &guard = "") {
  return "{\n.param .b32 p0;\nst.param.b32 [p0], " + arg +
         ";\n.param .b32 r0;\nPR : .callprototype (.param .b32 _) _ (.param .b32 _);\n" + guard + "call (r0), " +
         callee + ", (p0), PR;\nld.param.b32 " + result + ", [r0];\n}\n";
}

/** Runs the kernel with one warp; word `w` of lane i is at [8 * i + w] of the result. */
std::vector<uint32_t> RunWarp(const std::string &text, uint32_t threads = 32) {
  px::Module m(text);
  EXPECT_EQ(m.status, kWgOk) << m.diag.line << ": " << m.diag.msg;
  px::Memory mem(32 * threads);
  px::Args a;
  a.Add(px::kBase);
  if (m.status == kWgOk) px::Run(m, "k", {1}, {threads}, 0, a, &mem);
  return std::vector<uint32_t>(mem.At<uint32_t>(0), mem.At<uint32_t>(0) + 8 * threads);
}

const char kStore[] = "mul.wide.u32 %d1, %r1, 32;\nadd.s64 %d1, %o, %d1;\n";

TEST(CallTest, NestedWithBranches) {
  auto out = RunWarp(Kernel("mul.lo.u32 %r2, %r1, 100;\n" + Call("thrice", "%r2", "%r3") +
                            Call("twice", "%r3", "%r4") + kStore + "st.global.v2.u32 [%d1], {%r3, %r4};"));
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t v = 100 * i, t = v + (v > 1000 ? 7 : 2 * v);
    EXPECT_EQ(out[8 * i], t) << i;
    EXPECT_EQ(out[8 * i + 1], t > 1000 ? 7 : 2 * t) << i;
  }
}

TEST(CallTest, StructuresAndBytes) {
  auto out = RunWarp(Kernel(
      std::string("{\n.param .align 8 .b8 p0[16];\n.param .b8 p1;\n.param .align 8 .b8 r0[16];\n") +
      "st.param.v2.b32 [p0], {%r1, 55};\nst.param.b64 [p0+8], 1;\nst.param.b8 [p1], 0xfe;\n"
      "call (r0), swap, (p0, p1);\nld.param.v2.b32 {%r2, %r3}, [r0];\nld.param.v2.u32 {%r4, %r5}, [r0+8];\n}\n" +
      kStore + "st.global.v4.u32 [%d1], {%r2, %r3, %r4, %r5};"));
  for (uint32_t i = 0; i < 32; i++) {
    EXPECT_EQ(out[8 * i], 0xfffffffeu);
    EXPECT_EQ(out[8 * i + 1], 0x13120011u);
    EXPECT_EQ(out[8 * i + 2], i);
    EXPECT_EQ(out[8 * i + 3], 55u);
  }
}

TEST(CallTest, ThroughRegistersInDivergedLanes) {
  auto out =
      RunWarp(Kernel("mov.u64 %d2, twice;\nmov.u64 %d3, thrice;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"
                     "selp.b64 %d4, %d2, %d3, %p1;\n" +
                     Call("%d4", "%r1", "%r3") + kStore + "st.global.u32 [%d1], %r3;"));
  for (uint32_t i = 0; i < 32; i++) EXPECT_EQ(out[8 * i], i % 2 == 0 ? 2 * i : 3 * i) << i;
}

TEST(CallTest, UnderAGuard) {
  auto out = RunWarp(Kernel(
      "setp.lt.u32 %p1, %r1, 10;\nmov.u32 %r3, 1;\n{\n.param .b32 p0;\n.param .b32 r0;\nst.param.b32 [p0], %r1;\n"
      "st.param.b32 [r0], 99;\n@%p1 call (r0), twice, (p0);\nld.param.b32 %r3, [r0];\n}\n" +
      std::string(kStore) + "st.global.u32 [%d1], %r3;"));
  for (uint32_t i = 0; i < 32; i++) EXPECT_EQ(out[8 * i], i < 10 ? 2 * i : 99) << i;
}

TEST(CallTest, BranchByIndex) {
  auto out = RunWarp(Kernel("and.b32 %r2, %r1, 3;\nTS: .branchtargets L0, L1, L0, L2;\nmov.u32 %r3, 0;\nsetp.lt.u32 "
                            "%p1, %r1, 20;\n@%p1 brx.idx %r2, TS;\nadd.u32 %r3, %r3, 1000;\nL0:\nadd.u32 %r3, %r3, "
                            "1;\nbra DONE;\nL1:\nadd.u32 %r3, %r3, 10;\nL2:\nadd.u32 %r3, %r3, 100;\nDONE:\n" +
                            std::string(kStore) + "st.global.u32 [%d1], %r3;"));
  const uint32_t want[4] = {1, 110, 1, 100};
  for (uint32_t i = 0; i < 32; i++) EXPECT_EQ(out[8 * i], i < 20 ? want[i % 4] : 1001u) << i;
}

TEST(CallTest, RefusesWhatHasNoBody) {
  px::Module none(Kernel(Call("other", "%r1", "%r2")));
  EXPECT_EQ(none.status, kWgUnsupported);
  EXPECT_NE(strstr(none.diag.msg, "a call of 'other', which has no body"), nullptr) << none.diag.msg;
}

TEST(AddressTest, OfDeviceAndConstantVariables) {
  auto out = RunWarp(Kernel(
      std::string(
          "mov.u64 %d2, counter;\natom.global.add.u32 %r2, [%d2], 1;\nbar.sync 0;\n"
          "ld.global.u32 %r3, [counter];\nand.b32 %r4, %r1, 3;\nmul.wide.u32 %d3, %r4, 4;\n"
          "mov.u64 %d4, table;\nadd.s64 %d5, %d4, %d3;\nld.const.u32 %r5, [%d5];\n"
          "cvta.const.u64 %d6, %d4;\nld.u32 %r6, [%d6+8];\nisspacep.const %p1, %d6;\n"
          "isspacep.const %p2, %o;\nselp.u32 %r7, 1, 0, %p1;\nselp.u32 %r8, 2, 0, %p2;\nor.b32 %r7, %r7, %r8;\n") +
      kStore + "st.global.v4.u32 [%d1], {%r2, %r3, %r5, %r6};\nst.global.u32 [%d1+16], %r7;"));
  uint32_t seen = 0;
  for (uint32_t i = 0; i < 32; i++) {
    seen |= 1u << (out[8 * i] - 5);
    EXPECT_EQ(out[8 * i + 1], 37u);
    EXPECT_EQ(out[8 * i + 2], 10 + 10 * (i % 4));
    EXPECT_EQ(out[8 * i + 3], 30u);
    EXPECT_EQ(out[8 * i + 4], 1u);
  }
  EXPECT_EQ(seen, 0xffffffffu);
}

TEST(GenericTest, FindsItsSpace) {
  auto out = RunWarp(Kernel(
      std::string("mov.u32 %r2, tile;\ncvt.u64.u32 %d2, %r2;\ncvta.shared.u64 %d3, %d2;\nmov.u64 %d4, mine;\n"
                  "cvta.local.u64 %d5, %d4;\nshl.b32 %r3, %r1, 3;\ncvt.u64.u32 %d6, %r3;\nadd.s64 %d7, %d3, %d6;\n"
                  "mul.wide.u32 %d8, %r1, 3;\nst.u64 [%d7], %d8;\nst.u64 [%d5+8], %d6;\nbar.sync 0;\n"
                  "xor.b32 %r4, %r3, 8;\ncvt.u64.u32 %d9, %r4;\nadd.s64 %d9, %d3, %d9;\nld.u64 %d10, [%d9];\n"
                  "ld.v2.u32 {%r5, %r6}, [%d5+8];\nisspacep.shared %p1, %d9;\nisspacep.local %p2, %d5;\n"
                  "isspacep.global %p3, %o;\nand.pred %p1, %p1, %p2;\nand.pred %p1, %p1, %p3;\nselp.u32 %r7, 1, 0, "
                  "%p1;\n") +
          kStore + "st.u64 [%d1], %d10;\nst.v2.u32 [%d1+8], {%r5, %r7};",
      ".shared .align 8 .b8 tile[256];\n.local .align 8 .b8 mine[16];\n"));
  for (uint32_t i = 0; i < 32; i++) {
    EXPECT_EQ(out[8 * i], 3 * (i ^ 1));
    EXPECT_EQ(out[8 * i + 2], 8 * i);
    EXPECT_EQ(out[8 * i + 3], 1u);
  }
}

/** Additions of floats on one word of shared memory, by name and by a generic address. */
TEST(AtomicTest, FloatsOnSharedMemory) {
  for (const char *space : {".shared", ""}) {
    bool generic = *space == 0;
    std::string to = generic ? "cvt.u64.u32 %d2, %r2;\ncvta.shared.u64 %d2, %d2;\n" : "",
                at = generic ? "[%d2]" : "[%r2]";
    auto out =
        RunWarp(Kernel("mov.u32 %r2, tile;\nst.shared.f32 [%r2], 0f3F000000;\n" + to +
                           "cvt.rn.f32.u32 %f1, %r1;\nbar.sync 0;\n"
                           "atom" +
                           space + ".add.f32 %f2, " + at + ", %f1;\nbar.sync 0;\nld.shared.f32 %f3, [tile];\n" +
                           kStore + "st.global.v2.f32 [%d1], {%f2, %f3};",
                       ".shared .align 8 .b8 tile[8];\n"));
    float total;
    memcpy(&total, &out[1], 4);
    EXPECT_EQ(total, 0.5f + 31 * 16) << space;
  }
}

int Count(const px::Module &m, uint8_t op) {
  int n = 0;
  for (size_t i = 0; m.status == kWgOk && i < m.obj->kernels[0].num_insns; i++) {
    wg_insn_t in;
    n += wg_decode(m.obj->kernels[0].code[i], &in) == kWgOk && in.op == op;
  }
  return n;
}

/** A lock's loop yields and has no barrier behind it; a loop that swaps what it has read has one. */
TEST(SpinTest, NoBarrierBehindALock) {
  px::Module lock(Kernel("L:\natom.global.cas.b32 %r2, [%o], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;\n"
                         "st.volatile.global.u32 [%o+4], %r1;\natom.global.exch.b32 %r3, [%o], 0;\n"));
  px::Module swap(Kernel("ld.global.u32 %r2, [%o];\nL:\nadd.u32 %r4, %r2, %r1;\natom.global.cas.b32 %r3, [%o], %r2, "
                         "%r4;\nsetp.ne.u32 %p1, %r2, %r3;\nmov.u32 %r2, %r3;\n@%p1 bra L;\n"
                         "st.global.u32 [%o+4], %r1;\n"));
  ASSERT_EQ(lock.status, kWgOk) << lock.diag.msg;
  ASSERT_EQ(swap.status, kWgOk) << swap.diag.msg;
  EXPECT_EQ(Count(lock, kWgOp_BSYNC), 0);
  EXPECT_EQ(Count(lock, kWgOp_YIELD), 1);
  EXPECT_EQ(Count(swap, kWgOp_BSYNC), 1);
  EXPECT_EQ(Count(swap, kWgOp_YIELD), 1);
}

/** Clocks of 64 bits only grow; sizes of shared memory; a cluster is one block. */
TEST(SpecialRegisterTest, ClocksAndConstants) {
  auto out = RunWarp(Kernel(std::string("mov.u64 %d2, %clock64;\nmov.u64 %d3, %clock64;\nsetp.lt.u64 %p1, %d2, %d3;\n") +
                                "selp.u32 %r2, 1, 0, %p1;\nmov.u32 %r3, %total_smem_size;\nmov.u32 %r4, "
                                "%cluster_nctaid.x;\nmov.u32 %r5, tile;\nst.shared.u32 [%r5], %r4;\n" +
                                kStore + "st.global.v4.u32 [%d1], {%r2, %r3, %r4, %r4};",
                            ".shared .align 8 .b8 tile[40];\n"));
  for (uint32_t i = 0; i < 32; i++) {
    EXPECT_EQ(out[8 * i], 1u);
    EXPECT_EQ(out[8 * i + 1], 40u);
    EXPECT_EQ(out[8 * i + 2], 1u);
  }
}

} // namespace
