// SPDX-License-Identifier: Apache-2.0
//
// What a thread knows of others: sorted lists, shared between all that know the same.
#include <string.h>

#include "model/ref/ref_race.h"

know_t *know_ref(know_t *k) {
  if (k != NULL) k->refs++;
  return k;
}

void know_drop(know_t *k) {
  if (k != NULL && --k->refs == 0u) free(k);
}

static know_t *make(uint32_t n) {
  know_t *k = malloc(sizeof *k + n * sizeof k->e[0]);
  WG_BUG(k == NULL);
  k->refs = 1u;
  k->n = 0u;
  return k;
}

/* First entry with a key of at least this. */
static uint32_t lower(const know_t *k, uint64_t key) {
  uint32_t lo = 0u, hi = k->n;
  while (lo < hi) {
    uint32_t mid = (lo + hi) / 2u;
    if (k->e[mid].key < key) lo = mid + 1u;
    else hi = mid;
  }
  return lo;
}

static uint32_t time_of(const know_t *k, uint64_t key) {
  uint32_t i = lower(k, key);
  return i < k->n && k->e[i].key == key ? k->e[i].time : 0u;
}

uint32_t know_of(const know_t *k, uint32_t block, uint32_t tid) {
  if (k == NULL) return 0u;
  uint32_t a = time_of(k, know_key(block, kKnowBlock)), w = time_of(k, know_key(block, kKnowWarp + tid / 32u)),
           t = time_of(k, know_key(block, kKnowThread + tid));
  if (w > a) a = w;
  return t > a ? t : a;
}

/* Too many: what is known of a block's parts becomes known of the block. That orders too much, and hides races. */
static void coarsen(know_t *k) {
  uint32_t n = 0u;
  for (uint32_t i = 0; i < k->n; i++) {
    uint64_t key = k->e[i].key & ~UINT64_C(0x7ff);
    if (n != 0u && k->e[n - 1u].key == key) {
      if (k->e[i].time > k->e[n - 1u].time) k->e[n - 1u].time = k->e[i].time;
    } else {
      k->e[n++] = (know_entry_t){key, k->e[i].time};
    }
  }
  k->n = n;
}

/* Append, unless the whole block is known as far already. `whole`: time of its block's entry, if that came last. */
static void put(know_t *k, know_entry_t e, uint64_t *block, uint32_t *whole) {
  if (e.key >> 11 != *block) {
    *block = e.key >> 11;
    *whole = 0u;
  }
  if ((e.key & 0x7ffu) == kKnowBlock) *whole = e.time;
  else if (e.time <= *whole) return;
  k->e[k->n++] = e;
}

/* Is every entry of `small` in `big` already? */
static bool covers(const know_t *big, const know_t *small) {
  for (uint32_t i = 0; i < small->n; i++) {
    uint64_t key = small->e[i].key;
    if (time_of(big, key) >= small->e[i].time) continue;
    if (time_of(big, key & ~UINT64_C(0x7ff)) < small->e[i].time) return false;
  }
  return true;
}

know_t *know_join(know_t *a, know_t *b) {
  if (a == b || b == NULL || (a != NULL && b->n <= a->n && covers(a, b))) return know_ref(a);
  if (a == NULL || (a->n <= b->n && covers(b, a))) return know_ref(b);
  know_t *k = make(a->n + b->n);
  uint64_t block = UINT64_MAX;
  uint32_t whole = 0u, i = 0u, j = 0u;
  while (i < a->n || j < b->n) {
    if (j == b->n || (i < a->n && a->e[i].key < b->e[j].key)) {
      put(k, a->e[i++], &block, &whole);
    } else if (i == a->n || b->e[j].key < a->e[i].key) {
      put(k, b->e[j++], &block, &whole);
    } else {
      put(k, a->e[i].time > b->e[j].time ? a->e[i] : b->e[j], &block, &whole);
      i++;
      j++;
    }
  }
  if (k->n > (uint32_t)kRaceMaxEntries) coarsen(k);
  return k;
}

know_t *know_add(know_t *k, uint64_t key, uint32_t time) {
  know_t *one = make(1u);
  one->e[one->n++] = (know_entry_t){key, time};
  know_t *sum = know_join(k, one);
  know_drop(one);
  return sum;
}

void know_into(know_t **slot, know_t *k) {
  if (*slot == k || k == NULL) return;
  know_t *sum = know_join(*slot, k);
  know_drop(*slot);
  *slot = sum;
}
