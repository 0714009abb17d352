// SPDX-License-Identifier: Apache-2.0
//
// What the debugger shows of warps: places, registers, divergence, barriers, open results, memory, schedulers.
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "cosim/debug/debug_int.h"
#include "cosim/debug/debug_param.h"
#include "toolchain/asm/wg_asm.h"

/* A line of a source file, without blanks at its begin and end; "" if it cannot be read. */
static const char *source_text(const char *file, unsigned line, char *buf, size_t n) {
  FILE *f = fopen(file, "r");
  char text[256];
  buf[0] = '\0';
  unsigned at = 1;
  while (f != NULL && at <= line && fgets(text, sizeof text, f) != NULL) {
    size_t len = strlen(text);
    bool whole = len != 0 && text[len - 1] == '\n';
    if (at == line) {
      text[strcspn(text, "\r\n")] = '\0';
      const char *p = text + strspn(text, " \t");
      snprintf(buf, n, "%s", p);
      break;
    }
    if (whole) at++;
  }
  if (f != NULL) fclose(f);
  return buf;
}

static void disassemble(const wg_warp_view_t *v, uint32_t pc, char *buf, size_t n) {
  const wg_ref_insn_t *i = wg_ref_code_at(v->code, pc);
  if (i->state == kWgFaultBadPc) snprintf(buf, n, "(no code there)");
  else wg_dis_insn(i->word, pc, buf, n);
}

/* "convolve.cu:25" of a pc, "" if unknown. */
static const char *place(const wg_debug_t *d, const wg_warp_view_t *v, uint32_t pc, char *buf, size_t n) {
  const char *file = NULL;
  unsigned line = 0;
  buf[0] = '\0';
  if (dbg_line_of(d, v->w->cta->code_base, pc, &file, &line)) snprintf(buf, n, "%s:%u", dbg_base_name(file), line);
  return buf;
}

static void put_warp(const wg_debug_t *d, uint32_t sm, uint32_t id, const wg_warp_view_t *v) {
  const uint32_t *c = v->w->cta->ctaid;
  fprintf(d->out, "SM %u warp %u: block (%u,%u,%u) warp %u", sm, id, c[0], c[1], c[2], v->w->warp);
}

void dbg_show_where(wg_debug_t *d, const wg_warp_view_t *v) {
  char dis[160], where[120], text[240];
  const char *state = "", *file = NULL;
  unsigned line = 0;
  const wg_diverge_t *div = &v->w->div;
  put_warp(d, d->sel.sm, d->sel.id, v);
  if (d->t.cycles) fprintf(d->out, ", sub-core %u slot %u", d->sel.id % d->t.sub_cores, d->sel.id / d->t.sub_cores);
  uint32_t pc = dbg_lane_pc(div, d->sel.lane, &state);
  fprintf(d->out, ", lane %u %s", d->sel.lane, state);
  if (pc != div->pc && div->mask != 0u) fprintf(d->out, " at 0x%x", pc);
  fputc('\n', d->out);
  if (div->mask == 0u) {
    fprintf(d->out, "  no lane can run; lane %u at 0x%x\n", d->sel.lane, pc);
  } else {
    pc = div->pc;
    fprintf(d->out, "  lanes 0x%08x of 0x%08x run", div->mask, v->w->present);
    if (v->at_bar) fprintf(d->out, "; the warp waits at block barrier %u", v->bar_id);
    fputc('\n', d->out);
  }
  disassemble(v, pc, dis, sizeof dis);
  fprintf(d->out, "  0x%x  %s  %s\n", pc, place(d, v, pc, where, sizeof where), dis);
  if (dbg_line_of(d, v->w->cta->code_base, pc, &file, &line) && source_text(file, line, text, sizeof text)[0] != '\0')
    fprintf(d->out, "  %u: %s\n", line, text);
}

void dbg_show_code(wg_debug_t *d, const wg_warp_view_t *v, uint32_t pc, unsigned before, unsigned after) {
  uint32_t step = (uint32_t)kWgInsnBytes, from = pc > before * step ? pc - before * step : 0u;
  char dis[160], where[120];
  for (uint32_t at = from; at <= pc + after * step; at += step) {
    if (wg_ref_code_at(v->code, at)->state == kWgFaultBadPc) continue;
    disassemble(v, at, dis, sizeof dis);
    fprintf(d->out, "%s 0x%05x  %-20s %s\n", at == v->w->div.pc && v->w->div.mask != 0u ? "=>" : "  ", at, place(d, v, at, where, sizeof where), dis);
  }
}

