// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "model/mem/mem.h"

wg_status_t wg_mem_sums(const wg_mem_counts_t *c, wg_diag_t *diag) {
  const struct {
    const char *left, *right;
    uint64_t l, r;
  } rules[] = {
      {"requests taken from SMs", "requests served by slices", c->requests, c->l2_requests},
      {"response sectors asked for", "response sectors given to SMs", c->expected_responses, c->responses},
      {"response sectors asked for", "response sectors sent by slices", c->expected_responses, c->l2_responses},
      {"bytes of stores and atomics taken from SMs", "those served by slices", c->store_bytes, c->l2_store_bytes},
      {"sectors asked for", "L2 hits + misses + faults", c->expected_responses,
       c->l2_load_sector_hits + c->l2_load_sector_misses + c->l2_store_sector_hits + c->l2_store_sector_misses +
           c->l2_fault_sectors},
      {"L2 load misses not merged", "sectors filled", c->l2_load_sector_misses - c->l2_merged_sectors, c->l2_fills},
      {"DRAM bytes read", "32 x sectors filled", c->dram_read_bytes, 32 * c->l2_fills},
      {"DRAM bytes written, or waiting to be", "32 x sectors written back", c->dram_write_bytes + 32 * c->writebacks_waiting,
       32 * c->l2_writebacks},
      {"DRAM row hits + misses", "DRAM bursts", c->dram_row_hits + c->dram_row_misses,
       (c->dram_read_bytes + c->dram_write_bytes) / 32},
      {"L2 stall cycles", "sum of the L2's reservation failures", c->l2_stall_cycles,
       c->l2_no_mshr + c->l2_no_way + c->l2_no_waiter + c->l2_no_answer + c->l2_no_ask},
      {"Little's law at the SMs' ports: sectors in flight x cycles", "sum of latencies", c->mem_in_flight_cycles,
       c->mem_latency_cycles},
      {"Little's law in the DRAM: reads in flight x cycles", "sum of latencies", c->dram_read_in_flight_cycles,
       c->dram_read_latency_cycles},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    if (rules[i].l == rules[i].r) continue;
    return wg_fail(diag, kWgMismatch, "memory checker: counters do not add up: %s, %" PRIu64 ", are not %s, %" PRIu64,
                   rules[i].left, rules[i].l, rules[i].right, rules[i].r);
  }
  return kWgOk;
}
