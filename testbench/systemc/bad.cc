// SPDX-License-Identifier: Apache-2.0
//
// Memories that do wrong, one for each argument: never, twice, stranger, atomic, sector, error, throw, again.
#include <stdexcept>

#include "cosim/systemc/wg_sc_memory.h"

class bad : public wg_sc_memory {
 public:
  bad(const sc_core::sc_module_name &name, const wg_sc_machine &machine, const std::string &argument)
      : wg_sc_memory(name), contents_(machine.contents), how_(argument), sms_("sms") {
    sms_.register_nb_transport_fw(this, &bad::take);
  }
  void bind_sm(unsigned, initiator &s) override { s.bind(sms_); }

 private:
  tlm::tlm_sync_enum take(int sm, tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    const bool at_last = ++requests_ > 10;
    wg_sc_ext *ext = nullptr;
    p.get_extension(ext);
    const bool atomic = p.get_command() == tlm::TLM_IGNORE_COMMAND;
    if (at_last && how_ == "never") return tlm::TLM_ACCEPTED;
    if (at_last && how_ == "throw") throw std::runtime_error("the memory has burnt");
    if (atomic && how_ == "atomic") p.set_response_status(tlm::TLM_OK_RESPONSE);
    else if (at_last && how_ == "error") p.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    else contents_->perform(p);
    if (at_last && how_ == "again") contents_->perform(p);
    if (at_last && how_ == "sector") {
      tlm::tlm_phase early = WG_SECTOR_RSP;
      ext->sector = uint8_t(7);
      (void)sms_[sm]->nb_transport_bw(p, early, delay);
    }
    if (at_last && how_ == "stranger") {
      tlm::tlm_generic_payload other;
      tlm::tlm_phase begin = tlm::BEGIN_RESP;
      (void)sms_[sm]->nb_transport_bw(other, begin, delay);
    }
    if (at_last && how_ == "twice") {
      tlm::tlm_phase end = tlm::END_REQ;
      (void)sms_[sm]->nb_transport_bw(p, end, delay);
      end = tlm::END_REQ;
      (void)sms_[sm]->nb_transport_bw(p, end, delay);
    }
    return tlm::TLM_COMPLETED;
  }
  wg_sc_contents *contents_;
  std::string how_;
  unsigned requests_ = 0;
  tlm_utils::multi_passthrough_target_socket<bad, kWgScBits> sms_;
};

WG_SC_MEMORY(bad)
