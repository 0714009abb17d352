// SPDX-License-Identifier: Apache-2.0
//
// The session on the functional back end: memory, modules, launches, faults. Kernels are hand assembly.
#include "cosim/session.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "toolchain/asm/wg_asm.h"

namespace {

// out[ctaid * ntid + tid] = value + tid; parameters: pointer, int
const char kStore[] = R"(
.kernel store
.param 8, 8
.param 4, 4
  S2R R0, SR_TID.X
  S2R R1, SR_CTAID.X
  MOV R2, c[0x0][0x0]
  IMAD R2, R1, R2, R0
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  MOV R8, 0x4
  IMAD.WIDE R6, R2, R8, R4
  MOV R3, c[0x0][0x168]
  IMAD R3, R0, 0x1, R3
  STG.E [R6], R3
  EXIT
.kernel wait
.barriers 1
  BAR.SYNC 0x0, 0x60
  EXIT
.kernel spin
again:
  BRA again
.kernel two
.barriers 3
  S2R R0, SR_TID.X
  ISETP.LT.AND P0, PT, R0, 0x20, PT
@P0 BRA one
  BAR.SYNC 0x2
  EXIT
one:
  BAR.SYNC 0x1
  EXIT
.kernel trap
  TRAP 0x1
  EXIT
.const3
.word 0x11, 0x22
)";

class SessionTest : public ::testing::Test {
 protected:
  void SetUp() override { Open("preset=tiny backend=func"); }
  void TearDown() override { wg_session_destroy(s_); }

  void Open(const char *settings) {
    wg_session_destroy(s_);
    s_ = nullptr;
    wg_session_cfg_t cfg;
    wg_session_cfg_init(&cfg);
    ASSERT_EQ(kWgOk, wg_session_parse(settings, &cfg, &d_)) << d_.msg;
    ASSERT_EQ(kWgOk, wg_session_create(&cfg, &s_, &d_)) << d_.msg;
    wg_session_cfg_clear(&cfg);
    wg_obj_t *obj = nullptr;
    ASSERT_EQ(kWgOk, wg_asm_text(kStore, "store.s", &obj, &d_)) << d_.line << d_.msg;
    ASSERT_EQ(kWgOk, wg_session_load(s_, obj, &m_, &d_)) << d_.msg;
  }

  wg_launch_t Store(uint64_t out, int value, uint32_t grid, uint32_t block) {
    params_.resize(12);
    memcpy(params_.data(), &out, 8);
    memcpy(params_.data() + 8, &value, 4);
    return {m_, "store", {grid, 1, 1}, {block, 1, 1}, 0, params_.data(), params_.size(), 0};
  }
  wg_launch_t Plain(const char *kernel, uint32_t block) {
    return {m_, kernel, {1, 1, 1}, {block, 1, 1}, 0, nullptr, 0, 0};
  }

  wg_session_t *s_ = nullptr;
  wg_module_t *m_ = nullptr;
  wg_diag_t d_ = {};
  std::vector<uint8_t> params_;
};

TEST_F(SessionTest, MemoryKeepsWhatWasWritten) {
  uint64_t a = 0, b = 0;
  ASSERT_EQ(kWgOk, wg_session_malloc(s_, 100, &a, &d_));
  ASSERT_EQ(kWgOk, wg_session_malloc(s_, 100, &b, &d_));
  EXPECT_EQ(0u, a % 256);
  EXPECT_EQ(UINT64_C(0x200100000000), a);  // behind the driver's 4 GiB
  EXPECT_EQ(a + 256, b);
  int in = 0x12345678, out = 0;
  ASSERT_EQ(kWgOk, wg_session_write(s_, a + 96, &in, 4, &d_));
  ASSERT_EQ(kWgOk, wg_session_read(s_, a + 96, &out, 4, &d_));
  EXPECT_EQ(in, out);
  ASSERT_EQ(kWgOk, wg_session_memset(s_, a, 0xab, 100, &d_));
  ASSERT_EQ(kWgOk, wg_session_read(s_, a + 96, &out, 4, &d_));
  EXPECT_EQ(0xababababu, (unsigned)out);
  uint64_t base = 0;
  size_t bytes = 0;
  ASSERT_TRUE(wg_session_range(s_, b + 99, &base, &bytes));
  EXPECT_EQ(b, base);
  EXPECT_EQ(100u, bytes);
  EXPECT_FALSE(wg_session_range(s_, b + 100, nullptr, nullptr));
}

