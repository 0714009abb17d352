// SPDX-License-Identifier: Apache-2.0
//
// The kernel object in memory, and its ELF writer. The reader is wg_obj_read.c.
#define _XOPEN_SOURCE 700 /* realpath */
#include "toolchain/obj/wg_obj.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/wg_cfg.h"
#include "toolchain/obj/wg_files.h"
#include "toolchain/obj/wg_obj_elf.h"

wg_obj_t *wg_obj_new(void) {
  wg_obj_t *o = calloc(1, sizeof *o);
  WG_BUG(o == NULL);
  return o;
}

void wg_obj_free(wg_obj_t *o) {
  if (o == NULL) return;
  for (size_t i = 0; i < o->num_kernels; i++) {
    free(o->kernels[i].name);
    free(o->kernels[i].code);
    free(o->kernels[i].params);
  }
  for (size_t i = 0; i < o->num_vars; i++) free(o->vars[i].name);
  for (size_t i = 0; i < o->num_files; i++) free(o->files[i]);
  free(o->kernels);
  free(o->const2);
  free(o->const3);
  free(o->global_init);
  free(o->vars);
  free(o->files);
  free(o->lines);
  free(o->ptx_lines);
  free(o->relocs);
  for (size_t i = 0; i < o->num_shared; i++) free(o->shared[i].name);
  free(o->shared);
  free(o->marks);
  free(o->ptx);
  free(o);
}

uint32_t wg_obj_kernel_pc(const wg_obj_t *o, size_t k) {
  uint32_t pc = 0;
  for (size_t i = 0; i < k && i < o->num_kernels; i++) {
    pc += (o->kernels[i].num_insns * kWgInsnBytes + kWgObjCodeAlign - 1) / kWgObjCodeAlign * kWgObjCodeAlign;
  }
  return pc;
}

const wg_obj_kernel_t *wg_obj_find(const wg_obj_t *o, const char *name, size_t *index) {
  for (size_t i = 0; i < o->num_kernels; i++) {
    if (o->kernels[i].is_func || strcmp(o->kernels[i].name, name) != 0) continue;
    if (index != NULL) *index = i;
    return &o->kernels[i];
  }
  return NULL;
}

void wg_obj_relocate(const wg_obj_t *o, uint8_t *const image[2], const uint64_t base[2]) {
  for (size_t i = 0; i < o->num_relocs; i++) {
    const wg_obj_reloc_t *r = &o->relocs[i];
    uint64_t v = (base[r->base] + r->addend) >> r->shift;
    for (unsigned k = 0; k < r->size; k++) image[r->space][r->offset + k] = (uint8_t)(v >> (8 * k));
  }
}

bool wg_obj_line_of(const wg_obj_t *o, uint32_t pc, const char **file, unsigned *line) {
  size_t lo = 0, hi = o->num_lines; /* last entry with entry.pc <= pc */
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (o->lines[mid].pc <= pc) lo = mid + 1;
    else hi = mid;
  }
  if (lo == 0) return false;
  const wg_obj_line_t *l = &o->lines[lo - 1];
  if (l->file >= o->num_files || l->line == 0) return false;
  *file = o->files[l->file];
  *line = l->line;
  return true;
}

/* ---- writer ---- */

/* A growing byte string. */
typedef struct bytes {
  uint8_t *p;
  size_t n, cap;
} bytes_t;

static uint32_t put(bytes_t *b, const void *p, size_t n) {
  if (b->n + n > b->cap) {
    b->cap = (b->n + n) * 2 + 64;
    b->p = realloc(b->p, b->cap);
    WG_BUG(b->p == NULL);
  }
  if (n != 0) memcpy(b->p + b->n, p, n);
  b->n += n;
  return (uint32_t)(b->n - n);
}

