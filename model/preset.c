// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* dladdr, readlink */
#include "model/preset.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <libconfig.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/gte/gte_policy.h"
#include "model/preset_set.h"

typedef enum kind { kGroup, kU32, kFlag, kText, kChoice, kQuad } kind_t;

/** One key. Numbers go to `offset` in wg_preset_t, bounded by `lo` and `hi`. Choices are words, valued by index. */
typedef struct key {
  const char *path;
  kind_t kind;
  size_t offset;
  uint32_t lo, hi;
  const char *words; /* kChoice: "a|b|c" */
} preset_key_t;

#define AT(f) offsetof(wg_preset_t, f)
#define TIMING(name, field, lo) {"hbm." name "_clocks", kU32, AT(hbm.field), lo, 100000, NULL}

static const preset_key_t kKeys[] = {
    {"title", kText, AT(title), 0, sizeof ((wg_preset_t *)0)->title, NULL},
    {"shape", kText, SIZE_MAX, 0, 16, NULL},
    {"num_sms", kU32, AT(num_sms), 1, kWgXbarMaxSms, NULL},
    {"num_sms_full", kU32, AT(num_sms_full), 1, kWgXbarMaxSms, NULL},
    {"clock_khz", kU32, AT(clock_khz), 1000, 10000000, NULL},
    {"memory_mib", kU32, SIZE_MAX, 1, 126976, NULL},
    {"max_threads_per_block", kU32, AT(max_threads_per_block), 32, 1024, NULL},
    {"launch_overhead_ns", kU32, AT(launch_overhead_ns), 0, 1000000, NULL},
    {"host", kGroup, 0, 0, 0, NULL},
    {"host.link", kText, SIZE_MAX, 0, 16, NULL},
    {"host.copy_engines", kU32, AT(copy.engines), 1, kWgCopyMaxEngines, NULL},
    {"host.call_ns", kU32, AT(call_ns), 1, 1000000, NULL},
    {"host.query_ns", kU32, AT(query_ns), 1, 1000000, NULL}, /* at least 1: a program that only asks must get on */
    {"host.allocate_ns", kU32, AT(allocate_ns), 0, 100000000, NULL},
    {"host.submit_ns", kU32, AT(front.submit_ns), 0, 1000000, NULL},
    {"host.notify_ns", kU32, AT(notify_ns), 0, 1000000, NULL},
    {"host.command_ns", kU32, AT(front.command_ns), 0, 1000000, NULL},
    {"host.copy_ns", kU32, AT(copy.copy_ns), 0, 1000000, NULL},
    {"host.queue_commands", kU32, AT(front.queue_commands), 1, 65536, NULL},
    {"host.staging_mbytes_per_s", kU32, AT(copy.staging_mbytes_per_s), 1, 10000000, NULL},
    {"host.staging_bytes", kU32, AT(copy.staging_bytes), kWgCopyPieceBytes, 1u << 30, NULL},
    {"host.memory_copy_permille", kU32, AT(copy.memory_copy_permille), 1, 1000, NULL},
    {"host.memory_set_permille", kU32, AT(copy.memory_set_permille), 1, 1000, NULL},
    {"sm", kGroup, 0, 0, 0, NULL},
    {"sm.warp_slots_per_sub_core", kU32, AT(sm.warp_slots), 1, kWgMaxWarpSlots, NULL},
    {"sm.block_slots", kU32, AT(sm.block_slots), 1, kWgMaxBlockSlots, NULL},
    {"sm.thread_slots", kU32, AT(sm.thread_slots), 0, 2048, NULL},
    {"sm.registers_per_sub_core", kU32, AT(sm.regs_per_subcore), 256, 1u << 20, NULL},
    {"sm.shared_bytes", kU32, AT(sm.shared_bytes), 0, 1u << 20, NULL},
    {"sm.shared_per_block_bytes", kU32, AT(shared_per_block_bytes), 0, 1u << 20, NULL},
    {"sm.shared_per_block_optin_bytes", kU32, AT(shared_optin_bytes), 0, 1u << 20, NULL},
    {"sm.shared_unit_bytes", kU32, AT(sm.shared_unit), 8, 2048, NULL},
    {"sm.shared_reserve_bytes", kU32, AT(sm.shared_reserve), 0, 2048, NULL},
    {"sm.first_sub_core", kChoice, AT(sm.first_rotate), 0, 0, "literal|rotate"},
    {"sm.scheduler", kText, SIZE_MAX, 0, 32, NULL},
    {"sm.scheduler_knobs", kQuad, AT(sm.knob), 0, INT32_MAX, NULL},
    {"sm.progress_cycles", kU32, AT(sm.progress_cycles), 0, kWgSchedWithhold, NULL},
    {"sm.divergence", kChoice, AT(sm.diverge_mode), 0, 0, "stack|its"},
    {"sm.split_order", kChoice, AT(sm.split_order), 0, 0, "h200|alternate|random"},
    {"sm.dependence", kChoice, AT(sm.dep_mode), 0, 0, "scoreboard|control-bits"},
    {"sm.operand_order", kChoice, AT(sm.operand_order), 0, 0, "free|in-order"},
    {"sm.issue_interval_cycles", kQuad, AT(sm.issue_interval), 0, 15, NULL},
    {"sm.extra_latency_cycles", kQuad, AT(sm.extra_latency), 0, 15, NULL},
    {"sm.half_extra_latency_cycles", kU32, AT(sm.half_extra), 0, 15, NULL},
    {"sm.memory_interval_cycles", kU32, AT(sm.mem_interval), 0, 15, NULL},
    {"sm.memory_switch_cycles", kU32, AT(sm.mem_switch), 0, 15, NULL},
    {"sm.cas_extra_cycles", kU32, AT(sm.cas_extra), 0, 15, NULL},
    {"sm.wavefront_interval_cycles", kU32, AT(sm.wf_interval), 0, 15, NULL},
    {"sm.line_interval_cycles", kU32, AT(sm.line_interval), 0, 15, NULL},
    {"sm.shared_pad_cycles", kU32, AT(sm.shared_pad), 0, 31, NULL},
    {"sm.global_pad_cycles", kU32, AT(sm.global_pad), 0, 31, NULL},
    {"sm.barrier_interval_cycles", kU32, AT(sm.bar_interval), 0, 15, NULL},
    {"sm.barrier_extra_cycles", kU32, AT(sm.bar_extra), 0, 31, NULL},
    {"sm.barrier_count_extra_cycles", kU32, AT(sm.bar_count_extra), 0, 31, NULL},
    {"sm.barrier_red_extra_cycles", kU32, AT(sm.bar_red_extra), 0, 31, NULL},
    {"sm.barrier_red_interval_cycles", kU32, AT(sm.bar_red_interval), 0, 3, NULL},
    {"sm.matrix_extra_cycles", kU32, AT(sm.mma_extra), 0, 15, NULL},
    {"sm.matrix_deep_extra_cycles", kU32, AT(sm.mma_deep_extra), 0, 15, NULL},
    {"sm.fence_extra_cycles", kU32, AT(sm.fence_extra), 0, 15, NULL},
    {"sm.fence_interval_cycles", kU32, AT(sm.fence_interval), 0, 15, NULL},
    {"sm.l1_sets", kU32, AT(sm.l1_sets), 1, 2048, NULL},
    {"sm.l1_ways", kU32, AT(sm.l1_ways), 1, 8, NULL},
    {"sm.mshrs", kU32, AT(sm.mshrs), 1, kWgMshrs, NULL},
    {"sm.responses_per_cycle", kU32, AT(sm.rsp_per_cycle), 1, 2, NULL},
    {"gte", kGroup, 0, 0, 0, NULL},
    {"gte.queue_grids", kU32, AT(gte.queue_grids), 1, 64, NULL},
    {"gte.grid_slots", kU32, AT(gte.grid_slots), 1, kWgGteMaxGridSlots, NULL},
    {"gte.dispatch_cycles", kU32, AT(gte.dispatch_cycles), 1, 10000, NULL},
    {"gte.refill_cycles", kU32, AT(gte.refill_cycles), 0, 10000, NULL},
    {"gte.block_policy", kText, SIZE_MAX, 0, 64, NULL},
    {"xbar", kGroup, 0, 0, 0, NULL},
    {"xbar.sm_queue_flits", kU32, AT(xbar.sm_queue), 1, 256, NULL},
    {"xbar.slice_queue_flits", kU32, AT(xbar.slice_queue), 1, 256, NULL},
    {"xbar.request_cycles", kU32, AT(xbar.req_cycles), 1, 1000, NULL},
    {"xbar.response_cycles", kU32, AT(xbar.rsp_cycles), 1, 1000, NULL},
    {"l2", kGroup, 0, 0, 0, NULL},
    {"l2.slices", kU32, AT(l2.slices), 1, kWgL2MaxSlices, NULL},
    {"l2.slice_bytes", kU32, AT(l2.slice_bytes), 1024, 1u << 26, NULL},
    {"l2.ways", kU32, AT(l2.ways), 1, kWgL2MaxWays, NULL},
    {"l2.interleave_bytes", kU32, AT(l2.interleave_bytes), 128, 1u << 20, NULL},
    {"l2.slice_hash", kFlag, AT(l2.slice_hash), 0, 0, NULL},
    {"l2.mshrs", kU32, AT(l2.mshrs), 1, kWgL2MaxMshrs, NULL},
    {"l2.waiter_sectors", kU32, AT(l2.waiters), 4, 4096, NULL},
    {"l2.writeback_sectors", kU32, AT(l2.writebacks), 4, 4096, NULL},
    {"l2.clock_ratio_num", kU32, AT(l2.clock_num), 1, 8, NULL},
    {"l2.clock_ratio_den", kU32, AT(l2.clock_den), 1, 1000, NULL},
    {"l2.hit_cycles", kU32, AT(l2.hit_cycles), 1, 4096, NULL},
    {"l2.fill_cycles", kU32, AT(l2.fill_cycles), 1, 4096, NULL},
    {"hbm", kGroup, 0, 0, 0, NULL},
    {"hbm.channels", kU32, AT(hbm.channels), 1, kWgHbmMaxChannels, NULL},
    {"hbm.banks", kU32, AT(hbm.banks), 1, kWgHbmMaxBanks, NULL},
    {"hbm.bank_groups", kU32, AT(hbm.bank_groups), 1, kWgHbmMaxBanks, NULL},
    {"hbm.row_bytes", kU32, AT(hbm.row_bytes), 128, 65536, NULL},
    {"hbm.bank_hash", kFlag, AT(hbm.bank_hash), 0, 0, NULL},
    {"hbm.clock_khz", kU32, AT(hbm.clock_khz), 1000, 10000000, NULL},
    {"hbm.bus_bytes", kU32, AT(hbm.bus_bytes), 1, 16, NULL},
    {"hbm.read_queue_bursts", kU32, AT(hbm.read_queue), 1, kWgHbmMaxQueue, NULL},
    {"hbm.write_queue_bursts", kU32, AT(hbm.write_queue), 1, kWgHbmMaxQueue, NULL},
    {"hbm.write_high_bursts", kU32, AT(hbm.write_high), 1, kWgHbmMaxQueue, NULL},
    {"hbm.write_low_bursts", kU32, AT(hbm.write_low), 0, kWgHbmMaxQueue, NULL},
    {"hbm.scheduler", kChoice, AT(hbm.scheduler), 0, 0, WG_HBM_SCHEDULERS},
    {"hbm.page", kChoice, AT(hbm.page), 0, 0, WG_HBM_PAGES},
    {"hbm.write_drain", kChoice, AT(hbm.write_drain), 0, 0, WG_HBM_DRAINS},
    {"hbm.age_cap_clocks", kU32, AT(hbm.age_cap), 1, 1000000, NULL},
    {"hbm.controller_cycles", kU32, AT(hbm.ctrl_latency_cycles), 0, 10000, NULL},
    TIMING("tRCD", t_rcd, 1),   TIMING("tRP", t_rp, 1),   TIMING("tCL", t_cl, 1),   TIMING("tCWL", t_cwl, 1),
    TIMING("tRAS", t_ras, 1),   TIMING("tRC", t_rc, 1),   TIMING("tCCD_S", t_ccd, 1), TIMING("tRRD_S", t_rrd, 1),
    TIMING("tFAW", t_faw, 1),   TIMING("tWR", t_wr, 1),   TIMING("tWTR_S", t_wtr, 1), TIMING("tRTW", t_rtw, 1),
    TIMING("tRTP", t_rtp, 1),   TIMING("tREFI", t_refi, 100), TIMING("tRFC", t_rfc, 1),
    TIMING("tCCD_L", t_ccd_l, 1), TIMING("tRRD_L", t_rrd_l, 1), TIMING("tWTR_L", t_wtr_l, 1),
};
enum { kNumKeys = sizeof kKeys / sizeof kKeys[0], kMaxFileBytes = 1 << 20 };

