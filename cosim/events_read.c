// SPDX-License-Identifier: Apache-2.0
//
// Event traces, read: the file's chunks, checked, and its events one after another.
#include <errno.h>
#include <string.h>

#include "cosim/events.h"

/* Bytes that are taken from the front; `bad` once there are too few. */
typedef struct cut {
  const uint8_t *p, *end;
  bool bad;
} cut_t;

static const uint8_t *take(cut_t *c, size_t n) {
  if ((size_t)(c->end - c->p) < n) {
    c->bad = true;
    c->p = c->end;
    return NULL;
  }
  c->p += n;
  return c->p - n;
}

static uint64_t take_int(cut_t *c, unsigned bytes) {
  const uint8_t *p = take(c, bytes);
  uint64_t v = 0;
  for (unsigned i = 0; p != NULL && i < bytes; i++) v |= (uint64_t)p[i] << (8 * i);
  return v;
}

static uint32_t take32(cut_t *c) { return (uint32_t)take_int(c, 4); }

/* @return malloc'ed; NULL only if the host has no memory or there are too few bytes */
static char *take_text(cut_t *c, size_t n) {
  const uint8_t *p = take(c, n);
  char *text = p == NULL ? NULL : malloc(n + 1);
  if (text == NULL) {
    c->bad = true;
    return NULL;
  }
  memcpy(text, p, n);
  text[n] = '\0';
  return text;
}

/* Room for one more of an array; NULL: no memory. */
static void *grow(void *array, uint32_t n, size_t size) {
  if ((n & (n - 1)) != 0) return array;
  return realloc(array, size * (n == 0 ? 1 : 2 * (size_t)n));
}

/* A number of things that are at least so large must fit into what is left. */
static uint32_t take_count(cut_t *c, size_t least) {
  uint32_t n = take32(c);
  if ((uint64_t)n * least > (uint64_t)(c->end - c->p)) {
    c->bad = true;
    return 0;
  }
  return n;
}

static void read_module(cut_t *c, wg_events_module_t *m) {
  (void)take32(c);
  m->code_base = take_int(c, 8);
  uint32_t n = take_count(c, 10);
  m->kernels = calloc((size_t)n + 1, sizeof *m->kernels);
  for (; m->kernels != NULL && m->num_kernels < n && !c->bad; m->num_kernels++) {
    wg_events_kernel_t *k = &m->kernels[m->num_kernels];
    k->pc = take32(c);
    k->words = take32(c);
    k->name = take_text(c, take_int(c, 2));
    if ((uint64_t)k->words * 16 > (uint64_t)(c->end - c->p)) c->bad = true;
    k->code = c->bad ? NULL : calloc((size_t)k->words + 1, sizeof *k->code);
    if (k->code == NULL) {
      c->bad = true;
      k->words = 0;
    }
    for (uint32_t i = 0; i < k->words; i++) {
      k->code[i].lo = take_int(c, 8);
      k->code[i].hi = take_int(c, 8);
    }
  }
  n = take_count(c, 2);
  m->files = calloc((size_t)n + 1, sizeof *m->files);
  for (; m->files != NULL && m->num_files < n && !c->bad; m->num_files++) m->files[m->num_files] = take_text(c, take_int(c, 2));
  n = take_count(c, 12);
  m->lines = calloc((size_t)n + 1, sizeof *m->lines);
  for (; m->lines != NULL && m->num_lines < n && !c->bad; m->num_lines++) {
    wg_obj_line_t *l = &m->lines[m->num_lines];
    l->pc = take32(c), l->file = take32(c), l->line = take32(c);
  }
  if (m->kernels == NULL || m->files == NULL || m->lines == NULL) c->bad = true;
}

static void read_ptx(cut_t *c, wg_events_module_t *m) {
  uint32_t n = take_count(c, 8);
  m->ptx_lines = calloc((size_t)n + 1, sizeof *m->ptx_lines);
  for (; m->ptx_lines != NULL && m->num_ptx_lines < n && !c->bad; m->num_ptx_lines++) {
    wg_obj_ptx_line_t *l = &m->ptx_lines[m->num_ptx_lines];
    l->pc = take32(c), l->line = take32(c);
  }
  m->ptx = take_text(c, (size_t)(c->end - c->p));
  if (m->ptx_lines == NULL || m->ptx == NULL) c->bad = true;
}

