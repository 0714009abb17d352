// SPDX-License-Identifier: Apache-2.0
//
// The control field, as a warp under `dependence = control-bits` would obey it: one warp is stepped on the golden
// model; stall counts and wait masks alone decide when it issues, results and operand reads of variable-latency
// instructions take random times. Reading or overwriting a register too early is an error.
#include <random>

#include "isa/wg_ctl.h"
#include "testbench/unit/ptx/px_run.h"

namespace {

constexpr uint64_t kFixed = 4, kPred = 6;
constexpr uint64_t kLocal = px::kBase + 65536; // frames of the one warp

class Clock {
 public:
  explicit Clock(uint64_t seed) : rng_(seed) {}
  /** Issue one word; @return what was wrong, empty if nothing. */
  std::string Issue(const wg_insn_t &in) {
    for (int c = 0; c < 6; c++) {
      if (in.wait_mask >> c & 1) now_ = std::max(now_, counter_[c]);
    }
    std::string wrong;
    wg_regset_t r = wg_insn_regs(&in);
    for (int k = 0; k < 5; k++) {
      for (int j = 0; j < r.count[k]; j++) {
        int n = r.first[k] + j;
        if (written_[n] > now_) wrong += " R" + std::to_string(n) + " is not written yet";
        if (k == 4 && read_[n] > now_) wrong += " R" + std::to_string(n) + " is still to be read";
      }
    }
    for (uint8_t p : {in.guard, in.ps0, in.ps1, in.pd0, in.pd1}) {
      if (p != 7 && pwritten_[p] > now_) wrong += " P" + std::to_string(p) + " is not written yet";
    }
    bool variable = wg_ctl_class(in.op) == kWgCtlVariable;
    uint64_t done = now_ + (variable ? 5 + rng_() % 300 : kFixed), reads = now_ + (variable ? 1 + rng_() % 40 : 0);
    if (variable && reads > done) reads = done;
    for (int k = 0; k < 5; k++) {
      for (int j = 0; j < r.count[k]; j++)
        (k == 4 ? written_ : read_)[r.first[k] + j] = k == 4 ? done : std::max(read_[r.first[k] + j], reads);
    }
    for (uint8_t p : {in.pd0, in.pd1}) {
      if (p != 7) pwritten_[p] = variable ? done : now_ + kPred;
    }
    if (in.wr_ctr != 7) counter_[in.wr_ctr] = std::max(counter_[in.wr_ctr], done);
    if (in.rd_ctr != 7) counter_[in.rd_ctr] = std::max(counter_[in.rd_ctr], reads);
    now_ += in.stall == 0 ? 1 : in.stall;
    return wrong;
  }

 private:
  std::mt19937_64 rng_;
  uint64_t now_ = 1, written_[256] = {}, read_[256] = {}, pwritten_[8] = {}, counter_[8] = {};
};

void Check(const px::Module &m, size_t kernel, uint32_t block_x, uint32_t block_y, const px::Args &args,
           px::Memory *mem, uint64_t seed, int *steps) {
  const wg_obj_kernel_t &k = m.obj->kernels[kernel];
  wg_cta_launch_t cta = {};
  cta.ntid[0] = block_x, cta.ntid[1] = block_y, cta.ntid[2] = 1;
  cta.nctaid[0] = cta.nctaid[1] = cta.nctaid[2] = 1;
  std::vector<uint8_t> bank(kWgParamBase + args.bytes.size() + 8), shared(k.shared_bytes + 4096);
  wg_ref_bank0(&cta, k.shared_bytes, 4096, args.bytes.data(), args.bytes.size(), bank.data());
  wg_ref_banks_t banks = {};
  banks.data[0] = bank.data();
  banks.size[0] = uint32_t(bank.size());
  std::vector<std::array<uint32_t, 32>> regs(256);
  wg_ref_warp_t w = {};
  wg_ref_warp_init(&w, 0, wg_ref_present(&cta, 0));
  w.reg = reinterpret_cast<uint32_t(*)[32]>(regs.data());
  w.num_regs = 256;
  w.shared_size = uint32_t(shared.size());
  cta.local_bytes = k.local_bytes;
  cta.local_arena = kLocal;
  w.cta = &cta;
  w.banks = &banks;
  Clock clock(seed);
  wg_ref_mem_t ref = mem->Ref();
  for (*steps = 0; *steps < 20000; ++*steps) {
    uint32_t at = w.div.pc / 16;
    ASSERT_LT(at, k.num_insns);
    wg_ref_insn_t insn = {};
    insn.word = k.code[at];
    ASSERT_EQ(wg_decode(insn.word, &insn.in), kWgOk);
    insn.regs = wg_insn_regs(&insn.in);
    std::string wrong = clock.Issue(insn.in);
    ASSERT_EQ(wrong, "") << " at word " << at << " of " << k.name << ", seed " << seed;
    wg_ref_step_t st = {};
    wg_ref_issue(&w, &insn, &st);
    ASSERT_EQ(st.fault, kWgFaultNone) << at;
    if (st.kind == kWgRefMemory) {
      ASSERT_EQ(wg_ref_memory(&w, &st, st.exec, shared.data(), &ref), kWgFaultNone) << at;
    }
    if (insn.in.op == kWgOp_EXIT && w.div.mask == 0) return;
  }
  FAIL() << "no end";
}

px::Module *Load(const char *name, unsigned options = 0) {
  wg_ptx_options_t opt = px::Options(options);
  return new px::Module(px::ReadFile(std::string("testbench/unit/ptx/data/") + name + ".ptx"), &opt);
}

TEST(ControlFieldTest, CoversTheLectureKernels) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    for (const char *who : {"clang", "nvcc"}) {
      int steps = 0;
      std::unique_ptr<px::Module> conv(Load((std::string("convolve_1d.") + who).c_str()));
      px::Memory mem(65536);
      for (int i = 0; i < 300; i++) mem.At<float>(0)[i] = i % 5 == 0 ? 1e-40f : float(i);
      px::Args a;
      a.Add(int32_t(29)).Add(px::kBase).Add(px::kBase + 4096);
      for (size_t k = 0; k < 2; k++) Check(*conv, k, 32, 1, a, &mem, seed, &steps);
      std::unique_ptr<px::Module> mm(Load((std::string("mm_tiled.") + who).c_str()));
      px::Args b;
      b.Add(px::kBase).Add(px::kBase + 16384).Add(px::kBase + 32768).Add(int32_t(32));
      Check(*mm, 0, 16, 2, b, &mem, seed, &steps);
      EXPECT_GT(steps, 300);
      std::unique_ptr<px::Module> red(Load((std::string("reduce.") + who).c_str()));
      px::Args c;
      c.Add(px::kBase).Add(px::kBase + 4096).Add(int32_t(50));
      Check(*red, 0, 32, 1, c, &mem, seed, &steps);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ControlFieldTest, CoversSpilledCode) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    for (unsigned regs : {24u, 16u, 12u}) {
      std::unique_ptr<px::Module> mm(Load("mm_tiled.clang", regs << 8));
      ASSERT_EQ(mm->status, kWgOk) << mm->diag.msg;
      ASSERT_GT(mm->obj->kernels[0].local_bytes, 0u);
      px::Memory mem(65536 + 128 * 256);
      px::Args b;
      b.Add(px::kBase).Add(px::kBase + 16384).Add(px::kBase + 32768).Add(int32_t(32));
      int steps = 0;
      Check(*mm, 0, 16, 2, b, &mem, seed, &steps);
      EXPECT_GT(steps, 300);
      if (HasFatalFailure()) return;
    }
  }
}

} // namespace
