// SPDX-License-Identifier: Apache-2.0
//
// A run as one JSON document (`warpglass run --json FILE`), for programs and for the text report.
#include <math.h>
#include <string.h>

#include "cosim/cli/cli_stats.h"
#include "toolchain/obj/wg_demangle.h"

static void put_text(json_t *o, const char *key, const char *text) {
  if (text[0] == '\0') return;
  json_t *s = json_string(text); /* NULL for what is no UTF-8 */
  char clean[512];
  if (s == NULL) {
    snprintf(clean, sizeof clean, "%s", text);
    for (char *p = clean; *p != '\0'; p++) *p = (*p & 0x80) != 0 ? '?' : *p;
    s = json_string(clean);
  }
  json_object_set_new(o, key, s);
}

static void put_count(json_t *o, const char *key, uint64_t v) {
  json_object_set_new(o, key, json_integer((json_int_t)v));
}

/* Figures that are whole are written without a fraction. */
static void put_figure(json_t *o, const char *key, double v) {
  if (!isfinite(v)) return;
  json_object_set_new(o, key, v == floor(v) && fabs(v) < 9e15 ? json_integer((json_int_t)v) : json_real(v));
}

static void put_object(json_t *o, const char *key, json_t *member) {
  if (json_object_size(member) != 0)
    json_object_set_new(o, key, member);
  else
    json_decref(member);
}

static json_t *three(const uint32_t v[3]) { return json_pack("[i,i,i]", (int)v[0], (int)v[1], (int)v[2]); }

static json_t *setup_of(const cli_record_t *r, const cli_outcome_t *o) {
  json_t *s = json_object(), *args = json_array();
  put_text(s, "program", o->program);
  for (size_t i = 0; o->args[i] != NULL; i++) {
    json_t *word = json_string(o->args[i]);
    json_array_append_new(args, word != NULL ? word : json_string("?"));
  }
  if (json_array_size(args) != 0) json_object_set(s, "arguments", args);
  json_decref(args);
  if (r->preset[0] == '\0') return s; /* the program made no CUDA call */
  put_text(s, "preset", r->preset);
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)o->seed);
  put_text(s, "seed", seed);
  put_text(s, "backend", r->backend);
  put_text(s, "scheduler", r->sched);
  put_count(s, "progress_cycles", r->progress_cycles);
  put_text(s, "blocks", r->blocks);
  put_text(s, "divergence", r->divergence);
  put_text(s, "dependence", r->dependence);
  put_text(s, "check", r->check);
  put_text(s, "memory", r->memory);
  put_count(s, "sms", r->sms);
  put_count(s, "abi_version", kWgAbiVersion);
  json_object_set_new(s, "clock", json_boolean(r->timing));
  json_object_set_new(s, "counts", json_boolean(r->hashes));
  return s;
}

static json_t *machine_of(const wg_session_machine_t *m) {
  json_t *o = json_object();
#define WG_MACHINE(KEY, EXPR, DOC) put_figure(o, #KEY, m->KEY);
#include "cosim/machine.def"
  return o;
}

/* Slots by owner, warp cycles by state. */
static json_t *reasons_of(const uint64_t v[kWgReasonCount], const char *unit) {
  json_t *o = json_object();
  char key[40];
  for (unsigned i = 0; i < kWgReasonCount; i++) put_count(o, cli_reason_key(i, unit, key, sizeof key), v[i]);
  return o;
}

static void put_counters(json_t *o, const wg_launch_result_t *m, unsigned have, bool sums) {
  size_t n = 0;
  const cli_stat_t *list = cli_stats_counters(&n);
  for (size_t i = 0; i < n; i++) {
    if ((list[i].need & ~have) == 0 && (!sums || list[i].sum)) put_count(o, list[i].key, cli_stat_count(&list[i], m));
  }
  if ((have & kNeedCounts) == 0 && (have & kNeedSlots) != 0)
    put_count(o, "warp_insts", m->slot_cycles[kWgReasonIssued]);
  if ((have & kNeedSlots) == 0) return;
  put_object(o, "issue_slots", reasons_of(m->slot_cycles, "slots"));
  put_object(o, "warp_states", reasons_of(m->warp_cycles, "cycles"));
}

static void put_figures(json_t *o, const cli_stat_t *list, size_t n, const cli_record_t *r, const cli_launch_t *l,
                        unsigned have) {
  for (size_t i = 0; i < n; i++) {
    if ((list[i].need & ~have) == 0) put_figure(o, list[i].key, list[i].rate(l, &r->machine));
  }
}

static void put_hash(json_t *o, uint64_t hash) {
  char text[20];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
  put_text(o, "retire_hash", text);
}

/* Absent where no chains were followed. */
static void put_span(json_t *o, uint64_t work, uint64_t span) {
  json_t *s = json_object();
  if (span != 0) {
    put_count(s, "work_thread_insts", work);
    put_count(s, "span_insts", span);
    put_figure(s, "parallelism_ratio", (double)work / (double)span);
  }
  put_object(o, "work_span", s);
}

