// SPDX-License-Identifier: Apache-2.0
#include "model/store/store.h"

#include <inttypes.h>
#include <string.h>

#include "isa/wg_cfg.h"

enum {
  kPageBits = 16, /* 64 KiB of contents */
  kDirBits = 10,  /* pages of one directory */
  kDirs = 1 << (37 - kPageBits - kDirBits),
};
#define PAGE_BYTES (UINT64_C(1) << kPageBits)

typedef struct alloc_entry {
  uint64_t base, bytes; /* as asked for */
  uint64_t end;         /* base + bytes, rounded up to WG_DEV_ALIGN */
} alloc_entry_t;

struct wg_store {
  uint8_t **dir[kDirs];
  alloc_entry_t *alloc; /* ascending, not overlapping */
  size_t num_alloc, cap_alloc;
  wg_store_oob_t oob;
  uint64_t gap; /* between the program's allocations */
  uint64_t changes; /* accesses that changed a byte */
};

static bool inside(uint64_t addr, uint64_t bytes) {
  return addr >= WG_DEV_BASE && bytes <= WG_DEV_BYTES && addr - WG_DEV_BASE <= WG_DEV_BYTES - bytes;
}

wg_status_t wg_store_create(wg_store_t **out, wg_diag_t *diag) {
  wg_store_t *s = calloc(1, sizeof *s);
  if (s == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for the device memory");
  *out = s;
  return kWgOk;
}

void wg_store_destroy(wg_store_t *s) {
  if (s == NULL) return;
  for (size_t d = 0; d < kDirs; d++) {
    if (s->dir[d] == NULL) continue;
    for (size_t p = 0; p < (1u << kDirBits); p++) free(s->dir[d][p]);
    free(s->dir[d]);
  }
  free(s->alloc);
  free(s);
}

/* The page's bytes; NULL if it was never written and `make` is false, or if the host has no memory for it. */
static uint8_t *page(wg_store_t *s, uint64_t offset, bool make) {
  uint8_t ***dir = &s->dir[offset >> (kPageBits + kDirBits)];
  if (*dir == NULL && make) *dir = calloc((size_t)1 << kDirBits, sizeof **dir);
  if (*dir == NULL) return NULL;
  uint8_t **p = &(*dir)[(offset >> kPageBits) & ((1u << kDirBits) - 1)];
  if (*p == NULL && make) *p = calloc(1, PAGE_BYTES);
  return *p;
}

static wg_status_t no_host_memory(wg_diag_t *diag) {
  return wg_fail(diag, kWgNoSpace, "the host has no memory left for the contents of device memory");
}

/* A device store cannot fail with a status in the middle of a simulated cycle. */
static void must(const void *page_bytes) {
  if (page_bytes != NULL) return;
  fprintf(stderr, "error: the host has no memory left for the contents of device memory\n");
  abort();
}

wg_status_t wg_store_clone(const wg_store_t *s, wg_store_t **out, wg_diag_t *diag) {
  wg_store_t *c = NULL;
  WG_TRY(wg_store_create(&c, diag));
  c->oob = s->oob;
  c->gap = s->gap;
  if (s->num_alloc > 0) {
    c->alloc = malloc(s->num_alloc * sizeof *c->alloc);
    if (c->alloc == NULL) {
      wg_store_destroy(c);
      return wg_fail(diag, kWgNoSpace, "no host memory for a copy of the allocations");
    }
    memcpy(c->alloc, s->alloc, s->num_alloc * sizeof *c->alloc);
    c->num_alloc = c->cap_alloc = s->num_alloc;
  }
  for (size_t d = 0; d < kDirs; d++) {
    if (s->dir[d] == NULL) continue;
    for (size_t p = 0; p < (1u << kDirBits); p++) {
      if (s->dir[d][p] == NULL) continue;
      uint64_t offset = ((uint64_t)d << (kPageBits + kDirBits)) + ((uint64_t)p << kPageBits);
      uint8_t *to = page(c, offset, true);
      if (to == NULL) {
        wg_store_destroy(c);
        return no_host_memory(diag);
      }
      memcpy(to, s->dir[d][p], PAGE_BYTES);
    }
  }
  *out = c;
  return kWgOk;
}

void wg_store_set_oob(wg_store_t *s, wg_store_oob_t oob) { s->oob = oob; }

void wg_store_set_gap(wg_store_t *s, uint64_t bytes) { s->gap = bytes; }

/* Index of the first allocation that ends above `addr`; num_alloc if none does. */
static size_t first_above(const wg_store_t *s, uint64_t addr) {
  size_t lo = 0, hi = s->num_alloc;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (s->alloc[mid].end > addr) {
      hi = mid;
    } else {
      lo = mid + 1;
    }
  }
  return lo;
}

