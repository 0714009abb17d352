// SPDX-License-Identifier: Apache-2.0
//
// Disassembler: text that the assembler reads back to the same word.
#include <inttypes.h>
#include <string.h>

#include "isa/wg_cfg.h"
#include "isa/wg_isa_table.h"
#include "toolchain/asm/wg_asm.h"

/* Output that counts on after the buffer is full, as snprintf does. */
typedef struct out {
  char *buf;
  size_t n, at;
  bool first;
} out_t;

static void put(out_t *o, const char *fmt, ...) WG_PRINTF(2, 3);
static void put(out_t *o, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  size_t room = o->at < o->n ? o->n - o->at : 0;
  int len = vsnprintf(room != 0 ? o->buf + o->at : NULL, room, fmt, ap);
  va_end(ap);
  o->at += (size_t)len;
}

static void sep(out_t *o) {
  put(o, "%s", o->first ? " " : ", ");
  o->first = false;
}

static void reg(out_t *o, unsigned r) {
  if (r == kWgRZ) put(o, "RZ");
  else put(o, "R%u", r);
}

static void pred(out_t *o, unsigned p, bool neg) {
  if (p == kWgPT) put(o, "%sPT", neg ? "!" : "");
  else put(o, "%sP%u", neg ? "!" : "", p);
}

static void source(out_t *o, const wg_op_facts_t *f, const wg_insn_t *in, char letter, unsigned r) {
  bool neg = false, bars = false;
  for (unsigned i = 0; i < f->num_marks; i++) {
    if (f->marks[i]->operand != letter || (in->mods >> f->marks[i]->lsb & 1u) == 0) continue;
    if (f->marks[i]->mark == '-') neg = true;
    else bars = true;
  }
  bool b = letter == 'B', imm = b && in->form == kWgFormImm;
  put(o, "%s%s%s", neg ? "-" : "", neg && imm ? "(" : "", bars ? "|" : "");
  if (imm) put(o, "0x%" PRIx32, in->imm);
  else if (b && in->form == kWgFormConst) put(o, "c[0x%x][0x%x]", in->cbank, in->coff);
  else reg(o, r);
  put(o, "%s%s", bars ? "|" : "", neg && imm ? ")" : "");
}

static void memory(out_t *o, const wg_insn_t *in) {
  int32_t off = (int32_t)in->imm;
  put(o, "[");
  reg(o, in->ra);
  if (off < 0) put(o, "-0x%x", 0u - in->imm);
  else if (off > 0) put(o, "+0x%x", in->imm);
  put(o, "]");
}

static void sreg(out_t *o, unsigned v) {
  const char *name = wg_sreg_name(v);
  if (name[0] == '?') put(o, "SR%u", v);
  else put(o, "%s", name);
}

/* May be left out and is: the assembler then takes the default. */
static bool silent(const wg_op_facts_t *f, const wg_insn_t *in, char letter) {
  uint8_t op = in->op;
  if (op == kWgOp_PLOP3) return false;
  bool q_default = !wg_op_has(f, 'q') || (in->ps1 == kWgPT && !in->ps1_not);
  switch (letter) {
    case 'P': return in->pd0 == kWgPT && wg_list_has(f->info->flags, "OPT_P", ' ');
    case 'X': return WG_MOD_GET(in, BARCNT) == 0;
    case 'p':
      if (op == kWgOp_SEL || op == kWgOp_IMNMX || op == kWgOp_FMNMX) return false;
      if (op == kWgOp_IADD3 && WG_MOD_GET(in, X) != 0) return false;
      return in->ps0 == kWgPT && !in->ps0_not && q_default;
    case 'q': return q_default;
    default: return false;
  }
}

static void operand(out_t *o, const wg_op_facts_t *f, const wg_insn_t *in, char letter, uint32_t pc) {
  switch (letter) {
    case 'D': reg(o, in->rd); break;
    case 'A': source(o, f, in, 'A', in->ra); break;
    case 'B': source(o, f, in, 'B', in->rb); break;
    case 'C': source(o, f, in, 'C', in->rc); break;
    case 'W': reg(o, in->rc); break;
    case 'P': pred(o, in->pd0, false); break;
    case 'Q': pred(o, in->pd1, false); break;
    case 'p': pred(o, in->ps0, in->ps0_not); break;
    case 'q': pred(o, in->ps1, in->ps1_not); break;
    case 'V': put(o, "B%u", in->breg); break;
    case 'T': put(o, "0x%" PRIx32, pc + kWgInsnBytes + in->imm); break;
    case 'M': memory(o, in); break;
    case 'U':
      put(o, "c[0x%x][", in->cbank);
      reg(o, in->ra);
      if (in->coff != 0) put(o, "+0x%x", in->coff);
      put(o, "]");
      break;
    case 'R': sreg(o, in->imm); break;
    case 'I': put(o, "0x%" PRIx32, in->imm); break;
    case 'L':
    case 'N':
      if (in->form == kWgFormReg) reg(o, in->rb);
      else put(o, "0x%x", in->imm & 0xff);
      break;
    case 'K':
      if (WG_MOD_GET(in, CIMM) == 0) reg(o, in->rc);
      else put(o, "0x%x", in->imm >> 8 & 0xffff);
      break;
    case 'X':
      if (WG_MOD_GET(in, BARCNT) == 2) reg(o, in->rc);
      else put(o, "%u", in->imm >> 16 & 0xfff);
      break;
    default: WG_BUG("operand letter that isagen should have refused" != NULL);
  }
}

