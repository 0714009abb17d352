// SPDX-License-Identifier: Apache-2.0
//
// What device code wrote to the printf FIFO (toolchain/devlib): printed at each synchronisation, behind a fault, at the
// end.
#include "rt.h"

#include <string.h>

#include "toolchain/devlib/wg_fifo.h"

enum { kGranuleBytes = kWgFifoWords * 4, kMaxSpec = 64 };

/* Payload of one record. */
typedef struct record {
  const uint8_t *data;
  size_t bytes;
} record_t;

static uint32_t word(const record_t *r, size_t i) {
  uint32_t v = 0;
  if (4 * i + 4 <= r->bytes) memcpy(&v, r->data + 4 * i, 4);
  return v;
}

static uint64_t word64(const record_t *r, size_t i) { return word(r, i) | (uint64_t)word(r, i + 1) << 32; }

/* A string in device memory as a new one; NULL if there is none. */
static char *device_string(uint64_t addr) {
  uint64_t base = 0;
  size_t size = 0, n = 0;
  if (!wg_session_range(rt()->session, addr, &base, &size)) return NULL;
  uint64_t left = base + size - addr;
  char *s = NULL;
  for (size_t cap = 256;; cap *= 2) {
    if (cap > left) cap = (size_t)left;
    char *more = realloc(s, cap + 1);
    wg_diag_t d;
    if (more == NULL || wg_session_read(rt()->session, addr + n, more + n, cap - n, &d) != kWgOk) {
      free(more == NULL ? s : more);
      return NULL;
    }
    s = more;
    s[cap] = '\0';
    if (memchr(s + n, '\0', cap - n) != NULL || cap == left) return s;
    n = cap;
  }
}

/* ---- one printf ---- */

typedef struct args {
  const uint8_t *data; /* arguments */
  size_t at, bytes;
  const char *text, *end; /* the next string; behind the last one */
} args_t;

static uint64_t take(args_t *a, size_t size) {
  uint64_t v = 0;
  a->at = (a->at + size - 1) & ~(size - 1);
  if (a->at + size <= a->bytes) memcpy(&v, a->data + a->at, size);
  a->at += size;
  return v;
}

static const char *take_text(args_t *a) {
  const char *s = a->text, *nul = a->text < a->end ? memchr(s, '\0', (size_t)(a->end - s)) : NULL;
  (void)take(a, 8); /* the pointer: what it named was copied */
  if (nul == NULL) return "";
  a->text = nul + 1;
  return s;
}

/* A conversion without its lengths, '*' replaced by the argument. */
typedef struct spec {
  char text[kMaxSpec];
  size_t n;
  bool fits;
} spec_t;

static void spec_add(spec_t *s, const char *text, size_t n) {
  s->fits = s->fits && s->n + n < sizeof s->text - 4; /* room for a length, the letter, the end */
  if (!s->fits) return;
  memcpy(s->text + s->n, text, n);
  s->n += n;
}

static void spec_star(spec_t *s, args_t *a) {
  char number[16];
  int v = (int)(uint32_t)take(a, 4);
  bool precision = s->n > 0 && s->text[s->n - 1] == '.';
  if (precision && v < 0)
    s->n--; /* as if it were not there */
  else
    spec_add(s, number, (size_t)snprintf(number, sizeof number, "%d", v));
}

