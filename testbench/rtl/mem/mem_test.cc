// SPDX-License-Identifier: Apache-2.0
//
// sm_mem and sm_memport: constrained-random streams of loads, stores and shuffles of several warps against a memory
// with random latency, every value checked (mem_bench.h), and directed tests of rates, caching, merging, faults and
// routing. SEED=n repeats or varies a run.
// bench: top mem_bench -GSubCores=4 -GSmemBytes=32768
// bench: link model/twin/coalescer.c model/twin/smem_passes.c
#include "testbench/rtl/mem/mem_bench.h"

namespace {

using membench::Bench;
using membench::Insn;
using membench::kBase;
using membench::kMemBytes;
using membench::kSubs;

constexpr unsigned kSlots = 4;  /* warps a sub-core */
constexpr unsigned kBlocks = 8;
constexpr unsigned kBlockBytes = 1000;

void init_warps(Bench &b, unsigned pitch) {
  for (unsigned s = 0; s < kSubs; s++)
    for (unsigned w = 0; w < kSlots; w++) {
      unsigned block = (s * kSlots + w) % kBlocks;
      b.init(s, w, block, block * pitch, kBlockBytes);
    }
}

/** 32 byte offsets in [0, limit - bytes], multiples of `bytes`, in one of the usual patterns. */
void pattern(Bench &b, unsigned bytes, unsigned limit, uint32_t off[32]) {
  unsigned units = limit / bytes, start = b.below(units) & (b.chance(50) ? ~31u : ~0u), stride = 1 + b.below(40), kind = b.below(8);
  for (unsigned l = 0; l < 32; l++) {
    unsigned u = 0;
    switch (kind) {
      case 0: u = start + l; break;
      case 1: u = start; break;
      case 2: u = start + l * stride; break;
      case 3: u = start + l / 2; break;
      case 4: u = start + l % 16; break;
      case 5: u = start + b.below(8); break;
      case 6: u = start + (l & ~2u); break;
      default: u = b.below(units);
    }
    off[l] = u % units * bytes;
  }
}

Insn random_insn(Bench &b, unsigned sub, unsigned slot, unsigned count, unsigned global_bytes) {
  Insn i;
  i.sub = static_cast<uint8_t>(sub);
  i.slot = static_cast<uint8_t>(slot);
  i.rd = static_cast<uint8_t>(count % 30 * 8);
  i.pc = b.below(1 << 20) * 16;
  i.mask = b.chance(60) ? ~0u : static_cast<uint32_t>(b.rng());
  if (i.mask == 0) i.mask = 1u << b.below(32);
  i.imm = b.chance(50) ? 0 : (b.below(512) - 256) & ~15u;
  for (auto &row : i.data) for (auto &w : row) w = static_cast<uint32_t>(b.rng());
  unsigned kind = b.below(100);
  if (kind < 10) {
    i.op = kWgOp_SHFL;
    i.mods = static_cast<uint16_t>(b.below(4) | (b.chance(50) ? 4 : 0));
    i.form = b.chance(50) ? kWgFormImm : kWgFormReg;
    i.pd = static_cast<uint8_t>(b.below(8));
    i.imm = b.below(32) | (b.chance(50) ? 0x1fu : b.below(32)) << 8 | (b.below(32) & (b.chance(50) ? 0u : 0x1fu)) << 16;
    for (auto &w : i.data[1]) w = b.below(64);
    for (auto &w : i.data[2]) w &= 0x1f1f;
    return i;
  }
  static const uint8_t ops[] = {kWgOp_LDG, kWgOp_STG, kWgOp_LDS, kWgOp_STS, kWgOp_LDL, kWgOp_STL};
  i.op = ops[b.below(6)];
  bool local = membench::is_local(i), global = membench::is_global(i) && !local;
  i.mods = static_cast<uint16_t>(b.chance(40) ? 4 : b.below(local ? 5 : 7));
  if (global && b.chance(25)) i.mods |= static_cast<uint16_t>(b.below(4) << 3);
  uint32_t off[32];
  unsigned n = membench::bytes_of(i);
  bool off_anything = b.chance(50); /* lanes that are off: any address, or that of the pattern */
  pattern(b, n, global ? global_bytes : local ? membench::kFrameBytes : kBlockBytes / n * n, off);
  for (unsigned l = 0; l < 32; l++) {
    uint64_t imm = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(i.imm)));
    if (global) i.a[l] = kBase + off[l] - imm;
    else i.a[l] = static_cast<uint32_t>(off[l] - i.imm) | static_cast<uint64_t>(b.rng()) << 32; /* upper: ignored */
    if ((i.mask >> l & 1) == 0 && off_anything) i.a[l] = b.rng();
  }
  return i;
}

