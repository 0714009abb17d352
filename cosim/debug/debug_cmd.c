// SPDX-License-Identifier: Apache-2.0
//
// Commands of the debugger: one table, from which they are read and `help` is printed.
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cosim/debug/debug_int.h"
#include "cosim/session_words.h"

typedef struct words {
  int n;
  char text[kDbgWords][128];
} words_t;

typedef struct command {
  const char *name, *other; /* other: a short form, or NULL */
  const char *args;
  const char *help;
  int least, most; /* arguments */
  bool warp;       /* needs a selected warp */
  bool goes;       /* the run goes on: not while gdb asks */
  dbg_answer_t (*run)(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v);
} command_t;

static const command_t kCommands[];

static dbg_answer_t bad(wg_debug_t *d, const char *fmt, ...) WG_PRINTF(2, 3);
static dbg_answer_t bad(wg_debug_t *d, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fputs("error: ", d->out);
  vfprintf(d->out, fmt, ap);
  fputc('\n', d->out);
  va_end(ap);
  return kDbgBad;
}

/* A number lo..hi, decimal or 0x. @return false: told */
static bool number(wg_debug_t *d, const char *text, uint64_t lo, uint64_t hi, uint64_t *out) {
  char *end = NULL;
  bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  errno = 0;
  unsigned long long v = isdigit((unsigned char)text[0]) ? strtoull(text, &end, hex ? 16 : 10) : 0;
  if (end == NULL || *end != '\0' || (hex && text[2] == '\0') || errno != 0 || v < lo || v > hi) {
    (void)bad(d, "'%s': a number from %llu to %llu", text, (unsigned long long)lo, (unsigned long long)hi);
    return false;
  }
  *out = v;
  return true;
}

static bool count_of(wg_debug_t *d, const words_t *w, uint64_t *out) {
  *out = 1;
  return w->n < 2 || number(d, w->text[1], 1, UINT32_MAX, out);
}

/* ---- going on ---- */

static dbg_answer_t do_step(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  uint64_t n = 1;
  (void)v;
  if (!count_of(d, w, &n)) return kDbgBad;
  dbg_go_cycles(d, n);
  return kDbgGo;
}

static dbg_answer_t do_insn(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  uint64_t n = 1;
  (void)v;
  if (!count_of(d, w, &n)) return kDbgBad;
  dbg_go_insns(d, n, UINT32_MAX);
  return kDbgGo;
}

static dbg_answer_t do_line(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  const char *file = NULL;
  unsigned line = 0;
  (void)w;
  if (!dbg_line_of(d, v->w->cta->code_base, v->w->div.pc, &file, &line)) return bad(d, "this pc has no source line: compile with -lineinfo, or 'insn'");
  dbg_go_line(d);
  return kDbgGo;
}

static dbg_answer_t do_continue(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  (void)w, (void)v;
  d->go = kDbgRun;
  return kDbgGo;
}

static dbg_answer_t add_break(wg_debug_t *d, const char *text, bool temporary) {
  wg_diag_t why;
  memset(&why, 0, sizeof why);
  unsigned n = dbg_break_add(d, text, temporary, &why);
  if (n == 0) return bad(d, "%s%s%s", why.msg, why.hint[0] == '\0' ? "" : "; ", why.hint);
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    const dbg_break_t *b = &d->brk[i];
    if (b->number != n) continue;
    bool placed = b->kind == kDbgLine || b->kind == kDbgKernel;
    if (!temporary) fprintf(d->out, "breakpoint %u: %s", n, b->text);
    const char *sep = temporary ? "" : ", ";
    if (placed && b->places == 0) fprintf(d->out, "%sno code is there yet: the program has more to load", sep);
    else if (placed && !temporary) fprintf(d->out, ", at 0x%x%s", b->at[0].pc, b->places > 1 ? " and elsewhere" : "");
    if (!temporary || (placed && b->places == 0)) fputc('\n', d->out);
  }
  return kDbgStay;
}

