// SPDX-License-Identifier: Apache-2.0
//
// The checker on event streams of a small SM: correct ones pass at both levels, also for racy programs; each single fault
// in a stream is caught, and named at its place.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "testbench/unit/lockstep/fake_sm.h"

namespace {

using wgtest::Ev;
using wgtest::FakeSm;
using wgtest::Memory;
using wgtest::Program;

constexpr uint64_t kCode = Memory::kBase, kBank = Memory::kBase + 0x10000, kData = Memory::kBase + 0x20000;

// Random structured code over R8..R15; R0 = thread, R1 = 4 * thread, {R3,R2} = data.
class RandomProgram {
 public:
  explicit RandomProgram(uint32_t seed) : rng_(seed) {
    p_.S2r(0, kWgSrTidX);
    p_.MovConst(2, 0, kWgParamBase);
    p_.MovConst(3, 0, kWgParamBase + 4);
    Shl(1, 0, 2);
    for (unsigned r = 8; r < 16; r++) {
      if (r % 2) p_.MovImm(static_cast<uint8_t>(r), static_cast<uint32_t>(rng_()));
      else p_.IaddImm(static_cast<uint8_t>(r), 0, static_cast<uint32_t>(rng_()));
    }
    p_.S2r(7, kWgSrWarpId);
    p_.S2r(6, kWgSrClockLo);
    p_.MovImm(22, 0);
    p_.MovImm(23, 0);
    for (unsigned pr = 0; pr < 4; pr++) p_.IsetpImm(static_cast<uint8_t>(pr), 1 + rng_() % 6, static_cast<uint8_t>(8 + rng_() % 8), static_cast<uint32_t>(rng_()));
    for (int i = 0; i < 3; i++) {
      Block(0);
      p_.Bar(static_cast<uint8_t>(i));
    }
    p_.Exit();
  }
  Program p_;

