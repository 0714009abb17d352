// SPDX-License-Identifier: Apache-2.0
//
// Reader of the kernel container. The file is untrusted: nothing is used before its offset and size were
// checked.
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "isa/wg_cfg.h"
#include "toolchain/obj/wg_obj_elf.h"

/* A section's bytes inside the file. */
typedef struct span {
  const uint8_t *p;
  size_t n;
} span_t;

typedef struct reader {
  const uint8_t *bytes;
  size_t n;
  Elf *elf;
  size_t shstrndx;
  wg_obj_t *o;
  wg_diag_t *diag;
  span_t kernel, param, const2, const3, global, line, ptx_line, files, ptx, var, sym, str, reloc, mark, shared;
  size_t const3_ndx, global_ndx, num_text;
} reader_t;

#define BAD(...) return wg_fail(r->diag, kWgBadInput, __VA_ARGS__)

static uint32_t get32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static uint64_t get64(const uint8_t *p) { return get32(p) | (uint64_t)get32(p + 4) << 32; }

static void *copy(const void *p, size_t n) {
  char *q = malloc(n + 1);
  WG_BUG(q == NULL);
  if (n != 0) memcpy(q, p, n);
  q[n] = '\0';
  return q;
}

static void *zeros(size_t n, size_t size) {
  void *p = calloc(n + 1, size);
  WG_BUG(p == NULL);
  return p;
}

/* Bytes of section `h`; checks type and bounds. */
static wg_status_t span_of(reader_t *r, const GElf_Shdr *h, const char *name, uint32_t type, span_t *out) {
  if (h->sh_type != type) BAD("section '%s' has type %u, not %u", name, h->sh_type, type);
  if ((h->sh_flags & SHF_COMPRESSED) != 0) BAD("section '%s' is compressed", name);
  if (h->sh_offset > r->n || h->sh_size > r->n - h->sh_offset)
    BAD("section '%s' reaches beyond the end of the file", name);
  if (out->p != NULL) BAD("section '%s' is there twice", name);
  out->p = r->bytes + h->sh_offset;
  out->n = (size_t)h->sh_size;
  return kWgOk;
}

static wg_status_t read_section(reader_t *r, Elf_Scn *s) {
  GElf_Shdr h;
  if (gelf_getshdr(s, &h) == NULL) BAD("section header %zu is unreadable", elf_ndxscn(s));
  const char *name = elf_strptr(r->elf, r->shstrndx, h.sh_name);
  if (name == NULL) BAD("section %zu has no name", elf_ndxscn(s));
  const struct {
    const char *name;
    uint32_t type;
    span_t *to;
  } known[] = {{".wg.kernel", SHT_PROGBITS, &r->kernel}, {".wg.param", SHT_PROGBITS, &r->param},
               {".wg.const2", SHT_PROGBITS, &r->const2}, {".wg.const3", SHT_PROGBITS, &r->const3},
               {".wg.global", SHT_PROGBITS, &r->global}, {".wg.line", SHT_PROGBITS, &r->line},
               {".wg.files", SHT_PROGBITS, &r->files},   {".wg.ptx", SHT_PROGBITS, &r->ptx},
               {".wg.var", SHT_PROGBITS, &r->var},       {".symtab", SHT_SYMTAB, &r->sym},
               {".strtab", SHT_STRTAB, &r->str},
               {".wg.reloc", SHT_PROGBITS, &r->reloc},   {".wg.mark", SHT_PROGBITS, &r->mark},
               {".wg.shared", SHT_PROGBITS, &r->shared}, {".wg.ptxline", SHT_PROGBITS, &r->ptx_line}};
  if (strncmp(name, ".text.", 6) == 0) r->num_text++;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(name, known[i].name) != 0) continue;
    WG_TRY(span_of(r, &h, name, known[i].type, known[i].to));
    if (known[i].to == &r->const3) r->const3_ndx = elf_ndxscn(s);
    if (known[i].to == &r->global) r->global_ndx = elf_ndxscn(s);
  }
  return kWgOk;
}

