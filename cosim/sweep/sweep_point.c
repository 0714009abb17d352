// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/blocks_c.h"
#include "cosim/paths.h"
#include "cosim/session.h"
#include "cosim/session_words.h"
#include "cosim/sm_dut.h"
#include "cosim/so_open.h"
#include "cosim/sweep/sweep.h"
#include "model/gte/gte_policy.h"
#include "model/preset.h"

/* ---- values of the axes ---- */

/* Value of an axis at a point; NULL: the plan does not say. */
static const char *value_of(const sweep_plan_t *p, uint64_t index, size_t axis) {
  for (size_t i = p->num_axes; i-- > axis + 1;) index /= p->axes[i].n;
  const char *v = p->axes[axis].values[index % p->axes[axis].n];
  return strcmp(v, "default") == 0 && strcmp(p->axes[axis].name, "args") != 0 ? NULL : v;
}

static const char *value(const sweep_plan_t *p, uint64_t index, const char *name) {
  for (size_t i = 0; i < p->num_axes; i++) {
    if (strcmp(p->axes[i].name, name) == 0) return value_of(p, index, i);
  }
  return NULL;
}

void sweep_point_describe(const sweep_plan_t *plan, uint64_t index, char *out, size_t n) {
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < plan->num_axes && used < n; i++) {
    const sweep_axis_t *a = &plan->axes[i];
    const char *v = value_of(plan, index, i);
    if (a->n < 2 && strcmp(a->name, "program") != 0) continue;
    int w = snprintf(out + used, n - used, "%s%s=%s", used == 0 ? "" : " ", a->name, v == NULL ? "default" : v);
    used += w < 0 ? 0 : (size_t)w;
  }
}

/* ---- files ---- */

/* Hash a file of the point's. @return its hash; NULL: there is none, or it cannot be read */
static const char *hash_of(sweep_point_t *o, const char *what, const char *path) {
  if (path[0] == '\0') return NULL;
  WG_BUG(o->num_files >= kSweepMaxFiles);
  sweep_file_t *f = &o->files[o->num_files++];
  return sweep_file_take(what, path, f) ? f->hex : NULL;
}

/* One hash of two, of which each may be missing. @param out holds it if both are there */
static const char *both(const char *a, const char *b, char out[kSweepHex]) {
  char text[2 * kSweepHex];
  if (a == NULL || b == NULL) return a == NULL ? b : a;
  snprintf(text, sizeof text, "%s %s", a, b);
  sweep_hash_text(text, out);
  return out;
}

static const char *or_none(const char *hex) { return hex == NULL ? "none" : hex; }

/* A program that is not there: the nearest of those built. */
static wg_status_t no_program(const char *word, wg_diag_t *diag) {
  enum { kMax = 200 };
  static char names[kMax][40];
  const char *words[kMax + 1] = {NULL};
  char dir[4096];
  size_t n = 0;
  wg_path_build(dir, sizeof dir, "programs");
  DIR *d = opendir(dir);
  for (struct dirent *e; d != NULL && n < kMax && (e = readdir(d)) != NULL;) {
    if (e->d_name[0] == '.' || strlen(e->d_name) >= sizeof names[0]) continue;
    snprintf(names[n], sizeof names[0], "%s", e->d_name);
    words[n] = names[n];
    n++;
  }
  if (d != NULL) closedir(d);
  const char *near = wg_word_nearest(word, words);
  if (diag != NULL && near != NULL) snprintf(diag->hint, sizeof diag->hint, "did you mean '%s' of programs/?", near);
  else if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint,
             "a program built by wgcc, or the name of one of programs/ that make programs has built");
  return wg_fail(diag, kWgNotFound, "there is no program '%s'", word);
}

