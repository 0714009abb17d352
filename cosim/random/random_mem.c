// SPDX-License-Identifier: Apache-2.0
//
// Units that touch memory or meet at barriers. Addresses are masked into a window right before their use, so that any
// operand, racy or not, gives a legal one.
#include <string.h>

#include "cosim/random/random.h"
#include "isa/wg_cfg.h"

static const char *const kSize[7] = {".U8", ".S8", ".U16", ".S16", "", ".64", ".128"};
static const unsigned kBytes[7] = {1, 1, 2, 2, 4, 8, 16};
static const char *const kCache[4] = {"", ".CG", ".CV", ".NC"};

/** Where an access goes. */
typedef enum space { kGlobal, kShared, kLocal } space_t;
typedef struct place {
  space_t space;
  uint8_t base;           /* register (pair) with the first byte of the window; RZ: shared or local memory from 0 */
  uint32_t window;        /* bytes, a power of two */
  int32_t imm_lo, imm_hi; /* immediate offsets that are legal with every offset in the window */
  uint32_t caches;        /* values of MCACHE for loads: the first `caches` */
} place_t;

static place_t global_place(wg_rnd_gen_t *g, bool store) {
  uint32_t how = wg_rnd_below(&g->r, 100u);
  if (g->p->judged == kWgRndRacy && how < 55u)
    return (place_t){kGlobal, kWgRndRegAny, g->any_bytes, -kWgRndSlack, kWgRndSlack - 16, 4u};
  int32_t half = (int32_t)(g->own_bytes / 2u);
  if (store || how >= 70u) return (place_t){kGlobal, kWgRndRegOwn, g->own_bytes, -half, half - 16, 3u};
  return (place_t){kGlobal, kWgRndRegRo, g->ro_bytes, -kWgRndSlack, kWgRndSlack - 16, 4u};
}

static place_t shared_place(wg_rnd_gen_t *g) {
  if (g->p->judged == kWgRndRacy && wg_rnd_percent(&g->r, 55u))
    return (place_t){kShared, kWgRZ, g->sany_bytes, 0, (int32_t)g->sany_bytes - 16, 0u};
  int32_t half = (int32_t)(g->sown_bytes / 2u);
  return (place_t){kShared, kWgRndRegSown, g->sown_bytes, -half, half - 16, 0u};
}

static place_t local_place(const wg_rnd_gen_t *g) {
  uint32_t half = g->p->local / 2u;
  return (place_t){kLocal, kWgRZ, half, 0, (int32_t)half - 4, 0u};
}

/* Offset of each lane into R18: a multiple of `bytes` inside the window. */
static void offset(wg_rnd_gen_t *g, const place_t *pl, unsigned bytes) {
  static const uint32_t kStride[] = {4, 8, 12, 16, 20, 32, 36, 64, 96, 128, 132, 256, 512, 1024, 2048, 4096, 8192};
  wg_rnd_t *r = &g->r;
  uint32_t mask = (pl->window - 1u) & ~(bytes - 1u);
  uint32_t start = wg_rnd_u32(r) & mask;
  uint32_t stride = wg_rnd_percent(r, 40u) ? bytes : kStride[wg_rnd_below(r, sizeof kStride / sizeof kStride[0])];
  switch (wg_rnd_below(r, 8u)) {
    case 0: /* all lanes the same */ wg_rnd_asm(g, "MOV R18, 0x%x", start); return;
    case 1: /* each warp its own */ wg_rnd_asm(g, "IMAD R18, R12, 0x%x, RZ", stride); break;
    case 2: /* groups of lanes the same */
      wg_rnd_asm(g, "SHF.R.U32.HI R18, RZ, 0x%x, R0", wg_rnd_range(r, 1u, 4u));
      wg_rnd_asm(g, "IMAD R18, R18, 0x%x, RZ", stride);
      break;
    case 3: /* permuted inside a few lines */
      wg_rnd_asm(g, "LOP3 R18, R0, 0x%x, RZ, 0x3c", wg_rnd_below(r, 32u));
      wg_rnd_asm(g, "IMAD R18, R18, 0x%x, RZ", wg_rnd_percent(r, 50u) ? bytes : stride);
      break;
    case 4:
    case 5: /* whatever a register holds */
      wg_rnd_asm(g, "LOP3 R18, R%u, 0x%x, RZ, 0xc0", wg_rnd_reg(g, 1u), mask);
      return;
    default: wg_rnd_asm(g, "IMAD R18, R0, 0x%x, RZ", stride); break;
  }
  if (wg_rnd_percent(r, 40u)) wg_rnd_asm(g, "IADD3 R18, R18, 0x%x, RZ", start);
  wg_rnd_asm(g, "LOP3 R18, R18, 0x%x, RZ, 0xc0", mask);
}

