// SPDX-License-Identifier: Apache-2.0
//
// Streams as a program sees them: what is done when, what overlaps, what waits for what, on the tiny preset (two copy engines,
// pcie3, push buffers of 64 commands). Times are simulated; kernels are short against copies.
#include <cstring>
#include <vector>

#include "testbench/unit/runtime/rt_fixture.h"

namespace {

using wgtest::Fill;

constexpr size_t kBytes = 1 << 20;

class RtStreamTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaSuccess, RT(cudaMalloc)(&dev_, kBytes));
    ASSERT_EQ(cudaSuccess, RT(cudaMalloc)(&dev2_, kBytes));
    ASSERT_EQ(cudaSuccess, RT(cudaMallocHost)((void **)&pin_, kBytes));
    ASSERT_EQ(cudaSuccess, RT(cudaMallocHost)((void **)&pin2_, kBytes));
    memset(pin_, 0x11, kBytes);
    memset(pin2_, 0x22, kBytes);
    for (auto *s : {&a_, &b_}) ASSERT_EQ(cudaSuccess, RT(cudaStreamCreate)(s));
    ASSERT_EQ(cudaSuccess, RT(cudaStreamCreateWithFlags)(&free_, cudaStreamNonBlocking));
    for (auto &e : ev_) ASSERT_EQ(cudaSuccess, RT(cudaEventCreate)(&e));
    ASSERT_EQ(cudaSuccess, RT(cudaDeviceSynchronize)());
  }
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, RT(cudaDeviceSynchronize)());
    for (auto s : {a_, b_, free_}) EXPECT_EQ(cudaSuccess, RT(cudaStreamDestroy)(s));
    for (auto e : ev_) EXPECT_EQ(cudaSuccess, RT(cudaEventDestroy)(e));
    EXPECT_EQ(cudaSuccess, RT(cudaFree)(dev_));
    EXPECT_EQ(cudaSuccess, RT(cudaFree)(dev2_));
    EXPECT_EQ(cudaSuccess, RT(cudaFreeHost)(pin_));
    EXPECT_EQ(cudaSuccess, RT(cudaFreeHost)(pin2_));
    (void)RT(cudaGetLastError)();  // not ready is remembered as the last error, as on a device
  }
  void In(cudaStream_t s, size_t n = kBytes) {
    EXPECT_EQ(cudaSuccess, RT(cudaMemcpyAsync)(dev_, pin_, n, cudaMemcpyHostToDevice, s));
  }
  void Out(cudaStream_t s, size_t n = kBytes) {
    EXPECT_EQ(cudaSuccess, RT(cudaMemcpyAsync)(pin2_, dev2_, n, cudaMemcpyDeviceToHost, s));
  }
  void Record(int e, cudaStream_t s) { EXPECT_EQ(cudaSuccess, RT(cudaEventRecord)(ev_[e], s)); }
  /** us from the record of one event to that of another. */
  double Us(int from, int to) {
    float ms = -1;
    EXPECT_EQ(cudaSuccess, RT(cudaDeviceSynchronize)());
    EXPECT_EQ(cudaSuccess, RT(cudaEventElapsedTime)(&ms, ev_[from], ev_[to]));
    return ms * 1e3;
  }
  unsigned char Device(void *p, size_t at = 0) {
    unsigned char v = 0;
    EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(&v, (char *)p + at, 1, cudaMemcpyDeviceToHost));
    return v;
  }
  void *dev_ = nullptr, *dev2_ = nullptr;
  unsigned char *pin_ = nullptr, *pin2_ = nullptr;
  cudaStream_t a_ = nullptr, b_ = nullptr, free_ = nullptr;
  cudaEvent_t ev_[4] = {};
};

// 1 MiB at 13.878 GB/s and 0.5 us of the engine; a record costs the front end 0.5 us.
constexpr double kCopyUs = kBytes / 13878.0 + 0.5;

