// SPDX-License-Identifier: Apache-2.0
//
// Bench of sm_mem + sm_memport: sub-cores that hand over instructions, a memory with random latency, and a checker
// that replays every access at the point where it takes effect (shared pipe, L1 tag stage) on its own memory. With
// one SM and no other writer a load must return exactly that memory's bytes: this is the order rule.
#ifndef WG_TESTBENCH_RTL_MEM_BENCH_H
#define WG_TESTBENCH_RTL_MEM_BENCH_H

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "Vtop.h"
#include "isa/wg_isa.h"
#include "model/twin/coalescer.h"
#include "model/twin/smem_passes.h"

namespace membench {

constexpr unsigned kSubs = 4;
constexpr uint64_t kBase = 0x200000000000u; /* device memory */
constexpr unsigned kMemBytes = 128 * 128;
constexpr uint64_t kArena = kBase + kMemBytes / 2; /* local frames, in the same memory */
constexpr unsigned kFrameBytes = 16;

struct Insn {
  uint8_t op = kWgOp_LDG;
  uint16_t mods = 4; /* MSIZE, MCACHE or SHFLM */
  uint8_t form = kWgFormReg, rd = 8, pd = 7, slot = 0, sub = 0;
  uint32_t imm = 0, mask = ~0u, pc = 0;
  std::array<uint64_t, 32> a{};                 /* addresses before imm */
  std::array<std::array<uint32_t, 32>, 4> data{}; /* rows */
};

inline unsigned bytes_of(const Insn &i) {
  static const unsigned size[8] = {1, 1, 2, 2, 4, 8, 16, 4};
  return i.op == kWgOp_SHFL ? 4 : size[i.mods & 7];
}
inline bool is_local(const Insn &i) { return i.op == kWgOp_LDL || i.op == kWgOp_STL; }
/** Takes the global front. */
inline bool is_global(const Insn &i) { return i.op == kWgOp_LDG || i.op == kWgOp_STG || is_local(i); }
inline bool is_store(const Insn &i) { return i.op == kWgOp_STG || i.op == kWgOp_STS || i.op == kWgOp_STL; }

/** An instruction in the pipe, as the checker sees it. */
struct Open {
  Insn insn;
  unsigned sub = 0;
  uint32_t left = 0;                                /* lanes that have not taken effect */
  std::array<std::array<uint8_t, 16>, 32> value{};  /* loads: bytes by lane */
  unsigned pass = 0;                                /* wavefronts or lines so far */
  unsigned beat = 0;
  uint64_t accepted = 0;
};

struct Flit {
  uint8_t id = 0, op = 0, secs = 0;
  uint64_t line = 0;
  uint32_t bytes = 0, pc = 0;
  uint8_t data[32] = {};
  uint64_t due = 0;
};

/** Written-back value of one instruction, kept for directed tests. */
struct Result {
  Insn insn;
  unsigned sub = 0;
  std::array<std::array<uint32_t, 32>, 4> reg{};
  uint32_t pbits = 0;
  uint64_t accepted = 0, done = 0;
};

class Bench {
 public:
  struct Config {
    unsigned shared_bytes = 8192, shared_unit = 128, sets = 16, ways = 4, mshrs = 64;
    unsigned lat_min = 20, lat_max = 120; /* memory latency, cycles */
    unsigned wb_stall = 0;                /* percent of cycles a sub-core refuses a beat */
    unsigned rsp_per_cycle = 2;
    unsigned line_interval = 0, wf_interval = 0; /* cycles beyond one between lines, wavefronts */
  };
  VerilatedContext ctx;
  std::unique_ptr<Vtop> d;
  Config cfg;
  std::mt19937 rng;
  uint64_t now = 0;
  std::array<std::deque<Insn>, kSubs> queue; /* to hand over, by sub-core */
  std::vector<uint8_t> mem, order;           /* served by memory; in tag-stage order */
  std::map<unsigned, std::vector<uint8_t>> shared; /* by block */
  std::map<unsigned, Open> open;                   /* by tag */
  std::vector<Result> results;
  bool check = true;      /* compare load values with the order memory */
  bool keep_credits = false; /* return no credit */
  bool bad_status = false; /* answer everything with IllegalAddr */
  uint64_t shm_passes = 0, lines = 0, hits = 0, merges = 0, fills = 0, not_installed = 0, req_flits = 0, beats = 0;
  std::set<unsigned> open_ids; /* {id, sector} */
  std::map<uint64_t, std::set<unsigned>> misses; /* line: warps whose loads asked for it */
  uint64_t miss_events = 0, evict_events = 0, plain_loads = 0, full_cycles = 0;
  std::array<unsigned, 2> ro_seen{}; /* responses to sm_l1i, sm_cc */

