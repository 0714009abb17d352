// SPDX-License-Identifier: Apache-2.0
//
// A loosely timed memory: b_transport and wait, as most models of memories are written. tlm_utils' socket turns the SM's
// non-blocking requests into such calls; the base protocol then has one request of an SM open at a time. Argument: cycles of one.
#include <memory>
#include <vector>

#include "cosim/systemc/wg_sc_memory.h"

class plain : public wg_sc_memory {
 public:
  plain(const sc_core::sc_module_name &name, const wg_sc_machine &machine, const std::string &argument)
      : wg_sc_memory(name), contents_(machine.contents), latency_(machine.clock * std::stoi(argument)) {
    for (unsigned i = 0; i < machine.num_sms; i++) {
      ports_.push_back(std::make_unique<socket>(("sm" + std::to_string(i)).c_str()));
      ports_.back()->register_b_transport(this, &plain::transport);
    }
  }
  void bind_sm(unsigned sm, initiator &s) override { s.bind(*ports_[sm]); }

 private:
  using socket = tlm_utils::simple_target_socket<plain, kWgScBits>;
  void transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &) {
    wait(latency_);
    contents_->perform(trans);
  }
  wg_sc_contents *contents_;
  sc_core::sc_time latency_;
  std::vector<std::unique_ptr<socket>> ports_;
};

WG_SC_MEMORY(plain)
