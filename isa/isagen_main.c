// SPDX-License-Identifier: Apache-2.0
//
// isagen: turns isa/isa.def and isa/cfg.def into SystemVerilog packages, the decode table, GTKWave filters
// and the table in isa/README.md.
//
// Usage: isagen [--check] ROOT      writes the files below ROOT; --check compares only and exits 1 if one
// differs.
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <string.h>

#include "isa/isagen_check.h"
#include "isa/wg_cfg.h"

#define GENERATED "Generated from isa/isa.def and isa/cfg.def by: build/bin/isagen . (do not edit)"
static const char kBegin[] = "<!-- isagen: begin -->\n", kEnd[] = "<!-- isagen: end -->";

typedef void (*emit_t)(FILE *o);

static void head(FILE *o, const char *purpose) {
  fprintf(o, "// %s\n// SPDX-License-Identifier: Apache-2.0\n//\n%s", GENERATED, purpose);
}

static const char kEndPackage[] = "\nendpackage\n";

static void doc(FILE *o, const char *d) {
  if (d[0] != '\0') fprintf(o, "  // %s", d);
  fputc('\n', o);
}

static void sized(FILE *o, const char *prefix, const char *id, unsigned width, unsigned value,
                  const char *d) {
  fprintf(o, "  localparam logic [%u:0] %s%s = %u'd%u;", width - 1, prefix, id, width, value);
  doc(o, d);
}

