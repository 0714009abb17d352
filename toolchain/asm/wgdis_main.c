// SPDX-License-Identifier: Apache-2.0
//
// wgdis [--plain] FILE.elf: print each kernel's resources and words: address, hexadecimal word, text, source line; with
// --plain as text that wgas reads back.
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "toolchain/asm/wg_asm.h"
#include "toolchain/obj/wg_files.h"

static void print_kernel(const wg_obj_t *o, size_t i) {
  const wg_obj_kernel_t *k = &o->kernels[i];
  uint32_t pc = wg_obj_kernel_pc(o, i);
  printf("%s.kernel %s\n.regs %u\n.shared %u\n.local %u\n.barriers %u\n.maxthreads %u\n", i != 0 ? "\n" : "",
         k->name, k->regs, k->shared_bytes, k->local_bytes, k->barriers, k->max_threads);
  for (uint32_t p = 0; p < k->num_params; p++)
    printf(".param %u, %u\n", k->params[p].size, k->params[p].align);
  const char *last_file = "";
  unsigned last_line = 0;
  for (uint32_t j = 0; j < k->num_insns; j++, pc += 16) {
    char text[256];
    const char *file = "";
    unsigned line = 0;
    wg_dis_insn(k->code[j], pc, text, sizeof text);
    printf("/*%06x %016" PRIx64 "_%016" PRIx64 "*/  %s", pc, k->code[j].hi, k->code[j].lo, text);
    if (wg_obj_line_of(o, pc, &file, &line) && (line != last_line || strcmp(file, last_file) != 0)) {
      printf("%*s// %s:%u", (int)(strlen(text) < 48 ? 48 - strlen(text) : 1), "", file, line);
      last_file = file;
      last_line = line;
    }
    putchar('\n');
  }
}

int main(int argc, char **argv) {
  static const char kUsage[] =
      "usage: wgdis [--plain] FILE.elf\n"
      "  print resources, address, word, text and source line of every instruction\n"
      "  --plain   text that wgas reads back to the same code: no addresses, lines as .line\n"
      "exit codes: 0 done, 1 the file is no kernel container or the text cannot be written, 2 wrong use, or the file is not there\n";
  bool plain = argc > 1 && strcmp(argv[1], "--plain") == 0;
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    fputs(kUsage, stdout);
    return 0;
  }
  if (argc != (plain ? 3 : 2) || argv[argc - 1][0] == '-') {
    int bad = plain ? 2 : 1; /* the first word that should be a file */
    if (bad + 1 < argc && argv[bad][0] != '-') bad++;
    const char *what = argc <= bad ? "no file" : argv[bad][0] == '-' ? "unknown option" : "a second file";
    fprintf(stderr, "wgdis: error: %s%s%s%s\n%s", what, argc <= bad ? "" : " '", argc <= bad ? "" : argv[bad],
            argc <= bad ? "" : "'", kUsage);
    return 2;
  }
  wg_diag_t diag = {0};
  wg_obj_t *o = NULL;
  const char *path = argv[argc - 1];
  FILE *f = fopen(path, "rb");
  bool there = f != NULL && (fgetc(f) != EOF || !ferror(f)); /* fopen takes a folder */
  int why = errno;
  if (f != NULL) fclose(f);
  if (!there) {
    fprintf(stderr, "wgdis: error: cannot read '%s': %s\n  remedy: %s\n", path, strerror(why), wg_file_remedy("cannot read ''"));
    return 2;
  }
  wg_status_t st = wg_obj_read(path, &o, &diag);
  if (st != kWgOk) {
    if (diag.hint[0] == '\0') snprintf(diag.hint, sizeof diag.hint, "a kernel container, as wgas -o and wgptx -o write it");
    wg_diag_print(stderr, &diag);
    return 1;
  }
  if (plain) wg_dis_plain(o, stdout);
  for (size_t i = 0; i < o->num_kernels && !plain; i++) print_kernel(o, i);
  for (size_t i = 0; i < o->num_vars; i++) {
    printf("// %s: %s, offset %u, %u bytes\n", o->vars[i].name,
           o->vars[i].space == 0 ? "constant bank 3" : "global", o->vars[i].offset, o->vars[i].size);
  }
  wg_obj_free(o);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "wgdis: error: cannot write the text\n");
    return 1;
  }
  return 0;
}
