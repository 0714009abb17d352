// SPDX-License-Identifier: Apache-2.0
//
// Local memory: registers spilled under a limit, .local variables, and what stands in the manifest about them. Every
// program runs on the golden model; results are those of plain C.
#include <algorithm>
#include <random>

#include "testbench/unit/ptx/px_run.h"

namespace {

using Row = std::array<uint32_t, 8>;

std::vector<Row> Inputs(size_t n) {
  std::vector<Row> v(n);
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < 8; k++) v[i][k] = uint32_t((i * 8 + k + 1) * 2654435761u);
  }
  return v;
}

int Count(const px::Module &m, uint8_t op) {
  int n = 0;
  for (uint32_t i = 0; i < m.obj->kernels[0].num_insns; i++) n += uint8_t(m.obj->kernels[0].code[i].lo) == op;
  return n;
}

/** Run a compiled k(out, in) for 32 threads. */
std::vector<Row> RunRows(const px::Module &m, const std::vector<Row> &in) {
  std::vector<Row> out(in.size());
  size_t half = 32 * in.size();
  px::Memory mem(2 * half);
  for (size_t i = 0; i < in.size(); i++) memcpy(mem.At<uint8_t>(32 * i), in[i].data(), 32);
  px::Args a;
  a.Add(px::kBase + half).Add(px::kBase);
  px::Run(m, "k", {1}, {uint32_t(in.size())}, 0, a, &mem);
  for (size_t i = 0; i < in.size(); i++) memcpy(out[i].data(), mem.At<uint8_t>(half + 32 * i), 32);
  return out;
}

/** All values live across a barrier: n of them. */
std::string ManyLive(int n) {
  std::string body;
  for (int i = 1; i <= n; i++) body += "ld.volatile.global.u32 %r" + std::to_string(i) + ", [%i];\n";
  for (int i = 1; i <= n; i++) {
    std::string r = "%r" + std::to_string(i);
    body += "add.u32 " + r + ", " + r + ", " + std::to_string(i * 1000) + ";\n";
  }
  body += "bar.sync 0;\nmov.u32 %r0, 0;\n";
  for (int i = 1; i <= n; i++) body += "mad.lo.u32 %r0, %r0, 3, %r" + std::to_string(i) + ";\n";
  return body + "st.global.u32 [%o], %r0;";
}

class SpillLimitTest : public testing::TestWithParam<unsigned> {};

TEST_P(SpillLimitTest, ManyLiveValues) {
  wg_ptx_options_t opt = px::Options(GetParam() << 8);
  px::Module m(px::Kernel(ManyLive(50)), &opt);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  const wg_obj_kernel_t &k = m.obj->kernels[0];
  EXPECT_LE(k.regs, GetParam());
  EXPECT_GE(k.spills + GetParam(), 50u); // the values must be somewhere
  EXPECT_EQ(k.local_bytes, 4 * k.spills);
  EXPECT_LE(k.spills, 60u);
  EXPECT_GT(Count(m, kWgOp_LDL), 0);
  auto in = Inputs(32);
  auto out = RunRows(m, in);
  for (size_t t = 0; t < in.size(); t++) {
    uint32_t want = 0;
    for (uint32_t i = 1; i <= 50; i++) want = want * 3 + in[t][0] + i * 1000;
    ASSERT_EQ(out[t][0], want) << t;
  }
}
INSTANTIATE_TEST_SUITE_P(Limits, SpillLimitTest, testing::Values(40u, 24u, 16u, 10u, 8u));

TEST(SpillTest, NothingIsSpilledWithoutNeed) {
  px::Module m(px::Kernel(ManyLive(50)));
  ASSERT_EQ(m.status, kWgOk);
  EXPECT_EQ(m.obj->kernels[0].spills, 0u);
  EXPECT_EQ(m.obj->kernels[0].local_bytes, 0u);
  EXPECT_EQ(Count(m, kWgOp_LDL) + Count(m, kWgOp_STL), 0);
}

TEST(SpillTest, MaxnregIsALimit) {
  std::string text = px::Kernel(ManyLive(50));
  text.insert(text.find("\n{"), "\n.maxnreg 20");
  px::Module m(text);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_LE(m.obj->kernels[0].regs, 20u);
  EXPECT_GT(m.obj->kernels[0].spills, 0u);
}

