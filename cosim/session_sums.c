// SPDX-License-Identifier: Apache-2.0
//
// Sum rules of a launch between rooms: what one of them counts must be what another one does.
#include <inttypes.h>

#include "cosim/session_int.h"

wg_status_t wg_session_sums(const wg_launch_result_t *r, const wg_session_sums_t *of, wg_diag_t *diag) {
  uint64_t slots = 0, states = 0;
  for (unsigned i = 0; i < kWgReasonCount; i++) {
    slots += r->slot_cycles[i];
    states += r->warp_cycles[i];
  }
  const struct {
    const char *left, *right;
    uint64_t l, r;
    bool known;
  } rules[] = {
      {"blocks that began on SMs", "blocks that the GigaThread engine sent", r->launched_blocks, r->gte.launched,
       of->counted},
      {"warps that began on SMs", "warps of these blocks", r->launched_warps, r->gte.launched * of->block_warps,
       of->counted},
      {"threads that began on SMs", "threads of these blocks", r->launched_threads, r->gte.launched * of->block_threads,
       of->counted},
      {"issue slots with an owner", "cycles x sub-cores x SMs", slots, r->cycles * of->schedulers, slots != 0},
      {"cycles in which a warp issued", "warp instructions", r->warp_cycles[kWgReasonIssued], r->warp_insts,
       states != 0 && of->counted},
      {"warp cycles on SMs beyond their blocks'", "0",
       states > r->gte.resident_warp_cycles ? states - r->gte.resident_warp_cycles : 0, 0, states != 0},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    if (!rules[i].known || rules[i].l == rules[i].r) continue;
    return wg_fail(diag, kWgMismatch, "counters of the launch do not add up: %s, %" PRIu64 ", are not %s, %" PRIu64,
                   rules[i].left, rules[i].l, rules[i].right, rules[i].r);
  }
  return kWgOk;
}
