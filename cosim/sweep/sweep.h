// SPDX-License-Identifier: Apache-2.0
//
// Sweeps: a plan is a cross product of axes; its points are run once each, and kept in a store, an SQLite file.
// README.md: how points get their index and key, what the store holds, who may write it.
#ifndef WG_COSIM_SWEEP_H
#define WG_COSIM_SWEEP_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  kSweepHex = 65,   /* a SHA-256 in hex, with its end */
  kSweepSchema = 2, /* version of the store; 1: its points have no digest */
  kSweepMaxPoints = 10000000,
};

/* ---- plan (sweep_plan.c) ---- */

/** Values of one axis, in the order in which they were given. */
typedef struct sweep_axis {
  char name[96]; /* "program", "args", "preset", "set KEY", or a setting's name */
  char **values;
  size_t n;
} sweep_axis_t;

typedef struct sweep_plan {
  sweep_axis_t *axes; /* after sweep_plan_finish in the order of the index: the last one varies fastest */
  size_t num_axes;
  uint64_t num_points;
} sweep_plan_t;

/** Names of the settings that may be axes, in the order of tables and of the index; ends with NULL. */
extern const char *const kSweepSettings[];

/**
 * Add values to an axis, which is made if there is none of that name.
 * @param text blank-separated values; numbers may be ranges, 1..10; "default" is the preset's. Of "program" and
 * "args" it is one value
 * @return kWgBadInput (unknown axis with the nearest as hint, an empty list), kWgNoSpace
 */
WG_NODISCARD wg_status_t sweep_plan_add(sweep_plan_t *p, const char *name, const char *text, wg_diag_t *diag);
/** Add what a plan file says: lines `axis = values`, `set KEY = values`; # begins a comment. @return as
 * sweep_plan_add; kWgIo */
WG_NODISCARD wg_status_t sweep_plan_file(sweep_plan_t *p, const char *path, wg_diag_t *diag);
/** Bring the axes into order and count the points. @return kWgBadInput without a program, with a value twice, or
    with too many points; kWgNoSpace */
WG_NODISCARD wg_status_t sweep_plan_finish(sweep_plan_t *p, wg_diag_t *diag);
void sweep_plan_free(sweep_plan_t *p);
/** Write a plan as a file that sweep_plan_file() reads as the same plan; programs that have a '/' get an absolute path,
    so that it holds in any folder. @return kWgIo; kWgBadInput for a value that no line of a plan can hold */
WG_NODISCARD wg_status_t sweep_plan_write(const sweep_plan_t *p, const char *path, wg_diag_t *diag);

/* ---- points (sweep_point.c) ---- */

/** A name with its value. */
typedef struct sweep_label {
  char name[24];
  char value[512];
} sweep_label_t;

enum { kSweepMaxLabels = 32, kSweepMaxFiles = 8 };

/** What the file system says of a file: it differs when the file is written, replaced or gone (all 0). */
typedef struct sweep_file_id {
  uint64_t device, inode, bytes;
  uint64_t written_ns, changed_ns; /* nanoseconds since 1970 */
} sweep_file_id_t;

/** A file whose image is in a key, as it was when the key was made. */
typedef struct sweep_file {
  const char *what;    /* "program", "plug-in" */
  const char *path;    /* lives as long as the process */
  char hex[kSweepHex]; /* "": it could not be read */
  sweep_file_id_t id;
} sweep_file_t;

/** One point of a plan, checked and ready to run. */
typedef struct sweep_point {
  uint64_t index;
  char key[kSweepHex];                   /* SHA-256 of `text` */
  char *text;                            /* everything that the run depends on */
  char *preset_text;                     /* the machine after its overrides */
  char **argv;                           /* program and its arguments, ends with NULL */
  char settings[1024];                   /* value of WARPGLASS */
  char golden[4096];                     /* "": beside the program, as warpglass run finds it */
  sweep_label_t labels[kSweepMaxLabels]; /* program, args, preset, overrides, then kSweepSettings; values resolved */
  size_t num_labels;
  sweep_file_t files[kSweepMaxFiles]; /* that the run will open */
  size_t num_files;
} sweep_point_t;

/**
 * Make point `index` of a plan: resolve what was left to the preset, check that it can be run, hash.
 * @param golden value of --golden, or NULL
 * @return kWgBadInput, kWgNotFound or kWgIo with a sentence for what cannot be
 */