/* A path, or the name of a program of programs/. */
static wg_status_t find_program(const char *word, char *out, size_t n, wg_diag_t *diag) {
  snprintf(out, n, "%s", word);
  if (strchr(word, '/') == NULL) wg_path_build(out, n, "programs/%.200s/%.200s", word, word);
  if (access(out, F_OK) != 0 && strchr(word, '/') == NULL) snprintf(out, n, "./%s", word);
  if (access(out, F_OK) != 0) return no_program(word, diag);
  struct stat info;
  bool folder = stat(out, &info) == 0 && S_ISDIR(info.st_mode);
  if (!folder && access(out, X_OK) == 0) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "a program built by wgcc");
  return wg_fail(diag, kWgBadInput, folder ? "'%s' is a folder, no program" : "'%s' cannot be executed", out);
}

/* ---- the point ---- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static void label(sweep_point_t *o, const char *name, const char *fmt, ...) WG_PRINTF(3, 4);
static void label(sweep_point_t *o, const char *name, const char *fmt, ...) {
  WG_BUG(o->num_labels >= kSweepMaxLabels);
  sweep_label_t *l = &o->labels[o->num_labels++];
  va_list ap;
  va_start(ap, fmt);
  snprintf(l->name, sizeof l->name, "%s", name);
  vsnprintf(l->value, sizeof l->value, fmt, ap);
  va_end(ap);
}

static wg_status_t split_args(const char *program, const char *args, char ***out, wg_diag_t *diag) {
  size_t n = 2;
  for (const char *p = args; *p != '\0'; p++) n += *p == ' ' || *p == '\t';
  char **argv = calloc(n + 1, sizeof *argv);
  if (argv == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  size_t k = 0;
  bool ok = (argv[k++] = strdup(program)) != NULL;
  for (const char *p = args + strspn(args, " \t"); *p != '\0'; p += strspn(p, " \t")) {
    size_t len = strcspn(p, " \t");
    ok = (argv[k++] = strndup(p, len)) != NULL && ok;
    p += len;
  }
  *out = argv;
  return ok ? kWgOk : wg_fail(diag, kWgNoSpace, "out of memory");
}

/* Settings and the words of the preset as `warpglass run` takes them. */
static wg_status_t settings_of(const sweep_plan_t *plan, uint64_t index, sweep_point_t *o, char *preset, size_t n,
                               wg_diag_t *diag) {
  const char *base = value(plan, index, "preset");
  size_t used = (size_t)snprintf(preset, n, "%s", base == NULL ? "v100" : base), len = 0;
  for (size_t i = 0; i < plan->num_axes; i++) {
    const sweep_axis_t *a = &plan->axes[i];
    const char *v = value_of(plan, index, i);
    if (v == NULL || strncmp(a->name, "set ", 4) != 0) continue;
    if (used < n) used += (size_t)snprintf(preset + used, n - used, "+%s=%s", a->name + 4, v);
  }
  len = (size_t)snprintf(o->settings, sizeof o->settings, "preset=%s", preset);
  for (size_t i = 0; kSweepSettings[i] != NULL && len < sizeof o->settings; i++) {
    const char *v = value(plan, index, kSweepSettings[i]);
    if (v != NULL)
      len += (size_t)snprintf(o->settings + len, sizeof o->settings - len, " %s=%s", kSweepSettings[i], v);
  }
  return used < n && len < sizeof o->settings ? kWgOk
                                              : wg_fail(diag, kWgBadInput, "the settings of a point are too long");
}

/* Name with knobs, those at the end that are 0 left out. */
static void with_knobs(char *out, size_t n, const char *name, const uint32_t *knob, uint32_t num) {
  while (num > 0 && knob[num - 1] == 0) num--;
  size_t used = (size_t)snprintf(out, n, "%s", name);
  for (uint32_t i = 0; i < num && used < n; i++)
    used += (size_t)snprintf(out + used, n - used, "%c%u", i == 0 ? ':' : ',', knob[i]);
}

