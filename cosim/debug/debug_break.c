// SPDX-License-Identifier: Apache-2.0
//
// Breakpoints: their words, where they are in the code, and when they are met.
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cosim/debug/debug_int.h"

static const char kWords[] =
    "0x40 or pc:0x40, FILE.cu:12, kernel:NAME, start, cycle:N, or an event: block:3, block-end:3, barrier:0, arrive:0, diverge, reconverge, exit, "
    "fault, mismatch, hang; conditions ,block=X ,warp=N ,sm=N #N";

static wg_status_t bad(const char *text, wg_diag_t *diag) {
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "%s", kWords);
  return wg_fail(diag, kWgBadInput, "no place to stop at: '%s'", text);
}

/* The event is one, its number or a condition is wrong: then these alone are told. */
static wg_status_t bad_part(const char *text, const wg_when_t *when, const wg_diag_t *why, wg_diag_t *diag) {
  wg_status_t st = bad(text, diag);
  if (diag != NULL && when->kind != kWgWhenNone) snprintf(diag->hint, sizeof diag->hint, "%s", why->hint);
  return st;
}

/* A decimal number up to the end of text[n]. */
static bool number(const char *text, size_t n, uint64_t *out) {
  char buf[24];
  if (n == 0 || n >= sizeof buf) return false;
  for (size_t i = 0; i < n; i++) {
    if (!isdigit((unsigned char)text[i])) return false;
  }
  snprintf(buf, sizeof buf, "%.*s", (int)n, text);
  errno = 0;
  *out = strtoull(buf, NULL, 10);
  return errno == 0;
}

/* Conditions of a place that is no event of wg_when_parse: read as those of one. */
static wg_status_t conditions(const char *text, const char *at, dbg_break_t *b, wg_diag_t *diag) {
  char word[140];
  wg_diag_t why;
  memset(&why, 0, sizeof why);
  snprintf(word, sizeof word, "exit%s", at);
  if (wg_when_parse(word, &b->when, &why) != kWgOk) return bad_part(text, &b->when, &why, diag);
  b->when.kind = kWgWhenNone;
  return kWgOk;
}

wg_status_t dbg_break_parse(const char *text, dbg_break_t *out, wg_diag_t *diag) {
  memset(out, 0, sizeof *out);
  if (strlen(text) >= sizeof out->text) return wg_fail(diag, kWgBadInput, "a place to stop at is longer than %zu letters", sizeof out->text - 1);
  snprintf(out->text, sizeof out->text, "%s", text);
  out->once = strchr(text, '#') != NULL;
  size_t n = strcspn(text, ",#");
  const char *colon = memchr(text, ':', n);
  size_t head = colon == NULL ? n : (size_t)(colon - text), tail = colon == NULL ? 0 : n - head - 1;
  const char *dot = memchr(text, '.', head);
  if (head == 5 && strncmp(text, "start", 5) == 0 && colon == NULL) {
    out->kind = kDbgStart;
    return conditions(text, text + n, out, diag);
  }
  if (head == 5 && strncmp(text, "cycle", 5) == 0 && colon != NULL) {
    out->kind = kDbgCycle;
    return number(colon + 1, tail, &out->value) && text[n] == '\0' ? kWgOk : bad(text, diag);
  }
  if (head == 6 && strncmp(text, "kernel", 6) == 0 && tail != 0 && tail < sizeof out->name) {
    out->kind = kDbgKernel;
    snprintf(out->name, sizeof out->name, "%.*s", (int)tail, colon + 1);
    return conditions(text, text + n, out, diag);
  }
  if (colon != NULL && (dot != NULL || head == 0 || (head == 4 && strncmp(text, "line", 4) == 0))) {
    out->kind = kDbgLine;
    if (head >= sizeof out->name || !number(colon + 1, tail, &out->value) || out->value == 0) return bad(text, diag);
    snprintf(out->name, sizeof out->name, "%.*s", dot == NULL ? 0 : (int)head, text);
    return conditions(text, text + n, out, diag);
  }
  char word[140];
  snprintf(word, sizeof word, "%s%s", isdigit((unsigned char)text[0]) ? "pc:" : "", text);
  out->kind = kDbgEvent;
  wg_diag_t why;
  memset(&why, 0, sizeof why);
  if (wg_when_parse(word, &out->when, &why) != kWgOk) return bad_part(text, &out->when, &why, diag);
  if (out->when.kind == kWgWhenPc) {
    out->at[0].code = UINT64_MAX;
    out->at[0].pc = out->when.value;
    out->places = 1;
  }
  return kWgOk;
}

