// SPDX-License-Identifier: Apache-2.0
//
// Control flow: random programs of nested ifs, loops, breaks, continues and returns, laid out as compilers do, run on
// the golden model and compared with a plain interpretation of each thread. Between statements of the outermost level
// all lanes shuffle: a lane that has not come back reads as 0 there, so a missing reconvergence shows.
#include <random>

#include "testbench/unit/ptx/px_run.h"

namespace {

enum Kind { kMix, kIf, kLoop, kBreak, kContinue, kReturn, kShuffle, kBarrier };
enum Source { kOfX, kOfTid, kOfCta }; /* what a condition looks at */

struct Stmt {
  Kind kind;
  uint32_t k = 0; /* constant, or bit number of the condition */
  Source source = kOfX;
  bool flip = false, top_test = false, far = false;
  std::vector<Stmt> a = {}, b = {};
};
using Body = std::vector<Stmt>;

struct Thread {
  uint32_t x, tid, cta;
  bool gone = false;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : rng_(seed) {}
  Body Make() {
    Body b;
    int n = 2 + Below(5);
    for (int i = 0; i < n; i++) {
      Body part = Block(0, false, 3);
      b.insert(b.end(), part.begin(), part.end());
      b.push_back({Below(3) == 0 ? kBarrier : kShuffle});
      if (b.back().kind == kBarrier) b.push_back({kShuffle});
    }
    return b;
  }
  int Below(int n) { return int(rng_() % uint64_t(n)); }

 private:
  std::mt19937_64 rng_;
  Stmt Cond(Kind k) {
    Stmt s{k};
    s.k = uint32_t(Below(5));
    s.source = Source(Below(10) < 6 ? 0 : Below(2) + 1);
    s.flip = Below(2);
    s.far = Below(3) == 0;
    return s;
  }
  Body Block(int depth, bool in_loop, int max) {
    Body b;
    int n = 1 + Below(max);
    for (int i = 0; i < n; i++) {
      int r = Below(depth > 3 ? 4 : 10);
      if (r < 3) {
        Stmt s{kMix};
        s.k = uint32_t(rng_());
        b.push_back(s);
      } else if (r == 3) {
        b.push_back(Cond(in_loop ? (Below(2) ? kBreak : kContinue) : Below(4) == 0 ? kReturn : kMix));
      } else if (r < 8) {
        Stmt s = Cond(kIf);
        s.a = Block(depth + 1, in_loop, 3);
        if (Below(2)) s.b = Block(depth + 1, in_loop, 3);
        if (Below(12) == 0) s.a.push_back(Cond(kReturn));
        b.push_back(s);
      } else {
        Stmt s = Cond(kLoop);
        s.top_test = Below(2);
        s.a = Block(depth + 1, true, 3);
        b.push_back(s);
      }
    }
    return b;
  }
};

/* ---- what a thread does ---- */

uint32_t Mix(uint32_t x, uint32_t k) { return (x * 1664525u + k) ^ (x >> 7); }

bool Test(const Stmt &s, const Thread &t) {
  uint32_t v = s.source == kOfX ? t.x >> 13 : s.source == kOfTid ? t.tid : t.cta;
  return ((v >> s.k & 1) != 0) != s.flip;
}

enum Way { kGoOn, kBroke, kContinued, kReturned };

Way Interpret(const Body &body, Thread *t) {
  for (const Stmt &s : body) {
    Way w = kGoOn;
    switch (s.kind) {
      case kMix:
        t->x = Mix(t->x, s.k);
        break;
      case kIf:
        w = Interpret(Test(s, *t) ? s.a : s.b, t);
        break;
      case kLoop: {
        uint32_t n = s.source == kOfX ? t->x >> 13 & 3 : s.source == kOfTid ? t->tid & 3 : t->cta & 3;
        if (!s.top_test) n++;
        while (n-- > 0) {
          Way r = Interpret(s.a, t);
          if (r == kBroke) break;
          if (r == kReturned) return r;
        }
        break;
      }
      case kBreak:
        if (Test(s, *t)) return kBroke;
        break;
      case kContinue:
        if (Test(s, *t)) return kContinued;
        break;
      case kReturn:
        if (Test(s, *t)) return kReturned;
        break;
      default:
        break;
    }
    if (w != kGoOn) return w;
  }
  return kGoOn;
}

/* The outermost level, all threads of a block in step. */
void InterpretBlock(const Body &body, std::vector<Thread> *t) {
  for (const Stmt &s : body) {
    if (s.kind == kShuffle) {
      std::vector<Thread> old = *t;
      for (size_t i = 0; i < t->size(); i++) {
        if (!old[i].gone) (*t)[i].x = old[i].x + (old[i ^ 5].gone ? 0 : old[i ^ 5].x);
      }
      continue;
    }
    for (Thread &th : *t) {
      if (!th.gone && Interpret({s}, &th) == kReturned) th.gone = true;
    }
  }
}

/* ---- its PTX ---- */

class Writer {
 public:
  /** @param loop the kernel ends in a loop that its lanes leave at different times */
  std::string Write(const Body &b, bool loop) {
    out_ = "add.s32 %r1, %r59, 12345;\nmul.lo.s32 %r1, %r1, 40503;\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\n";
    Emit(b, "", "");
    if (loop) out_ += "and.b32 %r9, %r2, 3;\n";
    out_ += "DONE:\nst.global.u32 [%o], %r1;\n";
    if (loop) out_ += "add.s32 %r9, %r9, -1;\nsetp.ge.s32 %p2, %r9, 0;\n@%p2 bra DONE;\n";
    out_ += "ret;\n";
    return out_ + far_;
  }

