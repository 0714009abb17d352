// SPDX-License-Identifier: Apache-2.0
//
// A program from a seed: launch, buffers, prologue (every register, predicate and shared byte gets a value), units by
// weight, epilogue (pool registers go to OUT).
#include <string.h>

#include "cosim/random/random.h"
#include "isa/wg_cfg.h"

enum { kMaxWork = 25000 }; /* warp instructions of a grid, about */

const char *const wg_rnd_kind_names[kWgRndKindCount] = {"alu",  "dense",  "carry",  "pred",  "sfu",   "sreg",
                                                        "shfl", "global", "shared", "local", "burst", "if",
                                                        "loop", "skip",   "exit",   "bar"};

bool wg_rnd_mix(const char *name, wg_rnd_opts_t *o) {
  static const struct {
    const char *name;
    uint8_t weight[kWgRndKindCount], class[kWgRndClassCount];
  } kMix[] = {
      /*        alu dense carry pred sfu sreg shfl global shared local burst if loop skip exit bar   ordered racy fault
       */
      {"all", {24, 8, 5, 6, 3, 3, 6, 8, 7, 4, 4, 8, 4, 3, 3, 6}, {55, 33, 12}},
      {"alu", {50, 15, 10, 12, 4, 3, 2, 1, 1, 1, 0, 3, 1, 1, 1, 0}, {90, 10, 0}},
      {"mem", {8, 3, 1, 1, 1, 1, 4, 24, 20, 8, 16, 4, 3, 2, 1, 6}, {50, 50, 0}},
      {"flow", {12, 4, 2, 10, 1, 1, 3, 3, 3, 3, 1, 24, 12, 10, 9, 3}, {70, 30, 0}},
      {"bar", {10, 3, 1, 2, 1, 1, 2, 6, 8, 2, 2, 4, 4, 4, 2, 40}, {70, 30, 0}},
      {"fault", {24, 8, 5, 6, 3, 3, 6, 8, 7, 4, 4, 8, 4, 3, 3, 6}, {0, 0, 100}},
  };
  for (size_t i = 0; i < sizeof kMix / sizeof kMix[0]; i++) {
    if (strcmp(kMix[i].name, name) != 0) continue;
    for (unsigned k = 0; k < kWgRndKindCount; k++) o->weight[k] = kMix[i].weight[k];
    for (unsigned k = 0; k < kWgRndClassCount; k++) o->weight_class[k] = kMix[i].class[k];
    return true;
  }
  return false;
}

static uint32_t pick(wg_rnd_t *r, const uint32_t *weight, uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += weight[i];
  if (sum == 0u) return 0u;
  uint32_t at = wg_rnd_below(r, sum);
  for (uint32_t i = 0; i < n; i++) {
    if (at < weight[i]) return i;
    at -= weight[i];
  }
  return 0u;
}

/* ---- launch and layout ---- */

/* A block of 1 to max_threads threads in up to three dimensions; often whole warps, often not. */
static void block_shape(wg_rnd_gen_t *g) {
  wg_rnd_t *r = &g->r;
  uint32_t *b = g->p->block;
  uint32_t warps = wg_rnd_range(r, 1u, g->opts.max_threads / 32u);
  uint32_t n = wg_rnd_percent(r, 50u) ? 32u * warps : wg_rnd_range(r, 32u * (warps - 1u) + 1u, 32u * warps);
  b[0] = n;
  b[1] = b[2] = 1u;
  if (wg_rnd_percent(r, 40u)) {
    b[1] = wg_rnd_range(r, 1u, n < 9u ? n : 9u);
    b[0] = n / b[1];
    if (wg_rnd_percent(r, 50u)) {
      b[2] = wg_rnd_range(r, 1u, b[0] < 5u ? b[0] : 5u);
      b[0] /= b[2];
    }
    if (b[2] > 64u) b[2] = 64u;
  }
  g->threads = b[0] * b[1] * b[2];
  g->warps = (g->threads + 31u) / 32u;
}

