// SPDX-License-Identifier: Apache-2.0
//
// The JSON Schema of `warpglass run --json`, made from the tables that the documents are made from.
#include <stdio.h>
#include <string.h>

#include "cosim/cli/cli_opts.h"
#include "cosim/cli/cli_stats.h"

/* An object under construction: its properties and those that every document has. */
typedef struct object {
  json_t *properties, *required;
} object_t;

static object_t begin(void) { return (object_t){json_object(), json_array()}; }

static void add(object_t *o, const char *key, json_t *schema, bool always) {
  json_object_set_new(o->properties, key, schema);
  if (always) json_array_append_new(o->required, json_string(key));
}

static json_t *end(object_t *o, const char *doc) {
  return json_pack("{s:s, s:s, s:o, s:o, s:b}", "type", "object", "description", doc, "properties", o->properties,
                   "required", o->required, "additionalProperties", 0);
}

/* @param type "integer" or "number" */
static json_t *figure(const char *key, const char *type, const char *doc, unsigned need) {
  char unit[40], text[320];
  bool count = false;
  WG_BUG(cli_stat_unit(key, unit, sizeof unit, &count) == NULL); /* a key without a unit: see the README's rule */
  static const struct {
    unsigned need;
    const char *text;
  } kAbsent[] = {
      {kNeedClock, "a clock"}, {kNeedCounts, "counted instructions"}, {kNeedMemory, "the model's own memory"}};
  int n = snprintf(text, sizeof text, "%s", doc);
  for (size_t i = 0, first = 1; i < sizeof kAbsent / sizeof kAbsent[0] && n > 0 && (size_t)n < sizeof text; i++) {
    if ((need & kAbsent[i].need) == 0) continue;
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", first != 0 ? "; needs " : ", ", kAbsent[i].text);
    first = 0;
  }
  json_t *o = json_pack("{s:s, s:s, s:s, s:i}", "type", type, "description", text, "unit", unit, "minimum", 0);
  if (count) json_object_set_new(o, "count", json_true());
  return o;
}

static json_t *text(const char *doc) {
  return json_pack("{s:s, s:s, s:i}", "type", "string", "description", doc, "minLength", 1);
}
static json_t *flag(const char *doc) { return json_pack("{s:s, s:s}", "type", "boolean", "description", doc); }

static json_t *one_of(const char *doc, const char *a, const char *b) {
  return json_pack("{s:s, s:s, s:[s,s]}", "type", "string", "description", doc, "enum", a, b);
}

static json_t *three(const char *doc) {
  return json_pack("{s:s, s:s, s:{s:s, s:i}, s:i, s:i}", "type", "array", "description", doc, "items", "type",
                   "integer", "minimum", 1, "minItems", 3, "maxItems", 3);
}

static json_t *setup(void) {
  object_t o = begin();
  add(&o, "program", text("file name of the program"), true);
  add(&o, "arguments",
      json_pack("{s:s, s:s, s:{s:s}, s:i}", "type", "array", "description", "of the program; absent without one",
                "items", "type", "string", "minItems", 1),
      false);
  add(&o, "preset", text("machine, a file of configs/; this and all below absent if the program made no CUDA call"),
      false);
  add(&o, "seed", text("of the values before reset and of what is random by name; decimal digits, up to 64 bits"), false);
  add(&o, "backend", text("what the SMs are: rtl, func, stub, systemc"), false);
  add(&o, "scheduler", text("warp scheduler with its knobs"), false);
  add(&o, "progress_cycles", figure("progress_cycles", "integer", "that a warp which could issue waits at most, whatever the scheduler does; 0: it may starve", 0), false);
  add(&o, "blocks", text("block policy with its knobs and order"), false);
  add(&o, "divergence", text("stack or its"), false);
  add(&o, "dependence", text("scoreboard or control-bits"), false);
  add(&o, "check", text("comparison with the golden model: off, retire, units"), false);
  add(&o, "memory", text("model, or the name of another memory behind the SMs' ports"), false);
  add(&o, "sms", figure("sms", "integer", "SMs of the run", 0), false);
  add(&o, "abi_version", figure("abi_version", "integer", "of the interface between model and RTL (isa/cfg.def)", 0),
      false);
  add(&o, "clock", flag("the back end has a clock: cycles are told"), false);
  add(&o, "counts", flag("instructions are counted"), false);
  return end(&o, "what was run on what");
}

