// SPDX-License-Identifier: Apache-2.0
//
// warpglass occupancy: blocks on an SM, the resource that limits them, its remedy; plots; a ranking of block sizes.
#include <jansson.h>
#include <string.h>

#include "cosim/cli/cli_kernels.h"
#include "cosim/cli/cli_occ.h"
#include "cosim/cli/cli_opts.h"
#include "cosim/cli/cli_sweep.h"

static const cli_opt_t kOpts[] = {
    {"--preset", "NAME", "@presets", "machine (v100)"},
    {"--kernel", "TEXT", "", "only kernels whose name has TEXT in it"},
    {"--threads", "N", "", "threads of a block (256, or as many as the kernel allows)"},
    {"--regs", "N", "", "registers of a thread; without FILE"},
    {"--shared", "N", "", "bytes of shared memory of a block: all, or with FILE the dynamic ones (0)"},
    {"--shared-per-thread", "N", "", "further bytes for each thread of the block (0)"},
    {"--rank", NULL, NULL, "rank block sizes, with reasons"},
    {"--work", "N", "", "threads that there is work for: the ranking counts blocks, waves and the tail"},
    {"--sms", "N", "", "SMs of the machine that waves are counted over (all of the preset's machine)"},
    {"--json", NULL, NULL, "as a JSON document, in place of the table"},
    {"--plot", "PREFIX", "@file", "occupancy over block size, registers and shared memory: PREFIX.csv, PREFIX.svg"},
    {NULL, NULL, NULL, NULL}};

const cli_command_t kCliOccupancy = {"occupancy", "[options] FILE        kernels of a program, a container or PTX\n[options] --regs N    a kernel that is only numbers",
                                     "what limits the blocks on an SM, and which block size is best", kOpts, "@file",
                                     "Examples:\n"
                                     "  warpglass occupancy build/programs/reduce/reduce --threads 128 --rank\n"
                                     "  warpglass occupancy --regs 40 --shared 8192 --preset h200 --plot occ\n",
                                     false, cli_occupancy};

typedef struct args {
  const char *file, *preset, *kernel, *plot;
  uint64_t threads, regs, shared, shared_per_thread, work, sms;
  bool rank, has_threads, has_regs;
  json_t *json; /* list of what was asked about, NULL: a table */
} args_t;

static int one(args_t *a, const char *o, const char *value) {
  const cli_field_t kFields[] = {{"--threads", 1, 1024, &a->threads, NULL, &a->has_threads},
                                 {"--regs", 1, 255, &a->regs, NULL, &a->has_regs},
                                 {"--shared", 0, 1 << 20, &a->shared, NULL, NULL},
                                 {"--shared-per-thread", 0, 4096, &a->shared_per_thread, NULL, NULL},
                                 {"--work", 1, UINT64_C(1) << 40, &a->work, NULL, NULL},
                                 {"--sms", 1, kWgXbarMaxSms, &a->sms, NULL, NULL},
                                 {"--preset", 0, 0, NULL, &a->preset, NULL},
                                 {"--kernel", 0, 0, NULL, &a->kernel, NULL},
                                 {"--plot", 0, 0, NULL, &a->plot, NULL}};
  return cli_opts_field(kFields, sizeof kFields / sizeof kFields[0], o, value);
}

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  args_t *a = ctx;
  if (opt != NULL && opt->value == NULL) {
    if (strcmp(opt->name, "--rank") == 0) a->rank = true;
    else if (a->json == NULL) a->json = json_array();
    return kCliPass;
  }
  if (opt != NULL) return one(a, opt->name, value);
  if (a->file != NULL) return cli_usage(NULL, "more than one file: '%s'", value);
  a->file = value;
  return kCliPass;
}

static int parse(int argc, char **argv, args_t *a) {
  *a = (args_t){.preset = "v100", .threads = 256};
  int rc = cli_opts_read(&kCliOccupancy, argc, argv, take, a, NULL);
  if (rc != kCliPass) return rc;
  if (a->file == NULL && !a->has_regs)
    return cli_usage("a FILE, or --regs N", "neither a file nor the registers of a kernel");
  if (a->file != NULL && a->has_regs)
    return cli_usage(NULL, "--regs and the file '%s' contradict: the kernels say theirs", a->file);
  if (a->work != 0) a->rank = true;
  if (a->json != NULL && a->rank) return cli_usage("leave one of them out", "--json and --rank contradict: the ranking is a table");
  return kCliPass;
}

