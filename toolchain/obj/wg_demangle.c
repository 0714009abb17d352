// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "toolchain/obj/wg_demangle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* abi::__cxa_demangle of the C++ ABI. */
typedef char *(*wg_demangle_fn)(const char *name, char *buf, size_t *n, int *status);

/* Taken at run time, so that the C tools need no C++ library to be linked; the verilated SM brings it anyway. */
static wg_demangle_fn find_demangler(void) {
  void *sym = dlsym(RTLD_DEFAULT, "__cxa_demangle");
  void *lib = sym != NULL ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
  if (lib != NULL) sym = dlsym(lib, "__cxa_demangle");
  wg_demangle_fn fn = NULL;
  memcpy(&fn, &sym, sizeof fn); /* ISO C has no cast from object to function pointers */
  return fn;
}

const char *wg_demangle(const char *name, char *buf, size_t n) {
  char *plain = NULL;
  int status = -1;
  if (strncmp(name, "_Z", 2) == 0) {
    wg_demangle_fn fn = find_demangler();
    if (fn != NULL) plain = fn(name, NULL, NULL, &status);
  }
  const char *show = status == 0 && plain != NULL ? plain : name;
  if (strncmp(show, "void ", 5) == 0) show += 5; /* templates are mangled with their result, which kernels do not have */
  int len = snprintf(buf, n, "%s", show);
  free(plain);
  if (len >= (int)n) memcpy(buf + n - 4, "...", 4);
  return buf;
}
