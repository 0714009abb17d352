// SPDX-License-Identifier: Apache-2.0
//
// The generator of random programs without the RTL: the same program from the same seed, legal words that survive the
// text form, golden runs that end as their class says, and everything of the table in use.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>

#include "cosim/random/random.h"
#include "isa/wg_isa_table.h"
#include "toolchain/asm/wg_asm.h"
#include "toolchain/asm/wg_asmtest.h"

namespace {

uint64_t base_seed() {
  const char *s = getenv("SEED");
  return s != nullptr ? strtoull(s, nullptr, 0) * 1000u : 1000u;
}

wg_rnd_opts_t opts_of(const char *mix) {
  wg_rnd_opts_t o{};
  o.max_threads = 256;
  o.max_blocks = 12;
  o.size = 40;
  EXPECT_TRUE(wg_rnd_mix(mix, &o));
  return o;
}

struct Program {
  std::unique_ptr<wg_rnd_prog_t> p = std::make_unique<wg_rnd_prog_t>();
  Program(uint64_t seed, const char *mix) {
    wg_rnd_opts_t o = opts_of(mix);
    wg_rnd_generate(seed, &o, p.get());
  }
};

struct Object {
  wg_obj_t *o;
  explicit Object(wg_obj_t *obj) : o(obj) {}
  ~Object() { wg_obj_free(o); }
  Object(const Object &) = delete;
};

std::string text_of(const wg_rnd_prog_t &p) {
  char *buf = nullptr;
  size_t n = 0;
  FILE *f = open_memstream(&buf, &n);
  wg_rnd_print(f, &p, "one line\nanother", nullptr);
  fclose(f);
  std::string s(buf, n);
  free(buf);
  return s;
}

TEST(Random, SeedAloneDecides) {
  uint64_t seed = base_seed();
  std::string a = text_of(*Program(seed, "all").p), b = text_of(*Program(seed, "all").p);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, text_of(*Program(seed + 1, "all").p));
}

TEST(Random, NoSuchMix) {
  wg_rnd_opts_t o{};
  EXPECT_FALSE(wg_rnd_mix("nothing", &o));
}

TEST(Random, TextReadsBackToTheSameWords) {
  for (uint64_t seed = base_seed(); seed < base_seed() + 60; seed++) {
    SCOPED_TRACE(seed);
    Program g(seed, "all");
    Object a(wg_rnd_object(g.p.get()));
    wg_obj_t *read = nullptr;
    wg_diag_t diag{};
    std::string text = text_of(*g.p);
    ASSERT_EQ(wg_asm_text(text.c_str(), "x.s", &read, &diag), kWgOk) << diag.line << ": " << diag.msg;
    Object b(read);
    const wg_obj_kernel_t &x = a.o->kernels[0], &y = b.o->kernels[0];
    ASSERT_EQ(x.num_insns, y.num_insns);
    for (uint32_t i = 0; i < x.num_insns; i++) {
      ASSERT_EQ(x.code[i].lo, y.code[i].lo) << i;
      ASSERT_EQ(x.code[i].hi, y.code[i].hi) << i;
    }
    EXPECT_EQ(x.regs, y.regs);
    EXPECT_EQ(x.shared_bytes, y.shared_bytes);
    EXPECT_EQ(x.local_bytes, y.local_bytes);
    ASSERT_EQ(a.o->const3_size, b.o->const3_size);
    EXPECT_EQ(memcmp(a.o->const3, b.o->const3, a.o->const3_size), 0);
    wg_asmtest_t *t = nullptr;
    ASSERT_EQ(wg_asmtest_parse(text.c_str(), "x.s", &t, &diag), kWgOk) << diag.line << ": " << diag.msg;
    EXPECT_EQ(t->num_buffers, g.p->num_buffers);
    for (size_t k = 0; k < t->num_buffers; k++) {
      uint32_t word;
      memcpy(&word, t->buffers[k].init + 12, 4);
      EXPECT_EQ(word, 3u * g.p->buffer[k].mul + g.p->buffer[k].add);
    }
    wg_asmtest_free(t);
  }
}

// Both sides of wg_rnd_run are the golden model here: what fails is the generator.
TEST(Random, GoldenRunsEndAsTheirClassSays) {
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  cfg.preset = "tiny";
  cfg.backend = "func";
  cfg.check = kWgCheckOff;
  unsigned seen[kWgRndClassCount] = {0};
  for (const char *mix : {"all", "alu", "mem", "flow", "bar", "fault"}) {
    for (uint64_t seed = base_seed(); seed < base_seed() + 40; seed++) {
      Program g(seed, mix);
      wg_rnd_result_t r;
      wg_rnd_run(g.p.get(), &cfg, false, &r);
      EXPECT_EQ(r.verdict, kWgRndPass) << mix << " seed " << seed << ": " << r.head;
      seen[g.p->judged]++;
    }
  }
  for (unsigned n : seen) EXPECT_GE(n, 30u);
}

// Every instruction of the table, and every value of every modifier group, occurs in legal programs.
TEST(Random, EverythingOfTheTableOccurs) {
  std::set<unsigned> ops;
  std::set<std::pair<std::string, unsigned>> values;
  for (uint64_t seed = base_seed(); seed < base_seed() + 600; seed++) {
    Program g(seed, seed % 2 == 0 ? "all" : "fault");
    for (uint32_t i = 0; i < g.p->num_items; i++) {
      const wg_rnd_item_t &it = g.p->item[i];
      if (it.kind != kWgRndInsn) continue;
      const wg_op_facts_t *f = wg_op_facts(it.in.op);
      ops.insert(it.in.op);
      for (unsigned m = 0; m < f->num_mods; m++)
        values.insert({f->mods[m]->id, it.in.mods >> f->mods[m]->lsb & ((1u << f->mods[m]->width) - 1u)});
    }
  }
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  for (size_t i = 0; i < n; i++) {
    if (std::string(t[i].id) != "NOP") EXPECT_TRUE(ops.count(t[i].opcode)) << t[i].mnemonic;
  }
  const wg_mod_info_t *m = wg_mod_table(&n);
  for (size_t i = 0; i < n; i++) {
    if (std::string(m[i].id) == "LUT") continue; // 256 values
    for (unsigned v = 0; v < 1u << m[i].width; v++) {
      size_t len;
      bool written = wg_mod_name(&m[i], v, &len) != nullptr || std::string(m[i].names) == "*";
      if (written && wg_mod_defined(&m[i], v)) EXPECT_TRUE(values.count({m[i].id, v})) << m[i].id << " " << v;
    }
  }
}

} // namespace
