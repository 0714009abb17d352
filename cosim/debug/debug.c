// SPDX-License-Identifier: Apache-2.0
//
// Life of the debugger; what the run tells it; when it stops.
#include "cosim/debug/debug.h"

#include <string.h>

#include "cosim/debug/debug_int.h"
#include "toolchain/obj/wg_demangle.h"

wg_status_t wg_debug_new(const wg_debug_cfg_t *cfg, const wg_debug_target_t *target, wg_debug_t **out, wg_diag_t *diag) {
  wg_debug_t *d = calloc(1, sizeof *d);
  if (d == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  d->t = *target;
  d->out = cfg->out == NULL ? stdout : cfg->out;
  d->attached = true;
  d->stop_sm = d->stop_id = -1;
  d->tap = calloc(target->num_sms, sizeof(wg_debug_tap_t *));
  wg_status_t st = d->tap == NULL ? wg_fail(diag, kWgNoSpace, "out of memory") : kWgOk;
  for (const char *p = cfg->breaks == NULL ? "start" : cfg->breaks; st == kWgOk; p++) {
    char text[sizeof d->brk[0].text];
    size_t n = strcspn(p, ";");
    snprintf(text, sizeof text, "%.*s", (int)n, p);
    if (dbg_break_add(d, text, cfg->breaks == NULL, diag) == 0) st = kWgBadInput;
    p += n;
    if (*p == '\0') break;
  }
  if (st == kWgOk) st = cfg->gdb != NULL ? dbg_gdb_open(d, cfg->gdb, cfg->gdb_elf, diag) : dbg_prompt_open(d, cfg->script, diag);
  static const char *const kSignals[] = {"fault", "mismatch", "hang"}; /* gdb shows them as signals */
  for (size_t i = 0; st == kWgOk && cfg->gdb != NULL && i < 3; i++) {
    unsigned number = dbg_break_add(d, kSignals[i], false, diag);
    if (number == 0) st = kWgBadInput;
    for (unsigned k = 0; number != 0 && k < (unsigned)kDbgBreaks; k++) {
      if (d->brk[k].number == number) d->brk[k].follows = true; /* gdb's own */
    }
  }
  if (st != kWgOk) {
    d->front = NULL;
    wg_debug_free(d);
    return st;
  }
  *out = d;
  return kWgOk;
}

void wg_debug_free(wg_debug_t *d) {
  if (d == NULL) return;
  if (d->front != NULL && d->front->ended != NULL) d->front->ended(d);
  if (d->front != NULL && d->attached) dbg_break_summary(d, "");
  dbg_prompt_close(d);
  dbg_gdb_close(d);
  dbg_break_clear(d);
  free(d->tap);
  free(d);
}

bool wg_debug_detached(const wg_debug_t *d) { return !d->attached; }

/* ---- who and where ---- */

bool dbg_is(const dbg_who_t *who, const wg_warp_view_t *v) {
  const wg_cta_launch_t *c = v->w->cta;
  return who->any && c->grid_id == who->grid_id && memcmp(c->ctaid, who->ctaid, sizeof c->ctaid) == 0 && v->w->warp == who->warp;
}

bool dbg_selected(const wg_debug_t *d, wg_warp_view_t *v) {
  return d->sel.any && d->t.view(d->t.ctx, d->sel.sm, d->sel.id, v) && dbg_is(&d->sel, v);
}

void dbg_select(wg_debug_t *d, uint32_t sm, uint32_t id, const wg_warp_view_t *v) {
  const wg_cta_launch_t *c = v->w->cta;
  uint32_t lane = d->sel.lane;
  if ((v->w->present >> lane & 1u) == 0u) lane = (uint32_t)__builtin_ctz(v->w->present);
  d->sel = (dbg_who_t){true, sm, id, lane, c->grid_id, {c->ctaid[0], c->ctaid[1], c->ctaid[2]}, v->w->warp};
}

const char *dbg_now(const wg_debug_t *d, char *buf, size_t n) {
  if (d->t.cycles) snprintf(buf, n, "SM cycle %llu", (unsigned long long)d->t.cycle(d->t.ctx, d->sel.any ? d->sel.sm : 0));
  else snprintf(buf, n, "instruction %llu", (unsigned long long)d->insns);
  return buf;
}

const wg_obj_t *dbg_module(const wg_debug_t *d, uint64_t code_base) {
  uint64_t base = 0;
  for (size_t i = 0;; i++) {
    const wg_obj_t *o = d->t.module(d->t.ctx, i, &base);
    if (o == NULL || base == code_base) return o;
  }
}

bool dbg_line_of(const wg_debug_t *d, uint64_t code_base, uint32_t pc, const char **file, unsigned *line) {
  const wg_obj_t *o = dbg_module(d, code_base);
  return o != NULL && wg_obj_line_of(o, pc, file, line);
}

const char *dbg_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/* Mode stack: the uppermost entry that holds the lane says where it goes on. */
static uint32_t stack_lane_pc(const wg_diverge_t *v, unsigned lane, const char **state) {
  const wg_simt_stack_t *s = &v->stack;
  for (uint32_t k = s->depth; k-- > 0u;) {
    if ((s->entry[k].mask >> lane & 1u) == 0u) continue;
    *state = s->entry[k].sync ? "waits at its BSYNC" : "suspended path";
    return s->entry[k].pc;
  }
  *state = "exited";
  return v->pc;
}

uint32_t dbg_lane_pc(const wg_diverge_t *v, unsigned lane, const char **state) {
  static const char *const kWaits[kWgDivGroups] = {"waits at B0",  "waits at B1",  "waits at B2",  "waits at B3", "waits at B4",  "waits at B5",
                                                   "waits at B6",  "waits at B7",  "waits at B8",  "waits at B9", "waits at B10", "waits at B11",
                                                   "waits at B12", "waits at B13", "waits at B14", "waits at B15", "waits at WARPSYNC"};
  uint32_t me = 1u << lane;
  if ((v->mask & me) != 0u) {
    *state = "runs";
    return v->pc;
  }
  if ((v->cfg.its ? v->gone : v->stack.exited) & me) {
    *state = "exited";
    return v->cfg.its ? v->lane_pc[lane] : v->pc;
  }
  if (!v->cfg.its) return stack_lane_pc(v, lane, state);
  *state = (v->ready & me) != 0u ? "could run" : (v->asleep & me) != 0u ? "asleep" : (v->bar_lanes & me) != 0u ? "waits at the block barrier" : "waits";
  for (unsigned g = 0; g < (unsigned)kWgDivGroups; g++) {
    if ((v->group_here[g] & me) != 0u) *state = kWaits[g];
  }
  return v->lane_pc[lane];
}

/* ---- going on ---- */

void dbg_go_cycles(wg_debug_t *d, uint64_t n) {
  dbg_break_forget_passed(d);
  d->go = kDbgCycles;
  d->left = n;
}

void dbg_go_insns(wg_debug_t *d, uint64_t n, uint32_t lanes) {
  dbg_break_forget_passed(d);
  d->go = kDbgInsns;
  d->left = n;
  d->step_lanes = lanes;
}

void dbg_go_line(wg_debug_t *d) {
  wg_warp_view_t v;
  const char *file = "";
  dbg_break_forget_passed(d);
  d->go = kDbgLineStep;
  d->step_moved = false;
  d->step_line = 0;
  if (dbg_selected(d, &v) && !dbg_line_of(d, v.w->cta->code_base, v.w->div.pc, &file, &d->step_line)) d->step_line = 0;
  snprintf(d->step_file, sizeof d->step_file, "%s", file);
}

void dbg_detach(wg_debug_t *d) {
  if (d->attached) dbg_break_summary(d, " so far");
  d->attached = false;
  dbg_break_clear(d);
}

void dbg_stop(wg_debug_t *d, const char *fmt, ...) {
  size_t n = strlen(d->why);
  if (n + 2 >= sizeof d->why) return;
  if (n != 0) d->why[n++] = '\n';
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(d->why + n, sizeof d->why - n, fmt, ap);
  va_end(ap);
}

/* The end of a step: by what the selected warp has done. */
static void step_ends(wg_debug_t *d) {
  wg_warp_view_t v;
  if (d->go == kDbgRun || d->go == kDbgCycles) return;
  if (!dbg_selected(d, &v)) {
    d->go = kDbgRun;
    if (d->gdb != NULL) return; /* gdb's thread has ended: on to the next breakpoint */
    dbg_stop(d, "the warp has ended");
    d->stepped = true;
    return;
  }
  if (d->go == kDbgInsns) d->stepped = d->left == 0;
  if (d->go == kDbgLineStep && d->step_moved && v.w->div.mask != 0u) {
    const char *file = "";
    unsigned line = 0;
    bool known = dbg_line_of(d, v.w->cta->code_base, v.w->div.pc, &file, &line);
    d->stepped = !known || line != d->step_line || strcmp(file, d->step_file) != 0;
  }
}

static void count_down(wg_debug_t *d) {
  if (d->go != kDbgCycles) return;
  d->left--;
  d->stepped = d->left == 0;
}

/* The selected warp is that of the first event; it must be there now: one that has ended gives way to the first that is. */
static void select_for_stop(wg_debug_t *d) {
  wg_warp_view_t v;
  if (d->why[0] != '\0' && d->stop_id >= 0 && d->t.view(d->t.ctx, (uint32_t)d->stop_sm, (uint32_t)d->stop_id, &v)) {
    dbg_select(d, (uint32_t)d->stop_sm, (uint32_t)d->stop_id, &v);
  }
  if (dbg_selected(d, &v)) return;
  for (uint32_t k = 0; k < d->t.num_sms * d->t.ids; k++) {
    if (!d->t.view(d->t.ctx, k / d->t.ids, k % d->t.ids, &v)) continue;
    dbg_select(d, k / d->t.ids, k % d->t.ids, &v);
    return;
  }
}

static void stop_if_due(wg_debug_t *d) {
  if (d->front->interrupted != NULL && d->front->interrupted(d)) dbg_stop(d, "interrupted");
  if (d->why[0] == '\0' && !d->stepped) return;
  d->go = kDbgRun;
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) { /* "until" ends with any stop */
    if (d->brk[i].temporary && d->brk[i].kind != kDbgStart) (void)dbg_break_delete(d, d->brk[i].number);
  }
  select_for_stop(d);
  d->front->stopped(d);
  d->why[0] = '\0';
  d->stepped = false;
  d->stop_kind = kWgWhenNone;
  d->stop_sm = d->stop_id = -1;
}

