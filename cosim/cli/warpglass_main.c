// SPDX-License-Identifier: Apache-2.0
//
// warpglass: run CUDA programs on the simulated GPU, look at presets, check PTX.
#include <string.h>

#include "cosim/cli/cli.h"

static const char kHelp[] =
    "usage: warpglass COMMAND ...\n"
    "  run [options] program [arguments]   run a program built by wgcc; the last line on stdout is the verdict\n"
    "  presets [list | show NAME]          the machines under configs/\n"
    "  occupancy [options] [FILE]          what limits the blocks on an SM, and which block size is best\n"
    "  dispatch [options]                  where a grid's blocks go, step by step and drawn\n"
    "  policies                            the block policies of --blocks and the warp schedulers of --sched\n"
    "  report [--launch N] FILE            the statistics that run --json wrote, as a profiler shows them\n"
    "  schema                              the JSON Schema of what run --json writes\n"
    "  ptx [options] FILE                  compile a PTX file and print what its kernels need\n"
    "  --help                              this; COMMAND --help tells more\n"
    "\n"
    "exit codes: 0 pass, 1 fail, 2 wrong use\n";

int main(int argc, char **argv) {
  static const char *const kCommands[] = {"run", "presets", "ptx", "occupancy", "dispatch", "policies", "report", "schema", "--help", NULL};
  if (argc < 2) {
    fputs(kHelp, stderr);
    return kCliUsage;
  }
  const char *cmd = argv[1];
  if (strcmp(cmd, "--help") == 0 || strcmp(cmd, "-h") == 0 || strcmp(cmd, "help") == 0) {
    fputs(kHelp, stdout);
    return kCliPass;
  }
  if (strcmp(cmd, "run") == 0) return cli_run(argc - 1, argv + 1);
  if (strcmp(cmd, "presets") == 0) return cli_presets(argc - 1, argv + 1);
  if (strcmp(cmd, "ptx") == 0) return cli_ptx(argc - 1, argv + 1);
  if (strcmp(cmd, "occupancy") == 0) return cli_occupancy(argc - 1, argv + 1);
  if (strcmp(cmd, "policies") == 0) return cli_policies(argc - 1, argv + 1);
  if (strcmp(cmd, "dispatch") == 0) return cli_dispatch(argc - 1, argv + 1);
  if (strcmp(cmd, "report") == 0) return cli_report(argc - 1, argv + 1);
  if (strcmp(cmd, "schema") == 0) return cli_schema(argc - 1, argv + 1);
  return cli_unknown_option("command", cmd, kCommands);
}