TEST_F(SessionTest, BadHostAccessIsRefused) {
  uint64_t a = 0;
  int x = 0;
  ASSERT_EQ(kWgOk, wg_session_malloc(s_, 100, &a, &d_));
  EXPECT_EQ(kWgBadArg, wg_session_read(s_, a + 97, &x, 4, &d_));
  EXPECT_EQ(kWgBadArg, wg_session_write(s_, a - 1, &x, 4, &d_));
  EXPECT_EQ(kWgBadArg, wg_session_free(s_, a + 256, &d_));
  EXPECT_EQ(kWgBadArg, wg_session_free(s_, UINT64_C(0x200000000000), &d_));  // the driver's, not the program's
  EXPECT_EQ(kWgNoSpace, wg_session_malloc(s_, SIZE_MAX / 2, &a, &d_));
  EXPECT_EQ(kWgOk, wg_session_free(s_, a, &d_));
  EXPECT_EQ(kWgBadArg, wg_session_free(s_, a, &d_));
}

TEST_F(SessionTest, LaunchRunsEveryThread) {
  uint64_t a = 0;
  ASSERT_EQ(kWgOk, wg_session_malloc(s_, 4 * 100, &a, &d_));
  wg_launch_t l = Store(a, 1000, 2, 50);
  wg_launch_result_t r = {};
  ASSERT_EQ(kWgOk, wg_session_launch(s_, &l, &r, &d_)) << d_.msg;
  std::vector<int> got(100);
  ASSERT_EQ(kWgOk, wg_session_read(s_, a, got.data(), 400, &d_));
  for (int i = 0; i < 100; i++) EXPECT_EQ(1000 + i % 50, got[(size_t)i]);
  EXPECT_EQ(2u * 2 * 12, r.warp_insts);  // 2 blocks x 2 warps x 12 instructions
  EXPECT_EQ(100u * 12, r.thread_insts);
  EXPECT_EQ(4u, r.global_store_requests);
  EXPECT_EQ(100u, r.global_store_lanes);
  EXPECT_NE(0u, r.retire_hash);
  wg_launch_result_t sum = {};
  unsigned launches = 0;
  ASSERT_EQ(kWgOk, wg_session_launch(s_, &l, &r, &d_)) << d_.msg;
  EXPECT_EQ(2u * 2 * 12, r.warp_insts);  // of this launch, not since the beginning
  wg_session_totals(s_, &sum, &launches);
  EXPECT_EQ(2u, launches);
  EXPECT_EQ(2u * r.warp_insts, sum.warp_insts);
}