WG_NODISCARD wg_status_t sweep_point_make(const sweep_plan_t *p, uint64_t index, const char *golden,
                                          sweep_point_t *out, wg_diag_t *diag);
void sweep_point_free(sweep_point_t *p);
/** One line about a point: the labels of axes with more than one value. @param out [n] */
void sweep_point_describe(const sweep_plan_t *plan, uint64_t index, char *out, size_t n);

/* ---- files of a key (sweep_files.c) ---- */

/** Hash a file, or take the hash that is known as long as the file is the same one. @param what a literal
    @return whether it could be read */
bool sweep_file_take(const char *what, const char *path, sweep_file_t *out);
/** Is one of the files of a point another one than when its key was made? @param touched also one that was written
    anew with the same image @return the first of them; NULL: none */
const sweep_file_t *sweep_point_changed(const sweep_point_t *p, bool touched);
/** One that is another one now than when this process first read it; NULL: none. Holds until the next call. */
const sweep_file_t *sweep_files_changed(void);

/* ---- hashes and provenance (sweep_hash.c, sweep_prov.c) ---- */

/** SHA-256 of a text, as hexadecimal digits and a NUL. */
void sweep_hash_text(const char *text, char hex[kSweepHex]);
/** SHA-256 of what is loaded of an ELF file (no notes, no debug information), or of all of another file. @return
 * false: not readable */
bool sweep_hash_image(const char *path, char hex[kSweepHex]);
/** The first line that a command prints, without its newline; stderr is dropped. @param argv ends with NULL @param out [n], "" if
 * there is none @return whether it could be run and ended with 0 */
bool sweep_first_line(const char *const *argv, char *out, size_t n);

/** What made the results, lines `name value`: sources, build flags, versions of tools, host. The caller frees it;
 * NULL: out of memory */
char *sweep_provenance(void);

/* ---- store (sweep_store.c) ---- */

typedef struct sweep_store sweep_store_t;

/** One figure of a run. */
typedef struct sweep_stat {
  unsigned launch; /* from 1; 0: of the run as a whole */
  char *name;      /* "cycles", "issue_slots.barrier" */
  char *text;      /* the value as it was written, a number unless `word` */
  bool word;
} sweep_stat_t;

/** What a run gave. */
typedef struct sweep_result {
  bool ok;
  char message[600];                                /* why it failed */
  char cycles[24], warp_insts[24], retire_hash[24]; /* "": the back end has none */
  sweep_stat_t *stats;
  size_t num_stats, cap_stats;
  double seconds; /* host */
} sweep_result_t;

/** Free what a result holds, not the result; it may be used again. */
void sweep_result_free(sweep_result_t *r);
/** Every number and word of a run's JSON document as figures; names of nested objects with dots. @return kWgBadInput,
 * kWgNoSpace */
WG_NODISCARD wg_status_t sweep_stats_read(const char *json, size_t bytes, sweep_result_t *r, wg_diag_t *diag);

typedef enum sweep_open { kSweepRead, kSweepWrite, kSweepCreate, kSweepWait } sweep_open_t;
/**
 * Open a store. kSweepCreate makes it if there is none. For writing it is locked against other sweeps; kSweepWait is
 * kSweepCreate that waits for the lock, and says so on stderr.
 * @return kWgNotFound; kWgBadInput: no store, another program's, a newer version's, an older one's for writing, marked
 * read-only, in use; kWgIo. Nothing is changed then
 */
WG_NODISCARD wg_status_t sweep_store_open(const char *path, sweep_open_t how, sweep_store_t **out, wg_diag_t *diag);
void sweep_store_close(sweep_store_t *s);
const char *sweep_store_path(const sweep_store_t *s);
/** Does another process write it now? (One that begins right after is not seen.) */
bool sweep_store_busy(const char *path);
/** Close and remove a store that is open for writing. */
void sweep_store_remove(sweep_store_t *s);
/** Is every page of the file there and sound, and every point as it was recorded? @return kWgBadInput with what is
 * wrong, kWgIo */
WG_NODISCARD wg_status_t sweep_store_check(sweep_store_t *s, wg_diag_t *diag);
/** Drop the points that do not match their digest from a store that is open for writing, so that they are run anew;
 * said on stderr. @return kWgIo, kWgNoSpace; kWgBadInput: the file itself is damaged */
