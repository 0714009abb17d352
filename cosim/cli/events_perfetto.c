// SPDX-License-Identifier: Apache-2.0
//
// An event trace in the JSON format of chrome://tracing, which Perfetto reads too. A microsecond there is a cycle of the SM clock, counted
// from the begin of the run: simulated time x clock rate, so that the copies and streams of the host stand on the same axis.
//   process 1 "host"      its steps, and each stream: copies, kernels, events
//   process 10 + SM       block slots: blocks; warps: life, and in it issues and reasons; barriers: arrivals, releases; request ids:
//                         memory requests; a counter of open requests
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "cosim/cli/cli_events.h"
#include "toolchain/obj/wg_demangle.h"

typedef unsigned long long ull_t;
enum { kHost = 1, kFirstSm = 10, kBlocks = 1, kBarriers = 40, kWarps = 1000, kRequests = 2000 };

typedef struct writer {
  FILE *out;
  const cli_view_t *v;
  bool first;
  /* of the SM that is told */
  unsigned pid;
  uint16_t sm;
  uint64_t cycle, anchor_cycle, anchor_ns; /* simulated time */
  bool any;
  struct {
    bool there;
    uint32_t grid, ctaid[3];
    uint64_t since;
    uint64_t bar_since[kWgBarriers]; /* first arrival of the generation; WG_NEVER: none */
  } block[kWgMaxBlockSlots];
  struct {
    bool there;
    uint8_t block, warp, reason;
    uint64_t since, state; /* cycles; state: since when this reason holds */
    uint64_t issued;       /* cycle of the last issue */
    uint32_t mask;
  } warp[kWgMaxSubCores][kWgMaxWarpSlots];
  struct {
    bool open;
    uint8_t left; /* sectors that have not come */
    uint64_t serial;
    uint8_t op;
    uint64_t since;
  } request[kWgMemIds];
  uint64_t serial;
  unsigned open_requests;
} writer_t;

static void text(FILE *out, const char *s) {
  fputc('"', out);
  for (; *s != '\0'; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < 32 || c > 126) fprintf(out, "\\u%04x", c);
    else fputc(c, out);
  }
  fputc('"', out);
}

/* An event up to its `args`; the caller closes it. */
static void begin(writer_t *w, const char *phase, const char *category, const char *name, unsigned pid, unsigned tid, double ts) {
  fprintf(w->out, "%s\n{\"ph\":\"%s\",\"cat\":\"%s\",\"name\":", w->first ? "" : ",", phase, category);
  w->first = false;
  text(w->out, name);
  fprintf(w->out, ",\"pid\":%u,\"tid\":%u,\"ts\":%.3f", pid, tid, ts);
}

static void name_row(writer_t *w, unsigned pid, int tid, const char *name, int order) {
  fprintf(w->out, "%s\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%d,\"args\":{\"name\":", w->first ? "" : ",",
          tid < 0 ? "process_name" : "thread_name", pid, tid < 0 ? 0 : tid);
  w->first = false;
  text(w->out, name);
  fprintf(w->out, "}}");
  fprintf(w->out, ",\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%d,\"args\":{\"sort_index\":%d}}",
          tid < 0 ? "process_sort_index" : "thread_sort_index", pid, tid < 0 ? 0 : tid, order);
}

static double of_ns(const writer_t *w, uint64_t ns) { return (double)ns * w->v->t->clock_khz / 1e6; }
static double at(const writer_t *w, uint64_t cycle) {
  return of_ns(w, w->anchor_ns) + ((double)cycle - (double)w->anchor_cycle);
}
static bool in_window(const writer_t *w, uint64_t from, uint64_t to) { return to > w->v->from && from < w->v->to; }
static uint64_t clip(const writer_t *w, uint64_t cycle) {
  return cycle < w->v->from ? w->v->from : cycle > w->v->to ? w->v->to : cycle;
}

