// SPDX-License-Identifier: Apache-2.0
//
// All commands, and what is made from their tables besides --help: the manual page and the completion of bash.
#include <string.h>

#include "cosim/cli/cli_opts.h"
#include "model/gte/gte_policy.h"

const cli_command_t *const kCliCommands[] = {&kCliRun,        &kCliCheck,       &kCliReport,     &kCliSweep,
                                             &kCliSweepRun,   &kCliSweepPoints, &kCliSweepShow,  &kCliSweepExport,
                                             &kCliSweepStats, &kCliSweepMerge,  &kCliCompare,    &kCliOccupancy,
                                             &kCliDispatch,   &kCliTrace,       &kCliPresets,     &kCliSchedulers, &kCliPolicies,
                                             &kCliPtx,        &kCliSchema,      &kCliDoctor,     NULL};

/* ---- manual page ---- */

/* Text in roff: backslashes and hyphens as they are, no line that begins with a control character. */
static void roff(FILE *out, const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    if (text[i] == '\\') fputs("\\e", out);
    else if (text[i] == '-') fputs("\\-", out);
    else if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n')) fprintf(out, "\\&%c", text[i]);
    else fputc(text[i], out);
  }
}

/* Paragraphs behind the options: lines that begin with blanks are examples, shown as they are. */
static void man_more(FILE *out, const char *more) {
  bool literal = false;
  for (const char *p = more; p != NULL && *p != '\0';) {
    size_t len = strcspn(p, "\n");
    bool example = p[0] == ' ';
    if (example != literal) fputs(example ? ".PP\n.nf\n" : ".fi\n", out);
    if (!example) fputs(".PP\n", out);
    literal = example;
    roff(out, p, len);
    fputc('\n', out);
    p += len + (p[len] == '\n');
  }
  if (literal) fputs(".fi\n", out);
}

static void man_command(FILE *out, const cli_command_t *c) {
  char doc[512];
  fprintf(out, ".SS ");
  roff(out, c->name, strlen(c->name));
  fputc('\n', out);
  for (const char *p = c->usage;; p++) {
    size_t len = strcspn(p, "\n");
    fputs(".B warpglass ", out);
    roff(out, c->name, strlen(c->name));
    fputc(' ', out);
    roff(out, p, len);
    p += len;
    fputs(*p == '\0' ? "\n.PP\n" : "\n.br\n", out);
    if (*p == '\0') break;
  }
  roff(out, c->doc, strlen(c->doc));
  fputs(".\n", out);
  for (size_t i = 0; c->opts[i].name != NULL; i++) {
    fputs(".TP\n.B ", out);
    roff(out, c->opts[i].name, strlen(c->opts[i].name));
    if (c->opts[i].value != NULL) {
      fputc(' ', out);
      roff(out, c->opts[i].value, strlen(c->opts[i].value));
    }
    fputc('\n', out);
    (void)cli_opts_doc(&c->opts[i], doc, sizeof doc);
    roff(out, doc, strlen(doc));
    fputc('\n', out);
  }
  man_more(out, c->more);
}

void cli_opts_man(FILE *out) {
  fputs(
      ".\\\" SPDX-License-Identifier: Apache-2.0\n.\\\" Made by warpglass --man.\n"
      ".TH WARPGLASS 1 \"\" Warpglass\n.SH NAME\nwarpglass \\- run CUDA programs on a simulated GPU, and study it\n"
      ".SH SYNOPSIS\n.B warpglass\n.I command\n.RI [ options ]\n.SH DESCRIPTION\n"
      "Programs built by wgcc run on an SM in SystemVerilog, compared with a golden model instruction by "
      "instruction.\n.SH COMMANDS\n",
      out);
  for (size_t i = 0; kCliCommands[i] != NULL; i++) man_command(out, kCliCommands[i]);
  fputs(
      ".SH ENVIRONMENT\n.TP\n.B WARPGLASS\nSettings of a run, words key=value: the options of run without their "
      "hyphens.\n"
      ".TP\n.B WARPGLASS_HOME\nRoot of the repository, where it is not above the command.\n"
      ".SH EXIT STATUS\n0: pass; 1: fail; 2: wrong use, or something that is named is not there: nothing was begun. A "
      "command that was ended by a signal ends "
      "by it.\n"
      ".SH FILES\n.TP\n.I configs/NAME.cfg\nPresets.\n.TP\n.I build/sm/SHAPE\\-VARIANT/libwgsm.so\nSMs, made by make "
      "sm.\n",
      out);
}

