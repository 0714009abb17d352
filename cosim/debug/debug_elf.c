// SPDX-License-Identifier: Apache-2.0
//
// ELF-64 and DWARF 4 by their specifications (System V ABI, chapter 4; DWARF Debugging Information Format 4: 6.2 line numbers, 7.5
// info, 6.4 frames), little endian.
#define _GNU_SOURCE
#include "cosim/debug/debug_elf.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cosim/debug/debug_param.h"
#include "isa/wg_cfg.h"
#include "toolchain/obj/wg_demangle.h"
#include "toolchain/obj/wg_files.h"

typedef struct bytes {
  uint8_t *p;
  size_t n, cap;
} bytes_t;

static void put(bytes_t *b, const void *src, size_t n) {
  if (b->n + n > b->cap) {
    b->cap = 2 * (b->n + n) + 64;
    b->p = realloc(b->p, b->cap);
    WG_BUG(b->p == NULL);
  }
  memcpy(b->p + b->n, src, n);
  b->n += n;
}

static void put_uint(bytes_t *b, uint64_t v, size_t n) {
  for (size_t i = 0; i < n; i++) put(b, &(uint8_t){(uint8_t)(v >> 8 * i)}, 1);
}
static void put8(bytes_t *b, unsigned v) { put_uint(b, v, 1); }
static void put16(bytes_t *b, unsigned v) { put_uint(b, v, 2); }
static void put32(bytes_t *b, uint64_t v) { put_uint(b, v, 4); }
static void put64(bytes_t *b, uint64_t v) { put_uint(b, v, 8); }
static void put_string(bytes_t *b, const char *s) { put(b, s, strlen(s) + 1); }

static void put_uleb(bytes_t *b, uint64_t v) {
  do {
    put8(b, (unsigned)(v & 127u) | (v > 127u ? 128u : 0u));
    v >>= 7;
  } while (v != 0);
}

static void put_sleb(bytes_t *b, int64_t v) {
  for (;;) {
    unsigned low = (unsigned)v & 127u;
    v = v >= 0 ? v / 128 : -((127 - v) / 128); /* rounds down */
    bool last = (v == 0 && (low & 64u) == 0) || (v == -1 && (low & 64u) != 0);
    put8(b, low | (last ? 0u : 128u));
    if (last) return;
  }
}

/* Write the 32-bit length that stands at `at` and counts what follows it. */
static void set_length(bytes_t *b, size_t at) {
  uint32_t n = (uint32_t)(b->n - at - 4);
  for (size_t i = 0; i < 4; i++) b->p[at + i] = (uint8_t)(n >> 8 * i);
}

static uint64_t address(size_t module, uint64_t pc) { return (uint64_t)module << kWgPcBits | pc; }
static uint64_t kernel_end(const wg_obj_t *o, size_t k) {
  return wg_obj_kernel_pc(o, k) + (uint64_t)o->kernels[k].num_insns * (uint64_t)kWgInsnBytes;
}

/* ---- .debug_line ---- */

/* Rows of one kernel: a sequence. */
static void put_sequence(bytes_t *b, const wg_obj_t *o, size_t module, size_t kernel) {
  uint64_t from = wg_obj_kernel_pc(o, kernel), to = kernel_end(o, kernel), pc = from;
  uint32_t file = 1, line = 1, last_file = 0, last_line = 0;
  put8(b, 0), put_uleb(b, 9), put8(b, 2), put64(b, address(module, from)); /* DW_LNE_set_address */
  for (size_t i = 0; i < o->num_lines; i++) {
    const wg_obj_line_t *l = &o->lines[i];
    if (l->pc < from || l->pc >= to || l->file >= o->num_files || l->line == 0) continue;
    if (l->file + 1 == last_file && l->line == last_line) continue;
    if (l->file + 1 != file) put8(b, 4), put_uleb(b, l->file + 1);                              /* DW_LNS_set_file */
    if (l->line != line) put8(b, 3), put_sleb(b, (int64_t)l->line - (int64_t)line);              /* DW_LNS_advance_line */
    if (l->pc != pc) put8(b, 2), put_uleb(b, (l->pc - pc) / (uint64_t)kWgInsnBytes);             /* DW_LNS_advance_pc */
    put8(b, 1);                                                                                  /* DW_LNS_copy */
    file = last_file = l->file + 1;
    line = last_line = l->line;
    pc = l->pc;
  }
  put8(b, 2), put_uleb(b, (to - pc) / (uint64_t)kWgInsnBytes);
  put8(b, 0), put_uleb(b, 1), put8(b, 1); /* DW_LNE_end_sequence */
}

