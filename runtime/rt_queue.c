// SPDX-License-Identifier: Apache-2.0
//
// Work of streams: the owner of the front end and of the copy engines. Commands begin in the order of simulated
// time, those that end at a time before those that begin then. A grid runs whole when it begins; a copy moves
// its contents when it ends.
#define _GNU_SOURCE
#include "rt_queue.h"

#include <string.h>

#include "rt.h"

/* A queued command beside what the push buffer holds. */
typedef struct work {
  struct work *next, *prev; /* all that have not ended */
  uint64_t id;
  wg_front_cmd_t cmd;
  uint64_t start_ns, end_ns; /* end: of a grid that has run alone */
  uint32_t grid_id;          /* of a grid that runs beside others, 0 = none */
  wg_launch_t launch;
  uint8_t *params; /* owned */
  rt_move_t move;
  uint8_t *staged; /* owned: the pageable source as it was at the call, rows without gaps */
  cudaHostFn_t fn;
  cudaStreamCallback_t callback;
  cudaStream_t handle;
  void *arg;
} work_t;

static struct {
  wg_session_t *session;
  wg_session_host_t host;
  wg_front_t *front;
  wg_copy_t *copy;
  uint64_t host_ns;
  uint64_t now_ns; /* of the machine: what ended or began last */
  work_t *works;
  work_t *grid;    /* has run alone, until its end */
  uint32_t beside; /* grids that run now, beside each other */
} q;

static _Thread_local bool t_in_function;

bool rt_queue_in_function(void) { return t_in_function; }

bool rt_queue_open(wg_session_t *s) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  memset(&q, 0, sizeof q);
  q.session = s;
  wg_session_get_host(s, &q.host);
  wg_status_t st = wg_front_create(&q.host.front, &q.front, &d);
  if (st == kWgOk) st = wg_copy_create(&q.host.copy, q.host.memory_mbytes_per_s, &q.copy, &d);
  if (st == kWgOk) return true;
  rt_say_diag("cannot make the streams", &d);
  rt_queue_close();
  return false;
}

static void drop(work_t *w) {
  free(w->params);
  free(w->staged);
  free(w);
}

static void drop_all(void) {
  while (q.works != NULL) {
    work_t *next = q.works->next;
    drop(q.works);
    q.works = next;
  }
  q.grid = NULL;
  q.beside = 0;
}

void rt_queue_close(void) {
  drop_all();
  wg_front_destroy(q.front);
  wg_copy_destroy(q.copy);
  memset(&q, 0, sizeof q);
}

uint64_t rt_queue_host_ns(void) { return q.host_ns; }
void rt_queue_spend(uint64_t ns) { q.host_ns += ns; }
const wg_session_host_t *rt_queue_costs(void) { return &q.host; }

bool rt_queue_stream_open(bool blocking, int priority, uint32_t *stream) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (wg_front_open(q.front, blocking, priority, stream, &d) == kWgOk) return true;
  rt_say_diag("cannot make a stream", &d);
  return false;
}

void rt_queue_stream_close(uint32_t stream) { wg_front_close(q.front, stream); }

/* ---- what commands do ---- */

static void fault(const char *what, const wg_diag_t *d) {
  rt_say_diag(what, d);
  rt_fail("%s: %s", what, d->msg);
  rt()->sticky = cudaErrorIllegalAddress;
}

/* The ranges were checked by the call, and cudaFree waits for all work: an error here is the host's memory. */
static void move_row(const rt_move_t *m, char *dst, const char *src) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  wg_status_t st = kWgOk;
  uint64_t to = (uint64_t)(uintptr_t)dst, from = (uint64_t)(uintptr_t)src;
  switch (m->kind) {
    case kWgCopyToDevice: st = wg_session_write(q.session, to, src, m->width, &d); break;
    case kWgCopyToHost: st = wg_session_read(q.session, from, dst, m->width, &d); break;
    case kWgCopySet: st = wg_session_memset(q.session, to, m->value, m->width, &d); break;
    case kWgCopyWithin: {
      uint8_t *tmp = malloc(m->width);
      st = tmp == NULL ? wg_fail(&d, kWgNoSpace, "out of memory") : wg_session_read(q.session, from, tmp, m->width, &d);
      if (st == kWgOk) st = wg_session_write(q.session, to, tmp, m->width, &d);
      free(tmp);
      break;
    }
    case kWgCopyKinds: WG_BUG(true);
  }
  if (st != kWgOk) fault("copy", &d);
  else if (m->kind != kWgCopyToHost) rt_launch_moved(to, m->width);
}