/** Give every shared byte a value: warps (sub-core block / 4, slot block % 4) belong to blocks 0..7. */
void fill_shared(Bench &b) {
  for (unsigned block = 0; block < kBlocks; block++) {
    for (unsigned at : {0u, 128u, 256u, 384u, 512u, 640u, 768u, 872u}) {
      Insn i;
      i.op = kWgOp_STS, i.slot = static_cast<uint8_t>(block % kSlots);
      for (unsigned l = 0; l < 32; l++) i.a[l] = at + 4 * l, i.data[0][l] = static_cast<uint32_t>(b.rng());
      b.queue[block / kSlots].push_back(i);
    }
  }
  b.drain();
}

struct Stream {
  Bench::Config cfg;
  unsigned count = 1500, global_bytes = kMemBytes, pitch = 1024;
  bool needs_hits = false;
};

void run_stream(const Stream &s, uint32_t seed) {
  Bench b(s.cfg, seed);
  init_warps(b, s.pitch);
  fill_shared(b);
  unsigned made[kSubs][kSlots] = {}, total = 0;
  while (total < s.count) {
    for (unsigned sub = 0; sub < kSubs && total < s.count; sub++) {
      if (b.queue[sub].size() > 2) continue;
      unsigned w = b.below(kSlots), busy = 0;
      for (const auto &q : b.queue[sub]) busy += q.slot == w;
      for (const auto &o : b.open) busy += o.second.sub == sub && o.second.insn.slot == w;
      if (busy > 20) continue;
      b.queue[sub].push_back(random_insn(b, sub, w, made[sub][w]++, s.global_bytes));
      total++;
    }
    b.step();
    ASSERT_LT(b.now, 1000u * s.count) << "no progress";
    if (::testing::Test::HasFailure()) return;
  }
  ASSERT_NO_FATAL_FAILURE(b.drain());
  EXPECT_FALSE(b.d->fault_valid_o);
  EXPECT_EQ(0, std::memcmp(b.mem.data(), b.order.data(), kMemBytes)) << "memory is not as in tag-stage order";
  std::printf("sets %u ways %u mshrs %u: %llu cycles, %llu wavefronts, %llu lines (%llu hits), %llu fills "
              "(%llu not installed), %llu flits\n", s.cfg.sets, s.cfg.ways, s.cfg.mshrs,
              static_cast<unsigned long long>(b.now),
              static_cast<unsigned long long>(b.shm_passes), static_cast<unsigned long long>(b.lines),
              static_cast<unsigned long long>(b.hits), static_cast<unsigned long long>(b.fills),
              static_cast<unsigned long long>(b.not_installed), static_cast<unsigned long long>(b.req_flits));
  EXPECT_GT(b.shm_passes, 0u);
  if (s.needs_hits) EXPECT_GT(b.hits, 0u);
}

