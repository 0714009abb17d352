// SPDX-License-Identifier: Apache-2.0
//
// Every error path of the API, and what the calls do when nothing is wrong. Errors that stick are tried in a child
// process.
#include <cstring>
#include <string>
#include <vector>

#include "testbench/unit/runtime/rt_fixture.h"

using wgtest::Fill;

namespace {

class RtApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";  // a device is not inherited by fork()
    wgtest::RegisterImage();
    (void)RT(cudaGetLastError)();
    ASSERT_EQ(cudaSuccess, RT(cudaMalloc)(&p_, 256));
  }
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, RT(cudaFree)(p_));
    (void)RT(cudaGetLastError)();
  }
  char *At(size_t n) { return static_cast<char *>(p_) + n; }
  void *p_ = nullptr;
  int host_[64] = {};
};

TEST_F(RtApiTest, ErrorTextsAreCudas) {
  EXPECT_STREQ("no error", RT(cudaGetErrorString)(cudaSuccess));
  EXPECT_STREQ("cudaErrorIllegalAddress", RT(cudaGetErrorName)((cudaError_t)700));
  EXPECT_STREQ("an illegal memory access was encountered", RT(cudaGetErrorString)((cudaError_t)700));
  EXPECT_STREQ("unrecognized error code", RT(cudaGetErrorString)((cudaError_t)12345));
  EXPECT_STREQ("unrecognized error code", RT(cudaGetErrorName)((cudaError_t)12345));
}

TEST_F(RtApiTest, LastErrorIsKeptUntilRead) {
  EXPECT_EQ(cudaErrorInvalidDevice, RT(cudaSetDevice)(1));
  EXPECT_EQ(cudaSuccess, RT(cudaSetDevice)(0));
  EXPECT_EQ(cudaErrorInvalidDevice, RT(cudaPeekAtLastError)());
  EXPECT_EQ(cudaErrorInvalidDevice, RT(cudaGetLastError)());
  EXPECT_EQ(cudaSuccess, RT(cudaGetLastError)());
}

TEST_F(RtApiTest, AllocationErrors) {
  void *q = &q;
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMalloc)(nullptr, 4));
  EXPECT_EQ(cudaSuccess, RT(cudaMalloc)(&q, 0));
  EXPECT_EQ(nullptr, q);
  EXPECT_EQ(cudaErrorMemoryAllocation, RT(cudaMalloc)(&q, SIZE_MAX / 2));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFree)(host_));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFree)(At(4)));
  EXPECT_EQ(cudaSuccess, RT(cudaFree)(nullptr));
  EXPECT_EQ(cudaSuccess, RT(cudaMalloc)(&q, 4));
  EXPECT_EQ(cudaSuccess, RT(cudaFree)(q));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFree)(q));
  EXPECT_EQ(cudaErrorNotSupported, RT(cudaMallocManaged)(&q, 4, 1));
}

TEST_F(RtApiTest, HostMemory) {
  void *h = nullptr;
  ASSERT_EQ(cudaSuccess, RT(cudaMallocHost)(&h, 100));
  memset(h, 1, 100);
  EXPECT_EQ(cudaSuccess, RT(cudaFreeHost)(h));
  EXPECT_EQ(cudaSuccess, RT(cudaHostAlloc)(&h, 100, cudaHostAllocMapped));
  EXPECT_EQ(cudaSuccess, RT(cudaFreeHost)(h));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaHostAlloc)(nullptr, 100, 0));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFreeHost)(p_));
}

TEST_F(RtApiTest, CopiesInAllDirections) {
  void *q = nullptr;
  int out[64] = {};
  ASSERT_EQ(cudaSuccess, RT(cudaMalloc)(&q, 256));
  for (int i = 0; i < 64; i++) host_[i] = i * 3;
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(p_, host_, 256, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(q, p_, 256, cudaMemcpyDeviceToDevice));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpyAsync)(out, q, 256, cudaMemcpyDeviceToHost, nullptr));
  EXPECT_EQ(0, memcmp(out, host_, 256));
  EXPECT_EQ(cudaSuccess, RT(cudaMemset)(q, 0x5a, 256));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(out, q, 4, cudaMemcpyDefault));
  EXPECT_EQ(0x5a5a5a5a, out[0]);
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(out, host_, 8, cudaMemcpyHostToHost));
  EXPECT_EQ(3, out[1]);
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy2D)(q, 16, host_, 8, 4, 3, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(out, q, 48, cudaMemcpyDeviceToHost));
  EXPECT_EQ(host_[4], out[8]);
  EXPECT_EQ(0x5a5a5a5a, out[1]);
  EXPECT_EQ(cudaSuccess, RT(cudaFree)(q));
}

