// SPDX-License-Identifier: Apache-2.0
//
// Random structured programs for the checker: integer, fp32, MUFU, predicates, divergence, shared and global memory (racy
// between warps and blocks), shuffles, barriers. Parameters: the address of 4 KiB of data. Needs 32 registers, up to 96
// threads and 2 KiB of shared memory a block.
#ifndef WG_TESTBENCH_UNIT_LOCKSTEP_RANDOM_PROGRAM_H
#define WG_TESTBENCH_UNIT_LOCKSTEP_RANDOM_PROGRAM_H

#include <random>

#include "testbench/unit/ref/program.h"

namespace wgtest {

// Random structured code over R8..R15, for `warps` warps a block; R0 = thread, R1 = 4 * thread, {R3,R2} = data.
class RandomProgram {
 public:
  explicit RandomProgram(uint32_t seed, uint32_t warps = 3) : rng_(seed), exits_(seed % 3 == 0) {
    p_.S2r(0, kWgSrTidX);
    p_.MovConst(2, 0, kWgParamBase);
    p_.MovConst(3, 0, kWgParamBase + 4);
    Shl(1, 0, 2);
    for (unsigned r = 8; r < 16; r++) {
      if (r % 2)
        p_.MovImm(static_cast<uint8_t>(r), static_cast<uint32_t>(rng_()));
      else
        p_.IaddImm(static_cast<uint8_t>(r), 0, static_cast<uint32_t>(rng_()));
    }
    p_.S2r(7, kWgSrWarpId);
    p_.S2r(6, kWgSrClockLo);
    p_.MovImm(22, 0);
    p_.MovImm(23, 0);
    for (unsigned pr = 0; pr < 4; pr++)
      p_.IsetpImm(static_cast<uint8_t>(pr), 1 + rng_() % 6, static_cast<uint8_t>(8 + rng_() % 8),
                  static_cast<uint32_t>(rng_()));
    if (seed % 5 != 0) {  // else shared memory starts unknown
      Shl(20, 0, 4);
      p_.Store(kWgOp_STS, 20, 8, 0, 6);
      p_.Bar(7);
    }
    for (int i = 0; i < 3; i++) {
      Block(0);
      if (exits_ || rng_() % 2)
        p_.Bar(static_cast<uint8_t>(i));
      else
        p_.Bar(static_cast<uint8_t>(i), 32 * warps);
    }
    p_.Exit();
  }
  Program p_;