/* A slice of cycles [from, to), cut to the window; the caller closes it. @return false: nothing of it is in the window */
static bool slice(writer_t *w, const char *category, const char *name, unsigned tid, uint64_t from, uint64_t to) {
  if (!in_window(w, from, to) || to <= from) return false;
  begin(w, "X", category, name, w->pid, tid, at(w, clip(w, from)));
  fprintf(w->out, ",\"dur\":%.3f", (double)(clip(w, to) - clip(w, from)));
  return true;
}

/* ---- rows ---- */

static unsigned warp_row(unsigned sub, unsigned slot) { return kWarps + sub * kWgMaxWarpSlots + slot; }

static void name_sm(writer_t *w) {
  char name[64];
  const wg_events_t *t = w->v->t;
  snprintf(name, sizeof name, "SM %u", w->sm);
  name_row(w, w->pid, -1, name, (int)w->pid);
  for (unsigned b = 0; b < kWgMaxBlockSlots; b++) {
    snprintf(name, sizeof name, "block slot %u", b);
    name_row(w, w->pid, (int)(kBlocks + b), name, (int)b);
    snprintf(name, sizeof name, "barriers of block slot %u", b);
    name_row(w, w->pid, (int)(kBarriers + b), name, (int)(100 + b));
  }
  for (unsigned s = 0; s < t->sub_cores; s++) {
    for (unsigned i = 0; i < t->warp_slots; i++) {
      snprintf(name, sizeof name, "sub-core %u warp slot %u", s, i);
      name_row(w, w->pid, (int)warp_row(s, i), name, (int)(1000 + s * 16 + i));
    }
  }
}

/* The warp's reason until now, as a slice: from the cycle behind its last issue on. */
static void end_state(writer_t *w, unsigned sub, unsigned slot, uint64_t cycle) {
  uint64_t from = w->warp[sub][slot].state;
  if (w->warp[sub][slot].issued != WG_NEVER && from <= w->warp[sub][slot].issued) from = w->warp[sub][slot].issued + 1;
  uint8_t reason = w->warp[sub][slot].reason;
  w->warp[sub][slot].state = cycle;
  if (!w->warp[sub][slot].there || reason == kWgReasonNoWarp || cycle <= from) return;
  if (slice(w, "stall", wg_reason_name(reason), warp_row(sub, slot), from, cycle)) fprintf(w->out, "}");
}

static void end_warp(writer_t *w, unsigned sub, unsigned slot, uint64_t cycle) {
  if (!w->warp[sub][slot].there) return;
  char name[64];
  end_state(w, sub, slot, cycle);
  unsigned b = w->warp[sub][slot].block;
  w->warp[sub][slot].there = false;
  snprintf(name, sizeof name, "warp %u of block (%u,%u,%u)", w->warp[sub][slot].warp, w->block[b].ctaid[0], w->block[b].ctaid[1],
           w->block[b].ctaid[2]);
  if (slice(w, "warp", name, warp_row(sub, slot), w->warp[sub][slot].since, cycle))
    fprintf(w->out, ",\"args\":{\"grid\":%u,\"block_slot\":%u}}", w->block[b].grid, b);
}

static void end_block(writer_t *w, unsigned b, uint64_t cycle) {
  char name[64];
  for (unsigned s = 0; s < kWgMaxSubCores; s++) {
    for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
      if (w->warp[s][i].there && w->warp[s][i].block == b) end_warp(w, s, i, cycle);
    }
  }
  if (!w->block[b].there) return;
  w->block[b].there = false;
  snprintf(name, sizeof name, "block (%u,%u,%u)", w->block[b].ctaid[0], w->block[b].ctaid[1], w->block[b].ctaid[2]);
  if (slice(w, "block", name, kBlocks + b, w->block[b].since, cycle)) fprintf(w->out, ",\"args\":{\"grid\":%u}}", w->block[b].grid);
}

/* ---- events ---- */