TEST_F(RtApiTest, CopyErrors) {
  const cudaError_t bad = cudaErrorInvalidValue;
  EXPECT_EQ(bad, RT(cudaMemcpy)(host_, host_, 4, cudaMemcpyHostToDevice));
  EXPECT_EQ(bad, RT(cudaMemcpy)(p_, p_, 4, cudaMemcpyHostToDevice));
  EXPECT_EQ(bad, RT(cudaMemcpy)(p_, p_, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(bad, RT(cudaMemcpy)(host_, host_, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(bad, RT(cudaMemcpy)(p_, host_, 4, cudaMemcpyDeviceToDevice));
  EXPECT_EQ(bad, RT(cudaMemcpy)(p_, host_, 4, cudaMemcpyHostToHost));
  EXPECT_EQ(bad, RT(cudaMemcpy)(nullptr, host_, 4, cudaMemcpyHostToDevice));
  EXPECT_EQ(bad, RT(cudaMemcpy)(p_, nullptr, 4, cudaMemcpyHostToDevice));
  EXPECT_EQ(bad, RT(cudaMemcpy)(At(253), host_, 4, cudaMemcpyHostToDevice));
  EXPECT_EQ(bad, RT(cudaMemcpy)(host_, At(253), 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(bad, RT(cudaMemcpy)(At(253), p_, 4, cudaMemcpyDeviceToDevice));
  EXPECT_EQ(cudaErrorInvalidMemcpyDirection, RT(cudaMemcpy)(p_, host_, 4, (cudaMemcpyKind)7));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(p_, host_, 0, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidPitchValue, RT(cudaMemcpy2D)(p_, 4, host_, 8, 8, 1, cudaMemcpyHostToDevice));
  EXPECT_EQ(bad, RT(cudaMemset)(host_, 0, 4));
  EXPECT_EQ(bad, RT(cudaMemset)(nullptr, 0, 4));
  EXPECT_EQ(bad, RT(cudaMemset)(p_, 0, 257));
  EXPECT_EQ(bad, RT(cudaMemsetAsync)(host_, 0, 4, nullptr));
}

TEST_F(RtApiTest, PitchedRowsAreAligned) {
  void *q = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaSuccess, RT(cudaMallocPitch)(&q, &pitch, 100, 3));
  EXPECT_EQ(512u, pitch);
  EXPECT_EQ(cudaSuccess, RT(cudaMemset)(q, 0, 512 * 3));
  EXPECT_EQ(cudaSuccess, RT(cudaFree)(q));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMallocPitch)(&q, nullptr, 100, 3));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMallocPitch)(&q, &pitch, SIZE_MAX / 4, 100));
}

TEST_F(RtApiTest, DeviceCalls) {
  int n = -1;
  cudaDeviceProp prop;
  size_t free_bytes = 0, total = 0;
  EXPECT_EQ(cudaSuccess, RT(cudaGetDeviceCount)(&n));
  EXPECT_EQ(1, n);
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaGetDeviceCount)(nullptr));
  EXPECT_EQ(cudaSuccess, RT(cudaGetDevice)(&n));
  EXPECT_EQ(0, n);
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaGetDevice)(nullptr));
  EXPECT_EQ(cudaErrorInvalidDevice, RT(cudaGetDeviceProperties)(&prop, 1));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaGetDeviceProperties)(nullptr, 0));
  ASSERT_EQ(cudaSuccess, RT(cudaGetDeviceProperties)(&prop, 0));
  EXPECT_EQ(32, prop.warpSize);
  EXPECT_EQ(1, prop.multiProcessorCount);
  EXPECT_EQ(256, prop.maxThreadsPerBlock);
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceGetAttribute)(&n, cudaDevAttrMaxThreadsPerBlock, 0));
  EXPECT_EQ(256, n);
  EXPECT_EQ(cudaErrorInvalidDevice, RT(cudaDeviceGetAttribute)(&n, cudaDevAttrWarpSize, 2));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaDeviceGetAttribute)(&n, (cudaDeviceAttr)9999, 0));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaDeviceGetAttribute)(nullptr, cudaDevAttrWarpSize, 0));
  EXPECT_EQ(cudaSuccess, RT(cudaMemGetInfo)(&free_bytes, &total));
  EXPECT_EQ(total - 256, free_bytes);
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMemGetInfo)(nullptr, &total));
  size_t limit = 0;
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceGetLimit)(&limit, cudaLimitPrintfFifoSize));
  EXPECT_EQ(size_t{1} << 20, limit);
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceSetLimit)(cudaLimitMallocHeapSize, 1)); /* rounded up to what can be used */
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceGetLimit)(&limit, cudaLimitMallocHeapSize));
  EXPECT_EQ(size_t{4096}, limit);
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaDeviceSetLimit)(cudaLimitMallocHeapSize, ~size_t{0}));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaDeviceGetLimit)(nullptr, cudaLimitMallocHeapSize));
  EXPECT_EQ(cudaErrorUnsupportedLimit, RT(cudaDeviceSetLimit)((cudaLimit)9, 1));
  EXPECT_EQ(cudaErrorUnsupportedLimit, RT(cudaDeviceGetLimit)(&limit, (cudaLimit)9));
  EXPECT_EQ(cudaSuccess, RT(cudaRuntimeGetVersion)(&n));
  EXPECT_EQ(11050, n);
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceSynchronize)());
}