static int32_t immediate(wg_rnd_gen_t *g, const place_t *pl, unsigned bytes) {
  if (wg_rnd_percent(&g->r, 40u)) return 0;
  int32_t lo = (pl->imm_lo + (int32_t)bytes - 1) / (int32_t)bytes, hi = pl->imm_hi / (int32_t)bytes;
  return (lo + (int32_t)wg_rnd_below(&g->r, (uint32_t)(hi - lo + 1))) * (int32_t)bytes;
}

/* An access at the address that R10 (and R11) hold; without a base: R18. */
static void access(wg_rnd_gen_t *g, const place_t *pl, bool store, unsigned size) {
  static const char *const kLoad[3] = {"LDG.E", "LDS", "LDL"}, *const kStore[3] = {"STG.E", "STS", "STL"};
  unsigned align = kBytes[size] > 4u ? kBytes[size] / 4u : 1u;
  int32_t imm = immediate(g, pl, kBytes[size]);
  char mem[40], name[24];
  snprintf(mem, sizeof mem, "[R%u%c0x%x]", pl->base == kWgRZ ? kWgRndRegOff : kWgRndRegAddr, imm < 0 ? '-' : '+',
           (unsigned)(imm < 0 ? -imm : imm));
  if (pl->base == kWgRZ && wg_rnd_percent(&g->r, 10u)) snprintf(mem, sizeof mem, "[0x%x]", (unsigned)imm);
  uint32_t cache = pl->caches == 0u || wg_rnd_percent(&g->r, 50u) ? 0u : wg_rnd_below(&g->r, store ? 3u : pl->caches);
  snprintf(name, sizeof name, "%s%s%s", (store ? kStore : kLoad)[pl->space], kSize[size],
           pl->space == kGlobal ? kCache[cache] : "");
  uint32_t reg = wg_rnd_percent(&g->r, 3u) ? kWgRZ : wg_rnd_reg(g, align);
  char reg_name[8] = "RZ";
  if (reg != kWgRZ) snprintf(reg_name, sizeof reg_name, "R%u", reg);
  wg_insn_t *in =
      store ? wg_rnd_asm(g, "%s %s, %s", name, mem, reg_name) : wg_rnd_asm(g, "%s %s, %s", name, reg_name, mem);
  wg_rnd_guard(g, in, 25u);
}

static void address(wg_rnd_gen_t *g, const place_t *pl, unsigned bytes) {
  offset(g, pl, bytes);
  if (pl->space == kGlobal) wg_rnd_asm(g, "IMAD.WIDE.U32 R10, R18, 0x1, R%u", pl->base);
  else if (pl->base != kWgRZ) wg_rnd_asm(g, "IADD3 R10, R18, R%u, RZ", pl->base);
}