static void on_init(writer_t *w, const wg_event_t *e) {
  unsigned b = e->a % kWgMaxBlockSlots;
  if (e->kind == kWgEventKey && w->warp[e->sub][e->slot].there) return;
  if (!w->block[b].there) {
    w->block[b].there = true;
    w->block[b].since = e->cycle;
    w->block[b].grid = e->x;
    w->block[b].ctaid[0] = e->y, w->block[b].ctaid[1] = e->z, w->block[b].ctaid[2] = e->t;
    for (unsigned i = 0; i < kWgBarriers; i++) w->block[b].bar_since[i] = WG_NEVER;
  }
  w->warp[e->sub][e->slot].there = true;
  w->warp[e->sub][e->slot].block = (uint8_t)b;
  w->warp[e->sub][e->slot].warp = e->b;
  w->warp[e->sub][e->slot].since = w->warp[e->sub][e->slot].state = e->cycle;
  w->warp[e->sub][e->slot].issued = WG_NEVER;
  w->warp[e->sub][e->slot].reason = kWgReasonNoWarp;
}

static void on_issue(writer_t *w, const wg_event_t *e) {
  end_state(w, e->sub, e->slot, e->cycle);
  char name[32], full[192];
  wg_life_t l = {.pc = e->pc, .of = {.grid = w->block[w->warp[e->sub][e->slot].block].grid}};
  w->warp[e->sub][e->slot].issued = e->cycle;
  wg_life_mnemonic(w->v->t, &l, name, sizeof name);
  if (!slice(w, "issue", name, warp_row(e->sub, e->slot), e->cycle, e->cycle + 1)) return;
  fprintf(w->out, ",\"args\":{\"pc\":\"0x%x\",\"text\":", e->pc);
  text(w->out, wg_life_text(w->v->t, &l, full, sizeof full));
  fprintf(w->out, ",\"lanes\":\"0x%08x\",\"guard\":\"0x%08x\"}}", e->mask, e->exec);
}

static void on_why(writer_t *w, const wg_event_t *e) {
  for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
    uint8_t reason = (uint8_t)(e->addr >> (4 * i) & 15);
    if (reason == w->warp[e->sub][i].reason) continue;
    end_state(w, e->sub, i, e->cycle);
    w->warp[e->sub][i].reason = reason;
  }
}

static void instant(writer_t *w, const char *category, const char *name, unsigned tid, uint64_t cycle) {
  if (cycle < w->v->from || cycle >= w->v->to) return;
  begin(w, "i", category, name, w->pid, tid, at(w, cycle));
  fprintf(w->out, ",\"s\":\"t\"}");
}

static void on_barrier(writer_t *w, const wg_event_t *e) {
  unsigned b = e->a % kWgMaxBlockSlots, id = e->c % kWgBarriers;
  char name[96];
  if (e->kind == kWgEventArrive) {
    snprintf(name, sizeof name, "warp %u arrives at barrier %u", e->b, id);
    instant(w, "barrier", name, kBarriers + b, e->cycle);
    if (w->block[b].bar_since[id] == WG_NEVER) w->block[b].bar_since[id] = e->cycle;
    return;
  }
  snprintf(name, sizeof name, "barrier %u releases warps 0x%08x", id, e->mask);
  instant(w, "barrier", name, kBarriers + b, e->cycle);
  uint64_t since = w->block[b].bar_since[id];
  w->block[b].bar_since[id] = WG_NEVER;
  if (since == WG_NEVER || !in_window(w, since, e->cycle + 1)) return;
  /* barriers of a block overlap: asynchronous slices */
  snprintf(name, sizeof name, "barrier %u", id);
  ull_t serial = (ull_t)++w->serial;
  begin(w, "b", "barrier", name, w->pid, kBarriers + b, at(w, clip(w, since)));
  fprintf(w->out, ",\"id\":\"bar%u.%llu\"}", w->sm, serial);
  begin(w, "e", "barrier", name, w->pid, kBarriers + b, at(w, clip(w, e->cycle)));
  fprintf(w->out, ",\"id\":\"bar%u.%llu\"}", w->sm, serial);
}

