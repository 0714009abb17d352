// SPDX-License-Identifier: Apache-2.0
//
// Example: an ideal memory. It takes a request in every cycle, and answers each whole, so many cycles later; neither cache nor DRAM
// pages, no bandwidth that could end. The argument is the latency in SM cycles, 100 without one.
//   scripts/systemc_memory.sh fixed_latency cosim/systemc/fixed_latency.cc
//   build/bin/warpglass run --backend systemc --memory fixed_latency:200 ...
#include <tlm_utils/peq_with_cb_and_phase.h>

#include <stdexcept>

#include "cosim/systemc/wg_sc_memory.h"

class fixed_latency : public wg_sc_memory {
 public:
  fixed_latency(const sc_core::sc_module_name &name, const wg_sc_machine &machine, const std::string &argument)
      : wg_sc_memory(name), contents_(machine.contents), sms_("sms"), later_(this, &fixed_latency::answer),
        latency_(machine.clock * cycles(argument)) {
    sms_.register_nb_transport_fw(this, &fixed_latency::take);
  }

  void bind_sm(unsigned, initiator &socket) override { socket.bind(sms_); } // SM i becomes sms_[i]

 private:
  static unsigned cycles(const std::string &text) {
    if (text.empty()) return 100;
    char *end = nullptr;
    const unsigned long n = std::strtoul(text.c_str(), &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || n < 1 || n > 100000)
      throw std::invalid_argument("latency '" + text + "' is no number of cycles from 1 to 100000");
    return unsigned(n);
  }

  /* BEGIN_REQ, at a rising edge. The contents move now: requests of a sector are performed in the order of their arrival. */
  tlm::tlm_sync_enum take(int, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    contents_->perform(trans);
    trans.acquire();
    later_.notify(trans, tlm::BEGIN_RESP, latency_);
    phase = tlm::END_REQ; // ready for the next one
    return tlm::TLM_UPDATED;
  }

  void answer(tlm::tlm_generic_payload &trans, const tlm::tlm_phase &) {
    wg_sc_ext *ext = nullptr;
    trans.get_extension(ext);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (void)sms_[ext->req.sm]->nb_transport_bw(trans, phase, delay); // TLM_COMPLETED: an SM always takes responses
    trans.release();
  }

  wg_sc_contents *contents_;
  tlm_utils::multi_passthrough_target_socket<fixed_latency, kWgScBits> sms_;
  tlm_utils::peq_with_cb_and_phase<fixed_latency> later_;
  sc_core::sc_time latency_;
};

WG_SC_MEMORY(fixed_latency)
