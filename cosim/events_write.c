// SPDX-License-Identifier: Apache-2.0
//
// Event traces: the file, and the recorder of each SM. A recorder fills a buffer that the file takes when it is full. With a window
// around an event two buffers take turns until the event happens, each at least as long as what is wanted before it.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/events.h"

enum { kFull = 1 << 16, kHead = 11 /* of an 'E' chunk's bytes */ };
/* A buffer's first cycle: nothing leads to it; the buffer before does; the same, if that one is written. */
enum { kStretch = 0, kGoesOn = 1, kMayGoOn = 2 };

typedef struct buffer {
  uint8_t *bytes;
  size_t n, cap;
  uint64_t first, events;
  uint8_t how; /* it begins */
} buffer_t;

/* A warp that is there, for the head of a stretch. */
typedef struct resident {
  bool there;
  uint8_t block;
  wg_event_t init;
  uint32_t mask; /* lanes of its last issue */
} resident_t;

struct wg_recorder {
  wg_recorder_t *next;
  wg_events_out_t *out;
  uint16_t sm;
  unsigned depth;
  wg_events_window_t window;
  wg_event_base_t base;
  buffer_t now, before; /* before: an event's window only, until it happens */
  resident_t warp[kWgMaxSubCores][kWgMaxWarpSlots];
  uint64_t time_cycle, time_ns;
  uint64_t why[kWgMaxSubCores];
  uint64_t mark, last; /* cycle of the event, UINT64_MAX: not yet; of the last issue */
  bool open, over;     /* `now` records; the window is behind */
};

struct wg_events_out {
  FILE *f;
  char *path;
  wg_events_cfg_t cfg;
  wg_recorder_t *recorders;
  uint64_t events;
  bool bad;
  int error;
};

/* ---- the file ---- */

static void put_bytes(wg_events_out_t *o, const void *p, size_t n) {
  if (o->bad || o->f == NULL || n == 0) return;
  errno = 0;
  if (fwrite(p, 1, n, o->f) == n) return;
  o->bad = true;
  o->error = errno;
}

static void put_int(wg_events_out_t *o, uint64_t v, unsigned bytes) {
  uint8_t b[8];
  for (unsigned i = 0; i < bytes; i++) b[i] = (uint8_t)(v >> (8 * i));
  put_bytes(o, b, bytes);
}

static void put_chunk(wg_events_out_t *o, char type, size_t bytes) {
  put_int(o, (uint8_t)type, 1);
  put_int(o, bytes, 4);
}

static void put_text(wg_events_out_t *o, const char *text) {
  size_t n = strlen(text);
  if (n > UINT16_MAX) n = UINT16_MAX;
  put_int(o, n, 2);
  put_bytes(o, text, n);
}

wg_status_t wg_events_create(const wg_events_cfg_t *cfg, wg_events_out_t **out, wg_diag_t *diag) {
  wg_events_out_t *o = calloc(1, sizeof *o);
  char head[512];
  if (o == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  o->cfg = *cfg;
  o->path = strdup(cfg->path);
  o->f = o->path == NULL ? NULL : fopen(cfg->path, "wb");
  if (o->f == NULL) {
    int e = errno;
    free(o->path);
    free(o);
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "a file in a folder that is there and writable");
    return wg_fail(diag, kWgIo, "cannot write the event trace '%s': %s", cfg->path, strerror(e));
  }
  int n = snprintf(head, sizeof head,
                   "preset %.63s\nshape %s\nsub_cores %u\nwarp_slots %u\nsms %u\nclock_khz %u\ndepth %u\nwindow %.127s\n", cfg->preset,
                   cfg->shape->name, cfg->shape->sub_cores, cfg->shape->warp_slots, cfg->num_sms, cfg->clock_khz, cfg->depth,
                   cfg->window_text == NULL ? "" : cfg->window_text);
  put_bytes(o, "WGEVENTS", 8);
  put_int(o, kWgEventsVersion, 4);
  put_chunk(o, 'H', (size_t)n);
  put_bytes(o, head, (size_t)n);
  *out = o;
  return kWgOk;
}

