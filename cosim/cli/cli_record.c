// SPDX-License-Identifier: Apache-2.0
//
// Records of a run: lines of key=value words that runtime/rt_report.c writes.
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "cosim/cli/cli.h"

/* The value of `key` in a line, up to the next blank; false if it is not there. */
static bool word(const char *line, const char *key, char *out, size_t n) {
  size_t len = strlen(key);
  for (const char *p = line; (p = strstr(p, key)) != NULL; p++) {
    if (p == line || p[-1] != ' ' || p[len] != '=') continue;
    size_t w = strcspn(p + len + 1, " \n");
    snprintf(out, n, "%.*s", (int)w, p + len + 1);
    return true;
  }
  return false;
}

static bool number(const char *line, const char *key, int base, uint64_t *out) {
  char text[32];
  if (!word(line, key, text, sizeof text)) return false;
  char *end = NULL;
  *out = strtoull(text, &end, base);
  return *end == '\0';
}

static bool triple(const char *line, const char *key, uint32_t out[3]) {
  char text[64];
  return word(line, key, text, sizeof text) && sscanf(text, "%u,%u,%u", &out[0], &out[1], &out[2]) == 3;
}

static bool read_setup(const char *line, cli_record_t *r) {
  uint64_t sms = 0, timing = 0, hashes = 0, progress = kWgSchedWithhold;
  bool ok = word(line, "preset", r->preset, sizeof r->preset) &&
            word(line, "backend", r->backend, sizeof r->backend) &&
            word(line, "sched", r->sched, sizeof r->sched) && word(line, "blocks", r->blocks, sizeof r->blocks) &&
            word(line, "divergence", r->divergence, sizeof r->divergence) &&
            word(line, "dependence", r->dependence, sizeof r->dependence) && number(line, "sms", 10, &sms) &&
            number(line, "timing", 10, &timing) && number(line, "hashes", 10, &hashes);
  if (!word(line, "check", r->check, sizeof r->check)) snprintf(r->check, sizeof r->check, "off");
  if (!word(line, "memory", r->memory, sizeof r->memory)) snprintf(r->memory, sizeof r->memory, "model");
  (void)number(line, "progress", 10, &progress);
  r->sms = (unsigned)sms;
  r->progress_cycles = (unsigned)progress;
  r->timing = timing != 0;
  r->hashes = hashes != 0;
  return ok;
}

static bool real(const char *line, const char *key, double *out) {
  char text[48], *end = NULL;
  if (!word(line, key, text, sizeof text)) return false;
  *out = strtod(text, &end);
  return end != text && *end == '\0';
}

static bool read_machine(const char *line, cli_record_t *r) {
  r->has_machine = true;
#define WG_MACHINE(KEY, EXPR, DOC) if (!real(line, #KEY, &r->machine.KEY)) r->has_machine = false;
#include "cosim/machine.def"
  return r->has_machine;
}

/* Holds for the launches behind it. */
static bool read_occupancy(const char *line, cli_launch_t *l) {
  uint64_t v[6] = {0};
  static const char *const kKeys[6] = {"regs", "static", "local", "block_warps", "blocks", "max_warps"};
  for (size_t i = 0; i < 6; i++) {
    if (!number(line, kKeys[i], 10, &v[i])) return false;
  }
  const char *remedy = strstr(line, " remedy=");
  if (remedy == NULL || !word(line, "limiter", l->occ.limiter, sizeof l->occ.limiter)) return false;
  l->occ.registers = (uint32_t)v[0];
  l->occ.static_shared_bytes = (uint32_t)v[1];
  l->occ.local_bytes = (uint32_t)v[2];
  l->occ.block_warps = (uint32_t)v[3];
  l->occ.blocks = (uint32_t)v[4];
  l->occ.max_warps = (uint32_t)v[5];
  snprintf(l->occ.remedy, sizeof l->occ.remedy, "%.*s", (int)strcspn(remedy + 8, "\n"), remedy + 8);
  for (char *p = l->occ.limiter; *p != '\0'; p++) *p = *p == '_' ? ' ' : *p;
  return true;
}

