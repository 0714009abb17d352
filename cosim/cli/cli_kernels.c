// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* memmem */
#include "cosim/cli/cli_kernels.h"

#include <errno.h>
#include <string.h>

#include "toolchain/obj/wg_demangle.h"
#include "toolchain/ptx/wg_ptx.h"

enum { kMaxFileBytes = 1 << 28 };

/* The whole file with a NUL behind it. */
static wg_status_t read_all(const char *path, char **out, size_t *n, wg_diag_t *diag) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot read '%s': %s", path, strerror(errno));
  char *text = NULL;
  size_t used = 0, cap = 0;
  for (;;) {
    if (used + 65537 > cap) {
      cap = cap == 0 ? 1 << 17 : cap * 2;
      char *grown = cap > kMaxFileBytes ? NULL : realloc(text, cap);
      if (grown == NULL) break;
      text = grown;
    }
    size_t got = fread(text + used, 1, 65536, f);
    used += got;
    if (got == 0) break;
  }
  bool ok = text != NULL && feof(f) && !ferror(f);
  int why = errno;
  fclose(f);
  if (!ok) {
    free(text);
    return wg_fail(diag, kWgIo, "cannot read '%s': %s", path, why != 0 ? strerror(why) : "it is too large");
  }
  text[used] = '\0';
  *out = text;
  *n = used;
  return kWgOk;
}

static void take(const wg_obj_t *o, cli_kernel_t *k, size_t *n) {
  for (size_t i = 0; i < o->num_kernels && *n < kCliMaxKernels; i++) {
    const wg_obj_kernel_t *from = &o->kernels[i];
    if (from->is_func) continue;
    cli_kernel_t *to = &k[(*n)++];
    wg_demangle(from->name, to->name, sizeof to->name);
    to->regs = from->regs == 0 ? 1 : from->regs;
    to->shared_bytes = from->shared_bytes;
    to->max_threads = from->max_threads == 0 ? 1024 : from->max_threads;
    to->dyn_shared = from->uses_dyn_shared;
  }
}

static wg_status_t compile(const char *text, const char *path, cli_kernel_t *k, size_t *n, wg_diag_t *diag) {
  wg_ptx_options_t opt;
  wg_obj_t *o = NULL;
  wg_ptx_default_options(&opt);
  WG_TRY(wg_ptx_compile(text, path, &opt, &o, diag));
  take(o, k, n);
  wg_obj_free(o);
  return kWgOk;
}

/* PTX among other bytes: a text that ends with NUL and has a line `.version` before one `.target`. */
static wg_status_t embedded(const char *bytes, size_t size, const char *path, cli_kernel_t *k, size_t *n,
                            wg_diag_t *diag) {
  static const char kMark[] = "\n.version ";
  for (const char *at = bytes, *end = bytes + size; at < end;) {
    const char *mark = memmem(at, (size_t)(end - at), kMark, sizeof kMark - 1);
    if (mark == NULL) break;
    const char *begin = mark;
    while (begin > bytes && begin[-1] != '\0') begin--;
    if (strstr(mark, "\n.target ") != NULL) WG_TRY(compile(begin, path, k, n, diag));
    at = mark + strlen(mark) + 1; /* the whole ends with NUL */
  }
  return kWgOk;
}

wg_status_t cli_kernels_read(const char *path, cli_kernel_t *k, size_t *n, wg_diag_t *diag) {
  char *bytes = NULL;
  size_t size = 0;
  *n = 0;
  WG_TRY(read_all(path, &bytes, &size, diag));
  wg_status_t st = kWgOk;
  bool elf = size > 20 && memcmp(bytes, "\177ELF", 4) == 0;
  unsigned machine = elf ? (unsigned)(uint8_t)bytes[18] | (unsigned)(uint8_t)bytes[19] << 8 : 0;
  if (elf && machine == kWgElfMachine) {
    wg_obj_t *o = NULL;
    st = wg_obj_read(path, &o, diag);
    if (st == kWgOk) take(o, k, n);
    wg_obj_free(o);
  } else if (elf) {
    st = embedded(bytes, size, path, k, n, diag);
  } else if (memchr(bytes, '\0', size) == NULL && strstr(bytes, ".version ") != NULL) {
    st = compile(bytes, path, k, n, diag);
  }
  free(bytes);
  if (st == kWgOk && *n == 0) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "PTX text, a kernel container, or a program built by wgcc");
    return wg_fail(diag, kWgBadInput, "'%s' holds no kernel", path);
  }
  return st;
}