TEST_F(SessionTest, InvalidLaunchesAreToldApart) {
  uint64_t a = 0;
  ASSERT_EQ(kWgOk, wg_session_malloc(s_, 4096, &a, &d_));
  wg_launch_t l = Store(a, 0, 0, 32);
  EXPECT_EQ(kWgBadArg, wg_session_launch(s_, &l, nullptr, &d_));
  l = Store(a, 0, 1, 0);
  EXPECT_EQ(kWgBadArg, wg_session_launch(s_, &l, nullptr, &d_));
  l = Store(a, 0, 1, 2048);
  EXPECT_EQ(kWgBadArg, wg_session_launch(s_, &l, nullptr, &d_));
  l = Store(a, 0, 1, 512);  // tiny holds 8 warps
  EXPECT_EQ(kWgNoSpace, wg_session_launch(s_, &l, nullptr, &d_));
  EXPECT_NE(std::string::npos, std::string(d_.msg).find("warp")) << d_.msg;
  l = Store(a, 0, 1, 32);
  l.dyn_shared_bytes = 1 << 20;
  EXPECT_EQ(kWgNoSpace, wg_session_launch(s_, &l, nullptr, &d_));
  EXPECT_NE(std::string::npos, std::string(d_.msg).find("shared")) << d_.msg;
  l = Store(a, 0, 1, 32);
  l.kernel = "nobody";
  EXPECT_EQ(kWgNotFound, wg_session_launch(s_, &l, nullptr, &d_));
  l = Store(a, 0, 1, 32);
  l.param_bytes = 40000;
  EXPECT_EQ(kWgBadArg, wg_session_launch(s_, &l, nullptr, &d_));
  EXPECT_EQ(0u, wg_session_cuda_error(s_, nullptr));
  l = Store(a, 7, 1, 32);  // none of these fails the session
  EXPECT_EQ(kWgOk, wg_session_launch(s_, &l, nullptr, &d_)) << d_.msg;
}

TEST_F(SessionTest, FaultSaysWhereAndStays) {
  uint64_t a = 0;
  ASSERT_EQ(kWgOk, wg_session_malloc(s_, 4 * 64, &a, &d_));
  wg_launch_t l = Store(a, 0, 3, 32);  // block 2 writes behind the end
  EXPECT_EQ(kWgFault, wg_session_launch(s_, &l, nullptr, &d_));
  wg_fault_t f = {};
  EXPECT_EQ(700u, wg_session_cuda_error(s_, &f));
  EXPECT_EQ(2u, f.ctaid[0]);
  EXPECT_EQ(a + 256, f.addr);
  std::string msg = d_.msg;
  for (const char *part : {"illegal address", "'store'", "block (2,0,0)", "warp 0", "PC 0xa0",
                           "0 bytes behind the end", "256 bytes at 0x200100000000"}) {
    EXPECT_NE(std::string::npos, msg.find(part)) << part << " is not in: " << msg;
  }
  EXPECT_NE('\0', d_.hint[0]);
  d_ = {};
  l = Store(a, 0, 1, 32);
  EXPECT_EQ(kWgFault, wg_session_launch(s_, &l, nullptr, &d_));
  EXPECT_EQ(msg, d_.msg);
}

// A knob is for a plug-in: no policy of the RTL reads one.
TEST(SessionPresetTest, KnobsWithoutAPluginAreRefused) {
  std::ifstream in("configs/tiny.cfg");
  char path[] = "/tmp/wg_knobs_XXXXXX.cfg";
  close(mkstemps(path, 4));
  std::ofstream out(path);
  for (std::string line; std::getline(in, line);) {
    if (line.find(" scheduler_knobs =") != std::string::npos) line = "scheduler_knobs = [0, 0, 0, 8]";
    out << line << "\n";
  }
  out.close();
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  cfg.backend = "func";
  cfg.preset = path;
  wg_session_t *s = nullptr;
  wg_diag_t d = {};
  EXPECT_EQ(kWgBadInput, wg_session_create(&cfg, &s, &d));
  EXPECT_EQ(std::string("preset '") + path + "': 'sm.scheduler_knobs' has no effect: the scheduler 'lrr' reads none",
            d.msg);
  remove(path);
}

TEST_F(SessionTest, TrapIsADeviceAssert) {
  wg_launch_t l = Plain("trap", 32);
  EXPECT_EQ(kWgFault, wg_session_launch(s_, &l, nullptr, &d_));
  EXPECT_EQ(710u, wg_session_cuda_error(s_, nullptr));
}

TEST_F(SessionTest, DeadlockIsDiagnosed) {
  wg_launch_t l = Plain("wait", 64);  // 64 threads wait for 96
  EXPECT_EQ(kWgHang, wg_session_launch(s_, &l, nullptr, &d_));
  EXPECT_EQ(702u, wg_session_cuda_error(s_, nullptr));
  EXPECT_NE(std::string::npos, (std::string(d_.msg) + d_.hint).find("barrier")) << d_.msg << " / " << d_.hint;
}