static void grid_shape(wg_rnd_gen_t *g) {
  wg_rnd_t *r = &g->r;
  uint32_t *d = g->p->grid;
  uint32_t n = wg_rnd_percent(r, 40u) ? 1u : wg_rnd_range(r, 1u, g->opts.max_blocks);
  d[0] = n;
  d[1] = d[2] = 1u;
  if (n > 3u && wg_rnd_percent(r, 50u)) {
    d[1] = wg_rnd_range(r, 1u, 3u);
    d[0] = n / d[1];
    if (d[0] > 1u && wg_rnd_percent(r, 40u)) d[2] = 2u, d[0] /= 2u;
  }
  g->blocks = d[0] * d[1] * d[2];
}

static void buffers(wg_rnd_gen_t *g) {
  wg_rnd_prog_t *p = g->p;
  g->ro_bytes = 4096u << wg_rnd_below(&g->r, 5u);
  g->own_bytes = 128u << wg_rnd_below(&g->r, 4u);
  g->any_bytes = 64u << wg_rnd_below(&g->r, 9u);
  uint32_t out = 16u * 4u * g->threads * g->blocks;
  p->buffer[0] = (wg_rnd_buffer_t){"RO", g->ro_bytes + 2u * kWgRndSlack, 0, 0};
  p->buffer[1] = (wg_rnd_buffer_t){"OUT", out, 0, 0};
  p->buffer[2] = (wg_rnd_buffer_t){"OWN", 2u * g->own_bytes * g->warps * g->blocks, 0, 0};
  p->buffer[3] = (wg_rnd_buffer_t){"ANY", g->any_bytes + 2u * kWgRndSlack, 0, 0};
  p->num_buffers = p->judged == kWgRndRacy ? 4u : 3u;
  for (uint32_t b = 0; b < p->num_buffers; b++) {
    p->buffer[b].mul = wg_rnd_u32(&g->r) | 1u;
    p->buffer[b].add = wg_rnd_u32(&g->r);
  }
  for (unsigned i = 0; i < kWgRndParams; i++) p->param[i] = wg_rnd_value(&g->r);
  for (unsigned i = 0; i < kWgRndMaxConst; i++) {
    p->const2[i] = wg_rnd_value(&g->r);
    p->const3[i] = wg_rnd_value(&g->r);
  }
}

static void shared_layout(wg_rnd_gen_t *g) {
  static const uint32_t kOwn[] = {32, 64, 128, 256, 512};
  do { /* small enough that several blocks fit, large enough for conflicts */
    g->sown_bytes = kOwn[wg_rnd_below(&g->r, 5u)];
    g->exch_base = 2u * g->sown_bytes * g->warps;
    g->shared_bytes = g->exch_base + 16u * g->threads;
  } while (g->shared_bytes > 8192u && g->sown_bytes > 32u);
  for (g->sany_bytes = 16u; g->sany_bytes * 4u <= g->shared_bytes; g->sany_bytes *= 2u) {
  }
  bool dyn = wg_rnd_percent(&g->r, 30u);
  g->p->shared_static = dyn ? 0u : g->shared_bytes;
  g->p->shared_dyn = dyn ? g->shared_bytes : 0u;
}

/* ---- prologue, epilogue ---- */

static void next_unit(wg_rnd_gen_t *g) { g->unit = g->p->num_units++; }

static void base_pair(wg_rnd_gen_t *g, unsigned reg, unsigned buffer, unsigned offset) {
  unsigned at = kWgParamBase + 8u * buffer;
  wg_rnd_asm(g, "MOV R%u, c[0x0][0x%x]", reg, at);
  wg_rnd_asm(g, "MOV R%u, c[0x0][0x%x]", reg + 1u, at + 4u);
  if (offset == 0u) return;
  wg_rnd_asm(g, "IADD3 R%u, P0, R%u, 0x%x, RZ", reg, reg, offset);
  wg_rnd_asm(g, "IADD3.X R%u, R%u, RZ, RZ, P0", reg + 1u, reg + 1u);
}

