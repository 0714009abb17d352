// SPDX-License-Identifier: Apache-2.0
//
// What a run did. Under `warpglass run` one record a launch goes to the file descriptor in WARPGLASS_REPORT_FD and
// the command prints the verdict; a bare program prints it itself, last, on stderr.
#define _GNU_SOURCE
#include "rt.h"

#include "cosim/cli/cli_counters.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static FILE *report_file(void) {
  static FILE *file;
  static bool tried;
  if (tried) return file;
  tried = true;
  const char *fd = getenv("WARPGLASS_REPORT_FD");
  if (fd != NULL && fd[0] != '\0') file = fdopen(dup(atoi(fd)), "w");
  return file;
}

static void print_setup(FILE *f) {
  wg_session_setup_t s;
  wg_session_get_setup(rt()->session, &s);
  fprintf(f,
          "setup preset=%s backend=%s sched=%s blocks=%s divergence=%s dependence=%s sms=%u timing=%d hashes=%d "
          "check=%s memory=%s progress=%u\n",
          s.preset, s.backend, s.sched, s.block_policy, s.divergence, s.dependence, s.num_sms, s.timing ? 1 : 0,
          s.hashes ? 1 : 0, s.check, s.memory, s.progress_cycles);
  wg_session_machine_t m;
  wg_session_get_machine(rt()->session, &m);
  fputs("machine", f);
#define WG_MACHINE(KEY, EXPR, DOC) fprintf(f, " " #KEY "=%.17g", m.KEY);
#include "cosim/machine.def"
  fputc('\n', f);
}

/* The record, its first line written. Only with a device. */
static FILE *setup_file(void) {
  static bool printed;
  FILE *f = report_file();
  if (f != NULL && !printed) print_setup(f);
  printed = true;
  return f;
}

static uint64_t blocks_of(const wg_launch_t *l) { return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2]; }

/* A line before the launches that it holds for: many have the same one. */
static void print_occupancy(FILE *f, const wg_launch_t *l) {
  static struct {
    const wg_module_t *module;
    const char *kernel;
    uint32_t block[3], shared, stack;
  } last;
  if (last.module == l->module && last.kernel == l->kernel && last.shared == l->dyn_shared_bytes && last.stack == l->stack_bytes &&
      memcmp(last.block, l->block, sizeof last.block) == 0) {
    return;
  }
  wg_session_occupancy_t o;
  wg_session_occupancy(rt()->session, l, &o);
  if (o.limiter == NULL) return;
  char limiter[32];
  snprintf(limiter, sizeof limiter, "%s", o.limiter);
  for (char *p = limiter; *p != '\0'; p++) *p = *p == ' ' ? '_' : *p;
  fprintf(f, "occupancy regs=%u static=%u local=%u block_warps=%u blocks=%u max_warps=%u limiter=%s remedy=%s\n", o.registers,
          o.static_shared_bytes, o.local_bytes, o.block_warps, o.blocks, o.max_warps, limiter, o.remedy);
  last.module = l->module;
  last.kernel = l->kernel;
  last.shared = l->dyn_shared_bytes;
  last.stack = l->stack_bytes;
  memcpy(last.block, l->block, sizeof last.block);
}

static void print_launch(FILE *f, const wg_launch_t *l, const wg_launch_result_t *r, bool beside) {
  const char *by = "";
  print_occupancy(f, l);
  uint64_t bound = wg_session_bound(rt()->session, r, blocks_of(l), &by);
  if (beside) bound = 0, by = "beside";
#define U(X) ((unsigned long long)(X))
  fprintf(f, "launch n=%u kernel=%s grid=%u,%u,%u block=%u,%u,%u shared=%u cycles=%llu bound=%llu by=%s time_ns=%llu",
          rt()->record.launches, l->kernel, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
          l->block[2], l->dyn_shared_bytes, U(r->cycles), U(bound), by, U(r->time_ns));
  fprintf(f, " warp_insts=%llu thread_insts=%llu load_requests=%llu load_lanes=%llu load_sectors=%llu",
          U(r->warp_insts), U(r->thread_insts), U(r->global_load_requests), U(r->global_load_lanes),
          U(r->global_load_sectors));
  fprintf(f, " store_requests=%llu store_lanes=%llu store_sectors=%llu shared_wavefronts=%llu l1_lines=%llu",
          U(r->global_store_requests), U(r->global_store_lanes), U(r->global_store_sectors),
          U(r->shared_wavefronts), U(r->l1_lines));
  if (r->span_insts != 0) fprintf(f, " span=%llu", U(r->span_insts));
  cli_counters_write(f, r);
  fprintf(f, " dram_read=%llu dram_write=%llu hash=%016llx\n", U(r->dram_read_bytes), U(r->dram_write_bytes),
          U(r->retire_hash));
#undef U
}