/* What often follows an access at once: use of the result, a new value for its data or address. */
static void follow(wg_rnd_gen_t *g) {
  const wg_insn_t last = g->p->item[g->p->num_items - 1u].in;
  bool store = last.op == kWgOp_STG || last.op == kWgOp_STS || last.op == kWgOp_STL;
  uint8_t reg = store ? last.rc : last.rd;
  switch (wg_rnd_below(&g->r, 6u)) {
    case 0:
      if (reg != kWgRZ) wg_rnd_asm(g, "IADD3 R%u, R%u, R%u, RZ", wg_rnd_reg(g, 1u), reg, wg_rnd_reg(g, 1u));
      break;
    case 1:
      if (reg != kWgRZ) wg_rnd_asm(g, "MOV R%u, 0x%x", reg, wg_rnd_value(&g->r));
      break;
    case 2: wg_rnd_asm(g, "MOV R10, 0x%x", wg_rnd_value(&g->r)); break;
    case 3: wg_rnd_asm(g, "MOV R11, R%u", wg_rnd_reg(g, 1u)); break;
    default: break;
  }
}

static place_t place_of(wg_rnd_gen_t *g, space_t space, bool store) {
  return space == kGlobal ? global_place(g, store) : space == kShared ? shared_place(g) : local_place(g);
}

/* ---- atomics, generic and constant accesses, matrices, barriers of memory ---- */

/* An operation and a type that exist together, as suffixes. @param[out] bytes of an element; @return data registers */
static unsigned atomic(wg_rnd_gen_t *g, bool shared, char *suffix, size_t n, unsigned *bytes) {
  static const char *const kInt[4] = {".U32", ".S32", ".U64", ".S64"};
  static const char *const kOp[10] = {".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR", ".EXCH", ".CAS"};
  static const char *const kFloat[6] = {".F32", ".F64", ".F16X2", ".BF16X2", ".F16", ".BF16"};
  static const uint8_t kFloatBytes[6] = {4, 8, 4, 4, 2, 2};
  if (!shared && wg_rnd_percent(&g->r, 30u)) {
    uint32_t t = wg_rnd_below(&g->r, 6u);
    snprintf(suffix, n, "%s.ADD", kFloat[t]);
    *bytes = kFloatBytes[t];
    return *bytes == 8u ? 2u : 1u;
  }
  if (wg_rnd_percent(&g->r, 8u)) {
    snprintf(suffix, n, ".U16.CAS");
    *bytes = 2u;
    return 2u;
  }
  uint32_t op = wg_rnd_below(&g->r, 10u), t = op == 3u || op == 4u ? 0u : wg_rnd_below(&g->r, 4u);
  snprintf(suffix, n, "%s%s", kInt[t], kOp[op]);
  *bytes = t < 2u ? 4u : 8u;
  return (t < 2u ? 1u : 2u) * (op == 9u ? 2u : 1u);
}

static void one_atomic(wg_rnd_gen_t *g, space_t space) {
  char suffix[24];
  unsigned bytes, words = atomic(g, space == kShared, suffix, sizeof suffix, &bytes);
  place_t pl = place_of(g, space, true);
  address(g, &pl, bytes);
  unsigned data = wg_rnd_reg(g, words), base = pl.base == kWgRZ ? kWgRndRegOff : kWgRndRegAddr;
  bool red = space == kGlobal && wg_rnd_percent(&g->r, 40u);
  wg_insn_t *in;
  if (red)
    in = wg_rnd_asm(g, "RED.E%s [R%u], R%u", suffix, base, data);
  else
    in = wg_rnd_asm(g, "%s%s R%u, [R%u], R%u", space == kShared ? "ATOMS" : "ATOMG.E", suffix,
                    wg_rnd_reg(g, bytes == 8u ? 2u : 1u), base, data);
  wg_rnd_guard(g, in, 25u);
}

