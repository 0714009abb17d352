// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "toolchain/obj/wg_files.h"

#include <string.h>
#include <sys/stat.h>

bool wg_same_file(const char *a, const char *b) {
  struct stat x, y;
  if (stat(a, &x) != 0) return strcmp(a, b) == 0;
  return S_ISREG(x.st_mode) && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
