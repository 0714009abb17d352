// SPDX-License-Identifier: Apache-2.0
//
// warpglass presets: list and show, with the numbers that follow from a preset (peaks, ridge) and the source
// of each that it gives.
#include <stdlib.h>
#include <string.h>

#include "cosim/cli/cli_opts.h"
#include "cosim/cli/cli_sweep.h"
#include "cosim/session_words.h"
#include "model/preset.h"

enum { kMaxPresets = 64 };

static const cli_opt_t kOpts[] = {{"--json", NULL, NULL, "as a JSON document: every key with its value"}, {NULL, NULL, NULL, NULL}};

const cli_command_t kCliPresets = {"presets", "[--json] [list]       every machine under configs/\n[--json] show NAME    one machine",
                                   "machines: sizes, peaks and ridge of one SM and of the whole, every number with its source", kOpts, "list show @presets",
                                   "NAME may carry overrides: tiny+sm.mshrs=8\n"
                                   "Examples:\n  warpglass presets\n  warpglass presets show h200\n", false, cli_presets};

static int print_json(const char *key, json_t *value) {
  json_t *doc = json_object();
  json_object_set_new(doc, "schema", json_string("warpglass-presets-1"));
  json_object_set_new(doc, key, value);
  bool ok = value != NULL && cli_json_write(stdout, doc) && fflush(stdout) == 0;
  json_decref(doc);
  return ok ? kCliPass : cli_unwritten("the JSON document");
}

static int list(bool json) {
  json_t *all = json_array();
  char names[kMaxPresets][32];
  wg_diag_t d;
  size_t n = wg_preset_names(names, kMaxPresets);
  if (n == 0) return cli_usage("set WARPGLASS_HOME to the root of the repository", "there is no folder configs/ with presets");
  int rc = kCliPass;
  for (size_t i = 0; i < n; i++) {
    wg_preset_t p;
    memset(&d, 0, sizeof d);
    if (wg_preset_load(names[i], &p, &d) == kWgOk && json) {
      json_array_append_new(all, cli_preset_json(names[i], &p));
    } else if (d.msg[0] == '\0') {
      printf("%-16s %-6s %3u SM%s of %3u  %s\n", names[i], p.shape->name, p.num_sms, p.num_sms == 1 ? " " : "s",
             p.num_sms_full, p.title);
    } else {
      rc = cli_diag(&d);
    }
  }
  if (json && rc == kCliPass) return print_json("presets", all);
  json_decref(all);
  return rc;
}

/* The value of key `path` ("sm.mshrs") after overrides, written as in the file. @return false: no such key */
static bool value_in_force(const json_t *keys, const char *path, char *out, size_t n) {
  const char *dot = strchr(path, '.');
  char group[64];
  snprintf(group, sizeof group, "%.*s", dot == NULL ? 0 : (int)(dot - path), path);
  const json_t *v = dot == NULL ? json_object_get(keys, path) : json_object_get(json_object_get(keys, group), dot + 1);
  if (v == NULL) return false;
  char *text = json_dumps(v, JSON_ENCODE_ANY);
  snprintf(out, n, "%s", text == NULL ? "" : text);
  free(text);
  return true;
}

/* Every number of the file with what stands behind it: `key = value  # source`, one key a line, and the list of
   sources, lines of the form `#   [X] text` at the head. The test PresetTest.EveryNumberHasASource holds the files to
   this form. A value that an override in `name` replaced is told with the file's. */
static void print_sources(const char *name, const wg_preset_t *p) {
  char line[512], group[64] = "";
  json_t *after = cli_preset_json(name, p), *before = cli_preset_json(p->path, p);
  FILE *f = fopen(p->path, "r");
  if (f == NULL) {
    json_decref(after);
    json_decref(before);
    return;
  }
  printf("  %-34s %-18s %s\n", "key of the preset", "value", "source");
  bool in_list = false;
  while (fgets(line, sizeof line, f) != NULL) {
    char key[64], value[128];
    int used = 0;
    line[strcspn(line, "\n")] = '\0';
    const char *source = strstr(line, "  # ");
    if (source == NULL) source = strstr(line, "] # ");
    if (sscanf(line, " %63[A-Za-z0-9_] : {%n", key, &used) == 1 && used > 0) {
      snprintf(group, sizeof group, "%s.", key);
    } else if (line[0] == '}') {
      group[0] = '\0';
    } else if (sscanf(line, " %63[A-Za-z0-9_] = %127[^#]", key, value) == 2) {
      for (size_t n = strlen(value); n > 0 && value[n - 1] == ' '; n--) value[n - 1] = '\0';
      char path[128];
      snprintf(path, sizeof path, "%s%s", group, key);
      char is[128], was[128];
      if (value_in_force(json_object_get(after, "keys"), path, is, sizeof is) &&
          value_in_force(json_object_get(before, "keys"), path, was, sizeof was) && strcmp(is, was) != 0) {
        printf("  %-34s %-18s set by the name; the file says %s\n", path, is, value);
        continue;
      }
      printf("  %-34s %-18s %s\n", path, value, source == NULL ? "none given" : source + 4);
    }
  }
  rewind(f);
  while (fgets(line, sizeof line, f) != NULL) {
    in_list = strncmp(line, "#   [", 5) == 0 || (in_list && strncmp(line, "#      ", 7) == 0);
    if (in_list) printf("  %s", line + 4);
  }
  fclose(f);
  json_decref(after);
  json_decref(before);
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* The words that would be right, where the loader does not say them. */
static void add_hint(const char *name, wg_diag_t *d) {
  static const char *const kShapes[] = {
#define WG_SHAPE(ID, ...) #ID,
#include "isa/cfg.def"
      NULL};
  static const char *const kPolicies[] = {
#define WG_POLICY(ID, VALUE, NAME, DOC) NAME,
#include "isa/cfg.def"
      NULL};
  wg_preset_hint(d);
  char names[kMaxPresets][32], word[64] = "";
  const char *words[kMaxPresets + 1] = {NULL};
  const char *quoted = strchr(d->msg, '"');
  if (quoted != NULL) snprintf(word, sizeof word, "%.*s", (int)strcspn(quoted + 1, "\""), quoted + 1);
  if (begins(d->msg, "there is no preset '") || begins(d->msg, "'' is no name")) {
    size_t n = wg_preset_names(names, kMaxPresets);
    for (size_t i = 0; i < n; i++) words[i] = names[i];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "+"), name);
    if (n != 0) wg_word_hint(word, words, d->hint, sizeof d->hint);
  } else if (d->hint[0] == '\0' && strstr(d->msg, "'shape' is \"") != NULL) {
    wg_word_hint(word, kShapes, d->hint, sizeof d->hint);
  } else if (d->hint[0] == '\0' && strstr(d->msg, "'sm.scheduler' is \"") != NULL) {
    wg_word_hint(word, kPolicies, d->hint, sizeof d->hint);
  }
}

