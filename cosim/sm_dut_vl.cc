// SPDX-License-Identifier: Apache-2.0
//
// The verilated SM behind cosim/sm_dut.h; the only file that sees Vsm_top.h. Compiled once per shape and variant into
// libwgsm.so, which exports `sm_dut_api`. Also implements the imports of testbench/probe/sm_probe_pkg.sv: they reach the
// instance under evaluation through a thread-local pointer, since one thread evaluates an SM at a time.

#include <svdpi.h>

#include <cstring>
#include <memory>

#include "Vsm_top.h"
#include "Vsm_top___024root.h"
#include "verilated.h"
#ifdef WG_TRACE
#include "verilated_fst_c.h"
#endif
#include "Vsm_top__Syms.h"

#include "cosim/sm_dut.h"

/* The inputs of the last cycle, as far as they lead to logic. */
struct sm_inputs {
  bool rst = true, kill = false, launch = false;
  uint8_t credit = 0, rsp = 0;
};

struct sm_dut {
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Vsm_top> top;
  const wg_probe_hooks_t *hooks = nullptr;
  void *hook_ctx = nullptr;
  wg_sm_cfg_t cfg{};
  uint64_t cycle = 0;
  [[maybe_unused]] sm_inputs inputs;
#ifdef WG_INJECTION
  int inject = -1; /* index into kInjections */
  uint64_t inject_from = 0;
#endif
#ifdef WG_TRACE
  std::unique_ptr<VerilatedFstC> fst;
  uint64_t trace_from = 0, trace_to = 0;
  bool tracing = false;
#endif
};

static thread_local sm_dut *tl_dut = nullptr;

/* ---- probe imports ---- */

#define HOOK(name) (tl_dut != nullptr && tl_dut->hooks != nullptr && tl_dut->hooks->name != nullptr)
#define CALL(name, ev) tl_dut->hooks->name(tl_dut->hook_ctx, &(ev))