wg_status_t wg_debug_check_breaks(const char *text, uint32_t num_sms, wg_diag_t *diag) {
  dbg_break_t b;
  for (const char *p = text;; p++) {
    char word[sizeof b.text + 1];
    size_t n = strcspn(p, ";");
    snprintf(word, sizeof word, "%.*s", (int)n, p);
    WG_TRY(dbg_break_parse(word, &b, diag));
    if (num_sms != 0) WG_TRY(dbg_place_check_sm(&b, num_sms, diag));
    p += n;
    if (*p == '\0') return kWgOk;
  }
}

/* ---- places ---- */

static void note_any(wg_debug_t *d) {
  d->any_pc = false;
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) d->any_pc = d->any_pc || (d->brk[i].number != 0 && d->brk[i].places != 0);
}

void dbg_break_resolve(wg_debug_t *d) {
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    if (d->brk[i].number != 0) dbg_place_find(d, &d->brk[i]);
  }
  note_any(d);
}

/* ---- the list ---- */

/* Who stands there now has come before. */
static void note_there(wg_debug_t *d, dbg_break_t *b) {
  wg_warp_view_t v;
  for (uint32_t k = 0; k < d->t.num_sms * d->t.ids; k++) {
    for (unsigned p = 0; p < b->places; p++) {
      if (d->t.view(d->t.ctx, k / d->t.ids, k % d->t.ids, &v)) b->seen[k] |= wg_diverge_at(&v.w->div, b->at[p].pc);
    }
  }
}

unsigned dbg_break_add(wg_debug_t *d, const char *text, bool temporary, wg_diag_t *diag) {
  dbg_break_t b;
  if (dbg_break_parse(text, &b, diag) != kWgOk) return 0;
  unsigned i = 0;
  while (i < (unsigned)kDbgBreaks && d->brk[i].number != 0) i++;
  if (i == (unsigned)kDbgBreaks) {
    (void)wg_fail(diag, kWgBadInput, "there are %d breakpoints already: delete one", (int)kDbgBreaks);
    return 0;
  }
  b.seen = calloc((size_t)d->t.num_sms * d->t.ids, sizeof *b.seen);
  if (b.seen == NULL) {
    (void)wg_fail(diag, kWgNoSpace, "out of memory");
    return 0;
  }
  b.temporary = temporary;
  dbg_place_find(d, &b);
  if (dbg_place_check(d, &b, diag) != kWgOk) {
    free(b.seen);
    return 0;
  }
  b.number = ++d->next_number;
  d->brk[i] = b;
  note_any(d);
  note_there(d, &d->brk[i]);
  return b.number;
}

static void drop(wg_debug_t *d, dbg_break_t *b) {
  free(b->seen);
  memset(b, 0, sizeof *b);
  note_any(d);
}

bool dbg_break_follow(wg_debug_t *d, uint64_t code, uint32_t pc) {
  char text[32];
  snprintf(text, sizeof text, "0x%x", pc);
  unsigned n = dbg_break_add(d, text, false, NULL);
  for (unsigned i = 0; n != 0 && i < (unsigned)kDbgBreaks; i++) {
    if (d->brk[i].number != n) continue;
    d->brk[i].at[0].code = code;
    d->brk[i].follows = true;
  }
  return n != 0;
}