/* `assumed`: nobody said how many threads a block has. */
static void table(const occ_query_t *q, const wg_occ_block_t *b, const wg_occ_t *o, bool assumed) {
  char remedy[256], alone[16];
  printf("%s: blocks of %u threads, %u registers, %u bytes shared, on %s\n", q->kernel, b->threads, b->regs,
         b->shared_bytes, q->preset->name);
  printf("  %-26s %14s %12s %20s\n", "resource", "a block takes", "an SM has", "blocks by it alone");
  for (unsigned r = 0; r < kWgOccResources; r++) {
    bool none = o->alone[r] == UINT32_MAX;
    if (r == kWgOccThreads && none) continue; /* this machine counts warps only */
    snprintf(alone, sizeof alone, none ? "no limit" : "%u", o->alone[r]);
    printf("  %-26s %14u %12u %20s%s\n",
           r == kWgOccRegisters ? "registers of a sub-core"
           : r == kWgOccShared  ? "bytes of shared memory"
                                : wg_occ_resource_name((wg_occ_resource_t)r),
           o->needs[r], o->has[r], alone, r == o->limiter ? "  <- limit" : "");
  }
  if (assumed) printf("  threads:  %u are assumed; --threads N for another block size, --rank for all\n", b->threads);
  printf("  resident: %u block%s, %u of %u warps, occupancy %.1f %%\n", o->blocks, CLI_S(o->blocks), o->blocks * o->warps, o->max_warps,
         100.0 * o->blocks * o->warps / o->max_warps);
  printf("  remedy:   %s\n", wg_occ_remedy(q->preset, b, o, remedy, sizeof remedy));
  uint32_t idle = o->warps * (uint32_t)kWgWarpThreads - b->threads;
  if (idle != 0)
    printf("  tail warp: %u of its lanes, with %u registers each, are allocated and never active\n", idle, b->regs);
}

static json_t *document(const occ_query_t *q, const wg_occ_block_t *b, const wg_occ_t *o) {
  char remedy[256];
  json_t *all = json_object();
  for (unsigned r = 0; r < kWgOccResources; r++) {
    bool none = o->alone[r] == UINT32_MAX;
    if (r == kWgOccThreads && none) continue;
    json_t *one = json_pack("{s:I, s:I}", "block_takes", (json_int_t)o->needs[r], "sm_has", (json_int_t)o->has[r]);
    if (!none) json_object_set_new(one, "blocks_alone", json_integer(o->alone[r]));
    json_object_set_new(all, wg_occ_resource_name((wg_occ_resource_t)r), one);
  }
  return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:s, s:s, s:o}", "kernel", q->kernel, "preset", q->preset->name, "threads",
                   (json_int_t)b->threads, "registers_per_thread", (json_int_t)b->regs, "shared_bytes", (json_int_t)b->shared_bytes, "resident_blocks",
                   (json_int_t)o->blocks, "resident_warps", (json_int_t)o->blocks * o->warps, "max_warps", (json_int_t)o->max_warps,
                   "occupancy_percent", 100.0 * o->blocks * o->warps / o->max_warps, "limiter", wg_occ_resource_name(o->limiter), "remedy",
                   wg_occ_remedy(q->preset, b, o, remedy, sizeof remedy), "resources", all);
}

static int answer(const occ_query_t *q, const args_t *a) {
  wg_occ_t o;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  wg_occ_block_t b = occ_block(q, q->threads);
  if (wg_occ_of(q->preset, &b, &o, &d) != kWgOk) return cli_diag(&d);
  if (a->json != NULL) json_array_append_new(a->json, document(q, &b, &o));
  else table(q, &b, &o, !a->has_threads);
  if (a->rank) occ_rank(q);
  return a->plot == NULL ? kCliPass : occ_plot(q, a->plot);
}

static int each_kernel(occ_query_t *q, const args_t *a) {
  static cli_kernel_t k[kCliMaxKernels];
  size_t n = 0, asked = 0;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (cli_kernels_read(a->file, k, &n, &d) != kWgOk) return cli_diag(&d);
  for (size_t i = 0; i < n; i++) asked += a->kernel == NULL || strstr(k[i].name, a->kernel) != NULL;
  if (asked == 0) return cli_usage(k[0].name, "no kernel of '%s' has '%s' in its name", a->file, a->kernel);
  if (a->plot != NULL && asked > 1)
    return cli_usage("--kernel TEXT", "--plot draws one kernel, '%s' has %zu", a->file, asked);
  for (size_t i = 0; i < n; i++) {
    if (a->kernel != NULL && strstr(k[i].name, a->kernel) == NULL) continue;
    snprintf(q->kernel, sizeof q->kernel, "%s", k[i].name);
    q->regs = k[i].regs;
    q->shared = k[i].shared_bytes + (uint32_t)a->shared;
    q->max_threads = k[i].max_threads;
    q->threads = (uint32_t)a->threads;
    if (!a->has_threads && q->threads > q->max_threads) q->threads = q->max_threads;
    int rc = answer(q, a);
    if (rc != kCliPass) return rc;
  }
  return kCliPass;
}

int cli_occupancy(int argc, char **argv) {
  args_t a;
  wg_preset_t p;
  int rc = parse(argc, argv, &a);
  if (rc == kCliPass) rc = cli_preset_load(a.preset, &p);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  occ_query_t q = {.preset = &p,
                   .kernel = "kernel",
                   .threads = (uint32_t)a.threads,
                   .regs = (uint32_t)a.regs,
                   .max_threads = 1024,
                   .shared = (uint32_t)a.shared,
                   .shared_per_thread = (uint32_t)a.shared_per_thread,
                   .work = a.work};
  q.sms = a.sms != 0 ? (uint32_t)a.sms : p.num_sms_full;
  rc = a.file != NULL ? each_kernel(&q, &a) : answer(&q, &a);
  if (a.json == NULL) {
    return rc != kCliPass ? rc : cli_out_close(stdout, "-");
  }
  json_t *doc = json_pack("{s:s, s:o}", "schema", "warpglass-occupancy-1", "kernels", a.json);
  if (rc == kCliPass && (!cli_json_write(stdout, doc) || fflush(stdout) != 0)) rc = cli_unwritten("the JSON document");
  json_decref(doc);
  return rc;
}
