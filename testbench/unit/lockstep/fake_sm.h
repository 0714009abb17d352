// SPDX-License-Identifier: Apache-2.0
//
// A small SM for testing the checker: executes programs on the golden model with delays, an L1, a memory network and
// out-of-order completion, and reports what the probes of the real design would. Every event and message passes a
// filter that a test may use to alter or drop it.
#ifndef WG_TESTBENCH_UNIT_LOCKSTEP_FAKE_SM_H
#define WG_TESTBENCH_UNIT_LOCKSTEP_FAKE_SM_H

#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "cosim/lockstep.h"
#include "model/twin/coalescer.h"
#include "model/twin/cta_alloc.h"
#include "model/twin/sched.h"
#include "model/twin/smem_passes.h"
#include "testbench/unit/ref/program.h"

namespace wgtest {

enum class Ev { Init, Issue, Wb, Pred, Lsu, Shm, L1, Fill, LsuDone, Free, Stack, Pick, Bar, Req, Rsp };

class FakeSm {
 public:
  /** @return false to drop the event; may change what `event` points to. */
  using Filter = std::function<bool(Ev kind, void *event)>;

  FakeSm(wg_lockstep_t *ls, const wg_shape_t *shape, const wg_sm_cfg_t &cfg, Memory *mem, uint64_t code_base,
         uint32_t seed)
      : ls_(ls), hooks_(wg_lockstep_hooks(ls)), shape_(*shape), cfg_(cfg), mem_(mem), rng_(seed) {
    ops_ = mem->Ops();
    code_ = wg_ref_code_new(&ops_, code_base);
    wg_cta_alloc_reset(&alloc_, shape->sub_cores, &cfg_);
    uint32_t zero[4] = {0};
    for (unsigned s = 0; s < shape->sub_cores; s++) {
      regs_[s].assign(shape->regs_per_subcore / 32, {});
      for (auto &row : regs_[s])
        for (auto &v : row) v = static_cast<uint32_t>(rng_());  // leftovers, as after power-on
      wg_sched_reset(&sched_[s], cfg.policy, shape->warp_slots, zero, cfg.progress_cycles);
    }
    shared_.resize(shape->smem_bytes);
    for (auto &b : shared_) b = static_cast<uint8_t>(rng_());
    wg_lockstep_reset(ls, &cfg_);
  }
  ~FakeSm() { wg_ref_code_free(code_); }

  Filter filter = [](Ev, void *) { return true; };
  bool install_stale = false;      // a broken MSHR
  uint8_t report_fault = 255;      // this code instead of the golden one; 0 = none
  bool ignore_barriers = false;    // a broken barrier unit: nobody waits
  bool ignore_scoreboard = false;  // a broken scoreboard for results of variable latency

  void Launch(const wg_cta_launch_t &cta) { launches_.push_back(cta); }

  /** Runs to the end or to the first mismatch or fault. @return cycles; -1 if it does not end */
  int Run() {
    for (int c = 0; c < 200000; c++) {
      Cycle();
      if (wg_lockstep_status(ls_, nullptr) != kWgOk || faulted_) return c;
      if (launches_.empty() && blocks_.empty() && net_.empty() && rsps_.empty()) return c;
    }
    return -1;
  }

 private:
  struct Op {
    wg_ref_step_t st;
    unsigned sub, slot;
    uint64_t due;  // ALU: cycle of the write-back
    bool pred_done = false;
    uint8_t tag = 0;
    std::vector<std::pair<uint64_t, uint32_t>> steps;  // line or 0, lanes
    size_t step = 0;
    uint32_t waiting = 0, word[4][32];
    bool memory_done = false, memory = false, store = false, shared = false, shfl = false;
  };
  struct Warp {
    bool active = false, at_bar = false, branch = false;
    unsigned block = 0;
    wg_ref_warp_t w{};
    std::vector<Op *> ops;
    std::set<unsigned> busy;  // registers with an open write
    std::set<unsigned> busy_p;
    wg_ev_stack_t stack{};
    uint64_t ready = 0;
  };
  struct Block {
    wg_cta_launch_t cta;
    wg_cta_place_t place;
    unsigned inited = 0;
    wg_barrier_t bar{};
    wg_ref_banks_t banks{};
    std::vector<uint8_t> bank[4];
    unsigned stores = 0;
  };
  struct Waiter {
    Op *op;
    uint32_t lanes;
  };
  struct Mshr {
    bool used = false;
    uint64_t line = 0;
    uint8_t want = 0, have = 0, stale = 0;
    uint8_t data[128];
    std::vector<Waiter> waiters;
  };
  struct NetReq {
    wg_mem_req_t req;
    uint64_t due;
    int block;
  };
  struct NetRsp {
    wg_mem_rsp_t rsp;
    uint64_t due;
    int block;
  };

