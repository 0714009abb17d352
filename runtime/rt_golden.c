// SPDX-License-Identifier: Apache-2.0
//
// Golden C kernels: run on a copy of device memory, compared with the device after the launch.
#include "rt.h"

#include <dlfcn.h>
#include <string.h>

#include "cosim/so_open.h"
#include "programs/wg_golden.h"
#include "toolchain/obj/wg_demangle.h"

/* One allocation before the launch, changed by the golden kernel. */
typedef struct region {
  uint64_t addr;
  size_t bytes;
  uint8_t *data;
} region_t;

struct rt_snapshot {
  region_t *regions;
  size_t n, cap;
  int refused; /* what the golden kernel returned; told only if the device ran the launch */
};

bool rt_golden_wanted(void) {
  const char *path = getenv("WARPGLASS_GOLDEN");
  return path != NULL && path[0] != '\0';
}

static void *library(void) {
  static void *lib;
  static bool tried;
  if (tried) return lib;
  tried = true;
  char why[4400];
  lib = wg_so_open(getenv("WARPGLASS_GOLDEN"), RTLD_NOW | RTLD_LOCAL, why, sizeof why);
  if (lib == NULL) {
    rt_say("cannot open the golden kernels: %s; remedy: build them again (wgcc --golden, or make programs), or --golden none",
           why);
    rt_fail("golden kernels: cannot be opened");
  }
  return lib;
}

bool rt_golden_ready(void) { return !rt_golden_wanted() || library() != NULL; }

static bool add_region(rt_snapshot_t *snap, uint64_t addr, size_t bytes) {
  for (size_t i = 0; i < snap->n; i++) {
    if (snap->regions[i].addr == addr) return true;
  }
  if (snap->n == snap->cap) {
    size_t cap = snap->cap == 0 ? 16 : snap->cap * 2;
    region_t *grown = realloc(snap->regions, cap * sizeof *grown);
    if (grown == NULL) return false;
    snap->regions = grown;
    snap->cap = cap;
  }
  region_t r = {addr, bytes, malloc(bytes == 0 ? 1 : bytes)};
  if (r.data == NULL) return false;
  snap->regions[snap->n++] = r;
  wg_diag_t d;
  return wg_session_read(rt()->session, addr, r.data, bytes, &d) == kWgOk;
}

/* The program's allocations and the __device__ variables of all loaded modules; those that `snap` has stay as they are. */
static rt_snapshot_t *take(rt_snapshot_t *snap) {
  if (snap == NULL) snap = calloc(1, sizeof *snap);
  bool ok = snap != NULL;
  for (const rt_alloc_t *a = rt()->allocs; ok && a != NULL; a = a->next) ok = add_region(snap, a->addr, a->bytes);
  for (const rt_image_t *i = rt()->images; ok && i != NULL; i = i->next) {
    if (i->module == NULL) continue;
    const wg_obj_t *o = wg_module_obj(i->module);
    for (size_t v = 0; ok && v < o->num_vars; v++) {
      uint64_t addr = 0, base = 0;
      size_t bytes = 0;
      if (o->vars[v].space != 1 || !wg_module_var(i->module, o->vars[v].name, &addr, NULL)) continue;
      if (wg_session_range(rt()->session, addr, &base, &bytes)) ok = add_region(snap, base, bytes);
    }
  }
  if (ok) return snap;
  rt_golden_drop(snap);
  return NULL;
}

void rt_golden_drop(rt_snapshot_t *snap) {
  if (snap == NULL) return;
  for (size_t i = 0; i < snap->n; i++) free(snap->regions[i].data);
  free(snap->regions);
  free(snap);
}

static void *at(void *ctx, uint64_t addr, size_t bytes) {
  rt_snapshot_t *snap = ctx;
  for (size_t i = 0; i < snap->n; i++) {
    region_t *r = &snap->regions[i];
    if (addr < r->addr || addr - r->addr > r->bytes || bytes > r->bytes - (addr - r->addr)) continue;
    return r->data + (addr - r->addr);
  }
  return NULL;
}