void rt_report_launch(const wg_launch_t *l, const wg_launch_result_t *r, bool beside) {
  rt_record_t *rec = &rt()->record;
  FILE *f = setup_file();
  rec->launches++;
  rec->cycles += r->cycles;
  rec->warp_insts += r->warp_insts;
  rec->retire_hash += r->retire_hash;
  if (f == NULL) return;
  print_launch(f, l, r, beside);
  fflush(f); /* a child process must not inherit lines and write them again */
}

void rt_report_command(uint64_t id, const wg_front_cmd_t *c, bool pageable, const char *kernel, uint64_t submitted,
                       uint64_t start, uint64_t end) {
  static const char *const kOps[] = {"?", "launch", "copy", "record", "wait", "function"};
  static const char *const kKinds[] = {"h2d", "d2h", "d2d", "set"};
  FILE *f = setup_file();
  uint32_t words[kWgFrontMaxWords];
  if (f == NULL) return;
  fprintf(f, "command id=%llu op=%s stream=%u words=%u bytes=%llu pageable=%d submit=%llu start=%llu end=%llu kernel=%s\n",
          (unsigned long long)id, c->op == kWgFrontCopy ? kKinds[c->kind] : kOps[c->op], c->stream, wg_front_encode(c, words),
          (unsigned long long)c->bytes, pageable ? 1 : 0, (unsigned long long)submitted, (unsigned long long)start,
          (unsigned long long)end, kernel == NULL ? "-" : kernel);
  fflush(f);
}

void rt_report_step(const char *what, uint64_t bytes, uint64_t from_ns, uint64_t to_ns) {
  FILE *f = setup_file();
  if (f == NULL) return;
  fprintf(f, "step what=%s bytes=%llu from=%llu to=%llu\n", what, (unsigned long long)bytes, (unsigned long long)from_ns,
          (unsigned long long)to_ns);
  fflush(f);
}

void rt_report_cause(const char *reason) {
  FILE *f = report_file();
  if (f == NULL || (rt()->session != NULL && rt()->pid != getpid())) return;
  fprintf(f, "cause reason=%s\n", reason);
  fflush(f);
}

static const char *program_name(void) {
  const char *slash = strrchr(program_invocation_name, '/');
  return slash == NULL ? program_invocation_name : slash + 1;
}

static void print_verdict(FILE *f, const rt_record_t *r) {
  if (r->failed) {
    fprintf(f, "FAIL %s %s\n", program_name(), r->reason);
  } else {
    char cycles[24] = "none", insts[24] = "none",
         hash[24] = "none"; /* nothing may look like a measurement that is none */
    if (r->timing && r->launches != 0) snprintf(cycles, sizeof cycles, "%llu", (unsigned long long)r->cycles);
    if (r->warp_insts != 0) snprintf(insts, sizeof insts, "%llu", (unsigned long long)r->warp_insts);
    if (r->hashes && r->launches != 0) snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->retire_hash);
    fprintf(f, "PASS %s cycles=%s warp_insts=%s retire_hash=%s\n", program_name(), cycles, insts, hash);
  }
}