static void on_stack(writer_t *w, const wg_event_t *e) {
  uint32_t was = w->warp[e->sub][e->slot].mask;
  w->warp[e->sub][e->slot].mask = e->mask;
  if (e->mask == was || e->mask == 0) return;
  char name[96];
  snprintf(name, sizeof name, "%s: lanes 0x%08x at 0x%x", cli_events_control(e->a), e->mask, e->x);
  instant(w, "divergence", name, warp_row(e->sub, e->slot), e->cycle);
}

static void count_requests(writer_t *w, uint64_t cycle) {
  if (cycle < w->v->from || cycle >= w->v->to) return;
  begin(w, "C", "memory", "open requests", w->pid, 0, at(w, cycle));
  fprintf(w->out, ",\"args\":{\"requests\":%u}}", w->open_requests);
}

static const char *const kMemOps[] = {
#define WG_MEMOP(ID, VALUE, NAME, DOC) NAME,
#include "isa/cfg.def"
    "?"};
static const char *mem_op(unsigned op) { return kMemOps[op < sizeof kMemOps / sizeof kMemOps[0] ? op : sizeof kMemOps / sizeof kMemOps[0] - 1]; }

static void on_request(writer_t *w, const wg_event_t *e) {
  if (w->request[e->a].open) { /* a further flit of the same request */
    w->request[e->a].left = (uint8_t)(w->request[e->a].left | (e->c & 15));
    return;
  }
  w->request[e->a].open = true;
  w->request[e->a].left = e->c & 15;
  w->request[e->a].serial = ++w->serial;
  w->request[e->a].since = e->cycle;
  w->request[e->a].op = e->b;
  w->open_requests++;
  count_requests(w, e->cycle);
  if (e->cycle < w->v->from || e->cycle >= w->v->to) {
    w->request[e->a].serial = 0; /* its begin is outside: it is not drawn */
    return;
  }
  begin(w, "b", "memory", mem_op(e->b), w->pid, kRequests, at(w, e->cycle));
  fprintf(w->out, ",\"id\":\"req%u.%llu\",\"args\":{\"line\":\"0x%llx\",\"sectors\":%u,\"pc\":\"0x%x\",\"request\":%u}}", w->sm,
          (ull_t)w->request[e->a].serial, (ull_t)e->addr, e->c, e->x, e->a);
}

static void end_request(writer_t *w, unsigned id, uint64_t cycle) {
  uint64_t serial = w->request[id].serial;
  w->request[id].open = false;
  w->open_requests--;
  if (serial == 0) return;
  begin(w, "e", "memory", mem_op(w->request[id].op), w->pid, kRequests, at(w, clip(w, cycle)));
  fprintf(w->out, ",\"id\":\"req%u.%llu\"}", w->sm, (ull_t)serial);
}

static void on_response(writer_t *w, const wg_event_t *e) {
  if (!w->request[e->a].open) return;
  w->request[e->a].left = (uint8_t)(w->request[e->a].left & ~(1u << (e->b & 3)));
  if (w->request[e->a].left != 0) return;
  end_request(w, e->a, e->cycle);
  count_requests(w, e->cycle);
}

/* What is open when the SM's story ends or breaks off. */
static void close_all(writer_t *w) {
  if (!w->any) return;
  for (unsigned b = 0; b < kWgMaxBlockSlots; b++) end_block(w, b, w->cycle + 1);
  for (unsigned i = 0; i < kWgMemIds; i++) {
    if (w->request[i].open) end_request(w, i, w->cycle + 1);
  }
}