static void move_now(const work_t *w) {
  const rt_move_t *m = &w->move;
  for (size_t y = 0; y < m->height; y++) {
    const char *src = w->staged != NULL ? (const char *)w->staged + y * m->width
                      : m->src != NULL  ? (const char *)m->src + y * m->spitch
                                        : NULL;
    move_row(m, (char *)m->dst + y * m->dpitch, src);
  }
}

static void call_function(const work_t *w) {
  t_in_function = true;
  if (w->callback != NULL) w->callback(w->handle, cudaSuccess, w->arg);
  else w->fn(w->arg);
  t_in_function = false;
}

/* ---- the machine ---- */

static work_t *work_of(uint64_t handle) { return (work_t *)(uintptr_t)handle; }

static void ended(work_t *w, uint64_t end) {
  wg_front_done(q.front, w->cmd.stream, end);
  q.now_ns = end;
  rt_report_command(w->id, &w->cmd, w->move.pageable, w->launch.kernel, wg_front_submitted(q.front, w->id),
                    w->start_ns, end);
  if (w->next != NULL) w->next->prev = w->prev;
  *(w->prev != NULL ? &w->prev->next : &q.works) = w->next;
  drop(w);
}

/* Which launch has this grid id; another one that runs if none has. */
static const wg_launch_t *launch_of(uint32_t grid_id) {
  const work_t *any = NULL;
  for (const work_t *w = q.works; w != NULL; w = w->next) {
    if (w->grid_id == 0) continue;
    any = w;
    if (w->grid_id == grid_id) break;
  }
  WG_BUG(any == NULL);
  return &any->launch;
}

/* Order among streams is the front end's: to the GigaThread engine every grid is one of a stream of its own. */
static void begin_beside(work_t *w, uint64_t now) {
  static uint32_t stream;
  const wg_session_order_t order = {++stream == 0 ? ++stream : stream, true, wg_front_priority(q.front, w->cmd.stream)};
  if (!rt_launch_begin(&w->launch, &order, &w->grid_id)) {
    ended(w, now);
    return;
  }
  q.beside++;
}

static void begin_grid(work_t *w, uint64_t now) {
  uint64_t gpu = wg_session_time_ns(q.session);
  if (gpu < now && q.beside == 0) wg_session_advance_ns(q.session, now - gpu);
  if (q.host.queue_grids > 1) {
    begin_beside(w, now);
    return;
  }
  wg_status_t st = rt_launch_run(&w->launch);
  uint64_t end = wg_session_time_ns(q.session);
  w->end_ns = st == kWgOk && end > now ? end : now;
  q.grid = w;
}

static void begin(work_t *w, uint64_t now) {
  w->start_ns = now;
  q.now_ns = now;
  wg_front_pop(q.front, w->cmd.stream);
  switch (w->cmd.op) {
    case kWgFrontLaunch: begin_grid(w, now); break;
    case kWgFrontCopy: {
      wg_copy_req_t r = {w->cmd.work, w->move.kind, w->cmd.bytes, w->move.pageable};
      (void)wg_copy_push(q.copy, &r, now);
      break;
    }
    case kWgFrontFunction: call_function(w); /* fall through */
    case kWgFrontRecord:
    case kWgFrontWait: ended(w, now); break;
  }
}

