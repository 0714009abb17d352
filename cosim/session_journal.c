// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cosim/session_journal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "cosim/paths.h"
#include "model/sm/sm_tape.h"

#define WG_JOURNAL_MAGIC "WGJOURN1"
#define WG_ENTRY_MAGIC UINT64_C(0x59525445474c4e52)

/** On disk in front of each entry's packed bytes. */
typedef struct entry_head {
  uint64_t magic;
  uint64_t key[2]; /* of the launch: everything that it depends on, and the key before */
  uint64_t raw_bytes, packed_bytes;
  uint64_t check; /* of the packed bytes and the head before this field */
} entry_head_t;

struct wg_session_journal {
  char path[4096];
  int fd;
  off_t end;          /* of the entries used or written so far */
  bool more;          /* entries lie behind it that have not been compared */
  bool skips;         /* the running launch is played */
  uint64_t key[2];    /* of the launch before, then of the running one */
  unsigned skipped;
  wg_session_counts_t base, delta; /* sums of skipped launches; of the one being skipped */
  wg_sm_t **tape;     /* [num_sms] */
  uint32_t num_sms;
};

/* ---- keys ---- */

static void mix_word(uint64_t k[2], uint64_t w) {
  k[0] = (k[0] ^ w) * UINT64_C(0x9e3779b97f4a7c15);
  k[0] ^= k[0] >> 29;
  k[1] = (k[1] + w) * UINT64_C(0xc2b2ae3d27d4eb4f);
  k[1] = (k[1] << 31 | k[1] >> 33) ^ k[0];
}

static void mix(uint64_t k[2], const void *data, size_t n) {
  const uint8_t *p = data;
  mix_word(k, n);
  for (; n != 0; p += n < 8 ? n : 8, n -= n < 8 ? n : 8) {
    uint64_t w = 0;
    memcpy(&w, p, n < 8 ? n : 8);
    mix_word(k, w);
  }
}

static void mix_text(uint64_t k[2], const char *text) { mix(k, text == NULL ? "-" : text, text == NULL ? 1 : strlen(text)); }

/* A file's contents; one that is not there is a value like any other. */
static void mix_file(uint64_t k[2], const char *path) {
  uint8_t buf[65536];
  FILE *f = fopen(path, "rb");
  size_t n = 0;
  if (f == NULL) mix_word(k, 1);
  while (f != NULL && (n = fread(buf, 1, sizeof buf, f)) != 0) mix(k, buf, n);
  if (f != NULL) fclose(f);
}

/* What a run depends on besides its launches: this code, the SM, the machine, the settings. Not the number of threads. */
static void mix_setup(const wg_session_t *s, uint64_t k[2]) {
  char path[4096];
  Dl_info self;
  const wg_session_cfg_t *c = &s->cfg;
  if (dladdr((const void *)&wg_session_journal_open, &self) != 0 && self.dli_fname != NULL) mix_file(k, self.dli_fname);
  wg_path_build(path, sizeof path, "sm/%s-fast/libwgsm.so", s->preset.shape->name);
  mix_file(k, path);
  mix_file(k, s->preset.path);
  const char *text[] = {c->sched, c->diverge, c->dep, c->first, c->split, c->blocks, c->order};
  for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) mix_text(k, text[i]);
  const uint64_t number[] = {s->preset.num_sms, (uint64_t)c->check, c->seed, (uint64_t)c->oob, c->blocks_per_sm, s->preset.sm.progress_cycles};
  mix(k, number, sizeof number);
  if (s->plugin == NULL) return;
  const char *name = strchr(c->sched, ':') + 1;
  int n = (int)strcspn(name, ":");
  wg_path_build(path, sizeof path, "plugin/%s%.*s.so", c->sched[0] == 'c' ? "c/" : "", n, name);
  mix_file(k, path);
}

/* Code, constants, parameters and data are all in device memory. */
static void mix_memory(const wg_session_t *s, uint64_t k[2]) {
  uint8_t buf[65536];
  uint64_t base = 0, bytes = 0;
  for (size_t i = 0; wg_store_nth(s->store, i, &base, &bytes); i++) {
    mix_word(k, base);
    mix_word(k, bytes);
    for (uint64_t at = 0; at < bytes; at += sizeof buf) {
      uint64_t n = bytes - at < sizeof buf ? bytes - at : sizeof buf;
      wg_store_peek(s->store, base + at, buf, n);
      mix(k, buf, n);
    }
  }
}

