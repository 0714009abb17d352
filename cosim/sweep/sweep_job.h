// SPDX-License-Identifier: Apache-2.0
//
// A sweep on several machines, for the files of this room: its folder (sweep_engine.c) and the commands of Slurm and
// GNU parallel (sweep_submit.c).
#ifndef WG_COSIM_SWEEP_JOB_H
#define WG_COSIM_SWEEP_JOB_H

#include "cosim/sweep/sweep.h"

typedef struct sweep_job {
  const sweep_plan_t *plan;
  const sweep_options_t *o;
  sweep_todo_t *todo; /* [num_todo] all points of the sweep; the task of todo[i] is i % tasks */
  size_t num_todo;
  char digest[kSweepHex];
  sweep_store_t *store; /* the whole, locked by this process */
  char store_path[4096]; /* absolute */
  char folder[4096];     /* absolute */
  bool made;             /* the folder is ours, of this call */
  unsigned tasks;
  char id[32];               /* array job of Slurm that was submitted last, "" without one */
  bool *missing;             /* [tasks] task has a point without a result */
  size_t known, failed, had; /* points with a result, those of them that failed; with one when we began */
  int signals;               /* signalfd: SIGINT, SIGTERM, SIGHUP */
  int stop;                  /* the signal that came, or 0 */
} sweep_job_t;

/** Path of a file in the folder. @param out [4200] @return out */
char *sweep_job_file(const sweep_job_t *j, char *out, const char *fmt, ...) WG_PRINTF(3, 4);
/** Are the engine's commands there, and are they what they should be? @return kWgNotFound, kWgBadInput */
WG_NODISCARD wg_status_t sweep_submit_check(const sweep_options_t *o, wg_diag_t *diag);
/** Write task.sh, what a task does. @return kWgIo */
WG_NODISCARD wg_status_t sweep_submit_script(const sweep_job_t *j, wg_diag_t *diag);
/** Give the tasks that miss something to the engine. Slurm: sets `id`. @return kWgBadInput: the engine refused them;
    kWgIo */
WG_NODISCARD wg_status_t sweep_submit(sweep_job_t *j, wg_diag_t *diag);
/** Slurm: are tasks of `id` waiting or running? @return kWgIo: Slurm does not answer */
WG_NODISCARD wg_status_t sweep_submit_alive(const sweep_job_t *j, unsigned *waiting, unsigned *running,
                                            wg_diag_t *diag);
/** Wait until no task waits or runs, or a signal comes (`stop`). Draws a bar on a terminal. @return kWgIo */
WG_NODISCARD wg_status_t sweep_submit_wait(sweep_job_t *j, wg_diag_t *diag);
/** Points that the parts in the folder have now. */
size_t sweep_job_progress(const sweep_job_t *j);

#endif