TEST_F(RtApiTest, SizesThatOverflowAreRefusedAtOnce) {
  void *q = nullptr;
  size_t pitch = 0;
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMallocPitch)(&q, &pitch, SIZE_MAX, 1));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMallocPitch)(&q, &pitch, 1, SIZE_MAX));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy2D)(p_, 0, host_, 0, 0, SIZE_MAX, cudaMemcpyHostToDevice));  // would never end
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMemcpy)(p_, p_, SIZE_MAX, cudaMemcpyDeviceToDevice));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMemcpy)(p_, p_, 257, cudaMemcpyDeviceToDevice));
}

TEST_F(RtApiTest, HostMemoryOfOthersIsNotFreed) {
  void *q = nullptr;
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFreeHost)(host_));
  ASSERT_EQ(cudaSuccess, RT(cudaMallocHost)(&q, 100));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFreeHost)(static_cast<char *>(q) + 4));
  EXPECT_EQ(cudaSuccess, RT(cudaFreeHost)(q));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFreeHost)(q));
}

// A handle that is not alive is never followed: these point nowhere.
TEST_F(RtApiTest, WildHandlesAreRefused) {
  auto stream = reinterpret_cast<cudaStream_t>(0x1234);
  auto event = reinterpret_cast<cudaEvent_t>(0x1234);
  float ms = 0;
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaStreamSynchronize)(stream));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaStreamDestroy)(stream));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaMemcpyAsync)(p_, host_, 4, cudaMemcpyHostToDevice, stream));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaMemsetAsync)(p_, 0, 4, stream));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventRecord)(event, nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventDestroy)(event));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventElapsedTime)(&ms, event, event));
  EXPECT_EQ(cudaErrorInvalidDevice, RT(cudaSetDevice)(7));
  EXPECT_EQ("warpglass: cudaStreamSynchronize: 0x1234 is no stream, or it was destroyed before\n"
            "warpglass: cudaStreamDestroy: 0x1234 is no stream that can be destroyed, or it was destroyed before\n"
            "warpglass: cudaMemcpyAsync: 0x1234 is no stream, or it was destroyed before\n"
            "warpglass: cudaMemsetAsync: 0x1234 is no stream, or it was destroyed before\n"
            "warpglass: cudaEventRecord: 0x1234 is no event, or it was destroyed before\n"
            "warpglass: cudaEventDestroy: 0x1234 is no event, or it was destroyed before\n"
            "warpglass: cudaEventElapsedTime: 0x1234 is no event, or it was destroyed before\n"
            "warpglass: cudaSetDevice: there is no device 7: there is one, number 0\n",
            testing::internal::GetCapturedStderr());
  int value = 0;
  void *args[] = {&p_, &value}, *holes[] = {&p_, nullptr};
  EXPECT_EQ(cudaErrorInvalidResourceHandle,
            RT(cudaLaunchKernel)(&wgtest::fill_stub, dim3(1, 1, 1), dim3(1, 1, 1), args, 0, stream));
  EXPECT_EQ(cudaErrorInvalidValue,
            RT(cudaLaunchKernel)(&wgtest::fill_stub, dim3(1, 1, 1), dim3(1, 1, 1), holes, 0, nullptr));
}

