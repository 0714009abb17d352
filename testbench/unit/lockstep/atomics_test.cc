// SPDX-License-Identifier: Apache-2.0
//
// The lockstep checker on atomics and barriers of memory: one thread's program, its events written by hand, right and
// with one thing wrong.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include "cosim/lockstep.h"
#include "toolchain/asm/wg_asm.h"
}

namespace {

constexpr uint64_t kCode = 0x200000001000u, kData = 0x200100000000u;

struct Memory {
  std::vector<wg_word_t> code;
  static bool Read(void *ctx, uint64_t addr, void *dst, size_t bytes) {
    auto *m = static_cast<Memory *>(ctx);
    if (addr < kCode || addr + bytes > kCode + 16 * m->code.size()) return false;
    std::memcpy(dst, reinterpret_cast<const char *>(m->code.data()) + (addr - kCode), bytes);
    return true;
  }
};

class AtomicsTest : public ::testing::Test {
 protected:
  Memory mem_;
  wg_lockstep_t *ls_ = nullptr;
  const wg_probe_hooks_t *hooks_ = nullptr;
  uint64_t cycle_ = 0;

  ~AtomicsTest() override { wg_lockstep_free(ls_); }

  /** MOVs that make R4:R5 = kData and R8 = 7 (pc 0 to 0x20), then `text`, one instruction a line, from pc 0x30 on. */
  void Start(const std::vector<std::string> &text) {
    std::vector<std::string> all = {"MOV R4, 0x0", "MOV R5, 0x2001", "MOV R8, 0x7"};
    all.insert(all.end(), text.begin(), text.end());
    for (const auto &line : all) {
      wg_insn_t in;
      wg_diag_t d = {};
      ASSERT_EQ(wg_asm_insn(line.c_str(), &in, &d), kWgOk) << line << ": " << d.msg;
      mem_.code.push_back(wg_encode(&in));
    }
    wg_lockstep_env_t env = {};
    env.mem = {&mem_, Memory::Read, nullptr};
    const wg_shape_t *shape = wg_shape_find("tiny");
    ls_ = wg_lockstep_new(shape, kWgLockstepRetire, &env);
    hooks_ = wg_lockstep_hooks(ls_);
    wg_sm_cfg_t cfg = {};
    cfg.warp_slots = 8, cfg.block_slots = 8, cfg.regs_per_subcore = 32768, cfg.shared_bytes = 16384;
    cfg.shared_unit = 256, cfg.l1_sets = 16, cfg.l1_ways = 4, cfg.mshrs = 16;
    wg_lockstep_reset(ls_, &cfg);
    wg_cta_launch_t cta = {};
    cta.grid_id = 1, cta.regs_per_thread = 16, cta.code_base = kCode;
    for (unsigned i = 0; i < 3; i++) cta.ntid[i] = cta.nctaid[i] = 1;
    wg_lockstep_launch(ls_, &cta);
    wg_ev_init_t init = {};
    init.mask = 1, init.regs = 16, init.grid_id = 1;
    hooks_->init(ls_, &init);
    Next();
    const uint32_t value[3] = {0, 0x2001, 7}, reg[3] = {4, 5, 8};
    for (uint32_t i = 0; i < 3; i++) Issue(16 * i), Write(reg[i], value[i], false);
    Good();
  }
  void Next() { wg_lockstep_cycle(ls_, ++cycle_); }
  void Issue(uint32_t pc) {
    wg_ev_issue_t e = {0, 0, pc, 1, 1};
    hooks_->issue(ls_, &e);
    Next();
  }
  void Write(uint32_t rd, uint32_t value, bool variable) {
    uint32_t row[32] = {value};
    wg_ev_wb_t e = {0, 0, static_cast<uint8_t>(rd), false, variable, 1, row, row};
    hooks_->wb(ls_, &e);
    Next();
  }
  /** The LSU takes the instruction at `pc` as tag 0; it passes the tag stage, its store leaves. */
  void Pass(uint32_t pc, bool store, uint8_t id) {
    wg_ev_lsu_t l = {0, 0, 0, pc};
    hooks_->lsu(ls_, &l);
    Next();
    wg_ev_l1_t e = {};
    e.store = store, e.line = kData, e.lanes = 1, e.sectors = 1, e.req_id = id;
    hooks_->l1(ls_, &e);
    Next();
    if (store) Done();
  }
  void Done() {
    wg_ev_lsu_done_t d = {0};
    hooks_->lsu_done(ls_, &d);
    Next();
  }
  static wg_mem_req_t Flit(uint32_t pc, uint8_t op, uint8_t atom, uint8_t id, uint32_t operand) {
    wg_mem_req_t q = {};
    q.line = kData, q.byte_mask = 0xf, q.pc = pc, q.id = id, q.op = op, q.atom = atom, q.sector_mask = 1;
    std::memcpy(q.data, &operand, 4);
    return q;
  }
  void Request(const wg_mem_req_t &q) { wg_lockstep_req(ls_, &q); }
  void Respond(uint8_t id, uint32_t word) {
    wg_mem_rsp_t r = {};
    r.id = id;
    std::memcpy(r.data, &word, 4);
    wg_lockstep_rsp(ls_, &r);
    Next();
  }
  void Good() {
    Next();
    wg_diag_t d = {};
    EXPECT_EQ(wg_lockstep_status(ls_, &d), kWgOk) << wg_lockstep_report(ls_);
  }
  void Bad(const std::string &what) {
    Next();
    wg_diag_t d = {};
    EXPECT_EQ(wg_lockstep_status(ls_, &d), kWgMismatch) << "expected: " << what;
    EXPECT_NE(std::string(d.msg).find(what), std::string::npos) << d.msg;
  }
};

TEST_F(AtomicsTest, ReductionThenBarrierWaitsForTheAcknowledgement) {
  Start({"RED.E.U32.ADD [R4], R8", "MEMBAR.GPU", "EXIT"});
  Issue(0x30), Pass(0x30, true, 64), Request(Flit(0x30, kWgMemRed, 0, 64, 7));
  Issue(0x40);
  Respond(64, 0);
  Issue(0x50);
  Good();
  wg_lockstep_counts_t c;
  wg_lockstep_get_counts(ls_, &c);
  EXPECT_EQ(c.global_red_requests, 1u);
  EXPECT_EQ(c.global_red_sectors, 1u);
  EXPECT_EQ(c.global_store_requests, 0u);
}

TEST_F(AtomicsTest, BarrierLeftBeforeTheAcknowledgement) {
  Start({"RED.E.U32.ADD [R4], R8", "MEMBAR.GPU", "EXIT"});
  Issue(0x30), Pass(0x30, true, 64), Request(Flit(0x30, kWgMemRed, 0, 64, 7));
  Issue(0x40), Issue(0x50);
  Bad("memory barrier early");
}

TEST_F(AtomicsTest, BlockScopeDoesNotWaitForTheAcknowledgement) {
  Start({"RED.E.U32.ADD [R4], R8", "MEMBAR.CTA", "EXIT"});
  Issue(0x30), Pass(0x30, true, 64), Request(Flit(0x30, kWgMemRed, 0, 64, 7));
  Issue(0x40), Issue(0x50);
  Good();
}

TEST_F(AtomicsTest, BarrierLeftBeforeTheAccess) {
  Start({"LDG.E R10, [R4]", "MEMBAR.CTA", "EXIT"});
  Issue(0x30), Pass(0x30, false, 0);
  Issue(0x40), Issue(0x50);
  Bad("memory barrier early");
}

TEST_F(AtomicsTest, InvalidationMustHappen) {
  Start({"CCTL.IVALL", "EXIT"});
  Issue(0x30), Issue(0x40);
  Bad("CCTL without effect");
}

TEST_F(AtomicsTest, InvalidationThatHappens) {
  Start({"CCTL.IVALL", "EXIT"});
  Issue(0x30);
  wg_ev_inval_t e = {true};
  hooks_->inval(ls_, &e);
  Next();
  Issue(0x40);
  Good();
}

TEST_F(AtomicsTest, OldContentsComeBack) {
  for (bool right : {true, false}) {
    wg_lockstep_free(ls_), ls_ = nullptr, mem_.code.clear();
    Start({"ATOMG.E.U32.MAX R10, [R4], R8", "EXIT"});
    Issue(0x30), Pass(0x30, false, 3), Request(Flit(0x30, kWgMemAtom, 2 << 4, 3, 7));
    Respond(3, 1234);
    wg_ev_fill_t f = {3, 0, false};
    hooks_->fill(ls_, &f);
    Next();
    Write(10, right ? 1234 : 7, true);
    if (right) Done(), Good();
    else Bad("wrong register value");
  }
}

TEST_F(AtomicsTest, AtomicsAreNotInstalled) {
  Start({"ATOMG.E.U32.MAX R10, [R4], R8", "EXIT"});
  Issue(0x30), Pass(0x30, false, 3), Request(Flit(0x30, kWgMemAtom, 2 << 4, 3, 7));
  Respond(3, 1234);
  wg_ev_fill_t f = {3, 0, true};
  hooks_->fill(ls_, &f);
  Bad("stale sector installed");
}

TEST_F(AtomicsTest, RequestsCarryTheOperationAndItsOperands) {
  struct {
    uint8_t op, atom;
    uint32_t operand;
    const char *what;
  } kCases[] = {{kWgMemRed, 1 << 4, 7, "wrong operation"},
                {kWgMemStore, 0, 7, "wrong operation"},
                {kWgMemRed, 0, 8, "wrong store"}};
  for (const auto &c : kCases) {
    wg_lockstep_free(ls_), ls_ = nullptr, mem_.code.clear();
    Start({"RED.E.U32.ADD [R4], R8", "EXIT"});
    Issue(0x30), Pass(0x30, true, 64), Request(Flit(0x30, c.op, c.atom, 64, c.operand));
    Bad(c.what);
  }
}

}  // namespace