void dbg_show_warps(wg_debug_t *d) {
  wg_warp_view_t v;
  char dis[160];
  bool any = false;
  for (uint32_t k = 0; k < d->t.num_sms * d->t.ids; k++) {
    uint32_t sm = k / d->t.ids, id = k % d->t.ids;
    if (!d->t.view(d->t.ctx, sm, id, &v)) continue;
    any = true;
    fprintf(d->out, "%c ", d->sel.any && d->sel.sm == sm && d->sel.id == id ? '*' : ' ');
    put_warp(d, sm, id, &v);
    if (v.w->div.mask == 0u) {
      fprintf(d->out, "  no lane can run\n");
      continue;
    }
    disassemble(&v, v.w->div.pc, dis, sizeof dis);
    fprintf(d->out, "  pc 0x%x lanes 0x%08x  %s", v.w->div.pc, v.w->div.mask, dis);
    if (v.at_bar) fprintf(d->out, "  (waits at barrier %u)", v.bar_id);
    fputc('\n', d->out);
  }
  if (!any) fprintf(d->out, "no warp is resident\n");
}

/* ---- registers ---- */

static void put_value(const wg_debug_t *d, const wg_warp_view_t *v, unsigned r, unsigned lane) {
  if (v->reg_known != NULL && (v->reg_known[r] >> lane & 1u) == 0u) fprintf(d->out, "%-10s", "?");
  else fprintf(d->out, "0x%08x", v->w->reg[r][lane]);
}

void dbg_show_regs(wg_debug_t *d, const wg_warp_view_t *v) {
  unsigned n = v->w->num_regs;
  fprintf(d->out, "lane %u\n", d->sel.lane);
  for (unsigned r = 0; r < n; r++) {
    fprintf(d->out, "  R%-3u ", r);
    put_value(d, v, r, d->sel.lane);
    if (r % 4u == 3u || r + 1u == n) fputc('\n', d->out);
  }
}

void dbg_show_reg(wg_debug_t *d, const wg_warp_view_t *v, unsigned r) {
  fprintf(d->out, "R%u, lanes 0 to 31\n", r);
  for (unsigned l = 0; l < 32u; l++) {
    fprintf(d->out, "%s", l % 8u == 0u ? "  " : " ");
    if ((v->w->present >> l & 1u) == 0u) fprintf(d->out, "%-10s", "-");
    else put_value(d, v, r, l);
    if (l % 8u == 7u) fputc('\n', d->out);
  }
}

void dbg_show_preds(wg_debug_t *d, const wg_warp_view_t *v) {
  for (unsigned p = 0; p < 7u; p++) {
    uint32_t known = v->pred_known == NULL ? UINT32_MAX : v->pred_known[p];
    if ((known & v->w->present) == 0u) {
      fprintf(d->out, "  P%u = ?\n", p);
      continue;
    }
    fprintf(d->out, "  P%u = 0x%08x", p, v->w->pred[p] & known);
    if ((known & v->w->present) != v->w->present) fprintf(d->out, "  nothing has written lanes 0x%08x", v->w->present & ~known);
    fprintf(d->out, "%s\n", (known >> d->sel.lane & 1u) == 0u ? "" : (v->w->pred[p] >> d->sel.lane & 1u) != 0u ? "  (lane: true)" : "  (lane: false)");
  }
}

/* ---- divergence ---- */

void dbg_show_lanes(wg_debug_t *d, const wg_warp_view_t *v) {
  char dis[160];
  uint32_t left = v->w->present;
  while (left != 0u) {
    const char *state = "", *other = "";
    unsigned first = (unsigned)__builtin_ctz(left);
    uint32_t pc = dbg_lane_pc(&v->w->div, first, &state), same = 0u;
    for (unsigned l = first; l < 32u; l++) {
      if ((left >> l & 1u) == 0u) continue;
      uint32_t at = dbg_lane_pc(&v->w->div, l, &other);
      if (other == state && (at == pc || strcmp(state, "exited") == 0)) same |= 1u << l;
    }
    left &= ~same;
    if (strcmp(state, "exited") == 0) {
      fprintf(d->out, "  lanes 0x%08x  exited\n", same);
      continue;
    }
    disassemble(v, pc, dis, sizeof dis);
    fprintf(d->out, "  lanes 0x%08x  pc 0x%x  %s: %s\n", same, pc, state, dis);
  }
}

