// SPDX-License-Identifier: Apache-2.0
//
// Kernel launches: the configuration that <<<>>> pushes, the parameters, the errors.
#include "rt.h"

#include "toolchain/obj/wg_demangle.h"

#include <string.h>

enum { kMaxConfigs = 8, kShownName = 120 };

typedef struct config {
  dim3 grid, block;
  size_t shared;
  void *stream;
} config_t;

/* Nested by launches in the arguments of a launch; each host thread has its own. */
static _Thread_local config_t t_config[kMaxConfigs];
static _Thread_local unsigned t_configs;

RT_API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  if (t_configs == kMaxConfigs) return 1;
  t_config[t_configs++] = (config_t){grid, block, shared, stream};
  return 0;
}

RT_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void **stream) {
  if (t_configs == 0) {
    rt_lock();
    return rt_leave(cudaErrorMissingConfiguration);
  }
  const config_t *c = &t_config[--t_configs];
  *grid = c->grid;
  *block = c->block;
  *shared = c->shared;
  *stream = c->stream;
  return cudaSuccess;
}

/* Bytes of parameters, from the kernel's own list: the call brings only pointers. A multiple of four: the constant form
   reads whole words, also of a last parameter that is a char. */
static size_t gather_params(const wg_obj_kernel_t *k, void **args, uint8_t **out) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < k->num_params; i++) {
    size_t end = (size_t)k->params[i].offset + k->params[i].size;
    if (end > bytes) bytes = end;
  }
  bytes = (bytes + 3) / 4 * 4;
  *out = calloc(1, bytes + 1);
  for (uint32_t i = 0; *out != NULL && i < k->num_params; i++) { /* the caller looked for null pointers */
    memcpy(*out + k->params[i].offset, args[i], k->params[i].size);
  }
  return bytes;
}

/* A launch that never ran. <<<>>> gives its error to nobody, so a program that does not ask goes on with old data.
 */