  Bench(const Config &c, uint32_t seed) : d(new Vtop(&ctx)), cfg(c), rng(seed), mem(kMemBytes), order(kMemBytes) {
    for (auto &b : mem) b = static_cast<uint8_t>(rng());
    order = mem;
    d->shared_bytes_i = cfg.shared_bytes;
    d->shared_unit_i = static_cast<uint16_t>(cfg.shared_unit);
    d->l1_sets_i = static_cast<uint16_t>(cfg.sets);
    d->l1_ways_i = static_cast<uint8_t>(cfg.ways);
    d->mshrs_i = static_cast<uint8_t>(cfg.mshrs);
    d->line_interval_i = static_cast<uint8_t>(cfg.line_interval);
    d->wf_interval_i = static_cast<uint8_t>(cfg.wf_interval);
    d->rst_ni = 0;
    for (int i = 0; i < 4; i++) clock();
    d->rst_ni = 1;
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(rng() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }

  void settle() { d->clk_i = 0, d->eval(); }
  void clock() { settle(), d->clk_i = 1, d->eval(); }

  /** Bind a warp slot to a block's shared range. */
  void init(unsigned sub, unsigned slot, unsigned block, unsigned base, unsigned size, bool inval = false) {
    d->init_valid_i = 1;
    d->init_sub_i = static_cast<uint8_t>(sub), d->init_slot_i = static_cast<uint8_t>(slot);
    d->init_block_i = static_cast<uint8_t>(block), d->init_base_i = base, d->init_size_i = size;
    d->init_inval_i = inval;
    d->init_arena_i = kArena, d->init_local_i = kFrameBytes;
    step();
    d->init_valid_i = 0, d->init_inval_i = 0;
    range_[sub * 16 + slot] = {block, base, size};
    if (shared[block].size() != size) shared[block].assign(size, 0), shared_known_[block].assign(size, false);
  }

  static void put(uint32_t *w, unsigned at, unsigned n, uint64_t v) {
    for (unsigned i = 0; i < n; i++) {
      uint32_t bit = 1u << ((at + i) % 32);
      w[(at + i) / 32] = (v >> i & 1) != 0 ? w[(at + i) / 32] | bit : w[(at + i) / 32] & ~bit;
    }
  }
  void drive() {
    unsigned valid = 0;
    for (unsigned s = 0; s < kSubs; s++) {
      if (queue[s].empty()) continue;
      valid |= 1u << s;
      if (driven_[s]) continue;
      driven_[s] = true;
      const Insn &i = queue[s].front();
      put(slots_, s * 4, 4, i.slot);
      unsigned u = s * 102;
      put(d->mem_uop_i.data(), u, 28, i.pc), put(d->mem_uop_i.data(), u + 28, 32, i.imm);
      put(d->mem_uop_i.data(), u + 60, 3, 7), put(d->mem_uop_i.data(), u + 63, 3, i.pd);
      put(d->mem_uop_i.data(), u + 66, 8, i.rd), put(d->mem_uop_i.data(), u + 74, 4, i.form);
      put(d->mem_uop_i.data(), u + 78, 16, i.mods), put(d->mem_uop_i.data(), u + 94, 8, i.op);
      d->mem_mask_i[s] = i.mask;
      for (unsigned l = 0; l < 32; l++) {
        d->mem_a_i[s * 64 + l] = static_cast<uint32_t>(i.a[l]);
        d->mem_a_i[s * 64 + 32 + l] = static_cast<uint32_t>(i.a[l] >> 32);
        for (unsigned r = 0; r < 4; r++) d->mem_data_i[s * 128 + r * 32 + l] = i.data[r][l];
      }
    }
    d->mem_slot_i = static_cast<uint16_t>(slots_[0]);
    d->mem_valid_i = static_cast<uint8_t>(valid);
    d->wb_ready_i = 0;
    for (unsigned s = 0; s < kSubs; s++) d->wb_ready_i |= static_cast<uint8_t>(!chance(cfg.wb_stall) << s);
  }

  /** One cycle. */
  void step() {
    drive();
    respond();
    settle();
    sample();
    d->clk_i = 1, d->eval();
    now++;
  }
  bool quiet() const {
    for (const auto &q : queue) if (!q.empty()) return false;
    return open.empty() && in_flight_.empty() && d->idle_o && d->port_idle_o;
  }
  /** Run until nothing is open. */
  void drain(uint64_t limit = 200000) {
    uint64_t end = now + limit;
    do step(); while (!quiet() && now < end && !::testing::Test::HasFailure());
    if (::testing::Test::HasFailure()) return;
    ASSERT_LT(now, end) << "does not drain: " << open.size() << " instructions, " << in_flight_.size() << " requests";
    EXPECT_EQ(d->mem_busy_o, 0u);
    EXPECT_TRUE(open_ids.empty());
    EXPECT_EQ(miss_events, plain_loads);
  }

 private:
  struct Range { unsigned block, base, size; };
  std::map<unsigned, Range> range_;
  std::map<unsigned, std::vector<bool>> shared_known_;
  std::array<bool, kSubs> driven_{};
  uint32_t slots_[1] = {};
  std::vector<Flit> in_flight_;
  unsigned credit_ = 0;

  uint32_t eff32(const Insn &i, unsigned l) const { return static_cast<uint32_t>(i.a[l]) + i.imm; }
  uint64_t eff64(const Insn &i, unsigned l) const {
    if (is_local(i)) { /* isa/README.md, LDL */
      uint64_t o = eff32(i, l), warp_slot = i.sub + kSubs * i.slot;
      return kArena + ((warp_slot * (kFrameBytes / 4) + o / 4) * 32 + l) * 4 + o % 4;
    }
    return i.a[l] + static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(i.imm)));
  }

