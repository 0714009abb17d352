// SPDX-License-Identifier: Apache-2.0
//
// Registration of kernels and variables by the constructors that clang writes into each object, and the compilation
// of an image's PTX at its first use. The ABI is described in runtime/README.md, "What the compiler calls".
#define _GNU_SOURCE
#include "rt.h"

#include <string.h>

#include "toolchain/ptx/wg_ptx.h"

enum { kFatMagic = 0x466243b1, kContainerMagic = (int)0xba55ed50 };

/** What the compiler's constructor passes: only magic and data mean something. */
typedef struct fat_wrapper {
  int magic, version;
  const void *data;
  void *unused;
} fat_wrapper_t;

/* A failed constructor cannot report: the program could only die later, without a reason. */
static void *must(void *p) {
  if (p == NULL) {
    rt_say("out of memory while the program's kernels were registered");
    abort();
  }
  return p;
}

RT_API void **__cudaRegisterFatBinary(void *wrapper) {
  const fat_wrapper_t *w = wrapper;
  rt_image_t *img = must(calloc(1, sizeof *img));
  int head = 0;
  if (w->magic == kFatMagic && w->data != NULL) memcpy(&head, w->data, sizeof head);
  if (w->magic != kFatMagic || w->data == NULL) {
    img->tried = true;
    img->error = cudaErrorInvalidKernelImage;
    rt_say("a kernel image has the magic number 0x%x instead of 0x%x: it was not built by wgcc", (unsigned)w->magic,
           (unsigned)kFatMagic);
  } else if (head == kContainerMagic) {
    bool packed = false;
    img->ptx = rt_fatbin_ptx(w->data, &packed);
    if (img->ptx == NULL) {
      img->tried = true;
      img->error = cudaErrorNoKernelImageForDevice;
      rt_say(
          "the program was built by nvcc and its PTX %s: build it with wgcc, or with nvcc --no-compress "
          "-gencode arch=compute_75,code=compute_75",
          packed ? "is compressed" : "was left out");
    }
  } else {
    img->ptx = w->data;
  }
  rt_lock();
  img->next = rt()->images;
  rt()->images = img;
  rt_leave(cudaSuccess);
  return (void **)img;
}

RT_API void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

/* Called through atexit, possibly after others: the tables stay, the process is about to end. */
RT_API void __cudaUnregisterFatBinary(void **handle) { (void)handle; }

static void add_symbol(void **handle, const void *host, const char *name, bool is_var) {
  rt_symbol_t *s = must(calloc(1, sizeof *s));
  s->host = host;
  s->name = must(strdup(name));
  s->image = (rt_image_t *)handle;
  s->is_var = is_var;
  rt_lock();
  s->next = rt()->symbols;
  rt()->symbols = s;
  rt_leave(cudaSuccess);
}

RT_API void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                                   int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                                   int *warp_size) {
  (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp_size;
  add_symbol(handle, host, name, false);
}

RT_API void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size,
                              int constant, int global) {
  (void)device, (void)ext, (void)size, (void)constant, (void)global;
  add_symbol(handle, host, name, true);
}

RT_API void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int ext,
                                     size_t size, int constant, int global) {
  (void)handle, (void)host, (void)device, (void)ext, (void)size, (void)constant, (void)global;
  rt_say("the __managed__ variable '%s' is not supported: use __device__ and cudaMemcpyToSymbol", name);
  abort();
}

rt_symbol_t *rt_symbol_find(const void *host, bool is_var) {
  for (rt_symbol_t *s = rt()->symbols; s != NULL; s = s->next) {
    if (s->host == host && s->is_var == is_var) return s;
  }
  return NULL;
}

cudaError_t rt_image_load(rt_image_t *img) {
  if (img->tried) return img->error;
  img->tried = true;
  wg_ptx_options_t opt;
  wg_obj_t *obj = NULL;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  wg_ptx_default_options(&opt);
  opt.keep_ptx = true;
  wg_session_setup_t setup;
  wg_session_get_setup(rt()->session, &setup);
  opt.schedule = setup.schedule;
  opt.reconverge = setup.reconverge;
  opt.keep_warpsync = setup.keep_warpsync;
  opt.keep_gather = setup.keep_gather;
  wg_status_t st = wg_ptx_compile(img->ptx, "<embedded PTX>", &opt, &obj, &d);
  if (st == kWgOk) st = wg_session_load(rt()->session, obj, &img->module, &d); /* takes obj in any case */
  bool more = false;
  for (const rt_image_t *i = rt()->images; i != NULL; i = i->next) more = more || !i->tried;
  wg_session_more_modules(rt()->session, more);
  if (st == kWgOk) return img->error = cudaSuccess;
  rt_say_diag("cannot load the program's device code", &d);
  rt_fail("device code: %.200s", d.msg);
  return img->error = cudaErrorInvalidPtx;
}
