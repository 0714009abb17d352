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

cudaError_t rt_leave(cudaError_t e) {
  if (e != cudaSuccess) rt()->last = e;
  pthread_mutex_unlock(&g_lock);
  return e;
}

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
  vsnprintf(r->reason, sizeof r->reason, fmt, ap);
  va_end(ap);
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
  wg_status_t st = wg_session_parse(settings, &cfg, &d);
  if (st == kWgOk) st = wg_session_create(&cfg, &s->session, &d);
  wg_session_cfg_clear(&cfg);
  if (st != kWgOk) {
    rt_say_diag("cannot make the simulated device", &d);
    rt_fail("no device: %.200s", d.msg);
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

bool rt_enter(cudaError_t *e) {
  rt_state_t *s = rt();
  rt_lock();
  if (s->sticky != cudaSuccess) {
    *e = rt_leave(s->sticky);
    return false;
  }
  if (s->session != NULL && s->pid != getpid()) { /* as with CUDA: a device is not inherited */
    static bool told;
    if (!told) rt_say("the device was made before fork(): a child process cannot use it");
    told = s->record.failed = true;
    *e = rt_leave(cudaErrorInitializationError);
    return false;
  }
  if (s->session != NULL) return true;
  if (s->record.failed && !s->record.used) { /* the device could not be made: say so once, fail every time */
    *e = rt_leave(cudaErrorInitializationError);
    return false;
  }
  cudaError_t made = make_device();
  if (made == cudaSuccess) return true;
  *e = rt_leave(made);
  return false;
}

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

RT_API const char *cudaGetErrorString(cudaError_t error) {
  const err_text_t *t = error_find(error);
  return t == NULL ? "unrecognized error code" : t->text;
}

RT_API const char *cudaGetErrorName(cudaError_t error) {
  const err_text_t *t = error_find(error);
  return t == NULL ? "unrecognized error code" : t->name;
}

RT_API cudaError_t cudaGetLastError(void) {
  rt_lock();
  rt_state_t *s = rt();
  cudaError_t e = s->sticky != cudaSuccess ? s->sticky : s->last;
  s->last = cudaSuccess;
  s->record.unseen[0] = '\0';
  pthread_mutex_unlock(&g_lock);
  return e;
}

RT_API cudaError_t cudaPeekAtLastError(void) {
  rt_lock();
  rt_state_t *s = rt();
  cudaError_t e = s->sticky != cudaSuccess ? s->sticky : s->last;
  s->record.unseen[0] = '\0';
  pthread_mutex_unlock(&g_lock);
  return e;
}