static cudaError_t refuse(const wg_launch_t *l, const wg_diag_t *d, cudaError_t e) {
  rt_record_t *r = &rt()->record;
  char name[kShownName], what[kShownName + 32];
  wg_demangle(l->kernel, name, sizeof name);
  snprintf(what, sizeof what, "launch of %s refused", name);
  static char told[sizeof what + sizeof d->msg]; /* under the run-time's lock */
  char text[sizeof told];
  snprintf(text, sizeof text, "%s%s", what, d->msg);
  if (strcmp(text, told) != 0) rt_say_diag(what, d); /* once, however often a loop of the program launches it */
  memcpy(told, text, sizeof told);
  if (r->unseen[0] == '\0') {
    snprintf(r->unseen, sizeof r->unseen, "a launch of %s was refused (error %d): %.240s", name, (int)e, d->msg);
  }
  return e;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/* The error that a launch itself returns, and the one that sticks from then on. */
static cudaError_t judge(wg_status_t st, const wg_launch_t *l, const wg_diag_t *d) {
  rt_state_t *s = rt();
  switch (st) {
    case kWgOk:
      return cudaSuccess;
    case kWgBadArg:
      return refuse(l, d, cudaErrorInvalidConfiguration);
    case kWgNoSpace:
      return refuse(l, d, cudaErrorLaunchOutOfResources);
    case kWgNotFound:
      return refuse(l, d, cudaErrorInvalidDeviceFunction);
    case kWgFault:
    case kWgHang:
    case kWgMismatch: {
      static const char *const kWhat[] = {"the golden model disagrees", "device fault", "the device hangs"};
      const char *what = kWhat[st == kWgMismatch ? 0 : st == kWgFault ? 1 : 2];
      if (strncmp(d->msg, "memory checker: ", 16) == 0) what = "the simulated memory system failed its check";
      else if (strstr(d->msg, "do not add up") != NULL) what = "a sum rule of the simulation does not hold";
      else if (strncmp(d->msg, "GigaThread checker: ", 20) == 0) what = "the simulated GigaThread engine failed its check";
      const char *report = st == kWgMismatch ? wg_session_report(s->session) : "";
      char name[kShownName], at[280] = "";
      wg_demangle(l->kernel, name, sizeof name);
      if (report[0] == '\0') rt_say_diag(what, d);
      else fprintf(stderr, "warpglass: %s in %s\n%s", what, name, report);
      if (st == kWgHang) fputs(wg_session_hang_text(s->session), stderr);
      if (d->line != 0) snprintf(at, sizeof at, " at %s:%u", base_name(d->file), d->line);
      if (st == kWgFault) { /* its text names the kernel */
        rt_fail("%s%s: %s", what, at, d->msg);
      } else {
        rt_fail("%s in %s%s: %s", what, name, at, d->msg);
      }
      s->sticky = (cudaError_t)wg_session_cuda_error(s->session, NULL);
      /* As on a device: the launch was queued; whoever asks next is told. */
      return cudaSuccess;
    }
    default: {
      char name[kShownName];
      rt_say_diag("launch failed", d);
      rt_fail("launch of %s: %s", wg_demangle(l->kernel, name, sizeof name), d->msg);
      /* it was begun: ended by the debugger, or what it found no way on */
      unsigned sticks = wg_session_cuda_error(s->session, NULL);
      if (sticks == 0) return cudaErrorUnknown;
      s->sticky = (cudaError_t)sticks;
      return cudaSuccess;
    }
  }
}

/* A program goes on behind a race, as on a device; its verdict does not. */
static void judge_races(void) {
  const wg_diag_t *first = NULL;
  fputs(wg_session_races(rt()->session, &first), stderr);
  if (first != NULL && first->line != 0) rt_fail("%s at %s:%u", first->msg, first->file, first->line);
  else if (first != NULL) rt_fail("%s", first->msg);
}

wg_status_t rt_launch_run(const wg_launch_t *l) {
  wg_launch_result_t res;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  rt_drain(); /* as CUDA does: what is left of the launch before */
  rt_snapshot_t *snap = rt_golden_wanted() ? rt_golden_run(NULL, l) : NULL;
  rt()->record.running = true;
  wg_status_t st = wg_session_launch(rt()->session, l, &res, &d);
  rt()->record.running = false;
  if (st != kWgOk) rt_drain(); /* an assertion's words stand before the fault that they explain */
  cudaError_t e = judge(st, l, &d);
  rt_check_tell(); /* first: a wrong address may be what looks like a race */
  judge_races();
  if (e != cudaSuccess) rt()->last = e; /* it was good when it was queued: memory for its threads is exhausted */
  if (st == kWgOk) {
    if (snap != NULL) {
      rt_golden_compare(snap, l);
      snap = NULL;
    }
    rt_report_launch(l, &res, false);
    rt_profile_launch(&res);
  }
  rt_golden_drop(snap);
  return st;
}

/* Grids beside each other share one copy of memory: their golden kernels run on it in the order in which the grids begin, copies that
   end meanwhile change it too, and it is compared when no grid runs any more. Grids that race with each other differ from it. */
static rt_snapshot_t *g_shared;

void rt_launch_moved(uint64_t addr, size_t bytes) { rt_golden_moved(g_shared, addr, bytes); }

bool rt_launch_begin(const wg_launch_t *l, const wg_session_order_t *order, uint32_t *grid_id) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (rt_golden_wanted()) g_shared = rt_golden_run(g_shared, l);
  wg_status_t st = wg_session_begin(rt()->session, l, order, grid_id, &d);
  if (st == kWgOk) return true;
  cudaError_t e = judge(st, l, &d);
  if (e != cudaSuccess) rt()->last = e;
  rt_fail("a grid that was queued could not begin: %s", d.msg);
  return false;
}

