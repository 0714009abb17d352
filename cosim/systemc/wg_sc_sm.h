// SPDX-License-Identifier: Apache-2.0
//
// An SM as a SystemC module: any back end of model/sm_port.h, here the verilated one with its checker. A rising edge of `clk` is one
// SM cycle. Every output of the design is Moore, so the order of modules at an edge cannot matter.
#ifndef WG_COSIM_WG_SC_SM_H
#define WG_COSIM_WG_SC_SM_H

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "cosim/systemc/wg_sc_memory.h"
#include "model/sm_port.h"

/** What the report socket writes: address and data of a TLM_WRITE_COMMAND. */
enum wg_sc_report : uint64_t { kWgScDone = 0 /* wg_cta_done_t */, kWgScFault = 1 /* wg_fault_t */ };

class wg_sc_sm : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk, kill;     // kill: as in wg_sm_ops_t.tick
  sc_core::sc_in<uint64_t> time_ns;   // %globaltimer
  tlm_utils::simple_initiator_socket<wg_sc_sm, kWgScBits> memory; // wg_sc_memory.h
  /** A write (b_transport) of a wg_cta_launch_t starts a block at the next edge; a debug read of one byte tells whether that is
      possible now (1) or not (0). */
  tlm_utils::simple_target_socket<wg_sc_sm, kWgScBits> launch;
  tlm_utils::simple_initiator_socket<wg_sc_sm, kWgScBits> report; // writes: wg_sc_report

  struct hooks {
    std::function<void(const wg_mem_req_t &)> sent;  // a request left on `memory`
    std::function<void(uint32_t)> given;             // so many response flits were given to the SM
    std::function<void(const std::string &)> failed; // the other side of a socket broke the protocol
  };

  /** @param sm borrowed @param rsp_per_cycle response flits that it takes between two edges, 1 or 2 */
  wg_sc_sm(const sc_core::sc_module_name &name, wg_sm_t *sm, unsigned rsp_per_cycle, hooks h);
  ~wg_sc_sm() override;

  /** wg_sm_ops_t.reset; what stood in the module's queues goes. */
  wg_status_t reset(const wg_sm_cfg_t *cfg, wg_diag_t *diag);

 private:
  struct transaction;
  struct pool; // of transactions, their memory manager
  struct response {
    wg_mem_rsp_t flit;
    sc_core::sc_time due;
  };

  void edge();
  void send_requests();
  void send_reports();
  void tell(uint64_t what, void *data, unsigned bytes);
  tlm::tlm_sync_enum from_memory(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  void take_launch(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
  unsigned ask_launch(tlm::tlm_generic_payload &trans);
  void request_over(const sc_core::sc_time &delay);
  void arrive(transaction &t, unsigned sector, const sc_core::sc_time &delay);
  void finish(transaction &t, const sc_core::sc_time &delay);
  void fail(const transaction *t, const char *what);

  wg_sm_t *sm_;
  unsigned rsp_per_cycle_;
  hooks hooks_;
  std::unique_ptr<pool> pool_;
  transaction *offered_ = nullptr; // its request phase is open: no other may begin
  sc_core::sc_time free_at_;       // from then on the next one may
  std::deque<response> responses_; // in order of `due`
  uint16_t index_ = 0; // wg_sm_cfg_t.smid
  bool has_launch_ = false;
  wg_cta_launch_t launch_{};
};

#endif
