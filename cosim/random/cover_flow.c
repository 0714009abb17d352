// SPDX-License-Identifier: Apache-2.0
//
// Control instructions of the coverage kernels. Each template leaves the lanes that ran it together.
#include <string.h>

#include "cosim/random/cover.h"

enum { kRegLink = 18, kRegSink = 19, kNumB = 16 };

static void filler(wg_rnd_gen_t *g) { wg_rnd_asm(g, "IADD3 R%d, R%d, 0x1, RZ", kRegSink, kRegSink); }

/* A convergence barrier that the sections do not use. */
static unsigned free_b(wg_rnd_gen_t *g) { return 1u + wg_rnd_below(&g->r, kNumB - 1u); }

/* Over an instruction; with a guard only its lanes jump, and all meet behind. */
static void branch(wg_rnd_gen_t *g, const wg_insn_t *like, const char *guard) {
  char text[32];
  int over = wg_rnd_new_label(g);
  unsigned b = free_b(g);
  if (guard[0] != '\0') {
    snprintf(text, sizeof text, "BSSY B%u,", b);
    wg_rnd_branch(g, text, over);
  }
  snprintf(text, sizeof text, "%s%s%sBRA%s", guard[0] != '\0' ? "@" : "", guard, guard[0] != '\0' ? " " : "",
           WG_MOD_GET(like, UNI) != 0u ? ".U" : "");
  wg_rnd_branch(g, text, over);
  filler(g);
  wg_rnd_place(g, over);
  if (guard[0] != '\0') wg_rnd_asm(g, "BSYNC B%u", b);
}

static void region(wg_rnd_gen_t *g, bool keep) {
  char text[32];
  int join = wg_rnd_new_label(g);
  unsigned b = free_b(g);
  if (keep) snprintf(text, sizeof text, "BSSY.RD R%d, B%u,", kRegLink, b);
  else snprintf(text, sizeof text, "BSSY B%u,", b);
  wg_rnd_branch(g, text, join);
  filler(g);
  wg_rnd_place(g, join);
  wg_rnd_asm(g, "BSYNC B%u", b);
}

static void call(wg_rnd_gen_t *g) {
  int fn = wg_rnd_new_label(g), over = wg_rnd_new_label(g);
  wg_rnd_branch(g, "CALL R18,", fn);
  wg_rnd_branch(g, "BRA", over);
  wg_rnd_place(g, fn);
  filler(g);
  wg_rnd_asm(g, "RET R%d", kRegLink);
  wg_rnd_place(g, over);
}

/* To the word behind the next one: the link is the address of the addition. */
static void indirect(wg_rnd_gen_t *g) {
  int here = wg_rnd_new_label(g);
  wg_rnd_branch(g, "CALL R18,", here);
  wg_rnd_place(g, here);
  wg_rnd_asm(g, "IADD3 R%d, R%d, 0x30, RZ", kRegLink, kRegLink);
  wg_rnd_asm(g, "BRX R%d", kRegLink);
  filler(g);
}

/* For the lanes that run this, of which `all` says whether they are the whole warp. Bank 2: wg_cover_generate. */
static void warpsync(wg_rnd_gen_t *g, const wg_insn_t *like, bool all) {
  switch (like->form) {
    case kWgFormReg:
      wg_rnd_asm(g, "VOTE.ALL R%d, PT, 0xffffffff, PT", kRegLink);
      wg_rnd_asm(g, "WARPSYNC R%d", kRegLink);
      break;
    case kWgFormImm: wg_rnd_asm(g, "WARPSYNC 0x%x", all ? UINT32_MAX : 0u); break;
    default: wg_rnd_asm(g, "WARPSYNC c[0x2][0x%x]", all ? 4 * 56 : 4 * 57); break;
  }
}