static wg_status_t insert(wg_store_t *s, size_t at, alloc_entry_t e, wg_diag_t *diag) {
  if (s->num_alloc == s->cap_alloc) {
    size_t cap = s->cap_alloc == 0 ? 64 : 2 * s->cap_alloc;
    alloc_entry_t *a = realloc(s->alloc, cap * sizeof *a);
    if (a == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for the allocation table");
    s->alloc = a;
    s->cap_alloc = cap;
  }
  memmove(&s->alloc[at + 1], &s->alloc[at], (s->num_alloc - at) * sizeof s->alloc[0]);
  s->alloc[at] = e;
  s->num_alloc++;
  return kWgOk;
}

/* First fit in [lo, hi), with `gap` bytes free behind it and behind what lies in front. */
static wg_status_t alloc_in(wg_store_t *s, uint64_t lo, uint64_t hi, uint64_t bytes, uint64_t align, uint64_t gap, uint64_t *addr,
                            wg_diag_t *diag) {
  if (bytes == 0) return wg_fail(diag, kWgBadArg, "cannot allocate 0 bytes of device memory");
  if (bytes <= hi - lo) {
    uint64_t need = (bytes + WG_DEV_ALIGN - 1) / WG_DEV_ALIGN * WG_DEV_ALIGN;
    uint64_t at = (lo + align - 1) / align * align;
    for (size_t i = first_above(s, lo);; i++) {
      uint64_t next = i < s->num_alloc && s->alloc[i].base < hi ? s->alloc[i].base : hi;
      if (at <= next && next - at >= need + gap) {
        WG_TRY(insert(s, i, (alloc_entry_t){at, bytes, at + need}, diag));
        *addr = at;
        return kWgOk;
      }
      if (next == hi) break;
      at = (s->alloc[i].end + gap + align - 1) / align * align;
    }
  }
  if (gap != 0) return alloc_in(s, lo, hi, bytes, align, 0, addr, diag); /* better close than not at all */
  return wg_fail(diag, kWgNoSpace, "cannot allocate %" PRIu64 " bytes of device memory: no free range is large enough",
                 bytes);
}

wg_status_t wg_store_alloc(wg_store_t *s, uint64_t bytes, uint64_t *addr, wg_diag_t *diag) {
  return alloc_in(s, WG_DEV_BASE + WG_DEV_DRIVER_BYTES, WG_DEV_BASE + WG_DEV_BYTES, bytes, WG_DEV_ALIGN, s->gap, addr, diag);
}

wg_status_t wg_store_alloc_driver(wg_store_t *s, uint64_t bytes, uint64_t align, uint64_t *addr, wg_diag_t *diag) {
  if (align < WG_DEV_ALIGN) align = WG_DEV_ALIGN;
  if ((align & (align - 1)) != 0 || align > WG_DEV_DRIVER_BYTES) {
    return wg_fail(diag, kWgBadArg, "alignment %" PRIu64 " of driver memory is no power of two up to 4 GiB", align);
  }
  return alloc_in(s, WG_DEV_BASE, WG_DEV_BASE + WG_DEV_DRIVER_BYTES, bytes, align, 0, addr, diag);
}

wg_status_t wg_store_free(wg_store_t *s, uint64_t addr, wg_diag_t *diag) {
  size_t i = first_above(s, addr);
  if (i == s->num_alloc || s->alloc[i].base != addr) {
    return wg_fail(diag, kWgBadArg, "0x%" PRIx64 " is not the address of a device allocation", addr);
  }
  s->num_alloc--;
  memmove(&s->alloc[i], &s->alloc[i + 1], (s->num_alloc - i) * sizeof s->alloc[0]);
  return kWgOk;
}

bool wg_store_range(const wg_store_t *s, uint64_t addr, uint64_t *base, uint64_t *bytes) {
  size_t i = first_above(s, addr);
  if (i == s->num_alloc || addr < s->alloc[i].base || addr - s->alloc[i].base >= s->alloc[i].bytes) return false;
  if (base != NULL) *base = s->alloc[i].base;
  if (bytes != NULL) *bytes = s->alloc[i].bytes;
  return true;
}

bool wg_store_nth(const wg_store_t *s, size_t i, uint64_t *base, uint64_t *bytes) {
  if (i >= s->num_alloc) return false;
  if (base != NULL) *base = s->alloc[i].base;
  if (bytes != NULL) *bytes = s->alloc[i].bytes;
  return true;
}

uint8_t wg_store_check(const wg_store_t *s, uint64_t addr, uint64_t bytes) {
  if (addr < kWgFaultLow || !inside(addr, bytes)) return kWgFaultIllegalAddr;
  uint64_t lo = addr, hi = addr + bytes;
  if (s->oob == kWgOobPage) {
    lo = lo / WG_DEV_OOB_PAGE * WG_DEV_OOB_PAGE;
    hi = lo + WG_DEV_OOB_PAGE;
  }
  size_t i = first_above(s, lo);
  if (i == s->num_alloc || s->alloc[i].base >= hi) return kWgFaultIllegalAddr;
  if (s->oob == kWgOobPage) return kWgFaultNone;
  return s->alloc[i].base <= lo && hi <= s->alloc[i].end ? kWgFaultNone : kWgFaultIllegalAddr;
}

uint8_t wg_store_check_lane(const wg_store_t *s, uint64_t addr, uint64_t bytes) {
  uint8_t code = wg_store_check(s, addr, bytes);
  uint64_t base = 0, size = 0;
  if (code != kWgFaultNone || s->oob != kWgOobExact || addr < WG_DEV_BASE + WG_DEV_DRIVER_BYTES) return code;
  bool in = wg_store_range(s, addr, &base, &size) && bytes <= size - (addr - base);
  return in ? kWgFaultNone : kWgFaultIllegalAddr;
}

wg_status_t wg_store_host_range(const wg_store_t *s, uint64_t addr, uint64_t bytes, const char *verb, wg_diag_t *diag) {
  uint64_t base = 0, size = 0;
  if (!wg_store_range(s, addr, &base, &size)) {
    return wg_fail(diag, kWgBadArg,
                   "cannot %s %" PRIu64 " bytes at 0x%" PRIx64 ": the address is in no device allocation", verb,
                   bytes, addr);
  }
  if (bytes > size - (addr - base)) {
    return wg_fail(diag, kWgBadArg,
                   "cannot %s %" PRIu64 " bytes at 0x%" PRIx64 ": the allocation at 0x%" PRIx64 " has %" PRIu64
                   " bytes",
                   verb, bytes, addr, base, size);
  }
  return kWgOk;
}

wg_status_t wg_store_read(const wg_store_t *s, uint64_t addr, void *dst, uint64_t bytes, wg_diag_t *diag) {
  WG_TRY(wg_store_host_range(s, addr, bytes, "read", diag));
  wg_store_peek(s, addr, dst, bytes);
  return kWgOk;
}

/* @return false if the host's memory ran out; then a part is written */
static bool poke(wg_store_t *s, uint64_t addr, const void *src, uint64_t bytes) {
  const uint8_t *d = src;
  for (uint64_t off = addr - WG_DEV_BASE; bytes > 0;) {
    uint64_t in_page = off & (PAGE_BYTES - 1), n = PAGE_BYTES - in_page;
    if (n > bytes) n = bytes;
    uint8_t *p = page(s, off, true);
    if (p == NULL) return false;
    if (memcmp(p + in_page, d, n) != 0) {
      memcpy(p + in_page, d, n);
      s->changes++;
    }
    d += n;
    off += n;
    bytes -= n;
  }
  return true;
}

wg_status_t wg_store_write(wg_store_t *s, uint64_t addr, const void *src, uint64_t bytes, wg_diag_t *diag) {
  WG_TRY(wg_store_host_range(s, addr, bytes, "write", diag));
  return poke(s, addr, src, bytes) ? kWgOk : no_host_memory(diag);
}

wg_status_t wg_store_memset(wg_store_t *s, uint64_t addr, int value, uint64_t bytes, wg_diag_t *diag) {
  WG_TRY(wg_store_host_range(s, addr, bytes, "set", diag));
  for (uint64_t off = addr - WG_DEV_BASE; bytes > 0;) {
    uint64_t in_page = off & (PAGE_BYTES - 1), n = PAGE_BYTES - in_page;
    if (n > bytes) n = bytes;
    bool make = (value & 0xff) != 0;
    uint8_t *p = page(s, off, make);
    if (p == NULL && make) return no_host_memory(diag);
    if (p != NULL) memset(p + in_page, value, n);
    off += n;
    bytes -= n;
  }
  return kWgOk;
}

void wg_store_peek(const wg_store_t *s, uint64_t addr, void *dst, uint64_t bytes) {
  uint8_t *d = dst;
  if (!inside(addr, bytes)) {
    memset(d, 0, bytes);
    return;
  }
  for (uint64_t off = addr - WG_DEV_BASE; bytes > 0;) {
    uint64_t in_page = off & (PAGE_BYTES - 1), n = PAGE_BYTES - in_page;
    if (n > bytes) n = bytes;
    /* Without `make` the store is not changed. */
    const uint8_t *p = page((wg_store_t *)(uintptr_t)s, off, false);
    if (p != NULL) {
      memcpy(d, p + in_page, n);
    } else {
      memset(d, 0, n);
    }
    d += n;
    off += n;
    bytes -= n;
  }
}

void wg_store_poke(wg_store_t *s, uint64_t addr, const void *src, uint64_t bytes) {
  if (inside(addr, bytes) && !poke(s, addr, src, bytes)) must(NULL);
}

void wg_store_poke_sector(wg_store_t *s, uint64_t addr, const uint8_t src[32], uint32_t byte_mask) {
  if (!inside(addr, 32) || byte_mask == 0) return;
  uint64_t off = addr - WG_DEV_BASE;
  uint8_t *p = page(s, off, true);
  must(p);
  p += off & (PAGE_BYTES - 1);
  if (byte_mask == UINT32_MAX) {
    s->changes += memcmp(p, src, 32) != 0 ? 1u : 0u;
    memcpy(p, src, 32);
    return;
  }
  bool changed = false;
  for (unsigned i = 0; i < 32; i++) {
    if ((byte_mask >> i & 1u) == 0) continue;
    changed = changed || p[i] != src[i];
    p[i] = src[i];
  }
  s->changes += changed ? 1u : 0u;
}

uint64_t wg_store_changes(const wg_store_t *s) { return s->changes; }