TEST_F(SessionTest, ALoopThatNeverEndsMeetsTheLimit) {
  Open("preset=tiny backend=func limit=1000");
  wg_launch_t l = Plain("spin", 32);
  EXPECT_EQ(kWgHang, wg_session_launch(s_, &l, nullptr, &d_));
  EXPECT_EQ(702u, wg_session_cuda_error(s_, nullptr));
  EXPECT_NE(nullptr, strstr(d_.msg, "the limit of 1000 warp instructions is reached; what runs is pc ")) << d_.msg;
  EXPECT_NE(nullptr, strstr(d_.msg, "line 23; block (0,0,0): warp 0 at pc ")) << d_.msg;
  EXPECT_EQ(nullptr, strstr(d_.msg, "no progress")) << d_.msg;
  EXPECT_EQ(nullptr, strstr(d_.hint, "barrier")) << d_.hint;
  EXPECT_NE(nullptr, strstr(d_.hint, "loop")) << d_.hint;
}

TEST_F(SessionTest, ALongLaunchSpeaksUp) {
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  ASSERT_EQ(kWgOk, wg_session_parse("preset=tiny backend=func limit=2000000", &cfg, &d_));
  cfg.note_ms = 1;
  wg_session_destroy(s_);
  s_ = nullptr;
  ASSERT_EQ(kWgOk, wg_session_create(&cfg, &s_, &d_)) << d_.msg;
  wg_session_cfg_clear(&cfg);
  wg_obj_t *obj = nullptr;
  ASSERT_EQ(kWgOk, wg_asm_text(kStore, "store.s", &obj, &d_));
  ASSERT_EQ(kWgOk, wg_session_load(s_, obj, &m_, &d_));
  wg_launch_t l = Plain("spin", 32);
  testing::internal::CaptureStderr();
  EXPECT_EQ(kWgHang, wg_session_launch(s_, &l, nullptr, &d_));
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, text.find("warpglass: kernel spin still runs: ")) << text;
  EXPECT_NE(std::string::npos, text.find(" warp instructions, block (0,0,0): warp 0 at pc 0x")) << text;
  EXPECT_NE(std::string::npos, text.find(" (line 23); limit=INSTRUCTIONS stops it\n")) << text;
}

TEST_F(SessionTest, NothingIsSaidAboutAShortLaunch) {
  Open("preset=tiny backend=func limit=1000");
  wg_launch_t l = Plain("spin", 32);
  testing::internal::CaptureStderr();
  EXPECT_EQ(kWgHang, wg_session_launch(s_, &l, nullptr, &d_));
  EXPECT_EQ("", testing::internal::GetCapturedStderr());
}

// 24 ints of 96 bytes: threads 24 to 31 write behind them, into the rounding.
TEST_F(SessionTest, ExactFindsWhatLiesInTheRounding) {
  for (const char *backend : {"func", "rtl"}) {
    for (bool exact : {false, true}) {
      Open((std::string("preset=tiny backend=") + backend + (exact ? " oob=exact" : "")).c_str());
      uint64_t a = 0;
      ASSERT_EQ(kWgOk, wg_session_malloc(s_, 96, &a, &d_));
      wg_launch_t l = Store(a, 0, 1, 32);
      EXPECT_EQ(exact ? kWgFault : kWgOk, wg_session_launch(s_, &l, nullptr, &d_)) << backend << d_.msg;
      wg_fault_t f = {};
      EXPECT_EQ(exact ? 700u : 0u, wg_session_cuda_error(s_, &f));
      if (!exact) continue;
      EXPECT_EQ(0xff000000u, f.lanes) << backend;
      EXPECT_EQ(a + 96, f.addr) << backend;
      EXPECT_NE(nullptr, strstr(d_.msg, "lanes 0xff000000")) << d_.msg;
      EXPECT_NE(nullptr, strstr(d_.msg, "0 bytes behind the end of the nearest allocation, 96 bytes")) << d_.msg;
    }
  }
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  ASSERT_EQ(kWgOk, wg_session_parse("preset=tiny oob=exact check=off", &cfg, &d_));
  wg_session_t *s = nullptr;
  EXPECT_EQ(kWgBadInput, wg_session_create(&cfg, &s, &d_));
  EXPECT_NE(nullptr, strstr(d_.msg, "does not go with check=off")) << d_.msg;
  wg_session_cfg_clear(&cfg);
}