static void read_launch(cut_t *c, wg_events_launch_t *l) {
  l->grid_id = take32(c), l->module = take32(c), l->kernel = take32(c);
  for (int i = 0; i < 3; i++) l->grid[i] = take32(c);
  for (int i = 0; i < 3; i++) l->block[i] = take32(c);
  l->time_ns = take_int(c, 8);
}

/* "key value" lines. */
static void read_words(cut_t *c, wg_events_t *t) {
  char *text = take_text(c, (size_t)(c->end - c->p));
  if (text == NULL) return;
  for (char *line = text, *next; *line != '\0'; line = next) {
    next = line + strcspn(line, "\n");
    if (*next != '\0') *next++ = '\0';
    char *value = strchr(line, ' ');
    if (value == NULL) continue;
    *value++ = '\0';
    const struct {
      const char *key;
      char *text;
      size_t n;
      uint32_t *number;
    } kKeys[] = {{"preset", t->preset, sizeof t->preset, NULL},     {"shape", t->shape, sizeof t->shape, NULL},
                 {"window", t->window, sizeof t->window, NULL},     {"status", t->status, sizeof t->status, NULL},
                 {"message", t->message, sizeof t->message, NULL},  {"sub_cores", NULL, 0, &t->sub_cores},
                 {"warp_slots", NULL, 0, &t->warp_slots},           {"sms", NULL, 0, &t->num_sms},
                 {"clock_khz", NULL, 0, &t->clock_khz},             {"depth", NULL, 0, &t->depth}};
    for (size_t i = 0; i < sizeof kKeys / sizeof kKeys[0]; i++) {
      if (strcmp(kKeys[i].key, line) != 0) continue;
      if (kKeys[i].text != NULL) snprintf(kKeys[i].text, kKeys[i].n, "%s", value);
      else *kKeys[i].number = (uint32_t)strtoul(value, NULL, 10);
    }
  }
  free(text);
}

static void read_window(cut_t *c, wg_events_t *t) {
  (void)take_int(c, 2);
  uint64_t from = take_int(c, 8), to = take_int(c, 8), mark = take_int(c, 8);
  if (mark == UINT64_MAX || mark >= t->mark) return; /* the SM on which it came first */
  t->from = from, t->to = to, t->mark = mark;
}

static bool read_chunk(wg_events_t *t, uint8_t type, cut_t *c, bool *ended) {
  if (type == 'M') {
    wg_events_module_t *m = grow(t->modules, t->num_modules, sizeof *m);
    if (m == NULL) return false;
    t->modules = m;
    memset(&m[t->num_modules], 0, sizeof *m);
    read_module(c, &m[t->num_modules++]);
  } else if (type == 'P' && t->num_modules != 0 && t->modules[t->num_modules - 1].ptx == NULL) {
    read_ptx(c, &t->modules[t->num_modules - 1]);
  } else if (type == 'L') {
    wg_events_launch_t *l = grow(t->launches, t->num_launches, sizeof *l);
    if (l == NULL) return false;
    t->launches = l;
    read_launch(c, &l[t->num_launches++]);
  } else if (type == 'E') {
    wg_events_chunk_t *e = grow(t->chunks, t->num_chunks, sizeof *e);
    if (e == NULL) return false;
    t->chunks = e;
    wg_events_chunk_t *x = &e[t->num_chunks++];
    x->sm = (uint16_t)take_int(c, 2);
    uint64_t how = take_int(c, 1);
    x->goes_on = how != 0;
    x->first_cycle = take_int(c, 8);
    x->at = (size_t)(c->p - t->bytes);
    x->bytes = (size_t)(c->end - c->p);
    c->p = c->end;
  } else if (type == 'H' || type == 'Z') {
    if (type == 'Z') t->total = take_int(c, 8);
    *ended = *ended || type == 'Z';
    read_words(c, t);
  } else if (type == 'W') {
    read_window(c, t);
  } else if (type == 'C' && t->commands == NULL) {
    t->commands = take_text(c, (size_t)(c->end - c->p));
  } else {
    c->bad = true;
  }
  return !c->bad && c->p == c->end;
}

