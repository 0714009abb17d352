// SPDX-License-Identifier: Apache-2.0
//
// The lecture programs' PTX, from nvcc and clang, compiled with and without scheduling and with fewer registers than
// they need, run on the golden model and compared with plain C, bit for bit. testbench/unit/ptx/data holds the texts.
#include "testbench/unit/ptx/px_run.h"

namespace {

std::string Data(const std::string &name) {
  std::string text = px::ReadFile("testbench/unit/ptx/data/" + name + ".ptx");
  EXPECT_FALSE(text.empty()) << name << ": run from the repository's root";
  return text;
}

class LectureTest : public testing::TestWithParam<std::tuple<const char *, unsigned>> {
 protected:
  std::string Compiler() { return std::get<0>(GetParam()); }
  wg_ptx_options_t Opt() { return px::Options(std::get<1>(GetParam())); }
};

float Value(uint32_t i) { return float((i * 2654435761u) >> 8) * (1.0f / 65536.0f) - 77.0f; }

TEST_P(LectureTest, ConvolvesBitExact) {
  wg_ptx_options_t opt = Opt();
  px::Module m(Data("convolve_1d." + Compiler()), &opt);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  const int n = 1000;
  for (const char *kernel : {"_Z11convolve_v1iPKfPf", "_Z11convolve_v2iPKfPf"}) {
    px::Memory mem(16384);
    for (int i = 0; i < n + 258; i++) mem.At<float>(0)[i] = Value(uint32_t(i));
    mem.At<float>(0)[7] = 1e-39f; // a denormal sum takes the slow division
    mem.At<float>(0)[8] = -0.0f;
    mem.At<float>(0)[9] = 0.0f;
    mem.At<float>(0)[500] = INFINITY;
    px::Args a;
    a.Add(int32_t(n)).Add(px::kBase).Add(px::kBase + 8192);
    px::Run(m, kernel, {8}, {128}, 0, a, &mem);
    for (int i = 0; i < n; i++) {
      const float *in = mem.At<float>(0) + i;
      float sum = 0.0f + in[0];
      sum += in[1];
      sum += in[2];
      float want = sum / 3.0f;
      uint32_t w, g;
      memcpy(&w, &want, 4);
      memcpy(&g, mem.At<float>(8192) + i, 4);
      ASSERT_EQ(g, w) << kernel << " element " << i;
    }
    EXPECT_EQ(mem.At<float>(8192)[n], 0.0f) << "wrote beyond the end";
  }
}

TEST_P(LectureTest, MultipliesBitExact) {
  wg_ptx_options_t opt = Opt();
  px::Module m(Data("mm_tiled." + Compiler()), &opt);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  const int n = 64;
  const size_t bytes = size_t(n) * n * 4;
  px::Memory mem(3 * bytes);
  float *a = mem.At<float>(0), *b = mem.At<float>(bytes), *c = mem.At<float>(2 * bytes);
  for (int i = 0; i < n * n; i++) a[i] = Value(uint32_t(i)), b[i] = Value(uint32_t(i) + 99999u);
  px::Args args;
  args.Add(px::kBase).Add(px::kBase + bytes).Add(px::kBase + 2 * bytes).Add(int32_t(n));
  px::Run(m, "_Z8mm_tiledPKfS0_Pfi", {2, 2}, {16, 16}, 0, args, &mem);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      float sum = 0.0f;
      for (int k = 0; k < n; k++) sum = fmaf(a[i * n + k], b[k * n + j], sum);
      ASSERT_EQ(c[i * n + j], sum) << i << "," << j;
    }
  }
}

float ReduceBlock(const float *in, int n, int block, int threads) {
  std::vector<float> s(size_t(threads), 0.0f);
  for (int t = 0; t < threads; t++) {
    int i = block * threads * 2 + t;
    if (i < n) s[size_t(t)] = in[i];
    if (i + threads < n) s[size_t(t)] += in[i + threads];
  }
  for (int k = threads / 2; k > 32; k /= 2) {
    for (int t = 0; t < k; t++) s[size_t(t)] += s[size_t(t + k)];
  }
  float w[64];
  for (int t = 0; t < 32; t++) w[t] = s[size_t(t)] + (t + 32 < threads ? s[size_t(t + 32)] : 0.0f);
  for (int k = 16; k > 0; k /= 2) {
    float old[32];
    memcpy(old, w, sizeof old);
    for (int t = 0; t < 32; t++) w[t] = old[t] + (t + k < 32 ? old[t + k] : old[t]);
  }
  return w[0];
}

