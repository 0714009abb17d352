// SPDX-License-Identifier: Apache-2.0
//
// sm_pipe_int against the golden model (every instruction of the pipe, random and corner operands, all modifiers,
// random masks and gaps) and against silicon. Run in the root of the repository; SEED=n repeats a run.
// bench: top sm_pipe_int -GLanes=4
// bench: link isa/wg_isa.c model/ref/ref_exec*.c model/ref/ref_fp*.c model/ref/ref_mufu.c model/ref/ref_half*.c model/ref/ref_cvt*.c model/ref/ref_mma*.c
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "Vtop.h"
#include "model/ref/wg_ref.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kLanes = 4;
constexpr unsigned kLatency = 4;

struct Beat {
  wg_insn_t insn;
  uint32_t a[32], b[32], c[32], c1[32];
  uint32_t p, q, mask;
};

struct Once {
  uint64_t d;
  bool p0, p1;
};

class PipeInt : public ::testing::Test {
 protected:
  VerilatedContext ctx_;
  std::unique_ptr<Vtop> dut_{new Vtop(&ctx_)};

  void SetUp() override {
    dut_->rst_ni = 0;
    dut_->en_i = 0;
    for (int i = 0; i < 4; i++) clock();
    dut_->rst_ni = 1;
  }
  void settle() {
    dut_->clk_i = 0;
    dut_->eval();
  }
  void clock() {
    settle();
    dut_->clk_i = 1;
    dut_->eval();
  }
  void drive(const Beat &x) {
    dut_->en_i = 1;
    dut_->mask_i = static_cast<uint8_t>(x.mask);
    dut_->op_i = x.insn.op;
    dut_->mods_i = x.insn.mods;
    dut_->p0_i = x.p & 15u;
    dut_->p1_i = x.q & 15u;
    for (unsigned l = 0; l < kLanes; l++) {
      dut_->a_i[l] = x.a[l];
      dut_->b_i[l] = x.b[l];
      dut_->c_i[2 * l] = x.c[l];
      dut_->c_i[2 * l + 1] = x.c1[l];
    }
  }
  /** One operation in lane 0. */
  Once once(uint8_t op, unsigned mods, uint32_t a, uint32_t b, uint64_t c, bool p = true, bool q = true) {
    Beat x = {};
    x.insn.op = op;
    x.insn.mods = static_cast<uint16_t>(mods);
    x.a[0] = a, x.b[0] = b, x.c[0] = uint32_t(c), x.c1[0] = uint32_t(c >> 32), x.mask = 1, x.p = p, x.q = q;
    drive(x);
    settle();
    Once r = {0, (dut_->pd0_o & 1u) != 0, (dut_->pd1_o & 1u) != 0};
    clock();
    dut_->en_i = 0;
    for (unsigned i = 1; i < kLatency; i++) clock();
    r.d = uint64_t(dut_->res_o[1]) << 32 | dut_->res_o[0];
    return r;
  }
};

const struct {
  uint8_t op;
  uint16_t mods;  // modifier bits the instruction knows
  bool is_float;
} kOps[] = {{kWgOp_MOV, 0, false},      {kWgOp_IADD3, 0x270, false}, {kWgOp_IMAD, 0x47, false},
            {kWgOp_IMAD, 0x47, false},  {kWgOp_ISETP, 0x7f, false},  {kWgOp_LOP3, 0xff, false},
            {kWgOp_SHF, 0x1f, false},   {kWgOp_PRMT, 0, false},      {kWgOp_SEL, 0, false},
            {kWgOp_IMNMX, 1, false},    {kWgOp_FSETP, 0x7ff, true},  {kWgOp_FMNMX, 0x1b4, true},
            {kWgOp_FCHK, 0x1b0, true},  {kWgOp_PLOP3, 0xf, false},
            {kWgOp_IDP, 0xf, false},    {kWgOp_IDP, 0xf, false}};

