// SPDX-License-Identifier: Apache-2.0
//
// Where results come from: sources, flags, tools, host. Kept with every point, apart from its key: what decides the
// result is the hash of what was built and of what runs.
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cosim/paths.h"
#include "cosim/sweep/sweep.h"

#ifndef WG_BUILD_FLAGS
#define WG_BUILD_FLAGS "not known" /* the Makefile says */
#endif

bool sweep_first_line(const char *const *argv, char *out, size_t n) {
  int p[2], status = 0;
  out[0] = '\0';
  if (pipe2(p, O_CLOEXEC) != 0) return false;
  fflush(NULL);
  int pid = fork();
  if (pid == 0) {
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 2) < 0 || dup2(p[1], 1) < 0) _exit(126);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
  }
  close(p[1]);
  FILE *f = fdopen(p[0], "r");
  if (f == NULL) close(p[0]);
  if (f != NULL && fgets(out, (int)n, f) == NULL) out[0] = '\0';
  out[strcspn(out, "\n")] = '\0';
  char rest[512];
  while (f != NULL && fgets(rest, sizeof rest, f) != NULL) continue; /* so that it can end */
  if (f != NULL) fclose(f);
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- sources ---- */

static char **g_files; /* nftw has no context */
static size_t g_num, g_cap;

static int add_file(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)info, (void)at;
  static const char *const kEnds[] = {".c", ".h", ".cc", ".sv", ".def", ".f", ".vlt", NULL};
  const char *dot = strrchr(path, '.');
  size_t i = 0;
  while (kEnds[i] != NULL && (dot == NULL || strcmp(dot, kEnds[i]) != 0)) i++;
  if (kind != FTW_F || kEnds[i] == NULL) return 0;
  if (g_num == g_cap) {
    g_cap = g_cap == 0 ? 1024 : 2 * g_cap;
    char **grown = realloc(g_files, g_cap * sizeof *grown);
    if (grown == NULL) return 1;
    g_files = grown;
  }
  return (g_files[g_num++] = strdup(path)) == NULL;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* One hash over the names and hashes of all sources that the simulator is built from. @return files, 0 if there are
 * none */
static size_t hash_sources(char hex[kSweepHex]) {
  static const char *const kRooms[] = {"isa", "rtl", "model", "cosim", "toolchain", "runtime", NULL};
  char root[4096], one[kSweepHex], *text = NULL;
  size_t len = 0, n;
  wg_path_root(root, sizeof root, "%s", "");
  for (size_t i = 0; kRooms[i] != NULL; i++) {
    char dir[4200];
    snprintf(dir, sizeof dir, "%s%s", root, kRooms[i]);
    if (nftw(dir, add_file, 16, FTW_PHYS) > 0) break;
  }
  n = g_num;
  if (n != 0) qsort(g_files, n, sizeof *g_files, by_name);
  FILE *f = open_memstream(&text, &len);
  for (size_t i = 0; i < g_num; i++) {
    if (f != NULL && sweep_hash_image(g_files[i], one)) fprintf(f, "%s %s\n", one, g_files[i] + strlen(root));
    free(g_files[i]);
  }
  free(g_files);
  g_files = NULL;
  g_num = g_cap = 0;
  if (f == NULL || fclose(f) != 0) n = 0;
  if (n != 0) sweep_hash_text(text, hex);
  free(text);
  return n;
}

static void put_sources(FILE *f) {
  char root[4096], line[256], hex[kSweepHex];
  wg_path_root(root, sizeof root, "%s", "");
  const char *const commit[] = {"git", "-C", root, "rev-parse", "HEAD", NULL};
  const char *const changed[] = {"git", "-C", root, "status", "--porcelain", "--untracked-files=no", NULL};
  (void)sweep_first_line(commit, line, sizeof line);
  if (line[0] != '\0') fprintf(f, "source commit %s\n", line);
  if (line[0] != '\0') {
    (void)sweep_first_line(changed, line, sizeof line);
    fprintf(f, "source changed %s\n", line[0] == '\0' ? "no" : "yes");
  }
  size_t n = hash_sources(hex);
  if (n != 0) fprintf(f, "source sha256 %s\nsource files %zu\n", hex, n);
}

char *sweep_provenance(void) {
  static const struct {
    const char *name;
    const char *argv[3];
  } kTools[] = {{"clang", {"clang-19", "--version", NULL}}, {"verilator", {"verilator", "--version", NULL}}};
  char path[4096], line[256], hex[kSweepHex], *text = NULL;
  size_t n = 0;
  struct utsname u;
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) return NULL;
  put_sources(f);
  fprintf(f, "build flags %s\nbuild compiler %s\n", WG_BUILD_FLAGS, __VERSION__);
  wg_path_root(path, sizeof path, "scripts/verilate.sh");
  if (sweep_hash_image(path, hex)) fprintf(f, "build verilate.sh %s\n", hex);
  for (size_t i = 0; i < sizeof kTools / sizeof kTools[0]; i++) {
    (void)sweep_first_line(kTools[i].argv, line, sizeof line);
    fprintf(f, "tool %s %s\n", kTools[i].name, line[0] == '\0' ? "not installed" : line);
  }
  if (uname(&u) == 0) fprintf(f, "host %s %s %s %s\n", u.nodename, u.sysname, u.release, u.machine);
  if (fclose(f) != 0) {
    free(text);
    return NULL;
  }
  return text;
}
