// SPDX-License-Identifier: Apache-2.0
//
// Inside of the run-time library; see runtime/README.md. One process has one simulated device, made at the first
// call that needs it. Every public call takes the lock, so host threads may call at any time; work is done one call
// at a time; what streams hold is done when a call waits for it (rt_queue.h).
#ifndef WG_RUNTIME_RT_H
#define WG_RUNTIME_RT_H

#include "cosim/session.h"
#include "cuda_runtime_api.h"
#include "rt_queue.h"

/** Exported symbol of libcudart.so; everything else stays inside. */
#define RT_API __attribute__((visibility("default")))

/** A fat binary registered by a compiler-made constructor: the PTX text of one source file. */
typedef struct rt_image {
  struct rt_image *next;
  const char *ptx; /* NUL-terminated */
  bool tried;      /* compiled, or found to be wrong */
  wg_module_t *module;
  cudaError_t error;
} rt_image_t;

/** A kernel's or variable's host address and what it stands for. */
typedef struct rt_symbol {
  struct rt_symbol *next;
  const void *host;
  char *name; /* mangled */
  rt_image_t *image;
  bool is_var;
  bool opted_in;           /* kernels: cudaFuncSetAttribute has set max_dyn_shared */
  uint32_t max_dyn_shared; /* bytes */
} rt_symbol_t;

/** An allocation of the program. */
typedef struct rt_alloc {
  struct rt_alloc *next;
  uint64_t addr;
  size_t bytes;
  const void *site; /* of the call */
} rt_alloc_t;

/** What the verdict is made of. It outlives cudaDeviceReset. */
typedef struct rt_record {
  unsigned launches;
  uint64_t cycles, warp_insts, retire_hash;
  bool timing, hashes; /* the back end's cycles, its instruction counts mean something */
  bool used;           /* a device was made */
  bool running;        /* a launch is on its way: another thread may end the program now */
  bool failed;
  char reason[500]; /* first failure; a line of `warpglass run` has room for as much */
  char unseen[400]; /* the first failed call that the program has not asked about; a failure if it never does */
} rt_record_t;

typedef struct rt_state {
  wg_session_t *session;
  int pid; /* the process that made the session */
  rt_image_t *images;
  rt_symbol_t *symbols;
  rt_alloc_t *allocs;      /* ascending address */
  rt_alloc_t *host_allocs; /* pinned host memory, ascending address */
  uint64_t drained;        /* granules of the printf FIFO that were printed */
  cudaError_t last;   /* reset by cudaGetLastError */
  cudaError_t sticky; /* 700 and above; stays until cudaDeviceReset */
  uint32_t stack_bytes; /* cudaLimitStackSize; 0: not set */
  const void *site;     /* where the call that is being served returns to */
  rt_record_t record;
} rt_state_t;

/** The library's one state. Constructors of the program may use it before any of ours ran: it needs none. */
rt_state_t *rt(void);

void rt_lock(void);
/** Release the lock, remember `e` as the last error and return it. An error that the program never asks about makes the
    verdict a failure under the name of the call, `func`. */
cudaError_t rt_leave_from(const char *func, cudaError_t e);
#define rt_leave(E) rt_leave_from(__func__, E)
/** The program has asked for the last error, or for the text of one: none is unseen. Under the lock. */
void rt_seen(void);
/** Take the lock and see that there is a device. On failure, or when an error sticks, leaves and returns it via
 * `e`. */
bool rt_enter(const char *func, cudaError_t *e);
/** Begin of an API function that needs the device. */
#define RT_ENTER()                       \
  do {                                   \
    cudaError_t rt_e_;                   \
    if (!rt_enter(__func__, &rt_e_)) return rt_e_; \
    rt()->site = __builtin_return_address(0); \
  } while (0)

/** "warpglass: ..." on stderr. */
void rt_say(const char *fmt, ...) WG_PRINTF(1, 2);
/** A diag on stderr, after `what`. */
void rt_say_diag(const char *what, const wg_diag_t *d);
/** Note the run's first failure for the verdict, whole or cut between words. */
void rt_fail(const char *fmt, ...) WG_PRINTF(1, 2);

