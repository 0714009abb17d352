// SPDX-License-Identifier: Apache-2.0
//
// The device library behind calls of vprintf, __assertfail, malloc and free: where it is taken, where not, which line
// it has.
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "testbench/unit/ptx/px_run.h"
#include "toolchain/devlib/wg_fifo.h"

namespace {

const char kHead[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n.file 1 \"a.cu\"\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 $str[4] = {37, 100, 10, 0};\n";

// As nvcc writes a call of printf("%d\n", 7).
const char kPrint[] =
    ".loc 1 12 3\nmov.u64 %SPL, depot;\ncvta.local.u64 %SP, %SPL;\nst.local.u32 [%SPL], 7;\n"
    "mov.u64 %d1, $str;\ncvta.global.u64 %d2, %d1;\n"
    "{\n.param .b64 param0;\nst.param.b64 [param0+0], %d2;\n.param .b64 param1;\nst.param.b64 [param1+0], %SP;\n"
    ".param .b32 retval0;\ncall.uni (retval0), vprintf, (param0, param1);\nld.param.b32 %r1, [retval0+0];\n}\n.loc 1 "
    "13 3\n";

std::string Entry(const std::string &body) {
  return ".visible .entry k(.param .u64 k_out)\n{\n.local .align 8 .b8 depot[8];\n.reg .b64 %SP;\n.reg .b64 %SPL;\n"
         ".reg .b32 %r<9>;\n.reg .b64 %d<9>;\nld.param.u64 %d8, [k_out];\n" +
         body + "ret;\n}\n";
}

bool ReadsBank0(const wg_obj_t &o, uint32_t at) {
  for (uint32_t i = 0; i < o.kernels[0].num_insns; i++) {
    wg_insn_t in;
    if (wg_decode(o.kernels[0].code[i], &in) == kWgOk && in.form == kWgFormConst && in.cbank == 0 && in.coff == at)
      return true;
  }
  return false;
}

TEST(DevlibTest, AProgramThatPrintsReadsTheFifosAddress) {
  px::Module m(std::string(kHead) + Entry(kPrint));
  ASSERT_EQ(kWgOk, m.status) << m.diag.msg;
  EXPECT_TRUE(ReadsBank0(*m.obj, kWgBank0Fifo));
  EXPECT_FALSE(ReadsBank0(*m.obj, kWgBank0Heap));
  px::Module plain(std::string(kHead) + Entry("st.global.u32 [%d8], 1;\n")); /* declared, not called */
  ASSERT_EQ(kWgOk, plain.status) << plain.diag.msg;
  EXPECT_FALSE(ReadsBank0(*plain.obj, kWgBank0Fifo));
}

TEST(DevlibTest, ItsInstructionsHaveTheLineOfTheCall) {
  px::Module m(std::string(kHead) + Entry(kPrint));
  ASSERT_EQ(kWgOk, m.status) << m.diag.msg;
  unsigned here = 0;
  for (uint32_t i = 0; i < m.obj->kernels[0].num_insns; i++) {
    const char *file = nullptr;
    unsigned line = 0;
    if (!wg_obj_line_of(m.obj, wg_obj_kernel_pc(m.obj, 0) + i * kWgInsnBytes, &file, &line)) continue;
    if (strcmp(file, "a.cu") != 0) continue; /* the kernel's own head has no .loc */
    EXPECT_TRUE(line == 12 || line == 13) << i << ": " << line;
    here += line == 12;
  }
  EXPECT_GT(here, 100u);
}

/* Lines of the instructions of object kernel `k` that are `op`, with their files. */
std::vector<std::string> LinesOf(const wg_obj_t &o, size_t k, uint8_t op) {
  std::vector<std::string> out;
  for (uint32_t i = 0; i < o.kernels[k].num_insns; i++) {
    wg_insn_t in;
    const char *file = "";
    unsigned line = 0;
    if (wg_decode(o.kernels[k].code[i], &in) != kWgOk || in.op != op) continue;
    (void)wg_obj_line_of(&o, wg_obj_kernel_pc(&o, k) + i * kWgInsnBytes, &file, &line);
    out.push_back(std::string(file) + ":" + std::to_string(line));
  }
  return out;
}

TEST(DevlibTest, CallsFromSeveralPlacesShareOneBody) {
  std::string body;
  for (int i = 0; i < 60; i++) body += kPrint;
  auto start = std::chrono::steady_clock::now();
  px::Module m(std::string(kHead) + Entry(body));
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ASSERT_EQ(kWgOk, m.status) << m.diag.msg;
  ASSERT_EQ(2u, m.obj->num_kernels);
  EXPECT_TRUE(m.obj->kernels[1].is_func);
  EXPECT_LT(m.obj->kernels[0].num_insns, 60u * 30u);
  EXPECT_LT(seconds, 2.0); /* 17 s with 60 bodies */
  EXPECT_EQ(60u, LinesOf(*m.obj, 0, kWgOp_CALL).size());
  for (const std::string &l : LinesOf(*m.obj, 1, kWgOp_RET)) EXPECT_EQ(0u, l.find("wg_devlib.ptx:")) << l;
}

/* What ends in a TRAP is always put in, so that the fault has the program's line; the record before it is called. */
TEST(DevlibTest, TrapsKeepTheLineOfEachCall) {
  std::string body;
  for (int i = 0; i < 3; i++) {
    body += ".loc 1 " + std::to_string(20 + i) +
            " 3\n{\n.param .b64 p;\nst.param.b64 [p], %d8;\n.param .b64 q;\nst.param.b64 [q], %d8;\n.param .b32 l;\n"
            "st.param.b32 [l], 9;\n.param .b64 s;\nst.param.b64 [s], %d8;\n.param .b64 t;\nst.param.b64 [t], 1;\n"
            "call.uni __assertfail, (p, q, l, s, t);\n}\n";
  }
  px::Module m(std::string(kHead) +
               ".extern .func __assertfail(.param .b64 p, .param .b64 q, .param .b32 l, .param .b64 s, .param .b64 t);\n" +
               Entry(body + ".loc 1 30 1\n"));
  ASSERT_EQ(kWgOk, m.status) << m.diag.msg;
  EXPECT_EQ((std::vector<std::string>{"a.cu:20", "a.cu:21", "a.cu:22"}), LinesOf(*m.obj, 0, kWgOp_TRAP));
  EXPECT_EQ(3u, LinesOf(*m.obj, 0, kWgOp_CALL).size());
  ASSERT_EQ(2u, m.obj->num_kernels);
  EXPECT_TRUE(LinesOf(*m.obj, 1, kWgOp_TRAP).empty());
}

TEST(DevlibTest, AFunctionOfTheProgramsOwnStays) {
  std::string text =
      ".version 6.4\n.target sm_70\n.address_size 64\n"
      ".visible .func (.param .b64 r) malloc(.param .b64 n)\n{\n.reg .b64 %x;\nld.param.u64 %x, [n];\n"
      "add.u64 %x, %x, 5;\nst.param.b64 [r], %x;\nret;\n}\n" +
      Entry(
          "{\n.param .b64 p;\nst.param.b64 [p], 37;\n.param .b64 r;\ncall.uni (r), malloc, (p);\n"
          "ld.param.b64 %d1, [r];\n}\nst.global.u64 [%d8], %d1;\n");
  px::Module m(text);
  ASSERT_EQ(kWgOk, m.status) << m.diag.msg;
  EXPECT_FALSE(ReadsBank0(*m.obj, kWgBank0Heap));
  px::Memory mem(8);
  px::Args a;
  a.Add(px::kBase);
  px::Run(m, "k", {1}, {1}, 0, a, &mem);
  EXPECT_EQ(42u, *mem.At<uint64_t>(0));
}

TEST(DevlibTest, ACallThatDoesNotFitIsRefused) {
  std::string text =
      ".version 6.4\n.target sm_70\n.address_size 64\n.extern .func (.param .b64 r) malloc(.param .b32 n);\n" +
      Entry(
          "{\n.param .b32 p;\nst.param.b32 [p], 37;\n.param .b64 r;\ncall.uni (r), malloc, (p);\n"
          "ld.param.b64 %d1, [r];\n}\n");
  px::Module m(text);
  EXPECT_EQ(kWgBadInput, m.status);
  EXPECT_NE(nullptr, strstr(m.diag.msg, "arguments do not fit")) << m.diag.msg;
}

}  // namespace
