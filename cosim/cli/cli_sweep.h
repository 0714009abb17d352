// SPDX-License-Identifier: Apache-2.0
//
// Parts of `warpglass sweep` (cli_sweep.c), one file each.
#ifndef WG_COSIM_CLI_SWEEP_H
#define WG_COSIM_CLI_SWEEP_H

#include "cosim/sweep/sweep.h"

/** `show`, `export`, `stats` of a store; argv[0] is the word. They print their own errors. @return exit code */
int cli_sweep_show(int argc, char **argv);
int cli_sweep_export(int argc, char **argv);
int cli_sweep_stats(int argc, char **argv);

/** Print what sweep_table_pick() has to tell to stderr, a line each. */
void cli_sweep_note(const char *note);

/** A file that must be whole: "-" is stdout. @return NULL, with the error printed */
FILE *cli_out_open(const char *path);
/** @return kCliPass, or kCliFail with the error printed and the half of the file removed */
int cli_out_close(FILE *f, const char *path);
/** A field of CSV (RFC 4180): quoted where it must be. NULL is an empty field. */
void cli_csv_field(FILE *f, const char *text);

#endif