static wg_status_t load(const char *path, wg_events_t *t, wg_diag_t *diag) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot read the event trace '%s': %s", path, strerror(errno));
  size_t cap = 0;
  bool ok = true;
  while (ok) {
    if (t->size == cap) {
      cap = cap == 0 ? 1 << 16 : 2 * cap;
      uint8_t *p = realloc(t->bytes, cap);
      ok = p != NULL;
      if (ok) t->bytes = p;
      else break;
    }
    size_t n = fread(t->bytes + t->size, 1, cap - t->size, f);
    t->size += n;
    if (n == 0) break;
  }
  int why = ferror(f) != 0 ? errno : 0;
  fclose(f);
  if (!ok) return wg_fail(diag, kWgNoSpace, "out of memory");
  return why != 0 ? wg_fail(diag, kWgIo, "cannot read the event trace '%s': %s", path, strerror(why)) : kWgOk;
}

static wg_status_t parse(const char *path, wg_events_t *t, wg_diag_t *diag) {
  cut_t c = {t->bytes, t->bytes + t->size, false};
  const uint8_t *magic = take(&c, 8);
  uint32_t version = take32(&c);
  bool ended = false;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "warpglass run --events FILE writes one");
  if (magic == NULL || memcmp(magic, "WGEVENTS", 8) != 0) return wg_fail(diag, kWgBadInput, "'%s' is no event trace", path);
  if (version == 0 || version > kWgEventsVersion)
    return wg_fail(diag, kWgBadInput, "'%s' is an event trace of version %u, this is version %d", path, version, (int)kWgEventsVersion);
  while (c.p != c.end) {
    size_t at = (size_t)(c.p - t->bytes);
    uint8_t type = (uint8_t)take_int(&c, 1);
    uint32_t n = take32(&c);
    const uint8_t *body = take(&c, n);
    cut_t in = {body, body == NULL ? NULL : body + n, false};
    if (c.bad || (at == 12) != (type == 'H') || (ended && type != 'C') || !read_chunk(t, type, &in, &ended))
      return wg_fail(diag, kWgBadInput, "'%s' is damaged or cut short: the chunk at byte %zu", path, at);
  }
  if (!ended) return wg_fail(diag, kWgBadInput, "'%s' is cut short: it has no end", path);
  if (t->sub_cores == 0 || t->sub_cores > kWgMaxSubCores || t->warp_slots == 0 || t->warp_slots > kWgMaxWarpSlots || t->clock_khz == 0)
    return wg_fail(diag, kWgBadInput, "'%s' is damaged: its head names no SM", path);
  if (diag != NULL) diag->hint[0] = '\0';
  return kWgOk;
}

wg_status_t wg_events_read(const char *path, wg_events_t *out, wg_diag_t *diag) {
  memset(out, 0, sizeof *out);
  out->to = out->mark = UINT64_MAX;
  wg_status_t st = load(path, out, diag);
  if (st == kWgOk) st = parse(path, out, diag);
  if (st != kWgOk) wg_events_free(out);
  return st;
}

void wg_events_free(wg_events_t *t) {
  for (uint32_t i = 0; i < t->num_modules; i++) {
    wg_events_module_t *m = &t->modules[i];
    for (uint32_t k = 0; m->kernels != NULL && k < m->num_kernels; k++) {
      free(m->kernels[k].name);
      free(m->kernels[k].code);
    }
    for (uint32_t k = 0; m->files != NULL && k < m->num_files; k++) free(m->files[k]);
    free(m->kernels);
    free(m->files);
    free(m->lines);
    free(m->ptx_lines);
    free(m->ptx);
  }
  free(t->modules);
  free(t->launches);
  free(t->chunks);
  free(t->commands);
  free(t->bytes);
  memset(t, 0, sizeof *t);
}

/* ---- events ---- */

