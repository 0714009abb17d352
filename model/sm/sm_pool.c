// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "model/sm/sm_pool.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Turns of a waiting loop before it sleeps, at most: some microseconds, about what a futex call costs. A wait that had to sleep all
   the same halves a thread's number, one that did not doubles it: on cores of their own threads spin, on a busy host they give the
   core away. */
enum { kSpins = 256 };

/** A number that threads wait for. */
typedef struct wait {
  _Atomic uint32_t value, sleepers; /* sleepers: threads that must be woken when it changes */
} wait_t;

typedef struct worker {
  wg_sm_pool_t *pool;
  uint32_t first; /* its SMs: first, first + jobs, ... */
  pthread_t thread;
} worker_t;

struct wg_sm_pool {
  wg_sm_t *const *sms;
  uint32_t num_sms, jobs;
  uint32_t max_spins, spins; /* spins: the caller's own number */
  uint64_t time_ns;
  bool kill, quit;
  _Alignas(64) wait_t turn; /* a new number starts a cycle */
  _Alignas(64) wait_t left; /* threads that have not finished it */
  worker_t worker[kWgMaxJobs];        /* [1, jobs): the others; 0 is the caller */
};

static void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/* Until the value is no longer `old`. A waker changes it and then looks for sleepers, a sleeper counts itself and then looks at the
   value: one of them sees the other. */
static void wait_change(wait_t *w, uint32_t old, uint32_t *spins, uint32_t max) {
  for (uint32_t i = 0; i < *spins; i++) {
    if (atomic_load_explicit(&w->value, memory_order_acquire) != old) {
      *spins = 2 * *spins < max ? 2 * *spins : max;
      return;
    }
    relax();
  }
  *spins = *spins > 16 ? *spins / 2 : *spins;
  atomic_fetch_add(&w->sleepers, 1);
  while (atomic_load(&w->value) == old) {
    (void)syscall(SYS_futex, (uint32_t *)&w->value, FUTEX_WAIT_PRIVATE, old, NULL, NULL, 0);
  }
  atomic_fetch_sub(&w->sleepers, 1);
}

static void wake(wait_t *w) {
  if (atomic_load(&w->sleepers) == 0) return;
  (void)syscall(SYS_futex, (uint32_t *)&w->value, FUTEX_WAKE_PRIVATE, kWgMaxJobs, NULL, NULL, 0);
}

static void tick_share(wg_sm_pool_t *p, uint32_t first) {
  for (uint32_t i = first; i < p->num_sms; i += p->jobs) p->sms[i]->ops->tick(p->sms[i], p->time_ns, p->kill);
}

static void *work(void *arg) {
  worker_t *w = arg;
  wg_sm_pool_t *p = w->pool;
  uint32_t spins = p->max_spins;
  for (uint32_t turn = 0;; turn++) {
    wait_change(&p->turn, turn, &spins, p->max_spins);
    if (p->quit) return NULL;
    tick_share(p, w->first);
    if (atomic_fetch_sub(&p->left.value, 1) == 1) wake(&p->left);
  }
}

static void start_turn(wg_sm_pool_t *p) {
  atomic_store(&p->left.value, p->jobs - 1);
  atomic_fetch_add(&p->turn.value, 1);
  wake(&p->turn);
}

void wg_sm_pool_tick(wg_sm_pool_t *p, uint64_t time_ns, bool kill) {
  p->time_ns = time_ns;
  p->kill = kill;
  if (p->jobs > 1) start_turn(p);
  tick_share(p, 0);
  uint32_t left;
  while ((left = atomic_load_explicit(&p->left.value, memory_order_acquire)) != 0) wait_change(&p->left, left, &p->spins, p->max_spins);
}

/* Signals are for the program's own threads. */
static wg_status_t start_threads(wg_sm_pool_t *p, uint32_t jobs, wg_diag_t *diag) {
  sigset_t all, before;
  sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  for (p->jobs = 1; p->jobs < jobs; p->jobs++) {
    worker_t *w = &p->worker[p->jobs];
    w->pool = p;
    w->first = p->jobs;
    if (pthread_create(&w->thread, NULL, work, w) != 0) break;
  }
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (p->jobs == jobs) return kWgOk;
  return wg_fail(diag, kWgNoSpace, "the host gives %u of %u threads for SMs", p->jobs, jobs);
}

wg_status_t wg_sm_pool_create(wg_sm_t *const *sms, uint32_t num_sms, uint32_t jobs, wg_sm_pool_t **out,
                              wg_diag_t *diag) {
  if (sms == NULL || num_sms < 1 || jobs < 1 || jobs > kWgMaxJobs)
    return wg_fail(diag, kWgBadArg, "SMs tick in 1 to %d threads, not %u", kWgMaxJobs, jobs);
  wg_sm_pool_t *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);
  if (p == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for threads");
  *p = (wg_sm_pool_t){.sms = sms, .num_sms = num_sms};
  uint32_t threads = jobs < num_sms ? jobs : num_sms;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  p->max_spins = p->spins = cores > 0 && (uint32_t)cores >= threads ? kSpins : 0; /* more threads than cores: who spins holds up the others */
  wg_status_t st = start_threads(p, threads, diag);
  if (st != kWgOk) {
    wg_sm_pool_destroy(p);
    return st;
  }
  *out = p;
  return kWgOk;
}

void wg_sm_pool_destroy(wg_sm_pool_t *p) {
  if (p == NULL) return;
  p->quit = true;
  start_turn(p);
  for (uint32_t i = 1; i < p->jobs; i++) (void)pthread_join(p->worker[i].thread, NULL);
  free(p);
}
