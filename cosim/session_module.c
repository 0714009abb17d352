// SPDX-License-Identifier: Apache-2.0
//
// Modules: code, literals, __constant__ and __device__ variables in the driver area, the first 4 GiB of the window.
#include <string.h>

#include "cosim/session_int.h"
#include "toolchain/ptx/wg_ptx.h"

static wg_status_t place(wg_session_t *s, const void *bytes, size_t n, uint64_t *addr, wg_diag_t *diag) {
  if (n == 0) return kWgOk;
  WG_TRY(wg_store_alloc_driver(s->store, n, 256, addr, diag));
  return wg_store_write(s->store, *addr, bytes, n, diag);
}

/* The code window: kernels at the offsets that the object says. */
static wg_status_t place_code(wg_session_t *s, wg_module_t *m, wg_diag_t *diag) {
  const wg_obj_t *o = m->obj;
  uint64_t end = 0;
  for (size_t k = 0; k < o->num_kernels; k++) {
    end = wg_obj_kernel_pc(o, k) + (uint64_t)o->kernels[k].num_insns * kWgInsnBytes;
  }
  if (end == 0) return wg_fail(diag, kWgBadInput, "the module has no kernel");
  if (end > (UINT64_C(1) << kWgPcBits))
    return wg_fail(diag, kWgNoSpace, "the module's code exceeds the code window");
  /* one line more: the fetch unit reads ahead */
  m->code_bytes = (uint32_t)((end + 2 * kWgLineBytes - 1) / kWgLineBytes * kWgLineBytes);
  WG_TRY(wg_store_alloc_driver(s->store, m->code_bytes, 256, &m->code, diag));
  for (size_t k = 0; k < o->num_kernels; k++) {
    uint64_t at = m->code + wg_obj_kernel_pc(o, k);
    WG_TRY(
        wg_store_write(s->store, at, o->kernels[k].code, (uint64_t)o->kernels[k].num_insns * kWgInsnBytes, diag));
  }
  return kWgOk;
}

static wg_status_t load(wg_session_t *s, wg_module_t *m, wg_diag_t *diag) {
  const wg_obj_t *o = m->obj;
  if (o->const2_size > 65536 || o->const3_size > 65536) {
    return wg_fail(diag, kWgNoSpace, "the module's constants exceed 64 KiB");
  }
  WG_TRY(place_code(s, m, diag));
  WG_TRY(place(s, o->const2, o->const2_size, &m->const2, diag));
  WG_TRY(place(s, o->const3, o->const3_size, &m->const3, diag));
  WG_TRY(place(s, o->global_init, o->global_size, &m->globals, diag));
  WG_TRY(wg_session_devlib_load(s, o, diag));
  if (o->num_relocs != 0) { /* addresses among the initial values are known now */
    uint8_t *const image[2] = {o->const3, o->global_init};
    const uint64_t at[2] = {m->const3, m->globals};
    wg_obj_relocate(o, image, at);
    if (m->const3 != 0) WG_TRY(wg_store_write(s->store, m->const3, o->const3, o->const3_size, diag));
    if (m->globals != 0) WG_TRY(wg_store_write(s->store, m->globals, o->global_init, o->global_size, diag));
  }
  const uint64_t bases[2] = {m->globals, m->const3};
  if (o->const2_size < sizeof bases) return kWgOk;
  return wg_store_write(s->store, m->const2, bases, sizeof bases, diag); /* kWgObjBases: toolchain/obj/wg_obj.h */
}

/* Control-bits: control fields for another machine's distances are made anew from the PTX; without PTX there is no way. */
static wg_status_t fit_control(wg_session_t *s, wg_obj_t **obj, wg_diag_t *diag) {
  const wg_ctl_table_t *t = wg_session_ctl(s);
  if (t == NULL || !s->backend->timing) return kWgOk;
  size_t k = 0;
  while (k < (*obj)->num_kernels && (*obj)->kernels[k].latency_hash == wg_ctl_hash(t)) k++;
  if (k == (*obj)->num_kernels) return kWgOk;
  const wg_obj_kernel_t *kernel = &(*obj)->kernels[k];
  if ((*obj)->ptx == NULL) {
    if (diag != NULL) {
      snprintf(diag->hint, sizeof diag->hint,
               "control bits come from the compiler, for this machine's distances: load PTX, or run with dep=scoreboard");
    }
    return wg_fail(diag, kWgUnsupported, "kernel '%s' has %s, and the image keeps no PTX to compile again", kernel->name,
                   kernel->latency_hash == 0 ? "no control fields" : "control fields for another machine");
  }
  wg_ptx_options_t opt;
  wg_obj_t *again = NULL;
  wg_ptx_default_options(&opt);
  opt.schedule = !s->cfg.no_schedule;
  opt.reconverge = !s->cfg.no_reconverge;
  opt.keep_warpsync = s->cfg.race == kWgSessionRaceNote;
  opt.keep_gather = (s->cfg.tools & (unsigned)kWgToolSync) != 0u;
  opt.ctl = t;
  WG_TRY(wg_ptx_compile((*obj)->ptx, "<PTX of the image>", &opt, &again, diag));
  wg_obj_free(*obj);
  *obj = again;
  return kWgOk;
}

wg_status_t wg_session_load(wg_session_t *s, wg_obj_t *obj, wg_module_t **out, wg_diag_t *diag) {
  wg_module_t *m = calloc(1, sizeof *m);
  if (m == NULL) {
    wg_obj_free(obj);
    return wg_fail(diag, kWgNoSpace, "out of memory");
  }
  wg_status_t fits = fit_control(s, &obj, diag);
  if (fits != kWgOk) {
    wg_obj_free(obj);
    free(m);
    return fits;
  }
  m->session = s;
  m->obj = obj;
  wg_status_t st = load(s, m, diag);
  if (st != kWgOk) {
    const uint64_t placed[4] = {m->code, m->const2, m->const3, m->globals};
    for (size_t i = 0; i < 4; i++) {
      if (placed[i] != 0 && wg_store_free(s->store, placed[i], NULL) != kWgOk) WG_BUG(true);
    }
    wg_obj_free(obj);
    free(m);
    return st;
  }
  wg_session_tools_module(s, m);
  m->next = s->modules;
  s->modules = m;
  s->code_written = true;
  *out = m;
  return kWgOk;
}

void wg_session_more_modules(wg_session_t *s, bool more) { s->more_modules = more; }

const wg_obj_t *wg_module_obj(const wg_module_t *m) { return m->obj; }

bool wg_module_var(const wg_module_t *m, const char *name, uint64_t *addr, size_t *bytes) {
  for (size_t i = 0; i < m->obj->num_vars; i++) {
    const wg_obj_var_t *v = &m->obj->vars[i];
    if (strcmp(v->name, name) != 0) continue;
    uint64_t base = v->space == 0 ? m->const3 : m->globals;
    if (base == 0) return false;
    if (addr != NULL) *addr = base + v->offset;
    if (bytes != NULL) *bytes = v->size;
    return true;
  }
  return false;
}
