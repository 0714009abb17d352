// SPDX-License-Identifier: Apache-2.0
//
// Calls by the convention: random modules of functions that call each other, themselves and through tables, compared with
// an interpretation of each thread, in both divergence modes; and single properties.
#include <map>
#include <random>

#include "isa/wg_isa.h"
#include "testbench/unit/ptx/px_run.h"

namespace {

/** Two signatures: narrow (3 words to 1), wide (a double word, 15 words, a double word to 40 bytes): partly on the stack. */
enum { kWideArgs = 19, kWideResults = 10, kVars = 24 };

enum Kind { kMix, kIf, kCall, kLoop };
struct Stmt {
  Kind kind;
  int a = 0, b = 0, d = 0; /* variables */
  uint32_t k = 0;
  int callee = -1; /* a function, or -1: the table entry that variable a chooses */
  bool wide = false;
  std::vector<Stmt> then = {}, other = {};
};
struct Func {
  bool wide = false, noinline = false;
  std::vector<Stmt> body;
};

/** Functions may call those behind them in the list, and earlier ones if their depth, variable 0, allows it. */
struct Program {
  std::vector<Func> f;
  std::vector<Stmt> main;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : rng_(seed) {}
  Program Make() {
    Program p;
    count_ = 3 + Below(5);
    for (int i = 0; i < count_; i++) p.f.push_back({i % 2 == 1, Below(2) == 0, {}});
    for (int i = 0; i < count_; i++) p.f[size_t(i)].body = Block(2, true);
    p.main = Block(2, false);
    return p;
  }