static json_t *machine(void) {
  object_t o = begin();
#define WG_MACHINE(KEY, EXPR, DOC) add(&o, #KEY, figure(#KEY, "number", DOC, 0), true);
#include "cosim/machine.def"
  return end(&o, "figures of the machine that ratios are taken against");
}

static void counters(object_t *o, bool sums) {
  size_t n = 0;
  const cli_stat_t *list = cli_stats_counters(&n);
  for (size_t i = 0; i < n; i++) {
    if (!sums || list[i].sum) add(o, list[i].key, figure(list[i].key, "integer", list[i].doc, list[i].need), false);
  }
  object_t s = begin(), w = begin();
  char key[40], doc[120];
  for (unsigned i = 0; i < kWgReasonCount; i++) {
    snprintf(doc, sizeof doc, "scheduler slots owned by: %s", wg_reason_name(i));
    add(&s, cli_reason_key(i, "slots", key, sizeof key), figure(key, "integer", doc, 0), true);
    snprintf(doc, sizeof doc, "cycles of resident warps in the state: %s", wg_reason_name(i));
    add(&w, cli_reason_key(i, "cycles", key, sizeof key), figure(key, "integer", doc, 0), true);
  }
  add(o, "issue_slots",
      end(&s, "scheduler slots by owner (isa/cfg.def): cycles x sub-cores x SMs in all; of SMs in RTL"), false);
  add(o, "warp_states", end(&w, "resident warps by what they do or wait for, summed over cycles; of SMs in RTL"),
      false);
  add(o, "retire_hash", text("sum over all instructions of a hash of thread, pc and values written"), false);
}

static json_t *figures(const cli_stat_t *list, size_t n, const char *doc, bool occupancy) {
  object_t o = begin();
  for (size_t i = 0; i < n; i++)
    add(&o, list[i].key, figure(list[i].key, "number", list[i].doc, list[i].need), occupancy && list[i].need == 0);
  if (occupancy) {
    add(&o, "limiter", text("the resource that keeps an SM from holding more blocks"), true);
    add(&o, "remedy", text("what would let it hold more"), true);
  }
  return end(&o, doc);
}

static json_t *work_span(const char *doc) {
  object_t o = begin();
  add(&o, "work_thread_insts", figure("work_thread_insts", "integer", "instructions that threads executed", 0), true);
  add(&o, "span_insts",
      figure("span_insts", "integer", "of them on the longest chain of dependences (model/ref/wg_ref_span.h)", 0),
      true);
  add(&o, "parallelism_ratio", figure("parallelism_ratio", "number", "work over span", 0), true);
  return end(&o, doc);
}

static json_t *launch(void) {
  object_t o = begin();
  size_t n = 0;
  add(&o, "launch", figure("launch", "integer", "number of the launch, from 1", 0), true);
  add(&o, "kernel", text("mangled name"), true);
  add(&o, "name", text("C++ name"), true);
  add(&o, "grid", three("blocks in x, y, z"), true);
  add(&o, "block", three("threads of a block in x, y, z"), true);
  add(&o, "dynamic_shared_bytes", figure("dynamic_shared_bytes", "integer", "of a block, by the launch", 0), true);
  add(&o, "static_shared_bytes", figure("static_shared_bytes", "integer", "of a block, by the kernel", 0), false);
  add(&o, "registers_per_thread",
      figure("registers_per_thread", "integer", "as compiled, before rounding to the allocation unit", 0), false);
  add(&o, "local_bytes_per_thread", figure("local_bytes_per_thread", "integer", "local memory", 0), false);
  add(&o, "beside_others", flag("grids ran beside it: of them all the last one to end has the counters, as sums"),
      true);
  add(&o, "bound_cycles", figure("bound_cycles", "integer", "lower bound of cycles from first principles", kNeedClock),
      false);
  add(&o, "bound_by", text("what the bound is: issue, shared, l1, dram, or a pipe: "
                             "int, fp (FP32 and half), fp64, sfu, lsu, mma"), false);
  counters(&o, false);
  const cli_stat_t *list = cli_stats_occupancy(&n);
  add(&o, "occupancy", figures(list, n, "warps on an SM: what it can hold, what it held", true), false);
  list = cli_stats_rates(&n);
  add(&o, "rates", figures(list, n, "what follows from counters and machine; a ratio to zero is absent", false), false);
  add(&o, "work_span", work_span("with the setting span=on"), false);
  return end(&o, "one kernel launch");
}