TEST(MemStream, DefaultShape) {
  Stream s;
  s.needs_hits = true;
  run_stream(s, membench::seed());
}
TEST(MemStream, FewLinesManyConflicts) {
  Stream s;
  s.global_bytes = 512;
  s.count = 3000;
  run_stream(s, membench::seed() + 1);
}
TEST(MemStream, FewMshrsSlowMemory) {
  Stream s;
  s.cfg.mshrs = 2, s.cfg.lat_min = 100, s.cfg.lat_max = 400, s.cfg.wb_stall = 40, s.cfg.rsp_per_cycle = 1;
  s.global_bytes = 2048;
  run_stream(s, membench::seed() + 2);
}
TEST(MemStream, NoL1) {
  Stream s;
  s.cfg.ways = 0;
  run_stream(s, membench::seed() + 3);
}
TEST(MemStream, OneWayOneSet) {
  Stream s;
  s.cfg.sets = 1, s.cfg.ways = 1, s.global_bytes = 1024;
  run_stream(s, membench::seed() + 4);
}
TEST(MemStream, SmallSharedUnit) {
  Stream s;
  s.cfg.shared_unit = 8, s.cfg.sets = 8, s.cfg.ways = 8, s.pitch = 1000; /* bases that are no multiple of 16 */
  run_stream(s, membench::seed() + 5);
}
TEST(MemStream, SharedUnitOfSixteenTakesNoMoreRows) {
  Stream s; /* 128 rows of shared memory and 128 lines are the whole array */
  s.cfg.shared_unit = 16, s.cfg.shared_bytes = 16384, s.cfg.sets = 16, s.cfg.ways = 8, s.pitch = 1008;
  run_stream(s, membench::seed() + 6);
}
TEST(MemStream, RandomConfigurations) {
  std::mt19937 r(membench::seed());
  for (unsigned k = 0; k < 6 && !::testing::Test::HasFailure(); k++) {
    Stream s;
    s.count = 500;
    s.cfg.sets = 1u << r() % 5, s.cfg.ways = 1 + r() % 8, s.cfg.mshrs = 1 + r() % 64;
    s.cfg.line_interval = r() % 3, s.cfg.wf_interval = r() % 3;
    s.cfg.lat_min = 5 + r() % 50, s.cfg.lat_max = s.cfg.lat_min + r() % 300, s.cfg.wb_stall = r() % 60;
    s.global_bytes = 256u << r() % 7;
    run_stream(s, static_cast<uint32_t>(r()));
  }
}

/** A bench with warps, and helpers for one instruction after the other. */
class MemDirected : public ::testing::Test {
 protected:
  Bench b_{Bench::Config{}, membench::seed()};
  void SetUp() override { init_warps(b_, 1024); }
  static Insn access(uint8_t op, uint32_t offset, unsigned stride, uint16_t mods = 4) {
    Insn i;
    i.op = op, i.mods = mods;
    for (unsigned l = 0; l < 32; l++) {
      i.a[l] = (membench::is_global(i) && !membench::is_local(i) ? kBase : 0) + offset + l * stride;
      for (auto &row : i.data) row[l] = 0x1000 * offset + l + op;
    }
    return i;
  }
  void run(const Insn &i, unsigned sub = 0) {
    b_.queue[sub].push_back(i);
    ASSERT_NO_FATAL_FAILURE(b_.drain());
  }
};