wg_status_t rt_launch_until(uint64_t ns, const wg_launch_t *(*launch_of)(uint32_t grid_id), wg_session_ended_t *ended) {
  wg_launch_result_t res;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  rt()->record.running = true;
  wg_status_t st = wg_session_run_until(rt()->session, ns, ended, &res, &d);
  rt()->record.running = false;
  if (st != kWgOk) {
    rt_drain();
    wg_fault_t f;
    (void)wg_session_cuda_error(rt()->session, &f);
    (void)judge(st, launch_of(f.grid_id), &d);
    rt_golden_drop(g_shared);
    g_shared = NULL;
    return st;
  }
  if (ended->grid_id == 0) return kWgOk;
  const wg_launch_t *l = launch_of(ended->grid_id);
  if (ended->last && g_shared != NULL) {
    rt_golden_compare(g_shared, l);
    g_shared = NULL;
  }
  rt_report_launch(l, &res, ended->beside);
  rt_profile_launch(&res);
  return kWgOk;
}

/* Queue a launch, or refuse it for what can be told now. */
static cudaError_t launch(const wg_launch_t *l, uint32_t stream) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  rt_queue_spend(rt_queue_costs()->launch_ns);
  wg_status_t st = wg_session_check_launch(rt()->session, l, &d);
  if (st != kWgOk) return judge(st, l, &d);
  (void)rt_queue_launch(stream, l);
  return rt()->sticky;
}

/* A launch refused before it had a kernel or parameters. */
static cudaError_t refuse_call(const char *kernel, cudaError_t e, const char *remedy, const char *fmt, ...)
    WG_PRINTF(4, 5);
static cudaError_t refuse_call(const char *kernel, cudaError_t e, const char *remedy, const char *fmt, ...) {
  const wg_launch_t l = {.kernel = kernel};
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(d.msg, sizeof d.msg, fmt, ap);
  va_end(ap);
  snprintf(d.hint, sizeof d.hint, "%s", remedy);
  return refuse(&l, &d, e);
}

uint32_t rt_max_dyn_shared(const rt_symbol_t *sym, const wg_obj_kernel_t *k) {
  wg_session_props_t p;
  if (sym->opted_in) return sym->max_dyn_shared;
  wg_session_get_props(rt()->session, &p);
  return p.shared_per_block > k->shared_bytes ? p.shared_per_block - k->shared_bytes : 0;
}

/* What an SM holds but the kernel has not asked for is an invalid value; what no SM holds, the launch tells: 701. */
static cudaError_t check_shared(const rt_symbol_t *sym, const wg_obj_kernel_t *k, size_t shared) {
  wg_session_props_t p;
  wg_session_get_props(rt()->session, &p);
  uint32_t max = rt_max_dyn_shared(sym, k);
  if (shared > UINT32_MAX) {
    return refuse_call(sym->name, cudaErrorInvalidValue, "", "%zu bytes of dynamic shared memory", shared);
  }
  if (shared <= max || shared + k->shared_bytes > p.shared_per_sm) return cudaSuccess;
  char remedy[200];
  snprintf(remedy, sizeof remedy,
           "call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) first; this device "
           "allows %u in a block, static ones included", p.shared_per_block_optin);
  return refuse_call(sym->name, cudaErrorInvalidValue, remedy,
                     "%zu bytes of dynamic shared memory, this kernel may have %u", shared, max);
}

static cudaError_t launch_symbol(const rt_symbol_t *sym, dim3 grid, dim3 block, void **args, size_t shared,
                                 uint32_t stream) {
  cudaError_t e = rt_image_load(sym->image);
  if (e != cudaSuccess) return e;
  const wg_obj_kernel_t *k = wg_obj_find(wg_module_obj(sym->image->module), sym->name, NULL);
  if (k == NULL) {
    char name[kShownName];
    return refuse_call(sym->name, cudaErrorInvalidDeviceFunction, "", "the module has no kernel '%s'",
                       wg_demangle(sym->name, name, sizeof name));
  }
  e = check_shared(sym, k, shared);
  if (e != cudaSuccess) return e;
  for (uint32_t i = 0; i < k->num_params; i++) {
    if (args == NULL || args[i] == NULL) {
      return refuse_call(sym->name, cudaErrorInvalidValue, "", "the pointer to argument %u is null", i);
    }
  }
  uint8_t *params = NULL;
  wg_launch_t l = {.module = sym->image->module,
                   .kernel = sym->name,
                   .grid = {grid.x, grid.y, grid.z},
                   .block = {block.x, block.y, block.z},
                   .dyn_shared_bytes = (uint32_t)shared,
                   .stack_bytes = rt()->stack_bytes};
  l.param_bytes = gather_params(k, args, &params);
  if (params == NULL) return cudaErrorMemoryAllocation;
  l.params = params;
  e = launch(&l, stream);
  free(params);
  return e;
}