// More than 255 live values need no option.
TEST(SpillTest, MoreThanTheMachineHas) {
  std::string body = ".reg .b32 %x<301>;\n";
  for (int i = 1; i <= 300; i++) body += "ld.volatile.global.u32 %x" + std::to_string(i) + ", [%i+4];\n";
  body += "bar.sync 0;\nmov.u32 %r0, 0;\n";
  for (int i = 1; i <= 300; i++) body += "mad.lo.u32 %r0, %r0, 5, %x" + std::to_string(i) + ";\n";
  px::Module m(px::Kernel(body + "st.global.u32 [%o], %r0;"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_GE(m.obj->kernels[0].spills, 45u);
  auto in = Inputs(32);
  auto out = RunRows(m, in);
  for (size_t t = 0; t < in.size(); t++) {
    uint32_t want = 0;
    for (int i = 0; i < 300; i++) want = want * 5 + in[t][1];
    ASSERT_EQ(out[t][0], want);
  }
}

// Values of a loop are dearer than those around it, although these have more accesses in the text.
TEST(SpillTest, LoopsKeepTheirRegisters) {
  std::string body;
  for (int i = 1; i <= 20; i++) body += "ld.volatile.global.u32 %r" + std::to_string(i) + ", [%i];\n";
  body += "mov.u32 %r40, 0;\nmov.u32 %r41, 1;\nmov.u32 %r42, %r59;\n"
          "L:\nadd.u32 %r40, %r40, 1;\nmad.lo.u32 %r41, %r41, %r42, %r40;\nxor.b32 %r42, %r42, %r41;\n"
          "setp.lt.u32 %p1, %r40, 9;\n@%p1 bra L;\nmov.u32 %r0, %r41;\n";
  for (int i = 0; i < 200; i++) body += "mad.lo.u32 %r0, %r0, 3, %r" + std::to_string(i % 20 + 1) + ";\n";
  wg_ptx_options_t opt = px::Options(12u << 8);
  px::Module m(px::Kernel(body + "st.global.u32 [%o], %r0;"), &opt);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_GT(m.obj->kernels[0].spills, 8u);
  bool in_loop = false;
  uint32_t target = 0, at = 0;
  for (uint32_t i = 0; i < m.obj->kernels[0].num_insns; i++) { /* the one backward branch */
    wg_insn_t w;
    ASSERT_EQ(wg_decode(m.obj->kernels[0].code[i], &w), kWgOk);
    if (w.op != kWgOp_BRA || int32_t(w.imm) >= 0) continue;
    at = i;
    target = uint32_t(int32_t(i) + 1 + int32_t(w.imm) / 16);
    in_loop = true;
  }
  ASSERT_TRUE(in_loop);
  for (uint32_t i = target; i < at; i++) {
    uint8_t op = uint8_t(m.obj->kernels[0].code[i].lo);
    EXPECT_TRUE(op != kWgOp_LDL && op != kWgOp_STL) << i;
  }
  auto in = Inputs(32);
  auto out = RunRows(m, in);
  for (size_t t = 0; t < in.size(); t++) {
    uint32_t a = 0, b = 1, c = uint32_t(t);
    for (int i = 0; i < 9; i++) a++, b = b * c + a, c ^= b;
    for (int i = 0; i < 200; i++) b = b * 3 + in[t][0];
    ASSERT_EQ(out[t][0], b) << t;
  }
}

// A shuffle that overwrites its own guard: the store behind it cannot use that guard.
TEST(SpillTest, GuardThatItsInstructionOverwrites) {
  std::string body = "and.b32 %r50, %r59, 1;\nsetp.ne.u32 %p1, %r50, 0;\n"
                     "ld.global.u32 %r40, [%i+4];\nld.global.u32 %r41, [%i+8];\n"
                     "@%p1 shfl.sync.up.b32 %r40|%p1, %r41, 2, 0, -1;\nselp.b32 %r41, %r41, 1, %p1;\nbar.sync 0;\n" +
                     ManyLive(30) + "\nmad.lo.u32 %r0, %r0, 3, %r40;\nmad.lo.u32 %r0, %r0, 3, %r41;\n" +
                     "st.global.u32 [%o], %r0;";
  wg_ptx_options_t opt = px::Options(8u << 8);
  px::Module m(px::Kernel(body), &opt);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  auto in = Inputs(32);
  auto out = RunRows(m, in);
  for (size_t t = 0; t < 32; t++) {
    uint32_t want = 0;
    for (uint32_t i = 1; i <= 30; i++) want = want * 3 + in[t][0] + i * 1000;
    bool odd = t % 2 != 0;
    want = want * 3 + (odd ? in[t < 2 ? t : t - 2][2] : in[t][1]); // lane 1 keeps the value it offered
    want = want * 3 + (odd && t >= 2 ? in[t][2] : 1);              // where the new predicate holds
    ASSERT_EQ(out[t][0], want) << t;
  }
}

// Two literals by way: neither may stand for the register everywhere.
TEST(SpillTest, LiteralsOfTwoWays) {
  std::string body = ManyLive(30), ways = "and.b32 %r50, %r59, 1;\nsetp.ne.u32 %p1, %r50, 0;\n";
  for (int i = 1; i <= 8; i++) ways += "mov.u32 %r" + std::to_string(50 - i) + ", " + std::to_string(i * 11) + ";\n";
  ways += "@%p1 bra WAY;\n";
  for (int i = 1; i <= 8; i++) ways += "mov.u32 %r" + std::to_string(50 - i) + ", " + std::to_string(i * 17) + ";\n";
  body.insert(body.find("bar.sync 0;"), ways + "WAY:\n");
  for (int i = 1; i <= 8; i++) body += "\nmad.lo.u32 %r0, %r0, 3, %r" + std::to_string(50 - i) + ";";
  wg_ptx_options_t opt = px::Options(8u << 8);
  px::Module m(px::Kernel(body + "\nst.global.u32 [%o], %r0;"), &opt);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  auto in = Inputs(32);
  auto out = RunRows(m, in);
  for (size_t t = 0; t < 32; t++) {
    uint32_t want = 0;
    for (uint32_t i = 1; i <= 30; i++) want = want * 3 + in[t][0] + i * 1000;
    for (uint32_t i = 1; i <= 8; i++) want = want * 3 + i * (t % 2 != 0 ? 11 : 17);
    ASSERT_EQ(out[t][0], want) << t;
  }
}

/* Random straight-line code over 40 registers, 10 pairs and guards: every write form, also guarded ones, and wide
   operands. Interpreted in C. */
struct Random {
  std::string body;
  std::vector<uint32_t> r = std::vector<uint32_t>(40);
  std::vector<uint64_t> d = std::vector<uint64_t>(10);
  bool p[12] = {};
};

void Step(std::mt19937 &rng, std::vector<Random> &lane) {
  auto below = [&](uint32_t n) { return uint32_t(rng() % n); };
  uint32_t a = below(40), b = below(40), c = below(40), x = below(10), y = below(10), g = below(12), k = rng();
  bool neg = below(2), guarded = below(3) == 0;
  auto R = [](uint32_t n) { return "%r" + std::to_string(n); };
  auto D = [](uint32_t n) { return "%d" + std::to_string(n + 10); };
  std::string head = guarded ? std::string("@") + (neg ? "!" : "") + "%p" + std::to_string(g) + " " : "", text;
  uint32_t kind = below(8);
  switch (kind) {
    case 0: text = "mad.lo.u32 " + R(a) + ", " + R(b) + ", " + R(c) + ", " + R(a) + ";"; break;
    case 1: text = "xor.b32 " + R(a) + ", " + R(b) + ", " + std::to_string(k) + ";"; break;
    case 2: text = "mov.u32 " + R(a) + ", " + R(b) + ";"; break;
    case 3: text = "mul.wide.u32 " + D(x) + ", " + R(a) + ", " + R(b) + ";"; break;
    case 4: text = "add.s64 " + D(x) + ", " + D(x) + ", " + D(y) + ";"; break;
    case 5: text = "cvt.u32.u64 " + R(a) + ", " + D(x) + ";"; break;
    case 6: text = "setp.lt.u32 %p" + std::to_string(g) + ", " + R(a) + ", " + R(b) + ";"; break;
    default: text = "mov.u32 " + R(a) + ", " + std::to_string(k) + ";"; break;
  }
  for (Random &l : lane) {
    if (guarded && l.p[g] == neg) continue;
    switch (kind) {
      case 0: l.r[a] = l.r[b] * l.r[c] + l.r[a]; break;
      case 1: l.r[a] = l.r[b] ^ k; break;
      case 2: l.r[a] = l.r[b]; break;
      case 3: l.d[x] = uint64_t(l.r[a]) * l.r[b]; break;
      case 4: l.d[x] += l.d[y]; break;
      case 5: l.r[a] = uint32_t(l.d[x]); break;
      case 6: l.p[g] = l.r[a] < l.r[b]; break;
      default: l.r[a] = k; break;
    }
  }
  lane[0].body += head + text + "\n";
}

TEST(SpillTest, RandomStraightLine) {
  for (uint32_t seed = 1; seed <= 40; seed++) {
    std::mt19937 rng(seed);
    auto in = Inputs(32);
    std::vector<Random> lane(32);
    std::string text;
    auto S = [](int n) { return std::to_string(n); };
    for (int i = 0; i < 40; i++) text += "ld.volatile.global.u32 %r" + S(i) + ", [%i+" + S(i % 8 * 4) + "];\n";
    for (int i = 0; i < 10; i++) text += "ld.volatile.global.u64 %d" + S(i + 10) + ", [%i+" + S(i % 4 * 8) + "];\n";
    for (int i = 0; i < 12; i++) text += "setp.lt.u32 %p" + S(i) + ", %r" + S(i) + ", %r" + S(i + 1) + ";\n";
    for (size_t t = 0; t < 32; t++) {
      for (size_t i = 0; i < 40; i++) lane[t].r[i] = in[t][i % 8];
      for (size_t i = 0; i < 10; i++) lane[t].d[i] = in[t][i % 4 * 2] | uint64_t(in[t][i % 4 * 2 + 1]) << 32;
      for (size_t i = 0; i < 12; i++) lane[t].p[i] = lane[t].r[i] < lane[t].r[i + 1];
    }
    for (int i = 0; i < 150; i++) Step(rng, lane);
    text += lane[0].body + "mov.u32 %r50, 0;\nmov.u64 %d50, 0;\n";
    for (int i = 0; i < 40; i++) text += "mad.lo.u32 %r50, %r50, 3, %r" + std::to_string(i) + ";\n";
    for (int i = 0; i < 10; i++) text += "add.s64 %d50, %d50, %d" + std::to_string(i + 10) + ";\n";
    text += "st.global.u32 [%o], %r50;\nst.global.u64 [%o+8], %d50;";
    for (unsigned limit : {9u, 12u, 20u}) {
      wg_ptx_options_t opt = px::Options(limit << 8 | (seed & 1));
      px::Module m(px::Kernel(text), &opt);
      ASSERT_EQ(m.status, kWgOk) << m.diag.msg << " seed " << seed;
      ASSERT_LE(m.obj->kernels[0].regs, limit);
      ASSERT_GT(m.obj->kernels[0].local_bytes, 0u);
      auto out = RunRows(m, in);
      for (size_t t = 0; t < 32; t++) {
        uint32_t h = 0;
        uint64_t s = 0;
        for (uint32_t v : lane[t].r) h = h * 3 + v;
        for (uint64_t v : lane[t].d) s += v;
        ASSERT_EQ(out[t][0], h) << "seed " << seed << " limit " << limit << " lane " << t;
        ASSERT_EQ(out[t][2] | uint64_t(out[t][3]) << 32, s) << "seed " << seed << " limit " << limit << " lane " << t;
      }
    }
  }
}

/* ---- .local variables ---- */

TEST(LocalTest, ArraysOfAllSizes) {
  const char *body =
      ".local .align 8 .b8 dep[40];\n.local .align 2 .b8 odd[6];\n"
      "mov.u64 %d1, dep;\nld.global.u32 %r1, [%i];\nld.global.u64 %d2, [%i+8];\n"
      "st.local.u64 [dep+8], %d2;\nst.local.u32 [%d1], %r1;\nst.local.v4.u32 [%d1+16], {%r1, %r59, %r1, %r59};\n"
      "mov.u64 %d3, odd;\ncvt.u16.u32 %h1, %r1;\nst.local.u16 [%d3+2], %h1;\nst.local.u8 [%d3+4], %r1;\n"
      "and.b32 %r2, %r59, 3;\nmul.wide.u32 %d4, %r2, 4;\nadd.s64 %d5, %d1, %d4;\nld.local.u32 %r3, [%d5+16];\n"
      "ld.local.s16 %d6, [%d3+2];\nld.local.u8 %r4, [odd+4];\nld.local.u64 %d1, [%d1+8];\n"
      "ld.local.v2.u32 {%r5, %r6}, [dep+16];\nld.local.u32 %r7, [dep];\nadd.u32 %r6, %r6, %r7;\n"
      "st.global.u32 [%o], %r3;\nst.global.u32 [%o+4], %r4;\nst.global.u64 [%o+8], %d1;\nst.global.u64 [%o+16], %d6;\n"
      "st.global.u32 [%o+24], %r5;\nst.global.u32 [%o+28], %r6;\n";
  px::Module m(px::Kernel(body));
  ASSERT_EQ(m.status, kWgOk) << m.diag.line << ": " << m.diag.msg;
  EXPECT_EQ(m.obj->kernels[0].local_bytes, 48u); // 40, then 6 at 40, rounded up
  EXPECT_EQ(m.obj->kernels[0].spills, 0u);
  auto in = Inputs(32);
  auto out = RunRows(m, in);
  for (size_t t = 0; t < 32; t++) {
    EXPECT_EQ(out[t][0], t % 2 != 0 ? uint32_t(t) : in[t][0]);
    EXPECT_EQ(out[t][1], in[t][0] & 0xff);
    EXPECT_EQ(out[t][2], in[t][2]);
    EXPECT_EQ(out[t][3], in[t][3]);
    EXPECT_EQ(out[t][4], uint32_t(int32_t(int16_t(in[t][0]))));
    EXPECT_EQ(out[t][5], (in[t][0] & 0x8000) != 0 ? 0xffffffffu : 0u);
    EXPECT_EQ(out[t][6], in[t][0]);
    EXPECT_EQ(out[t][7], uint32_t(t) + in[t][0]);
  }
}

// Spilled words lie behind the variables.
TEST(LocalTest, SpillsBehindVariables) {
  std::string body = ".local .align 4 .b8 dep[20];\nst.local.u32 [dep+16], %r59;\nst.local.u32 [dep], %r58;\n" +
                     ManyLive(30) + "\nld.local.u32 %r1, [dep+16];\nst.global.u32 [%o+4], %r1;";
  wg_ptx_options_t opt = px::Options(12u << 8);
  px::Module m(px::Kernel(body), &opt);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_GT(m.obj->kernels[0].spills, 10u);
  EXPECT_EQ(m.obj->kernels[0].local_bytes, 20 + 4 * m.obj->kernels[0].spills);
  auto in = Inputs(32);
  auto out = RunRows(m, in);
  for (size_t t = 0; t < 32; t++) {
    uint32_t want = 0;
    for (uint32_t i = 1; i <= 30; i++) want = want * 3 + in[t][0] + i * 1000;
    ASSERT_EQ(out[t][0], want);
    ASSERT_EQ(out[t][1], uint32_t(t));
  }
}

TEST(LocalTest, TooLargeIsRefused) {
  px::Module m(px::Kernel(".local .align 4 .b8 dep[300000];\nst.local.u32 [dep], %r59;"));
  EXPECT_EQ(m.status, kWgUnsupported);
  EXPECT_NE(std::string(m.diag.msg).find("local variables of 'k' exceed"), std::string::npos) << m.diag.msg;
}

// The window of a generic local address: upper word 2.
TEST(LocalTest, CvtaKnowsTheWindow) {
  px::Module m(px::Kernel(".local .align 4 .b8 dep[8];\nmov.u64 %d1, dep;\nst.local.u32 [%d1+4], %r59;\n"
                          "add.s64 %d2, %d1, 4;\ncvta.local.u64 %d3, %d2;\nst.global.u64 [%o], %d3;\n"
                          "cvta.to.local.u64 %d4, %d3;\nld.local.u32 %r1, [%d4];\nst.global.u32 [%o+8], %r1;"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  auto out = RunRows(m, Inputs(32));
  for (size_t t = 0; t < 32; t++) {
    EXPECT_EQ(out[t][0], 4u);
    EXPECT_EQ(out[t][1], 2u);
    EXPECT_EQ(out[t][2], uint32_t(t));
  }
}

/* ---- structures by value: the parameter's address goes through registers ---- */

TEST(ParamAddressTest, IsFollowed) {
  const char *text = ".version 6.4\n.target sm_70\n.address_size 64\n"
                     ".visible .entry k(.param .u64 out, .param .align 8 .b8 s[24], .param .u8 last)\n{\n"
                     ".reg .b32 %r<9>;\n.reg .b16 %h<4>;\n.reg .b64 %d<9>;\n"
                     "ld.param.u64 %d1, [out];\nmov.b64 %d2, s;\nmov.u64 %d3, %d2;\nadd.s64 %d4, %d3, 4;\n"
                     "ld.param.u32 %r1, [%d3+8];\nld.param.u64 %d5, [%d4+12];\nld.param.s8 %h1, [%d4];\n"
                     "ld.param.u8 %h2, [last];\ncvt.u32.u16 %r2, %h2;\ncvt.s32.s16 %r3, %h1;\n"
                     "st.global.u32 [%d1], %r1;\nst.global.u32 [%d1+4], %r2;\nst.global.u64 [%d1+8], %d5;\n"
                     "st.global.u32 [%d1+16], %r3;\nret;\n}\n";
  px::Module m(text);
  ASSERT_EQ(m.status, kWgOk) << m.diag.line << ": " << m.diag.msg;
  px::Memory mem(64);
  px::Args a;
  a.Add(px::kBase).Add(uint32_t(1)).Add(uint32_t(0x22334485)).Add(uint32_t(3)).Add(uint32_t(4));
  a.Add(uint64_t(0x1122334455667788)).Add(uint32_t(0xab));
  px::Run(m, "k", {1}, {1}, 0, a, &mem);
  EXPECT_EQ(*mem.At<uint32_t>(0), 3u);
  EXPECT_EQ(*mem.At<uint32_t>(4), 0xabu);
  EXPECT_EQ(*mem.At<uint64_t>(8), 0x1122334455667788u);
  EXPECT_EQ(int32_t(*mem.At<uint32_t>(16)), -123);
}

// At an address that the compiler does not know, and as a value: an offset in bank 0. Of the generic space it is none.
TEST(ParamAddressTest, Computed) {
  px::Module m(px::Kernel("mov.b64 %d1, k_out;\nand.b32 %r1, %r59, 1;\nshl.b32 %r1, %r1, 3;\ncvt.u64.u32 %d2, %r1;\n"
                          "add.s64 %d3, %d1, %d2;\nld.param.u64 %d4, [%d3];\nld.param.v2.u32 {%r2, %r3}, [%d3];\n"
                          "st.global.u64 [%o], %d4;\nst.global.v2.u32 [%o+8], {%r2, %r3};\n"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  px::Memory mem(2048);
  px::Args a;
  a.Add(px::kBase + 1024).Add(px::kBase);
  px::Run(m, "k", {1}, {32}, 0, a, &mem);
  for (size_t i = 0; i < 32; i++) {
    uint64_t want = px::kBase + (i % 2 == 0 ? 1024 : 0);
    EXPECT_EQ(*mem.At<uint64_t>(1024 + 32 * i), want);
    EXPECT_EQ(*mem.At<uint64_t>(1032 + 32 * i), want);
  }
}

TEST(ParamAddressTest, OutsideIsRefused) {
  px::Module m(px::Kernel("mov.b64 %d1, k_in;\nld.param.u32 %r1, [%d1+8];"));
  EXPECT_EQ(m.status, kWgBadInput);
}

} // namespace