void wg_events_module(wg_events_out_t *o, const wg_obj_t *obj, uint64_t code_base) {
  size_t n = 4 + 8 + 4 + 4 + 4 + 12 * obj->num_lines;
  for (size_t k = 0; k < obj->num_kernels; k++) n += 10 + strnlen(obj->kernels[k].name, UINT16_MAX) + 16u * obj->kernels[k].num_insns;
  for (size_t i = 0; i < obj->num_files; i++) n += 2 + strnlen(obj->files[i], UINT16_MAX);
  put_chunk(o, 'M', n);
  put_int(o, 0, 4);
  put_int(o, code_base, 8);
  put_int(o, obj->num_kernels, 4);
  for (size_t k = 0; k < obj->num_kernels; k++) {
    put_int(o, wg_obj_kernel_pc(obj, k), 4);
    put_int(o, obj->kernels[k].num_insns, 4);
    put_text(o, obj->kernels[k].name);
    for (uint32_t i = 0; i < obj->kernels[k].num_insns; i++) {
      put_int(o, obj->kernels[k].code[i].lo, 8);
      put_int(o, obj->kernels[k].code[i].hi, 8);
    }
  }
  put_int(o, obj->num_files, 4);
  for (size_t i = 0; i < obj->num_files; i++) put_text(o, obj->files[i]);
  put_int(o, obj->num_lines, 4);
  for (size_t i = 0; i < obj->num_lines; i++) {
    put_int(o, obj->lines[i].pc, 4);
    put_int(o, obj->lines[i].file, 4);
    put_int(o, obj->lines[i].line, 4);
  }
  if (obj->ptx == NULL) return;
  put_chunk(o, 'P', 4 + 8 * obj->num_ptx_lines + strlen(obj->ptx));
  put_int(o, obj->num_ptx_lines, 4);
  for (size_t i = 0; i < obj->num_ptx_lines; i++) {
    put_int(o, obj->ptx_lines[i].pc, 4);
    put_int(o, obj->ptx_lines[i].line, 4);
  }
  put_bytes(o, obj->ptx, strlen(obj->ptx));
}

void wg_events_launch(wg_events_out_t *o, const wg_events_launch_t *l) {
  put_chunk(o, 'L', 9 * 4 + 8);
  put_int(o, l->grid_id, 4);
  put_int(o, l->module, 4);
  put_int(o, l->kernel, 4);
  for (int i = 0; i < 3; i++) put_int(o, l->grid[i], 4);
  for (int i = 0; i < 3; i++) put_int(o, l->block[i], 4);
  put_int(o, l->time_ns, 8);
}

static void write_buffer(wg_recorder_t *r, buffer_t *b) {
  if (b->n == 0) return;
  wg_events_out_t *o = r->out;
  put_chunk(o, 'E', kHead + b->n);
  put_int(o, r->sm, 2);
  put_int(o, b->how, 1);
  put_int(o, b->first, 8);
  put_bytes(o, b->bytes, b->n);
  o->events += b->events;
  b->n = 0;
  b->events = 0;
}

/* ---- recorders ---- */

wg_recorder_t *wg_recorder_new(wg_events_out_t *o, uint16_t sm) {
  wg_recorder_t *r = calloc(1, sizeof *r);
  WG_BUG(r == NULL);
  r->out = o;
  r->sm = sm;
  r->depth = o->cfg.depth;
  r->window = o->cfg.window;
  r->mark = UINT64_MAX;
  for (unsigned s = 0; s < kWgMaxSubCores; s++) r->why[s] = UINT64_C(0x1111111111111111) * kWgReasonNoWarp;
  wg_recorder_t **at = &o->recorders; /* in the order of their making, which is that of the file's ends */
  while (*at != NULL) at = &(*at)->next;
  *at = r;
  return r;
}

unsigned wg_recorder_depth(const wg_recorder_t *r) { return r->depth; }

