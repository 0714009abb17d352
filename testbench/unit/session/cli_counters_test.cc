// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "cosim/cli/cli.h"

namespace {

constexpr size_t kFields = sizeof(wg_launch_result_t) / sizeof(uint64_t);

wg_launch_result_t Distinct() {
  wg_launch_result_t r;
  uint64_t v[kFields];
  for (size_t i = 0; i < kFields; i++) v[i] = 1000 + 7 * i;
  memcpy(&r, v, sizeof r);
  return r;
}

std::string Written(const wg_launch_result_t &r) {
  char *text = nullptr;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  cli_counters_write(f, &r);
  fclose(f);
  std::string s(text, n);
  free(text);
  return s;
}

std::string Record(const std::string &more) {
  return "setup preset=tiny backend=rtl sched=lrr blocks=breadth divergence=stack dependence=scoreboard sms=1 timing=1 hashes=1 "
         "check=retire\n"
         "launch n=1 kernel=k grid=1,1,1 block=32,1,1 shared=0 cycles=200 bound=10 by=issue warp_insts=50 thread_insts=1600 "
         "load_requests=1 load_lanes=2 load_sectors=3 store_requests=4 store_lanes=5 store_sectors=6 shared_wavefronts=7 "
         "l1_lines=8 dram_read=9 dram_write=11" + more + " hash=0000000000000001\n"
         "end status=0 launches=1 failed=0 reason=\n";
}

std::string Shown(const std::string &record, void (*show)(FILE *out, const cli_record_t *r)) {
  FILE *f = fmemopen(const_cast<char *>(record.data()), record.size(), "r");
  cli_record_t r;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  EXPECT_EQ(kWgOk, cli_record_read(f, &r, &d)) << d.msg;
  fclose(f);
  char *text = nullptr;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  show(out, &r);
  fclose(out);
  std::string s(text, n);
  free(text);
  cli_record_free(&r);
  return s;
}
std::string Printed(const std::string &record) { return Shown(record, cli_counters_print); }
void WriteJson(FILE *out, const cli_record_t *r) {
  const char *args[] = {"4", nullptr};
  const cli_outcome_t outcome = {"prog", args, "", 0};
  json_t *doc = cli_json_of(r, &outcome);
  EXPECT_TRUE(cli_json_write(out, doc));
  json_decref(doc);
}
std::string Json(const std::string &record) { return Shown(record, WriteJson); }

/** Value under `column` in the row that begins with `row`, of the table whose header has that column; "" if there is none. */
std::string Cell(const std::string &text, const std::string &column, const std::string &row) {
  std::istringstream in(text);
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::vector<std::string> w;
    for (std::string x; words >> x;) w.push_back(x);
    if (w.empty()) continue;
    if (w[0] == "launch") names = w;
    if (w[0] != row || w.size() != names.size()) continue;
    for (size_t i = 0; i < w.size(); i++) {
      if (names[i] == column) return w[i];
    }
  }
  return "";
}

TEST(CliCountersTest, WrittenWordsAreReadBack) {
  wg_launch_result_t r = Distinct(), back;
  memset(&back, 0, sizeof back);
  ASSERT_TRUE(cli_counters_read((" a=1" + Written(r) + " hash=0").c_str(), &back));
  EXPECT_EQ(0, memcmp(r.slot_cycles, back.slot_cycles, sizeof r.slot_cycles));
  EXPECT_EQ(0, memcmp(r.warp_cycles, back.warp_cycles, sizeof r.warp_cycles));
  EXPECT_EQ(r.l1_sector_hits, back.l1_sector_hits);
  EXPECT_EQ(r.l1_sector_misses, back.l1_sector_misses);
  EXPECT_EQ(r.mem.l2_load_sector_hits, back.mem.l2_load_sector_hits);
  EXPECT_EQ(r.mem.mem_in_flight_cycles, back.mem.mem_in_flight_cycles);
  EXPECT_EQ(r.bank_conflicts, back.bank_conflicts);
  EXPECT_EQ(r.shared_load_requests, back.shared_load_requests);
  EXPECT_EQ(r.shared_store_requests, back.shared_store_requests);
  EXPECT_EQ(r.local_load_requests, back.local_load_requests);
  EXPECT_EQ(r.local_load_sectors, back.local_load_sectors);
  EXPECT_EQ(r.local_store_requests, back.local_store_requests);
  EXPECT_EQ(r.local_store_sectors, back.local_store_sectors);
}

