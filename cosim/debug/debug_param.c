// SPDX-License-Identifier: Apache-2.0
#include "cosim/debug/debug_param.h"

#include <string.h>

#include "toolchain/obj/wg_demangle.h"

enum { kMaxName = 1000 };

/* Argument `i` of "void f<int>(int, float const*)"; n: how many there must be. @return false: the name says other ones
   */
static bool argument(const char *name, uint32_t i, uint32_t n, char *out, size_t cap) {
  size_t len = strlen(name);
  int depth = 0;
  const char *open = NULL;
  if (len == 0 || name[len - 1] != ')') return false;
  for (const char *p = name + len; p-- > name && open == NULL;) { /* the bracket that the last one closes */
    depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
    if (depth == 0) open = p;
  }
  uint32_t at = 0;
  const char *from = open == NULL ? NULL : open + 1;
  for (const char *p = from; p != NULL && p < name + len; p++) {
    if (strchr("<([", *p) != NULL) depth++;
    bool ends = depth == 0 && (*p == ',' || p == name + len - 1);
    if (strchr(">)]", *p) != NULL) depth--;
    if (!ends) continue;
    if (at == i) snprintf(out, cap, "%.*s", (int)(p - from), from);
    at++;
    from = p + 1;
    while (*from == ' ') from++;
  }
  return at == n;
}

/* A type without its stars and qualifiers. */
static void base_of(const char *text, dbg_param_t *p) {
  static const struct {
    const char *name;
    dbg_base_t base;
    uint32_t size;
  } kTypes[] = {{"int", kDbgSigned, 4},    {"unsigned int", kDbgUnsigned, 4},   {"float", kDbgFloat, 4},
                {"double", kDbgFloat, 8},  {"char", kDbgChar, 1},               {"signed char", kDbgSigned, 1},
                {"unsigned char", kDbgUnsigned, 1}, {"short", kDbgSigned, 2},   {"unsigned short", kDbgUnsigned, 2},
                {"long", kDbgSigned, 8},   {"unsigned long", kDbgUnsigned, 8},  {"long long", kDbgSigned, 8},
                {"unsigned long long", kDbgUnsigned, 8}, {"bool", kDbgBool, 1}, {"void", kDbgVoid, 0}};
  p->base = p->pointers != 0 ? kDbgVoid : kDbgBytes;
  p->base_size = p->pointers != 0 ? 0 : p->size;
  for (size_t i = 0; i < sizeof kTypes / sizeof kTypes[0]; i++) {
    if (strcmp(text, kTypes[i].name) != 0) continue;
    if (p->pointers == 0 && kTypes[i].size != p->size) return; /* what the container says is what was passed */
    p->base = kTypes[i].base;
    p->base_size = kTypes[i].size;
    return;
  }
}

/* "float const* __restrict__" is "float" with one star. */
static void read_type(dbg_param_t *p) {
  char text[sizeof p->type] = "";
  for (const char *at = p->type; *at != '\0';) {
    size_t n = strcspn(at, " *");
    bool word = n != 0 && strncmp(at, "const", n) != 0 && strncmp(at, "volatile", n) != 0 &&
        strncmp(at, "__restrict__", n) != 0;
    size_t used = strlen(text);
    if (word) snprintf(text + used, sizeof text - used, "%s%.*s", used == 0 ? "" : " ", (int)n, at);
    at += n;
    for (; *at == ' ' || *at == '*'; at++) p->pointers += *at == '*' ? 1u : 0u;
  }
  if (p->pointers != 0 && p->size != 8) p->pointers = 0;
  base_of(text, p);
}

void dbg_param(const wg_obj_t *o, size_t k, uint32_t i, dbg_param_t *out) {
  char name[kMaxName];
  const wg_obj_kernel_t *kernel = &o->kernels[k];
  memset(out, 0, sizeof *out);
  snprintf(out->name, sizeof out->name, "arg%u", i);
  out->offset = kernel->params[i].offset;
  out->size = kernel->params[i].size;
  out->base = kDbgBytes;
  out->base_size = out->size;
  wg_demangle(kernel->name, name, sizeof name);
  if (!argument(name, i, kernel->num_params, out->type, sizeof out->type)) out->type[0] = '\0';
  else read_type(out);
}