static void on_event(void *ctx, const wg_event_t *e, bool follows) {
  writer_t *w = ctx;
  if (w->v->sm >= 0 && e->sm != w->v->sm) return;
  if (!w->any || w->sm != e->sm || !follows) {
    close_all(w);
    if (!w->any || w->sm != e->sm) {
      w->sm = e->sm;
      w->pid = kFirstSm + e->sm;
      name_sm(w);
    }
    w->any = true;
    memset(w->block, 0, sizeof w->block);
    memset(w->warp, 0, sizeof w->warp);
    memset(w->request, 0, sizeof w->request);
    w->open_requests = 0;
    for (unsigned s = 0; s < kWgMaxSubCores; s++) {
      for (unsigned i = 0; i < kWgMaxWarpSlots; i++) w->warp[s][i].reason = kWgReasonNoWarp;
    }
  }
  w->cycle = e->cycle;
  switch (e->kind) {
    case kWgEventTime: w->anchor_cycle = e->cycle, w->anchor_ns = e->addr; break;
    case kWgEventInit:
    case kWgEventKey: on_init(w, e); break;
    case kWgEventFree: end_block(w, e->a % kWgMaxBlockSlots, e->cycle); break;
    case kWgEventIssue: w->warp[e->sub][e->slot].mask = e->mask, on_issue(w, e); break;
    case kWgEventWhy: on_why(w, e); break;
    case kWgEventArrive:
    case kWgEventRelease: on_barrier(w, e); break;
    case kWgEventStack: on_stack(w, e); break;
    case kWgEventRequest: on_request(w, e); break;
    case kWgEventResponse: on_response(w, e); break;
    case kWgEventFault: instant(w, "fault", wg_fault_name(e->a), warp_row(e->sub, e->slot), e->cycle); break;
    default: break;
  }
}

/* ---- the host ---- */

static void host(writer_t *w) {
  char *copy = w->v->t->commands == NULL ? NULL : strdup(w->v->t->commands);
  if (copy == NULL) return;
  uint64_t named = 0;
  name_row(w, kHost, -1, "host", 0);
  char *save = NULL;
  for (char *line = strtok_r(copy, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
    char kind[16], what[16], kernel[256], name[160];
    unsigned stream = 0;
    ull_t bytes = 0, from = 0, to = 0;
    if (sscanf(line, "%15s %15s %u %llu %llu %llu %255s", kind, what, &stream, &bytes, &from, &to, kernel) != 7) continue;
    bool step = strcmp(kind, "step") == 0;
    unsigned tid = step ? 1 : 2 + (stream < 60 ? stream : 60);
    if ((named >> tid & 1) == 0) {
      if (step) snprintf(name, sizeof name, "steps of the host");
      else snprintf(name, sizeof name, "stream %u", stream);
      name_row(w, kHost, (int)tid, name, (int)tid);
      named |= UINT64_C(1) << tid;
    }
    if (strcmp(kernel, "-") != 0) wg_demangle(kernel, name, sizeof name);
    else snprintf(name, sizeof name, "%s", what);
    begin(w, "X", step ? "host" : "stream", name, kHost, tid, of_ns(w, from));
    fprintf(w->out, ",\"dur\":%.3f,\"args\":{\"what\":\"%s\",\"bytes\":%llu}}", of_ns(w, to) - of_ns(w, from), what, bytes);
  }
  free(copy);
}

wg_status_t cli_events_perfetto(FILE *out, const cli_view_t *v, wg_diag_t *diag) {
  writer_t *w = calloc(1, sizeof *w);
  if (w == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  w->out = out;
  w->v = v;
  w->first = true;
  fprintf(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"machine\":");
  text(out, v->t->preset);
  fprintf(out, ",\"clock_khz\":\"%u\",\"unit\":\"1 us is one SM cycle\"},\"traceEvents\":[", v->t->clock_khz);
  host(w);
  wg_status_t st = wg_events_each(v->t, on_event, w, diag);
  close_all(w);
  fprintf(out, "\n]}\n");
  free(w);
  return st;
}