RT_API cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared_bytes,
                                    cudaStream_t stream) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_number(stream, &number)) {
    return rt_leave(refuse_call("a kernel", cudaErrorInvalidResourceHandle, "", "%p is no stream",
                                (void *)stream));
  }
  const rt_symbol_t *sym = rt_symbol_find(func, false);
  if (sym == NULL) {
    return rt_leave(refuse_call("an unknown function", cudaErrorInvalidDeviceFunction, "",
                                "%p is no kernel of this program", func));
  }
  return rt_leave(launch_symbol(sym, grid, block, args, shared_bytes, number));
}

RT_API cudaError_t __cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared_bytes,
                                      cudaStream_t stream);
RT_API cudaError_t __cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared_bytes,
                                      cudaStream_t stream) {
  return cudaLaunchKernel(func, grid, block, args, shared_bytes, stream);
}

RT_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func) {
  RT_ENTER();
  if (attr == NULL) return rt_leave(cudaErrorInvalidValue);
  const rt_symbol_t *sym = rt_symbol_find(func, false);
  if (sym == NULL) return rt_leave(cudaErrorInvalidDeviceFunction);
  cudaError_t e = rt_image_load(sym->image);
  if (e != cudaSuccess) return rt_leave(e);
  const wg_obj_kernel_t *k = wg_obj_find(wg_module_obj(sym->image->module), sym->name, NULL);
  if (k == NULL) return rt_leave(cudaErrorInvalidDeviceFunction);
  memset(attr, 0, sizeof *attr);
  attr->sharedSizeBytes = k->shared_bytes;
  attr->maxDynamicSharedSizeBytes = (int)rt_max_dyn_shared(sym, k);
  attr->constSizeBytes = wg_module_obj(sym->image->module)->const3_size;
  attr->localSizeBytes = k->local_bytes;
  attr->maxThreadsPerBlock = (int)k->max_threads;
  attr->numRegs = (int)k->regs;
  attr->ptxVersion = 64;
  attr->binaryVersion = 70;
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value) {
  RT_ENTER();
  rt_symbol_t *sym = rt_symbol_find(func, false);
  if (sym == NULL) return rt_leave(cudaErrorInvalidDeviceFunction);
  if (attr == cudaFuncAttributePreferredSharedMemoryCarveout)
    return rt_leave(cudaSuccess); /* a hint: the preset decides */
  if (attr != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) return rt_leave(cudaErrorInvalidValue);
  cudaError_t e = rt_image_load(sym->image);
  if (e != cudaSuccess) return rt_leave(e);
  const wg_obj_kernel_t *k = wg_obj_find(wg_module_obj(sym->image->module), sym->name, NULL);
  if (k == NULL) return rt_leave(cudaErrorInvalidDeviceFunction);
  wg_session_props_t p;
  wg_session_get_props(rt()->session, &p);
  if ((uint64_t)value + k->shared_bytes > p.shared_per_block_optin) {
    char name[kShownName];
    wg_demangle(sym->name, name, sizeof name);
    rt_say("cudaFuncSetAttribute: %d bytes of dynamic and %u of static shared memory for %s: a block of this device "
           "may have %u", value, k->shared_bytes, name, p.shared_per_block_optin);
    return rt_leave(cudaErrorInvalidValue);
  }
  sym->opted_in = true;
  sym->max_dyn_shared = (uint32_t)value;
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config) {
  (void)config; /* a hint: the preset decides */
  RT_ENTER();
  return rt_leave(rt_symbol_find(func, false) == NULL ? cudaErrorInvalidDeviceFunction : cudaSuccess);
}