static void put32(bytes_t *b, uint32_t v) {
  uint8_t le[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
  put(b, le, 4);
}

static void put64(bytes_t *b, uint64_t v) {
  put32(b, (uint32_t)v);
  put32(b, (uint32_t)(v >> 32));
}

typedef struct writer {
  const wg_obj_t *o;
  Elf *elf;
  bytes_t shstr, str, sym, manifest, param, var, line, ptx_line, files, reloc, mark, shared;
  bytes_t *code;  /* [num_kernels] */
  uint32_t *text; /* [num_kernels] section indices */
  uint32_t const3, global;
  wg_diag_t *diag;
} writer_t;

/* The caller's object against the contract of wg_obj.h: what the reader would refuse, the writer refuses too.
 */
bool wg_obj_reloc_fits(const wg_obj_t *o, const wg_obj_reloc_t *r) {
  size_t size = r->space == 0 ? o->const3_size : o->global_size;
  return r->space <= 1 && r->base <= 1 && r->size >= 1 && r->size + r->shift / 8u <= 8u && r->shift % 8u == 0 &&
         r->offset <= size && r->size <= size - r->offset;
}

static wg_status_t check_object(const wg_obj_t *o, wg_diag_t *diag) {
  for (size_t i = 0; i < o->num_kernels; i++) {
    const wg_obj_kernel_t *k = &o->kernels[i];
    if (k->name == NULL || k->name[0] == '\0') return wg_fail(diag, kWgBadArg, "kernel %zu has no name", i);
    for (size_t at = 0; at < i; at++) {
      if (strcmp(o->kernels[at].name, k->name) == 0) {
        return wg_fail(diag, kWgBadArg, "kernel '%s' is there twice", k->name);
      }
    }
    if (k->num_insns == 0) return wg_fail(diag, kWgBadArg, "kernel '%s' has no instructions", k->name);
    if (k->num_insns > kWgObjMaxCode / kWgInsnBytes)
      return wg_fail(diag, kWgBadArg, "kernel '%s' is too large", k->name);
  }
  for (size_t i = 0; i < o->num_vars; i++) {
    const wg_obj_var_t *v = &o->vars[i];
    size_t size = v->space == 0 ? o->const3_size : o->global_size;
    if (v->space > 1 || v->offset > size || v->size > size - v->offset) {
      return wg_fail(diag, kWgBadArg, "variable '%s' lies outside its section", v->name);
    }
  }
  for (size_t i = 0; i < o->num_relocs; i++) {
    if (!wg_obj_reloc_fits(o, &o->relocs[i])) return wg_fail(diag, kWgBadArg, "address %zu lies outside its section", i);
  }
  for (size_t i = 0; i < o->num_shared; i++) {
    if (o->shared[i].kernel >= o->num_kernels) return wg_fail(diag, kWgBadArg, "shared variable %zu is of no kernel", i);
  }
  for (size_t i = 1; i < o->num_marks; i++) {
    if (o->marks[i - 1] >= o->marks[i]) return wg_fail(diag, kWgBadArg, "mark %zu is not sorted", i);
  }
  for (size_t i = 0; i < o->num_lines; i++) {
    if (o->lines[i].file >= o->num_files || (i != 0 && o->lines[i - 1].pc > o->lines[i].pc)) {
      return wg_fail(diag, kWgBadArg, "line entry %zu names no file or is not sorted", i);
    }
  }
  for (size_t i = 1; i < o->num_ptx_lines; i++) {
    if (o->ptx_lines[i - 1].pc >= o->ptx_lines[i].pc)
      return wg_fail(diag, kWgBadArg, "PTX line entry %zu is not sorted", i);
  }
  return kWgOk;
}

/* Add a section; `b` must live until elf_update. Its index, 0 on failure. */
static uint32_t add_section(writer_t *w, const char *name, uint32_t type, uint64_t flags, uint64_t align,
                            uint64_t entsize, const void *p, size_t n) {
  Elf_Scn *s = elf_newscn(w->elf);
  Elf_Data *d = s != NULL ? elf_newdata(s) : NULL;
  GElf_Shdr h;
  if (d == NULL || gelf_getshdr(s, &h) == NULL) return 0;
  d->d_align = align;
  d->d_buf = (void *)(uintptr_t)p; /* libelf reads only */
  d->d_size = n;
  d->d_type = ELF_T_BYTE;
  d->d_version = EV_CURRENT;
  h.sh_name = put(&w->shstr, name, strlen(name) + 1);
  h.sh_type = type;
  h.sh_flags = flags;
  h.sh_addralign = align;
  h.sh_entsize = entsize;
  if (gelf_update_shdr(s, &h) == 0) return 0;
  return (uint32_t)elf_ndxscn(s);
}

static void put_symbol(writer_t *w, const char *name, unsigned type, uint32_t section, uint64_t value,
                       uint64_t size) {
  put32(&w->sym, put(&w->str, name, strlen(name) + 1));
  uint8_t info[2] = {(uint8_t)GELF_ST_INFO(STB_GLOBAL, type), STV_DEFAULT};
  put(&w->sym, info, 2);
  uint8_t shndx[2] = {(uint8_t)section, (uint8_t)(section >> 8)};
  put(&w->sym, shndx, 2);
  put64(&w->sym, value);
  put64(&w->sym, size);
}

static void put_manifest(writer_t *w, size_t i) {
  const wg_obj_kernel_t *k = &w->o->kernels[i];
  uint32_t first = (uint32_t)(w->param.n / 12);
  for (uint32_t p = 0; p < k->num_params; p++) {
    put32(&w->param, k->params[p].offset);
    put32(&w->param, k->params[p].size);
    put32(&w->param, k->params[p].align);
  }
  const uint32_t f[] = {w->text[i],
                        k->max_threads,
                        k->req_ntid[0],
                        k->req_ntid[1],
                        k->req_ntid[2],
                        k->regs,
                        k->shared_bytes,
                        k->local_bytes,
                        k->barriers,
                        k->spills,
                        k->uses_dyn_shared,
                        first,
                        k->num_params,
                        k->latency_hash,
                        k->is_func,
                        k->uses_stack};
  for (size_t j = 0; j < sizeof f / sizeof f[0]; j++) put32(&w->manifest, f[j]);
}

static bool add_code(writer_t *w) {
  for (size_t i = 0; i < w->o->num_kernels; i++) {
    const wg_obj_kernel_t *k = &w->o->kernels[i];
    for (uint32_t j = 0; j < k->num_insns; j++) {
      put64(&w->code[i], k->code[j].lo);
      put64(&w->code[i], k->code[j].hi);
    }
    size_t len = strlen(k->name) + sizeof ".text.";
    char *name = malloc(len);
    WG_BUG(name == NULL);
    snprintf(name, len, ".text.%s", k->name);
    w->text[i] = add_section(w, name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kWgObjCodeAlign, 0,
                             w->code[i].p, w->code[i].n);
    free(name);
    if (w->text[i] == 0) return false;
    put_manifest(w, i);
  }
  return true;
}

static bool add_tables(writer_t *w) {
  const wg_obj_t *o = w->o;
  for (size_t i = 0; i < o->num_lines; i++) {
    put32(&w->line, o->lines[i].pc);
    put32(&w->line, o->lines[i].file);
    put32(&w->line, o->lines[i].line);
  }
  for (size_t i = 0; i < o->num_ptx_lines; i++) {
    put32(&w->ptx_line, o->ptx_lines[i].pc);
    put32(&w->ptx_line, o->ptx_lines[i].line);
  }
  for (size_t i = 0; i < o->num_files; i++) put(&w->files, o->files[i], strlen(o->files[i]) + 1);
  for (size_t i = 0; i < o->num_relocs; i++) {
    const wg_obj_reloc_t *r = &o->relocs[i];
    const uint32_t f[] = {r->space, r->base, r->size | (uint32_t)r->shift << 8, r->offset};
    for (size_t j = 0; j < 4; j++) put32(&w->reloc, f[j]);
    put64(&w->reloc, r->addend);
  }
  for (size_t i = 0; i < o->num_marks; i++) put32(&w->mark, o->marks[i]);
  bool ok = add_section(w, ".wg.reloc", SHT_PROGBITS, 0, 4, 24, w->reloc.p, w->reloc.n) != 0;
  ok = ok && add_section(w, ".wg.kernel", SHT_PROGBITS, 0, 4, 64, w->manifest.p, w->manifest.n) != 0;
  ok = ok && add_section(w, ".wg.param", SHT_PROGBITS, 0, 4, 12, w->param.p, w->param.n) != 0;
  ok = ok && add_section(w, ".wg.const2", SHT_PROGBITS, SHF_ALLOC, 16, 0, o->const2, o->const2_size) != 0;
  w->const3 = add_section(w, ".wg.const3", SHT_PROGBITS, SHF_ALLOC, 16, 0, o->const3, o->const3_size);
  w->global = add_section(w, ".wg.global", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 256, 0, o->global_init,
                          o->global_size);
  ok = ok && w->const3 != 0 && w->global != 0;
  ok = ok && add_section(w, ".wg.line", SHT_PROGBITS, 0, 4, 12, w->line.p, w->line.n) != 0;
  ok = ok && add_section(w, ".wg.mark", SHT_PROGBITS, 0, 4, 4, w->mark.p, w->mark.n) != 0;
  ok = ok && add_section(w, ".wg.files", SHT_PROGBITS, 0, 1, 0, w->files.p, w->files.n) != 0;
  ok = ok && add_section(w, ".wg.ptxline", SHT_PROGBITS, 0, 4, 8, w->ptx_line.p, w->ptx_line.n) != 0;
  if (o->ptx != NULL)
    ok = ok && add_section(w, ".wg.ptx", SHT_PROGBITS, 0, 1, 0, o->ptx, strlen(o->ptx)) != 0;
  return ok;
}

static bool add_symbols(writer_t *w) {
  const wg_obj_t *o = w->o;
  static const uint8_t kZero[24] = {0};
  put(&w->str, "", 1);
  put(&w->sym, kZero, sizeof kZero); /* symbol 0 is the undefined one */
  for (size_t i = 0; i < o->num_kernels; i++) {
    put_symbol(w, o->kernels[i].name, STT_FUNC, w->text[i], 0, w->code[i].n);
  }
  for (size_t i = 0; i < o->num_vars; i++) {
    const wg_obj_var_t *v = &o->vars[i];
    put32(&w->var, (uint32_t)(w->sym.n / 24));
    put32(&w->var, v->align);
    put_symbol(w, v->name, STT_OBJECT, v->space == 0 ? w->const3 : w->global, v->offset, v->size);
  }
  for (size_t i = 0; i < o->num_shared; i++) {
    const wg_obj_shared_t *v = &o->shared[i];
    const uint32_t f[] = {v->kernel, v->offset, v->size, put(&w->str, v->name, strlen(v->name) + 1)};
    for (size_t j = 0; j < 4; j++) put32(&w->shared, f[j]);
  }
  if (add_section(w, ".wg.shared", SHT_PROGBITS, 0, 4, 16, w->shared.p, w->shared.n) == 0) return false;
  if (add_section(w, ".wg.var", SHT_PROGBITS, 0, 4, 8, w->var.p, w->var.n) == 0) return false;
  uint32_t str = add_section(w, ".strtab", SHT_STRTAB, 0, 1, 0, w->str.p, w->str.n);
  uint32_t sym = add_section(w, ".symtab", SHT_SYMTAB, 0, 8, 24, w->sym.p, w->sym.n);
  GElf_Shdr h;
  Elf_Scn *s = elf_getscn(w->elf, sym);
  if (str == 0 || sym == 0 || gelf_getshdr(s, &h) == NULL) return false;
  h.sh_link = str;
  h.sh_info = 1; /* the first global symbol */
  return gelf_update_shdr(s, &h) != 0;
}

static bool build(writer_t *w) {
  GElf_Ehdr e;
  if (gelf_newehdr(w->elf, ELFCLASS64) == NULL || gelf_getehdr(w->elf, &e) == NULL) return false;
  e.e_ident[EI_DATA] = ELFDATA2LSB;
  e.e_machine = kWgElfMachine;
  e.e_type = ET_REL;
  e.e_version = EV_CURRENT;
  e.e_flags = kWgObjVersion;
  put(&w->shstr, "", 1);
  if (gelf_update_ehdr(w->elf, &e) == 0 || !add_code(w) || !add_tables(w) || !add_symbols(w)) return false;
  /* The section's own name goes into the table before its data is laid down. */
  uint32_t n = add_section(w, ".shstrtab", SHT_STRTAB, 0, 1, 0, "", 0);
  Elf_Data *d = n != 0 ? elf_getdata(elf_getscn(w->elf, n), NULL) : NULL;
  if (d == NULL || gelf_getehdr(w->elf, &e) == NULL) return false;
  d->d_buf = w->shstr.p;
  d->d_size = w->shstr.n;
  e.e_shstrndx = (uint16_t)n;
  return gelf_update_ehdr(w->elf, &e) != 0 && elf_update(w->elf, ELF_C_WRITE) > 0;
}

static void free_writer(writer_t *w) {
  for (size_t i = 0; i < w->o->num_kernels; i++) free(w->code[i].p);
  bytes_t *all[] = {&w->shstr, &w->str, &w->sym, &w->manifest, &w->param, &w->var, &w->line, &w->files, &w->reloc,
                    &w->mark, &w->shared};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]->p);
  free(w->code);
  free(w->text);
  if (w->elf != NULL) elf_end(w->elf);
}

