// SPDX-License-Identifier: Apache-2.0
//
// One launch: bank 0 and local arena in the driver area, the command to the GigaThread engine, the run, its
// counters.
#include <string.h>

#include "cosim/session_int.h"
#include "cosim/sm_rtl.h"
#include "cosim/session_journal.h"
#include "model/gte/occupancy.h"
#include "model/ref/wg_ref.h"
#include "toolchain/devlib/wg_fifo.h"
#include "toolchain/obj/wg_demangle.h"

enum { kMaxParamBytes = 32764 };

void wg_session_free_launch_mem(wg_session_t *s, const wg_launch_mem_t *m) {
  if (m->bank0 != 0 && wg_store_free(s->store, m->bank0, NULL) != kWgOk) WG_BUG(true);
  if (m->local_arena != 0 && wg_store_free(s->store, m->local_arena, NULL) != kWgOk) WG_BUG(true);
}

static wg_status_t check_kernel(const wg_session_t *s, const wg_launch_t *l, const wg_obj_kernel_t *k,
                                wg_diag_t *diag) {
  char name[120];
  wg_demangle(k->name, name, sizeof name);
  uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
  if (l->param_bytes > kMaxParamBytes) {
    return wg_fail(diag, kWgBadArg, "kernel '%s': %zu bytes of parameters, at most %d", name, l->param_bytes,
                   (int)kMaxParamBytes);
  }
  if (k->max_threads != 0 && threads > k->max_threads) {
    return wg_fail(diag, threads > 1024 ? kWgBadArg : kWgNoSpace,
                   "kernel '%s': a block of %llu threads, but it was compiled for at most %u", name,
                   (unsigned long long)threads, k->max_threads);
  }
  uint32_t regs = k->regs == 0 ? 1 : k->regs;
  /* what an SM could not hold anyway is told with the resource, by the GigaThread engine */
  if (threads > s->preset.max_threads_per_block && threads <= 1024 &&
      wg_gpu_blocks_per_sm(s->gpu, (uint32_t)threads, regs, k->shared_bytes + l->dyn_shared_bytes) != 0) {
    return wg_fail(diag, kWgBadArg, "a block of %llu threads, this device allows %u", (unsigned long long)threads,
                   s->preset.max_threads_per_block);
  }
  for (int i = 0; i < 3; i++) {
    if (k->req_ntid[i] != 0 && k->req_ntid[i] != l->block[i]) {
      return wg_fail(diag, kWgBadArg, "kernel '%s' was compiled for blocks of (%u,%u,%u) threads", name,
                     k->req_ntid[0], k->req_ntid[1], k->req_ntid[2]);
    }
  }
  return kWgOk;
}

/* Constant bank 0 as the kernel sees it (wg_ref_bank0), into driver memory. */
static wg_status_t place_bank0(wg_session_t *s, const wg_launch_t *l, const wg_obj_kernel_t *k, const wg_grid_t *g,
                               wg_launch_mem_t *mem, wg_diag_t *diag) {
  wg_cta_launch_t cta = {.grid_id = g->grid_id, .local_bytes = g->local_bytes};
  memcpy(cta.ntid, l->block, sizeof cta.ntid);
  memcpy(cta.nctaid, l->grid, sizeof cta.nctaid);
  uint8_t bank[kWgParamBase + kMaxParamBytes];
  wg_ref_bank0(&cta, k->shared_bytes, l->dyn_shared_bytes, l->params, l->param_bytes, bank);
  memcpy(bank + kWgBank0Fifo, &s->fifo, sizeof s->fifo);
  memcpy(bank + kWgBank0Heap, &s->heap, sizeof s->heap);
  uint64_t n = kWgParamBase + l->param_bytes;
  WG_TRY(wg_store_alloc_driver(s->store, n, 256, &mem->bank0, diag));
  return wg_store_write(s->store, mem->bank0, bank, n, diag);
}