static wg_status_t read_sections(reader_t *r) {
  if (elf_getshdrstrndx(r->elf, &r->shstrndx) != 0) BAD("no section name table");
  for (Elf_Scn *s = NULL; (s = elf_nextscn(r->elf, s)) != NULL;) WG_TRY(read_section(r, s));
  if (r->kernel.p == NULL) BAD("no section '.wg.kernel'");
  return kWgOk;
}

static wg_status_t read_code(reader_t *r, size_t index, wg_obj_kernel_t *k) {
  Elf_Scn *s = elf_getscn(r->elf, index);
  GElf_Shdr h;
  if (s == NULL || gelf_getshdr(s, &h) == NULL)
    BAD("kernel manifest names section %zu, which is not there", index);
  const char *name = elf_strptr(r->elf, r->shstrndx, h.sh_name);
  if (name == NULL || strncmp(name, ".text.", 6) != 0 || name[6] == '\0') {
    BAD("kernel manifest names section %zu, which is no '.text.<kernel>'", index);
  }
  span_t t = {0};
  WG_TRY(span_of(r, &h, name, SHT_PROGBITS, &t));
  if (t.n == 0 || t.n % kWgInsnBytes != 0 || t.n > kWgObjMaxCode) {
    BAD("section '%s' has %zu bytes, no positive multiple of 16 up to 2^28", name, t.n);
  }
  for (size_t i = 0; i < r->o->num_kernels; i++) {
    if (strcmp(r->o->kernels[i].name, name + 6) == 0) BAD("kernel '%s' is there twice", name + 6);
  }
  k->name = copy(name + 6, strlen(name + 6));
  k->num_insns = (uint32_t)(t.n / kWgInsnBytes);
  k->code = zeros(k->num_insns, sizeof *k->code);
  for (uint32_t i = 0; i < k->num_insns; i++) {
    k->code[i].lo = get64(t.p + 16 * (size_t)i);
    k->code[i].hi = get64(t.p + 16 * (size_t)i + 8);
  }
  return kWgOk;
}

static wg_status_t read_params(reader_t *r, wg_obj_kernel_t *k, uint32_t first, uint32_t num) {
  size_t have = r->param.n / 12;
  if (first > have || num > have - first)
    BAD("kernel '%s': parameters %u..+%u of %zu", k->name, first, num, have);
  k->params = zeros(num, sizeof *k->params);
  k->num_params = num;
  for (uint32_t i = 0; i < num; i++) {
    const uint8_t *p = r->param.p + 12 * (size_t)(first + i);
    wg_obj_param_t q = {get32(p), get32(p + 4), get32(p + 8)};
    if (q.align == 0 || (q.align & (q.align - 1)) != 0 || q.offset % q.align != 0 ||
        q.offset > kWgObjMaxParam || q.size > kWgObjMaxParam - q.offset) {
      BAD("kernel '%s': parameter %u has offset %u, size %u, alignment %u", k->name, i, q.offset, q.size,
          q.align);
    }
    k->params[i] = q;
  }
  return kWgOk;
}

static wg_status_t check_limits(reader_t *r, const wg_obj_kernel_t *k) {
  if (k->regs > 255) BAD("kernel '%s' uses %u registers, the limit is 255", k->name, k->regs);
  if (k->barriers > kWgBarriers) BAD("kernel '%s' uses %u barriers, the limit is 16", k->name, k->barriers);
  if (k->max_threads == 0 || k->max_threads > 1024)
    BAD("kernel '%s' allows %u threads a block", k->name, k->max_threads);
  if (k->shared_bytes >= 1u << 19 || k->local_bytes >= 1u << 18) {
    BAD("kernel '%s' wants %u shared and %u local bytes", k->name, k->shared_bytes, k->local_bytes);
  }
  return kWgOk;
}

