// SPDX-License-Identifier: Apache-2.0
//
// Harness of the sub-core benches: code and constant fills, a memory that answers after a random time, barriers, and the golden
// model (model/ref) stepped at every issue. Every register and predicate write is compared with it.
#ifndef WG_TESTBENCH_RTL_SUBCORE_BENCH_H
#define WG_TESTBENCH_RTL_SUBCORE_BENCH_H

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "Vtop.h"
#include "model/counts.h"
#include "model/ref/wg_ref.h"
#include "model/twin/sched.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace subcore {

constexpr unsigned kSlots = 16;
constexpr uint64_t kCode = 0x200000100000u, kConst = 0x200000200000u;

/** Instruction builders; registers by number, RZ = 255, predicates PT = 7. */
inline wg_insn_t insn(uint8_t op, uint8_t rd = 255, uint8_t ra = 255, uint8_t rb = 255, uint8_t rc = 255) {
  wg_insn_t i = wg_insn_default(op);
  i.rd = rd, i.ra = ra, i.rb = rb, i.rc = rc;
  return i;
}
inline wg_insn_t imm(uint8_t op, uint8_t rd, uint8_t ra, uint32_t value, uint8_t rc = 255) {
  wg_insn_t i = insn(op, rd, ra, 255, rc);
  i.form = kWgFormImm;
  i.imm = value;
  return i;
}
inline wg_insn_t movi(uint8_t rd, uint32_t value) { return imm(kWgOp_MOV, rd, 255, value); }
inline wg_insn_t guarded(wg_insn_t i, uint8_t p, bool inverted = false) {
  i.guard = p, i.guard_not = inverted;
  return i;
}
/** ISETP.cmp.AND pd, PT, ra, value, PT; cmp 1 LT, 2 EQ, 4 GT, 6 GE. */
inline wg_insn_t setpi(uint8_t pd, uint8_t ra, unsigned cmp, uint32_t value) {
  wg_insn_t i = imm(kWgOp_ISETP, 255, ra, value);
  i.pd0 = pd;
  i.mods = uint16_t(cmp);
  return i;
}
inline wg_insn_t branch(uint8_t op, int words, uint8_t breg = 0) {
  wg_insn_t i = wg_insn_default(op);
  i.imm = uint32_t(words * 16);
  i.breg = breg;
  return i;
}
inline wg_insn_t constant(wg_insn_t i, uint8_t bank, uint16_t off) {
  i.form = kWgFormConst, i.cbank = bank, i.coff = off;
  return i;
}
/** LDG/STG/LDS/STS; size as MSIZE: 4 = 32 bits, 5 = 64, 6 = 128. */
inline wg_insn_t memory(uint8_t op, uint8_t reg, uint8_t ra, int32_t off, unsigned size = 4) {
  wg_insn_t i = wg_insn_default(op);
  const bool store = op == kWgOp_STG || op == kWgOp_STS;
  (store ? i.rc : i.rd) = reg;
  i.ra = ra, i.imm = uint32_t(off), i.mods = uint16_t(size);
  return i;
}

/** One issued instruction, in issue order. */
struct Issued {
  uint64_t cycle;
  unsigned slot;
  uint32_t pc, mask, exec;
};

/** A write that the golden model expects: a register row or a predicate, lanes still to come. */
struct Expect {
  uint64_t since; /* issued in this cycle */
  bool fixed;     /* by a fixed-latency pipe */
  uint32_t lanes;
  uint32_t row[32];
};

class Bench {
 public:
  std::unique_ptr<VerilatedContext> ctx{new VerilatedContext};
  std::unique_ptr<Vtop> top{new Vtop(ctx.get())};
  bench::Rng rng;
  uint64_t cycle = 0;
  std::vector<wg_insn_t> code;
  std::vector<uint32_t> consts = std::vector<uint32_t>(256);
  std::vector<Issued> issued;
  std::vector<std::pair<uint64_t, unsigned>> exits, reg_writes; /* {cycle, slot}; {cycle, slot * 256 + rd} */
  std::vector<std::pair<uint64_t, unsigned>> handed; /* memory instructions: {cycle, slot} */
  uint16_t running = 0;
  unsigned mem_min = 3, mem_spread = 20, fetch_time = 3, mem_ready_percent = 100, bar_ready_percent = 100;
  bool golden = true;
  bool light = false;        /* look at issues only: for measuring speed */
  bool hold_memory = false;  /* answer no load */
  std::vector<uint32_t> stores; /* addresses of stored lanes (low words), in the order they were handed over */
  unsigned bar_arrivals = 0;
  unsigned bank_cycles = 0; /* issue slots that went to the reason register bank */
  std::vector<unsigned> age; /* bound slots, oldest first */
  int last_issued = -1;
  unsigned picks_checked = 0;
  /* register rows that issued instructions take, are read for and write, less those that were: counts of model/counts.h */
  int rows_owed = 0, reads_owed = 0, writes_owed = 0;