/* ---- what the run tells ---- */

wg_status_t wg_debug_check_places(wg_debug_t *d, wg_diag_t *diag) {
  for (unsigned i = 0; d->attached && i < (unsigned)kDbgBreaks; i++) {
    dbg_break_t *b = &d->brk[i];
    if (b->number == 0) continue;
    dbg_place_find(d, b);
    wg_status_t st = dbg_place_check(d, b, diag);
    if (st == kWgOk) continue;
    d->attached = false; /* nothing of it has been met, and no command is asked for */
    dbg_break_clear(d);
    return st;
  }
  return kWgOk;
}

void wg_debug_launch(wg_debug_t *d, unsigned number, const char *kernel, const uint32_t grid[3], const uint32_t block[3]) {
  char name[100];
  d->launch = number;
  d->fresh = true;
  snprintf(d->kernel, sizeof d->kernel, "%.96s, grid (%u,%u,%u), block (%u,%u,%u)", wg_demangle(kernel, name, sizeof name), grid[0],
           grid[1], grid[2], block[0], block[1], block[2]);
  if (d->attached) dbg_break_resolve(d);
}

void wg_debug_event(wg_debug_t *d, const wg_debug_event_t *e) {
  if (d->attached) dbg_break_event(d, e);
}

void wg_debug_issue(wg_debug_t *d, uint32_t sm, uint32_t id, uint32_t pc, uint32_t mask) {
  d->insns++;
  if (!d->attached) return;
  if (d->any_pc) dbg_break_issued(d, sm, id, pc, mask);
  if (!d->sel.any || d->sel.sm != sm || d->sel.id != id) return;
  d->step_moved = true;
  if (d->go == kDbgInsns && d->left != 0 && (mask & d->step_lanes) != 0u) d->left--;
}

