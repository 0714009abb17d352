// SPDX-License-Identifier: Apache-2.0
//
// Streams and events. Every call does its work before it returns, so a stream is only a handle and an event a time.
#include "rt.h"

enum { kStreamTag = 0x53744d31, kEventTag = 0x45764e31 };

struct CUstream_st {
  int tag;
};

struct CUevent_st {
  int tag;
  bool recorded, timed;
  uint64_t ns;
};

/* 0, 1 and 2 name the default streams. */
static bool stream_ok(cudaStream_t s) { return (uintptr_t)s <= 2 || s->tag == kStreamTag; }
static bool event_ok(cudaEvent_t e) { return e != NULL && e->tag == kEventTag; }

static cudaError_t stream_new(cudaStream_t *stream, unsigned int flags) {
  if (stream == NULL || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  cudaStream_t s = malloc(sizeof *s);
  if (s == NULL) return cudaErrorMemoryAllocation;
  s->tag = kStreamTag;
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
  if ((uintptr_t)stream <= 2 || stream->tag != kStreamTag) return rt_leave(cudaErrorInvalidResourceHandle);
  stream->tag = 0;
  free(stream);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  RT_ENTER();
  return rt_leave(stream_ok(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

RT_API cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

RT_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  (void)flags;
  RT_ENTER();
  return rt_leave(stream_ok(stream) && event_ok(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

static cudaError_t event_new(cudaEvent_t *event, unsigned int flags) {
  if (event == NULL) return cudaErrorInvalidValue;
  cudaEvent_t e = calloc(1, sizeof *e);
  if (e == NULL) return cudaErrorMemoryAllocation;
  e->tag = kEventTag;
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
  event->tag = 0;
  free(event);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  RT_ENTER();
  if (!event_ok(event) || !stream_ok(stream)) return rt_leave(cudaErrorInvalidResourceHandle);
  event->recorded = true;
  event->ns = wg_session_time_ns(rt()->session);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  RT_ENTER();
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