// Source of the numbers: silicon/latency: 1 wavefront a cycle for the whole SM.
TEST_F(MemDirected, ConflictFreeLoadsGoOneACycle) {
  run(access(kWgOp_STS, 0, 4));
  uint64_t start = b_.now;
  for (unsigned k = 0; k < 400; k++) {
    Insn i = access(kWgOp_LDS, 0, 4);
    i.slot = static_cast<uint8_t>(k / kSubs % kSlots), i.rd = static_cast<uint8_t>(k / 16 % 30 * 8);
    b_.queue[k % kSubs].push_back(i);
  }
  b_.check = false; // slots of other blocks hold no data
  b_.drain();
  EXPECT_LE(b_.now - start, 400u + 40u);
}
TEST_F(MemDirected, ConflictDegreeCostsWavefronts) {
  run(access(kWgOp_STS, 0, 4));
  uint64_t base = 0;
  for (unsigned degree : {1u, 2u, 4u}) {
    b_.results.clear();
    Insn i = access(kWgOp_LDS, 0, 4);
    for (unsigned l = 0; l < 32; l++) i.a[l] = l % 8 * 4 + l / 8 % degree * 128;
    run(i);
    ASSERT_EQ(b_.results.size(), 1u);
    uint64_t t = b_.results[0].done - b_.results[0].accepted;
    if (degree == 1) {
      base = t;
      std::printf("LDS: %llu cycles from handing over to write-back\n", static_cast<unsigned long long>(t));
    }
    EXPECT_EQ(t, base + degree - 1);
  }
}
// A conflict alone takes longer by the interval, but not the pipe from the other sub-cores; so do the lines of an access.
TEST_F(MemDirected, IntervalsCostOneWarpOnly) {
  Bench::Config wide;
  wide.wf_interval = 1, wide.line_interval = 2;
  Bench b(wide, membench::seed());
  init_warps(b, 1024);
  b.check = false;
  uint64_t base = 0;
  for (unsigned degree : {1u, 2u, 4u}) {
    b.results.clear();
    Insn i = access(kWgOp_LDS, 0, 4);
    for (unsigned l = 0; l < 32; l++) i.a[l] = l % 8 * 4 + l / 8 % degree * 128;
    b.queue[0].push_back(i);
    b.drain();
    uint64_t t = b.results[0].done - b.results[0].accepted;
    if (degree == 1) base = t;
    EXPECT_EQ(t, base + 2 * (degree - 1));
  }
  uint64_t start = b.now;
  for (unsigned k = 0; k < 400; k++) {
    Insn i = access(kWgOp_LDS, 0, 4);
    for (unsigned l = 0; l < 32; l++) i.a[l] = l % 16 * 4 + l / 16 * 128; // two wavefronts
    i.slot = static_cast<uint8_t>(k / kSubs % kSlots), i.rd = static_cast<uint8_t>(k / 16 % 30 * 8);
    b.queue[k % kSubs].push_back(i);
  }
  b.drain();
  EXPECT_LE(b.now - start, 800u + 60u);
  for (unsigned lines : {1u, 4u}) {
    b.queue[0].push_back(access(kWgOp_LDG, 0, 4 * lines)); // into the L1
    b.drain();
    b.results.clear();
    b.queue[0].push_back(access(kWgOp_LDG, 0, 4 * lines));
    b.drain();
    uint64_t t = b.results[0].done - b.results[0].accepted;
    if (lines == 1) base = t;
    EXPECT_EQ(t, base + 3 * (lines - 1));
  }
}
TEST_F(MemDirected, SecondLoadHitsTheL1) {
  run(access(kWgOp_LDG, 0, 4));
  uint64_t flits = b_.req_flits;
  b_.results.clear();
  run(access(kWgOp_LDG, 0, 4));
  EXPECT_EQ(b_.req_flits, flits);
  EXPECT_EQ(b_.hits, 1u);
  std::printf("L1 hit: %llu cycles from handing over to write-back\n",
              static_cast<unsigned long long>(b_.results[0].done - b_.results[0].accepted));
}
TEST_F(MemDirected, ReadOnlyLoadsAreCachedBypassingOnesAreNot) {
  run(access(kWgOp_LDG, 0, 4, 4 | 3 << 3));
  run(access(kWgOp_LDG, 0, 4));
  EXPECT_EQ(b_.req_flits, 1u);
  run(access(kWgOp_LDG, 0, 4, 4 | 1 << 3)); // .CG goes to L2 and drops the sectors
  EXPECT_EQ(b_.req_flits, 2u);
  run(access(kWgOp_LDG, 0, 4));
  EXPECT_EQ(b_.req_flits, 3u);
  run(access(kWgOp_LDG, 0, 4));
  EXPECT_EQ(b_.req_flits, 3u);
}
TEST_F(MemDirected, StaleUntilInvalidated) {
  run(access(kWgOp_LDG, 0, 4));
  b_.mem[0] = static_cast<uint8_t>(b_.mem[0] + 1); // another SM writes
  run(access(kWgOp_LDG, 0, 4));                    // the checker expects the old value
  b_.order[0] = b_.mem[0];
  b_.init(0, 0, 0, 0, kBlockBytes, true);
  run(access(kWgOp_LDG, 0, 4));
  EXPECT_EQ(b_.req_flits, 2u);
}
TEST_F(MemDirected, InvalidateWhilePendingIsNotInstalled) {
  b_.queue[0].push_back(access(kWgOp_LDG, 0, 4));
  while (b_.req_flits == 0) b_.step();
  b_.init(0, 0, 0, 0, kBlockBytes, true);
  b_.drain();
  EXPECT_EQ(b_.not_installed, 4u);
  run(access(kWgOp_LDG, 0, 4));
  EXPECT_EQ(b_.req_flits, 2u);
}
TEST_F(MemDirected, EightLoadsShareARequestTheNinthDoesNot) {
  for (unsigned loads : {8u, 9u}) {
    Bench b(Bench::Config{}, membench::seed());
    init_warps(b, 1024);
    for (unsigned k = 0; k < loads; k++) {
      Insn i = access(kWgOp_LDG, 0, 4);
      i.rd = static_cast<uint8_t>(8 * k);
      b.queue[0].push_back(i);
    }
    b.drain();
    EXPECT_EQ(b.req_flits, loads == 8u ? 1u : 2u);
    EXPECT_EQ(b.results.size(), loads);
  }
}
TEST_F(MemDirected, SixteenCreditsAndNoMore) {
  b_.keep_credits = true;
  for (unsigned k = 0; k < 10; k++) b_.queue[0].push_back(access(kWgOp_STG, k * 128, 4)); // 4 flits each
  for (unsigned k = 0; k < 200; k++) b_.step();
  EXPECT_EQ(b_.req_flits, 16u);
  b_.keep_credits = false;
  b_.drain();
  EXPECT_EQ(b_.req_flits, 40u);
}
TEST_F(MemDirected, LoadBehindAStoreDoesNotMergeIntoTheOldMiss) {
  Insn load = access(kWgOp_LDG, 0, 4);
  b_.queue[0].push_back(load);
  b_.queue[0].push_back(access(kWgOp_STG, 0, 4));
  load.rd = 16;
  b_.queue[0].push_back(load);
  b_.drain(); // the checker compares the values
  EXPECT_EQ(b_.req_flits, 1u + 4u + 1u);
  EXPECT_EQ(b_.not_installed, 4u);
  run(load);
  EXPECT_EQ(b_.req_flits, 6u) << "the second fill is installed";
}
TEST_F(MemDirected, BlockIsBusyUntilItsStoreIsAcknowledged) {
  b_.queue[0].push_back(access(kWgOp_STG, 0, 4));
  unsigned busy = 0;
  b_.step();
  while (!b_.quiet()) {
    b_.step();
    if (!b_.open_ids.empty()) EXPECT_EQ(b_.d->mem_busy_o, 1u);
    busy += b_.d->mem_busy_o == 1;
  }
  EXPECT_GT(busy, b_.cfg.lat_min);
  EXPECT_EQ(b_.d->mem_busy_o, 0u);
}
TEST_F(MemDirected, BlockedGlobalAccessDoesNotHoldUpSharedOnes) {
  Bench::Config slow;
  slow.lat_min = 400, slow.lat_max = 500;
  Bench b(slow, membench::seed());
  init_warps(b, 1024);
  for (unsigned k = 0; k < 8; k++) { // 32 lines each: far more than there are MSHRs
    Insn i = access(kWgOp_LDG, 0, 0);
    for (unsigned l = 0; l < 32; l++) i.a[l] = kBase + (l * 4 + k % 4) * 128 + k / 4 * 32;
    i.rd = static_cast<uint8_t>(8 * k);
    b.queue[0].push_back(i);
  }
  for (unsigned k = 0; k < 120; k++) b.step();
  ASSERT_FALSE(b.queue[0].empty());
  uint64_t lines = b.lines;
  b.queue[1].push_back(access(kWgOp_STS, 0, 4));
  for (unsigned k = 0; k < 15; k++) b.step();
  EXPECT_EQ(b.lines, lines) << "the global front was to be blocked";
  EXPECT_TRUE(b.queue[1].empty());
  EXPECT_EQ(b.shm_passes, 1u);
  b.drain();
}