/* Some lanes on shared or local memory, the others on global memory. */
static void one_generic(wg_rnd_gen_t *g) {
  bool store = wg_rnd_percent(&g->r, 45u), atom = wg_rnd_percent(&g->r, 20u);
  bool local = !atom && g->p->local != 0u && wg_rnd_percent(&g->r, 30u);
  unsigned size = wg_rnd_below(&g->r, local ? 5u : 7u), bytes = kBytes[size];
  place_t gl = place_of(g, kGlobal, true), other = local ? local_place(g) : shared_place(g);
  if (atom) bytes = 4u;
  if (other.window < gl.window) gl.window = other.window;
  address(g, &gl, bytes);
  uint32_t p = wg_rnd_percent(&g->r, 30u) ? kWgPT : wg_rnd_below(&g->r, kWgRndPredPool);
  wg_insn_t *in[2];
  if (other.base != kWgRZ) in[0] = wg_rnd_asm(g, "IADD3 R10, R18, R%u, RZ", other.base);
  else in[0] = wg_rnd_asm(g, "MOV R10, R18");
  in[0]->guard = (uint8_t)p;
  in[1] = wg_rnd_asm(g, "MOV R11, 0x%x", local ? 2u : 1u);
  in[1]->guard = (uint8_t)p;
  unsigned reg = wg_rnd_reg(g, bytes > 4u ? bytes / 4u : 1u);
  wg_insn_t *last;
  if (atom) last = wg_rnd_asm(g, "ATOM.E.U32.%s R%u, [R10], R%u", store ? "ADD" : "XOR", wg_rnd_reg(g, 1u), reg);
  else if (store) last = wg_rnd_asm(g, "ST.E%s [R10], R%u", kSize[size], reg);
  else last = wg_rnd_asm(g, "LD.E%s R%u, [R10]", kSize[size], reg);
  wg_rnd_guard(g, last, 25u);
}

static void one_constant(wg_rnd_gen_t *g) {
  unsigned size = wg_rnd_below(&g->r, 7u), bytes = kBytes[size];
  wg_rnd_asm(g, "LOP3 R18, R%u, 0x%x, RZ, 0xc0", wg_rnd_reg(g, 1u), 0x7fu & ~(bytes - 1u));
  wg_insn_t *in = wg_rnd_asm(g, "LDC%s R%u, c[0x0][R18+0x%x]", kSize[size], wg_rnd_reg(g, bytes > 4u ? bytes / 4u : 1u),
                             wg_rnd_below(&g->r, 8u) * 16u);
  wg_rnd_guard(g, in, 25u);
}

static void one_matrix(wg_rnd_gen_t *g) {
  uint32_t n = wg_rnd_below(&g->r, 3u);
  place_t pl = shared_place(g);
  address(g, &pl, 16u);
  wg_insn_t *in = wg_rnd_asm(g, "LDSM.%u%s R%u, [R%u]", 1u << n, wg_rnd_percent(&g->r, 50u) ? ".T" : "",
                             wg_rnd_reg(g, 1u << n), pl.base == kWgRZ ? kWgRndRegOff : kWgRndRegAddr);
  wg_rnd_guard(g, in, 25u);
}

static void one_fence(wg_rnd_gen_t *g) {
  static const char *const kFence[4] = {"MEMBAR.CTA", "MEMBAR.GPU", "MEMBAR.SYS", "CCTL.IVALL"};
  wg_rnd_guard(g, wg_rnd_asm(g, "%s", kFence[wg_rnd_below(&g->r, 4u)]), 25u);
}

static void other(wg_rnd_gen_t *g, space_t space) {
  bool shared = g->shared_bytes != 0u;
  switch (wg_rnd_below(&g->r, 10u)) {
    case 0: one_fence(g); break;
    case 1: one_constant(g); break;
    case 2:
    case 3:
    case 4:
      if (shared) one_generic(g);
      break;
    case 5:
      if (shared) one_matrix(g);
      break;
    default: one_atomic(g, space == kShared ? kShared : kGlobal); break;
  }
}

static void one(wg_rnd_gen_t *g, space_t space) {
  if (wg_rnd_percent(&g->r, 30u)) {
    other(g, space);
    return;
  }
  bool store = wg_rnd_percent(&g->r, 45u);
  unsigned size = wg_rnd_below(&g->r, space == kLocal ? 5u : 7u);
  place_t pl = place_of(g, space, store);
  address(g, &pl, kBytes[size]);
  access(g, &pl, store, size);
  follow(g);
}