static wg_status_t sched_label(const char *given, const wg_preset_t *m, sweep_point_t *o, wg_diag_t *diag) {
  char text[96], name[48];
  wg_sched_choice_t c = {.policy = m->sm.policy};
  snprintf(c.name, sizeof c.name, "%s", wg_policy_name(m->sm.policy));
  if (given != NULL) WG_TRY(wg_sched_choice_parse(given, &c, diag));
  snprintf(name, sizeof name, "%s%s", c.kind == kWgSchedPlugin ? "plugin:" : c.kind == kWgSchedC ? "c:" : "", c.name);
  with_knobs(text, sizeof text, name, c.num_knobs != 0 ? c.knob : m->sm.knob, 4);
  label(o, "sched", "%s", text);
  return kWgOk;
}

static wg_status_t blocks_label(const char *given, const wg_preset_t *m, sweep_point_t *o, wg_diag_t *diag) {
  char text[96];
  wg_gte_choice_t c = m->gte.policy;
  if (given != NULL) WG_TRY(wg_blocks_choice_parse(given, &c, diag));
  with_knobs(text, sizeof text, c.name[0] == '\0' ? "breadth" : c.name, c.knob, c.num_knobs);
  label(o, "blocks", "%s", text);
  return kWgOk;
}

/* What holds where the plan says nothing; NULL: decided elsewhere. */
static const char *default_of(const char *name, const wg_preset_t *m, char *buf, size_t n) {
  static const char *const kFixed[][2] = {
      {"backend", "rtl"}, {"check", "retire"}, {"order", "forward"}, {"concurrent", "off"}, {"reconverge", "on"},
      {"schedule", "on"}, {"race", "off"},     {"oob", "alloc"},     {"memory", "model"},   {"limit", "0"},
      {"seed", "0"},      {"span", "off"},     {"tools", "off"},     {"unsafe", "none"}};
  for (size_t i = 0; i < sizeof kFixed / sizeof kFixed[0]; i++) {
    if (strcmp(kFixed[i][0], name) == 0) return kFixed[i][1];
  }
  if (strcmp(name, "progress") == 0) return wg_progress_word(m->sm.progress_cycles, buf, n);
  if (strcmp(name, "diverge") == 0) return m->sm.diverge_mode == 0 ? "stack" : "its";
  if (strcmp(name, "dep") == 0) return m->sm.dep_mode == 0 ? "scoreboard" : "control-bits";
  if (strcmp(name, "first") == 0) return m->sm.first_rotate == 0 ? "literal" : "rotate";
  if (strcmp(name, "split") == 0) return kWgSplitOrders[m->sm.split_order];
  if (strcmp(name, "link") == 0) return m->copy.link->name;
  if (strcmp(name, "sms") == 0) snprintf(buf, n, "%u", m->num_sms);
  if (strcmp(name, "blocks_per_sm") == 0) snprintf(buf, n, "%u", m->sm.block_slots);
  return buf[0] == '\0' ? "default" : buf;
}

static bool is_number(const char *name) {
  static const char *const kNumbers[] = {"sms", "blocks_per_sm", "limit", "seed", NULL};
  size_t i = 0;
  while (kNumbers[i] != NULL && strcmp(kNumbers[i], name) != 0) i++;
  return kNumbers[i] != NULL;
}

static wg_status_t setting_labels(const sweep_plan_t *plan, uint64_t index, const wg_preset_t *m, sweep_point_t *o,
                                  wg_diag_t *diag) {
  for (size_t i = 0; kSweepSettings[i] != NULL; i++) {
    const char *name = kSweepSettings[i], *given = value(plan, index, name);
    char buf[64] = "";
    if (strcmp(name, "sched") == 0) {
      WG_TRY(sched_label(given, m, o, diag));
    } else if (strcmp(name, "blocks") == 0) {
      WG_TRY(blocks_label(given, m, o, diag));
    } else if (given != NULL && strcmp(name, "progress") == 0) {
      uint32_t cycles = 0; /* equal ones have one name */
      WG_TRY(wg_progress_parse(given, &cycles, diag));
      label(o, name, "%s", wg_progress_word(cycles, buf, sizeof buf));
    } else if (given != NULL && is_number(name)) {
      bool hex = given[0] == '0' && (given[1] == 'x' || given[1] == 'X');
      label(o, name, "%llu", strtoull(given, NULL, hex ? 16 : 10)); /* wg_session_parse has taken it */
    } else {
      label(o, name, "%s", given != NULL ? given : default_of(name, m, buf, sizeof buf));
    }
  }
  return kWgOk;
}

