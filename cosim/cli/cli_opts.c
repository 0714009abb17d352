// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/cli_opts.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "toolchain/obj/wg_files.h"

enum { kMaxOpts = 80, kDocColumn = 33, kLineWidth = 118 };

static const cli_opt_t *find(const cli_command_t *c, const char *name) {
  for (size_t i = 0; c->opts[i].name != NULL; i++) {
    if (strcmp(c->opts[i].name, name) == 0) return &c->opts[i];
  }
  return NULL;
}

static int unknown(const cli_command_t *c, const char *name) {
  const char *known[kMaxOpts + 2];
  size_t n = 0;
  while (c->opts[n].name != NULL && n < kMaxOpts) {
    known[n] = c->opts[n].name;
    n++;
  }
  known[n] = "--help";
  known[n + 1] = NULL;
  return cli_unknown_option("option", name, known);
}

/* Files that options of this command write ("@out"): the last of each option holds. */
typedef struct outs {
  struct {
    const char *option, *path;
    int at; /* of the word that holds the path */
  } out[kMaxOpts];
  size_t n;
} outs_t;

static void note_out(outs_t *o, const cli_opt_t *opt, const char *path, int at) {
  size_t i = 0;
  if (opt->words == NULL || strcmp(opt->words, "@out") != 0) return;
  while (i < o->n && strcmp(o->out[i].option, opt->name) != 0) i++;
  if (i == kMaxOpts) return;
  if (i == o->n) o->n++;
  o->out[i].option = opt->name;
  o->out[i].path = path;
  o->out[i].at = at;
}

/* A file that is written may be none of the others that the words name: what is read would be gone. */
static int check_outs(const outs_t *o, int argc, char **argv) {
  for (size_t i = 0; i < o->n; i++) {
    if (strcmp(o->out[i].path, "-") == 0) continue;
    for (int k = 1; k < argc; k++) {
      const char *word = argv[k], *eq = word[0] == '-' ? strchr(word, '=') : NULL;
      size_t own = 0; /* an option's earlier value: it does not hold */
      while (own < o->n && o->out[own].at != k) own++;
      bool again = k > 1 && strcmp(argv[k - 1], o->out[i].option) == 0;
      if (k == o->out[i].at || again || !wg_same_file(o->out[i].path, eq == NULL ? word : eq + 1)) continue;
      return cli_usage("another name for the file that is written",
                       own < o->n ? "option '%s': '%s' is what another option writes too"
                                  : "option '%s': '%s' is also a file that this command reads, and would be lost",
                       o->out[i].option, o->out[i].path);
    }
  }
  return kCliPass;
}

/* "--preset NAME: machine: ..." as the remedy. @param what " needs a value" or ": the value is empty" */
static int no_value(const cli_opt_t *o, const char *what) {
  char hint[640], doc[512];
  snprintf(hint, sizeof hint, "%s %s: %s", o->name, o->value, cli_opts_doc(o, doc, sizeof doc));
  return cli_usage(hint, "option '%s'%s", o->name, what);
}

/* One option at argv[*at], with its value. */
static int one(const cli_command_t *c, int argc, char **argv, int *at, cli_take_t *take, void *ctx, outs_t *outs) {
  char name[64];
  const char *a = argv[*at], *eq = strchr(a, '='), *value = eq == NULL ? NULL : eq + 1;
  snprintf(name, sizeof name, "%.*s", (int)(eq == NULL ? strlen(a) : (size_t)(eq - a)), a);
  if (a[1] != '-' && isdigit((unsigned char)a[2])) { /* -j4 */
    snprintf(name, sizeof name, "%.2s", a);
    value = a + 2;
  }
  const cli_opt_t *o = find(c, name);
  if (o == NULL) return unknown(c, name);
  if (o->value == NULL && value != NULL) return cli_usage(NULL, "option '%s' takes no value", name);
  if (o->value != NULL && value == NULL) {
    if (*at + 1 == argc) return no_value(o, " needs a value");
    value = argv[++*at];
  }
  if (value != NULL && value[0] == '\0') return no_value(o, ": the value is empty");
  if (value != NULL) note_out(outs, o, value, *at);
  return take(ctx, o, value);
}