static void emit_cfg_pkg(FILE *o) {
  head(o, "// sm_cfg_pkg: numbers and names that more than one room needs.\npackage sm_cfg_pkg;\n\n");
  
#define WG_CONST(ID, VALUE, DOC) \
  fprintf(o, "  localparam int unsigned %s = %u;", #ID, (unsigned)(VALUE)), doc(o, DOC);
#define WG_POLICY(ID, VALUE, NAME, DOC) sized(o, "Policy", #ID, 4, VALUE, DOC);
#define WG_REASON(ID, VALUE, NAME, DOC) sized(o, "Reason", #ID, 4, VALUE, DOC);
#define WG_SREG(ID, VALUE, NAME, DOC) sized(o, "Sr", #ID, 8, VALUE, DOC);
#define WG_MEMOP(ID, VALUE, NAME, DOC) sized(o, "Mem", #ID, 3, VALUE, DOC);
#define WG_FAULT(ID, VALUE, CUDA, NAME, DOC) sized(o, "Fault", #ID, 4, VALUE, DOC);
#define WG_WSTATE(ID, VALUE, NAME, DOC) sized(o, "State", #ID, 3, VALUE, DOC);
#include "isa/cfg.def"
  fputs(kEndPackage, o);
}

/* Named modifier values: ".LT" of ICMP becomes ICMP_LT; values without a name or with several dots get none.
 */
static void emit_mod_values(FILE *o, const wg_mod_info_t *m) {
  if (m->names[0] == '#' || m->names[0] == '*') return;
  for (unsigned v = 0; v < 1u << m->width; v++) {
    size_t len = 0;
    const char *n = wg_mod_name(m, v, &len);
    if (n == NULL || len < 2 || n[0] != '.') continue;
    fprintf(o, "  localparam logic [%u:0] Val%s_%.*s = %u'd%u;\n", m->width - 1u, m->id, (int)(len - 1),
            n + 1, m->width, v);
  }
}

static void emit_isa_pkg(FILE *o) {
  size_t n;
  head(
      o,
      "// sm_isa_pkg: opcodes OpX, pipes PipeX, source b forms FormX, modifier groups ModLsbX/ModWidthX "
      "(relative to word\n"
      "// bit 88), their named values ValX_NAME, operand marks MarkX (bit number).\npackage sm_isa_pkg;\n\n");
  
  fputs("  localparam logic [7:0] RegZ = 8'd255;\n  localparam logic [2:0] PredT = 3'd7;\n", o);
  fputs(
      "  localparam logic [3:0] FormReg = 4'd0;\n  localparam logic [3:0] FormImm = 4'd1;\n"
      "  localparam logic [3:0] FormConst = 4'd2;\n\n",
      o);
#define WG_PIPE(ID, NAME, PATH, DOC) sized(o, "Pipe", #ID, 4, kWgPipe##ID, DOC);
#include "isa/isa.def"
  fputc('\n', o);
  const wg_insn_info_t *t = wg_insn_table(&n);
  for (size_t i = 0; i < n; i++)
    fprintf(o, "  localparam logic [7:0] Op%s = 8'h%02x;\n", t[i].id, t[i].opcode);
  fputc('\n', o);
  const wg_mod_info_t *m = wg_mod_table(&n);
  for (size_t i = 0; i < n; i++) {
    fprintf(o, "  localparam int unsigned ModLsb%s = %u;\n  localparam int unsigned ModWidth%s = %u;\n",
            m[i].id, m[i].lsb, m[i].id, m[i].width);
    emit_mod_values(o, &m[i]);
  }
  fputc('\n', o);
  const wg_mark_info_t *k = wg_mark_table(&n);
  for (size_t i = 0; i < n; i++) {
    fprintf(o, "  localparam int unsigned Mark%s = %u;  // %s on operand %c\n", k[i].id, k[i].lsb,
            k[i].mark == '-' ? "minus" : "absolute value", k[i].operand);
  }
  fputs(kEndPackage, o);
}

/* The condition that a group holds a defined value; nothing if all are. */
static void emit_group_check(FILE *o, const wg_mod_info_t *m) {
  unsigned all = 1u << m->width, good = 0;
  for (unsigned v = 0; v < all; v++) good += wg_mod_defined(m, v);
  if (good == all) return;
  bool list_good = good * 2 <= all, first = true;
  fputs(" && (", o);
  for (unsigned v = 0; v < all; v++) {
    if (wg_mod_defined(m, v) != list_good) continue;
    fprintf(o, "%smods_i[%u:%u] %s %u'd%u",
            first       ? ""
            : list_good ? " || "
                        : " && ",
            m->lsb + m->width - 1u, m->lsb, list_good ? "==" : "!=", m->width, v);
    first = false;
  }
  fputc(')', o);
}

static void set(FILE *o, bool on, const char *name, const char *value) {
  if (on) fprintf(o, "        %s = %s;\n", name, value);
}

/* Registers that a field holds: `present` (the condition that it is a register) and its rules. */
static void emit_regs(FILE *o, const wg_op_facts_t *f, char field, const char *name, const char *present) {
  if (present == NULL) return;
  fprintf(o, "        %s = %s;\n", name, present);
  for (unsigned i = 0; i < f->num_rules; i++) {
    const wg_reg_rule_t *r = &f->rules[i];
    if (r->field != field) continue;
    fputs("        ", o);
    for (unsigned k = 0; k < r->num_cond; k++) {
      const wg_mod_info_t *g = r->cond[k].group;
      fprintf(o, "%smods_i[%u:%u] == %u'd%u%s", k == 0 ? "if (" : " && ", g->lsb + g->width - 1u, g->lsb, g->width,
              r->cond[k].value, k + 1u == r->num_cond ? ") " : "");
    }
    fprintf(o, "%s = %s << %u;\n", name, name, r->factor == 4 ? 2u : 1u);
  }
}

static void emit_arm(FILE *o, const wg_insn_info_t *in) {
  const wg_op_facts_t *f = wg_op_facts(in->opcode);
  bool b = wg_op_has(f, 'B'), l = wg_op_has(f, 'L') || wg_op_has(f, 'N');
  fprintf(o, "      sm_isa_pkg::Op%s: begin\n", in->id);
  static const char *const kForm[] = {"Reg", "Imm", "Const"};
  unsigned form = wg_op_max_form(f);
  fprintf(o, "        defined_o = form_i %s sm_isa_pkg::Form%s", form != 0 ? "<=" : "==", kForm[form]);
  if (f->mod_mask == 0) fputs(" && mods_i == 16'd0", o);
  else fprintf(o, " && (mods_i & 16'h%04x) == 16'd0", 0xffff & ~f->mod_mask);
  for (unsigned i = 0; i < f->num_mods; i++) emit_group_check(o, f->mods[i]);
  fputs(";\n", o);
  static const char *const kPipe[] = {
#define WG_PIPE(ID, NAME, PATH, DOC) "sm_isa_pkg::Pipe" #ID,
#include "isa/isa.def"
  };
  set(o, true, "pipe_o", kPipe[in->pipe]);
  bool a = wg_op_has(f, 'A') || wg_op_has(f, 'M') || wg_op_has(f, 'U');
  emit_regs(o, f, 'A', "a_regs_o", a ? "3'd1" : NULL);
  emit_regs(o, f, 'B', "b_regs_o", b || l ? "{2'b0, form_i == sm_isa_pkg::FormReg}" : NULL);
  emit_regs(o, f, 'C', "c_regs_o",
            wg_op_has(f, 'C') || wg_op_has(f, 'W') ? "3'd1"
            : wg_op_has(f, 'K')                    ? "{2'b0, !mods_i[sm_isa_pkg::ModLsbCIMM]}"
            : wg_op_has(f, 'X') ? "{2'b0, mods_i[sm_isa_pkg::ModLsbBARCNT +: 2] == 2'd2}"
                                : NULL);
  emit_regs(o, f, 'D', "d_regs_o", wg_op_has(f, 'D') ? "3'd1" : NULL);
  set(o, wg_op_has(f, 'P'), "writes_p0_o", "1'b1");
  set(o, wg_op_has(f, 'Q'), "writes_p1_o", "1'b1");
  set(o, wg_op_has(f, 'p'), "reads_p0_o", "1'b1");
  set(o, wg_op_has(f, 'q'), "reads_p1_o", "1'b1");
  set(o, wg_list_has(in->flags, "LD", ' '), "is_load_o", "1'b1");
  set(o, wg_list_has(in->flags, "ST", ' '), "is_store_o", "1'b1");
  set(o, wg_list_has(in->flags, "ATM", ' '), "is_atomic_o", "1'b1");
  set(o, wg_list_has(in->flags, "SMEM", ' '), "is_smem_o", "1'b1");
  set(o, wg_list_has(in->flags, "CMEM", ' '), "is_cmem_o", "1'b1");
  set(o, wg_list_has(in->flags, "GENERIC", ' '), "is_generic_o", "1'b1");
  set(o, wg_list_has(in->flags, "BRANCH", ' '), "is_branch_o", "1'b1");
  fputs("      end\n", o);
}

static const struct {
  const char *name;
  unsigned width;
  const char *doc;
} kDecodeOutputs[] = {
    {"defined_o", 1,
     "opcode, form and modifiers are in the table (registers: isa/README.md, pairs and quads)"},
    {"pipe_o", 4, "sm_isa_pkg::Pipe*"},
    {"a_regs_o", 3, "registers read from ra upward (operand a or address): 0, 1, 2 or 4"},
    {"b_regs_o", 3, "from rb upward; 0 if b is not a register"},
    {"c_regs_o", 3, "from rc upward: operand c or store data"},
    {"d_regs_o", 3, "registers written from rd upward"},
    {"writes_p0_o", 1, ""},
    {"writes_p1_o", 1, ""},
    {"reads_p0_o", 1, ""},
    {"reads_p1_o", 1, ""},
    {"is_load_o", 1, ""},
    {"is_store_o", 1, "writes memory, ends without a write-back"},
    {"is_atomic_o", 1, ""},
    {"is_smem_o", 1, "shared space"},
    {"is_cmem_o", 1, "constant bank (LDC)"},
    {"is_generic_o", 1, "space by the upper word of the address"},
    {"is_branch_o", 1, "may change the running PC or mask"},
};
enum { kNumDecodeOutputs = sizeof kDecodeOutputs / sizeof kDecodeOutputs[0] };

static void emit_decode_tab(FILE *o) {
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  head(o,
       "// sm_decode_tab: what an instruction reads, writes and is, from its opcode, form of source b and "
       "modifiers.\n"
       "// Combinational. All outputs are zero for an undefined opcode. See also: isa/README.md.\n"
       "module sm_decode_tab (\n");
  fprintf(o,
          "    input  logic [7:0]  opcode_i,\n    input  logic [3:0]  form_i,\n    input  logic [15:0] "
          "mods_i,\n");
  for (size_t i = 0; i < kNumDecodeOutputs; i++) {
    bool last = i + 1 == kNumDecodeOutputs;
    fprintf(o, "    output logic %-6s %s%s", kDecodeOutputs[i].width == 4 ? "[3:0]" : kDecodeOutputs[i].width == 3 ? "[2:0]" : "",
            kDecodeOutputs[i].name, last ? "" : ",");
    doc(o, kDecodeOutputs[i].doc);
  }
  fputs(");\n\n  always_comb begin\n", o);
  for (size_t i = 0; i < kNumDecodeOutputs; i++) {
    fprintf(o, "    %s = %u'd0;\n", kDecodeOutputs[i].name, kDecodeOutputs[i].width);
  }
  fputs("    case (opcode_i)\n", o);
  for (size_t i = 0; i < n; i++) emit_arm(o, &t[i]);
  fputs("      default: ;\n    endcase\n  end\n\nendmodule\n", o);
}

/* GTKWave translate files: value as the wave shows it in hex, then the name. */
static void filter_line(FILE *o, unsigned digits, unsigned value, const char *name) {
  fprintf(o, "%0*x %s\n", (int)digits, value, name);
}
static void emit_f_reason(FILE *o) {
#define WG_REASON(ID, VALUE, NAME, DOC) filter_line(o, 1, VALUE, NAME);
#include "isa/cfg.def"
}
static void emit_f_state(FILE *o) {
#define WG_WSTATE(ID, VALUE, NAME, DOC) filter_line(o, 1, VALUE, NAME);
#include "isa/cfg.def"
}
static void emit_f_memop(FILE *o) {
#define WG_MEMOP(ID, VALUE, NAME, DOC) filter_line(o, 1, VALUE, NAME);
#include "isa/cfg.def"
}
static void emit_f_fault(FILE *o) {
#define WG_FAULT(ID, VALUE, CUDA, NAME, DOC) filter_line(o, 1, VALUE, NAME);
#include "isa/cfg.def"
}
static void emit_f_policy(FILE *o) {
#define WG_POLICY(ID, VALUE, NAME, DOC) filter_line(o, 1, VALUE, NAME);
#include "isa/cfg.def"
}
static void emit_f_pipe(FILE *o) {
#define WG_PIPE(ID, NAME, PATH, DOC) filter_line(o, 1, kWgPipe##ID, NAME);
#include "isa/isa.def"
}
static void emit_f_opcode(FILE *o) {
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  for (size_t i = 0; i < n; i++) filter_line(o, 2, t[i].opcode, t[i].mnemonic);
}

static void md_cell(FILE *o, const char *s) {
  for (; *s != '\0'; s++) {
    if (*s == '|') fputc('\\', o);
    fputc(*s, o);
  }
}

/** The part of isa/README.md between the markers. */
static void emit_readme_table(FILE *o) {
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  static const char *const kPipe[] = {
#define WG_PIPE(ID, NAME, PATH, DOC) NAME,
#include "isa/isa.def"
  };
  fprintf(
      o,
      "<!-- %s -->\n\n| op | mnemonic | pipe | operands | modifiers | meaning |\n|---|---|---|---|---|---|\n",
      GENERATED);
  for (size_t i = 0; i < n; i++) {
    fprintf(o, "| `%02x` | `%s` | %s | `%s` | %s | ", t[i].opcode, t[i].mnemonic, kPipe[t[i].pipe],
            t[i].operands, t[i].mods);
    md_cell(o, t[i].doc);
    fputs(" |\n", o);
  }
  fputs(
      "\n| modifier | word bits | values from 0 (`-` not written, `?` undefined, `*` set by the operand's "
      "form, `#` a number) |\n|---|---|---|\n",
      o);
  const wg_mod_info_t *m = wg_mod_table(&n);
  for (size_t i = 0; i < n; i++) {
    fprintf(o, "| %s | [%u:%u] | `", m[i].id, 88u + m[i].lsb + m[i].width - 1u, 88u + m[i].lsb);
    if (m[i].names[0] == '|') fputc('-', o);
    for (const char *p = m[i].names; *p != '\0'; p++) {
      if (*p == '|') fputs("` `", o);
      else fputc(*p, o);
      if (*p == '|' && (p[1] == '|' || p[1] == '\0')) fputc('-', o);
    }
    fputs("` |\n", o);
  }
  fputs("\n| mark | word bit | written as |\n|---|---|---|\n", o);
  const wg_mark_info_t *k = wg_mark_table(&n);
  for (size_t i = 0; i < n; i++) {
    int c = tolower((unsigned char)k[i].operand);
    fprintf(o, "| %s | %u | ", k[i].id, 88u + k[i].lsb);
    fprintf(o, k[i].mark == '-' ? "`-%c` |\n" : "`\\|%c\\|` |\n", c);
  }
}

static const struct {
  const char *path;
  emit_t emit;
  bool filter;
} kFiles[] = {
    {"rtl/pkg/sm_cfg_pkg.sv", emit_cfg_pkg, false},
    {"rtl/pkg/sm_isa_pkg.sv", emit_isa_pkg, false},
    {"rtl/front/sm_decode_tab.sv", emit_decode_tab, false},
    {"isa/gen/gtkwave/reason.txt", emit_f_reason, true},
    {"isa/gen/gtkwave/wstate.txt", emit_f_state, true},
    {"isa/gen/gtkwave/memop.txt", emit_f_memop, true},
    {"isa/gen/gtkwave/fault.txt", emit_f_fault, true},
    {"isa/gen/gtkwave/policy.txt", emit_f_policy, true},
    {"isa/gen/gtkwave/pipe.txt", emit_f_pipe, true},
    {"isa/gen/gtkwave/opcode.txt", emit_f_opcode, true},
};
enum { kNumFiles = sizeof kFiles / sizeof kFiles[0] };

/* Whole file, NUL-terminated; NULL if it cannot be read. */
static char *slurp(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return NULL;
  char *buf = NULL;
  size_t n = 0;
  FILE *o = open_memstream(&buf, &n);
  for (int c; (c = fgetc(f)) != EOF;) fputc(c, o);
  fclose(f);
  fclose(o);
  return buf;
}

/* Write `text`, or with `check` compare it with what is there. */
static bool deliver(const char *root, const char *path, const char *text, bool check) {
  char full[4096];
  snprintf(full, sizeof full, "%s/%s", root, path);
  char *old = slurp(full);
  bool same = old != NULL && strcmp(old, text) == 0;
  free(old);
  if (same) return true;
  if (check) {
    fprintf(stderr, "%s: error: differs from the tables\n  remedy: run build/bin/isagen .\n", path);
    return false;
  }
  FILE *f = fopen(full, "wb");
  if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) {
    fprintf(stderr, "%s: error: cannot write\n  remedy: does the folder exist?\n", full);
    return false;
  }
  return true;
}