  explicit Bench(uint64_t stream = 1) : rng(stream) {
    for (auto &c : consts) c = uint32_t(rng.next());
    top->rst_ni = 0;
    top->policy_i = kWgPolicyLrr;
    for (int i = 0; i < 4; i++) clock();
    top->rst_ni = 1;
    cycle = 0;
  }
  ~Bench() { top->final(); }

  /** Bind a warp: code is read from `pc`; registers 0..regs-1 are rows base.. ; its golden registers start as the RTL's are
   * set by preload code, so programs write before they read. */
  void start(unsigned slot, uint32_t mask = ~0u, uint32_t regs = 32, uint32_t pc = 0) {
    top->init_valid_i = 1;
    top->init_slot_i = uint8_t(slot), top->init_block_i = uint8_t(slot), top->init_warp_i = uint8_t(slot);
    top->init_mask_i = mask, top->init_base_i = uint16_t(slot * 32), top->init_regs_i = uint16_t(regs);
    top->init_pc_i = pc, top->init_code_i = kCode, top->init_const_i = kConst;
    top->init_size_i = uint32_t(consts.size() * 4);
    age.push_back(slot);
    Warp &w = warps[slot];
    std::memset(&w.ref, 0, sizeof w.ref);
    w.regs.assign(size_t(256) * 32, 0);
    w.pending.clear();
    w.stores.clear();
    w.handover.clear();
    w.ref.reg = reinterpret_cast<uint32_t(*)[32]>(w.regs.data());
    w.ref.num_regs = regs;
    w.ref.warp = 0;
    w.ref.shared_size = 65536;
    w.ref.cta = &cta;
    w.ref.banks = &banks;
    banks.data[0] = banks.data[3] = reinterpret_cast<const uint8_t *>(consts.data());
    banks.size[0] = banks.size[3] = uint32_t(consts.size() * 4);
    wg_ref_warp_init(&w.ref, pc, mask);
    step();
    top->init_valid_i = 0;
    running |= uint16_t(1u << slot);
  }

  /** Run until all started warps have ended, a fault, or `limit` cycles; then drain. @return all ended */
  bool run(uint64_t limit = 20000) {
    const uint64_t end = cycle + limit;
    while (running != 0 && cycle < end && !top->fault_valid_o) step();
    for (int i = 0; i < 40; i++) step();
    return running == 0;
  }

  /** Let a warp of another slot run the code first, so that the L0 holds it. */
  void warm() { /* slot 15 */
    start(kSlots - 1);
    ASSERT_TRUE(run());
    issued.clear(), handed.clear();
  }

  /** One cycle. */
  void step() {
    drive();
    top->clk_i = 0;
    top->eval();
    observe();
    top->clk_i = 1;
    top->eval();
    cycle++;
  }

  /** Cycle in which a slot issued the word at index `word` for the n-th time; ~0 if it did not. */
  uint64_t when(unsigned slot, unsigned word, unsigned n = 0) const {
    for (const auto &i : issued) {
      if (i.slot == slot && i.pc == word * 16 && n-- == 0) return i.cycle;
    }
    return ~uint64_t(0);
  }
  /** Registers of a slot as the golden model has them. */
  const uint32_t *reg(unsigned slot, unsigned r) { return warps[slot].ref.reg[r]; }
  /** Writes that the RTL still owes. */
  size_t owed() const {
    size_t n = 0;
    for (const auto &w : warps) n += w.pending.size() + w.stores.size();
    return n;
  }
  void release(uint16_t slots) { top->bar_release_i = slots; }

