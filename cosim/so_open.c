// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cosim/so_open.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { kMachine = EM_X86_64 };
#elif defined(__aarch64__)
enum { kMachine = EM_AARCH64 };
#else
#error "the number of this machine in ELF files"
#endif

static bool read_at(int fd, void *to, size_t bytes, uint64_t at) {
  return at <= INT64_MAX && pread(fd, to, bytes, (off_t)at) == (ssize_t)bytes;
}

/* End of a table or of a part of the file. @return false: beyond 64 bits */
static bool end_of(uint64_t at, uint64_t bytes, uint64_t *end) {
  if (bytes > UINT64_MAX - at) return false;
  if (at + bytes > *end) *end = at + bytes;
  return true;
}

/* Where the last byte is that the headers speak of. @param[in,out] end what is known of it
   @return false: the headers themselves cannot be read */
static bool needed(int fd, const Elf64_Ehdr *h, uint64_t *end) {
  bool good = end_of(h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr), end) &&
              end_of(h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr), end);
  bool some = false;
  for (unsigned i = 0; good && i < h->e_phnum; i++) {
    Elf64_Phdr p;
    if (!read_at(fd, &p, sizeof p, h->e_phoff + i * sizeof p)) return false;
    some = some || p.p_type == PT_LOAD;
    good = end_of(p.p_offset, p.p_filesz, end);
  }
  for (unsigned i = 0; good && i < h->e_shnum; i++) {
    Elf64_Shdr s;
    if (!read_at(fd, &s, sizeof s, h->e_shoff + i * sizeof s)) return false;
    good = s.sh_type == SHT_NOBITS || s.sh_type == SHT_NULL || end_of(s.sh_offset, s.sh_size, end);
  }
  return good && some;
}

static bool check(int fd, const struct stat *info, const char *path, char *why, size_t n) {
  static const unsigned char kIdent[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
  Elf64_Ehdr h;
  uint64_t size = (uint64_t)info->st_size, end = sizeof h;
  if (!read_at(fd, &h, sizeof h, 0) || memcmp(h.e_ident, kIdent, sizeof kIdent) != 0 || h.e_type != ET_DYN ||
      h.e_machine != kMachine || h.e_phentsize != sizeof(Elf64_Phdr) ||
      (h.e_shnum != 0 && h.e_shentsize != sizeof(Elf64_Shdr))) {
    snprintf(why, n, "'%s' is no shared object of this machine", path);
    return false;
  }
  if (needed(fd, &h, &end) && end <= size) return true;
  if (end > size)
    snprintf(why, n, "'%s' is cut short: it has %llu bytes and speaks of %llu", path, (unsigned long long)size,
             (unsigned long long)end);
  else snprintf(why, n, "'%s' is damaged: its headers are not in order", path);
  return false;
}

bool wg_so_whole(const char *path, char *why, size_t n) {
  struct stat info;
  bool there = stat(path, &info) == 0;
  if (there && !S_ISREG(info.st_mode)) { /* a pipe would wait */
    snprintf(why, n, "'%s' is no ordinary file", path);
    return false;
  }
  int fd = there ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0 || fstat(fd, &info) != 0) {
    snprintf(why, n, "cannot open '%s': %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    return false;
  }
  bool good = check(fd, &info, path, why, n);
  close(fd);
  return good;
}

void *wg_so_open(const char *path, int how, char *why, size_t n) {
  if (!wg_so_whole(path, why, n)) return NULL;
  void *library = dlopen(path, how);
  if (library == NULL) snprintf(why, n, "%s", dlerror());
  return library;
}
