// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cosim/paths.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* The repository's root: the folder above build/{bin,lib,test}/<this object>. */
static void root_dir(char buf[PATH_MAX]) {
  const char *home = getenv("WARPGLASS_HOME");
  if (home != NULL && home[0] != '\0') {
    snprintf(buf, PATH_MAX, "%s", home);
    return;
  }
  char self[PATH_MAX] = "";
  Dl_info info;
  if (dladdr((const void *)&wg_path_build, &info) != 0 && info.dli_fname != NULL && strchr(info.dli_fname, '/') != NULL) {
    if (realpath(info.dli_fname, self) == NULL) self[0] = '\0';
  }
  if (self[0] == '\0') {
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
  }
  for (int up = 0; up < 3; up++) { /* file, bin|lib|test, build */
    char *slash = strrchr(self, '/');
    if (slash == NULL) break;
    *slash = '\0';
  }
  snprintf(buf, PATH_MAX, "%s", self[0] != '\0' ? self : ".");
}

static void join(char *buf, size_t n, const char *below, const char *fmt, va_list ap) {
  char root[PATH_MAX];
  root_dir(root);
  int len = snprintf(buf, n, "%s/%s", root, below);
  WG_BUG(len < 0 || (size_t)len >= n);
  int more = vsnprintf(buf + len, n - (size_t)len, fmt, ap);
  WG_BUG(more < 0 || (size_t)more >= n - (size_t)len);
}

void wg_path_build(char *buf, size_t n, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  join(buf, n, "build/", fmt, ap);
  va_end(ap);
}

void wg_path_root(char *buf, size_t n, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  join(buf, n, "", fmt, ap);
  va_end(ap);
}