void dbg_show_stack(wg_debug_t *d, const wg_warp_view_t *v) {
  const wg_diverge_t *div = &v->w->div;
  if (div->cfg.its) {
    fprintf(d->out, "independent threads: no stack, each lane has its pc\n");
    dbg_show_lanes(d, v);
    return;
  }
  fprintf(d->out, "running: pc 0x%x lanes 0x%08x; %u entries, top first\n", div->pc, div->mask, div->stack.depth);
  for (uint32_t k = div->stack.depth; k-- > 0u;) {
    const wg_simt_entry_t *e = &div->stack.entry[k];
    if (e->sync) fprintf(d->out, "  %2u  sync B%u: lanes 0x%08x join at 0x%x\n", k, e->breg, e->mask, e->pc);
    else fprintf(d->out, "  %2u  path:    lanes 0x%08x go on at 0x%x\n", k, e->mask, e->pc);
  }
}

void dbg_show_joins(wg_debug_t *d, const wg_warp_view_t *v) {
  const wg_diverge_t *div = &v->w->div;
  bool any = false;
  for (uint32_t k = 0; !div->cfg.its && k < div->stack.depth; k++) {
    const wg_simt_entry_t *e = &div->stack.entry[k];
    if (!e->sync) continue;
    any = true;
    fprintf(d->out, "  B%u  lanes 0x%08x meet at 0x%x (entry %u of the stack)\n", e->breg, e->mask, e->pc, k);
  }
  for (unsigned g = 0; div->cfg.its && g < (unsigned)kWgDivGroups; g++) {
    uint32_t left = v->w->present & ~div->gone;
    while (left != 0u) {
      unsigned first = (unsigned)__builtin_ctz(left);
      uint32_t mask = div->breg[g][first], same = 0u;
      for (unsigned l = first; l < 32u; l++) same |= (left >> l & 1u) != 0u && div->breg[g][l] == mask ? 1u << l : 0u;
      left &= ~same;
      if (mask == 0u) continue;
      any = true;
      char name[12];
      snprintf(name, sizeof name, g == (unsigned)kWgDivSync ? "WARPSYNC" : "B%u", g);
      fprintf(d->out, "  %s  lanes 0x%08x wait there for 0x%08x; there now 0x%08x\n", name, same, mask, div->group_here[g] & same);
    }
  }
  if (!any) fprintf(d->out, "no convergence barrier is open\n");
}

/* ---- barriers, open results ---- */

void dbg_show_barriers(wg_debug_t *d, const wg_warp_view_t *v) {
  static const char *const kRed[] = {"", ", popc", ", and", ", or"};
  bool any = false;
  const wg_barrier_t *b = v->bar;
  fprintf(d->out, "block (%u,%u,%u), warps 0x%x take part\n", v->w->cta->ctaid[0], v->w->cta->ctaid[1], v->w->cta->ctaid[2], b->present);
  for (unsigned i = 0; i < (unsigned)kWgBarriers; i++) {
    const wg_barrier_one_t *o = &b->bar[i];
    if (o->arrived == 0u) continue;
    any = true;
    fprintf(d->out, "  barrier %u: arrived 0x%x, of them waiting 0x%x; missing 0x%x%s", i, o->arrived, o->waiting, b->present & ~o->arrived, kRed[o->red & 3u]);
    if (o->has_count) fprintf(d->out, "; complete with %u threads", o->count);
    fputc('\n', d->out);
  }
  if (v->counted) fprintf(d->out, "  warp %u waits at barrier %u with a number of threads (who has come: check=units)\n", v->w->warp, v->bar_id);
  else if (!any) fprintf(d->out, "  no warp has arrived at a barrier\n");
}