/* After a fault nothing that was queued happens any more. */
static bool stuck(void) {
  if (rt()->sticky == cudaSuccess) return false;
  drop_all();
  wg_front_clear(q.front);
  wg_copy_clear(q.copy);
  return true;
}

/* Run the grids that are beside each other up to `until`. @return true if one of them has ended by then, or a failure */
static bool run_beside(uint64_t until) {
  wg_session_ended_t e;
  if (rt_launch_until(until, launch_of, &e) != kWgOk) return true;
  if (e.grid_id == 0) return false;
  work_t *w = q.works;
  while (w->grid_id != e.grid_id) w = w->next;
  q.beside--;
  uint64_t end = e.end_ns < until ? e.end_ns : until; /* a clock of the SMs may straddle it */
  ended(w, end > w->start_ns ? end : w->start_ns);
  return true;
}

/* The next end or begin, if it is not later than `limit`. @return false if there is none */
static bool step(uint64_t limit) {
  bool full = q.grid != NULL || q.beside == q.host.queue_grids;
  wg_front_free_t free_at = {full ? UINT64_MAX : 0, {0, 0, 0, 0}};
  wg_front_cmd_t c;
  uint64_t id = 0, start = UINT64_MAX, copy_end = wg_copy_next_ns(q.copy);
  uint64_t grid_end = q.grid != NULL ? q.grid->end_ns : UINT64_MAX;
  for (int k = 0; k < kWgCopyKinds; k++) {
    bool open = wg_copy_can_accept(q.copy, (wg_copy_kind_t)k, UINT64_MAX);
    free_at.copy_ns[k] = open ? wg_copy_free_ns(q.copy, (wg_copy_kind_t)k) : UINT64_MAX;
  }
  if (!wg_front_peek(q.front, &free_at, &c, &id, &start)) start = UINT64_MAX;
  uint64_t first = copy_end < grid_end ? copy_end : grid_end;
  if (start < first) first = start;
  if (q.beside != 0 && run_beside(first < limit ? first : limit)) return !stuck();
  if (first == UINT64_MAX || first > limit) return false;
  if (copy_end == first) {
    wg_copy_done_t d;
    WG_BUG(!wg_copy_pop(q.copy, first, &d));
    work_t *w = work_of(d.tag);
    move_now(w);
    ended(w, d.end_ns);
  } else if (grid_end == first) {
    work_t *w = q.grid;
    q.grid = NULL;
    ended(w, first);
  } else {
    begin(work_of(c.work), start);
  }
  return !stuck();
}

/* ---- waiting ---- */

typedef enum what { kAll, kStream, kLegacy, kCommand } what_t;

static bool over(what_t what, uint64_t which) {
  switch (what) {
    case kStream: return wg_front_last(q.front, (uint32_t)which) == 0;
    case kLegacy: return wg_front_legacy_idle(q.front);
    case kCommand: return which == 0 || wg_front_ended(q.front, which, NULL);
    case kAll: break;
  }
  return wg_front_idle(q.front);
}

/* What has ended by the host's time needs no waiting; else the host goes on when it is told of the end. */
static cudaError_t finish(what_t what, uint64_t which) {
  if (q.session == NULL || t_in_function) return rt()->sticky;
  while (step(q.host_ns)) {}
  if (!over(what, which)) {
    while (!over(what, which) && step(UINT64_MAX)) {}
    if (q.now_ns > q.host_ns) q.host_ns = q.now_ns;
    q.host_ns += q.host.notify_ns;
  }
  rt_drain();
  return rt()->sticky;
}

cudaError_t rt_queue_finish(void) { return finish(kAll, 0); }
cudaError_t rt_queue_finish_stream(uint32_t stream) { return finish(kStream, stream); }
cudaError_t rt_queue_finish_legacy(void) { return finish(kLegacy, 0); }
cudaError_t rt_queue_finish_command(uint64_t id) { return finish(kCommand, id); }

bool rt_queue_stream_idle(uint32_t stream) {
  while (step(q.host_ns)) {}
  return over(kStream, stream);
}

