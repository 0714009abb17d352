// SPDX-License-Identifier: Apache-2.0
//
// PTX instructions against results recorded on a GPU (testbench/silicon/ops, columns = instructions, rows = operands,
// hex): each column is compiled as a kernel of its own and run on the golden model. None may be refused.
#include <map>
#include <set>

#include "testbench/silicon/table.h"
#include "testbench/unit/ptx/px_run.h"

namespace {

std::vector<std::string> Split(const std::string &s, char sep) {
  std::vector<std::string> v;
  std::stringstream in(s);
  for (std::string f; std::getline(in, f, sep);) v.push_back(f);
  return v;
}

/** Bits of a register that holds a value of this PTX type. */
int Bits(const std::string &type) {
  static const std::map<std::string, int> special = {
      {"bf16", 16}, {"f16x2", 32}, {"bf16x2", 32}, {"tf32", 32}, {"e4m3x2", 16}, {"e5m2x2", 16}};
  auto it = special.find(type);
  int bits = it != special.end() ? it->second : std::stoi(type.substr(1));
  return bits == 8 ? 16 : bits;
}

/** Register `n` for a type. The kernel of px_run.h has %h (16), %r (32), %d (64 bits). */
std::string Register(const std::string &type, int n) {
  int b = Bits(type);
  return (b == 64 ? "%d" : b == 16 ? "%h" : "%r") + std::to_string(n);
}

/** An instruction's operand types: destination ("pred" too), then sources. */
std::vector<std::string> Types(const std::vector<std::string> &part, int inputs) {
  std::string op = part[0], last = part.back(), before = part.size() > 2 ? part[part.size() - 2] : "";
  bool wide = std::find(part.begin(), part.end(), "wide") != part.end();
  if (op == "cvt") {
    bool packed = before.find("x2") != std::string::npos;
    return packed ? std::vector<std::string>{before, last, last} : std::vector<std::string>{before, last};
  }
  if (op == "setp") return {"pred", last, last};
  if (op == "testp") return {"pred", last};
  if (op == "set") return {before, last, last};
  if (op == "slct") return {before, before, before, last};
  if (op == "popc" || op == "clz" || op == "bfind") return {"b32", last};
  if (op == "shl" || op == "shr") return {last, last, "u32"};
  if (op == "bfe") return {last, last, "u32", "u32"};
  if (op == "prmt" || op == "shf" || op == "lop3" || op.substr(0, 2) == "dp" || op[0] == 'v') {
    return {"b32", "b32", "b32", "b32"};
  }
  std::string twice = last == "u16" || last == "s16" ? "u32" : "u64";
  if (wide && op == "mad") return {twice, last, last, twice};
  if (wide) return {twice, last, last};
  static const std::set<std::string> unary = {"neg", "abs", "not", "cnot", "brev", "rcp", "sqrt", "rsqrt", "sin",
                                              "cos", "ex2", "lg2", "tanh"};
  static const std::set<std::string> binary = {"add", "sub", "mul", "min", "max"};
  if (unary.count(op)) inputs = 1;
  if (binary.count(op) && inputs > 2) inputs = 2; /* the tables of pairs have three inputs throughout */
  return std::vector<std::string>(size_t(inputs) + 1, last);
}

/** What the recording programs do beside one instruction; empty: nothing. Inputs in %r1.. or %d1.., result in %d20. */
std::string Special(const std::string &column) {
  static const std::map<std::string, std::string> table = {
      {"add.cc.u32+addc.u32",
       "add.cc.u32 %r20, %r1, %r2;\naddc.u32 %r21, 0xffffffff, 0;\nmov.b64 %d20, {%r20, %r21};\n"},
      {"sub.cc.u32+subc.u32", "sub.cc.u32 %r20, %r1, %r2;\nsubc.u32 %r21, 0, 0;\nmov.b64 %d20, {%r20, %r21};\n"},
      {"sub.cc.u32+subc.cc.u32+subc.u32",
       "sub.cc.u32 %r20, 0, %r1;\nsubc.cc.u32 %r21, %r2, 0;\nsubc.u32 %r22, 0, 0;\nxor.b32 %r20, %r20, %r22;\n"
       "mov.b64 %d20, {%r20, %r21};\n"},
      {"bfi.b32", "shr.u32 %r9, %r2, 5;\nbfi.b32 %r20, %r1, %r2, %r3, %r9;\ncvt.u64.u32 %d20, %r20;\n"},
      {"bfi.b64",
       "xor.b64 %d9, %d1, %d2;\nxor.b64 %d9, %d9, %d3;\ncvt.u32.u64 %r2, %d2;\ncvt.u32.u64 %r3, %d3;\n"
       "bfi.b64 %d20, %d1, %d9, %r2, %r3;\n"}};
  auto it = table.find(column);
  return it == table.end() ? "" : it->second;
}

/** PTX body of one column: the result, zero-extended to 64 bits, at the thread's output. */
std::string Body(const std::string &column, int inputs) {
  std::string op = Split(column, ' ')[0], lut = op.size() < column.size() ? ", " + column.substr(op.size() + 1) : "";
  std::string body, list, special = Special(column);
  std::vector<std::string> part = Split(op, '.'), types = Types(part, inputs);
  if (!special.empty()) types.assign(4, op == "bfi.b64" ? "b64" : "b32");
  static const std::set<std::string> modes = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  if (modes.count(part.back()) != 0) types.assign(4, "b32");
  for (size_t i = 1; i < types.size(); i++) {
    std::string r = Register(types[i], int(i)), at = std::to_string(8 * (i - 1));
    body += "ld.global.b" + std::to_string(Bits(types[i])) + " " + r + ", [%i+" + at + "];\n";
    list += ", " + r;
  }
  if (op.find("mad.wide") == 0) { /* third operand = c << 32 | (a ^ b) */
    body += "ld.global.u32 %r9, [%i+16];\nxor.b32 %r8, %r1, %r2;\nmov.b64 %d3, {%r8, %r9};\n";
  }
  if (!special.empty()) return body + special + "st.global.u64 [%o], %d20;";
  if (types[0] == "pred") {
    return body + op + " %p1" + list +
           ";\nselp.u32 %r20, 1, 0, %p1;\ncvt.u64.u32 %d20, %r20;\nst.global.u64 [%o], %d20;";
  }
  int bits = Bits(types[0]);
  bool integer = types[0][0] == 'u' || types[0][0] == 's'; /* cvt to 8 or 16 bits: the whole 32-bit register */
  std::string d = part[0] == "cvt" && bits == 16 && integer ? "%r20" : Register(types[0], bits == 16 ? 10 : 20);
  body += op + " " + d + list + lut + ";\n";
  if (d[1] == 'h') body += "cvt.u64.u16 %d20, " + d + ";\n";
  if (d[1] == 'r') body += "cvt.u64.u32 %d20, " + d + ";\n";
  return body + "st.global.u64 [%o], %d20;";
}

/** Is this row one that testbench/silicon/ops/deviations.tsv names? */
bool Excused(const std::string &column, const std::vector<uint64_t> &in, uint64_t want) {
  if (column == "set.eq.f32.f32") return want == 1;
  if (column == "mad.hi.sat.s32") {
    int64_t sum = (int64_t(int32_t(in[0])) * int32_t(in[1]) >> 32) + int32_t(in[2]);
    return sum != int32_t(sum);
  }
  bool field = column == "bfe.u64" || column == "bfe.s64" || column == "bfi.b64";
  return field && (uint32_t(in[1]) > 255 || uint32_t(in[2]) > 255);
}

/** The functions for which PTX bounds the absolute error: sin, cos 2^-20.5, lg2 2^-22. Infinities and NaN never. */
bool WithinAbsolute(const std::string &name, uint32_t want, uint32_t got) {
  std::string op = name.substr(0, name.find('.'));
  double bound = op == "lg2" ? 0x1p-22 : op == "sin" || op == "cos" ? 0x1p-21 : 0;
  float w, g;
  memcpy(&w, &want, 4);
  memcpy(&g, &got, 4);
  return std::isfinite(w) && std::isfinite(g) && std::fabs(double(w) - double(g)) < bound;
}

/** Results of one width compared by their distance. */
bool Close(const std::string &name, uint64_t want, uint64_t got) {
  if (want == got) return true;
  if (name.find(".approx") == std::string::npos && name.find(".full") == std::string::npos) return false;
  std::string type = name.substr(name.rfind('.') + 1), op = name.substr(0, name.find('.'));
  if (type == "f64") { /* the seeds have 20 bits; rsqrt.approx is good to the last bits */
    double w, g;
    memcpy(&w, &want, 8);
    memcpy(&g, &got, 8);
    return std::isfinite(w) && std::fabs(g / w - 1) < (name == "rsqrt.approx.f64" ? 0x1p-50 : 0x1p-18);
  }
  if (type != "f32") { /* ex2: one unit in the last place, a half each; tanh is cut as silicon's */
    int bound = op == "tanh" ? 0 : 1;
    return std::abs(int(want & 0xffff) - int(got & 0xffff)) <= bound &&
           std::abs(int(want >> 16) - int(got >> 16)) <= bound;
  }
  bool normal = (want & 0x7fffffff) >= 0x00800000 && (want & 0x7fffffff) < 0x7f800000;
  uint64_t bound = op == "tanh" ? 0x1000 : 2; /* ulp: PTX allows 2^-11 for tanh, 2 for the others */
  if (normal && got + bound >= want && got <= want + bound) return true;
  return WithinAbsolute(name, uint32_t(want), uint32_t(got));
}

struct Case {
  const char *table;
  int inputs;
};

class SiliconTest : public testing::TestWithParam<Case> {};

TEST_P(SiliconTest, MatchesTheRecord) {
  size_t inputs = size_t(GetParam().inputs), n, half = 32 * 1024, compared = 0, excused = 0;
  silicon::Table t(std::string("ops/") + GetParam().table + ".csv.gz");
  n = t.rows();
  ASSERT_GT(n, 100u) << "run from the repository's root";
  ASSERT_LE(n, 1024u);
  for (size_t col = inputs; col < t.names().size(); col++) {
    const std::string &name = t.names()[col];
    px::Module m(px::Kernel(Body(name, GetParam().inputs)));
    ASSERT_EQ(m.status, kWgOk) << name << ": " << m.diag.msg;
    px::Memory mem(2 * half);
    for (size_t i = 0; i < n; i++) {
      for (size_t k = 0; k < inputs; k++) *mem.At<uint64_t>(32 * i + 8 * k) = t.at(i, k);
    }
    px::Args a;
    a.Add(px::kBase + half).Add(px::kBase);
    px::Run(m, "k", {uint32_t((n + 31) / 32)}, {32}, 0, a, &mem);
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
      uint64_t got = *mem.At<uint64_t>(half + 32 * i), want = t.at(i, col);
      std::vector<uint64_t> in;
      for (size_t k = 0; k < inputs; k++) in.push_back(t.at(i, k));
      if (Excused(name, in, want)) {
        excused++;
        continue;
      }
      compared++;
      if (!Close(name, want, got) && bad++ < 3) {
        ADD_FAILURE() << name << " row " << i + 2 << ": " << std::hex << in[0] << ", " << in.back() << " gave " << got
                      << ", silicon " << want;
      }
    }
  }
  printf("%s: %zu results compared, %zu excused\n", GetParam().table, compared, excused);
}

INSTANTIATE_TEST_SUITE_P(Tables, SiliconTest,
                         testing::Values(Case{"int32_unary", 1}, Case{"int32_binary", 2}, Case{"int32_ternary", 3},
                                         Case{"int64_unary", 1}, Case{"int64_binary", 2}, Case{"int64_ternary", 3},
                                         Case{"int16_binary", 2}, Case{"f32_unary", 1}, Case{"f32_binary", 2},
                                         Case{"f32_ternary", 3}, Case{"f64_unary", 1}, Case{"f64_binary", 2},
                                         Case{"f64_ternary", 3}, Case{"f16_unary", 1}, Case{"f16_binary", 2},
                                         Case{"f16_ternary", 3}, Case{"f16x2", 3}, Case{"bf16x2", 3},
                                         Case{"cvt_int_int", 1}, Case{"cvt_int_float", 1}),
                         [](const auto &i) {
                           std::string s = i.param.table;
                           for (char &c : s) c = c == '_' ? 'x' : c;
                           return s;
                         });

} // namespace