static void convert(FILE *f, spec_t *s, char letter, bool wide, args_t *a) {
  bool integer = WG_FMT_IN(letter, INT), wide_int = wide && letter != 'c';
  if (integer && wide_int) {
    memcpy(s->text + s->n, "ll", 2);
    s->n += 2;
  }
  s->text[s->n++] = letter;
  s->text[s->n] = '\0';
  if (letter == 's') {
    fprintf(f, s->text, take_text(a));
  } else if (letter == 'p') {
    fprintf(f, s->text, (void *)(uintptr_t)take(a, 8));
  } else if (letter == 'n') {
    (void)take(a, 8); /* nothing is stored, nothing printed */
  } else if (!integer) {
    uint64_t bits = take(a, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    fprintf(f, s->text, v);
  } else if (wide_int) {
    fprintf(f, s->text, (long long)take(a, 8));
  } else {
    fprintf(f, s->text, (int)(uint32_t)take(a, 4));
  }
}

/* The grammar is that of walk() in wg_devlib.cu. */
static void print_format(FILE *f, const char *p, args_t *a) {
  while (*p != '\0') {
    size_t plain = strcspn(p, "%");
    fwrite(p, 1, plain, f);
    p += plain;
    if (*p == '\0') break;
    const char *begin = p++;
    spec_t s = {.text = "%", .n = 1, .fits = true};
    bool wide = false;
    for (; *p != '\0'; p++) {
      if (*p == '*')
        spec_star(&s, a);
      else if (*p == 'h' || (!WG_FMT_IN(*p, LONG) && WG_FMT_IN(*p, FLAGS)))
        spec_add(&s, p, 1);
      else if (WG_FMT_IN(*p, LONG))
        wide = true;
      else
        break;
    }
    if (*p == '%') {
      fputc('%', f);
      p++;
    } else if (*p != '\0' && s.fits && (WG_FMT_IN(*p, INT) || WG_FMT_IN(*p, F64))) {
      convert(f, &s, *p++, wide, a);
    } else { /* no conversion, or one of an absurd length: as it stands there */
      if (*p != '\0') {
        if (WG_FMT_IN(*p, INT) || WG_FMT_IN(*p, F64)) (void)take(a, WG_FMT_IN(*p, INT) && (!wide || *p == 'c') ? 4 : 8);
        p++;
      }
      fwrite(begin, 1, (size_t)(p - begin), f);
    }
  }
}

static void print_record(const record_t *r) {
  size_t n = word(r, 1), head = 4 * kWgRecPrintfWords;
  if (r->bytes < head || n > r->bytes - head) return; /* overwritten while it was made */
  args_t a = {.data = r->data + head,
              .bytes = n,
              .text = (const char *)r->data + head + n,
              .end = (const char *)r->data + r->bytes};
  if (word(r, 0) == kWgRecPrintfText) {
    const char *format = take_text(&a);
    a.at = 0;
    print_format(stdout, format, &a);
    return;
  }
  char *format = device_string(word64(r, 2));
  if (format == NULL) {
    rt_say("a device printf's format lies at 0x%llx, where nothing is", (unsigned long long)word64(r, 2));
    return;
  }
  print_format(stdout, format, &a);
  free(format);
}

static void print_assert(const record_t *r) {
  char *text[3]; /* file, function, expression */
  for (size_t i = 0; i < 3; i++) text[i] = device_string(word64(r, 2 + 2 * i));
  fflush(stdout); /* what was printed before stands before */
  fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
          text[0] == NULL ? "?" : text[0], word(r, 1), text[1] == NULL ? "?" : text[1], word(r, 8), word(r, 9),
          word(r, 10), word(r, 11), word(r, 12), word(r, 13), text[2] == NULL ? "?" : text[2]);
  for (size_t i = 0; i < 3; i++) free(text[i]);
}

/* ---- the ring ---- */

/* Granule `number`, if it is there whole: its place in its record and the record's length. */
static bool granule(uint64_t ring, uint64_t slots, uint64_t number, uint8_t *payload, uint32_t *index,
                    uint32_t *count) {
  uint8_t g[kWgFifoGranule];
  uint32_t head[2];
  wg_diag_t d;
  if (wg_session_read(rt()->session, ring + number % slots * kWgFifoGranule, g, sizeof g, &d) != kWgOk) return false;
  memcpy(head, g, sizeof head);
  *index = head[1] >> 16;
  *count = head[1] & 0xffff;
  memcpy(payload, g + 8, kGranuleBytes);
  return head[0] == (uint32_t)(number + 1);
}