/* libelf writes to file descriptors only, so the image goes through an unnamed file. */
static wg_status_t write_to(FILE *f, const wg_obj_t *o, wg_diag_t *diag) {
  if (elf_version(EV_CURRENT) == EV_NONE) return wg_fail(diag, kWgUnsupported, "libelf is too old");
  writer_t w = {.o = o, .diag = diag};
  w.code = calloc(o->num_kernels + 1, sizeof *w.code);
  w.text = calloc(o->num_kernels + 1, sizeof *w.text);
  WG_BUG(w.code == NULL || w.text == NULL);
  w.elf = elf_begin(fileno(f), ELF_C_WRITE, NULL);
  bool ok = w.elf != NULL && build(&w);
  if (!ok) wg_fail(diag, kWgIo, "cannot lay out the object: %s", elf_errmsg(-1));
  free_writer(&w);
  return ok ? kWgOk : kWgIo;
}

wg_status_t wg_obj_to_memory(const wg_obj_t *o, uint8_t **bytes, size_t *n, wg_diag_t *diag) {
  WG_TRY(check_object(o, diag));
  FILE *f = tmpfile();
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot create a temporary file: %s", strerror(errno));
  wg_status_t st = write_to(f, o, diag);
  uint8_t *buf = NULL;
  long size = 0;
  if (st == kWgOk) {
    if (fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) size = 0;
    rewind(f);
    buf = malloc((size_t)size + 1);
    WG_BUG(buf == NULL);
    if (fread(buf, 1, (size_t)size, f) != (size_t)size)
      st = wg_fail(diag, kWgIo, "cannot read back the object");
  }
  fclose(f);
  if (st != kWgOk) {
    free(buf);
    return st;
  }
  *bytes = buf;
  *n = (size_t)size;
  return kWgOk;
}

wg_status_t wg_obj_write(const wg_obj_t *o, const char *path, wg_diag_t *diag) {
  uint8_t *bytes;
  size_t n;
  WG_TRY(wg_obj_to_memory(o, &bytes, &n, diag));
  FILE *f = wg_file_create(path);
  bool whole = f != NULL && fwrite(bytes, 1, n, f) == n;
  if (f != NULL) whole = wg_file_close(f, path, true) && whole;
  int why = errno;
  free(bytes);
  if (!whole) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "%s", wg_file_remedy("cannot write ''"));
    return wg_fail(diag, kWgIo, "cannot write '%s': %s", path, strerror(why));
  }
  return kWgOk;
}