/* Frames, or the stack where their number is not known. The stack pointer starts at its end: a multiple of 16. */
static uint32_t local_bytes(const wg_launch_t *l, const wg_obj_kernel_t *k) {
  uint32_t n = k->local_bytes, stack = l->stack_bytes != 0 ? l->stack_bytes : (uint32_t)kWgStackBytes;
  if (stack > (uint32_t)kWgMaxStackBytes) stack = kWgMaxStackBytes;
  if (!k->uses_stack) return (n + 3) / 4 * 4;
  return ((n > stack ? n : stack) + 15) / 16 * 16;
}

/* Size and needs of a grid: all that says whether it can run. */
static void fill_needs(const wg_launch_t *l, const wg_obj_kernel_t *k, wg_grid_t *g) {
  memset(g, 0, sizeof *g);
  memcpy(g->grid, l->grid, sizeof g->grid);
  memcpy(g->block, l->block, sizeof g->block);
  g->regs_per_thread = k->regs == 0 ? 1 : k->regs;
  g->static_shared_bytes = k->shared_bytes;
  g->dyn_shared_bytes = l->dyn_shared_bytes;
  g->local_bytes = local_bytes(l, k);
  g->barriers = k->barriers;
}

wg_status_t wg_session_fill_grid(wg_session_t *s, const wg_launch_t *l, size_t index, wg_grid_t *g, wg_launch_mem_t *mem,
                             wg_diag_t *diag) {
  const wg_module_t *m = l->module;
  const wg_obj_kernel_t *k = &m->obj->kernels[index];
  fill_needs(l, k, g);
  g->grid_id = s->launches + 1;
  g->entry_pc = wg_obj_kernel_pc(m->obj, index);
  g->code_base = m->code;
  WG_TRY(place_bank0(s, l, k, g, mem, diag));
  g->const_base[0] = mem->bank0;
  g->const_size[0] = (uint32_t)(kWgParamBase + l->param_bytes);
  g->const_base[2] = m->const2;
  g->const_size[2] = (uint32_t)m->obj->const2_size;
  g->const_base[3] = m->const3;
  g->const_size[3] = (uint32_t)m->obj->const3_size;
  if (g->local_bytes != 0) {
    g->local_stride = wg_gpu_local_stride(s->gpu, g->local_bytes);
    WG_TRY(wg_store_alloc_driver(s->store, g->local_stride * s->preset.num_sms, 256, &mem->local_arena, diag));
    g->local_arena = mem->local_arena;
  }
  g->inval_const = true; /* bank 0 was just written */
  g->inval_insn = s->code_written;
  return kWgOk;
}

/* What happened between two readings of the counters. */
void wg_session_fill_result(const wg_session_t *s, const wg_session_counts_t *c0, const wg_session_counts_t *c1,
                        const wg_gpu_stats_t *g0, const wg_gpu_stats_t *g1, wg_launch_result_t *r) {
  wg_grid_result_t grid = {0};
  memset(r, 0, sizeof *r);
  if (wg_gpu_last_grid(s->gpu, &grid)) r->cycles = grid.cycles;
  r->time_ns = s->preset.clock_khz == 0 ? 0 : r->cycles * UINT64_C(1000000) / s->preset.clock_khz;
#define WG_COUNT(FIELD, KEY, TABLE, DOC) r->FIELD = c1->FIELD - c0->FIELD;
#include "model/counts.def"
  for (int i = 0; i < kWgReasonCount; i++) {
    r->slot_cycles[i] = c1->slot_cycles[i] - c0->slot_cycles[i];
    r->warp_cycles[i] = c1->warp_cycles[i] - c0->warp_cycles[i];
  }
  r->l2_sector_hits = g1->l2_load_sector_hits - g0->l2_load_sector_hits;
  r->l2_sector_misses = g1->l2_load_sector_misses - g0->l2_load_sector_misses;
  r->dram_read_bytes = g1->dram_read_bytes - g0->dram_read_bytes;
  r->dram_write_bytes = g1->dram_write_bytes - g0->dram_write_bytes;
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC) r->mem.FIELD = g1->FIELD - g0->FIELD;
#include "model/mem/mem_counts.def"
  r->mem.writebacks_waiting = 0; /* a level has no difference */
}