rt_snapshot_t *rt_golden_run(rt_snapshot_t *snap, const wg_launch_t *l) {
  char symbol[512];
  void *lib = library();
  if (lib == NULL) return snap;
  snprintf(symbol, sizeof symbol, "wg_golden_%s", l->kernel);
  wg_golden_fn_t fn;
  void *found = dlsym(lib, symbol);
  if (found == NULL) {
    rt_say("the golden library has no '%s'", symbol);
    rt_fail("no golden kernel for %s", l->kernel);
    return snap;
  }
  memcpy(&fn, &found, sizeof fn); /* ISO C has no cast from an object to a function pointer */
  snap = take(snap);
  if (snap == NULL) {
    rt_fail("golden kernels: device memory cannot be copied");
    return NULL;
  }
  wg_golden_launch_t g = {.kernel = l->kernel,
                          .dyn_shared_bytes = l->dyn_shared_bytes,
                          .params = l->params,
                          .param_bytes = l->param_bytes};
  memcpy(g.grid, l->grid, sizeof g.grid);
  memcpy(g.block, l->block, sizeof g.block);
  wg_golden_mem_t mem = {.ctx = snap, .at = at};
  int refused = fn(&g, &mem);
  if (snap->refused == 0) snap->refused = refused;
  return snap;
}

void rt_golden_moved(rt_snapshot_t *snap, uint64_t addr, size_t bytes) {
  wg_diag_t d;
  uint8_t *to = snap == NULL ? NULL : at(snap, addr, bytes);
  if (to != NULL && wg_session_read(rt()->session, addr, to, bytes, &d) != kWgOk) rt_fail("golden kernels: device memory cannot be read");
}

/* Report the first word that differs, and how many do. */
static void report(const region_t *r, const uint8_t *got, const wg_launch_t *l) {
  size_t first = SIZE_MAX, words = 0;
  for (size_t i = 0; i < r->bytes; i += 4) {
    size_t n = r->bytes - i < 4 ? r->bytes - i : 4;
    if (memcmp(got + i, r->data + i, n) == 0) continue;
    if (first == SIZE_MAX) first = i;
    words++;
  }
  char name[120];
  wg_demangle(l->kernel, name, sizeof name);
  uint32_t have = 0, want = 0;
  float fhave = 0, fwant = 0;
  size_t n = r->bytes - first < 4 ? r->bytes - first : 4;
  memcpy(&have, got + first, n);
  memcpy(&want, r->data + first, n);
  memcpy(&fhave, &have, sizeof fhave);
  memcpy(&fwant, &want, sizeof fwant);
  rt_say(
      "launch %u, kernel %s: device memory differs from the golden kernel's: %zu words in the allocation of %zu "
      "bytes "
      "at 0x%llx; first at 0x%llx (word %zu): got 0x%08x (%.9g), want 0x%08x (%.9g)",
      rt()->record.launches + 1, name, words, r->bytes, (unsigned long long)r->addr,
      (unsigned long long)(r->addr + first), first / 4, have, (double)fhave, want, (double)fwant);
  rt_fail("golden kernel: launch %u of %s, word %zu of the allocation at 0x%llx: got 0x%08x, want 0x%08x",
          rt()->record.launches + 1, name, first / 4, (unsigned long long)r->addr, have, want);
}

void rt_golden_compare(rt_snapshot_t *snap, const wg_launch_t *l) {
  wg_diag_t d;
  if (snap->refused != 0) {
    char name[120];
    wg_demangle(l->kernel, name, sizeof name);
    rt_say("the golden kernel of %s refuses the launch (%d): a pointer or size is wrong", name, snap->refused);
    rt_fail("golden kernel of %s refuses the launch", name);
  }
  for (size_t i = 0; snap->refused == 0 && i < snap->n; i++) {
    const region_t *r = &snap->regions[i];
    uint8_t *got = malloc(r->bytes == 0 ? 1 : r->bytes);
    if (got == NULL || wg_session_read(rt()->session, r->addr, got, r->bytes, &d) != kWgOk) {
      rt_fail("golden kernels: device memory cannot be read");
    } else if (memcmp(got, r->data, r->bytes) != 0) {
      report(r, got, l);
    }
    free(got);
  }
  rt_golden_drop(snap);
}
