// SPDX-License-Identifier: Apache-2.0
//
// Device code behind printf, assert, malloc and free. The build makes PTX of it, which the PTX compiler puts into each
// program that calls them (toolchain/devlib/wg_devlib.h). Only one ordinary memory and its atomics are used: the
// hardware has no system call. A function is put in where a program calls it once, and called where it does so from several
// places; the line of what ends in a TRAP has to be the program's, so those parts are functions of their own, put in always.
#include "toolchain/devlib/wg_fifo.h"

#define WG_DEV __attribute__((device))
#define WG_PART extern "C" __attribute__((device, noinline)) /* of a function that keeps its callers' lines */
#define WG_FN static inline __attribute__((device, always_inline))
#define WG_GLOBAL __attribute__((address_space(1)))

typedef unsigned u32;
typedef unsigned long long u64;
typedef WG_GLOBAL unsigned char *at_t;

/* Addresses that the launch hands over in c[0][0x28] and c[0][0x30]. */
WG_FN at_t fifo(void) {
  u64 a;
  asm("mov.u64 %0, %%wg_fifo;" : "=l"(a));
  return (at_t)a;
}
WG_FN at_t heap(void) {
  u64 a;
  asm("mov.u64 %0, %%wg_heap;" : "=l"(a));
  return (at_t)a;
}
WG_FN u32 load32(at_t p) { return *(volatile WG_GLOBAL u32 *)p; }
WG_FN u64 load64(at_t p) { return *(volatile WG_GLOBAL u64 *)p; }
WG_FN u32 add32(at_t p, u32 v) { return (u32)__nvvm_atom_add_gen_i((int *)p, (int)v); }
WG_FN u64 add64(at_t p, u64 v) { return (u64)__nvvm_atom_add_gen_ll((long long *)p, (long long)v); }
WG_FN u64 cas64(at_t p, u64 want, u64 v) {
  return (u64)__nvvm_atom_cas_gen_ll((long long *)p, (long long)want, (long long)v);
}

/* ---- the FIFO ---- */

typedef struct {
  at_t ring, at;            /* the ring, the present granule */
  u32 slots, slot;          /* granules of the ring, the present one */
  u32 number, index, count; /* low bits of the granule's number, its place in the record, granules of the record */
  u32 word;                 /* next payload word in it */
} writer_t;

/* Reserve room for a record. False: the ring is smaller than it. */
WG_FN bool open(writer_t *w, u32 words) {
  at_t f = fifo();
  w->slots = load32(f + kWgFifoCount);
  w->count = (words + kWgFifoWords - 1) / kWgFifoWords;
  if (w->count > w->slots || w->count > kWgFifoMaxGranules) return false;
  u64 number = add64(f + kWgFifoTail, w->count);
  w->number = (u32)number;
  w->slot = (u32)(number % w->slots);
  w->ring = f + kWgFifoHead;
  w->at = w->ring + (u64)w->slot * kWgFifoGranule;
  w->index = w->word = 0;
  return true;
}

/* The header goes last: stores of one lane to one sector keep their order. */
WG_FN void close(writer_t *w) {
  volatile WG_GLOBAL u32 *head = (volatile WG_GLOBAL u32 *)w->at;
  head[1] = w->index << 16 | w->count;
  head[0] = w->number + w->index + 1;
  w->index++;
  w->slot++;
  w->at += kWgFifoGranule;
  if (w->slot == w->slots) {
    w->slot = 0;
    w->at = w->ring;
  }
  w->word = 0;
}

WG_FN void put(writer_t *w, u32 v) {
  ((volatile WG_GLOBAL u32 *)w->at)[2 + w->word] = v;
  w->word++;
  if (w->word == kWgFifoWords) close(w);
}

WG_FN void put64(writer_t *w, u64 v) {
  put(w, (u32)v);
  put(w, (u32)(v >> 32));
}

/* Strings of a record: counted in the first pass, written byte by byte in the second. */
typedef struct {
  writer_t w;
  bool write;
  u32 bytes, acc;
} text_t;

WG_FN void put_text(text_t *t, const char *s) {
  u32 c;
  u64 null = 0x296c6c756e28; /* "(null)", without a variable in the program's module */
  do {
    c = s != nullptr ? (unsigned char)*s++ : (u32)null & 255;
    null >>= 8;
    if (t->write) {
      t->acc |= c << (8 * (t->bytes & 3));
      if ((t->bytes & 3) == 3) {
        put(&t->w, t->acc);
        t->acc = 0;
      }
    }
    t->bytes++;
  } while (c != 0);
}

/* One pass over the format: bytes of arguments, their number; strings go to `t`, before all the format itself if
 * `text`. */
