// SPDX-License-Identifier: Apache-2.0
//
// warpglass check: `warpglass run` with the checks of a program, on the golden model unless another back end is named.
#include <string.h>

#include "cosim/cli/cli_opts.h"

const cli_command_t kCliCheck = {
    "check",
    "[--tools LIST] [options of warpglass run] [--] program [arguments]",
    "run with checks of the program: memory, initialisation, races, synchronisation",
    kCliRunOpts,
    "@file",
    "Checks of --tools, commas between; all, the default, is mem,init-all,race,sync:\n"
    "  mem       out of bounds by the byte, freed memory, misaligned; wrong cudaFree and copies; leaks (notes)\n"
    "  init      global memory that is read before anything has written it\n"
    "  init-all  the same for shared and local memory too\n"
    "  race      accesses that no barrier, fence or launch orders; with all, what lanes in step hide is a note\n"
    "  sync      barriers that not all lanes reach or that warps reach at different places, numbers of threads,\n"
    "            masks of warp-level calls, shuffles from lanes that are not there (notes)\n"
    "  advice    bank conflicts and uncoalesced accesses by source line, dearest first; never fails a run\n"
    "The program runs on the golden model (backend=func); --backend rtl runs it on the RTL, checked in lockstep.\n"
    "Example:\n  warpglass check --preset tiny --tools mem,advice build/programs/reduce/reduce 4096\n"
    "Exit codes: 0 no error was found and the run passes, 1 an error, 2 wrong use, or something that is named is not "
    "there\n",
    true,
    cli_check};

int cli_check(int argc, char **argv) {
  const char *env = getenv("WARPGLASS");
  bool backend = env != NULL && strstr(env, "backend=") != NULL, tools = env != NULL && strstr(env, "tools=") != NULL;
  char **words = calloc((size_t)argc + 4u, sizeof *words);
  static char run[] = "check", func[] = "--backend=func", all[] = "--tools=all";
  int n = 0;
  if (words == NULL) return cli_usage(NULL, "out of memory");
  if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    cli_opts_help(stdout, &kCliCheck);
    free(words);
    return kCliPass;
  }
  words[n++] = run;
  if (!backend) words[n++] = func; /* options behind these win */
  if (!tools) words[n++] = all;
  for (int i = 1; i < argc; i++) words[n++] = argv[i];
  int rc = cli_run(n, words);
  free(words);
  return rc;
}