static dbg_answer_t do_until(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  (void)v;
  if (add_break(d, w->text[1], true) != kDbgStay) return kDbgBad;
  d->go = kDbgRun;
  return kDbgGo;
}

static dbg_answer_t do_break(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  (void)v;
  if (w->n > 1) return add_break(d, w->text[1], false);
  bool any = false;
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    const dbg_break_t *b = &d->brk[i];
    if (b->number == 0) continue;
    any = true;
    fprintf(d->out, "  %u  %s, met %u times", b->number, b->text, b->hits);
    for (unsigned p = 0; p < b->places; p++) fprintf(d->out, "%s0x%x", p == 0 ? "; at " : " ", b->at[p].pc);
    fputc('\n', d->out);
  }
  if (!any) fprintf(d->out, "no breakpoints\n");
  return kDbgStay;
}

static dbg_answer_t do_delete(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  uint64_t n = 0;
  (void)v;
  if (w->n < 2) {
    for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) { /* gdb's own are gdb's */
      if (!d->brk[i].follows) (void)dbg_break_delete(d, d->brk[i].number);
    }
    return kDbgStay;
  }
  if (!number(d, w->text[1], 1, UINT32_MAX, &n)) return kDbgBad;
  return dbg_break_delete(d, (unsigned)n) ? kDbgStay : bad(d, "there is no breakpoint %llu", (unsigned long long)n);
}

static dbg_answer_t do_detach(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  (void)w, (void)v;
  dbg_detach(d);
  return kDbgGo;
}

static dbg_answer_t do_quit(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  (void)w, (void)v;
  dbg_detach(d);
  d->t.give_up(d->t.ctx, "ended by the debugger");
  return kDbgGo;
}

/* ---- whom ---- */

/* "5": its number on the selected SM; "X/W", "X,Y,Z/W": warp W of a block. */
static dbg_answer_t do_warp(wg_debug_t *d, const words_t *w, const wg_warp_view_t *was) {
  wg_warp_view_t v;
  uint64_t n = 0;
  unsigned c[3] = {0, 0, 0}, warp = 0;
  char end = '\0';
  (void)was;
  const char *text = w->text[1];
  if (strchr(text, '/') == NULL) {
    if (!number(d, text, 0, d->t.ids - 1, &n)) return kDbgBad;
    if (!d->t.view(d->t.ctx, d->sel.sm, (uint32_t)n, &v)) return bad(d, "SM %u has no warp %llu: 'warps' lists them", d->sel.sm, (unsigned long long)n);
    dbg_select(d, d->sel.sm, (uint32_t)n, &v);
    dbg_show_where(d, &v);
    return kDbgStay;
  }
  if (sscanf(text, "%9u/%9u%c", &c[0], &warp, &end) != 2 && sscanf(text, "%9u,%9u,%9u/%9u%c", &c[0], &c[1], &c[2], &warp, &end) != 4)
    return bad(d, "'%s': a warp's number, X/W or X,Y,Z/W: warp W of block (X,Y,Z)", text);
  for (uint32_t k = 0; k < d->t.num_sms * d->t.ids; k++) {
    if (!d->t.view(d->t.ctx, k / d->t.ids, k % d->t.ids, &v) || v.w->warp != warp || memcmp(v.w->cta->ctaid, c, sizeof c) != 0) continue;
    dbg_select(d, k / d->t.ids, k % d->t.ids, &v);
    dbg_show_where(d, &v);
    return kDbgStay;
  }
  return bad(d, "warp %u of block (%u,%u,%u) is on no SM now", warp, c[0], c[1], c[2]);
}

static dbg_answer_t do_sm(wg_debug_t *d, const words_t *w, const wg_warp_view_t *was) {
  wg_warp_view_t v;
  uint64_t n = 0;
  (void)was;
  if (!number(d, w->text[1], 0, d->t.num_sms - 1, &n)) return kDbgBad;
  for (uint32_t id = 0; id < d->t.ids; id++) {
    if (!d->t.view(d->t.ctx, (uint32_t)n, id, &v)) continue;
    dbg_select(d, (uint32_t)n, id, &v);
    dbg_show_where(d, &v);
    return kDbgStay;
  }
  return bad(d, "SM %llu has no warp now", (unsigned long long)n);
}

