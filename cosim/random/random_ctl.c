// SPDX-License-Identifier: Apache-2.0
//
// Random programs: control instructions other than branches: yields, sleeps, calls, indirect branches, convergence barriers
// by hand, WARPSYNC, barrier reductions. Each does the same in both divergence modes, but for values in the sink register.
#include "cosim/random/random.h"

uint32_t wg_rnd_breg(wg_rnd_gen_t *g) {
  uint32_t b = wg_rnd_below(&g->r, 16u);
  while ((g->open_b >> b & 1u) != 0u) b = (b + 1u) % 16u;
  return b;
}

static void sleep_a_while(wg_rnd_gen_t *g) {
  uint32_t ns = wg_rnd_below(&g->r, 60u);
  if (wg_rnd_percent(&g->r, 50u)) {
    wg_rnd_guard(g, wg_rnd_asm(g, "NANOSLEEP 0x%x", ns), 40u);
    return;
  }
  wg_rnd_asm(g, "MOV R18, 0x%x", ns);
  wg_rnd_guard(g, wg_rnd_asm(g, "NANOSLEEP R18"), 40u);
}

/* A function behind the unit's code; the link is in R18, which its body leaves alone. */
static void call(wg_rnd_gen_t *g) {
  int fn = wg_rnd_new_label(g), over = wg_rnd_new_label(g);
  uint32_t calls = wg_rnd_range(&g->r, 1u, 3u);
  for (uint32_t i = 0; i < calls; i++) {
    wg_rnd_branch(g, "CALL R18,", fn);
    wg_rnd_any(g, kWgOp_LOP3);
  }
  wg_rnd_branch(g, "BRA", over);
  wg_rnd_place(g, fn);
  wg_rnd_any(g, kWgOp_IADD3);
  wg_rnd_asm(g, "RET R18");
  wg_rnd_place(g, over);
}

/* To the word behind the next one. */
static void indirect(wg_rnd_gen_t *g) {
  int here = wg_rnd_new_label(g);
  wg_rnd_branch(g, "CALL R18,", here);
  wg_rnd_place(g, here);
  wg_rnd_asm(g, "IADD3 R18, R18, 0x30, RZ");
  wg_rnd_asm(g, "BRX R18");
  wg_rnd_any(g, kWgOp_IADD3);
}

/* A convergence barrier that no code around uses. */
static void breg_by_hand(wg_rnd_gen_t *g) {
  uint32_t b = wg_rnd_breg(g);
  switch (wg_rnd_below(&g->r, 4u)) {
    case 0: wg_rnd_guard(g, wg_rnd_asm(g, "BREAK B%u", b), 50u); break;
    case 3: {
      int join = wg_rnd_new_label(g);
      char open[24];
      snprintf(open, sizeof open, "BSSY.RD R19, B%u,", b);
      wg_rnd_branch(g, open, join);
      wg_rnd_any(g, kWgOp_IADD3);
      wg_rnd_place(g, join);
      wg_rnd_asm(g, "BSYNC B%u", b);
      break;
    }
    case 1: wg_rnd_guard(g, wg_rnd_asm(g, "BMOV.RD R19, B%u", b), 50u); break;
    default: wg_rnd_asm(g, "BMOV.WR B%u, R%u", b, wg_rnd_reg(g, 1u)); break;
  }
}

/* Lanes that are together wait for nobody. */
static void warpsync(wg_rnd_gen_t *g, bool together) {
  if (!together) {
    wg_rnd_asm(g, "WARPSYNC 0x0");
  } else if (wg_rnd_percent(&g->r, 50u)) {
    wg_rnd_asm(g, "WARPSYNC 0xffffffff");
  } else {
    wg_rnd_asm(g, "MOV R18, 0xffffffff");
    wg_rnd_asm(g, "WARPSYNC R18");
  }
}

void wg_rnd_unit_control(wg_rnd_gen_t *g, wg_rnd_where_t w) {
  switch (wg_rnd_below(&g->r, 6u)) {
    case 0: wg_rnd_guard(g, wg_rnd_asm(g, "YIELD"), 50u); break;
    case 1: sleep_a_while(g); break;
    case 2: call(g); break;
    case 3: indirect(g); break;
    case 4: warpsync(g, w.uniform); break;
    default: breg_by_hand(g); break;
  }
}

void wg_rnd_bar_red(wg_rnd_gen_t *g, uint32_t id) {
  static const char *const kOp[3] = {"POPC", "AND", "OR"};
  wg_rnd_asm(g, "BAR.RED.%s 0x%x, %sP%u", kOp[wg_rnd_below(&g->r, 3u)], id, wg_rnd_percent(&g->r, 30u) ? "!" : "",
             wg_rnd_below(&g->r, kWgRndPredPool));
  wg_rnd_asm(g, "S2R R%u, SR_BARRESULT", wg_rnd_reg(g, 1u));
}
