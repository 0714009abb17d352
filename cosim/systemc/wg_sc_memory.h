// SPDX-License-Identifier: Apache-2.0
//
// What passes the memory socket of an SM, and what a memory has to be. TLM-2.0 base protocol, approximately timed; the page
// about it is README.md in this folder.
#ifndef WG_COSIM_WG_SC_MEMORY_H
#define WG_COSIM_WG_SC_MEMORY_H

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES  // tlm_utils' sockets want it
#endif
#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>

#include "model/tlm.h"

/** Width of every socket, bits: a flit carries one sector. */
enum { kWgScBits = 8 * kWgSectorBytes };

/** Ignorable phase on the backward path: sector `wg_sc_ext::sector` of a load has arrived before the others. Who sends it sends
    BEGIN_RESP with the last sector; who does not gives all of them with BEGIN_RESP. */
DECLARE_EXTENDED_PHASE(WG_SECTOR_RSP);

/** The request as the SM made it, with every transaction of a memory socket. */
struct wg_sc_ext : tlm::tlm_extension<wg_sc_ext> {
  wg_mem_req_t req{};
  uint8_t status[4]{};    // kWgFault* of each sector: set by the target
  uint8_t sector = 0;     // with WG_SECTOR_RSP
  bool performed = false; // set by wg_sc_contents::perform

  tlm::tlm_extension_base *clone() const override { return new wg_sc_ext(*this); }
  void copy_from(const tlm::tlm_extension_base &other) override { *this = static_cast<const wg_sc_ext &>(other); }
};

/** Device memory. Contents are the simulator's, so that cudaMemcpy and the checkers see them; a memory says when they move. */
class wg_sc_contents {
 public:
  virtual ~wg_sc_contents() = default;
  /** Read, write or do the atomic of this transaction, now: the one order of its address. Fills data of loads and atomics, the
      response status and the extension's `status`. To be called exactly once for a transaction. */
  virtual void perform(tlm::tlm_generic_payload &trans) = 0;
};

/** What a memory is built into. */
struct wg_sc_machine {
  unsigned num_sms;
  sc_core::sc_time clock; // period of the SMs
  wg_sc_contents *contents;
};

/** A memory. A class of your own derives from it and is named by WG_SC_MEMORY. */
class wg_sc_memory : public sc_core::sc_module {
 public:
  using initiator = tlm::tlm_base_initiator_socket<kWgScBits>;
  /** Bind SM number `sm`; called for 0, 1, ... in this order. */
  virtual void bind_sm(unsigned sm, initiator &socket) = 0;

 protected:
  explicit wg_sc_memory(const sc_core::sc_module_name &name) : sc_core::sc_module(name) {}
};

/** Version of this file; a library built with another one is refused. */
enum { kWgScMemoryAbi = 1 };

/** Make CLASS the memory of a library. It needs CLASS(sc_module_name, const wg_sc_machine &, const std::string &argument), which
    throws std::invalid_argument for an argument it does not understand. */
#define WG_SC_MEMORY(CLASS)                                                                       \
  extern "C" const unsigned wg_sc_memory_abi = kWgScMemoryAbi;                                    \
  extern "C" wg_sc_memory *wg_sc_memory_make(const wg_sc_machine &machine, const char *argument); \
  wg_sc_memory *wg_sc_memory_make(const wg_sc_machine &machine, const char *argument) {           \
    return new CLASS("memory", machine, argument);                                                \
  }

#endif
