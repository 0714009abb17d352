// SPDX-License-Identifier: Apache-2.0
//
// sm_coalescer for lab 2: the random test of its bench, and the same in steps: one line, loads, stores, the handshake, atomics, constants.
// bench: dir mem
// bench: top sm_coalescer
// bench: link model/twin/coalescer.c
#include "testbench/rtl/exec/bench_text.h"
#include "testbench/rtl/mem/coalescer_test.cc"

namespace {

/** What a run of accesses looks at. */
struct Rules {
  unsigned accesses = 300, sel = 100, valid = 100; /* percent of cycles */
  bool data = false, ready = false;                /* is what travels along, is the entry's readiness looked at? */
};

void edge(Vtop &t) { t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval(); }

void start(Vtop &t) {
  t.rst_ni = 0, t.g_valid_i = 0, t.sel_i = 0;
  edge(t), edge(t);
  t.rst_ni = 1;
}

unsigned expect(const Access &a, wg_line_access_t out[32]) {
  return a.atom       ? wg_coalesce_atom(a.addr, 1u << a.lg, a.mask, out)
         : a.constant ? wg_coalesce_const(a.addr, 1u << a.lg, a.mask, out)
                      : wg_coalesce(a.addr, 1u << a.lg, a.mask, out);
}

/** Accesses one after the other, made by `next`: lines and lanes are the twin's. */
template <class F> void follow(unsigned stream, const Rules &r, F next) {
  bench::Rng rng(stream);
  Vtop t;
  start(t);
  for (unsigned n = 0; n < r.accesses; n++) {
    const Access a = next(rng);
    wg_line_access_t out[32];
    const unsigned lines = expect(a, out);
    offer(t, a);
    t.g_valid_i = 1, t.sel_i = 0, t.clk_i = 0, t.eval();
    ASSERT_TRUE(t.g_ready_o) << "an empty unit takes an access; access " << n;
    ASSERT_FALSE(t.ln_valid_o) << "an empty unit offers nothing; access " << n;
    edge(t);
    t.g_valid_i = 0;
    for (unsigned k = 0; k < lines;) {
      t.sel_i = rng.chance(r.sel), t.clk_i = 0, t.eval();
      ASSERT_TRUE(t.ln_valid_o) << "line " << k << " of " << lines << " of access " << n;
      if (r.ready) ASSERT_EQ(t.g_ready_o != 0, t.sel_i && k + 1 == lines) << "line " << k << " of " << lines << " of access " << n;
      if (t.sel_i) {
        ASSERT_HEX_EQ(t.ln_line_o, out[k].line >> 7) << "line " << k << " of " << lines << " of access " << n;
        uint32_t got = 0;
        for (unsigned s = 0; s < 4; s++) got |= uint32_t(take(t.ln_sec_lanes_o, s * 32, 32));
        ASSERT_PRED_FORMAT2(bench::SameHex{"lanes of ln_sec_lanes_o"}, got, out[k].lanes)
            << "lanes of line " << k << " of " << lines << " of access " << n;
        if (r.data) check_line(t, a, out[k]);
        if (::testing::Test::HasFatalFailure()) FAIL() << "line " << k << " of access " << n;
        k++;
      }
      edge(t);
    }
  }
}

Access plain(bench::Rng &r) {
  Access a = random_access(r);
  if (a.atom) a.lg = 2;
  a.atom = a.constant = a.store = false;
  for (auto &x : a.addr) x = x >> a.lg << a.lg;
  return a;
}

TEST(CoalescerLab, OneLineOfAWarp) {
  Rules r;
  follow(1, r, [](bench::Rng &g) {
    Access a = plain(g);
    a.lg = 2, a.mask = ~0u;
    const uint64_t base = (g.next() & 0xffffffffffffu) >> 7 << 7;
    for (unsigned l = 0; l < 32; l++) a.addr[l] = base + 4 * l;
    return a;
  });
}

TEST(CoalescerLab, LinesOfALoadAscend) { follow(2, Rules{}, plain); }

TEST(CoalescerLab, WhatTravelsAlong) {
  Rules r;
  r.data = true;
  follow(3, r, [](bench::Rng &g) {
    Access a = plain(g);
    a.store = g.chance(60);
    return a;
  });
}

TEST(CoalescerLab, LinesWaitForTheirGrant) {
  Rules r;
  r.sel = 50, r.ready = true;
  follow(4, r, plain);
}

TEST(CoalescerLab, AtomicsTakeAWordOnce) {
  follow(5, Rules{}, [](bench::Rng &g) {
    Access a = random_access(g);
    while (!a.atom) a = random_access(g);
    a.store = false;
    return a;
  });
}

TEST(CoalescerLab, ConstantsAnswerOneAddress) {
  follow(6, Rules{}, [](bench::Rng &g) {
    Access a = random_access(g);
    while (!a.constant) a = random_access(g);
    a.store = false;
    return a;
  });
}

}  // namespace