/* Threads, warps and the bases of all windows. */
static void addresses(wg_rnd_gen_t *g) {
  const wg_rnd_prog_t *p = g->p;
  static const char *const kAxis[3] = {"X", "Y", "Z"};
  wg_rnd_asm(g, "S2R R0, SR_TID.Z");
  wg_rnd_asm(g, "S2R R1, SR_CTAID.Z");
  for (int d = 1; d >= 0; d--) {
    wg_rnd_asm(g, "S2R R18, SR_TID.%s", kAxis[d]);
    wg_rnd_asm(g, "IMAD R0, R0, 0x%x, R18", p->block[d]);
    wg_rnd_asm(g, "S2R R18, SR_CTAID.%s", kAxis[d]);
    wg_rnd_asm(g, "IMAD R1, R1, 0x%x, R18", p->grid[d]);
  }
  wg_rnd_asm(g, "SHF.R.U32.HI R12, RZ, 0x5, R0");
  wg_rnd_asm(g, "IMAD R18, R1, 0x%x, R12", g->warps);
  wg_rnd_asm(g, "IMAD R1, R1, 0x%x, R0", g->threads);
  base_pair(g, kWgRndRegRo, 0u, kWgRndSlack);
  base_pair(g, kWgRndRegOut, 1u, 0u);
  wg_rnd_asm(g, "IMAD.WIDE.U32 R4, R1, 0x4, R4");
  base_pair(g, kWgRndRegOwn, 2u, g->own_bytes / 2u);
  wg_rnd_asm(g, "IMAD.WIDE.U32 R6, R18, 0x%x, R6", 2u * g->own_bytes);
  if (p->judged == kWgRndRacy) base_pair(g, kWgRndRegAny, 3u, kWgRndSlack);
  wg_rnd_asm(g, "IMAD R13, R12, 0x%x, RZ", 2u * g->sown_bytes);
  wg_rnd_asm(g, "IADD3 R13, R13, 0x%x, RZ", g->sown_bytes / 2u);
}

static void pool_value(wg_rnd_gen_t *g, unsigned reg) {
  wg_rnd_t *r = &g->r;
  switch (wg_rnd_below(r, 6u)) {
    case 0: wg_rnd_asm(g, "MOV R%u, 0x%x", reg, wg_rnd_value(r)); break;
    case 1: /* corner values in some lanes */
      wg_rnd_asm(g, "IMAD R%u, R1, 0x%x, R0", reg, wg_rnd_u32(r) | 1u);
      wg_rnd_asm(g, "ISETP.LT.AND P1, PT, R%u, RZ, PT", reg);
      wg_rnd_asm(g, "@P1 MOV R%u, 0x%x", reg, wg_rnd_value(r));
      break;
    case 2: wg_rnd_asm(g, "MOV R%u, c[0x3][0x%x]", reg, 4u * wg_rnd_below(r, kWgRndMaxConst)); break;
    case 3: /* floats near 1 */
      wg_rnd_asm(g, "IMAD R%u, R1, 0x%x, R0", reg, wg_rnd_u32(r) | 1u);
      wg_rnd_asm(g, "LOP3 R%u, R%u, 0x81ffffff, RZ, 0xc0", reg, reg);
      wg_rnd_asm(g, "IADD3 R%u, R%u, 0x%x, RZ", reg, reg, wg_rnd_range(r, 120u, 128u) << 23);
      break;
    case 4: /* from the read-only buffer, unaligned by lane */
      wg_rnd_asm(g, "IMAD R18, R1, 0x%x, RZ", 4u * (wg_rnd_below(r, 64u) + 1u));
      wg_rnd_asm(g, "LOP3 R18, R18, 0x%x, RZ, 0xc0", (g->ro_bytes - 1u) & ~3u);
      wg_rnd_asm(g, "IMAD.WIDE.U32 R10, R18, 0x1, R2");
      wg_rnd_asm(g, "LDG.E R%u, [R10]", reg);
      break;
    default: wg_rnd_asm(g, "IMAD R%u, R1, 0x%x, R0", reg, wg_rnd_u32(r) | 1u); break;
  }
}

