// SPDX-License-Identifier: Apache-2.0
//
// Warps, blocks and grids of the golden model on small programs: addressing, divergence, barriers, faults, deadlock.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "testbench/unit/ref/csv.h"
#include "testbench/unit/ref/program.h"

namespace {

using wgtest::Memory;
using wgtest::Program;

struct Bench {
  Memory mem{65536};
  wg_ref_totals_t totals = {};
  wg_fault_t fault = {};
  wg_diag_t diag = {};
  uint32_t regs = 32, shared = 0;
  uint64_t max_insts = 1000000;
  std::vector<uint32_t> params{static_cast<uint32_t>(Memory::kBase), static_cast<uint32_t>(Memory::kBase >> 32)};

  wg_status_t Go(const Program &p, std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block) {
    auto words = p.Words();
    wg_ref_grid_t g = {};
    g.code = words.data();
    g.num_insns = static_cast<uint32_t>(words.size());
    g.regs = regs;
    g.shared_bytes = shared;
    g.max_insts = max_insts;
    for (int i = 0; i < 3; i++) {
      g.grid[i] = grid[i];
      g.block[i] = block[i];
    }
    g.params = reinterpret_cast<const uint8_t *>(params.data());
    g.param_bytes = params.size() * 4;
    wg_ref_mem_t m = mem.Ops();
    return wg_ref_run_grid(&g, &m, &totals, &fault, &diag);
  }
};

// R0 = linear thread in grid (1-D), {R3,R2} = &out[R0]
void Prologue(Program &p) {
  p.S2r(0, kWgSrCtaidX);
  p.S2r(1, kWgSrTidX);
  wg_insn_t &i = p.Add(kWgOp_IMAD);
  i.rd = 0;
  i.ra = 0;
  i.rc = 1;
  i.form = kWgFormConst;
  i.coff = 0;
  p.MovConst(4, 0, kWgParamBase);
  p.MovConst(5, 0, kWgParamBase + 4);
  p.ImadWide(2, 0, 4, 4);
}

TEST(Grid, ThreadIndexOverTailWarp) {
  Program p;
  Prologue(p);
  p.IsetpImm(0, 1, 0, 100);
  p.Exit(0, true);
  p.IaddImm(6, 0, 1000);
  p.Store(kWgOp_STG, 2, 6);
  p.Exit();
  Bench r;
  ASSERT_EQ(r.Go(p, {3, 1, 1}, {40, 1, 1}), kWgOk) << r.diag.msg;
  for (uint32_t i = 0; i < 128; i++) EXPECT_EQ(r.mem.Word(i), i < 100 ? i + 1000 : 0u) << i;
  // 6 warps of 11 instructions; the last one (threads 112..119) leaves at the eighth, the guarded EXIT
  EXPECT_EQ(r.totals.warp_insts, 5u * 11 + 8);
  // the guard of that EXIT holds in threads 100..119 only
  EXPECT_EQ(r.totals.thread_insts, 100u * 10 + 20 * 8);
}

TEST(Grid, ThreeDimensionalIndices) {
  Program p;
  p.S2r(0, kWgSrTidX);
  p.S2r(1, kWgSrTidY);
  p.S2r(2, kWgSrTidZ);
  p.S2r(3, kWgSrCtaidY);
  p.MovConst(4, 0, kWgParamBase);
  p.MovConst(5, 0, kWgParamBase + 4);
  // address = base + 4 * (x + 5 * (y + 3 * (z + 2 * cy))); value = x | y << 8 | z << 16 | cy << 24
  auto mad = [&](uint8_t d, uint8_t a, uint32_t imm, uint8_t c) {
    wg_insn_t &i = p.Add(kWgOp_IMAD);
    i.rd = d;
    i.ra = a;
    i.form = kWgFormImm;
    i.imm = imm;
    i.rc = c;
  };
  mad(6, 3, 2, 2);
  mad(6, 6, 3, 1);
  mad(6, 6, 5, 0);
  p.ImadWide(8, 6, 4, 4);
  mad(7, 1, 1u << 8, 0);
  mad(7, 2, 1u << 16, 7);
  mad(7, 3, 1u << 24, 7);
  p.Store(kWgOp_STG, 8, 7);
  p.Exit();
  Bench r;
  ASSERT_EQ(r.Go(p, {1, 3, 1}, {5, 3, 2}), kWgOk) << r.diag.msg;
  uint32_t k = 0;
  for (uint32_t cy = 0; cy < 3; cy++)
    for (uint32_t z = 0; z < 2; z++)
      for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 5; x++) EXPECT_EQ(r.mem.Word(k++), x | y << 8 | z << 16 | cy << 24);
}

