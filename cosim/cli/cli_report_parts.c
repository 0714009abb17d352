// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/cli_report_parts.h"

#include <stdio.h>
#include <string.h>

#include "cosim/cli/cli_stats.h"

/* ---- values of a document ---- */

const json_t *cli_at(const json_t *o, const char *path) {
  const char *dot = strchr(path, '.');
  char head[64];
  if (dot == NULL) return json_object_get(o, path);
  snprintf(head, sizeof head, "%.*s", (int)(dot - path), path);
  return cli_at(json_object_get(o, head), dot + 1);
}

const char *cli_text_at(const json_t *o, const char *path, const char *other) {
  const char *s = json_string_value(cli_at(o, path));
  return s == NULL ? other : s;
}

const char *cli_figure_unit(const char *path, char *buf, size_t n) {
  const char *dot = strrchr(path, '.'), *key = dot == NULL ? path : dot + 1;
  char unit[40];
  bool count = false;
  if (cli_stat_unit(key, unit, sizeof unit, &count) == NULL || strcmp(unit, "ratio") == 0) unit[0] = '\0';
  char *per = strstr(unit, "/thread");
  if (per != NULL) *per = '\0';
  else if (count) unit[0] = '\0';
  snprintf(buf, n, "%s", strcmp(unit, "percent") == 0 ? "%" : unit);
  return buf;
}