static void put_lines(bytes_t *b, const wg_obj_t *o, size_t module) {
  static const uint8_t kLengths[12] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  size_t unit = b->n;
  put32(b, 0);
  put16(b, 4);
  size_t header = b->n;
  put32(b, 0);
  put8(b, (unsigned)kWgInsnBytes); /* minimum instruction length */
  put8(b, 1);                      /* operations an instruction */
  put8(b, 1);                      /* rows are statements */
  put8(b, 0xfb), put8(b, 14), put8(b, 13); /* line base -5, line range, opcode base */
  put(b, kLengths, sizeof kLengths);
  put8(b, 0); /* no directories: names are paths */
  for (size_t i = 0; i < o->num_files; i++) put_string(b, o->files[i]), put_uleb(b, 0), put_uleb(b, 0), put_uleb(b, 0);
  put8(b, 0);
  set_length(b, header);
  for (size_t k = 0; k < o->num_kernels; k++) put_sequence(b, o, module, k);
  set_length(b, unit);
}

/* ---- .debug_abbrev, .debug_info ---- */

static void put_abbrevs(bytes_t *b) {
  static const uint8_t kTable[] = {
      1, 0x11, 1, 0x25, 0x08, 0x13, 0x0b, 0x03, 0x08, 0x1b, 0x08, 0x10, 0x17, 0x11, 0x01, 0x12, 0x07, 0, 0, /* compile unit: producer, language, name,
                                                                                     directory, lines, low and high pc */
      2, 0x2e, 1, 0x3f, 0x19, 0x03, 0x08, 0x6e, 0x08, 0x11, 0x01, 0x12, 0x07, 0, 0, /* subprogram: external, name,
                                                                                     linkage name, low and high pc */
      3, 0x24, 0, 0x0b, 0x0b, 0x3e, 0x0b, 0x03, 0x08, 0, 0, /* base type: size, encoding, name */
      4, 0x0f, 0, 0x0b, 0x0b, 0x49, 0x13, 0, 0,             /* pointer: size, type */
      5, 0x0f, 0, 0x0b, 0x0b, 0, 0,                         /* pointer to void: size */
      6, 0x01, 1, 0x49, 0x13, 0, 0,                         /* array: type */
      7, 0x21, 0, 0x2f, 0x0f, 0, 0,                         /* its range: upper bound */
      8, 0x05, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0, /* parameter: name, type, location */
      0};
  put(b, kTable, sizeof kTable);
}

/* "convolve_v1" of "_Z11convolve_v1iPKfPf". */
static void plain_name(const char *mangled, char *buf, size_t n) {
  char text[200];
  wg_demangle(mangled, text, sizeof text);
  const char *at = strncmp(text, "void ", 5) == 0 ? text + 5 : text;
  snprintf(buf, n, "%.*s", (int)strcspn(at, "(<"), at);
}

/* Types of a unit: written once each, in front of the function that uses them first. */
typedef struct types {
  size_t n;
  struct {
    dbg_base_t base;
    uint32_t size;
    unsigned pointers;
    uint64_t at; /* from the unit's begin */
  } known[64];
} types_t;