static dbg_answer_t do_lane(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  uint64_t n = 0;
  if (!number(d, w->text[1], 0, 31, &n)) return kDbgBad;
  if ((v->w->present >> n & 1u) == 0u) return bad(d, "the warp has no lane %llu", (unsigned long long)n);
  d->sel.lane = (uint32_t)n;
  dbg_show_where(d, v);
  return kDbgStay;
}

/* ---- looking ---- */

static dbg_answer_t do_warps(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  (void)w, (void)v;
  dbg_show_warps(d);
  return kDbgStay;
}

#define SHOW(NAME)                                                                              \
  static dbg_answer_t do_##NAME(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {     \
    (void)w;                                                                                    \
    dbg_show_##NAME(d, v);                                                                      \
    return kDbgStay;                                                                            \
  }
SHOW(where)
SHOW(preds)
SHOW(lanes)
SHOW(stack)
SHOW(joins)
SHOW(barriers)
SHOW(params)
SHOW(why)
#undef SHOW

static dbg_answer_t do_scoreboard(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  (void)w, (void)v;
  dbg_show_scoreboard(d);
  return kDbgStay;
}

static dbg_answer_t do_regs(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  uint64_t r = 0;
  if (w->n < 2) {
    dbg_show_regs(d, v);
    return kDbgStay;
  }
  const char *text = w->text[1];
  if (!number(d, text[0] == 'R' || text[0] == 'r' ? text + 1 : text, 0, v->w->num_regs - 1u, &r)) return kDbgBad;
  dbg_show_reg(d, v, (unsigned)r);
  return kDbgStay;
}

static dbg_answer_t do_shared(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  uint64_t at = 0, n = 8;
  if (v->w->shared_size == 0u) return bad(d, "the block has no shared memory");
  if (!number(d, w->text[1], 0, v->w->shared_size - 1u, &at) || (w->n > 2 && !number(d, w->text[2], 1, 4096, &n))) return kDbgBad;
  if (at % 4u != 0u) return bad(d, "0x%llx is no multiple of 4: memory is shown in words of 4 bytes", (unsigned long long)at);
  if (n > (v->w->shared_size - at) / 4u && w->n <= 2) n = (v->w->shared_size - at) / 4u;
  return dbg_show_memory(d, v, UINT64_C(1) << 32 | at, (unsigned)n) ? kDbgStay : kDbgBad;
}

static dbg_answer_t do_memory(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  uint64_t at = 0, n = 4;
  if (!number(d, w->text[1], 0, UINT64_MAX - 65536u, &at) || (w->n > 2 && !number(d, w->text[2], 1, 4096, &n))) return kDbgBad;
  if (at % 4u != 0u) return bad(d, "0x%llx is no multiple of 4: memory is shown in words of 4 bytes", (unsigned long long)at);
  return dbg_show_memory(d, v, at, (unsigned)n) ? kDbgStay : kDbgBad;
}

static dbg_answer_t do_sched(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  (void)w, (void)v;
  return dbg_show_sched(d, d->sel.sm) ? kDbgStay : kDbgBad;
}

static dbg_answer_t do_list(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  uint64_t pc = v->w->div.pc;
  if (w->n > 1 && !number(d, w->text[1], 0, (UINT64_C(1) << kWgPcBits) - kWgInsnBytes, &pc)) return kDbgBad;
  dbg_show_code(d, v, (uint32_t)pc & ~(uint32_t)(kWgInsnBytes - 1), 3, 6);
  return kDbgStay;
}

static dbg_answer_t do_info(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  char now[64];
  (void)w, (void)v;
  fprintf(d->out, "launch %u: %s\nbehind %s, %llu warp instructions issued so far\n", d->launch, d->kernel, dbg_now(d, now, sizeof now),
          (unsigned long long)d->insns);
  return kDbgStay;
}

