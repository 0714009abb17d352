// SPDX-License-Identifier: Apache-2.0
//
// warpglass policies: what may stand behind --blocks and --sched, from the tables that the simulator itself reads.
#include <string.h>

#include "cosim/cli/cli.h"
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
}

static void schedulers(void) {
  static const struct {
    const char *name, *doc;
  } kAll[] = {
#define WG_POLICY(ID, VALUE, NAME, DOC) {(VALUE) == 15 ? "plugin:NAME, c:NAME" : NAME, DOC},
#include "isa/cfg.def"
  };
  printf("warp schedulers, --sched NAME[:KNOB,...]\n");
  for (size_t i = 0; i < sizeof kAll / sizeof kAll[0]; i++) printf("  %-10s %s\n", kAll[i].name, kAll[i].doc);
}

int cli_policies(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    printf("usage: warpglass policies\n  what may stand behind --blocks and --sched of warpglass run\n");
    return kCliPass;
  }
  if (argc > 1) return cli_usage(NULL, "policies takes no more words: '%s'", argv[1]);
  block_policies();
  schedulers();
  return kCliPass;
}
