// SPDX-License-Identifier: Apache-2.0
//
// Streams and events: handles of the program for streams and commands of the queue.
#include "rt.h"

struct CUstream_st {
  struct CUstream_st *next;
  uint32_t number; /* of the front end */
  unsigned flags;
  int priority;
};

struct CUevent_st {
  struct CUevent_st *next;
  bool timed;
  uint64_t record; /* number of its latest record, 0 = none */
};

enum { kLeastPriority = 0, kGreatestPriority = -5 }; /* as an H200 reports */

/* The live ones: a handle of the program is only followed when it is found here. Under the library's lock. */
static cudaStream_t g_streams;
static cudaEvent_t g_events;
static unsigned g_device = 1; /* how many devices there were: per-thread streams die with theirs */

static _Thread_local struct {
  unsigned device;
  uint32_t number;
} t_stream;

/* The link that leads to `s`; its target is NULL if there is no such stream. */
static cudaStream_t *stream_link(cudaStream_t s) {
  cudaStream_t *at = &g_streams;
  while (*at != NULL && *at != s) at = &(*at)->next;
  return at;
}

static cudaEvent_t *event_link(cudaEvent_t e) {
  cudaEvent_t *at = &g_events;
  while (*at != NULL && *at != e) at = &(*at)->next;
  return at;
}

static bool event_arg(const char *call, cudaEvent_t e) {
  if (e != NULL && *event_link(e) != NULL) return true;
  rt_say("%s: %p is no event, or it was destroyed before", call, (void *)e);
  return false;
}

/* 0 and 1 name the default stream of all threads, 2 that of the calling one, which is a blocking stream like others. */
bool rt_stream_number(cudaStream_t s, uint32_t *number) {
  *number = kWgFrontLegacy;
  if ((uintptr_t)s < 2) return true;
  if (s == cudaStreamPerThread) {
    if (t_stream.device != g_device && !rt_queue_stream_open(true, kLeastPriority, &t_stream.number)) return false;
    t_stream.device = g_device;
    *number = t_stream.number;
    return true;
  }
  if (*stream_link(s) == NULL) return false;
  *number = s->number;
  return true;
}

bool rt_stream_arg(const char *call, cudaStream_t s, uint32_t *number) {
  if (rt_stream_number(s, number)) return true;
  rt_say("%s: %p is no stream, or it was destroyed before", call, (void *)s);
  return false;
}

void rt_stream_reset(void) {
  while (g_streams != NULL) {
    cudaStream_t next = g_streams->next;
    free(g_streams);
    g_streams = next;
  }
  while (g_events != NULL) {
    cudaEvent_t next = g_events->next;
    free(g_events);
    g_events = next;
  }
  g_device++;
}

static cudaError_t stream_new(cudaStream_t *stream, unsigned int flags, int priority) {
  if (stream == NULL || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  cudaStream_t s = malloc(sizeof *s);
  if (s == NULL) return cudaErrorMemoryAllocation;
  if (priority > kLeastPriority) priority = kLeastPriority; /* CUDA clamps */
  if (priority < kGreatestPriority) priority = kGreatestPriority;
  *s = (struct CUstream_st){g_streams, 0, flags, priority};
  if (!rt_queue_stream_open(flags != cudaStreamNonBlocking, priority, &s->number)) {
    free(s);
    return cudaErrorMemoryAllocation;
  }
  g_streams = s;
  *stream = s;
  rt_queue_spend(rt_queue_costs()->call_ns);
  return cudaSuccess;
}

RT_API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  RT_ENTER();
  return rt_leave(stream_new(stream, cudaStreamDefault, kLeastPriority));
}

RT_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  RT_ENTER();
  return rt_leave(stream_new(stream, flags, kLeastPriority));
}

RT_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  RT_ENTER();
  return rt_leave(stream_new(stream, flags, priority));
}

RT_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  RT_ENTER();
  if (least != NULL) *least = kLeastPriority;
  if (greatest != NULL) *greatest = kGreatestPriority;
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  if (priority == NULL) return rt_leave(cudaErrorInvalidValue);
  *priority = (uintptr_t)stream <= 2 ? kLeastPriority : stream->priority;
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  if (flags == NULL) return rt_leave(cudaErrorInvalidValue);
  *flags = (uintptr_t)stream <= 2 ? cudaStreamDefault : stream->flags;
  return rt_leave(cudaSuccess);
}

/* What is queued is still done. */
RT_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  RT_ENTER();
  cudaStream_t *link = stream_link(stream);
  if ((uintptr_t)stream <= 2 || *link == NULL) {
    rt_say("cudaStreamDestroy: %p is no stream that can be destroyed, or it was destroyed before", (void *)stream);
    return rt_leave(cudaErrorInvalidResourceHandle);
  }
  *link = stream->next;
  rt_queue_stream_close(stream->number);
  free(stream);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  rt_queue_spend(rt_queue_costs()->query_ns);
  return rt_leave(rt_queue_finish_stream(number));
}

