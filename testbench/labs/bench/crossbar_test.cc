// SPDX-License-Identifier: Apache-2.0
//
// sm_smem for lab 3: the random test of its bench, and the same in steps: no conflict, conflicts of words, rows of the
// banks, what travels along, grants, wide accesses, shuffles, atomics. sm_lsu_saddr stands before it, as in the SM.
// bench: dir mem
// bench: top smem_bench
// bench: link model/twin/smem_passes.c
#include "testbench/rtl/mem/smem_test.cc"

namespace {

/** What a run of accesses looks at beside the lanes of each wavefront. */
struct Rules {
  unsigned accesses = 2000, sel = 100; /* sel: percent of cycles with a grant */
  bool all = false, ready = false;    /* rows and what travels along; is the entry free with its last wavefront? */
};

void edge(Vtop &t) { t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval(); }

/** Lanes of each wavefront, in order. */
wg_smem_passes_t expect(const Access &a) {
  uint32_t p[32];
  for (unsigned l = 0; l < 32; l++) p[l] = a.base + a.addr[l];
  wg_smem_passes_t out;
  if (a.atom) wg_smem_split_atom(p, 1u << a.lg, a.mask, &out);
  else wg_smem_split(p, 1u << a.lg, a.mask, a.store, &out);
  if (a.shfl) out.num = 1, out.lanes[0] = a.mask;
  return out;
}

std::string hex(uint32_t x) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", x);
  return text;
}

/** Accesses one after the other, made by `next`. */
template <class F> void follow(unsigned stream, const Rules &r, F next) {
  bench::Rng rng(stream), other(100 + stream);
  Vtop t;
  t.rst_ni = 0, t.s_valid_i = 0, t.sel_i = 0;
  edge(t), edge(t);
  t.rst_ni = 1;
  for (unsigned n = 0; n < r.accesses; n++) {
    const Access a = next(rng);
    const wg_smem_passes_t want = expect(a);
    uint32_t left = a.mask;
    const std::string kind = a.store ? "store" : a.shfl ? "shuffle" : a.atom ? "atomic" : "load";
    const std::string which = kind + " of " + std::to_string(1u << a.lg) + " bytes, lanes " + hex(a.mask) +
                              ", access " + std::to_string(n);
    offer(t, a);
    t.s_valid_i = 1, t.sel_i = 0, t.clk_i = 0, t.eval();
    ASSERT_TRUE(t.s_ready_o) << "an empty unit takes an access; " << which;
    ASSERT_FALSE(t.wf_valid_o) << "an empty unit offers nothing; " << which;
    edge(t);
    t.s_valid_i = 0;
    offer(t, random_access(other)); /* what the inputs are now is not for it */
    for (unsigned k = 0; k < want.num;) {
      const std::string at = "wavefront " + std::to_string(k) + " of " + std::to_string(want.num) + "; " + which;
      t.sel_i = rng.chance(r.sel), t.clk_i = 0, t.eval();
      ASSERT_TRUE(t.wf_valid_o) << at;
      if (r.ready) ASSERT_EQ(t.s_ready_o != 0, t.sel_i && k + 1 == want.num) << "s_ready_o, " << at;
      if (t.sel_i) {
        ASSERT_EQ(hex(t.wf_lanes_o), hex(want.lanes[k])) << "lanes served, " << at;
        if (r.all) check_wavefront(t, a, want.lanes[k], left);
        if (::testing::Test::HasFatalFailure()) FAIL() << at;
        left &= ~want.lanes[k], k++;
      }
      edge(t);
    }
  }
}

/** A random access of a kind: loads and stores up to 32 bits, unless told otherwise. */
Access plain(bench::Rng &r) {
  Access a = random_access(r);
  while (a.shfl || a.atom || a.lg > 2) a = random_access(r);
  return a;
}

TEST(CrossbarLab, NoConflictIsOneWavefront) {
  follow(1, Rules{}, [](bench::Rng &g) {
    Access a = plain(g);
    a.lg = 2, a.base = 128 * g.below(0x800), a.imm = 0;
    const uint32_t row = 128 * g.below(0x100), turn = g.below(32), kind = g.below(4);
    for (unsigned l = 0; l < 32; l++) {
      const uint32_t word = kind == 0 ? l : kind == 1 ? turn : kind == 2 ? l ^ turn : (l * 5 + turn) % 32;
      a.addr[l] = row + 4 * word;
    }
    return a;
  });
}

TEST(CrossbarLab, AConflictIsAWavefrontMore) {
  follow(2, Rules{}, [](bench::Rng &g) {
    Access a = plain(g);
    a.lg = 2;
    const uint32_t stride = 4u * (g.chance(50) ? 1u << g.below(7) : 1 + g.below(40)), at = 4 * g.below(0x1000);
    const bool any = g.chance(40);
    for (unsigned l = 0; l < 32; l++) a.addr[l] = any ? at + 4 * g.below(256) : at + l * stride;
    return a;
  });
}

TEST(CrossbarLab, BytesAndHalvesShareTheirWord) {
  follow(3, Rules{}, [](bench::Rng &g) {
    Access a = plain(g);
    while (a.lg == 2) a = plain(g);
    return a;
  });
}

TEST(CrossbarLab, RowsOfTheBanks) {
  Rules r;
  r.all = true;
  follow(4, r, [](bench::Rng &g) {
    Access a = plain(g);
    while (a.store) a = plain(g);
    return a;
  });
}

TEST(CrossbarLab, StoresTakeTheirDataAlong) {
  Rules r;
  r.all = true;
  follow(5, r, [](bench::Rng &g) {
    Access a = random_access(g);
    while (!a.store) a = random_access(g);
    return a;
  });
}

TEST(CrossbarLab, WavefrontsWaitForTheirGrant) {
  Rules r;
  r.sel = 50, r.ready = true;
  follow(6, r, plain);
}

TEST(CrossbarLab, WideAccessesGoInGroups) {
  follow(7, Rules{}, [](bench::Rng &g) {
    Access a = random_access(g);
    while (a.lg < 3 || a.atom) a = random_access(g);
    return a;
  });
}

TEST(CrossbarLab, AShuffleIsOneWavefront) {
  Rules r;
  r.all = true;
  follow(8, r, [](bench::Rng &g) {
    Access a = random_access(g);
    while (!a.shfl) a = random_access(g);
    return a;
  });
}

TEST(CrossbarLab, AtomicsTakeALaneABank) {
  Rules r;
  r.all = true;
  follow(9, r, [](bench::Rng &g) {
    Access a = random_access(g);
    while (!a.atom) a = random_access(g);
    return a;
  });
}

}  // namespace
