// SPDX-License-Identifier: Apache-2.0
#include "testbench/unit/runtime/rt_fixture.h"

#include <unistd.h>

typedef void **RegisterFat(void *);
typedef void RegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *,
                              int *);
typedef void RegisterVar(void **, char *, char *, const char *, int, size_t, int, int);

namespace wgtest {

char fill_stub, table_stub, unknown_stub;
char addend_stub;

static const char kPtx[] = R"(
.version 6.4
.target sm_70
.address_size 64
.visible .const .align 4 .b8 addend[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
.visible .entry _Z4fillPii(.param .u64 p_0, .param .u32 p_1)
{
  .reg .b32 %r<7>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p_0];
  cvta.to.global.u64 %rd2, %rd1;
  ld.param.u32 %r1, [p_1];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  add.s32 %r6, %r5, %r1;
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r6;
  ret;
}
.visible .entry _Z5tablePi(.param .u64 q_0)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [q_0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  ld.const.u32 %r2, [addend+4];
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r2;
  ret;
}
)";

void RegisterImage() {
  static bool done = false;
  if (done) return;
  done = true;
  static struct {
    int magic, version;
    const void *data;
    void *unused;
  } wrapper = {0x466243b1, 1, kPtx, nullptr};
  static char name_fill[] = "_Z4fillPii", name_table[] = "_Z5tablePi", name_addend[] = "addend";
  void **h = Sym<RegisterFat>("__cudaRegisterFatBinary")(&wrapper);
  auto *function = Sym<RegisterFunction>("__cudaRegisterFunction");
  function(h, &fill_stub, name_fill, name_fill, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  function(h, &table_stub, name_table, name_table, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  Sym<RegisterVar>("__cudaRegisterVar")(h, &addend_stub, name_addend, name_addend, 0, 16, 1, 0);
}

cudaError_t Fill(void *p, int value, unsigned grid, unsigned block, size_t shared, cudaStream_t stream) {
  RegisterImage();
  void *args[] = {&p, &value};
  return RT(cudaLaunchKernel)(&fill_stub, dim3(grid, 1, 1), dim3(block, 1, 1), args, shared, stream);
}

}  // namespace wgtest
