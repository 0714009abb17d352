// SPDX-License-Identifier: Apache-2.0
//
// Options of the commands as tables: one place from which words are read, --help, the manual page and the shell's
// completion are made, and a wrong word is answered with the nearest.
#ifndef WG_COSIM_CLI_OPTS_H
#define WG_COSIM_CLI_OPTS_H

#include <stdio.h>

#include "cosim/cli/cli.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kCliShown = -1 }; /* --help was printed: nothing else is to be done */

typedef struct cli_opt {
  const char *name;  /* "--preset", "-j" */
  const char *value; /* what stands behind it, for people; NULL: nothing does */
  const char
      *words; /* what may: words with blanks between, or @presets @scheds @blocks @faults @file @out (a file
                        that is written, none of the others on the command line); "" or NULL: anything */
  const char *doc;
} cli_opt_t;

typedef struct cli_command {
  const char *name;      /* "compare", "sweep run" */
  const char *usage;     /* what stands behind the name; several forms are lines */
  const char *doc;       /* a line */
  const cli_opt_t *opts; /* ends with a NULL name */
  const char *words;     /* what may stand there that is no option, as in cli_opt_t */
  const char *more;      /* paragraphs behind the options: examples first; lines end with a newline */
  bool program;          /* the first word that is no option ends the options: a program with arguments of its own */
  int (*run)(int argc, char **argv);
} cli_command_t;

/** All commands, those of two words ("sweep run") behind their first; ends with NULL. */
extern const cli_command_t *const kCliCommands[];
/* the tables, each beside its command */
extern const cli_command_t kCliRun, kCliCheck, kCliReport, kCliSchema, kCliSweep, kCliSweepRun, kCliSweepPoints,
    kCliSweepShow, kCliSweepExport, kCliSweepStats, kCliSweepMerge, kCliCompare, kCliPresets, kCliOccupancy,
    kCliDispatch, kCliTrace, kCliSchedulers, kCliPolicies, kCliPtx, kCliDoctor;

/** Options of `warpglass run`, which `check` has too. */
extern const cli_opt_t kCliRunOpts[];

/** Takes one option with its value (NULL for a flag), or a word (`opt` NULL). @return kCliPass to go on */
typedef int cli_take_t(void *ctx, const cli_opt_t *opt, const char *value);

/**
 * Read the words of a command. Prints errors and help.
 * @param argv argv[0] is the command's name
 * @param[out] rest with `program`: index of the program's word, `argc` if there is none; may be NULL else
 * @return kCliPass, kCliShown, kCliUsage or what `take` returned
 */
int cli_opts_read(const cli_command_t *c, int argc, char **argv, cli_take_t *take, void *ctx, int *rest);
void cli_opts_help(FILE *out, const cli_command_t *c);
/** What an option is for, with the words that it takes. @return buf */
const char *cli_opts_doc(const cli_opt_t *o, char *buf, size_t n);
/** A preset with all its keys and values. @param name as it was given, @param p what it is @return for json_decref;
 * NULL: out of memory */
json_t *cli_preset_json(const char *name, const wg_preset_t *p);
/** The manual page (man(7)), and the completion of bash, of all commands. */
void cli_opts_man(FILE *out);
void cli_opts_bash(FILE *out);
/** A decimal number lo..hi as the value of an option. Prints. @return kCliPass or kCliUsage */
int cli_opts_number(const char *option, const char *text, uint64_t lo, uint64_t hi, uint64_t *out);

/** Where the value of an option goes: a number lo..hi, or, with `text`, a text. */
typedef struct cli_field {
  const char *option;
  uint64_t lo, hi, *number;
  const char **text;
  bool *seen; /* set if the option was given; may be NULL */
} cli_field_t;

/** Put an option's value where its field says; an option without a field is nothing to do. Prints. @return kCliPass or kCliUsage */
int cli_opts_field(const cli_field_t *fields, size_t n, const char *option, const char *value);

#ifdef __cplusplus
}
#endif
#endif
