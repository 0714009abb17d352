// SPDX-License-Identifier: Apache-2.0
//
// The device, made at first use from the environment; errors; the lock.
#define _GNU_SOURCE
#include "rt.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;

rt_state_t *rt(void) {
  static rt_state_t state; /* zero from the start: no constructor has to run first */
  return &state;
}

void rt_lock(void) { pthread_mutex_lock(&g_lock); }

/* ---- errors ---- */

typedef struct err_text {
  cudaError_t e;
  const char *name, *text;
} err_text_t;

static const err_text_t kErrors[] = {
#define WG_CUDA_ERROR(NAME, VALUE, TEXT) {NAME, #NAME, TEXT},
#include "wg_cuda_errors.def"
};

static const err_text_t *error_find(cudaError_t e) {
  for (size_t i = 0; i < sizeof kErrors / sizeof kErrors[0]; i++) {
    if (kErrors[i].e == e) return &kErrors[i];
  }
  return NULL;
}

cudaError_t rt_leave_from(const char *func, cudaError_t e) {
  rt_record_t *r = &rt()->record;
  const err_text_t *t = error_find(e);
  if (e != cudaSuccess) rt()->last = e;
  if (e != cudaSuccess && e != cudaErrorNotReady && r->unseen[0] == '\0') { /* not ready is an answer, no failure */
    snprintf(r->unseen, sizeof r->unseen, "%s failed: error %d %s", func, (int)e,
             t == NULL ? "" : t->name);
  }
  pthread_mutex_unlock(&g_lock);
  return e;
}

void rt_seen(void) { rt()->record.unseen[0] = '\0'; }

void rt_say(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fputs("warpglass: ", stderr);
  vfprintf(stderr, fmt, ap);
  fputc('\n', stderr);
  va_end(ap);
}

void rt_say_diag(const char *what, const wg_diag_t *d) {
  fprintf(stderr, "warpglass: %s: ", what);
  wg_diag_print(stderr, d);
}

void rt_fail(const char *fmt, ...) {
  rt_record_t *r = &rt()->record;
  if (r->failed) return;
  r->failed = true;
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(r->reason, sizeof r->reason, fmt, ap);
  va_end(ap);
  if (n >= (int)sizeof r->reason) {
    char *space = strrchr(r->reason, ' ');
    size_t end = space == NULL ? sizeof r->reason - 5 : (size_t)(space - r->reason);
    if (end > sizeof r->reason - 5) end = sizeof r->reason - 5;
    memcpy(r->reason + end, " ...", 5);
  }
  rt_report_cause(r->reason);
}

bool rt_is_device(const void *p) {
  uint64_t base = 0, bytes = 0;
  wg_session_window(&base, &bytes);
  return (uint64_t)(uintptr_t)p - base < bytes;
}

static cudaError_t make_device(void) {
  rt_state_t *s = rt();
  wg_session_cfg_t cfg;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  wg_session_cfg_init(&cfg);
  const char *settings = getenv("WARPGLASS");
  rt_report_install();
  if (!rt_golden_ready()) return cudaErrorInitializationError;
  wg_status_t st = wg_session_parse(settings, &cfg, &d);
  if (st == kWgOk) st = wg_session_create(&cfg, &s->session, &d);
  wg_session_cfg_clear(&cfg);
  if (st != kWgOk) {
    rt_say_diag("cannot make the simulated device", &d);
    rt_fail("no device: %s", d.msg);
    return cudaErrorInitializationError;
  }
  if (!rt_queue_open(s->session)) {
    rt_fail("no device: the host has no memory for streams");
    return cudaErrorInitializationError;
  }
  wg_session_setup_t setup;
  wg_session_get_setup(s->session, &setup);
  s->record.used = true;
  s->pid = getpid();
  s->record.timing = setup.timing;
  s->record.hashes = setup.hashes;
  rt_guard_install();
  return cudaSuccess;
}

bool rt_enter(const char *func, cudaError_t *e) {
  rt_state_t *s = rt();
  if (rt_queue_in_function()) { /* as with CUDA; and this thread holds the lock */
    rt_say("%s: a host function of a stream may not call CUDA", func);
    rt_fail("%s was called by a host function of a stream", func);
    *e = cudaErrorNotPermitted;
    return false;
  }
  rt_lock();
  if (s->sticky != cudaSuccess) {
    *e = rt_leave_from(func, s->sticky);
    return false;
  }
  if (s->session != NULL && s->pid != getpid()) { /* as with CUDA: a device is not inherited */
    static bool told;
    if (!told) rt_say("the device was made before fork(): a child process cannot use it");
    told = s->record.failed = true;
    *e = rt_leave_from(func, cudaErrorInitializationError);
    return false;
  }
  if (s->session != NULL) return true;
  if (s->record.failed && !s->record.used) { /* the device could not be made: say so once, fail every time */
    *e = rt_leave_from(func, cudaErrorInitializationError);
    return false;
  }
  cudaError_t made = make_device();
  if (made == cudaSuccess) return true;
  *e = rt_leave_from(func, made);
  return false;
}

/* Whoever wants the text of an error has seen it. */
static const err_text_t *error_asked(cudaError_t e) {
  if (e != cudaSuccess && !rt_queue_in_function()) {
    rt_lock();
    rt_seen();
    pthread_mutex_unlock(&g_lock);
  }
  return error_find(e);
}

RT_API const char *cudaGetErrorString(cudaError_t error) {
  const err_text_t *t = error_asked(error);
  return t == NULL ? "unrecognized error code" : t->text;
}

RT_API const char *cudaGetErrorName(cudaError_t error) {
  const err_text_t *t = error_asked(error);
  return t == NULL ? "unrecognized error code" : t->name;
}

RT_API cudaError_t cudaGetLastError(void) {
  if (rt_queue_in_function()) return cudaErrorNotPermitted; /* its thread holds the lock */
  rt_lock();
  rt_state_t *s = rt();
  cudaError_t e = s->sticky != cudaSuccess ? s->sticky : s->last;
  s->last = cudaSuccess;
  rt_seen();
  pthread_mutex_unlock(&g_lock);
  return e;
}

RT_API cudaError_t cudaPeekAtLastError(void) {
  if (rt_queue_in_function()) return cudaErrorNotPermitted; /* its thread holds the lock */
  rt_lock();
  rt_state_t *s = rt();
  cudaError_t e = s->sticky != cudaSuccess ? s->sticky : s->last;
  rt_seen();
  pthread_mutex_unlock(&g_lock);
  return e;
}
