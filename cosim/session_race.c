// SPDX-License-Identifier: Apache-2.0
//
// race=on, race=note: what the race checker (model/ref/wg_ref_race.h) met, in words.
#include <stdarg.h>
#include <string.h>

#include "cosim/session_int.h"
#include "toolchain/devlib/wg_fifo.h"
#include "toolchain/obj/wg_demangle.h"

_Static_assert((int)kWgRaceStrong == (int)kWgObjStrong && (int)kWgRaceWaits == (int)kWgObjWaits &&
                   (int)kWgRaceAtomic == (int)kWgObjAtomic, "one meaning of a mark");

enum { kShown = 10 }; /* pairs of a run */

static bool shown(const wg_session_t *s, const wg_race_pair_t *p) {
  return s->cfg.race == kWgSessionRaceNote || !wg_race_is_note(p->cls);
}

void wg_session_race_begin(wg_session_t *s, const wg_module_t *m) {
  if (s->race.checker == NULL) return;
  wg_race_launch(s->race.checker, m->obj->marks, m->obj->num_marks);
  uint64_t words = s->heap_bytes / kWgHeapChunk;
  if (s->heap != 0) wg_race_allocator(s->race.checker, s->heap, kWgHeapHead + 8 * words);
}

static void WG_PRINTF(2, 3) add(wg_session_t *s, const char *fmt, ...) {
  size_t at = strlen(s->race.text);
  va_list ap;
  va_start(ap, fmt);
  (void)vsnprintf(s->race.text + at, sizeof s->race.text - at, fmt, ap);
  va_end(ap);
}

static const char *remedy(const wg_race_pair_t *p) {
  bool atomic = p->first.atomic || p->second.atomic;
  switch (p->cls) {
    case kWgRaceApart: return "__syncwarp() between the two";
    case kWgRaceHidden:
      return "__syncwarp() between the two: only reconvergence at the join orders them";
    case kWgRaceSame: return "let one lane write, or use an atomic";
    case kWgRaceBlock:
      return atomic ? "make both atomic, or __syncthreads() between the two" : "__syncthreads() between the two";
    case kWgRaceEqual: return "none needed as long as both write the same value";
    default:
      return atomic ? "make both atomic, or a second launch"
                    : "no barrier orders blocks: atomics, or a second launch; behind a flag, __threadfence() before it "
                      "is set";
  }
}

static const char *who(wg_race_class_t c) {
  switch (c) {
    case kWgRaceApart: return "lanes of a warp that ran apart";
    case kWgRaceSame: return "lanes of one instruction, different values";
    case kWgRaceBlock: return "warps of a block";
    case kWgRaceGrid: return "two blocks";
    case kWgRaceHidden: return "lanes of a warp, hidden by reconvergence";
    default: return "the same value";
  }
}

const char *wg_session_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/* "reduce.cu:24, pc 0x140" */
void wg_session_place(const wg_module_t *m, uint32_t pc, char *buf, size_t n) {
  const char *file = NULL;
  unsigned line = 0;
  if (wg_obj_line_of(m->obj, pc, &file, &line)) snprintf(buf, n, "%s:%u, pc 0x%x", wg_session_base_name(file), line, pc);
  else snprintf(buf, n, "pc 0x%x", pc);
}

/* The last part of a C++ name: the variable alone. */
static const char *last_part(const char *name) {
  const char *at = strstr(name, "::"), *last = name;
  for (; at != NULL; at = strstr(last, "::")) last = at + 2;
  return last;
}

void wg_session_where_shared(const wg_module_t *m, size_t kernel, uint64_t addr, char *buf, size_t n) {
  char name[200];
  int used = snprintf(buf, n, "shared 0x%llx", (unsigned long long)addr);
  for (size_t i = 0; i < m->obj->num_shared; i++) {
    const wg_obj_shared_t *v = &m->obj->shared[i];
    if (v->kernel != kernel || addr < v->offset || (v->size != 0 && addr - v->offset >= v->size)) continue;
    snprintf(buf + used, n - (size_t)used, ": '%s' + %llu", last_part(wg_demangle(v->name, name, sizeof name)),
             (unsigned long long)addr - v->offset);
    if (v->size != 0) return; /* else: the dynamic array, unless a variable holds it */
  }
}