TEST_F(RtStreamTest, AnAsynchronousCopyIsUnderWayUntilItsTime) {
  EXPECT_EQ(cudaSuccess, RT(cudaMemset)(dev2_, 7, kBytes));
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceSynchronize)());
  Out(a_);
  Record(0, a_);
  EXPECT_EQ(cudaErrorNotReady, RT(cudaStreamQuery)(a_));
  EXPECT_EQ(cudaErrorNotReady, RT(cudaEventQuery)(ev_[0]));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamQuery)(b_));
  EXPECT_EQ(0x22, pin2_[0]);  // nothing has moved yet
  EXPECT_EQ(cudaSuccess, RT(cudaStreamSynchronize)(a_));
  EXPECT_EQ(7, pin2_[0]);
  EXPECT_EQ(7, pin2_[kBytes - 1]);
  EXPECT_EQ(cudaSuccess, RT(cudaEventQuery)(ev_[0]));
}

TEST_F(RtStreamTest, AskingGetsThere) {
  Out(a_);
  int asked = 0;
  while (RT(cudaStreamQuery)(a_) == cudaErrorNotReady) ASSERT_LT(++asked, 100000);
  EXPECT_NEAR(kCopyUs / 0.1, asked, 20);  // a question costs 0.1 us
}

TEST_F(RtStreamTest, TimesAreThoseOfTheLink) {
  Record(0, a_);
  In(a_);
  Record(1, a_);
  EXPECT_NEAR(kCopyUs + 1.0, Us(0, 1), 0.002);  // and twice the front end
  Record(0, a_);
  EXPECT_EQ(cudaSuccess, RT(cudaMemsetAsync)(dev_, 1, kBytes, a_));
  Record(1, a_);
  EXPECT_NEAR(kBytes / (14032 * 0.8) + 1.5, Us(0, 1), 0.05);
}

TEST_F(RtStreamTest, PageableSourcesAreReadAtTheCallPinnedOnesAtTheirTime) {
  std::vector<unsigned char> page(4096, 0x55);
  memset(pin_, 0x66, 4096);
  In(a_, 4096);
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpyAsync)(dev2_, page.data(), 4096, cudaMemcpyHostToDevice, a_));
  memset(pin_, 0x77, 4096);
  memset(page.data(), 0x77, 4096);
  EXPECT_EQ(cudaSuccess, RT(cudaStreamSynchronize)(a_));
  EXPECT_EQ(0x77, Device(dev_));
  EXPECT_EQ(0x55, Device(dev2_));
}

TEST_F(RtStreamTest, WhenCallsReturn) {
  std::vector<unsigned char> page(kBytes, 3);
  In(a_);
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpyAsync)(dev2_, page.data(), 4096, cudaMemcpyHostToDevice, a_));
  EXPECT_EQ(cudaErrorNotReady, RT(cudaStreamQuery)(a_));  // staged, not waited for
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpyAsync)(dev2_, page.data(), kBytes, cudaMemcpyHostToDevice, a_));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamQuery)(a_));  // more than staging memory: waited for
  In(a_);
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpyAsync)(page.data(), dev2_, 16, cudaMemcpyDeviceToHost, a_));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamQuery)(a_));  // to pageable memory: waited for
  In(a_);
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(dev2_, dev_, 4096, cudaMemcpyDeviceToDevice));
  EXPECT_EQ(cudaErrorNotReady, RT(cudaStreamQuery)(nullptr));  // within the device: not waited for
  EXPECT_EQ(cudaSuccess, RT(cudaMemset)(dev2_, 0, 4096));
  EXPECT_EQ(cudaErrorNotReady, RT(cudaStreamQuery)(a_));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(dev2_, page.data(), 4096, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamQuery)(a_));  // waits for the blocking streams first
  In(free_);
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(pin2_, dev2_, 16, cudaMemcpyDeviceToHost));
  EXPECT_EQ(cudaErrorNotReady, RT(cudaStreamQuery)(free_));  // not for this one
}