extern "C" {

int wg_probe_level() {
  if (tl_dut == nullptr || tl_dut->hooks == nullptr) return 0;
  if (tl_dut->hooks->fetch != nullptr) return 3;
  return tl_dut->hooks->pick != nullptr || tl_dut->hooks->stack != nullptr || tl_dut->hooks->bar != nullptr ? 2 : 1;
}

void wg_probe_init(int sub, int slot, int block, int warp, int mask, int reg_base, int regs, int shared_base,
                   int shared_size, int grid_id, int x, int y, int z) {
  if (!HOOK(init)) return;
  wg_ev_init_t e{};
  e.sub = uint8_t(sub), e.slot = uint8_t(slot), e.block = uint8_t(block), e.warp = uint8_t(warp);
  e.mask = uint32_t(mask), e.reg_base = uint32_t(reg_base), e.regs = uint32_t(regs);
  e.shared_base = uint32_t(shared_base), e.shared_size = uint32_t(shared_size);
  e.grid_id = uint32_t(grid_id), e.ctaid[0] = uint32_t(x), e.ctaid[1] = uint32_t(y), e.ctaid[2] = uint32_t(z);
  CALL(init, e);
}

void wg_probe_issue(int sub, int slot, int pc, int mask, int exec) {
  if (!HOOK(issue)) return;
  wg_ev_issue_t e{uint8_t(sub), uint8_t(slot), uint32_t(pc), uint32_t(mask), uint32_t(exec)};
  CALL(issue, e);
}

void wg_probe_wb(int sub, int slot, int rd, int wide, int variable, int mask, const svBitVecVal *lo,
                 const svBitVecVal *hi) {
  if (!HOOK(wb)) return;
  wg_ev_wb_t e{uint8_t(sub), uint8_t(slot), uint8_t(rd), wide != 0, variable != 0, uint32_t(mask), lo, hi};
  CALL(wb, e);
}

void wg_probe_pred(int sub, int slot, int pd, int mask, int bits) {
  if (!HOOK(pred)) return;
  wg_ev_pred_t e{uint8_t(sub), uint8_t(slot), uint8_t(pd), uint32_t(mask), uint32_t(bits)};
  CALL(pred, e);
}

void wg_probe_lsu(int sub, int slot, int tag, int pc) {
  if (!HOOK(lsu)) return;
  wg_ev_lsu_t e{uint8_t(sub), uint8_t(slot), uint8_t(tag), uint32_t(pc)};
  CALL(lsu, e);
}

void wg_probe_shm(int tag, int lanes) {
  if (!HOOK(shm)) return;
  wg_ev_shm_t e{uint8_t(tag), uint32_t(lanes)};
  CALL(shm, e);
}

void wg_probe_l1(int tag, int store, long long line, int lanes, int sectors, int hit, int req_id) {
  if (!HOOK(l1)) return;
  wg_ev_l1_t e{};
  e.tag = uint8_t(tag), e.store = store != 0, e.line = uint64_t(line), e.lanes = uint32_t(lanes);
  e.sectors = uint8_t(sectors), e.hit = uint8_t(hit), e.req_id = uint8_t(req_id);
  CALL(l1, e);
}

void wg_probe_fill(int req_id, int sector, int installed) {
  if (!HOOK(fill)) return;
  wg_ev_fill_t e{uint8_t(req_id), uint8_t(sector), installed != 0};
  CALL(fill, e);
}

void wg_probe_inval() {
  if (!HOOK(inval)) return;
  wg_ev_inval_t e{true};
  CALL(inval, e);
}

void wg_probe_full() {
  if (!HOOK(full)) return;
  wg_ev_full_t e{true};
  CALL(full, e);
}

void wg_probe_lsu_done(int tag) {
  if (!HOOK(lsu_done)) return;
  wg_ev_lsu_done_t e{uint8_t(tag)};
  CALL(lsu_done, e);
}

void wg_probe_free(int block) {
  if (!HOOK(free)) return;
  wg_ev_free_t e{uint8_t(block)};
  CALL(free, e);
}

void wg_probe_stack(int sub, int slot, int op, int breg, int pc, int target, int mask, int exec, int next_pc,
                    int next_mask, int depth, int fault) {
  if (!HOOK(stack)) return;
  wg_ev_stack_t e{uint8_t(sub),   uint8_t(slot),     uint8_t(op),         uint8_t(breg),  uint32_t(pc), uint32_t(target),
                  uint32_t(mask), uint32_t(exec),    uint32_t(next_pc),   uint32_t(next_mask), uint8_t(depth),
                  uint8_t(fault)};
  CALL(stack, e);
}

void wg_probe_pick(int sub, int policy, int issued, int warp, int valid, int eligible, int withheld,
                   const svBitVecVal *event_bits) {
  if (!HOOK(pick)) return;
  wg_ev_pick_t e{uint8_t(sub), uint8_t(policy), issued != 0, uint8_t(warp), uint16_t(valid), uint16_t(eligible),
                  uint16_t(withheld), {event_bits[0], event_bits[1], event_bits[2], event_bits[3]}};
  CALL(pick, e);
}

void wg_probe_bar(int kind, int block, int warp, int id, int arrive_only, int has_count, int count, int red,
                  int value, int some_false, int warps) {
  if (!HOOK(bar)) return;
  wg_ev_bar_t e{uint8_t(kind), uint8_t(block), uint8_t(warp), uint8_t(id), arrive_only != 0, has_count != 0,
                uint16_t(count), uint8_t(red), uint16_t(value), some_false != 0, uint32_t(warps)};
  CALL(bar, e);
}

void wg_probe_fetch(int sub, int slot, int pc, int two) {
  if (!HOOK(fetch)) return;
  wg_ev_fetch_t e{uint8_t(sub), uint8_t(slot), two != 0, uint32_t(pc)};
  CALL(fetch, e);
}

void wg_probe_flush(int sub, int slot) {
  if (!HOOK(flush)) return;
  wg_ev_flush_t e{uint8_t(sub), uint8_t(slot)};
  CALL(flush, e);
}

void wg_probe_exec(int sub, int slot, int pc) {
  if (!HOOK(exec)) return;
  wg_ev_exec_t e{uint8_t(sub), uint8_t(slot), uint32_t(pc)};
  CALL(exec, e);
}

void wg_probe_why(int sub, long long why) {
  if (!HOOK(why)) return;
  wg_ev_why_t e{uint8_t(sub), uint64_t(why)};
  CALL(why, e);
}

} /* extern "C" */