Beat random_beat(bench::Rng &r) {
  Beat x = {};
  const auto &k = kOps[r.below(sizeof kOps / sizeof kOps[0])];
  x.insn.op = k.op;
  x.insn.mods = static_cast<uint16_t>(r.next() & k.mods);
  // Undefined modifier values never reach the pipe.
  if (k.op == kWgOp_IDP && (x.insn.mods & 3u) == 3u) x.insn.mods &= 0xfffeu;
  if (k.op == kWgOp_IMAD && (x.insn.mods & 3u) == 3u) x.insn.mods &= 0xfffeu;
  if (k.op == kWgOp_ISETP && (x.insn.mods >> 3 & 3u) == 3u) x.insn.mods &= 0xffefu;
  if (k.op == kWgOp_FSETP && (x.insn.mods >> 4 & 3u) == 3u) x.insn.mods &= 0xffdfu;
  x.mask = r.chance(50) ? 15u : r.below(16);
  x.p = r.below(16);
  x.q = r.below(16);
  for (unsigned l = 0; l < kLanes; l++) {
    uint32_t near = 1 + r.below(253);
    x.a[l] = k.is_float ? bench::random_float(r, near) : bench::random_int(r);
    x.b[l] = k.is_float ? bench::random_float(r, near) : bench::random_int(r);
    x.c[l] = bench::random_int(r);
    x.c1[l] = bench::random_int(r);
    if (r.chance(20)) x.b[l] = x.a[l] ^ (k.is_float && r.chance(50) ? 0x80000000u : 0u);
    // Exponent differences at the edges of FCHK.
    if (k.op == kWgOp_FCHK && r.chance(50)) {
      uint32_t e = (x.a[l] >> 23 & 255u) + (r.chance(50) ? 124u + r.below(4) : 256u - 125u - r.below(4));
      x.b[l] = (x.b[l] & 0x807fffffu) | (e & 255u) << 23;
    }
  }
  return x;
}

::testing::Message about(const Beat &x, unsigned l) {
  return ::testing::Message() << std::hex << "lane " << l << " op " << int(x.insn.op) << " mods " << x.insn.mods
                              << " a " << x.a[l] << " b " << x.b[l] << " c " << x.c1[l] << ":" << x.c[l] << " p "
                              << (x.p >> l & 1) << " q " << (x.q >> l & 1) << " mask " << x.mask;
}

TEST_F(PipeInt, MatchesTheGoldenModel) {
  bench::Rng r(2);
  struct Want {
    uint64_t cycle;
    Beat x;
    wg_ref_out_t out;
  };
  std::deque<Want> queue;
  for (uint64_t t = 0; t < 2000000; t++) {
    dut_->en_i = 0;
    uint32_t mask = 0;
    if (r.chance(90)) {
      Want w;
      w.cycle = t + kLatency;
      w.x = random_beat(r);
      mask = w.x.mask;
      wg_ref_in_t in = {};
      in.a = w.x.a, in.b = w.x.b, in.c = w.x.c, in.c1 = w.x.c1;
      in.p = w.x.p, in.q = w.x.q, in.exec = mask;
      ASSERT_TRUE(wg_ref_exec(&w.x.insn, &in, &w.out));
      drive(w.x);
      settle();
      for (unsigned l = 0; l < kLanes; l++) {
        if ((mask >> l & 1u) == 0) continue;
        if (w.out.wr_p0) ASSERT_EQ(dut_->pd0_o >> l & 1u, w.out.p0 >> l & 1u) << about(w.x, l);
        if (w.out.wr_p1) ASSERT_EQ(dut_->pd1_o >> l & 1u, w.out.p1 >> l & 1u) << about(w.x, l);
      }
      queue.push_back(w);
    } else {
      settle();
    }
    ASSERT_EQ((dut_->pd0_o | dut_->pd1_o) & ~mask, 0u) << "predicates of lanes that do not run";
    uint32_t before[2 * kLanes];
    for (unsigned i = 0; i < 2 * kLanes; i++) before[i] = dut_->res_o[i];
    clock();
    bool due = !queue.empty() && queue.front().cycle == t + 1;
    for (unsigned l = 0; l < kLanes; l++) {
      if (due && (queue.front().x.mask >> l & 1u) != 0) {
        const Want &w = queue.front();
        if (w.out.wr) ASSERT_EQ(dut_->res_o[2 * l], w.out.d[l]) << about(w.x, l);
        if (w.out.wide) ASSERT_EQ(dut_->res_o[2 * l + 1], w.out.d1[l]) << about(w.x, l);
      } else if (t > 100) {
        ASSERT_EQ(dut_->res_o[2 * l], before[2 * l]) << "an idle lane moved";
      }
    }
    if (due) queue.pop_front();
  }
}

