// SPDX-License-Identifier: Apache-2.0
//
// warpglass ptx: compile PTX as the run-time library does when it loads a program. wgcc calls it, so that a program
// which cannot run is refused when it is built, at the line of its source.
#include <ctype.h>
#include <string.h>

#include "cosim/cli/cli_opts.h"
#include "toolchain/obj/wg_files.h"
#include "toolchain/ptx/wg_ptx.h"

static const cli_opt_t kOpts[] = {
    {"--quiet", NULL, NULL, "print errors only"},
    {"--source", "FILE", "@file", "the CUDA source the PTX was made from, for messages about places without line information"},
    {"-o", "OUT", "@out", "write the kernel container (ELF)"},
    {NULL, NULL, NULL, NULL}};

const cli_command_t kCliPtx = {"ptx", "[options] FILE", "compile PTX text and print the resources of its kernels", kOpts, "@file",
                               "Example:\n  wgcc -O3 -lineinfo -ptx x.cu -o x.ptx && warpglass ptx x.ptx\n", false, cli_ptx};

/* Name of PTX file number `id`: .file id "name". */
static bool file_name(const char *text, unsigned id, char *out, size_t n) {
  for (const char *p = text; (p = strstr(p, ".file")) != NULL; p += 5) {
    char name[256];
    unsigned got = 0;
    if (sscanf(p, ".file %u \"%255[^\"]\"", &got, name) == 2 && got == id) {
      snprintf(out, n, "%s", name);
      return true;
    }
  }
  return false;
}

/* Point a message about PTX line `d->line` at the source: the last .loc at or before it. */
static void to_source(const char *text, const char *source, wg_diag_t *d) {
  unsigned line = 1, loc_file = 0, loc_line = 0;
  const char *at = text, *self = text;
  for (const char *p = text; *p != '\0' && line <= d->line; line++) {
    const char *end = strchr(p, '\n');
    unsigned f = 0, l = 0;
    at = p;
    while (*at == ' ' || *at == '\t') at++;
    self = at;
    if (*at == '}') loc_file = 0; /* places do not carry over to the next function */
    if (sscanf(at, ".loc %u %u", &f, &l) == 2) {
      loc_file = f;
      loc_line = l;
    }
    if (end == NULL) break;
    p = end + 1;
  }
  char word[100];
  size_t n = strcspn(self, "\n");
  snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word - 1 ? n : sizeof word - 1), self);
  size_t used = strlen(d->msg);
  if (d->line != 0 && used < sizeof d->msg) {
    snprintf(d->msg + used, sizeof d->msg - used, " [PTX line %u: %s]", d->line, word);
  }
  d->col = 0;
  if (loc_file != 0 && file_name(text, loc_file, d->file, sizeof d->file)) {
    d->line = loc_line;
  } else if (source != NULL) {
    snprintf(d->file, sizeof d->file, "%s", source);
    d->line = 0;
  }
}

static void print_kernels(const wg_obj_t *o) {
  for (size_t i = 0; i < o->num_kernels; i++) {
    const wg_obj_kernel_t *k = &o->kernels[i];
    printf("%s: %u instructions, %u registers, %u spilled, %u bytes shared%s, %u bytes local, %u barriers\n",
           k->name, k->num_insns, k->regs, k->spills, k->shared_bytes, k->uses_dyn_shared ? " + dynamic" : "",
           k->local_bytes, k->barriers);
  }
}

static int compile(const char *path, const char *source, const char *out, bool quiet) {
  char *text = NULL;
  wg_ptx_options_t opt;
  wg_obj_t *obj = NULL;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (wg_file_read_text(path, &text, &d) != kWgOk) return cli_diag(&d);
  wg_ptx_default_options(&opt);
  wg_status_t st = wg_ptx_compile(text, path, &opt, &obj, &d);
  if (st != kWgOk) to_source(text, source, &d);
  free(text);
  if (st == kWgOk && out != NULL) st = wg_obj_write(obj, out, &d);
  if (st == kWgOk && !quiet) print_kernels(obj);
  wg_obj_free(obj);
  if (st == kWgOk) return kCliPass;
  wg_diag_print(stderr, &d);
  return kCliFail;
}

typedef struct args {
  const char *path, *source, *out;
  bool quiet;
} args_t;

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  args_t *a = ctx;
  if (opt == NULL && a->path != NULL) return cli_usage("warpglass ptx takes one file", "more than one file: '%s'", value);
  if (opt == NULL) a->path = value;
  else if (opt->value == NULL) a->quiet = true;
  else if (strcmp(opt->name, "-o") == 0) a->out = value;
  else a->source = value;
  return kCliPass;
}

int cli_ptx(int argc, char **argv) {
  args_t a = {NULL, NULL, NULL, false};
  int rc = cli_opts_read(&kCliPtx, argc, argv, take, &a, NULL);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  if (a.path == NULL) return cli_usage("warpglass ptx --help", "no PTX file");
  return compile(a.path, a.source, a.out, a.quiet);
}
