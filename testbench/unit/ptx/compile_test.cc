// SPDX-License-Identifier: Apache-2.0
//
// Single features of the compiler: what it accepts, what it says when it refuses, and what each pass does.
#include <algorithm>
#include <set>

#include "testbench/unit/ptx/px_run.h"

namespace {

/** Words of a kernel, decoded. */
std::vector<wg_insn_t> Words(const px::Module &m, size_t k = 0) {
  std::vector<wg_insn_t> v;
  for (uint32_t i = 0; m.obj != nullptr && i < m.obj->kernels[k].num_insns; i++) {
    wg_insn_t in;
    EXPECT_EQ(wg_decode(m.obj->kernels[k].code[i], &in), kWgOk);
    v.push_back(in);
  }
  return v;
}

int Count(const px::Module &m, uint8_t op) {
  std::vector<wg_insn_t> w = Words(m);
  return int(std::count_if(w.begin(), w.end(), [op](const wg_insn_t &i) { return i.op == op; }));
}

/** Run a body for `threads` threads; in[t][0..7] -> out[t][0..7]. */
std::vector<std::array<uint32_t, 8>> RunBody(const std::string &body, const std::vector<std::array<uint32_t, 8>> &in,
                                             unsigned options = 0) {
  wg_ptx_options_t opt = px::Options(options);
  px::Module m(px::Kernel(body), &opt);
  EXPECT_EQ(m.status, kWgOk) << m.diag.line << ": " << m.diag.msg;
  std::vector<std::array<uint32_t, 8>> out(in.size());
  if (m.status != kWgOk) return out;
  size_t half = 32 * in.size();
  px::Memory mem(2 * half);
  for (size_t i = 0; i < in.size(); i++) memcpy(mem.At<uint8_t>(32 * i), in[i].data(), 32);
  px::Args a;
  a.Add(px::kBase + half).Add(px::kBase);
  px::Run(m, "k", {1}, {uint32_t(in.size())}, 0, a, &mem);
  for (size_t i = 0; i < in.size(); i++) memcpy(out[i].data(), mem.At<uint8_t>(half + 32 * i), 32);
  return out;
}

std::vector<std::array<uint32_t, 8>> Inputs(size_t n) {
  std::vector<std::array<uint32_t, 8>> v(n);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < 8; k++) v[i][k] = uint32_t((i * 8 + k + 1) * 2654435761u);
  }
  return v;
}

/* ---- refusals ---- */

struct Refusal {
  const char *body, *says;
  wg_status_t status;
};

class RefusalTest : public testing::TestWithParam<Refusal> {};