WG_FN u32 walk(const char *p, const char *args, bool text, text_t *t, u32 *bytes) {
  u32 at = 0, n = 0, c;
  bool in = false, wide = false;
  const char *s = p;
  for (;;) {
    if (text) put_text(t, s);
    text = false;
    c = (unsigned char)*p++;
    if (c == 0) break;
    if (!in) {
      in = c == '%';
      wide = false;
      continue;
    }
    u32 size = 0;
    if (c == '*') {
      size = 4;
    } else {
      if (WG_FMT_IN(c, FLAGS)) continue;
      if (WG_FMT_IN(c, LONG)) {
        wide = true;
        continue;
      }
      in = false;
      if (WG_FMT_IN(c, INT)) size = wide && c != 'c' ? 8 : 4;
      if (WG_FMT_IN(c, F64)) size = 8;
      if (size == 0) continue;
    }
    at = (at + size - 1) & ~(size - 1);
    if (c == 's') {
      s = *(const char *const *)(args + at);
      text = true;
    }
    at += size;
    n++;
  }
  *bytes = (at + 3) & ~3u;
  return n;
}

/* In shared or local memory: gone when the host looks. */
WG_FN bool passing(const void *p) { return (u64)p >> 40 == 0; }

/* What clang and nvcc make of printf: arguments lie at their natural alignment behind `args`.
   Returns the number of arguments, as CUDA documents it: -1 without a format, -2 if the record cannot be stored. */
extern "C" WG_DEV int __wg_lib_vprintf(const char *format, const char *args) {
  if (format == nullptr) return -1;
  text_t t;
  t.write = false;
  t.bytes = t.acc = 0;
  u32 bytes, n = 0;
  bool text = passing(format);
  for (;;) {
    n = walk(format, args, text, &t, &bytes);
    if (t.write) break;
    if (!open(&t.w, kWgRecPrintfWords + bytes / 4 + (t.bytes + 3) / 4)) return -2;
    u32 head[kWgRecPrintfWords] = {text ? (u32)kWgRecPrintfText : (u32)kWgRecPrintf, bytes, (u32)(u64)format,
                                   (u32)((u64)format >> 32)};
#pragma clang loop unroll(disable)
    for (u32 i = 0; i < kWgRecPrintfWords + bytes / 4; i++) {
      put(&t.w, i == 0   ? head[0]
                : i == 1 ? head[1]
                : i == 2 ? head[2]
                : i == 3 ? head[3]
                         : *(const u32 *)(args + 4 * (i - 4)));
    }
    if (t.bytes == 0) break;
    t.write = true;
    t.bytes = 0;
  }
  if ((t.bytes & 3) != 0) put(&t.w, t.acc);
  if (t.w.word != 0) close(&t.w);
  return (int)n;
}

extern "C" WG_DEV void __wg_lib_trap1(void); /* the compiler makes TRAP 1 of a call */

WG_PART void __wg_lib_record_assert(const char *message, const char *file, u32 line, const char *function) {
  writer_t w;
  if (open(&w, kWgRecAssertWords)) {
    put(&w, kWgRecAssert);
    put(&w, line);
    put64(&w, (u64)file);
    put64(&w, (u64)function);
    put64(&w, (u64)message);
    put(&w, __nvvm_read_ptx_sreg_ctaid_x());
    put(&w, __nvvm_read_ptx_sreg_ctaid_y());
    put(&w, __nvvm_read_ptx_sreg_ctaid_z());
    put(&w, __nvvm_read_ptx_sreg_tid_x());
    put(&w, __nvvm_read_ptx_sreg_tid_y());
    put(&w, __nvvm_read_ptx_sreg_tid_z());
    close(&w);
  }
  __nvvm_membar_gl();
}

/* The record, then the fault: the host prints CUDA's message. */
extern "C" WG_DEV void __wg_lib___assertfail(const char *message, const char *file, u32 line, const char *function,
                                             u64 char_size) {
  (void)char_size;
  __wg_lib_record_assert(message, file, line, function);
  __wg_lib_trap1();
}

/* ---- the heap ---- */

WG_FN u64 low_bits(u32 n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }

/* At most 64 units out of one chunk, without a lock: somebody's failure is another one's success. 0: none found. */
WG_FN u64 claim_part(at_t h, u32 units, u32 chunks) {
  u32 c = load32(h + kWgHeapHint);
  for (u32 i = 0; i < chunks; i++, c++) {
    if (c >= chunks) c = 0;
    at_t word = h + kWgHeapHead + 8ull * c;
    u64 used = load64(word);
    for (;;) {
      u64 run = ~used; /* bit k: units k to k + len - 1 are free */
      for (u32 len = 1; len < units;) {
        u32 step = len < units - len ? len : units - len;
        run &= run >> step;
        len += step;
      }
      if (run == 0) break;
      u32 bit = (u32)__builtin_ctzll(run);
      u64 seen = cas64(word, used, used | low_bits(units) << bit);
      if (seen == used) {
        *(volatile WG_GLOBAL u32 *)(h + kWgHeapHint) = c;
        return (u64)h + load32(h + kWgHeapData) + (u64)c * kWgHeapChunk + (u64)bit * kWgHeapUnit;
      }
      used = seen;
    }
  }
  return 0;
}

/* Bits of the i-th chunk of a block that takes whole chunks; the last one may be a part. */
WG_FN u64 chunk_bits(u32 units, u32 i) { return low_bits(units - 64 * i); }