 private:
  std::mt19937_64 rng_;
  int count_ = 0;
  int Below(int n) { return int(rng_() % uint64_t(n)); }
  int Var() { return 1 + Below(kVars - 1); }
  std::vector<Stmt> Block(int depth, bool in_func) {
    std::vector<Stmt> b;
    for (int i = 2 + Below(4); i > 0; i--) {
      int r = Below(10);
      if (r < 4 || depth == 0) {
        b.push_back({kMix, Var(), Var(), Var(), uint32_t(rng_())});
      } else if (r < 6) {
        Stmt s{kIf, Var()};
        s.k = uint32_t(Below(8));
        s.then = Block(depth - 1, in_func);
        if (Below(2)) s.other = Block(depth - 1, in_func);
        b.push_back(s);
      } else if (r < 7) {
        Stmt s{kLoop, Var()};
        s.then = Block(depth - 1, in_func);
        b.push_back(s);
      } else {
        Stmt s{kCall, Var(), Var(), Var(), uint32_t(rng_())};
        s.callee = Below(3) == 0 ? -1 : Below(count_);
        s.wide = s.callee < 0 ? Below(2) == 1 : s.callee % 2 == 1;
        b.push_back(s);
      }
    }
    return b;
  }
};

/** What a thread does. Variable 0 is the depth of calls left; a call with none left does nothing. */
struct Interpreter {
  const Program &p;
  using Vars = std::vector<uint32_t>;
  void Block(const std::vector<Stmt> &b, Vars &v) const {
    for (const Stmt &s : b) {
      switch (s.kind) {
        case kMix: v[size_t(s.d)] = (v[size_t(s.a)] + s.k) ^ (v[size_t(s.b)] * 0x9e3779b1u); break;
        case kIf: Block(v[size_t(s.a)] >> s.k & 1u ? s.then : s.other, v); break;
        case kLoop:
          for (uint32_t n = v[size_t(s.a)] & 3u; n > 0; n--) Block(s.then, v);
          break;
        case kCall: Call(s, v); break;
      }
    }
  }
  void Call(const Stmt &s, Vars &v) const {
    if (v[0] == 0) return;
    int callee = s.callee >= 0 ? s.callee : 2 * int(v[size_t(s.a)] & 1u) + (s.wide ? 1 : 0);
    if (callee >= int(p.f.size())) callee = s.wide ? 1 : 0;
    Vars in(kVars);
    in[0] = v[0] - 1;
    for (int i = 1; i < (s.wide ? int(kWideArgs) : 3); i++) in[size_t(i)] = v[size_t((s.b + i) % (kVars - 1) + 1)] + s.k;
    Block(p.f[size_t(callee)].body, in);
    for (int i = 0; i < (s.wide ? int(kWideResults) : 1); i++) v[size_t((s.d + i) % (kVars - 1) + 1)] = in[size_t(kVars - 1 - i)];
  }
};

/** The same as PTX. */
struct Writer {
  std::string out;
  int labels = 0;
  int count = 0;
  void Line(const std::string &s) { out += s + "\n"; }
  static std::string V(int i) { return "%v" + std::to_string(i); }
  void Block(const std::vector<Stmt> &b) {
    for (const Stmt &s : b) {
      std::string l = std::to_string(labels++);
      switch (s.kind) {
        case kMix:
          Line("add.u32 %t0, " + V(s.a) + ", " + std::to_string(s.k) + ";\nmul.lo.u32 %t1, " + V(s.b) + ", 0x9e3779b1;");
          Line("xor.b32 " + V(s.d) + ", %t0, %t1;");
          break;
        case kIf:
          Line("shr.u32 %t0, " + V(s.a) + ", " + std::to_string(s.k) + ";\nand.b32 %t0, %t0, 1;\nsetp.eq.u32 %p0, %t0, 0;");
          Line("@%p0 bra E" + l + ";");
          Block(s.then);
          Line("bra.uni D" + l + ";\nE" + l + ":");
          Block(s.other);
          Line("D" + l + ":");
          break;
        case kLoop:
          Line("{\n.reg .b32 %n;\nand.b32 %n, " + V(s.a) + ", 3;\nT" + l + ":\nsetp.eq.u32 %p0, %n, 0;\n@%p0 bra X" + l + ";");
          Block(s.then);
          Line("sub.u32 %n, %n, 1;\nbra T" + l + ";\nX" + l + ":\n}");
          break;
        case kCall: Call(s, l); break;
      }
    }
  }
  void Call(const Stmt &s, const std::string &l) {
    Line("setp.eq.u32 %p0, %v0, 0;\n@%p0 bra C" + l + ";\n{\nsub.u32 %t0, %v0, 1;");
    auto from = [&](int i) { return V((s.b + i) % (kVars - 1) + 1); };
    std::string args, k = std::to_string(s.k), proto;
    if (s.wide) {
      Line(".param .b64 q0;\nadd.u32 %t1, " + from(1) + ", " + k + ";\nst.param.v2.b32 [q0], {%t0, %t1};");
      args = "q0";
      for (int i = 2; i < 17; i++) {
        Line(".param .b32 q" + std::to_string(i) + ";\nadd.u32 %t1, " + from(i) + ", " + k + ";\nst.param.b32 [q" +
             std::to_string(i) + "], %t1;");
        args += ", q" + std::to_string(i);
      }
      Line(".param .b64 q17;\nadd.u32 %t0, " + from(17) + ", " + k + ";\nadd.u32 %t1, " + from(18) + ", " + k +
           ";\nst.param.v2.b32 [q17], {%t0, %t1};\n.param .align 8 .b8 z[40];");
      args += ", q17";
    } else {
      for (int i = 0; i < 3; i++) {
        std::string q = "q" + std::to_string(i);
        if (i > 0) Line("add.u32 %t0, " + from(i) + ", " + k + ";");
        Line(".param .b32 " + q + ";\nst.param.b32 [" + q + "], %t0;");
        args += (i > 0 ? ", " : "") + q;
      }
      Line(".param .b32 z;");
    }
    if (s.callee >= 0) {
      Line("call.uni (z), f" + std::to_string(s.callee) + ", (" + args + ");");
    } else {
      Line("and.b32 %t0, " + V(s.a) + ", 1;\nmul.wide.u32 %a, %t0, 8;\nmov.u64 %b, " + (s.wide ? "wides" : "narrows") +
           ";\nadd.s64 %a, %a, %b;\nld.global.u64 %a, [%a];");
      Line("P" + l + ": .callprototype ()_();\ncall (z), %a, (" + args + "), P" + l + ";");
    }
    for (int i = 0; i < (s.wide ? int(kWideResults) : 1); i++) {
      Line("ld.param.b32 " + V((s.d + i) % (kVars - 1) + 1) + ", [z+" + std::to_string(4 * i) + "];");
    }
    Line("}\nC" + l + ":");
  }
  void Head() {
    Line(".reg .b32 %v<" + std::to_string(int(kVars)) + ">;\n.reg .b32 %t<2>;\n.reg .pred %p<1>;\n.reg .b64 %a, %b;");
  }
  std::string Signature(int i, bool wide, bool noinline) {
    std::string s = ".func (.param .align 8 .b8 z[" + std::string(wide ? "40" : "4") + "]) f" + std::to_string(i) + "(";
    if (wide) {
      s += ".param .b64 a0";
      for (int k = 2; k < 17; k++) s += ", .param .b32 a" + std::to_string(k);
      s += ", .param .b64 a17";
    } else {
      s += ".param .b32 a0, .param .b32 a1, .param .b32 a2";
    }
    return s + ")" + (noinline ? " .noinline" : "");
  }
  std::string Make(const Program &p) {
    count = int(p.f.size());
    Line(".version 6.4\n.target sm_70\n.address_size 64");
    for (int i = 0; i < count; i++) Line(Signature(i, p.f[size_t(i)].wide, false) + ";");
    auto pick = [&](int i) { return "f" + std::to_string(i < count ? i : i % 2); };
    Line(".global .align 8 .u64 narrows[2] = {" + pick(0) + ", " + pick(2) + "};");
    Line(".global .align 8 .u64 wides[2] = {" + pick(1) + ", " + pick(3) + "};");
    for (int i = 0; i < count; i++) {
      const Func &f = p.f[size_t(i)];
      Line(Signature(i, f.wide, f.noinline) + "\n{");
      Head();
      for (int k = 0; k < int(kVars); k++) Line("mov.u32 " + V(k) + ", 0;");
      if (f.wide) {
        Line("ld.param.v2.b32 {%v0, %v1}, [a0];");
        for (int k = 2; k < 17; k++) Line("ld.param.b32 " + V(k) + ", [a" + std::to_string(k) + "];");
        Line("ld.param.v2.b32 {%v17, %v18}, [a17];");
      } else {
        Line("ld.param.b32 %v0, [a0];\nld.param.b32 %v1, [a1];\nld.param.b32 %v2, [a2];");
      }
      Block(f.body);
      for (int k = 0; k < (f.wide ? int(kWideResults) : 1); k++) {
        Line("st.param.b32 [z+" + std::to_string(4 * k) + "], " + V(kVars - 1 - k) + ";");
      }
      Line("ret;\n}");
    }
    Line(".visible .entry k(.param .u64 k_out)\n{\n.reg .b32 %tid, %d;\n.reg .b64 %o, %w;");
    Head();
    Line("ld.param.u64 %o, [k_out];\nmov.u32 %tid, %tid.x;\nmov.u32 %v0, 3;");
    for (int k = 1; k < int(kVars); k++) Line("mad.lo.u32 " + V(k) + ", %tid, " + std::to_string(2 * k + 1) + ", " + std::to_string(k * k) + ";");
    Block(p.main);
    Line("mul.wide.u32 %w, %tid, " + std::to_string(4 * kVars) + ";\nadd.s64 %o, %o, %w;");
    for (int k = 0; k < int(kVars); k++) Line("st.global.u32 [%o+" + std::to_string(4 * k) + "], " + V(k) + ";");
    /* all lanes are together again: a lane that is not reads as 0 */
    Line("add.u32 %d, %tid, 100;\nshfl.sync.bfly.b32 %d, %d, 1, 31, -1;\nst.global.u32 [%o], %d;\nret;\n}");
    return out;
  }
};

std::vector<px::Way> Ways() {
  std::vector<px::Way> w(3);
  for (px::Way &x : w) x.stack = 16384;
  w[1].diverge.its = true;
  w[2].diverge.its = true;
  w[2].diverge.order = kWgSplitRandom;
  w[2].diverge.seed = 99;
  return w;
}

void Check(uint64_t seed, unsigned options) {
  Program p = Generator(seed).Make();
  wg_ptx_options_t opt = px::Options(options);
  std::string text = Writer().Make(p);
  px::Module m(text, &opt);
  ASSERT_EQ(m.status, kWgOk) << "seed " << seed << ": " << m.diag.line << ": " << m.diag.msg;
  enum { kThreads = 40 };
  std::vector<Interpreter::Vars> want;
  for (uint32_t t = 0; t < kThreads; t++) {
    Interpreter::Vars v(kVars);
    v[0] = 3;
    for (uint32_t k = 1; k < kVars; k++) v[k] = t * (2 * k + 1) + k * k;
    Interpreter{p}.Block(p.main, v);
    bool partner = (t ^ 1u) < kThreads;
    v[0] = 100 + (partner ? t ^ 1u : t);
    want.push_back(v);
  }
  for (const px::Way &way : Ways()) {
    px::Memory mem(kThreads * kVars * 4);
    px::Args a;
    a.Add(px::kBase);
    px::Run(m, "k", {1}, {kThreads}, 0, a, &mem, way);
    for (uint32_t t = 0; t < kThreads; t++) {
      for (uint32_t k = 0; k < kVars; k++) {
        ASSERT_EQ(*mem.At<uint32_t>(4 * (t * kVars + k)), want[t][k])
            << "seed " << seed << " options " << options << " its " << way.diverge.its << " order " << int(way.diverge.order)
            << " thread " << t << " variable " << k;
      }
    }
  }
}

/** WG_ABI_SEEDS=n: modules 1 to n. */
TEST(AbiTest, RandomModulesOfFunctions) {
  const char *n = getenv("WG_ABI_SEEDS");
  uint64_t last = n != nullptr ? strtoull(n, nullptr, 10) : 12;
  for (uint64_t seed = 1; seed <= last; seed++) {
    Check(seed, seed % 4 == 3 ? 1 : 0);
    if (seed % 3 == 0) Check(seed, 33u << 8);
    if (HasFatalFailure()) return;
  }
}

/* ---- single properties ---- */

const char kHead[] = ".version 6.4\n.target sm_70\n.address_size 64\n";

std::string Entry(const std::string &body, const std::string &vars = "") {
  return ".visible .entry k(.param .u64 k_out)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<40>;\n.reg .b64 %d<20>, %o;\n" + vars +
         "ld.param.u64 %o, [k_out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d1, %r1, 4;\nadd.s64 %o, %o, %d1;\n" + body +
         "\nret;\n}\n";
}

std::string CallOf(const std::string &callee, const std::string &arg, const std::string &result) {
  return "{\n.param .b32 p0;\n.param .b32 r0;\nst.param.b32 [p0], " + arg + ";\nPR: .callprototype (.param .b32 _) _ (.param .b32 _);\n" +
         "call (r0), " + callee + ", (p0)" + (callee[0] == '%' ? ", PR" : "") + ";\nld.param.b32 " + result + ", [r0];\n}\n";
}

std::string FuncOf(const std::string &name, const std::string &body, const std::string &vars = "") {
  return ".func (.param .b32 z) " + name + "(.param .b32 a)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<40>;\n.reg .b64 %d<20>;\n" + vars +
         "ld.param.b32 %r1, [a];\n" + body + "st.param.b32 [z], %r2;\nret;\n}\n";
}

/** One word a thread; `way.fault`, if set, is filled. */
std::vector<uint32_t> RunText(const std::string &text, uint32_t threads, const px::Way &way = {}, uint32_t dyn = 0) {
  px::Module m(text);
  EXPECT_EQ(m.status, kWgOk) << m.diag.line << ": " << m.diag.msg;
  px::Memory mem(4 * threads);
  px::Args a;
  a.Add(px::kBase);
  if (m.status == kWgOk) px::Run(m, "k", {1}, {threads}, dyn, a, &mem, way);
  return {mem.At<uint32_t>(0), mem.At<uint32_t>(0) + threads};
}

const wg_obj_kernel_t *Find(const px::Module &m, const char *name) {
  for (size_t k = 0; m.obj != nullptr && k < m.obj->num_kernels; k++) {
    if (strcmp(m.obj->kernels[k].name, name) == 0) return &m.obj->kernels[k];
  }
  return nullptr;
}

unsigned Count(const wg_obj_kernel_t *k, uint8_t op) {
  unsigned n = 0;
  for (uint32_t i = 0; i < k->num_insns; i++) {
    wg_insn_t in;
    n += wg_decode(k->code[i], &in) == kWgOk && in.op == op;
  }
  return n;
}

/* sum 1..n by recursion */
const char kDown[] = "setp.eq.u32 %p1, %r1, 0;\nmov.u32 %r2, 0;\n@%p1 bra END;\nsub.u32 %r3, %r1, 1;\n";
std::string SumFunc() { return FuncOf("sum", kDown + CallOf("sum", "%r3", "%r4") + "add.u32 %r2, %r1, %r4;\nEND:\n"); }

/* The result of a call lies in the register of the next call's argument, which waits for nothing: it must not go there first. */
TEST(AbiTest, AResultIsReadBeforeTheNextArgumentIsWritten) {
  std::string text = ".version 8.0\n.target sm_70\n.address_size 64\n.func (.param .b32 z) f(.param .b32 a) .noinline\n{\n.reg .b32 %r<9>;\n"
                     "ld.param.b32 %r1, [a];\nadd.u32 %r1, %r1, 1;\nst.param.b32 [z], %r1;\nret;\n}\n" +
                     Entry(CallOf("f", "5", "%r2") + "mul.lo.u32 %r4, %r2, 100;\nadd.u32 %r4, %r4, %r1;\n" + CallOf("f", "7", "%r3") +
                           "add.u32 %r4, %r4, %r3;\nst.global.u32 [%o], %r4;\n");
  auto out = RunText(text, 3);
  for (uint32_t i = 0; i < 3; i++) EXPECT_EQ(out[i], 608 + i);
}

/* Split orders of independent thread scheduling. */
std::vector<px::Way> ItsWays() {
  std::vector<px::Way> w(3);
  for (px::Way &x : w) x.diverge.its = true;
  w[1].diverge.order = kWgSplitAlternate;
  w[2].diverge.order = kWgSplitRandom;
  w[2].diverge.seed = 5;
  return w;
}

std::string NoInline(const std::string &name, const std::string &body) {
  return "\n.func (.param .b32 z) " + name + "(.param .b32 a) .noinline\n{\n.reg .pred %p<9>;\n.reg .b32 %r<40>;\n.reg .b64 %d<9>;\n"
         "ld.param.b32 %r1, [a];\n" + body + "st.param.b32 [z], %r2;\nret;\n}\n";
}

const char kFlagHead[] = ".version 8.0\n.target sm_70\n.address_size 64\n.global .align 4 .u32 flag;\n";

/* Lanes 0 to 15 wait for a flag; the others set it and then call a function that has barriers of its own. The first ones go
   on, leave the barrier at the join, and come to the block's barrier, where they wait for all: the others must not wait for
   them at the join, whatever mask they had before the call. */
TEST(AbiTest, ACallDoesNotBringBackLanesThatLeft) {
  std::string f = NoInline("f", "mov.u32 %r2, 0;\nT:\nadd.u32 %r2, %r2, %r1;\nadd.u32 %r2, %r2, 1;\nsub.u32 %r1, %r1, 1;\n"
                                "setp.gt.s32 %p1, %r1, 0;\n@%p1 bra T;\n");
  std::string text = kFlagHead + f +
                     Entry("setp.lt.u32 %p1, %r1, 16;\n@!%p1 bra OTHER;\n"
                           "WAIT:\nld.volatile.global.u32 %r2, [flag];\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 bra WAIT;\n"
                           "mov.u32 %r5, 7;\nbra JOIN;\nOTHER:\n" + CallOf("f", "%r1", "%r5") +
                           "st.volatile.global.u32 [flag], 1;\n" + CallOf("f", "%r1", "%r6") +
                           "add.u32 %r5, %r5, %r6;\nJOIN:\nbar.sync 0;\nst.global.u32 [%o], %r5;\n");
  for (const px::Way &w : ItsWays()) {
    auto out = RunText(text, 32, w);
    for (uint32_t i = 0; i < 32; i++) {
      uint32_t sum = 0;
      for (uint32_t k = i; k > 0; k--) sum += k + 1;
      EXPECT_EQ(out[i], i < 16 ? 7 : 2 * sum) << i << " order " << int(w.diverge.order);
    }
  }
}

/* Lanes 0 to 15 wait by calling a function that looks at a flag, which the others set behind the join of both. */
TEST(AbiTest, ALoopThatWaitsByCallingLeavesItsBarriers) {
  std::string text = kFlagHead + NoInline("look", "ld.volatile.global.u32 %r2, [flag];\nadd.u32 %r2, %r2, %r1;\n") +
                     Entry("mov.u32 %r5, 3;\nsetp.lt.u32 %p1, %r1, 16;\n@!%p1 bra JOIN;\n"
                           "WAIT:\n" + CallOf("look", "0", "%r2") + "setp.eq.u32 %p2, %r2, 0;\n@%p2 bra WAIT;\n"
                           "mov.u32 %r5, 7;\nJOIN:\nadd.u32 %r5, %r5, 1;\n@%p1 bra END;\nst.volatile.global.u32 [flag], 1;\n"
                           "END:\nst.global.u32 [%o], %r5;\n");
  for (const px::Way &w : ItsWays()) {
    auto out = RunText(text, 32, w);
    for (uint32_t i = 0; i < 32; i++) EXPECT_EQ(out[i], i < 16 ? 8u : 4u) << i << " order " << int(w.diverge.order);
  }
  px::Module m(text);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(Count(Find(m, "k"), kWgOp_YIELD), 1u);
}

TEST(AbiTest, StackThatIsTooSmallFaults) {
  std::string text = kHead + SumFunc() + Entry(CallOf("sum", "%r1", "%r2") + "st.global.u32 [%o], %r2;");
  px::Module m(text);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_TRUE(Find(m, "k")->uses_stack);
  EXPECT_TRUE(Find(m, "sum")->is_func);
  EXPECT_EQ(wg_obj_find(m.obj, "sum", nullptr), nullptr); /* it cannot be launched */
  wg_fault_t fault = {};
  px::Way way;
  way.diverge.its = true; /* the SIMT stack would be full before */
  auto out = RunText(text, 24, way);
  for (uint32_t i = 0; i < 24; i++) EXPECT_EQ(out[i], i * (i + 1) / 2) << i;
  way.stack = 128;
  way.fault = &fault;
  RunText(text, 24, way);
  EXPECT_EQ(fault.code, kWgFaultStackError);
  EXPECT_GE(fault.addr, 0xffffff00u); /* below the bottom of the stack */
}

TEST(AbiTest, SmallFunctionsArePutInAndLargeOnesCalled) {
  std::string small = FuncOf("small", "add.u32 %r2, %r1, 5;\n"), body = "mov.u32 %r2, %r1;\n";
  for (int i = 0; i < 80; i++) body += "mad.lo.u32 %r2, %r2, %r1, " + std::to_string(i) + ";\n";
  std::string text = kHead + small + FuncOf("large", body) + ".func (.param .b32 z) never(.param .b32 a) .noinline\n{\n.reg .b32 %r<2>;\n"
                     "ld.param.b32 %r1, [a];\nst.param.b32 [z], %r1;\nret;\n}\n" +
                     Entry(CallOf("small", "%r1", "%r2") + CallOf("large", "%r2", "%r3") + CallOf("large", "%r3", "%r4") +
                           CallOf("never", "%r4", "%r5") + "st.global.u32 [%o], %r5;");
  px::Module m(text);
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  EXPECT_EQ(Find(m, "small"), nullptr);
  ASSERT_NE(Find(m, "large"), nullptr);
  ASSERT_NE(Find(m, "never"), nullptr);
  EXPECT_EQ(Count(Find(m, "k"), kWgOp_CALL), 3u);
  EXPECT_EQ(Count(Find(m, "large"), kWgOp_RET), 1u);
  EXPECT_EQ(Find(m, "k")->local_bytes, 0u);
  EXPECT_FALSE(Find(m, "k")->uses_stack);
  auto out = RunText(text, 32);
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t v = i + 5;
    for (int c = 0; c < 2; c++) {
      uint32_t x = v;
      for (uint32_t k = 0; k < 80; k++) v = v * x + k;
    }
    EXPECT_EQ(out[i], v) << i;
  }
}