WG_NODISCARD wg_status_t sweep_store_mend(sweep_store_t *s, wg_diag_t *diag);
/** Is the file still there under its name, while it is open for writing? @return kWgIo with a sentence */
WG_NODISCARD wg_status_t sweep_store_there(const sweep_store_t *s, wg_diag_t *diag);
/** A point of a store. */
typedef struct sweep_known {
  char key[kSweepHex];
  bool ok; /* else it failed */
} sweep_known_t;
/** Everything that a store has. @param checked without points that do not match their digest, which is said on stderr
    @param[out] out [*n] sorted by key, the caller frees it @return kWgIo, kWgNoSpace */
WG_NODISCARD wg_status_t sweep_store_known(sweep_store_t *s, bool checked, sweep_known_t **out, size_t *n,
                                           wg_diag_t *diag);
/** @return 0: there is no such point, 1: it was run, 2: it failed */
int sweep_known_has(const sweep_known_t *known, size_t n, const char *key);
/** Record a finished point, whole or not at all, in place of an earlier failure. @return kWgIo */
WG_NODISCARD wg_status_t sweep_store_put(sweep_store_t *s, const sweep_point_t *p, const sweep_result_t *r,
                                         const char *provenance, wg_diag_t *diag);
/**
 * Copy the points of the store at `from` that `s` has not. A point that was run beats one that failed.
 * @param[out] added points that `s` did not have so before
 * @return kWgMismatch: a point was run in both, with different results; kWgIo and others as sweep_store_open. `s` is
 * unchanged then
 */
WG_NODISCARD wg_status_t sweep_store_merge(sweep_store_t *s, const char *from, uint64_t *added, wg_diag_t *diag);

/* ---- tables (sweep_table.c) ---- */

/** What a point was made with, in the order in which versions are told apart (sweep_pick.c). */
typedef enum sweep_part {
  kSweepProgram, kSweepGolden, kSweepPreset, kSweepPlugin, kSweepBlocks, kSweepRunTime, kSweepSm,
  kSweepParts
} sweep_part_t;
/** Its name for a reader: "program", "preset", ... */
const char *sweep_part_name(sweep_part_t part);
enum { kSweepShort = 9 }; /* eight digits of a hash, with their end */

typedef struct sweep_row {
  int64_t id;
  char *key;
  char made[kSweepParts][kSweepShort]; /* begin of each part's hash; "none": the point has no such part */
  char *recorded;                      /* UTC, "2026-01-31T23:59:59Z" */
  bool ok;
  char *message, *cycles, *warp_insts, *retire_hash, *build; /* NULL: none */
  char **labels;                                             /* [num_cols], NULL where the point has none */
  char **stats; /* [num_stats] as asked for, NULL where there is none or more than one launch has it and it does not
                   add up */
} sweep_row_t;

/** The store's points, in an order that does not depend on when they came. */
typedef struct sweep_table {
  char **cols; /* names of labels */
  size_t num_cols;
  const char *const *stat_names;
  size_t num_stats;
  sweep_row_t *rows;
  size_t num_rows;
} sweep_table_t;

/**
 * Read a store.
 * @param stats [num_stats] names of figures; of several launches the total, where the run's document has one (what does
 *   not add up has none, and no value then), unless `launch` says which. The strings must live as long as the table
 * @return kWgBadInput for a figure that no point has (the nearest as hint), and for a point that does not match its
 *   digest; kWgIo, kWgNoSpace
 */
WG_NODISCARD wg_status_t sweep_table_read(sweep_store_t *s, const char *const *stats, size_t num_stats,
                                          unsigned launch, sweep_table_t *out, wg_diag_t *diag);
void sweep_table_free(sweep_table_t *t);
/** Names of the store's figures, sorted. @param sums only numbers that add up over launches @param[out] n how many
    @return the caller frees each and the list; NULL: out of memory, or the store cannot be read */
char **sweep_stat_names(sweep_store_t *s, bool sums, size_t *n);
/** Index of a column; -1 if there is none. */
int sweep_table_col(const sweep_table_t *t, const char *name);
/** Free what a row of `t` holds. */
void sweep_row_free(const sweep_table_t *t, sweep_row_t *r);
/**
 * Keep one version of each point: of points with the same labels those of the later build, and of the earlier one none.
 * @param build "newest"; or a hash (4 digits or more of a program, a preset, a plug-in, a run-time library, an SM, or a
 *   row's `build`) that is taken instead of its later versions
 * @param[out] note [n] what was left out and what stays mixed, a sentence a line; "" if there is nothing to tell
 * @return kWgBadInput for a hash that no point has; kWgNoSpace
 */