void wg_session_where_global(const wg_session_t *s, const wg_module_t *m, uint64_t addr, char *buf, size_t n) {
  char name[200];
  uint64_t base = 0, bytes = 0;
  int used = snprintf(buf, n, "global 0x%llx", (unsigned long long)addr);
  for (size_t i = 0; i < m->obj->num_vars; i++) {
    const wg_obj_var_t *v = &m->obj->vars[i];
    if (v->space != 1 || addr < m->globals + v->offset || addr - m->globals - v->offset >= v->size) continue;
    snprintf(buf + used, n - (size_t)used, ": '%s' + %llu", last_part(wg_demangle(v->name, name, sizeof name)),
             (unsigned long long)(addr - m->globals - v->offset));
    return;
  }
  if (wg_store_range(s->store, addr, &base, &bytes))
    snprintf(buf + used, n - (size_t)used, ": + %llu in an allocation of %llu bytes", (unsigned long long)(addr - base),
             (unsigned long long)bytes);
}

static void side(wg_session_t *s, const wg_module_t *m, const wg_race_side_t *a, const char *lead, bool with_block) {
  char at[160], block[48] = "";
  wg_session_place(m, a->pc, at, sizeof at);
  if (with_block) snprintf(block, sizeof block, "block (%u,%u,%u) ", a->ctaid[0], a->ctaid[1], a->ctaid[2]);
  add(s, "  %s%swarp %u lane %u %s at %s\n", lead, block, a->warp, a->lane,
      a->atomic ? "updates it" : a->write ? "writes it" : "reads it", at);
}

/* Begin of the variable or allocation that an address is in; the address itself if it is in none. */
static uint64_t object_of(const wg_session_t *s, const wg_module_t *m, size_t kernel, bool shared, uint64_t addr) {
  uint64_t base = addr, bytes = 0;
  for (size_t i = 0; shared && i < m->obj->num_shared; i++) {
    const wg_obj_shared_t *v = &m->obj->shared[i];
    if (v->kernel == kernel && addr >= v->offset && (v->size == 0 || addr - v->offset < v->size)) base = v->offset;
    if (base != addr && v->size != 0) return base; /* else: the dynamic array, unless a variable holds it */
  }
  if (shared) return base;
  for (size_t i = 0; i < m->obj->num_vars; i++) {
    const wg_obj_var_t *v = &m->obj->vars[i];
    uint64_t at = m->globals + v->offset;
    if (v->space == 1 && addr >= at && addr - at < v->size) return at;
  }
  return wg_store_range(s->store, addr, &base, &bytes) ? base : addr;
}

/* One instruction in two arrays: an index may have left its own, and what it meets in the other looks like a race.
   @return told */
static bool strays(wg_session_t *s, const wg_module_t *m, size_t kernel, const wg_race_pair_t *p,
                   const wg_race_side_t *a) {
  char at[160], where[320];
  uint64_t reach[2];
  if (!wg_race_reach(s->race.checker, a->pc, p->shared, &reach[0], &reach[1])) return false;
  for (unsigned i = 0; i < 2u; i++) {
    if (object_of(s, m, kernel, p->shared, reach[i]) == object_of(s, m, kernel, p->shared, p->addr)) continue;
    if (p->shared) wg_session_where_shared(m, kernel, reach[i], where, sizeof where);
    else wg_session_where_global(s, m, reach[i], where, sizeof where);
    wg_session_place(m, a->pc, at, sizeof at);
    add(s, "  or an index beyond its array: the access at %s is also at %s; then guard the index, no barrier helps\n",
        at, where);
    return true;
  }
  return false;
}