/* The next line of a preset's text without blanks and the end; at the same time, which group it is in. */
static bool next_line(const char **at, char *line, size_t n, char *group, size_t ng) {
  if (**at == '\0') return false;
  size_t len = strcspn(*at, "\n"), used = 0;
  for (size_t i = 0; i < len && used + 1 < n; i++) {
    if (strchr(" \t;", (*at)[i]) == NULL) line[used++] = (*at)[i];
  }
  line[used] = '\0';
  *at += len + ((*at)[len] == '\n');
  if (line[0] == '}') group[0] = '\0';
  if (used > 1 && (line[used - 1] == ':' || line[used - 1] == '='))
    snprintf(group, ng, "%.*s.", (int)(used - 1), line);
  return true;
}

/* The keys whose values differ from those of the preset itself, in its order: so equal machines have equal labels. */
static void overrides_of(const char *base, const char *text, char *out, size_t n) {
  char a[256], b[256], group[64] = "", other[64] = "";
  size_t used = 0;
  out[0] = '\0';
  while (next_line(&base, a, sizeof a, group, sizeof group) && next_line(&text, b, sizeof b, other, sizeof other)) {
    if (strcmp(a, b) == 0) continue;
    size_t end = strlen(b);
    char clean[256];
    size_t k = 0;
    for (size_t i = 0; i < end; i++) { /* numbers carry a suffix L, texts are quoted */
      bool suffix = b[i] == 'L' && i > 0 && strchr("0123456789", b[i - 1]) != NULL &&
                    strchr(",]", i + 1 < end ? b[i + 1] : ',') != NULL;
      if (b[i] != '"' && !suffix) clean[k++] = b[i];
    }
    clean[k] = '\0';
    int w = snprintf(out + used, used < n ? n - used : 0, "%s%s%s", used == 0 ? "" : " ", other, clean);
    used += w < 0 ? 0 : (size_t)w;
    if (used >= n) return;
  }
}

/* Was the SM built for this version? Each library is looked at once. @param[out] why [n] what is wrong with it */
static bool sm_fits(const char *path, const char *shape, char *why, size_t n) {
  static char good[4096];
  if (strcmp(good, path) == 0) return true;
  void *lib = wg_so_open(path, RTLD_LAZY | RTLD_LOCAL, why, n);
  if (lib == NULL) return false;
  const sm_dut_api_t *api = (const sm_dut_api_t *)dlsym(lib, "sm_dut_api");
  bool fits = api != NULL && api->abi_version == kWgAbiVersion && strcmp(api->shape.name, shape) == 0;
  dlclose(lib);
  if (fits) snprintf(good, sizeof good, "%s", path);
  else snprintf(why, n, "it was built for another version");
  return fits;
}

/* Is there a back end for it? @param[out] sm [n] library of the SM, "" without one */
static wg_status_t check_backend(const wg_preset_t *m, const char *backend, char *sm, size_t n, wg_diag_t *diag) {
  bool rtl = strcmp(backend, "rtl") == 0 || strcmp(backend, "systemc") == 0;
  char why[4400] = "it is not built";
  sm[0] = '\0';
  if (!rtl) return kWgOk;
  wg_path_build(sm, n, "sm/%s-fast/libwgsm.so", m->shape->name);
  if (access(sm, R_OK) == 0 && sm_fits(sm, m->shape->name, why, sizeof why)) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "make sm SHAPE=%s, or --backend func", m->shape->name);
  return wg_fail(diag, kWgNotFound, "no SM of shape '%s', which preset '%s' needs: %s", m->shape->name, m->name, why);
}