  /* Memory: takes flits, serves each sector after a random time; two accesses of one sector never pass each other. */
  void respond() {
    d->rsp0_valid_i = d->rsp1_valid_i = 0;
    unsigned back = keep_credits ? 0u : credit_ < 2u ? credit_ : 2u;
    d->req_credit_i = static_cast<uint8_t>(back);
    credit_ -= back;
    unsigned n = 0;
    std::set<uint64_t> blocked;
    for (size_t k = 0; k < in_flight_.size() && n < cfg.rsp_per_cycle;) {
      Flit &f = in_flight_[k];
      bool sent = false;
      for (unsigned s = 0; s < 4 && n < cfg.rsp_per_cycle; s++) {
        if ((f.secs >> s & 1) == 0) continue;
        uint64_t sector = f.line / 32 + s;
        if (f.due > now || blocked.count(sector) != 0) {
          blocked.insert(sector);
          continue;
        }
        answer(n++, f, s);
        f.secs = static_cast<uint8_t>(f.secs & ~(1u << s));
        sent = true;
        blocked.insert(sector);
      }
      for (unsigned s = 0; s < 4; s++) if ((f.secs >> s & 1) != 0) blocked.insert(f.line / 32 + s);
      if (f.secs == 0) in_flight_.erase(in_flight_.begin() + static_cast<long>(k));
      else k++;
      (void)sent;
    }
  }
  void answer(unsigned slot, const Flit &f, unsigned s) {
    uint8_t data[32] = {};
    uint64_t at = f.line + s * 32 - kBase;
    if (at + 32 <= kMemBytes) {
      if (f.op == kWgMemStore) {
        for (unsigned b = 0; b < 32; b++) if ((f.bytes >> b & 1) != 0) mem[at + b] = f.data[b];
      }
      std::memcpy(data, &mem[at], 32);
    }
    unsigned status = bad_status ? kWgFaultIllegalAddr : kWgFaultNone;
    open_ids.erase(f.id * 4u + s);
    if (slot == 0) {
      d->rsp0_valid_i = 1, d->rsp0_id_i = f.id, d->rsp0_sector_i = static_cast<uint8_t>(s);
      d->rsp0_status_i = static_cast<uint8_t>(status);
      std::memcpy(d->rsp0_data_i.data(), data, 32);
    } else {
      d->rsp1_valid_i = 1, d->rsp1_id_i = f.id, d->rsp1_sector_i = static_cast<uint8_t>(s);
      d->rsp1_status_i = static_cast<uint8_t>(status);
      std::memcpy(d->rsp1_data_i.data(), data, 32);
    }
  }

