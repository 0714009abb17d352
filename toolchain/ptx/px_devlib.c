// SPDX-License-Identifier: Apache-2.0
//
// The device library (toolchain/devlib): bodies of vprintf, __assertfail, malloc and free, read behind a module that
// calls one of them and does not define it.
#include <string.h>

#include "toolchain/devlib/wg_devlib.h"
#include "toolchain/ptx/px.h"

static const struct {
  const char *name;
  bool keeps_line;
} kSymbols[] = {{"vprintf", false}, {"__assertfail", true}, {"malloc", false}, {"free", true}};


static wg_px_sym_t *function(wg_px_ctx_t *x, const char *name) {
  wg_px_sym_t *s = wg_px_sym_find(x, name, (uint32_t)strlen(name));
  return s != NULL && s->space == kWgPxSpFunc ? s : NULL;
}

/* Functions that are called have lines of their own: those of the library's PTX. */
static void set_lines(wg_px_ctx_t *x, wg_px_kernel_t *f) {
  for (wg_px_stmt_t *s = f->body; s != NULL; s = s->next) {
    s->file = kWgPxLibraryFile;
    s->src_line = s->line;
  }
  if (x->files != NULL && x->files->id == kWgPxLibraryFile) return;
  wg_px_file_t *file = wg_px_alloc(x, sizeof *file);
  *file = (wg_px_file_t){.next = x->files, .id = kWgPxLibraryFile, .name = "wg_devlib.ptx"};
  x->files = file;
}

void wg_px_devlib(wg_px_ctx_t *x) {
  wg_px_sym_t *want[sizeof kSymbols / sizeof kSymbols[0]];
  bool any = false;
  for (size_t i = 0; i < sizeof kSymbols / sizeof kSymbols[0]; i++) {
    want[i] = function(x, kSymbols[i].name);
    if (want[i] != NULL && want[i]->func != NULL) want[i] = NULL; /* the program's own */
    any = any || want[i] != NULL;
  }
  if (!any) return;
  const wg_px_kernel_t *own = x->funcs;
  wg_px_lex_start(x, wg_devlib_ptx);
  wg_px_parse(x);
  for (wg_px_kernel_t *f = x->funcs; f != own; f = f->next) {
    f->library = true;
    set_lines(x, f);
  }
  for (size_t i = 0; i < sizeof kSymbols / sizeof kSymbols[0]; i++) {
    char name[64];
    snprintf(name, sizeof name, "__wg_lib_%s", kSymbols[i].name);
    const wg_px_sym_t *body = function(x, name);
    WG_BUG(body == NULL);
    if (want[i] == NULL) continue;
    want[i]->func = body->func;
    body->func->keeps_line = kSymbols[i].keeps_line;
  }
}
