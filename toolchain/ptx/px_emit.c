// SPDX-License-Identifier: Apache-2.0
//
// Emission: block ends become branches, units become registers, the control field is filled in, words are packed and
// the line table written.
#include <string.h>

#include "toolchain/ptx/px.h"

typedef struct wg_px_out {
  wg_px_ctx_t *x;
  wg_px_fn_t *f;
  wg_px_item_t *item;
  uint32_t n, cap;
} wg_px_out_t;

static wg_px_item_t *push(wg_px_out_t *o, uint8_t op, const wg_px_stmt_t *src) {
  o->item = wg_px_grow(o->x, o->item, o->n, &o->cap, sizeof *o->item);
  wg_px_item_t *it = &o->item[o->n++];
  memset(it, 0, sizeof *it);
  it->in = wg_insn_default(op);
  it->src = src;
  return it;
}

static uint8_t reg(const wg_px_out_t *o, int32_t u) { return u < 0 ? (uint8_t)kWgRZ : (uint8_t)o->f->unit[u].reg; }

static uint8_t pred(const wg_px_out_t *o, int32_t p) { return p < 0 ? (uint8_t)kWgPT : o->f->pred_reg[p]; }

static void put(wg_px_out_t *o, const wg_px_insn_t *in, bool waits) {
  wg_px_item_t *it = push(o, in->op, in->src);
  if (in->strong || in->strong_store) it->marks = in->strong && waits ? kWgObjStrong | kWgObjWaits : kWgObjStrong;
  if (in->in_atomic) it->marks = kWgObjAtomic;
  wg_insn_t *w = &it->in;
  it->target = in->target;
  it->func = in->func;
  it->return_pc = in->return_pc;
  w->guard = pred(o, in->guard);
  w->guard_not = in->guard_not;
  w->form = in->form;
  w->rd = reg(o, in->d);
  w->ra = reg(o, in->a);
  w->rb = reg(o, in->b);
  w->rc = reg(o, in->c);
  w->imm = in->imm;
  w->cbank = in->cbank;
  w->coff = in->coff;
  w->pd0 = pred(o, in->pd0);
  w->pd1 = pred(o, in->pd1);
  w->ps0 = pred(o, in->ps0);
  w->ps1 = pred(o, in->ps1);
  w->ps0_not = in->ps0_not;
  w->ps1_not = in->ps1_not;
  w->breg = in->breg;
  w->mods = in->mods;
}

static void branch(wg_px_out_t *o, const wg_px_block_t *b, wg_px_block_t *to, bool conditional, bool negate) {
  wg_px_item_t *it = push(o, kWgOp_BRA, b->src);
  it->target = to;
  if (!conditional) return;
  it->in.guard = pred(o, b->pred);
  it->in.guard_not = b->pred_not != negate;
  if (!b->divergent) it->in.mods = 1u << kWgModLsb_UNI;
}

static void put_end(wg_px_out_t *o, const wg_px_block_t *b) {
  wg_px_block_t *next = b->next;
  if (b->term == kWgPxTExit) {
    (void)push(o, kWgOp_EXIT, b->src);
  } else if (b->term == kWgPxTRet) {
    push(o, kWgOp_RET, b->src)->in.ra = kWgPxAbiRet;
  } else if (b->term == kWgPxTCond) {
    bool swap = b->take_succ1 || (!b->take_succ0 && next == b->succ[0]); /* succ[1] is the taken side */
    wg_px_block_t *taken = b->succ[swap ? 1 : 0], *fall = b->succ[swap ? 0 : 1];
    branch(o, b, taken, true, swap);
    if (fall != next) branch(o, b, fall, false, false);
  } else {
    if (b->term == kWgPxTExitIf) {
      wg_px_item_t *it = push(o, kWgOp_EXIT, b->src);
      it->in.guard = pred(o, b->pred);
      it->in.guard_not = b->pred_not;
    }
    if (b->succ[0] != next) branch(o, b, b->succ[0], false, false);
  }
}

static uint32_t file_index(wg_px_ctx_t *x, const char *name) {
  wg_obj_t *obj = x->obj;
  for (size_t i = 0; i < obj->num_files; i++) {
    if (strcmp(obj->files[i], name) == 0) return (uint32_t)i;
  }
  char **files = realloc(obj->files, (obj->num_files + 1) * sizeof *files);
  if (files == NULL) wg_px_fail(x, kWgNoSpace, 0, 0, "", "out of memory");
  obj->files = files;
  size_t n = strlen(name) + 1;
  files[obj->num_files] = malloc(n);
  if (files[obj->num_files] == NULL) wg_px_fail(x, kWgNoSpace, 0, 0, "", "out of memory");
  memcpy(files[obj->num_files], name, n);
  return (uint32_t)obj->num_files++;
}

/* Source place of a statement: what .loc says, else the PTX text itself. */
static wg_obj_line_t place_of(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_obj_line_t l = {0, 0, s->line};
  const char *name = x->name;
  for (const wg_px_file_t *f = x->files; f != NULL && s->src_line != 0; f = f->next) {
    if (f->id == s->file) {
      name = f->name;
      l.line = s->src_line;
      break;
    }
  }
  l.file = file_index(x, name);
  return l;
}