/* What a number beyond 64 bits is read as, on either side of zero. */
static const long long kSaturated = INT64_MAX;

/* Diag place and message in one. */
static wg_status_t bad(const wg_preset_t *p, const config_setting_t *s, wg_diag_t *diag, const char *fmt, ...)
    WG_PRINTF(4, 5);
static wg_status_t bad(const wg_preset_t *p, const config_setting_t *s, wg_diag_t *diag, const char *fmt, ...) {
  if (diag == NULL) return kWgBadInput;
  snprintf(diag->file, sizeof diag->file, "%s", p->path);
  diag->line = s == NULL ? 0 : config_setting_source_line(s);
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(diag->msg, sizeof diag->msg, fmt, ap);
  va_end(ap);
  return kWgBadInput;
}

static const char *type_name(int type) {
  switch (type) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64: return "a whole number";
    case CONFIG_TYPE_FLOAT: return "a number with a fraction";
    case CONFIG_TYPE_STRING: return "a text";
    case CONFIG_TYPE_BOOL: return "true or false";
    case CONFIG_TYPE_GROUP: return "a group";
    case CONFIG_TYPE_ARRAY: return "an array";
    default: return "a list";
  }
}

static wg_status_t want_type(const wg_preset_t *p, const config_setting_t *s, const char *path, int type,
                             wg_diag_t *diag) {
  if (config_setting_type(s) == type) return kWgOk;
  return bad(p, s, diag, "'%s' is %s, must be %s", path, type_name(config_setting_type(s)), type_name(type));
}