static void nanosleep(wg_rnd_gen_t *g, const wg_insn_t *like) {
  switch (like->form) {
    case kWgFormReg:
      wg_rnd_asm(g, "MOV R%d, 0x%x", kRegLink, wg_rnd_below(&g->r, 40u));
      wg_rnd_asm(g, "NANOSLEEP R%d", kRegLink);
      break;
    case kWgFormImm: wg_rnd_asm(g, "NANOSLEEP 0x%x", wg_rnd_below(&g->r, 40u)); break;
    default: wg_rnd_asm(g, "NANOSLEEP c[0x2][0x%x]", 4 * 58); break;
  }
}

void wg_cover_flow(wg_rnd_gen_t *g, const wg_insn_t *like, bool all, const char *guard) {
  char at[8] = "";
  if (guard[0] != '\0') snprintf(at, sizeof at, "@%s ", guard);
  switch (like->op) {
    case kWgOp_NOP: wg_rnd_asm(g, "%sNOP", at); break;
    case kWgOp_YIELD: wg_rnd_asm(g, "%sYIELD", at); break;
    case kWgOp_BREAK: wg_rnd_asm(g, "%sBREAK B%u", at, free_b(g)); break;
    case kWgOp_BMOVR: wg_rnd_asm(g, "%sBMOV.RD R%d, B%u", at, kRegSink, free_b(g)); break;
    case kWgOp_BMOVB: wg_rnd_asm(g, "%sBMOV.WR B%u, R%u", at, free_b(g), 48u + wg_rnd_below(&g->r, 8u)); break;
    case kWgOp_BRA: branch(g, like, guard); break;
    case kWgOp_BSSYR: region(g, true); break;
    case kWgOp_BSSY:
    case kWgOp_BSYNC: region(g, false); break;
    case kWgOp_CALL:
    case kWgOp_RET: call(g); break;
    case kWgOp_BRX: indirect(g); break;
    case kWgOp_WARPSYNC: warpsync(g, like, all); break;
    default: nanosleep(g, like); break;
  }
}

/* ---- block barriers ---- */

static void bar(wg_rnd_gen_t *g, const wg_insn_t *like, uint32_t id) {
  wg_insn_t in = *like;
  unsigned count = WG_MOD_GET(like, BARCNT);
  in.rb = kRegLink;
  in.imm = (in.form == kWgFormImm ? id : 0u) | (count == 1u ? 32u * kWgCoverBlockWarps << 16 : 0u);
  if (count == 2u) in.rc = kRegSink;
  if (in.op == kWgOp_BARRED) {
    in.ps0 = (uint8_t)wg_rnd_below(&g->r, 5u);
    in.ps0_not = wg_rnd_percent(&g->r, 40u);
  }
  wg_rnd_add(g, &in);
}

void wg_cover_barrier(wg_rnd_gen_t *g, const wg_insn_t *like, const char *guard, bool its) {
  bool arrive = like->op == kWgOp_BAR && WG_MOD_GET(like, BARM) == 1u;
  uint32_t id = 1u + wg_rnd_below(&g->r, kWgBarriers - 1u);
  char text[32];
  wg_rnd_asm(g, "MOV R%d, 0x%x", kRegLink, id);
  wg_rnd_asm(g, "MOV R%d, 0x%x", kRegSink, 32 * kWgCoverBlockWarps);
  if (guard[0] == '\0') {
    bar(g, like, id);
  } else { /* both arms come to it; stack: an arrival is the whole warp's, so of BAR.ARV there is one */
    int arm = wg_rnd_new_label(g), join = wg_rnd_new_label(g);
    wg_rnd_branch(g, "BSSY B0,", join);
    snprintf(text, sizeof text, "@%s BRA", guard);
    wg_rnd_branch(g, text, arm);
    if (!arrive || its) bar(g, like, id);
    wg_rnd_branch(g, "BRA", join);
    wg_rnd_place(g, arm);
    bar(g, like, id);
    wg_rnd_place(g, join);
    wg_rnd_asm(g, "BSYNC B0");
  }
  wg_rnd_asm(g, "BAR.SYNC 0x0"); /* nobody arrives twice */
}