TEST_F(RtStreamTest, DirectionsOverlapOneDirectionDoesNot) {
  Record(0, free_);
  In(a_);
  Out(b_);
  Record(1, a_);
  Record(2, b_);
  double in = Us(0, 1), out = Us(0, 2);
  EXPECT_LT(in, 1.1 * kCopyUs);
  EXPECT_LT(out, 1.1 * kCopyUs);
  Record(0, free_);
  In(a_);
  In(b_);
  Record(1, a_);
  Record(2, b_);
  in = Us(0, 1), out = Us(0, 2);
  EXPECT_LT(in, 1.1 * kCopyUs);
  EXPECT_GT(out, 1.95 * kCopyUs);
}

TEST_F(RtStreamTest, KernelsRunBesideCopies) {
  Record(0, free_);
  In(a_);
  Record(1, a_);
  EXPECT_EQ(cudaSuccess, Fill(dev2_, 5, 1, 64, 0, b_));
  Record(2, b_);
  EXPECT_LT(Us(0, 2), Us(0, 1) / 2);
  EXPECT_EQ(5, Device(dev2_));
  Record(0, a_);
  In(a_);
  EXPECT_EQ(cudaSuccess, Fill(dev2_, 6, 1, 64, 0, nullptr));  // the default stream waits for a_
  Record(2, nullptr);
  EXPECT_GT(Us(0, 2), kCopyUs);
}

TEST_F(RtStreamTest, TheDefaultStreamIsOrderedWithBlockingStreams) {
  for (cudaStream_t s : {a_, cudaStreamPerThread}) {
    Record(0, free_);
    In(s);
    Record(1, nullptr);
    EXPECT_GT(Us(0, 1), kCopyUs);
    Record(0, free_);
    In(nullptr);
    Record(1, s);
    EXPECT_GT(Us(0, 1), kCopyUs);
  }
  Record(0, b_);
  In(free_);
  Record(1, cudaStreamLegacy);
  EXPECT_LT(Us(0, 1), kCopyUs / 4);
}

TEST_F(RtStreamTest, AStreamWaitsForTheRecordThatTheEventHadAtTheCall) {
  In(a_);
  Record(0, a_);
  EXPECT_EQ(cudaSuccess, RT(cudaStreamWaitEvent)(free_, ev_[0], 0));
  Record(0, b_);  // a later record changes nothing
  Record(1, b_);
  Record(2, free_);
  EXPECT_GT(Us(1, 2), 0.9 * kCopyUs);
  EXPECT_EQ(cudaSuccess, RT(cudaStreamWaitEvent)(free_, ev_[3], 0));  // never recorded: holds nobody
  EXPECT_EQ(cudaSuccess, RT(cudaStreamSynchronize)(free_));
  EXPECT_EQ(cudaSuccess, RT(cudaEventSynchronize)(ev_[3]));
  EXPECT_EQ(cudaSuccess, RT(cudaEventQuery)(ev_[3]));
  float ms = 0;
  In(a_);
  Record(0, a_);
  EXPECT_EQ(cudaErrorNotReady, RT(cudaEventElapsedTime)(&ms, ev_[0], ev_[0]));
}

TEST_F(RtStreamTest, PrioritiesAreClampedAndTheUrgentKernelComesFirst) {
  int least = 9, greatest = 9, p = 9;
  unsigned flags = 9;
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceGetStreamPriorityRange)(&least, &greatest));
  EXPECT_EQ(0, least);
  EXPECT_EQ(-5, greatest);
  cudaStream_t high = nullptr, low = nullptr;
  EXPECT_EQ(cudaSuccess, RT(cudaStreamCreateWithPriority)(&high, cudaStreamNonBlocking, -99));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamCreateWithPriority)(&low, cudaStreamNonBlocking, 99));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamGetPriority)(high, &p));
  EXPECT_EQ(-5, p);
  EXPECT_EQ(cudaSuccess, RT(cudaStreamGetPriority)(low, &p));
  EXPECT_EQ(0, p);
  EXPECT_EQ(cudaSuccess, RT(cudaStreamGetFlags)(high, &flags));
  EXPECT_EQ((unsigned)cudaStreamNonBlocking, flags);
  EXPECT_EQ(cudaSuccess, RT(cudaStreamGetFlags)(nullptr, &flags));
  EXPECT_EQ(0u, flags);
  In(a_);  // both wait for it: then both can begin at the same time
  Record(0, a_);
  for (cudaStream_t s : {low, high}) {
    EXPECT_EQ(cudaSuccess, RT(cudaStreamWaitEvent)(s, ev_[0], 0));
    EXPECT_EQ(cudaSuccess, Fill(dev2_, 0, 4, 64, 0, s));
  }
  Record(1, low);
  Record(2, high);
  EXPECT_GT(Us(2, 1), 0.0);
  EXPECT_EQ(cudaSuccess, RT(cudaStreamDestroy)(high));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamDestroy)(low));
}