/* The base words are counters too. */
static void fill_more(const char *line, cli_launch_t *l) {
  wg_launch_result_t *m = &l->more;
  m->cycles = l->cycles;
  if (!number(line, "time_ns", 10, &m->time_ns)) m->time_ns = 0;
  m->warp_insts = l->warp_insts;
  m->thread_insts = l->thread_insts;
  m->global_load_requests = l->load_requests;
  m->global_load_lanes = l->load_lanes;
  m->global_load_sectors = l->load_sectors;
  m->global_store_requests = l->store_requests;
  m->global_store_lanes = l->store_lanes;
  m->global_store_sectors = l->store_sectors;
  m->shared_wavefronts = l->shared_wavefronts;
  m->l1_lines = l->l1_lines;
  m->dram_read_bytes = l->dram_read;
  m->dram_write_bytes = l->dram_write;
  m->l2_sector_hits = m->mem.l2_load_sector_hits;
  m->l2_sector_misses = m->mem.l2_load_sector_misses;
  m->retire_hash = l->hash;
}

static bool read_launch(const char *line, cli_launch_t *l) {
  uint64_t n = 0, shared = 0;
  const struct {
    const char *key;
    uint64_t *to;
  } fields[] = {{"n", &n},
                {"shared", &shared},
                {"cycles", &l->cycles},
                {"bound", &l->bound},
                {"warp_insts", &l->warp_insts},
                {"thread_insts", &l->thread_insts},
                {"load_requests", &l->load_requests},
                {"load_lanes", &l->load_lanes},
                {"load_sectors", &l->load_sectors},
                {"store_requests", &l->store_requests},
                {"store_lanes", &l->store_lanes},
                {"store_sectors", &l->store_sectors},
                {"shared_wavefronts", &l->shared_wavefronts},
                {"l1_lines", &l->l1_lines},
                {"dram_read", &l->dram_read},
                {"dram_write", &l->dram_write}};
  memset(l, 0, sizeof *l);
  bool ok = word(line, "kernel", l->kernel, sizeof l->kernel) && word(line, "by", l->by, sizeof l->by) &&
            triple(line, "grid", l->grid) && triple(line, "block", l->block) && number(line, "hash", 16, &l->hash);
  for (size_t i = 0; ok && i < sizeof fields / sizeof fields[0]; i++)
    ok = number(line, fields[i].key, 10, fields[i].to);
  if (ok && !number(line, "span", 10, &l->span)) l->span = 0;
  if (ok) l->has_more = cli_counters_read(line, &l->more);
  if (ok) fill_more(line, l);
  l->n = (unsigned)n;
  l->shared = (uint32_t)shared;
  return ok;
}

/* Written when the run fails, so that it is known of a program that is killed before its end. */
static bool read_cause(const char *line, cli_record_t *r) {
  const char *reason = strstr(line, " reason=");
  if (reason == NULL) return false;
  if (r->reason[0] == '\0') snprintf(r->reason, sizeof r->reason, "%.*s", (int)strcspn(reason + 8, "\n"), reason + 8);
  return true;
}

static bool read_end(const char *line, cli_record_t *r) {
  uint64_t failed = 0;
  char status[16];
  const char *reason = strstr(line, " reason=");
  if (reason == NULL || !number(line, "failed", 10, &failed) || !word(line, "status", status, sizeof status))
    return false;
  r->ended = true;
  if (!number(line, "cycle", 10, &r->end_cycle)) r->end_cycle = 0;
  if (r->failed) return true; /* of a child process; the first failure stands */
  r->status = atoi(status);
  r->failed = failed != 0;
  snprintf(r->reason, sizeof r->reason, "%.*s", (int)strcspn(reason + 8, "\n"), reason + 8);
  return true;
}

void *cli_room(void *items, size_t n, size_t *cap, size_t size) {
  if (n < *cap) return items;
  size_t more = *cap == 0 ? 64 : *cap * 2;
  void *grown = realloc(items, more * size);
  if (grown != NULL) *cap = more;
  return grown;
}

