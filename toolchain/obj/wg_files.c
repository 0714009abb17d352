// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 /* realpath, fchmod */
#include "toolchain/obj/wg_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/wg_base.h"

bool wg_same_file(const char *a, const char *b) {
  struct stat x, y;
  if (stat(a, &x) != 0) return strcmp(a, b) == 0;
  return S_ISREG(x.st_mode) && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Where the bytes of `path` end up, and under which name they are written first. The caller frees both. */
static void names(const char *path, char **place, char **part) {
  *place = realpath(path, NULL);
  if (*place == NULL) *place = strdup(path);
  WG_BUG(*place == NULL);
  size_t room = strlen(*place) + 32;
  *part = malloc(room);
  WG_BUG(*part == NULL);
  snprintf(*part, room, "%s.%ld.part", *place, (long)getpid());
}

FILE *wg_file_create(const char *path) {
  struct stat info;
  bool there = stat(path, &info) == 0;
  if (there && !S_ISREG(info.st_mode)) return fopen(path, "wb");
  char *place, *part;
  names(path, &place, &part);
  bool writable = !there || access(place, W_OK) == 0; /* a new name must not get round a file's permissions */
  FILE *f = writable ? fopen(part, "wb") : NULL;
  if (f != NULL && there) (void)fchmod(fileno(f), info.st_mode & 07777);
  if (f == NULL && there && writable) f = fopen(place, "wb");
  int why = errno;
  free(place);
  free(part);
  errno = why;
  return f;
}

bool wg_file_close(FILE *f, const char *path, bool good) {
  int why = ferror(f) == 0 ? 0 : errno != 0 ? errno : EIO; /* errno is that of the write that failed */
  struct stat own, named;
  char *place, *part;
  names(path, &place, &part);
  if (why == 0 && fflush(f) != 0) why = errno;
  bool known = fstat(fileno(f), &own) == 0;
  if (fclose(f) != 0 && why == 0) why = errno;
  bool by_part = known && lstat(part, &named) == 0 && named.st_dev == own.st_dev && named.st_ino == own.st_ino;
  if (why == 0 && good && by_part && rename(part, place) != 0) why = errno;
  if (why != 0 || !good) {
    if (by_part) (void)unlink(part);
    else if (known && S_ISREG(own.st_mode)) (void)unlink(place);
  }
  free(place);
  free(part);
  errno = why;
  return why == 0 && good;
}

bool wg_named_pipe(const char *path) {
  struct stat info;
  if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0) return false;
  return stat(path, &info) == 0 && S_ISFIFO(info.st_mode);
}