static json_t *launch_of(const cli_record_t *r, const cli_launch_t *l) {
  char name[sizeof l->kernel];
  size_t n = 0;
  json_t *o = json_object(), *occupancy = json_object(), *rates = json_object();
  bool beside = strcmp(l->by, "beside") == 0; /* counters, if any, are of all grids that ran together */
  unsigned have = cli_stats_measured(r, l);
  put_count(o, "launch", l->n);
  put_text(o, "kernel", l->kernel);
  put_text(o, "name", wg_demangle(l->kernel, name, sizeof name));
  json_object_set_new(o, "grid", three(l->grid));
  json_object_set_new(o, "block", three(l->block));
  put_count(o, "dynamic_shared_bytes", l->shared);
  if (l->occ.max_warps != 0) {
    put_count(o, "static_shared_bytes", l->occ.static_shared_bytes);
    put_count(o, "registers_per_thread", l->occ.registers);
    put_count(o, "local_bytes_per_thread", l->occ.local_bytes);
  }
  json_object_set_new(o, "beside_others", json_boolean(beside));
  if (r->timing && !beside) {
    put_count(o, "bound_cycles", l->bound);
    put_text(o, "bound_by", l->by);
  }
  bool told = !beside || l->warp_insts != 0 || l->more.mem.requests != 0;
  if (l->has_more && told)
    put_counters(o, &l->more, beside ? have & ~(unsigned)kNeedSlots : have, beside);
  else if (r->timing)
    put_count(o, "cycles", l->cycles);
  if (r->hashes && told) put_hash(o, l->hash);
  const cli_stat_t *list = cli_stats_occupancy(&n);
  if (l->occ.max_warps != 0) {
    put_figures(occupancy, list, n, r, l, beside || !l->has_more ? 0 : have);
    put_text(occupancy, "limiter", l->occ.limiter);
    put_text(occupancy, "remedy", l->occ.remedy);
  }
  put_object(o, "occupancy", occupancy);
  list = cli_stats_rates(&n);
  if (!beside && l->has_more && r->has_machine) put_figures(rates, list, n, r, l, have);
  put_object(o, "rates", rates);
  put_span(o, l->thread_insts, l->span);
  return o;
}

static json_t *totals_of(const cli_record_t *r) {
  wg_launch_result_t sum;
  uint64_t v[sizeof sum / sizeof(uint64_t)] = {0}, hash = 0;
  unsigned have = r->num_launches == 0 ? 0 : cli_stats_measured(r, &r->launches[0]);
  bool more = r->num_launches != 0;
  for (size_t i = 0; i < r->num_launches; i++) { /* the structure is an array of 64-bit counters */
    uint64_t a[sizeof sum / sizeof(uint64_t)];
    memcpy(a, &r->launches[i].more, sizeof a);
    for (size_t k = 0; k < sizeof a / sizeof a[0]; k++) v[k] += a[k];
    more = more && r->launches[i].has_more;
    hash += r->launches[i].hash;
  }
  memcpy(&sum, v, sizeof sum);
  json_t *o = json_object();
  put_count(o, "launches", r->num_launches);
  if (more) put_counters(o, &sum, have, true);
  if (more && r->hashes) put_hash(o, hash);
  put_span(o, sum.thread_insts, cli_span_of_run(r));
  return o;
}

/* Copies by direction. */
static json_t *copies_of(const cli_record_t *r) {
  static const char *const kKinds[][2] = {
      {"h2d", "host_to_device"}, {"d2h", "device_to_host"}, {"d2d", "within_device"}, {"set", "set"}};
  json_t *all = json_object();
  for (size_t k = 0; k < sizeof kKinds / sizeof kKinds[0]; k++) {
    uint64_t n = 0, bytes = 0, pageable = 0, ns = 0;
    for (size_t i = 0; i < r->num_events; i++) {
      const cli_event_t *e = &r->events[i];
      if (e->of_host || strcmp(e->what, kKinds[k][0]) != 0) continue;
      n++;
      bytes += e->bytes;
      pageable += e->pageable ? e->bytes : 0;
      ns += e->end - e->start;
    }
    if (n == 0) continue;
    json_t *o = json_object();
    put_count(o, "copies", n);
    put_count(o, "copied_bytes", bytes);
    put_count(o, "pageable_bytes", pageable);
    put_count(o, "busy_ns", ns);
    put_figure(o, "rate_gbytes_per_s", ns == 0 ? NAN : (double)bytes / (double)ns);
    json_object_set_new(all, kKinds[k][1], o);
  }
  return all;
}

json_t *cli_json_of(const cli_record_t *r, const cli_outcome_t *o) {
  json_t *doc = json_object(), *launches = json_array();
  put_text(doc, "schema", "warpglass-run-1");
  put_text(doc, "verdict", o->why[0] == '\0' ? "PASS" : "FAIL");
  put_text(doc, "reason", o->why);
  json_object_set_new(doc, "setup", setup_of(r, o));
  if (r->has_machine) json_object_set_new(doc, "machine", machine_of(&r->machine));
  for (size_t i = 0; i < r->num_launches; i++) json_array_append_new(launches, launch_of(r, &r->launches[i]));
  json_object_set_new(doc, "launches", launches);
  put_object(doc, "copies", copies_of(r));
  json_object_set_new(doc, "totals", totals_of(r));
  return doc;
}

bool cli_json_write(FILE *out, const json_t *doc) {
  return json_dumpf(doc, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12)) == 0 &&
         fputc('\n', out) != EOF;
}
