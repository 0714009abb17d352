// SPDX-License-Identifier: Apache-2.0
//
// `warpglass run --span on`: the longest chain of a whole run, launches in stream order; records and expected values by hand.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "cosim/cli/cli.h"

namespace {

const char kSetup[] = "setup preset=tiny backend=func sched=lrr blocks=breadth divergence=stack dependence=scoreboard sms=1 timing=0 hashes=1 check=off\n";

std::string Launch(int n, int stream, int span, bool command = true) {
  std::string s = "launch n=" + std::to_string(n) +
                  " kernel=_Z1kPi grid=1,1,1 block=32,1,1 shared=0 cycles=0 bound=0 by=issue warp_insts=4 thread_insts=100 load_requests=0 load_lanes=0 "
                  "load_sectors=0 store_requests=0 store_lanes=0 store_sectors=0 shared_wavefronts=0 l1_lines=0" +
                  (span == 0 ? "" : " span=" + std::to_string(span)) + " dram_read=0 dram_write=0 hash=0\n";
  if (command) {
    s += "command id=" + std::to_string(n) + " op=launch stream=" + std::to_string(stream) +
         " words=8 bytes=0 pageable=0 submit=0 start=0 end=0 kernel=_Z1kPi\n";
  }
  return s;
}

uint64_t Span(const std::string &lines) {
  FILE *in = tmpfile();
  fputs((kSetup + lines).c_str(), in);
  rewind(in);
  cli_record_t r;
  wg_diag_t d{};
  EXPECT_EQ(kWgOk, cli_record_read(in, &r, &d)) << d.msg;
  fclose(in);
  uint64_t span = cli_span_of_run(&r);
  cli_record_free(&r);
  return span;
}

TEST(CliSpanTest, LaunchesOfAStreamAddUp) {
  EXPECT_EQ(0u, Span(""));
  EXPECT_EQ(7u, Span(Launch(1, 0, 7)));
  EXPECT_EQ(7u + 5u, Span(Launch(1, 0, 7) + Launch(2, 0, 5)));
  EXPECT_EQ(7u + 5u, Span(Launch(1, 3, 7) + Launch(2, 3, 5)));
}

TEST(CliSpanTest, StreamsStandBesideEachOther) {
  EXPECT_EQ(7u + 2u, Span(Launch(1, 1, 7) + Launch(2, 2, 5) + Launch(3, 1, 2)));
  EXPECT_EQ(5u + 6u, Span(Launch(1, 1, 7) + Launch(2, 2, 5) + Launch(3, 2, 6)));
}

TEST(CliSpanTest, TheLegacyStreamWaitsForAllAndAllForIt) {
  EXPECT_EQ(7u + 1u + 4u, Span(Launch(1, 1, 7) + Launch(2, 2, 5) + Launch(3, 0, 1) + Launch(4, 2, 4)));
}

TEST(CliSpanTest, UnmeasuredLaunchesLeaveNoSum) { EXPECT_EQ(0u, Span(Launch(1, 0, 7) + Launch(2, 0, 0))); }

TEST(CliSpanTest, LaunchesWithoutACommandCountAsTheLegacyStreams) {
  EXPECT_EQ(7u + 5u, Span(Launch(1, 1, 7, false) + Launch(2, 2, 5, false)));
}

}  // namespace
