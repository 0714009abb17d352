// SPDX-License-Identifier: Apache-2.0
//
// The checker on event streams of a small SM: correct ones pass at both levels, also for racy programs; each single
// fault in a stream is caught, and named at its place.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "testbench/unit/lockstep/fake_sm.h"
#include "testbench/unit/lockstep/random_program.h"

namespace {

using wgtest::Ev;
using wgtest::FakeSm;
using wgtest::Memory;
using wgtest::Program;
using wgtest::RandomProgram;

constexpr uint64_t kCode = Memory::kBase, kBank = Memory::kBase + 0x10000, kData = Memory::kBase + 0x20000;

struct Outcome {
  int cycles = 0;
  wg_status_t status = kWgOk;
  std::string report, message;
  wg_lockstep_counts_t counts{};
  uint64_t retired = 0, retired_lanes = 0;  // told to env.retired
  Memory mem{0x30000};
};

struct Case {
  Program program;
  wg_lockstep_level_t level = kWgLockstepUnits;
  const char *shape = "sm16";
  uint32_t seed = 1, blocks = 4, threads = 96, policy = kWgPolicyGto;
  FakeSm::Filter filter = [](Ev, void *) { return true; };
  bool install_stale = false, ignore_barriers = false, ignore_scoreboard = false;
  bool finish_by_reset = false;
  uint8_t report_fault = 255;  // another code than the golden one
};

wg_cta_launch_t Cta(const Case &s, uint32_t x, Memory *mem) {
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

Outcome Go(const Case &s) {
  Outcome o;
  std::mt19937 rng(s.seed);
  for (size_t i = 0x20000; i < 0x21000; i++) o.mem.bytes[i] = static_cast<uint8_t>(rng());
  auto words = s.program.Words();
  std::memcpy(o.mem.bytes.data(), words.data(), words.size() * 16);
  const wg_shape_t *shape = wg_shape_find(s.shape);
  wg_lockstep_env_t env = {};
  env.mem = o.mem.Ops();
  env.seed = s.seed;
  env.retired = [](void *ctx, const wg_insn_t *, uint32_t exec) {
    auto *out = static_cast<Outcome *>(ctx);
    out->retired++;
    out->retired_lanes += static_cast<uint64_t>(__builtin_popcount(exec));
  };
  env.retired_ctx = &o;
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
    sm.ignore_barriers = s.ignore_barriers;
    sm.ignore_scoreboard = s.ignore_scoreboard;
    sm.report_fault = s.report_fault;
    for (uint32_t x = 0; x < s.blocks; x++) sm.Launch(Cta(s, x, &o.mem));
    o.cycles = sm.Run();
    wg_diag_t diag = {};
    if (s.finish_by_reset) wg_lockstep_reset(ls, &cfg);
    o.status = wg_lockstep_finish(ls, &diag);
    o.report = wg_lockstep_report(ls);
    o.message = std::string(diag.msg) + " | " + diag.hint;
    wg_lockstep_get_counts(ls, &o.counts);
  }
  wg_lockstep_free(ls);
  return o;
}

Case Random(uint32_t seed) {
  Case s;
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

// ---- one fault in a correct stream ----

struct Fault {
  const char *name;
  Ev kind;
  std::function<bool(void *)> fits;    // an event that can be altered so
  std::function<bool(void *)> change;  // false = drop it
  std::vector<const char *> words;     // the report has one of them
  wg_lockstep_level_t level;
};

template <class E>
std::function<bool(void *)> Is(bool (*f)(const E &)) {
  return [f](void *p) { return f(*static_cast<E *>(p)); };
}
template <class E>
std::function<bool(void *)> Do(void (*f)(E &)) {
  return [f](void *p) {
    f(*static_cast<E *>(p));
    return true;
  };
}
const std::function<bool(void *)> kAny = [](void *) { return true; };
const std::function<bool(void *)> kDrop = [](void *) { return false; };

unsigned Low(uint32_t m) { return static_cast<unsigned>(__builtin_ctz(m)); }

std::vector<Fault> Faults() {
  constexpr auto R = kWgLockstepRetire, U = kWgLockstepUnits;
  std::vector<Fault> f;
  auto wb = Is<wg_ev_wb_t>([](const wg_ev_wb_t &e) { return e.rd >= 8 && e.rd < 16; });
  f.push_back({"WbBit",
               Ev::Wb,
               wb,
               Do<wg_ev_wb_t>([](wg_ev_wb_t &e) { const_cast<uint32_t *>(e.lo)[Low(e.mask)] ^= 0x100; }),
               {"wrong register value"},
               R});
  f.push_back({"WbUpperWord",
               Ev::Wb,
               Is<wg_ev_wb_t>([](const wg_ev_wb_t &e) { return e.wide; }),
               Do<wg_ev_wb_t>([](wg_ev_wb_t &e) { const_cast<uint32_t *>(e.hi)[Low(e.mask)] ^= 1; }),
               {"wrong register value"},
               R});
  f.push_back(
      {"WbLaneLost",
       Ev::Wb,
       wb,
       Do<wg_ev_wb_t>([](wg_ev_wb_t &e) { e.mask &= e.mask - 1; }),
       {"issued too early", "instruction open", "wrong lanes", "in flight", "wrong register value", "wrong kind"},
       R});
  f.push_back(
      {"WbDropped",
       Ev::Wb,
       wb,
       kDrop,
       {"issued too early", "instruction open", "in flight", "wrong register value", "wrong lanes", "wrong kind"},
       R});
  f.push_back({"WbExtraLane",
               Ev::Wb,
               Is<wg_ev_wb_t>([](const wg_ev_wb_t &e) { return e.mask != UINT32_MAX; }),
               Do<wg_ev_wb_t>([](wg_ev_wb_t &e) { e.mask |= ~e.mask & -~e.mask; }),
               {"wrong lanes written"},
               R});
  f.push_back(
      {"WbOtherRegister", Ev::Wb, wb, Do<wg_ev_wb_t>([](wg_ev_wb_t &e) { e.rd = 30; }), {"no instruction owes"}, R});
  f.push_back(
      {"WbOtherBus", Ev::Wb, kAny, Do<wg_ev_wb_t>([](wg_ev_wb_t &e) { e.variable = !e.variable; }), {"wrong kind"}, R});
  f.push_back({"PredBit",
               Ev::Pred,
               kAny,
               Do<wg_ev_pred_t>([](wg_ev_pred_t &e) { e.bits ^= 1u << Low(e.mask); }),
               {"wrong predicate"},
               R});
  f.push_back(
      {"PredDropped", Ev::Pred, kAny, kDrop, {"instruction open", "too early", "in flight", "wrong predicate"}, R});
  f.push_back({"IssuePc",
               Ev::Issue,
               kAny,
               Do<wg_ev_issue_t>([](wg_ev_issue_t &e) { e.pc += 16; }),
               {"wrong instruction or lanes"},
               R});
  f.push_back({"IssueMask",
               Ev::Issue,
               kAny,
               Do<wg_ev_issue_t>([](wg_ev_issue_t &e) { e.mask ^= 0x80; }),
               {"wrong instruction or lanes"},
               R});
  f.push_back({"IssueExec",
               Ev::Issue,
               kAny,
               Do<wg_ev_issue_t>([](wg_ev_issue_t &e) { e.exec ^= 0x8; }),
               {"wrong guard lanes"},
               R});
  f.push_back({"IssueDropped",
               Ev::Issue,
               kAny,
               kDrop,
               {"wrong instruction or lanes", "not issued", "no instruction owes", "released before"},
               R});
  f.push_back(
      {"InitSlot", Ev::Init, kAny, Do<wg_ev_init_t>([](wg_ev_init_t &e) { e.slot++; }), {"wrong place of a warp"}, R});
  f.push_back({"InitRegisters",
               Ev::Init,
               kAny,
               Do<wg_ev_init_t>([](wg_ev_init_t &e) { e.reg_base += 8; }),
               {"wrong place of a warp"},
               R});
  f.push_back({"InitShared",
               Ev::Init,
               kAny,
               Do<wg_ev_init_t>([](wg_ev_init_t &e) { e.shared_base += 128; }),
               {"wrong place of a warp"},
               R});
  f.push_back({"InitMask",
               Ev::Init,
               kAny,
               Do<wg_ev_init_t>([](wg_ev_init_t &e) { e.mask >>= 1; }),
               {"wrong threads of a warp"},
               R});
  f.push_back({"InitBlock",
               Ev::Init,
               kAny,
               Do<wg_ev_init_t>([](wg_ev_init_t &e) { e.ctaid[0]++; }),
               {"wrong threads of a warp"},
               R});
  f.push_back({"FreeDropped", Ev::Free, kAny, kDrop, {"wrong block slot", "does not fit", "still there"}, R});
  f.push_back({"LsuOtherPc",
               Ev::Lsu,
               kAny,
               Do<wg_ev_lsu_t>([](wg_ev_lsu_t &e) { e.pc += 16; }),
               {"LSU took another instruction"},
               R});
  f.push_back({"LsuDropped", Ev::Lsu, kAny, kDrop, {"not there", "LSU took another"}, R});
  f.push_back({"WavefrontLane",
               Ev::Shm,
               kAny,
               Do<wg_ev_shm_t>([](wg_ev_shm_t &e) { e.lanes &= e.lanes - 1; }),
               {"ended early", "wrong lanes", "wrong wavefront"},
               R});
  f.push_back({"WavefrontDropped", Ev::Shm, kAny, kDrop, {"ended early"}, R});
  f.push_back({"WavefrontOrder",
               Ev::Shm,
               Is<wg_ev_shm_t>([](const wg_ev_shm_t &e) { return (e.lanes & (e.lanes - 1)) != 0; }),
               Do<wg_ev_shm_t>([](wg_ev_shm_t &e) { e.lanes &= e.lanes - 1; }),
               {"wrong wavefront", "ended early"},
               U});
  f.push_back({"LineAddress",
               Ev::L1,
               kAny,
               Do<wg_ev_l1_t>([](wg_ev_l1_t &e) { e.line += 128; }),
               {"wrong line or sectors"},
               R});
  f.push_back({"LineSectors",
               Ev::L1,
               kAny,
               Do<wg_ev_l1_t>([](wg_ev_l1_t &e) { e.sectors ^= 4; }),
               {"wrong line or sectors"},
               R});
  f.push_back({"LineLane",
               Ev::L1,
               Is<wg_ev_l1_t>([](const wg_ev_l1_t &e) { return (e.lanes & (e.lanes - 1)) != 0; }),
               Do<wg_ev_l1_t>([](wg_ev_l1_t &e) { e.lanes &= e.lanes - 1; }),
               {"wrong coalescing", "wrong line or sectors"},
               U});
  f.push_back({"LineDropped",
               Ev::L1,
               kAny,
               kDrop,
               {"ended early", "no instruction needs", "no instruction made", "fill without"},
               R});
  f.push_back({"FalseHit",
               Ev::L1,
               Is<wg_ev_l1_t>([](const wg_ev_l1_t &e) { return !e.store && e.hit == 0; }),
               Do<wg_ev_l1_t>([](wg_ev_l1_t &e) { e.hit = e.sectors; }),
               {"cannot hold", "no instruction needs", "fill without"},
               R});
  f.push_back({"FalseUpdate",
               Ev::L1,
               Is<wg_ev_l1_t>([](const wg_ev_l1_t &e) { return e.store && e.hit == 0; }),
               Do<wg_ev_l1_t>([](wg_ev_l1_t &e) { e.hit = e.sectors; }),
               {"cannot hold"},
               R});
  f.push_back({"FillDropped",
               Ev::Fill,
               kAny,
               kDrop,
               {"ended early", "before its data", "request id used twice", "no instruction needs", "another line",
                "cannot hold"},
               R});
  f.push_back({"FillOtherSector",
               Ev::Fill,
               kAny,
               Do<wg_ev_fill_t>([](wg_ev_fill_t &e) { e.sector ^= 1; }),
               {"fill without response", "ended early"},
               R});
  f.push_back({"TagEndsDropped", Ev::LsuDone, kAny, kDrop, {"tag used twice", "instruction open"}, R});
  f.push_back({"StoreByte",
               Ev::Req,
               Is<wg_mem_req_t>([](const wg_mem_req_t &r) { return r.op == kWgMemStore; }),
               Do<wg_mem_req_t>([](wg_mem_req_t &r) { r.data[Low(r.byte_mask)] ^= 0x10; }),
               {"wrong store"},
               R});
  f.push_back({"StoreByteLost",
               Ev::Req,
               Is<wg_mem_req_t>([](const wg_mem_req_t &r) { return r.op == kWgMemStore; }),
               Do<wg_mem_req_t>([](wg_mem_req_t &r) { r.byte_mask &= r.byte_mask - 1; }),
               {"wrong store"},
               R});
  f.push_back({"StoreAddress",
               Ev::Req,
               Is<wg_mem_req_t>([](const wg_mem_req_t &r) { return r.op == kWgMemStore; }),
               Do<wg_mem_req_t>([](wg_mem_req_t &r) { r.line += 0x10000; }),
               {"no instruction made"},
               R});
  f.push_back({"StorePc",
               Ev::Req,
               Is<wg_mem_req_t>([](const wg_mem_req_t &r) { return r.op == kWgMemStore; }),
               Do<wg_mem_req_t>([](wg_mem_req_t &r) { r.pc += 16; }),
               {"another name"},
               R});
  f.push_back({"LoadAddress",
               Ev::Req,
               Is<wg_mem_req_t>([](const wg_mem_req_t &r) { return r.op == kWgMemLoad; }),
               Do<wg_mem_req_t>([](wg_mem_req_t &r) { r.line += 128; }),
               {"no instruction needs"},
               R});
  f.push_back({"StoreDropped",
               Ev::Req,
               Is<wg_mem_req_t>([](const wg_mem_req_t &r) { return r.op == kWgMemStore; }),
               kDrop,
               {"response to nothing", "wrong store", "another name"},
               R});
  f.push_back({"ResponseDropped", Ev::Rsp, kAny, kDrop, {"fill without response", "id used twice", "still open"}, R});
  f.push_back(
      {"StackMask", Ev::Stack, kAny, Do<wg_ev_stack_t>([](wg_ev_stack_t &e) { e.next_mask ^= 2; }), {"SIMT stack"}, U});
  f.push_back({"StackPc",
               Ev::Stack,
               Is<wg_ev_stack_t>([](const wg_ev_stack_t &e) { return e.next_mask != 0; }),
               Do<wg_ev_stack_t>([](wg_ev_stack_t &e) { e.next_pc += 16; }),
               {"SIMT stack"},
               U});
  f.push_back(
      {"StackDepth", Ev::Stack, kAny, Do<wg_ev_stack_t>([](wg_ev_stack_t &e) { e.depth++; }), {"SIMT stack"}, U});
  f.push_back({"StackDropped", Ev::Stack, kAny, kDrop, {"before the last one took effect", "stack event missing"}, U});
  f.push_back({"PickOther",
               Ev::Pick,
               Is<wg_ev_pick_t>([](const wg_ev_pick_t &e) { return e.issued; }),
               Do<wg_ev_pick_t>([](wg_ev_pick_t &e) { e.warp ^= 1; }),
               {"scheduler and issue disagree"},
               U});
  f.push_back({"PickNotTheTwins",
               Ev::Pick,
               Is<wg_ev_pick_t>([](const wg_ev_pick_t &e) { return e.issued; }),
               Do<wg_ev_pick_t>([](wg_ev_pick_t &e) { e.eligible &= static_cast<uint16_t>(~(1u << e.warp)); }),
               {"scheduler"},
               U});
  f.push_back({"ReleaseOther",
               Ev::Bar,
               Is<wg_ev_bar_t>([](const wg_ev_bar_t &e) { return e.kind == 1; }),
               Do<wg_ev_bar_t>([](wg_ev_bar_t &e) { e.warps ^= 1; }),
               {"barrier release"},
               U});
  f.push_back({"ReleaseDropped",
               Ev::Bar,
               Is<wg_ev_bar_t>([](const wg_ev_bar_t &e) { return e.kind == 1; }),
               kDrop,
               {"barrier release missing"},
               U});
  f.push_back({"ArrivalDropped",
               Ev::Bar,
               Is<wg_ev_bar_t>([](const wg_ev_bar_t &e) { return e.kind == 0; }),
               kDrop,
               {"barrier release"},
               U});
  return f;
}

class LockstepFault : public ::testing::TestWithParam<size_t> {};

TEST_P(LockstepFault, IsCaughtAndNamed) {
  const Fault f = Faults()[GetParam()];
  unsigned tried = 0;
  for (uint32_t seed = 1; seed <= 30 && tried < 6; seed++) {
    if (seed % 5 == 0) continue;
    Case s = Random(seed);
    s.level = f.level;
    unsigned seen = 0, at = seed % 3;
    bool done = false;
    s.filter = [&](Ev kind, void *p) {
      if (done || kind != f.kind || !f.fits(p) || seen++ < at) return true;
      done = true;
      return f.change(p);
    };
    Outcome o = Go(s);
    if (!done) continue;
    tried++;
    ASSERT_EQ(o.status, kWgMismatch) << f.name << " seed " << seed;
    bool named = false;
    for (const char *w : f.words) named = named || o.report.find(w) != std::string::npos;
    EXPECT_TRUE(named) << f.name << " seed " << seed << "\n" << o.report;
    for (const char *w : {"mismatch: scheduler", "mismatch: barrier release"}) { // a warp is concerned: which one
      if (o.report.find(w) == std::string::npos) continue;
      EXPECT_NE(o.report.find("  block ("), std::string::npos) << o.report;
      EXPECT_NE(o.report.find("  pc 0x"), std::string::npos) << o.report;
    }
    if (o.report.find("mismatch: wrong store") != std::string::npos) { // the byte that is told is one that differs
      size_t a = o.report.find(", byte "), b = o.report.find(", byte ", a + 1);
      ASSERT_NE(b, std::string::npos) << o.report;
      EXPECT_NE(o.report.substr(a, o.report.find('\n', a) - a), o.report.substr(b, o.report.find('\n', b) - b))
          << o.report;
    }
    EXPECT_NE(o.report.find("expected: "), std::string::npos);
    EXPECT_NE(o.report.find("got: "), std::string::npos);
  }
  EXPECT_GE(tried, 3u) << f.name;
}

INSTANTIATE_TEST_SUITE_P(All, LockstepFault, ::testing::Range(size_t{0}, Faults().size()),
                         [](const ::testing::TestParamInfo<size_t> &i) { return std::string(Faults()[i.param].name); });

TEST(Lockstep, ReportNamesThePlace) {
  Case s;
  s.program.S2r(0, kWgSrTidX);
  s.program.IaddImm(8, 0, 5);
  s.program.Exit();
  s.blocks = 2;
  s.threads = 64;
  unsigned n = 0;
  s.filter = [&](Ev kind, void *p) {
    auto *e = static_cast<wg_ev_wb_t *>(p);
    if (kind == Ev::Wb && e->rd == 8 && ++n == 4) const_cast<uint32_t *>(e->lo)[9] = 77;
    return true;
  };
  Outcome o = Go(s);
  EXPECT_EQ(o.status, kWgMismatch);
  for (const char *w :
       {"wrong register value", "seed 1, SM 5, cycle", "block (1,0,0) of grid 3, warp 1", "pc 0x10, k.cu:2",
        "IADD3 R8, R0, 0x5", "expected: R8 lane 9 = 0x0000002e", "got: 0x0000004d"}) {
    EXPECT_NE(o.report.find(w), std::string::npos) << w << "\n" << o.report;
  }
  EXPECT_NE(o.message.find("block (1,0,0) warp 1 pc 0x10"), std::string::npos) << o.message;
}

TEST(Lockstep, StaleFillIsCaught) {
  unsigned caught = 0;
  for (uint32_t seed = 1; seed <= 60; seed++) {
    Case s = Random(seed);
    s.install_stale = true;
    Outcome o = Go(s);
    if (o.status == kWgMismatch) {
      EXPECT_NE(o.report.find("stale sector installed"), std::string::npos) << o.report;
      caught++;
    }
  }
  EXPECT_GT(caught, 3u);
}

TEST(Lockstep, LeftBarrierEarly) {
  Case s;
  // warp 0 comes late
  s.program.S2r(0, kWgSrTidX);
  s.program.MovConst(2, 0, kWgParamBase);
  s.program.MovConst(3, 0, kWgParamBase + 4);
  s.program.IsetpImm(0, 6, 0, 32);
  s.program.Branch(7, 0);
  s.program.Load(kWgOp_LDG, 8, 2);
  s.program.Iadd(8, 8, 8);
  s.program.Bar(0);
  s.program.IaddImm(8, 0, 5);
  s.program.Exit();
  s.level = kWgLockstepRetire;
  EXPECT_EQ(Go(s).status, kWgOk);
  s.ignore_barriers = true;
  Outcome o = Go(s);
  EXPECT_EQ(o.status, kWgMismatch);
  EXPECT_NE(o.report.find("left a barrier early"), std::string::npos) << o.report;
}

TEST(Lockstep, OperandUsedEarly) {
  Case s;
  s.program.MovConst(2, 0, kWgParamBase);
  s.program.MovConst(3, 0, kWgParamBase + 4);
  s.program.Load(kWgOp_LDG, 8, 2);
  s.program.IaddImm(9, 8, 1);
  s.program.Exit();
  s.ignore_scoreboard = true;
  Outcome o = Go(s);
  EXPECT_EQ(o.status, kWgMismatch);
  EXPECT_NE(o.report.find("issued too early"), std::string::npos) << o.report;
  EXPECT_NE(o.report.find("R8"), std::string::npos) << o.report;
}

// A store that is never sent, in the last instruction of the run: seen when the run is closed, either way.
TEST(Lockstep, OpenStoreAtTheEnd) {
  for (bool by_reset : {false, true}) {
    Case s;
    s.program.S2r(0, kWgSrTidX);
    s.program.MovConst(2, 0, kWgParamBase);
    s.program.MovConst(3, 0, kWgParamBase + 4);
    s.program.Store(kWgOp_STG, 2, 0);
    s.program.Exit();
    s.blocks = 1;
    s.threads = 32;
    s.finish_by_reset = by_reset;
    EXPECT_EQ(Go(s).status, kWgOk);
    s.filter = [](Ev kind, void *) { return kind != Ev::Req && kind != Ev::Rsp; };
    Outcome o = Go(s);
    EXPECT_EQ(o.status, kWgMismatch);
    EXPECT_NE(o.report.find("store never sent"), std::string::npos) << o.report;
  }
}

TEST(Lockstep, UnknownDataIsTakenOver) {
  Case s;
  s.program.S2r(0, kWgSrTidX);
  s.program.MovConst(2, 0, kWgParamBase);
  s.program.MovConst(3, 0, kWgParamBase + 4);
  s.program.IaddImm(8, 20, 1);  // R20: whatever the last block left
  s.program.Iadd(9, 8, 8);
  s.program.Store(kWgOp_STG, 2, 9);
  s.program.Store(kWgOp_STS, 255, 9);
  s.program.Load(kWgOp_LDS, 10, 255);
  s.program.Iadd(11, 10, 0);
  s.program.Load(kWgOp_LDG, 12, 2);
  s.program.Exit();
  Outcome o = Go(s);
  EXPECT_EQ(o.status, kWgOk) << o.report;
}

TEST(Lockstep, UnknownAddressIsReported) {
  Case s;
  s.program.Load(kWgOp_LDS, 8, 20);
  s.program.Exit();
  Outcome o = Go(s);
  EXPECT_EQ(o.status, kWgMismatch);
  EXPECT_NE(o.report.find("nothing has written"), std::string::npos) << o.report;
}

TEST(Lockstep, FaultsAreCompared) {
  Case s;
  s.program.MovImm(8, 3);
  s.program.Load(kWgOp_LDS, 9, 8);
  s.program.Exit();
  Outcome o = Go(s);
  EXPECT_EQ(o.status, kWgOk) << o.report;
  s.report_fault = kWgFaultTrap;
  o = Go(s);
  EXPECT_EQ(o.status, kWgMismatch);
  EXPECT_NE(o.report.find("expected: misaligned address at pc 0x10"), std::string::npos) << o.report;
}

TEST(Lockstep, FaultsBeforeIssueAreCompared) {
  Case s;
  s.program.S2r(0, kWgSrTidX);
  s.program.Add(kWgOp_TRAP).imm = 1;
  s.program.Exit();
  Outcome o = Go(s);
  EXPECT_EQ(o.status, kWgOk) << o.report;
  s.report_fault = kWgFaultTrap;
  o = Go(s);
  EXPECT_EQ(o.status, kWgMismatch);
  s.report_fault = kWgFaultNone;
  s.blocks = 1;
  s.threads = 32;
  EXPECT_EQ(Go(s).status, kWgMismatch);
}

TEST(Lockstep, FaultNobodyReportedIsAMismatch) {
  Case s;
  s.program.MovImm(8, 3);
  s.program.Load(kWgOp_LDS, 9, 8);
  s.program.Exit();
  s.blocks = 1;
  s.threads = 32;
  s.report_fault = kWgFaultNone;
  Outcome o = Go(s);
  EXPECT_EQ(o.status, kWgMismatch);
  EXPECT_NE(o.report.find("fault not reported"), std::string::npos) << o.report;
}

// Counters and hash of the checker are those of the functional run.
TEST(Lockstep, CountsAgreeWithTheFunctionalRun) {
  Case s;
  Program &p = s.program;
  p.S2r(0, kWgSrTidX);
  p.S2r(1, kWgSrCtaidX);
  p.MovConst(2, 0, kWgParamBase);
  p.MovConst(3, 0, kWgParamBase + 4);
  wg_insn_t &i = p.Add(kWgOp_IMAD);
  i.rd = 4;
  i.ra = 1;
  i.form = kWgFormImm;
  i.imm = 96;
  i.rc = 0;
  p.ImadWide(6, 4, 4, 2);
  p.Load(kWgOp_LDG, 8, 6);
  p.IsetpImm(0, 1, 0, 40);
  p.Bssy(0, 11);
  p.Branch(11, 0);
  p.IaddImm(8, 8, 9);
  p.Bsync(0);
  p.ImadWide(10, 0, 8, 255);
  p.Store(kWgOp_STS, 10, 8);
  p.Load(kWgOp_LDS, 9, 10);
  p.Store(kWgOp_STG, 6, 9, 2048);
  p.Exit();
  Outcome o = Go(s);
  ASSERT_EQ(o.status, kWgOk) << o.report;

  Memory mem(0x30000);
  std::mt19937 rng(s.seed);
  for (size_t k = 0x20000; k < 0x21000; k++) mem.bytes[k] = static_cast<uint8_t>(rng());
  auto words = p.Words();
  std::memcpy(mem.bytes.data(), words.data(), words.size() * 16);
  wg_ref_mem_t ops = mem.Ops();
  wg_ref_code_t *code = wg_ref_code_new(&ops, kCode);
  wg_ref_place_t place = {};
  wg_ref_totals_t t = {};
  for (uint32_t x = 0; x < s.blocks; x++) {
    wg_cta_launch_t cta = Cta(s, x, &mem);
    wg_ref_block_t *b = wg_ref_block_new(&cta, code, &ops, &place);
    ASSERT_EQ(wg_ref_block_run(b, 100000, &t, nullptr), kWgRefEnded);
    wg_ref_block_free(b);
  }
  wg_ref_code_free(code);
  EXPECT_EQ(o.counts.retire_hash, t.retire_hash);
  EXPECT_EQ(o.counts.warp_insts, t.warp_insts);
  EXPECT_EQ(o.counts.thread_insts, t.thread_insts);
  EXPECT_EQ(o.retired + s.blocks, t.warp_insts);  // each is told once, but the branch of the warp where no lane takes it
  EXPECT_EQ(o.retired_lanes, t.thread_insts);
  EXPECT_EQ(o.counts.global_load_requests, t.global_load_requests);
  EXPECT_EQ(o.counts.global_load_lanes, t.global_load_lanes);
  EXPECT_EQ(o.counts.global_load_sectors, t.global_load_sectors);
  EXPECT_EQ(o.counts.global_store_requests, t.global_store_requests);
  EXPECT_EQ(o.counts.global_store_lanes, t.global_store_lanes);
  EXPECT_EQ(o.counts.global_store_sectors, t.global_store_sectors);
  EXPECT_EQ(o.counts.shared_load_requests, t.shared_load_requests);
  EXPECT_EQ(o.counts.shared_store_requests, t.shared_store_requests);
  EXPECT_EQ(o.counts.shared_wavefronts, t.shared_wavefronts);
  EXPECT_EQ(o.counts.bank_conflicts, t.bank_conflicts);
  EXPECT_GT(t.bank_conflicts, 0u);
  EXPECT_EQ(o.counts.l1_sector_hits + o.counts.l1_sector_misses, o.counts.global_load_sectors);
  EXPECT_EQ(std::memcmp(&mem.bytes[0x20000], &o.mem.bytes[0x20000], 0x1000), 0);
}

}  // namespace