 private:
  std::string out_, far_;
  int labels_ = 0, loops_ = 10;
  std::string Label() { return "$L" + std::to_string(labels_++); }

  /* %p1 = the condition */
  void Condition(const Stmt &s) {
    const char *r = s.source == kOfX ? "%r4" : s.source == kOfTid ? "%r2" : "%r3";
    if (s.source == kOfX) out_ += "shr.u32 %r4, %r1, 13;\n";
    out_ += std::string("and.b32 %r5, ") + r + ", " + std::to_string(1u << s.k) + ";\n";
    out_ += std::string(s.flip ? "setp.eq.s32" : "setp.ne.s32") + " %p1, %r5, 0;\n";
  }
  void EmitIf(const Stmt &s, const std::string &brk, const std::string &cont) {
    std::string then = Label(), join = Label();
    Condition(s);
    if (s.far) { /* the then side lies behind everything, as clang does */
      out_ += "@%p1 bra " + then + ";\n";
      Emit(s.b, brk, cont);
      out_ += join + ":\n";
      std::string keep;
      std::swap(keep, out_);
      out_ = then + ":\n";
      Emit(s.a, brk, cont);
      out_ += "bra.uni " + join + ";\n";
      far_ += out_;
      out_ = keep;
    } else {
      out_ += "@!%p1 bra " + then + ";\n";
      Emit(s.a, brk, cont);
      if (!s.b.empty()) out_ += "bra.uni " + join + ";\n";
      out_ += then + ":\n";
      Emit(s.b, brk, cont);
      if (!s.b.empty()) out_ += join + ":\n";
    }
  }
  void EmitLoop(const Stmt &s) {
    std::string head = Label(), next = Label(), done = Label(), n = "%r" + std::to_string(loops_++ % 40 + 10);
    const char *r = s.source == kOfX ? "%r4" : s.source == kOfTid ? "%r2" : "%r3";
    if (s.source == kOfX) out_ += "shr.u32 %r4, %r1, 13;\n";
    out_ += "and.b32 " + n + ", " + std::string(r) + ", 3;\n";
    if (s.top_test) {
      out_ += head + ":\nsetp.eq.s32 %p2, " + n + ", 0;\n@%p2 bra " + done + ";\nadd.s32 " + n + ", " + n + ", -1;\n";
      Emit(s.a, done, next);
      out_ += next + ":\nbra.uni " + head + ";\n";
    } else {
      out_ += head + ":\n";
      Emit(s.a, done, next);
      out_ += next + ":\nsetp.ne.s32 %p2, " + n + ", 0;\nadd.s32 " + n + ", " + n + ", -1;\n@%p2 bra " + head + ";\n";
    }
    out_ += done + ":\n";
  }
  void Emit(const Body &body, const std::string &brk, const std::string &cont) {
    for (const Stmt &s : body) {
      switch (s.kind) {
        case kMix:
          out_ += "shr.u32 %r6, %r1, 7;\nmad.lo.s32 %r7, %r1, 1664525, " + std::to_string(s.k) +
                  ";\nxor.b32 %r1, %r6, %r7;\n";
          break;
        case kIf:
          EmitIf(s, brk, cont);
          break;
        case kLoop:
          EmitLoop(s);
          break;
        case kBreak:
        case kContinue:
        case kReturn:
          Condition(s);
          out_ += "@%p1 bra " + (s.kind == kBreak ? brk : s.kind == kContinue ? cont : std::string("GONE")) + ";\n";
          if (s.kind == kReturn && far_.find("GONE:") == std::string::npos) {
            far_ += s.far ? "GONE:\nret;\n" : "GONE:\nst.global.u32 [%o], %r1;\nret;\n";
          }
          break;
        case kShuffle:
          out_ += "shfl.sync.bfly.b32 %r8, %r1, 5, 31, -1;\nadd.s32 %r1, %r1, %r8;\n";
          break;
        case kBarrier:
          out_ += "bar.sync 0;\n";
          break;
      }
    }
  }
};

/** What is wrong with a seed's program; empty if nothing. */
std::string RunSeed(uint64_t seed, unsigned options, const px::Way &way, std::string *text) {
  Body body = Generator(seed).Make();
  *text = px::Kernel(Writer().Write(body, seed % 2 != 0));
  bool stores = text->find("GONE:\nst.global") != std::string::npos;
  wg_ptx_options_t opt = px::Options(options);
  px::Module m(*text, &opt);
  if (m.status != kWgOk) return "line " + std::to_string(m.diag.line) + ": " + m.diag.msg;
  const uint32_t threads = 64, blocks = 2;
  px::Memory mem(32 * threads * blocks);
  px::Args a;
  a.Add(px::kBase).Add(px::kBase);
  px::Run(m, "k", {blocks}, {threads}, 0, a, &mem, way);
  if (testing::Test::HasFailure()) return "did not run";
  for (uint32_t c = 0; c < blocks; c++) {
    std::vector<Thread> t;
    for (uint32_t i = 0; i < threads; i++) t.push_back({(c * threads + i + 12345) * 40503u, i, c});
    InterpretBlock(body, &t);
    for (uint32_t i = 0; i < threads; i++) {
      uint32_t want = t[i].gone && !stores ? 0 : t[i].x, got = *mem.At<uint32_t>(32 * (c * threads + i));
      if (got != want) return "block " + std::to_string(c) + " thread " + std::to_string(i);
    }
  }
  return "";
}

uint64_t Seeds() {
  const char *n = getenv("WG_FLOW_SEEDS");
  return n != nullptr ? strtoull(n, nullptr, 10) : 150;
}

void RunSeeds(uint64_t first, unsigned options, const px::Way &way = {}) {
  std::string worst, shortest, text;
  for (uint64_t s = first; s < first + Seeds() && !testing::Test::HasFailure(); s++) {
    std::string wrong = RunSeed(s, options, way, &text);
    if (wrong.empty() || (!shortest.empty() && text.size() >= shortest.size())) continue;
    worst = "seed " + std::to_string(s) + ": " + wrong;
    shortest = text;
  }
  EXPECT_TRUE(worst.empty()) << worst << "\n" << shortest;
}

TEST(FlowTest, RandomProgramsScheduled) { RunSeeds(1, 0); }
TEST(FlowTest, RandomProgramsInOrder) { RunSeeds(1000000, 1); }
TEST(FlowTest, RandomProgramsSpilled) { RunSeeds(2000000, 7u << 8); }
TEST(FlowTest, RandomProgramsOfIndependentThreads) {
  px::Way way;
  way.diverge.its = true;
  RunSeeds(3000000, 0, way);
  way.diverge.order = kWgSplitRandom;
  way.diverge.seed = 7;
  RunSeeds(4000000, 0, way);
}

/* A loop of 40 turns that a lane continues in two turns of nine, by two ways, and leaves in the middle of turn `lane % 8 + 30`,
   also two levels deep, for two places. Lanes that once parted and met only behind the loop would issue it 32 times over. */
TEST(FlowTest, LanesOfALoopMeetInEachTurn) {
  px::Module m(px::Kernel("mov.u32 %r1, %tid.x;\nand.b32 %r9, %r1, 7;\nadd.s32 %r9, %r9, 30;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
                          "TURN:\nadd.s32 %r4, %r1, %r2;\nrem.u32 %r4, %r4, 9;\n"
                          "setp.eq.s32 %p1, %r4, 3;\n@%p1 bra NEXT;\nadd.s32 %r3, %r3, 1;\n"
                          "setp.eq.s32 %p2, %r4, 5;\n@%p2 bra NEXT;\nadd.s32 %r3, %r3, 100;\n"
                          "setp.lt.s32 %p3, %r2, %r9;\n@%p3 bra STAY;\nand.b32 %r5, %r1, 1;\nsetp.eq.s32 %p4, %r5, 0;\n"
                          "@%p4 bra DONE;\nadd.s32 %r3, %r3, 7;\nbra ODD;\n"
                          "STAY:\nadd.s32 %r3, %r3, 10000;\n"
                          "NEXT:\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p5, %r2, 40;\n@%p5 bra TURN;\nbra DONE;\n"
                          "ODD:\nadd.s32 %r3, %r3, 1000000;\n"
                          "DONE:\nst.global.u32 [%o], %r3;\n"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  px::Way way[2];
  way[1].diverge.its = true;
  for (const px::Way &w : way) {
    px::Memory mem(32 * 32);
    px::Args a;
    a.Add(px::kBase).Add(px::kBase);
    wg_ref_totals_t t = px::Run(m, "k", {1}, {32}, 0, a, &mem, w);
    for (uint32_t l = 0; l < 32; l++) {
      uint32_t want = 0, last = l % 8 + 30;
      for (uint32_t k = 0; k < 40; k++) {
        uint32_t r = (l + k) % 9;
        if (r == 3) continue;
        want += 1;
        if (r == 5) continue;
        want += 100;
        if (k >= last) {
          want += l % 2 != 0 ? 1000007 : 0;
          break;
        }
        want += 10000;
      }
      EXPECT_EQ(*mem.At<uint32_t>(32 * l), want) << "lane " << l << " its " << w.diverge.its;
    }
    EXPECT_LT(t.warp_insts, 40u * 60u) << "its " << w.diverge.its;
  }
}

} // namespace