int cli_preset_load(const char *name, wg_preset_t *out) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (wg_preset_load(name, out, &d) == kWgOk) return kCliPass;
  add_hint(name, &d);
  return cli_diag(&d);
}

/* Lanes of the pipes of a sub-core. A preset has fewer than its shape by an interval between instructions: `interval`
   cycles beyond 32 / lanes (sm.issue_interval_cycles), as the peaks below have it. */
static void print_lanes(const wg_preset_t *p) {
  const wg_shape_t *sh = p->shape;
  const struct {
    const char *name;
    uint32_t lanes, interval;
  } kPipes[] = {{"int", sh->lanes_int, p->sm.issue_interval[0]},
                {"fp32", sh->lanes_fp32, p->sm.issue_interval[1]},
                {"fp64", sh->lanes_fp64, p->sm.issue_interval[2]},
                {"sfu", sh->lanes_sfu, p->sm.issue_interval[3]}};
  printf("  lanes a sub-core:");
  for (size_t i = 0; i < sizeof kPipes / sizeof kPipes[0]; i++) {
    double lanes = kPipes[i].lanes / (1.0 + kPipes[i].interval * kPipes[i].lanes / 32.0);
    printf("%s %s %.15g", i == 0 ? "" : ",", kPipes[i].name, lanes);
    if (kPipes[i].interval != 0)
      printf(" (the shape's %u, an instruction every %u cycles)", kPipes[i].lanes,
             32 / kPipes[i].lanes + kPipes[i].interval);
  }
  printf("\n");
}

static int show(const char *name, bool json) {
  wg_preset_t p;
  char word[12];
  int rc = cli_preset_load(name, &p);
  if (rc != kCliPass) return rc;
  if (json) return print_json("preset", cli_preset_json(name, &p));
  const wg_shape_t *sh = p.shape;
  printf("%s: %s (%s)\n", p.name, p.title, p.path);
  printf("  SMs: %u in a run by default, %u in the machine; clock %u kHz; shape %s\n", p.num_sms, p.num_sms_full,
         p.clock_khz, sh->name);
  printf("  an SM: %u sub-cores x %u warp slots, %u block slots, %u registers a sub-core, %u bytes shared\n",
         sh->sub_cores, p.sm.warp_slots, p.sm.block_slots, p.sm.regs_per_subcore, p.sm.shared_bytes);
  print_lanes(&p);
  printf("  scheduler %s, progress %s, divergence %s, dependence %s\n", wg_policy_name(p.sm.policy),
         wg_progress_word(p.sm.progress_cycles, word, sizeof word),
         p.sm.diverge_mode == 0 ? "stack" : "its", p.sm.dep_mode == 0 ? "scoreboard" : "control-bits");
  printf("  device memory %llu bytes\n", (unsigned long long)p.global_bytes);
  cli_peaks_print(stdout, &p);
  print_sources(name, &p);
  return kCliPass;
}

typedef struct args {
  const char *word[3];
  size_t n;
  bool json;
} args_t;

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  args_t *a = ctx;
  if (opt != NULL) a->json = true;
  else if (a->n < 3) a->word[a->n++] = value;
  return kCliPass;
}

/* What was printed must have got through. */
static int written(int rc) {
  return rc != kCliPass ? rc : cli_out_close(stdout, "-");
}

int cli_presets(int argc, char **argv) {
  static const char *const kWords[] = {"list", "show", NULL};
  args_t a = {{NULL}, 0, false};
  int rc = cli_opts_read(&kCliPresets, argc, argv, take, &a, NULL);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  bool listed = a.n == 0 || strcmp(a.word[0], "list") == 0;
  if (listed && a.n > 1) return cli_usage(NULL, "presets list takes no more words: '%s'", a.word[1]);
  if (listed) return written(list(a.json));
  if (strcmp(a.word[0], "show") != 0) return cli_unknown_option("word", a.word[0], kWords);
  if (a.n != 2) return cli_usage("warpglass presets show v100", "presets show takes one name");
  return written(show(a.word[1], a.json));
}