bool dbg_break_unfollow(wg_debug_t *d, uint64_t code, uint32_t pc) {
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    dbg_break_t *b = &d->brk[i];
    if (b->number == 0 || !b->follows || b->places == 0 || b->at[0].code != code || b->at[0].pc != pc) continue;
    drop(d, b);
    return true;
  }
  return false;
}

bool dbg_break_delete(wg_debug_t *d, unsigned number) {
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    if (number == 0 || d->brk[i].number != number) continue;
    drop(d, &d->brk[i]);
    return true;
  }
  return false;
}

void dbg_break_clear(wg_debug_t *d) {
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) drop(d, &d->brk[i]);
}

/* ---- met ---- */

static bool holds(const wg_when_t *w, uint32_t sm, uint32_t ctaid_x, int32_t warp) {
  return (w->block < 0 || w->block == (int64_t)ctaid_x) && (w->warp < 0 || w->warp == (int64_t)warp) && (w->sm < 0 || w->sm == (int64_t)sm);
}

/* One warp is stepped: others pass what they meet, or every step would end elsewhere. What breaks the run, a cycle, a
   launch and the Nth time still stop it. @param id -1: no warp's, but this block's */
static bool passes(const wg_debug_t *d, const dbg_break_t *b, uint32_t sm, int32_t id, const uint32_t ctaid[3]) {
  wg_when_kind_t k = b->kind == kDbgEvent ? b->when.kind : kWgWhenNone;
  if (d->go == kDbgRun || b->once || b->kind == kDbgCycle || b->kind == kDbgStart || !d->sel.any) return false;
  if (k == kWgWhenFault || k == kWgWhenMismatch || k == kWgWhenHang || ctaid == NULL) return false;
  if (id >= 0) return d->sel.sm != sm || d->sel.id != (uint32_t)id;
  return memcmp(d->sel.ctaid, ctaid, sizeof d->sel.ctaid) != 0;
}

void dbg_break_forget_passed(wg_debug_t *d) {
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) d->brk[i].passed = 0;
}

void dbg_break_summary(const wg_debug_t *d, const char *when) {
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    const dbg_break_t *b = &d->brk[i];
    if (b->number == 0 || b->follows || (b->temporary && b->kind == kDbgStart)) continue;
    bool nowhere = (b->kind == kDbgLine || b->kind == kDbgKernel) && b->places == 0;
    const char *none = nowhere ? "; the program has no code there" : "", *s = b->hits == 1 ? "" : "s";
    if (b->temporary) fprintf(d->out, "until %s: never met%s%s\n", b->text, when, none);
    else fprintf(d->out, "breakpoint %u, %s: met %u time%s%s%s\n", b->number, b->text, b->hits, s, when, none);
  }
}

/* @param id -1: no warp's; ctaid of the block, NULL: no block's */
static void meet(wg_debug_t *d, dbg_break_t *b, uint32_t sm, int32_t id, const uint32_t *ctaid, const char *what) {
  b->hits++;
  if (passes(d, b, sm, id, ctaid)) {
    b->passed++;
    return;
  }
  if (b->once && b->hits != b->when.nth) return;
  if (d->why[0] == '\0') {
    d->stop_sm = id < 0 ? -1 : (int64_t)sm;
    d->stop_id = id;
    d->stop_kind = b->when.kind;
  }
  if (b->temporary && b->kind != kDbgStart) dbg_stop(d, "%s", what);
  else if (b->kind == kDbgStart) dbg_stop(d, "launch %u: %s", d->launch, d->kernel);
  else dbg_stop(d, "breakpoint %u, %s: %s", b->number, b->text, what);
  if (b->temporary) drop(d, b);
}

