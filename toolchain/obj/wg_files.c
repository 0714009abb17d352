// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 /* realpath, fchmod */
#include "toolchain/obj/wg_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

wg_status_t wg_file_read_text(const char *path, char **text, wg_diag_t *diag) {
  FILE *f = fopen(path, "rb");
  char *buf = NULL;
  size_t n = 0, cap = 0, got = 0;
  int why = f == NULL ? errno : 0;
  if (f != NULL) errno = 0;
  do {
    if (f == NULL) break;
    if (n + 4096 + 1 > cap) {
      cap = cap == 0 ? 65536 : cap * 2;
      char *grown = realloc(buf, cap);
      if (grown == NULL) {
        free(buf);
        fclose(f);
        return wg_fail(diag, kWgNoSpace, "out of memory");
      }
      buf = grown;
    }
    got = fread(buf + n, 1, cap - n - 1, f);
    n += got;
  } while (got != 0);
  if (f != NULL && ferror(f)) why = errno != 0 ? errno : EIO;
  if (f != NULL) fclose(f);
  bool binary = why == 0 && memchr(buf, '\0', n) != NULL; /* what follows would silently be left out */
  if (why == 0 && !binary) {
    buf[n] = '\0';
    *text = buf;
    return kWgOk;
  }
  free(buf);
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "%s", wg_file_remedy("cannot read '"));
  return wg_fail(diag, kWgIo, "cannot read '%s': %s", path, binary ? "it has NUL bytes, it is no text" : strerror(why));
}

const char *wg_file_remedy(const char *msg) {
  bool quoted = strchr(msg, '\'') != NULL;
  if (quoted && strstr(msg, "cannot write ") != NULL) return "a file in a folder that is there and writable, on a disk with room";
  if (quoted && (strstr(msg, "cannot read ") != NULL || strstr(msg, "cannot open ") != NULL))
    return "a file that is there and can be read";
  return "";
}
