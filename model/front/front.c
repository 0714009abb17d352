// SPDX-License-Identifier: Apache-2.0
#include "model/front/front.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
  uint64_t id;
  uint32_t words[kWgFrontMaxWords];
} entry_t;

typedef struct stream {
  bool open, blocking, running; /* running: the head has begun */
  int priority;
  entry_t *ring; /* [queue_commands], made at the first command */
  uint32_t head, count;
  uint64_t last_end_ns; /* of the command that ended last */
} stream_t;

/* A command by its number: memory of a run's whole history, 16 bytes each. */
typedef struct history {
  uint64_t submitted_ns, end_ns; /* end: 1 + its time, 0 = not ended */
} history_t;

struct wg_front {
  wg_front_spec_t spec;
  stream_t stream[kWgFrontMaxStreams];
  uint32_t streams; /* numbers in use lie below */
  history_t *history;
  uint64_t commands, cap; /* history[0 .. commands - 1] */
  wg_front_stats_t stats;
};

wg_status_t wg_front_create(const wg_front_spec_t *spec, wg_front_t **out, wg_diag_t *diag) {
  if (spec->queue_commands < 1 || spec->queue_commands > 65536) {
    return wg_fail(diag, kWgBadArg, "a push buffer of %u commands, must be 1 to 65536", spec->queue_commands);
  }
  wg_front_t *f = calloc(1, sizeof *f);
  if (f == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for the front end");
  f->spec = *spec;
  f->streams = 1;
  f->stream[kWgFrontLegacy].open = f->stream[kWgFrontLegacy].blocking = true;
  *out = f;
  return kWgOk;
}

void wg_front_destroy(wg_front_t *f) {
  if (f == NULL) return;
  for (uint32_t i = 0; i < f->streams; i++) free(f->stream[i].ring);
  free(f->history);
  free(f);
}

wg_status_t wg_front_open(wg_front_t *f, bool blocking, int priority, uint32_t *stream, wg_diag_t *diag) {
  uint32_t i = 1;
  while (i < f->streams && (f->stream[i].open || f->stream[i].count != 0)) i++;
  if (i == kWgFrontMaxStreams) return wg_fail(diag, kWgNoSpace, "there are %d streams", (int)kWgFrontMaxStreams);
  if (i == f->streams) f->streams++;
  stream_t *s = &f->stream[i];
  s->open = true;
  s->blocking = blocking;
  s->priority = priority;
  s->last_end_ns = 0;
  *stream = i;
  return kWgOk;
}

void wg_front_close(wg_front_t *f, uint32_t stream) { f->stream[stream].open = false; }

int wg_front_priority(const wg_front_t *f, uint32_t stream) { return f->stream[stream].priority; }

bool wg_front_can_accept(const wg_front_t *f, uint32_t stream) {
  return f->stream[stream].count < f->spec.queue_commands;
}

static uint64_t new_id(wg_front_t *f, uint64_t now) {
  if (f->commands == f->cap) {
    f->cap = f->cap == 0 ? 256 : f->cap * 2;
    f->history = realloc(f->history, f->cap * sizeof *f->history);
    WG_BUG(f->history == NULL);
  }
  f->history[f->commands++] = (history_t){now, 0};
  return f->commands;
}

uint64_t wg_front_push(wg_front_t *f, const wg_front_cmd_t *c, uint64_t now) {
  stream_t *s = &f->stream[c->stream];
  WG_BUG(!s->open || !wg_front_can_accept(f, c->stream));
  WG_BUG(f->commands != 0 && now < f->history[f->commands - 1].submitted_ns);
  if (s->ring == NULL) s->ring = calloc(f->spec.queue_commands, sizeof *s->ring);
  WG_BUG(s->ring == NULL);
  entry_t *e = &s->ring[(s->head + s->count++) % f->spec.queue_commands];
  e->id = new_id(f, now);
  f->stats.commands++;
  f->stats.push_buffer_bytes += 4u * wg_front_encode(c, e->words);
  if (s->count > f->stats.most_waiting_commands) f->stats.most_waiting_commands = s->count;
  return e->id;
}

static const entry_t *head_of(const wg_front_t *f, const stream_t *s) {
  (void)f;
  return s->count == 0 ? NULL : &s->ring[s->head];
}

/* The order between the default stream and a blocking one, `other`: nothing of it that came earlier is still to end. */
static bool behind(const wg_front_t *f, uint64_t id, const stream_t *other, uint64_t *t) {
  const entry_t *e = head_of(f, other);
  if (e != NULL && e->id < id) return false;
  if (other->last_end_ns > *t) *t = other->last_end_ns;
  return true;
}

/* When the head of stream `i` is free to begin; false if something must end first. */
static bool ready(const wg_front_t *f, uint32_t i, const entry_t *e, const wg_front_cmd_t *c, uint64_t *t) {
  const stream_t *s = &f->stream[i];
  *t = f->history[e->id - 1].submitted_ns + f->spec.submit_ns;
  if (s->last_end_ns > *t) *t = s->last_end_ns;
  if (i == kWgFrontLegacy) {
    for (uint32_t k = 1; k < f->streams; k++) {
      if (f->stream[k].blocking && !behind(f, e->id, &f->stream[k], t)) return false;
    }
  } else if (s->blocking && !behind(f, e->id, &f->stream[kWgFrontLegacy], t)) {
    return false;
  }
  if (c->op != kWgFrontWait || c->after == 0) return true;
  uint64_t end = 0;
  if (!wg_front_ended(f, c->after, &end)) return false;
  if (end > *t) *t = end;
  return true;
}

bool wg_front_peek(const wg_front_t *f, const wg_front_free_t *free, wg_front_cmd_t *out, uint64_t *id,
                   uint64_t *start) {
  const stream_t *best = NULL;
  for (uint32_t i = 0; i < f->streams; i++) {
    const stream_t *s = &f->stream[i];
    const entry_t *e = s->running ? NULL : head_of(f, s);
    wg_front_cmd_t c;
    uint64_t t = 0;
    if (e == NULL) continue;
    WG_BUG(wg_front_decode(e->words, &c) == 0);
    if (!ready(f, i, e, &c, &t)) continue;
    t += f->spec.command_ns;
    uint64_t unit = c.op == kWgFrontLaunch ? free->launch_ns : c.op == kWgFrontCopy ? free->copy_ns[c.kind] : 0;
    if (unit == UINT64_MAX) continue;
    if (unit > t) t = unit;
    if (best != NULL && (t > *start || (t == *start && (s->priority > best->priority ||
                                                        (s->priority == best->priority && e->id > *id))))) {
      continue;
    }
    best = s;
    *out = c;
    *id = e->id;
    *start = t;
  }
  return best != NULL;
}

void wg_front_pop(wg_front_t *f, uint32_t stream) {
  WG_BUG(f->stream[stream].count == 0 || f->stream[stream].running);
  f->stream[stream].running = true;
}

void wg_front_done(wg_front_t *f, uint32_t stream, uint64_t end) {
  stream_t *s = &f->stream[stream];
  WG_BUG(!s->running);
  f->history[s->ring[s->head].id - 1].end_ns = end + 1;
  s->head = (s->head + 1) % f->spec.queue_commands;
  s->count--;
  s->running = false;
  s->last_end_ns = end;
}

bool wg_front_ended(const wg_front_t *f, uint64_t id, uint64_t *end) {
  WG_BUG(id == 0 || id > f->commands);
  uint64_t e = f->history[id - 1].end_ns;
  if (e != 0 && end != NULL) *end = e - 1;
  return e != 0;
}

uint64_t wg_front_submitted(const wg_front_t *f, uint64_t id) {
  WG_BUG(id == 0 || id > f->commands);
  return f->history[id - 1].submitted_ns;
}

uint64_t wg_front_last(const wg_front_t *f, uint32_t stream) {
  const stream_t *s = &f->stream[stream];
  return s->count == 0 ? 0 : s->ring[(s->head + s->count - 1) % f->spec.queue_commands].id;
}

bool wg_front_legacy_idle(const wg_front_t *f) {
  for (uint32_t i = 0; i < f->streams; i++) {
    if (f->stream[i].blocking && f->stream[i].count != 0) return false;
  }
  return true;
}

bool wg_front_idle(const wg_front_t *f) {
  for (uint32_t i = 0; i < f->streams; i++) {
    if (f->stream[i].count != 0) return false;
  }
  return true;
}

void wg_front_clear(wg_front_t *f) {
  for (uint32_t i = 0; i < f->streams; i++) {
    f->stream[i].count = 0;
    f->stream[i].running = false;
  }
}

void wg_front_stats(const wg_front_t *f, wg_front_stats_t *out) { *out = f->stats; }