int cli_opts_read(const cli_command_t *c, int argc, char **argv, cli_take_t *take, void *ctx, int *rest) {
  bool words_only = false;
  outs_t outs = {.n = 0};
  if (rest != NULL) *rest = argc;
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    if (!words_only && strcmp(a, "--") == 0) {
      words_only = true;
      continue;
    }
    if (!words_only && (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0)) {
      cli_opts_help(stdout, c);
      return kCliShown;
    }
    bool option = !words_only && a[0] == '-' && a[1] != '\0';
    if (!option && c->program) {
      *rest = i;
      break;
    }
    int rc = option ? one(c, argc, argv, &i, take, ctx, &outs) : take(ctx, NULL, a);
    if (rc != kCliPass) return rc;
  }
  return check_outs(&outs, argc, argv);
}

/* Text from column `at` on, broken at blanks. */
static void wrapped(FILE *out, const char *text, int at) {
  int col = at;
  for (const char *p = text; *p != '\0';) {
    int len = (int)strcspn(p, " ");
    if (col > at && col + 1 + len > kLineWidth) {
      fprintf(out, "\n%*s", at, "");
      col = at;
    }
    col += fprintf(out, "%s%.*s", col > at ? " " : "", len, p);
    p += len;
    p += strspn(p, " ");
  }
  fputc('\n', out);
}

const char *cli_opts_doc(const cli_opt_t *o, char *buf, size_t n) {
  bool listed = o->value != NULL && o->words != NULL && o->words[0] != '\0' && strchr(o->words, '@') == NULL &&
                strchr(o->value, '|') == NULL;
  snprintf(buf, n, "%s%s%s%s", o->doc, listed ? " (" : "", listed ? o->words : "", listed ? ")" : "");
  return buf;
}

void cli_opts_help(FILE *out, const cli_command_t *c) {
  const char *head = "usage: ";
  char doc[512];
  for (const char *p = c->usage;; p++) {
    int len = (int)strcspn(p, "\n");
    fprintf(out, "%swarpglass %s%s%.*s\n", head, c->name, len == 0 ? "" : " ", len, p);
    head = "       ";
    p += len;
    if (*p == '\0') break;
  }
  fprintf(out, "  %s\n", c->doc);
  for (size_t i = 0; c->opts[i].name != NULL; i++) {
    const cli_opt_t *o = &c->opts[i];
    int n = fprintf(out, "  %s%s%s", o->name, o->value == NULL ? "" : " ", o->value == NULL ? "" : o->value);
    if (n >= kDocColumn) n = fprintf(out, "\n") - 1;
    fprintf(out, "%*s", kDocColumn - n, "");
    wrapped(out, cli_opts_doc(o, doc, sizeof doc), kDocColumn);
  }
  if (c->more != NULL) fputs(c->more, out);
}

int cli_opts_number(const char *option, const char *text, uint64_t lo, uint64_t hi, uint64_t *out) {
  char *end = NULL;
  errno = 0;
  unsigned long long v = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
  if (end == NULL || *end != '\0' || errno != 0 || v < lo || v > hi) {
    char hint[96];
    snprintf(hint, sizeof hint, "a number from %llu to %llu", (unsigned long long)lo, (unsigned long long)hi);
    return cli_usage(hint, "option '%s': bad value '%s'", option, text);
  }
  *out = v;
  return kCliPass;
}

int cli_opts_field(const cli_field_t *fields, size_t n, const char *option, const char *value) {
  for (const cli_field_t *f = fields; f < fields + n; f++) {
    if (strcmp(option, f->option) != 0) continue;
    if (f->seen != NULL) *f->seen = true;
    if (f->text == NULL) return cli_opts_number(option, value, f->lo, f->hi, f->number);
    *f->text = value;
  }
  return kCliPass;
}