static uint64_t put_type(bytes_t *b, size_t unit, types_t *t, dbg_base_t base, uint32_t size, unsigned pointers) {
  static const struct {
    const char *name;
    uint8_t encoding; /* DW_ATE_*: unsigned, signed, unsigned, float, boolean, signed char */
  } kBase[] = {{"byte", 7}, {"int", 5}, {"unsigned", 7}, {"float", 4}, {"bool", 2}, {"char", 6}};
  char name[40];
  for (size_t i = 0; i < t->n; i++) {
    if (t->known[i].base == base && t->known[i].size == size && t->known[i].pointers == pointers) return t->known[i].at;
  }
  uint64_t inner = 0, at = 0;
  bool array = pointers == 0 && base == kDbgBytes, to_void = pointers == 1 && base == kDbgVoid;
  if (pointers != 0 && !to_void) inner = put_type(b, unit, t, base, size, pointers - 1);
  if (array) inner = put_type(b, unit, t, kDbgUnsigned, 1, 0);
  at = b->n - unit;
  if (to_void) {
    put_uleb(b, 5), put8(b, 8);
  } else if (pointers != 0) {
    put_uleb(b, 4), put8(b, 8), put32(b, inner);
  } else if (array) {
    put_uleb(b, 6), put32(b, inner), put_uleb(b, 7), put_uleb(b, size == 0 ? 0 : size - 1), put8(b, 0);
  } else {
    snprintf(name, sizeof name, "%s%u", kBase[base].name, 8 * size);
    if ((base == kDbgSigned || base == kDbgUnsigned || base == kDbgFloat) && size == 4)
      name[strlen(kBase[base].name)] = '\0';
    if (base == kDbgFloat && size == 8) snprintf(name, sizeof name, "double");
    if (base == kDbgBool || base == kDbgChar) snprintf(name, sizeof name, "%s", kBase[base].name);
    put_uleb(b, 3), put8(b, size), put8(b, kBase[base].encoding), put_string(b, name);
  }
  if (t->n < sizeof t->known / sizeof t->known[0]) {
    t->known[t->n].base = base, t->known[t->n].size = size, t->known[t->n].pointers = pointers, t->known[t->n].at = at;
    t->n++;
  }
  return at;
}

/* Parameters, at their places in the constant bank; their types stand in front of the function. */
static void put_function(bytes_t *b, size_t unit, types_t *t, const wg_obj_t *o, size_t module, size_t k) {
  enum { kMost = 128 };
  char name[200];
  uint64_t type[kMost];
  dbg_param_t p;
  uint32_t n = o->kernels[k].is_func ? 0 : o->kernels[k].num_params;
  if (n > (uint32_t)kMost) n = kMost;
  for (uint32_t i = 0; i < n; i++) {
    dbg_param(o, k, i, &p);
    type[i] = put_type(b, unit, t, p.base, p.base_size, p.pointers);
  }
  plain_name(o->kernels[k].name, name, sizeof name);
  put_uleb(b, 2), put_string(b, name), put_string(b, o->kernels[k].name);
  put64(b, address(module, wg_obj_kernel_pc(o, k))), put64(b, kernel_end(o, k) - wg_obj_kernel_pc(o, k));
  for (uint32_t i = 0; i < n; i++) {
    dbg_param(o, k, i, &p);
    put_uleb(b, 8), put_string(b, p.name), put32(b, type[i]);
    put_uleb(b, 9), put8(b, 0x03), put64(b, WG_DBG_BANK0 + (uint64_t)kWgParamBase + p.offset); /* DW_OP_addr */
  }
  put8(b, 0);
}