/* ---- the API ---- */

/* Ports of several sub-cores: 1 to 32 bits arrive as integers, 33 to 64 as 64-bit, more as word arrays. */
[[maybe_unused]] static uint32_t bits_of(uint8_t v, unsigned lsb, unsigned width) { return (uint32_t(v) >> lsb) & ((1u << width) - 1u); }
[[maybe_unused]] static uint32_t bits_of(uint16_t v, unsigned lsb, unsigned width) { return (uint32_t(v) >> lsb) & ((1u << width) - 1u); }
[[maybe_unused]] static uint32_t bits_of(uint32_t v, unsigned lsb, unsigned width) { return (v >> lsb) & ((1u << width) - 1u); }
[[maybe_unused]] static uint32_t bits_of(uint64_t v, unsigned lsb, unsigned width) {
  return uint32_t(v >> lsb) & ((1u << width) - 1u);
}
template <std::size_t N>
[[maybe_unused]] static uint32_t bits_of(const VlWide<N> &v, unsigned lsb, unsigned width) {
  uint64_t two = v[lsb / 32];
  if (lsb / 32 + 1 < N) two |= uint64_t(v[lsb / 32 + 1]) << 32;
  return uint32_t(two >> (lsb % 32)) & ((1u << width) - 1u);
}

static void put_rsp(const wg_mem_rsp_t *r, bool valid, CData &v, CData &id, CData &sector, CData &status,
                    VlWide<8> &data) {
  v = valid;
  if (!valid) return;
  id = r->id, sector = r->sector, status = r->status;
  std::memcpy(&data[0], r->data, 32);
}

static void drive_cfg(sm_dut *d) {
  Vsm_top &t = *d->top;
  const wg_sm_cfg_t &c = d->cfg;
  t.cfg_warp_slots_i = CData(c.warp_slots);
  t.cfg_block_slots_i = CData(c.block_slots);
  t.cfg_reg_rows_i = SData(c.regs_per_subcore / 32);
  t.cfg_shared_bytes_i = c.shared_bytes;
  t.cfg_shared_unit_i = SData(c.shared_unit);
  t.cfg_shared_reserve_i = SData(c.shared_reserve);
  t.cfg_first_rotate_i = c.first_rotate;
  t.cfg_policy_i = CData(c.policy);
  t.cfg_knob0_i = c.knob[0], t.cfg_knob1_i = c.knob[1], t.cfg_knob2_i = c.knob[2], t.cfg_knob3_i = c.knob[3];
  t.cfg_progress_i = CData(c.progress_cycles / kWgSchedStep);
  t.cfg_diverge_its_i = c.diverge_mode != 0;
  t.cfg_split_order_i = CData(c.split_order);
  t.cfg_dep_control_bits_i = c.dep_mode != 0;
  t.cfg_operand_in_order_i = c.operand_order != 0;
  uint32_t interval = 0, latency = 0;
  for (unsigned i = 0; i < 4; i++) {
    interval |= (c.issue_interval[i] & 15u) << (4 * i);
    latency |= (c.extra_latency[i] & 15u) << (4 * i);
  }
  t.cfg_issue_interval_i = SData(interval);
  t.cfg_extra_latency_i = SData(latency);
  t.cfg_half_extra_i = CData(c.half_extra & 15u);
  t.cfg_mem_interval_i = CData(c.mem_interval & 15u);
  t.cfg_mem_switch_i = CData(c.mem_switch & 15u);
  t.cfg_cas_extra_i = CData(c.cas_extra & 15u);
  t.cfg_wf_interval_i = CData(c.wf_interval & 15u);
  t.cfg_line_interval_i = CData(c.line_interval & 15u);
  t.cfg_shared_pad_i = CData(c.shared_pad & 31u);
  t.cfg_global_pad_i = CData(c.global_pad & 31u);
  t.cfg_bar_interval_i = CData(c.bar_interval & 15u);
  t.cfg_bar_extra_i = CData(c.bar_extra & 31u);
  t.cfg_bar_count_extra_i = CData(c.bar_count_extra & 31u);
  t.cfg_bar_red_extra_i = CData(c.bar_red_extra & 31u);
  t.cfg_bar_red_interval_i = CData(c.bar_red_interval & 3u);
  t.cfg_mma_extra_i = CData(c.mma_extra & 15u);
  t.cfg_mma_deep_extra_i = CData(c.mma_deep_extra & 15u);
  t.cfg_fence_extra_i = CData(c.fence_extra & 15u);
  t.cfg_fence_interval_i = CData(c.fence_interval & 15u);
  t.cfg_l1_sets_i = SData(c.l1_sets);
  t.cfg_l1_ways_i = CData(c.l1_ways);
  t.cfg_mshrs_i = CData(c.mshrs);
  t.cfg_smid_i = SData(c.smid);
  t.cfg_nsmid_i = SData(c.nsmid);
}

