// SPDX-License-Identifier: Apache-2.0
#include "model/gte/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/gte/occupancy.h"
#include "model/twin/cta_alloc.h"

static const char kHead[] = "cycle,event,sm,slot,grid,number,blocks,threads,registers,shared_bytes";

bool wg_timeline_add(wg_timeline_t *t, const wg_block_event_t *e) {
  if (t->n == t->cap) {
    size_t cap = t->cap == 0 ? 256 : 2 * t->cap;
    wg_block_event_t *grown = realloc(t->event, cap * sizeof *grown);
    if (grown == NULL) return false;
    t->event = grown;
    t->cap = cap;
  }
  t->event[t->n++] = *e;
  return true;
}

wg_block_event_t wg_block_start(uint64_t cycle, uint32_t sm, uint32_t slot, const wg_cta_launch_t *l) {
  return (wg_block_event_t){
      .cycle = cycle,
      .start = true,
      .sm = sm,
      .slot = slot,
      .grid = l->grid_id,
      .number = l->ctaid[0] + (uint64_t)l->nctaid[0] * (l->ctaid[1] + (uint64_t)l->nctaid[1] * l->ctaid[2]),
      .blocks = (uint64_t)l->nctaid[0] * l->nctaid[1] * l->nctaid[2],
      .threads = l->ntid[0] * l->ntid[1] * l->ntid[2],
      .regs = l->regs_per_thread,
      .shared_bytes = l->shared_bytes};
}

void wg_timeline_free(wg_timeline_t *t) {
  free(t->event);
  *t = (wg_timeline_t){0};
}

/* ---- table ---- */

void wg_timeline_write_head(FILE *f) { fprintf(f, "%s\n", kHead); }

void wg_timeline_write(FILE *f, const wg_block_event_t *e) {
  fprintf(f, "%" PRIu64 ",%s,%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%u,%u,%u\n", e->cycle, e->start ? "start" : "end",
          e->sm, e->slot, e->grid, e->number, e->blocks, e->threads, e->regs, e->shared_bytes);
}

wg_status_t wg_timeline_read(FILE *f, uint32_t grid, wg_timeline_t *t, wg_diag_t *diag) {
  char line[256], word[8];
  for (unsigned n = 1; fgets(line, sizeof line, f) != NULL; n++) {
    wg_block_event_t e = {0};
    int used = 0;
    line[strcspn(line, "\n")] = '\0';
    if (n == 1 && strcmp(line, kHead) == 0) continue;
    bool ok = n > 1 &&
              sscanf(line, "%" SCNu64 ",%7[a-z],%u,%u,%u,%" SCNu64 ",%" SCNu64 ",%u,%u,%u%n", &e.cycle, word, &e.sm,
                     &e.slot, &e.grid, &e.number, &e.blocks, &e.threads, &e.regs, &e.shared_bytes, &used) == 10 &&
              line[used] == '\0';
    e.start = ok && strcmp(word, "start") == 0;
    if (!ok || (!e.start && strcmp(word, "end") != 0)) {
      if (diag != NULL) diag->line = n;
      return wg_fail(diag, kWgBadInput,
                     n == 1 ? "no table of blocks: its head is missing" : "bad line in a table of blocks");
    }
    if ((grid == 0 || e.grid == grid) && !wg_timeline_add(t, &e)) return wg_fail(diag, kWgNoSpace, "out of memory");
  }
  return kWgOk;
}

/* ---- story ---- */

typedef struct teller {
  const wg_preset_t *p;
  wg_cta_alloc_t *sm;         /* [sms] */
  uint32_t sms, *blocks;      /* [sms] resident */
  uint64_t step, print, next; /* step number; steps to print; blocks sent */
  bool waited;
  char ended[160]; /* ends since the last step */
  uint64_t ended_cycle;
  FILE *out;
} teller_t;

static void say(teller_t *t, uint64_t cycle, const char *text) {
  if (t->step < t->print) {
    fprintf(t->out, "t%-4" PRIu64 "cycle %7" PRIu64 "  %s\n", t->step, cycle, text);
  }
  t->step++;
}

/* Thread contexts of a place: slot s of sub-core c is warp context s x sub-cores + c. Its first and last, and whether
 * there is none of others between them. */
static void contexts(const teller_t *t, const wg_cta_place_t *p, char *buf, size_t n) {
  const wg_cta_alloc_t *a = &t->sm[0];
  uint32_t low = UINT32_MAX, high = 0;
  for (uint32_t k = 0; k < p->warps; k++) {
    uint32_t c = p->slot[k] * a->sub_cores + wg_cta_place_sub(a, p, k);
    if (c < low) low = c;
    if (c > high) high = c;
  }
  snprintf(buf, n, "%u-%u%s", low * (uint32_t)kWgWarpThreads, (high + 1) * (uint32_t)kWgWarpThreads - 1,
           high - low + 1 == p->warps ? "" : " in parts");
}

static bool fits(const teller_t *t, uint32_t sm, const wg_block_event_t *e, wg_cta_place_t *place) {
  uint32_t warps = (e->threads + kWgWarpThreads - 1) / kWgWarpThreads, slots = t->p->sm.thread_slots;
  if (slots != 0 && (t->blocks[sm] + 1) * warps * kWgWarpThreads > slots) return false;
  return wg_cta_alloc_find(&t->sm[sm], warps, e->regs, e->shared_bytes, place);
}

static void flush_ends(teller_t *t) {
  if (t->ended[0] != '\0') say(t, t->ended_cycle, t->ended);
  t->ended[0] = '\0';
}