// Who could see no race does not look as if there were none.
TEST_F(SessionTest, RacesNeedTheGoldenModel) {
  for (const char *words : {"preset=tiny race=on check=off", "preset=tiny race=note backend=stub"}) {
    wg_session_cfg_t cfg;
    wg_session_cfg_init(&cfg);
    ASSERT_EQ(kWgOk, wg_session_parse(words, &cfg, &d_));
    wg_session_t *s = nullptr;
    EXPECT_EQ(kWgBadInput, wg_session_create(&cfg, &s, &d_)) << words;
    EXPECT_NE(nullptr, strstr(d_.msg, "does not go with")) << d_.msg;
    wg_session_cfg_clear(&cfg);
  }
}

// The design keeps 48 bits of an address: with nobody who knows the rest, the message says so.
TEST_F(SessionTest, AnAddressCutShortIsNotTheProgramsOwn) {
  Open("preset=tiny backend=rtl check=off");
  uint64_t a = 0;
  ASSERT_EQ(kWgOk, wg_session_malloc(s_, 256, &a, &d_));
  wg_launch_t l = Store(a | UINT64_C(1) << 52, 0, 1, 32);
  EXPECT_EQ(kWgFault, wg_session_launch(s_, &l, nullptr, &d_));
  EXPECT_NE(nullptr, strstr(d_.msg, ": the lower 48 bits of an address that is beyond the address space")) << d_.msg;
  EXPECT_NE(nullptr, strstr(d_.hint, "this is not a device address")) << d_.hint;
}

// Lanes of an illegal address and barriers of a hang, the same on both back ends.
TEST_F(SessionTest, RtlSaysAsMuchAsFunc) {
  std::string said[2];
  for (int i = 0; i < 2; i++) {
    Open(i == 0 ? "preset=tiny backend=func" : "preset=tiny backend=rtl");
    uint64_t a = 0;
    ASSERT_EQ(kWgOk, wg_session_malloc(s_, 256, &a, &d_));
    wg_launch_t l = Store(a + 200, 0, 1, 32);
    EXPECT_EQ(kWgFault, wg_session_launch(s_, &l, nullptr, &d_));
    EXPECT_NE(nullptr, strstr(d_.msg, "lanes 0xffffc000")) << d_.msg;
    Open(i == 0 ? "preset=tiny backend=func" : "preset=tiny backend=rtl");
    l = Store(UINT64_C(0x12345678abcd0000), 0, 1, 32);
    EXPECT_EQ(kWgFault, wg_session_launch(s_, &l, nullptr, &d_));
    EXPECT_NE(nullptr, strstr(d_.msg, "illegal address at 0x12345678abcd0000 ")) << d_.msg;
    Open(i == 0 ? "preset=tiny backend=func" : "preset=tiny backend=rtl");
    l = Plain("two", 64);
    EXPECT_EQ(kWgHang, wg_session_launch(s_, &l, nullptr, &d_));
    for (const char *part : {"barrier 1 (", "barrier 2 (", "arrived 0x1 of 0x3", "arrived 0x2 of 0x3"}) {
      EXPECT_NE(nullptr, strstr(d_.msg, part)) << part << ": " << d_.msg;
    }
    Open(i == 0 ? "preset=tiny backend=func" : "preset=tiny backend=rtl");
    l = Plain("wait", 64);
    EXPECT_EQ(kWgHang, wg_session_launch(s_, &l, nullptr, &d_));
    EXPECT_NE(nullptr, strstr(d_.msg, "barrier 0 (")) << d_.msg;
    EXPECT_NE(nullptr, strstr(d_.msg, "arrived 0x3 of 0x3, 96 threads are asked for)")) << d_.msg;
  }
}