static wg_status_t each_chunk(const wg_events_t *t, const wg_events_chunk_t *c, bool follows,
                              void (*fn)(void *ctx, const wg_event_t *e, bool goes_on), void *ctx, wg_diag_t *diag) {
  wg_event_base_t base;
  wg_event_t e;
  size_t at = 0;
  bool goes_on = follows;
  wg_event_base_init(&base, c->first_cycle);
  while (wg_event_decode(&base, t->bytes + c->at, c->bytes, &at, &e)) {
    if (e.slot >= t->warp_slots || e.sub >= t->sub_cores) break;
    e.sm = c->sm;
    fn(ctx, &e, goes_on);
    goes_on = true;
  }
  if (at == c->bytes) return kWgOk;
  return wg_fail(diag, kWgBadInput, "the event trace is damaged at byte %zu", c->at + at);
}

wg_status_t wg_events_each(const wg_events_t *t, void (*fn)(void *ctx, const wg_event_t *e, bool goes_on), void *ctx, wg_diag_t *diag) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < t->num_chunks; i++) last = t->chunks[i].sm > last ? t->chunks[i].sm : last;
  for (uint32_t sm = 0; t->num_chunks != 0 && sm <= last; sm++) {
    bool any = false;
    uint64_t cycle = 0;
    for (uint32_t i = 0; i < t->num_chunks; i++) {
      const wg_events_chunk_t *c = &t->chunks[i];
      if (c->sm != sm) continue;
      if (c->first_cycle < cycle) return wg_fail(diag, kWgBadInput, "the event trace is damaged: time goes back at byte %zu", c->at);
      cycle = c->first_cycle;
      WG_TRY(each_chunk(t, c, any && c->goes_on, fn, ctx, diag));
      any = true;
    }
  }
  return kWgOk;
}

static const wg_events_module_t *module_of(const wg_events_t *t, uint32_t grid) {
  for (uint32_t i = 0; i < t->num_launches; i++) {
    if (t->launches[i].grid_id == grid) return t->launches[i].module < t->num_modules ? &t->modules[t->launches[i].module] : NULL;
  }
  return NULL;
}

bool wg_events_code(const wg_events_t *t, uint32_t grid, uint32_t pc, wg_word_t *word, const char **kernel) {
  const wg_events_module_t *m = module_of(t, grid);
  for (uint32_t k = 0; m != NULL && k < m->num_kernels; k++) {
    if (pc < m->kernels[k].pc || (pc - m->kernels[k].pc) / 16 >= m->kernels[k].words) continue;
    *word = m->kernels[k].code[(pc - m->kernels[k].pc) / 16];
    if (kernel != NULL) *kernel = m->kernels[k].name;
    return true;
  }
  return false;
}

bool wg_events_line(const wg_events_t *t, uint32_t grid, uint32_t pc, const char **file, unsigned *line) {
  const wg_events_module_t *m = module_of(t, grid);
  uint32_t lo = 0, hi = m == NULL ? 0 : m->num_lines;
  while (lo < hi) { /* the last entry at or before pc */
    uint32_t mid = lo + (hi - lo) / 2;
    if (m->lines[mid].pc <= pc) lo = mid + 1;
    else hi = mid;
  }
  if (lo == 0 || m->lines[lo - 1].file >= m->num_files || m->lines[lo - 1].line == 0) return false;
  *file = m->files[m->lines[lo - 1].file];
  *line = m->lines[lo - 1].line;
  return true;
}

const char *wg_events_ptx(const wg_events_t *t, uint32_t grid, uint32_t pc, unsigned *line) {
  const wg_events_module_t *m = module_of(t, grid);
  uint32_t lo = 0, hi = m == NULL ? 0 : m->num_ptx_lines;
  while (lo < hi) { /* the last entry at or before pc */
    uint32_t mid = lo + (hi - lo) / 2;
    if (m->ptx_lines[mid].pc <= pc) lo = mid + 1;
    else hi = mid;
  }
  *line = lo == 0 ? 0 : m->ptx_lines[lo - 1].line;
  return m == NULL ? NULL : m->ptx;
}