  template <class E>
  void Emit(Ev kind, void (*hook)(void *, const E *), E e) {
    if (hook != nullptr && filter(kind, &e)) hook(ls_, &e);
  }
  Warp &W(unsigned sub, unsigned slot) { return warps_[sub][slot]; }
  uint32_t Rand(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }

  void Cycle() {
    now_++;
    wg_lockstep_cycle(ls_, now_);
    StartBlock();
    InitWarp();
    Retire();
    for (unsigned s = 0; s < shape_.sub_cores; s++) Issue(s);
    // the order of events inside a cycle is that of probe.h: what becomes ready now is used from the next cycle on
    Memory1();
    GiveResponses();
    Finish();
    SendRequests();
    Serve();
  }

  void StartBlock() {
    if (launches_.empty() || !init_.empty()) return;
    wg_cta_place_t place;
    const wg_cta_launch_t &c = launches_.front();
    if (!wg_cta_alloc_find(&alloc_, (c.ntid[0] + 31) / 32, c.regs_per_thread, c.shared_bytes, &place)) return;
    wg_cta_alloc_take(&alloc_, &place);
    Block &b = blocks_[place.block];
    b = Block{};
    b.cta = c;
    b.place = place;
    for (unsigned k = 0; k < 4; k++) {
      if (c.const_size[k] == 0) continue;
      b.bank[k].resize(c.const_size[k]);
      Memory::Read(mem_, c.const_base[k], b.bank[k].data(), b.bank[k].size());
      b.banks.data[k] = b.bank[k].data();
      b.banks.size[k] = c.const_size[k];
    }
    uint32_t present = place.warps == 32 ? UINT32_MAX : (1u << place.warps) - 1;
    wg_barrier_reset(&b.bar, present);
    if (c.inval_l1) l1_.clear();
    wg_lockstep_launch(ls_, &c);
    launches_.pop_front();
    for (unsigned k = 0; k < place.warps; k++) init_.push_back({place.block, k});
    wg_ev_bar_t e{};
    e.kind = 3;
    e.block = place.block;
    e.warps = present;
    Emit(Ev::Bar, hooks_->bar, e);
  }

  void InitWarp() {
    if (init_.empty()) return;
    auto [block, k] = init_.front();
    init_.pop_front();
    Block &b = blocks_[block];
    unsigned sub = wg_cta_place_sub(&alloc_, &b.place, k), slot = b.place.slot[k];
    Warp &w = W(sub, slot);
    w = Warp{};
    w.active = true;
    w.block = block;
    wg_ref_warp_init(&w.w, b.cta.entry_pc, wg_ref_present(&b.cta, k));
    for (int p = 0; p < 7; p++) w.w.pred[p] = static_cast<uint32_t>(rng_());
    uint32_t row = wg_cta_place_row(&alloc_, &b.place, k);
    w.w.reg = reinterpret_cast<uint32_t(*)[32]>(&regs_[sub][row]);
    w.w.num_regs = b.place.regs;
    w.w.warp = k;
    w.w.shared_size = b.cta.shared_bytes;
    w.w.cta = &b.cta;
    w.w.banks = &b.banks;
    w.ready = now_ + 2;
    b.inited++;
    wg_ev_init_t e{};
    e.sub = static_cast<uint8_t>(sub);
    e.slot = static_cast<uint8_t>(slot);
    e.block = static_cast<uint8_t>(block);
    e.warp = static_cast<uint8_t>(k);
    e.mask = w.w.present;
    e.reg_base = row;
    e.regs = b.place.regs;
    e.shared_base = b.place.shared.base;
    e.shared_size = b.cta.shared_bytes;
    e.grid_id = b.cta.grid_id;
    std::memcpy(e.ctaid, b.cta.ctaid, sizeof e.ctaid);
    Emit(Ev::Init, hooks_->init, e);
    launched_[sub] |= static_cast<uint16_t>(1u << slot);
  }

  static bool IsBranch(unsigned op) {
    return op == kWgOp_BRA || op == kWgOp_BSSY || op == kWgOp_BSYNC || op == kWgOp_EXIT;
  }

