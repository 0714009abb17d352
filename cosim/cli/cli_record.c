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
  uint64_t sms = 0, timing = 0, hashes = 0;
  bool ok = word(line, "preset", r->preset, sizeof r->preset) &&
            word(line, "backend", r->backend, sizeof r->backend) &&
            word(line, "sched", r->sched, sizeof r->sched) && word(line, "blocks", r->blocks, sizeof r->blocks) &&
            word(line, "divergence", r->divergence, sizeof r->divergence) &&
            word(line, "dependence", r->dependence, sizeof r->dependence) && number(line, "sms", 10, &sms) &&
            number(line, "timing", 10, &timing) && number(line, "hashes", 10, &hashes);
  if (!word(line, "check", r->check, sizeof r->check)) snprintf(r->check, sizeof r->check, "off");
  r->sms = (unsigned)sms;
  r->timing = timing != 0;
  r->hashes = hashes != 0;
  return ok;
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
  if (ok) l->has_more = cli_counters_read(line, &l->more);
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
  if (r->failed) return true; /* of a child process; the first failure stands */
  r->status = atoi(status);
  r->failed = failed != 0;
  snprintf(r->reason, sizeof r->reason, "%.*s", (int)strcspn(reason + 8, "\n"), reason + 8);
  return true;
}

static wg_status_t add_launch(cli_record_t *r, const cli_launch_t *l, wg_diag_t *diag) {
  if (r->num_launches == r->cap) {
    size_t cap = r->cap == 0 ? 64 : r->cap * 2;
    cli_launch_t *grown = realloc(r->launches, cap * sizeof *grown);
    if (grown == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
    r->launches = grown;
    r->cap = cap;
  }
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
  if (r->num_events == r->cap_events) {
    size_t cap = r->cap_events == 0 ? 64 : r->cap_events * 2;
    cli_event_t *grown = realloc(r->events, cap * sizeof *grown);
    if (grown == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
    r->events = grown;
    r->cap_events = cap;
  }
  r->events[r->num_events++] = *e;
  return kWgOk;
}

wg_status_t cli_record_read(FILE *f, cli_record_t *r, wg_diag_t *diag) {
  char *line = NULL;
  size_t cap = 0;
  unsigned at = 0;
  wg_status_t st = kWgOk;
  memset(r, 0, sizeof *r);
  while (st == kWgOk && getline(&line, &cap, f) >= 0) {
    cli_launch_t l;
    bool ok = true;
    at++;
    if (strncmp(line, "setup ", 6) == 0) {
      ok = read_setup(line, r);
    } else if (strncmp(line, "cause ", 6) == 0) {
      ok = read_cause(line, r);
    } else if (strncmp(line, "launch ", 7) == 0) {
      ok = read_launch(line, &l);
      if (ok) st = add_launch(r, &l, diag);
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
  memset(r, 0, sizeof *r);
}