TEST_F(PipeInt, ResetEmptiesThePipe) {
  ASSERT_EQ(once(kWgOp_MOV, 0, 0, 5, 0).d & 0xffffffffu, 5u);
  Beat x = {};
  x.insn.op = kWgOp_MOV;
  x.mask = 1;
  drive(x);
  clock();
  dut_->en_i = 0;
  dut_->rst_ni = 0;
  clock();
  dut_->rst_ni = 1;
  for (int i = 0; i < 6; i++) {
    clock();
    EXPECT_EQ(dut_->res_o[0], 5u);
  }
}

// Each PTX form of silicon's table as one or two of our instructions.
constexpr unsigned kHi = 1, kWide = 2, kU32 = 1u << kWgModLsb_IMADU, kShHi = 1u << kWgModLsb_SHHI;
constexpr unsigned kRight = 1, kWrap = 2, kS32 = 1u << kWgModLsb_SHTYPE;

TEST_F(PipeInt, MatchesSiliconBinary) {
  bench::Table t("int32_binary.csv");
  ASSERT_GE(t.rows(), 200u);
  ASSERT_GE(t.names().size(), 30u);
  for (size_t k = 2; k < t.names().size(); k++) {
    const std::string &n = t.names()[k];
    auto is = [&n](const char *s) { return n == s; };
    for (size_t i = 0; i < t.rows(); i++) {
      uint32_t a = uint32_t(t.at(i, 0)), b = uint32_t(t.at(i, 1));
      uint64_t r;
      uint64_t m = 0xffffffffu;
      if (is("add.u32")) r = once(kWgOp_IADD3, 0, a, b, 0).d & m;
      else if (is("sub.u32")) r = once(kWgOp_IADD3, kWgMark_NB, a, b, 0).d & m;
      else if (is("mul.lo.u32")) r = once(kWgOp_IMAD, 0, a, b, 0).d & m;
      else if (is("mul.hi.u32")) r = once(kWgOp_IMAD, kHi | kU32, a, b, 0).d & m;
      else if (is("mul.hi.s32")) r = once(kWgOp_IMAD, kHi, a, b, 0).d & m;
      else if (is("mul.wide.u32")) r = once(kWgOp_IMAD, kWide | kU32, a, b, 0).d;
      else if (is("mul.wide.s32")) r = once(kWgOp_IMAD, kWide, a, b, 0).d;
      else if (is("shl.b32")) r = once(kWgOp_SHF, 0, a, b, 0).d & m;
      else if (is("shr.u32")) r = once(kWgOp_SHF, kRight | kShHi, 0, b, a).d & m;
      else if (is("shr.s32")) r = once(kWgOp_SHF, kRight | kShHi | kS32, 0, b, a).d & m;
      else if (is("and.b32")) r = once(kWgOp_LOP3, 0xc0, a, b, 0).d & m;
      else if (is("or.b32")) r = once(kWgOp_LOP3, 0xfc, a, b, 0).d & m;
      else if (is("xor.b32")) r = once(kWgOp_LOP3, 0x3c, a, b, 0).d & m;
      else if (is("min.u32")) r = once(kWgOp_IMNMX, 1, a, b, 0, true).d & m;
      else if (is("min.s32")) r = once(kWgOp_IMNMX, 0, a, b, 0, true).d & m;
      else if (is("max.u32")) r = once(kWgOp_IMNMX, 1, a, b, 0, false).d & m;
      else if (is("max.s32")) r = once(kWgOp_IMNMX, 0, a, b, 0, false).d & m;
      else if (n.rfind("setp", 0) == 0) {
        static const std::map<std::string, unsigned> cmp = {{"eq", 2}, {"ne", 5}, {"lt", 1}, {"le", 3}, {"gt", 4},
                                                            {"ge", 6}, {"lo", 1}, {"ls", 3}, {"hi", 4}, {"hs", 6}};
        unsigned u = n.find("u32") != std::string::npos ? 1u << kWgModLsb_IU32 : 0u;
        r = once(kWgOp_ISETP, cmp.at(n.substr(5, 2)) | u, a, b, 0).p0;
      } else if (is("add.cc.u32+addc.u32")) {
        Once lo = once(kWgOp_IADD3, 0, a, b, 0);
        r = once(kWgOp_IADD3, 1u << kWgModLsb_X, 0xffffffffu, 0, 0, lo.p0).d << 32 | (lo.d & m);
      } else if (is("sub.cc.u32+subc.u32")) {
        Once lo = once(kWgOp_IADD3, kWgMark_NB, a, b, 0);
        r = once(kWgOp_IADD3, kWgMark_NB | 1u << kWgModLsb_X, 0, 0, 0, lo.p0).d << 32 | (lo.d & m);
      } else {
        FAIL() << "no rule for column " << n;
      }
      EXPECT_EQ(r, t.at(i, k)) << n << std::hex << " a " << a << " b " << b;
    }
  }
}

