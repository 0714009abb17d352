// SPDX-License-Identifier: Apache-2.0
//
// Is a trace whole? The FST writer reports neither a full disk nor a process that was killed before it closed the file.
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/cli/cli.h"

/* Blocks of an FST file (GTKWave's fstapi.h): type, then the length of what follows the type, 8 bytes, high byte first. */
enum { kHeader = 0, kGeometry = 3, kHierarchyFirst = 4, kHierarchyLz4 = 6, kHierarchyLz4Duo = 7, kUnfinished = 255 };

static bool next_block(FILE *f, unsigned *type, uint64_t *len) {
  uint8_t b[9];
  if (fread(b, 1, sizeof b, f) != sizeof b) return false;
  *type = b[0];
  *len = 0;
  for (unsigned i = 1; i < 9; i++) *len = *len << 8 | b[i];
  return *len >= 8;
}

static bool whole(FILE *f, uint64_t bytes) {
  bool geometry = false, hierarchy = false;
  for (uint64_t at = 0; at < bytes;) {
    unsigned type = 0;
    uint64_t len = 0;
    if (fseeko(f, (off_t)at, SEEK_SET) != 0 || !next_block(f, &type, &len)) return false;
    if (len > bytes - at - 1 || type == kUnfinished || (at == 0) != (type == kHeader)) return false;
    geometry = geometry || type == kGeometry;
    hierarchy = hierarchy || type == kHierarchyFirst || type == kHierarchyLz4 || type == kHierarchyLz4Duo;
    at += 1 + len;
  }
  return geometry && hierarchy;
}

bool cli_trace_whole(const char *path) {
  struct stat info;
  FILE *f = fopen(path, "rb");
  if (f == NULL) return false;
  bool ok = fstat(fileno(f), &info) == 0 && S_ISREG(info.st_mode) && whole(f, (uint64_t)info.st_size);
  fclose(f);
  return ok;
}

void cli_remove_half(const char *path) {
  struct stat info;
  if (lstat(path, &info) == 0 && S_ISREG(info.st_mode)) (void)unlink(path);
}

void cli_trace_remove(const char *path) {
  char hier[4096];
  cli_remove_half(path);
  int n = snprintf(hier, sizeof hier, "%s.hier", path); /* the writer's own, gone when it closes */
  if (n > 0 && (size_t)n < sizeof hier) cli_remove_half(hier);
}
