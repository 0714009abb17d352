// SPDX-License-Identifier: Apache-2.0
//
// wgptx: compile a PTX file to a kernel container, or print the assembly.
#include <string.h>

#include "isa/wg_cfg.h"
#include "toolchain/obj/wg_files.h"
#include "toolchain/asm/wg_asm.h"
#include "toolchain/ptx/wg_ptx.h"

static int usage(FILE *out, int rc) {
  fputs(
      "usage: wgptx x.ptx [-o x.elf] [-S] [--no-schedule] [--no-reconverge] [--max-regs N] [--no-ptx]\n"
      "  -o FILE          write the container\n"
      "  -S               print assembly with PTX or source lines to stdout\n"
      "  --no-schedule    keep the order of the text\n"
      "  --no-reconverge  leave BSSY and BSYNC out\n"
      "  --max-regs N     at most N registers a thread, the rest is spilled; at least 32 where functions are called\n"
      "  --no-ptx         do not keep the PTX text in the container\n"
      "exit codes: 0 done, 1 the text is wrong or the output cannot be written, 2 wrong use, or the file is not there\n",
      out);
  return rc;
}

static void print_kernel(const wg_obj_t *o, size_t k) {
  const wg_obj_kernel_t *kn = &o->kernels[k];
  uint32_t base = wg_obj_kernel_pc(o, k);
  const char *last_file = NULL;
  unsigned last_line = 0;
  printf("// %s: %u instructions, %u registers, %u bytes shared%s, %u barriers\n%s:\n", kn->name, kn->num_insns,
         kn->regs, kn->shared_bytes, kn->uses_dyn_shared ? " + dynamic" : "", kn->barriers, kn->name);
  for (uint32_t i = 0; i < kn->num_insns; i++) {
    const char *file;
    unsigned line;
    char text[256];
    uint32_t pc = base + i * kWgInsnBytes;
    if (wg_obj_line_of(o, pc, &file, &line) && (file != last_file || line != last_line)) {
      printf("// %s:%u\n", file, line);
      last_file = file;
      last_line = line;
    }
    (void)wg_dis_insn(kn->code[i], pc, text, sizeof text);
    printf("  /*%05x*/ %s\n", pc, text);
  }
}

int main(int argc, char **argv) {
  const char *in = NULL, *out = NULL;
  bool list = false;
  wg_ptx_options_t opt;
  wg_ptx_default_options(&opt);
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) return usage(stdout, 0);
    if (strcmp(argv[i], "-S") == 0) {
      list = true;
    } else if (strcmp(argv[i], "--no-schedule") == 0) {
      opt.schedule = false;
    } else if (strcmp(argv[i], "--no-reconverge") == 0) {
      opt.reconverge = false;
    } else if (strcmp(argv[i], "--no-ptx") == 0) {
      opt.keep_ptx = false;
    } else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
      out = argv[++i];
    } else if (strcmp(argv[i], "--max-regs") == 0 && i + 1 < argc) {
      char *end;
      unsigned long n = strtoul(argv[++i], &end, 10);
      if (*end != '\0' || n < 1 || n > 255) {
        fprintf(stderr, "wgptx: error: option '--max-regs': bad value '%s'\n  remedy: a number from 1 to 255\n", argv[i]);
        return 2;
      }
      opt.max_regs = (uint32_t)n;
    } else if (argv[i][0] != '-' && in == NULL) {
      in = argv[i];
    } else {
      bool needs = strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--max-regs") == 0;
      const char *what = needs ? "no value after" : argv[i][0] == '-' ? "unknown option" : "a second input";
      fprintf(stderr, "wgptx: error: %s '%s'\n", what, argv[i]);
      return usage(stderr, 2);
    }
  }
  if (in == NULL || (out == NULL && !list)) {
    fprintf(stderr, "wgptx: error: %s\n", in == NULL ? "no input file" : "no output: -o FILE or -S");
    return usage(stderr, 2);
  }
  if (out != NULL && wg_same_file(out, in)) {
    fprintf(stderr, "wgptx: error: '%s' is the input, which would be lost\n  remedy: another file behind -o\n", out);
    return 2;
  }
  char *text = NULL;
  wg_diag_t diag = {0};
  if (wg_file_read_text(in, &text, &diag) != kWgOk) {
    fprintf(stderr, "wgptx: error: %s\n  remedy: %s\n", diag.msg, diag.hint);
    return 2;
  }
  wg_obj_t *o = NULL;
  wg_status_t st = wg_ptx_compile(text, in, &opt, &o, &diag);
  if (st == kWgOk && list) {
    for (size_t k = 0; k < o->num_kernels; k++) print_kernel(o, k);
  }
  if (st == kWgOk && (fflush(stdout) != 0 || ferror(stdout))) st = wg_fail(&diag, kWgIo, "cannot write the assembly");
  bool written = st == kWgOk && out != NULL;
  if (written) st = wg_obj_write(o, out, &diag);
  if (st != kWgOk && written) fprintf(stderr, "wgptx: error: %s\n  remedy: %s\n", diag.msg, diag.hint);
  else if (st != kWgOk) wg_diag_print(stderr, &diag);
  wg_obj_free(o);
  free(text);
  return st == kWgOk ? 0 : 1;
}
