// SPDX-License-Identifier: Apache-2.0
//
// A whole grid without a session: constants are laid out here, in a window of addresses no device memory has.
#include <string.h>

#include "model/ref/wg_ref_span.h"

/* Code and constants lie in the addresses below kWgFaultLow x 2^k that no kernel can reach: [1 << 60, ..). */
static const uint64_t kCode = UINT64_C(1) << 60;
static const uint64_t kBank = UINT64_C(1) << 61;
/* Local frames of the one block that runs: [1 << 59, ..). */
static const uint64_t kLocal = UINT64_C(1) << 59;

typedef struct grid_env {
  const wg_ref_grid_t *g;
  uint8_t *bank0;
  uint32_t bank0_size;
} grid_env_t;

void wg_ref_bank0(const wg_cta_launch_t *cta, uint32_t static_shared, uint32_t dyn_shared, const uint8_t *params,
                  size_t param_bytes, uint8_t *bank) {
  memset(bank, 0, kWgParamBase);
  memcpy(bank + 0x00, cta->ntid, 12);
  memcpy(bank + 0x0c, cta->nctaid, 12);
  memcpy(bank + 0x18, &dyn_shared, 4);
  memcpy(bank + 0x1c, &static_shared, 4);
  memcpy(bank + 0x20, &cta->local_bytes, 4);
  memcpy(bank + 0x38, &cta->grid_id, 4);
  if (param_bytes != 0u) memcpy(bank + kWgParamBase, params, param_bytes);
}

static bool copy_from(const void *src, uint64_t size, uint64_t at, void *dst, size_t bytes) {
  if (at > size || bytes > size - at) return false;
  memcpy(dst, (const uint8_t *)src + at, bytes);
  return true;
}

/* Reads of the code and bank windows. */
static bool env_read(void *ctx, uint64_t addr, void *dst, size_t bytes) {
  const grid_env_t *e = ctx;
  const wg_ref_grid_t *g = e->g;
  if (addr >= kBank) {
    unsigned k = (unsigned)((addr - kBank) >> 32);
    uint64_t at = (addr - kBank) & UINT32_MAX;
    if (k == 0u) return copy_from(e->bank0, e->bank0_size, at, dst, bytes);
    if (k == 2u) return copy_from(g->const2, g->const2_size, at, dst, bytes);
    return copy_from(g->const3, g->const3_size, at, dst, bytes);
  }
  return copy_from(g->code, (uint64_t)g->num_insns * 16u, addr - kCode, dst, bytes);
}

typedef struct split_mem {
  const wg_ref_mem_t *user;
  wg_ref_mem_t env;
  uint8_t *local; /* [local_size] */
  uint64_t local_size;
} split_mem_t;

static bool split_read(void *ctx, uint64_t addr, void *dst, size_t bytes) {
  const split_mem_t *s = ctx;
  if (addr >= kCode) return s->env.read(s->env.ctx, addr, dst, bytes);
  if (addr >= kLocal) return copy_from(s->local, s->local_size, addr - kLocal, dst, bytes);
  return s->user->read(s->user->ctx, addr, dst, bytes);
}

static bool split_write(void *ctx, uint64_t addr, const void *src, size_t bytes) {
  const split_mem_t *s = ctx;
  if (addr >= kLocal && addr < kCode) {
    uint64_t at = addr - kLocal;
    if (at > s->local_size || bytes > s->local_size - at) return false;
    memcpy(s->local + at, src, bytes);
    return true;
  }
  return addr < kCode && s->user->write(s->user->ctx, addr, src, bytes);
}

static wg_status_t check_grid(const wg_ref_grid_t *g, wg_diag_t *diag) {
  static const uint32_t kMaxGrid[3] = {0x7fffffffu, 65535u, 65535u};
  static const uint32_t kMaxBlock[3] = {1024u, 1024u, 64u};
  for (unsigned i = 0; i < 3u; i++) {
    if (g->grid[i] == 0u || g->grid[i] > kMaxGrid[i]) {
      return wg_fail(diag, kWgBadArg, "grid dimension %u is %u, must be 1 to %u", i, g->grid[i], kMaxGrid[i]);
    }
    if (g->block[i] == 0u || g->block[i] > kMaxBlock[i]) {
      return wg_fail(diag, kWgBadArg, "block dimension %u is %u, must be 1 to %u", i, g->block[i], kMaxBlock[i]);
    }
  }
  uint64_t threads = (uint64_t)g->block[0] * g->block[1] * g->block[2];
  if (threads > 1024u)
    return wg_fail(diag, kWgBadArg, "block of %llu threads, at most 1024", (unsigned long long)threads);
  if (g->local_bytes >= 1u << 18) {
    return wg_fail(diag, kWgBadArg, "%u local bytes per thread, must be below %u", g->local_bytes, 1u << 18);
  }
  if (g->regs > 256u) return wg_fail(diag, kWgBadArg, "%u registers per thread, at most 256", g->regs);
  if (g->param_bytes > 65536u - (size_t)kWgParamBase || g->const2_size > 65536u || g->const3_size > 65536u) {
    return wg_fail(diag, kWgBadArg, "a constant bank is larger than 64 KiB");
  }
  if (g->entry_pc % 16u != 0u || g->entry_pc / 16u >= g->num_insns) {
    return wg_fail(diag, kWgBadArg, "entry pc 0x%x is outside the code", g->entry_pc);
  }
  return kWgOk;
}

