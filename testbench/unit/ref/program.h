// SPDX-License-Identifier: Apache-2.0
//
// Small programs as words, and a memory of one block of bytes, for tests of the golden model.
#ifndef WG_TESTBENCH_UNIT_REF_PROGRAM_H
#define WG_TESTBENCH_UNIT_REF_PROGRAM_H

#include <cstring>
#include <vector>

#include "model/ref/wg_ref.h"

namespace wgtest {

/** Builds instruction words; each call appends one. Branch targets are instruction indices. */
class Program {
 public:
  struct Guard {
    uint8_t p = kWgPT;
    bool inverted = false;
  };

  wg_insn_t &Add(uint8_t op, unsigned mods = 0) {
    insns_.push_back(wg_insn_default(op));
    insns_.back().mods = static_cast<uint16_t>(mods);
    return insns_.back();
  }
  void MovImm(uint8_t rd, uint32_t v) {
    wg_insn_t &i = Add(kWgOp_MOV);
    i.rd = rd;
    i.form = kWgFormImm;
    i.imm = v;
  }
  void MovConst(uint8_t rd, uint8_t bank, uint16_t off) {
    wg_insn_t &i = Add(kWgOp_MOV);
    i.rd = rd;
    i.form = kWgFormConst;
    i.cbank = bank;
    i.coff = off;
  }
  void S2r(uint8_t rd, unsigned sr) {
    wg_insn_t &i = Add(kWgOp_S2R);
    i.rd = rd;
    i.imm = sr;
  }
  /** rd = ra * imm + rc (64-bit pair rc), .WIDE.U32 */
  void ImadWide(uint8_t rd, uint8_t ra, uint32_t imm, uint8_t rc) {
    wg_insn_t &i = Add(kWgOp_IMAD, 2u << kWgModLsb_IMADK | 1u << kWgModLsb_IMADU);
    i.rd = rd;
    i.ra = ra;
    i.form = kWgFormImm;
    i.imm = imm;
    i.rc = rc;
  }
  void IaddImm(uint8_t rd, uint8_t ra, uint32_t imm) {
    wg_insn_t &i = Add(kWgOp_IADD3);
    i.rd = rd;
    i.ra = ra;
    i.form = kWgFormImm;
    i.imm = imm;
  }
  void Iadd(uint8_t rd, uint8_t ra, uint8_t rb) {
    wg_insn_t &i = Add(kWgOp_IADD3);
    i.rd = rd;
    i.ra = ra;
    i.rb = rb;
  }
  /** pd = ra cmp imm, unsigned; cmp as group ICMP. */
  void IsetpImm(uint8_t pd, unsigned cmp, uint8_t ra, uint32_t imm) {
    wg_insn_t &i = Add(kWgOp_ISETP, cmp | 1u << kWgModLsb_IU32);
    i.pd0 = pd;
    i.ra = ra;
    i.form = kWgFormImm;
    i.imm = imm;
  }
  void Load(uint8_t op, uint8_t rd, uint8_t ra, int32_t off = 0, unsigned size = 4) {
    wg_insn_t &i = Add(op, size);
    i.rd = rd;
    i.ra = ra;
    i.imm = static_cast<uint32_t>(off);
  }
  void Store(uint8_t op, uint8_t ra, uint8_t rc, int32_t off = 0, unsigned size = 4) {
    wg_insn_t &i = Add(op, size);
    i.ra = ra;
    i.rc = rc;
    i.imm = static_cast<uint32_t>(off);
  }
  void Branch(unsigned target, uint8_t p = kWgPT, bool inverted = false) {
    wg_insn_t &i = Add(kWgOp_BRA);
    i.guard = p;
    i.guard_not = inverted;
    i.imm = 16u * (target - static_cast<unsigned>(insns_.size()));
  }
  void Bssy(uint8_t b, unsigned target) {
    wg_insn_t &i = Add(kWgOp_BSSY);
    i.breg = b;
    i.imm = 16u * (target - static_cast<unsigned>(insns_.size()));
  }
  void Bsync(uint8_t b) { Add(kWgOp_BSYNC).breg = b; }
  void Bar(uint8_t id, uint32_t count = 0, bool arrive = false) {
    wg_insn_t &i = Add(kWgOp_BAR, (arrive ? 1u : 0u) | (count != 0 ? 1u << kWgModLsb_BARCNT : 0u));
    i.form = kWgFormImm;
    i.imm = id | count << 16;
  }
  void Exit(uint8_t p = kWgPT, bool inverted = false) {
    wg_insn_t &i = Add(kWgOp_EXIT);
    i.guard = p;
    i.guard_not = inverted;
  }
  /** Instruction `i`, to be changed. */
  wg_insn_t &At(unsigned i) { return insns_.at(i); }
  unsigned size() const { return static_cast<unsigned>(insns_.size()); }
  std::vector<wg_word_t> Words() const {
    std::vector<wg_word_t> w;
    for (const auto &i : insns_) w.push_back(wg_encode(&i));
    return w;
  }

 private:
  std::vector<wg_insn_t> insns_;
};

/** Device memory: bytes from kBase on. */
struct Memory {
  static constexpr uint64_t kBase = UINT64_C(0x200000000000);
  std::vector<uint8_t> bytes;
  explicit Memory(size_t n) : bytes(n, 0) {}
  static bool Read(void *ctx, uint64_t addr, void *dst, size_t n) {
    auto *m = static_cast<Memory *>(ctx);
    if (addr < kBase || addr - kBase > m->bytes.size() || n > m->bytes.size() - (addr - kBase)) return false;
    std::memcpy(dst, &m->bytes[addr - kBase], n);
    return true;
  }
  static bool Write(void *ctx, uint64_t addr, const void *src, size_t n) {
    auto *m = static_cast<Memory *>(ctx);
    if (addr < kBase || addr - kBase > m->bytes.size() || n > m->bytes.size() - (addr - kBase)) return false;
    std::memcpy(&m->bytes[addr - kBase], src, n);
    return true;
  }
  uint32_t Word(size_t i) const {
    uint32_t v;
    std::memcpy(&v, &bytes[4 * i], 4);
    return v;
  }
  void SetWord(size_t i, uint32_t v) { std::memcpy(&bytes[4 * i], &v, 4); }
  wg_ref_mem_t Ops() { return {this, Read, Write}; }
};

}  // namespace wgtest
#endif