static void drive_launch(Vsm_top &t, const wg_cta_launch_t &l) {
  t.launch_grid_id_i = l.grid_id;
  t.launch_ctaid_x_i = l.ctaid[0], t.launch_ctaid_y_i = l.ctaid[1], t.launch_ctaid_z_i = l.ctaid[2];
  t.launch_ntid_x_i = SData(l.ntid[0]), t.launch_ntid_y_i = SData(l.ntid[1]), t.launch_ntid_z_i = CData(l.ntid[2]);
  t.launch_entry_pc_i = l.entry_pc;
  t.launch_regs_i = SData(l.regs_per_thread);
  t.launch_shared_bytes_i = l.shared_bytes;
  t.launch_barriers_i = CData(l.barriers);
  t.launch_code_base_i = l.code_base;
  t.launch_const_base0_i = l.const_base[0];
  t.launch_const_base2_i = l.const_base[2];
  t.launch_const_base3_i = l.const_base[3];
  t.launch_const_size0_i = l.const_size[0];
  t.launch_const_size2_i = l.const_size[2];
  t.launch_const_size3_i = l.const_size[3];
  t.launch_local_arena_i = l.local_arena;
  t.launch_local_bytes_i = l.local_bytes;
  t.launch_inval_l1_i = l.inval_l1, t.launch_inval_const_i = l.inval_const, t.launch_inval_insn_i = l.inval_insn;
}

static void read_sched(const Vsm_top &t, unsigned s, sm_sched_view_t *v) {
  v->valid = uint16_t(bits_of(t.sched_valid_o, s * 16, 16));
  v->eligible = uint16_t(bits_of(t.sched_eligible_o, s * 16, 16));
  v->at_barrier = uint16_t(bits_of(t.sched_at_barrier_o, s * 16, 16));
  for (unsigned i = 0; i < 4; i++) v->event[i] = t.sched_event_o[4 * s + i];
  for (unsigned w = 0; w < 16; w++) {
    v->reason[w] = uint8_t(bits_of(t.sched_reason_o, s * 64 + w * 4, 4));
    v->age_rank[w] = uint8_t(bits_of(t.sched_age_rank_o, s * 64 + w * 4, 4));
    v->block[w] = uint8_t(bits_of(t.sched_block_o, s * 80 + w * 5, 5));
    v->pending_loads[w] = uint8_t(bits_of(t.sched_pending_loads_o, s * 64 + w * 4, 4));
    v->depth[w] = uint8_t(bits_of(t.sched_depth_o, s * 80 + w * 5, 5));
    v->since_issue[w] = uint8_t(bits_of(t.sched_since_issue_o, s * 128 + w * 8, 8));
  }
}