/* Every byte of the block's shared memory: 16 a thread and round. */
static void fill_shared(wg_rnd_gen_t *g) {
  int again = wg_rnd_new_label(g);
  unsigned data = wg_rnd_reg(g, 4u);
  wg_rnd_asm(g, "IMAD R10, R0, 0x10, RZ");
  wg_rnd_asm(g, "MOV R14, 0x%x", (g->shared_bytes + 16u * g->threads - 1u) / (16u * g->threads));
  wg_rnd_place(g, again);
  wg_rnd_asm(g, "ISETP.LT.U32.AND P5, PT, R10, 0x%x, PT", g->shared_bytes);
  wg_rnd_asm(g, "@P5 STS.128 [R10], R%u", data);
  wg_rnd_asm(g, "IADD3 R10, R10, 0x%x, RZ", 16u * g->threads);
  wg_rnd_asm(g, "IADD3 R14, R14, -1, RZ");
  wg_rnd_asm(g, "ISETP.GT.AND P6, PT, R14, RZ, PT");
  wg_rnd_branch(g, "@P6 BRA", again);
  wg_rnd_asm(g, "BAR.SYNC 0x0");
}

/* Every word of the thread's frame. */
static void fill_local(wg_rnd_gen_t *g) {
  for (uint32_t at = 0; at < g->p->local; at += 4u) {
    wg_rnd_asm(g, "STL [0x%x], R%u", at, wg_rnd_reg(g, 1u));
  }
}

void wg_rnd_prologue(wg_rnd_gen_t *g) {
  next_unit(g); /* unit 0: never dropped as a whole */
  addresses(g);
  for (unsigned reg = kWgRndRegAny; reg < kWgRndRegPool; reg++) {
    if (reg == kWgRndRegWarp || reg == kWgRndRegSown) continue;
    if (reg < kWgRndRegAddr && g->p->judged == kWgRndRacy) continue;
    wg_rnd_asm(g, "MOV R%u, RZ", reg);
  }
  for (unsigned reg = kWgRndRegPool; reg < g->pool_end; reg++) {
    next_unit(g);
    pool_value(g, reg);
  }
  for (unsigned k = 0; k < 7u; k++) {
    next_unit(g);
    wg_rnd_asm(g, "ISETP.%s.AND P%u, PT, R%u, R%u, PT", wg_rnd_percent(&g->r, 50u) ? "LT" : "NE", k, wg_rnd_reg(g, 1u),
               wg_rnd_reg(g, 1u));
  }
  next_unit(g);
  fill_local(g);
  next_unit(g);
  fill_shared(g);
}

void wg_rnd_epilogue(wg_rnd_gen_t *g) {
  uint32_t step = 4u * g->threads * g->blocks;
  for (unsigned k = 1; k < 14u; k++) {
    next_unit(g);
    uint32_t reg = kWgRndRegPool + wg_rnd_below(&g->r, g->pool_end - kWgRndRegPool);
    wg_rnd_asm(g, "STG.E [R4+0x%x], R%u", k * step, reg);
  }
  next_unit(g);
  wg_rnd_asm(g, "MOV R18, RZ");
  for (unsigned k = 0; k < 7u; k++) wg_rnd_asm(g, "@P%u LOP3 R18, R18, 0x%x, RZ, 0xfc", k, 1u << k);
  wg_rnd_asm(g, "STG.E [R4+0x%x], R18", 14u * step);
}

/* ---- units ---- */

static void units(wg_rnd_gen_t *g, wg_rnd_where_t w, uint32_t n);

/* A predicate for a branch: one that is around, or a fresh compare. @return its text, "@P5" or the like */
static const char *condition(wg_rnd_gen_t *g, char buf[16]) {
  wg_rnd_t *r = &g->r;
  unsigned p = wg_rnd_below(r, kWgRndPredPool);
  if (wg_rnd_percent(r, 60u)) {
    static const char *const kCmp[] = {"LT", "GE", "EQ", "NE", "GT"};
    p = kWgRndPredIf;
    if (wg_rnd_percent(r, 50u)) {
      wg_rnd_asm(g, "LOP3 R18, R0, 0x%x, RZ, 0xc0", wg_rnd_below(r, 32u));
      wg_rnd_asm(g, "ISETP.NE.AND P5, PT, R18, 0x%x, PT", wg_rnd_below(r, 8u));
    } else {
      wg_rnd_asm(g, "ISETP.%s.AND P5, PT, R%u, R%u, PT", kCmp[wg_rnd_below(r, 5u)], wg_rnd_reg(g, 1u),
                 wg_rnd_reg(g, 1u));
    }
  }
  snprintf(buf, 16, "@%sP%u", wg_rnd_percent(r, 50u) ? "!" : "", p);
  return buf;
}