static void put_info(bytes_t *b, const wg_obj_t *o, size_t module, size_t lines_at) {
  types_t types = {.n = 0};
  uint64_t from = UINT64_MAX, to = 0;
  for (size_t k = 0; k < o->num_kernels; k++) {
    if (wg_obj_kernel_pc(o, k) < from) from = wg_obj_kernel_pc(o, k);
    if (kernel_end(o, k) > to) to = kernel_end(o, k);
  }
  if (from > to) from = to;
  size_t unit = b->n;
  put32(b, 0), put16(b, 4), put32(b, 0), put8(b, 8);
  put_uleb(b, 1), put_string(b, "warpglass"), put8(b, 4); /* DW_LANG_C_plus_plus */
  put_string(b, o->num_files == 0 ? "kernels" : o->files[0]), put_string(b, "."), put32(b, lines_at);
  put64(b, address(module, from)), put64(b, to - from);
  for (size_t k = 0; k < o->num_kernels; k++) put_function(b, unit, &types, o, module, k);
  put8(b, 0);
  set_length(b, unit);
}

/* ---- .debug_frame ---- */

static void pad(bytes_t *b, size_t from) {
  while ((b->n - from) % 8 != 4) put8(b, 0); /* DW_CFA_nop; the length field has 4 bytes */
}

/* One frame, the outermost: a constant frame address, no return address. Kernels have no caller, and functions keep theirs in
   registers of their own. */
static void put_frames(bytes_t *b, const wg_obj_t *const *objs, size_t n) {
  static const uint8_t kStart[] = {0x0f, 1, 0x30, 0x07, 1}; /* DW_CFA_def_cfa_expression {DW_OP_lit0}, DW_CFA_undefined x1 */
  size_t at = b->n;
  put32(b, 0), put32(b, 0xffffffffu), put8(b, 3), put8(b, 0);
  put_uleb(b, 1), put_sleb(b, -8), put_uleb(b, 1); /* code, data alignment; return address: x1 */
  put(b, kStart, sizeof kStart);
  pad(b, at + 4);
  set_length(b, at);
  for (size_t m = 0; m < n; m++) {
    for (size_t k = 0; k < objs[m]->num_kernels; k++) {
      at = b->n;
      put32(b, 0), put32(b, 0);
      put64(b, address(m, wg_obj_kernel_pc(objs[m], k))), put64(b, kernel_end(objs[m], k) - wg_obj_kernel_pc(objs[m], k));
      pad(b, at + 4);
      set_length(b, at);
    }
  }
}

/* ---- the file ---- */

enum { kNull, kLineSection, kInfoSection, kAbbrevSection, kFrameSection, kSymbols, kStrings, kNames, kFixed };

typedef struct section {
  const char *name;
  uint32_t type, link, info;
  uint64_t flags, addr, align, entry;
  bytes_t data;
} section_t;

/* Text and symbols of a module. */
static void put_module(section_t *s, size_t text, const wg_obj_t *o, size_t module) {
  bytes_t *code = &s[text].data;
  s[text] = (section_t){.name = ".text", .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_EXECINSTR, .addr = address(module, 0), .align = 128};
  for (size_t k = 0; k < o->num_kernels; k++) {
    uint32_t pc = wg_obj_kernel_pc(o, k);
    while (code->n < pc) put8(code, 0);
    for (uint32_t i = 0; i < o->kernels[k].num_insns; i++) put64(code, o->kernels[k].code[i].lo), put64(code, o->kernels[k].code[i].hi);
    bytes_t *sym = &s[kSymbols].data;
    put32(sym, s[kStrings].data.n), put8(sym, STB_GLOBAL << 4 | STT_FUNC), put8(sym, 0), put16(sym, (unsigned)text);
    put64(sym, address(module, pc)), put64(sym, kernel_end(o, k) - pc);
    put_string(&s[kStrings].data, o->kernels[k].name);
  }
}

static void put_header(bytes_t *f, size_t sections, uint64_t sections_at) {
  const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
  put(f, ident, sizeof ident);
  put16(f, ET_EXEC), put16(f, EM_RISCV), put32(f, EV_CURRENT);
  put64(f, 0), put64(f, 0), put64(f, sections_at), put32(f, 0);
  put16(f, 64), put16(f, 0), put16(f, 0), put16(f, 64), put16(f, (unsigned)sections), put16(f, kNames);
}