static void append(wg_recorder_t *r, const wg_event_t *e) {
  buffer_t *b = &r->now;
  if (b->cap - b->n < kWgEventMaxBytes) {
    b->cap = b->cap == 0 ? kFull + 4096 : 2 * b->cap;
    b->bytes = realloc(b->bytes, b->cap);
    WG_BUG(b->bytes == NULL);
  }
  b->n += wg_event_encode(&r->base, e, b->bytes + b->n);
  b->events++;
}

/* Begin a buffer in a cycle. What is there is told if the reader cannot know it. */
static void begin(wg_recorder_t *r, uint64_t cycle, uint8_t how) {
  r->now.first = cycle;
  r->now.how = how;
  wg_event_base_init(&r->base, cycle);
  r->open = true;
  if (how == kGoesOn) return;
  uint64_t ns = r->time_ns;
  if (r->out->cfg.clock_khz != 0) ns += (cycle - r->time_cycle) * UINT64_C(1000000) / r->out->cfg.clock_khz;
  wg_event_t e = {.cycle = cycle, .kind = kWgEventTime, .addr = ns};
  append(r, &e);
  for (unsigned s = 0; s < kWgMaxSubCores; s++) {
    for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
      if (!r->warp[s][i].there) continue;
      e = r->warp[s][i].init;
      e.cycle = cycle;
      e.kind = kWgEventKey;
      e.exec = r->warp[s][i].mask;
      append(r, &e);
    }
    if (r->depth < kWgEventDepthPipe) continue;
    e = (wg_event_t){.cycle = cycle, .kind = kWgEventWhy, .sub = (uint8_t)s, .addr = r->why[s]};
    if (e.addr != r->base.why[s]) append(r, &e);
  }
}

static void remember(wg_recorder_t *r, const wg_event_t *e) {
  resident_t *w = &r->warp[e->sub][e->slot];
  switch (e->kind) {
    case kWgEventInit: *w = (resident_t){true, e->a, *e, e->mask}; break;
    case kWgEventFree:
      for (unsigned s = 0; s < kWgMaxSubCores; s++) {
        for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
          if (r->warp[s][i].block == e->a) r->warp[s][i].there = false;
        }
      }
      break;
    case kWgEventIssue: w->mask = e->mask; break;
    case kWgEventWhy: r->why[e->sub] = e->addr; break;
    default: break;
  }
}

static bool around(const wg_recorder_t *r) { return r->window.when.kind != kWgWhenNone; }

/* The first of the two buffers goes when the second alone holds what is wanted before the event. */
static void turn(wg_recorder_t *r, uint64_t cycle) {
  if (r->now.n == 0 || cycle - r->now.first < r->window.before + 1) return;
  buffer_t old = r->before;
  r->before = r->now;
  r->now = old;
  r->now.n = 0;
  r->now.events = 0;
  r->open = false;
}

void wg_recorder_add(wg_recorder_t *r, wg_event_t *e) {
  if (wg_event_info[e->kind].depth > r->depth || r->over) return;
  e->sm = r->sm;
  bool in = around(r) || (e->cycle >= r->window.from && e->cycle < r->window.to);
  if (around(r) && r->mark == UINT64_MAX) turn(r, e->cycle);
  if (around(r) && r->mark != UINT64_MAX && e->cycle >= r->mark && e->cycle - r->mark >= r->window.after) in = false, r->over = true;
  if (in) {
    if (!r->open) begin(r, e->cycle, around(r) && r->before.n != 0 ? kMayGoOn : kStretch);
    append(r, e);
    if (e->kind == kWgEventIssue || r->depth < kWgEventDepthInsts) r->last = e->cycle;
  }
  remember(r, e);
}

void wg_recorder_trigger(wg_recorder_t *r, uint64_t cycle) {
  if (around(r) && r->mark == UINT64_MAX) r->mark = cycle;
}