static wg_status_t read_kernels(reader_t *r) {
  const size_t rec = sizeof(wg_obj_manifest_t);
  if (r->kernel.n % rec != 0 || r->kernel.n / rec != r->num_text) {
    BAD("section '.wg.kernel' has %zu bytes for %zu kernels of %zu bytes", r->kernel.n, r->num_text, rec);
  }
  if (r->param.n % 12 != 0) BAD("section '.wg.param' has %zu bytes, no multiple of 12", r->param.n);
  r->o->kernels = zeros(r->num_text, sizeof *r->o->kernels);
  uint64_t code = 0;
  for (size_t i = 0; i < r->num_text; i++) {
    const uint8_t *p = r->kernel.p + rec * i;
    uint32_t f[16];
    for (size_t j = 0; j < 16; j++) f[j] = get32(p + 4 * j);
    wg_obj_kernel_t *k = &r->o->kernels[i];
    WG_TRY(read_code(r, f[0], k));
    r->o->num_kernels = i + 1;
    k->max_threads = f[1];
    for (size_t j = 0; j < 3; j++) k->req_ntid[j] = f[2 + j];
    k->regs = f[5];
    k->shared_bytes = f[6];
    k->local_bytes = f[7];
    k->barriers = f[8];
    k->spills = f[9];
    k->uses_dyn_shared = f[10] != 0;
    k->latency_hash = f[13];
    k->is_func = f[14] != 0;
    k->uses_stack = f[15] != 0;
    WG_TRY(check_limits(r, k));
    WG_TRY(read_params(r, k, f[11], f[12]));
    code += k->num_insns * (uint64_t)kWgInsnBytes + kWgObjCodeAlign;
    if (code > kWgObjMaxCode) BAD("the code of all kernels exceeds 2^28 bytes");
  }
  return kWgOk;
}

static wg_status_t read_lines(reader_t *r) {
  wg_obj_t *o = r->o;
  if (r->files.n != 0 && r->files.p[r->files.n - 1] != 0) BAD("section '.wg.files' does not end in a NUL");
  for (size_t i = 0; i < r->files.n; i++) o->num_files += r->files.p[i] == 0;
  o->files = zeros(o->num_files, sizeof *o->files);
  const char *name = (const char *)r->files.p;
  for (size_t i = 0; i < o->num_files; i++) {
    o->files[i] = copy(name, strlen(name));
    name += strlen(name) + 1;
  }
  if (r->line.n % 12 != 0) BAD("section '.wg.line' has %zu bytes, no multiple of 12", r->line.n);
  o->num_lines = r->line.n / 12;
  o->lines = zeros(o->num_lines, sizeof *o->lines);
  for (size_t i = 0; i < o->num_lines; i++) {
    const uint8_t *p = r->line.p + 12 * i;
    o->lines[i] = (wg_obj_line_t){get32(p), get32(p + 4), get32(p + 8)};
    if (o->lines[i].file >= o->num_files)
      BAD("line entry %zu names file %u of %zu", i, o->lines[i].file, o->num_files);
    if (i != 0 && o->lines[i - 1].pc > o->lines[i].pc) BAD("line entry %zu is not sorted", i);
  }
  return kWgOk;
}

/* Absent in older containers. */
static wg_status_t read_ptx_lines(reader_t *r) {
  wg_obj_t *o = r->o;
  if (r->ptx_line.n % 8 != 0) BAD("section '.wg.ptxline' has %zu bytes, no multiple of 8", r->ptx_line.n);
  o->num_ptx_lines = r->ptx_line.n / 8;
  o->ptx_lines = zeros(o->num_ptx_lines, sizeof *o->ptx_lines);
  for (size_t i = 0; i < o->num_ptx_lines; i++) {
    const uint8_t *p = r->ptx_line.p + 8 * i;
    o->ptx_lines[i] = (wg_obj_ptx_line_t){get32(p), get32(p + 4)};
    if (i != 0 && o->ptx_lines[i - 1].pc >= o->ptx_lines[i].pc) BAD("PTX line entry %zu is not sorted", i);
  }
  return kWgOk;
}