static const char *label_of(const sweep_point_t *o, const char *name) {
  for (size_t i = 0; i < o->num_labels; i++) {
    if (strcmp(o->labels[i].name, name) == 0) return o->labels[i].value;
  }
  return "";
}

/* File of a warp scheduler that is not built in; "" if there is none. */
static void sched_path(const char *sched, char *out, size_t n) {
  const char *at = strchr(sched, ':');
  out[0] = '\0';
  if (strncmp(sched, "plugin:", 7) == 0) wg_path_build(out, n, "plugin/%.*s.so", (int)strcspn(at + 1, ":"), at + 1);
  if (strncmp(sched, "c:", 2) == 0) wg_path_build(out, n, "plugin/c/%.*s.so", (int)strcspn(at + 1, ":"), at + 1);
}

static void memory_path(const char *memory, char *out, size_t n) {
  out[0] = '\0';
  if (strcmp(memory, "model") != 0) wg_path_build(out, n, "systemc/%.*s.so", (int)strcspn(memory, ":"), memory);
}

/* File of a block policy in C; "" if it is a built-in one. */
static void blocks_path(const char *blocks, char *out, size_t n) {
  out[0] = '\0';
  if (strncmp(blocks, "c:", 2) == 0)
    wg_path_build(out, n, "plugin/blocks/%.*s.so", (int)strcspn(blocks + 2, ":"), blocks + 2);
}

/* What was built and is loaded by the run. */
static void builds_text(sweep_point_t *o, const char *sm, FILE *f) {
  char path[4096], two[kSweepHex];
  wg_path_build(path, sizeof path, "lib/libcudart.so");
  fprintf(f, "build run-time %s\n", or_none(hash_of(o, "run-time library", path)));
  const char *rtl = hash_of(o, "SM", sm);
  wg_path_build(path, sizeof path, "lib/libwgsystemc.so");
  const char *top = strcmp(label_of(o, "backend"), "systemc") == 0 ? hash_of(o, "SystemC top", path) : NULL;
  fprintf(f, "build sm %s\n", or_none(both(rtl, top, two)));
  sched_path(label_of(o, "sched"), path, sizeof path);
  const char *sched = hash_of(o, "plug-in", path);
  memory_path(label_of(o, "memory"), path, sizeof path);
  const char *memory = hash_of(o, "memory plug-in", path);
  fprintf(f, "build plug-in %s\n", or_none(both(sched, memory, two)));
  blocks_path(label_of(o, "blocks"), path, sizeof path);
  const char *blocks = hash_of(o, "block policy", path);
  if (blocks != NULL) fprintf(f, "build block-policy %s\n", blocks);
}

/* Everything that the run depends on, as text; its hash is the key. */
static wg_status_t key_text(sweep_point_t *o, const char *preset_name, const char *sm, wg_diag_t *diag) {
  char preset_hex[kSweepHex], *text = NULL;
  size_t n = 0;
  const char *program = hash_of(o, "program", o->argv[0]), *golden = hash_of(o, "library of golden kernels", o->golden);
  if (program == NULL) return wg_fail(diag, kWgIo, "cannot read the program '%s'", o->argv[0]);
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  sweep_hash_text(o->preset_text, preset_hex);
  fprintf(f, "warpglass point 1\nprogram %s %s\ngolden %s\n", base_name(o->argv[0]), program, or_none(golden));
  for (size_t i = 1; o->argv[i] != NULL; i++) fprintf(f, "argument %zu %s\n", strlen(o->argv[i]), o->argv[i]);
  fprintf(f, "preset %s %s\n", preset_name, preset_hex);
  for (size_t i = 0; kSweepSettings[i] != NULL; i++)
    fprintf(f, "setting %s %s\n", kSweepSettings[i], label_of(o, kSweepSettings[i]));
  builds_text(o, sm, f);
  if (fclose(f) != 0) {
    free(text);
    return wg_fail(diag, kWgNoSpace, "out of memory");
  }
  o->text = text;
  sweep_hash_text(text, o->key);
  return kWgOk;
}