bool rt_queue_command_ended(uint64_t id) {
  while (step(q.host_ns)) {}
  return over(kCommand, id);
}

bool rt_queue_end_ns(uint64_t id, uint64_t *ns) { return wg_front_ended(q.front, id, ns); }

/* ---- queueing ---- */

/* A new command at the host's time; it takes over `w`. A full push buffer makes the host wait. */
static uint64_t push(work_t *w) {
  while (!wg_front_can_accept(q.front, w->cmd.stream)) {
    if (!step(UINT64_MAX)) { /* an error sticks */
      drop(w);
      return 0;
    }
    if (q.now_ns > q.host_ns) q.host_ns = q.now_ns;
  }
  w->cmd.work = (uint64_t)(uintptr_t)w;
  w->id = wg_front_push(q.front, &w->cmd, q.host_ns);
  w->next = q.works;
  if (q.works != NULL) q.works->prev = w;
  q.works = w;
  return w->id;
}

static work_t *make(wg_front_op_t op, uint32_t stream) {
  work_t *w = calloc(1, sizeof *w);
  WG_BUG(w == NULL);
  w->cmd.op = op;
  w->cmd.stream = stream;
  return w;
}

uint64_t rt_queue_launch(uint32_t stream, const wg_launch_t *l) {
  work_t *w = make(kWgFrontLaunch, stream);
  w->launch = *l;
  w->params = malloc(l->param_bytes + 1);
  WG_BUG(w->params == NULL);
  memcpy(w->params, l->params, l->param_bytes);
  w->launch.params = w->params;
  memcpy(w->cmd.grid, l->grid, sizeof l->grid);
  memcpy(w->cmd.block, l->block, sizeof l->block);
  w->cmd.dyn_shared = l->dyn_shared_bytes;
  return push(w);
}

uint64_t rt_queue_move(uint32_t stream, const rt_move_t *m) {
  work_t *w = make(kWgFrontCopy, stream);
  bool stage = m->pageable && m->kind == kWgCopyToDevice;
  uint64_t bytes = (uint64_t)m->width * m->height;
  uint64_t piece = bytes < kWgCopyPieceBytes ? bytes : kWgCopyPieceBytes;
  uint64_t ahead = bytes < q.host.copy.staging_bytes ? bytes : q.host.copy.staging_bytes;
  w->move = *m;
  w->cmd.kind = (uint32_t)m->kind;
  w->cmd.addr = (uint64_t)(uintptr_t)(m->kind == kWgCopyToHost ? m->src : m->dst);
  w->cmd.bytes = bytes;
  if (stage) {
    w->staged = malloc(bytes);
    WG_BUG(w->staged == NULL);
    for (size_t y = 0; y < m->height; y++) {
      memcpy(w->staged + y * m->width, (const char *)m->src + y * m->spitch, m->width);
    }
    q.host_ns += wg_copy_staging_ns(q.copy, piece);
  }
  uint64_t id = push(w);
  if (!stage || id == 0) return id;
  q.host_ns += wg_copy_staging_ns(q.copy, ahead - piece);
  if (ahead < bytes) { /* the host stages the rest while the copy is under way */
    while (!wg_front_ended(q.front, id, NULL) && step(UINT64_MAX)) {}
    if (q.now_ns > q.host_ns) q.host_ns = q.now_ns;
  }
  return id;
}

uint64_t rt_queue_record(uint32_t stream) { return push(make(kWgFrontRecord, stream)); }

uint64_t rt_queue_wait(uint32_t stream, uint64_t record) {
  work_t *w = make(kWgFrontWait, stream);
  w->cmd.after = record;
  return push(w);
}

uint64_t rt_queue_function(uint32_t stream, cudaHostFn_t fn, cudaStreamCallback_t callback, cudaStream_t handle,
                           void *arg) {
  work_t *w = make(kWgFrontFunction, stream);
  w->fn = fn;
  w->callback = callback;
  w->handle = handle;
  w->arg = arg;
  return push(w);
}