  void sample() {
    if (d->rst_ni == 0) return;
    if (d->req_valid_o) {
      Flit f;
      f.id = d->req_id_o, f.op = d->req_op_o, f.secs = d->req_sector_mask_o, f.line = d->req_line_o;
      f.bytes = d->req_byte_mask_o, f.pc = d->req_pc_o;
      std::memcpy(f.data, d->req_data_o.data(), 32);
      f.due = now + cfg.lat_min + below(cfg.lat_max - cfg.lat_min + 1);
      for (unsigned s = 0; s < 4; s++) {
        if ((f.secs >> s & 1) != 0) {
          EXPECT_TRUE(open_ids.insert(f.id * 4u + s).second) << "id " << +f.id << " used twice";
          if (f.id < 128) EXPECT_EQ(f.op == kWgMemStore, f.id >= 64);
          if (f.id < 64) EXPECT_LT(f.id, cfg.mshrs);
        }
      }
      in_flight_.push_back(f);
      EXPECT_LE(in_flight_.size(), 1000u);
      credit_++;
      req_flits++;
    }
    for (unsigned r = 0; r < 2; r++) {
      if (d->l1i_rsp_valid_o >> r & 1) {
        ro_seen[0]++;
        EXPECT_EQ((d->rsp_id_o >> 8 * r & 0xf0), 0x80);
      }
      if (d->cc_rsp_valid_o >> r & 1) {
        ro_seen[1]++;
        EXPECT_EQ((d->rsp_id_o >> 8 * r & 0xf0), 0x90);
      }
    }
    for (unsigned s = 0; s < kSubs; s++) if (d->wb_valid_o >> s & d->wb_ready_i >> s & 1) beat(s);
    scheduler_events();
    if (d->ev_fill_o) {
      for (unsigned s = 0; s < 4; s++) {
        if (d->ev_fill_secs_o >> s & 1) fills++, not_installed += !(d->ev_fill_inst_o >> s & 1);
      }
    }
    if (d->ev_shm_o) shm();
    if (d->ev_l1_o) l1();
    for (unsigned k = 0; k < 4; k++) {
      if (d->ev_done_o >> k & 1) {
        unsigned tag = d->ev_done_tag_o >> 7 * k & 127;
        EXPECT_EQ(open.erase(tag), 1u) << "tag " << tag;
      }
    }
    unsigned taken = d->mem_valid_i & d->mem_ready_o;
    EXPECT_TRUE((taken & (taken - 1)) == 0);
    for (unsigned s = 0; s < kSubs; s++) {
      if ((taken >> s & 1) == 0) continue;
      Open o;
      o.insn = queue[s].front(), o.sub = s, o.left = o.insn.mask, o.accepted = now;
      queue[s].pop_front();
      driven_[s] = false;
      EXPECT_TRUE(d->ev_lsu_o);
      EXPECT_EQ(d->ev_lsu_sub_o, s);
      EXPECT_TRUE(open.emplace(d->ev_lsu_tag_o, o).second) << "tag in use";
    }
  }

  /* What the schedulers and victim tags hear, a cycle after the tag stage. Each plain load request is one miss event; a line
     that is put into the L1 is reported for a warp that missed it, in the cycle after the fill. */
  void scheduler_events() {
    if (d->sev_miss_o) misses[d->sev_line_o].insert(d->sev_warp_o), miss_events++;
    EXPECT_EQ(bool(d->sev_fill_o), filled_before_);
    if (d->sev_fill_o) {
      EXPECT_EQ(misses[d->sev_line_o].count(d->sev_warp_o), 1u) << "line " << d->sev_line_o << " of warp " << +d->sev_warp_o;
      const unsigned row = d->sev_row_o;
      if (d->sev_evict_o) EXPECT_EQ(in_row_[row], d->sev_victim_o) << "row " << row;
      evict_events += d->sev_evict_o;
      in_row_[row] = d->sev_line_o;
    }
    full_cycles += d->sev_full_o;
    filled_before_ = d->ev_fill_o && d->ev_fill_inst_o != 0;
    if (d->req_valid_o && d->req_op_o == kWgMemLoad) plain_loads++;
  }
  std::map<unsigned, uint64_t> in_row_;
  bool filled_before_ = false;

  /* Lanes of one pass, in the order in which stores are applied: the lowest lane of the last group stays. */
  static std::vector<unsigned> store_order(uint32_t lanes, unsigned bytes) {
    std::vector<unsigned> v;
    unsigned group = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
    for (unsigned g = 0; g < 32; g += group)
      for (unsigned l = g + group; l-- > g;) if ((lanes >> l & 1) != 0) v.push_back(l);
    return v;
  }
  void store_bytes(const Open &o, unsigned l, uint8_t *to) const {
    for (unsigned b = 0; b < bytes_of(o.insn); b++) to[b] = static_cast<uint8_t>(o.insn.data[b / 4][l] >> 8 * (b % 4));
  }