  bool Eligible(Warp &w) {
    if (!w.active || w.at_bar || w.branch || w.w.div.mask == 0 || now_ < w.ready) return false;
    const wg_ref_insn_t *i = wg_ref_code_at(code_, w.w.div.pc);
    if (w.ops.size() > 12) return false;
    if (i->in.op == kWgOp_EXIT && !w.ops.empty()) return false;
    for (unsigned k = 0; k < 5 && !ignore_scoreboard; k++)
      for (unsigned r = 0; r < i->regs.count[k]; r++)
        if (w.busy.count(i->regs.first[k] + r)) return false;
    for (unsigned p : {i->in.guard, i->in.ps0, i->in.ps1, i->in.pd0, i->in.pd1})
      if (w.busy_p.count(p)) return false;
    return true;
  }

  void Issue(unsigned sub) {
    wg_sched_in_t in{};
    for (unsigned s = 0; s < shape_.warp_slots; s++) {
      if (W(sub, s).active) in.valid |= static_cast<uint16_t>(1u << s);
      if (Eligible(W(sub, s))) in.eligible |= static_cast<uint16_t>(1u << s);
    }
    if (in.valid == 0) return;
    in.launched = launched_[sub];
    launched_[sub] = 0;
    wg_sched_out_t o = wg_sched_step(&sched_[sub], &in);
    if (o.issue) IssueWarp(sub, o.warp);
    wg_ev_pick_t e{};
    e.sub = static_cast<uint8_t>(sub);
    e.policy = static_cast<uint8_t>(cfg_.policy);
    e.issued = o.issue;
    e.warp = o.warp;
    e.valid = in.valid;
    e.eligible = in.eligible;
    e.withheld = o.withheld;
    e.event[1] = static_cast<uint32_t>(in.launched) << 16;
    Emit(Ev::Pick, hooks_->pick, e);
  }

  void IssueWarp(unsigned sub, unsigned slot) {
    Warp &w = W(sub, slot);
    Op *op = new Op;
    pool_.emplace_back(op);
    uint32_t mask = w.w.div.mask;
    wg_ref_issue(&w.w, wg_ref_code_at(code_, w.w.div.pc), &op->st);
    const wg_ref_step_t &st = op->st;
    const wg_insn_t &in = st.insn->in;
    wg_ev_issue_t e{static_cast<uint8_t>(sub), static_cast<uint8_t>(slot), st.pc, st.mask, st.exec};
    bool at_issue =
        st.fault != kWgFaultNone && wg_insn_info(in.op)->pipe != kWgPipeLSU;  // found before anything issues
    if (!at_issue) Emit(Ev::Issue, hooks_->issue, e);
    op->sub = sub;
    op->slot = slot;
    w.ready = now_ + 1;
    if (st.fault != kWgFaultNone) {
      wg_fault_t f{};
      f.code = report_fault != 255 ? report_fault : st.fault;
      f.lanes = st.fault_lanes;
      f.pc = st.pc;
      f.warp = static_cast<uint8_t>(sub + shape_.sub_cores * slot);
      if (f.code != kWgFaultNone) wg_lockstep_fault(ls_, &f);
      faulted_ = true;
      return;
    }
    if (st.exec == 0) return;
    unsigned pipe = wg_insn_info(in.op)->pipe;
    if (pipe == kWgPipeCTRL) {
      Control(w, sub, slot, st, mask);
      return;
    }
    w.ops.push_back(op);
    op->shfl = in.op == kWgOp_SHFL;
    op->memory = pipe == kWgPipeLSU;
    op->store = in.op == kWgOp_STG || in.op == kWgOp_STS;
    op->shared = in.op == kWgOp_LDS || in.op == kWgOp_STS;
    unsigned rows = 0;
    if (in.rd != kWgRZ) {
      if (st.kind == kWgRefMemory && !op->store)
        rows = st.bytes > 4 ? st.bytes / 4 : 1;
      else if (st.kind == kWgRefSreg)
        rows = 1;
      else if (st.out.wr)
        rows = st.out.wide ? 2 : 1;
    }
    for (unsigned k = 0; k < rows; k++) w.busy.insert(in.rd + k);
    rows_[op] = rows;
    std::memcpy(op->word[0], st.out.d, 128);
    std::memcpy(op->word[1], st.out.d1, 128);
    if (st.out.wr_p0 && in.pd0 != kWgPT) w.busy_p.insert(in.pd0);
    if (st.out.wr_p1 && in.pd1 != kWgPT) w.busy_p.insert(in.pd1);
    if (st.kind == kWgRefSreg) {
      for (unsigned l = 0; l < 32; l++) {
        uint32_t v = static_cast<uint32_t>(now_);
        if (in.imm == kWgSrWarpId) v = sub + shape_.sub_cores * slot;
        if (in.imm == kWgSrNWarpId) v = shape_.sub_cores * cfg_.warp_slots;
        if (in.imm == kWgSrSmId) v = cfg_.smid;
        if (in.imm == kWgSrNSmId) v = cfg_.nsmid;
        if (in.imm == kWgSrBarResult) v = w.w.bar_result;
        op->word[0][l] = v;
        if (in.rd != kWgRZ && st.exec >> l & 1) w.w.reg[in.rd][l] = v;
      }
    }
    op->due = now_ + 3 + (pipe == kWgPipeSREG ? Rand(6) : 0);
    if (!op->memory) return;
    if (op->shfl)
      op->steps.push_back({0, st.exec});
    else if (op->shared) {
      uint32_t addr[32] = {0};
      for (unsigned l = 0; l < 32; l++)
        if (st.exec >> l & 1) addr[l] = blocks_[w.block].place.shared.base + static_cast<uint32_t>(st.addr[l]);
      wg_smem_passes_t p;
      wg_smem_split(addr, st.bytes, st.exec, op->store, &p);
      for (unsigned k = 0; k < p.num; k++) op->steps.push_back({0, p.lanes[k]});
    } else {
      wg_line_access_t line[32];
      unsigned n = in.op == kWgOp_LDC ? wg_coalesce_const(st.addr, st.bytes, st.exec, line)
                                      : wg_coalesce(st.addr, st.bytes, st.exec, line);
      for (unsigned k = 0; k < n; k++) op->steps.push_back({line[k].line, line[k].lanes});
    }
    lsu_in_.push_back(op);
  }

