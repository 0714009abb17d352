// SPDX-License-Identifier: Apache-2.0
//
// PTX instructions against results recorded on a GPU (data/ops, columns = instructions, rows = operands, hex): each
// column is compiled as a kernel of its own and run on the golden model. Instructions that the compiler refuses are
// counted; refusing more than the number given for a table fails, so that support cannot vanish unseen.
#include <map>

#include "testbench/unit/ptx/px_run.h"

namespace {

struct Table {
  std::vector<std::string> name;
  std::vector<std::vector<std::string>> row;
};

std::vector<std::string> Split(const std::string &s, char sep) {
  std::vector<std::string> v;
  std::stringstream in(s);
  for (std::string f; std::getline(in, f, sep);) v.push_back(f);
  return v;
}

Table Load(const std::string &name) {
  Table t;
  std::stringstream in(px::ReadFile("testbench/unit/ptx/data/ops/" + name + ".csv"));
  std::string line;
  std::getline(in, line);
  t.name = Split(line, ',');
  while (std::getline(in, line)) t.row.push_back(Split(line, ','));
  return t;
}

struct Reg {
  std::string name, load;
};

/** Register for operand `i` of a type, and the load that fills it from byte 8 * i of the thread's input. */
Reg Operand(const std::string &type, int i) {
  std::string n = std::to_string(i + 1), at = ", [%i+" + std::to_string(8 * i) + "];\n";
  std::string bits = type.substr(1);
  if (type == "f32") return {"%f" + n, "ld.global.f32 %f" + n + at};
  if (bits == "64") return {"%d" + n, "ld.global.u64 %d" + n + at};
  if (bits == "16") return {"%h" + n, "ld.global.u16 %h" + n + at};
  return {"%r" + n, "ld.global.u32 %r" + n + at};
}

/** PTX body of one column; empty if the test does not know how to write it. */
std::string Body(const std::string &column, int inputs, int *out_bytes) {
  std::string op = column, lut;
  size_t space = op.find(' ');
  if (space != std::string::npos) {
    lut = op.substr(space + 1);
    op = op.substr(0, space);
  }
  std::vector<std::string> part = Split(op, '.');
  std::string type = part.back(), body, list;
  bool wide = op.find(".wide") != std::string::npos, cvt = part[0] == "cvt",
       shift = part[0] == "shl" || part[0] == "shr";
  bool unary =
      part[0] == "abs" || part[0] == "neg" || part[0] == "not" || part[0] == "cnot"; /* in a table of pairs */
  for (int i = 0; i < (unary ? 1 : inputs); i++) {
    Reg r = Operand(shift && i == 1 ? "u32" : wide && i == 2 ? "u64" : type, i);
    if (wide && i == 2) { /* mad.wide: third operand = c << 32 | (a ^ b) */
      body += "ld.global.u32 %r9, [%i+16];\nxor.b32 %r8, %r1, %r2;\nmov.b64 %d3, {%r8, %r9};\n";
    } else {
      body += r.load;
    }
    list += ", " + r.name;
  }
  if (op == "bfi.b32") { /* a into b at position c, length b >> 5 */
    body += "shr.u32 %r9, %r2, 5;\n";
    list += ", %r9";
  }
  if (op == "bfi.b64") return "";
  if (op.find('+') != std::string::npos) return ""; /* carry chains: two instructions a column */
  if (!lut.empty()) list += ", " + lut;
  *out_bytes = 8;
  if (part[0] == "setp") {
    return body + op + " %p1" + list +
           ";\nselp.u32 %r20, 1, 0, %p1;\nmov.u32 %r21, 0;\nst.global.v2.u32 [%o], {%r20, %r21};";
  }
  if (cvt) type = part[part.size() - 2];
  std::string bits = wide ? "64" : type.substr(1);
  if (wide && type == "u16") bits = "32";
  if (wide && type == "s16") bits = "32";
  if (bits == "64") return body + op + " %d20" + list + ";\nst.global.u64 [%o], %d20;";
  std::string d = type == "f32" ? "%f20" : bits == "16" && !cvt ? "%h10" : "%r20";
  std::string st = type == "f32"          ? "st.global.f32 [%o], %f20;"
                   : bits == "16" && !cvt ? "st.global.u16 [%o], %h10;"
                                          : "st.global.u32 [%o], %r20;";
  return body + op + " " + d + list + ";\n" + st;
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

struct Case {
  const char *table;
  int inputs;
  int refused; /* columns of the table that the compiler does not know */
};

class SiliconTest : public testing::TestWithParam<Case> {};

TEST_P(SiliconTest, MatchesTheRecord) {
  Table t = Load(GetParam().table);
  ASSERT_GT(t.row.size(), 100u) << "run from the repository's root";
  int refused = 0, compared = 0;
  for (size_t col = size_t(GetParam().inputs); col < t.name.size(); col++) {
    int bytes;
    std::string body = Body(t.name[col], GetParam().inputs, &bytes);
    if (body.empty()) continue;
    px::Module m(px::Kernel(body));
    ASSERT_TRUE(m.status == kWgOk || m.status == kWgUnsupported || t.name[col].find("f16") != std::string::npos)
        << t.name[col] << ": " << m.diag.msg;
    if (m.status != kWgOk) {
      refused++;
      if (getenv("WG_VERBOSE") != nullptr) printf("refused: %s\n", t.name[col].c_str());
      continue;
    }
    size_t n = t.row.size(), half = 32 * 1024;
    ASSERT_LE(n, 1024u);
    px::Memory mem(2 * half);
    for (size_t i = 0; i < n; i++) {
      for (int k = 0; k < GetParam().inputs; k++) {
        uint64_t v = std::stoull(t.row[i][size_t(k)], nullptr, 16);
        memcpy(mem.At<uint8_t>(32 * i + 8 * size_t(k)), &v, 8);
      }
    }
    px::Args a;
    a.Add(px::kBase + half).Add(px::kBase);
    px::Run(m, "k", {uint32_t((n + 31) / 32)}, {32}, 0, a, &mem);
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
      uint64_t got, want = std::stoull(t.row[i][col], nullptr, 16);
      memcpy(&got, mem.At<uint8_t>(half + 32 * i), 8);
      compared++;
      bool approx =
          t.name[col].find(".approx") != std::string::npos || t.name[col].find(".full") != std::string::npos;
      if (approx && (want & 0x7fffffff) >= 0x00800000 && (want & 0x7fffffff) < 0x7f800000 && got + 2 >= want &&
          got <= want + 2) {
        continue; /* PTX allows 2 ulp; where silicon gives a special value, it has to be the same */
      }
      if (approx && WithinAbsolute(t.name[col], uint32_t(want), uint32_t(got))) continue;
      if (got != want && bad++ < 3) {
        ADD_FAILURE() << t.name[col] << " row " << i + 2 << ": " << t.row[i][0] << ", "
                      << (GetParam().inputs > 1 ? t.row[i][1] : "") << std::hex << " gave " << got << ", silicon "
                      << want;
      }
    }
  }
  printf("%s: %d results compared, %d instructions refused\n", GetParam().table, compared, refused);
  EXPECT_LE(refused, GetParam().refused);
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Tables, SiliconTest,
                         testing::Values(Case{"int32_unary", 1, 0}, Case{"int32_binary", 2, 15},
                                         Case{"int32_ternary", 3, 14}, Case{"int64_unary", 1, 8},
                                         Case{"int64_binary", 2, 4}, Case{"int64_ternary", 3, 5},
                                         Case{"int16_binary", 2, 1}, Case{"f32_unary", 1, 22},
                                         Case{"f32_binary", 2, 11}, Case{"f32_ternary", 3, 0},
                                         Case{"cvt_int_int", 1, 38}),
                         [](const auto &i) {
                           std::string s = i.param.table;
                           for (char &c : s) c = c == '_' ? 'x' : c;
                           return s;
                         });

} // namespace
