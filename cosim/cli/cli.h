// SPDX-License-Identifier: Apache-2.0
//
// Inside of the `warpglass` command: one function a subcommand, and the records of a run.
#ifndef WG_COSIM_CLI_H
#define WG_COSIM_CLI_H

#include <jansson.h>

#include "cosim/cli/cli_counters.h"
#include "model/preset.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kCliPass = 0, kCliFail = 1, kCliUsage = 2 };
/** Ending of a word behind its number: "1 block", "2 blocks". */
#define CLI_S(n) ((n) == 1 ? "" : "s")

/** Subcommands; argv[0] is the subcommand's name. They print their own errors. @return exit code */
int cli_run(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_presets(int argc, char **argv);
int cli_ptx(int argc, char **argv);
int cli_occupancy(int argc, char **argv);
int cli_policies(int argc, char **argv);
int cli_dispatch(int argc, char **argv);
int cli_sweep(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_schedulers(int argc, char **argv);
int cli_doctor(int argc, char **argv);
int cli_events(int argc, char **argv);

/** "warpglass: error: ..." and a remedy (may be NULL) on stderr. @return kCliUsage */
int cli_usage(const char *remedy, const char *fmt, ...) WG_PRINTF(2, 3);
/** Unknown option: names the nearest of `known` (ends with NULL), and all of them. @return kCliUsage */
int cli_unknown_option(const char *what, const char *word, const char *const *known);

/** A diagnostic in the commands' form: "warpglass: error: FILE:LINE: message" and its remedy. @return kCliUsage */
int cli_diag(const wg_diag_t *d);

/** Load a preset, or print the error with the names that would be right. @return kCliPass or kCliUsage */
WG_NODISCARD int cli_preset_load(const char *name, wg_preset_t *out);
/** Peaks and ridges of a preset that is not scaled: of one SM, of a run's default SMs, of the whole machine, for each pipe; the text's
    and the vendor's figures beside them where there are any. */
void cli_peaks_print(FILE *out, const wg_preset_t *full);
/** Can `path` be what runs? Refuses sources and the like, which only look so. Prints. @return kCliPass or kCliUsage */
WG_NODISCARD int cli_program_check(const char *path);
/** Is `path` a library of golden kernels, or at least not something else? Prints. @return kCliPass or kCliUsage */
WG_NODISCARD int cli_golden_check(const char *path);

/** stdout cannot be written, as errno says: an error on stderr. @param what "the report" @return kCliFail: what was
    asked for was done and not told */
int cli_unwritten(const char *what);
/** Take the places of stdin, stdout and stderr where they are closed, so that no file that is opened becomes one of
    them and gets what a program prints. A write there fails as before; children have them too. To be called before
    anything is opened. */
void cli_streams_open(void);
/** From now on a file that reaches the limit on files' size (ulimit -f) is an error of write(), as a full disk is, and kills nobody;
    children of cli_child_fork() have it as it was. */
void cli_full_disk_is_an_error(void);
/**
 * Fork. From then on SIGINT and SIGTERM of this process are handed on to the child (a second one as SIGKILL), and this
 * process lives on; signals that were ignored stay so. @return as fork()
 */
int cli_child_fork(void);
/** Wait for the child of cli_child_fork. @return wait status */
int cli_child_wait(int pid);
/** The signal that was handed on last, 0 if none. */
int cli_child_signal(void);

/* ---- a program that died (cli_crash.c) ---- */

/** "; loaded: the warp scheduler c:NAME; remedy: ..." for a run that a fault has ended while a policy from outside was
    loaded, else "". @param sig that ended it @param out [n] */
void cli_crash_plugins(const wg_session_cfg_t *cfg, int sig, char *out, size_t n);

/** An array of n items with room for one more: `items` itself, or twice as large. @param cap items that there is room for, 0 at first
    @param size bytes of an item @return NULL: out of memory, and the array is as it was */
WG_NODISCARD void *cli_room(void *items, size_t n, size_t *cap, size_t size);

/** One launch of a run, as the run-time library reports it. */
typedef struct cli_launch {
  unsigned n; /* from 1 */
  char kernel[256];
  uint32_t grid[3], block[3], shared;
  uint64_t cycles, bound;
  char by[16]; /* name of the bound */
  uint64_t warp_insts, thread_insts;
  uint64_t load_requests, load_lanes, load_sectors, store_requests, store_lanes, store_sectors;
  uint64_t shared_wavefronts, l1_lines, dram_read, dram_write;
  uint64_t hash;
  uint64_t span; /* instructions on the longest chain of dependences; 0: not measured (setting span) */
  bool has_more; /* the record holds the counters of `more` */
  wg_launch_result_t more; /* the base words' counters too */
  struct { /* of an SM by such blocks; max_warps 0: not in the record */
    uint32_t registers, static_shared_bytes, local_bytes, block_warps, blocks, max_warps;
    char limiter[32], remedy[200];
  } occ;
} cli_launch_t;

/** One command of a stream that has ended, or one step of the host, as the run-time library reports them. Times: simulated ns. */
typedef struct cli_event {
  char what[12]; /* launch, h2d, d2h, d2d, set, record, wait, function; malloc, free, mallochost, freehost, sync */
  bool of_host;
  bool pageable;
  uint32_t stream, words;
  uint64_t id, bytes, submit, start, end; /* of the host: start and end only */
  char kernel[256];
} cli_event_t;

/** A whole run. */
typedef struct cli_record {
  char preset[64], backend[16], sched[32], blocks[32], divergence[32], dependence[32], check[16], memory[64];
  unsigned sms;
  unsigned progress_cycles; /* the scheduler's progress rule; 0: none */
  bool timing; /* the back end's cycles mean something */
  bool hashes; /* its instruction counts and hash do */
  cli_launch_t *launches;
  size_t num_launches, cap;
  cli_event_t *events; /* in the order of their ends, as far as the program waited for it */
  size_t num_events, cap_events;
  bool has_machine;
  wg_session_machine_t machine;
  char **findings; /* JSON objects, of the checks (setting tools) and races */
  size_t num_findings;
  bool ended; /* the program came to its end by exit() or return */
  uint64_t end_cycle; /* SM cycles that the device had made then; 0: not known */
  int status;
  bool failed;
  char reason[512];
} cli_record_t;

/** Read the records that a program wrote. @return kWgOk, kWgBadInput (line in diag), kWgNoSpace */
WG_NODISCARD wg_status_t cli_record_read(FILE *f, cli_record_t *r, wg_diag_t *diag);
void cli_record_free(cli_record_t *r);
/** Counters of every launch, as tables with a row a launch and sums; names carry the units. Prints nothing without a launch. */
void cli_counters_print(FILE *out, const cli_record_t *r);

/** What of a run its record does not know. */
typedef struct cli_outcome {
  const char *program;     /* file name without its folders */
  const char *const *args; /* ends with NULL */
  const char *why;         /* the run failed; "" if it did not */
  uint64_t seed;           /* setting `seed` */
} cli_outcome_t;
/** The run as one JSON document (cosim/cli/README.md, "Statistics"); a value that was not measured is left out. @return for json_decref */
json_t *cli_json_of(const cli_record_t *r, const cli_outcome_t *o);
/** Write a document as text, with a newline behind it. @return false if that failed */
WG_NODISCARD bool cli_json_write(FILE *out, const json_t *doc);
/** The report of a document. @param launch number, 0 = all. @return false if there is no such launch */
bool cli_report_print(FILE *out, const json_t *doc, unsigned launch);
/** Subcommand: the report of a file. */
int cli_report(int argc, char **argv);
/** The JSON Schema of these documents, made from the same tables. @return for json_decref */
json_t *cli_json_schema(void);
/** Is a document what that schema says? @return kWgOk, or kWgBadInput: the first place where it is not, and why */
WG_NODISCARD wg_status_t cli_json_valid(const json_t *doc, wg_diag_t *diag);
/** Subcommand: the schema on stdout. */
int cli_schema(int argc, char **argv);

/** The findings of the checks as a JSON text: {"findings":[...]}. */
void cli_findings_json(FILE *out, const cli_record_t *r);

/** Work, span and parallelism of the launches, and what the machine can hold of it. Prints nothing where no span was measured. */
void cli_span_print(FILE *out, const cli_record_t *r);
/** Instructions on the longest chain of the whole run, launches in stream order: a launch of the legacy stream waits for all
    before it and all behind it wait for it; waits of the host and for events are not known. 0: not measured. */
uint64_t cli_span_of_run(const cli_record_t *r);

/** The seven steps of the host with bytes and time, every command of the streams, copies and their overlap with kernels. */
void cli_timeline_print(FILE *out, const cli_record_t *r);
/** The copies alone: number, bytes, GB/s, overlap. Prints nothing without one. */
void cli_copies_print(FILE *out, const cli_record_t *r);

/** Put the commands of the streams and the steps of the host behind an event trace. @return kWgOk, kWgIo */
WG_NODISCARD wg_status_t cli_events_add_host(const char *path, const cli_record_t *r, wg_diag_t *diag);
/** True if `path` is an FST file that was closed in order: every block there, none cut, none unfinished. */
bool cli_trace_whole(const char *path);
/** Remove a trace and what its writer keeps beside it; only ordinary files. */
void cli_trace_remove(const char *path);
/** Remove what was written of a file that is not whole; what is no ordinary file stays. */
void cli_remove_half(const char *path);

/** Key of a run in cycles.tsv: everything but the launch number. */
typedef struct cli_cycles_key {
  const char *program, *args;
} cli_cycles_key_t;

/**
 * Compare a run's cycles with the recorded ones, exactly.
 * @return kWgOk; kWgMismatch (diag says which launch moved, or has no row); kWgIo (no such file too), kWgBadInput for
 * the file
 */
WG_NODISCARD wg_status_t cli_cycles_check(const char *path, const cli_cycles_key_t *key, const cli_record_t *r,
                                          wg_diag_t *diag);
/** Put a run's cycles in place of the rows with its key, or behind all rows, and then print what moved to `out`. The
   file is replaced as a whole. A missing file is begun. @return kWgOk, kWgIo, kWgBadInput */
WG_NODISCARD wg_status_t cli_cycles_update(const char *path, const cli_cycles_key_t *key, const cli_record_t *r,
                                           FILE *out, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
