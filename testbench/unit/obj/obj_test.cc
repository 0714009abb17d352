// SPDX-License-Identifier: Apache-2.0
//
// Kernel container: round trip, damage to every header byte, truncation at every length, and the view of
// binutils.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "toolchain/obj/wg_demangle.h"
#include "toolchain/obj/wg_obj.h"
}

namespace {

char *Dup(const char *s) { return strdup(s); }

wg_obj_kernel_t Kernel(const char *name, unsigned insns) {
  wg_obj_kernel_t k = {};
  k.name = Dup(name);
  k.num_insns = insns;
  k.code = static_cast<wg_word_t *>(calloc(insns, sizeof *k.code));
  for (unsigned i = 0; i < insns; i++) k.code[i] = {0x0123456789abcdefULL + i, 0xfedcba9876543210ULL - i};
  k.max_threads = 256;
  k.req_ntid[0] = 32;
  k.regs = 17;
  k.shared_bytes = 4096;
  k.local_bytes = 16;
  k.barriers = 3;
  k.spills = 5;
  k.uses_dyn_shared = true;
  k.latency_hash = 0xcafe;
  k.num_params = 2;
  k.params = static_cast<wg_obj_param_t *>(calloc(2, sizeof *k.params));
  k.params[0] = {0, 8, 8};
  k.params[1] = {8, 4, 4};
  return k;
}

wg_obj_t *Sample() {
  wg_obj_t *o = wg_obj_new();
  o->num_kernels = 2;
  o->kernels = static_cast<wg_obj_kernel_t *>(calloc(2, sizeof *o->kernels));
  o->kernels[0] = Kernel("_Z3fooPf", 9);
  o->kernels[1] = Kernel("bar", 1);
  o->const2_size = 4;
  o->const2 = static_cast<uint8_t *>(calloc(4, 1));
  o->const3_size = 8;
  o->const3 = reinterpret_cast<uint8_t *>(Dup("abcdefg"));
  o->global_size = 4;
  o->global_init = static_cast<uint8_t *>(calloc(4, 1));
  o->num_vars = 2;
  o->vars = static_cast<wg_obj_var_t *>(calloc(2, sizeof *o->vars));
  o->vars[0] = {Dup("table"), 0, 4, 4, 4};
  o->vars[1] = {Dup("counter"), 1, 0, 4, 4};
  o->num_files = 1;
  o->files = static_cast<char **>(calloc(1, sizeof *o->files));
  o->files[0] = Dup("a.cu");
  o->num_lines = 2;
  o->lines = static_cast<wg_obj_line_t *>(calloc(2, sizeof *o->lines));
  o->lines[0] = {0, 0, 7};
  o->lines[1] = {48, 0, 9};
  o->num_ptx_lines = 2;
  o->ptx_lines = static_cast<wg_obj_ptx_line_t *>(calloc(2, sizeof *o->ptx_lines));
  o->ptx_lines[0] = {0, 12};
  o->ptx_lines[1] = {32, 0};
  o->num_marks = 2;
  o->marks = static_cast<uint32_t *>(calloc(2, sizeof *o->marks));
  o->marks[0] = 16 | kWgObjStrong;
  o->marks[1] = 32 | kWgObjStrong | kWgObjWaits;
  o->num_shared = 1;
  o->shared = static_cast<wg_obj_shared_t *>(calloc(1, sizeof *o->shared));
  o->shared[0] = {Dup("tile"), 1, 128, 512};
  o->ptx = Dup(".version 7.0\n");
  return o;
}

std::vector<uint8_t> Image(const wg_obj_t *o) {
  uint8_t *p = nullptr;
  size_t n = 0;
  wg_diag_t d = {};
  EXPECT_EQ(wg_obj_to_memory(o, &p, &n, &d), kWgOk) << d.msg;
  std::vector<uint8_t> v(p, p + n);
  free(p);
  return v;
}

uint64_t U64(const std::vector<uint8_t> &v, size_t at) {
  uint64_t x;
  memcpy(&x, &v[at], 8);
  return x;
}

TEST(ObjTest, RoundTripKeepsEverything) {
  wg_obj_t *a = Sample(), *b = nullptr;
  std::vector<uint8_t> img = Image(a);
  wg_diag_t d = {};
  ASSERT_EQ(wg_obj_from_memory(img.data(), img.size(), "x", &b, &d), kWgOk) << d.msg;
  ASSERT_EQ(b->num_kernels, 2u);
  for (size_t i = 0; i < 2; i++) {
    const wg_obj_kernel_t &x = a->kernels[i], &y = b->kernels[i];
    EXPECT_STREQ(x.name, y.name);
    ASSERT_EQ(x.num_insns, y.num_insns);
    EXPECT_EQ(memcmp(x.code, y.code, x.num_insns * sizeof *x.code), 0);
    EXPECT_EQ(x.max_threads, y.max_threads);
    EXPECT_EQ(x.req_ntid[0], y.req_ntid[0]);
    EXPECT_EQ(x.regs, y.regs);
    EXPECT_EQ(x.shared_bytes, y.shared_bytes);
    EXPECT_EQ(x.local_bytes, y.local_bytes);
    EXPECT_EQ(x.barriers, y.barriers);
    EXPECT_EQ(x.spills, y.spills);
    EXPECT_EQ(x.uses_dyn_shared, y.uses_dyn_shared);
    EXPECT_EQ(x.latency_hash, y.latency_hash);
    ASSERT_EQ(y.num_params, 2u);
    EXPECT_EQ(memcmp(x.params, y.params, 2 * sizeof *x.params), 0);
  }
  EXPECT_EQ(b->const3_size, 8u);
  EXPECT_STREQ(reinterpret_cast<char *>(b->const3), "abcdefg");
  ASSERT_EQ(b->num_vars, 2u);
  EXPECT_STREQ(b->vars[0].name, "table");
  EXPECT_EQ(b->vars[0].space, 0);
  EXPECT_EQ(b->vars[0].offset, 4u);
  EXPECT_EQ(b->vars[1].space, 1);
  ASSERT_EQ(b->num_ptx_lines, 2u);
  EXPECT_EQ(b->ptx_lines[0].line, 12u);
  EXPECT_EQ(b->ptx_lines[1].pc, 32u);
  EXPECT_EQ(b->ptx_lines[1].line, 0u);
  ASSERT_EQ(b->num_marks, 2u);
  EXPECT_EQ(b->marks[1], 35u);
  ASSERT_EQ(b->num_shared, 1u);
  EXPECT_STREQ(b->shared[0].name, "tile");
  EXPECT_EQ(b->shared[0].kernel, 1u);
  EXPECT_EQ(b->shared[0].offset, 128u);
  EXPECT_EQ(b->shared[0].size, 512u);
  EXPECT_STREQ(b->ptx, a->ptx);
  EXPECT_EQ(Image(b), img) << "writing what was read gives the same bytes";
  wg_obj_free(a);
  wg_obj_free(b);
}

TEST(ObjTest, PlacesAndLines) {
  wg_obj_t *o = Sample();
  EXPECT_EQ(wg_obj_kernel_pc(o, 0), 0u);
  EXPECT_EQ(wg_obj_kernel_pc(o, 1), 256u) << "144 bytes, aligned to 128";
  const char *file = nullptr;
  unsigned line = 0;
  EXPECT_TRUE(wg_obj_line_of(o, 32, &file, &line));
  EXPECT_EQ(line, 7u);
  EXPECT_TRUE(wg_obj_line_of(o, 48, &file, &line));
  EXPECT_EQ(line, 9u);
  EXPECT_STREQ(file, "a.cu");
  size_t at = 9;
  EXPECT_NE(wg_obj_find(o, "bar", &at), nullptr);
  EXPECT_EQ(at, 1u);
  EXPECT_EQ(wg_obj_find(o, "baz", nullptr), nullptr);
  wg_obj_free(o);
}

TEST(ObjTest, EveryTruncationIsRefused) {
  wg_obj_t *o = Sample();
  std::vector<uint8_t> img = Image(o);
  for (size_t n = 0; n < img.size(); n++) {
    std::vector<uint8_t> cut(img.begin(), img.begin() + static_cast<long>(n));
    wg_obj_t *b = nullptr;
    wg_diag_t d = {};
    ASSERT_EQ(wg_obj_from_memory(cut.data(), n, "cut", &b, &d), kWgBadInput) << n;
    EXPECT_NE(d.msg[0], '\0');
    EXPECT_EQ(b, nullptr);
  }
  wg_obj_free(o);
}

// Bytes that no reader needs may change without notice; nothing may crash, and an accepted file must be a
// whole object.
TEST(ObjTest, DamagedBytesNeverCrash) {
  wg_obj_t *o = Sample();
  const std::vector<uint8_t> img = Image(o);
  unsigned refused = 0, accepted = 0;
  for (size_t at = 0; at < img.size(); at++) {
    for (unsigned bit = 0; bit < 10; bit++) {
      std::vector<uint8_t> bad = img;
      bad[at] = bit < 8 ? static_cast<uint8_t>(bad[at] ^ (1u << bit)) : bit == 8 ? 0 : 0xff;
      wg_obj_t *b = nullptr;
      wg_diag_t d = {};
      if (wg_obj_from_memory(bad.data(), bad.size(), "bad", &b, &d) == kWgOk) {
        accepted++;
        ASSERT_EQ(b->num_kernels, 2u);
        uint8_t *p = nullptr;
        size_t n = 0;
        if (wg_obj_to_memory(b, &p, &n, &d) == kWgOk) free(p);
        wg_obj_free(b);
      } else {
        refused++;
        ASSERT_NE(d.msg[0], '\0') << at;
      }
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(accepted, 500u) << "code and data bytes carry no structure";
  wg_obj_free(o);
}

TEST(ObjTest, WrongMachineIsNamed) {
  wg_obj_t *o = Sample(), *b = nullptr;
  std::vector<uint8_t> img = Image(o);
  img[18] = 62;
  wg_diag_t d = {};
  EXPECT_EQ(wg_obj_from_memory(img.data(), img.size(), "host.o", &b, &d), kWgBadInput);
  EXPECT_STREQ(d.file, "host.o");
  EXPECT_NE(strstr(d.msg, "machine"), nullptr) << d.msg;
  wg_obj_free(o);
}

TEST(ObjTest, SectionBeyondTheFileIsNamed) {
  wg_obj_t *o = Sample(), *b = nullptr;
  std::vector<uint8_t> img = Image(o);
  size_t shoff = static_cast<size_t>(U64(img, 40));
  uint64_t huge = img.size();
  memcpy(&img[shoff + 64 + 32], &huge, 8);  // sh_size of section 1
  wg_diag_t d = {};
  EXPECT_EQ(wg_obj_from_memory(img.data(), img.size(), "x", &b, &d), kWgBadInput);
  EXPECT_NE(strstr(d.msg, ".text._Z3fooPf"), nullptr) << d.msg;
  wg_obj_free(o);
}

TEST(ObjTest, WriterRefusesBrokenObjects) {
  wg_diag_t d = {};
  wg_obj_t *o = Sample();
  uint8_t *p = nullptr;
  size_t n = 0;
  free(o->kernels[1].name);
  o->kernels[1].name = Dup("_Z3fooPf");
  EXPECT_EQ(wg_obj_to_memory(o, &p, &n, &d), kWgBadArg);
  EXPECT_NE(strstr(d.msg, "twice"), nullptr);
  free(o->kernels[1].name);
  o->kernels[1].name = Dup("b");
  o->vars[0].size = 5;
  EXPECT_EQ(wg_obj_to_memory(o, &p, &n, &d), kWgBadArg);
  o->vars[0].size = 4;
  o->lines[1].file = 1;
  EXPECT_EQ(wg_obj_to_memory(o, &p, &n, &d), kWgBadArg);
  o->lines[1].file = 0;
  o->ptx_lines[1].pc = 0;
  EXPECT_EQ(wg_obj_to_memory(o, &p, &n, &d), kWgBadArg);
  EXPECT_NE(strstr(d.msg, "PTX line entry 1"), nullptr);
  o->ptx_lines[1].pc = 32;
  o->shared[0].kernel = 2;
  EXPECT_EQ(wg_obj_to_memory(o, &p, &n, &d), kWgBadArg);
  EXPECT_NE(strstr(d.msg, "shared variable 0"), nullptr);
  o->shared[0].kernel = 0;
  o->marks[1] = 1;
  EXPECT_EQ(wg_obj_to_memory(o, &p, &n, &d), kWgBadArg);
  EXPECT_NE(strstr(d.msg, "mark 1"), nullptr);
  wg_obj_free(o);
}

TEST(ObjTest, MissingFileIsAnError) {
  wg_obj_t *b = nullptr;
  wg_diag_t d = {};
  EXPECT_EQ(wg_obj_read("/nonexistent/x.elf", &b, &d), kWgIo);
  EXPECT_STREQ(d.file, "/nonexistent/x.elf");
}

TEST(ObjTest, BinutilsReadItWithoutWarnings) {
  wg_obj_t *o = Sample();
  std::string path = testing::TempDir() + "wg_obj_test.elf";
  wg_diag_t d = {};
  ASSERT_EQ(wg_obj_write(o, path.c_str(), &d), kWgOk) << d.msg;
  std::string text;
  FILE *f = popen(("readelf -aW " + path + " 2>&1; objdump -h " + path + " 2>&1").c_str(), "r");
  ASSERT_NE(f, nullptr);
  char buf[4096];
  for (size_t n; (n = fread(buf, 1, sizeof buf, f)) > 0;) text.append(buf, n);
  pclose(f);
  ASSERT_NE(text.find("Section Headers"), std::string::npos) << "readelf says nothing; remedy: make deps";
  EXPECT_EQ(text.find("arning"), std::string::npos) << text;
  EXPECT_EQ(text.find("Error"), std::string::npos) << text;
  EXPECT_NE(text.find(".text._Z3fooPf"), std::string::npos);
  EXPECT_NE(text.find("file format elf64-little"), std::string::npos) << text;
  remove(path.c_str());
  wg_obj_free(o);
}

TEST(DemangleTest, NamesForPeople) {
  char buf[64];
  EXPECT_STREQ(wg_demangle("_Z2k1PKfi", buf, sizeof buf), "k1(float const*, int)");
  EXPECT_STREQ(wg_demangle("_Z1kIfEvPT_", buf, sizeof buf), "k<float>(float*)");
  EXPECT_STREQ(wg_demangle("plain", buf, sizeof buf), "plain");
  EXPECT_STREQ(wg_demangle("_Zbroken", buf, sizeof buf), "_Zbroken");
  EXPECT_STREQ(wg_demangle("", buf, sizeof buf), "");
  EXPECT_STREQ(wg_demangle("_Z2k1PKfi", buf, 12), "k1(float...") << "a cut name says so";
}

}  // namespace
