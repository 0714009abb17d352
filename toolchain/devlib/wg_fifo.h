// SPDX-License-Identifier: Apache-2.0
//
// The printf FIFO and the malloc heap in device memory: what device code (wg_devlib.cu), the session that lays them
// out and the run-time library that drains the FIFO agree on. Readable from C and from device code.
//
// FIFO: a head of kWgFifoHead bytes, then a ring of granules of kWgFifoGranule bytes, one memory sector each. A
// record takes whole granules, reserved by one atomic addition to `tail`. Each granule says who it is, and its header
// is stored last in its sector, so that a reader can tell a whole record from one that was never finished or was
// overwritten.
//
// Heap: a head, a bitmap of 64-bit words, data. One bit is a unit of kWgHeapUnit bytes, one word a chunk of 64 units.
#ifndef WG_TOOLCHAIN_FIFO_H
#define WG_TOOLCHAIN_FIFO_H

enum {
  kWgBank0Fifo = 0x28,           /* where constant bank 0 holds both addresses, 64 bits each */
  kWgBank0Heap = 0x30,

  kWgFifoHead = 64,
  kWgFifoGranule = 32,
  kWgFifoWords = 6,              /* payload words in a granule, behind {number + 1, index << 16 | count} */
  kWgFifoMaxGranules = 0xffff,   /* of a record */
  kWgFifoDefault = 1 << 20,      /* bytes of the ring */
  /* head of the FIFO: byte offsets */
  kWgFifoTail = 0,               /* u64: granules reserved so far */
  kWgFifoCount = 8,              /* u32: granules in the ring */

  /* payload words of a record */
  kWgRecPrintf = 0,              /* word 0: kind; 1: bytes of arguments; 2, 3: format; then arguments, then strings */
  kWgRecPrintfText = 1,          /* the same, but the format is the first of the strings */
  kWgRecAssert = 2,              /* word 0: kind; 1: line; 2, 4, 6: file, function, message; 8: block; 11: thread */
  kWgRecPrintfWords = 4,
  kWgRecAssertWords = 14,

  kWgHeapUnit = 64,
  kWgHeapChunk = 64 * 64,
  kWgHeapHead = 256,
  kWgHeapDefault = 8 << 20,
  /* head of the heap: byte offsets */
  kWgHeapChunks = 0,             /* u32: words of the bitmap */
  kWgHeapHint = 4,               /* u32: chunk where a search for a part of one begins */
  kWgHeapNext = 8,               /* u32: chunk where a search for whole ones begins */
  kWgHeapLock = 12,              /* u32: held by whoever wants whole chunks */
  kWgHeapData = 16,              /* u32: bytes from the heap's begin to chunk 0 */
  kWgHeapFrees = 20,             /* u32: number of frees, mod 2^32 */
  kWgHeapFailed = 24,            /* u64: units that were not found (low), `frees` before that search (high) */
  /* in front of each block, kWgHeapTag bytes: {units, kWgHeapMagic ^ units} */
  kWgHeapTag = 16,
  kWgHeapMagic = 0x57474d41,
};

/** Letters of a conversion as bit sets over ' ' to 0x7f, lower 64 bits for ' ' to '_'. Device and host read formats
    alike: '%', any of FLAGS, any of LONG, then one letter of INT, F64 or '%'; everything else ends the conversion as
    text. */
#define WG_FMT_BIT_(C) (1ull << (((C)-32) & 63))
#define WG_FMT_FLAGS_LO                                                                                              \
  (WG_FMT_BIT_('-') | WG_FMT_BIT_('+') | WG_FMT_BIT_(' ') | WG_FMT_BIT_('#') | WG_FMT_BIT_('.') | (0x3ffull << 16))
#define WG_FMT_LONG_LO (WG_FMT_BIT_('L'))
#define WG_FMT_LONG_HI (WG_FMT_BIT_('l') | WG_FMT_BIT_('z') | WG_FMT_BIT_('j') | WG_FMT_BIT_('t') | WG_FMT_BIT_('q'))
#define WG_FMT_FLAGS_HI (WG_FMT_BIT_('h'))
#define WG_FMT_INT_LO (WG_FMT_BIT_('X'))
#define WG_FMT_INT_HI \
  (WG_FMT_BIT_('d') | WG_FMT_BIT_('i') | WG_FMT_BIT_('o') | WG_FMT_BIT_('u') | WG_FMT_BIT_('x') | WG_FMT_BIT_('c'))
#define WG_FMT_F64_LO (WG_FMT_BIT_('E') | WG_FMT_BIT_('F') | WG_FMT_BIT_('G') | WG_FMT_BIT_('A'))
#define WG_FMT_F64_HI                                                                                                \
  (WG_FMT_BIT_('e') | WG_FMT_BIT_('f') | WG_FMT_BIT_('g') | WG_FMT_BIT_('a') | WG_FMT_BIT_('s') | WG_FMT_BIT_('p') | \
   WG_FMT_BIT_('n'))
/** Is the character in the set? */
#define WG_FMT_IN(C, SET)                                                                      \
  (((((unsigned)(C)-32u) < 64u ? WG_FMT_##SET##_LO : WG_FMT_##SET##_HI) >> (((unsigned)(C)-32u) & 63u) & 1u) != 0u && \
   ((unsigned)(C)-32u) < 96u)

#endif
