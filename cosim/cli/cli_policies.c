// SPDX-License-Identifier: Apache-2.0
//
// warpglass policies: what may stand behind --blocks and --sched, from the tables that the simulator itself reads.
#include <string.h>

#include <jansson.h>

#include "cosim/cli/cli_opts.h"
#include "model/gte/gte_policy.h"

static void block_policies(void) {
  printf("block policies, --blocks NAME[:KNOB,...]\n");
  for (size_t i = 0; kWgGtePolicies[i] != NULL; i++) {
    const wg_gte_policy_t *p = kWgGtePolicies[i];
    printf("  %-10s %s\n             source: %s\n", p->name, p->doc, p->source);
    if (p->num_knobs == 0) continue;
    printf("             knobs:  %s\n             default:", p->knobs);
    for (uint32_t k = 0; k < p->num_knobs; k++) printf("%s%u", k == 0 ? " " : ",", p->knob[k]);
    printf("\n");
  }
  printf("  c:NAME     a policy in C, made loadable by scripts/cblocks.sh NAME FILE.c (cosim/POLICY.md)\n");
}

static const struct {
  const char *name, *doc;
} kScheds[] = {
#define WG_POLICY(ID, VALUE, NAME, DOC) {(VALUE) == 15 ? "plugin:NAME, c:NAME" : NAME, DOC},
#include "isa/cfg.def"
};
enum { kNumScheds = sizeof kScheds / sizeof kScheds[0] };

static void schedulers(void) {
  printf("warp schedulers, --sched NAME[:KNOB,...]\n");
  for (size_t i = 0; i < kNumScheds; i++) printf("  %-10s %s\n", kScheds[i].name, kScheds[i].doc);
}

static const cli_opt_t kOpts[] = {{NULL, NULL, NULL, NULL}};
static const cli_opt_t kSchedOpts[] = {{"--json", NULL, NULL, "as a JSON document"}, {NULL, NULL, NULL, NULL}};

const cli_command_t kCliPolicies = {"policies", "", "the block policies of --blocks and the warp schedulers of --sched", kOpts, "",
                                    "Example:\n  warpglass run --preset lecture --blocks lcs build/programs/reduce/reduce 4096\n", false, cli_policies};
const cli_command_t kCliSchedulers = {"schedulers", "[--json]", "the warp schedulers of --sched with their knobs, and the presets' choices", kSchedOpts, "",
                                      "A scheduler of your own: --sched c:NAME (cosim/POLICY.md), --sched plugin:NAME (scripts/plugin.sh).\n"
                                      "Example:\n  warpglass sweep run --store s.db --preset tiny --sched \"lrr gto swl:2\" build/programs/reduce/reduce 4096\n",
                                      false, cli_schedulers};

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  const char *command = ctx;
  (void)opt;
  return cli_usage(NULL, "%s takes no more words: '%s'", command, value);
}

int cli_policies(int argc, char **argv) {
  char name[] = "policies";
  int rc = cli_opts_read(&kCliPolicies, argc, argv, take, name, NULL);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  block_policies();
  schedulers();
  return kCliPass;
}

static int take_sched(void *ctx, const cli_opt_t *opt, const char *value) {
  bool *json = ctx;
  if (opt == NULL) return cli_usage(NULL, "schedulers takes no words: '%s'", value);
  *json = true;
  return kCliPass;
}

/* Which scheduler the presets have. */
static json_t *preset_choices(void) {
  enum { kMax = 64 };
  char names[kMax][32];
  json_t *all = json_object();
  size_t n = wg_preset_names(names, kMax);
  for (size_t i = 0; i < n; i++) {
    wg_preset_t p;
    if (wg_preset_load(names[i], &p, NULL) == kWgOk) json_object_set_new(all, names[i], json_string(wg_policy_name(p.sm.policy)));
  }
  return all;
}

int cli_schedulers(int argc, char **argv) {
  bool json = false, ok = true;
  int rc = cli_opts_read(&kCliSchedulers, argc, argv, take_sched, &json, NULL);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  json_t *choices = preset_choices();
  if (json) {
    json_t *doc = json_object(), *list = json_array();
    for (size_t i = 0; i < kNumScheds; i++) json_array_append_new(list, json_pack("{s:s, s:s}", "name", kScheds[i].name, "description", kScheds[i].doc));
    json_object_set_new(doc, "schema", json_string("warpglass-schedulers-1"));
    json_object_set_new(doc, "schedulers", list);
    json_object_set(doc, "presets", choices);
    ok = cli_json_write(stdout, doc);
    json_decref(doc);
  } else {
    const char *name;
    json_t *value;
    schedulers();
    printf("without --sched:");
    json_object_foreach(choices, name, value) printf(" %s: %s", name, json_string_value(value));
    printf("\n");
  }
  json_decref(choices);
  return ok && fflush(stdout) == 0 ? kCliPass : cli_unwritten("the schedulers");
}
