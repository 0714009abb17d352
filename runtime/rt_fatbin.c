// SPDX-License-Identifier: Apache-2.0
//
// PTX in nvcc's image container, for programs linked from nvcc's objects. Only uncompressed PTX can be read: nvcc
// -cudart shared --no-compress -gencode arch=compute_75,code=compute_75. Layout: a header {u32 magic, u16 version,
// u16 header bytes, u64 payload bytes}, then entries {u16 kind (1 = PTX), u16, u32 header bytes, u64 payload bytes,
// ..., u64 flags at byte 40}.
#include <string.h>

#include "rt.h"

enum { kHeaderBytes = 16, kEntryMinBytes = 48, kKindPtx = 1, kCompressed = 0x8000 };

static uint64_t field(const uint8_t *at, size_t bytes) {
  uint64_t v = 0;
  memcpy(&v, at, bytes); /* little endian, as the host */
  return v;
}

char *rt_fatbin_ptx(const void *container, bool *compressed) {
  const uint8_t *at = container;
  *compressed = false;
  uint64_t head = field(at + 6, 2), left = field(at + 8, 8);
  if (head < kHeaderBytes) return NULL;
  at += head;
  while (left >= kEntryMinBytes) {
    uint64_t kind = field(at, 2), entry = field(at + 4, 4), bytes = field(at + 8, 8);
    if (entry < kEntryMinBytes || entry > left || bytes > left - entry) return NULL;
    bool packed = (field(at + 40, 8) & kCompressed) != 0;
    if (kind == kKindPtx && packed) *compressed = true;
    if (kind == kKindPtx && !packed) {
      char *text = malloc(bytes + 1);
      if (text == NULL) return NULL;
      memcpy(text, at + entry, bytes);
      text[bytes] = '\0';
      return text;
    }
    at += entry + bytes;
    left -= entry + bytes;
  }
  return NULL;
}