TEST(CliCountersTest, DamagedWordsAreRefusedAndNothingIsTaken) {
  const std::string good = " a=1" + Written(Distinct());
  for (const char *damage : {"slots=", "states=", "l1_ld_hit_sectors=", "local_st_sectors="}) {
    std::string bad = good;
    bad.replace(bad.find(damage), strlen(damage), std::string(damage) + "x");
    wg_launch_result_t r;
    memset(&r, 0, sizeof r);
    EXPECT_FALSE(cli_counters_read(bad.c_str(), &r)) << bad;
    EXPECT_EQ(0u, r.l1_sector_hits) << damage;
  }
  wg_launch_result_t r;
  memset(&r, 0, sizeof r);
  EXPECT_FALSE(cli_counters_read((good + ",1").c_str(), &r));  // one slot reason too many
  EXPECT_FALSE(cli_counters_read(good.substr(0, good.rfind(',')).c_str(), &r));
}

TEST(CliCountersTest, PrintsEveryCounterUnderItsName) {
  wg_launch_result_t r = Distinct();
  std::string text = Printed(Record(Written(r)));
  auto is = [&](const char *column, uint64_t v) { EXPECT_EQ(std::to_string(v), Cell(text, column, "1")) << column << "\n" << text; };
  is("cycles", 200);
  is("dram_rd_bytes", 9);
  is("dram_wr_bytes", 11);
  is("sh_wavefronts", 7);
  is("l1_ld_hit_sectors", r.l1_sector_hits);
  is("l1_ld_miss_sectors", r.l1_sector_misses);
  is("l2_ld_hit_sectors", r.mem.l2_load_sector_hits);
  is("l2_ld_miss_sectors", r.mem.l2_load_sector_misses);
  is("shared_ld_reqs", r.shared_load_requests);
  is("shared_st_reqs", r.shared_store_requests);
  is("shared_conflict_wavefronts", r.bank_conflicts);
  is("local_ld_reqs", r.local_load_requests);
  is("local_ld_sectors", r.local_load_sectors);
  is("local_st_reqs", r.local_store_requests);
  is("local_st_sectors", r.local_store_sectors);
  is("issued", r.slot_cycles[kWgReasonIssued]);
  is("long_dependence", r.slot_cycles[kWgReasonDepLong]);
  is("not_selected", r.slot_cycles[kWgReasonNotSelected]);
  EXPECT_EQ("0.25", Cell(text, "ipc_warp_insts/cycle", "1"));
  double sum = 0;
  for (uint64_t v : r.slot_cycles) sum += double(v);
  EXPECT_NEAR(100.0 * double(r.slot_cycles[kWgReasonBarrier]) / sum, std::stod("0" + Cell(text, "barrier", "share%")), 0.006);
  EXPECT_NE(std::string::npos, text.find("retire_hash: "));
}

/** Every counter of the table model/counts.def that has no place of its own is a column and a word of the JSON text. */
TEST(CliCountersTest, EveryCounterOfTheTableIsShown) {
  wg_launch_result_t r = Distinct();
  std::string text = Printed(Record(Written(r))), json = Json(Record(Written(r)));
#define WG_COUNT(FIELD, KEY, TABLE, DOC)                                                           \
  if ((TABLE) != 0) {                                                                              \
    EXPECT_EQ(std::to_string(r.FIELD), Cell(text, KEY, "1")) << KEY;                               \
    EXPECT_NE(std::string::npos, json.find("\"" KEY "\": " + std::to_string(r.FIELD))) << KEY << json; \
  }
#include "model/counts.def"
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC)                                                        \
  EXPECT_NE(0, TABLE);                                                                             \
  EXPECT_EQ(std::to_string(r.mem.FIELD), Cell(text, KEY, "1")) << KEY;                             \
  EXPECT_NE(std::string::npos, json.find("\"" KEY "\": " + std::to_string(r.mem.FIELD))) << KEY << json;