/* Waves, tail and what the simple formula says of them: whole waves of blocks that all last as long as the mean one. */
static void fill_gte(const wg_session_t *s, const wg_grid_t *k, wg_launch_result_t *r) {
  wg_grid_result_t g;
  if (!wg_gpu_last_grid(s->gpu, &g)) return;
  wg_occ_waves_t w;
  wg_occ_waves(g.blocks, s->preset.num_sms, g.blocks_per_sm, &w);
  uint32_t threads = k->block[0] * k->block[1] * k->block[2];
  r->gte.blocks = g.blocks;
  r->gte.launched = g.launched;
  r->gte.retired = g.retired;
  r->gte.places = (uint64_t)s->preset.num_sms * g.blocks_per_sm;
  r->gte.waves = w.waves;
  r->gte.idle_lanes = g.blocks * ((kWgWarpThreads - threads % kWgWarpThreads) % kWgWarpThreads);
  r->gte.idle_registers = r->gte.idle_lanes * ((k->regs_per_thread + kWgRegUnit - 1) / kWgRegUnit * kWgRegUnit);
  if (!s->backend->timing) return;
  r->gte.block_cycles = g.block_cycles;
  r->gte.resident_warp_cycles = g.resident_warp_cycles;
  r->gte.shortest_block_cycles = g.shortest_block_cycles;
  r->gte.longest_block_cycles = g.longest_block_cycles;
  r->gte.tail_cycles = g.end_cycle - g.last_sent_cycle + 1;
  r->gte.sm_busy_cycles = g.sm_busy_cycles;
  r->gte.least_busy_cycles = g.least_busy_cycles;
  r->gte.most_busy_cycles = g.most_busy_cycles;
  r->gte.drain_cycles = wg_gpu_drain_cycles(s->gpu);
  r->gte.predicted_cycles = w.waves * (g.block_cycles / g.blocks) + r->gte.drain_cycles;
}

void wg_session_add_result(wg_launch_result_t *sum, const wg_launch_result_t *r) {
  /* the structure is an array of 64-bit counters from the first to the last field */
  uint64_t a[sizeof *sum / sizeof(uint64_t)], b[sizeof *sum / sizeof(uint64_t)];
  memcpy(a, sum, sizeof a);
  memcpy(b, r, sizeof b);
  for (size_t i = 0; i < sizeof a / sizeof a[0]; i++) a[i] += b[i];
  memcpy(sum, a, sizeof a);
}

/* A back end that counts scheduler slots counts them while a block is resident; in the other cycles of the launch an SM has no
 * warp. So the slots of a launch are its cycles x sub-cores x SMs. */
wg_status_t wg_session_close_slots(const wg_session_t *s, wg_launch_result_t *r, wg_diag_t *diag) {
  uint64_t sum = 0, all = r->cycles * s->preset.shape->sub_cores * s->preset.num_sms;
  for (int i = 0; i < kWgReasonCount; i++) sum += r->slot_cycles[i];
  if (sum == 0) return kWgOk;
  if (sum > all)
    return wg_fail(diag, kWgMismatch, "issue slots do not add up: %llu have an owner, there are %llu cycles x %u sub-cores x %u SMs",
                   (unsigned long long)sum, (unsigned long long)r->cycles, s->preset.shape->sub_cores, s->preset.num_sms);
  r->slot_cycles[kWgReasonNoWarp] += all - sum;
  return kWgOk;
}

void wg_session_counts_of(const wg_session_t *s, wg_session_counts_t *c) {
  memset(c, 0, sizeof *c);
  if (s->backend->counts_of != NULL) s->backend->counts_of(s, c);
  wg_session_journal_counts(s, c);
}