TEST(AbiTest, AddressesInInitialValues) {
  std::string text = std::string(kHead) + ".func (.param .b32 z) one(.param .b32 a);\n.global .align 4 .u32 word[3] = {7, 8, 9};\n"
                     ".const .align 4 .u32 cword[2] = {20, 21};\n"
                     ".global .align 8 .u64 table[4] = {one, generic(word)+8, generic(cword)+4, 5};\n"
                     ".const .align 8 .u64 ctable[2] = {word, one};\n"
                     ".global .align 1 .b8 packed[9] = {1, 0xFF(word), 0xFF00(word), 0xFF0000(word), 0xFF000000(word), "
                     "0xFF00000000(word), 0xFF0000000000(word), 0xFF000000000000(word), 0xFF00000000000000(word)};\n" +
                     FuncOf("one", "add.u32 %r2, %r1, 1;\n") +
                     Entry("ld.global.u64 %d2, [table];\n" + CallOf("%d2", "%r1", "%r2") +
                           "ld.global.u64 %d3, [table+8];\nld.u32 %r3, [%d3];\nadd.u32 %r2, %r2, %r3;\n"
                           "ld.global.u64 %d3, [table+16];\nld.u32 %r3, [%d3];\nadd.u32 %r2, %r2, %r3;\n"
                           "ld.const.u64 %d3, [ctable];\nld.global.u32 %r3, [%d3+4];\nadd.u32 %r2, %r2, %r3;\n"
                           "ld.const.u64 %d4, [ctable+8];\nsetp.eq.u64 %p1, %d4, %d2;\nselp.u32 %r3, 1000, 0, %p1;\n"
                           "add.u32 %r2, %r2, %r3;\nmov.u64 %d5, 0;\n"
                           "mov.u64 %d6, packed;\nmov.u32 %r5, 8;\nL:\ncvt.u64.u32 %d7, %r5;\nadd.s64 %d7, %d6, %d7;\n"
                           "ld.global.u8 %r6, [%d7];\ncvt.u64.u32 %d8, %r6;\nshl.b64 %d5, %d5, 8;\nor.b64 %d5, %d5, %d8;\n"
                           "sub.u32 %r5, %r5, 1;\nsetp.ne.u32 %p2, %r5, 0;\n@%p2 bra L;\n"
                           "ld.global.u32 %r3, [%d5+8];\nadd.u32 %r2, %r2, %r3;\nst.global.u32 [%o], %r2;");
  auto out = RunText(text, 32);
  for (uint32_t i = 0; i < 32; i++) EXPECT_EQ(out[i], i + 1 + 9 + 21 + 8 + 1000 + 9) << i;
  /* and through a file */
  px::Module m(text);
  uint8_t *bytes = nullptr;
  size_t n = 0;
  wg_obj_t *back = nullptr;
  wg_diag_t d = {};
  ASSERT_EQ(wg_obj_to_memory(m.obj, &bytes, &n, &d), kWgOk) << d.msg;
  ASSERT_EQ(wg_obj_from_memory(bytes, n, "x", &back, &d), kWgOk) << d.msg;
  ASSERT_EQ(back->num_relocs, m.obj->num_relocs);
  EXPECT_EQ(m.obj->num_relocs, 11u);
  for (size_t i = 0; i < back->num_relocs; i++) {
    EXPECT_EQ(back->relocs[i].offset, m.obj->relocs[i].offset);
    EXPECT_EQ(back->relocs[i].addend, m.obj->relocs[i].addend);
    EXPECT_EQ(back->relocs[i].shift, m.obj->relocs[i].shift);
  }
  wg_obj_free(back);
  free(bytes);
}