/* States of the warps as sm_issue has them: the terms of its slot accounting, which it forms itself only in cycles in which nothing
 * issues. They are read by their names in the generated code (the terms of eligibility are in every variant), so that they cost the
 * design nothing; a name that is gone is an error of this file's compilation. */
template <typename Sub>
static void read_warps(const Sub &u, sm_warp_view_t *v) {
#define ISSUE(NAME) uint16_t(u.__PVT__u_issue__DOT__##NAME)
  const auto valid = uint16_t(u.__PVT__valid), run = uint16_t(u.__PVT__run), branching = uint16_t(u.__PVT__branching);
  v->valid = valid;
  if (valid == 0) return;
  const auto idle = uint16_t(u.__PVT__idle), bar = uint16_t(u.__PVT__at_barrier), membar = uint16_t(u.__PVT__at_membar),
             done = uint16_t(u.__PVT__done);
  const uint16_t going = ISSUE(going), ready = ISSUE(ready), pipe = ISSUE(w_pipe), lsu = ISSUE(w_lsu);
  const auto fixed = uint16_t(ISSUE(fix) | ISSUE(wait_held));
  uint16_t *s = v->state;
  s[kWgReasonPipeBusy] = uint16_t(ready & pipe);
  s[kWgReasonLsuFull] = uint16_t(ready & ~pipe & lsu);
  s[kWgReasonRegBank] = uint16_t(ready & ~pipe & ~lsu & ISSUE(w_bank));
  s[kWgReasonDepFixed] = uint16_t(going & fixed);
  s[kWgReasonBranchSwitch] = uint16_t(run & branching & ~idle);
  s[kWgReasonDepShort] = uint16_t(going & ~fixed & ISSUE(shrt));
  s[kWgReasonDepLong] = uint16_t(going & ~fixed & ~ISSUE(shrt) & ISSUE(lng));
  s[kWgReasonNoInsn] = uint16_t(valid & ~bar & ~membar & ~done & ~branching & ~going);
  s[kWgReasonMembar] = membar;
  s[kWgReasonBarrier] = bar;
  s[kWgReasonSleep] = uint16_t(run & idle);
  s[kWgReasonFinished] = done;
  s[kWgReasonNotSelected] = ISSUE(elig);
#undef ISSUE
}

static void read_outputs(sm_dut *d, sm_out_t *out) {
  const Vsm_top &t = *d->top;
  out->launch_ready = t.launch_ready_o;
  out->req_valid = t.req_valid_o;
  if (t.req_valid_o) {
    wg_mem_req_t &r = out->req;
    r.id = t.req_id_o, r.op = t.req_op_o, r.line = t.req_line_o, r.sector_mask = t.req_sector_mask_o;
    r.byte_mask = t.req_byte_mask_o, r.warp = t.req_warp_o, r.pc = t.req_pc_o;
    std::memcpy(r.data, &t.req_data_o[0], 32);
    r.atom = t.req_atom_o;
    const bool cas = (r.op == kWgMemAtom || r.op == kWgMemRed) && r.atom >> 4 == 9; /* AOP of isa/isa.def */
    if (cas) std::memcpy(r.cmp, &t.req_cmp_o[0], 32);
    else std::memset(r.cmp, 0, 32);
  }
  out->done_valid = t.done_valid_o;
  if (t.done_valid_o) {
    out->done.block_slot = t.done_block_o, out->done.grid_id = t.done_grid_id_o;
    out->done.ctaid[0] = t.done_ctaid_x_o, out->done.ctaid[1] = t.done_ctaid_y_o, out->done.ctaid[2] = t.done_ctaid_z_o;
  }
  out->fault_valid = t.fault_valid_o;
  if (t.fault_valid_o) {
    wg_fault_t &f = out->fault;
    f.code = t.fault_code_o, f.warp = t.fault_warp_o, f.warp_in_block = t.fault_warp_in_block_o;
    f.lanes = t.fault_lanes_o, f.pc = t.fault_pc_o, f.addr = t.fault_addr_o, f.cycle = d->cycle;
    f.grid_id = t.fault_block_o; /* block slot: the bridge replaces it by grid id and ctaid */
  }
  out->idle = t.idle_o;
  for (unsigned s = 0; s < WG_SUB_CORES; s++) {
    out->slot_reason[s] = uint8_t(bits_of(t.slot_reason_o, s * 4, 4));
    out->slot_warp[s] = uint8_t(bits_of(t.slot_warp_o, s * 4, 4));
    if (d->cfg.policy == kWgPolicyExt) read_sched(t, s, &out->sched[s]);
  }
#define WG_WARPS(S) read_warps(*t.rootp->__PVT__sm_top__DOT__gen_sub__BRA__##S##__KET____DOT__u_sub, &out->warps[S])
  WG_WARPS(0);
#if WG_SUB_CORES > 1
  WG_WARPS(1);
#endif
#if WG_SUB_CORES > 2
  WG_WARPS(2);
  WG_WARPS(3);
#endif
#undef WG_WARPS
}

