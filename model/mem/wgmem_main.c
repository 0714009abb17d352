// SPDX-License-Identifier: Apache-2.0
//
// wgmem: the memory system of a preset alone, under rising load. Prints CSV: one row a load, latency and bandwidth as the SMs'
// ports see them. `make memory-curve` draws it.
#include <inttypes.h>
#include <string.h>

#include "model/mem/mem.h"

enum { kIds = 256, kWarmCycles = 20000, kCycles = 60000, kStoreBytes = 1 << 30 };

static const char kHelp[] =
    "usage: wgmem PRESET [sms=N] [pattern=seq|random|mixed] [scheduler=" WG_HBM_SCHEDULERS "]\n"
    "             [page=" WG_HBM_PAGES "] [write_drain=" WG_HBM_DRAINS "]\n"
    "  the memory system of a preset with N SMs' share of L2 and channels under rising load, as CSV on stdout\n"
    "  seq: each SM reads lines one after another; random: single sectors anywhere; mixed: seq, every third flit a store\n"
    "exit codes: 0 done, 1 it cannot be measured, 2 wrong use, or the preset is not there\n";

typedef struct options {
  const char *preset;
  uint32_t sms, pattern;
  uint32_t scheduler, page, write_drain; /* UINT32_MAX: the preset's */
} options_t;

/* Index of `word` in "a|b|c"; UINT32_MAX if it is none of them. */
static uint32_t choice(const char *words, const char *word) {
  size_t n = strlen(word);
  for (uint32_t i = 0;; i++) {
    size_t len = strcspn(words, "|");
    if (len == n && strncmp(words, word, n) == 0) return i;
    if (words[len] == '\0') return UINT32_MAX;
    words += len + 1;
  }
}

static const char *word_of(const char *words, uint32_t i, int *len) {
  for (; i > 0; i--) words += strcspn(words, "|") + 1;
  *len = (int)strcspn(words, "|");
  return words;
}

static const char kPatterns[] = "seq|random|mixed";

static bool parse(int argc, char **argv, options_t *o) {
  *o = (options_t){NULL, 0, 0, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  const struct {
    const char *key, *words;
    uint32_t *to;
  } keys[] = {{"pattern=", kPatterns, &o->pattern},
              {"scheduler=", WG_HBM_SCHEDULERS, &o->scheduler},
              {"page=", WG_HBM_PAGES, &o->page},
              {"write_drain=", WG_HBM_DRAINS, &o->write_drain}};
  for (int i = 1; i < argc; i++) {
    bool known = false;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
      size_t n = strlen(keys[k].key);
      if (strncmp(argv[i], keys[k].key, n) != 0) continue;
      *keys[k].to = choice(keys[k].words, argv[i] + n);
      known = *keys[k].to != UINT32_MAX;
    }
    if (strncmp(argv[i], "sms=", 4) == 0) {
      char *end = NULL;
      unsigned long v = strtoul(argv[i] + 4, &end, 10);
      known = argv[i][4] >= '1' && argv[i][4] <= '9' && *end == '\0' && v <= kWgXbarMaxSms;
      o->sms = (uint32_t)v;
    } else if (strchr(argv[i], '=') == NULL && argv[i][0] != '-' && o->preset == NULL) {
      o->preset = argv[i];
      known = true;
    }
    if (!known) {
      fprintf(stderr, "wgmem: error: cannot use '%s'\n  remedy: wgmem --help\n", argv[i]);
      return false;
    }
  }
  if (o->preset == NULL) fprintf(stderr, "wgmem: error: no preset is named\n  remedy: wgmem --help\n");
  return o->preset != NULL;
}

/* One port: the ids that are free, and where its pattern is. */
typedef struct port {
  uint8_t free[kIds];
  uint32_t num_free;
  uint8_t owed[kIds]; /* response sectors */
  uint64_t at, rng;
  double due;         /* sectors that the load wants to have sent by now, less those that were */
} port_t;