TEST(AbiTest, RefusesAddressesThatItCannotHold) {
  const std::pair<const char *, const char *> kCases[] = {
      {".global .u32 x = y;", "expected the address of a function or of a global or constant variable"},
      {".global .u32 y;\n.global .u32 x = y;", "initial value of 'x' holds an address in 32 bits"},
      {".shared .u32 y;\n.global .u64 x = y;", "expected the address of a function"},
      {".global .u64 y;\n.global .b8 x[2] = {0xF0(y), 1};", "expected ',' or '}'"},
      {".global .u64 y;\n.global .u64 x[1] = {y, y};", "too many initial values"}};
  for (const auto &c : kCases) {
    px::Module m(kHead + std::string(c.first) + Entry(""));
    EXPECT_NE(m.status, kWgOk) << c.first;
    EXPECT_NE(strstr(m.diag.msg, c.second), nullptr) << c.first << ": " << m.diag.msg;
  }
}

/* The same static and dynamic arrays in a called function and in kernels with variables of their own. */
TEST(AbiTest, SharedVariablesOfCalledFunctions) {
  std::string text = std::string(kHead) + ".extern .shared .align 16 .b8 dyn[];\n.shared .align 4 .u32 mine[32];\n" +
                     FuncOf("swap", "mov.u32 %r3, %tid.x;\nshl.b32 %r4, %r3, 2;\nmov.u32 %r5, mine;\nadd.u32 %r6, %r5, %r4;\n"
                                    "st.shared.u32 [%r6], %r1;\nmov.u32 %r7, dyn;\nadd.u32 %r8, %r7, %r4;\nst.shared.u32 [%r8], %r3;\n"
                                    "bar.sync 0;\nxor.b32 %r9, %r4, 4;\nadd.u32 %r10, %r5, %r9;\nld.shared.u32 %r2, [%r10];\n"
                                    "add.u32 %r11, %r7, %r9;\nld.shared.u32 %r12, [%r11];\nmad.lo.u32 %r2, %r12, 1000, %r2;\n") +
                     ".global .u64 f = swap;\n" +
                     Entry("mov.u32 %r2, own;\nmad.lo.u32 %r3, %r1, 4, %r2;\nst.shared.u32 [%r3], %r1;\nadd.u32 %r4, %r1, 50;\n" +
                               CallOf("swap", "%r4", "%r5") +
                               "bar.sync 0;\nxor.b32 %r6, %r3, 8;\nld.shared.u32 %r7, [%r6];\nld.shared.u32 %r8, [dyn+12];\n"
                               "mad.lo.u32 %r5, %r7, 100000, %r5;\nmad.lo.u32 %r5, %r8, 10000000, %r5;\nst.global.u32 [%o], %r5;",
                           ".shared .align 64 .u32 own[32];\n");
  auto out = RunText(text, 32, {}, 128);
  for (uint32_t i = 0; i < 32; i++) EXPECT_EQ(out[i], (i ^ 1) + 50 + 1000 * (i ^ 1) + 100000 * (i ^ 2) + 30000000u) << i;
}