static wg_status_t start(teller_t *t, const wg_block_event_t *e, wg_diag_t *diag) {
  wg_cta_place_t place;
  char range[48], text[320];
  if (!fits(t, e->sm, e, &place) || place.block != e->slot) {
    return wg_fail(diag, kWgBadInput, "block %" PRIu64 " cannot have started in block slot %u of SM %u", e->number,
                   e->slot, e->sm);
  }
  wg_cta_alloc_take(&t->sm[e->sm], &place);
  t->blocks[e->sm]++;
  t->next++;
  contexts(t, &place, range, sizeof range);
  snprintf(text, sizeof text, "%s%sblock %" PRIu64 " -> SM%u (contexts %s, shared 0x%03x)  NEXT=%" PRIu64, t->ended,
           t->ended[0] == '\0' ? "" : ", its resources are free: ", e->number, e->sm, range, place.shared.base,
           t->next);
  t->ended[0] = '\0';
  say(t, e->cycle, text);
  return kWgOk;
}

/* The next block fits nowhere: told once, with every resource of which an SM has not enough for one block more. */
static void wait_step(teller_t *t, const wg_block_event_t *e) {
  wg_cta_place_t place;
  if (t->waited || t->next == e->blocks) return;
  for (uint32_t i = 0; i < t->sms; i++) {
    if (fits(t, i, e, &place)) return;
  }
  wg_occ_block_t b = {e->threads, e->regs, e->shared_bytes};
  wg_occ_t o;
  char text[320];
  if (wg_occ_of(t->p, &b, &o, NULL) != kWgOk) return;
  t->waited = true;
  size_t n = (size_t)snprintf(text, sizeof text, "block %" PRIu64 " fits nowhere", t->next);
  for (unsigned r = 0; r < kWgOccResources && n < sizeof text; r++) {
    if (o.alone[r] != o.blocks) continue;
    n += (size_t)snprintf(text + n, sizeof text - n, ", %s: %u x %u = %u > %u", wg_occ_resource_name((wg_occ_resource_t)r),
                          o.blocks + 1, o.needs[r], (o.blocks + 1) * o.needs[r], o.has[r]);
  }
  if (n < sizeof text) snprintf(text + n, sizeof text - n, ": it waits for a block's end");
  say(t, e->cycle, text);
}

static wg_status_t end(teller_t *t, const wg_block_event_t *e, wg_diag_t *diag) {
  if (e->slot >= kWgMaxBlockSlots || !t->sm[e->sm].block[e->slot].used) {
    return wg_fail(diag, kWgBadInput, "block %" PRIu64 " ends in block slot %u of SM %u, where none is", e->number,
                   e->slot, e->sm);
  }
  wg_cta_alloc_free(&t->sm[e->sm], e->slot);
  t->blocks[e->sm]--;
  flush_ends(t);
  t->ended_cycle = e->cycle;
  snprintf(t->ended, sizeof t->ended, "block %" PRIu64 " ends on SM%u", e->number, e->sm);
  return kWgOk;
}

static wg_status_t run(teller_t *t, const wg_timeline_t *tl, wg_timeline_sums_t *sums, wg_diag_t *diag) {
  size_t ends = 0;
  for (size_t i = 0; i < tl->n; i++) {
    const wg_block_event_t *e = &tl->event[i];
    if (e->sm >= t->sms || e->grid != tl->event[0].grid) {
      return wg_fail(diag, kWgBadInput, "an event of SM %u and grid %u does not belong to the story", e->sm, e->grid);
    }
    if (e->start) {
      WG_TRY(start(t, e, diag));
      if (t->blocks[e->sm] > sums->most_resident) sums->most_resident = t->blocks[e->sm];
      wait_step(t, e);
    } else {
      WG_TRY(end(t, e, diag));
      if (ends < 2) sums->first_end[ends++] = e->number;
    }
  }
  flush_ends(t);
  return kWgOk;
}

wg_status_t wg_timeline_tell(const wg_preset_t *p, const wg_timeline_t *tl, const char *kernel, uint64_t steps,
                             FILE *out, wg_timeline_sums_t *sums, wg_diag_t *diag) {
  if (tl->n == 0) return wg_fail(diag, kWgBadInput, "no block ever started");
  teller_t t = {.p = p, .sms = p->num_sms, .print = steps, .out = out};
  *sums = (wg_timeline_sums_t){.first_end = {UINT64_MAX, UINT64_MAX}};
  t.sm = calloc(t.sms, sizeof *t.sm);
  t.blocks = calloc(t.sms, sizeof *t.blocks);
  wg_status_t st = kWgOk;
  if (t.sm == NULL || t.blocks == NULL) st = wg_fail(diag, kWgNoSpace, "out of memory");
  for (uint32_t i = 0; st == kWgOk && i < t.sms; i++) wg_cta_alloc_reset(&t.sm[i], p->shape->sub_cores, &p->sm);
  if (st == kWgOk) {
    const wg_block_event_t *e = &tl->event[0];
    char text[256];
    snprintf(text, sizeof text,
             "launch: EXECUTE=%s, NUM_BLOCKS=%" PRIu64 ", a block needs %u threads, %u bytes shared", kernel,
             e->blocks, e->threads, e->shared_bytes);
    say(&t, e->cycle, text);
    st = run(&t, tl, sums, diag);
  }
  sums->steps = t.step;
  sums->cycles = tl->event[tl->n - 1].cycle - tl->event[0].cycle + 1;
  free(t.sm);
  free(t.blocks);
  return st;
}
