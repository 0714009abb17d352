// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* memmem */
#include "cosim/cli/cli_kernels.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>

#include "toolchain/obj/wg_demangle.h"

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

static bool is_elf(const char *bytes, size_t size) { return size > 20 && memcmp(bytes, "\177ELF", 4) == 0; }

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

/* PTX among other bytes: a text that ends with NUL and has a line `.version` before one `.target`.
   @param at where to look on; the whole ends with NUL @return the next text, NULL: there is none */
static const char *next_ptx(const char *bytes, const char **at, const char *end) {
  static const char kMark[] = "\n.version ";
  while (*at < end) {
    const char *mark = memmem(*at, (size_t)(end - *at), kMark, sizeof kMark - 1), *begin = mark;
    if (mark == NULL) break;
    while (begin > bytes && begin[-1] != '\0') begin--;
    *at = mark + strlen(mark) + 1;
    if (strstr(mark, "\n.target ") != NULL) return begin;
  }
  return NULL;
}

static wg_status_t embedded(const char *bytes, size_t size, const char *path, cli_kernel_t *k, size_t *n,
                            wg_diag_t *diag) {
  const char *at = bytes, *text = NULL;
  while ((text = next_ptx(bytes, &at, bytes + size)) != NULL) WG_TRY(compile(text, path, k, n, diag));
  return kWgOk;
}

wg_status_t cli_kernels_read(const char *path, cli_kernel_t *k, size_t *n, wg_diag_t *diag) {
  char *bytes = NULL;
  size_t size = 0;
  *n = 0;
  WG_TRY(read_all(path, &bytes, &size, diag));
  wg_status_t st = kWgOk;
  bool elf = is_elf(bytes, size);
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

/* ---- modules ---- */

/* Does this library, which the linker was told of, have no kernels? */
static bool plain_library(const char *name) {
  static const char *const kPlain[] = {"libcudart.so", "libc.so",       "libm.so",  "libstdc++.so", "libgcc_s.so",
                                       "libpthread.so", "libdl.so", "librt.so", "ld-linux"};
  for (size_t i = 0; i < sizeof kPlain / sizeof *kPlain; i++) {
    if (strncmp(name, kPlain[i], strlen(kPlain[i])) == 0) return true;
  }
  return false;
}

/* Can kernels come from elsewhere: another shared library, or one that the program opens itself? Unknown counts as yes. */
static bool may_load(char *bytes, size_t size) {
  static const char kOpen[] = "\0dlopen";
  const char *preload = getenv("LD_PRELOAD");
  if (preload != NULL && preload[0] != '\0') return true;
  if (memmem(bytes, size, kOpen, sizeof kOpen) != NULL) return true;
  if (elf_version(EV_CURRENT) == EV_NONE) return true;
  Elf *e = elf_memory(bytes, size);
  bool dynamic = false, other = false;
  for (Elf_Scn *s = NULL; e != NULL && (s = elf_nextscn(e, s)) != NULL;) {
    GElf_Shdr h;
    GElf_Dyn d;
    Elf_Data *data = gelf_getshdr(s, &h) != NULL && h.sh_type == SHT_DYNAMIC ? elf_getdata(s, NULL) : NULL;
    dynamic = dynamic || data != NULL;
    for (int i = 0; data != NULL && gelf_getdyn(data, i, &d) != NULL; i++) {
      const char *name = d.d_tag == DT_NEEDED ? elf_strptr(e, h.sh_link, d.d_un.d_val) : "libc.so";
      other = other || name == NULL || !plain_library(name);
    }
  }
  if (e != NULL) elf_end(e);
  return !dynamic || other;
}

bool cli_modules_read(const char *path, const wg_ptx_options_t *opt, wg_obj_t **o, size_t *n) {
  static const char kFatbin[] = "\x50\xed\x55\xba"; /* nvcc's container: may hold what is compressed */
  char *bytes = NULL;
  size_t size = 0;
  *n = 0;
  if (read_all(path, &bytes, &size, NULL) != kWgOk) return false;
  bool all = is_elf(bytes, size) && memmem(bytes, size, kFatbin, 4) == NULL;
  const char *at = bytes, *text = NULL;
  while (all && (text = next_ptx(bytes, &at, bytes + size)) != NULL) {
    all = *n < kCliMaxModules && wg_ptx_compile(text, path, opt, &o[*n], NULL) == kWgOk;
    if (all) (*n)++;
  }
  all = all && *n != 0 && !may_load(bytes, size);
  free(bytes);
  return all;
}
