// SPDX-License-Identifier: Apache-2.0
//
// Inside of the race checker; included by ref_race*.c only.
#ifndef WG_MODEL_REF_RACE_INT_H
#define WG_MODEL_REF_RACE_INT_H

#include "model/ref/wg_ref_race.h"

enum {
  kRaceMaxBlocks = 1 << 22, /* of a grid: a thread's number has 32 bits */
  kRaceMaxPairs = 4096,
  kRaceMaxEntries = 2048, /* of one know_t */
  kRacePageWords = 1024,
};

/* ---- what a thread knows of others (ref_race_know.c) ---- */

/** Whom an entry is about: block << 11 | who. */
enum { kKnowBlock = 0, kKnowWarp = 1, kKnowThread = 1024 }; /* the block; + warp; + thread */

typedef struct know_entry {
  uint64_t key;
  uint32_t time; /* accesses up to this stamp happened before */
} know_entry_t;

/** Immutable once made, counted; NULL knows nothing. Entries ascending by key. */
typedef struct know {
  uint32_t refs, n;
  know_entry_t e[];
} know_t;

static inline uint64_t know_key(uint32_t block, uint32_t who) { return (uint64_t)block << 11 | who; }
know_t *know_ref(know_t *k);
void know_drop(know_t *k); /* takes NULL */
/** Both together; a new reference. Arguments are only read. */
know_t *know_join(know_t *a, know_t *b);
/** `k` and one entry more; a new reference. */
know_t *know_add(know_t *k, uint64_t key, uint32_t time);
/** Stamp up to which `k` covers a thread of a block; 0 none. */
uint32_t know_of(const know_t *k, uint32_t block, uint32_t tid);
/** *slot = join of *slot and k. */
void know_into(know_t **slot, know_t *k);

/* ---- shadow of memory (ref_race_mem.c) ---- */

/** In the `pc` of an access: pc / 16 << 8 | these. */
enum { kAccAtomic = 1, kAccStrong = 2, kAccCas = 4 };

/** Lanes of a warp that have read since the last store, or updated by an atomic. */
typedef struct race_reader {
  uint32_t warp; /* block * 32 + warp */
  uint32_t lanes, time, pc;
} race_reader_t;

/** One word, or one byte of a split word. Stamps before the begin of the block or launch: none. */
typedef struct race_cell {
  uint32_t thread; /* block * 1024 + thread; kCellSplit: `time` is the number of four cells */
  uint32_t time, pc, value;
  race_reader_t r[2];
} race_cell_t;

enum { kCellSplit = 0xffffffff };

/** First member of what stands in a table. */
typedef struct race_link {
  struct race_link *next;
  uint64_t key;
} race_link_t;

typedef struct race_page {
  race_link_t link; /* key: address / 4096 */
  race_cell_t cell[kRacePageWords];
} race_page_t;

/** What was given to a word. */
typedef struct race_given {
  race_link_t link; /* key: address; shared: top bit, block << 32, offset */
  know_t *all;   /* to everybody */
  know_t *near;  /* to the block `block` only: behind a fence of a block */
  uint32_t block;
} race_given_t;

typedef struct race_table {
  race_link_t **slot; /* [cap] chains */
  size_t cap, num;
} race_table_t;

/* ---- warps and blocks (ref_race.c) ---- */

typedef struct race_warp {
  uint32_t present, alive, cur; /* all lanes; those left; those that issued last */
  uint32_t waiting;    /* lanes at a WARPSYNC or barrier */
  uint32_t strict_floor, wide_floor; /* all lanes are ordered up to here */
  bool same_know;      /* know[] are equal in all lanes */
  bool arrived;        /* at a block barrier that waits */
  uint8_t bar[32];     /* number + 1 of the barrier where a lane waits */
  uint32_t sync[32];   /* mask of the WARPSYNC where it waits, 0 none */
  uint32_t fence_cta[32], fence_gpu[32]; /* stamp of the last */
  know_t *know[32];    /* of other warps, and of lanes by way of other warps */
  uint32_t strict[32][32], wide[32][32]; /* [l][m]: accesses of m that are ordered before l */
} race_warp_t;

typedef struct race_bar {
  uint32_t warps;   /* arrived in this phase, waiting or not */
  uint32_t threads; /* the same with a count */
  know_t *gave;     /* by those that do not wait */
} race_bar_t;

struct wg_race_block {
  wg_race_t *race;
  wg_race_block_t *next_free;
  wg_cta_launch_t cta;
  bool its, ignored;
  uint32_t number;     /* linear in the grid */
  uint32_t begin;      /* stamp */
  uint32_t num_warps, cap_warps;
  race_warp_t *warp;
  race_bar_t bar[kWgBarriers];
  race_cell_t *cell;   /* of shared memory */
  size_t cells, cap_cells;
};

/** From where to where an instruction has accessed. [0] global, [1] shared memory. */
typedef struct race_reach {
  uint64_t lo[2], hi[2];
} race_reach_t;

struct wg_race {
  uint32_t now, begin; /* the clock; stamp of the launch's begin */
  bool incomplete, stopped;
  uint64_t pool, pool_bytes; /* wg_race_allocator */
  const uint32_t *mark;
  size_t marks;
  wg_race_pair_t *pair;
  size_t pairs, cap_pairs;
  wg_race_block_t *free_blocks;
  race_table_t pages, given;
  race_page_t *last_page;
  race_cell_t (*split)[4]; /* split words; [0] is not used */
  uint32_t splits, cap_splits;
  race_reach_t *reach; /* [cap_reach] by pc / kWgInsnBytes, of the launch; lo > hi: nothing */
  size_t cap_reach;
};

/** Raise the clock. @return the stamp before */
uint32_t race_tick(wg_race_t *r);
void *race_alloc(size_t n, size_t size);
/** What one of the lanes knows of other warps, all do. */
void race_share(race_warp_t *rw, uint32_t lanes);
/** Marks of the instruction at `pc`. */
unsigned race_marks(const wg_race_t *r, uint32_t pc);
/** Everything of a memory instruction but what its value takes. */
void race_memory(wg_race_block_t *b, uint32_t warp, const wg_ref_step_t *st);
/** Forget what is stamped before the launch; free everything. */
void race_memory_launch(wg_race_t *r);
void race_memory_free(wg_race_t *r);
/** What lane `l` has done and knows up to `upto`, to give away. A new reference. */
know_t *race_gift(const wg_race_block_t *b, uint32_t warp, unsigned l, uint32_t upto);

#endif