TEST_F(RtStreamTest, AFullPushBufferMakesTheHostWaitNotTheProgramFail) {
  In(a_);
  for (int i = 0; i < 300; i++) ASSERT_EQ(cudaSuccess, Fill(dev2_, i, 1, 32, 0, a_));
  int last = 0;
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy)(&last, dev2_, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(299, last);
}

TEST_F(RtStreamTest, AStreamThatGoesStillDoesItsWork) {
  cudaStream_t s = nullptr;
  EXPECT_EQ(cudaSuccess, RT(cudaStreamCreate)(&s));
  In(s);
  EXPECT_EQ(cudaSuccess, Fill(dev2_, 41, 1, 32, 0, s));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamDestroy)(s));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, RT(cudaStreamQuery)(s));
  EXPECT_EQ(cudaSuccess, RT(cudaDeviceSynchronize)());
  EXPECT_EQ(41, Device(dev2_));
  EXPECT_EQ(0x11, Device(dev_, kBytes - 1));
}

TEST_F(RtStreamTest, FreeWaitsForTheWork) {
  void *p = nullptr;
  EXPECT_EQ(cudaSuccess, RT(cudaMalloc)(&p, kBytes));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpyAsync)(p, pin_, kBytes, cudaMemcpyHostToDevice, free_));
  EXPECT_EQ(cudaSuccess, RT(cudaFree)(p));
  EXPECT_EQ(cudaSuccess, RT(cudaStreamQuery)(free_));
}

TEST_F(RtStreamTest, RowsOfARectangle) {
  for (size_t i = 0; i < 64 * 64; i++) pin_[i] = (unsigned char)i;
  EXPECT_EQ(cudaSuccess, RT(cudaMemset)(dev_, 0xee, 8192));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy2DAsync)(dev_, 128, pin_, 64, 48, 64, cudaMemcpyHostToDevice, a_));
  EXPECT_EQ(cudaSuccess, RT(cudaMemcpy2D)(pin2_, 48, dev_, 128, 48, 64, cudaMemcpyDeviceToHost));
  for (size_t y = 0; y < 64; y++) EXPECT_EQ(0, memcmp(pin2_ + 48 * y, pin_ + 64 * y, 48)) << y;
  EXPECT_EQ(0xee, Device(dev_, 48));
  EXPECT_EQ(cudaErrorInvalidPitchValue, RT(cudaMemcpy2DAsync)(dev_, 32, pin_, 64, 48, 64, cudaMemcpyHostToDevice, a_));
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaMemcpy2DAsync)(dev_, kBytes << 8, pin_, 64, 48, 2, cudaMemcpyHostToDevice, a_));
  (void)RT(cudaGetLastError)();
}

struct Called {
  int order = 0;
  unsigned char seen = 0, *at = nullptr;
};

