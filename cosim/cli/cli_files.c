// SPDX-License-Identifier: Apache-2.0
//
// Files that a user takes for a program or for golden kernels, and are not: told before anything runs.
#define _POSIX_C_SOURCE 200809L
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/cli/cli.h"

static bool ends_with(const char *path, const char *end) {
  size_t n = strlen(path), m = strlen(end);
  return n > m && strcmp(path + n - m, end) == 0;
}

/* Would execvp find it by the folders of PATH? An empty folder there is the current one. */
static bool on_path(const char *name) {
  const char *p = getenv("PATH");
  while (p != NULL) {
    char full[4096];
    int len = (int)strcspn(p, ":");
    int n = snprintf(full, sizeof full, "%.*s%s%s", len, p, len == 0 ? "" : "/", name);
    if (n > 0 && (size_t)n < sizeof full && access(full, X_OK) == 0) return true;
    p = p[len] == ':' ? p + len + 1 : NULL;
  }
  return false;
}

int cli_program_check(const char *path) {
  struct stat info;
  bool there = stat(path, &info) == 0;
  if (ends_with(path, ".cu")) {
    char hint[512];
    const char *slash = strrchr(path, '/'), *base = slash == NULL ? path : slash + 1;
    int stem = (int)(strlen(base) - 3);
    snprintf(hint, sizeof hint, "compile it first: wgcc -O3 -lineinfo %.150s -o %.*s, then warpglass run ./%.*s", path,
             stem < 60 ? stem : 60, base, stem < 60 ? stem : 60, base);
    return cli_usage(hint, "'%s' is CUDA source, no program", path);
  }
  if (there && S_ISDIR(info.st_mode) && (strchr(path, '/') != NULL || !on_path(path))) {
    return cli_usage("the program that wgcc made", "'%s' is a folder, no program", path);
  }
  if (!there && (strchr(path, '/') != NULL || !on_path(path))) {
    return cli_usage("wgcc x.cu -o x makes one: warpglass run ./x", "there is no program '%s'", path);
  }
  bool other = there && S_ISREG(info.st_mode) && access(path, X_OK) != 0;
  if (other && (strchr(path, '/') != NULL || !on_path(path))) {
    return cli_usage("the program that wgcc made", "'%s' is not executable", path);
  }
  if (there && S_ISREG(info.st_mode) && strchr(path, '/') == NULL && !on_path(path)) {
    char hint[320];
    snprintf(hint, sizeof hint, "did you mean './%.280s'?", path);
    return cli_usage(hint, "there is no command '%s'", path);
  }
  return kCliPass;
}

int cli_golden_check(const char *path) {
  static const char kWant[] =
      "a shared library with a C function wg_golden_<kernel> for each kernel (programs/README.md), made by "
      "`clang-19 -shared -fPIC golden.c -o golden.so`; or 'none'";
  struct stat info;
  bool source = ends_with(path, ".cu") || ends_with(path, ".c") || ends_with(path, ".cc");
  if (source) return cli_usage(kWant, "--golden: '%s' is source, no library", path);
  if (stat(path, &info) != 0) return cli_usage(kWant, "--golden: there is no '%s': %s", path, strerror(errno));
  unsigned char head[18] = {0};
  FILE *f = S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
  size_t n = f == NULL ? 0 : fread(head, 1, sizeof head, f);
  if (f != NULL) fclose(f);
  bool elf = n == sizeof head && memcmp(head, ELFMAG, SELFMAG) == 0 && (head[16] | head[17] << 8) == ET_DYN;
  return elf ? kCliPass : cli_usage(kWant, "--golden: '%s' is no shared library", path);
}