 private:
  uint8_t R() { return static_cast<uint8_t>(8 + rng_() % 8); }
  uint8_t P() { return static_cast<uint8_t>(rng_() % 4); }
  void Shl(uint8_t d, uint8_t a, uint32_t n) {
    wg_insn_t &i = p_.Add(kWgOp_SHF);
    i.rd = d;
    i.ra = a;
    i.form = kWgFormImm;
    i.imm = n;
  }
  void And(uint8_t d, uint8_t a, uint32_t m) {
    wg_insn_t &i = p_.Add(kWgOp_LOP3, 0xc0);
    i.rd = d;
    i.ra = a;
    i.form = kWgFormImm;
    i.imm = m;
  }
  void Alu() {
    static const uint8_t ops[] = {kWgOp_IADD3, kWgOp_IMAD, kWgOp_LOP3, kWgOp_SHF,  kWgOp_PRMT, kWgOp_SEL,
                                  kWgOp_IMNMX, kWgOp_FADD, kWgOp_FMUL, kWgOp_FFMA, kWgOp_MUFU};
    uint8_t op = ops[rng_() % sizeof ops];
    wg_insn_t &i = p_.Add(op);
    i.rd = R();
    i.ra = R();
    i.rb = R();
    i.rc = R();
    i.ps0 = P();
    if (op == kWgOp_LOP3) i.mods = static_cast<uint16_t>(rng_() & 255);
    if (op == kWgOp_MUFU) i.mods = 4u << kWgModLsb_MUFUF;
    if (op == kWgOp_IMAD && rng_() % 3 == 0) {
      i.mods = 2u << kWgModLsb_IMADK;
      i.rd &= 0xfe;
      i.rc &= 0xfe;
    }
    if (op == kWgOp_IADD3 && rng_() % 2) i.pd0 = P();
    if (rng_() % 4 == 0) i.guard = P();
    i.guard_not = rng_() & 1 && i.guard != kWgPT;
  }
  void Setp() {
    wg_insn_t &i = p_.Add(rng_() % 2 ? kWgOp_ISETP : kWgOp_FSETP);
    i.mods = static_cast<uint16_t>(1 + rng_() % 6);
    i.pd0 = P();
    i.pd1 = static_cast<uint8_t>((i.pd0 + 1) % 4);
    i.ra = R();
    i.rb = R();
  }
  void MemoryAccess() {
    unsigned size = rng_() % 7, align = size < 2 ? 1 : size < 4 ? 2 : 1u << (size - 2);
    bool store = rng_() & 1, shared = rng_() & 1;
    uint32_t range = rng_() % 3 == 0 ? 64 : 1024;
    And(20, R(), (range - 1) & ~(align - 1));
    if (!shared) {  // {R25,R24} = data + R20
      wg_insn_t &lo = p_.Add(kWgOp_IADD3);
      lo.rd = 24;
      lo.ra = 2;
      lo.rb = 20;
      lo.pd0 = 5;
      wg_insn_t &hi = p_.Add(kWgOp_IADD3, 1u << kWgModLsb_X);
      hi.rd = 25;
      hi.ra = 3;
      hi.ps0 = 5;
    }
    uint8_t reg = static_cast<uint8_t>(8 + (rng_() % 8) /
                                               (size < 5    ? 1
                                                : size == 5 ? 2
                                                            : 4) *
                                               (size < 5    ? 1
                                                : size == 5 ? 2
                                                            : 4));
    if (reg > 12 && size == 6) reg = 12;
    uint8_t addr = shared ? 20 : 24;
    if (store)
      p_.Store(shared ? kWgOp_STS : kWgOp_STG, addr, reg, 0, size);
    else
      p_.Load(shared ? kWgOp_LDS : kWgOp_LDG, reg, addr, 0, size);
  }
  void Cache() {
    And(20, R(), 0x3fc);
    wg_insn_t &lo = p_.Add(kWgOp_IADD3);
    lo.rd = 24;
    lo.ra = 2;
    lo.rb = 20;
    wg_insn_t &hi = p_.Add(kWgOp_MOV);
    hi.rd = 25;
    hi.rb = 3;
    wg_insn_t &i = p_.Add(kWgOp_LDG, 4u | 1u << kWgModLsb_MCACHE);
    i.rd = R();
    i.ra = 24;
  }
  void Shfl() {
    wg_insn_t &i = p_.Add(kWgOp_SHFL, rng_() % 4 | 1u << kWgModLsb_CIMM);
    i.rd = R();
    i.ra = R();
    i.rb = R();
    i.pd0 = P();
    i.imm = 0x1fu << 8;
  }
  void Misc() {
    switch (rng_() % (exits_ ? 9 : 8)) {
      case 0: p_.MovConst(R(), 0, static_cast<uint16_t>(rng_() % 92 * 4)); break;
      case 1: p_.S2r(R(), rng_() % 24); break;
      case 2: {
        wg_insn_t &i = p_.Add(kWgOp_PLOP3, rng_() & 15);
        i.pd0 = P();
        i.pd1 = static_cast<uint8_t>((i.pd0 + 1) % 4);
        i.ps0 = P();
        i.ps1 = P();
        i.ps0_not = rng_() & 1;
        break;
      }
      case 3: {
        wg_insn_t &i = p_.Add(kWgOp_FCHK);
        i.pd0 = P();
        i.ra = R();
        i.rb = R();
        break;
      }
      case 4: {
        wg_insn_t &i = p_.Add(kWgOp_FMNMX, rng_() & 4);
        i.rd = R();
        i.ra = R();
        i.rb = R();
        i.ps0 = P();
        break;
      }
      case 5:  // only some lanes move data
      case 6: {
        And(20, R(), 0x1fc);
        bool store = rng_() & 1;
        wg_insn_t &i = p_.Add(store ? kWgOp_STS : kWgOp_LDS, 4);
        i.guard = P();
        i.guard_not = rng_() & 1;
        i.ra = 20;
        if (store)
          i.rc = R();
        else
          i.rd = R();
        break;
      }
      case 7: {
        wg_insn_t &i = p_.Add(kWgOp_STG, 4);
        i.guard = P();
        i.ra = 2;
        i.rc = R();
        i.imm = rng_() % 64 * 4;
        break;
      }
      default: {
        wg_insn_t &i = p_.Add(kWgOp_IADD3);  // few lanes leave
        i.rd = 21;
        i.ra = R();
        i.rb = 0;
        And(21, 21, 15);
        p_.IsetpImm(4, 2, 21, rng_() % 16);
        p_.Exit(4);
      }
    }
  }
  // One to four rounds, another number in each lane.
  void Loop(unsigned depth) {
    std::mt19937 saved = rng_;
    Program head = p_;
    unsigned end = 0;
    for (int pass = 0; pass < 2; pass++) {  // the second time the target of BSSY is known
      rng_ = saved;
      p_ = head;
      uint8_t count = static_cast<uint8_t>(26 + depth);
      p_.MovImm(count, 0);
      p_.Bssy(static_cast<uint8_t>(8 + depth), end);
      unsigned top = p_.size();
      Block(depth + 1);
      p_.IaddImm(count, count, 1);
      And(29, R(), 3);
      wg_insn_t &i = p_.Add(kWgOp_ISETP, 1u | 1u << kWgModLsb_IU32);
      i.pd0 = 4;
      i.ra = count;
      i.rb = 29;
      p_.Branch(top, 4);
      end = p_.size();
      p_.Bsync(static_cast<uint8_t>(8 + depth));
    }
  }
  void Block(unsigned depth) {
    for (unsigned n = rng_() % 6 + 2; n > 0; n--) {
      switch (rng_() % 15) {
        case 0:
        case 1:
        case 2:
        case 3: Alu(); break;
        case 4:
        case 5: Setp(); break;
        case 6:
        case 7:
        case 8: MemoryAccess(); break;
        case 9: Shfl(); break;
        case 10:
          Cache();
          break;
        case 11:
          Misc();
          break;
        case 12:
          if (depth < 3) Loop(depth);
          break;
        default:
          if (depth < 3) If(depth);
      }
    }
  }
  void If(unsigned depth) {
    // BSSY and BRA targets are patched by building the inner block twice with the same random state
    std::mt19937 saved = rng_;
    Program head = p_;
    uint8_t pr = P();
    bool inv = rng_() & 1;
    p_.Bssy(static_cast<uint8_t>(depth), 0);
    p_.Branch(0, pr, inv);
    Block(depth + 1);
    unsigned end = p_.size();
    rng_ = saved;
    p_ = head;
    P();
    rng_();
    p_.Bssy(static_cast<uint8_t>(depth), end);
    p_.Branch(end, pr, inv);
    Block(depth + 1);
    p_.Bsync(static_cast<uint8_t>(depth));
  }
  std::mt19937 rng_;
  bool exits_;
};

}  // namespace wgtest
#endif