static void eval(sm_dut *d, int clk) {
  d->top->clk_i = CData(clk);
  d->top->eval();
#ifdef WG_TRACE
  /* the file's unit is 1 ps, so one cycle is 1 ns: the time axis reads in cycles, whatever the preset's clock is */
  if (d->tracing) d->fst->dump(vluint64_t(d->cycle * 1000 + 500 * unsigned(clk)));
#endif
}

/* ---- one cycle ----
 *
 * Without a waveform a cycle needs no falling edge: the model forgets that its clock is high, and the next rising one is
 * seen at once. And while the inputs that lead to logic stand still, what hangs on them is up to date since the last edge:
 * only the clocked part is run. Both use names of Verilator 5.006's generated code; another version evaluates twice, as
 * does a waveform. The cycles are the same: the test "traced or not" of testbench/cosim compares them. */
#if !defined(WG_TRACE) && VERILATOR_VERSION_INTEGER == 5006000
void Vsm_top___024root___eval_triggers__act(Vsm_top___024root *);
void Vsm_top___024root___eval_act(Vsm_top___024root *);
void Vsm_top___024root___eval_nba(Vsm_top___024root *);

/* Inputs that lead to logic; time and configuration go to flops. */
static bool inputs_changed(sm_dut *d, const sm_in_t *in) {
  const sm_inputs now{in->rst, in->kill, in->launch_valid, in->req_credit, in->num_rsp};
  const sm_inputs &was = d->inputs;
  bool same = !now.rst && !was.rst && now.kill == was.kill && !now.launch && !was.launch && now.credit == was.credit &&
              now.rsp == 0 && was.rsp == 0 && d->cfg.policy != kWgPolicyExt;
  d->inputs = now;
  return !same;
}

static void rising_edge(sm_dut *d, const sm_in_t *in) {
  Vsm_top___024root *r = d->top->rootp;
  r->__Vtrigrprev__TOP__clk_i = 0;
  if (inputs_changed(d, in)) {
    eval(d, 1);
    return;
  }
  r->clk_i = 1;
  Vsm_top___024root___eval_triggers__act(r);
  r->__VnbaTriggered.clear();
  r->__VnbaTriggered.set(r->__VactTriggered);
  Vsm_top___024root___eval_act(r);
  Vsm_top___024root___eval_nba(r);
}
#else
static void rising_edge(sm_dut *d, const sm_in_t *) {
  eval(d, 0);
  eval(d, 1);
}
#endif