WG_NODISCARD wg_status_t sweep_table_pick(sweep_table_t *t, const char *build, char *note, size_t n, wg_diag_t *diag);
/** Two rows by their labels. @return below, equal to or above 0 */
int sweep_row_compare(const sweep_table_t *t, const sweep_row_t *a, const sweep_row_t *b);
/** Two values, as numbers if both are; numbers come before words. @return below, equal to or above 0 */
int sweep_value_compare(const char *a, const char *b);

/* ---- what is to be done (sweep_todo.c) ---- */

/** A point that is to be run. */
typedef struct sweep_todo {
  uint64_t index;
  char key[kSweepHex];
} sweep_todo_t;

/** Make every point of a range, so that what cannot be run is told before anything is. Prints.
    @param[out] out [*n] each key once, sorted by key; the caller frees it, also after a failure @return exit code */
int sweep_todo_make(const sweep_plan_t *p, const char *golden, uint64_t from, uint64_t to, sweep_todo_t **out,
                    size_t *n);
/** One hash over all keys: the same sweep with the same builds. */
void sweep_todo_digest(const sweep_todo_t *t, size_t n, char hex[kSweepHex]);
/** Keep the points whose place is `part` modulo `parts`: by keys, so neighbours of the plan are in different parts.
    @return how many */
size_t sweep_todo_part(sweep_todo_t *t, size_t n, unsigned part, unsigned parts);

/* ---- running (sweep_run.c, sweep_child.c; sweep_engine.c, sweep_submit.c) ---- */

typedef enum sweep_engine { kSweepLocal, kSweepSlurm, kSweepParallel } sweep_engine_t;

enum { kSweepMaxTasks = 1000 }; /* of an array job: Slurm's own bound is 1001 where the cluster says nothing else */

typedef struct sweep_options {
  const char *store;
  const char *golden; /* as of warpglass run, or NULL */
  unsigned jobs;      /* runs at the same time */
  unsigned threads;   /* host threads of each, 0: as warpglass run has it */
  unsigned timeout_s; /* a run that takes longer has failed, 0: none */
  bool retry;         /* failed points are run again */
  uint64_t from, to;  /* indices of the plan, both included */
  /* a task of a sweep on several machines */
  unsigned part, parts; /* only the points of this part; parts 0: all */
  const char *have;     /* a store whose points are not run, or NULL */
  const char *digest;   /* what sweep_todo_digest() must give, or NULL */
  bool wait;            /* for a store that another process writes */
  /* the whole of it */
  sweep_engine_t engine;
  unsigned tasks;          /* 0: as many as fit */
  const char *hosts;       /* of parallel: [N/]host with blanks or commas between */
  const char *engine_args; /* more words for sbatch or parallel, or NULL */
} sweep_options_t;

/** Run what the store does not have. Prints. @return exit code: 0 every point was run, 1 some failed, 2 nothing was
 * begun */
int sweep_run(const sweep_plan_t *p, const sweep_options_t *o);
/**
 * The same by tasks of Slurm or of GNU parallel, each with a store of its own in the folder `STORE-parts`, and merged.
 * Waits for them; with the same call again it goes on where they are. Prints. @return as sweep_run()
 */
int sweep_engine_run(const sweep_plan_t *p, const sweep_options_t *o);

#define WG_SWEEP_JSON "--json" /* the option of `warpglass run` that the child's document is asked for with */

/** A run in a child process, `warpglass run`. */
typedef struct sweep_child {
  int pid;         /* 0: none */
  int out, err;    /* its stdout and stderr, -1 once they are closed */
  int json;        /* memory file of its JSON document */
  char tail[4096]; /* last of its stdout, the verdict among it */
  char head[2048]; /* first of its stderr */
  size_t num_tail, num_head;
  double begun; /* host seconds */
  bool timed_out;
  sweep_point_t point;
} sweep_child_t;

/** Start a point. On success the child has `point`. @return kWgIo */
WG_NODISCARD wg_status_t sweep_child_start(sweep_child_t *c, sweep_point_t *point, const sweep_options_t *o,
                                           wg_diag_t *diag);
/** Read what one of its pipes holds now. */
void sweep_child_read(sweep_child_t *c, int *fd);
/** After waitpid: read the rest, judge. Frees all but `point`. */
void sweep_child_end(sweep_child_t *c, int wait_status, unsigned timeout_s, sweep_result_t *r);
/** Host seconds of a clock that only goes forward. */
double sweep_now(void);

#ifdef __cplusplus
}
#endif
#endif
