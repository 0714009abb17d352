// SPDX-License-Identifier: Apache-2.0
//
// wgas FILE.s -o FILE.elf: assemble. Syntax: toolchain/asm/README.md.
#include <string.h>

#include "toolchain/asm/wg_asm.h"
#include "toolchain/obj/wg_files.h"

/* Error, the line, a caret below the column, the remedy; line 0: the file as a whole. Tabs are kept so that the caret stays
   in place. */
static void show(const char *text, const wg_diag_t *d) {
  const char *line = text;
  if (d->line == 0) fprintf(stderr, "%s: error: %s\n", d->file, d->msg);
  else fprintf(stderr, "%s:%u:%u: error: %s\n", d->file, d->line, d->col, d->msg);
  for (unsigned i = 1; i < d->line && line != NULL; i++) {
    line = strchr(line, '\n');
    if (line != NULL) line++;
  }
  if (d->line != 0 && line != NULL) {
    fprintf(stderr, "  %.*s\n  ", (int)strcspn(line, "\n"), line);
    for (unsigned i = 1; i < d->col; i++) fputc(line[i - 1] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
  }
  if (d->hint[0] != '\0') fprintf(stderr, "  remedy: %s\n", d->hint);
}

int main(int argc, char **argv) {
  static const char kUsage[] =
      "usage: wgas FILE.s -o FILE.elf\n"
      "  assemble; the syntax is in toolchain/asm/README.md\n"
      "  -o FILE.elf   the kernel container to write\n"
      "  --help        this text\n"
      "exit codes: 0 done, 1 the text is wrong or the container cannot be written, 2 wrong use, or the file is not there\n";
  const char *in = NULL, *to = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      fputs(kUsage, stdout);
      return 0;
    }
    if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
      to = argv[++i];
    } else if (argv[i][0] != '-' && in == NULL) {
      in = argv[i];
    } else {
      const char *what = strcmp(argv[i], "-o") == 0 ? "no file after" : argv[i][0] == '-' ? "unknown option"
                                                                                         : "a second input";
      fprintf(stderr, "wgas: error: %s '%s'\n%s", what, argv[i], kUsage);
      return 2;
    }
  }
  if (in == NULL || to == NULL) {
    fprintf(stderr, "wgas: error: %s\n%s", in == NULL ? "no input file" : "no output file: -o FILE.elf", kUsage);
    return 2;
  }
  if (wg_same_file(to, in)) {
    fprintf(stderr, "wgas: error: '%s' is the input, which would be lost\n  remedy: another file behind -o\n", to);
    return 2;
  }
  char *text = NULL;
  wg_diag_t diag = {0};
  if (wg_file_read_text(in, &text, &diag) != kWgOk) {
    fprintf(stderr, "wgas: error: %s\n  remedy: %s\n", diag.msg, diag.hint);
    return 2;
  }
  wg_obj_t *o = NULL;
  wg_status_t st = wg_asm_text(text, in, &o, &diag);
  if (st != kWgOk) {
    show(text, &diag);
  } else {
    memset(&diag, 0, sizeof diag);
    st = wg_obj_write(o, to, &diag);
    if (st != kWgOk) fprintf(stderr, "wgas: error: %s\n  remedy: %s\n", diag.msg, diag.hint);
  }
  wg_obj_free(o);
  free(text);
  return st == kWgOk ? 0 : 1;
}