/* Give the n chunks before chunk c back. @return 0 */
WG_FN u32 drop(at_t h, u32 c, u32 n) {
  for (; n != 0; n--) __nvvm_atom_and_gen_ll((long long *)(h + kWgHeapHead + 8ull * (c - n)), 0);
  return 0;
}

/* Chunks side by side, under the lock; the search begins where the last one ended. What was taken in vain is given
 * back. */
WG_FN u64 claim_chunks(at_t h, u32 units, u32 chunks) {
  u32 want = (units + 63) / 64, have = 0, c = load32(h + kWgHeapNext);
  for (u32 i = 0; i < chunks + want - 1; i++, c++) {
    if (c >= chunks) c = have = drop(h, chunks, have); /* a block does not go around the end */
    if (cas64(h + kWgHeapHead + 8ull * c, 0, chunk_bits(units, have)) == 0) {
      if (++have < want) continue;
      *(volatile WG_GLOBAL u32 *)(h + kWgHeapNext) = c + 1;
      return (u64)h + load32(h + kWgHeapData) + (u64)(c + 1 - have) * kWgHeapChunk;
    }
    have = drop(h, c, have);
  }
  drop(h, c, have);
  return 0;
}

/* Has a search for as much or less failed since the last free? */
WG_FN bool known_full(at_t h, u32 units) {
  u64 failed = load64(h + kWgHeapFailed);
  return units >= (u32)failed && (u32)(failed >> 32) == load32(h + kWgHeapFrees);
}

/* One lane of the warp at a time comes here. A search without the lock that found nothing may have met chunks that the
   lock's holder was only trying, so it is repeated. */
WG_FN u64 claim_locked(at_t h, u32 units, u32 chunks) {
  u64 block = 0;
  while (__nvvm_atom_cas_gen_i((int *)(h + kWgHeapLock), 0, 1) != 0) {
  }
  u32 frees = load32(h + kWgHeapFrees);
  if (!known_full(h, units)) {
    block = units > 64 ? claim_chunks(h, units, chunks) : claim_part(h, units, chunks);
    if (block == 0) *(volatile WG_GLOBAL u64 *)(h + kWgHeapFailed) = (u64)frees << 32 | units;
  }
  __nvvm_atom_xchg_gen_i((int *)(h + kWgHeapLock), 0);
  return block;
}

extern "C" WG_DEV void *__wg_lib_malloc(u64 size) {
  at_t h = heap();
  u32 chunks = load32(h + kWgHeapChunks);
  if (size == 0 || size > (u64)chunks * kWgHeapChunk - kWgHeapTag) return nullptr;
  u32 units = (u32)((size + kWgHeapTag + kWgHeapUnit - 1) / kWgHeapUnit);
  u64 block = 0;
  if (known_full(h, units)) return nullptr;
  if (units <= 64) block = claim_part(h, units, chunks);
  if (block == 0) { /* lanes of a warp that waited for each other's lock could wait for ever under a SIMT stack */
    u32 lane = __nvvm_read_ptx_sreg_laneid();
    for (u32 turn = __nvvm_activemask(); turn != 0; turn &= turn - 1) {
      if (lane == (u32)__builtin_ctz(turn)) block = claim_locked(h, units, chunks);
    }
    if (block == 0) return nullptr;
  }
  WG_GLOBAL u32 *tag = (WG_GLOBAL u32 *)block;
  tag[0] = units;
  tag[1] = kWgHeapMagic ^ units;
  return (void *)(block + kWgHeapTag);
}

/* @return 0: malloc never returned p, or it was freed before */
WG_PART u32 __wg_lib_give_back(void *p) {
  if (p == nullptr) return 1;
  at_t h = heap(), block = (at_t)((u64)p - kWgHeapTag), data = h + load32(h + kWgHeapData);
  u32 chunks = load32(h + kWgHeapChunks), units = 0;
  if (((u64)p & 15) == 0 && (u64)block - (u64)data < (u64)chunks * kWgHeapChunk) {
    units = load32(block);
    __nvvm_membar_gl(); /* what this thread did with the memory comes before what its next owner does */
    u32 magic = (u32)__nvvm_atom_xchg_gen_i((int *)(block + 4), 0);
    if (magic != (kWgHeapMagic ^ units) || units == 0) units = 0;
  }
  if (units == 0) return 0;
  u64 unit = ((u64)block - (u64)data) / kWgHeapUnit;
  u32 c = (u32)(unit / 64), bit = (u32)(unit % 64);
  at_t word = h + kWgHeapHead + 8ull * c;
  *(volatile WG_GLOBAL u32 *)(h + kWgHeapHint) = c;
  for (u32 left = units;;) {
    u32 n = left < 64 ? left : 64;
    __nvvm_atom_and_gen_ll((long long *)word, (long long)~(low_bits(n) << bit));
    if (left <= 64) break;
    left -= 64;
    word += 8;
  }
  add32(h + kWgHeapFrees, 1); /* what failed before may succeed now */
  return 1;
}

extern "C" WG_DEV void __wg_lib_free(void *p) {
  if (__wg_lib_give_back(p) == 0) __builtin_trap();
}