// Loop with a trip count that differs a lane; each lane stores its own count, then lanes rejoin.
TEST(Grid, DivergentLoop) {
  Program p;
  Prologue(p);       // 0..5
  p.MovImm(6, 0);    // 6
  p.Bssy(0, 11);     // 7
  p.IaddImm(6, 6, 1);  // 8
  wg_insn_t &cmp = p.Add(kWgOp_ISETP, 3u | 1u << kWgModLsb_IU32);  // 9: P0 = R6 <= R0
  cmp.pd0 = 0;
  cmp.ra = 6;
  cmp.rb = 0;
  p.Branch(8, 0);    // 10
  p.Bsync(0);        // 11
  wg_insn_t &add = p.Add(kWgOp_SHFL, 0 | 1u << kWgModLsb_CIMM);  // 12: R7 = R6 of lane 31, all lanes there
  add.rd = 7;
  add.ra = 6;
  add.form = kWgFormImm;
  add.imm = 31 | 0x1fu << 8;
  p.Store(kWgOp_STG, 2, 6);        // 13
  p.Store(kWgOp_STG, 2, 7, 4096);  // 14
  p.Exit();
  Bench r;
  ASSERT_EQ(r.Go(p, {1, 1, 1}, {32, 1, 1}), kWgOk) << r.diag.msg;
  for (uint32_t i = 0; i < 32; i++) {
    EXPECT_EQ(r.mem.Word(i), i + 1);
    EXPECT_EQ(r.mem.Word(1024 + i), 32u);
  }
}

TEST(Grid, BarrierAndShared) {
  Program p;
  Prologue(p);
  auto shl = [&](uint8_t d, uint8_t a, uint32_t n) {
    wg_insn_t &i = p.Add(kWgOp_SHF);
    i.rd = d;
    i.ra = a;
    i.form = kWgFormImm;
    i.imm = n;
  };
  shl(6, 1, 2);                  // R6 = 4 * tid
  p.Store(kWgOp_STS, 6, 0);      // shared[tid] = gid
  p.Bar(0);
  wg_insn_t &rev = p.Add(kWgOp_IADD3, kWgMark_NA);  // R7 = 4 * 127 - R6
  rev.rd = 7;
  rev.ra = 6;
  rev.form = kWgFormImm;
  rev.imm = 4 * 127;
  p.Load(kWgOp_LDS, 8, 7);
  p.Store(kWgOp_STG, 2, 8);
  p.Exit();
  Bench r;
  r.shared = 512;
  ASSERT_EQ(r.Go(p, {2, 1, 1}, {128, 1, 1}), kWgOk) << r.diag.msg;
  for (uint32_t i = 0; i < 256; i++) EXPECT_EQ(r.mem.Word(i), (i & ~127u) + 127 - i % 128);
}

TEST(Grid, LoadSizesExtend) {
  Program p;
  p.MovConst(4, 0, kWgParamBase);
  p.MovConst(5, 0, kWgParamBase + 4);
  for (unsigned size = 0; size < 4; size++) p.Load(kWgOp_LDG, static_cast<uint8_t>(8 + size), 4, 2, size);
  p.Load(kWgOp_LDG, 12, 4, 16, 6);
  p.Load(kWgOp_LDG, 16, 4, 24, 5);
  for (unsigned k = 0; k < 4; k++) p.Store(kWgOp_STG, 4, static_cast<uint8_t>(8 + k), static_cast<int32_t>(64 + 4 * k));
  p.Store(kWgOp_STG, 4, 12, 80, 6);
  p.Store(kWgOp_STG, 4, 16, 96, 5);
  p.Store(kWgOp_STG, 4, 13, 104, 2);
  p.Exit();
  Bench r;
  for (unsigned i = 0; i < 32; i++) r.mem.bytes[i] = static_cast<uint8_t>(0x80 + i);
  ASSERT_EQ(r.Go(p, {1, 1, 1}, {1, 1, 1}), kWgOk) << r.diag.msg;
  EXPECT_EQ(r.mem.Word(16), 0x82u);
  EXPECT_EQ(r.mem.Word(17), 0xffffff82u);
  EXPECT_EQ(r.mem.Word(18), 0x8382u);
  EXPECT_EQ(r.mem.Word(19), 0xffff8382u);
  for (unsigned i = 0; i < 16; i++) EXPECT_EQ(r.mem.bytes[80 + i], 0x90 + i);
  for (unsigned i = 0; i < 8; i++) EXPECT_EQ(r.mem.bytes[96 + i], 0x98 + i);
  EXPECT_EQ(r.mem.Word(26), 0x9594u);
}

