// SPDX-License-Identifier: Apache-2.0
//
// Assembler and disassembler: fixed point over the whole table, hand-made words, diagnostics, directives,
// test headers.
#include <algorithm>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

extern "C" {
#include "toolchain/asm/wg_asm.h"
#include "toolchain/asm/wg_asmtest.h"
}

namespace {

std::string Dis(wg_word_t w, uint32_t pc = 0) {
  char buf[256];
  int n = wg_dis_insn(w, pc, buf, sizeof buf);
  EXPECT_EQ(static_cast<size_t>(n), strlen(buf));
  return buf;
}

std::string Trip(const char *text) {
  wg_insn_t in;
  wg_diag_t d = {};
  if (wg_asm_insn(text, &in, &d) != kWgOk) return std::string("error: ") + d.msg;
  return Dis(wg_encode(&in));
}

TEST(AsmTest, FixedPointOverTheTable) {
  std::mt19937_64 rng(7);
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  for (size_t i = 0; i < n; i++) {
    int legal = 0;
    for (int k = 0; k < 30000 && legal < 1000; k++) {
      wg_word_t w = {rng(), rng()};
      w.lo = (w.lo & ~0xf0ffULL) | t[i].opcode | (rng() % 3) << 12;
      if (k % 3 == 0) w.lo &= ~0xf000ULL;
      if (k % 2 == 0) w.hi &= ~(0xffffULL << 24) | (rng() & 0xffULL << 24);
      if (k % 5 == 0) w.hi &= ~(0xffffULL << 24);
      if (k % 7 == 0) w.hi |= 0x77ULL << 48;
      wg_insn_t in, back;
      if (wg_decode(w, &in) != kWgOk) continue;
      legal++;
      w = wg_encode(&in);
      std::string text = Dis(w);
      wg_diag_t d = {};
      ASSERT_EQ(wg_asm_insn(text.c_str(), &back, &d), kWgOk) << text << ": " << d.msg;
      wg_word_t v = wg_encode(&back);
      ASSERT_EQ(v.lo, w.lo) << text;
      ASSERT_EQ(v.hi, w.hi) << text;
    }
    EXPECT_GT(legal, 10) << t[i].id;
  }
}

TEST(AsmTest, SassLikeSyntax) {
  EXPECT_EQ(Trip("@!P0 FFMA.RM.FTZ R4, R2, -R3, R4"), "@!P0 FFMA.RM.FTZ R4, R2, -R3, R4");
  EXPECT_EQ(Trip("LDG.E.64.CG R2, [R4+0x10]"), "LDG.E.64.CG R2, [R4+0x10]");
  EXPECT_EQ(Trip("LDG.E R2, [R4-16]"), "LDG.E R2, [R4-0x10]");
  EXPECT_EQ(Trip("LDS.U8 R2, [64]"), "LDS.U8 R2, [RZ+0x40]");
  EXPECT_EQ(Trip("MOV R1, c[0x0][0x160]"), "MOV R1, c[0x0][0x160]");
  EXPECT_EQ(Trip("ISETP.LT.U32.AND P0, PT, R1, R2, PT, PT"), "ISETP.LT.U32.AND P0, PT, R1, R2");
  EXPECT_EQ(Trip("ISETP.LT P0, R1, R2"), "ISETP.LT.AND P0, PT, R1, R2");
  EXPECT_EQ(Trip("ISETP.EQ.EX P0, PT, R1, R2, PT, P1"), "ISETP.EQ.EX.AND P0, PT, R1, R2, PT, P1");
  EXPECT_EQ(Trip("BAR.SYNC 1, 64"), "BAR.SYNC 0x1, 64");
  EXPECT_EQ(Trip("BAR.SYNC R1"), "BAR.SYNC R1");
  EXPECT_EQ(Trip("FADD R1, -|R2|, -1.5"), "FADD R1, -|R2|, 0xbfc00000");
  EXPECT_EQ(Trip("FADD R1, R2, -(1.0)"), "FADD R1, R2, -(0x3f800000)");
  EXPECT_EQ(Trip("FADD R1, R2, 0f3F800000"), "FADD R1, R2, 0x3f800000");
  EXPECT_EQ(Trip("IADD3 R1, R2, -5, RZ"), "IADD3 R1, R2, 0xfffffffb, RZ");
  EXPECT_EQ(Trip("IADD3.X R1, R2, -R3, RZ, !P1"), "IADD3.X R1, R2, -R3, RZ, !P1");
  EXPECT_EQ(Trip("SHFL.BFLY R1, R2, 0x1, 0x1f"), "SHFL.BFLY R1, R2, 0x1, 0x1f");
  EXPECT_EQ(Trip("S2R R0, SR_TID.X // x"), "S2R R0, SR_TID.X");
  EXPECT_EQ(Trip("SHF.R.S32.HI R1, RZ, 5, R2 {stall=4 wait=0x3}"),
            "SHF.R.S32.HI R1, RZ, 0x5, R2 {stall=4 wait=0x3}");
  EXPECT_EQ(Trip("PLOP3 P0, PT, !P1, P2, 0x8"), "PLOP3 P0, PT, !P1, P2, 0x08");
}

TEST(AsmTest, ExactWord) {
  wg_insn_t in;
  wg_diag_t d = {};
  ASSERT_EQ(wg_asm_insn("@P1 IADD3 R4, P2, R5, 0x7, -R6", &in, &d), kWgOk) << d.msg;
  wg_word_t w = wg_encode(&in);
  EXPECT_EQ(w.lo, 0x0000000705041111ULL);
  EXPECT_EQ(w.hi, 0x0077000040777206ULL);
}

TEST(AsmTest, UndefinedWordsAreShownAsNumbers) {
  EXPECT_EQ(Dis({0, 0}), ".word 0x0000000000000000, 0x0000000000000000");
  wg_insn_t in = wg_insn_default(kWgOp_EXIT);
  wg_word_t w = wg_encode(&in);
  w.lo |= 1ULL << 40;  // a bit that EXIT ignores
  EXPECT_EQ(Dis(w).substr(0, 5), ".word");
  char small[4];
  EXPECT_EQ(wg_dis_insn(wg_encode(&in), 0, small, sizeof small), 4) << "as snprintf";
  EXPECT_STREQ(small, "EXI");
}

struct Bad {
  const char *text;
  unsigned col;
  const char *msg, *hint;
};

TEST(AsmTest, Diagnostics) {
  const Bad bad[] = {{"FADDD R1, R2, R3", 1, "unknown instruction 'FADDD'", "FADD"},
                     {"  FAD R1, R2, R3", 3, "unknown instruction", "FADD"},
                     {"FADD.UP R1, R2, R3", 5, "unknown suffix '.UP'", ".RM"},
                     {"FADD.RM.RP R1, R2, R3", 8, "contradicts", ""},
                     {"FADD R1, R2", 12, "expected ','", "D,A,B"},
                     {"FADD R1, R2, R3, R4", 16, "unexpected text", ""},
                     {"FADD R255, R2, R3", 6, "no such register", "RZ"},
                     {"FADD R1, R2, P0", 14, "expected a source", ""},
                     {"IADD3 R1, |R2|, R3, R4", 11, "no absolute value", ""},
                     {"LDG.E.64 R1, [R2]", 1, "R1 cannot start", "even"},
                     {"LDG.E R1, [R3]", 1, "R3 cannot start", "even"},
                     {"ISETP P0, PT, R1, R2", 1, "needs a suffix", ".LT"},
                     {"SEL R1, R2, R3", 15, "expected ','", ""},
                     {"IADD3.X R1, R2, R3, R4", 23, "expected ','", ""},
                     {"BRA nowhere", 5, "unknown label 'nowhere'", "define"},
                     {"BAR.SYNC 16", 10, "between 0 and 15", ""},
                     {"MOV R1, 0x1ffffffff", 9, "between", ""},
                     {"MOV R1, c[32][0]", 11, "between 0 and 31", ""},
                     {"S2R R1, SR_NONE", 9, "unknown special register 'SR_NONE'", ""},
                     {"@P7 EXIT", 2, "expected a predicate", "P0..P6"},
                     {"EXIT {stal=1}", 7, "unknown control key", "stall"},
                     {"EXIT {stall=16}", 13, "between 0 and 15", ""},
                     {"MUFU.COT R1, R2", 5, "unknown suffix '.COT'", ".RCP"},
                     {"", 1, "expected an instruction", ""}};
  for (const Bad &b : bad) {
    wg_insn_t in;
    wg_diag_t d = {};
    EXPECT_EQ(wg_asm_insn(b.text, &in, &d), kWgBadInput) << b.text;
    EXPECT_EQ(d.col, b.col) << b.text << ": " << d.msg;
    EXPECT_NE(strstr(d.msg, b.msg), nullptr) << b.text << ": " << d.msg;
    EXPECT_NE(strstr(d.hint, b.hint), nullptr) << b.text << ": " << d.hint;
  }
}

TEST(AsmTest, DamagedTextNeverCrashes) {
  std::mt19937 rng(3);
  const std::string good =
      "@!P0 FFMA.RM.FTZ R4, R2, -c[0x0][0x160], R4 {stall=2}\nIADD3.X R1, P0, R2, -(0x5), RZ, !PT\n";
  for (int i = 0; i < 50000; i++) {
    std::string s = good;
    for (unsigned k = 1 + rng() % 3; k > 0; k--) s[rng() % s.size()] = static_cast<char>(rng() % 128);
    wg_insn_t in;
    wg_diag_t d = {};
    if (wg_asm_insn(s.c_str(), &in, &d) != kWgOk) ASSERT_NE(d.msg[0], '\0') << s;
    wg_obj_t *o = nullptr;
    std::string file = ".kernel a\n.const3\n.word 1, 2\n.text\n" + s;
    if (wg_asm_text(file.c_str(), "f.s", &o, &d) == kWgOk) wg_obj_free(o);
  }
}

TEST(AsmTest, FileWithEverything) {
  const char *text =
      "# comment\n"
      ".const3\n.byte 1, 2, -1\n.byte 4\n.word 0x01020304, 1.0\n"
      ".kernel first\n.shared 256\n.local 16\n.maxthreads 64\n.param 8\n.param 4\n.param 16, 8\n"
      "top: MOV R7, 1\n"
      "  BRA end // forward\n"
      ".line \"a b.cu\" 12\n"
      "  BRA top\n"
      "end:\n"
      "  BAR.SYNC 3\n"
      "  EXIT;\n"
      ".kernel second\n.regs 40\n.barriers 2\n"
      "  .word 0x1, 0x2\n"
      "top: BRA top\n";
  wg_obj_t *o = nullptr;
  wg_diag_t d = {};
  ASSERT_EQ(wg_asm_text(text, "x.s", &o, &d), kWgOk) << d.line << ": " << d.msg;
  const uint8_t bank[] = {1, 2, 255, 4, 4, 3, 2, 1, 0, 0, 0x80, 0x3f};
  ASSERT_EQ(o->const3_size, sizeof bank);
  EXPECT_EQ(memcmp(o->const3, bank, sizeof bank), 0);
  ASSERT_EQ(o->num_kernels, 2u);
  const wg_obj_kernel_t &k = o->kernels[0], &s = o->kernels[1];
  EXPECT_STREQ(k.name, "first");
  EXPECT_EQ(k.shared_bytes, 256u);
  EXPECT_EQ(k.local_bytes, 16u);
  EXPECT_EQ(k.max_threads, 64u);
  EXPECT_EQ(k.regs, 8u) << "R7 is the highest";
  EXPECT_EQ(k.barriers, 4u) << "barrier 3 is the highest";
  ASSERT_EQ(k.num_params, 3u);
  EXPECT_EQ(k.params[1].offset, 8u);
  EXPECT_EQ(k.params[2].offset, 16u) << "aligned to 8";
  ASSERT_EQ(k.num_insns, 5u);
  EXPECT_EQ(k.code[1].lo >> 32, 16u) << "BRA end skips one word";
  EXPECT_EQ(k.code[2].lo >> 32, 0xffffffd0u) << "BRA top: back three words";
  const char *file = nullptr;
  unsigned line = 0;
  EXPECT_TRUE(wg_obj_line_of(o, 16, &file, &line));
  EXPECT_STREQ(file, "x.s");
  EXPECT_EQ(line, 14u);
  EXPECT_TRUE(wg_obj_line_of(o, 32, &file, &line));
  EXPECT_STREQ(file, "a b.cu");
  EXPECT_EQ(line, 12u);
  EXPECT_EQ(s.regs, 40u);
  EXPECT_EQ(s.barriers, 2u);
  EXPECT_EQ(s.code[0].hi, 1u);
  EXPECT_EQ(s.code[0].lo, 2u);
  EXPECT_EQ(s.code[1].lo >> 32, 0xfffffff0u) << "labels belong to their kernel";
  EXPECT_EQ(wg_obj_kernel_pc(o, 1), 128u);
  wg_obj_free(o);
}

TEST(AsmTest, FileDiagnostics) {
  const Bad bad[] = {{"EXIT\n", 1, "outside a kernel", ".kernel"},
                     {".kernel a\nx: EXIT\nx: EXIT\n", 3, "label 'x' is there twice", ""},
                     {".kernel a\nEXIT\n.kernel a\nEXIT\n", 3, "kernel 'a' is there twice", ""},
                     {".kernel a\n.regs 256\nEXIT\n", 2, "between 1 and 255", ""},
                     {".kernel a\n.param 4, 3\nEXIT\n", 2, "alignment", ""},
                     {".kernel a\nEXIT\n.word 1\n", 3, "expected ','", ""},
                     {".kernel a\nEXIT\n.bogus 1\n", 3, "unknown directive '.bogus'", ".kernel"},
                     {".const3\n.byte 256\n", 2, "does not fit a byte", ""},
                     {".kernel a\n.kernel b\nEXIT\n", 3, "kernel 'a' has no instructions", ""},
                     {".kernel a\nEXIT\n.const3\nEXIT\n", 4, "instruction in constant bank", ".text"},
                     {"# nothing\n", 0, "no kernel", ""}};
  for (const Bad &b : bad) {
    wg_obj_t *o = nullptr;
    wg_diag_t d = {};
    EXPECT_EQ(wg_asm_text(b.text, "f.s", &o, &d), kWgBadInput) << b.text;
    EXPECT_EQ(d.line, b.col) << b.text << ": " << d.msg;
    EXPECT_NE(strstr(d.msg, b.msg), nullptr) << b.text << ": " << d.msg;
    EXPECT_NE(strstr(d.hint, b.hint), nullptr) << b.text << ": " << d.hint;
    EXPECT_STREQ(d.file, "f.s");
  }
}

TEST(AsmtestTest, ParsesAndChecks) {
  const char *text =
      "# Adds things. Note: capital keys are prose.\n"
      "# grid: 2 3\n# block: 64 1 1\n# shared: 128\n"
      "# buffer: IN 16 iota*2+1\n# buffer: OUT 32 1.0 x2 9\n# init: OUT[2] = -1\n# param: u32 5\n# param: "
      "u64 0x123456789\n"
      "# expect: OUT[0..1] = fill 7\n# expect: OUT[2] = 0x10\n# expect: OUT[3..6] = repeat 1 2\n# expect: "
      "OUT[7] = any\n"
      "  EXIT # grid: 9\n";
  wg_asmtest_t *t = nullptr;
  wg_diag_t d = {};
  ASSERT_EQ(wg_asmtest_parse(text, "x.s", &t, &d), kWgOk) << d.line << ": " << d.msg;
  EXPECT_EQ(t->grid[1], 3u);
  EXPECT_EQ(t->grid[2], 1u);
  EXPECT_EQ(t->block[0], 64u);
  EXPECT_EQ(t->dyn_shared, 128u);
  ASSERT_EQ(t->num_buffers, 2u);
  EXPECT_EQ(t->buffers[0].init[4], 3);
  EXPECT_EQ(t->buffers[1].init[3], 0x3f);
  EXPECT_EQ(t->buffers[1].init[8], 255);
  EXPECT_EQ(t->buffers[1].init[12], 0);
  ASSERT_EQ(t->num_params, 4u);
  EXPECT_EQ(t->params[2].offset, 16u);
  EXPECT_EQ(t->params[3].offset, 24u) << "aligned to 8";
  EXPECT_EQ(t->params[3].value, 0x123456789u);
  uint32_t out[8] = {7, 7, 16, 1, 2, 1, 2, 99};
  EXPECT_EQ(wg_asmtest_check(t, 1, reinterpret_cast<uint8_t *>(out), &d), kWgOk) << d.msg;
  out[4] = 3;
  EXPECT_EQ(wg_asmtest_check(t, 1, reinterpret_cast<uint8_t *>(out), &d), kWgMismatch);
  EXPECT_STREQ(d.msg, "OUT[4] is 0x00000003, expected 0x00000002");
  uint32_t in[4] = {1, 3, 5, 8};
  EXPECT_EQ(wg_asmtest_check(t, 0, reinterpret_cast<uint8_t *>(in), &d), kWgMismatch)
      << "unnamed words keep their value";
  wg_asmtest_free(t);
}

TEST(AsmtestTest, DamagedHeadersNeverCrash) {
  std::mt19937 rng(11);
  const std::string good =
      "# grid: 2 3\n# buffer: A 64 iota*2+1\n# init: A[3..4] = 1 x2\n# param: u64 7\n# expect: A[0..3] = repeat 1 2\n"
      "# expect-fault: 716 pc=0x40\n";
  int accepted = 0;
  for (int i = 0; i < 50000; i++) {
    std::string s = good;
    for (unsigned k = 1 + rng() % 3; k > 0; k--) s[rng() % s.size()] = static_cast<char>(rng() % 128);
    wg_asmtest_t *t = nullptr;
    wg_diag_t d = {};
    if (wg_asmtest_parse(s.c_str(), "x.s", &t, &d) == kWgOk) {
      accepted++;
      wg_asmtest_free(t);
    } else {
      ASSERT_NE(d.msg[0], '\0') << s;
    }
  }
  EXPECT_GT(accepted, 100) << "damage inside numbers and names often leaves a valid header";
}

TEST(AsmtestTest, Outcomes) {
  wg_asmtest_t *t = nullptr;
  wg_diag_t d = {};
  ASSERT_EQ(wg_asmtest_parse("# expect-fault: 716 pc=0x40\n", "x.s", &t, &d), kWgOk) << d.msg;
  EXPECT_EQ(t->outcome, kWgAsmtestFault);
  EXPECT_EQ(t->fault_cuda, 716u);
  EXPECT_TRUE(t->has_pc);
  EXPECT_EQ(t->fault_pc, 0x40u);
  wg_asmtest_free(t);
  ASSERT_EQ(wg_asmtest_parse("# expect-hang\n", "x.s", &t, &d), kWgOk) << d.msg;
  EXPECT_EQ(t->outcome, kWgAsmtestHang);
  wg_asmtest_free(t);
}

TEST(AsmtestTest, Diagnostics) {
  const Bad bad[] = {{"EXIT\n", 1, "expects nothing", "expect"},
                     {"# grid: 0\n", 1, "between 1", ""},
                     {"# blok: 1\n", 1, "unknown key 'blok'", "block"},
                     {"# expect: A = fill 1\n", 1, "unknown buffer 'A'", ""},
                     {"# buffer: A 6\n", 1, "multiple of 4", ""},
                     {"# buffer: A 8\n# expect: A[0..2] = fill 1\n", 2, "between 0 and 1", ""},
                     {"# buffer: A 8\n# expect: A = 1\n", 2, "1 words given for 2", "xN"},
                     {"# buffer: A 8\n# expect: A = 1 2 3\n", 2, "more words", ""},
                     {"# buffer: A 8\n# expect: A = 1 2\n# init: A = 1 2\n", 3, "come before", ""},
                     {"# param: f32 1\n", 1, "parameter type", ""},
                     {"# expect-fault: 12\n", 1, "between 700", ""},
                     {"# grid: 1 1 1 1\n", 1, "unexpected text", ""}};
  for (const Bad &b : bad) {
    wg_asmtest_t *t = nullptr;
    wg_diag_t d = {};
    EXPECT_EQ(wg_asmtest_parse(b.text, "f.s", &t, &d), kWgBadInput) << b.text;
    EXPECT_EQ(d.line, b.col) << b.text << ": " << d.msg;
    EXPECT_NE(strstr(d.msg, b.msg), nullptr) << b.text << ": " << d.msg;
    EXPECT_NE(strstr(d.hint, b.hint), nullptr) << b.text << ": " << d.hint;
  }
}

// The last instruction must leave: what lies behind a kernel is another one, or nothing.
TEST(AsmText, ControlMustNotRunOffTheEnd) {
  wg_obj_t *o = nullptr;
  wg_diag_t d = {};
  for (const char *bad : {"  NOP\n", "  EXIT\n  NOP\n", "@P0 EXIT\n", "  EXIT\na:\n@!P1 BRA a\n"}) {
    std::string text = std::string(".kernel k\n") + bad + ".kernel l\n  EXIT\n";
    EXPECT_EQ(kWgBadInput, wg_asm_text(text.c_str(), "x.s", &o, &d)) << bad;
    EXPECT_STREQ("kernel 'k': control runs off the end", d.msg);
    EXPECT_STREQ("x.s", d.file);
    EXPECT_EQ(1u + (unsigned)std::count(bad, bad + strlen(bad), '\n'), d.line) << bad;
  }
  for (const char *good : {"  EXIT\n", "a:\n  BRA a\n", "  TRAP 0x1\n"}) {
    std::string text = std::string(".kernel k\n") + good;
    EXPECT_EQ(kWgOk, wg_asm_text(text.c_str(), "x.s", &o, &d)) << good << d.msg;
    wg_obj_free(o);
  }
}

}  // namespace