/* The step that many programs skip. Not an error: the device goes away with the process. */
static void note_leaks(void) {
  size_t n = 0, bytes = 0;
  for (const rt_alloc_t *a = rt()->allocs; a != NULL; a = a->next, n++) bytes += a->bytes;
  if (n != 0) rt_say("note: %zu allocation%s (%zu bytes) of device memory %s never freed", n, n == 1 ? "" : "s", bytes,
                     n == 1 ? "was" : "were");
}

static void judge_race_summary(void) {
  char text[256];
  if (rt()->session == NULL || rt()->record.running) return;
  bool whole = wg_session_race_summary(rt()->session, text, sizeof text);
  if (text[0] != '\0') rt_say("%s", text);
  if (!whole) rt_fail("%s", text);
}

static void judge_block_log(void) {
  char why[4352];
  if (rt()->session == NULL || rt()->record.running) return;
  if (!wg_session_blocklog_finish(rt()->session, why, sizeof why)) rt_fail("%s", why);
  if (!wg_session_events_finish(rt()->session, why, sizeof why)) rt_fail("%s", why);
}

/* `flush`: the way out writes what stdio holds. */
static void finish(int status, bool flush) {
  static bool done;
  if (done) return;
  rt_record_t *r = &rt()->record;
  FILE *f = report_file();
  if (rt()->session != NULL && rt()->pid != getpid()) { /* a child: the parent judges, unless it used the device */
    if (f != NULL && r->failed) {
      fprintf(f, "end status=%d launches=0 failed=1 reason=a child process used the device made before fork()\n",
              status);
      fclose(f);
    }
    return;
  }
  done = true;
  judge_race_summary();
  if (r->running) rt_fail("the program ended in the middle of a launch");
  else (void)rt_queue_finish(); /* what was queued is judged too */
  judge_block_log();
  bool named = rt()->session != NULL && wg_session_host_checked(rt()->session); /* each leak, by its line */
  if (status == 0 && !r->failed && !named) note_leaks();
  if (!r->running) rt_check_end(f != NULL && rt()->session != NULL ? setup_file() : NULL, status == 0);
  if (status == 0 && !r->failed && r->launches == 0) rt_say("note: no kernel ran: this verdict judges none");
  if (r->unseen[0] != '\0' && status == 0) rt_fail("%s; the program never asked (cudaGetLastError)", r->unseen);
  if (r->unseen[0] != '\0') rt_fail("%s; program exit code %d", r->unseen, status);
  if (status != 0) rt_fail("program exit code %d", status);
  if (f != NULL) {
    if (rt()->session != NULL) (void)setup_file();
    fprintf(f, "end status=%d launches=%u failed=%d cycle=%llu reason=%s\n", status, r->launches, r->failed ? 1 : 0,
            (unsigned long long)(rt()->session == NULL ? 0 : wg_session_cycle(rt()->session)), r->reason);
    fclose(f);
  }
  if (!r->running && flush) rt_drain();
  if (!r->running) wg_session_destroy(rt()->session); /* closes a trace; not under a running launch */
  rt()->session = NULL;
  if (f != NULL) return;
  if (flush) fflush(stdout);
  print_verdict(stderr, r);
  if (r->failed && status == 0) { /* the program saw nothing wrong, but the run is */
    if (flush) fflush(NULL);
    syscall(SYS_exit_group, 1);
  }
}

static void at_exit(int status, void *unused) {
  (void)unused;
  finish(status, true);
}

void rt_report_quick_exit(int status) {
  if (rt()->record.used && rt()->pid == getpid()) finish(status, false);
}

static void at_quick_exit_handler(void) { rt_report_quick_exit(0); }

/* The C library's own, under the program's eyes: it runs no handlers, and a run without a verdict would look like one
   without CUDA. */
RT_API _Noreturn void _exit(int status);
RT_API _Noreturn void _exit(int status) {
  rt_report_quick_exit(status);
  for (;;) syscall(SYS_exit_group, status);
}
RT_API _Noreturn void _Exit(int status);
RT_API _Noreturn void _Exit(int status) { _exit(status); }

void rt_report_install(void) {
  static bool done;
  if (done) return;
  done = true;
  on_exit(at_exit, NULL);
  at_quick_exit(at_quick_exit_handler);
}
