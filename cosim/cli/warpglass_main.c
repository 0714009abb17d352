// SPDX-License-Identifier: Apache-2.0
//
// warpglass: run CUDA programs on the simulated GPU, many of them in a sweep; look at machines, results, PTX.
#include <string.h>

#include "cosim/cli/cli_opts.h"

enum { kMaxCommands = 40 };

static void help(FILE *out) {
  fputs("usage: warpglass COMMAND ...\n", out);
  for (size_t i = 0; kCliCommands[i] != NULL; i++) {
    const cli_command_t *c = kCliCommands[i];
    if (c->run != NULL) fprintf(out, "  %-11s %s\n", c->name, c->doc);
  }
  fputs(
      "  --help      this; COMMAND --help tells more\n"
      "  --man       the manual page: warpglass --man | man -l -\n"
      "  --completion  for bash: source <(warpglass --completion)\n"
      "\n"
      "examples:\n"
      "  warpglass run --preset v100 --sched gto build/programs/reduce/reduce 4096\n"
      "  warpglass sweep run --store s.db -j2 --preset tiny --sched \"lrr gto\" --seed 1..5 "
      "build/programs/reduce/reduce 4096\n"
      "  warpglass compare s.db --baseline sched=lrr\n"
      "\n"
      "exit codes: 0 pass, 1 fail, 2 wrong use, or something that is named is not there\n",
      out);
}

/* What is printed and nothing else done. @return false: `word` is none of these */
static bool shown(const char *word) {
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) help(stdout);
  else if (strcmp(word, "--man") == 0) cli_opts_man(stdout);
  else if (strcmp(word, "--completion") == 0) cli_opts_bash(stdout);
  else return false;
  return true;
}

/* Did all that was printed arrive? The last of it may, after the first did not. */
static bool written(void) { return fflush(stdout) == 0 && ferror(stdout) == 0; }

int main(int argc, char **argv) {
  const char *known[kMaxCommands] = {NULL};
  size_t n = 0;
  cli_streams_open();
  cli_full_disk_is_an_error();
  if (argc < 2) {
    help(stderr);
    return kCliUsage;
  }
  if (shown(argv[1])) return written() ? kCliPass : cli_unwritten("the text");
  for (size_t i = 0; kCliCommands[i] != NULL; i++) {
    const cli_command_t *c = kCliCommands[i];
    if (c->run == NULL) continue; /* of two words */
    if (strcmp(argv[1], c->name) == 0) {
      int rc = c->run(argc - 1, argv + 1);
      return rc == kCliPass && !written() ? cli_unwritten("the result") : rc;
    }
    WG_BUG(n + 4 >= kMaxCommands);
    known[n++] = c->name;
  }
  known[n++] = "--help";
  known[n++] = "--man";
  known[n] = "--completion";
  return cli_unknown_option("command", argv[1], known);
}
