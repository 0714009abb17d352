// SPDX-License-Identifier: Apache-2.0
//
// The files whose images a key holds. Each is hashed once, and again when the file system says that it is another one:
// a program or a policy may be rebuilt while a sweep runs.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cosim/sweep/sweep.h"

typedef struct known {
  struct known *next;
  sweep_file_id_t id;
  const char *what;
  char first[kSweepHex], hex[kSweepHex]; /* when it was first read, and now */
  char path[];
} known_t;

static known_t *list;

/* What changes with the file: the time of its last change of any kind cannot be set back by hand. All 0: not there. */
static sweep_file_id_t id_of(const char *path) {
  struct stat s;
  sweep_file_id_t id;
  memset(&id, 0, sizeof id);
  if (stat(path, &s) != 0) return id;
  id.device = (uint64_t)s.st_dev;
  id.inode = (uint64_t)s.st_ino;
  id.bytes = (uint64_t)s.st_size;
  id.written_ns = (uint64_t)s.st_mtim.tv_sec * 1000000000u + (uint64_t)s.st_mtim.tv_nsec;
  id.changed_ns = (uint64_t)s.st_ctim.tv_sec * 1000000000u + (uint64_t)s.st_ctim.tv_nsec;
  return id;
}

static bool same_id(const sweep_file_id_t *a, const sweep_file_id_t *b) { return memcmp(a, b, sizeof *a) == 0; }

bool sweep_file_take(const char *what, const char *path, sweep_file_t *out) {
  known_t *k = list;
  while (k != NULL && strcmp(k->path, path) != 0) k = k->next;
  sweep_file_id_t id = id_of(path); /* before it is read: what is written meanwhile is seen the next time */
  if (k == NULL) {
    k = calloc(1, sizeof *k + strlen(path) + 1);
    WG_BUG(k == NULL);
    strcpy(k->path, path);
    k->what = what;
    k->next = list;
    list = k;
    if (!sweep_hash_image(path, k->hex)) k->hex[0] = '\0';
    memcpy(k->first, k->hex, sizeof k->first);
  } else if (!same_id(&k->id, &id) && !sweep_hash_image(path, k->hex)) {
    k->hex[0] = '\0';
  }
  k->id = id;
  *out = (sweep_file_t){.what = what, .path = k->path, .id = id};
  memcpy(out->hex, k->hex, sizeof out->hex);
  return out->hex[0] != '\0';
}

const sweep_file_t *sweep_point_changed(const sweep_point_t *p, bool touched) {
  for (size_t i = 0; i < p->num_files; i++) {
    const sweep_file_t *f = &p->files[i];
    sweep_file_t now;
    sweep_file_id_t id = id_of(f->path);
    if (same_id(&id, &f->id)) continue;
    (void)sweep_file_take(f->what, f->path, &now);
    if (touched || strcmp(now.hex, f->hex) != 0) return f;
  }
  return NULL;
}

const sweep_file_t *sweep_files_changed(void) {
  static sweep_file_t found;
  for (known_t *k = list; k != NULL; k = k->next) {
    (void)sweep_file_take(k->what, k->path, &found);
    if (strcmp(k->first, found.hex) != 0) return &found;
  }
  return NULL;
}