void wg_debug_cycle(wg_debug_t *d) {
  if (!d->attached) return;
  wg_warp_view_t v;
  for (uint32_t sm = 0; d->any_pc && sm < d->t.num_sms; sm++) {
    for (uint32_t id = 0; id < d->t.ids; id++) {
      if (d->t.view(d->t.ctx, sm, id, &v)) dbg_break_arrival(d, sm, id, &v, true);
    }
  }
  dbg_break_cycle(d);
  count_down(d);
  step_ends(d);
  stop_if_due(d);
}

void wg_debug_before(wg_debug_t *d, uint32_t sm, uint32_t id) {
  wg_warp_view_t v;
  if (!d->attached) return;
  if (d->any_pc && d->t.view(d->t.ctx, sm, id, &v)) dbg_break_arrival(d, sm, id, &v, false);
  stop_if_due(d);
}

void wg_debug_after(wg_debug_t *d) {
  if (!d->attached) return;
  dbg_break_cycle(d);
  count_down(d);
  step_ends(d);
  stop_if_due(d);
}

void wg_debug_hang(wg_debug_t *d) {
  wg_debug_event(d, &(wg_debug_event_t){.kind = kWgWhenHang, .id = -1, .warp = -1});
  if (d->attached) stop_if_due(d);
}