static wg_status_t read_vars(reader_t *r) {
  if (r->var.n % 8 != 0) BAD("section '.wg.var' has %zu bytes, no multiple of 8", r->var.n);
  if (r->str.n != 0 && r->str.p[r->str.n - 1] != 0) BAD("section '.strtab' does not end in a NUL");
  size_t n = r->var.n / 8;
  r->o->vars = zeros(n, sizeof *r->o->vars);
  for (size_t i = 0; i < n; i++) {
    uint32_t sym = get32(r->var.p + 8 * i), align = get32(r->var.p + 8 * i + 4);
    if (sym >= r->sym.n / 24) BAD("variable %zu names symbol %u of %zu", i, sym, r->sym.n / 24);
    const uint8_t *s = r->sym.p + 24 * (size_t)sym;
    uint32_t name = get32(s), ndx = (uint32_t)(s[6] | s[7] << 8);
    uint64_t value = get64(s + 8), size = get64(s + 16);
    if (name >= r->str.n) BAD("variable %zu has no name", i);
    bool constant = ndx != 0 && ndx == r->const3_ndx;
    if (!constant && (ndx == 0 || ndx != r->global_ndx))
      BAD("variable '%s' lies in section %u", (const char *)r->str.p + name, ndx);
    size_t have = constant ? r->const3.n : r->global.n;
    if (value > have || size > have - value)
      BAD("variable '%s' lies outside its section", (const char *)r->str.p + name);
    if (align == 0 || (align & (align - 1)) != 0)
      BAD("variable '%s' has alignment %u", (const char *)r->str.p + name, align);
    r->o->vars[i] = (wg_obj_var_t){copy(r->str.p + name, strlen((const char *)r->str.p + name)),
                                   constant ? 0 : 1, (uint32_t)value, (uint32_t)size, align};
    r->o->num_vars = i + 1;
  }
  return kWgOk;
}

static wg_status_t read_blobs(reader_t *r) {
  wg_obj_t *o = r->o;
  if (r->const2.n > kWgObjBankBytes || r->const3.n > kWgObjBankBytes) BAD("a constant bank exceeds 64 KiB");
  if (r->global.n > UINT32_MAX) BAD("section '.wg.global' exceeds 4 GiB");
  o->const2 = copy(r->const2.p, o->const2_size = r->const2.n);
  o->const3 = copy(r->const3.p, o->const3_size = r->const3.n);
  o->global_init = copy(r->global.p, o->global_size = r->global.n);
  if (r->ptx.p == NULL) return kWgOk;
  o->ptx = copy(r->ptx.p, r->ptx.n);
  if (strlen(o->ptx) != r->ptx.n) BAD("section '.wg.ptx' contains a NUL");
  return kWgOk;
}

static wg_status_t read_relocs(reader_t *r) {
  if (r->reloc.n % 24 != 0) BAD("section '.wg.reloc' has %zu bytes, no multiple of 24", r->reloc.n);
  size_t n = r->reloc.n / 24;
  r->o->relocs = zeros(n, sizeof *r->o->relocs);
  for (size_t i = 0; i < n; i++) {
    const uint8_t *p = r->reloc.p + 24 * i;
    uint32_t space = get32(p), base = get32(p + 4), form = get32(p + 8);
    wg_obj_reloc_t q = {(uint8_t)space, (uint8_t)base, (uint8_t)form, (uint8_t)(form >> 8), get32(p + 12), get64(p + 16)};
    if (space > 1 || base > 1 || form > 0xffff || !wg_obj_reloc_fits(r->o, &q))
      BAD("address %zu lies outside its section", i);
    r->o->relocs[i] = q;
    r->o->num_relocs = i + 1;
  }
  return kWgOk;
}