/* Print the record that begins at granule `number`. @return its granules; 0: none begins there, or it is not whole */
static uint32_t print_at(uint64_t ring, uint64_t slots, uint64_t number, uint64_t tail) {
  uint8_t first[kGranuleBytes];
  uint32_t index = 0, count = 0;
  if (!granule(ring, slots, number, first, &index, &count) || index != 0 || count == 0 || count > tail - number)
    return 0;
  uint8_t *data = malloc((size_t)count * kGranuleBytes);
  if (data == NULL) return 0;
  memcpy(data, first, kGranuleBytes);
  for (uint32_t i = 1; i < count; i++) {
    uint32_t at = 0, n = 0;
    if (!granule(ring, slots, number + i, data + (size_t)i * kGranuleBytes, &at, &n) || at != i || n != count) {
      free(data);
      return 0;
    }
  }
  record_t r = {data, (size_t)count * kGranuleBytes};
  if (word(&r, 0) == kWgRecAssert)
    print_assert(&r);
  else
    print_record(&r);
  free(data);
  return count;
}

void rt_drain(void) {
  rt_state_t *s = rt();
  uint64_t bytes = 0, tail = 0;
  uint64_t fifo = s->session == NULL ? 0 : wg_session_pool(s->session, kWgPoolFifo, &bytes);
  wg_diag_t d;
  if (fifo == 0 || wg_session_read(s->session, fifo + kWgFifoTail, &tail, sizeof tail, &d) != kWgOk) return;
  uint64_t slots = bytes / kWgFifoGranule, at = s->drained;
  if (tail == at) return;
  if (tail - at > slots) {
    rt_say(
        "device printf: %llu of %llu bytes were overwritten before they could be printed; "
        "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes) makes room",
        (unsigned long long)((tail - at - slots) * kWgFifoGranule), (unsigned long long)((tail - at) * kWgFifoGranule));
    at = tail - slots;
  }
  while (at < tail) {
    uint32_t n = print_at(fifo + kWgFifoHead, slots, at, tail);
    at += n == 0 ? 1 : n;
  }
  s->drained = tail;
}

/* ---- limits ---- */

RT_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  RT_ENTER();
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  switch (limit) {
    case cudaLimitStackSize:
      if (value > (size_t)kWgMaxStackBytes) {
        rt_say("cudaDeviceSetLimit: a stack of %zu bytes a thread: at most %d", value, (int)kWgMaxStackBytes);
        return rt_leave(cudaErrorInvalidValue);
      }
      rt()->stack_bytes = value == 0 ? 16 : (uint32_t)(value + 15) / 16 * 16;
      return rt_leave(cudaSuccess);
    case cudaLimitPrintfFifoSize:
    case cudaLimitMallocHeapSize: {
      wg_session_pool_t pool = limit == cudaLimitPrintfFifoSize ? kWgPoolFifo : kWgPoolHeap;
      if (wg_session_set_pool(rt()->session, pool, value, &d) == kWgOk) return rt_leave(cudaSuccess);
      rt_say_diag("cudaDeviceSetLimit", &d);
      return rt_leave(cudaErrorInvalidValue);
    }
    default:
      return rt_leave(cudaErrorUnsupportedLimit);
  }
}

RT_API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  RT_ENTER();
  if (value == NULL) return rt_leave(cudaErrorInvalidValue);
  uint64_t bytes = rt()->stack_bytes == 0 ? (uint64_t)kWgStackBytes : rt()->stack_bytes;
  if (limit == cudaLimitPrintfFifoSize)
    (void)wg_session_pool(rt()->session, kWgPoolFifo, &bytes);
  else if (limit == cudaLimitMallocHeapSize)
    (void)wg_session_pool(rt()->session, kWgPoolHeap, &bytes);
  else if (limit != cudaLimitStackSize)
    return rt_leave(cudaErrorUnsupportedLimit);
  *value = (size_t)bytes;
  return rt_leave(cudaSuccess);
}