TEST_F(RtApiTest, StreamErrors) {
  cudaStream_t s = nullptr;
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaStreamCreate)(nullptr));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaStreamCreateWithFlags)(&s, 99));
  ASSERT_EQ(cudaSuccess, RT(cudaStreamCreateWithFlags)(&s, cudaStreamNonBlocking));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamSynchronize)(s));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamQuery)(nullptr));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamDestroy)(s));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaStreamDestroy)(nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaStreamWaitEvent)(nullptr, nullptr, 0));
}

TEST_F(RtApiTest, EventsCarrySimulatedTime) {
  cudaEvent_t a = nullptr, b = nullptr, c = nullptr;
  float ms = -1;
  ASSERT_EQ(cudaSuccess, RT(cudaEventCreate)(&a));
  ASSERT_EQ(cudaSuccess, RT(cudaEventCreate)(&b));
  ASSERT_EQ(cudaSuccess, RT(cudaEventCreateWithFlags)(&c, cudaEventDisableTiming));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventElapsedTime)(&ms, a, b));  // not recorded
  EXPECT_EQ(cudaSuccess, RT(cudaEventRecord)(b, nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventElapsedTime)(&ms, a, b));  // only one is
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventElapsedTime)(&ms, b, a));
  EXPECT_EQ(cudaSuccess, RT(cudaEventRecord)(a, nullptr));
  EXPECT_EQ(cudaSuccess, RT(cudaEventRecord)(c, nullptr));
  ASSERT_EQ(cudaSuccess, Fill(p_, 0, 1, 64));
  EXPECT_EQ(cudaSuccess, RT(cudaEventRecord)(b, nullptr));
  EXPECT_EQ(cudaSuccess, RT(cudaEventSynchronize)(b));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventElapsedTime)(&ms, c, b));  // without timing
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaEventElapsedTime)(nullptr, a, b));
  ASSERT_EQ(cudaSuccess, RT(cudaEventElapsedTime)(&ms, a, b));
  EXPECT_GT(ms, 0.0f);
  EXPECT_LT(ms, 1.0f);
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaEventCreate)(nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventRecord)(nullptr, nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventDestroy)(nullptr));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaEventSynchronize)(nullptr));
  for (cudaEvent_t e : {a, b, c}) EXPECT_EQ(cudaSuccess, RT(cudaEventDestroy)(e));
}

TEST_F(RtApiTest, LaunchComputes) {
  int out[64];
  ASSERT_EQ(cudaSuccess, Fill(p_, 100, 2, 32));
  ASSERT_EQ(cudaSuccess, RT(cudaMemcpy)(out, p_, 256, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) EXPECT_EQ(100 + i, out[i]);
}

TEST_F(RtApiTest, LaunchErrors) {
  EXPECT_EQ(cudaErrorInvalidConfiguration, Fill(p_, 0, 0, 32));
  EXPECT_EQ(cudaErrorInvalidConfiguration, Fill(p_, 0, 1, 0));
  EXPECT_EQ(cudaErrorInvalidConfiguration, Fill(p_, 0, 1, 1025));
  EXPECT_EQ(cudaErrorLaunchOutOfResources, Fill(p_, 0, 1, 512));           // 16 warps on a machine with 8 slots
  EXPECT_EQ(cudaErrorLaunchOutOfResources, Fill(p_, 0, 1, 32, 1u << 20));  // shared memory
  void *args[] = {nullptr};
  EXPECT_EQ(cudaErrorInvalidDeviceFunction,
            RT(cudaLaunchKernel)(&wgtest::unknown_stub, dim3(1, 1, 1), dim3(1, 1, 1), args, 0, nullptr));
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, RT(cudaGetLastError)());
  EXPECT_EQ(cudaErrorInvalidValue,
            RT(cudaLaunchKernel)(&wgtest::fill_stub, dim3(1, 1, 1), dim3(1, 1, 1), nullptr, 0, nullptr));
  EXPECT_EQ(cudaSuccess, Fill(p_, 0, 1, 32));
}

