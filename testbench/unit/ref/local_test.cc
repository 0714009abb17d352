// SPDX-License-Identifier: Apache-2.0
//
// Local memory in the golden model: where a lane's word lies (isa/README.md, LDL), faults, counters, frames of blocks that are
// resident together in the `func` back end.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "model/sm/sm_func.h"
#include "testbench/unit/ref/program.h"

namespace {

using wgtest::Memory;
using wgtest::Program;

constexpr uint8_t kRz = 255;

wg_status_t Go(const Program &p, uint32_t local, uint32_t threads, Memory *mem, wg_ref_totals_t *t, wg_fault_t *f) {
  auto words = p.Words();
  uint64_t out = Memory::kBase;
  wg_ref_grid_t g = {};
  g.code = words.data();
  g.num_insns = static_cast<uint32_t>(words.size());
  g.regs = 16;
  g.local_bytes = local;
  g.grid[0] = 2;
  g.grid[1] = g.grid[2] = g.block[1] = g.block[2] = 1;
  g.block[0] = threads;
  g.params = reinterpret_cast<const uint8_t *>(&out);
  g.param_bytes = 8;
  wg_ref_mem_t m = mem->Ops();
  wg_diag_t d = {};
  return wg_ref_run_grid(&g, &m, t, f, &d);
}

// {R3,R2} = &out[ctaid * 64 + tid], R0 = that index
void Prologue(Program &p) {
  p.S2r(0, kWgSrCtaidX);
  p.S2r(1, kWgSrTidX);
  wg_insn_t &i = p.Add(kWgOp_IMAD);
  i.rd = 0;
  i.ra = 0;
  i.rc = 1;
  i.form = kWgFormImm;
  i.imm = 64;
  p.MovConst(4, 0, kWgParamBase);
  p.MovConst(5, 0, kWgParamBase + 4);
  p.ImadWide(2, 0, 4, 4);
}

TEST(Local, WarpsHaveFramesOfTheirOwn) {
  Program p;
  Prologue(p);
  p.Store(kWgOp_STL, kRz, 0, 8);
  p.Bar(0);
  p.Load(kWgOp_LDL, 6, kRz, 8);
  p.Store(kWgOp_STG, 2, 6);
  p.Exit();
  Memory mem(4096);
  wg_ref_totals_t t = {};
  ASSERT_EQ(Go(p, 12, 64, &mem, &t, nullptr), kWgOk);
  for (uint32_t i = 0; i < 128; i++) EXPECT_EQ(mem.Word(i), i) << i;
  // four warps: one line of four sectors each, and none of it among the global accesses
  EXPECT_EQ(t.local_store_requests, 4u);
  EXPECT_EQ(t.local_load_requests, 4u);
  EXPECT_EQ(t.local_store_sectors, 16u);
  EXPECT_EQ(t.local_load_sectors, 16u);
  EXPECT_EQ(t.global_load_requests, 0u);
  EXPECT_EQ(t.global_store_requests, 4u);
  EXPECT_EQ(t.global_store_sectors, 16u);
}

TEST(Local, FramesRoundUpAndKeepTheirBytes) {
  Program p;
  Prologue(p);
  p.Load(kWgOp_LDL, 6, kRz, 12);
  p.Store(kWgOp_STG, 2, 6);
  p.Store(kWgOp_STL, kRz, 0, 12); /* what the next block in this slot finds */
  p.Exit();
  Memory mem(4096);
  wg_fault_t f = {};
  ASSERT_EQ(Go(p, 13, 32, &mem, nullptr, &f), kWgOk); /* 13 bytes are 16 */
  for (uint32_t i = 0; i < 32; i++) {
    EXPECT_EQ(mem.Word(i), 0u);
    EXPECT_EQ(mem.Word(64 + i), i);
  }
  ASSERT_EQ(Go(p, 12, 32, &mem, nullptr, &f), kWgFault);
  EXPECT_EQ(f.code, kWgFaultStackError);
}

// The address rule, lane by lane, against the text of isa/README.md, LDL.
TEST(Local, AddressesFollowTheRule) {
  std::vector<uint32_t> regs(16 * 32);
  wg_cta_launch_t cta = {};
  cta.ntid[0] = 32;
  cta.ntid[1] = cta.ntid[2] = 1;
  cta.local_bytes = 20;
  cta.local_arena = 0x200000123480;
  wg_ref_banks_t banks = {};
  wg_ref_warp_t w = {};
  wg_ref_warp_init(&w, 0, UINT32_MAX);
  w.reg = reinterpret_cast<uint32_t(*)[32]>(regs.data());
  w.num_regs = 16;
  w.warp_slot = 7;
  w.cta = &cta;
  w.banks = &banks;
  for (uint32_t l = 0; l < 32; l++) w.reg[3][l] = l % 20;
  wg_ref_insn_t insn = {};
  insn.in = wg_insn_default(kWgOp_STL);
  insn.in.mods = 0; /* .U8 */
  insn.in.ra = 3;
  insn.in.rc = 3;
  insn.regs = wg_insn_regs(&insn.in);
  wg_ref_step_t st = {};
  wg_ref_issue(&w, &insn, &st);
  ASSERT_EQ(st.fault, kWgFaultNone);
  for (uint64_t l = 0; l < 32; l++) {
    uint64_t o = l % 20;
    EXPECT_EQ(st.addr[l], 0x200000123480 + ((7 * 5 + o / 4) * 32 + l) * 4 + o % 4) << l;
  }
}

struct FaultCase {
  const char *name;
  void (*build)(Program &p);
  uint8_t code;
  uint32_t lanes;
  uint64_t addr;
};

class LocalFault : public ::testing::TestWithParam<FaultCase> {};

TEST_P(LocalFault, IsReported) {
  Program p;
  p.S2r(2, kWgSrLaneId);
  GetParam().build(p);
  p.Exit();
  Memory mem(64);
  wg_fault_t f = {};
  ASSERT_EQ(Go(p, 32, 32, &mem, nullptr, &f), kWgFault);
  EXPECT_EQ(f.code, GetParam().code);
  EXPECT_EQ(f.pc, 16u);
  EXPECT_EQ(f.lanes, GetParam().lanes);
  EXPECT_EQ(f.addr, GetParam().addr);
}

INSTANTIATE_TEST_SUITE_P(
    All, LocalFault,
    ::testing::Values(
        FaultCase{"Beyond", [](Program &p) { p.Load(kWgOp_LDL, 4, 2, 4, 0); }, kWgFaultStackError, 0xf0000000u, 32},
        FaultCase{"EndsBeyond", [](Program &p) { p.Store(kWgOp_STL, kRz, 2, 32, 2); }, kWgFaultStackError, UINT32_MAX, 32},
        FaultCase{"Negative", [](Program &p) { p.Load(kWgOp_LDL, 4, kRz, -4); }, kWgFaultStackError, UINT32_MAX,
                  0xfffffffc},
        FaultCase{"Misaligned", [](Program &p) { p.Load(kWgOp_LDL, 4, 2, 0, 2); }, kWgFaultMisaligned, 0xaaaaaaaau, 1},
        FaultCase{"MisalignedFirst", [](Program &p) { p.Store(kWgOp_STL, kRz, 2, 4001); }, kWgFaultMisaligned,
                  UINT32_MAX, 4001},
        FaultCase{"Wide", [](Program &p) { p.Load(kWgOp_LDL, 4, kRz, 0, 5); }, kWgFaultIllegalInsn, UINT32_MAX, 16}),
    [](const ::testing::TestParamInfo<FaultCase> &i) { return i.param.name; });

// Four blocks on one SM; each leaves its turn at the barrier between its stores and its loads, so that all have stored
// before one loads.
TEST(LocalFunc, ResidentBlocksDoNotMeet) {
  wg_store_t *store = nullptr;
  ASSERT_EQ(wg_store_create(&store, nullptr), kWgOk);
  wg_sm_func_cfg_t cfg = {};
  cfg.mem = wg_sm_func_store_mem(store);
  cfg.slice = 1;
  wg_sm_t *sm = nullptr;
  ASSERT_EQ(wg_sm_func_create(wg_shape_find("tiny"), &cfg, &sm, nullptr), kWgOk);
  wg_sm_cfg_t sm_cfg = {};
  sm_cfg.warp_slots = 8;
  sm_cfg.block_slots = 4;
  sm_cfg.nsmid = 1;
  ASSERT_EQ(sm->ops->reset(sm, &sm_cfg, nullptr), kWgOk);
  uint64_t out, code, bank, arena;
  ASSERT_EQ(wg_store_alloc(store, 1024, &out, nullptr), kWgOk);
  Program p;
  Prologue(p);
  p.Store(kWgOp_STL, kRz, 0, 4);
  p.Bar(0);
  p.Load(kWgOp_LDL, 6, kRz, 4);
  p.Store(kWgOp_STG, 2, 6);
  p.Exit();
  auto w = p.Words();
  wg_cta_launch_t cta = {};
  cta.ntid[0] = 64;
  cta.ntid[1] = cta.ntid[2] = cta.nctaid[1] = cta.nctaid[2] = 1;
  cta.nctaid[0] = 4;
  cta.regs_per_thread = 16;
  cta.local_bytes = 8;
  std::vector<uint8_t> b0(kWgParamBase + 8);
  wg_ref_bank0(&cta, 0, 0, reinterpret_cast<const uint8_t *>(&out), 8, b0.data());
  ASSERT_EQ(wg_store_alloc_driver(store, w.size() * 16, 128, &code, nullptr), kWgOk);
  ASSERT_EQ(wg_store_alloc_driver(store, b0.size(), 256, &bank, nullptr), kWgOk);
  ASSERT_EQ(wg_store_alloc_driver(store, 8 * 32 * 8, 256, &arena, nullptr), kWgOk);
  wg_store_poke(store, code, w.data(), w.size() * 16);
  wg_store_poke(store, bank, b0.data(), b0.size());
  cta.code_base = code;
  cta.const_base[0] = bank;
  cta.const_size[0] = static_cast<uint32_t>(b0.size());
  cta.local_arena = arena;
  for (uint32_t x = 0; x < 4; x++) {
    cta.ctaid[0] = x;
    ASSERT_TRUE(sm->ops->can_launch(sm));
    sm->ops->launch(sm, &cta);
  }
  unsigned done = 0;
  for (int c = 0; c < 1000 && done < 4; c++) {
    sm->ops->tick(sm, 0, false);
    for (wg_cta_done_t d; sm->ops->pop_done(sm, &d);) done++;
  }
  EXPECT_EQ(done, 4u);
  for (uint32_t b = 0; b < 4; b++) {
    for (uint32_t i = 0; i < 64; i++) {
      uint32_t v = 0;
      wg_store_peek(store, out + 4 * (64 * b + i), &v, 4);
      EXPECT_EQ(v, 64 * b + i) << "block " << b;
    }
  }
  sm->ops->destroy(sm);
  wg_store_destroy(store);
}

}  // namespace