static void unit_if(wg_rnd_gen_t *g, wg_rnd_where_t w) {
  char text[32], cond[16], open[16];
  uint32_t mine = g->unit, b = wg_rnd_breg(g);
  int other = wg_rnd_new_label(g), join = wg_rnd_new_label(g);
  bool has_else = wg_rnd_percent(&g->r, 60u);
  snprintf(open, sizeof open, "BSSY B%u,", b);
  bool first = wg_rnd_percent(&g->r, 50u);
  if (first) wg_rnd_branch(g, open, join);
  snprintf(text, sizeof text, "%s BRA", condition(g, cond));
  if (!first) wg_rnd_branch(g, open, join);
  wg_rnd_branch(g, text, has_else ? other : join);
  wg_rnd_where_t in = {w.depth + 1u, w.loops, false};
  g->open_b |= (uint16_t)(1u << b);
  units(g, in, wg_rnd_range(&g->r, 1u, 5u));
  g->unit = mine;
  if (has_else) {
    wg_rnd_branch(g, "BRA", join);
    wg_rnd_place(g, other);
    units(g, in, wg_rnd_range(&g->r, 1u, 4u));
    g->unit = mine;
  }
  g->open_b &= (uint16_t) ~(1u << b);
  wg_rnd_place(g, join);
  wg_rnd_asm(g, "BSYNC B%u", b);
}

/* Nested conditions up to the depth that the stack holds. */
static void unit_deep(wg_rnd_gen_t *g, wg_rnd_where_t w) {
  uint32_t n = wg_rnd_range(&g->r, 6u, 16u - 2u * w.depth - w.loops - 1u);
  int join[16];
  uint32_t b[16];
  uint16_t outside = g->open_b;
  for (uint32_t i = 0; i < n; i++) {
    b[i] = wg_rnd_breg(g);
    g->open_b |= (uint16_t)(1u << b[i]);
    join[i] = wg_rnd_new_label(g);
    wg_rnd_asm(g, "ISETP.GE.U32.AND P5, PT, R0, 0x%x, PT", wg_rnd_below(&g->r, 40u));
    char open[16];
    snprintf(open, sizeof open, "BSSY B%u,", b[i]);
    wg_rnd_branch(g, open, join[i]);
    wg_rnd_branch(g, wg_rnd_percent(&g->r, 50u) ? "@P5 BRA" : "@!P5 BRA", join[i]);
    wg_rnd_any(g, kWgOp_IADD3);
  }
  for (uint32_t i = n; i-- > 0u;) {
    wg_rnd_place(g, join[i]);
    wg_rnd_asm(g, "BSYNC B%u", b[i]);
  }
  g->open_b = outside;
}

static void unit_loop(wg_rnd_gen_t *g, wg_rnd_where_t w) {
  static const uint32_t kMask[3] = {7, 3, 1};
  uint32_t mine = g->unit, b = wg_rnd_breg(g), c = kWgRndRegLoop + w.loops;
  int top = wg_rnd_new_label(g), join = wg_rnd_new_label(g);
  bool by_lane = wg_rnd_percent(&g->r, 60u);
  uint32_t trips = g->trips, n = by_lane ? kMask[w.loops] : wg_rnd_range(&g->r, 1u, kMask[w.loops] + 1u);
  char open[16];
  snprintf(open, sizeof open, "BSSY B%u,", b);
  if (by_lane) {
    wg_rnd_asm(g, "LOP3 R%u, R%u, 0x%x, RZ, 0xc0", c, wg_rnd_percent(&g->r, 50u) ? wg_rnd_reg(g, 1u) : kWgRndRegTid,
               kMask[w.loops]);
    wg_rnd_branch(g, open, join);
  } else {
    wg_rnd_asm(g, "MOV R%u, 0x%x", c, n);
  }
  g->trips *= n;
  if (by_lane) g->open_b |= (uint16_t)(1u << b);
  wg_rnd_place(g, top);
  units(g, (wg_rnd_where_t){w.depth + 1u, w.loops + 1u, w.uniform && !by_lane}, wg_rnd_range(&g->r, 1u, 5u));
  g->unit = mine;
  wg_rnd_asm(g, "IADD3 R%u, R%u, -1, RZ", c, c);
  wg_rnd_asm(g, "ISETP.GT.AND P6, PT, R%u, RZ, PT", c);
  wg_rnd_branch(g, !by_lane && wg_rnd_percent(&g->r, 50u) ? "@P6 BRA.U" : "@P6 BRA", top);
  g->trips = trips;
  wg_rnd_place(g, join);
  if (by_lane) wg_rnd_asm(g, "BSYNC B%u", b);
  if (by_lane) g->open_b &= (uint16_t) ~(1u << b);
}