TEST_F(PipeInt, MatchesSiliconTernary) {
  bench::Table t("int32_ternary.csv");
  ASSERT_GE(t.rows(), 300u);
  ASSERT_GE(t.names().size(), 20u);
  for (size_t k = 3; k < t.names().size(); k++) {
    const std::string &n = t.names()[k];
    auto is = [&n](const char *s) { return n == s; };
    for (size_t i = 0; i < t.rows(); i++) {
      uint32_t a = uint32_t(t.at(i, 0)), b = uint32_t(t.at(i, 1)), c = uint32_t(t.at(i, 2));
      uint64_t wide = uint64_t(c) << 32 | (a ^ b), r, m = 0xffffffffu;  // the table's 64-bit addend
      if (is("mad.lo.u32")) r = once(kWgOp_IMAD, 0, a, b, c).d & m;
      else if (is("mad.hi.u32")) r = once(kWgOp_IMAD, kHi | kU32, a, b, c).d & m;
      else if (is("mad.hi.s32")) r = once(kWgOp_IMAD, kHi, a, b, c).d & m;
      else if (is("mad.wide.u32")) r = once(kWgOp_IMAD, kWide | kU32, a, b, wide).d;
      else if (is("mad.wide.s32")) r = once(kWgOp_IMAD, kWide, a, b, wide).d;
      else if (is("shf.l.wrap.b32")) r = once(kWgOp_SHF, kWrap | kShHi, a, c, b).d & m;
      else if (is("shf.l.clamp.b32")) r = once(kWgOp_SHF, kShHi, a, c, b).d & m;
      else if (is("shf.r.wrap.b32")) r = once(kWgOp_SHF, kRight | kWrap, a, c, b).d & m;
      else if (is("shf.r.clamp.b32")) r = once(kWgOp_SHF, kRight, a, c, b).d & m;
      else if (is("prmt.b32")) r = once(kWgOp_PRMT, 0, a, c, b).d & m;
      else if (n.rfind("lop3", 0) == 0)
        r = once(kWgOp_LOP3, unsigned(std::stoul(n.substr(9), nullptr, 16)), a, b, c).d & m;
      else FAIL() << "no rule for column " << n;
      EXPECT_EQ(r, t.at(i, k)) << n << std::hex << " " << a << " " << b << " " << c;
    }
  }
}

TEST_F(PipeInt, MatchesSiliconFloat) {
  bench::Table t("f32_binary.csv");
  static const std::map<std::string, unsigned> cmp = {
      {"lt", 1}, {"eq", 2}, {"le", 3}, {"gt", 4}, {"ne", 5}, {"ge", 6}, {"num", 7}, {"nan", 8},
      {"ltu", 9}, {"equ", 10}, {"leu", 11}, {"gtu", 12}, {"neu", 13}, {"geu", 14}};
  unsigned compared = 0;
  for (size_t k = 2; k < t.names().size(); k++) {
    const std::string &n = t.names()[k];
    bool ftz = n.find(".ftz") != std::string::npos;
    for (size_t i = 0; i < t.rows(); i++) {
      uint32_t a = uint32_t(t.at(i, 0)), b = uint32_t(t.at(i, 1));
      uint64_t r;
      if (n.rfind("setp", 0) == 0) {
        unsigned f = cmp.at(n.substr(5, n.find('.', 5) - 5));
        r = once(kWgOp_FSETP, f | unsigned(ftz) << kWgModLsb_SFTZ, a, b, 0).p0;
      } else if (n.rfind("min", 0) == 0 || n.rfind("max", 0) == 0) {
        r = once(kWgOp_FMNMX, unsigned(ftz) << kWgModLsb_FTZ, a, b, 0, n[1] == 'i').d & 0xffffffffu;
      } else {
        continue;
      }
      EXPECT_EQ(r, t.at(i, k)) << n << std::hex << " a " << a << " b " << b;
      compared++;
    }
  }
  EXPECT_GE(compared, 20u * 200u);
}

}  // namespace