/* Arrays of several activations of one function, by their generic addresses; predicates and many values across calls. */
TEST(AbiTest, LocalArraysOfEachActivation) {
  std::string text = std::string(kHead) +
                     FuncOf("walk", "mov.u64 %d1, arr;\ncvta.local.u64 %d2, %d1;\nst.u32 [%d2], %r1;\nst.local.u32 [arr+4], 3;\n"
                                    "setp.lt.u32 %p1, %r1, 2;\nmov.u32 %r2, 1;\n@%p1 bra END;\nand.b32 %r9, %r1, 1;\n"
                                    "setp.eq.u32 %p2, %r9, 0;\nsub.u32 %r3, %r1, 1;\n" +
                                        CallOf("walk", "%r3", "%r4") + "sub.u32 %r3, %r1, 2;\n" + CallOf("walk", "%r3", "%r5") +
                                        "add.u32 %r2, %r4, %r5;\nld.local.u32 %r6, [arr];\nld.u32 %r7, [%d2+4];\n"
                                        "@%p2 mad.lo.u32 %r2, %r6, %r7, %r2;\nEND:\n",
                            ".local .align 8 .b8 arr[8];\n") +
                     Entry("and.b32 %r2, %r1, 7;\n" + CallOf("walk", "%r2", "%r3") + "st.global.u32 [%o], %r3;");
  std::map<uint32_t, uint32_t> want;
  for (uint32_t n = 0; n < 8; n++) want[n] = n < 2 ? 1 : want[n - 1] + want[n - 2] + (n % 2 == 0 ? 3 * n : 0);
  for (const px::Way &w : Ways()) {
    auto out = RunText(text, 32, w);
    for (uint32_t i = 0; i < 32; i++) EXPECT_EQ(out[i], want[i % 8]) << i;
  }
}

}  // namespace