void wg_recorder_restart(wg_recorder_t *r, uint64_t cycle, uint64_t time_ns) {
  memset(r->warp, 0, sizeof r->warp);
  for (unsigned s = 0; s < kWgMaxSubCores; s++) r->why[s] = UINT64_C(0x1111111111111111) * kWgReasonNoWarp;
  r->time_cycle = cycle;
  r->time_ns = time_ns;
  wg_event_t e = {.cycle = cycle, .kind = kWgEventTime, .addr = time_ns};
  if (r->open && r->now.n != 0) wg_recorder_add(r, &e); /* else the next buffer says so */
}

void wg_recorder_drain(wg_recorder_t *r) {
  if (r->out->f == NULL) return;
  if (around(r)) {
    if (r->mark == UINT64_MAX) return;
    write_buffer(r, &r->before);
  }
  if (r->now.n < kFull && !r->over) return;
  write_buffer(r, &r->now);
  if (!r->over) begin(r, r->base.cycle, kGoesOn);
}

/* ---- the end ---- */

static void close_recorder(wg_events_out_t *o, wg_recorder_t *r, wg_status_t status) {
  wg_when_kind_t when = r->window.when.kind;
  /* a failure that the window waits for: what happened last is what is wanted */
  bool failed = (when == kWgWhenHang && status == kWgHang) || (when == kWgWhenMismatch && status == kWgMismatch);
  if (failed && r->mark == UINT64_MAX) r->mark = r->last;
  if (!around(r) || r->mark != UINT64_MAX) {
    write_buffer(r, &r->before);
    write_buffer(r, &r->now);
  }
  if (around(r)) {
    bool met = r->mark != UINT64_MAX;
    put_chunk(o, 'W', 2 + 8 + 8 + 8);
    put_int(o, r->sm, 2);
    put_int(o, !met ? 0 : r->mark > r->window.before ? r->mark - r->window.before : 0, 8);
    put_int(o, met ? r->mark + r->window.after : 0, 8);
    put_int(o, r->mark, 8);
  }
}

wg_status_t wg_events_close(wg_events_out_t *o, wg_status_t status, const char *message, wg_diag_t *diag) {
  static const char *const kStatus[] = {[kWgOk] = "ok", [kWgMismatch] = "mismatch", [kWgFault] = "fault", [kWgHang] = "hang"};
  const char *word = (size_t)status < sizeof kStatus / sizeof kStatus[0] && kStatus[status] != NULL ? kStatus[status] : "failed";
  if (o == NULL || o->f == NULL) return kWgOk;
  for (wg_recorder_t *r = o->recorders; r != NULL; r = r->next) {
    close_recorder(o, r, status);
    r->over = true;
  }
  char tail[640], line[512];
  snprintf(line, sizeof line, "%s", message == NULL ? "" : message);
  for (char *p = line; *p != '\0'; p++) {
    if (*p == '\n') *p = ' ';
  }
  int n = snprintf(tail, sizeof tail, "status %s\nmessage %s\n", word, line);
  put_chunk(o, 'Z', 8 + (size_t)n);
  put_int(o, o->events, 8);
  put_bytes(o, tail, (size_t)n);
  errno = 0;
  if (fclose(o->f) != 0 && !o->bad) o->bad = true, o->error = errno;
  o->f = NULL;
  wg_status_t st = kWgOk;
  if (o->bad) {
    struct stat info;
    if (lstat(o->path, &info) == 0 && S_ISREG(info.st_mode)) (void)unlink(o->path); /* no half of one is left */
    st = wg_fail(diag, kWgIo, "cannot write the event trace '%s': %s", o->path, strerror(o->error));
  }
  return st;
}

void wg_events_free_out(wg_events_out_t *o) {
  if (o == NULL) return;
  for (wg_recorder_t *r = o->recorders; r != NULL;) {
    wg_recorder_t *next = r->next;
    free(r->now.bytes);
    free(r->before.bytes);
    free(r);
    r = next;
  }
  if (o->f != NULL) fclose(o->f);
  free(o->path);
  free(o);
}