/* Lines of the PTX text, where there are none of a source file too. */
static void write_ptx_lines(const wg_px_out_t *o, uint32_t base) {
  wg_obj_t *obj = o->x->obj;
  wg_obj_ptx_line_t *lines = realloc(obj->ptx_lines, (obj->num_ptx_lines + o->n + 1) * sizeof *lines);
  if (lines == NULL) wg_px_fail(o->x, kWgNoSpace, 0, 0, "", "out of memory");
  obj->ptx_lines = lines;
  const wg_obj_ptx_line_t *last = NULL;
  for (uint32_t i = 0; i < o->n; i++) {
    const wg_px_stmt_t *s = o->item[i].src;
    if (s == NULL && last != NULL) continue; /* it belongs to what is before it */
    uint32_t line = s == NULL || s->file == kWgPxLibraryFile ? 0 : s->line;
    if (last != NULL && last->line == line) continue;
    lines[obj->num_ptx_lines] = (wg_obj_ptx_line_t){base + i * (uint32_t)kWgInsnBytes, line};
    last = &lines[obj->num_ptx_lines++];
  }
}

static void write_lines(const wg_px_out_t *o, uint32_t base) {
  wg_obj_t *obj = o->x->obj;
  wg_obj_line_t *lines = realloc(obj->lines, (obj->num_lines + o->n + 1) * sizeof *lines);
  if (lines == NULL) wg_px_fail(o->x, kWgNoSpace, 0, 0, "", "out of memory");
  obj->lines = lines;
  write_ptx_lines(o, base);
  bool have = false;
  for (uint32_t i = 0; i < o->n; i++) {
    if (o->item[i].src == NULL) continue;
    wg_obj_line_t l = place_of(o->x, o->item[i].src);
    l.pc = base + i * kWgInsnBytes;
    const wg_obj_line_t *last = have ? &lines[obj->num_lines - 1] : NULL;
    if (last != NULL && last->file == l.file && last->line == l.line) continue;
    lines[obj->num_lines++] = l;
    have = true;
  }
}

static void write_marks(const wg_px_out_t *o, uint32_t base) {
  wg_obj_t *obj = o->x->obj;
  size_t more = 0;
  for (uint32_t i = 0; i < o->n; i++) more += o->item[i].marks != 0;
  if (more == 0) return;
  uint32_t *marks = realloc(obj->marks, (obj->num_marks + more) * sizeof *marks);
  if (marks == NULL) wg_px_fail(o->x, kWgNoSpace, 0, 0, "", "out of memory");
  obj->marks = marks;
  for (uint32_t i = 0; i < o->n; i++) {
    if (o->item[i].marks != 0) marks[obj->num_marks++] = (base + i * (uint32_t)kWgInsnBytes) | o->item[i].marks;
  }
}

/* Words that hold addresses of code: those of functions are known when all have their places (wg_px_link). */
static void note_code_addresses(wg_px_out_t *o, uint32_t owner, uint32_t base) {
  wg_px_ctx_t *x = o->x;
  wg_px_item_t *back = NULL; /* MOV of a return address, whose BRX is to come */
  for (uint32_t i = 0; i < o->n; i++) {
    wg_px_item_t *it = &o->item[i];
    if (it->return_pc) back = it;
    if (it->in.op == kWgOp_BRX) {
      WG_BUG(back == NULL);
      back->in.imm = base + (i + 1) * (uint32_t)kWgInsnBytes;
      back = NULL;
    }
    if (it->func == NULL) continue;
    x->fixups = wg_px_grow(x, x->fixups, x->num_fixups, &x->cap_fixups, sizeof *x->fixups);
    x->fixups[x->num_fixups++] = (wg_px_fixup_t){owner, i, it->func};
  }
}

void wg_px_emit_kernel(wg_px_ctx_t *x, wg_px_fn_t *f, wg_obj_kernel_t *out) {
  wg_px_out_t o = {.x = x, .f = f};
  size_t index = (size_t)(out - x->obj->kernels);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    b->pc = o.n;
    uint32_t first = o.n;
    for (uint32_t i = 0; i < b->n; i++) put(&o, b->insn[i], b->spins);
    put_end(&o, b);
    if (o.n > first) o.item[first].block_start = true;
  }
  for (uint32_t i = 0; i < o.n; i++) {
    if (o.item[i].target != NULL) {
      o.item[i].in.imm = (uint32_t)(((int32_t)o.item[i].target->pc - (int32_t)i - 1) * (int32_t)kWgInsnBytes);
    }
  }
  note_code_addresses(&o, (uint32_t)index, wg_obj_kernel_pc(x->obj, index));
  wg_px_control(x, o.item, o.n);
  out->code = calloc(o.n == 0 ? 1 : o.n, sizeof *out->code);
  if (out->code == NULL) wg_px_fail(x, kWgNoSpace, 0, 0, "", "out of memory");
  out->num_insns = o.n;
  for (uint32_t i = 0; i < o.n; i++) {
    out->code[i] = wg_encode(&o.item[i].in);
    wg_insn_t back;
    WG_BUG(wg_decode(out->code[i], &back) != kWgOk); /* the compiler never emits an undefined word */
  }
  write_lines(&o, wg_obj_kernel_pc(x->obj, index));
  write_marks(&o, wg_obj_kernel_pc(x->obj, index));
}
