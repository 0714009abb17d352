// SPDX-License-Identifier: Apache-2.0
//
// warpglass: run CUDA programs on the simulated GPU, many of them in a sweep; look at machines, results, PTX.
#include <string.h>

#include "cosim/cli/cli.h"

static const struct {
  const char *name, *usage, *doc;
  int (*run)(int argc, char **argv);
} kCommands[] = {
    {"run", "[options] program [arguments]", "run a program built by wgcc; the last line on stdout is the verdict", cli_run},
    {"check", "[options] program [arguments]", "the same with checks: memory, initialisation, races, synchronisation", cli_check},
    {"sweep", "run|points|show|export|stats|merge", "many runs into one store, and what it holds", cli_sweep},
    {"compare", "--baseline AXIS=VALUE STORE", "a sweep's points relative to a baseline: table, CSV, bars", cli_compare},
    {"presets", "[list | show NAME]", "the machines under configs/", cli_presets},
    {"occupancy", "[options] [FILE]", "what limits the blocks on an SM, and which block size is best", cli_occupancy},
    {"dispatch", "[options]", "where a grid's blocks go, step by step and drawn", cli_dispatch},
    {"policies", "", "the block policies of --blocks and the warp schedulers of --sched", cli_policies},
    {"report", "[--launch N] FILE", "the statistics that run --json wrote, as a profiler shows them", cli_report},
    {"schema", "", "the JSON Schema of what run --json writes", cli_schema},
    {"ptx", "[options] FILE", "compile a PTX file and print what its kernels need", cli_ptx},
};
enum { kNumCommands = sizeof kCommands / sizeof kCommands[0] };

static void help(FILE *out) {
  fputs("usage: warpglass COMMAND ...\n", out);
  for (size_t i = 0; i < kNumCommands; i++) {
    int n = fprintf(out, "  %s %s", kCommands[i].name, kCommands[i].usage);
    fprintf(out, "%*s%s\n", n < 46 ? 46 - n : 1, "", kCommands[i].doc);
  }
  fputs("  --help                                      this; COMMAND --help tells more\n"
        "\n"
        "examples:\n"
        "  warpglass run --preset v100 --sched gto build/programs/reduce/reduce 4096\n"
        "  warpglass sweep run --store s.db -j2 --preset tiny --sched \"lrr gto\" --seed 1..5 build/programs/reduce/reduce 4096\n"
        "  warpglass compare s.db --baseline sched=lrr\n"
        "\n"
        "exit codes: 0 pass, 1 fail, 2 wrong use\n", out);
}

int main(int argc, char **argv) {
  const char *known[kNumCommands + 2] = {NULL};
  if (argc < 2) {
    help(stderr);
    return kCliUsage;
  }
  const char *cmd = argv[1];
  if (strcmp(cmd, "--help") == 0 || strcmp(cmd, "-h") == 0 || strcmp(cmd, "help") == 0) {
    help(stdout);
    return kCliPass;
  }
  for (size_t i = 0; i < kNumCommands; i++) {
    known[i] = kCommands[i].name;
    if (strcmp(cmd, kCommands[i].name) == 0) return kCommands[i].run(argc - 1, argv + 1);
  }
  known[kNumCommands] = "--help";
  return cli_unknown_option("command", cmd, known);
}
