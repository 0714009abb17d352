// SPDX-License-Identifier: Apache-2.0
//
// The assertion of testbench/sva on sm_mma with four rows a step: a word of an inactive lane in a row of A is told in whichever
// row of the step it stands, and only there. The signal is forced as the variant `inject` does it (fault gate-mma, row 0).
// bench: top mma_tb -GRows=4 -fno-dfg -Wno-UNOPTFLAT testbench/inject.vlt testbench/sva/sm_sva_mma.sv
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "Vtop.h"
#include "Vtop___024root.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

/** A form of matrix instruction, and a bit of lane 1's first element in a row of A. */
struct Kind {
  const char *name;
  uint8_t op;
  unsigned mods, bit;
};
const Kind kKinds[] = {
    {"m16n8k16 f16", kWgOp_HMMA, 2u << kWgModLsb_MSH, 64},
    {"m16n8k8 tf32", kWgOp_HMMA, 1u << kWgModLsb_MSH | 2u << kWgModLsb_MIN, 32},
    {"m16n8k32 bytes", kWgOp_IMMA, 2u << kWgModLsb_IMSH, 32},
};

class Gate : public ::testing::Test {
 protected:
  VerilatedContext ctx_;
  std::unique_ptr<Vtop> dut_{new Vtop(&ctx_)};

  void clock() {
    dut_->clk_i = 0;
    dut_->eval();
    dut_->clk_i = 1;
    dut_->eval();
  }
  /** What is printed while one instruction of `kind` runs with lanes `mask`, bit `bit` of the rows of A stuck at 1 (-1: none). */
  std::string run(const Kind &kind, uint32_t mask, int bit) {
    ctx_.fatalOnError(false);
    ctx_.gotError(false);
    dut_->rst_ni = 0;
    dut_->req_ab_valid_i = dut_->req_c_valid_i = 0;
    dut_->rsp_ready_i = 1;
    for (auto &w : dut_->req_a_i.m_storage) w = 0;
    for (auto &w : dut_->req_b_i.m_storage) w = 0;
    for (auto &w : dut_->req_c_i.m_storage) w = 0;
    auto &enable = dut_->rootp->mma_tb__DOT__u_dut__DOT__arow_q__VforceEn;
    auto &value = dut_->rootp->mma_tb__DOT__u_dut__DOT__arow_q__VforceVal;
    for (auto &w : enable.m_storage) w = 0;
    if (bit >= 0) enable[unsigned(bit) / 32] = value[unsigned(bit) / 32] = 1u << (unsigned(bit) % 32);
    for (int i = 0; i < 4; i++) clock();
    dut_->rst_ni = 1;
    dut_->op_i = kind.op, dut_->mods_i = uint16_t(kind.mods), dut_->req_mask_i = mask;
    testing::internal::CaptureStdout();
    dut_->req_ab_valid_i = 1;
    clock();
    dut_->req_ab_valid_i = 0, dut_->req_c_valid_i = 1;
    clock();
    dut_->req_c_valid_i = 0;
    for (int i = 0; i < 30; i++) clock();
    return testing::internal::GetCapturedStdout();
  }
};

TEST_F(Gate, AStrayWordIsToldInEveryRow) {
  for (const Kind &kind : kKinds) {
    for (unsigned off = 0; off < 8; off++) {   // the row whose lane 1 of four is inactive
      const uint32_t mask = ~(2u << (4 * off));
      EXPECT_EQ(run(kind, mask, -1), "") << kind.name;
      for (unsigned row = 0; row < 4; row++) { // the row of the step that has the word
        const std::string told = run(kind, mask, int(512 * row + kind.bit));
        EXPECT_EQ(told.find("gating mma: ") != std::string::npos, off % 4 == row) << kind.name << ", lane off in row " << off
                                                                                 << ", word in row " << row << ": " << told;
      }
    }
  }
}

}  // namespace