#define WG_MEMCOUNT_INNER(FIELD, KEY, DOC) \
  if (const char *key = KEY) EXPECT_NE(std::string::npos, json.find("\"" + std::string(key) + "\": " + std::to_string(r.mem.FIELD))) << key << json;
#define WG_MEMCOUNT_LEVEL(FIELD, DOC)
#include "model/mem/mem_counts.def"
#define WG_GTECOUNT(FIELD, KEY, DOC)                                   \
  EXPECT_EQ(std::to_string(r.gte.FIELD), Cell(text, KEY, "1")) << KEY; \
  EXPECT_NE(std::string::npos, json.find("\"" KEY "\": " + std::to_string(r.gte.FIELD))) << KEY << json;
#include "model/gte/gte_counts.def"
  for (const char *word : {"\"cycles\": 200,", "\"bound_cycles\": 10,", "\"bound_by\": \"issue\"", "\"dram_read_bytes\": 9,"}) {
    EXPECT_NE(std::string::npos, json.find(word)) << word << json;
  }
}

/** The kernel's C++ name stands last in its table, for it has blanks; programs that read JSON find both names. */
TEST(CliCountersTest, KernelsHaveTheirCxxNames) {
  std::string record = Record(Written(Distinct()));
  record.replace(record.find("kernel=k "), 9, "kernel=_Z4scanPKfPfi ");
  EXPECT_NE(std::string::npos, Printed(record).find("  scan(float const*, float*, int)\n"));
  std::string json = Json(record);
  EXPECT_NE(std::string::npos, json.find("\"name\": \"scan(float const*, float*, int)\"")) << json;
}

TEST(CliCountersTest, MeansOfTheMemorySystem) {
  wg_launch_result_t r = Distinct();
  r.mem.responses = 40;
  r.mem.mem_latency_cycles = 13000;
  r.mem.l2_fills = 10;
  r.mem.dram_read_latency_cycles = 2500;
  r.mem.dram_row_hits = 3;
  r.mem.dram_row_misses = 1;
  std::string text = Printed(Record(Written(r)));
  EXPECT_EQ("325.00", Cell(text, "mem_latency_mean_cycles", "1")) << text;
  EXPECT_EQ("65.00", Cell(text, "mem_in_flight_mean_sectors", "1")) << text; // over 200 cycles
  EXPECT_EQ("250.00", Cell(text, "dram_rd_latency_mean_cycles", "1"));
  EXPECT_EQ("75.00", Cell(text, "dram_row_hit_percent", "1"));
  EXPECT_EQ("0.10", Cell(text, "dram_bytes/cycle", "1")); // 9 + 11 bytes
}

TEST(CliCountersTest, WavesAndWhatTheFormulaSays) {
  wg_launch_result_t r = Distinct();
  r.gte.blocks = 10;
  r.gte.places = 4;
  r.gte.waves = 3;
  r.gte.block_cycles = 600;
  r.gte.sm_busy_cycles = 150;
  r.gte.drain_cycles = 8;
  r.gte.predicted_cycles = 188;
  std::string text = Printed(Record(Written(r)));
  EXPECT_EQ("2.50", Cell(text, "waves_exact_turns", "1")) << text;
  EXPECT_EQ("83.33", Cell(text, "waves_use_percent", "1"));
  EXPECT_EQ("60.00", Cell(text, "block_mean_cycles", "1"));
  EXPECT_EQ("75.00", Cell(text, "sm_busy_percent", "1")); // of 200 cycles on one SM
  EXPECT_EQ("208", Cell(text, "measured_time_cycles", "1"));
  EXPECT_EQ("90.38", Cell(text, "predicted_percent", "1"));
}

TEST(CliCountersTest, WithoutTheWordsNoTableOfZeros) {
  std::string text = Printed(Record(""));
  EXPECT_EQ("0.25", Cell(text, "ipc_warp_insts/cycle", "1"));
  EXPECT_EQ(std::string::npos, text.find("l1_ld_hit")) << text;
  EXPECT_EQ(std::string::npos, text.find("issue slots by owner")) << text;
  EXPECT_NE(std::string::npos, text.find("not in this run's record: L1 and L2 hits")) << text;
}

}  // namespace