  void Control(Warp &w, unsigned sub, unsigned slot, const wg_ref_step_t &st, uint32_t mask) {
    const wg_insn_t &in = st.insn->in;
    Block &b = blocks_[w.block];
    if (st.kind == kWgRefBarrier) {
      wg_ev_bar_t e{};
      e.block = static_cast<uint8_t>(w.block);
      e.warp = static_cast<uint8_t>(w.w.warp);
      e.id = st.bar.id;
      e.arrive_only = st.bar.arrive_only;
      e.has_count = st.bar.has_count;
      e.count = static_cast<uint16_t>(st.bar.count);
      Emit(Ev::Bar, hooks_->bar, e);
      wg_barrier_out_t o = wg_barrier_take(&b.bar, w.w.warp, &st.bar);
      w.at_bar = !st.bar.arrive_only && !ignore_barriers;
      if (o.complete) Release(w.block, st.bar.id, o.release);
    }
    if (IsBranch(in.op)) {
      w.branch = true;
      w.stack = {};
      w.stack.sub = static_cast<uint8_t>(sub);
      w.stack.slot = static_cast<uint8_t>(slot);
      w.stack.op = in.op;
      w.stack.breg = in.breg;
      w.stack.pc = st.pc;
      w.stack.target = (st.pc + 16 + in.imm) & 0x0fffffff;
      w.stack.mask = mask;
      w.stack.exec = st.exec;
      w.stack.next_pc = w.w.div.pc;
      w.stack.next_mask = w.w.div.mask;
      w.stack.depth = static_cast<uint8_t>(w.w.div.depth);
      branches_.push_back({sub, slot, now_ + 1});
    }
  }

  void Release(unsigned block, unsigned id, uint32_t warps) {
    wg_ev_bar_t e{};
    e.kind = 1;
    e.block = static_cast<uint8_t>(block);
    e.id = static_cast<uint8_t>(id);
    e.warps = warps;
    Emit(Ev::Bar, hooks_->bar, e);
    Block &b = blocks_[block];
    for (unsigned k = 0; k < b.place.warps; k++)
      if (warps >> k & 1) W(wg_cta_place_sub(&alloc_, &b.place, k), b.place.slot[k]).at_bar = false;
  }

