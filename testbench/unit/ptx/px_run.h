// SPDX-License-Identifier: Apache-2.0
//
// Test helper: compile PTX text and run a kernel of it on the golden model over one flat piece of device memory.
#ifndef WG_TESTBENCH_PX_RUN_H
#define WG_TESTBENCH_PX_RUN_H

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "isa/wg_cfg.h"
#include "model/ref/wg_ref.h"
#include "toolchain/ptx/wg_ptx.h"

namespace px {

constexpr uint64_t kBase = 0x200000000000ull;

/** Device memory: `bytes` from kBase on. */
struct Memory {
  std::vector<uint8_t> bytes;
  explicit Memory(size_t n) : bytes(n, 0) {}
  static bool Read(void *ctx, uint64_t addr, void *dst, size_t n) {
    auto *m = static_cast<Memory *>(ctx);
    if (addr < kBase || addr - kBase > m->bytes.size() || n > m->bytes.size() - (addr - kBase)) return false;
    std::memcpy(dst, m->bytes.data() + (addr - kBase), n);
    return true;
  }
  static bool Write(void *ctx, uint64_t addr, const void *src, size_t n) {
    auto *m = static_cast<Memory *>(ctx);
    if (addr < kBase || addr - kBase > m->bytes.size() || n > m->bytes.size() - (addr - kBase)) return false;
    std::memcpy(m->bytes.data() + (addr - kBase), src, n);
    return true;
  }
  template <class T>
  T *At(size_t off) {
    return reinterpret_cast<T *>(bytes.data() + off);
  }
  wg_ref_mem_t Ref() { return {this, Read, Write}; }
};

/** Kernel arguments at their natural alignment. */
struct Args {
  std::vector<uint8_t> bytes;
  template <class T>
  Args &Add(T v) {
    while (bytes.size() % sizeof(T) != 0) bytes.push_back(0);
    const auto *p = reinterpret_cast<const uint8_t *>(&v);
    bytes.insert(bytes.end(), p, p + sizeof(T));
    return *this;
  }
};

/** A compiled module. */
struct Module {
  wg_obj_t *obj = nullptr;
  wg_diag_t diag = {};
  wg_status_t status = kWgOk;
  explicit Module(const std::string &text, const wg_ptx_options_t *opt = nullptr, const char *name = "t.ptx") {
    status = wg_ptx_compile(text.c_str(), name, opt, &obj, &diag);
  }
  Module(const Module &) = delete;
  ~Module() { wg_obj_free(obj); }
};

inline std::string ReadFile(const std::string &path) {
  std::ifstream f(path);
  std::stringstream s;
  s << f.rdbuf();
  return s.str();
}

struct Dim {
  uint32_t x = 1, y = 1, z = 1;
};

/** The code window of a module: kernels and functions at their places. */
inline std::vector<wg_word_t> Code(const wg_obj_t *o) {
  std::vector<wg_word_t> code;
  for (size_t k = 0; k < o->num_kernels; k++) {
    code.resize(wg_obj_kernel_pc(o, k) / kWgInsnBytes);
    code.insert(code.end(), o->kernels[k].code, o->kernels[k].code + o->kernels[k].num_insns);
  }
  return code;
}

/** How a run differs from the usual one: mode of divergence, stack of kernels of unknown depth, the fault that is meant. */
struct Way {
  wg_diverge_cfg_t diverge = {};
  uint32_t stack = 1024;
  wg_fault_t *fault = nullptr;
};

/** Run a kernel; a fault or hang fails the test, unless `way` wants the fault. @return totals */
inline wg_ref_totals_t Run(const Module &m, const char *kernel, Dim grid, Dim block, uint32_t dyn_shared,
                           const Args &args, Memory *mem, const Way &way = {}) {
  wg_ref_totals_t totals = {};
  size_t k = 0;
  const wg_obj_kernel_t *kn = m.obj == nullptr ? nullptr : wg_obj_find(m.obj, kernel, &k);
  EXPECT_NE(kn, nullptr) << kernel << ": " << m.diag.msg;
  if (kn == nullptr) return totals;
  wg_ref_grid_t g = {};
  std::vector<wg_word_t> code = Code(m.obj);
  g.code = code.data();
  g.num_insns = static_cast<uint32_t>(code.size());
  g.entry_pc = wg_obj_kernel_pc(m.obj, k);
  g.diverge = way.diverge;
  g.regs = (kn->regs + kWgRegUnit - 1) / kWgRegUnit * kWgRegUnit;
  g.shared_bytes = kn->shared_bytes;
  g.dyn_shared_bytes = dyn_shared;
  g.local_bytes = kn->uses_stack ? std::max(way.stack, kn->local_bytes) : kn->local_bytes;
  g.grid[0] = grid.x, g.grid[1] = grid.y, g.grid[2] = grid.z;
  g.block[0] = block.x, g.block[1] = block.y, g.block[2] = block.z;
  g.params = args.bytes.data();
  g.param_bytes = args.bytes.size();
  std::vector<uint64_t> bases(2, 0); /* as the loader does: variables lie at the end of memory */
  if (m.obj->const2_size != 0 || m.obj->num_relocs != 0) {
    size_t at = mem->bytes.size();
    mem->bytes.insert(mem->bytes.end(), m.obj->global_init, m.obj->global_init + m.obj->global_size);
    bases[0] = kBase + at;
    mem->bytes.resize((mem->bytes.size() + 255) & ~size_t(255));
    bases[1] = kBase + mem->bytes.size();
    mem->bytes.insert(mem->bytes.end(), m.obj->const3, m.obj->const3 + m.obj->const3_size);
    if (m.obj->num_relocs != 0) {
      uint8_t *const image[2] = {m.obj->const3, m.obj->global_init};
      const uint64_t base[2] = {bases[1], bases[0]};
      wg_obj_relocate(m.obj, image, base);
      if (m.obj->global_size != 0) std::memcpy(mem->bytes.data() + at, m.obj->global_init, m.obj->global_size);
      if (m.obj->const3_size != 0) std::memcpy(mem->bytes.data() + (bases[1] - kBase), m.obj->const3, m.obj->const3_size);
    }
    g.const2 = m.obj->const2_size != 0 ? reinterpret_cast<const uint8_t *>(bases.data()) : nullptr;
    g.const2_size = static_cast<uint32_t>(m.obj->const2_size);
  }
  g.const3 = m.obj->const3;
  g.const3_size = static_cast<uint32_t>(m.obj->const3_size);
  wg_ref_mem_t ref = mem->Ref();
  wg_fault_t fault = {};
  wg_diag_t diag = {};
  wg_status_t st = wg_ref_run_grid(&g, &ref, &totals, &fault, &diag);
  if (way.fault != nullptr) *way.fault = fault;
  else EXPECT_EQ(st, kWgOk) << diag.msg << " fault " << int(fault.code) << " pc " << fault.pc;
  return totals;
}

/** Options: bit 0 no schedule, bit 1 no reconvergence, bits 8 up register limit (0 = none). */
inline wg_ptx_options_t Options(unsigned bits) {
  wg_ptx_options_t o;
  wg_ptx_default_options(&o);
  o.schedule = (bits & 1) == 0;
  o.reconverge = (bits & 2) == 0;
  o.max_regs = bits >> 8;
  return o;
}

/** A kernel `k(out, in)` around a body: %o, %i = byte addresses of the thread's slot of 32 bytes in out and in. */
inline std::string Kernel(const std::string &body) {
  return ".version 6.4\n.target sm_70\n.address_size 64\n"
         ".visible .entry k(.param .u64 k_out, .param .u64 k_in)\n{\n"
         ".reg .pred %p<40>;\n.reg .b16 %h<20>;\n.reg .b32 %r<60>;\n.reg .f32 %f<60>;\n.reg .b64 %d<60>;\n"
         ".reg .b64 %o, %i, %t;\n"
         "ld.param.u64 %o, [k_out];\nld.param.u64 %i, [k_in];\ncvta.to.global.u64 %o, %o;\n"
         "mov.u32 %r59, %tid.x;\nmov.u32 %r58, %ctaid.x;\nmov.u32 %r57, %ntid.x;\n"
         "mad.lo.u32 %r59, %r58, %r57, %r59;\nmul.wide.u32 %t, %r59, 32;\n"
         "add.s64 %o, %o, %t;\nadd.s64 %i, %i, %t;\n" +
         body + "\nret;\n}\n";
}

} // namespace px

#endif