static bool deliver_readme(const char *root, const char *table, bool check) {
  char full[4096];
  snprintf(full, sizeof full, "%s/isa/README.md", root);
  char *old = slurp(full);
  char *b = old != NULL ? strstr(old, kBegin) : NULL, *e = b != NULL ? strstr(b, kEnd) : NULL;
  if (e == NULL) {
    fprintf(stderr, "%s: error: no markers '%.22s' and '%s'\n", full, kBegin, kEnd);
    free(old);
    return false;
  }
  char *buf = NULL;
  size_t n = 0;
  FILE *o = open_memstream(&buf, &n);
  fprintf(o, "%.*s%s%s", (int)(b - old + (long)strlen(kBegin)), old, table, e);
  fclose(o);
  bool ok = deliver(root, "isa/README.md", buf, check);
  free(buf);
  free(old);
  return ok;
}

static const char kHelp[] =
    "usage: isagen [--check] ROOT\n"
    "  ROOT       root of the repository: its generated files are written where they differ from the tables of isa/\n"
    "  --check    write nothing, name the files that differ\n"
    "exit codes: 0 done, or all the same; 1 a file differs or cannot be written, or a table is wrong; 2 wrong use,\n"
    "or ROOT is no such folder\n";

int main(int argc, char **argv) {
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(kHelp, stdout);
    return 0;
  }
  bool check = argc == 3 && strcmp(argv[1], "--check") == 0;
  if ((argc != 2 && !check) || argv[argc - 1][0] == '-') {
    fprintf(stderr, "isagen: error: %s%s%s\n%s", argc > 1 ? "wrong use: '" : "no folder", argc > 1 ? argv[1] : "",
            argc > 1 ? "'" : "", kHelp);
    return 2;
  }
  const char *root = argv[argc - 1];
  char table[4096];
  snprintf(table, sizeof table, "%s/isa/isa.def", root);
  FILE *there = fopen(table, "r");
  if (there == NULL) {
    fprintf(stderr, "isagen: error: '%s' is no root of the repository: there is no '%s'\n  remedy: the folder that holds isa/ and rtl/\n",
            root, table);
    return 2;
  }
  fclose(there);
  wg_isagen_tables_t t;
  t.insns = wg_insn_table(&t.num_insns);
  t.mods = wg_mod_table(&t.num_mods);
  t.marks = wg_mark_table(&t.num_marks);
  wg_diag_t diag = {.file = "isa/isa.def"};
  if (wg_isagen_check(&t, &diag) != kWgOk) {
    wg_diag_print(stderr, &diag);
    return 1;
  }
  bool ok = true;
  for (size_t i = 0; i <= kNumFiles; i++) {
    char *buf = NULL;
    size_t n = 0;
    FILE *o = open_memstream(&buf, &n);
    if (o == NULL) return 1;
    if (i < kNumFiles && kFiles[i].filter) fprintf(o, "# %s\n", GENERATED);
    (i < kNumFiles ? kFiles[i].emit : emit_readme_table)(o);
    fclose(o);
    ok &= i < kNumFiles ? deliver(root, kFiles[i].path, buf, check) : deliver_readme(root, buf, check);
    free(buf);
  }
  return ok ? 0 : 1;
}