// The machine is v100's in small: 16384 bytes of shared memory an SM, a block may have 4096, or 12288 when it asks.
TEST_F(RtApiTest, SharedMemoryBeyondTheBlockLimitNeedsOptIn) {
  const cudaFuncAttribute dyn = cudaFuncAttributeMaxDynamicSharedMemorySize;
  const void *f = &wgtest::table_stub;
  FILE *in = fopen("configs/tiny.cfg", "r");
  ASSERT_NE(nullptr, in);
  char path[] = "/tmp/wg_optin_XXXXXX.cfg", line[512];
  int fd = mkstemps(path, 4);
  FILE *out = fdopen(fd, "w");
  while (fgets(line, sizeof line, in) != nullptr) {
    if (strstr(line, " shared_per_block_bytes =") != nullptr) strcpy(line, "shared_per_block_bytes = 4096\n");
    if (strstr(line, " shared_per_block_optin_bytes =") != nullptr) strcpy(line, "shared_per_block_optin_bytes = 12288\n");
    fputs(line, out);
  }
  fclose(in);
  fclose(out);
  std::string old = getenv("WARPGLASS");
  setenv("WARPGLASS", (std::string("backend=func preset=") + path).c_str(), 1);
  ASSERT_EQ(cudaSuccess, RT(cudaDeviceReset)());
  cudaDeviceProp prop;
  ASSERT_EQ(cudaSuccess, RT(cudaGetDeviceProperties)(&prop, 0));
  EXPECT_EQ(4096u, prop.sharedMemPerBlock);
  EXPECT_EQ(12288u, prop.sharedMemPerBlockOptin);
  int value = 0;
  ASSERT_EQ(cudaSuccess, RT(cudaDeviceGetAttribute)(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EXPECT_EQ(12288, value);
  void *p = nullptr;
  ASSERT_EQ(cudaSuccess, RT(cudaMalloc)(&p, 256));
  auto launch = [&](size_t shared) {
    void *args[] = {&p};
    cudaError_t e = RT(cudaLaunchKernel)(f, dim3(1, 1, 1), dim3(32, 1, 1), args, shared, nullptr);
    RT(cudaGetLastError)();
    return e;
  };
  cudaFuncAttributes a;
  ASSERT_EQ(cudaSuccess, RT(cudaFuncGetAttributes)(&a, f));
  EXPECT_EQ(4096, a.maxDynamicSharedSizeBytes);
  EXPECT_EQ(cudaSuccess, launch(4096));
  EXPECT_EQ(cudaErrorInvalidValue, launch(4097));
  EXPECT_EQ(cudaErrorLaunchOutOfResources, launch(16385));  // never fits
  int blocks = -1;
  EXPECT_EQ(cudaSuccess, RT(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, f, 32, 8192));
  EXPECT_EQ(0, blocks);
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFuncSetAttribute)(f, dyn, 12289));
  EXPECT_EQ(cudaErrorInvalidValue, launch(8192));
  EXPECT_EQ(cudaSuccess, RT(cudaFuncSetAttribute)(f, dyn, 12288));
  EXPECT_EQ(cudaSuccess, launch(12288));
  EXPECT_EQ(cudaErrorInvalidValue, launch(12289));
  EXPECT_EQ(cudaSuccess, RT(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, f, 32, 8192));
  EXPECT_EQ(2, blocks);
  EXPECT_EQ(cudaSuccess, RT(cudaFuncSetAttribute)(f, dyn, 16));  // less than before holds too
  EXPECT_EQ(cudaErrorInvalidValue, launch(17));
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceReset)());  // and nothing of it outlives the device
  ASSERT_EQ(cudaSuccess, RT(cudaMalloc)(&p, 256));
  EXPECT_EQ(cudaSuccess, launch(4096));
  setenv("WARPGLASS", old.c_str(), 1);
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceReset)());
  remove(path);
  ASSERT_EQ(cudaSuccess, RT(cudaMalloc)(&p_, 256));
}

TEST_F(RtApiTest, CallConfigurationIsAStack) {
  typedef unsigned Push(dim3, dim3, size_t, void *);
  typedef cudaError_t Pop(dim3 *, dim3 *, size_t *, void **);
  auto *push = wgtest::Sym<Push>("__cudaPushCallConfiguration");
  auto *pop = wgtest::Sym<Pop>("__cudaPopCallConfiguration");
  dim3 g, b;
  size_t shared = 0;
  void *stream = nullptr;
  EXPECT_EQ(cudaErrorMissingConfiguration, pop(&g, &b, &shared, &stream));
  EXPECT_EQ(0u, push(dim3(1, 2, 3), dim3(4, 5, 6), 7, nullptr));
  EXPECT_EQ(0u, push(dim3(9, 1, 1), dim3(1, 1, 1), 0, nullptr));
  EXPECT_EQ(cudaSuccess, pop(&g, &b, &shared, &stream));
  EXPECT_EQ(9u, g.x);
  EXPECT_EQ(cudaSuccess, pop(&g, &b, &shared, &stream));
  EXPECT_EQ(3u, g.z);
  EXPECT_EQ(6u, b.z);
  EXPECT_EQ(7u, shared);
}