  // ALU results, branches, finished loads.
  void Finish() {
    for (auto it = branches_.begin(); it != branches_.end();) {
      if (now_ < it->due) {
        ++it;
        continue;
      }
      Warp &w = W(it->sub, it->slot);
      Emit(Ev::Stack, hooks_->stack, w.stack);
      w.branch = false;
      if (w.w.div.mask == 0) {
        wg_ev_bar_t e{};
        e.kind = 2;
        e.block = static_cast<uint8_t>(w.block);
        e.warp = static_cast<uint8_t>(w.w.warp);
        Emit(Ev::Bar, hooks_->bar, e);
        uint32_t rel[kWgBarriers];
        uint32_t done = wg_barrier_exit(&blocks_[w.block].bar, w.w.warp, rel);
        for (unsigned id = 0; id < 16; id++)
          if (done >> id & 1) Release(w.block, id, rel[id]);
      }
      it = branches_.erase(it);
    }
    for (unsigned s = 0; s < shape_.sub_cores; s++)
      for (unsigned i = 0; i < shape_.warp_slots; i++)
        for (size_t k = 0; k < W(s, i).ops.size();) {
          Op *op = W(s, i).ops[k];
          bool done = !op->memory || op->memory_done;
          if (!op->memory && now_ >= op->due - 2 && !op->pred_done) Preds(op);
          if (done && now_ >= op->due)
            WriteBack(op);  // removes it
          else
            k++;
        }
  }

  void Preds(Op *op) {
    Warp &w = W(op->sub, op->slot);
    const wg_insn_t &in = op->st.insn->in;
    op->pred_done = true;
    for (int j = 0; j < 2; j++) {
      uint8_t pd = j ? in.pd1 : in.pd0;
      if (!(j ? op->st.out.wr_p1 : op->st.out.wr_p0) || pd == kWgPT) continue;
      uint32_t bits = j ? op->st.out.p1 : op->st.out.p0;
      for (uint32_t half : {0x0000ffffu, 0xffff0000u}) {
        if ((op->st.exec & half) == 0) continue;
        Emit(Ev::Pred, hooks_->pred,
             wg_ev_pred_t{static_cast<uint8_t>(op->sub), static_cast<uint8_t>(op->slot), pd, op->st.exec & half,
                          bits & half});
      }
      w.busy_p.erase(pd);
    }
  }

  void WriteBack(Op *op) {
    Warp &w = W(op->sub, op->slot);
    const wg_insn_t &in = op->st.insn->in;
    if (!op->pred_done) Preds(op);
    unsigned pipe = wg_insn_info(in.op)->pipe;
    for (unsigned k = 0; k < rows_[op]; k += 2) {
      wg_ev_wb_t e{};
      e.sub = static_cast<uint8_t>(op->sub);
      e.slot = static_cast<uint8_t>(op->slot);
      e.rd = static_cast<uint8_t>(in.rd + k);
      e.wide = k + 1 < rows_[op];
      e.variable = pipe != kWgPipeINT && pipe != kWgPipeFP32 && pipe != kWgPipeFP64 && pipe != kWgPipeHALF;
      e.mask = op->st.exec;
      std::array<uint32_t, 32> lo, hi;
      std::memcpy(lo.data(), op->word[k], 128);
      std::memcpy(hi.data(), op->word[k < 3 ? k + 1 : 3], 128);
      for (unsigned l = 0; l < 32; l++)
        if (!(e.mask >> l & 1)) lo[l] = hi[l] = static_cast<uint32_t>(rng_());
      e.lo = lo.data();
      e.hi = hi.data();
      Emit(Ev::Wb, hooks_->wb, e);
    }
    for (unsigned k = 0; k < rows_[op]; k++) w.busy.erase(in.rd + k);
    for (size_t k = 0; k < w.ops.size(); k++)
      if (w.ops[k] == op) {
        w.ops.erase(w.ops.begin() + static_cast<long>(k));
        break;
      }
  }

  // ---- memory ----
  void Memory1() {
    if (!lsu_in_.empty() && free_tags_.size() < 100) {
      Op *op = lsu_in_.front();
      lsu_in_.pop_front();
      while (free_tags_.count(tag_)) tag_ = static_cast<uint8_t>((tag_ + 1) & 127);
      op->tag = tag_;
      free_tags_.insert(tag_);
      Emit(Ev::Lsu, hooks_->lsu,
           wg_ev_lsu_t{static_cast<uint8_t>(op->sub), static_cast<uint8_t>(op->slot), op->tag, op->st.pc});
      (op->shared || op->shfl ? shared_q_ : global_q_).push_back(op);
    }
    if (!shared_q_.empty()) SharedStep();
    if (!global_q_.empty()) GlobalStep();
  }