/* Whole warps, or blocks, go around. */
static void unit_skip(wg_rnd_gen_t *g, wg_rnd_where_t w) {
  uint32_t mine = g->unit;
  int join = wg_rnd_new_label(g);
  wg_rnd_asm(g, "LOP3 R18, R12, 0x%x, RZ, 0xc0", wg_rnd_below(&g->r, 8u));
  wg_rnd_asm(g, "ISETP.%s.AND P5, PT, R18, 0x%x, PT", wg_rnd_percent(&g->r, 50u) ? "NE" : "GE",
             wg_rnd_below(&g->r, 4u));
  wg_rnd_branch(g, wg_rnd_percent(&g->r, 50u) ? "@P5 BRA.U" : "@!P5 BRA", join);
  units(g, (wg_rnd_where_t){w.depth + 1u, w.loops, false}, wg_rnd_range(&g->r, 1u, 4u));
  g->unit = mine;
  wg_rnd_place(g, join);
}

static void unit_exit(wg_rnd_gen_t *g) {
  wg_rnd_t *r = &g->r;
  uint32_t how = wg_rnd_below(r, 4u);
  if (how == 0u) { /* few lanes */
    wg_rnd_asm(g, "ISETP.EQ.AND P5, PT, R0, 0x%x, PT", wg_rnd_below(r, g->threads));
  } else if (how == 1u) {
    wg_rnd_asm(g, "LOP3 R18, R0, 0x%x, RZ, 0xc0", wg_rnd_range(r, 1u, 31u));
    wg_rnd_asm(g, "ISETP.EQ.AND P5, PT, R18, 0x%x, PT", wg_rnd_below(r, 16u));
  } else if (how == 2u) { /* warps */
    wg_rnd_asm(g, "ISETP.EQ.AND P5, PT, R12, 0x%x, PT", wg_rnd_below(r, g->warps));
  } else {
    wg_rnd_asm(g, "ISETP.EQ.AND P5, PT, R%u, R%u, PT", wg_rnd_reg(g, 1u), wg_rnd_reg(g, 1u));
  }
  wg_rnd_asm(g, "@P5 EXIT");
}

static void one_unit(wg_rnd_gen_t *g, wg_rnd_where_t w) {
  uint32_t weight[kWgRndKindCount];
  memcpy(weight, g->opts.weight, sizeof weight);
  if (w.depth >= 5u) weight[kWgRndIf] = weight[kWgRndSkip] = 0u;
  if (w.depth >= 5u || w.loops >= 3u) weight[kWgRndLoop] = 0u;
  if (!w.uniform) weight[kWgRndBar] = 0u;
  if (!g->exits) weight[kWgRndExit] = 0u;
  if (g->p->local == 0u) weight[kWgRndLocal] = 0u;
  wg_rnd_kind_t k = (wg_rnd_kind_t)pick(&g->r, weight, kWgRndKindCount);
  next_unit(g);
  if (wg_rnd_percent(&g->r, 8u)) wg_rnd_new_hot(g);
  switch (k) {
    case kWgRndGlobal: wg_rnd_unit_global(g); break;
    case kWgRndShared: wg_rnd_unit_shared(g); break;
    case kWgRndLocal: wg_rnd_unit_local(g); break;
    case kWgRndBurst: wg_rnd_unit_burst(g); break;
    case kWgRndIf:
      if (w.depth < 3u && wg_rnd_percent(&g->r, 6u)) unit_deep(g, w);
      else unit_if(g, w);
      break;
    case kWgRndLoop: unit_loop(g, w); break;
    case kWgRndSkip:
      if (wg_rnd_percent(&g->r, 40u)) wg_rnd_unit_control(g, w);
      else unit_skip(g, w);
      break;
    case kWgRndExit: unit_exit(g); break;
    case kWgRndBar: wg_rnd_unit_bar(g); break;
    default: wg_rnd_unit_alu(g, k); break;
  }
}

