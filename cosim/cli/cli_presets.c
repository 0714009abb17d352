// SPDX-License-Identifier: Apache-2.0
//
// warpglass presets: list and show, with the numbers that follow from a preset (peaks, ridge).
#include <dirent.h>
#include <string.h>

#include "cosim/cli/cli.h"
#include "cosim/session_words.h"
#include "model/preset.h"

enum { kMaxPresets = 64 };

static const char kHelp[] =
    "usage: warpglass presets [list | show NAME]\n"
    "  list        every machine under configs/ (default)\n"
    "  show NAME   a machine's sizes, peak rates and roofline ridge\n";

static int by_name(const void *a, const void *b) {
  const char *const *x = a, *const *y = b;
  return strcmp(*x, *y);
}

/* Names of the *.cfg files in the folder of a preset that is always there. Caller frees. */
static size_t names_in(const char *dir, char *names[], size_t max) {
  DIR *d = opendir(dir);
  if (d == NULL) return 0;
  size_t n = 0;
  for (struct dirent *e; n < max && (e = readdir(d)) != NULL;) {
    size_t len = strlen(e->d_name);
    if (len <= 4 || strcmp(e->d_name + len - 4, ".cfg") != 0) continue;
    names[n] = calloc(1, len + 1);
    if (names[n] == NULL) break;
    memcpy(names[n++], e->d_name, len - 4);
  }
  closedir(d);
  qsort(names, n, sizeof names[0], by_name);
  return n;
}

static size_t all_names(char *names[], size_t max, wg_diag_t *diag) {
  wg_preset_t p;
  if (wg_preset_load("v100", &p, diag) != kWgOk) return 0;
  char dir[256];
  snprintf(dir, sizeof dir, "%s", p.path);
  char *slash = strrchr(dir, '/');
  if (slash == NULL) return 0;
  *slash = '\0';
  return names_in(dir, names, max);
}

static int list(void) {
  char *names[kMaxPresets];
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  size_t n = all_names(names, kMaxPresets, &d);
  if (n == 0) {
    wg_diag_print(stderr, &d);
    return kCliFail;
  }
  int rc = kCliPass;
  for (size_t i = 0; i < n; i++) {
    wg_preset_t p;
    memset(&d, 0, sizeof d);
    if (wg_preset_load(names[i], &p, &d) == kWgOk) {
      printf("%-16s %-6s %3u SMs of %3u  %s\n", names[i], p.shape->name, p.num_sms, p.num_sms_full, p.title);
    } else {
      wg_diag_print(stderr, &d);
      rc = kCliFail;
    }
    free(names[i]);
  }
  return rc;
}

static void print_peak(const wg_preset_t *p, const char *pipe, uint32_t lanes, uint32_t interval, double flops,
                       double gbytes) {
  /* a pipe narrower than its shape is one that dispatches less often */
  double per_cycle = flops * lanes * p->shape->sub_cores * p->num_sms_full / (1.0 + interval * lanes / 32.0);
  double tera = per_cycle * p->clock_khz * 1e3 / 1e12;
  printf("  peak %-5s %9.3f T%s/s%s", pipe, tera, flops > 1 ? "FLOP" : "op", gbytes > 0 && flops > 1 ? "" : "\n");
  if (gbytes > 0 && flops > 1) printf("   ridge %.1f FLOP/byte\n", tera * 1e3 / gbytes);
}

static int show(const char *name) {
  wg_preset_t p;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (wg_preset_load(name, &p, &d) != kWgOk) {
    char *names[kMaxPresets + 1];
    size_t n = all_names(names, kMaxPresets, NULL);
    names[n] = NULL;
    const char *near = wg_word_nearest(name, (const char *const *)names);
    if (near != NULL && d.hint[0] == '\0') snprintf(d.hint, sizeof d.hint, "did you mean '%s'?", near);
    wg_diag_print(stderr, &d);
    if (near != NULL && strstr(d.hint, near) == NULL) fprintf(stderr, "  did you mean '%s'?\n", near);
    for (size_t i = 0; i < n; i++) free(names[i]);
    return kCliFail;
  }
  const wg_shape_t *sh = p.shape;
  double gbytes = wg_preset_hbm_gbytes_per_s(&p);
  printf("%s: %s (%s)\n", p.name, p.title, p.path);
  printf("  SMs %u by default, %u in the machine; clock %u kHz; shape %s\n", p.num_sms, p.num_sms_full, p.clock_khz,
         sh->name);
  printf("  an SM: %u sub-cores x %u warp slots, %u block slots, %u registers a sub-core, %u bytes shared\n",
         sh->sub_cores, p.sm.warp_slots, p.sm.block_slots, p.sm.regs_per_subcore, p.sm.shared_bytes);
  printf("  lanes a sub-core: int %u, fp32 %u, fp64 %u, sfu %u\n", sh->lanes_int, sh->lanes_fp32, sh->lanes_fp64,
         sh->lanes_sfu);
  printf("  scheduler %s, divergence %s, dependence %s\n", wg_policy_name(p.sm.policy),
         p.sm.diverge_mode == 0 ? "stack" : "its", p.sm.dep_mode == 0 ? "scoreboard" : "control-bits");
  printf("  memory %.1f GB/s, %llu bytes\n", gbytes, (unsigned long long)p.global_bytes);
  print_peak(&p, "fp32", sh->lanes_fp32, p.sm.issue_interval[1], 2.0, gbytes);
  print_peak(&p, "int", sh->lanes_int, p.sm.issue_interval[0], 1.0, gbytes);
  print_peak(&p, "sfu", sh->lanes_sfu, p.sm.issue_interval[3], 1.0, gbytes);
  return kCliPass;
}

int cli_presets(int argc, char **argv) {
  static const char *const kWords[] = {"list", "show", "--help", NULL};
  if (argc > 2 && strcmp(argv[1], "list") == 0) {
    return cli_usage(NULL, "presets list takes no more words: '%s'", argv[2]);
  }
  if (argc < 2 || strcmp(argv[1], "list") == 0) return list();
  if (strcmp(argv[1], "--help") == 0) {
    fputs(kHelp, stdout);
    return kCliPass;
  }
  if (strcmp(argv[1], "show") != 0) return cli_unknown_option("word", argv[1], kWords);
  if (argc != 3) return cli_usage("warpglass presets show v100", "presets show takes one name");
  return show(argv[2]);
}
