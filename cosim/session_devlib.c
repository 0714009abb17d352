// SPDX-License-Identifier: Apache-2.0
//
// Memory of the device library (toolchain/devlib): the printf FIFO and the malloc heap, in the driver area. They are
// made when a module is loaded whose code asks for them, so that a program without them sees the addresses it always
// saw.
#include <string.h>

#include "cosim/session_int.h"
#include "toolchain/devlib/wg_fifo.h"

/* A FIFO's least size lets one assertion's record in; granules and units are counted in 32 bits. */
enum { kMinFifo = 1024, kMinHeap = kWgHeapChunk, kMaxPool = 1 << 30 };

void wg_session_devlib_init(wg_session_t *s) {
  s->fifo_bytes = kWgFifoDefault;
  s->heap_bytes = kWgHeapDefault;
}

uint64_t wg_session_pool(const wg_session_t *s, wg_session_pool_t pool, uint64_t *bytes) {
  if (bytes != NULL) *bytes = pool == kWgPoolFifo ? s->fifo_bytes : s->heap_bytes;
  return pool == kWgPoolFifo ? s->fifo : s->heap;
}

wg_status_t wg_session_set_pool(wg_session_t *s, wg_session_pool_t pool, uint64_t bytes, wg_diag_t *diag) {
  const char *name = pool == kWgPoolFifo ? "the printf FIFO" : "the malloc heap";
  uint64_t unit = pool == kWgPoolFifo ? (uint64_t)kWgFifoGranule : (uint64_t)kWgHeapChunk;
  uint64_t least = pool == kWgPoolFifo ? (uint64_t)kMinFifo : (uint64_t)kMinHeap;
  if (wg_session_pool(s, pool, NULL) != 0) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "set it before the first launch of a kernel of that kind");
    return wg_fail(diag, kWgBadArg, "%s is in use and cannot change its size", name);
  }
  if (bytes > kMaxPool || bytes > s->preset.global_bytes) {
    return wg_fail(diag, kWgBadArg, "%llu bytes are too many for %s", (unsigned long long)bytes, name);
  }
  bytes = bytes < least ? least : (bytes + unit - 1) / unit * unit;
  *(pool == kWgPoolFifo ? &s->fifo_bytes : &s->heap_bytes) = bytes;
  return kWgOk;
}

/* Does the code read the 8 bytes of constant bank 0 at `at`? */
static bool reads(const wg_obj_t *o, uint32_t at) {
  for (size_t k = 0; k < o->num_kernels; k++) {
    for (uint32_t i = 0; i < o->kernels[k].num_insns; i++) {
      wg_insn_t in;
      if (wg_decode(o->kernels[k].code[i], &in) != kWgOk) continue;
      if (in.form == kWgFormConst && in.cbank == 0 && in.coff >= at && in.coff < at + 8) return true;
    }
  }
  return false;
}

static wg_status_t make_fifo(wg_session_t *s, wg_diag_t *diag) {
  uint8_t head[kWgFifoHead] = {0};
  uint32_t count = (uint32_t)(s->fifo_bytes / kWgFifoGranule);
  uint64_t addr = 0;
  WG_TRY(wg_store_alloc_driver(s->store, kWgFifoHead + s->fifo_bytes, 256, &addr, diag));
  WG_TRY(wg_store_memset(s->store, addr, 0, kWgFifoHead + s->fifo_bytes, diag));
  memcpy(head + kWgFifoCount, &count, sizeof count);
  WG_TRY(wg_store_write(s->store, addr, head, sizeof head, diag));
  s->fifo = addr;
  return kWgOk;
}

static wg_status_t make_heap(wg_session_t *s, wg_diag_t *diag) {
  uint8_t head[kWgHeapHead] = {0};
  uint32_t chunks = (uint32_t)(s->heap_bytes / kWgHeapChunk), none = UINT32_MAX; /* no search has failed */
  uint32_t data = (kWgHeapHead + 8 * chunks + 255u) & ~255u;
  uint64_t addr = 0;
  WG_TRY(wg_store_alloc_driver(s->store, data + s->heap_bytes, 256, &addr, diag));
  WG_TRY(wg_store_memset(s->store, addr, 0, data, diag)); /* the memory may have been somebody else's */
  memcpy(head + kWgHeapChunks, &chunks, sizeof chunks);
  memcpy(head + kWgHeapFailed, &none, sizeof none);
  memcpy(head + kWgHeapData, &data, sizeof data);
  WG_TRY(wg_store_write(s->store, addr, head, sizeof head, diag));
  s->heap = addr;
  return kWgOk;
}

wg_status_t wg_session_devlib_load(wg_session_t *s, const wg_obj_t *o, wg_diag_t *diag) {
  if (s->fifo == 0 && reads(o, kWgBank0Fifo)) WG_TRY(make_fifo(s, diag));
  if (s->heap == 0 && reads(o, kWgBank0Heap)) WG_TRY(make_heap(s, diag));
  return kWgOk;
}