static void put_open(const wg_debug_t *d, const wg_open_view_t *o) {
  char dis[160];
  wg_dis_insn(o->insn->word, o->pc, dis, sizeof dis);
  fprintf(d->out, "  0x%05x cycle %llu  %s\n          ", o->pc, (unsigned long long)o->cycle, dis);
  const char *sep = "";
  for (unsigned k = 0; k < o->rows; k++) {
    if (o->reg_lanes[k] == 0u) continue;
    fprintf(d->out, "%sR%u lanes 0x%08x", sep, o->insn->in.rd + k, o->reg_lanes[k]);
    sep = ", ";
  }
  for (unsigned k = 0; k < 2u; k++) {
    if (o->pred_lanes[k] == 0u) continue;
    fprintf(d->out, "%sP%u lanes 0x%08x", sep, o->pd[k], o->pred_lanes[k]);
    sep = ", ";
  }
  if (o->memory_lanes != 0u) fprintf(d->out, "%saccess of lanes 0x%08x", sep, o->memory_lanes), sep = ", ";
  if (o->response_lanes != 0u) fprintf(d->out, "%smemory owes lanes 0x%08x", sep, o->response_lanes), sep = ", ";
  fprintf(d->out, "%s%s\n", sep[0] == '\0' ? "its end is due" : "", o->variable ? "" : " (fixed latency)");
}

void dbg_show_scoreboard(wg_debug_t *d) {
  static wg_open_view_t open[kWgOpenMax];
  unsigned n = d->t.open == NULL ? 0 : d->t.open(d->t.ctx, d->sel.sm, d->sel.id, open);
  if (d->t.open == NULL) fprintf(d->out, "the golden model alone has every result at once\n");
  else if (n == 0) fprintf(d->out, "nothing is open\n");
  for (unsigned i = 0; i < n; i++) put_open(d, &open[i]);
}

/* ---- memory ---- */

/* isa/README.md, LDL: where lane's local word lies in the arena. */
static uint64_t local_addr(const wg_ref_warp_t *w, uint32_t offset, unsigned lane) {
  uint64_t word = (uint64_t)w->warp_slot * (w->cta->local_bytes / 4u) + offset / 4u;
  return w->cta->local_arena + (word * 32u + lane) * 4u + offset % 4u;
}

bool dbg_read(const wg_debug_t *d, const wg_warp_view_t *v, uint64_t addr, void *dst, size_t n) {
  uint8_t *out = dst;
  uint64_t space = addr >> 32, offset = addr & UINT32_MAX;
  if (space != 1u && space != 2u && space != 3u) return d->t.read(d->t.ctx, addr, dst, n);
  uint64_t size = v == NULL ? 0u : space == 1u ? v->w->shared_size : space == 2u ? v->w->cta->local_bytes
      : v->w->cta->const_size[0];
  if (offset + n > size) return false;
  if (space == 3u) return d->t.read(d->t.ctx, v->w->cta->const_base[0] + offset, dst, n);
  if (space == 1u) {
    memcpy(out, v->shared + offset, n);
    return true;
  }
  for (size_t i = 0; i < n; i++) {
    if (!d->t.read(d->t.ctx, local_addr(v->w, (uint32_t)(offset + i), d->sel.lane), out + i, 1)) return false;
  }
  return true;
}

