// SPDX-License-Identifier: Apache-2.0
//
// The door of build/lib/libwgsystemc.so (cosim/systemc): a SystemC top that clocks the SMs of a wg_gpu_t. Loaded by dlopen
// when a session's back end is `systemc`, so nobody else needs SystemC. The library exports exactly `wg_sc_api` (and the
// `sc_main` that SystemC's library wants and nobody calls). It links nothing of the C side: that comes as pointers.
#ifndef WG_COSIM_WG_SC_API_H
#define WG_COSIM_WG_SC_API_H

#include "model/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The functions of model/gpu.h that the top calls; their text stands there. */
typedef struct wg_sc_gpu_ops {
  void (*begin_cycle)(wg_gpu_t *g, uint64_t *time_ns, bool *kill);
  void (*end_cycle)(wg_gpu_t *g);
  uint32_t (*req_room)(const wg_gpu_t *g, uint32_t sm);
  uint8_t (*perform)(wg_gpu_t *g, const wg_mem_req_t *req, uint8_t data[128]);
  void (*note_traffic)(wg_gpu_t *g, const wg_mem_req_t *req, uint32_t responses);
} wg_sc_gpu_ops_t;

typedef struct wg_sc_env {
  const wg_sc_gpu_ops_t *gpu;
  wg_sm_t *const *sms; /* [num_sms], the SMs themselves; borrowed */
  uint32_t num_sms;
  uint32_t clock_khz;     /* of the SMs */
  uint32_t rsp_per_cycle; /* response flits that an SM takes a cycle, 1 or 2 */
  /** Path of a library with a memory that replaces crossbar, L2 and HBM (wg_sc_memory.h), its name, and the text behind
      the name in the setting (never NULL). NULL: the C model is the memory. */
  const char *memory_path, *memory_name, *memory_arg;
} wg_sc_env_t;

typedef struct wg_sc_top wg_sc_top_t;

typedef struct wg_sc_api {
  uint32_t abi_version; /* kWgAbiVersion */
  /**
   * Elaborate a top with one SM module for each SM. Several tops may live in one process, one after the other.
   * @return kWgOk; kWgNotFound if the memory's library cannot be loaded; kWgMismatch if it is of another version;
   *   kWgBadInput with what the memory says of its argument, or what SystemC says
   */
  wg_status_t (*create)(const wg_sc_env_t *env, wg_sc_top_t **out, wg_diag_t *diag);
  /** What wg_gpu_t drives instead of the SMs: [num_sms]; owned by the top. Their messages go over the sockets. */
  wg_sm_t *const *(*ports)(wg_sc_top_t *top);
  /** One cycle of wg_gpu_run: one period of the SystemC clock. @return NULL, or what went wrong (valid until destroy) */
  const char *(*cycle)(wg_sc_top_t *top, wg_gpu_t *g);
  void (*destroy)(wg_sc_top_t *top); /* takes NULL; after the wg_gpu_t, before the SMs */
} wg_sc_api_t;

#ifdef __cplusplus
}
#endif
#endif