struct FaultCase {
  const char *what;
  uint8_t op;
  uint16_t mods;
  uint64_t add; // to lane 5's address
  unsigned code;
};
class MemFault : public MemDirected, public ::testing::WithParamInterface<FaultCase> {};
TEST_P(MemFault, NamesLaneAndAddressAndHasNoEffect) {
  FaultCase c = GetParam();
  Insn i = access(c.op, 0, 16, c.mods);
  i.a[5] += c.add;
  i.pc = 0x120, i.slot = 2;
  b_.open.clear();
  b_.queue[3].push_back(i);
  for (unsigned k = 0; k < 60; k++) b_.step();
  EXPECT_TRUE(b_.d->fault_valid_o) << c.what;
  EXPECT_EQ(b_.d->fault_code_o, c.code);
  EXPECT_EQ(b_.d->fault_sub_o, 3);
  EXPECT_EQ(b_.d->fault_slot_o, 2);
  EXPECT_EQ(b_.d->fault_lanes_o, 1u << 5);
  EXPECT_EQ(b_.d->fault_pc_o, 0x120u);
  EXPECT_EQ(b_.d->fault_addr_o, i.a[5] & 0xffffffffffffu);
  EXPECT_TRUE(b_.d->idle_o);
  EXPECT_EQ(b_.lines + b_.shm_passes + b_.beats, 0u);
  EXPECT_EQ(b_.d->mem_busy_o, 0u);
}
INSTANTIATE_TEST_SUITE_P(All, MemFault, ::testing::Values(
    FaultCase{"misaligned load", kWgOp_LDG, 4, 2, kWgFaultMisaligned},
    FaultCase{"misaligned wide store", kWgOp_STG, 6, 8, kWgFaultMisaligned},
    FaultCase{"misaligned shared half", kWgOp_LDS, 2, 1, kWgFaultMisaligned},
    FaultCase{"beyond 48 bits", kWgOp_LDG, 4, uint64_t{1} << 48, kWgFaultIllegalAddr},
    FaultCase{"shared store beyond the block", kWgOp_STS, 4, kBlockBytes - 80, kWgFaultAddrSpace},
    FaultCase{"shared load beyond 32 bits' range", kWgOp_LDS, 4, 0x80000000u, kWgFaultAddrSpace}));