static wg_status_t run_block(const wg_ref_grid_t *g, const wg_cta_launch_t *cta, wg_ref_code_t *code,
                             const wg_ref_mem_t *mem, wg_ref_place_t *place, wg_ref_totals_t *totals, wg_fault_t *fault,
                             wg_diag_t *diag) {
  uint64_t max = g->max_insts != 0u ? g->max_insts : UINT64_C(1) << 40;
  if (totals->warp_insts >= max) {
    return wg_fail(diag, kWgHang, "no end after %llu warp instructions", (unsigned long long)max);
  }
  wg_ref_block_t *b = wg_ref_block_new(cta, code, mem, place);
  WG_BUG(b == NULL); /* the banks are ours */
  wg_ref_block_diverge(b, &g->diverge);
  if (g->span != NULL) wg_ref_block_span(b, g->span);
  wg_fault_t f;
  wg_status_t st = kWgOk;
  char waits[384];
  switch (wg_ref_block_run(b, max - totals->warp_insts, totals, &f)) {
    case kWgRefEnded: break;
    case kWgRefFaulted:
      if (fault != NULL) *fault = f;
      st = wg_fail(diag, kWgFault, "%s in block (%u,%u,%u) warp %u at pc 0x%x, lanes 0x%x, address 0x%llx",
                   wg_fault_name(f.code), f.ctaid[0], f.ctaid[1], f.ctaid[2], f.warp_in_block, f.pc, f.lanes,
                   (unsigned long long)f.addr);
      break;
    case kWgRefDeadlock:
      st = wg_fail(diag, kWgHang, "block (%u,%u,%u) cannot go on: %s", cta->ctaid[0], cta->ctaid[1], cta->ctaid[2],
                   wg_ref_block_waits(b, waits, sizeof waits));
      break;
    case kWgRefRunning:
      st = wg_fail(diag, kWgHang, "no end after %llu warp instructions, in block (%u,%u,%u)", (unsigned long long)max,
                   cta->ctaid[0], cta->ctaid[1], cta->ctaid[2]);
      break;
  }
  wg_ref_block_free(b);
  return st;
}

static void fill_launch(const wg_ref_grid_t *g, uint32_t bank0_size, wg_cta_launch_t *c) {
  memset(c, 0, sizeof *c);
  memcpy(c->ntid, g->block, sizeof c->ntid);
  memcpy(c->nctaid, g->grid, sizeof c->nctaid);
  c->entry_pc = g->entry_pc;
  c->regs_per_thread = g->regs;
  c->shared_bytes = g->shared_bytes + g->dyn_shared_bytes;
  c->local_bytes = (g->local_bytes + 3u) / 4u * 4u;
  c->local_arena = kLocal;
  c->code_base = kCode;
  for (unsigned k = 0; k < 4u; k++) c->const_base[k] = kBank + ((uint64_t)k << 32);
  c->const_size[0] = bank0_size;
  c->const_size[2] = g->const2_size;
  c->const_size[3] = g->const3_size;
}

wg_status_t wg_ref_run_grid(const wg_ref_grid_t *g, const wg_ref_mem_t *mem, wg_ref_totals_t *totals, wg_fault_t *fault,
                            wg_diag_t *diag) {
  WG_TRY(check_grid(g, diag));
  grid_env_t env = {g, NULL, (uint32_t)kWgParamBase + (uint32_t)g->param_bytes};
  env.bank0 = malloc(env.bank0_size);
  WG_BUG(env.bank0 == NULL);
  wg_cta_launch_t cta;
  fill_launch(g, env.bank0_size, &cta);
  wg_ref_bank0(&cta, g->shared_bytes, g->dyn_shared_bytes, g->params, g->param_bytes, env.bank0);
  split_mem_t split = {mem, {&env, env_read, NULL}, NULL, (uint64_t)cta.local_bytes * kWgRefBlockWarps * 32u};
  split.local = calloc(1, split.local_size + 1u);
  WG_BUG(split.local == NULL);
  wg_ref_mem_t all = {&split, split_read, split_write};
  wg_ref_code_t *code = wg_ref_code_new(&all, kCode);
  wg_ref_place_t place = {.nsmid = 1, .nwarpid = 64};
  wg_ref_totals_t mine = {0};
  wg_status_t st = kWgOk;
  if (g->span != NULL) wg_span_launch(g->span);
  for (uint32_t z = 0; z < g->grid[2] && st == kWgOk; z++) {
    for (uint32_t y = 0; y < g->grid[1] && st == kWgOk; y++) {
      for (uint32_t x = 0; x < g->grid[0] && st == kWgOk; x++) {
        cta.ctaid[0] = x;
        cta.ctaid[1] = y;
        cta.ctaid[2] = z;
        st = run_block(g, &cta, code, &all, &place, &mine, fault, diag);
      }
    }
  }
  if (totals != NULL) *totals = mine;
  wg_ref_code_free(code);
  free(env.bank0);
  free(split.local);
  return st;
}
