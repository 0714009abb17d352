// SPDX-License-Identifier: Apache-2.0
//
// Registers chosen for speed: three sources of an instruction do not stand in one bank (register mod 2) where registers are free;
// loads that nobody reads do not wait for each other.
#include "isa/wg_isa.h"
#include "testbench/unit/ptx/px_run.h"

namespace {

struct Banks {
  unsigned threes = 0, conflicts = 0, regs = 0;
};

/** Instructions of the kernel with three different source registers, and those of them whose three stand in one bank. */
Banks Count(const px::Module &m) {
  Banks b;
  EXPECT_EQ(m.status, kWgOk) << m.diag.msg;
  if (m.obj == nullptr) return b;
  b.regs = m.obj->kernels[0].regs;
  for (uint32_t i = 0; i < m.obj->kernels[0].num_insns; i++) {
    wg_insn_t in;
    EXPECT_EQ(wg_decode(m.obj->kernels[0].code[i], &in), kWgOk);
    if (in.op != kWgOp_FFMA || in.form != kWgFormReg || in.ra == in.rb || in.ra == in.rc || in.rb == in.rc) continue;
    if (in.ra == 255 || in.rb == 255 || in.rc == 255) continue;
    b.threes++;
    b.conflicts += (in.ra & 1) == (in.rb & 1) && (in.ra & 1) == (in.rc & 1);
  }
  return b;
}

/** x chains fma(x, y, z) with two factors and two summands in turn, all loaded before and stored behind. */
std::string Chains(int chains, int turns) {
  std::string s;
  const auto reg = [](int i) { return "%f" + std::to_string(i); };
  for (int i = 0; i < chains + 4; i++) s += "ld.global.f32 " + reg(i) + ", [%i+" + std::to_string(4 * i) + "];\n";
  for (int t = 0; t < turns; t++) {
    for (int c = 0; c < chains; c++) {
      s += "fma.rn.f32 " + reg(c) + ", " + reg(c) + ", " + reg(chains + t % 2) + ", " + reg(chains + 2 + t / 2 % 2) + ";\n";
    }
  }
  for (int c = 0; c < chains; c++) s += "st.global.f32 [%o+" + std::to_string(4 * c) + "], " + reg(c) + ";\n";
  return s;
}

TEST(BanksTest, FactorAndSummandStandInDifferentBanks) {
  for (int chains : {1, 3, 8, 15, 30}) {
    const Banks b = Count(px::Module(px::Kernel(Chains(chains, 8))));
    EXPECT_EQ(b.threes, unsigned(8 * chains));
    EXPECT_EQ(b.conflicts, 0u) << chains << " chains";
  }
}

TEST(BanksTest, NoMoreRegistersThanTheLimit) {
  px::Module free(px::Kernel(Chains(8, 8)));
  const Banks b = Count(free);
  for (unsigned limit = b.regs; limit >= 15; limit--) { /* below the need values go to the frame */
    wg_ptx_options_t opt = px::Options(limit << 8);
    EXPECT_LE(Count(px::Module(px::Kernel(Chains(8, 8)), &opt)).regs, limit);
  }
}

TEST(BanksTest, ResultsStay) {
  px::Module m(px::Kernel(Chains(6, 4)));
  px::Memory mem(128);
  const float in[10] = {1, 2, 3, 4, 5, 6, 0.5f, 2, 1, -3};
  memcpy(mem.At<float>(0), in, sizeof in);
  px::Args a;
  a.Add(px::kBase + 64).Add(px::kBase);
  px::Run(m, "k", {1}, {1}, 0, a, &mem);
  for (int c = 0; c < 6; c++) {
    float x = in[c];
    for (int t = 0; t < 4; t++) x = std::fma(x, in[6 + t % 2], in[8 + t / 2 % 2]);
    EXPECT_EQ(mem.At<float>(64)[c], x);
  }
}

TEST(UnreadLoadTest, EachTakesAnotherRegisterAndNoneThatIsNeeded) {
  std::string body;
  for (int i = 0; i < 8; i++) body += "ld.global.u32 %r" + std::to_string(i) + ", [%i+" + std::to_string(4 * i) + "];\n";
  for (int i = 0; i < 24; i++) body += "ld.volatile.global.u32 %r" + std::to_string(20 + i) + ", [%i+28];\n";
  std::string stores;
  for (int i = 0; i < 8; i++) stores += "st.global.u32 [%o+" + std::to_string(4 * i) + "], %r" + std::to_string(i) + ";\n";
  px::Module most(px::Kernel(body + stores)); /* all eight live during the loads */
  px::Memory mem(128);
  for (uint32_t i = 0; i < 8; i++) mem.At<uint32_t>(0)[i] = 1000 + i;
  px::Args a;
  a.Add(px::kBase + 64).Add(px::kBase);
  px::Run(most, "k", {1}, {1}, 0, a, &mem);
  for (uint32_t i = 0; i < 8; i++) EXPECT_EQ(mem.At<uint32_t>(64)[i], 1000 + i);

  px::Module few(px::Kernel(body.substr(body.find("ld.volatile")) + body.substr(0, body.find("ld.volatile")) + stores));
  ASSERT_EQ(few.status, kWgOk) << few.diag.msg;
  std::vector<uint8_t> to;
  for (uint32_t i = 0; i < few.obj->kernels[0].num_insns; i++) {
    wg_insn_t in;
    EXPECT_EQ(wg_decode(few.obj->kernels[0].code[i], &in), kWgOk);
    if (in.op == kWgOp_LDG && in.imm == 28) to.push_back(in.rd);
  }
  ASSERT_GE(to.size(), 24u);
  for (size_t i = 4; i < 24; i++) { /* registers of the eight that are loaded later are free now */
    for (size_t k = 1; k <= 4; k++) EXPECT_NE(to[i], to[i - k]) << "load " << i;
  }
}

} // namespace
