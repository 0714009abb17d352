// SPDX-License-Identifier: Apache-2.0
//
// Streams and events. Every call does its work before it returns, so a stream is only a handle and an event a time.
#include "rt.h"

struct CUstream_st {
  struct CUstream_st *next;
};

struct CUevent_st {
  struct CUevent_st *next;
  bool recorded, timed;
  uint64_t ns;
};

/* The live ones: a handle of the program is only followed when it is found here. Under the library's lock. */
static cudaStream_t g_streams;
static cudaEvent_t g_events;

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

/* 0, 1 and 2 name the default streams. */
bool rt_stream_ok(cudaStream_t s) { return (uintptr_t)s <= 2 || *stream_link(s) != NULL; }
static bool event_ok(cudaEvent_t e) { return e != NULL && *event_link(e) != NULL; }

static cudaError_t stream_new(cudaStream_t *stream, unsigned int flags) {
  if (stream == NULL || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  cudaStream_t s = malloc(sizeof *s);
  if (s == NULL) return cudaErrorMemoryAllocation;
  s->next = g_streams;
  g_streams = s;
  *stream = s;
  return cudaSuccess;
}

RT_API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  RT_ENTER();
  return rt_leave(stream_new(stream, cudaStreamDefault));
}

RT_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  RT_ENTER();
  return rt_leave(stream_new(stream, flags));
}

RT_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  (void)priority;
  RT_ENTER();
  return rt_leave(stream_new(stream, flags));
}

RT_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  RT_ENTER();
  if ((uintptr_t)stream <= 2 || !rt_stream_ok(stream)) return rt_leave(cudaErrorInvalidResourceHandle);
  *stream_link(stream) = stream->next;
  free(stream);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  RT_ENTER();
  rt_drain();
  return rt_leave(rt_stream_ok(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

RT_API cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

RT_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  (void)flags;
  RT_ENTER();
  return rt_leave(rt_stream_ok(stream) && event_ok(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

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
  if (!event_ok(event)) return rt_leave(cudaErrorInvalidResourceHandle);
  *event_link(event) = event->next;
  free(event);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  RT_ENTER();
  if (!event_ok(event) || !rt_stream_ok(stream)) return rt_leave(cudaErrorInvalidResourceHandle);
  event->recorded = true;
  event->ns = wg_session_time_ns(rt()->session);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  RT_ENTER();
  rt_drain();
  return rt_leave(event_ok(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

RT_API cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

RT_API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  RT_ENTER();
  if (ms == NULL) return rt_leave(cudaErrorInvalidValue);
  if (!event_ok(start) || !event_ok(end) || !start->recorded || !end->recorded || !start->timed || !end->timed) {
    return rt_leave(cudaErrorInvalidResourceHandle);
  }
  static bool told;
  if (!rt()->record.timing && !told) {
    told = true;
    rt_say("note: this SM back end makes no timing claim: event times mean nothing");
  }
  *ms = (float)((double)((int64_t)end->ns - (int64_t)start->ns) * 1e-6);
  return rt_leave(cudaSuccess);
}