/* Absent in older containers: then nothing is marked or named. */
static wg_status_t read_race_tables(reader_t *r) {
  wg_obj_t *o = r->o;
  if (r->mark.n % 4 != 0) BAD("section '.wg.mark' has %zu bytes, no multiple of 4", r->mark.n);
  o->num_marks = r->mark.n / 4;
  o->marks = zeros(o->num_marks, sizeof *o->marks);
  for (size_t i = 0; i < o->num_marks; i++) {
    o->marks[i] = get32(r->mark.p + 4 * i);
    if (i != 0 && o->marks[i - 1] >= o->marks[i]) BAD("mark %zu is not sorted", i);
  }
  if (r->shared.n % 16 != 0) BAD("section '.wg.shared' has %zu bytes, no multiple of 16", r->shared.n);
  o->shared = zeros(r->shared.n / 16, sizeof *o->shared);
  for (size_t i = 0; i < r->shared.n / 16; i++) {
    const uint8_t *p = r->shared.p + 16 * i;
    uint32_t name = get32(p + 12);
    if (get32(p) >= o->num_kernels || name >= r->str.n || r->str.p[r->str.n - 1] != 0)
      BAD("shared variable %zu is of no kernel or has no name", i);
    const char *text = (const char *)r->str.p + name;
    o->shared[i] = (wg_obj_shared_t){copy(text, strlen(text)), get32(p), get32(p + 4), get32(p + 8)};
    o->num_shared = i + 1;
  }
  return kWgOk;
}

static wg_status_t read_all(reader_t *r) {
  GElf_Ehdr e;
  if (r->elf == NULL || elf_kind(r->elf) != ELF_K_ELF || gelf_getehdr(r->elf, &e) == NULL) BAD("no ELF file");
  if (e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_ident[EI_DATA] != ELFDATA2LSB)
    BAD("no 64-bit little-endian ELF file");
  if (e.e_machine != kWgElfMachine) BAD("machine 0x%x, not 0x%x", e.e_machine, (unsigned)kWgElfMachine);
  if (e.e_flags != kWgObjVersion) {
    BAD("container version %u, this program reads %u", e.e_flags, (unsigned)kWgObjVersion);
  }
  WG_TRY(read_sections(r));
  WG_TRY(read_kernels(r));
  WG_TRY(read_lines(r));
  WG_TRY(read_ptx_lines(r));
  WG_TRY(read_blobs(r));
  WG_TRY(read_relocs(r));
  WG_TRY(read_race_tables(r));
  return read_vars(r);
}

wg_status_t wg_obj_from_memory(const uint8_t *bytes, size_t n, const char *name, wg_obj_t **out,
                               wg_diag_t *diag) {
  if (diag != NULL) snprintf(diag->file, sizeof diag->file, "%s", name);
  if (elf_version(EV_CURRENT) == EV_NONE) return wg_fail(diag, kWgUnsupported, "libelf is too old");
  char *image = copy(bytes, n); /* libelf wants aligned, writable bytes */
  reader_t r = {.bytes = (const uint8_t *)image, .n = n, .o = wg_obj_new(), .diag = diag};
  r.elf = n != 0 ? elf_memory(image, n) : NULL;
  wg_status_t st = read_all(&r);
  if (r.elf != NULL) elf_end(r.elf);
  free(image);
  if (st != kWgOk) {
    /* A kernel whose code was refused is not counted yet. */
    if (r.o->kernels != NULL && r.o->num_kernels < r.num_text) r.o->num_kernels++;
    wg_obj_free(r.o);
    return st;
  }
  if (diag != NULL) diag->file[0] = '\0';
  *out = r.o;
  return kWgOk;
}

wg_status_t wg_obj_read(const char *path, wg_obj_t **out, wg_diag_t *diag) {
  if (diag != NULL) snprintf(diag->file, sizeof diag->file, "%s", path);
  FILE *f = fopen(path, "rb");
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot open: %s", strerror(errno));
  uint8_t *buf = NULL;
  size_t n = 0, cap = 0, got;
  do {
    if (n == cap) {
      cap = cap * 2 + 65536;
      buf = realloc(buf, cap);
      WG_BUG(buf == NULL);
    }
    got = fread(buf + n, 1, cap - n, f);
    n += got;
  } while (got != 0);
  bool bad = ferror(f) != 0;
  fclose(f);
  wg_status_t st = bad ? wg_fail(diag, kWgIo, "cannot read: %s", strerror(errno))
                       : wg_obj_from_memory(buf, n, path, out, diag);
  free(buf);
  return st;
}