TEST(Grid, ConstantBanks) {
  Program p;
  p.MovConst(4, 0, kWgParamBase);
  p.MovConst(5, 0, kWgParamBase + 4);
  p.MovConst(6, 2, 4);
  p.MovConst(7, 0, 0x0c);
  p.Store(kWgOp_STG, 4, 6);
  p.Store(kWgOp_STG, 4, 7, 4);
  p.Exit();
  auto words = p.Words();
  uint32_t lits[2] = {1, 0xabcd};
  Memory mem(64);
  uint64_t base = Memory::kBase;
  wg_ref_grid_t g = {};
  g.code = words.data();
  g.num_insns = static_cast<uint32_t>(words.size());
  g.regs = 8;
  g.grid[0] = 3;
  g.grid[1] = g.grid[2] = g.block[0] = g.block[1] = g.block[2] = 1;
  g.params = reinterpret_cast<const uint8_t *>(&base);
  g.param_bytes = 8;
  g.const2 = reinterpret_cast<const uint8_t *>(lits);
  g.const2_size = 8;
  wg_ref_mem_t m = mem.Ops();
  wg_fault_t f;
  ASSERT_EQ(wg_ref_run_grid(&g, &m, nullptr, &f, nullptr), kWgOk);
  EXPECT_EQ(mem.Word(0), 0xabcdu);
  EXPECT_EQ(mem.Word(1), 3u);
  g.const2_size = 4;
  ASSERT_EQ(wg_ref_run_grid(&g, &m, nullptr, &f, nullptr), kWgFault);
  EXPECT_EQ(f.code, kWgFaultAddrSpace);
  EXPECT_EQ(f.pc, 32u);
}

struct FaultCase {
  const char *name;
  void (*build)(Program &p);
  uint8_t code;
  uint32_t pc, lanes;
};

class GridFault : public ::testing::TestWithParam<FaultCase> {};

TEST_P(GridFault, IsReported) {
  Program p;
  GetParam().build(p);
  Bench r;
  r.shared = 64;
  ASSERT_EQ(r.Go(p, {1, 1, 1}, {32, 1, 1}), kWgFault) << r.diag.msg;
  EXPECT_EQ(r.fault.code, GetParam().code) << r.diag.msg;
  EXPECT_EQ(r.fault.pc, GetParam().pc);
  EXPECT_EQ(r.fault.lanes, GetParam().lanes);
}

INSTANTIATE_TEST_SUITE_P(
    All, GridFault,
    ::testing::Values(
        FaultCase{"Register", [](Program &p) { p.MovImm(32, 0); }, kWgFaultIllegalInsn, 0, UINT32_MAX},
        FaultCase{"RunsOffTheEnd", [](Program &p) { p.MovImm(1, 0); }, kWgFaultBadPc, 16, UINT32_MAX},
        FaultCase{"Trap", [](Program &p) { p.Add(kWgOp_TRAP).imm = 7; }, kWgFaultTrap, 0, UINT32_MAX},
        FaultCase{"Assert", [](Program &p) { p.Add(kWgOp_TRAP).imm = 1; }, kWgFaultAssert, 0, UINT32_MAX},
        FaultCase{"Misaligned",
                  [](Program &p) {
                    p.S2r(2, kWgSrLaneId);
                    p.Load(kWgOp_LDS, 4, 2, 0, 2);
                  },
                  kWgFaultMisaligned, 16, 0xaaaaaaaa},
        FaultCase{"SharedOutside",
                  [](Program &p) {
                    p.S2r(2, kWgSrLaneId);
                    p.Load(kWgOp_LDS, 4, 2, 40, 0);
                  },
                  kWgFaultAddrSpace, 16, 0xff000000},
        FaultCase{"GlobalOutside",
                  [](Program &p) { p.Load(kWgOp_LDG, 4, 255, 0x10000); }, kWgFaultIllegalAddr, 0, UINT32_MAX},
        FaultCase{"BeyondTheAddressBits",
                  [](Program &p) {
                    p.MovImm(2, 0);
                    p.MovImm(3, 1u << 16);
                    p.Load(kWgOp_LDG, 4, 2);
                  },
                  kWgFaultIllegalAddr, 32, UINT32_MAX},
        FaultCase{"ConstantNotAligned", [](Program &p) { p.MovConst(2, 0, 2); }, kWgFaultAddrSpace, 0, UINT32_MAX},
        FaultCase{"ConstantOfBank1", [](Program &p) { p.MovConst(2, 1, 0); }, kWgFaultAddrSpace, 0, UINT32_MAX},
        FaultCase{"BadBarrierCount", [](Program &p) { p.Bar(1, 33); }, kWgFaultTrap, 0, UINT32_MAX},
        FaultCase{"SyncWithoutSsy", [](Program &p) { p.Bsync(3); }, kWgFaultStackError, 0, UINT32_MAX}),
    [](const ::testing::TestParamInfo<FaultCase> &info) { return info.param.name; });