/** The front end's number of a default stream or one that is alive; false for anything else. */
bool rt_stream_number(cudaStream_t s, uint32_t *number);
/** The same; anything else is told on stderr, with the call. */
bool rt_stream_arg(const char *call, cudaStream_t s, uint32_t *number);
/** The device goes: no handle of a stream or event is one any more. */
void rt_stream_reset(void);
bool rt_is_device(const void *p);
/** The device window as an explained PROT_NONE range of the host (rt_guard.c). */
void rt_guard_install(void);

/** The first uncompressed PTX text in nvcc's container, as a new string; NULL if there is none.
    @param[out] compressed there is PTX, but packed */
char *rt_fatbin_ptx(const void *container, bool *compressed);
/** Compile an image if that was not done; its error, with a message on stderr the first time. */
cudaError_t rt_image_load(rt_image_t *img);
/** The symbol of a host address; NULL if there is none. */
rt_symbol_t *rt_symbol_find(const void *host, bool is_var);

/** Dynamic shared memory that a launch of the kernel may ask for, bytes: what cudaFuncSetAttribute has set, else what
    its static part leaves of sharedMemPerBlock. */
uint32_t rt_max_dyn_shared(const rt_symbol_t *sym, const wg_obj_kernel_t *k);

/** Print what device code wrote to its FIFO since the last call (rt_printf.c). Under the lock. */
void rt_drain(void);

/* Golden kernels (rt_golden.c). */
/** True if WARPGLASS_GOLDEN names a library. */
bool rt_golden_wanted(void);
/** False, with a recorded failure, if it names one that cannot be opened: told before anything runs. */
bool rt_golden_ready(void);
typedef struct rt_snapshot rt_snapshot_t;
/** Run the golden kernel on a copy of device memory: `snap`, or a new one if that is NULL. Without one, or without a golden
    kernel, a recorded failure; @return the copy */
rt_snapshot_t *rt_golden_run(rt_snapshot_t *snap, const wg_launch_t *l);
/** The host's side wrote to device memory while grids run: so does the copy. Takes NULL. */
void rt_golden_moved(rt_snapshot_t *snap, uint64_t addr, size_t bytes);
/** Compare device memory with the copy and release it; a difference is a recorded failure. */
void rt_golden_compare(rt_snapshot_t *snap, const wg_launch_t *l);
void rt_golden_drop(rt_snapshot_t *snap); /* takes NULL */

/* Checks of the program (rt_check.c); without the setting tools they do nothing. */
/** The call that is being served is wrong. */
void rt_check_host(wg_finding_kind_t kind, const char *fmt, ...) WG_PRINTF(2, 3);
/** Findings so far on stderr; an error fails the run. */
void rt_check_tell(void);
/** End of the run: leaks, if they are wanted, advice, one line of sums; each finding as a line of the record, if there is one. */
void rt_check_end(FILE *record, bool leaks);

/* Verdict and records (rt_report.c). */
void rt_report_install(void);
/** The process ends by _exit, _Exit or quick_exit, which run no handlers: report all the same. */
void rt_report_quick_exit(int status);
/** @param beside other grids ran with it: no lower bound, and counters, if any, of all of them */
void rt_report_launch(const wg_launch_t *l, const wg_launch_result_t *r, bool beside);
/** A command of a stream has ended (times in simulated ns). @param kernel launches: mangled name */
void rt_report_command(uint64_t id, const wg_front_cmd_t *c, bool pageable, const char *kernel, uint64_t submitted,
                       uint64_t start, uint64_t end);
/** Why the run has failed, at once: a program that is killed writes no end. */
void rt_report_cause(const char *reason);
/** A call of the host that is a step of its own: "malloc", "free", "mallochost", "freehost", "sync". */
void rt_report_step(const char *what, uint64_t bytes, uint64_t from_ns, uint64_t to_ns);
/** Keep a launch's counters for wg_profile (include/wg_profile.h). */
void rt_profile_launch(const wg_launch_result_t *r);

#endif