void wg_rnd_unit_global(wg_rnd_gen_t *g) { one(g, kGlobal); }
void wg_rnd_unit_shared(wg_rnd_gen_t *g) { one(g, kShared); }
void wg_rnd_unit_local(wg_rnd_gen_t *g) { one(g, kLocal); }

void wg_rnd_unit_burst(wg_rnd_gen_t *g) {
  uint32_t how = wg_rnd_below(&g->r, 10u);
  space_t space = how == 0u && g->p->local != 0u ? kLocal : how < 3u ? kShared : kGlobal;
  unsigned sizes = space == kLocal ? 5u : 7u, align = space == kLocal ? 4u : 16u;
  uint32_t stores = wg_rnd_below(&g->r, 4u) * 33u; /* per cent */
  uint32_t n = wg_rnd_range(&g->r, 3u, 9u);
  place_t pl = place_of(g, space, stores != 0u);
  unsigned size = wg_rnd_below(&g->r, sizes);
  address(g, &pl, align);
  for (uint32_t i = 0; i < n; i++) {
    if (wg_rnd_percent(&g->r, 30u)) size = wg_rnd_below(&g->r, sizes);
    access(g, &pl, wg_rnd_percent(&g->r, stores), size);
    if (wg_rnd_percent(&g->r, 15u)) address(g, &pl, align); /* another set of lines */
  }
}

/* ---- barriers ---- */

/* Numbers below this one are for whole blocks, the others for parts: a warp that runs ahead must not meet an older
   generation with another count. */
enum { kBlockBars = 7 };

/* BAR with its number, and its count if not 0, as immediates or in registers R18, R10. */
static wg_insn_t *bar(wg_rnd_gen_t *g, const char *mode, uint32_t id, uint32_t count) {
  char n[16], c[16] = "";
  snprintf(n, sizeof n, "0x%x", id);
  if (wg_rnd_percent(&g->r, 30u)) {
    wg_rnd_asm(g, "MOV R18, 0x%x", id);
    snprintf(n, sizeof n, "R18");
  }
  if (count != 0u && wg_rnd_percent(&g->r, 30u)) {
    wg_rnd_asm(g, "MOV R10, 0x%x", count);
    snprintf(c, sizeof c, ", R10");
  } else if (count != 0u) {
    snprintf(c, sizeof c, ", %u", count);
  }
  return wg_rnd_asm(g, "BAR.%s %s%s", mode, n, c);
}

/* A thread of the block below `limit`, as a function of this thread, into R18. */
static void partner(wg_rnd_gen_t *g, uint32_t limit) {
  wg_rnd_asm(g, "LOP3 R18, R0, 0x%x, RZ, 0x3c", wg_rnd_below(&g->r, 2u * g->threads));
  wg_rnd_asm(g, "IMNMX.U32 R18, R18, 0x%x, PT", limit - 1u);
}

static void exchange_shared(wg_rnd_gen_t *g) {
  unsigned size = wg_rnd_range(&g->r, 4u, 6u), align = kBytes[size] / 4u;
  wg_rnd_asm(g, "IMAD R10, R0, 0x10, RZ");
  wg_rnd_asm(g, "STS%s [R10+0x%x], R%u", kSize[size], g->exch_base, wg_rnd_reg(g, align));
  bar(g, "SYNC", wg_rnd_below(&g->r, kBlockBars), 0u);
  partner(g, g->threads);
  wg_rnd_asm(g, "IMAD R18, R18, 0x10, RZ");
  wg_rnd_asm(g, "LDS%s R%u, [R18+0x%x]", kSize[size], wg_rnd_reg(g, align), g->exch_base);
  bar(g, "SYNC", wg_rnd_below(&g->r, kBlockBars), 0u);
}

