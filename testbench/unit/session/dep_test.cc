// SPDX-License-Identifier: Apache-2.0
//
// Dependence mode control-bits from the outside, on the verilated SM under the checker at its default level:
// results as with the scoreboard, planted hazards named, hand assembly refused, PTX compiled again for the
// machine.
// Needs build/sm/tiny-fast/libwgsm.so; skipped, with a message, where it has not been built.
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "cosim/session.h"
#include "toolchain/asm/wg_asm.h"
#include "toolchain/ctl/wg_annotate.h"
#include "toolchain/ptx/wg_ptx.h"

namespace {

const char kCode[] =
    ".kernel k\n.regs 32\n.param 8\n"
    "  S2R R0, SR_TID.X\n"                         // 0
    "  MOV R2, c[0x0][0x160]\n"                    // 1
    "  MOV R3, c[0x0][0x164]\n"                    // 2
    "  IMAD.WIDE.U32 R4, R0, 0x4, R2\n"            // 3
    "  LDG.E R6, [R4+0x0]\n"                       // 4
    "  IADD3 R7, R6, R0, RZ\n"                     // 5
    "  IADD3 R7, R7, R7, RZ\n"                     // 6
    "  ISETP.LT.AND P0, PT, R7, 0x40, PT\n"        // 7
    "  @P0 IADD3 R7, R7, 0x100, RZ\n"              // 8
    "  STG.E [R4+0x0], R7\n"                       // 9
    "  MOV R7, RZ\n"                               // 10
    "  EXIT\n";

struct Outcome {
  wg_status_t status;
  std::string msg, hint, report;
  std::vector<uint32_t> words;
};

bool HaveSm() { return access("build/sm/tiny-fast/libwgsm.so", R_OK) == 0; }

wg_obj_t *Assemble() {
  wg_obj_t *o = nullptr;
  wg_diag_t d = {};
  EXPECT_EQ(wg_asm_text(kCode, "k.s", &o, &d), kWgOk) << d.msg << " line " << d.line;
  return o;
}

Outcome Play(const char *settings, wg_obj_t *obj, const char *kernel = "k") {
  Outcome out = {};
  wg_session_cfg_t cfg;
  wg_session_t *s = nullptr;
  wg_module_t *m = nullptr;
  wg_diag_t d = {};
  wg_session_cfg_init(&cfg);
  EXPECT_EQ(wg_session_parse(settings, &cfg, &d), kWgOk) << d.msg;
  EXPECT_EQ(wg_session_create(&cfg, &s, &d), kWgOk) << d.msg;
  wg_session_cfg_clear(&cfg);
  out.status = wg_session_load(s, obj, &m, &d);
  if (out.status == kWgOk) {
    uint64_t addr = 0;
    std::vector<uint32_t> w(64);
    for (uint32_t i = 0; i < 64; i++) w[i] = 3 * i;
    EXPECT_EQ(wg_session_malloc(s, 256, &addr, &d), kWgOk);
    EXPECT_EQ(wg_session_write(s, addr, w.data(), 256, &d), kWgOk);
    wg_launch_t l = {};
    l.module = m, l.kernel = kernel, l.params = reinterpret_cast<const uint8_t *>(&addr), l.param_bytes = 8;
    l.grid[0] = l.grid[1] = l.grid[2] = l.block[1] = l.block[2] = 1;
    l.block[0] = 64;
    out.status = wg_session_launch(s, &l, nullptr, &d);
    if (out.status == kWgOk) {
      out.words.resize(64);
      EXPECT_EQ(wg_session_read(s, addr, out.words.data(), 256, &d), kWgOk);
    }
  }
  out.msg = d.msg, out.hint = d.hint, out.report = wg_session_report(s);
  wg_session_destroy(s);
  return out;
}

const wg_ctl_table_t &Tiny() {
  static wg_ctl_table_t t;
  const uint32_t none[4] = {};
  wg_diag_t d;
  EXPECT_EQ(wg_ctl_table(8, none, none, &t, &d), kWgOk);
  return t;
}

Outcome PlayPlanted(const std::function<void(std::vector<wg_insn_t> &)> &plant) {
  wg_obj_t *o = Assemble();
  wg_annotate_object(o, &Tiny(), kWgAnnotateTight);
  std::vector<wg_insn_t> in(o->kernels[0].num_insns);
  for (size_t i = 0; i < in.size(); i++) EXPECT_EQ(wg_decode(o->kernels[0].code[i], &in[i]), kWgOk);
  plant(in);
  for (size_t i = 0; i < in.size(); i++) o->kernels[0].code[i] = wg_encode(&in[i]);
  return Play("preset=tiny dep=control-bits check=retire", o);
}

TEST(DependenceTest, ResultsAreThoseOfTheScoreboard) {
  ASSERT_TRUE(HaveSm()) << "remedy: make sm SHAPE=tiny";
  Outcome a = Play("preset=tiny", Assemble());
  ASSERT_EQ(a.status, kWgOk) << a.msg;
  EXPECT_EQ(a.words[1], 8u + 0x100u);
  EXPECT_EQ(a.words[60], 480u);
  Outcome b = PlayPlanted([](std::vector<wg_insn_t> &) {});
  ASSERT_EQ(b.status, kWgOk) << b.report;
  EXPECT_EQ(a.words, b.words);
}

void ExpectNamed(const Outcome &o, const std::vector<std::string> &parts) {
  EXPECT_EQ(o.status, kWgMismatch) << o.msg;
  for (const std::string &p : parts) EXPECT_NE(o.report.find(p), std::string::npos) << "no '" << p << "' in\n" << o.report;
}

TEST(DependenceTest, PlantedHazardsAreNamed) {
  ASSERT_TRUE(HaveSm()) << "remedy: make sm SHAPE=tiny";
  ExpectNamed(PlayPlanted([](std::vector<wg_insn_t> &c) { c[5].stall--; }),
              {"RAW hazard: R7 is read before it is written", "pc 0x60", "4 cycles of stall counts behind pc 0x50", "IADD3 R7",
               "issued in cycle", "got: 3"});
  ExpectNamed(PlayPlanted([](std::vector<wg_insn_t> &c) { c[7].stall--; }),
              {"RAW hazard: P0 is read before it is written", "pc 0x80", "6 cycles of stall counts behind pc 0x70", "got: 5"});
  ExpectNamed(PlayPlanted([](std::vector<wg_insn_t> &c) { c[5].wait_mask = 0; }),
              {"RAW hazard: R6 is read", "pc 0x50", "wait for counter", "R6 to be written by pc 0x40", "LDG.E R6", "wait mask 0x00"});
  ExpectNamed(PlayPlanted([](std::vector<wg_insn_t> &c) { c[4].wr_ctr = 4; }),
              {"RAW hazard: R6 is read", "wait for counter 4: R6 to be written by pc 0x40"});
  ExpectNamed(PlayPlanted([](std::vector<wg_insn_t> &c) { c[4].wr_ctr = 7; }),
              {"RAW hazard: R6 is read", "a write counter on pc 0x40"});
  ExpectNamed(PlayPlanted([](std::vector<wg_insn_t> &c) { c[10].wait_mask = 0; }),
              {"WAR hazard: R7 is overwritten before it is read", "pc 0xa0", "wait for counter 5: R7 to be read by pc 0x90", "STG.E"});
}

TEST(DependenceTest, HandAssemblyIsRefused) {
  ASSERT_TRUE(HaveSm()) << "remedy: make sm SHAPE=tiny";
  Outcome o = Play("preset=tiny dep=control-bits", Assemble());
  EXPECT_EQ(o.status, kWgUnsupported);
  EXPECT_NE(o.msg.find("kernel 'k' has no control fields"), std::string::npos) << o.msg;
  EXPECT_NE(o.hint.find("dep=scoreboard"), std::string::npos) << o.hint;
}

TEST(DependenceTest, PtxIsCompiledAgainForTheMachine) {
  ASSERT_TRUE(HaveSm()) << "remedy: make sm SHAPE=tiny";
  static const char kPtx[] =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry k(.param .u64 p) {\n  .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
      "  ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.s64 %d2, %d0, %d1;\n"
      "  ld.global.u32 %r1, [%d2]; add.s32 %r2, %r1, %r0; st.global.u32 [%d2], %r2; ret;\n}\n";
  wg_ptx_options_t opt;
  wg_diag_t d = {};
  wg_ctl_table_t other = wg_ctl_any;
  other.result[0] = 2; /* a machine that does not exist: obeyed on tiny it would be a hazard */
  other.result[1] = 2;
  for (bool keep : {true, false}) {
    wg_obj_t *o = nullptr;
    wg_ptx_default_options(&opt);
    opt.ctl = &other;
    opt.keep_ptx = keep;
    ASSERT_EQ(wg_ptx_compile(kPtx, "k.ptx", &opt, &o, &d), kWgOk) << d.msg;
    EXPECT_EQ(o->kernels[0].latency_hash, wg_ctl_hash(&other));
    Outcome r = Play("preset=tiny dep=control-bits", o);
    EXPECT_EQ(r.status, keep ? kWgOk : kWgUnsupported) << r.msg << r.report;
    if (keep) EXPECT_EQ(r.words.at(9), 36u);
    else EXPECT_NE(r.msg.find("control fields for another machine"), std::string::npos) << r.msg;
  }
}

TEST(DependenceTest, WrongWordIsAnswered) {
  wg_session_cfg_t cfg;
  wg_diag_t d = {};
  wg_session_cfg_init(&cfg);
  EXPECT_EQ(wg_session_parse("dep=control", &cfg, &d), kWgBadInput);
  EXPECT_NE(std::string(d.hint).find("control-bits"), std::string::npos) << d.hint;
  wg_session_cfg_clear(&cfg);
}

}  // namespace