  void shm() {
    auto it = open.find(d->ev_tag_o);
    ASSERT_TRUE(it != open.end());
    Open &o = it->second;
    uint32_t lanes = d->ev_lanes_o;
    EXPECT_EQ(lanes & ~o.left, 0u);
    o.left &= ~lanes;
    shm_passes++;
    if (o.insn.op == kWgOp_SHFL) {
      EXPECT_EQ(lanes, o.insn.mask);
      return;
    }
    const Range &r = range_[o.sub * 16 + o.insn.slot];
    uint32_t addr[32];
    for (unsigned l = 0; l < 32; l++) addr[l] = r.base + eff32(o.insn, l);
    wg_smem_passes_t twin;
    unsigned n = bytes_of(o.insn);
    wg_smem_split(addr, n, o.insn.mask, is_store(o.insn), &twin);
    ASSERT_LT(o.pass, twin.num) << "more wavefronts than the twin";
    EXPECT_EQ(lanes, twin.lanes[o.pass]) << "wavefront " << o.pass << " of " << twin.num << ", bytes " << n;
    o.pass++;
    if (o.left == 0) EXPECT_EQ(o.pass, twin.num);
    auto &mem_of = shared[r.block];
    for (unsigned l = 0; l < 32; l++)
      if ((lanes >> l & 1) != 0) ASSERT_LE(eff32(o.insn, l), r.size - n) << "a bad address took effect";
    auto &known = shared_known_[r.block];
    if (is_store(o.insn)) {
      for (unsigned l : store_order(lanes, n)) {
        store_bytes(o, l, &mem_of[eff32(o.insn, l)]);
        for (unsigned b = 0; b < n; b++) known[eff32(o.insn, l) + b] = true;
      }
    } else {
      for (unsigned l = 0; l < 32; l++)
        if ((lanes >> l & 1) != 0) std::memcpy(o.value[l].data(), &mem_of[eff32(o.insn, l)], n);
    }
  }

  void l1() {
    auto it = open.find(d->ev_tag_o);
    ASSERT_TRUE(it != open.end());
    Open &o = it->second;
    uint32_t lanes = d->ev_lanes_o;
    EXPECT_EQ(lanes & ~o.left, 0u);
    o.left &= ~lanes;
    lines++;
    if (!is_store(o.insn)) hits += d->ev_hit_o == d->ev_secs_o;
    uint64_t addr[32];
    for (unsigned l = 0; l < 32; l++) addr[l] = eff64(o.insn, l);
    wg_line_access_t twin[32];
    unsigned n = bytes_of(o.insn);
    unsigned num = wg_coalesce(addr, n, o.insn.mask, twin);
    ASSERT_LT(o.pass, num);
    EXPECT_EQ(d->ev_line_o, twin[o.pass].line);
    EXPECT_EQ(lanes, twin[o.pass].lanes);
    EXPECT_EQ(d->ev_secs_o, twin[o.pass].sectors);
    EXPECT_EQ(d->ev_hit_o & ~d->ev_secs_o, 0);
    o.pass++;
    if (o.left == 0) EXPECT_EQ(o.pass, num);
    for (unsigned l = 0; l < 32; l++)
      if ((lanes >> l & 1) != 0) ASSERT_LE(addr[l] - kBase, kMemBytes - n) << "a bad address took effect";
    if (is_store(o.insn)) {
      for (unsigned l : store_order(lanes, n)) store_bytes(o, l, &order[addr[l] - kBase]);
    } else {
      for (unsigned l = 0; l < 32; l++)
        if ((lanes >> l & 1) != 0) std::memcpy(o.value[l].data(), &order[addr[l] - kBase], n);
    }
  }