static void tell(wg_session_t *s, const wg_launch_t *l, size_t kernel, const wg_race_pair_t *p) {
  static const char *const kKinds[] = {"RAW (read after write)", "WAR (write after read)", "WAW (write after write)"};
  char name[160], where[320], msg[256];
  const wg_module_t *m = l->module;
  const char *file = NULL;
  unsigned line = 0;
  bool note = wg_race_is_note(p->cls), grid = p->cls == kWgRaceGrid;
  snprintf(msg, sizeof msg, "data race, %s on %s memory by %s", kKinds[p->kind], p->shared ? "shared" : "global",
           who(p->cls));
  if (p->shared) wg_session_where_shared(m, kernel, p->addr, where, sizeof where);
  else wg_session_where_global(s, m, p->addr, where, sizeof where);
  bool known = wg_obj_line_of(m->obj, p->second.pc, &file, &line);
  if (known) add(s, "warpglass: %s:%u: %s: %s\n", wg_session_base_name(file), line, note ? "note" : "error", msg);
  else add(s, "warpglass: %s: %s\n", note ? "note" : "error", msg);
  add(s, "  kernel '%s', launch %u, ", wg_demangle(l->kernel, name, sizeof name), s->launches);
  if (!grid) add(s, "block (%u,%u,%u), ", p->second.ctaid[0], p->second.ctaid[1], p->second.ctaid[2]);
  add(s, "%u bytes at %s\n", p->bytes, where);
  side(s, m, &p->first, "", grid);
  side(s, m, &p->second, "then ", grid);
  add(s, "  remedy: %s\n", remedy(p));
  bool stray = strays(s, m, kernel, p, &p->second) || (p->first.pc != p->second.pc &&
                                                       strays(s, m, kernel, p, &p->first));
  if (note || s->race.first.msg[0] != '\0') return;
  if (known) snprintf(s->race.first.file, sizeof s->race.first.file, "%s", wg_session_base_name(file));
  s->race.first.line = line;
  snprintf(s->race.first.msg, sizeof s->race.first.msg, "%s%s in %s", msg,
           stray ? " (or an index beyond its array)" : "", name);
  snprintf(s->race.first.hint, sizeof s->race.first.hint, "%s", remedy(p));
}

void wg_session_race_end(wg_session_t *s, const wg_launch_t *l, size_t kernel) {
  const wg_race_pair_t *pair;
  if (s->race.checker == NULL) return;
  size_t n = wg_race_pairs(s->race.checker, &pair);
  for (; s->race.seen < n; s->race.seen++) {
    const wg_race_pair_t *p = &pair[s->race.seen];
    if (!shown(s, p)) continue;
    if (s->race.told < (unsigned)kShown) tell(s, l, kernel, p);
    s->race.told++;
  }
}

const char *wg_session_races(const wg_session_t *s, const wg_diag_t **first) {
  if (first != NULL) *first = s->race.first.msg[0] != '\0' ? &s->race.first : NULL;
  return s->race.text;
}

bool wg_session_race_summary(const wg_session_t *s, char *buf, size_t n) {
  const wg_race_pair_t *pair;
  buf[0] = '\0';
  if (s->race.checker == NULL) return true;
  size_t num = wg_race_pairs(s->race.checker, &pair);
  uint64_t errors[2] = {0, 0}, notes[2] = {0, 0}; /* pairs, accesses */
  for (size_t i = 0; i < num; i++) {
    uint64_t *sum = wg_race_is_note(pair[i].cls) ? notes : errors;
    sum[0]++;
    sum[1] += pair[i].count;
  }
#define U(X) ((unsigned long long)(X))
  size_t at = 0;
  if (errors[0] != 0)
    at += (size_t)snprintf(buf, n, "data races: %llu pair%s of instructions, met by %llu accesses", U(errors[0]),
                           errors[0] == 1 ? "" : "s", U(errors[1]));
  if (s->cfg.race == kWgSessionRaceNote && notes[0] != 0)
    at += (size_t)snprintf(buf + at, n - at, "%s%llu of notes, met by %llu",
                           at == 0 ? "data races: none; pairs: " : "; ", U(notes[0]), U(notes[1]));
  if (s->race.told > (unsigned)kShown)
    at += (size_t)snprintf(buf + at, n - at, "; the first %d are shown", (int)kShown);
#undef U
  if (wg_race_complete(s->race.checker)) return true;
  snprintf(buf + at, n - at, "%sthe race checker ran out of stamps, blocks or pairs: not everything was checked",
           at == 0 ? "" : "; ");
  return false;
}