/* A launch that met its limit, or in which nothing has moved for long. */
static void explain_hang(const wg_session_t *s, const wg_module_t *m, wg_diag_t *why) {
  if (s->over_limit) wg_session_explain_limit(s, m, why);
  size_t n = strlen(why->msg);
  if (s->hang.since != 0) snprintf(why->msg + n, sizeof why->msg - n, "; the last issue was in SM cycle %llu", (unsigned long long)s->hang.since);
  wg_session_explain_hang(m, s->waits, why);
  n = strlen(why->msg);
  if (s->unsent != 0) {
    snprintf(why->msg + n, sizeof why->msg - n, "; blocks that have not begun: %llu, no SM has a place until one ends",
             (unsigned long long)s->unsent);
  }
  bool at_barrier = strstr(s->waits, "barrier") != NULL;
  if (s->cfg.half_block && at_barrier) {
    snprintf(why->hint, sizeof why->hint, "unsafe=half-block let half the warps in: they wait at the barrier for the others, and these for their places. "
             "Hardware admits a block whole or not at all");
    return;
  }
  if (s->unsent != 0 && s->waits[0] == '\0' && strncmp(s->preset.gte.policy.name, "c:", 2) == 0) {
    snprintf(why->hint, sizeof why->hint, "the block policy %s leaves blocks unsent for ever: its pick must send one "
             "when none is resident", s->preset.gte.policy.name);
    return;
  }
  if (s->plugin != NULL && !s->over_limit && !at_barrier) {
    snprintf(why->hint, sizeof why->hint, "the warp scheduler %s must pick every warp that can issue in the end (progress=on sees "
             "to that); and no block may wait for one that is not resident", s->plugin->name);
    return;
  }
  snprintf(why->hint, sizeof why->hint, "%s%s%s",
           s->over_limit ? "a loop whose condition never changes, or a limit that is too small for the launch" : "",
           s->over_limit && at_barrier ? "; " : "",
           at_barrier ? "every thread of a block must reach the same barriers, and no block may wait for one "
                        "that is not resident"
           : s->over_limit ? "" : "no block may wait for one that is not resident");
}

/* Remember a failure: the session stays in it. */
wg_status_t wg_session_fail_for_good(wg_session_t *s, const wg_launch_t *l, wg_status_t st, wg_diag_t *diag) {
  wg_diag_t why;
  memset(&why, 0, sizeof why);
  if (diag != NULL) why = *diag;
  if (st == kWgFault) {
    wg_fault_t f;
    if (wg_gpu_fault(s->gpu, &f)) s->fault = f; /* else the checker found it */
    WG_BUG(s->fault.code == kWgFaultNone);
    s->cuda_error = wg_fault_cuda(s->fault.code);
    wg_session_explain_fault(s, l->module, l->kernel, &s->fault, &why);
  } else if (st == kWgHang) {
    s->cuda_error = 702;
    if (s->spin.proved)
      wg_session_explain_spin(s, l->module, l->kernel, &why);
    else
      explain_hang(s, l->module, &why);
  } else {
    s->cuda_error = 719; /* the checker, not the device: nothing after it can be trusted */
  }
  s->failed = st;
  s->failed_diag = why;
  if (diag != NULL) *diag = why;
  return st;
}

void wg_session_watch_begin(wg_session_t *s, const wg_launch_t *l) {
  s->launch_start = wg_gpu_cycle(s->gpu);
  s->running = l;
  s->issued = 0;
  s->over_limit = false;
  memset(&s->spin, 0, sizeof s->spin);
  memset(&s->hang, 0, sizeof s->hang);
  s->hang.writer = kWgThreadUnknown;
  if (s->writers != NULL) wg_writers_launch(s->writers);
  s->noted_ms = wg_session_host_ms();
}

