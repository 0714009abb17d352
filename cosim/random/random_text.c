// SPDX-License-Identifier: Apache-2.0
//
// A generated program as an object and as an assembly test.
#include <string.h>

#include "cosim/random/random.h"
#include "isa/wg_cfg.h"
#include "toolchain/asm/wg_asm.h"

uint32_t wg_rnd_live(const wg_rnd_prog_t *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->num_items; i++) n += !p->item[i].dead && p->item[i].kind != kWgRndLabel ? 1u : 0u;
  return n;
}

/* Code with branch targets filled in. @return [wg_rnd_live] words, malloc'ed */
static wg_word_t *assemble(const wg_rnd_prog_t *p) {
  uint32_t *at = calloc(p->num_labels + 1u, sizeof *at), pc = 0;
  wg_word_t *code = calloc(wg_rnd_live(p) + 1u, sizeof *code);
  WG_BUG(at == NULL || code == NULL);
  for (uint32_t i = 0; i < p->num_items; i++) {
    const wg_rnd_item_t *it = &p->item[i];
    if (it->kind == kWgRndLabel) at[it->label] = pc; /* also of a dropped unit: its branches are dropped with it */
    else if (!it->dead) pc += kWgInsnBytes;
  }
  pc = 0;
  for (uint32_t i = 0; i < p->num_items; i++) {
    const wg_rnd_item_t *it = &p->item[i];
    if (it->dead || it->kind == kWgRndLabel) continue;
    wg_insn_t in = it->in;
    if (it->kind == kWgRndInsn && it->label >= 0) in.imm = at[it->label] - (pc + kWgInsnBytes);
    code[pc / kWgInsnBytes] = it->kind == kWgRndRaw ? it->word : wg_encode(&in);
    pc += kWgInsnBytes;
  }
  free(at);
  return code;
}

static void *copy(const void *src, size_t n) {
  void *p = malloc(n);
  WG_BUG(p == NULL);
  return memcpy(p, src, n);
}

wg_obj_t *wg_rnd_object(const wg_rnd_prog_t *p) {
  wg_obj_t *o = wg_obj_new();
  wg_obj_kernel_t *k = calloc(1, sizeof *k);
  WG_BUG(k == NULL);
  o->kernels = k;
  o->num_kernels = 1;
  k->name = copy("rnd", 4);
  k->code = assemble(p);
  k->num_insns = wg_rnd_live(p);
  k->max_threads = 1024;
  k->regs = p->regs;
  k->shared_bytes = p->shared_static;
  k->local_bytes = p->local;
  k->uses_dyn_shared = p->shared_dyn != 0u;
  k->barriers = kWgBarriers;
  k->num_params = p->num_buffers + kWgRndParams;
  k->params = calloc(k->num_params, sizeof *k->params);
  WG_BUG(k->params == NULL);
  for (uint32_t i = 0, at = 0; i < k->num_params; i++) {
    uint32_t size = i < p->num_buffers ? 8u : 4u;
    k->params[i] = (wg_obj_param_t){at, size, size};
    at += size;
  }
  o->const2 = copy(p->const2, sizeof p->const2);
  o->const2_size = sizeof p->const2;
  o->const3 = copy(p->const3, sizeof p->const3);
  o->const3_size = sizeof p->const3;
  return o;
}

static void print_bank(FILE *out, const char *name, const uint32_t *word) {
  fprintf(out, "%s\n", name);
  for (unsigned i = 0; i < kWgRndMaxConst; i += 8u) {
    fprintf(out, "  .word");
    for (unsigned k = 0; k < 8u; k++) fprintf(out, "%s 0x%x", k == 0u ? "" : ",", word[i + k]);
    fprintf(out, "\n");
  }
}

static void print_head(FILE *out, const wg_rnd_prog_t *p, const char *comment, const wg_fault_t *fault) {
  fprintf(out, "# SPDX-License-Identifier: Apache-2.0\n#\n");
  for (const char *s = comment; *s != '\0';) {
    size_t n = strcspn(s, "\n");
    fprintf(out, "# | %.*s\n", (int)n, s);
    s += n + (s[n] == '\n' ? 1u : 0u);
  }
  fprintf(out, "#\n# grid: %u %u %u\n# block: %u %u %u\n", p->grid[0], p->grid[1], p->grid[2], p->block[0], p->block[1],
          p->block[2]);
  if (p->shared_dyn != 0u) fprintf(out, "# shared: %u\n", p->shared_dyn);
  for (uint32_t b = 0; b < p->num_buffers; b++) {
    const wg_rnd_buffer_t *f = &p->buffer[b];
    fprintf(out, "# buffer: %s %u iota*0x%x+0x%x\n", f->name, f->bytes, f->mul, f->add);
  }
  for (unsigned i = 0; i < kWgRndParams; i++) fprintf(out, "# param: u32 0x%x\n", p->param[i]);
  if (fault != NULL) {
    fprintf(out, "# expect-fault: %u pc=0x%x\n", wg_fault_cuda(fault->code), fault->pc);
    return;
  }
  for (uint32_t b = 0; b < p->num_buffers; b++) {
    fprintf(out, "# expect: %s[0..%u] = any\n", p->buffer[b].name, p->buffer[b].bytes / 4u - 1u);
  }
}

void wg_rnd_print(FILE *out, const wg_rnd_prog_t *p, const char *comment, const wg_fault_t *fault) {
  print_head(out, p, comment, fault);
  fprintf(out, ".kernel rnd\n.regs %u\n", p->regs);
  if (p->shared_static != 0u) fprintf(out, ".shared %u\n", p->shared_static);
  if (p->local != 0u) fprintf(out, ".local %u\n", p->local);
  fprintf(out, ".barriers %d\n", kWgBarriers);
  for (uint32_t b = 0; b < p->num_buffers; b++) fprintf(out, ".param 8\n");
  for (unsigned i = 0; i < kWgRndParams; i++) fprintf(out, ".param 4\n");
  wg_word_t *code = assemble(p);
  for (uint32_t i = 0, n = wg_rnd_live(p); i < n; i++) {
    char text[160];
    wg_dis_insn(code[i], i * kWgInsnBytes, text, sizeof text);
    fprintf(out, "  %s\n", text);
  }
  free(code);
  print_bank(out, ".const2", p->const2);
  print_bank(out, ".const3", p->const3);
}