TEST_F(SessionTest, LimitsOfThePresetHold) {
  uint64_t a = 0, b = 0;
  ASSERT_EQ(kWgOk, wg_session_malloc(s_, (size_t)600 << 20, &a, &d_));
  EXPECT_EQ(kWgNoSpace, wg_session_malloc(s_, (size_t)600 << 20, &b, &d_));  // tiny has 1024 MiB
  EXPECT_EQ(kWgOk, wg_session_free(s_, a, &d_));
  EXPECT_EQ(kWgOk, wg_session_malloc(s_, (size_t)600 << 20, &b, &d_));
}

TEST_F(SessionTest, PropertiesAndSetupComeFromThePreset) {
  wg_session_props_t p;
  wg_session_get_props(s_, &p);
  EXPECT_EQ(1u, p.num_sms);
  EXPECT_EQ(8u, p.warp_slots_per_sm);
  EXPECT_EQ(256u, p.max_threads_per_block);
  EXPECT_GT(p.hbm_gbytes_per_s, 0.0);
  wg_session_setup_t u;
  wg_session_get_setup(s_, &u);
  EXPECT_STREQ("tiny", u.preset);
  EXPECT_STREQ("func", u.backend);
  EXPECT_FALSE(u.timing);
  EXPECT_TRUE(u.hashes);
  EXPECT_STREQ("off", u.check);
}

TEST_F(SessionTest, BoundIsTheLargestOfItsParts) {
  wg_launch_result_t r = {};
  const char *name = nullptr;
  r.warp_insts = 1000;
  EXPECT_EQ(1000u, wg_session_bound(s_, &r, 4, &name));  // one sub-core
  EXPECT_STREQ("issue", name);
  r.shared_wavefronts = 1001;
  EXPECT_EQ(1001u, wg_session_bound(s_, &r, 4, &name));
  EXPECT_STREQ("shared", name);
  r.l1_lines = 1002;
  EXPECT_EQ(1002u, wg_session_bound(s_, &r, 4, &name));
  EXPECT_STREQ("l1", name);
  wg_session_props_t p;
  wg_session_get_props(s_, &p);
  r.dram_read_bytes = (uint64_t)(p.hbm_gbytes_per_s * 1e6 / p.clock_khz * 2000.0) + 1;
  EXPECT_NEAR(2000.0, (double)wg_session_bound(s_, &r, 4, &name), 1.0);
  EXPECT_STREQ("dram", name);
  struct {
    const char *name;
    uint64_t wg_launch_result_t::*insts;
    uint64_t cycles;  // of 1001 on the one sub-core of tiny: 8 lanes of INT and FP32; what a pipe's last instruction keeps is not counted
  } const pipes[] = {{"int", &wg_launch_result_t::int_pipe_insts, 4001},   {"fp", &wg_launch_result_t::fp32_pipe_insts, 4001},
                     {"fp", &wg_launch_result_t::half_pipe_insts, 4001},   {"lsu", &wg_launch_result_t::lsu_pipe_insts, 1001},
                     {"dmma", &wg_launch_result_t::dmma_pipe_insts, 128128}};
  for (const auto &x : pipes) {
    r = {};
    r.*x.insts = 1001;
    EXPECT_EQ(x.cycles, wg_session_bound(s_, &r, 4, &name)) << x.name;
    EXPECT_STREQ(x.insts == &wg_launch_result_t::dmma_pipe_insts ? "mma" : x.name, name);
  }
}