static const char *event_text(const wg_debug_event_t *e, char *buf, size_t n) {
  static const char *const kText[] = {
      [kWgWhenBlock] = "starts",     [kWgWhenBlockEnd] = "ends",       [kWgWhenBarrier] = "barrier %u is released", [kWgWhenArrive] = "arrives at barrier %u",
      [kWgWhenDiverge] = "diverges", [kWgWhenReconverge] = "reconverges", [kWgWhenExit] = "exits",            [kWgWhenFault] = "faults",
      [kWgWhenMismatch] = "the checker reports a mismatch", [kWgWhenHang] = "the launch is given up"};
  char what[48] = "", warp[24] = "";
  bool numbered = e->kind == kWgWhenBarrier || e->kind == kWgWhenArrive;
  if (numbered) snprintf(what, sizeof what, e->kind == kWgWhenBarrier ? "barrier %u is released" : "arrives at barrier %u", e->value);
  else snprintf(what, sizeof what, "%s", kText[e->kind]);
  if (e->kind == kWgWhenMismatch || e->kind == kWgWhenHang) {
    snprintf(buf, n, "%s", what);
    return buf;
  }
  if (e->warp >= 0) snprintf(warp, sizeof warp, " warp %d", e->warp);
  snprintf(buf, n, "block (%u,%u,%u)%s %s", e->ctaid[0], e->ctaid[1], e->ctaid[2], warp, what);
  return buf;
}

void dbg_break_event(wg_debug_t *d, const wg_debug_event_t *e) {
  char what[120];
  bool first = e->kind == kWgWhenBlock && d->fresh;
  if (first) d->fresh = false;
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    dbg_break_t *b = &d->brk[i];
    if (b->number == 0 || !holds(&b->when, e->sm, e->ctaid[0], e->warp)) continue;
    if (b->kind == kDbgStart && first) meet(d, b, e->sm, e->id, e->ctaid, "");
    else if (b->kind == kDbgEvent && b->when.kind == e->kind && b->when.value == e->value)
      meet(d, b, e->sm, e->id, e->ctaid, event_text(e, what, sizeof what));
  }
}

/* The selected warp lives, and is another one. */
static bool leads_elsewhere(const wg_debug_t *d, uint32_t sm, uint32_t id) {
  wg_warp_view_t v;
  return (d->sel.sm != sm || d->sel.id != id) && dbg_selected(d, &v);
}

void dbg_break_arrival(wg_debug_t *d, uint32_t sm, uint32_t id, const wg_warp_view_t *v, bool edge) {
  const wg_cta_launch_t *c = v->w->cta;
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    dbg_break_t *b = &d->brk[i];
    if (b->number == 0 || b->places == 0) continue;
    uint32_t at = 0u, *seen = &b->seen[sm * d->t.ids + id];
    for (unsigned p = 0; p < b->places && !v->at_bar; p++) {
      if (b->at[p].code != UINT64_MAX && b->at[p].code != c->code_base) continue;
      if (edge) at |= wg_diverge_at(&v->w->div, b->at[p].pc);
      else if (v->w->div.pc == b->at[p].pc) at |= v->w->div.mask;
    }
    uint32_t fresh = edge ? at & ~*seen : at;
    *seen = at;
    if (fresh == 0u || (b->follows && leads_elsewhere(d, sm, id)) || !holds(&b->when, sm, c->ctaid[0], (int32_t)v->w->warp)) continue;
    char what[96];
    snprintf(what, sizeof what, "block (%u,%u,%u) warp %u is there", c->ctaid[0], c->ctaid[1], c->ctaid[2], v->w->warp);
    meet(d, b, sm, (int32_t)id, c->ctaid, what);
  }
}

void dbg_break_issued(wg_debug_t *d, uint32_t sm, uint32_t id, uint32_t pc, uint32_t mask) {
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    dbg_break_t *b = &d->brk[i];
    for (unsigned p = 0; b->number != 0 && p < b->places; p++) {
      if (b->at[p].pc == pc) b->seen[sm * d->t.ids + id] &= ~mask;
    }
  }
}

void dbg_break_cycle(wg_debug_t *d) {
  uint64_t now = d->t.cycles ? d->t.cycle(d->t.ctx, 0) : d->insns;
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    dbg_break_t *b = &d->brk[i];
    if (b->number != 0 && b->kind == kDbgCycle && b->value == now) meet(d, b, 0, -1, NULL, "reached");
  }
}