  void Done(Op *op) {
    Emit(Ev::LsuDone, hooks_->lsu_done, wg_ev_lsu_done_t{op->tag});
    free_tags_.erase(op->tag);
    op->due = now_ + 2;
    op->memory_done = true;
  }

  void SharedStep() {
    Op *op = shared_q_.front();
    uint32_t lanes = op->steps[op->step++].second;
    Emit(Ev::Shm, hooks_->shm, wg_ev_shm_t{op->tag, lanes});
    Warp &w = W(op->sub, op->slot);
    if (!op->shfl) {
      wg_ref_memory(&w.w, &op->st, lanes, shared_.data() + blocks_[w.block].place.shared.base, &ops_);
      TakeRows(op, lanes);
    }
    if (op->step == op->steps.size()) {
      shared_q_.pop_front();
      Done(op);
    }
  }
  void TakeRows(Op *op, uint32_t lanes) {
    Warp &w = W(op->sub, op->slot);
    for (unsigned k = 0; k < rows_[op] && !op->store; k++)
      for (unsigned l = 0; l < 32; l++)
        if (lanes >> l & 1) op->word[k][l] = w.w.reg[op->st.insn->in.rd + k][l];
  }

  struct L1Line {
    uint8_t valid = 0;
    uint8_t data[128];
  };
  static bool L1Read(void *ctx, uint64_t addr, void *dst, size_t n) {
    auto *p = static_cast<std::pair<uint64_t, const uint8_t *> *>(ctx);
    std::memcpy(dst, p->second + (addr - p->first), n);
    return true;
  }
  void LoadLanes(Op *op, uint32_t lanes, uint64_t line, const uint8_t *data) {
    std::pair<uint64_t, const uint8_t *> p{line, data};
    wg_ref_mem_t m{&p, L1Read, nullptr};
    wg_ref_memory(&W(op->sub, op->slot).w, &op->st, lanes, nullptr, &m);
    TakeRows(op, lanes);
  }
  uint32_t SectorLanes(Op *op, uint32_t lanes, unsigned s) {
    uint32_t r = 0;
    for (unsigned l = 0; l < 32; l++)
      if (lanes >> l & 1 && op->st.addr[l] % 128 / 32 == s) r |= 1u << l;
    return r;
  }

  void GlobalStep() {
    Op *op = global_q_.front();
    auto [line, lanes] = op->steps[op->step];
    bool bypass = WG_MOD_GET(&op->st.insn->in, MCACHE) == 1 || WG_MOD_GET(&op->st.insn->in, MCACHE) == 2;
    if (Rand(8) == 0 && !l1_.empty()) l1_.erase(l1_.begin());  // an eviction
    L1Line *l1 = l1_.count(line) ? &l1_[line] : nullptr;
    if (l1 != nullptr && bypass) {
      l1_.erase(line);
      l1 = nullptr;
    }
    wg_ev_l1_t e{};
    e.tag = op->tag;
    e.store = op->store;
    e.line = line;
    e.lanes = lanes;
    for (unsigned s = 0; s < 4; s++)
      if (SectorLanes(op, lanes, s)) e.sectors |= static_cast<uint8_t>(1u << s);
    e.hit = l1 ? l1->valid & e.sectors : 0;
    if (op->store) {
      if (!Store(op, e, l1)) return;
    } else if (!Load(op, e, l1, bypass)) {
      return;
    }
    op->step++;
    if (op->step == op->steps.size()) {
      global_q_.pop_front();
      if (op->store || op->waiting == 0) Done(op);
    }
  }