TEST_F(SessionTest, OccupancyFollowsTheAllocator) {
  EXPECT_EQ(8u, wg_session_blocks_per_sm(s_, m_, "store", 32, 0));  // warp and block slots of tiny
  EXPECT_EQ(4u, wg_session_blocks_per_sm(s_, m_, "store", 64, 0));
  EXPECT_EQ(2u, wg_session_blocks_per_sm(s_, m_, "store", 32, 8192));
  EXPECT_EQ(0u, wg_session_blocks_per_sm(s_, m_, "store", 512, 0));
  EXPECT_EQ(0u, wg_session_blocks_per_sm(s_, m_, "nobody", 32, 0));
  EXPECT_EQ(0u, wg_session_blocks_per_sm(s_, m_, "store", 0, 0));
  // The lecture's question 3: 1.5 KB of shared memory hold two blocks of 520 bytes.
  Open("preset=lecture backend=func");
  EXPECT_EQ(2u, wg_session_blocks_per_sm(s_, m_, "store", 128, 520));
}

TEST_F(SessionTest, TimeMovesForward) {
  uint64_t t0 = wg_session_time_ns(s_), a = 0;
  ASSERT_EQ(kWgOk, wg_session_malloc(s_, 4096, &a, &d_));
  wg_launch_t l = Store(a, 0, 1, 32);
  ASSERT_EQ(kWgOk, wg_session_launch(s_, &l, nullptr, &d_));
  uint64_t t1 = wg_session_time_ns(s_);
  EXPECT_GT(t1, t0);
  wg_session_advance_ns(s_, 500);
  EXPECT_EQ(t1 + 500, wg_session_time_ns(s_));
}

TEST(SessionCfgTest, ReadsEveryKey) {
  wg_session_cfg_t c;
  wg_diag_t d = {};
  wg_session_cfg_init(&c);
  EXPECT_EQ(kWgCheckRetire, c.check);
  ASSERT_EQ(kWgOk,
            wg_session_parse(" preset=v100  backend=func sched=gto check=units sms=2 seed=0x10 trace=a.fst from=5 "
                             "to=9 inject=lane@3 oob=page race=note preset=tiny ",
                             &c, &d))
      << d.msg;
  EXPECT_STREQ("tiny", c.preset);
  EXPECT_STREQ("func", c.backend);
  EXPECT_STREQ("gto", c.sched);
  EXPECT_EQ(kWgCheckUnits, c.check);
  EXPECT_EQ(2u, c.num_sms);
  EXPECT_EQ(16u, c.seed);
  EXPECT_STREQ("a.fst", c.trace_path);
  EXPECT_EQ(5u, c.trace_from);
  EXPECT_EQ(9u, c.trace_to);
  EXPECT_STREQ("lane@3", c.inject);
  EXPECT_EQ(kWgSessionOobPage, c.oob);
  EXPECT_EQ(kWgSessionRaceNote, c.race);
  EXPECT_EQ(kWgOk, wg_session_parse(nullptr, &c, &d));
  wg_session_cfg_clear(&c);
}

TEST(SessionCfgTest, TakesEveryRightWord) {
  for (const char *text : {"sched=lrr", "sched=plugin:my_own-2", "preset=lecture", "preset=some/where.cfg", "inject=pick",
                           "inject=store-byte@18446744073709551615", "find=pc:0", "find=pc:64", "find=pc:0xffffff0",
                           "find=barrier:15", "find=block:4294967295", "from=5 to=0", "from=5 to=6", "seed=010"}) {
    wg_session_cfg_t c;
    wg_diag_t d = {};
    wg_session_cfg_init(&c);
    EXPECT_EQ(kWgOk, wg_session_parse(text, &c, &d)) << text << ": " << d.msg;
    if (strcmp(text, "seed=010") == 0) EXPECT_EQ(10u, c.seed);  // no octal numbers
    wg_session_cfg_clear(&c);
  }
}