/* ---- the file ---- */

static uint64_t check_of(const entry_head_t *h, const uint8_t *packed) {
  uint64_t k[2] = {1, 2};
  mix(k, h, offsetof(entry_head_t, check));
  mix(k, packed, h->packed_bytes);
  return k[0] ^ k[1];
}

/* The next entry, whole and sound, with its packed bytes (to be freed). @return false if there is none */
static bool read_entry(const struct wg_session_journal *j, entry_head_t *h, uint8_t **packed) {
  struct stat info;
  *packed = NULL;
  if (fstat(j->fd, &info) != 0 || pread(j->fd, h, sizeof *h, j->end) != (ssize_t)sizeof *h || h->magic != WG_ENTRY_MAGIC ||
      h->packed_bytes > (uint64_t)(info.st_size - j->end) - sizeof *h) {
    return false;
  }
  *packed = malloc(h->packed_bytes + 1);
  ssize_t n = *packed == NULL ? -1 : pread(j->fd, *packed, h->packed_bytes, j->end + (off_t)sizeof *h);
  if (n == (ssize_t)h->packed_bytes && check_of(h, *packed) == h->check) return true;
  free(*packed);
  *packed = NULL;
  return false;
}

static wg_status_t io(const struct wg_session_journal *j, const char *what, wg_diag_t *diag) {
  return wg_fail(diag, kWgIo, "cannot %s the journal '%s': %s", what, j->path, strerror(errno));
}

static wg_status_t open_file(struct wg_session_journal *j, wg_diag_t *diag) {
  char magic[8];
  struct stat info;
  j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (j->fd < 0 || fstat(j->fd, &info) != 0) return io(j, "open", diag);
  if (!S_ISREG(info.st_mode)) return wg_fail(diag, kWgBadInput, "cannot open the journal '%s': it is no ordinary file", j->path);
  if (flock(j->fd, LOCK_EX | LOCK_NB) != 0) return wg_fail(diag, kWgBadInput, "the journal '%s' is in use by another run", j->path);
  j->end = (off_t)sizeof magic;
  j->more = info.st_size > j->end;
  if (info.st_size == 0) {
    return pwrite(j->fd, WG_JOURNAL_MAGIC, sizeof magic, 0) == (ssize_t)sizeof magic ? kWgOk : io(j, "write", diag);
  }
  if (pread(j->fd, magic, sizeof magic, 0) == (ssize_t)sizeof magic && memcmp(magic, WG_JOURNAL_MAGIC, sizeof magic) == 0) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "another name, or remove the file");
  return wg_fail(diag, kWgBadInput, "'%s' is no journal of this version", j->path);
}

/* What would refuse a journal, before there is a machine: another program's file, a folder. */
static wg_status_t check_file(const char *path, wg_diag_t *diag) {
  char magic[8];
  struct stat info;
  if (stat(path, &info) != 0) return kWgOk; /* it will be made */
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "another name, or remove the file");
  if (!S_ISREG(info.st_mode))
    return wg_fail(diag, kWgBadInput, "cannot open the journal '%s': it is no ordinary file", path);
  int fd = info.st_size == 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  bool foreign = fd >= 0 && (pread(fd, magic, sizeof magic, 0) != (ssize_t)sizeof magic ||
                             memcmp(magic, WG_JOURNAL_MAGIC, sizeof magic) != 0);
  if (fd >= 0) close(fd);
  if (foreign) return wg_fail(diag, kWgBadInput, "'%s' is no journal of this version", path);
  if (diag != NULL) diag->hint[0] = '\0';
  return kWgOk;
}

/* ---- life ---- */

wg_status_t wg_session_journal_check(const wg_session_t *s, wg_diag_t *diag) {
  if (s->cfg.journal == NULL) return kWgOk;
  const wg_session_cfg_t *c = &s->cfg;
  const char *other = c->trace_path != NULL ? "trace" : c->inject != NULL ? "inject" : c->find != NULL ? "find"
                      : c->race != kWgSessionRaceOff ? "race" : c->span ? "span" : c->tools != 0u ? "tools" : NULL;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "one of the two");
  if (other != NULL) return wg_fail(diag, kWgBadInput, "a journal does not go with '%s': it skips launches that '%s' must see", other, other);
  if (c->concurrent) return wg_fail(diag, kWgBadInput, "a journal has launches one after another: it does not go with concurrent=on");
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "backend=rtl, or no journal: other back ends are fast");
  if (s->backend != &wg_session_backend_rtl) return wg_fail(diag, kWgBadInput, "a journal needs the back end rtl");
  if (diag != NULL) diag->hint[0] = '\0';
  return check_file(c->journal, diag);
}