// A frame ends at its last byte; one lane beyond it, or not aligned, stops the instruction. The offset is reported.
TEST_F(MemDirected, LocalFrameEnds) {
  Insn i = access(kWgOp_STL, membench::kFrameBytes - 4, 0);
  i.sub = 0;
  run(i);
  EXPECT_FALSE(b_.d->fault_valid_o);
  EXPECT_EQ(b_.lines, 1u); // a word of all lanes is one line
  i.a[9] += 4;
  i.pc = 0x230;
  b_.queue[0].push_back(i);
  for (unsigned k = 0; k < 60; k++) b_.step();
  EXPECT_TRUE(b_.d->fault_valid_o);
  EXPECT_EQ(b_.d->fault_code_o, kWgFaultStackError);
  EXPECT_EQ(b_.d->fault_lanes_o, 1u << 9);
  EXPECT_EQ(b_.d->fault_pc_o, 0x230u);
  EXPECT_EQ(b_.d->fault_addr_o, membench::kFrameBytes);
  EXPECT_EQ(b_.lines, 1u);
  EXPECT_TRUE(b_.d->idle_o);
}
TEST_F(MemDirected, LocalMisaligned) {
  Insn i = access(kWgOp_LDL, 0, 0, 2);
  i.a[31] = 4001; // also outside: misaligned comes first
  b_.queue[1].push_back(i);
  for (unsigned k = 0; k < 60; k++) b_.step();
  EXPECT_EQ(b_.d->fault_code_o, kWgFaultMisaligned);
  EXPECT_EQ(b_.d->fault_lanes_o, 1u << 31);
  EXPECT_EQ(b_.d->fault_addr_o, 4001u);
}