static dbg_answer_t do_help(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v);

static const command_t kCommands[] = {
    {"break", "b", "[WHERE]", "stop at a pc (0x40), FILE.cu:12, kernel:NAME, start, cycle:N or an event (barrier:0, diverge,warp=2); without: list", 0, 1, false, false, do_break},
    {"delete", NULL, "[N]", "delete breakpoint N, or all", 0, 1, false, false, do_delete},
    {"continue", "c", "", "go on to the next breakpoint", 0, 0, false, true, do_continue},
    {"step", "s", "[N]", "go on for N cycles; on the golden model alone N warp instructions", 0, 1, false, true, do_step},
    {"insn", "i", "[N]", "go on until the selected warp has issued N instructions", 0, 1, true, true, do_insn},
    {"line", "n", "", "go on until the selected warp comes to another source line", 0, 0, true, true, do_line},
    {"until", "u", "WHERE", "go on to a place or event, as of break, once", 1, 1, false, true, do_until},
    {"warp", "w", "N|X/W|X,Y,Z/W", "select warp N of the SM, or warp W of block (X,Y,Z)", 1, 1, false, false, do_warp},
    {"sm", NULL, "N", "select the first warp of SM N", 1, 1, false, false, do_sm},
    {"lane", NULL, "N", "select a lane of the warp", 1, 1, true, false, do_lane},
    {"where", NULL, "", "the selected warp: lanes, pc, source line, instruction", 0, 0, true, false, do_where},
    {"warps", NULL, "", "all resident warps", 0, 0, false, false, do_warps},
    {"list", "l", "[PC]", "instructions around a pc with their source lines", 0, 1, true, false, do_list},
    {"regs", "r", "[Rn]", "registers of the lane, or one register of all lanes; ?: nothing has written it", 0, 1, true, false, do_regs},
    {"params", NULL, "", "the kernel's parameters: place, type, value", 0, 0, true, false, do_params},
    {"preds", "p", "", "predicates, bit l = lane l", 0, 0, true, false, do_preds},
    {"lanes", NULL, "", "where each lane is and what it waits for", 0, 0, true, false, do_lanes},
    {"stack", NULL, "", "SIMT stack; with independent threads the pc of each lane", 0, 0, true, false, do_stack},
    {"joins", NULL, "", "convergence barriers B0 to B15 with their masks", 0, 0, true, false, do_joins},
    {"barriers", NULL, "", "the block's barriers: warps arrived, waiting, missing", 0, 0, true, false, do_barriers},
    {"scoreboard", "sb", "", "issued instructions of the warp whose results are open", 0, 0, true, false, do_scoreboard},
    {"shared", NULL, "OFFSET [WORDS]", "shared memory of the warp's block", 1, 2, true, false, do_shared},
    {"memory", "x", "ADDRESS [WORDS]", "device memory in words of 4 bytes; 0x1........ shared, 0x2........ the lane's local "
     "memory, 0x3........ constant bank 0", 1, 2, true, false, do_memory},
    {"sched", NULL, "", "what each scheduler slot of the SM would pick, and why not the others", 0, 0, false, false, do_sched},
    {"why", NULL, "", "why the selected warp issues next, or not", 0, 0, true, false, do_why},
    {"info", NULL, "", "launch, cycle, instructions so far", 0, 0, false, false, do_info},
    {"detach", NULL, "", "go on to the end without the debugger", 0, 0, false, true, do_detach},
    {"quit", "q", "", "end the run, as failed", 0, 0, false, true, do_quit},
    {"help", "h", "[COMMAND]", "this list", 0, 1, false, false, do_help},
};
enum { kNumCommands = sizeof kCommands / sizeof kCommands[0] };

