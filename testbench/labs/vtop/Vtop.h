// SPDX-License-Identifier: Apache-2.0
//
// Vtop of a bench that grades a lab: the verilated model (prefix Vcore), counting its evaluations and, for a given window of
// them, writing a waveform. The benches of testbench/rtl are compiled against it as they are.
#ifndef WG_TESTBENCH_LABS_VTOP_H
#define WG_TESTBENCH_LABS_VTOP_H

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "Vcore.h"
#include "verilated_vcd_c.h"

namespace lab {
inline uint64_t evals = 0;                 /* of all models of the process */
inline uint64_t from = 0, to = 0;          /* window of the waveform, in evaluations; to = 0: none */
inline const char *wave = nullptr;         /* its file */
}  // namespace lab

class Vtop : public Vcore {
 public:
  ~Vtop() override {
    if (vcd_) vcd_->close();
  }
  void eval() {
    Vcore::eval();
    lab::evals++;
    if (lab::to == 0 || lab::evals < lab::from || lab::evals > lab::to) return;
    if (!vcd_) { /* the last model that begins inside the window keeps the file */
      vcd_ = std::make_unique<VerilatedVcdC>();
      trace(vcd_.get(), 99);
      vcd_->open(lab::wave);
    }
    vcd_->dump(lab::evals);
    if (lab::evals == lab::to) vcd_->flush();
  }

 private:
  std::unique_ptr<VerilatedVcdC> vcd_;
};

#endif