TEST_F(RtStreamTest, HostFunctionsComeInStreamOrder) {
  static int order;
  order = 0;
  Called first, second;
  first.at = second.at = pin2_;
  auto fn = [](void *arg) {
    auto *c = (Called *)arg;
    c->order = ++order;
    c->seen = *c->at;
  };
  EXPECT_EQ(cudaSuccess, RT(cudaMemset)(dev2_, 9, kBytes));
  EXPECT_EQ(cudaSuccess, RT(cudaLaunchHostFunc)(a_, fn, &first));
  Out(a_);
  EXPECT_EQ(cudaSuccess, RT(cudaStreamAddCallback)(
                             a_,
                             [](cudaStream_t, cudaError_t e, void *arg) {
                               auto *c = (Called *)arg;
                               c->order = e == cudaSuccess ? ++order : -1;
                               c->seen = *c->at;
                             },
                             &second, 0));
  EXPECT_EQ(0, first.order);
  EXPECT_EQ(cudaSuccess, RT(cudaStreamSynchronize)(a_));
  EXPECT_EQ(1, first.order);
  EXPECT_EQ(0x22, first.seen);
  EXPECT_EQ(2, second.order);
  EXPECT_EQ(9, second.seen);
  EXPECT_EQ(cudaErrorInvalidValue, RT(cudaLaunchHostFunc)(a_, nullptr, nullptr));
  (void)RT(cudaGetLastError)();
}

// In a child, since it fails the run: a host function may not call CUDA.
void CallsFromAHostFunction() {
  int code = 0;
  if (RT(cudaLaunchHostFunc)(
          nullptr, [](void *arg) { *(int *)arg = (int)RT(cudaDeviceSynchronize)() + (int)RT(cudaGetLastError)(); }, &code) != cudaSuccess)
    exit(2);
  if (RT(cudaDeviceSynchronize)() != cudaSuccess) exit(3);
  exit(code == 1600 ? 0 : 4); /* twice 800 */
}

TEST_F(RtStreamTest, AHostFunctionMayNotCallCuda) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(CallsFromAHostFunction(), ::testing::ExitedWithCode(1), "cudaDeviceSynchronize was called by a host function");
}

// In a child: exits 0 if a fault ended all work and every later call told it.
void FaultEndsAllWork(void *dev, unsigned char *pin, cudaStream_t a, cudaStream_t b, cudaEvent_t e) {
  if (RT(cudaMemcpyAsync)(dev, pin, 16, cudaMemcpyHostToDevice, a) != cudaSuccess) _exit(1);
  if (Fill((char *)dev + kBytes, 0, 1, 32, 0, a) != cudaSuccess) _exit(2);  // dev2_ lies behind; far behind it nothing does
  if (Fill((char *)dev + (kBytes << 8), 0, 1, 32, 0, a) != cudaSuccess) _exit(3);
  pin[0] = 1;
  if (RT(cudaMemcpyAsync)(pin, dev, 16, cudaMemcpyDeviceToHost, a) != cudaSuccess) _exit(4);
  if (RT(cudaEventRecord)(e, a) != cudaSuccess) _exit(5);
  if (RT(cudaGetLastError)() != cudaSuccess) _exit(6);  // not yet: nobody waited
  if (RT(cudaStreamSynchronize)(a) != cudaErrorIllegalAddress) _exit(7);
  if (pin[0] != 1) _exit(8);
  if (RT(cudaEventQuery)(e) != cudaErrorIllegalAddress || RT(cudaStreamQuery)(b) != cudaErrorIllegalAddress) _exit(9);
  if (RT(cudaDeviceReset)() != cudaSuccess) _exit(10);
  if (RT(cudaStreamQuery)(a) != cudaErrorInvalidResourceHandle) _exit(11);  // it went with its device
  if (RT(cudaEventQuery)(e) != cudaErrorInvalidResourceHandle) _exit(12);
  void *p = nullptr;
  if (RT(cudaMalloc)(&p, 256) != cudaSuccess || Fill(p, 3, 1, 32, 0, cudaStreamPerThread) != cudaSuccess) _exit(13);
  _exit(RT(cudaDeviceSynchronize)() == cudaSuccess ? 0 : 14);
}

TEST_F(RtStreamTest, AFaultEndsAllWork) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(FaultEndsAllWork(dev_, pin_, a_, b_, ev_[0]), ::testing::ExitedWithCode(0), "illegal address");
}

}  // namespace