static json_t *copies(void) {
  static const char *const kKinds[] = {"host_to_device", "device_to_host", "within_device", "set"};
  object_t all = begin();
  for (size_t i = 0; i < sizeof kKinds / sizeof kKinds[0]; i++) {
    object_t o = begin();
    add(&o, "copies", figure("copies", "integer", "commands", 0), true);
    add(&o, "copied_bytes", figure("copied_bytes", "integer", "moved or set", 0), true);
    add(&o, "pageable_bytes", figure("pageable_bytes", "integer", "of them from or to pageable host memory", 0), true);
    add(&o, "busy_ns", figure("busy_ns", "integer", "from a command's start to its end, summed", 0), true);
    add(&o, "rate_gbytes_per_s", figure("rate_gbytes_per_s", "number", "copied_bytes over busy_ns", 0), false);
    add(&all, kKinds[i], end(&o, "commands of one kind"), false);
  }
  return end(&all, "copies and sets by direction; absent without one");
}

json_t *cli_json_schema(void) {
  object_t o = begin(), t = begin();
  add(&o, "schema",
      json_pack("{s:s, s:s}", "description", "name and version of this schema", "const", "warpglass-run-1"), true);
  add(&o, "verdict", one_of("as the run's last line says", "PASS", "FAIL"), true);
  add(&o, "reason", text("why it failed; absent if it passed"), false);
  add(&o, "setup", setup(), true);
  add(&o, "machine", machine(), false);
  add(&o, "launches",
      json_pack("{s:s, s:s, s:o}", "type", "array", "description", "in the order of their ends", "items", launch()),
      true);
  add(&o, "copies", copies(), false);
  add(&t, "launches", figure("launches", "integer", "that ran to their end", 0), true);
  counters(&t, true);
  add(&t, "work_span", work_span("with the setting span=on; launches in stream order"), false);
  add(&o, "totals", end(&t, "sums over the launches"), true);
  json_t *root = json_pack("{s:s, s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
                           "warpglass-run-1", "title", "A run of a CUDA program on Warpglass");
  json_t *body =
      end(&o,
          "Made by `warpglass schema`; do not edit. A key's last word is its unit, or what is counted (\"count\"); "
          "what was not measured is absent.");
  json_object_update(root, body);
  json_decref(body);
  return root;
}

static const cli_opt_t kOpts[] = {{NULL, NULL, NULL, NULL}};

const cli_command_t kCliSchema = {
    "schema", "",        "the JSON Schema (draft 2020-12) of what `warpglass run --json FILE` writes",
    kOpts,    "",        "Example:\n  warpglass schema > run.schema.json\n",
    false,    cli_schema};

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  (void)ctx, (void)opt;
  return cli_usage("warpglass schema", "the command 'schema' takes no words: '%s'", value);
}

int cli_schema(int argc, char **argv) {
  int rc = cli_opts_read(&kCliSchema, argc, argv, take, NULL, NULL);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  json_t *doc = cli_json_schema();
  bool ok = cli_json_write(stdout, doc) && fflush(stdout) == 0;
  json_decref(doc);
  return ok ? kCliPass : cli_unwritten("the schema");
}