TEST_P(LectureTest, ReducesBitExact) {
  wg_ptx_options_t opt = Opt();
  px::Module m(Data("reduce." + Compiler()), &opt);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  for (int threads : {256, 128, 64, 32}) {
    const int n = 1500, blocks = (n + 2 * threads - 1) / (2 * threads);
    px::Memory mem(16384);
    for (int i = 0; i < n; i++) mem.At<float>(0)[i] = Value(uint32_t(i));
    px::Args a;
    a.Add(px::kBase).Add(px::kBase + 8192).Add(int32_t(n));
    px::Run(m, "_Z13reduce_kernelPKfPfi", {uint32_t(blocks)}, {uint32_t(threads)}, uint32_t(threads) * 4, a, &mem);
    for (int b = 0; b < blocks; b++) {
      ASSERT_EQ(mem.At<float>(8192)[b], ReduceBlock(mem.At<float>(0), n, b, threads)) << threads << " block " << b;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, LectureTest,
                         testing::Combine(testing::Values("clang", "nvcc", "clang-O1"),
                                          testing::Values(0u, 1u, 24u << 8, 20u << 8, 16u << 8, 12u << 8 | 1u)),
                         [](const auto &i) {
                           std::string s = std::get<0>(i.param);
                           for (char &c : s) c = c == '-' ? 'x' : c;
                           return s + std::to_string(std::get<1>(i.param));
                         });

// Without BSSY/BSYNC the branches of convolve_v1 still give the right values: lanes never wait for each other there.
TEST(LectureNoReconvergenceTest, ConvolvesBitExact) {
  wg_ptx_options_t opt = px::Options(2);
  px::Module m(Data("convolve_1d.clang"), &opt);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  for (uint32_t i = 0; i < m.obj->kernels[0].num_insns; i++) {
    EXPECT_NE(uint8_t(m.obj->kernels[0].code[i].lo), kWgOp_BSSY);
  }
  px::Memory mem(4096);
  for (int i = 0; i < 130; i++) mem.At<float>(0)[i] = i % 7 == 0 ? 1e-40f : Value(uint32_t(i));
  px::Args a;
  a.Add(int32_t(100)).Add(px::kBase).Add(px::kBase + 2048);
  px::Run(m, "_Z11convolve_v1iPKfPf", {1}, {128}, 0, a, &mem);
  for (int i = 0; i < 100; i++) {
    const float *in = mem.At<float>(0) + i;
    float sum = ((0.0f + in[0]) + in[1]) + in[2];
    ASSERT_EQ(mem.At<float>(2048)[i], sum / 3.0f) << i;
  }
}

TEST(LectureManifestTest, DescribesTheKernels) {
  px::Module m(Data("convolve_1d.clang"));
  ASSERT_EQ(m.status, kWgOk);
  ASSERT_EQ(m.obj->num_kernels, 2u);
  const wg_obj_kernel_t &k = m.obj->kernels[1];
  EXPECT_STREQ(k.name, "_Z11convolve_v2iPKfPf");
  EXPECT_EQ(k.shared_bytes, 520u);
  EXPECT_EQ(k.barriers, 1u);
  EXPECT_EQ(k.max_threads, 1024u);
  ASSERT_EQ(k.num_params, 3u);
  EXPECT_EQ(k.params[1].offset, 8u);
  EXPECT_EQ(k.params[1].size, 8u);
  EXPECT_FALSE(k.uses_dyn_shared);
  const char *file;
  unsigned line;
  ASSERT_TRUE(wg_obj_line_of(m.obj, wg_obj_kernel_pc(m.obj, 1), &file, &line));
  EXPECT_STREQ(file, "t.ptx");
  px::Module r(Data("reduce.nvcc"));
  ASSERT_EQ(r.status, kWgOk);
  EXPECT_TRUE(r.obj->kernels[0].uses_dyn_shared);
}

} // namespace