TEST_F(RtApiTest, FunctionAttributes) {
  cudaFuncAttributes a;
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, RT(cudaFuncGetAttributes)(&a, &wgtest::unknown_stub));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFuncGetAttributes)(nullptr, &wgtest::fill_stub));
  ASSERT_EQ(cudaSuccess, RT(cudaFuncGetAttributes)(&a, &wgtest::fill_stub));
  EXPECT_GT(a.numRegs, 0);
  EXPECT_EQ(0u, a.sharedSizeBytes);
  const cudaFuncAttribute dyn = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(cudaSuccess, RT(cudaFuncSetAttribute)(&wgtest::fill_stub, dyn, 1024));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFuncSetAttribute)(&wgtest::fill_stub, dyn, 1 << 30));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaFuncSetAttribute)(&wgtest::fill_stub, dyn, -1));
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, RT(cudaFuncSetAttribute)(&wgtest::unknown_stub, dyn, 0));
  EXPECT_EQ(cudaErrorInvalidDeviceFunction,
            RT(cudaFuncSetCacheConfig)(&wgtest::unknown_stub, cudaFuncCachePreferL1));
}

TEST_F(RtApiTest, Occupancy) {
  int n = 0, grid = 0, threads = 0;
  const void *f = &wgtest::fill_stub;
  ASSERT_EQ(cudaSuccess, RT(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(&n, f, 64, 0));
  EXPECT_EQ(4, n);
  ASSERT_EQ(cudaSuccess, RT(cudaOccupancyMaxPotentialBlockSize)(&grid, &threads, f, 0, 0));
  EXPECT_EQ(256, grid * threads);  // all warp slots of tiny
  EXPECT_EQ(256, threads);
  ASSERT_EQ(cudaSuccess, RT(cudaOccupancyMaxPotentialBlockSize)(&grid, &threads, f, 0, 100));
  EXPECT_EQ(64, threads);  // 96 leaves two slots empty
  EXPECT_EQ(4, grid);
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(nullptr, f, 64, 0));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(&n, f, 0, 0));
  EXPECT_EQ(cudaErrorInvalidDeviceFunction,
            RT(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(&n, &wgtest::unknown_stub, 64, 0));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaOccupancyMaxPotentialBlockSize)(nullptr, &threads, f, 0, 0));
  EXPECT_EQ(cudaErrorLaunchOutOfResources, RT(cudaOccupancyMaxPotentialBlockSize)(&grid, &threads, f, 1 << 20, 0));
}

TEST_F(RtApiTest, SymbolsAreCopiedAndChecked) {
  const void *sym = &wgtest::addend_stub;
  int v[4] = {10, 20, 30, 40}, out[32] = {};
  void *where = nullptr;
  size_t bytes = 0;
  ASSERT_EQ(cudaSuccess, RT(cudaMemcpyFromSymbol)(out, sym, 16, 0, cudaMemcpyDeviceToHost));
  EXPECT_EQ(2, out[1]);
  ASSERT_EQ(cudaSuccess, RT(cudaMemcpyToSymbol)(sym, v, 8, 4, cudaMemcpyHostToDevice));
  void *args[] = {&p_};
  ASSERT_EQ(cudaSuccess,
            RT(cudaLaunchKernel)(&wgtest::table_stub, dim3(1, 1, 1), dim3(32, 1, 1), args, 0, nullptr));
  ASSERT_EQ(cudaSuccess, RT(cudaMemcpy)(out, p_, 128, cudaMemcpyDeviceToHost));
  EXPECT_EQ(10, out[31]);
  int back[2] = {2, 3};
  ASSERT_EQ(cudaSuccess, RT(cudaMemcpyToSymbol)(sym, back, 8, 4, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaSuccess, RT(cudaGetSymbolAddress)(&where, sym));
  EXPECT_EQ(cudaSuccess, RT(cudaGetSymbolSize)(&bytes, sym));
  EXPECT_EQ(16u, bytes);
  EXPECT_EQ(cudaErrorInvalidSymbol, RT(cudaGetSymbolSize)(&bytes, &wgtest::unknown_stub));
  EXPECT_EQ(cudaErrorInvalidSymbol, RT(cudaMemcpyToSymbol)(&wgtest::unknown_stub, v, 4, 0, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMemcpyToSymbol)(sym, v, 16, 4, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMemcpyToSymbol)(sym, v, 4, SIZE_MAX, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidMemcpyDirection, RT(cudaMemcpyToSymbol)(sym, v, 4, 0, cudaMemcpyDeviceToHost));
  EXPECT_EQ(cudaErrorInvalidMemcpyDirection, RT(cudaMemcpyFromSymbol)(v, sym, 4, 0, cudaMemcpyHostToDevice));
}

TEST_F(RtApiTest, PointerAttributes) {
  cudaPointerAttributes a;
  ASSERT_EQ(cudaSuccess, RT(cudaPointerGetAttributes)(&a, At(255)));
  EXPECT_EQ(cudaMemoryTypeDevice, a.type);
  ASSERT_EQ(cudaSuccess, RT(cudaPointerGetAttributes)(&a, host_));
  EXPECT_EQ(cudaMemoryTypeUnregistered, a.type);
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaPointerGetAttributes)(&a, nullptr));
}