 private:
  struct Warp {
    wg_ref_warp_t ref;
    std::vector<uint32_t> regs;
    std::deque<wg_ref_step_t> stores; /* issued, not yet handed over */
    std::deque<uint64_t> handover;    /* issue cycles of memory instructions and barriers not yet handed over */
    std::map<unsigned, std::deque<Expect>> pending; /* by register, predicates at 256 + number; oldest first */
  };
  struct Load {
    uint64_t due;
    unsigned slot, rd, regs, pd;
    uint32_t mask, pbits;
    bool pred;
    uint32_t row[4][32];
  };
  struct Fill {
    uint64_t due, addr;
  };
  Warp warps[kSlots];
  wg_cta_launch_t cta{};
  wg_ref_banks_t banks{};
  std::deque<Load> loads;
  std::deque<Fill> ifills, cfills;

  void clock() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
  }

  void drive() {
    top->ifreq_ready_i = 1, top->cfreq_ready_i = 1, top->bar_ready_i = rng.chance(bar_ready_percent);
    top->mem_ready_i = rng.chance(mem_ready_percent);
    top->iffill_valid_i = !ifills.empty() && ifills.front().due <= cycle;
    if (top->iffill_valid_i) {
      top->iffill_addr_i = ifills.front().addr;
      for (unsigned w = 0; w < 8; w++) {
        const uint64_t idx = (ifills.front().addr - kCode) / 16 + w;
        wg_word_t word{};
        if (idx < code.size()) word = wg_encode(&code[idx]);
        const uint32_t v[4] = {uint32_t(word.lo), uint32_t(word.lo >> 32), uint32_t(word.hi), uint32_t(word.hi >> 32)};
        for (unsigned k = 0; k < 4; k++) top->iffill_data_i[4 * w + k] = v[k];
      }
      ifills.pop_front();
    }
    top->cffill_valid_i = !cfills.empty() && cfills.front().due <= cycle;
    if (top->cffill_valid_i) {
      top->cffill_addr_i = cfills.front().addr;
      for (unsigned w = 0; w < 32; w++) {
        const uint64_t idx = ((cfills.front().addr - kConst) & 0xffff) / 4 + w;
        top->cffill_data_i[w] = idx < consts.size() ? consts[idx] : 0;
      }
      cfills.pop_front();
    }
    top->wb_valid_i = !hold_memory && !loads.empty() && loads.front().due <= cycle;
    if (top->wb_valid_i) {
      const Load &l = loads.front();
      top->wb_slot_i = uint8_t(l.slot), top->wb_rd_i = uint8_t(l.rd), top->wb_wide_i = l.regs > 1, top->wb_mask_i = l.mask;
      for (unsigned i = 0; i < 32; i++) top->wb_data_i[i] = l.row[0][i], top->wb_data_i[32 + i] = l.row[1][i];
      top->wb_last_i = l.regs <= 2;
      top->wb_pvalid_i = l.pred, top->wb_pd_i = uint8_t(l.pd), top->wb_pbits_i = l.pbits;
    }
  }

  void expect(Warp &w, unsigned key, uint32_t lanes, const uint32_t *row, bool fixed = false) {
    if (lanes == 0) return;
    w.pending[key].emplace_back();   /* a second one is open when a result is forwarded to its own register */
    ASSERT_LE(w.pending[key].size(), 3u);
    Expect &e = w.pending[key].back();
    e.since = cycle, e.fixed = fixed, e.lanes = lanes;
    std::memcpy(e.row, row, sizeof e.row);
  }
  void expect_pred(Warp &w, unsigned p, uint32_t lanes, uint32_t bits, bool fixed) {
    uint32_t row[32];
    for (unsigned l = 0; l < 32; l++) row[l] = bits >> l & 1;
    if (p != 7) expect(w, 256 + p, lanes, row, fixed);
  }

  /** The policy's rule (rtl/sched/sm_sched_*.sv), on the eligible slots of this cycle. */
  uint64_t waits_since[kSlots] = {}; /* cycle of the first eligible one since the slot issued, plus 1; 0: none */
  unsigned granted[kSlots] = {};
  void check_pick() {
    const unsigned eligible = top->ev_eligible_o;
    if (top->policy_i == kWgPolicyExt) return;
    ASSERT_EQ(top->ev_issue_o != 0, eligible != 0) << "an eligible warp is always picked, cycle " << cycle;
    if (eligible == 0) return;
    int want = -1;
    if (top->policy_i == kWgPolicyGto) {
      if (last_issued >= 0 && (eligible >> last_issued & 1)) want = last_issued;
      for (size_t i = 0; want < 0; i++) if (eligible >> age.at(i) & 1) want = int(age[i]);
    } else {
      for (unsigned i = 1; want < 0; i++) {
        const unsigned s = (unsigned(last_issued) + i) % kSlots;
        if (eligible >> s & 1) want = int(s);
      }
    }
    const unsigned got = top->ev_slot_o; /* the progress rule: a slot that waited long goes first, 64 times */
    for (unsigned s = 0; s < kSlots; s++) if ((eligible >> s & 1) && waits_since[s] == 0) waits_since[s] = cycle + 1;
    if (waits_since[got] != 0 && cycle + 65 - waits_since[got] >= kWgSchedWithhold) granted[got] = kWgSchedGrant;
    if (granted[got] != 0) granted[got]--, want = int(got);
    waits_since[got] = 0;
    ASSERT_EQ(int(top->ev_slot_o), want) << "policy " << int(top->policy_i) << " eligible " << eligible << " last " << last_issued;
    last_issued = want;
    picks_checked += (eligible & (eligible - 1)) != 0;
  }

  /** Value that the bench's memory holds at an address. */
  static uint32_t content(uint32_t addr) { return addr * 2654435761u + 12345u; }

  void on_issue() {
    const unsigned slot = top->ev_slot_o;
    issued.push_back({cycle, slot, top->ev_pc_o, top->ev_mask_o, top->ev_exec_o});
    if (!golden) return;
    Warp &w = warps[slot];
    ASSERT_EQ(w.ref.div.pc, top->ev_pc_o) << "slot " << slot << " cycle " << cycle;
    ASSERT_EQ(w.ref.div.mask, top->ev_mask_o) << "slot " << slot << " cycle " << cycle;
    wg_ref_insn_t ri{};
    ri.word = wg_encode(&code[top->ev_pc_o / 16]);
    ri.known = true;
    ASSERT_EQ(wg_decode(ri.word, &ri.in), kWgOk) << "word " << top->ev_pc_o / 16;
    ri.regs = wg_insn_regs(&ri.in);
    wg_ref_step_t st;
    wg_ref_issue(&w.ref, &ri, &st);
    ASSERT_EQ(st.fault, kWgFaultNone);
    ASSERT_EQ(st.exec, top->ev_exec_o) << "slot " << slot << " pc " << top->ev_pc_o;
    wg_counts_t counts{};
    wg_count_insn(&counts, &ri.in, &ri.regs, st.mask, st.exec);
    rows_owed += int(counts.operand_rows), reads_owed += int(counts.bank_read_rows);
    writes_owed += int(counts.bank_write_rows);
    const unsigned pipe = wg_insn_info(ri.in.op)->pipe;
    const bool fixed = pipe == kWgPipeINT || pipe == kWgPipeFP32 || pipe == kWgPipeFP64 || pipe == kWgPipeHALF;
    if (st.exec != 0 && (pipe == kWgPipeLSU || ri.in.op == kWgOp_BAR)) w.handover.push_back(cycle);
    if (st.kind == kWgRefMemory) {
      if (ri.in.op == kWgOp_LDG || ri.in.op == kWgOp_LDS) {
        for (unsigned k = 0; k < (st.bytes + 3) / 4; k++) {
          uint32_t *row = w.ref.reg[ri.in.rd + k];
          for (unsigned l = 0; l < 32; l++) if (st.exec >> l & 1) row[l] = content(uint32_t(st.addr[l]) + 4 * k);
          expect(w, ri.in.rd + k, st.exec, row);
        }
      }
      if (ri.in.op == kWgOp_STG || ri.in.op == kWgOp_STS) w.stores.push_back(st);
      return;
    }
    if (st.kind == kWgRefDone && st.exec != 0) {
      if (st.out.wr && ri.in.rd != 255) expect(w, ri.in.rd, st.exec, st.out.d, fixed);
      if (st.out.wr && st.out.wide && ri.in.rd != 255) expect(w, ri.in.rd + 1u, st.exec, st.out.d1, fixed);
      if (st.out.wr_p0) expect_pred(w, ri.in.pd0, st.exec, st.out.p0, fixed);
      if (st.out.wr_p1) expect_pred(w, ri.in.pd1, st.exec, st.out.p1, fixed);
    }
  }

  template <class Row>
  void on_write(unsigned slot, unsigned key, uint32_t lanes, const Row &row, unsigned at = 0) {
    if (key < 256) reg_writes.push_back({cycle, slot * 256 + key});
    if (!golden) return;
    Warp &w = warps[slot];
    auto it = w.pending.find(key);
    ASSERT_NE(it, w.pending.end()) << "unexpected write: slot " << slot << " key " << key << " cycle " << cycle;
    Expect &e = it->second.front();
    ASSERT_EQ(lanes & ~e.lanes, 0u) << "slot " << slot << " key " << key;
    for (unsigned l = 0; l < 32; l++) {
      if (lanes >> l & 1) {
        ASSERT_EQ(e.row[l], uint32_t(row[at + l])) << "slot " << slot << " key " << key << " lane " << l << " cycle " << cycle;
      }
    }
    e.lanes &= ~lanes;
    if (e.lanes == 0) it->second.pop_front();
    if (it->second.empty()) w.pending.erase(it);
  }
  void on_pred(unsigned slot, unsigned p, uint32_t lanes, uint32_t bits) {
    uint32_t row[32];
    for (unsigned l = 0; l < 32; l++) row[l] = bits >> l & 1;
    if (lanes != 0) on_write(slot, 256 + p, lanes, row);
  }

  /** A store that is handed over: lanes, addresses and data are those of the golden warp at its issue. */
  void check_store(unsigned slot, unsigned n) {
    auto &q = warps[slot].stores;
    ASSERT_FALSE(q.empty()) << "slot " << slot;
    const wg_ref_step_t &st = q.front();
    ASSERT_EQ(top->mem_mask_o, st.exec) << "slot " << slot;
    ASSERT_EQ(top->mem_pc_o, st.pc) << "slot " << slot;
    for (unsigned i = 0; i < 32; i++) {
      if (!(st.exec >> i & 1)) continue;
      ASSERT_EQ(top->mem_a_o[i] + top->mem_imm_o, uint32_t(st.addr[i])) << "slot " << slot << " lane " << i;
      for (unsigned k = 0; k < n; k++) ASSERT_EQ(top->mem_data_o[32 * k + i], st.data[k][i]) << "slot " << slot << " lane " << i;
    }
    q.pop_front();
  }

  /** busy_o is a flop: set in the cycle after one in which an issued instruction is in the collectors, a pipe, or waits
   * to be handed over. (A load's or special function's result on its way is not the sub-core's to know.) */
  void check_busy() {
    if (was_busy && golden) EXPECT_TRUE(top->busy_o) << "cycle " << cycle;
    was_busy = false;
    for (const Warp &w : warps) {
      was_busy |= !w.handover.empty() && w.handover.front() < cycle;
      for (const auto &p : w.pending) was_busy |= p.second.front().fixed && p.second.front().since < cycle;
    }
  }
  bool was_busy = false;

  void on_memory() {
    handed.emplace_back(cycle, top->mem_slot_o);
    if (golden) warps[top->mem_slot_o].handover.pop_front();
    Load l{};
    l.slot = top->mem_slot_o, l.rd = top->mem_rd_o, l.mask = top->mem_mask_o;
    const unsigned op = top->mem_op_o, size = top->mem_mods_o & 7u;
    EXPECT_NE(l.mask, 0u);
    if (op == kWgOp_STG || op == kWgOp_STS) {
      const unsigned n = size == 6 ? 4 : size == 5 ? 2 : 1;
      if (golden) check_store(l.slot, n);
      for (unsigned i = 0; i < 32; i++) {
        if (!(l.mask >> i & 1)) continue;
        stores.push_back(top->mem_a_o[i] + top->mem_imm_o);
        for (unsigned k = 0; k < n; k++) stores.push_back(top->mem_data_o[32 * k + i]);
      }
      return;
    }
    l.regs = 1;
    if (op == kWgOp_SHFL) {
      wg_insn_t in = wg_insn_default(kWgOp_SHFL);
      in.mods = uint16_t(top->mem_mods_o);
      wg_ref_in_t src{};
      uint32_t rows[3][32];
      for (unsigned k = 0; k < 3; k++) for (unsigned i = 0; i < 32; i++) rows[k][i] = top->mem_data_o[32 * k + i];
      src.a = rows[0], src.b = rows[1], src.c = rows[2], src.exec = l.mask;
      wg_ref_out_t out{};
      wg_ref_exec(&in, &src, &out);
      std::memcpy(l.row[0], out.d, sizeof out.d);
      l.pred = true, l.pd = top->mem_pd_o, l.pbits = out.p0;
    } else {
      l.regs = size == 6 ? 4 : size == 5 ? 2 : 1;
      for (unsigned k = 0; k < l.regs; k++) {
        for (unsigned i = 0; i < 32; i++) l.row[k][i] = content(top->mem_a_o[i] + top->mem_imm_o + 4 * k);
      }
    }
    l.due = cycle + mem_min + (mem_spread != 0 ? rng.below(mem_spread) : 0);
    auto at = loads.begin();
    if (!loads.empty() && top->wb_valid_i) ++at;   // the beat on the port stays
    while (at != loads.end() && at->due <= l.due) ++at;
    loads.insert(at, l);
  }

  void observe() {
    if (top->rst_ni == 0) return;
    if (light) {
      if (top->ev_issue_o) issued.push_back({cycle, top->ev_slot_o, top->ev_pc_o, 0, 0});
      if (top->ifreq_valid_o && top->ifreq_ready_i) ifills.push_back({cycle + fetch_time, top->ifreq_addr_o});
      return;
    }
    check_busy();
    bank_cycles += top->slot_reason_o == kWgReasonRegBank;
    if (top->ev_f_o) {
      on_write(top->ev_f_slot_o, top->ev_f_rd_o, top->ev_f_mask_o, top->ev_f_lo_o);
      if (top->ev_f_wide_o) on_write(top->ev_f_slot_o, top->ev_f_rd_o + 1u, top->ev_f_mask_o, top->ev_f_hi_o);
    }
    if (top->ev_v_o) {
      on_write(top->ev_v_slot_o, top->ev_v_rd_o, top->ev_v_mask_o, top->ev_v_lo_o);
      if (top->ev_v_wide_o) on_write(top->ev_v_slot_o, top->ev_v_rd_o + 1u, top->ev_v_mask_o, top->ev_v_hi_o);
    }
    if (top->ev_p_o) {
      if (top->ev_p0_o) on_pred(top->ev_p_slot_o, top->ev_pd0_o, top->ev_p_mask_o, top->ev_bits0_o);
      if (top->ev_p1_o) on_pred(top->ev_p_slot_o, top->ev_pd1_o, top->ev_p_mask_o, top->ev_bits1_o);
    }
    if (top->wb_valid_i && top->wb_ready_o) {
      Load &l = loads.front();
      if (l.pred && l.pd != 7) on_pred_later(l);
      if (l.regs == 4) {
        l.regs = 2, l.rd += 2;
        std::memcpy(l.row[0], l.row[2], 2 * sizeof l.row[0]);
      } else {
        loads.pop_front();
      }
    }
    check_pick();
    if (top->ev_issue_o && !top->ev_issue_fault_o) on_issue();
    rows_owed -= top->ev_takes_o, reads_owed -= top->ev_reads_o;
    writes_owed -= __builtin_popcount(top->ev_writes_o);
    if (top->mem_valid_o && top->mem_ready_i) on_memory();
    if (top->ifreq_valid_o && top->ifreq_ready_i) ifills.push_back({cycle + fetch_time, top->ifreq_addr_o});
    if (top->cfreq_valid_o && top->cfreq_ready_i) cfills.push_back({cycle + fetch_time, top->cfreq_addr_o});
    if (top->exit_valid_o) {
      exits.push_back({cycle, top->exit_warp_o});
      running &= uint16_t(~(1u << top->exit_warp_o));
    }
    if (top->bar_valid_o && top->bar_ready_i) {
      bar_arrivals++;
      if (golden) warps[top->bar_warp_o].handover.pop_front();
    }
  }
  /** SHFL's predicate is not among the write events: take it as written with its beat. */
  void on_pred_later(const Load &l) { on_pred(l.slot, l.pd, l.mask, l.pbits); }
};

}  // namespace subcore
#endif