#ifdef WG_INJECTION
/* One bit of a forceable signal: 1 to 64 bits are integers, more are word arrays. */
template <typename T>
static void force_bit(T &enable, T &value, unsigned bit, unsigned v) {
  enable = T(enable | T(T(1) << bit));
  value = T(v != 0 ? T(value | T(T(1) << bit)) : T(value & T(~T(T(1) << bit))));
}
template <std::size_t N>
static void force_bit(VlWide<N> &enable, VlWide<N> &value, unsigned bit, unsigned v) {
  enable[bit / 32] |= 1u << (bit % 32);
  value[bit / 32] = (value[bit / 32] & ~(1u << (bit % 32))) | (v << (bit % 32));
}

struct injection {
  const char *kind;
  void (*apply)(Vsm_top___024root *root);
};
static const injection kInjections[] = {
#define WG_INJECT(KIND, PATH, BIT, VALUE, WHAT)                                                       \
  {KIND, [](Vsm_top___024root *r) {                                                                   \
     force_bit(r->PATH##__VforceEn, r->PATH##__VforceVal, BIT, VALUE);                                  \
   }},
#include "cosim/inject.def"
};

static wg_status_t inject(sm_dut_t *d, const char *kind) {
  const char *at = std::strchr(kind, '@');
  size_t n = at != nullptr ? size_t(at - kind) : std::strlen(kind);
  uint64_t from = 0;
  if (at != nullptr) {
    char *end = nullptr;
    from = std::strtoull(at + 1, &end, 10);
    if (end == at + 1 || *end != '\0') return kWgNotFound;
  }
  if (n == 4 && std::strncmp(kind, "none", n) == 0) return kWgOk; /* the assertions alone */
  for (size_t i = 0; i < sizeof kInjections / sizeof kInjections[0]; i++) {
    if (std::strlen(kInjections[i].kind) != n || std::strncmp(kInjections[i].kind, kind, n) != 0) continue;
    d->inject = int(i);
    d->inject_from = from;
    return kWgOk;
  }
  return kWgNotFound;
}
#else
static wg_status_t inject(sm_dut_t *d, const char *kind) {
  (void)d, (void)kind;
  return kWgUnsupported;
}
#endif

static void step(sm_dut_t *d, const sm_in_t *in, sm_out_t *out) {
  Vsm_top &t = *d->top;
  tl_dut = d;
  /* failed assertions count in the thread's context; SMs of several threads write the library's "last" one, which nobody reads */
  if (Verilated::threadContextp() != d->context.get()) Verilated::threadContextp(d->context.get());
#ifdef WG_INJECTION
  if (d->inject >= 0 && !in->rst && d->cycle >= d->inject_from) kInjections[d->inject].apply(t.rootp);
#endif
#ifdef WG_TRACE
  bool want = d->fst != nullptr && d->cycle >= d->trace_from && d->cycle < d->trace_to;
  if (d->tracing && !want) d->fst->flush();
  d->tracing = want;
#endif
  t.rst_ni = !in->rst;
  if (in->rst) drive_cfg(d);
  t.kill_i = in->kill;
  t.time_ns_i = in->time_ns;
  t.launch_valid_i = in->launch_valid;
  if (in->launch_valid) drive_launch(t, in->launch);
  t.req_credit_i = in->req_credit;
  put_rsp(&in->rsp[0], in->num_rsp > 0, t.rsp0_valid_i, t.rsp0_id_i, t.rsp0_sector_i, t.rsp0_status_i, t.rsp0_data_i);
  put_rsp(&in->rsp[1], in->num_rsp > 1, t.rsp1_valid_i, t.rsp1_id_i, t.rsp1_sector_i, t.rsp1_status_i, t.rsp1_data_i);
  if (d->cfg.policy == kWgPolicyExt) {
    uint64_t valid = 0, warp = 0, withheld = 0;
    for (unsigned s = 0; s < WG_SUB_CORES; s++) {
      valid |= uint64_t(in->pick[s].valid) << s;
      warp |= uint64_t(in->pick[s].warp & 15u) << (4 * s);
      withheld |= uint64_t(in->pick[s].withheld) << (16 * s);
    }
    t.pick_valid_i = decltype(t.pick_valid_i)(valid);
    t.pick_warp_i = decltype(t.pick_warp_i)(warp);
    t.pick_withheld_i = decltype(t.pick_withheld_i)(withheld);
  }
  rising_edge(d, in);
  read_outputs(d, out);
  d->cycle++;
  tl_dut = nullptr;
}

static wg_status_t create(uint32_t seed, const wg_probe_hooks_t *hooks, void *hook_ctx, sm_dut_t **out) {
  auto d = std::make_unique<sm_dut>();
  d->context = std::make_unique<VerilatedContext>();
  d->context->randReset(2);
  d->context->randSeed(int(seed == 0 ? 1 : seed));
  d->context->fatalOnError(false);
#ifdef WG_TRACE
  d->context->traceEverOn(true);
#endif
  d->hooks = hooks;
  d->hook_ctx = hook_ctx;
  tl_dut = d.get();
  d->top = std::make_unique<Vsm_top>(d->context.get(), "sm");
  tl_dut = nullptr;
  *out = d.release();
  return kWgOk;
}

static void configure(sm_dut_t *d, const wg_sm_cfg_t *cfg) { d->cfg = *cfg; }

static wg_status_t trace(sm_dut_t *d, const char *path, uint64_t from, uint64_t to, const char *scope, unsigned depth) {
#ifdef WG_TRACE
  d->fst = std::make_unique<VerilatedFstC>();
  if (scope != nullptr || depth != 0) d->fst->dumpvars(depth != 0 ? int(depth) : 1000, scope != nullptr ? scope : "sm");
  d->top->trace(d->fst.get(), 99);
  d->fst->open(path);
  if (!d->fst->isOpen()) return kWgIo;
  d->trace_from = from;
  d->trace_to = to;
  return kWgOk;
#else
  (void)d, (void)path, (void)from, (void)to, (void)scope, (void)depth;
  return kWgUnsupported;
#endif
}

static uint64_t cycle(const sm_dut_t *d) { return d->cycle; }
static unsigned assert_errors(const sm_dut_t *d) { return unsigned(d->context->errorCount()); }

static void destroy(sm_dut_t *d) {
  if (d == nullptr) return;
  tl_dut = d;
  d->top->final();
#ifdef WG_TRACE
  if (d->fst != nullptr) {
    d->fst->close();
    /* At exit this library's own statics may be gone, and the destructor uses them: the closed object is left alone. */
    (void)d->fst.release();
  }
#endif
  d->top.reset();
  tl_dut = nullptr;
  delete d;
}

static wg_shape_t shape_of_build() {
  wg_shape_t s{};
  std::snprintf(s.name, sizeof s.name, "%s", WG_SHAPE_NAME);
  s.sub_cores = WG_SUB_CORES, s.warp_slots = WG_WARP_SLOTS;
  s.lanes_int = WG_LANES_INT, s.lanes_fp32 = WG_LANES_FP32, s.lanes_sfu = WG_LANES_SFU;
  s.regs_per_subcore = WG_REGS, s.smem_bytes = WG_SMEM, s.block_slots = WG_BLOCKS, s.l1i_bytes = WG_L1I, s.l0i_bytes = WG_L0I, s.mma_rows = WG_MROWS;
  return s;
}

#ifdef WG_TRACE
static const bool kCanTrace = true;
#else
static const bool kCanTrace = false;
#endif

extern "C" __attribute__((visibility("default"))) const sm_dut_api_t sm_dut_api;
/* The policy table as it was when this library was built: another one is refused, not run as the default policy. */
static const uint32_t kPolicies = 0u
#define WG_POLICY(ID, VALUE, NAME, DOC) | 1u << (VALUE)
#include "isa/cfg.def"
    ;
const sm_dut_api_t sm_dut_api = {kWgAbiVersion, shape_of_build(), kCanTrace, kPolicies, create, configure, step,
                                 trace,         inject,           cycle,     assert_errors, destroy};
