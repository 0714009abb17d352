// SPDX-License-Identifier: Apache-2.0
//
// The parts of the GPU around the SMs as SystemC modules. Behind both is the C model (model/gpu.c), which a top advances cycle by
// cycle; they carry its messages over sockets.
#ifndef WG_COSIM_WG_SC_MODEL_H
#define WG_COSIM_WG_SC_MODEL_H

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "cosim/systemc/wg_sc_memory.h"
#include "model/sm_port.h"

/** Crossbar, L2 and HBM of the C model as the target of every SM's memory socket. */
class wg_sc_model_memory : public wg_sc_memory {
 public:
  /** @param room request flits of an SM that the model could take in this cycle (wg_gpu_req_room) */
  wg_sc_model_memory(const sc_core::sc_module_name &name, unsigned num_sms, std::function<unsigned(unsigned)> room);
  void bind_sm(unsigned sm, initiator &socket) override;

  /** The model takes the oldest request of an SM. @return false if there is none */
  bool pop_req(unsigned sm, wg_mem_req_t *req);
  /** A response of the model: one sector. */
  void respond(unsigned sm, const wg_mem_rsp_t &rsp);
  /** The model's cycle is over: SMs whose request waited for a place may send the next one. */
  void cycle_over();

 private:
  struct port {
    std::deque<wg_mem_req_t> taken;                 // begun, not yet in the model
    tlm::tlm_generic_payload *open[kWgMemIds][4]{}; // by request id and sector: the flits of an atomic share an id
    tlm::tlm_generic_payload *held = nullptr;       // END_REQ owed
  };
  tlm::tlm_sync_enum from_sm(int sm, tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay);

  tlm_utils::multi_passthrough_target_socket<wg_sc_model_memory, kWgScBits> sms_;
  std::vector<port> port_;
  std::function<unsigned(unsigned)> room_;
};

/** GigaThread: sends blocks to the SMs' launch sockets, takes their reports. Which block goes where is the model's. */
class wg_sc_gigathread : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_initiator_socket<wg_sc_gigathread, kWgScBits> launch; // [sm], bound in order
  tlm_utils::multi_passthrough_target_socket<wg_sc_gigathread, kWgScBits> report;    // [sm], bound in order

  wg_sc_gigathread(const sc_core::sc_module_name &name, unsigned num_sms);
  bool can_launch(unsigned sm);
  /** Only if can_launch. @return false if the SM refused */
  bool send(unsigned sm, const wg_cta_launch_t &msg);
  bool pop_done(unsigned sm, wg_cta_done_t *done);
  bool pop_fault(unsigned sm, wg_fault_t *fault);

 private:
  void from_sm(int sm, tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
  std::vector<std::deque<wg_cta_done_t>> done_;
  std::vector<std::deque<wg_fault_t>> fault_;
};

#endif
