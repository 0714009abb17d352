// SPDX-License-Identifier: Apache-2.0
//
// The C ABI over the verilated SM: one opaque handle, one clock a call, no C++ and no Verilator type. Implemented by
// cosim/sm_dut_vl.cc, the only file that sees Vsm_top.h; it is compiled into build/<shape>-<variant>/libwgsm.so, which
// exports exactly `sm_dut_api` and is loaded by dlopen.
//
// Order inside step(): drive inputs, evaluate with clock low, evaluate with clock high, read outputs, time advances by one.
// Every output of sm_top is a function of flops only.
#ifndef WG_COSIM_SM_DUT_H
#define WG_COSIM_SM_DUT_H

#include "cosim/probe.h"
#include "model/sm_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Inputs of one cycle. */
typedef struct sm_in {
  bool rst;                  /* synchronous reset, hold for 4 cycles */
  bool kill;
  uint64_t time_ns;
  bool launch_valid;
  wg_cta_launch_t launch;    /* read only if launch_valid */
  uint8_t req_credit;        /* request flits taken since the last cycle (0..2) */
  uint8_t num_rsp;           /* 0..2 */
  wg_mem_rsp_t rsp[2];
  struct {
    bool valid;              /* issue this warp */
    uint8_t warp;            /* slot */
    uint16_t withheld;       /* slots the policy throttles: slot reason "throttled" */
  } pick[kWgMaxSubCores];    /* read only under policy 15 */
} sm_in_t;

/** What the scheduler door shows of one sub-core; arrays by warp slot. Filled only under policy 15. */
typedef struct sm_sched_view {
  uint16_t valid, eligible, at_barrier;
  uint8_t reason[kWgMaxWarpSlots];       /* kWgReason*; why not eligible */
  uint8_t age_rank[kWgMaxWarpSlots];     /* 0 = oldest */
  uint8_t block[kWgMaxWarpSlots];        /* block slot */
  uint8_t pending_loads[kWgMaxWarpSlots];
  uint8_t depth[kWgMaxWarpSlots];        /* divergence depth */
  uint8_t since_issue[kWgMaxWarpSlots];  /* cycles, saturates at 255 */
  uint32_t event[4];                     /* bits of sm_sub_pkg::sched_ev_t, lowest word first: wg_sched_unpack */
} sm_sched_view_t;

/** What the resident warps of a sub-core do in the cycle that comes; bit i = warp slot i. Every valid slot has one state. */
typedef struct sm_warp_view {
  uint16_t valid;
  uint16_t state[kWgReasonCount]; /* kWgReason*; eligible ones are NotSelected here, whoever then issues */
} sm_warp_view_t;

/** Outputs after the rising edge. */
typedef struct sm_out {
  bool launch_ready;         /* a launch may be given in the next cycle */
  bool req_valid;
  wg_mem_req_t req;          /* one request flit a cycle */
  bool done_valid;
  wg_cta_done_t done;
  bool fault_valid;          /* level: the first fault, until reset */
  wg_fault_t fault;
  uint8_t slot_reason[kWgMaxSubCores]; /* owner of the slot in the cycle that ended; kWgReason* */
  uint8_t slot_warp[kWgMaxSubCores];   /* issued warp's slot, if reason is Issued */
  bool idle;                 /* no block, nothing in flight */
  sm_sched_view_t sched[kWgMaxSubCores];
  sm_warp_view_t warps[kWgMaxSubCores];
} sm_out_t;

typedef struct sm_dut sm_dut_t;

typedef struct sm_dut_api {
  uint32_t abi_version; /* kWgAbiVersion */
  wg_shape_t shape;     /* what was elaborated */
  bool can_trace;
  uint32_t policies;    /* bit i: policy id i of isa/cfg.def is built in */
  /** @param seed random reset and X values. @param hooks called by the bound probes; NULL = no probes fire (level off). */
  wg_status_t (*create)(uint32_t seed, const wg_probe_hooks_t *hooks, void *hook_ctx, sm_dut_t **out);
  /** Takes effect at the next reset. */
  void (*configure)(sm_dut_t *d, const wg_sm_cfg_t *cfg);
  void (*step)(sm_dut_t *d, const sm_in_t *in, sm_out_t *out);
  /** FST of cycles [from, to); wave variant only. @param scope only the signals in and below this instance
      ("sm.sm_top.u_barrier"), NULL = all @param depth levels of instances, 0 = all. @return kWgUnsupported in the fast variant */
  wg_status_t (*trace)(sm_dut_t *d, const char *fst, uint64_t from, uint64_t to, const char *scope, unsigned depth);
  /** Inject a fault of a kind of cosim/inject.def from cycle `from` on: "kind" or "kind@from".
      @return kWgNotFound for an unknown kind or a bad cycle, kWgUnsupported in other variants than `inject` */
  wg_status_t (*inject)(sm_dut_t *d, const char *kind);
  uint64_t (*cycle)(const sm_dut_t *d);
  unsigned (*assert_errors)(const sm_dut_t *d);
  void (*destroy)(sm_dut_t *d);
} sm_dut_api_t;

/** Exported beside sm_dut_api, and to be asked first: the library is compiled for the machine that builds it, and another may load it.
    @return the name of an instruction set extension that it needs and this processor lacks, or NULL */
typedef const char *(*sm_dut_lacks_t)(void);

#ifdef __cplusplus
}
#endif
#endif