static wg_status_t get_u32(const wg_preset_t *p, const config_setting_t *s, const preset_key_t *k, uint32_t *out,
                           wg_diag_t *diag) {
  if (config_setting_type(s) != CONFIG_TYPE_INT64) WG_TRY(want_type(p, s, k->path, CONFIG_TYPE_INT, diag));
  long long v = config_setting_get_int64(s);
  if (v < (long long)k->lo || v > (long long)k->hi) {
    const char *over = v >= kSaturated ? " or more" : v <= -kSaturated ? " or less" : "";
    return bad(p, s, diag, "'%s' is %lld%s, must be %u to %u", k->path, v, over, k->lo, k->hi);
  }
  *out = (uint32_t)v;
  return kWgOk;
}

static wg_status_t get_choice(const wg_preset_t *p, const config_setting_t *s, const preset_key_t *k, uint32_t *out,
                              wg_diag_t *diag) {
  WG_TRY(want_type(p, s, k->path, CONFIG_TYPE_STRING, diag));
  const char *v = config_setting_get_string(s), *w = k->words;
  for (uint32_t i = 0;; i++) {
    size_t n = strcspn(w, "|");
    if (strlen(v) == n && strncmp(v, w, n) == 0) {
      *out = i;
      return kWgOk;
    }
    if (w[n] == '\0') break;
    w += n + 1;
  }
  return bad(p, s, diag, "'%s' is \"%s\", must be one of: %s", k->path, v, k->words);
}