static wg_status_t add_launch(cli_record_t *r, const cli_launch_t *l, wg_diag_t *diag) {
  cli_launch_t *grown = cli_room(r->launches, r->num_launches, &r->cap, sizeof *grown);
  if (grown == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  r->launches = grown;
  r->launches[r->num_launches++] = *l;
  return kWgOk;
}

static bool read_event(const char *line, cli_event_t *e) {
  uint64_t stream = 0, words = 0, pageable = 0;
  memset(e, 0, sizeof *e);
  e->of_host = strncmp(line, "step ", 5) == 0;
  if (e->of_host) {
    return word(line, "what", e->what, sizeof e->what) && number(line, "bytes", 10, &e->bytes) &&
           number(line, "from", 10, &e->start) && number(line, "to", 10, &e->end);
  }
  bool ok = word(line, "op", e->what, sizeof e->what) && word(line, "kernel", e->kernel, sizeof e->kernel) &&
            number(line, "id", 10, &e->id) && number(line, "stream", 10, &stream) && number(line, "words", 10, &words) &&
            number(line, "bytes", 10, &e->bytes) && number(line, "pageable", 10, &pageable) &&
            number(line, "submit", 10, &e->submit) && number(line, "start", 10, &e->start) && number(line, "end", 10, &e->end);
  e->stream = (uint32_t)stream;
  e->words = (uint32_t)words;
  e->pageable = pageable != 0;
  return ok;
}

static wg_status_t add_event(cli_record_t *r, const cli_event_t *e, wg_diag_t *diag) {
  cli_event_t *grown = cli_room(r->events, r->num_events, &r->cap_events, sizeof *grown);
  if (grown == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  r->events = grown;
  r->events[r->num_events++] = *e;
  return kWgOk;
}

static wg_status_t add_finding(cli_record_t *r, const char *line, wg_diag_t *diag) {
  char **grown = realloc(r->findings, (r->num_findings + 1) * sizeof *grown);
  if (grown == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  r->findings = grown;
  r->findings[r->num_findings] = strndup(line, strcspn(line, "\n"));
  if (r->findings[r->num_findings] == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  r->num_findings++;
  return kWgOk;
}

void cli_findings_json(FILE *out, const cli_record_t *r) {
  fprintf(out, "{\n \"findings\": [");
  for (size_t i = 0; i < r->num_findings; i++) fprintf(out, "%s\n  %s", i == 0 ? "" : ",", r->findings[i]);
  fprintf(out, "%s]\n}\n", r->num_findings == 0 ? "" : "\n ");
}

wg_status_t cli_record_read(FILE *f, cli_record_t *r, wg_diag_t *diag) {
  char *line = NULL;
  size_t cap = 0;
  unsigned at = 0;
  wg_status_t st = kWgOk;
  cli_launch_t occupancy;
  memset(&occupancy, 0, sizeof occupancy);
  memset(r, 0, sizeof *r);
  while (st == kWgOk && getline(&line, &cap, f) >= 0) {
    cli_launch_t l = {0};
    bool ok = true;
    at++;
    if (strncmp(line, "setup ", 6) == 0) {
      ok = read_setup(line, r);
    } else if (strncmp(line, "machine ", 8) == 0) {
      ok = read_machine(line, r);
    } else if (strncmp(line, "occupancy ", 10) == 0) {
      ok = read_occupancy(line, &occupancy);
    } else if (strncmp(line, "cause ", 6) == 0) {
      ok = read_cause(line, r);
    } else if (strncmp(line, "launch ", 7) == 0) {
      ok = read_launch(line, &l);
      l.occ = occupancy.occ;
      if (ok) st = add_launch(r, &l, diag);
    } else if (strncmp(line, "finding ", 8) == 0) {
      st = add_finding(r, line + 8, diag);
    } else if (strncmp(line, "command ", 8) == 0 || strncmp(line, "step ", 5) == 0) {
      cli_event_t e;
      ok = read_event(line, &e);
      if (ok) st = add_event(r, &e, diag);
    } else {
      ok = strncmp(line, "end ", 4) == 0 && read_end(line, r);
    }
    if (!ok) st = wg_fail(diag, kWgBadInput, "line %u of the run's record is malformed", at);
  }
  free(line);
  if (st != kWgOk) cli_record_free(r);
  return st;
}

void cli_record_free(cli_record_t *r) {
  free(r->launches);
  free(r->events);
  for (size_t i = 0; i < r->num_findings; i++) free(r->findings[i]);
  free(r->findings);
  memset(r, 0, sizeof *r);
}