/* The answer of a question about work: a fault that came to light, done, or not yet. */
static cudaError_t answer(bool done) {
  return rt()->sticky != cudaSuccess ? rt()->sticky : done ? cudaSuccess : cudaErrorNotReady;
}

RT_API cudaError_t cudaStreamQuery(cudaStream_t stream) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  rt_queue_spend(rt_queue_costs()->query_ns);
  bool idle = rt_queue_stream_idle(number);
  return rt_leave(answer(idle));
}

/* An event that was never recorded holds nobody. */
RT_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  (void)flags;
  RT_ENTER();
  uint32_t number;
  if (!event_arg(__func__, event) || !rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  rt_queue_spend(rt_queue_costs()->call_ns);
  if (event->record != 0) (void)rt_queue_wait(number, event->record);
  return rt_leave(rt()->sticky);
}

RT_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *arg) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  if (fn == NULL) return rt_leave(cudaErrorInvalidValue);
  rt_queue_spend(rt_queue_costs()->call_ns);
  (void)rt_queue_function(number, fn, NULL, stream, arg);
  return rt_leave(rt()->sticky);
}

RT_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *arg,
                                         unsigned int flags) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  if (callback == NULL || flags != 0) return rt_leave(cudaErrorInvalidValue);
  rt_queue_spend(rt_queue_costs()->call_ns);
  (void)rt_queue_function(number, NULL, callback, stream, arg);
  return rt_leave(rt()->sticky);
}

/* ---- events ---- */

static cudaError_t event_new(cudaEvent_t *event, unsigned int flags) {
  if (event == NULL) return cudaErrorInvalidValue;
  cudaEvent_t e = calloc(1, sizeof *e);
  if (e == NULL) return cudaErrorMemoryAllocation;
  e->next = g_events;
  g_events = e;
  e->timed = (flags & cudaEventDisableTiming) == 0;
  *event = e;
  return cudaSuccess;
}

RT_API cudaError_t cudaEventCreate(cudaEvent_t *event) {
  RT_ENTER();
  return rt_leave(event_new(event, cudaEventDefault));
}

RT_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  RT_ENTER();
  return rt_leave(event_new(event, flags));
}

RT_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  RT_ENTER();
  if (!event_arg(__func__, event)) return rt_leave(cudaErrorInvalidResourceHandle);
  *event_link(event) = event->next;
  free(event);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  RT_ENTER();
  uint32_t number;
  if (!event_arg(__func__, event) || !rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  rt_queue_spend(rt_queue_costs()->call_ns);
  event->record = rt_queue_record(number);
  return rt_leave(rt()->sticky);
}

RT_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  RT_ENTER();
  if (!event_arg(__func__, event)) return rt_leave(cudaErrorInvalidResourceHandle);
  rt_queue_spend(rt_queue_costs()->query_ns);
  return rt_leave(rt_queue_finish_command(event->record));
}

RT_API cudaError_t cudaEventQuery(cudaEvent_t event) {
  RT_ENTER();
  if (!event_arg(__func__, event)) return rt_leave(cudaErrorInvalidResourceHandle);
  rt_queue_spend(rt_queue_costs()->query_ns);
  bool ended = rt_queue_command_ended(event->record);
  return rt_leave(answer(ended));
}

RT_API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  RT_ENTER();
  if (ms == NULL) return rt_leave(cudaErrorInvalidValue);
  if (!event_arg(__func__, start) || !event_arg(__func__, end)) return rt_leave(cudaErrorInvalidResourceHandle);
  if (start->record == 0 || end->record == 0 || !start->timed || !end->timed) {
    rt_say("cudaEventElapsedTime: an event was %s",
           start->record == 0 || end->record == 0 ? "never recorded" : "created with cudaEventDisableTiming");
    return rt_leave(cudaErrorInvalidResourceHandle);
  }
  rt_queue_spend(rt_queue_costs()->query_ns);
  uint64_t from = 0, to = 0;
  bool ended = rt_queue_command_ended(start->record) && rt_queue_command_ended(end->record);
  if (!ended || !rt_queue_end_ns(start->record, &from) || !rt_queue_end_ns(end->record, &to))
    return rt_leave(answer(false));
  static bool told;
  if (!rt()->record.timing && !told) {
    told = true;
    rt_say("note: this SM back end makes no timing claim: event times mean nothing");
  }
  *ms = (float)((double)((int64_t)to - (int64_t)from) * 1e-6);
  return rt_leave(cudaSuccess);
}