TEST(SessionCfgTest, BadWordsNameTheRemedy) {
  const struct {
    const char *text, *msg, *hint;
  } kBad[] = {{"shed=gto", "shed", "sched"},
              {"zzzzzzzzz=1", "zzzzzzzzz", "one of: preset backend sched"},
              {"sched=fifo", "fifo", "plugin:NAME c:NAME"},
              {"sched=gt0", "gt0", "did you mean 'gto'?"},
              {"sched=ext", "'ext' needs a policy", "plugin:NAME"},
              {"sched=plugin:", "names no plug-in", "scripts/plugin.sh"},
              {"sched=plugin:../x", "names no plug-in", "scripts/plugin.sh"},
              {"preset=tny", "no preset 'tny'", "did you mean 'tiny'? one of: "},
              {"preset=tny", "no preset 'tny'", " lecture tiny v100"},
              {"preset=V100", "no preset 'V100'", "did you mean 'v100'?"},
              {"check=unit", "unit", "did you mean 'units'? one of: off retire units"},
              {"inject=nobody", "cannot inject 'nobody'", "none pick lane mask barrier fma-bit store-byte"},
              {"inject=fma", "cannot inject 'fma'", "store-byte"},
              {"inject=lane@", "bad cycle", "lane@N"},
              {"inject=lane@-1", "bad cycle", "lane@N"},
              {"inject=lane@0x10", "bad cycle", "lane@N"},
              {"inject=lane@99999999999999999999", "bad cycle", "18446744073709551615"},
              {"find=pcs:0x40", "pcs:0x40", "pc:0x40, block:3"},
              {"find=pc", "'pc'", "pc:0x40, block:3"},
              {"find=pc:0x3", "pc:0x3", "multiple of 16 from 0 to 0xffffff0"},
              {"find=pc:0x10000000", "pc:0x10000000", "0xffffff0"},
              {"find=pc:0x", "pc:0x", "multiple of 16"},
              {"find=barrier:16", "barrier:16", "from 0 to 15"},
              {"find=barrier:-1", "barrier:-1", "from 0 to 15"},
              {"find=block:4294967296", "block:4294967296", "4294967295"},
              {"find=block:99999999999999999999", "block:9", "4294967295"},
              {"find=block:010", "block:010", "4294967295"},
              {"from=9 to=9", "from=9 and to=9", "window"},
              {"from=0x", "0x", "number"},
              {"sms=two", "two", "number"},
              {"sms=99999", "99999", "1024"},
              {"check=all", "all", "retire"},
              {"backend=rlt", "rlt", "func"},
              {"preset", "key=value", ""},
              {"preset=", "no value", ""},
              {"seed=-1", "-1", "number"},
              {"oob=byte", "byte", "page"},
              {"race=yes", "yes", "note"},
              {"sms=0", "'0'", "1 to 1024"},
              {"seed=99999999999999999999", "99999999999999999999", ""}};
  for (const auto &b : kBad) {
    wg_session_cfg_t c;
    wg_diag_t d = {};
    wg_session_cfg_init(&c);
    EXPECT_EQ(kWgBadInput, wg_session_parse(b.text, &c, &d)) << b.text;
    EXPECT_NE(nullptr, strstr(d.msg, b.msg)) << b.text << ": " << d.msg;
    EXPECT_NE(nullptr, strstr(d.hint, b.hint)) << b.text << ": " << d.hint;
    wg_session_cfg_clear(&c);
  }
}

TEST(SessionCfgTest, BadSessionsAreNotMade) {
  for (const char *text : {"preset=/nowhere.cfg backend=func", "preset=tiny backend=func sms=7"}) {
    wg_session_cfg_t c;
    wg_session_t *s = nullptr;
    wg_diag_t d = {};
    wg_session_cfg_init(&c);
    ASSERT_EQ(kWgOk, wg_session_parse(text, &c, &d));
    EXPECT_NE(kWgOk, wg_session_create(&c, &s, &d)) << text;
    EXPECT_EQ(nullptr, s);
    EXPECT_NE('\0', d.msg[0]);
    wg_session_cfg_clear(&c);
  }
  wg_session_destroy(nullptr);
}

}  // namespace