static wg_status_t get_text(wg_preset_t *p, const config_setting_t *s, const preset_key_t *k, wg_diag_t *diag) {
  WG_TRY(want_type(p, s, k->path, CONFIG_TYPE_STRING, diag));
  const char *v = config_setting_get_string(s);
  if (strlen(v) >= k->hi) return bad(p, s, diag, "'%s' is longer than %u characters", k->path, k->hi - 1);
  if (strcmp(k->path, "shape") == 0) {
    p->shape = wg_shape_find(v);
    if (p->shape == NULL) return bad(p, s, diag, "'shape' is \"%s\", no shape of isa/cfg.def", v);
  } else if (strcmp(k->path, "gte.block_policy") == 0) {
    wg_diag_t why;
    memset(&why, 0, sizeof why);
    if (wg_gte_choice_parse(v, &p->gte.policy, &why) != kWgOk) {
      if (diag != NULL) memcpy(diag->hint, why.hint, sizeof diag->hint);
      return bad(p, s, diag, "'gte.block_policy': %s", why.msg);
    }
  } else if (strcmp(k->path, "host.link") == 0) {
    p->copy.link = wg_copy_link_find(v);
    if (p->copy.link == NULL) return bad(p, s, diag, "'host.link' is \"%s\", no link of model/copy/links.def", v);
  } else if (strcmp(k->path, "sm.scheduler") == 0) {
    int id = wg_policy_find(v);
    if (id < 0) return bad(p, s, diag, "'sm.scheduler' is \"%s\", no policy of isa/cfg.def", v);
    p->sm.policy = (uint32_t)id;
  } else {
    memcpy((char *)p + k->offset, v, strlen(v) + 1);
  }
  return kWgOk;
}

static wg_status_t get_quad(wg_preset_t *p, const config_setting_t *s, const preset_key_t *k, wg_diag_t *diag) {
  WG_TRY(want_type(p, s, k->path, CONFIG_TYPE_ARRAY, diag));
  if (config_setting_length(s) != 4) {
    return bad(p, s, diag, "'%s' has %d numbers, must have 4", k->path, config_setting_length(s));
  }
  uint32_t v[4];
  for (unsigned i = 0; i < 4; i++) WG_TRY(get_u32(p, config_setting_get_elem(s, i), k, &v[i], diag));
  memcpy((char *)p + k->offset, v, sizeof v);
  return kWgOk;
}

static wg_status_t read_key(wg_preset_t *p, const config_t *c, const preset_key_t *k, wg_diag_t *diag) {
  const config_setting_t *s = config_lookup(c, k->path);
  if (s == NULL) { /* the place is the group it belongs to */
    char group[16];
    snprintf(group, sizeof group, "%.*s", (int)strcspn(k->path, "."), k->path);
    return bad(p, config_lookup(c, group), diag, "the key '%s' is missing", k->path);
  }
  uint32_t v = 0;
  switch (k->kind) {
    case kGroup: return want_type(p, s, k->path, CONFIG_TYPE_GROUP, diag);
    case kText: return get_text(p, s, k, diag);
    case kQuad: return get_quad(p, s, k, diag);
    case kFlag:
      WG_TRY(want_type(p, s, k->path, CONFIG_TYPE_BOOL, diag));
      *(bool *)((char *)p + k->offset) = config_setting_get_bool(s) != 0;
      return kWgOk;
    case kChoice: WG_TRY(get_choice(p, s, k, &v, diag)); break;
    case kU32: WG_TRY(get_u32(p, s, k, &v, diag)); break;
  }
  if (k->offset == SIZE_MAX) {
    p->global_bytes = (uint64_t)v << 20; /* memory_mib */
  } else if (k->offset == AT(sm.first_rotate)) {
    p->sm.first_rotate = v != 0;
  } else {
    memcpy((char *)p + k->offset, &v, sizeof v);
  }
  return kWgOk;
}

