// SPDX-License-Identifier: Apache-2.0
//
// wgas FILE.s -o FILE.elf: assemble. Syntax: toolchain/asm/README.md.
#include <errno.h>
#include <string.h>

#include "toolchain/asm/wg_asm.h"
#include "toolchain/obj/wg_files.h"

/* The whole file, NUL-terminated; NULL and errno if it cannot be read. */
static char *slurp(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return NULL;
  char *buf = NULL;
  size_t n = 0, cap = 0, got;
  do {
    if (n + 1 >= cap) {
      cap = cap * 2 + 4096;
      char *p = realloc(buf, cap);
      if (p == NULL) break;
      buf = p;
    }
    got = fread(buf + n, 1, cap - n - 1, f);
    n += got;
  } while (got != 0);
  int why = errno;
  bool bad = ferror(f) != 0 || buf == NULL;
  if (!bad && memchr(buf, '\0', n) != NULL) { /* what follows would silently be left out */
    why = EILSEQ;
    bad = true;
  }
  fclose(f);
  if (bad) {
    free(buf);
    errno = why;
    return NULL;
  }
  buf[n] = '\0';
  return buf;
}

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
      "  --help        this text\n";
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
  char *text = slurp(in);
  if (text == NULL) {
    fprintf(stderr, "%s: error: cannot read: %s\n", in,
            errno == EILSEQ ? "it has NUL bytes, it is no text" : strerror(errno));
    return 1;
  }
  wg_diag_t diag = {0};
  wg_obj_t *o = NULL;
  wg_status_t st = wg_asm_text(text, in, &o, &diag);
  if (st != kWgOk) {
    show(text, &diag);
  } else {
    memset(&diag, 0, sizeof diag);
    st = wg_obj_write(o, to, &diag);
    if (st != kWgOk) fprintf(stderr, "wgas: error: %s\n", diag.msg);
  }
  wg_obj_free(o);
  free(text);
  return st == kWgOk ? 0 : 1;
}