static void exchange_global(wg_rnd_gen_t *g) {
  const char *cache = kCache[wg_rnd_below(&g->r, 3u)];
  wg_rnd_asm(g, "STG.E%s [R4], R%u", cache, wg_rnd_reg(g, 1u));
  bar(g, "SYNC", wg_rnd_below(&g->r, kBlockBars), 0u);
  partner(g, g->threads);
  wg_rnd_asm(g, "IADD3 R18, R18, -R0, RZ");
  wg_rnd_asm(g, "IMAD.WIDE R10, R18, 0x4, R4");
  wg_rnd_asm(g, "LDG.E%s R%u, [R10]", kCache[wg_rnd_below(&g->r, 3u)], wg_rnd_reg(g, 1u));
  bar(g, "SYNC", wg_rnd_below(&g->r, kBlockBars), 0u);
}

/* Warps in groups of `k`, each group at its own barrier. */
static void groups(wg_rnd_gen_t *g) {
  uint32_t shift = wg_rnd_below(&g->r, 3u), k = 1u << shift;
  while (k > 1u && g->warps % k != 0u) k >>= 1, shift--;
  uint32_t n = g->warps / k;
  if (n > kWgBarriers - kBlockBars) return;
  uint32_t id = kBlockBars + wg_rnd_below(&g->r, kWgBarriers - kBlockBars - n + 1u);
  wg_rnd_asm(g, "SHF.R.U32.HI R18, RZ, 0x%x, R12", shift);
  wg_rnd_asm(g, "IADD3 R18, R18, 0x%x, RZ", id);
  if (wg_rnd_percent(&g->r, 50u)) {
    wg_rnd_asm(g, "BAR.SYNC R18, %u", 32u * k);
  } else {
    wg_rnd_asm(g, "MOV R10, 0x%x", 32u * k);
    wg_rnd_asm(g, "BAR.SYNC R18, R10");
  }
  bar(g, "SYNC", wg_rnd_below(&g->r, kBlockBars), 0u); /* numbers of groups are free again */
}

static void producers(wg_rnd_gen_t *g) {
  uint32_t h = wg_rnd_range(&g->r, 1u, g->warps - 1u), id = kBlockBars + wg_rnd_below(&g->r, kWgBarriers - kBlockBars);
  wg_rnd_asm(g, "ISETP.LT.U32.AND P5, PT, R12, 0x%x, PT", h);
  wg_rnd_asm(g, "IMAD R10, R0, 0x10, RZ");
  wg_rnd_asm(g, "@P5 STS [R10+0x%x], R%u", g->exch_base, wg_rnd_reg(g, 1u));
  wg_insn_t *arv = bar(g, "ARV", id, 32u * g->warps);
  arv->guard = kWgRndPredIf;
  wg_insn_t *sync = bar(g, "SYNC", id, 32u * g->warps);
  sync->guard = kWgRndPredIf;
  sync->guard_not = true;
  partner(g, 32u * h);
  wg_rnd_asm(g, "IMAD R18, R18, 0x10, RZ");
  wg_rnd_asm(g, "@!P5 LDS R%u, [R18+0x%x]", wg_rnd_reg(g, 1u), g->exch_base);
  bar(g, "SYNC", wg_rnd_below(&g->r, kBlockBars), 0u);
}

void wg_rnd_unit_bar(wg_rnd_gen_t *g) {
  uint32_t id = wg_rnd_below(&g->r, kBlockBars);
  switch (wg_rnd_below(&g->r, 8u)) {
    case 0: bar(g, "SYNC", id, 0u); break;
    case 1: exchange_global(g); break;
    case 2:
      if (!g->exits) bar(g, "SYNC", id, 32u * g->warps);
      else bar(g, "SYNC", id, 0u);
      break;
    case 3:
      if (!g->exits) groups(g);
      break;
    case 4:
      if (!g->exits && g->warps > 1u) producers(g);
      break;
    case 5: wg_rnd_bar_red(g, id); break;
    default: exchange_shared(g); break;
  }
}