/* Every key of the file must be one of ours; else a misspelt key would be silently ignored. */
static wg_status_t check_known(const wg_preset_t *p, const config_setting_t *group, const char *prefix,
                               wg_diag_t *diag) {
  for (int i = 0; i < config_setting_length(group); i++) {
    const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
    char path[128];
    snprintf(path, sizeof path, "%s%s", prefix, config_setting_name(s));
    const preset_key_t *found = NULL;
    for (size_t k = 0; k < kNumKeys && found == NULL; k++) {
      if (strcmp(kKeys[k].path, path) == 0) found = &kKeys[k];
    }
    if (found == NULL) return bad(p, s, diag, "unknown key '%s'", path);
    if (found->kind == kGroup && config_setting_type(s) == CONFIG_TYPE_GROUP) {
      strcat(path, "."); /* a known group's name is short */
      WG_TRY(check_known(p, s, path, diag));
    }
  }
  return kWgOk;
}

/* A time inside a bank group against the one between groups. */
static bool in_group(uint32_t groups, uint32_t between, uint32_t inside) {
  return groups == 1 ? inside == between : inside >= between;
}

/* Rules between keys; the place is the key that is to be changed. */
static wg_status_t check_rules(const wg_preset_t *p, const config_t *c, wg_diag_t *diag) {
  const wg_shape_t *sh = p->shape;
  /* a unit below 16 bytes takes twice the rows (rtl/mem/README.md): else the L1 would overwrite shared memory */
  uint32_t rows = (p->sm.shared_bytes * (p->sm.shared_unit < 16 ? 2u : 1u) + 127) / 128;
  struct {
    const char *path;
    uint32_t value, max;
    const char *what;
  } r[] = {
      {"sm.warp_slots_per_sub_core", p->sm.warp_slots, sh->warp_slots, "the shape's warp slots"},
      {"sm.block_slots", p->sm.block_slots, sh->block_slots, "the shape's block slots"},
      {"sm.registers_per_sub_core", p->sm.regs_per_subcore, sh->regs_per_subcore, "the shape's registers"},
      {"sm.shared_bytes", p->sm.shared_bytes, sh->smem_bytes, "the shape's L1 and shared memory"},
      {"sm.shared_per_block_bytes", p->shared_per_block_bytes, p->shared_optin_bytes,
       "sm.shared_per_block_optin_bytes"},
      {"sm.shared_per_block_optin_bytes", p->shared_optin_bytes, p->sm.shared_bytes, "sm.shared_bytes"},
      {"sm.l1_sets", rows + p->sm.l1_sets * p->sm.l1_ways, sh->smem_bytes / 128,
       "the shape's array (lines, shared memory and L1 together)"},
      {"num_sms", p->num_sms, p->num_sms_full, "num_sms_full"},
      {"hbm.write_high_bursts", p->hbm.write_high, p->hbm.write_queue, "hbm.write_queue_bursts"},
      {"hbm.write_low_bursts", p->hbm.write_low + 1, p->hbm.write_high, "hbm.write_high_bursts"},
      {"hbm.tRAS_clocks", p->hbm.t_ras, p->hbm.t_rc, "hbm.tRC_clocks"},
  };
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    if (r[i].value <= r[i].max) continue;
    return bad(p, config_lookup(c, r[i].path), diag, "'%s': %u is above %s, %u", r[i].path, r[i].value, r[i].what,
               r[i].max);
  }
  struct {
    const char *path;
    bool ok;
    const char *rule;
  } q[] = {
      {"sm.shared_unit_bytes", (p->sm.shared_unit & (p->sm.shared_unit - 1)) == 0, "be a power of two"},
      {"sm.l1_sets", (p->sm.l1_sets & (p->sm.l1_sets - 1)) == 0, "be a power of two"},
      {"sm.registers_per_sub_core", p->sm.regs_per_subcore % 256 == 0, "be a multiple of 256"},
      {"l2.slices", p->l2.slices % p->hbm.channels == 0 || p->hbm.channels % p->l2.slices == 0,
       "be a multiple of hbm.channels, or they of it"},
      {"l2.slice_bytes", p->l2.slice_bytes % (128 * p->l2.ways) == 0, "be a multiple of 128 x l2.ways"},
      {"l2.interleave_bytes", (p->l2.interleave_bytes & (p->l2.interleave_bytes - 1)) == 0, "be a power of two"},
      {"hbm.clock_khz", (uint64_t)p->hbm.clock_khz * 100 >= p->clock_khz, "be at least a hundredth of clock_khz"},
      {"hbm.banks", (p->hbm.banks & (p->hbm.banks - 1)) == 0, "be a power of two"},
      {"hbm.row_bytes", p->hbm.row_bytes <= 256 || p->hbm.row_bytes % 256 == 0, "be a multiple of 256"},
      {"hbm.bus_bytes", 16 % p->hbm.bus_bytes == 0, "divide 16"},
      {"hbm.bank_groups", p->hbm.banks % p->hbm.bank_groups == 0, "divide hbm.banks"},
      {"hbm.tCCD_S_clocks", p->hbm.t_ccd * p->hbm.bus_bytes * 2 >= 32, "be at least the burst, 32 / (2 x bus_bytes)"},
      {"hbm.tCCD_L_clocks", in_group(p->hbm.bank_groups, p->hbm.t_ccd, p->hbm.t_ccd_l),
       "be at least tCCD_S_clocks, equal with one bank group"},
      {"hbm.tRRD_L_clocks", in_group(p->hbm.bank_groups, p->hbm.t_rrd, p->hbm.t_rrd_l),
       "be at least tRRD_S_clocks, equal with one bank group"},
      {"hbm.tWTR_L_clocks", in_group(p->hbm.bank_groups, p->hbm.t_wtr, p->hbm.t_wtr_l),
       "be at least tWTR_S_clocks, equal with one bank group"},
  };
  for (size_t i = 0; i < sizeof q / sizeof q[0]; i++) {
    if (!q[i].ok) return bad(p, config_lookup(c, q[i].path), diag, "'%s' must %s", q[i].path, q[i].rule);
  }
  uint64_t least = wg_hbm_least_refi(&p->hbm);
  if (p->hbm.t_refi >= least) return kWgOk;
  return bad(p, config_lookup(c, "hbm.tREFI_clocks"), diag,
             "'hbm.tREFI_clocks' is %u, must be at least %llu: between two refreshes all banks are closed and refreshed, a row is "
             "opened and accessed once", p->hbm.t_refi, (unsigned long long)least);
}