/* The golden kernels: what --golden says, else golden.so beside the program, as `warpglass run` finds it. */
static void find_golden(const char *golden, sweep_point_t *o) {
  const char *slash = strrchr(o->argv[0], '/');
  if (golden != NULL) snprintf(o->golden, sizeof o->golden, "%s", strcmp(golden, "none") == 0 ? "" : golden);
  else
    snprintf(o->golden, sizeof o->golden, "%.*sgolden.so", (int)(slash == NULL ? 0 : slash - o->argv[0] + 1),
             o->argv[0]);
  if (o->golden[0] != '\0' && golden == NULL && access(o->golden, R_OK) != 0) o->golden[0] = '\0';
}

static wg_status_t make(const sweep_plan_t *plan, uint64_t index, const char *golden, sweep_point_t *o,
                        wg_diag_t *diag) {
  char path[4096], words[900], base[300], sm[4096];
  const char *args = value(plan, index, "args"), *program = value(plan, index, "program");
  wg_session_cfg_t cfg;
  wg_preset_t m, scaled, plain;
  o->index = index;
  if (args == NULL) args = "";
  WG_TRY(find_program(program == NULL ? "default" : program, path, sizeof path, diag));
  WG_TRY(split_args(path, args, &o->argv, diag));
  WG_TRY(settings_of(plan, index, o, words, sizeof words, diag));
  wg_session_cfg_init(&cfg);
  wg_status_t st = wg_session_parse(o->settings, &cfg, diag);
  uint32_t sms = cfg.num_sms;
  if (st == kWgOk) st = wg_preset_load(words, &m, diag);
  if (st == kWgOk) st = check_backend(&m, cfg.backend == NULL ? "rtl" : cfg.backend, sm, sizeof sm, diag);
  if (st == kWgOk) st = wg_session_check(&cfg, diag); /* as `warpglass run` does: what would fail for every seed */
  wg_session_cfg_clear(&cfg);
  if (st != kWgOk) return st;
  scaled = m;
  WG_TRY(wg_preset_scale(&scaled, sms, diag));
  WG_TRY(wg_preset_text(words, &o->preset_text, diag));
  const char *plus = strchr(words, '+');
  snprintf(base, sizeof base, "%.*s", (int)(plus == NULL ? strlen(words) : (size_t)(plus - words)), words);
  char *base_text = NULL, overrides[512];
  WG_TRY(wg_preset_load(base, &plain, diag));
  WG_TRY(wg_preset_text(base, &base_text, diag));
  overrides_of(base_text, o->preset_text, overrides, sizeof overrides);
  free(base_text);
  label(o, "program", "%s", base_name(path));
  label(o, "args", "%s", args);
  label(o, "preset", "%s", plain.name);
  label(o, "overrides", "%s", overrides);
  WG_TRY(setting_labels(plan, index, &m, o, diag));
  find_golden(golden, o);
  return key_text(o, plain.name, sm, diag);
}

wg_status_t sweep_point_make(const sweep_plan_t *p, uint64_t index, const char *golden, sweep_point_t *out,
                             wg_diag_t *diag) {
  memset(out, 0, sizeof *out);
  wg_status_t st = make(p, index, golden, out, diag);
  if (st != kWgOk) sweep_point_free(out);
  return st;
}

void sweep_point_free(sweep_point_t *p) {
  for (size_t i = 0; p->argv != NULL && p->argv[i] != NULL; i++) free(p->argv[i]);
  free(p->argv);
  free(p->text);
  free(p->preset_text);
  p->argv = NULL;
  p->text = p->preset_text = NULL;
}