typedef struct bench {
  const options_t *o;
  wg_mem_t *mem;
  port_t *port; /* [sms] */
  uint32_t sms;
  uint64_t base, cycle;
} bench_t;

static uint64_t random_next(uint64_t *s) { /* xorshift64, Marsaglia 2003 */
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

/* The next request of a port. @return its response sectors */
static uint32_t make_req(bench_t *b, uint32_t sm, wg_mem_req_t *q) {
  port_t *p = &b->port[sm];
  memset(q, 0, sizeof *q);
  q->sm = (uint16_t)sm;
  q->op = kWgMemLoad;
  q->sector_mask = 15;
  uint64_t n = p->at++;
  if (b->o->pattern == 1) {
    uint64_t r = random_next(&p->rng);
    q->sector_mask = (uint8_t)(1u << (r >> 40 & 3u));
    q->line = b->base + r % (kStoreBytes / 128) * 128;
    return 1;
  }
  uint64_t line = n * b->sms + sm;
  if (b->o->pattern == 2) { /* of each two lines four sectors are read and two written: a third of the flits */
    line = n / 3 * b->sms + sm;
    if (n % 3 != 0) {
      line += kStoreBytes / 256;
      q->op = kWgMemStore;
      q->sector_mask = (uint8_t)(1u << (n / 3 % 2 * 2 + n % 3 - 1));
      q->byte_mask = UINT32_MAX;
    }
  }
  q->line = b->base + line % (kStoreBytes / 128) * 128;
  return (uint32_t)__builtin_popcount(q->sector_mask);
}

static void one_cycle(bench_t *b, double sectors_per_port) {
  wg_mem_rsp_t rsp;
  for (uint32_t sm = 0; sm < b->sms; sm++) {
    port_t *p = &b->port[sm];
    while (wg_mem_rsp(b->mem, sm, b->cycle, &rsp)) {
      if (--p->owed[rsp.id] == 0) p->free[p->num_free++] = rsp.id;
    }
    p->due += sectors_per_port;
    while (p->due >= 1.0 && p->num_free > 0 && wg_mem_can_req(b->mem, sm)) {
      wg_mem_req_t q;
      uint32_t sectors = make_req(b, sm, &q);
      q.id = p->free[--p->num_free];
      p->owed[q.id] = (uint8_t)sectors;
      p->due -= sectors;
      wg_mem_req(b->mem, &q, b->cycle);
    }
    if (p->due > 8.0) p->due = 8.0; /* what cannot be sent is not saved up */
  }
  wg_mem_tick(b->mem, b->cycle);
  b->cycle++;
}

/* What happened between two readings, kCycles apart. */
static void print_row(const options_t *o, const wg_preset_t *preset, unsigned percent, const wg_mem_counts_t *c0,
                      const wg_mem_counts_t *c1) {
  int ns = 0, np = 0, nd = 0, nw = 0;
  const char *w = word_of(kPatterns, o->pattern, &nw), *s = word_of(WG_HBM_SCHEDULERS, preset->hbm.scheduler, &ns);
  const char *p = word_of(WG_HBM_PAGES, preset->hbm.page, &np), *d = word_of(WG_HBM_DRAINS, preset->hbm.write_drain, &nd);
  const double cycles = kCycles;
  uint64_t sectors = c1->responses - c0->responses, hits = c1->dram_row_hits - c0->dram_row_hits;
  uint64_t bursts = hits + c1->dram_row_misses - c0->dram_row_misses;
  double gbytes = 32.0 * (double)sectors / cycles * preset->clock_khz * 1e-6;
  printf("%s,%u,%.*s,%.*s,%.*s,%.*s,%u,%.2f,%.2f,%.1f,%.2f,%.2f\n", preset->name, preset->num_sms, nw, w, ns, s, np, p, nd, d,
         percent, 100.0 * gbytes / wg_preset_hbm_gbytes_per_s(preset), gbytes,
         sectors == 0 ? 0.0 : (double)(c1->mem_latency_cycles - c0->mem_latency_cycles) / (double)sectors,
         (double)(c1->mem_in_flight_cycles - c0->mem_in_flight_cycles) / cycles,
         bursts == 0 ? 0.0 : 100.0 * (double)hits / (double)bursts);
}

static wg_status_t run_load(const options_t *o, const wg_preset_t *preset, unsigned percent, wg_diag_t *diag) {
  wg_store_t *store = NULL;
  bench_t b = {.o = o, .sms = preset->num_sms};
  WG_TRY(wg_store_create(&store, diag));
  wg_status_t st = wg_store_alloc(store, kStoreBytes, &b.base, diag);
  if (st == kWgOk) st = wg_mem_create(preset, store, NULL, NULL, &b.mem, diag);
  b.port = calloc(b.sms, sizeof *b.port);
  if (st == kWgOk && b.port == NULL) st = wg_fail(diag, kWgNoSpace, "out of memory");
  for (uint32_t i = 0; st == kWgOk && i < b.sms; i++) {
    b.port[i].rng = 0x9e3779b97f4a7c15u * (i + 1);
    for (b.port[i].num_free = 0; b.port[i].num_free < kIds; b.port[i].num_free++) {
      b.port[i].free[b.port[i].num_free] = (uint8_t)b.port[i].num_free;
    }
  }
  wg_mem_counts_t c0 = {0}, c1 = {0};
  double pins = wg_preset_hbm_gbytes_per_s(preset) * 1e6 / preset->clock_khz; /* bytes an SM cycle */
  for (uint64_t n = 0; st == kWgOk && n < kWarmCycles + kCycles; n++) {
    if (n == kWarmCycles) wg_mem_counts(b.mem, &c0);
    one_cycle(&b, pins / 32 * percent / 100 / b.sms);
    st = n % 10000 == 0 ? wg_mem_look(b.mem, b.cycle, diag) : wg_mem_status(b.mem, diag);
  }
  if (st == kWgOk) {
    wg_mem_counts(b.mem, &c1);
    print_row(o, preset, percent, &c0, &c1);
  }
  wg_mem_destroy(b.mem);
  wg_store_destroy(store);
  free(b.port);
  return st;
}

int main(int argc, char **argv) {
  static const unsigned kPercents[] = {2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 95, 100, 120};
  options_t o;
  wg_preset_t preset;
  wg_diag_t diag = {0};
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(kHelp, stdout);
    return 0;
  }
  if (!parse(argc, argv, &o)) return 2;
  wg_status_t st = wg_preset_load(o.preset, &preset, &diag);
  if (st == kWgOk) st = wg_preset_scale(&preset, o.sms, &diag);
  bool named = st == kWgOk;
  if (o.scheduler != UINT32_MAX) preset.hbm.scheduler = o.scheduler;
  if (o.page != UINT32_MAX) preset.hbm.page = o.page;
  if (o.write_drain != UINT32_MAX) preset.hbm.write_drain = o.write_drain;
  if (st == kWgOk) {
    puts("preset,sms,pattern,scheduler,page,write_drain,offered_percent,reached_percent,reached_gbytes_per_s,latency_mean_cycles,"
         "in_flight_mean_sectors,row_hit_percent");
  }
  for (size_t i = 0; st == kWgOk && i < sizeof kPercents / sizeof kPercents[0]; i++) st = run_load(&o, &preset, kPercents[i], &diag);
  if (st == kWgOk && fflush(stdout) != 0) st = wg_fail(&diag, kWgIo, "cannot write the table");
  if (st == kWgOk) return 0;
  fprintf(stderr, "wgmem: error: %s%s%s\n", diag.msg, diag.hint[0] != '\0' ? "\n  remedy: " : "", diag.hint);
  return named ? 1 : 2;
}