  bool Store(Op *op, wg_ev_l1_t &e, L1Line *l1) {
    if (open_stores_.size() > 50) return false;
    e.req_id = store_id_;
    Emit(Ev::L1, hooks_->l1, e);
    // bytes of the line, by the golden store order
    struct Buf {
      uint64_t line;
      uint8_t data[128];
      bool set[128];
    } buf{};
    buf.line = e.line;
    wg_ref_mem_t m{&buf, nullptr, [](void *ctx, uint64_t a, const void *src, size_t n) {
                     auto *b = static_cast<Buf *>(ctx);
                     std::memcpy(b->data + (a - b->line), src, n);
                     std::fill(b->set + (a - b->line), b->set + (a - b->line) + n, true);
                     return true;
                   }};
    wg_ref_memory(&W(op->sub, op->slot).w, &op->st, e.lanes, nullptr, &m);
    for (unsigned s = 0; s < 4; s++) {
      if (!(e.sectors >> s & 1)) continue;
      NetReq r{};
      r.req.line = e.line;
      r.req.op = kWgMemStore;
      r.req.sector_mask = static_cast<uint8_t>(1u << s);
      r.req.pc = op->st.pc;
      r.req.warp = static_cast<uint8_t>(op->sub + shape_.sub_cores * op->slot);
      while (open_stores_.count(store_id_)) store_id_ = static_cast<uint8_t>(64 + (store_id_ - 63) % 64);
      r.req.id = store_id_;
      open_stores_.insert(store_id_);
      for (unsigned b = 0; b < 32; b++)
        if (buf.set[32 * s + b]) {
          r.req.byte_mask |= 1u << b;
          r.req.data[b] = buf.data[32 * s + b];
          if (l1 && l1->valid >> s & 1) l1->data[32 * s + b] = buf.data[32 * s + b];
        }
      r.block = static_cast<int>(W(op->sub, op->slot).block);
      blocks_[static_cast<unsigned>(r.block)].stores++;
      out_.push_back(r);
    }
    for (auto &h : mshr_)
      if (h.used && h.line == e.line) h.stale |= e.sectors;
    return true;
  }

  bool Load(Op *op, wg_ev_l1_t &e, L1Line *l1, bool bypass) {
    uint8_t miss = e.sectors & static_cast<uint8_t>(~e.hit);
    if (miss) {
      int id = -1;
      for (int i = 0; i < 64 && !bypass; i++)
        if (mshr_[i].used && mshr_[i].line == e.line && (mshr_[i].want & miss) == miss && !(mshr_[i].stale & miss) &&
            !mshr_[i].have)
          id = i;
      if (id < 0) {
        for (int i = 0; i < 8; i++)
          if (!mshr_[i].used) id = i;
        if (id < 0) return false;
        Mshr &h = mshr_[id];
        h = Mshr{};
        h.used = true;
        h.line = e.line;
        h.want = miss;
        if (bypass) h.stale = 15;
        NetReq r{};
        r.req.line = e.line;
        r.req.op = bypass ? kWgMemLoadCg : kWgMemLoad;
        r.req.sector_mask = miss;
        r.req.id = static_cast<uint8_t>(id);
        r.req.pc = op->st.pc;
        r.block = -1;
        out_.push_back(r);
      }
      e.req_id = static_cast<uint8_t>(id);
      uint32_t lanes = 0;
      for (unsigned s = 0; s < 4; s++)
        if (miss >> s & 1) lanes |= SectorLanes(op, e.lanes, s);
      mshr_[id].waiters.push_back({op, lanes});
      op->waiting |= lanes;
    }
    Emit(Ev::L1, hooks_->l1, e);
    for (unsigned s = 0; s < 4; s++)
      if (e.hit >> s & 1) LoadLanes(op, SectorLanes(op, e.lanes, s), e.line, l1->data);
    return true;
  }

  void SendRequests() {
    if (out_.empty() || Rand(3) == 0) return;
    NetReq r = out_.front();
    out_.pop_front();
    if (filter(Ev::Req, &r.req)) wg_lockstep_req(ls_, &r.req);
    r.due = now_ + 5 + Rand(20);
    net_.push_back(r);
  }

  void Serve() {
    while (!net_.empty() && now_ >= net_.front().due) {
      NetReq r = net_.front();
      net_.pop_front();
      for (unsigned s = 0; s < 4; s++) {
        if (!(r.req.sector_mask >> s & 1)) continue;
        NetRsp p{};
        p.rsp.id = r.req.id;
        p.rsp.sector = static_cast<uint8_t>(s);
        p.block = r.block;
        uint64_t a = r.req.line + 32 * s;
        if (r.req.op == kWgMemStore) {
          for (unsigned b = 0; b < 32; b++)
            if (r.req.byte_mask >> b & 1) Memory::Write(mem_, a + b, &r.req.data[b], 1);
        } else if (!Memory::Read(mem_, a, p.rsp.data, 32)) {
          p.rsp.status = kWgFaultIllegalAddr;
        }
        p.due = now_ + 3 + Rand(30);
        rsps_.push_back(p);
      }
    }
  }