static wg_status_t run(wg_session_t *s, const wg_launch_t *l, size_t index, wg_launch_result_t *res,
                       wg_launch_mem_t *mem, wg_diag_t *diag) {
  wg_grid_t grid;
  wg_session_counts_t c0, c1;
  wg_gpu_stats_t g0, g1;
  if (wg_session_debug_places(s, diag) != kWgOk) return wg_session_fail_for_good(s, l, kWgBadInput, diag);
  WG_TRY(wg_session_fill_grid(s, l, index, &grid, mem, diag));
  WG_TRY(wg_gpu_submit(s->gpu, &grid, diag));
  wg_session_counts_of(s, &c0);
  wg_gpu_stats(s->gpu, &g0);
  if (s->backend->begin != NULL) s->backend->begin(s, l->module, index, &grid, s->launches);
  wg_session_events_launch(s, l, index, &grid);
  s->launches++;
  wg_session_debug_launch(s, l);
  wg_session_watch_begin(s, l);
  wg_session_race_begin(s, l->module);
  if (s->span != NULL) wg_span_launch(s->span);
  bool skip = wg_session_journal_begin(s, l, &grid);
  wg_session_progress_begin(s);
  wg_status_t st = wg_gpu_run(s->gpu, diag);
  wg_session_progress_clear(s);
  s->running = NULL;
  wg_session_race_end(s, l, index);
  wg_session_tools_end(s, l, index);
  if (st != kWgOk) return wg_session_fail_for_good(s, l, st, diag);
  s->code_written = false;
  if (skip || s->backend->verify != NULL) {
    st = skip ? wg_session_journal_skipped(s, diag) : s->backend->verify(s, diag);
    if (st != kWgOk) return wg_session_fail_for_good(s, l, st, diag);
  }
  wg_session_counts_of(s, &c1);
  wg_gpu_stats(s->gpu, &g1);
  wg_session_fill_result(s, &c0, &c1, &g0, &g1, res);
  fill_gte(s, &grid, res);
  if (s->span != NULL) res->span_insts = wg_span_insts(s->span);
  st = wg_session_close_slots(s, res, diag);
  if (st == kWgOk) {
    wg_session_setup_t setup;
    wg_session_get_setup(s, &setup);
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    const wg_session_sums_t of = {setup.hashes, (threads + kWgWarpThreads - 1) / kWgWarpThreads, threads,
                                  (uint64_t)s->preset.shape->sub_cores * s->preset.num_sms};
    st = wg_session_sums(res, &of, diag);
  }
  if (st != kWgOk) return wg_session_fail_for_good(s, l, st, diag);
  wg_session_add_result(&s->sum, res);
  return skip ? kWgOk : wg_session_journal_add(s, &c0, &c1, diag);
}

/* What can be told of a launch before it runs. @param[out] index of the kernel in its module */
wg_status_t wg_session_check_launch_at(wg_session_t *s, const wg_launch_t *l, size_t *index, wg_diag_t *diag) {
  if (s->failed != kWgOk) {
    if (diag != NULL) *diag = s->failed_diag;
    return s->failed;
  }
  if (l->module == NULL || l->module->session != s)
    return wg_fail(diag, kWgBadArg, "the module is not of this session");
  const wg_obj_kernel_t *k = wg_obj_find(l->module->obj, l->kernel, index);
  char name[120];
  if (k == NULL) {
    wg_demangle(l->kernel, name, sizeof name);
    return wg_fail(diag, kWgNotFound, "the module has no kernel '%s'", name);
  }
  WG_TRY(check_kernel(s, l, k, diag));
  wg_grid_t g;
  fill_needs(l, k, &g);
  return wg_gpu_check(s->gpu, &g, diag);
}

wg_status_t wg_session_check_launch(wg_session_t *s, const wg_launch_t *l, wg_diag_t *diag) {
  size_t index = 0;
  return wg_session_check_launch_at(s, l, &index, diag);
}

wg_status_t wg_session_launch(wg_session_t *s, const wg_launch_t *l, wg_launch_result_t *res, wg_diag_t *diag) {
  size_t index = 0;
  s->race.text[0] = '\0'; /* told once, also if this launch is refused */
  WG_TRY(wg_session_check_launch_at(s, l, &index, diag));
  wg_diag_t local;
  memset(&local, 0, sizeof local);
  wg_launch_result_t scratch;
  wg_launch_mem_t mem = {0, 0};
  wg_status_t st = run(s, l, index, res == NULL ? &scratch : res, &mem, &local);
  wg_session_free_launch_mem(s, &mem);
  if (st != kWgOk && diag != NULL) *diag = local;
  return st;
}