static void put_file(bytes_t *f, section_t *s, size_t n) {
  bytes_t table = {NULL, 0, 0};
  put_header(f, n, 0);
  size_t name_at[kFixed + kDbgElfModules] = {0};
  put8(&s[kNames].data, 0); /* names first: they are a section themselves */
  for (size_t i = 1; i < n; i++) {
    name_at[i] = s[kNames].data.n;
    put_string(&s[kNames].data, s[i].name);
  }
  for (size_t i = 0; i < n; i++) {
    while (f->n % 16 != 0) put8(f, 0);
    put32(&table, name_at[i]), put32(&table, s[i].type), put64(&table, s[i].flags), put64(&table, s[i].addr);
    put64(&table, i == kNull ? 0 : f->n), put64(&table, s[i].data.n), put32(&table, s[i].link), put32(&table, s[i].info);
    put64(&table, s[i].align), put64(&table, s[i].entry);
    if (s[i].data.n != 0) put(f, s[i].data.p, s[i].data.n);
  }
  while (f->n % 16 != 0) put8(f, 0);
  uint64_t at = f->n;
  for (size_t i = 0; i < 8; i++) f->p[40 + i] = (uint8_t)(at >> 8 * i); /* e_shoff */
  put(f, table.p, table.n);
  free(table.p);
}

/* The folder of a path, made if it is missing (one level). */
static void make_folder(const char *path) {
  char dir[1024];
  const char *slash = strrchr(path, '/');
  if (slash == NULL || slash == path || (size_t)(slash - path) >= sizeof dir) return;
  snprintf(dir, sizeof dir, "%.*s", (int)(slash - path), path);
  (void)mkdir(dir, 0777);
}

wg_status_t dbg_elf_write(const char *path, const wg_obj_t *const *objs, size_t n, wg_diag_t *diag) {
  section_t s[kFixed + kDbgElfModules];
  bytes_t f = {NULL, 0, 0};
  WG_BUG(n > (size_t)kDbgElfModules);
  memset(s, 0, sizeof s);
  s[kLineSection] = (section_t){.name = ".debug_line", .type = SHT_PROGBITS, .align = 1};
  s[kInfoSection] = (section_t){.name = ".debug_info", .type = SHT_PROGBITS, .align = 1};
  s[kAbbrevSection] = (section_t){.name = ".debug_abbrev", .type = SHT_PROGBITS, .align = 1};
  s[kFrameSection] = (section_t){.name = ".debug_frame", .type = SHT_PROGBITS, .align = 8};
  s[kSymbols] = (section_t){.name = ".symtab", .type = SHT_SYMTAB, .link = kStrings, .info = 1, .align = 8, .entry = 24};
  s[kStrings] = (section_t){.name = ".strtab", .type = SHT_STRTAB, .align = 1};
  s[kNames] = (section_t){.name = ".shstrtab", .type = SHT_STRTAB, .align = 1};
  for (int i = 0; i < 24; i++) put8(&s[kSymbols].data, 0);
  put8(&s[kStrings].data, 0);
  put_abbrevs(&s[kAbbrevSection].data);
  for (size_t m = 0; m < n; m++) {
    put_info(&s[kInfoSection].data, objs[m], m, s[kLineSection].data.n);
    put_lines(&s[kLineSection].data, objs[m], m);
    put_module(s, kFixed + m, objs[m], m);
  }
  put_frames(&s[kFrameSection].data, objs, n);
  put_file(&f, s, kFixed + n);
  make_folder(path);
  FILE *out = wg_file_create(path);
  bool ok = out != NULL && wg_file_close(out, path, fwrite(f.p, 1, f.n, out) == f.n);
  int why = errno;
  for (size_t i = 0; i < kFixed + n; i++) free(s[i].data.p);
  free(f.p);
  return ok ? kWgOk : wg_fail(diag, kWgIo, "cannot write '%s': %s", path, strerror(why));
}