TEST(Grid, DeadlockNamesTheBarrier) {
  Program p;
  p.S2r(0, kWgSrTidX);
  p.IsetpImm(0, 1, 0, 32);
  p.Branch(4, 0);
  p.Bar(1);  // warp 1 waits at barrier 1
  p.Bar(2);  // warp 0 at barrier 2
  p.Exit();
  Bench r;
  EXPECT_EQ(r.Go(p, {1, 1, 1}, {64, 1, 1}), kWgHang);
  EXPECT_NE(std::string(r.diag.msg).find("warp 0 at barrier 2"), std::string::npos) << r.diag.msg;
  EXPECT_NE(std::string(r.diag.msg).find("warp 1 at barrier 1"), std::string::npos) << r.diag.msg;
}

TEST(Grid, EndlessLoopGivesUp) {
  Program p;
  p.Branch(0);
  Bench r;
  r.max_insts = 50000;
  EXPECT_EQ(r.Go(p, {1, 1, 1}, {32, 1, 1}), kWgHang);
}

TEST(Grid, RefusesBadShapes) {
  Program p;
  p.Exit();
  Bench r;
  EXPECT_EQ(r.Go(p, {0, 1, 1}, {32, 1, 1}), kWgBadArg);
  EXPECT_EQ(r.Go(p, {1, 65536, 1}, {32, 1, 1}), kWgBadArg);
  EXPECT_EQ(r.Go(p, {1, 1, 1}, {32, 33, 1}), kWgBadArg);
  EXPECT_EQ(r.Go(p, {1, 1, 1}, {1, 1, 65}), kWgBadArg);
}

// Which lane's value stays when lanes store to one place: every row of the silicon's table.
TEST(Grid, StoresOfLanesThatMeet) {
  auto rows = wgtest::ReadCsv("samestore.csv");
  ASSERT_EQ(rows.size(), 217u);
  for (size_t k = 1; k < rows.size(); k++) {
    bool shared = rows[k][0] == "shared";
    unsigned width = static_cast<unsigned>(std::stoul(rows[k][1])) / 8;
    uint32_t mask = static_cast<uint32_t>(std::stoul(rows[k][2], nullptr, 16));
    unsigned groups = static_cast<unsigned>(std::stoul(rows[k][3]));
    unsigned pitch = width < 4 ? 4 : width;
    wg_insn_t in = wg_insn_default(shared ? kWgOp_STS : kWgOp_STG);
    in.mods = width == 1 ? 0 : width == 4 ? 4 : width == 8 ? 5 : 6;
    wg_ref_insn_t insn = {};
    insn.in = in;
    Memory mem(1024);
    std::vector<uint8_t> sh(1024, 0xff);
    std::fill(mem.bytes.begin(), mem.bytes.end(), 0xff);
    wg_ref_warp_t w = {};
    wg_ref_step_t st = {};
    st.insn = &insn;
    st.bytes = width;
    st.lanes = UINT32_MAX;
    st.shared = shared ? UINT32_MAX : 0;
    for (unsigned l = 0; l < 32; l++) {
      st.addr[l] = (shared ? 0 : Memory::kBase) + (l % groups) * pitch;
      for (auto &row : st.data) row[l] = l;
    }
    wg_ref_mem_t ops = mem.Ops();
    ASSERT_EQ(wg_ref_memory(&w, &st, mask, sh.data(), &ops), kWgFaultNone);
    const uint8_t *got = shared ? sh.data() : mem.bytes.data();
    for (unsigned g = 0; g < groups; g++) {
      uint32_t want = rows[k][4 + g] == "-" ? 0xffu : static_cast<uint32_t>(std::stoul(rows[k][4 + g]));
      EXPECT_EQ(got[g * pitch], want) << "row " << k << " group " << g;
    }
  }
}

}  // namespace