TEST_P(RefusalTest, NamesPlaceAndInstruction) {
  px::Module m(px::Kernel(GetParam().body));
  EXPECT_EQ(m.status, GetParam().status) << m.diag.msg;
  EXPECT_NE(std::string(m.diag.msg).find(GetParam().says), std::string::npos) << m.diag.msg;
  EXPECT_STREQ(m.diag.file, "t.ptx");
  std::string before = px::Kernel("@");
  before.resize(before.find("@"));
  EXPECT_EQ(m.diag.line, 1u + unsigned(std::count(before.begin(), before.end(), '\n'))) << m.diag.msg;
  EXPECT_EQ(m.obj, nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, RefusalTest,
    testing::Values(Refusal{"sin.rz.f32 %f1, %f2;", "'sin.rz.f32 %f1, %f2'", kWgUnsupported},
                    Refusal{"ld.b128 %f1, [%i];", "this type", kWgUnsupported},
                    Refusal{"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r1}, {%r2}, {%r3}, {%r4};",
                            "m8n8k4 are not supported", kWgUnsupported},
                    Refusal{"wmma.load.a.sync.aligned.row.m32n8k16.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%i], %r9;",
                            "this shape or type of wmma is not supported", kWgUnsupported},
                    Refusal{"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32 {%r1,%r2,%r3,%r4}, "
                            "{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, "
                            "{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8};",
                            "this shape or type of wmma is not supported", kWgUnsupported},
                    Refusal{"wmma.store.d.sync.aligned.row.m16n16k16.f32 [%o], {%r1,%r2,%r3,%r4}, %r9;",
                            "wrong number of registers", kWgBadInput},
                    Refusal{"wmma.load.c.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4,%r5}, [%i];",
                            "wrong number of registers", kWgBadInput},
                    Refusal{"atom.global.add.u8 %r1, [%i], 1;", "not supported in 'atom.global.add.u8",
                            kWgUnsupported},
                    Refusal{"call foo;", "a call of 'foo', which has no body", kWgUnsupported},
                    Refusal{"add.sat.f64 %d1, %d2, %d3;", "'add.sat.f64", kWgUnsupported},
                    Refusal{"rem.s8 %r1, %r2, %r3;", "division of this type", kWgUnsupported},
                    Refusal{"membar.warp;", "'membar.warp'", kWgUnsupported},
                    Refusal{"frobnicate %r1;", "'frobnicate %r1'", kWgUnsupported},
                    Refusal{"bra NOWHERE;", "'NOWHERE' is not set", kWgBadInput},
                    Refusal{"add.s32 %r1, %r2;", "wrong number of operands", kWgBadInput},
                    Refusal{"add.s32 %r1, %r2, %q3;", "register is unknown", kWgBadInput},
                    Refusal{"add.s32 %r1, %r2, %r60;", "register is unknown", kWgBadInput},
                    Refusal{"add.s32 %d1, %r2, %r3;", "does not fit", kWgBadInput},
                    Refusal{"mov.b32 %r1, %p1;", "predicate '%p1' as a value", kWgBadInput},
                    Refusal{"ld.param.u64 %d1, [k_in+4];", "misaligned", kWgBadInput},
                    Refusal{"ld.param.u64 %d1, [k_in+8];", "outside", kWgBadInput},
                    Refusal{"bar.sync 16;", "above 15", kWgBadInput},
                    Refusal{"mov.f32 %f1, 0f3F8;", "8 hexadecimal digits", kWgBadInput}));

TEST(RefusalLimitTest, TooFewRegistersForAnInstruction) {
  wg_ptx_options_t opt = px::Options(4u << 8);
  px::Module m(px::Kernel("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%i];\nst.global.v4.u32 [%o], {%r1, %r2, %r3, %r4};"),
               &opt);
  EXPECT_EQ(m.status, kWgUnsupported);
  EXPECT_NE(std::string(m.diag.msg).find("needs more than 4 registers"), std::string::npos) << m.diag.msg;
  EXPECT_STREQ(m.diag.hint, "allow more registers");
}

/* ---- folding ---- */

TEST(FoldTest, ParametersBecomeConstantOperands) {
  px::Module m(
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u32 a, .param .f32 b, .param .u64 p) {\n.reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 "
      "%d<4>;\n"
      "ld.param.u32 %r1, [a]; ld.param.f32 %f1, [b]; ld.param.u64 %d1, [p]; mov.u32 %r2, %tid.x;\n"
      "add.s32 %r3, %r2, %r1; mul.f32 %f2, %f1, 0f40000000; st.global.u32 [%d1], %r3; st.global.f32 [%d1+4], %f2; "
      "ret; }");
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  bool add = false, mul = false;
  for (const wg_insn_t &w : Words(m)) {
    add |= w.op == kWgOp_IADD3 && w.form == kWgFormConst && w.coff == kWgParamBase;
    mul |= w.op == kWgOp_FMUL && w.form != kWgFormReg;
  }
  EXPECT_TRUE(add);
  EXPECT_TRUE(mul);
  EXPECT_EQ(m.obj->kernels[0].params[2].offset, 8u);
}

TEST(FoldTest, SharedAddressGoesIntoTheOffset) {
  px::Module m(
      px::Kernel(".shared .align 4 .b8 first[256];\n.shared .align 4 .b8 second[256];\nmov.u64 %d1, second;\n"
                 "mul.wide.u32 %d2, %r59, 4;\nadd.s64 %d3, %d1, %d2;\nst.shared.u32 [%d3+8], %r59;\n"
                 "mov.u64 %d4, first;\nadd.s64 %d5, %d4, %d2;\nst.shared.u32 [%d5], %r59;"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(m.obj->kernels[0].shared_bytes, 512u);
  std::set<uint32_t> imm;
  for (const wg_insn_t &w : Words(m)) {
    if (w.op == kWgOp_STS) imm.insert(w.imm);
  }
  EXPECT_EQ(imm, (std::set<uint32_t>{0, 264}));
}

TEST(FoldTest, AddingZeroToAFloatStays) {
  auto out = RunBody("ld.global.f32 %f1, [%i];\nadd.f32 %f2, %f1, 0f00000000;\nst.global.f32 [%o], %f2;",
                     {{0x80000000u}, {0x3f800000u}, {0x7f800001u}});
  EXPECT_EQ(out[0][0], 0u); /* -0 + 0 = +0 */
  EXPECT_EQ(out[1][0], 0x3f800000u);
  EXPECT_EQ(out[2][0], 0x7fffffffu);
}

TEST(FoldTest, ReadOnlyLoadsAreMarked) {
  px::Module m(px::Kernel("ld.global.nc.f32 %f1, [%i];\nst.global.f32 [%o], %f1;"));
  for (const wg_insn_t &w : Words(m)) {
    if (w.op == kWgOp_LDG) {
      EXPECT_EQ(WG_MOD_GET(&w, MCACHE), 3u);
    }
  }
  EXPECT_EQ(Count(m, kWgOp_LDG), 1);
}

/* ---- what the race checker is told ---- */

const char kFlagText[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k() {\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<3>;\n"
    ".shared .align 4 .b8 flag[4]; .shared .align 8 .b8 data[64];\n"
    "mov.u32 %r1, %tid.x; mov.f32 %f1, 0f3f800000;\n"
    "st.volatile.shared.u32 [data], %r1;\n"
    "WAIT: ld.volatile.shared.u32 %r2, [flag]; setp.eq.s32 %p1, %r2, 0; @%p1 bra WAIT;\n"
    "ld.volatile.shared.u32 %r3, [data]; ld.shared.u32 %r4, [data+4]; bar.warp.sync 0xffffffff;\n"
    "atom.shared.add.f32 %f2, [data+8], %f1; add.s32 %r3, %r3, %r4; st.shared.u32 [data+12], %r3; ret; }\n";

/** Marks of the accesses of one kind, in the order of the code. */
std::vector<unsigned> Marks(const wg_obj_t *o, uint8_t op) {
  std::vector<unsigned> v;
  for (uint32_t i = 0; i < o->kernels[0].num_insns; i++) {
    wg_insn_t in;
    EXPECT_EQ(wg_decode(o->kernels[0].code[i], &in), kWgOk);
    if (in.op != op) continue;
    unsigned mark = 0;
    for (size_t k = 0; k < o->num_marks; k++) {
      if (o->marks[k] / 16 == i) mark = o->marks[k] % 16;
    }
    v.push_back(mark);
  }
  return v;
}

TEST(MarkTest, FlagsAndVolatileAccesses) {
  for (bool reconverge : {true, false}) {
    wg_ptx_options_t opt;
    wg_ptx_default_options(&opt);
    opt.reconverge = reconverge;
    opt.schedule = false;
    px::Module m(kFlagText, &opt);
    ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
    EXPECT_EQ(Marks(m.obj, kWgOp_STS), (std::vector<unsigned>{kWgObjStrong, 0})) << reconverge;
    EXPECT_EQ(Marks(m.obj, kWgOp_LDS), (std::vector<unsigned>{kWgObjStrong | kWgObjWaits, kWgObjStrong, 0, kWgObjAtomic}));
    EXPECT_EQ(Marks(m.obj, kWgOp_ATOMS), std::vector<unsigned>{kWgObjAtomic});
    ASSERT_EQ(m.obj->num_shared, 2u);
    for (size_t i = 0; i < 2; i++) {
      const wg_obj_shared_t &v = m.obj->shared[i];
      bool flag = strcmp(v.name, "flag") == 0;
      EXPECT_EQ(v.offset, flag ? 64u : 0u) << v.name;
      EXPECT_EQ(v.size, flag ? 4u : 64u);
    }
  }
}

TEST(MarkTest, WarpSyncStaysIfAsked) {
  const char *body = "bar.warp.sync 0xffffffff; ret;";
  for (bool keep : {false, true}) {
    wg_ptx_options_t opt;
    wg_ptx_default_options(&opt);
    opt.keep_warpsync = keep;
    px::Module m(px::Kernel(body), &opt);
    ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
    EXPECT_EQ(Count(m, kWgOp_WARPSYNC), keep ? 1 : 0);
  }
}

/* ---- lines ---- */

/** PTX line of the first word of an opcode. */
unsigned PtxLine(const wg_obj_t *o, uint8_t op) {
  unsigned line = 0;
  for (uint32_t i = 0, at = 0; i < o->kernels[0].num_insns; i++) {
    wg_insn_t in;
    while (at < o->num_ptx_lines && o->ptx_lines[at].pc <= 16 * i) line = o->ptx_lines[at++].line;
    if (wg_decode(o->kernels[0].code[i], &in) == kWgOk && in.op == op) return line;
  }
  return 0;
}

TEST(LineTest, PtxLinesAreThereBesideThoseOfTheSource) {
  for (const char *loc : {"", ".loc 1 77 3\n"}) {
    std::string body = std::string(loc) + "ld.global.u32 %r1, [%i];\n\nadd.s32 %r2, %r1, 5;\nst.global.u32 [%o], %r2;";
    std::string text = px::Kernel(body);
    if (loc[0] != '\0') text += ".file 1 \"a.cu\"\n";
    px::Module m(text);
    ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
    unsigned line = 0;
    auto line_of = [&text](const char *word) {
      return 1 + unsigned(std::count(text.begin(), text.begin() + long(text.find(word)), '\n'));
    };
    EXPECT_EQ(PtxLine(m.obj, kWgOp_LDG), line_of("ld.global"));
    EXPECT_EQ(PtxLine(m.obj, kWgOp_STG), line_of("st.global"));
    const char *file = nullptr;
    ASSERT_TRUE(wg_obj_line_of(m.obj, 16 * (m.obj->kernels[0].num_insns - 2), &file, &line));
    if (loc[0] != '\0') EXPECT_EQ(line, 77u) << file;
  }
}

/* ---- reconvergence ---- */

const char kIfTid[] =
    "and.b32 %r1, %r59, 1;\nsetp.eq.s32 %p1, %r1, 0;\nmov.u32 %r2, 5;\n@%p1 bra A;\nmov.u32 %r2, "
    "7;\nA:\nst.global.u32 [%o], %r2;";

TEST(ReconvergenceTest, DivergentBranchGetsAPair) {
  px::Module m(px::Kernel(kIfTid));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(Count(m, kWgOp_BSSY), 1);
  EXPECT_EQ(Count(m, kWgOp_BSYNC), 1);
  std::vector<wg_insn_t> w = Words(m);
  for (size_t i = 0; i < w.size(); i++) {
    if (w[i].op != kWgOp_BSSY) continue;
    size_t to = i + 1 + size_t(int32_t(w[i].imm) / 16);
    ASSERT_LT(to, w.size());
    EXPECT_EQ(w[to].op, kWgOp_BSYNC);
    EXPECT_EQ(w[to].breg, w[i].breg);
  }
}

TEST(ReconvergenceTest, UniformBranchGetsNone) {
  std::string s = kIfTid;
  s.replace(s.find("%r59"), 4, "%r58"); /* ctaid */
  px::Module m(px::Kernel(s));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(Count(m, kWgOp_BSSY), 0);
  bool uni = false;
  for (const wg_insn_t &w : Words(m)) uni |= w.op == kWgOp_BRA && WG_MOD_GET(&w, UNI) != 0;
  EXPECT_TRUE(uni);
}

TEST(ReconvergenceTest, ValueSetOnOneSideMakesALaterBranchDivergent) {
  std::string s = kIfTid;
  s += "\nsetp.eq.s32 %p2, %r2, 5;\n@%p2 bra B;\nst.global.u32 [%o+4], %r2;\nB:\nst.global.u32 [%o+8], %r2;";
  px::Module m(px::Kernel(s));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(Count(m, kWgOp_BSSY), 2);
}

TEST(ReconvergenceTest, BranchToReturnBecomesExit) {
  px::Module m(px::Kernel("setp.gt.s32 %p1, %r59, 3;\n@%p1 bra A;\nst.global.u32 [%o], %r59;\nA:"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(Count(m, kWgOp_BSSY), 0);
  EXPECT_EQ(Count(m, kWgOp_BRA), 0);
  EXPECT_EQ(Count(m, kWgOp_EXIT), 2);
}

/* A loop at the end is left by @P EXIT alone, and no block of such a kernel ends in EXIT: lanes meet in front of it all the
 * same. */
TEST(ReconvergenceTest, LoopAtTheEndOfTheKernel) {
  auto in = Inputs(64);
  auto out = RunBody("mov.u32 %r2, 5;\nand.b32 %r1, %r59, 1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra A;\nmov.u32 %r2, 7;\n"
                     "mul.lo.u32 %r2, %r2, %r59;\nA:\nshfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;\nand.b32 %r4, %r59, 3;\nL:\n"
                     "st.global.v2.u32 [%o], {%r3, %r4};\nadd.s32 %r4, %r4, -1;\nsetp.ge.s32 %p2, %r4, 0;\n@%p2 bra L;",
                     in);
  for (uint32_t i = 0; i < 64; i++) {
    EXPECT_EQ(out[i][0], i % 2 == 0 ? 7 * (i + 1) : 5) << "lanes are not together behind the branch";
    EXPECT_EQ(out[i][1], 0u);
  }
}

/* 31 lanes leave a loop one after the other: were each exit an entry on the stack, it would overflow with the two
 * BSSY. */
TEST(ReconvergenceTest, LoopThatLanesLeaveOneByOne) {
  auto in = Inputs(64);
  auto out = RunBody(
      "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nsetp.eq.u32 %p2, %r59, 99999;\n@%p2 bra E;\nL:\nsetp.ge.u32 %p1, %r1, "
      "%r59;\n@%p1 bra D;\nadd.s32 %r1, %r1, 1;\n"
      "mad.lo.u32 %r2, %r2, 3, %r1;\nbra.uni L;\nD:\nadd.s32 %r2, %r2, 0;\nE:\nxor.b32 %r2, %r2, "
      "0;\nshfl.sync.idx.b32 %r3, %r2, 31, 31, -1;\n"
      "st.global.v2.u32 [%o], {%r2, %r3};",
      in);
  auto f = [](uint32_t n) {
    uint32_t v = 0;
    for (uint32_t i = 1; i <= n; i++) v = v * 3 + i;
    return v;
  };
  for (uint32_t i = 0; i < 64; i++) {
    EXPECT_EQ(out[i][0], f(i));
    EXPECT_EQ(out[i][1], f(i / 32 * 32 + 31)) << "lanes are not together behind the loop";
  }
}

/* ---- work for the lanes that want it ---- */

uint64_t FaddLanes(const std::string &body, std::vector<float> *out) {
  px::Module m(px::Kernel(body));
  EXPECT_EQ(m.status, kWgOk) << m.diag.msg;
  px::Memory mem(32 * 64);
  px::Args a;
  a.Add(px::kBase).Add(px::kBase);
  wg_ref_totals_t t = px::Run(m, "k", {1}, {64}, 0, a, &mem);
  for (uint32_t i = 0; i < 64; i++) out->push_back(*mem.At<float>(32 * i));
  return t.fadd_thread_insts;
}

TEST(SinkTest, OnlyTheLanesThatReadASumMakeIt) {
  const std::string sums = "cvt.rn.f32.u32 %f1, %r59;\nadd.f32 %f2, %f1, 0f3f800000;\nadd.f32 %f3, %f2, 0f40000000;\n",
                    end = "and.b32 %r1, %r59, 3;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra A;\nst.global.f32 [%o], %f3;\nA:\n";
  std::vector<float> out;
  EXPECT_EQ(FaddLanes(sums + end, &out), 2u * 16);
  for (uint32_t i = 0; i < 64; i++) EXPECT_EQ(out[i], i % 4 == 0 ? float(i + 3) : 0.0f);
  EXPECT_EQ(FaddLanes(sums + "st.global.f32 [%o+4], %f2;\n" + end, &out), 64u + 16) << "all lanes read %f2";
  EXPECT_EQ(FaddLanes(sums + end + "st.global.f32 [%o+8], %f1;\n", &out), 2u * 64) << "no lane exits";
  out.clear(); /* %f1 changes behind the sum: it stays */
  EXPECT_EQ(FaddLanes(sums + "mov.f32 %f1, 0f00000000;\n" + end, &out), 64u + 16);
  for (uint32_t i = 0; i < 64; i++) EXPECT_EQ(out[i], i % 4 == 0 ? float(i + 3) : 0.0f);
}

TEST(SinkTest, ASelectionOfASumIsAGuardedSum) {
  for (const char *sel : {"selp.f32 %f3, %f2, %f1, %p1;\n", "selp.f32 %f3, %f1, %f2, %p1;\n"}) {
    bool first = std::string(sel).find("%f2, %f1") != std::string::npos;
    std::string body = "cvt.rn.f32.u32 %f1, %r59;\nand.b32 %r1, %r59, 3;\nsetp.eq.s32 %p1, %r1, 0;\n"
                       "add.f32 %f2, %f1, 0f42c80000;\n" + std::string(sel) + "st.global.f32 [%o], %f3;\n";
    std::vector<float> out;
    EXPECT_EQ(FaddLanes(body, &out), first ? 16u : 48u) << sel;
    for (uint32_t i = 0; i < 64; i++) EXPECT_EQ(out[i], float(i) + ((i % 4 == 0) == first ? 100.0f : 0.0f)) << i;
  }
}

/* ---- predicates and guards ---- */

TEST(PredicateTest, MoreThanSevenLiveAreKept) {
  std::string body = "ld.global.u32 %r1, [%i];\nmov.u32 %r2, 0;\n";
  for (int i = 0; i < 12; i++) {
    std::string n = std::to_string(i + 1);
    body += "and.b32 %r3, %r1, " + std::to_string(1 << i) + ";\nsetp.ne.s32 %p" + n + ", %r3, 0;\n";
  }
  body += "bar.sync 0;\n";
  for (int i = 11; i >= 0; i--) {
    body += "selp.u32 %r4, 1, 0, %p" + std::to_string(i + 1) + ";\nmad.lo.u32 %r2, %r2, 2, %r4;\n";
  }
  for (int i = 0; i < 12; i += 3) body += "@%p" + std::to_string(i + 1) + " add.u32 %r2, %r2, 65536;\n";
  body += "st.global.u32 [%o], %r2;";
  for (unsigned options : {0u, 1u}) {
    auto in = Inputs(32);
    auto out = RunBody(body, in, options);
    for (size_t i = 0; i < in.size(); i++) {
      uint32_t v = in[i][0] & 0xfff, n = (v & 1) + (v >> 3 & 1) + (v >> 6 & 1) + (v >> 9 & 1);
      ASSERT_EQ(out[i][0], v + n * 65536) << i;
    }
  }
  px::Module m(px::Kernel(body));
  EXPECT_GT(m.obj->kernels[0].spills, 0u);
}

TEST(PredicateTest, GuardedInstructionsKeepTheOldValue) {
  const char body[] =
      "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%i];\nand.b32 %r5, %r1, 1;\nsetp.eq.s32 %p1, %r5, 0;\n"
      "mov.b64 %d1, {%r1, %r2};\nmov.b64 %d2, {%r3, %r4};\n@%p1 add.s64 %d1, %d1, %d2;\n@!%p1 mul.lo.s64 %d2, %d1, "
      "%d2;\n"
      "mov.u32 %r6, 9;\n@%p1 ld.global.u32 %r6, [%i+16];\n@%p1 st.global.u32 [%o+24], %r3;\n"
      "mov.f32 %f1, 0f3F800000;\nld.global.f32 %f2, [%i+20];\n@!%p1 div.rn.f32 %f1, %f1, %f2;\n"
      "@%p1 setp.ne.and.s32 %p1, %r1, 0, %p1;\nselp.u32 %r7, 3, 4, %p1;\n"
      "st.global.u64 [%o], %d1;\nst.global.u64 [%o+8], %d2;\nst.global.u32 [%o+16], %r6;\nst.global.f32 [%o+20], "
      "%f1;\n"
      "st.global.u32 [%o+28], %r7;";
  for (unsigned options : {0u, 1u}) {
    auto in = Inputs(64);
    in[6][0] = 0;
    auto out = RunBody(body, in, options);
    for (size_t i = 0; i < in.size(); i++) {
      uint64_t a, b, x, y;
      memcpy(&a, &in[i][0], 8);
      memcpy(&b, &in[i][2], 8);
      bool p = (in[i][0] & 1) == 0;
      if (p) a += b;
      else b *= a;
      memcpy(&x, &out[i][0], 8);
      memcpy(&y, &out[i][2], 8);
      ASSERT_EQ(x, a) << i;
      ASSERT_EQ(y, b) << i;
      ASSERT_EQ(out[i][4], p ? in[i][4] : 9u);
      ASSERT_EQ(out[i][6], p ? in[i][2] : 0u);
      float f;
      memcpy(&f, &in[i][5], 4);
      volatile float q = p ? 1.0f : 1.0f / f;
      uint32_t bits = 0x7fffffff;
      if (q == q) {
        float t = q;
        memcpy(&bits, &t, 4);
      }
      ASSERT_EQ(out[i][5], bits);
      ASSERT_EQ(out[i][7], p && in[i][0] != 0 ? 3u : 4u);
    }
  }
}

TEST(PredicateTest, TwoDestinationsAndCombinations) {
  auto in = Inputs(64);
  for (size_t i = 0; i < in.size(); i++) in[i][0] &= 7, in[i][1] &= 7, in[i][2] &= 1;
  auto out = RunBody(
      "ld.global.v2.s32 {%r1, %r2}, [%i];\nld.global.u32 %r3, [%i+8];\nsetp.ne.u32 %p3, %r3, 0;\n"
      "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;\nselp.u32 %r4, 1, 0, %p1;\nselp.u32 %r5, 1, 0, %p2;\n"
      "cvt.s64.s32 %d1, %r1;\ncvt.s64.s32 %d2, %r2;\nsetp.ge.xor.s64 %p4|%p5, %d1, %d2, %p3;\n"
      "selp.u32 %r6, 1, 0, %p4;\nselp.u32 %r7, 1, 0, %p5;\nand.pred %p6, %p1, %p3;\nor.pred %p7, %p4, %p2;\n"
      "xor.pred %p8, %p6, %p7;\nnot.pred %p9, %p8;\nselp.u32 %r8, 1, 0, %p9;\n"
      "st.global.v4.u32 [%o], {%r4, %r5, %r6, %r7};\nst.global.u32 [%o+16], %r8;",
      in);
  for (size_t i = 0; i < in.size(); i++) {
    bool lt = in[i][0] < in[i][1], p3 = in[i][2] != 0, p1 = lt && !p3, p2 = !lt && !p3, p4 = !lt != p3, p5 = lt != p3;
    ASSERT_EQ(out[i][0], p1);
    ASSERT_EQ(out[i][1], p2);
    ASSERT_EQ(out[i][2], p4);
    ASSERT_EQ(out[i][3], p5);
    ASSERT_EQ(out[i][4], !((p1 && p3) != (p4 || p2)));
  }
}

/* ---- memory ---- */

TEST(MemoryTest, VectorsOfAllWidths) {
  auto in = Inputs(32);
  auto out = RunBody(
      "ld.global.v4.u8 {%r1, %r2, %r3, %r4}, [%i];\nld.global.v2.s8 {%r5, %r6}, [%i+4];\nld.global.v2.u16 {%h1, "
      "%h2}, [%i+8];\n"
      "ld.global.v2.u64 {%d1, %d2}, [%i+16];\nadd.u32 %r1, %r1, %r5;\nst.global.v4.u8 [%o], {%r4, %r3, %r2, %r1};\n"
      "st.global.v2.u8 [%o+4], {%r6, %r5};\nst.global.v2.u16 [%o+8], {%h2, %h1};\nst.global.v2.u64 [%o+16], {%d2, "
      "%d1};\n"
      "ld.global.s16 %r7, [%i+12];\nst.global.u16 [%o+12], %r7;\nst.global.u8 [%o+14], %r7;",
      in);
  for (size_t i = 0; i < in.size(); i++) {
    uint8_t s[32], d[32];
    memcpy(s, in[i].data(), 32);
    memcpy(d, out[i].data(), 32);
    EXPECT_EQ(d[0], s[3]);
    EXPECT_EQ(d[2], s[1]);
    EXPECT_EQ(d[3], uint8_t(s[0] + s[4]));
    EXPECT_EQ(d[4], s[5]);
    EXPECT_EQ(d[5], s[4]);
    EXPECT_EQ(0, memcmp(d + 8, s + 10, 2));
    EXPECT_EQ(0, memcmp(d + 10, s + 8, 2));
    EXPECT_EQ(0, memcmp(d + 16, s + 24, 8));
    EXPECT_EQ(0, memcmp(d + 24, s + 16, 8));
    EXPECT_EQ(0, memcmp(d + 12, s + 12, 2));
    EXPECT_EQ(d[14], s[12]);
  }
}

TEST(MemoryTest, ParametersAndConstantsOfAllWidths) {
  px::Module m(
      ".version 7.0\n.target sm_70\n.address_size 64\n.const .align 4 .u32 tab[3] = {11, 22, 33};\n.const .s16 neg = "
      "-5;\n"
      ".visible .entry k(.param .u64 o, .param .u8 a, .param .s16 b, .param .align 8 .b8 s[24]) {\n"
      ".reg .b32 %r<9>; .reg .b16 %h<4>; .reg .b64 %d<9>;\n"
      "ld.param.u64 %d1, [o]; ld.param.u8 %h1, [a]; cvt.u32.u16 %r1, %h1; ld.param.s16 %r2, [b];\n"
      "ld.param.v2.u32 {%r3, %r4}, [s+8]; ld.param.u64 %d2, [s+16]; ld.const.u32 %r5, [tab+8]; ld.const.s16 %r6, "
      "[neg];\n"
      "st.global.v4.u32 [%d1], {%r1, %r2, %r3, %r4}; st.global.u64 [%d1+16], %d2; st.global.v2.u32 [%d1+24], {%r5, "
      "%r6}; ret; }");
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  ASSERT_EQ(m.obj->kernels[0].num_params, 4u);
  px::Args a;
  a.Add(px::kBase)
      .Add(uint8_t(200))
      .Add(int16_t(-300))
      .Add(uint64_t(1))
      .Add(uint64_t(0x1122334455667788))
      .Add(uint64_t(99));
  px::Memory mem(64);
  px::Run(m, "k", {1}, {1}, 0, a, &mem);
  const uint32_t *o = mem.At<uint32_t>(0);
  EXPECT_EQ(o[0], 200u);
  EXPECT_EQ(int32_t(o[1]), -300);
  EXPECT_EQ(o[2], 0x55667788u);
  EXPECT_EQ(o[3], 0x11223344u);
  EXPECT_EQ(o[4], 99u);
  EXPECT_EQ(o[6], 33u);
  EXPECT_EQ(int32_t(o[7]), -5);
  ASSERT_EQ(m.obj->num_vars, 2u);
  EXPECT_STREQ(m.obj->vars[0].name, "tab");
}

TEST(MemoryTest, SharedVariablesAreLaidOutApart) {
  px::Module m(
      ".version 7.0\n.target sm_70\n.address_size 64\n.extern .shared .align 16 .b8 dyn[];\n.shared .align 4 .b8 "
      "unused[4000];\n"
      ".shared .align 2 .b8 small[6];\n.shared .align 16 .b8 big[32];\n"
      ".visible .entry k(.param .u64 o) .maxntid 64, 1, 1 {\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n"
      "mov.u32 %r1, small; mov.u32 %r2, big; mov.u32 %r3, dyn; ld.param.u64 %d1, [o];\n"
      "st.global.v2.u32 [%d1], {%r1, %r2}; st.global.u32 [%d1+8], %r3; ret; }\n"
      ".visible .entry none() .reqntid 8, 4 { ret; }");
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  px::Memory mem(64);
  px::Args a;
  a.Add(px::kBase);
  px::Run(m, "k", {1}, {1}, 64, a, &mem);
  EXPECT_EQ(*mem.At<uint32_t>(4), 0u);
  EXPECT_EQ(*mem.At<uint32_t>(0), 32u);
  EXPECT_EQ(*mem.At<uint32_t>(8), 48u);
  EXPECT_EQ(m.obj->kernels[0].shared_bytes, 48u);
  EXPECT_TRUE(m.obj->kernels[0].uses_dyn_shared);
  EXPECT_EQ(m.obj->kernels[0].max_threads, 64u);
  EXPECT_EQ(m.obj->kernels[1].shared_bytes, 0u);
  EXPECT_EQ(m.obj->kernels[1].max_threads, 32u);
  EXPECT_EQ(m.obj->kernels[1].req_ntid[1], 4u);
}

/* ---- sequences ---- */

TEST(DivisionTest, IntegersMatchC) {
  const uint32_t v[] = {1,          2,          3,          7,          10,         255,        65535,     65536,
                        0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x00ffffff, 0x01000001};
  std::vector<std::array<uint32_t, 8>> in(1024);
  for (uint32_t round = 0; round < 20; round++) {
    for (uint32_t i = 0; i < 1024; i++) {
      uint32_t a = (i + 1024 * round) * 2654435761u, b = (a ^ 0x5bd1e995u) * 2246822519u;
      if (round == 0) a = v[i % 15], b = v[i / 15 % 15];
      if (round == 1) a = v[i % 15] * b - i % 3;
      if (i % 4 == 1) b >>= round;
      if (i % 4 == 2) a >>= round;
      in[i][0] = a;
      in[i][1] = b == 0 ? 5 : b;
    }
    auto out = RunBody(
        "ld.global.v2.u32 {%r1, %r2}, [%i];\ndiv.u32 %r3, %r1, %r2;\nrem.u32 %r4, %r1, %r2;\n"
        "div.s32 %r5, %r1, %r2;\nrem.s32 %r6, %r1, %r2;\nst.global.v4.u32 [%o], {%r3, %r4, %r5, %r6};",
        in);
    for (size_t i = 0; i < in.size(); i++) {
      uint32_t a = in[i][0], b = in[i][1];
      int64_t sa = int32_t(a), sb = int32_t(b);
      ASSERT_EQ(out[i][0], a / b) << a << " / " << b;
      ASSERT_EQ(out[i][1], a % b);
      ASSERT_EQ(out[i][2], uint32_t(sa / sb)) << sa << " / " << sb;
      ASSERT_EQ(out[i][3], uint32_t(sa % sb));
    }
  }
}

/* ---- shuffles and barriers ---- */

TEST(ShuffleTest, ModesWithPredicates) {
  auto in = Inputs(32);
  auto out = RunBody(
      "ld.global.u32 %r1, [%i];\nmov.u32 %r2, 3;\nmov.u32 %r3, 7199;\n" /* 7199 = 0x1c1f: width 8... */
      "shfl.sync.up.b32 %r4|%p1, %r1, %r2, 0, -1;\nshfl.sync.idx.b32 %r5|%p2, %r1, 9, 31, 0xffffffff;\n"
      "shfl.sync.bfly.b32 %r6, %r1, %r2, %r3, -1;\nshfl.sync.down.b32 %r7|%p3, %r1, 30, 31, -1;\n"
      "selp.u32 %r8, 1, 0, %p1;\nselp.u32 %r9, 2, 0, %p2;\nselp.u32 %r10, 4, 0, %p3;\nor.b32 %r8, %r8, %r9;\n"
      "or.b32 %r8, %r8, %r10;\nst.global.v4.u32 [%o], {%r4, %r5, %r6, %r7};\nst.global.u32 [%o+16], %r8;",
      in);
  for (size_t i = 0; i < 32; i++) {
    EXPECT_EQ(out[i][0], in[i >= 3 ? i - 3 : i][0]);
    EXPECT_EQ(out[i][1], in[9][0]);
    EXPECT_EQ(out[i][2], in[i ^ 3][0]);
    EXPECT_EQ(out[i][3], in[i + 30 < 32 ? i + 30 : i][0]);
    EXPECT_EQ(out[i][4], (i >= 3 ? 1u : 0u) | 2u | (i < 2 ? 4u : 0u));
  }
}

TEST(BarrierTest, NumbersAndCounts) {
  px::Module m(px::Kernel(
      ".shared .align 4 .b8 s[512];\nmov.u32 %r1, s;\nmad.lo.u32 %r2, %r59, 4, %r1;\nmov.u32 %r9, %tid.x;\n"
      "setp.lt.u32 %p1, %r9, 64;\nmov.u32 %r5, 128;\n@%p1 bra.uni W;\n"
      "bar.sync 3, 128;\nld.shared.u32 %r3, [%r2+-256];\nbar.arrive 4, %r5;\nbra.uni D;\n"
      "W:\nmul.lo.u32 %r3, %r59, 10;\nst.shared.u32 [%r2], %r3;\nbar.arrive 3, 128;\nbarrier.sync.aligned 4, 128;\n"
      "D:\nst.global.u32 [%o], %r3;"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(m.obj->kernels[0].barriers, 5u);
  px::Memory mem(2 * 32 * 128);
  px::Args a;
  a.Add(px::kBase).Add(px::kBase);
  px::Run(m, "k", {1}, {128}, 0, a, &mem);
  for (uint32_t i = 0; i < 128; i++) EXPECT_EQ(*mem.At<uint32_t>(32 * i), i % 64 * 10);
}

/* ---- container ---- */

TEST(ContainerTest, LinesFollowLoc) {
  px::Module m(
      ".version 7.0\n.target sm_70\n.address_size 64\n.file 1 \"dir/a.cu\"\n.file 2 \"dir/b.h\", 123, 456\n"
      ".visible .entry k(.param .u64 o) {\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n.loc 1 10 3\nld.param.u64 %d1, "
      "[o];\nmov.u32 %r1, %tid.x;\n"
      ".loc 2 77 1, function_name $L__info0, inlined_at 1 11 5\nmul.lo.u32 %r1, %r1, %r1;\n.loc 1 12 "
      "0\nst.global.u32 [%d1], %r1;\nret; }");
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  std::vector<wg_insn_t> w = Words(m);
  bool seen = false;
  for (size_t i = 0; i < w.size(); i++) {
    const char *file;
    unsigned line;
    ASSERT_TRUE(wg_obj_line_of(m.obj, uint32_t(16 * i), &file, &line));
    if (w[i].op == kWgOp_IMAD) {
      EXPECT_STREQ(file, "dir/b.h");
      EXPECT_EQ(line, 77u);
      seen = true;
    } else if (w[i].op == kWgOp_STG) {
      EXPECT_STREQ(file, "dir/a.cu");
      EXPECT_EQ(line, 12u);
    }
  }
  EXPECT_TRUE(seen);
}

TEST(ContainerTest, SameTextSameWords) {
  std::string text = px::ReadFile("testbench/unit/ptx/data/mm_tiled.nvcc.ptx");
  px::Module a(text), b(text);
  ASSERT_EQ(a.status, kWgOk);
  ASSERT_EQ(a.obj->kernels[0].num_insns, b.obj->kernels[0].num_insns);
  EXPECT_EQ(0,
            memcmp(a.obj->kernels[0].code, b.obj->kernels[0].code, a.obj->kernels[0].num_insns * sizeof(wg_word_t)));
  EXPECT_STREQ(a.obj->ptx, text.c_str());
}

/* As nvcc 12 on an H200 has the reduction of a warp through volatile shared memory: lanes read what others wrote. */
TEST(ScheduleTest, VolatileAccessesKeepTheirOrder) {
  const char *body = "st.volatile.shared.u32 [%r59], %r1;\nst.volatile.shared.u32 [%r59+128], %r2;\n"
                     "ld.volatile.shared.u32 %r3, [%r59+64];\nst.volatile.global.u32 [%o], %r4;\n"
                     "ld.volatile.shared.u32 %r5, [%r59];\nadd.u32 %r6, %r3, %r5;\n"
                     "st.volatile.shared.u32 [%r59+4], %r6;\nld.relaxed.gpu.global.u32 %r7, [%o+8];\n"
                     "st.global.u32 [%o+4], %r7;\n";
  px::Module m(px::Kernel(body));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  std::string order;
  for (const wg_insn_t &in : Words(m)) {
    if (in.op == kWgOp_STS) order += "S" + std::to_string(in.imm) + " ";
    if (in.op == kWgOp_LDS) order += "L" + std::to_string(in.imm) + " ";
    if (in.op == kWgOp_STG) order += "s" + std::to_string(in.imm) + " ";
    if (in.op == kWgOp_LDG && in.imm == 8) order += "l8 ";
  }
  EXPECT_EQ(order, "S0 S128 L64 s0 L0 S4 l8 s4 ");
}

TEST(ScheduleTest, LoadsMoveTogether) {
  std::string body;
  for (int i = 0; i < 4; i++) {
    std::string n = std::to_string(i + 1);
    body += "ld.global.nc.f32 %f" + n + ", [%i+" + std::to_string(4 * i) + "];\nmul.f32 %f" + n + ", %f" + n +
            ", 0f40400000;\n"
            "st.shared.f32 [%r59+" +
            std::to_string(4 * i) + "], %f" + n + ";\n";
  }
  for (unsigned options : {0u, 1u}) {
    wg_ptx_options_t opt = px::Options(options);
    px::Module m(px::Kernel(body), &opt);
    ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
    std::vector<wg_insn_t> w = Words(m);
    size_t first_use = w.size(), last_load = 0;
    for (size_t i = 0; i < w.size(); i++) {
      if (w[i].op == kWgOp_FMUL && first_use == w.size()) first_use = i;
      if (w[i].op == kWgOp_LDG) last_load = i;
    }
    EXPECT_EQ(last_load < first_use, options == 0);
  }
}

} // namespace