  void GiveResponses() {
    int given = 0;
    for (size_t i = 0; i < rsps_.size() && given < 2;) {
      if (now_ < rsps_[i].due) {
        i++;
        continue;
      }
      NetRsp p = rsps_[i];
      rsps_.erase(rsps_.begin() + static_cast<long>(i));
      given++;
      if (filter(Ev::Rsp, &p.rsp)) wg_lockstep_rsp(ls_, &p.rsp);
      if (p.rsp.id >= 64) {
        open_stores_.erase(p.rsp.id);
        blocks_[static_cast<unsigned>(p.block)].stores--;
        continue;
      }
      Mshr &h = mshr_[p.rsp.id];
      std::memcpy(h.data + 32 * p.rsp.sector, p.rsp.data, 32);
      h.have |= static_cast<uint8_t>(1u << p.rsp.sector);
      if (h.have == h.want) Install(p.rsp.id);
    }
  }

  void Install(uint8_t id) {
    Mshr &h = mshr_[id];
    for (unsigned s = 0; s < 4; s++) {
      if (!(h.want >> s & 1)) continue;
      bool ok = install_stale || !(h.stale >> s & 1);
      if (ok) {
        L1Line &l = l1_[h.line];
        l.valid |= static_cast<uint8_t>(1u << s);
        std::memcpy(l.data + 32 * s, h.data + 32 * s, 32);
      }
      Emit(Ev::Fill, hooks_->fill, wg_ev_fill_t{id, static_cast<uint8_t>(s), ok});
    }
    for (Waiter &w : h.waiters) {
      LoadLanes(w.op, w.lanes, h.line, h.data);
      w.op->waiting &= ~w.lanes;
      bool last = w.op->step == w.op->steps.size();
      if (last && w.op->waiting == 0) Done(w.op);
    }
    h.used = false;
  }

  void Retire() {
    for (auto it = blocks_.begin(); it != blocks_.end();) {
      Block &b = it->second;
      bool done = b.inited == b.place.warps && b.stores == 0 && init_.empty();
      for (unsigned k = 0; k < b.place.warps && done; k++) {
        Warp &w = W(wg_cta_place_sub(&alloc_, &b.place, k), b.place.slot[k]);
        done = w.w.div.mask == 0 && w.ops.empty() && !w.branch;
      }
      if (!done) {
        ++it;
        continue;
      }
      for (unsigned k = 0; k < b.place.warps; k++)
        W(wg_cta_place_sub(&alloc_, &b.place, k), b.place.slot[k]).active = false;
      Emit(Ev::Free, hooks_->free, wg_ev_free_t{static_cast<uint8_t>(it->first)});
      wg_cta_alloc_free(&alloc_, it->first);
      it = blocks_.erase(it);
    }
  }

  struct Branch {
    unsigned sub, slot;
    uint64_t due;
  };
  wg_lockstep_t *ls_;
  const wg_probe_hooks_t *hooks_;
  wg_shape_t shape_;
  wg_sm_cfg_t cfg_;
  Memory *mem_;
  std::mt19937 rng_;
  wg_ref_mem_t ops_{};
  wg_ref_code_t *code_ = nullptr;
  wg_cta_alloc_t alloc_{};
  wg_sched_t sched_[kWgMaxSubCores]{};
  uint16_t launched_[kWgMaxSubCores] = {}; /* bound since the last pick event */
  std::vector<std::array<uint32_t, 32>> regs_[kWgMaxSubCores];
  std::vector<uint8_t> shared_;
  Warp warps_[kWgMaxSubCores][kWgMaxWarpSlots];
  std::map<unsigned, Block> blocks_;
  std::deque<wg_cta_launch_t> launches_;
  std::deque<std::pair<unsigned, unsigned>> init_;
  std::vector<std::unique_ptr<Op>> pool_;
  std::map<Op *, unsigned> rows_;
  std::vector<Branch> branches_;
  std::deque<Op *> lsu_in_, shared_q_, global_q_;
  std::set<uint8_t> free_tags_;
  uint8_t tag_ = 0;
  std::map<uint64_t, L1Line> l1_;
  Mshr mshr_[64];
  std::deque<NetReq> out_, net_;
  std::vector<NetRsp> rsps_;
  std::set<uint8_t> open_stores_;
  uint8_t store_id_ = 64;
  uint64_t now_ = 0;
  bool faulted_ = false;
};

}  // namespace wgtest
#endif
