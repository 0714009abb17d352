// SPDX-License-Identifier: Apache-2.0
//
// The work of streams: commands that calls have queued, the host's clock, and the run of the simulated machine
// up to the point that a call waits for. Under the library's lock. See runtime/README.md, "Streams and time".
#ifndef WG_RUNTIME_RT_QUEUE_H
#define WG_RUNTIME_RT_QUEUE_H

#include "cosim/session.h"
#include "cuda_runtime_api.h"

/** Front end, copy engines and clocks of a new session. False, with a message, if the host has no memory. */
bool rt_queue_open(wg_session_t *s);
/** Forget all work and release everything; takes a queue that was never opened. */
void rt_queue_close(void);

/** The host's clock, ns since the device was made; it moves by what calls cost and by waiting. */
uint64_t rt_queue_host_ns(void);
/** A call costs that much. */
void rt_queue_spend(uint64_t ns);
/** What calls cost on this machine. */
const wg_session_host_t *rt_queue_costs(void);

/** Streams; numbers of model/front/front.h. False: there are too many. */
bool rt_queue_stream_open(bool blocking, int priority, uint32_t *stream);
void rt_queue_stream_close(uint32_t stream);

/** A copy or set of `height` rows of `width` bytes. */
typedef struct rt_move {
  wg_copy_kind_t kind;
  void *dst;
  const void *src; /* kWgCopySet: not used */
  size_t width, height, dpitch, spitch;
  int value;     /* kWgCopySet */
  bool pageable; /* the host's side is no memory of cudaMallocHost or cudaHostAlloc */
} rt_move_t;

/* Queue a command at the host's time, waiting for room first. @return its number; 0: an error sticks by then */
/** The launch is copied, its parameters too. */
uint64_t rt_queue_launch(uint32_t stream, const wg_launch_t *l);
/**
 * A copy. Pageable memory of the host is read now (staged); the host is busy with that, and beyond staging_bytes until the copy has
 * ended. Everything else moves when the copy ends.
 */
uint64_t rt_queue_move(uint32_t stream, const rt_move_t *m);
uint64_t rt_queue_record(uint32_t stream);
uint64_t rt_queue_wait(uint32_t stream, uint64_t record);
/** `with_status`: a cudaStreamCallback_t, else a cudaHostFn_t (which then has no stream and status). */
uint64_t rt_queue_function(uint32_t stream, cudaHostFn_t fn, cudaStreamCallback_t callback, cudaStream_t handle,
                           void *arg);
/** Is this thread inside such a function? It may call nothing. */
bool rt_queue_in_function(void);

/* Run the machine until something has ended, then the host's clock goes on from there. What device code printed is printed. Each
   returns the error that sticks, or success. */
cudaError_t rt_queue_finish(void);                /* everything */
cudaError_t rt_queue_finish_stream(uint32_t stream);
/** The default stream and every stream that it waits for. */
cudaError_t rt_queue_finish_legacy(void);
cudaError_t rt_queue_finish_command(uint64_t id); /* 0: nothing */
/** Up to the host's present time: what has ended by then? */
bool rt_queue_stream_idle(uint32_t stream);
bool rt_queue_command_ended(uint64_t id);
/** Simulated time at which a command ended; false if it has not, as far as the machine was run. */
bool rt_queue_end_ns(uint64_t id, uint64_t *ns);

/** Run one launch on the session: golden kernel, comparison, report (rt_launch.c). @return what the session said */
wg_status_t rt_launch_run(const wg_launch_t *l);

/* The same for grids beside each other (concurrent=on). */
/** Begin one; what `l` points to must live until its end. @return false, told and the run failed, if it cannot */
bool rt_launch_begin(const wg_launch_t *l, const wg_session_order_t *order, uint32_t *grid_id);
/** wg_session_run_until, and the judgement of a grid that ended, or of a failure. @param launch_of by grid id; any for others */
wg_status_t rt_launch_until(uint64_t ns, const wg_launch_t *(*launch_of)(uint32_t grid_id), wg_session_ended_t *ended);
/** A copy changed device memory: so does what golden kernels of running grids see. */
void rt_launch_moved(uint64_t addr, size_t bytes);

#endif