/* ---- completion of bash ---- */

/* Words of a list behind @, or the words themselves. */
static void words_of(FILE *out, const char *words) {
  static const char *const kScheds[] = {
#define WG_POLICY(ID, VALUE, NAME, DOC) (VALUE) == 15 ? "c:" : NAME,
#include "isa/cfg.def"
      NULL};
  static const char *const kFaults[] = {
#define WG_INJECT(KIND, PATH, BIT, VALUE, WHAT) KIND,
#include "cosim/inject.def"
#define WG_MEM_FAULT(ID, WORD, DOC) "mem-" WORD,
#include "model/mem/mem_faults.def"
#define WG_GTE_FAULT(ID, WORD, DOC) "gte-" WORD,
#include "model/gte/gte_faults.def"
#define WG_SUM_FAULT(ID, WORD, DOC) "sum-" WORD,
#include "model/sum_faults.def"
      "none", NULL};
  for (const char *p = words; *p != '\0';) {
    size_t len = strcspn(p, " ");
    if (strncmp(p, "@scheds", len) == 0) {
      for (size_t i = 0; kScheds[i] != NULL; i++) fprintf(out, "%s ", kScheds[i]);
    } else if (strncmp(p, "@blocks", len) == 0) {
      for (size_t i = 0; kWgGtePolicies[i] != NULL; i++) fprintf(out, "%s ", kWgGtePolicies[i]->name);
    } else if (strncmp(p, "@faults", len) == 0) {
      for (size_t i = 0; kFaults[i] != NULL; i++) fprintf(out, "%s ", kFaults[i]);
    } else if (strncmp(p, "@presets", len) == 0) {
      fputs("$(_warpglass_presets) ", out); /* read when it is asked for: a preset may be new */
    } else if (p[0] != '@') {
      fprintf(out, "%.*s ", (int)len, p);
    }
    p += len;
    p += *p == ' ';
  }
}

static void complete(FILE *out, const char *words) {
  if (words == NULL || words[0] == '\0') {
    fputs("COMPREPLY=()", out);
  } else if (strcmp(words, "@file") == 0 || strcmp(words, "@out") == 0) {
    fputs("COMPREPLY=($(compgen -f -- \"$cur\"))", out);
  } else {
    fputs("COMPREPLY=($(compgen -W \"", out);
    words_of(out, words);
    fputs("\" -- \"$cur\"))", out);
  }
}

static void bash_command(FILE *out, const cli_command_t *c) {
  fprintf(out, "    '%s')\n      case $prev in\n", c->name);
  for (size_t i = 0; c->opts[i].name != NULL; i++) {
    if (c->opts[i].value == NULL) continue;
    fprintf(out, "        %s) ", c->opts[i].name);
    complete(out, c->opts[i].words);
    fputs("; return ;;\n", out);
  }
  fputs("      esac\n      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"", out);
  for (size_t i = 0; c->opts[i].name != NULL; i++) fprintf(out, "%s ", c->opts[i].name);
  fputs("--help\" -- \"$cur\")); return; fi\n      ", out);
  complete(out, c->words);
  fputs(" ;;\n", out);
}

void cli_opts_bash(FILE *out) {
  fputs(
      "# SPDX-License-Identifier: Apache-2.0\n# Completion of warpglass for bash, made by warpglass --completion: "
      "source it, or put it into\n"
      "# ~/.local/share/bash-completion/completions/warpglass\n"
      "_warpglass_presets() { \"${COMP_WORDS[0]}\" presets 2>/dev/null | while read -r name _; do echo \"$name\"; "
      "done; }\n"
      "_warpglass() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
      "command=${COMP_WORDS[1]}\n"
      "  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W \"",
      out);
  for (size_t i = 0; kCliCommands[i] != NULL; i++) {
    if (strchr(kCliCommands[i]->name, ' ') == NULL) fprintf(out, "%s ", kCliCommands[i]->name);
  }
  fputs(
      "--help --man --completion\" -- \"$cur\")); return; fi\n"
      "  if [ \"$command\" = sweep ] && [ \"$COMP_CWORD\" -gt 2 ]; then command=\"sweep ${COMP_WORDS[2]}\"; fi\n"
      "  case $command in\n",
      out);
  for (size_t i = 0; kCliCommands[i] != NULL; i++) bash_command(out, kCliCommands[i]);
  fputs("  esac\n}\ncomplete -o filenames -F _warpglass warpglass\n", out);
}