uint32_t wg_session_blocks_per_sm(const wg_session_t *s, const wg_module_t *m, const char *kernel, uint32_t threads,
                                  uint32_t dyn_shared_bytes) {
  const wg_obj_kernel_t *k = wg_obj_find(m->obj, kernel, NULL);
  if (k == NULL || threads == 0) return 0; /* a launch bound is not looked at, as CUDA does not (silicon/occupancy) */
  if (dyn_shared_bytes > UINT32_MAX - k->shared_bytes) return 0;
  return wg_gpu_blocks_per_sm(s->gpu, threads, k->regs == 0 ? 1 : k->regs, k->shared_bytes + dyn_shared_bytes);
}

void wg_session_occupancy(const wg_session_t *s, const wg_launch_t *l, wg_session_occupancy_t *out) {
  memset(out, 0, sizeof *out);
  const wg_obj_kernel_t *k = wg_obj_find(l->module->obj, l->kernel, NULL);
  if (k == NULL) return;
  wg_occ_block_t b = {l->block[0] * l->block[1] * l->block[2], k->regs == 0 ? 1 : k->regs, k->shared_bytes + l->dyn_shared_bytes};
  wg_occ_t o;
  out->registers = b.regs;
  out->static_shared_bytes = k->shared_bytes;
  out->local_bytes = local_bytes(l, k);
  if (wg_occ_of(&s->preset, &b, &o, NULL) != kWgOk) return;
  out->block_warps = o.warps;
  out->blocks = o.blocks;
  out->max_warps = o.max_warps;
  out->limiter = wg_occ_resource_name(o.limiter);
  wg_occ_remedy(&s->preset, &b, &o, out->remedy, sizeof out->remedy);
}

static uint64_t ceil_div(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/* Cycles in which `n` pipes that take `rate` a cycle can have begun with all but one, and begin with the last. */
static uint64_t pipe_cycles(uint64_t insts, double rate, uint64_t n) {
  uint64_t each = ceil_div(insts, n);
  return each == 0 ? 0 : (uint64_t)((double)(each - 1) / rate) + 1;
}

uint64_t wg_session_bound(const wg_session_t *s, const wg_launch_result_t *r, uint64_t blocks, const char **name) {
  const wg_preset_t *p = &s->preset;
  uint64_t sms = blocks < p->num_sms ? blocks : p->num_sms;
  if (sms == 0) sms = 1;
  double bytes_per_cycle = wg_preset_hbm_gbytes_per_s(p) * 1e6 / p->clock_khz;
  double dram = (double)(r->dram_read_bytes + r->dram_write_bytes) / bytes_per_cycle;
  uint64_t cores = sms * p->shape->sub_cores;
  wg_pipe_rates_t rate = wg_session_pipe_rates(s);
  const struct {
    const char *name;
    uint64_t cycles;
  } parts[] = {{"issue", ceil_div(r->warp_insts, cores)},
               {"shared", ceil_div(r->shared_wavefronts, sms)},
               {"l1", ceil_div(r->l1_lines, sms)},
               {"dram", (uint64_t)dram},
               {"int", pipe_cycles(r->int_pipe_insts, rate.integer, cores)},
               {"fp", pipe_cycles(r->fp32_pipe_insts + r->half_pipe_insts, rate.fp, cores)},
               {"fp64", pipe_cycles(r->fp64_pipe_insts, rate.fp64, cores)},
               {"sfu", pipe_cycles(r->sfu_pipe_insts, rate.sfu, cores)},
               {"lsu", pipe_cycles(r->lsu_pipe_insts, 1.0, sms)},
               {"mma", pipe_cycles(r->mma_pipe_rows + 128 * r->dmma_pipe_insts * p->shape->mma_rows, p->shape->mma_rows,
                                   cores)}};
  size_t best = 0;
  for (size_t i = 1; i < sizeof parts / sizeof parts[0]; i++) {
    if (parts[i].cycles > parts[best].cycles) best = i;
  }
  if (name != NULL) *name = parts[best].name;
  return parts[best].cycles;
}