const char *wg_sm_supports(const wg_sm_cfg_t *c, const char **key) {
  const struct {
    const char *key, *has;
    bool ok;
  } rules[] = {
      {"sm.split_order", "no split order with the SIMT stack: leave \"h200\"", c->diverge_mode != 0 || c->split_order == 0},
      {"sm.extra_latency_cycles", "at most 7 cycles of extra latency in the sfu pipe: the fourth number must be 0 to 7",
       c->extra_latency[3] <= 7},
      {"sm.progress_cycles", "a progress rule in steps of 64 cycles: 64, 128 .. 4096, or 0 for none", c->progress_cycles % kWgSchedStep == 0},
      {"sm.scheduler", "no scheduler 'ext' of its own: sched=plugin:NAME brings one", c->policy != kWgPolicyExt},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    if (rules[i].ok) continue;
    *key = rules[i].key;
    return rules[i].has;
  }
  return NULL;
}

/* A machine that this version does not have must not pass for one. */
static wg_status_t check_supported(const wg_preset_t *p, const config_t *c, wg_diag_t *diag) {
  const char *key = NULL, *has = wg_sm_supports(&p->sm, &key);
  if (has == NULL) return kWgOk;
  return bad(p, config_lookup(c, key), diag, "'%s': this version's SM has %s", key, has);
}

/* libconfig's scanner ends the process when it cannot read what it has opened, a folder for example: it gets text.
 * And that without @include, for the same reason. Caller frees. */