const char *cli_figure(const json_t *o, const char *path, char *buf, size_t n) {
  const json_t *v = cli_at(o, path);
  char unit[40];
  cli_figure_unit(path, unit, sizeof unit);
  bool whole =
      json_is_integer(v) && strcmp(unit, "%") != 0 && strchr(unit, '/') == NULL && strstr(path, "ratio") == NULL;
  if (whole) snprintf(buf, n, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
  else if (json_is_number(v)) snprintf(buf, n, "%.2f", json_number_value(v));
  else snprintf(buf, n, "-");
  return buf;
}

const char *cli_reason_name(const char *key, char *buf, size_t n) {
  const char *end = strrchr(key, '_');
  snprintf(buf, n, "%.*s", (int)(end == NULL ? strlen(key) : (size_t)(end - key)), key);
  for (char *p = buf; *p != '\0'; p++) *p = *p == '_' ? ' ' : *p;
  return buf;
}

/* ---- the parts of a report ---- */

static const cli_part_row_t kSpeed[] = {{"Compute throughput", {"rates.compute_percent"}},
                                        {"  issue slots", {"rates.issue_percent"}},
                                        {"  INT pipes", {"rates.int_pipe_percent"}},
                                        {"  FP32 and half pipes", {"rates.fp_pipe_percent"}},
                                        {"  FP64 pipes", {"rates.fp64_pipe_percent"}},
                                        {"  SFU pipes", {"rates.sfu_pipe_percent"}},
                                        {"  LSU pipe", {"rates.lsu_pipe_percent"}},
                                        {"  matrix units", {"rates.mma_pipe_percent"}},
                                        {"FP32 operations, of peak", {"rates.fp32_percent"}},
                                        {"FP64 operations, of peak", {"rates.fp64_percent"}},
                                        {"Memory throughput", {"rates.memory_percent"}},
                                        {"  shared memory", {"rates.shared_percent"}},
                                        {"  L1 tags", {"rates.l1_percent"}},
                                        {"  crossbar", {"rates.xbar_percent"}},
                                        {"  L2", {"rates.l2_percent"}},
                                        {"  DRAM", {"rates.dram_percent"}},
                                        {"Duration", {"cycles"}},
                                        {"Duration, simulated", {"time_ns"}},
                                        {"Lower bound", {"bound_cycles"}},
                                        {"Lower bound by", {"bound_by"}}};

static const cli_part_row_t kRoofline[] = {{"Operations", {"rates.fp32_flops"}},
                                           {"Intensity", {"rates.fp32_intensity_flops_per_byte"}},
                                           {"Ridge of the machine", {"rates.ridge_flops_per_byte"}},
                                           {"Roof at this intensity", {"rates.roof_flops_per_cycle"}},
                                           {"Reached", {"rates.fp32_flops_per_cycle"}},
                                           {"Reached, of the roof", {"rates.roof_percent"}}};

static const cli_part_row_t kLaunch[] = {{"Registers per thread", {"registers_per_thread"}},
                                         {"Static shared memory of a block", {"static_shared_bytes"}},
                                         {"Dynamic shared memory of a block", {"dynamic_shared_bytes"}},
                                         {"Local memory of a thread", {"local_bytes_per_thread"}},
                                         {"Threads", {"threads"}},
                                         {"Warps", {"warps"}},
                                         {"Blocks launched", {"launched_blocks"}},
                                         {"Blocks retired", {"retired_blocks"}},
                                         {"Places for blocks on all SMs", {"block_places"}},
                                         {"Waves", {"block_waves"}},
                                         {"Waves, exact", {"rates.waves_exact_turns"}},
                                         {"Places used over all waves", {"rates.waves_use_percent"}},
                                         {"Mean block", {"rates.block_mean_cycles"}},
                                         {"Shortest block", {"shortest_block_cycles"}},
                                         {"Longest block", {"longest_block_cycles"}},
                                         {"Tail", {"tail_cycles"}},
                                         {"SMs busy", {"rates.sm_busy_percent"}},
                                         {"Waves x mean block + drain, of measured", {"rates.predicted_percent"}}};

static const cli_part_row_t kOccupancy[] = {{"Theoretical warps of an SM", {"occupancy.theoretical_warps"}},
                                            {"Theoretical occupancy", {"occupancy.theoretical_percent"}},
                                            {"Achieved warps of a busy SM", {"occupancy.achieved_warps"}},
                                            {"Achieved occupancy", {"occupancy.achieved_percent"}},
                                            {"Blocks that an SM holds", {"occupancy.resident_blocks"}},
                                            {"Limited by", {"occupancy.limiter"}},
                                            {"Remedy", {"occupancy.remedy"}}};

static const cli_part_row_t kScheduler[] = {{"Issued by a scheduler", {"rates.scheduler_insts_per_cycle"}},
                                            {"Issued by all", {"rates.insts_per_cycle"}},
                                            {"Active warps of a scheduler", {"rates.scheduler_active_warps"}},
                                            {"Eligible warps of a scheduler", {"rates.scheduler_eligible_warps"}}};

static const cli_part_row_t kWarps[] = {{"Warp cycles per instruction", {"rates.warp_cycles_per_inst"}}};

static const cli_part_row_t kInsts[] = {{"Warp instructions", {"warp_insts"}},
                                        {"Thread instructions, guard held", {"thread_insts"}},
                                        {"Thread instructions, running", {"active_thread_insts"}},
                                        {"Lanes with the guard held", {"rates.guarded_lanes_percent"}},
                                        {"Branches", {"branch_insts"}},
                                        {"Divergent branches", {"divergent_branch_insts"}},
                                        {"FADD lanes", {"fadd_thread_insts"}},
                                        {"FMUL lanes", {"fmul_thread_insts"}},
                                        {"FFMA lanes", {"ffma_thread_insts"}},
                                        {"DADD lanes", {"dadd_thread_insts"}},
                                        {"DMUL lanes", {"dmul_thread_insts"}},
                                        {"DFMA lanes", {"dfma_thread_insts"}},
                                        {"INT pipe, instructions", {"int_pipe_insts"}},
                                        {"FP32 pipe, instructions", {"fp32_pipe_insts"}},
                                        {"half pipe, instructions", {"half_pipe_insts"}},
                                        {"FP64 pipe, instructions", {"fp64_pipe_insts"}},
                                        {"SFU pipe, instructions", {"sfu_pipe_insts"}},
                                        {"LSU pipe, instructions", {"lsu_pipe_insts"}},
                                        {"matrix unit, rows of eight", {"mma_pipe_rows"}},
                                        {"matrix unit, DMMA", {"dmma_pipe_insts"}},
                                        {"Passes beyond the first (replays)", {"replay_passes"}}};

static const cli_part_row_t kGlobal[] = {
    {"loads", {"load_requests", "load_lanes", "global_ld_lines", "load_sectors", "global_ld_bytes"}},
    {"stores", {"store_requests", "store_lanes", "global_st_lines", "store_sectors", "global_st_bytes"}},
    {"atomics", {"atom_reqs", "atom_lanes", "atom_lines", "atom_sectors"}},
    {"reductions", {"red_reqs", "red_lanes", "red_lines", "red_sectors"}},
    {"local loads", {"local_ld_reqs", NULL, NULL, "local_ld_sectors"}},
    {"local stores", {"local_st_reqs", NULL, NULL, "local_st_sectors"}}};

static const cli_part_row_t kShared[] = {
    {"loads", {"shared_ld_reqs", "shared_ld_wavefronts", "shared_ld_conflict_wavefronts", "shared_ld_bytes"}},
    {"stores", {"shared_st_reqs", "shared_st_wavefronts", "shared_st_conflict_wavefronts", "shared_st_bytes"}},
    {"atomics", {"shared_atom_reqs", "shared_atom_wavefronts", "shared_atom_conflict_wavefronts"}}};

static const cli_part_row_t kCaches[] = {
    {"L1", {"l1_ld_hit_sectors", "l1_ld_miss_sectors", "rates.l1_ld_hit_percent", "l1_ld_merged_sectors"}},
    {"L2",
     {"l2_ld_hit_sectors", "l2_ld_miss_sectors", "rates.l2_ld_hit_percent", "l2_ld_merged_sectors",
      "l2_st_hit_sectors", "l2_st_miss_sectors"}}};

static const cli_part_row_t kMemory[] = {{"request flits from SMs", {"mem_req_flits"}},
                                         {"sectors back to SMs", {"mem_rsp_sectors"}},
                                         {"mean latency from an SM's port", {"rates.mem_latency_mean_cycles"}},
                                         {"mean sectors in flight", {"rates.mem_in_flight_mean_sectors"}},
                                         {"requests waited at the crossbar", {"xbar_stall_cycles"}},
                                         {"L2 reservation failures", {"l2_stall_cycles"}},
                                         {"  no MSHR", {"l2_no_mshr_cycles"}},
                                         {"  no way", {"l2_no_way_cycles"}},
                                         {"  no place to wait", {"l2_no_waiter_cycles"}},
                                         {"  response network full", {"l2_no_answer_cycles"}},
                                         {"  memory queue full", {"l2_no_ask_cycles"}},
                                         {"L2 fills", {"l2_fill_sectors"}},
                                         {"L2 write-backs", {"l2_writeback_sectors"}},
                                         {"L1 MSHRs all taken", {"l1_mshr_full_cycles"}},
                                         {"DRAM read", {"dram_read_bytes"}},
                                         {"DRAM written", {"dram_write_bytes"}},
                                         {"DRAM rate", {"rates.dram_gbytes_per_s"}},
                                         {"DRAM row hits", {"rates.dram_row_hit_percent"}},
                                         {"DRAM mean read latency", {"rates.dram_rd_latency_mean_cycles"}},
                                         {"DRAM activates", {"dram_activates"}},
                                         {"DRAM refreshes", {"dram_refreshes"}}};

/* What structures did, each in its own unit: proxies of energy. No bits that toggle: accesses. */
static const cli_part_row_t kActivity[] = {{"Instructions issued", {"warp_insts"}},
                                           {"Register rows into operand collectors", {"operand_rows"}},
                                           {"  read from register banks", {"bank_read_rows"}},
                                           {"  come with another operand's read", {"collector_hit_rows"}},
                                           {"Register rows written", {"bank_write_rows"}},
                                           {"L1 tag look-ups", {"l1_lines"}},
                                           {"Passes through shared memory's banks", {"shared_wavefronts"}},
                                           {"Crossbar, from SMs", {"mem_req_flits"}},
                                           {"Crossbar, to SMs", {"mem_rsp_sectors"}},
                                           {"L2, requests to slices", {"l2_req_flits"}},
                                           {"DRAM read", {"dram_read_bytes"}},
                                           {"DRAM written", {"dram_write_bytes"}},
                                           {"DRAM rows opened", {"dram_activates"}}};

static const cli_part_row_t kCopies[] = {
    {"host to device",
     {"host_to_device.copies", "host_to_device.copied_bytes", "host_to_device.pageable_bytes",
      "host_to_device.busy_ns", "host_to_device.rate_gbytes_per_s"}},
    {"device to host",
     {"device_to_host.copies", "device_to_host.copied_bytes", "device_to_host.pageable_bytes",
      "device_to_host.busy_ns", "device_to_host.rate_gbytes_per_s"}},
    {"within device",
     {"within_device.copies", "within_device.copied_bytes", NULL, "within_device.busy_ns",
      "within_device.rate_gbytes_per_s"}},
    {"set", {"set.copies", "set.copied_bytes", NULL, "set.busy_ns", "set.rate_gbytes_per_s"}}};

#define PART(NAME, TITLE, ...) \
  { kCliPart##NAME, TITLE, {__VA_ARGS__}, k##NAME, sizeof k##NAME / sizeof k##NAME[0] }
const cli_part_t kCliParts[] = {
    PART(Speed, "Speed of Light", NULL),
    PART(Roofline, "Roofline (FP32)", NULL),
    PART(Launch, "Launch Statistics", NULL),
    PART(Occupancy, "Occupancy", NULL),
    PART(Scheduler, "Scheduler Statistics", NULL),
    PART(Warps, "Warp State Statistics", NULL),
    PART(Insts, "Instruction Statistics", NULL),
    PART(Global, "Memory Workload: global and local accesses", "requests", "lanes", "lines", "sectors", "bytes"),
    PART(Shared, "Memory Workload: shared memory", "requests", "wavefronts", "conflicts", "bytes"),
    PART(Caches, "Memory Workload: caches (sectors)", "load hits", "load misses", "load hit %", "merged",
         "store hits", "store misses"),
    PART(Memory, "Memory Workload: crossbar, L2 and DRAM", NULL),
    PART(Activity, "Activity (accesses, proxies of energy)", NULL),
};
const size_t kCliNumParts = sizeof kCliParts / sizeof kCliParts[0];
const cli_part_t kCliCopies = PART(Copies, "Copies", "copies", "bytes", "pageable bytes", "busy ns", "GB/s");

bool cli_part_any(const cli_part_t *p, const json_t *o) {
  for (size_t r = 0; r < p->n; r++) {
    for (size_t c = 0; c < kCliPartColumns; c++) {
      if (p->rows[r].path[c] != NULL && cli_at(o, p->rows[r].path[c]) != NULL) return true;
    }
  }
  return false;
}