// In a child: exits 0 if the fault came, stuck, and went away with the device.
void FaultSticksUntilReset(void *p) {
  if (Fill(p, 0, 3, 32) != cudaSuccess) _exit(1);  // 96 ints into 64: told by the next call
  if (RT(cudaDeviceSynchronize)() != cudaErrorIllegalAddress) _exit(2);
  if (RT(cudaGetLastError)() != cudaErrorIllegalAddress) _exit(3);
  if (RT(cudaGetLastError)() != cudaErrorIllegalAddress) _exit(4);
  void *q;
  if (RT(cudaMalloc)(&q, 4) != cudaErrorIllegalAddress) _exit(5);
  if (RT(cudaDeviceReset)() != cudaSuccess) _exit(6);
  if (RT(cudaGetLastError)() != cudaSuccess) _exit(7);
  if (RT(cudaMalloc)(&q, 256) != cudaSuccess) _exit(8);
  if (Fill(q, 0, 2, 32) != cudaSuccess) _exit(9);
  _exit(RT(cudaDeviceSynchronize)() == cudaSuccess ? 0 : 10);
}

TEST_F(RtApiTest, FaultsStickAndSayWhere) {
  EXPECT_EXIT(
      FaultSticksUntilReset(p_), ::testing::ExitedWithCode(0),
      "illegal address at 0x[0-9a-f]+: 0 bytes behind the end of the nearest allocation, 256 bytes.*fill\\(int\\*, int\\).*"
      "block \\(2,0,0\\), warp 0, lanes 0xffffffff, PC 0x");
}

TEST_F(RtApiTest, HostPointerInAKernelIsExplained) {
  EXPECT_EXIT(
      {
        (void)Fill(host_, 0, 1, 32);
        _exit(RT(cudaDeviceSynchronize)() == cudaErrorIllegalAddress ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "not a device address");
}

TEST_F(RtApiTest, DevicePointerOnTheHostIsExplained) {
  EXPECT_EXIT(
      {
        volatile int *v = static_cast<int *>(p_);
        int x = *v;
        _exit(x & 1);
      },
      ::testing::KilledBySignal(SIGSEGV), "dereferenced the device pointer 0x0000200100");
}

// What a program sends itself is no access that would be repeated: it is not lost.
TEST_F(RtApiTest, RaisedFaultSignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        raise(SIGSEGV);
        _exit(0);
      },
      ::testing::KilledBySignal(SIGSEGV), "");
}

// A broken run may not end with exit code 0, whatever the program itself returns.
TEST_F(RtApiTest, ExitCodeAgreesWithTheVerdict) {
  EXPECT_EXIT(
      {
        (void)Fill(host_, 0, 1, 32);
        exit(0);
      },
      ::testing::ExitedWithCode(1), "FAIL .* device fault");
  EXPECT_EXIT(exit(0), ::testing::ExitedWithCode(0), "PASS .* cycles=none");
  EXPECT_EXIT(exit(3), ::testing::ExitedWithCode(3), "FAIL .* program exit code 3");
}

// In a child: an image that wgcc did not make.
void LaunchOfABadImage() {
  typedef void **RegisterFat(void *);
  typedef void RegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *,
                                int *);
  struct {
    int magic;
    int version;
    const void *data;
    void *unused;
  } w = {0x1234, 1, "x", nullptr};
  static char name[] = "k";
  void **h = wgtest::Sym<RegisterFat>("__cudaRegisterFatBinary")(&w);
  auto *function = wgtest::Sym<RegisterFunction>("__cudaRegisterFunction");
  function(h, name, name, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  void *args[] = {nullptr};
  cudaError_t e = RT(cudaLaunchKernel)(name, dim3(1, 1, 1), dim3(1, 1, 1), args, 0, nullptr);
  _exit(e == cudaErrorInvalidKernelImage ? 0 : 1);
}