static wg_status_t read_text(const wg_preset_t *p, char **out, wg_diag_t *diag) {
  struct stat info;
  if (stat(p->path, &info) != 0) {
    return wg_fail(diag, kWgNotFound, "cannot open the preset '%s': %s", p->path, strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) return bad(p, NULL, diag, "a preset must be an ordinary file");
  if (info.st_size > kMaxFileBytes) return bad(p, NULL, diag, "a preset has at most %d bytes", (int)kMaxFileBytes);
  FILE *f = fopen(p->path, "r");
  if (f == NULL) return wg_fail(diag, kWgNotFound, "cannot open the preset '%s': %s", p->path, strerror(errno));
  char *text = calloc(1, kMaxFileBytes + 1);
  size_t n = text == NULL ? 0 : fread(text, 1, kMaxFileBytes, f);
  bool ok = text != NULL && !ferror(f);
  fclose(f);
  wg_status_t st = kWgOk;
  if (!ok) st = bad(p, NULL, diag, "cannot be read");
  else if (strlen(text) != n) st = bad(p, NULL, diag, "it has NUL bytes, it is no text");
  else if (strstr(text, "@include") != NULL)
    st = bad(p, NULL, diag, "'@include' is not supported: a preset is one file");
  if (st == kWgOk) *out = text;
  else free(text);
  return st;
}

/* End of a string or comment that begins at `p`; `p` itself if none does. */
static const char *skip_quoted(const char *p) {
  if (*p == '"') {
    for (p++; *p != '\0' && *p != '"'; p++) {
      if (*p == '\\' && p[1] != '\0') p++;
    }
    return *p == '"' ? p + 1 : p;
  }
  if (*p == '#' || (*p == '/' && p[1] == '/')) return p + strcspn(p, "\n");
  if (*p != '/' || p[1] != '*') return p;
  const char *end = strstr(p + 2, "*/");
  return end == NULL ? p + strlen(p) : end + 2;
}

/* One whole number of `len` letters as a 64-bit one, saturated. @return letters written, at most len + 4 */
static size_t widen(const char *from, size_t len, char *to) {
  bool minus = *from == '-';
  const char *digits = from + (minus || *from == '+' ? 1 : 0);
  bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  errno = 0;
  unsigned long long v = strtoull(digits, NULL, hex ? 16 : 10);
  if (errno != 0 || v > (unsigned long long)kSaturated) {
    return (size_t)sprintf(to, "%s%lldL", minus ? "-" : "", kSaturated);
  }
  memcpy(to, from, len);
  to[len] = 'L';
  return len + 1;
}

/*
 * libconfig reads a whole number without the suffix L modulo 2^32: 4294967296 would be 0. So every one gets its suffix
 * before libconfig sees it; lines stay where they are. Caller frees. NULL: out of memory.
 */
static char *widen_numbers(const char *text) {
  char *out = malloc(3 * strlen(text) + 32), *to = out;
  for (const char *p = text; out != NULL && *p != '\0';) {
    const char *end = skip_quoted(p);
    bool word = isalpha((unsigned char)*p) || *p == '_' || *p == '*';
    bool number = isdigit((unsigned char)*p) || ((*p == '-' || *p == '+') && isdigit((unsigned char)p[1]));
    if (end == p && (word || number)) {
      for (end = p + 1; isalnum((unsigned char)*end) || *end == '_' || *end == '.' || *end == '-'; end++) continue;
    } else if (end == p) {
      end++;
    }
    size_t len = (size_t)(end - p), sign = *p == '-' || *p == '+';
    bool hex = number && p[sign] == '0' && (p[sign + 1] == 'x' || p[sign + 1] == 'X');
    size_t digits = number ? strspn(p + sign, "0123456789") : 0;
    if (hex) digits = 2 + strspn(p + sign + 2, "0123456789abcdefABCDEF");
    if (number && sign + digits + strspn(p + sign + digits, "L") == len && digits > (hex ? 2u : 0u)) {
      to += widen(p, sign + digits, to); /* a suffix of its own is put anew */
    } else {
      memcpy(to, p, len);
      to += len;
    }
    p = end;
  }
  if (out != NULL) *to = '\0';
  return out;
}

static wg_status_t parse(wg_preset_t *p, const char *sets, char **dump, wg_diag_t *diag) {
  char *file = NULL;
  WG_TRY(read_text(p, &file, diag));
  char *text = widen_numbers(file);
  free(file);
  if (text == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  config_t c;
  config_init(&c);
  wg_status_t st = kWgOk;
  if (config_read_string(&c, text) != CONFIG_TRUE) {
    st = bad(p, NULL, diag, "%s", config_error_text(&c));
    if (diag != NULL) diag->line = (unsigned)config_error_line(&c);
  }
  free(text);
  if (st == kWgOk) st = check_known(p, config_root_setting(&c), "", diag);
  if (st == kWgOk) st = wg_preset_set_apply(&c, sets, diag);
  for (size_t i = 0; st == kWgOk && i < kNumKeys; i++) st = read_key(p, &c, &kKeys[i], diag);
  if (st == kWgOk) st = check_rules(p, &c, diag);
  if (st == kWgOk) st = check_supported(p, &c, diag);
  if (st == kWgOk && dump != NULL) st = wg_preset_set_dump(&c, dump, diag);
  config_destroy(&c);
  return st;
}

/* Look for configs/<name>.cfg in `dir` and, if `up`, in the folders above it. */
static bool look_in(const char *dir, bool up, const char *name, char out[256]) {
  char d[PATH_MAX];
  if (snprintf(d, sizeof d, "%s", dir) >= (int)sizeof d) return false;
  for (;;) {
    int n = snprintf(out, 256, "%s/configs/%s.cfg", d, name);
    if (n < 256 && access(out, R_OK) == 0) return true;
    char *slash = strrchr(d, '/');
    if (!up || slash == NULL || d[0] == '\0') return false;
    *slash = '\0';
  }
}

static bool find(const char *name, char out[256]) {
  const char *home = getenv("WARPGLASS_HOME");
  if (home != NULL && look_in(home, false, name, out)) return true;
  char dir[PATH_MAX];
  Dl_info info;
  if (dladdr((void *)(uintptr_t)&wg_preset_load, &info) != 0 && info.dli_fname != NULL &&
      realpath(info.dli_fname, dir) != NULL && look_in(dir, true, name, out)) {
    return true;
  }
  ssize_t n = readlink("/proc/self/exe", dir, sizeof dir - 1);
  if (n > 0) {
    dir[n] = '\0';
    if (look_in(dir, true, name, out)) return true;
  }
  return getcwd(dir, sizeof dir) != NULL && look_in(dir, true, name, out);
}

/* File name without folder and suffix. */
static void base_name(const char *path, char *out, size_t n) {
  const char *slash = strrchr(path, '/'), *from = slash == NULL ? path : slash + 1;
  const char *dot = strrchr(from, '.');
  snprintf(out, n, "%.*s", (int)(dot == NULL ? strlen(from) : (size_t)(dot - from)), from);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

size_t wg_preset_names(char names[][32], size_t max) {
  char dir[256];
  if (!find("tiny", dir)) return 0;
  *strrchr(dir, '/') = '\0';
  DIR *d = opendir(dir);
  size_t n = 0;
  for (struct dirent *e; d != NULL && n < max && (e = readdir(d)) != NULL;) {
    size_t len = strlen(e->d_name);
    if (len <= 4 || len - 4 >= 32 || strcmp(e->d_name + len - 4, ".cfg") != 0) continue;
    memset(names[n], 0, 32);
    memcpy(names[n++], e->d_name, len - 4);
  }
  if (d != NULL) closedir(d);
  qsort(names, n, 32, by_name);
  return n;
}

/* Find the file, read it, apply `sets`. */
static wg_status_t load(const char *base, const char *sets, wg_preset_t *p, char **dump, wg_diag_t *diag) {
  size_t len = strlen(base);
  bool is_path = strchr(base, '/') != NULL || (len > 4 && strcmp(base + len - 4, ".cfg") == 0);
  if (len == 0 || len >= sizeof p->path) return wg_fail(diag, kWgNotFound, "'%s' is no name of a preset", base);
  if (is_path) {
    memcpy(p->path, base, len + 1);
  } else if (!find(base, p->path)) {
    if (diag != NULL) {
      snprintf(diag->hint, sizeof diag->hint, "presets are looked for as configs/%.32s.cfg in $WARPGLASS_HOME, above "
               "the program and above the working directory; a path also does", base);
    }
    return wg_fail(diag, kWgNotFound, "there is no preset '%s'", base);
  }
  base_name(p->path, p->name, sizeof p->name);
  WG_TRY(parse(p, sets, dump, diag));
  p->xbar.rsp_per_cycle = p->sm.rsp_per_cycle; /* one number for both ends of the port */
  return kWgOk;
}

static wg_status_t load_with_sets(const char *words, wg_preset_t *out, char **dump, wg_diag_t *diag) {
  wg_preset_t p = {0};
  char base[sizeof p.path + 1];
  const char *sets = wg_preset_set_split(words);
  size_t len = sets == NULL ? strlen(words) : (size_t)(sets - words);
  if (len >= sizeof base) return wg_fail(diag, kWgNotFound, "'%s' is no name of a preset", words);
  snprintf(base, sizeof base, "%.*s", (int)len, words);
  wg_status_t st = load(base, sets, &p, dump, diag);
  if (st != kWgOk) {
    if (sets != NULL && st == kWgBadInput) wg_preset_set_blame(base, sets, diag);
    return st;
  }
  if (sets != NULL) wg_preset_set_name(p.name, sets, p.name, sizeof p.name);
  *out = p;
  return kWgOk;
}

wg_status_t wg_preset_load(const char *name_or_path, wg_preset_t *out, wg_diag_t *diag) {
  return load_with_sets(name_or_path, out, NULL, diag);
}

wg_status_t wg_preset_text(const char *name_or_path, char **out, wg_diag_t *diag) {
  wg_preset_t p;
  return load_with_sets(name_or_path, &p, out, diag);
}

size_t wg_preset_keys(const char *names[], size_t max) {
  size_t n = 0;
  for (size_t i = 0; i < kNumKeys && n < max; i++) {
    if (kKeys[i].kind != kGroup) names[n++] = kKeys[i].path;
  }
  return n;
}

static uint32_t share(uint32_t full, uint32_t n, uint32_t of) { return (full * n + of - 1) / of; }

wg_status_t wg_preset_scale(wg_preset_t *p, uint32_t num_sms, wg_diag_t *diag) {
  uint32_t n = num_sms == 0 ? p->num_sms : num_sms;
  if (p->scaled) return wg_fail(diag, kWgBadArg, "the preset '%s' is scaled already", p->name);
  if (n > p->num_sms_full) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "--sms of at most %u, or a preset of a larger machine", p->num_sms_full);
    return wg_fail(diag, kWgBadArg, "preset '%s' describes a machine with %u SM%s, %u were asked for", p->name,
                   p->num_sms_full, p->num_sms_full == 1 ? "" : "s", n);
  }
  uint32_t channels = share(p->hbm.channels, n, p->num_sms_full);
  uint32_t slices = share(p->l2.slices, n, p->num_sms_full);
  if (p->hbm.channels > p->l2.slices) {
    channels = p->hbm.channels / p->l2.slices * slices; /* a slice comes with its channels */
  } else {
    slices = (slices + channels - 1) / channels * channels;
  }
  p->num_sms = n;
  p->hbm.channels = channels;
  p->l2.slices = slices;
  p->scaled = true;
  return kWgOk;
}

void wg_preset_to_sm_cfg(const wg_preset_t *p, uint32_t smid, wg_sm_cfg_t *out) {
  *out = p->sm;
  out->smid = smid;
  out->nsmid = p->num_sms;
}

uint32_t wg_preset_resident_threads(const wg_preset_t *p) {
  uint32_t threads = p->sm.warp_slots * p->shape->sub_cores * (uint32_t)kWgWarpThreads;
  return p->sm.thread_slots != 0 && p->sm.thread_slots < threads ? p->sm.thread_slots : threads;
}

double wg_preset_hbm_gbytes_per_s(const wg_preset_t *p) {
  return p->hbm.channels * 2.0 * p->hbm.bus_bytes * p->hbm.clock_khz * 1e-6;
}
