// SPDX-License-Identifier: Apache-2.0
//
// `warpglass run --timeline`: from the lines of a run's record to steps, copies and their overlap; expected values by hand.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "cosim/cli/cli.h"

namespace {

const char kSetup[] = "setup preset=tiny backend=rtl sched=lrr blocks=breadth divergence=stack dependence=scoreboard sms=1 timing=1 hashes=1 check=retire\n";

std::string Print(const std::string &lines, void (*print)(FILE *, const cli_record_t *), wg_status_t want = kWgOk) {
  FILE *in = tmpfile();
  fputs(lines.c_str(), in);
  rewind(in);
  cli_record_t r;
  wg_diag_t d{};
  EXPECT_EQ(want, cli_record_read(in, &r, &d)) << d.msg;
  fclose(in);
  if (want != kWgOk) return d.msg;
  char *text = nullptr;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  print(out, &r);
  fclose(out);
  std::string s(text, n);
  free(text);
  cli_record_free(&r);
  return s;
}

std::string Command(int id, const char *op, int stream, long bytes, long start, long end, int pageable = 0, const char *kernel = "-") {
  char line[300];
  snprintf(line, sizeof line, "command id=%d op=%s stream=%d words=8 bytes=%ld pageable=%d submit=%ld start=%ld end=%ld kernel=%s\n", id, op, stream,
           bytes, pageable, start - 100, start, end, kernel);
  return line;
}

std::string Step(const char *what, long bytes, long from, long to) {
  char line[100];
  snprintf(line, sizeof line, "step what=%s bytes=%ld from=%ld to=%ld\n", what, bytes, from, to);
  return line;
}

bool Has(const std::string &text, const std::string &what) { return text.find(what) != std::string::npos; }

/** The line that begins with `begin`, blanks between words as one. */
std::string Line(const std::string &text, const std::string &begin) {
  size_t at = text.find("\n" + begin);
  if (text.compare(0, begin.size(), begin) == 0) at = 0;
  else if (at == std::string::npos) return "no line " + begin + " in\n" + text;
  else at++;
  std::string line = text.substr(at, text.find('\n', at) - at), out;
  for (char c : line) {
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  return out;
}

const std::string kRun = kSetup + Step("mallochost", 8000, 0, 10) + Step("malloc", 4000, 10, 5010) + Step("malloc", 6000, 5010, 10010) +
                         Command(1, "h2d", 0, 4000, 20000, 21000) + Command(2, "h2d", 1, 2000, 21000, 22000, 1) +
                         Command(3, "launch", 0, 0, 20500, 22500, 0, "_Z1kPi") + Command(4, "d2h", 0, 3000, 22400, 23900) +
                         Command(5, "record", 1, 0, 22100, 22100) + Step("sync", 0, 22000, 24000) + Step("free", 4000, 24000, 29000);

TEST(CliTimelineTest, TheSevenSteps) {
  std::string t = Print(kRun, cli_timeline_print);
  EXPECT_EQ("1 allocate cudaMallocHost 1 8000 0.010 malloc and new are not seen", Line(t, "1 allocate"));
  EXPECT_TRUE(Has(t, "2 initialise"));
  EXPECT_EQ("3 allocate on device cudaMalloc 2 10000 10.000 ", Line(t, "3 "));
  EXPECT_EQ("4 copy in host to device 2 6000 2.000 pageable memory goes through staging memory", Line(t, "4 "));
  EXPECT_EQ("5 launch <<<...>>> 1 0 2.000 ", Line(t, "5 "));
  EXPECT_EQ("synchronise cudaDeviceSynchronize 1 0 2.000 waiting", Line(t, "  synchronise"));
  EXPECT_EQ("6 copy out device to host 1 3000 1.500 ", Line(t, "6 "));
  EXPECT_EQ("7 free cudaFree 1 4000 5.000 note: 6000 bytes in 1 allocations were never freed", Line(t, "7 "));
  EXPECT_EQ("3 0 launch 8 0 20.400 20.500 22.500 k(int*)", Line(t, "3       "));
  EXPECT_EQ("2 1 h2d 8 2000 20.900 21.000 22.000 pageable", Line(t, "2       "));
  EXPECT_EQ("- host sync - 0 - 22.000 24.000", Line(t, "-          host sync"));
}

TEST(CliTimelineTest, ASkippedStepIsNamed) {
  std::string t = Print(kSetup + Step("malloc", 512, 0, 10), cli_timeline_print);
  EXPECT_EQ("7 free cudaFree 0 0 0.000 note: 512 bytes in 1 allocations were never freed: step 7 is missing", Line(t, "7 "));
  t = Print(kSetup + Step("malloc", 512, 0, 10) + Step("free", 512, 20, 30), cli_timeline_print);
  EXPECT_FALSE(Has(t, "never freed"));
}

TEST(CliTimelineTest, CopiesAndTheirOverlap) {
  std::string t = Print(kRun, cli_copies_print);
  EXPECT_EQ("host to device 2 6000 2000 2.000 3.000", Line(t, "host to device"));
  EXPECT_EQ("device to host 1 3000 0 1.500 2.000", Line(t, "device to host"));
  /* copies 20.0 to 22.0 and 22.4 to 23.9; the kernel 20.5 to 22.5: 1.5 + 0.1 in common */
  EXPECT_TRUE(Has(t, "copies under way for 3.500 us, kernels for 2.000 us, both at once for 1.600 us (45.7 % of the copies' time)")) << t;
  EXPECT_EQ("", Print(kSetup, cli_copies_print));
}

TEST(CliTimelineTest, BrokenLinesAreRefused) {
  for (const char *line : {"command id=1 op=h2d\n", "step what=malloc bytes=x from=0 to=1\n", "steps\n"}) {
    EXPECT_TRUE(Has(Print(std::string(kSetup) + line, cli_copies_print, kWgBadInput), "line 2 of the run's record is malformed")) << line;
  }
}

}  // namespace