 private:
  uint8_t R() { return static_cast<uint8_t>(8 + rng_() % 8); }
  uint8_t P() { return static_cast<uint8_t>(rng_() % 4); }
  void Shl(uint8_t d, uint8_t a, uint32_t n) {
    wg_insn_t &i = p_.Add(kWgOp_SHF);
    i.rd = d;
    i.ra = a;
    i.form = kWgFormImm;
    i.imm = n;
  }
  void And(uint8_t d, uint8_t a, uint32_t m) {
    wg_insn_t &i = p_.Add(kWgOp_LOP3, 0xc0);
    i.rd = d;
    i.ra = a;
    i.form = kWgFormImm;
    i.imm = m;
  }
  void Guard() {
    // the last instruction, sometimes
  }
  void Alu() {
    static const uint8_t ops[] = {kWgOp_IADD3, kWgOp_IMAD, kWgOp_LOP3, kWgOp_SHF, kWgOp_PRMT, kWgOp_SEL, kWgOp_IMNMX, kWgOp_FADD, kWgOp_FMUL, kWgOp_FFMA, kWgOp_MUFU};
    uint8_t op = ops[rng_() % sizeof ops];
    wg_insn_t &i = p_.Add(op);
    i.rd = R();
    i.ra = R();
    i.rb = R();
    i.rc = R();
    i.ps0 = P();
    if (op == kWgOp_LOP3) i.mods = static_cast<uint16_t>(rng_() & 255);
    if (op == kWgOp_MUFU) i.mods = 4u << kWgModLsb_MUFUF;
    if (op == kWgOp_IMAD && rng_() % 3 == 0) {
      i.mods = 2u << kWgModLsb_IMADK;
      i.rd &= 0xfe;
      i.rc &= 0xfe;
    }
    if (op == kWgOp_IADD3 && rng_() % 2) i.pd0 = P();
    if (rng_() % 4 == 0) i.guard = P();
    i.guard_not = rng_() & 1 && i.guard != kWgPT;
  }
  void Setp() {
    wg_insn_t &i = p_.Add(rng_() % 2 ? kWgOp_ISETP : kWgOp_FSETP);
    i.mods = static_cast<uint16_t>(1 + rng_() % 6);
    i.pd0 = P();
    i.pd1 = static_cast<uint8_t>((i.pd0 + 1) % 4);
    i.ra = R();
    i.rb = R();
  }
  void Memory() {
    unsigned size = rng_() % 7, align = size < 2 ? 1 : size < 4 ? 2 : 1u << (size - 2);
    bool store = rng_() & 1, shared = rng_() & 1;
    uint32_t range = rng_() % 3 == 0 ? 64 : 1024;
    And(20, R(), (range - 1) & ~(align - 1));
    if (!shared) {  // {R25,R24} = data + R20
      wg_insn_t &lo = p_.Add(kWgOp_IADD3);
      lo.rd = 24;
      lo.ra = 2;
      lo.rb = 20;
      lo.pd0 = 5;
      wg_insn_t &hi = p_.Add(kWgOp_IADD3, 1u << kWgModLsb_X);
      hi.rd = 25;
      hi.ra = 3;
      hi.ps0 = 5;
    }
    uint8_t reg = static_cast<uint8_t>(8 + (rng_() % 8) / (size < 5 ? 1 : size == 5 ? 2 : 4) * (size < 5 ? 1 : size == 5 ? 2 : 4));
    if (reg > 12 && size == 6) reg = 12;
    uint8_t addr = shared ? 20 : 24;
    if (store) p_.Store(shared ? kWgOp_STS : kWgOp_STG, addr, reg, 0, size);
    else p_.Load(shared ? kWgOp_LDS : kWgOp_LDG, reg, addr, 0, size);
  }
  void Cache() {
    And(20, R(), 0x3fc);
    wg_insn_t &lo = p_.Add(kWgOp_IADD3);
    lo.rd = 24;
    lo.ra = 2;
    lo.rb = 20;
    wg_insn_t &hi = p_.Add(kWgOp_MOV);
    hi.rd = 25;
    hi.rb = 3;
    wg_insn_t &i = p_.Add(kWgOp_LDG, 4u | 1u << kWgModLsb_MCACHE);
    i.rd = R();
    i.ra = 24;
  }
  void Shfl() {
    wg_insn_t &i = p_.Add(kWgOp_SHFL, rng_() % 4 | 1u << kWgModLsb_CIMM);
    i.rd = R();
    i.ra = R();
    i.rb = R();
    i.pd0 = P();
    i.imm = 0x1fu << 8;
  }
  void Block(unsigned depth) {
    for (unsigned n = rng_() % 6 + 2; n > 0; n--) {
      switch (rng_() % 12) {
        case 0: case 1: case 2: case 3: Alu(); break;
        case 4: case 5: Setp(); break;
        case 6: case 7: case 8: Memory(); break;
        case 9: Shfl(); break;
        case 10: Cache(); break;
        default:
          if (depth < 3) If(depth);
      }
    }
  }
  void If(unsigned depth) {
    // BSSY and BRA targets are patched by building the inner block twice with the same random state
    std::mt19937 saved = rng_;
    Program head = p_;
    uint8_t pr = P();
    bool inv = rng_() & 1;
    p_.Bssy(static_cast<uint8_t>(depth), 0);
    p_.Branch(0, pr, inv);
    Block(depth + 1);
    unsigned end = p_.size();
    rng_ = saved;
    p_ = head;
    P();
    rng_();
    p_.Bssy(static_cast<uint8_t>(depth), end);
    p_.Branch(end, pr, inv);
    Block(depth + 1);
    p_.Bsync(static_cast<uint8_t>(depth));
  }
  std::mt19937 rng_;
};

struct Outcome {
  int cycles = 0;
  wg_status_t status = kWgOk;
  std::string report, message;
  wg_lockstep_counts_t counts{};
  Memory mem{0x30000};
};

struct Setup {
  Program program;
  wg_lockstep_level_t level = kWgLockstepUnits;
  const char *shape = "sm16";
  uint32_t seed = 1, blocks = 4, threads = 96, policy = kWgPolicyGto;
  FakeSm::Filter filter = [](Ev, void *) { return true; };
  bool install_stale = false;
};

wg_cta_launch_t Cta(const Setup &s, uint32_t x, Memory *mem) {
  wg_cta_launch_t c = {};
  c.grid_id = 3;
  c.ctaid[0] = x;
  c.ntid[0] = s.threads;
  c.ntid[1] = c.ntid[2] = 1;
  c.nctaid[0] = s.blocks;
  c.nctaid[1] = c.nctaid[2] = 1;
  c.regs_per_thread = 32;
  c.shared_bytes = 2048;
  c.code_base = kCode;
  c.const_base[0] = kBank;
  c.const_size[0] = kWgParamBase + 8;
  uint64_t data = kData;
  wg_ref_bank0(&c, 2048, 0, reinterpret_cast<const uint8_t *>(&data), 8, &mem->bytes[kBank - Memory::kBase]);
  c.inval_l1 = x == 0;
  return c;
}

Outcome Go(const Setup &s) {
  Outcome o;
  std::mt19937 rng(s.seed);
  for (size_t i = 0x20000; i < 0x21000; i++) o.mem.bytes[i] = static_cast<uint8_t>(rng());
  auto words = s.program.Words();
  std::memcpy(o.mem.bytes.data(), words.data(), words.size() * 16);
  const wg_shape_t *shape = wg_shape_find(s.shape);
  wg_lockstep_env_t env = {};
  env.mem = o.mem.Ops();
  env.seed = s.seed;
  env.line_of = [](void *, uint64_t, uint32_t pc, const char **file, unsigned *line) {
    *file = "k.cu";
    *line = pc / 16 + 1;
    return true;
  };
  wg_lockstep_t *ls = wg_lockstep_new(shape, s.level, &env);
  wg_sm_cfg_t cfg = {};
  cfg.warp_slots = shape->warp_slots;
  cfg.block_slots = 8;
  cfg.regs_per_subcore = shape->regs_per_subcore;
  cfg.shared_bytes = 8192;
  cfg.shared_unit = 128;
  cfg.first_rotate = true;
  cfg.policy = s.policy;
  cfg.smid = 5;
  cfg.nsmid = 6;
  {
    FakeSm sm(ls, shape, cfg, &o.mem, kCode, s.seed);
    sm.filter = s.filter;
    sm.install_stale = s.install_stale;
    for (uint32_t x = 0; x < s.blocks; x++) sm.Launch(Cta(s, x, &o.mem));
    o.cycles = sm.Run();
    wg_diag_t diag = {};
    o.status = wg_lockstep_finish(ls, &diag);
    o.report = wg_lockstep_report(ls);
    o.message = std::string(diag.msg) + " | " + diag.hint;
    wg_lockstep_get_counts(ls, &o.counts);
  }
  wg_lockstep_free(ls);
  return o;
}

Setup Random(uint32_t seed) {
  Setup s;
  s.program = RandomProgram(seed).p_;
  s.seed = seed;
  s.policy = seed % 2 ? kWgPolicyGto : kWgPolicyLrr;
  s.level = seed % 3 ? kWgLockstepUnits : kWgLockstepRetire;
  s.shape = seed % 4 ? "sm16" : "tiny";
  return s;
}

TEST(Lockstep, RandomRacyProgramsPass) {
  uint64_t insts = 0, hits = 0, misses = 0;
  for (uint32_t seed = 1; seed <= 150; seed++) {
    Outcome o = Go(Random(seed));
    ASSERT_GT(o.cycles, 0);
    ASSERT_EQ(o.status, kWgOk) << "seed " << seed << "\n" << o.report;
    insts += o.counts.warp_insts;
    hits += o.counts.l1_sector_hits;
    misses += o.counts.l1_sector_misses;
  }
  EXPECT_GT(insts, 50000u);
  EXPECT_GT(hits, 1000u);
  EXPECT_GT(misses, 1000u);
}

}  // namespace