static void suffixes(out_t *o, const wg_op_facts_t *f, const wg_insn_t *in) {
  for (unsigned i = 0; i < f->num_mods; i++) {
    const wg_mod_info_t *m = f->mods[i];
    size_t len = 0;
    if (m->names[0] == '*' || m->names[0] == '#') continue;
    const char *name = wg_mod_name(m, (unsigned)in->mods >> m->lsb & ((1u << m->width) - 1u), &len);
    if (name != NULL) put(o, "%.*s", (int)len, name);
  }
}

static void control(out_t *o, const wg_insn_t *in) {
  const char *gap = "";
  if (in->stall == 0 && in->yield == 0 && in->wr_ctr == 7 && in->rd_ctr == 7 && in->wait_mask == 0) return;
  put(o, " {");
  if (in->stall != 0) put(o, "stall=%u", in->stall), gap = " ";
  if (in->yield != 0) put(o, "%syield=%u", gap, in->yield), gap = " ";
  if (in->wr_ctr != 7) put(o, "%swr=%u", gap, in->wr_ctr), gap = " ";
  if (in->rd_ctr != 7) put(o, "%srd=%u", gap, in->rd_ctr), gap = " ";
  if (in->wait_mask != 0) put(o, "%swait=0x%x", gap, in->wait_mask);
  put(o, "}");
}

int wg_dis_insn(wg_word_t w, uint32_t pc, char *buf, size_t n) {
  out_t o = {.buf = buf, .n = n, .first = true};
  wg_insn_t in;
  bool exact = wg_decode(w, &in) == kWgOk;
  if (exact) {
    /* Bits that the instruction ignores would be lost, so such a word is shown as it is. */
    wg_word_t back = wg_encode(&in);
    exact = back.lo == w.lo && back.hi == w.hi;
  }
  if (!exact) {
    put(&o, ".word 0x%016" PRIx64 ", 0x%016" PRIx64, w.hi, w.lo);
    return (int)o.at;
  }
  const wg_op_facts_t *f = wg_op_facts(in.op);
  if (in.guard != kWgPT || in.guard_not) {
    put(&o, "@");
    pred(&o, in.guard, in.guard_not);
    put(&o, " ");
  }
  put(&o, "%s", f->info->mnemonic);
  suffixes(&o, f, &in);
  for (const char *p = f->info->operands; *p != '\0'; p++) {
    if (*p == ',' || silent(f, &in, *p)) continue;
    sep(&o);
    operand(&o, f, &in, *p, pc);
  }
  if (wg_list_has(f->info->mods, "LUT", ',')) {
    sep(&o);
    put(&o, "0x%02x", WG_MOD_GET(&in, LUT));
  }
  control(&o, &in);
  return (int)o.at;
}

/* ---- whole objects ---- */

static void plain_bank(FILE *out, const char *directive, const uint8_t *data, size_t n) {
  if (n == 0) return;
  fprintf(out, "%s", directive);
  for (size_t i = 0; i < n; i++) fprintf(out, "%s0x%x", i % 16 == 0 ? "\n.byte " : ", ", data[i]);
  fprintf(out, "\n");
}

static void plain_kernel(const wg_obj_t *o, size_t i, FILE *out) {
  const wg_obj_kernel_t *k = &o->kernels[i];
  fprintf(out, "\n.kernel %s\n.regs %u\n.shared %u\n.local %u\n.barriers %u\n.maxthreads %u\n", k->name, k->regs,
          k->shared_bytes, k->local_bytes, k->barriers, k->max_threads);
  for (uint32_t p = 0; p < k->num_params; p++) fprintf(out, ".param %u, %u\n", k->params[p].size, k->params[p].align);
  const char *last_file = "";
  unsigned last_line = 0;
  for (uint32_t j = 0; j < k->num_insns; j++) {
    uint32_t pc = wg_obj_kernel_pc(o, i) + j * kWgInsnBytes;
    char text[256];
    const char *file = "";
    unsigned line = 0;
    if (wg_obj_line_of(o, pc, &file, &line) && (line != last_line || strcmp(file, last_file) != 0) &&
        strpbrk(file, "\"\n") == NULL) {
      fprintf(out, ".line \"%s\" %u\n", file, line);
      last_file = file;
      last_line = line;
    }
    wg_dis_insn(k->code[j], pc, text, sizeof text);
    fprintf(out, "  %s\n", text);
  }
}

void wg_dis_plain(const wg_obj_t *o, FILE *out) {
  plain_bank(out, ".const2", o->const2, o->const2_size);
  plain_bank(out, ".const3", o->const3, o->const3_size);
  if (o->const2_size + o->const3_size != 0) fprintf(out, ".text\n");
  for (size_t i = 0; i < o->num_kernels; i++) plain_kernel(o, i, out);
}