  void beat(unsigned s) {
    beats++;
    /* the beat's instruction: the open load of this warp and register (a warp has one open load a register) */
    unsigned slot = d->wb_slot_o >> 4 * s & 15, rd = d->wb_rd_o >> 8 * s & 255;
    Open *o = nullptr;
    for (auto &e : open) {
      Insn &i = e.second.insn;
      if (e.second.sub == s && i.slot == slot && !is_store(i) && rd == (i.rd + 2u * e.second.beat)) o = &e.second;
    }
    ASSERT_NE(o, nullptr) << "beat for no open load: sub-core " << s << " slot " << slot << " rd " << rd;
    const Insn &i = o->insn;
    unsigned n = bytes_of(i), words = n <= 4 ? 1 : n / 4;
    EXPECT_EQ(o->left, 0u) << "written back before every lane took effect";
    EXPECT_EQ(d->wb_mask_o[s], i.mask);
    EXPECT_EQ(d->wb_wide_o >> s & 1, words > 1);
    bool last = o->beat + 1 == (words + 1) / 2;
    EXPECT_EQ(d->wb_last_o >> s & 1, last);
    EXPECT_EQ(d->wb_pvalid_o >> s & 1, i.op == kWgOp_SHFL && i.pd != 7);
    if (i.pd != 7) EXPECT_EQ(static_cast<unsigned>(d->wb_pd_o >> 3 * s & 7), i.pd);
    for (unsigned w = 0; w < 2 && o->beat * 2 + w < words; w++) {
      for (unsigned l = 0; l < 32; l++) {
        if ((i.mask >> l & 1) == 0) continue;
        uint32_t got = d->wb_data_o[s * 64 + w * 32 + l];
        kept_[s * 16 + slot][rd + w][l] = got;
        if (!check) continue;
        uint32_t want = i.op == kWgOp_SHFL ? shuffled(i, l, d->wb_pbits_o[s]) : extended(*o, l, o->beat * 2 + w);
        if (i.op == kWgOp_LDS && !known(*o, l)) continue;
        EXPECT_EQ(got, want) << "op " << +i.op << " mods " << i.mods << " lane " << l << " word " << w
                             << " cycle " << now
                             << " addr " << std::hex << (is_global(i) ? eff64(i, l) : eff32(i, l));
      }
    }
    o->beat++;
    if (last) {
      Result r;
      r.insn = i, r.sub = s, r.accepted = o->accepted, r.done = now, r.pbits = d->wb_pbits_o[s];
      for (unsigned w = 0; w < words; w++)
        for (unsigned l = 0; l < 32; l++) r.reg[w][l] = kept_[s * 16 + slot][i.rd + w][l];
      if (results.size() < 100000) results.push_back(r);
    }
  }
  std::map<unsigned, std::map<unsigned, std::array<uint32_t, 32>>> kept_;

  bool known(const Open &o, unsigned l) { /* bytes that nobody stored are whatever the array held */
    const Range &r = range_[o.sub * 16 + o.insn.slot];
    for (unsigned b = 0; b < bytes_of(o.insn); b++) if (!shared_known_[r.block][eff32(o.insn, l) + b]) return false;
    return true;
  }
  static uint32_t extended(const Open &o, unsigned l, unsigned word) {
    uint32_t v;
    std::memcpy(&v, &o.value[l][word * 4], 4);
    switch (o.insn.mods & 7) {
      case 0: return v & 0xffu;
      case 1: return static_cast<uint32_t>(static_cast<int8_t>(v));
      case 2: return v & 0xffffu;
      case 3: return static_cast<uint32_t>(static_cast<int16_t>(v));
      default: return v;
    }
  }
  /* PTX ISA, shfl.sync */
  static uint32_t shuffled(const Insn &i, unsigned l, uint32_t pbits) {
    uint32_t b = i.form == kWgFormImm ? i.imm & 255 : i.data[1][l];
    uint32_t c = (i.mods & 4) != 0 ? i.imm >> 8 & 0xffff : i.data[2][l];
    int lane = static_cast<int>(l), bval = static_cast<int>(b & 31), cval = static_cast<int>(c & 31);
    int seg = static_cast<int>(c >> 8 & 31), max = (lane & seg) | (cval & ~seg), min = lane & seg, j = 0;
    bool p = false;
    switch (i.mods & 3) {
      case 1: j = lane - bval, p = j >= max; break;
      case 2: j = lane + bval, p = j <= max; break;
      case 3: j = lane ^ bval, p = j <= max; break;
      default: j = min | (bval & ~seg), p = j <= max;
    }
    if (!p) j = lane;
    EXPECT_EQ(pbits >> l & 1, p) << "shuffle predicate of lane " << l;
    return (i.mask >> j & 1) != 0 ? i.data[0][static_cast<unsigned>(j)] : 0;
  }
};

inline uint32_t seed() {
  static const uint32_t value = [] {
    const char *s = std::getenv("SEED");
    uint32_t v = s != nullptr ? static_cast<uint32_t>(std::strtoul(s, nullptr, 0)) : 1u;
    std::printf("SEED=%u\n", v);
    return v;
  }();
  return value;
}

}  // namespace membench
#endif