wg_status_t wg_session_journal_open(wg_session_t *s, wg_gpu_cfg_t *cfg, wg_diag_t *diag) {
  static unsigned sessions; /* of this process with a journal: each has a file of its own */
  if (s->cfg.journal == NULL) return kWgOk;
  struct wg_session_journal *j = s->journal = calloc(1, sizeof *j);
  if (j == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  j->fd = -1;
  j->num_sms = s->preset.num_sms;
  j->tape = calloc(j->num_sms, sizeof *j->tape);
  if (j->tape == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  if (sessions++ == 0) snprintf(j->path, sizeof j->path, "%s", s->cfg.journal);
  else snprintf(j->path, sizeof j->path, "%s.%u", s->cfg.journal, sessions);
  WG_TRY(open_file(j, diag));
  mix_setup(s, j->key);
  for (uint32_t i = 0; i < j->num_sms; i++) WG_TRY(wg_sm_tape_create(s->sms[i], &j->tape[i], diag));
  cfg->sms = j->tape;
  return kWgOk;
}

void wg_session_journal_close(wg_session_t *s) {
  struct wg_session_journal *j = s->journal;
  if (j == NULL) return;
  if (j->skipped != 0) fprintf(stderr, "warpglass: journal '%s': %u launches skipped\n", j->path, j->skipped);
  for (uint32_t i = 0; j->tape != NULL && i < j->num_sms; i++) {
    if (j->tape[i] != NULL) j->tape[i]->ops->destroy(j->tape[i]);
  }
  free(j->tape);
  if (j->fd >= 0) close(j->fd);
  free(j);
  s->journal = NULL;
}

/* ---- a launch ---- */

/* Contents of an entry: the counters' difference; for each SM the length of its tape and the tape. */
static bool load_tapes(struct wg_session_journal *j, const uint8_t *raw, size_t n) {
  size_t at = sizeof j->delta;
  if (n < at) return false;
  memcpy(&j->delta, raw, sizeof j->delta);
  for (uint32_t i = 0; i < j->num_sms; i++) {
    uint64_t bytes;
    if (n - at < sizeof bytes) return false;
    memcpy(&bytes, raw + at, sizeof bytes);
    at += sizeof bytes;
    if (n - at < bytes || wg_sm_tape_play(j->tape[i], raw + at, bytes, NULL) != kWgOk) return false;
    at += bytes;
  }
  return at == n;
}

static bool unpack(struct wg_session_journal *j, const entry_head_t *h, const uint8_t *packed) {
  uLongf n = h->raw_bytes;
  uint8_t *raw = malloc(h->raw_bytes + 1);
  bool good = raw != NULL && uncompress(raw, &n, packed, h->packed_bytes) == Z_OK && n == h->raw_bytes && load_tapes(j, raw, n);
  free(raw);
  return good;
}

bool wg_session_journal_begin(wg_session_t *s, const wg_launch_t *l, const wg_grid_t *grid) {
  struct wg_session_journal *j = s->journal;
  if (j == NULL) return false;
  uint64_t now = wg_gpu_time_ns(s->gpu);
  mix_text(j->key, l->kernel);
  mix(j->key, grid, sizeof *grid);
  mix_word(j->key, now);
  mix_memory(s, j->key);
  entry_head_t h;
  uint8_t *packed = NULL;
  bool whole = j->more && read_entry(j, &h, &packed);
  j->skips = whole && memcmp(h.key, j->key, sizeof j->key) == 0 && unpack(j, &h, packed);
  free(packed);
  if (j->skips) {
    j->end += (off_t)(sizeof h + h.packed_bytes);
    struct stat info;
    j->more = fstat(j->fd, &info) == 0 && info.st_size > j->end;
    return true;
  }
  if (j->more) {
    fprintf(stderr, "warpglass: journal '%s': launch %u is %s; from here on it is run and recorded\n", j->path, s->launches,
            whole ? "another one than the recorded one" : "not recorded whole");
    j->more = false;
    if (ftruncate(j->fd, j->end) != 0) fprintf(stderr, "warpglass: journal '%s': %s\n", j->path, strerror(errno));
  }
  for (uint32_t i = 0; i < j->num_sms; i++) wg_sm_tape_record(j->tape[i]);
  return false;
}

bool wg_session_journal_skips(const wg_session_t *s) { return s->journal != NULL && s->journal->skips; }

static void add_counts(wg_session_counts_t *sum, const wg_session_counts_t *c) {
#define WG_COUNT(FIELD, KEY, TABLE, DOC) sum->FIELD += c->FIELD;
#include "model/counts.def"
  for (int i = 0; i < kWgReasonCount; i++) {
    sum->slot_cycles[i] += c->slot_cycles[i];
    sum->warp_cycles[i] += c->warp_cycles[i];
  }
}

void wg_session_journal_counts(const wg_session_t *s, wg_session_counts_t *sum) {
  if (s->journal != NULL) add_counts(sum, &s->journal->base);
}

wg_status_t wg_session_journal_skipped(wg_session_t *s, wg_diag_t *diag) {
  struct wg_session_journal *j = s->journal;
  bool good = true;
  for (uint32_t i = 0; i < j->num_sms; i++) good = wg_sm_tape_played(j->tape[i]) && good;
  j->skips = false;
  j->skipped++;
  add_counts(&j->base, &j->delta);
  if (good) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "remove the file");
  return wg_fail(diag, kWgMismatch, "the journal '%s' does not fit launch %u", j->path, s->launches);
}

/* The raw contents, to be freed. */
static uint8_t *collect(struct wg_session_journal *j, const wg_session_counts_t *delta, size_t *n) {
  uint8_t *raw = NULL;
  for (int turn = 0; turn < 2; turn++) {
    size_t at = sizeof *delta;
    for (uint32_t i = 0; i < j->num_sms; i++) {
      size_t bytes;
      const uint8_t *tape = wg_sm_tape_take(j->tape[i], &bytes);
      uint64_t length = bytes;
      if (turn == 1) {
        memcpy(raw + at, &length, sizeof length);
        memcpy(raw + at + sizeof length, tape, bytes);
      }
      at += sizeof length + bytes;
    }
    if (turn == 0 && (raw = malloc(at)) == NULL) return NULL;
    *n = at;
  }
  memcpy(raw, delta, sizeof *delta);
  return raw;
}

wg_status_t wg_session_journal_add(wg_session_t *s, const wg_session_counts_t *before, const wg_session_counts_t *after,
                                   wg_diag_t *diag) {
  struct wg_session_journal *j = s->journal;
  wg_session_counts_t delta;
  if (j == NULL) return kWgOk;
#define WG_COUNT(FIELD, KEY, TABLE, DOC) delta.FIELD = after->FIELD - before->FIELD;
#include "model/counts.def"
  for (int i = 0; i < kWgReasonCount; i++) {
    delta.slot_cycles[i] = after->slot_cycles[i] - before->slot_cycles[i];
    delta.warp_cycles[i] = after->warp_cycles[i] - before->warp_cycles[i];
  }
  size_t n = 0;
  uint8_t *raw = collect(j, &delta, &n);
  uLongf packed = raw == NULL ? 0 : compressBound(n);
  uint8_t *out = raw == NULL ? NULL : malloc(sizeof(entry_head_t) + packed);
  bool good = out != NULL && compress2(out + sizeof(entry_head_t), &packed, raw, n, 1) == Z_OK;
  free(raw);
  if (!good) {
    free(out);
    return wg_fail(diag, kWgNoSpace, "no host memory for an entry of the journal");
  }
  entry_head_t h = {.magic = WG_ENTRY_MAGIC, .key = {j->key[0], j->key[1]}, .raw_bytes = n, .packed_bytes = packed};
  h.check = check_of(&h, out + sizeof h);
  memcpy(out, &h, sizeof h);
  size_t all = sizeof h + packed, at = 0;
  for (ssize_t w; at < all; at += (size_t)w) {
    w = pwrite(j->fd, out + at, all - at, j->end + (off_t)at);
    if (w <= 0) break;
  }
  free(out);
  if (at != all || fdatasync(j->fd) != 0) return io(j, "write", diag);
  j->end += (off_t)all;
  return kWgOk;
}