static const command_t *find(const char *name) {
  for (size_t i = 0; i < (size_t)kNumCommands; i++) {
    const command_t *c = &kCommands[i];
    if (strcmp(c->name, name) == 0 || (c->other != NULL && strcmp(c->other, name) == 0)) return c;
  }
  return NULL;
}

static dbg_answer_t unknown(wg_debug_t *d, const char *name) {
  const char *names[kNumCommands + 1];
  char hint[200];
  for (size_t i = 0; i < (size_t)kNumCommands; i++) names[i] = kCommands[i].name;
  names[kNumCommands] = NULL;
  char word[64];
  snprintf(word, sizeof word, "%.60s", name);
  const char *near = wg_word_nearest(word, names);
  snprintf(hint, sizeof hint, near == NULL ? "'help' lists them" : "did you mean '%s'?", near);
  return bad(d, "no command '%s'; %s", word, hint);
}

static dbg_answer_t do_help(wg_debug_t *d, const words_t *w, const wg_warp_view_t *v) {
  (void)v;
  const command_t *one = w->n > 1 ? find(w->text[1]) : NULL;
  if (w->n > 1 && one == NULL) return unknown(d, w->text[1]);
  for (size_t i = 0; i < (size_t)kNumCommands; i++) {
    const command_t *c = &kCommands[i];
    if (one != NULL && c != one) continue;
    char head[64];
    snprintf(head, sizeof head, "%s%s%s%s%s", c->name, c->other == NULL ? "" : ", ", c->other == NULL ? "" : c->other, c->args[0] == '\0' ? "" : " ", c->args);
    fprintf(d->out, "  %-26s %s\n", head, c->help);
  }
  return kDbgStay;
}

static bool split(wg_debug_t *d, const char *line, words_t *w) {
  w->n = 0;
  for (const char *p = line + strspn(line, " \t\r\n"); *p != '\0' && *p != '#'; p += strspn(p, " \t\r\n")) {
    size_t n = strcspn(p, " \t\r\n");
    if (w->n == (int)kDbgWords || n >= sizeof w->text[0]) {
      (void)bad(d, "a line of at most %d words of %zu letters", (int)kDbgWords, sizeof w->text[0] - 1);
      return false;
    }
    memcpy(w->text[w->n], p, n);
    w->text[w->n++][n] = '\0';
    p += n;
  }
  return true;
}

dbg_answer_t dbg_command(wg_debug_t *d, const char *line) {
  words_t w;
  wg_warp_view_t v;
  memset(&v, 0, sizeof v);
  if (!split(d, line, &w)) return kDbgBad;
  if (w.n == 0) return kDbgStay;
  const command_t *c = find(w.text[0]);
  if (c == NULL) return unknown(d, w.text[0]);
  if (w.n - 1 < c->least || w.n - 1 > c->most) return bad(d, "'%s %s' is how it is written", c->name, c->args);
  bool there = dbg_selected(d, &v);
  if (c->warp && !there) return bad(d, "no warp is selected: 'warps' lists those that are there");
  if (c->goes && d->only_looks) return bad(d, "'%s' would go on: gdb has its own word for it", c->name);
  return c->run(d, &w, &v);
}

void dbg_show_stop(wg_debug_t *d) {
  wg_warp_view_t v;
  char now[64];
  for (const char *p = d->why; *p != '\0';) {
    int n = (int)strcspn(p, "\n");
    fprintf(d->out, "stop: %.*s\n", n, p);
    p += n;
    if (*p == '\n') p++;
  }
  for (unsigned i = 0; i < (unsigned)kDbgBreaks; i++) {
    const dbg_break_t *b = &d->brk[i];
    if (b->passed != 0) fprintf(d->out, "meanwhile other warps met breakpoint %u, %s, %u time%s\n", b->number, b->text,
                                b->passed, b->passed == 1 ? "" : "s");
  }
  dbg_break_forget_passed(d);
  fprintf(d->out, "behind %s\n", dbg_now(d, now, sizeof now));
  if (dbg_selected(d, &v)) dbg_show_where(d, &v);
}
