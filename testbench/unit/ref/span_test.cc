// SPDX-License-Identifier: Apache-2.0
//
// Span: chains that one can count by hand. Every expected number is the number of instructions on the longest chain, written as
// a sum of them.
#include <gtest/gtest.h>

#include "testbench/unit/ref/program.h"

extern "C" {
#include "model/ref/wg_ref_atom.h"
#include "model/ref/wg_ref_span.h"
}

namespace {

using wgtest::Memory;
using wgtest::Program;

struct Bench {
  Memory mem{65536};
  wg_ref_totals_t totals = {};
  wg_span_t *span = wg_span_new();
  bool its = false;
  ~Bench() { wg_span_free(span); }

  uint32_t Go(const Program &p, uint32_t threads, uint32_t blocks = 1) {
    auto words = p.Words();
    wg_ref_grid_t g = {};
    const uint32_t params[2] = {static_cast<uint32_t>(Memory::kBase), static_cast<uint32_t>(Memory::kBase >> 32)};
    wg_diag_t diag = {};
    wg_fault_t fault = {};
    g.code = words.data();
    g.num_insns = static_cast<uint32_t>(words.size());
    g.regs = 40;
    g.shared_bytes = 8192;
    g.grid[0] = blocks;
    g.block[0] = threads;
    g.grid[1] = g.grid[2] = g.block[1] = g.block[2] = 1;
    g.params = reinterpret_cast<const uint8_t *>(params);
    g.param_bytes = sizeof params;
    g.diverge.its = its;
    g.span = span;
    wg_ref_mem_t m = mem.Ops();
    EXPECT_EQ(kWgOk, wg_ref_run_grid(&g, &m, &totals, &fault, &diag)) << diag.msg;
    return wg_span_insts(span);
  }
};

void Chain(Program &p, uint8_t reg, unsigned n) {
  for (unsigned i = 0; i < n; i++) p.IaddImm(reg, reg, 1);
}

/* n additions in the lanes where P0 holds, each behind P0 and the one before */
void GuardedChain(Program &p, uint8_t reg, unsigned n) {
  for (unsigned k = 0; k < n; k++) {
    wg_insn_t &i = p.Add(kWgOp_IADD3);
    i.rd = i.ra = reg;
    i.form = kWgFormImm;
    i.imm = 1;
    i.guard = 0;
  }
}

/* {R3,R2} = the output's address, depth 1 */
void Address(Program &p) {
  p.MovConst(2, 0, kWgParamBase);
  p.MovConst(3, 0, kWgParamBase + 4);
}

TEST(Span, ChainThroughARegister) {
  Program p;
  p.MovImm(1, 7);
  Chain(p, 1, 10);
  p.Exit();
  Bench b;
  EXPECT_EQ(1u + 10u, b.Go(p, 40, 3));
  EXPECT_EQ(40u * 3u * 12u, b.totals.thread_insts);
}

TEST(Span, IndependentInstructionsAddNothing) {
  Program p;
  p.MovImm(1, 7);
  for (uint8_t r = 2; r < 30; r++) p.IaddImm(r, 1, r);
  p.Exit();
  Bench b;
  EXPECT_EQ(2u, b.Go(p, 32));
}

TEST(Span, OverwrittenRegistersBindNobody) {
  Program p;
  p.MovImm(1, 7);
  Chain(p, 1, 10);
  p.MovImm(1, 0); /* a new value: depth 1 */
  Chain(p, 1, 3);
  p.Exit();
  Bench b;
  EXPECT_EQ(1u + 10u, b.Go(p, 32));
}

TEST(Span, PairsAndGuards) {
  Program p;
  p.MovImm(5, 1);
  Chain(p, 5, 4);             /* the upper word of a pair */
  p.MovImm(4, 0);
  p.ImadWide(6, 4, 3, 4);     /* reads {R5,R4} as addend: 6 */
  p.IsetpImm(0, 5, 7, 99);    /* P0 from R7, its upper word: 7 */
  wg_insn_t &i = p.Add(kWgOp_MOV);
  i.rd = 9;
  i.form = kWgFormImm;
  i.guard = 0;                /* 8 */
  p.Exit();
  Bench b;
  EXPECT_EQ(5u + 1u + 1u + 1u, b.Go(p, 32));
}

TEST(Span, LanesHaveChainsOfTheirOwn) {
  Program p;
  p.S2r(0, kWgSrLaneId);
  p.IsetpImm(0, 1, 0, 1); /* lane 0 alone */
  GuardedChain(p, 1, 5);
  p.Iadd(2, 1, 1); /* lane 0: 2 + 5 + 1; others 1 */
  p.Exit();
  Bench b;
  EXPECT_EQ(2u + 5u + 1u, b.Go(p, 64));
}

TEST(Span, BranchesAreForeseen) {
  Program p; /* a loop whose counter is the only chain */
  p.MovImm(1, 0);
  p.IaddImm(1, 1, 1);
  p.MovImm(2, 5);
  p.IsetpImm(0, 1, 1, 20);
  p.Branch(1, 0);
  p.Exit();
  Bench b;
  EXPECT_EQ(1u + 20u + 1u, b.Go(p, 32)); /* counter and comparison; the last branch is one whose guard does not hold */
}

TEST(Span, GlobalMemoryByWords) {
  Program p;
  Address(p);
  p.MovImm(4, 1);
  Chain(p, 4, 6);                 /* 7 */
  p.Store(kWgOp_STG, 2, 4, 16);   /* 8 */
  p.Load(kWgOp_LDG, 5, 2, 20);    /* another word: 2 */
  p.Iadd(5, 5, 5);
  p.Load(kWgOp_LDG, 6, 2, 16);    /* 9 */
  p.Iadd(6, 6, 6);                /* 10 */
  p.Exit();
  Bench b;
  EXPECT_EQ(7u + 1u + 1u + 1u, b.Go(p, 1));
}

TEST(Span, WideAccessesTouchEachOfTheirWords) {
  Program p;
  Address(p);
  p.MovImm(4, 1);
  Chain(p, 4, 6);
  p.Store(kWgOp_STG, 2, 4, 28);      /* 8 */
  p.Load(kWgOp_LDG, 8, 2, 16, 6);    /* 16 bytes, the last word: 9 */
  p.Iadd(12, 8, 8);                  /* any of its registers: 10 */
  p.Store(kWgOp_STG, 2, 8, 32, 6);   /* 10 */
  p.Load(kWgOp_LDG, 20, 2, 44);      /* 11 */
  p.Iadd(20, 20, 20);                /* 12 */
  p.Exit();
  Bench b;
  EXPECT_EQ(7u + 1u + 1u + 1u + 1u + 1u, b.Go(p, 1));
}

TEST(Span, ANewValueOfAWordBindsNobodyToTheOldOne) {
  Program p;
  Address(p);
  p.MovImm(4, 1);
  Chain(p, 4, 6);
  p.Store(kWgOp_STG, 2, 4, 16);    /* 8 */
  p.MovImm(5, 3);
  p.Store(kWgOp_STG, 2, 5, 16);    /* 2 */
  p.Load(kWgOp_LDG, 6, 2, 16);     /* 3 */
  p.Iadd(6, 6, 6);                 /* 4 */
  p.Exit();
  Bench b;
  EXPECT_EQ(7u + 1u, b.Go(p, 1));
  Program bytes;
  Address(bytes);
  bytes.MovImm(4, 1);
  Chain(bytes, 4, 6);
  bytes.Store(kWgOp_STG, 2, 4, 16, 0); /* a byte */
  bytes.MovImm(5, 3);
  bytes.Store(kWgOp_STG, 2, 5, 17, 0); /* its neighbour: the word keeps the deeper one */
  bytes.Load(kWgOp_LDG, 6, 2, 16);
  bytes.Iadd(6, 6, 6);
  bytes.Exit();
  EXPECT_EQ(7u + 1u + 1u + 1u, b.Go(bytes, 1));
}

TEST(Span, LaunchesBeginAtZero) {
  Program p;
  Address(p);
  p.Load(kWgOp_LDG, 4, 2, 0);
  p.IaddImm(4, 4, 1);
  p.Store(kWgOp_STG, 2, 4, 0);
  p.Exit();
  Bench b;
  EXPECT_EQ(1u + 3u, b.Go(p, 1));
  EXPECT_EQ(1u + 3u, b.Go(p, 1)); /* what an earlier launch stored is there from the start */
  EXPECT_EQ(1u + 3u * 5u, b.Go(p, 1, 5)); /* blocks of one launch: one after another by that word */
}

TEST(Span, BarrierWaitsForTheDeepest) {
  Program q;
  q.S2r(0, kWgSrTidX);          /* 1 */
  q.IsetpImm(0, 1, 0, 32);      /* 2 */
  GuardedChain(q, 1, 20);       /* warp 0: 22 */
  q.Bar(0);                     /* warp 0: 23 */
  q.MovImm(7, 0);               /* both: 24 */
  Chain(q, 7, 2);               /* 26 */
  q.Exit();
  Bench b;
  for (bool its : {false, true}) {
    b.its = its;
    EXPECT_EQ(2u + 20u + 1u + 1u + 2u, b.Go(q, 64));
  }
}

TEST(Span, BarrierWithACountHoldsThoseThatTakePart) {
  Program q;
  q.S2r(0, kWgSrTidX);       /* 1 */
  q.IsetpImm(0, 1, 0, 32);   /* 2 */
  GuardedChain(q, 1, 30);    /* warp 0: 32 */
  q.Exit(0);                 /* it takes no part */
  q.IsetpImm(0, 1, 0, 64);   /* 2 */
  GuardedChain(q, 1, 20);    /* warp 1: 22 */
  q.Bar(1, 64);              /* warps 1 and 2: 23 */
  q.MovImm(7, 0);
  Chain(q, 7, 3);            /* 27 */
  q.Exit();
  Bench b;
  EXPECT_EQ(2u + 30u, b.Go(q, 96));
}

TEST(Span, ExitedWarpsCountAsArrived) {
  Program q;
  q.S2r(0, kWgSrTidX);
  q.IsetpImm(0, 1, 0, 32);
  GuardedChain(q, 1, 20);
  q.Exit(0);                      /* warp 0 ends: deepest 22 */
  q.Bar(0);                       /* warp 1: 4, completes when warp 0 is gone */
  Chain(q, 7, 2);
  q.Exit();
  Bench b;
  EXPECT_EQ(22u + 2u, b.Go(q, 64));
}

/* Tree reduction in shared memory: who is below half of what is left adds what stands that far behind. */
Program Tree(unsigned threads) {
  Program p;
  p.S2r(0, kWgSrTidX);       /* 1 */
  wg_insn_t &i = p.Add(kWgOp_SHF);
  i.rd = 1;
  i.ra = 0;
  i.form = kWgFormImm;
  i.imm = 2;                 /* R1 = 4 R0: 2 */
  p.Store(kWgOp_STS, 1, 0);  /* 3 */
  p.Bar(0);                  /* 4 */
  for (unsigned s = threads / 2; s > 0; s /= 2) {
    p.IsetpImm(0, 1, 0, s);
    const unsigned first = p.size();
    p.Load(kWgOp_LDS, 4, 1, 0);
    p.Load(kWgOp_LDS, 5, 1, static_cast<int32_t>(4 * s));
    p.Iadd(6, 4, 5);
    p.Store(kWgOp_STS, 1, 6);
    for (unsigned k = first; k < p.size(); k++) p.At(k).guard = 0;
    p.Bar(0);
  }
  p.Exit();
  return p;
}

TEST(Span, TreeReductionIsLogarithmic) {
  /* A level, behind the barrier before it: the comparison, a load, the sum, its store, the barrier. */
  for (unsigned threads = 64, levels = 6; threads <= 1024; threads *= 2, levels++) {
    Bench b;
    EXPECT_EQ(4u + 5u * levels + 1u, b.Go(Tree(threads), threads)) << threads; /* the exit stands behind the last barrier */
  }
}

TEST(Span, ShuffleWaitsForAllItsLanes) {
  Program p;
  p.S2r(0, kWgSrLaneId); /* 1 */
  for (unsigned s = 16; s > 0; s /= 2) {
    wg_insn_t &i = p.Add(kWgOp_SHFL, 3u | 1u << kWgModLsb_CIMM); /* .BFLY: +1 */
    i.rd = 1;
    i.ra = 0;
    i.form = kWgFormImm;
    i.imm = s | 0x1fu << 8;
    p.Iadd(0, 0, 1); /* +1 */
  }
  p.Exit();
  Bench b;
  EXPECT_EQ(1u + 5u * 2u, b.Go(p, 32));
  EXPECT_EQ(1u + 5u * 2u, b.Go(p, 256)); /* warps know nothing of each other */
  Program q;
  q.S2r(0, kWgSrLaneId);
  q.IsetpImm(0, 2, 0, 31); /* lane 31 */
  GuardedChain(q, 0, 6);   /* 8 */
  wg_insn_t &i = q.Add(kWgOp_SHFL, 1u << kWgModLsb_CIMM); /* .IDX 0: 9 */
  i.rd = 1;
  i.ra = 0;
  i.form = kWgFormImm;
  i.imm = 0x1fu << 8;
  q.S2r(2, kWgSrLaneId);
  q.IsetpImm(0, 2, 2, 0); /* lane 0, which has waited for lane 31 */
  q.Iadd(3, 1, 1);        /* 10 */
  q.At(q.size() - 1).guard = 0;
  q.Exit();
  EXPECT_EQ(2u + 6u + 2u, b.Go(q, 32));
}

/* Warp 0 waits for a flag that warp 1 sets behind a chain of n; warp 1's turn comes after thousands of turns of the loop. */
Program Flag(unsigned n) {
  Program p;
  p.S2r(0, kWgSrTidX);            /* 1 */
  p.IsetpImm(0, 1, 0, 32);        /* 2 */
  const unsigned skip = 3 + n + 2 + 1;
  p.Branch(skip, 0);              /* warp 0: to the loop */
  p.MovImm(1, 1);                 /* 1 */
  Chain(p, 1, n);                 /* 1 + n */
  p.Store(kWgOp_STS, kWgRZ, 1);   /* 2 + n */
  p.Exit();
  EXPECT_EQ(skip, p.size());
  p.Load(kWgOp_LDS, 4, kWgRZ);    /* 3 + n */
  p.IsetpImm(1, 2, 4, 0);         /* 4 + n */
  p.Branch(skip, 1);              /* 5 + n */
  p.Iadd(4, 4, 4);                /* 4 + n */
  Chain(p, 4, 3);                 /* 7 + n */
  p.Exit();
  return p;
}

TEST(Span, TurnsOfAWaitingLoopDoNotCount) {
  Bench b;
  EXPECT_EQ(7u + 5u, b.Go(Flag(5), 64));
  EXPECT_EQ(7u + 8u, b.Go(Flag(8), 64));
  EXPECT_GT(b.totals.thread_insts, 3u * 32u * 1000u); /* it did turn */
}

void Atomic(Program &p, unsigned op, uint8_t rd, uint8_t rc) {
  wg_insn_t &i = p.Add(kWgOp_ATOMG, op << kWgModLsb_AOP);
  i.ra = 2;
  i.rc = rc;
  i.rd = rd;
}

TEST(Span, AtomicsOfAWordFollowEachOther) {
  Bench b;
  for (uint8_t rd : {uint8_t{4}, uint8_t{kWgRZ}}) {
    Program p;
    Address(p);     /* 1 */
    p.MovImm(6, 1);
    Atomic(p, kWgAtomAdd, rd, 6);
    p.Exit();
    EXPECT_EQ(1u + 96u, b.Go(p, 48, 2));
  }
}

TEST(Span, AtomicsThatChangeNothingOnlyRead) {
  Bench b;
  Program p;
  Address(p);
  p.MovImm(6, 5); /* expected; memory holds 0: every comparison fails */
  p.MovImm(7, 9);
  Atomic(p, kWgAtomCas, 4, 6);
  p.Iadd(4, 4, 4);
  p.Exit();
  EXPECT_EQ(1u + 1u + 1u, b.Go(p, 32));
  Program q;
  Address(q);
  q.MovImm(6, 0);
  q.MovImm(7, 9);
  Atomic(q, kWgAtomCas, 4, 6); /* the first lane's succeeds, the others read what it wrote: 2, 3 */
  q.Iadd(4, 4, 4);             /* 4 */
  q.Exit();
  EXPECT_EQ(1u + 2u + 1u, b.Go(q, 32));
  EXPECT_EQ(9u, b.mem.Word(0));
  Program r; /* a maximum that is already there */
  Address(r);
  r.MovImm(6, 3);
  Atomic(r, kWgAtomMax, 4, 6);
  r.Exit();
  EXPECT_EQ(1u + 1u, b.Go(r, 32));
}

TEST(Span, WarpsyncJoinsLanes) {
  Program p;
  p.S2r(0, kWgSrLaneId);
  p.IsetpImm(0, 1, 0, 16);
  GuardedChain(p, 1, 7);
  wg_insn_t &w = p.Add(kWgOp_WARPSYNC); /* 10 */
  w.form = kWgFormImm;
  w.imm = UINT32_MAX;
  p.MovImm(5, 1);             /* 11 in all lanes */
  Chain(p, 5, 2);             /* 13 */
  p.Exit();
  Bench b;
  EXPECT_EQ(2u + 7u + 1u + 1u + 2u, b.Go(p, 32));
}

}  // namespace