bool dbg_show_memory(wg_debug_t *d, const wg_warp_view_t *v, uint64_t addr, unsigned words) {
  for (unsigned i = 0; i < words; i++) {
    uint64_t at = addr + 4u * i;
    uint8_t b[4];
    if (!dbg_read(d, v, at, b, sizeof b)) {
      if (i % 4u != 0u) fputc('\n', d->out);
      fprintf(d->out, "error: nothing can be read at 0x%llx\n", (unsigned long long)at);
      return false;
    }
    if (i % 4u == 0u) fprintf(d->out, "  0x%llx:", (unsigned long long)at);
    bool known = at >> 32 != 1u || v->shared_known == NULL;
    for (unsigned k = 0; !known; k++) {
      if (k == 4u) known = true;
      else if (v->shared_known[(at & UINT32_MAX) + k] == 0) break;
    }
    if (known) fprintf(d->out, " 0x%08x", (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
    else fprintf(d->out, " %-10s", "?");
    if (i % 4u == 3u || i + 1u == words) fputc('\n', d->out);
  }
  return true;
}

/* ---- parameters ---- */

static void put_param(const wg_debug_t *d, const wg_warp_view_t *v, const dbg_param_t *p) {
  uint8_t b[8] = {0};
  uint64_t at = (UINT64_C(3) << 32) + (uint64_t)kWgParamBase + p->offset, u = 0;
  fprintf(d->out, "  %-6s c[0x0][0x%x]  %-16s ", p->name, (unsigned)kWgParamBase + p->offset, p->type[0] == '\0' ? "?"
          : p->type);
  if (p->size > sizeof b) {
    fprintf(d->out, "%u bytes: memory 0x%llx %u\n", p->size, (unsigned long long)at, (p->size + 3u) / 4u);
    return;
  }
  if (!dbg_read(d, v, at, b, p->size)) {
    fprintf(d->out, "?\n");
    return;
  }
  for (unsigned i = 0; i < p->size; i++) u |= (uint64_t)b[i] << 8u * i;
  float f = 0;
  double wide = 0;
  memcpy(&f, b, sizeof f);
  memcpy(&wide, b, sizeof wide);
  unsigned unused = 64u - 8u * p->size;
  bool is_signed = p->base == kDbgSigned || p->base == kDbgChar;
  if (p->pointers != 0 || p->base == kDbgBytes) fprintf(d->out, "0x%llx\n", (unsigned long long)u);
  else if (p->base == kDbgFloat) fprintf(d->out, "%.9g\n", p->size == 4 ? (double)f : wide);
  else if (is_signed && p->size != 0) fprintf(d->out, "%lld\n", (long long)(int64_t)(u << unused) >> unused);
  else fprintf(d->out, "%llu\n", (unsigned long long)u);
}

void dbg_show_params(wg_debug_t *d, const wg_warp_view_t *v) {
  const wg_obj_t *o = dbg_module(d, v->w->cta->code_base);
  size_t k = 0;
  while (o != NULL && k < o->num_kernels && wg_obj_kernel_pc(o, k) != v->w->cta->entry_pc) k++;
  if (o == NULL || k == o->num_kernels || o->kernels[k].num_params == 0) {
    fprintf(d->out, "the kernel has no parameters\n");
    return;
  }
  for (uint32_t i = 0; i < o->kernels[k].num_params; i++) {
    dbg_param_t p;
    dbg_param(o, k, i, &p);
    put_param(d, v, &p);
  }
}

/* ---- schedulers ---- */

static unsigned reason_of(const sm_warp_view_t *v, unsigned slot) {
  for (unsigned r = 0; r < (unsigned)kWgReasonCount; r++) {
    if ((v->state[r] >> slot & 1u) != 0u) return r;
  }
  return kWgReasonNoInsn;
}

/* The open results that the next instruction needs or would overwrite. */
static void put_needs(const wg_debug_t *d, uint32_t sm, uint32_t id, const wg_warp_view_t *v) {
  static wg_open_view_t open[kWgOpenMax];
  const wg_ref_insn_t *next = wg_ref_code_at(v->code, v->w->div.pc);
  if (next->state != kWgFaultNone) return;
  const uint8_t preds[5] = {next->in.guard, next->in.ps0, next->in.ps1, next->in.pd0, next->in.pd1};
  unsigned n = d->t.open(d->t.ctx, sm, id, open);
  for (unsigned i = 0; i < n; i++) {
    const wg_open_view_t *o = &open[i];
    for (unsigned k = 0; k < o->rows; k++) {
      unsigned r = o->insn->in.rd + k;
      bool needs = false;
      for (unsigned s = 0; s < 5u; s++) needs = needs || (r >= next->regs.first[s] && r < (unsigned)next->regs.first[s] + next->regs.count[s]);
      if (needs && o->reg_lanes[k] != 0u) fprintf(d->out, ", R%u of 0x%x (cycle %llu)", r, o->pc, (unsigned long long)o->cycle);
    }
    for (unsigned k = 0; k < 2u; k++) {
      bool needs = false;
      for (unsigned s = 0; s < 5u; s++) needs = needs || (preds[s] == o->pd[k] && o->pd[k] != kWgPT);
      if (needs && o->pred_lanes[k] != 0u) fprintf(d->out, ", P%u of 0x%x (cycle %llu)", o->pd[k], o->pc, (unsigned long long)o->cycle);
    }
  }
}

static void put_slot(const wg_debug_t *d, uint32_t sm, unsigned sub, unsigned slot, const sm_warp_view_t *s, int pick, bool withheld) {
  wg_warp_view_t v;
  char dis[160];
  uint32_t id = sub + d->t.sub_cores * slot;
  unsigned reason = reason_of(s, slot);
  if (!d->t.view(d->t.ctx, sm, id, &v)) {
    fprintf(d->out, "    slot %-2u warp %-2u  %s\n", slot, id, wg_reason_name(reason));
    return;
  }
  const uint32_t *c = v.w->cta->ctaid;
  fprintf(d->out, "    slot %-2u warp %-2u block (%u,%u,%u) warp %u: ", slot, id, c[0], c[1], c[2], v.w->warp);
  if ((int)slot == pick) fprintf(d->out, "picked");
  else if (withheld) fprintf(d->out, "eligible, withheld by the policy");
  else if (reason == (unsigned)kWgReasonNotSelected) fprintf(d->out, pick < -1 ? "eligible" : "eligible, not picked");
  else fprintf(d->out, "%s", wg_reason_name(reason));
  if (reason == (unsigned)kWgReasonBarrier) fprintf(d->out, " %u", v.bar_id);
  if (reason == (unsigned)kWgReasonDepFixed || reason == (unsigned)kWgReasonDepShort || reason == (unsigned)kWgReasonDepLong) put_needs(d, sm, id, &v);
  disassemble(&v, v.w->div.pc, dis, sizeof dis);
  fprintf(d->out, "; 0x%x %s\n", v.w->div.pc, v.w->div.mask == 0u ? "(no lane can run)" : dis);
}

/* What a scheduler will do, in words. @return the slot that it picks; -1: none; -2: not known before @param[out]
   withheld */
static int put_pick(const wg_debug_t *d, uint32_t sm, unsigned sub, const sm_warp_view_t *s, uint16_t *withheld) {
  wg_sched_out_t o = {false, 0, 0};
  bool known = s->valid != 0 && d->tap[sm] != NULL && dbg_tap_pick(d->tap[sm], sub, s, &o);
  *withheld = o.withheld;
  if (s->valid == 0) fprintf(d->out, "no warp\n");
  else if (!known) fprintf(d->out, "the pick of '%s' is known only when it is made\n", d->t.sched);
  else if (o.issue) fprintf(d->out, "picks slot %u\n", o.warp);
  else fprintf(d->out, "picks nothing%s\n", o.withheld != 0 ? ": the policy withholds" : ": nothing is eligible");
  return !known ? -2 : o.issue ? (int)o.warp : -1;
}

void dbg_show_why(wg_debug_t *d, const wg_warp_view_t *v) {
  uint32_t sm = d->sel.sm, sub = d->sel.id % d->t.sub_cores, slot = d->sel.id / d->t.sub_cores;
  uint16_t withheld = 0;
  if (d->t.states == NULL) {
    fprintf(d->out, "no schedulers, one warp after the other: this one %s\n",
            v->at_bar ? "waits at a barrier" : v->w->div.mask == 0u ? "has no lane that can run" : "can run");
    if (v->at_bar) dbg_show_barriers(d, v);
    else dbg_show_lanes(d, v);
    return;
  }
  fprintf(d->out, "SM %u, cycle %llu to come, scheduler %s\n  sub-core %u: ", sm,
          (unsigned long long)d->t.cycle(d->t.ctx, sm) + 1u, d->t.sched, sub);
  const sm_warp_view_t *s = d->t.states(d->t.ctx, sm, sub);
  int pick = put_pick(d, sm, sub, s, &withheld);
  put_slot(d, sm, sub, slot, s, pick, pick != (int)slot && (withheld >> slot & 1u) != 0u);
  if (v->at_bar) dbg_show_barriers(d, v);
  else if (v->w->div.mask != v->w->present) dbg_show_lanes(d, v);
}

bool dbg_show_sched(wg_debug_t *d, uint32_t sm) {
  if (d->t.states == NULL) {
    fprintf(d->out, "error: the golden model alone has no schedulers: --backend rtl\n");
    return false;
  }
  fprintf(d->out, "SM %u, cycle %llu to come, scheduler %s\n", sm, (unsigned long long)d->t.cycle(d->t.ctx, sm) + 1u, d->t.sched);
  for (unsigned sub = 0; sub < d->t.sub_cores; sub++) {
    const sm_warp_view_t *s = d->t.states(d->t.ctx, sm, sub);
    uint16_t withheld = 0;
    int last = d->t.issued(d->t.ctx, sm, sub);
    if (last < 0) fprintf(d->out, "  sub-core %u: last cycle nothing issued; ", sub);
    else fprintf(d->out, "  sub-core %u: last cycle slot %d issued; ", sub, last);
    int pick = put_pick(d, sm, sub, s, &withheld);
    for (unsigned slot = 0; slot < (unsigned)kWgMaxWarpSlots; slot++) {
      if ((s->valid >> slot & 1u) != 0u) put_slot(d, sm, sub, slot, s, pick, pick != (int)slot &&
                                                  (withheld >> slot & 1u) != 0u);
    }
  }
  return true;
}
