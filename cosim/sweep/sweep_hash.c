// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include <sha2.h>

#include "cosim/sweep/sweep.h"

static void finish(SHA2_CTX *c, char hex[kSweepHex]) {
  uint8_t d[SHA256_DIGEST_LENGTH];
  SHA256Final(d, c);
  for (size_t i = 0; i < sizeof d; i++) snprintf(hex + 2 * i, 3, "%02x", d[i]);
}

void sweep_hash_text(const char *text, char hex[kSweepHex]) {
  SHA2_CTX c;
  SHA256Init(&c);
  SHA256Update(&c, (const uint8_t *)text, strlen(text));
  finish(&c, hex);
}

/* Sections that are loaded: code, data, names of symbols. Debug information and the linker's notes change with the
   place of the checkout and say nothing about what runs. @return false: this is no ELF file that can be read */
static bool hash_elf(int fd, SHA2_CTX *c) {
  if (elf_version(EV_CURRENT) == EV_NONE) return false;
  Elf *e = elf_begin(fd, ELF_C_READ, NULL);
  if (e == NULL || elf_kind(e) != ELF_K_ELF) {
    if (e != NULL) elf_end(e);
    return false;
  }
  bool ok = true, some = false;
  for (Elf_Scn *s = NULL; ok && (s = elf_nextscn(e, s)) != NULL;) {
    GElf_Shdr h;
    if (gelf_getshdr(s, &h) == NULL) {
      ok = false;
      break;
    }
    if ((h.sh_flags & SHF_ALLOC) == 0 || h.sh_type == SHT_NOBITS || h.sh_type == SHT_NOTE) continue;
    Elf_Data *d = elf_rawdata(s, NULL);
    ok = d != NULL && (d->d_buf != NULL || d->d_size == 0);
    if (!ok) break;
    some = true;
    uint64_t size = d->d_size;
    SHA256Update(c, (const uint8_t *)&size, sizeof size);
    if (size != 0) SHA256Update(c, d->d_buf, d->d_size);
  }
  elf_end(e);
  return ok && some;
}

static bool hash_all(int fd, SHA2_CTX *c) {
  static uint8_t buf[1 << 16];
  if (lseek(fd, 0, SEEK_SET) != 0) return false;
  for (;;) {
    ssize_t n = read(fd, buf, sizeof buf);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    SHA256Update(c, buf, (size_t)n);
  }
}

bool sweep_hash_image(const char *path, char hex[kSweepHex]) {
  SHA2_CTX c;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  SHA256Init(&c);
  bool ok = hash_elf(fd, &c);
  if (!ok) {
    SHA256Init(&c);
    ok = hash_all(fd, &c);
  }
  close(fd);
  if (ok) finish(&c, hex);
  return ok;
}
