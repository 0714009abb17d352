// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cosim/cli/cli.h"
#include "cosim/session_words.h"
#include "toolchain/obj/wg_files.h"

int cli_usage(const char *remedy, const char *fmt, ...) {
  char msg[2048];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(msg, sizeof msg, fmt, ap);
  va_end(ap);
  fprintf(stderr, "warpglass: error: %s\n", msg);
  if (remedy == NULL || remedy[0] == '\0') remedy = wg_file_remedy(msg);
  if (remedy[0] != '\0') fprintf(stderr, "  remedy: %s\n", remedy);
  return kCliUsage;
}

int cli_unwritten(const char *what) {
  (void)cli_usage(NULL, "cannot write %s: %s", what, strerror(errno));
  return kCliFail;
}

void cli_streams_open(void) {
  int fd;
  while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd <= STDERR_FILENO) {} /* to read, so that a write still fails */
  if (fd >= 0) close(fd);
}

int cli_diag(const wg_diag_t *d) {
  char line[16] = "";
  if (d->line != 0) snprintf(line, sizeof line, ":%u", d->line);
  return cli_usage(d->hint, "%s%s%s%s", d->file, line, d->file[0] != '\0' ? ": " : "", d->msg);
}

int cli_unknown_option(const char *what, const char *word, const char *const *known) {
  char hint[512];
  wg_word_hint(word, known, hint, sizeof hint);
  return cli_usage(hint, "unknown %s '%s'", what, word);
}
