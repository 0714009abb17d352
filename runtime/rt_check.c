// SPDX-License-Identifier: Apache-2.0
//
// Checks of the program (setting tools): wrong calls of the host with their place, what the session's checks met, the end of a run.
#define _GNU_SOURCE
#include "rt.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

/* "path:12", the first place of an inlined chain that is no header of ours. @return false: the program has no line numbers */
static bool read_place(FILE *f, char *file, size_t n, unsigned *line) {
  char text[1024];
  bool found = false;
  while (fgets(text, sizeof text, f) != NULL) { /* to the end: the other side must not meet a closed pipe */
    char *colon = strrchr(text, ':');
    unsigned at = 0;
    if (found || colon == NULL || sscanf(colon, ":%u", &at) != 1 || at == 0) continue;
    *colon = '\0';
    if (strstr(text, "/runtime/include/") != NULL) continue;
    snprintf(file, n, "%s", text);
    *line = at;
    found = true;
  }
  return found;
}

/* Source place of the call that is being served, by the program's own debug information. */
static bool place_of_call(char *file, size_t n, unsigned *line) {
  Dl_info info;
  struct link_map *map = NULL;
  char command[1200], exe[1024];
  const char *site = rt()->site;
  if (site == NULL || dladdr1(site, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) return false;
  const char *name = map->l_name[0] != '\0' ? map->l_name : "/proc/self/exe";
  if (realpath(name, exe) == NULL || strchr(exe, '\'') != NULL) return false;
  uint64_t at = (uint64_t)(uintptr_t)site - 1 - (uint64_t)map->l_addr; /* inside the call instruction */
  int len = snprintf(command, sizeof command, "unset LD_PRELOAD; addr2line -i -e '%s' 0x%llx 2>&-", exe, (unsigned long long)at);
  if (len < 0 || (size_t)len >= sizeof command) return false;
  FILE *f = popen(command, "r");
  bool found = f != NULL && read_place(f, file, n, line);
  if (f != NULL) (void)pclose(f);
  return found;
}

void rt_check_host(wg_finding_kind_t kind, const char *fmt, ...) {
  char what[300], file[1024] = "";
  unsigned line = 0;
  va_list ap;
  if (rt()->session == NULL || !wg_session_host_checked(rt()->session)) return;
  va_start(ap, fmt);
  (void)vsnprintf(what, sizeof what, fmt, ap);
  va_end(ap);
  bool known = place_of_call(file, sizeof file, &line);
  wg_session_host_finding(rt()->session, kind, known ? file : NULL, line, what);
  rt_check_tell();
}

void rt_check_tell(void) {
  const wg_diag_t *first = NULL;
  fputs(wg_session_findings(rt()->session, &first), stderr);
  if (first != NULL && first->line != 0) rt_fail("%s at %s:%u", first->msg, first->file, first->line);
  else if (first != NULL) rt_fail("%s", first->msg);
}

void rt_check_end(FILE *record, bool leaks) {
  char *advice = NULL, *json = NULL, text[200];
  if (rt()->session == NULL) return;
  rt()->site = NULL;
  for (const rt_alloc_t *a = leaks ? rt()->allocs : NULL; a != NULL; a = a->next) {
    rt()->site = a->site;
    rt_check_host(kWgFindLeak, "an allocation of %zu bytes", a->bytes);
  }
  bool whole = wg_session_findings_end(rt()->session, &advice, &json);
  if (advice != NULL) fputs(advice, stderr);
  wg_session_finding_summary(rt()->session, text, sizeof text);
  if (text[0] != '\0') rt_say("%s", text);
  if (!whole) rt_fail("the checks ran out of memory or of room for findings: not everything was checked");
  for (char *at = json; record != NULL && at != NULL && *at != '\0';) {
    size_t n = strcspn(at, "\n");
    fprintf(record, "finding %.*s\n", (int)n, at);
    at += n + (at[n] == '\n');
  }
  free(advice);
  free(json);
}