static void units(wg_rnd_gen_t *g, wg_rnd_where_t w, uint32_t n) {
  for (uint32_t i = 0; i < n && (g->budget > 0 || i == 0u); i++) {
    g->budget--;
    one_unit(g, w);
  }
}

static void body(wg_rnd_gen_t *g) {
  wg_rnd_where_t top = {0, 0, true};
  uint32_t n = wg_rnd_range(&g->r, g->opts.size / 4u + 1u, g->opts.size);
  g->budget = (int)(2u * n);
  if (g->p->judged != kWgRndFault) {
    units(g, top, n);
    return;
  }
  uint32_t before = wg_rnd_below(&g->r, n + 1u);
  units(g, top, before);
  wg_rnd_unit_fault(g);
  g->budget += 4;
  units(g, top, n - before);
}

/* Fewer blocks where loops make the program long. Addresses still follow from the larger grid. */
static void bound_work(wg_rnd_gen_t *g) {
  uint32_t *d = g->p->grid;
  while (d[0] * d[1] * d[2] > 1u && g->cost * g->warps * d[0] * d[1] * d[2] > kMaxWork) {
    unsigned at = d[2] > 1u ? 2u : d[1] > 1u ? 1u : 0u;
    d[at] /= 2u;
  }
}

void wg_rnd_generate(uint64_t seed, const wg_rnd_opts_t *opts, wg_rnd_prog_t *p) {
  wg_rnd_gen_t g;
  memset(&g, 0, sizeof g);
  memset(p, 0, sizeof *p);
  g.r.s = seed * UINT64_C(0x2545f4914f6cdd1d) + 0x1234567u;
  g.p = p;
  g.opts = *opts;
  g.trips = 1u;
  p->seed = seed;
  p->judged = (wg_rnd_class_t)pick(&g.r, opts->weight_class, kWgRndClassCount);
  for (unsigned k = 0; k < kWgRndKindCount; k++) { /* each program leaves out some kinds and has more of others */
    if (wg_rnd_percent(&g.r, 20u)) g.opts.weight[k] = 0u;
    else if (wg_rnd_percent(&g.r, 15u)) g.opts.weight[k] *= 4u;
  }
  block_shape(&g);
  if (p->judged == kWgRndFault && g.opts.max_blocks > 4u) g.opts.max_blocks = 4u;
  grid_shape(&g);
  g.exits = p->judged != kWgRndFault && wg_rnd_percent(&g.r, 40u);
  g.control = wg_rnd_percent(&g.r, 25u);
  g.pool_end = kWgRndRegPool + wg_rnd_range(&g.r, 8u, wg_rnd_percent(&g.r, 85u) ? 24u : 44u);
  if (g.warps <= 8u && wg_rnd_percent(&g.r, 5u)) g.pool_end = wg_rnd_range(&g.r, 64u, 124u);
  if (g.warps <= 4u && wg_rnd_percent(&g.r, 4u)) g.pool_end = wg_rnd_range(&g.r, 124u, 252u);
  p->regs = g.pool_end;
  p->local = wg_rnd_percent(&g.r, 50u) ? 0u : 8u << wg_rnd_below(&g.r, 4u);
  p->launches = wg_rnd_percent(&g.r, 10u) ? 2u : 1u;
  buffers(&g);
  shared_layout(&g);
  wg_rnd_new_hot(&g);
  wg_rnd_prologue(&g);
  body(&g);
  wg_rnd_epilogue(&g);
  next_unit(&g);
  wg_rnd_asm(&g, "EXIT");
  if (p->judged != kWgRndFault) bound_work(&g); /* the faulting block stays */
}
