// SPDX-License-Identifier: Apache-2.0
#include "cosim/session_words.h"

#include <string.h>

enum { kMaxWord = 63 };

static unsigned min2(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned wg_word_distance(const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > kMaxWord || nb > kMaxWord) return kMaxWord + 1;
  unsigned d[3][kMaxWord + 1]; /* rows i - 2, i - 1, i of the distance table */
  for (size_t j = 0; j <= nb; j++) d[1][j] = (unsigned)j;
  for (size_t i = 1; i <= na; i++) {
    d[2][0] = (unsigned)i;
    for (size_t j = 1; j <= nb; j++) {
      unsigned sub = d[1][j - 1] + (a[i - 1] != b[j - 1]);
      unsigned best = min2(sub, min2(d[1][j], d[2][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) best = min2(best, d[0][j - 2] + 1);
      d[2][j] = best;
    }
    memcpy(d[0], d[1], sizeof d[0]);
    memcpy(d[1], d[2], sizeof d[1]);
  }
  return d[1][nb];
}

void wg_word_hint(const char *word, const char *const *known, char *out, size_t n) {
  static const char kMore[] = " ...";
  const char *near = wg_word_nearest(word, known);
  WG_BUG(n < 128);
  int used = near != NULL ? snprintf(out, n, "did you mean '%.40s'? one of:", near) : snprintf(out, n, "one of:");
  size_t at = (size_t)used;
  for (; *known != NULL; known++) {
    size_t len = strlen(*known);
    bool last = known[1] == NULL;
    if (at + 1 + len + (last ? 0 : sizeof kMore - 1) + 1 > n) {
      snprintf(out + at, n - at, "%s", kMore);
      return;
    }
    at += (size_t)snprintf(out + at, n - at, " %s", *known);
  }
}

const char *wg_word_nearest(const char *word, const char *const *known) {
  const char *best = NULL;
  unsigned dist = (unsigned)(strlen(word) + 1) / 2;
  if (dist < 2) dist = 2;
  for (; *known != NULL; known++) {
    unsigned d = wg_word_distance(word, *known);
    if (d < dist) {
      dist = d;
      best = *known;
    }
  }
  return best;
}