// <<<>>> tells nobody that a launch was refused: a program that does not ask may not pass.
TEST_F(RtApiTest, RefusedLaunchThatNobodySawFailsTheRun) {
  EXPECT_EXIT(
      {
        (void)Fill(p_, 0, 0, 32);
        exit(0);
      },
      ::testing::ExitedWithCode(1), "FAIL .* refused \\(error 9\\): .*; the program never asked");
  EXPECT_EXIT(
      {
        (void)Fill(p_, 0, 1, 32, SIZE_MAX);
        exit(0);
      },
      ::testing::ExitedWithCode(1), "FAIL .* refused \\(error 1\\): .*; the program never asked");
  EXPECT_EXIT(
      {
        (void)RT(cudaLaunchKernel)(host_, dim3(1, 1, 1), dim3(1, 1, 1), nullptr, 0, nullptr);
        exit(0);
      },
      ::testing::ExitedWithCode(1), "FAIL .* refused \\(error 98\\): .*; the program never asked");
  EXPECT_EXIT(
      {
        (void)Fill(p_, 0, 0, 32);
        exit(RT(cudaGetLastError)() == cudaErrorInvalidConfiguration ? 0 : 2);
      },
      ::testing::ExitedWithCode(0), "PASS ");
}

// A container as nvcc writes it: an entry of machine code, then one of PTX.
std::vector<uint8_t> Container(const std::string &ptx, uint64_t flags, uint64_t claimed) {
  std::vector<uint8_t> c(16 + 80 + 8 + 80 + ptx.size());
  auto put = [&](size_t at, uint64_t v, size_t n) { memcpy(&c[at], &v, n); };
  put(0, 0xba55ed50, 4);
  put(4, 1, 2);
  put(6, 16, 2);
  put(8, c.size() - 16, 8);
  put(16, 2, 2);
  put(20, 80, 4);
  put(24, 8, 8);
  put(104, 1, 2);
  put(108, 80, 4);
  put(112, claimed, 8);
  put(144, flags, 8);
  memcpy(&c[184], ptx.data(), ptx.size());
  return c;
}

// In a child: registers the container and launches its kernel `k`, which stores 5. Exits with the error, or 0.
void LaunchFromContainer(const std::vector<uint8_t> &c, void *p) {
  typedef void **RegisterFat(void *);
  typedef void RegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *, dim3 *,
                                int *);
  struct {
    int magic;
    int version;
    const void *data;
    void *unused;
  } w = {0x466243b1, 1, c.data(), nullptr};
  static char name[] = "k";
  void **h = wgtest::Sym<RegisterFat>("__cudaRegisterFatBinary")(&w);
  auto *function = wgtest::Sym<RegisterFunction>("__cudaRegisterFunction");
  function(h, name, name, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  void *args[] = {&p};
  cudaError_t e = RT(cudaLaunchKernel)(name, dim3(1, 1, 1), dim3(1, 1, 1), args, 0, nullptr);
  int got = 0;
  if (e == cudaSuccess) e = RT(cudaMemcpy)(&got, p, 4, cudaMemcpyDeviceToHost);
  _exit(e == cudaSuccess ? (got == 5 ? 0 : 1) : (int)e);
}

TEST_F(RtApiTest, PtxInNvccsContainerRuns) {
  const std::string ptx =
      "\n.version 9.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 k_0) {\n.reg .b32 %r<2>;\n"
      ".reg .b64 %rd<3>;\nld.param.u64 %rd1, [k_0];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, 5;\n"
      "st.global.u32 [%rd2], %r1;\nret;\n}\n";
  EXPECT_EXIT(LaunchFromContainer(Container(ptx, 0, ptx.size()), p_), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(LaunchFromContainer(Container(ptx, 0x8000, ptx.size()), p_), ::testing::ExitedWithCode(209),
              "compressed");
  EXPECT_EXIT(LaunchFromContainer(Container(ptx, 0, 1 << 20), p_), ::testing::ExitedWithCode(209), "left out");
}

TEST_F(RtApiTest, BadImagesAreRefused) {
  EXPECT_EXIT(LaunchOfABadImage(), ::testing::ExitedWithCode(0), "magic number 0x1234");
}

}  // namespace