TEST_F(MemDirected, LastBytesOfTheBlockAreAllowed) {
  Insn i = access(kWgOp_STS, kBlockBytes - 4, 0);
  run(i);
  EXPECT_FALSE(b_.d->fault_valid_o);
  EXPECT_EQ(b_.shm_passes, 1u);
}
TEST_F(MemDirected, ErrorsFromMemoryNameTheInstruction) {
  for (uint8_t op : {static_cast<uint8_t>(kWgOp_LDG), static_cast<uint8_t>(kWgOp_STG)}) {
    Bench b(Bench::Config{}, membench::seed());
    init_warps(b, 1024);
    b.bad_status = true, b.check = false;
    Insn i = access(op, 128, 4);
    i.pc = 0x340, i.slot = 1;
    b.queue[2].push_back(i);
    ASSERT_NO_FATAL_FAILURE(b.drain());
    EXPECT_TRUE(b.d->fault_valid_o);
    EXPECT_EQ(b.d->fault_code_o, kWgFaultIllegalAddr);
    EXPECT_EQ(b.d->fault_sub_o, 2);
    EXPECT_EQ(b.d->fault_slot_o, 1);
    EXPECT_EQ(b.d->fault_pc_o, 0x340u);
    EXPECT_EQ(b.d->fault_addr_o, kBase + 128);
    if (op == kWgOp_LDG) EXPECT_EQ(b.d->fault_lanes_o, ~0u);
  }
}
TEST_F(MemDirected, KillDropsWhatComes) {
  b_.d->kill_i = 1;
  b_.queue[0].push_back(access(kWgOp_STG, 0, 4));
  b_.queue[1].push_back(access(kWgOp_LDS, 0, 4));
  b_.drain();
  EXPECT_EQ(b_.lines + b_.shm_passes + b_.beats, 0u);
}
TEST_F(MemDirected, PortRoutesByOwner) {
  unsigned sent[2] = {0, 0}; // each id once: they are open until the answer
  b_.queue[0].push_back(access(kWgOp_LDG, 0, 4));
  for (unsigned k = 0; k < 60; k++) {
    b_.d->l1i_valid_i = sent[0] < 16 && k % 3 != 0, b_.d->cc_valid_i = sent[1] < 16 && k % 2 != 0;
    b_.d->l1i_id_i = static_cast<uint8_t>(sent[0] & 15), b_.d->cc_id_i = static_cast<uint8_t>(sent[1] & 15);
    b_.d->l1i_line_i = kBase + 128, b_.d->cc_line_i = kBase + 256;
    b_.settle();
    bool i = b_.d->l1i_valid_i && b_.d->l1i_ready_o, c = b_.d->cc_valid_i && b_.d->cc_ready_o;
    ASSERT_FALSE(i && c);
    sent[0] += i, sent[1] += c;
    b_.step();
  }
  b_.d->l1i_valid_i = b_.d->cc_valid_i = 0;
  b_.drain();
  b_.step(); // the last response is in the port's register
  EXPECT_EQ(b_.ro_seen[0], 16u * 4u);
  EXPECT_EQ(b_.ro_seen[1], 16u * 4u);
  EXPECT_EQ(b_.req_flits, 33u);
}

}  // namespace
