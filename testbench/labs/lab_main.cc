// SPDX-License-Identifier: Apache-2.0
//
// main of a bench that grades a lab. What a test found goes to a file of its own, each line with the word that came by standard
// input, so that nothing which the module under test could print counts:
//   WORD <tab> Suite.Name <tab> pass|fail <tab> evaluation of the first failure <tab> its message, lines parted by \x1f
// Environment: LAB_RESULT file of the results; LAB_WAVE, LAB_FROM, LAB_TO waveform and its window in evaluations.
#include <gtest/gtest.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "Vtop.h"

namespace {

class Results : public testing::EmptyTestEventListener {
 public:
  Results(FILE *out, std::string word) : out_(out), word_(std::move(word)) {}
  void OnTestStart(const testing::TestInfo &) override { failed_ = false, at_ = 0, message_.clear(); }
  void OnTestPartResult(const testing::TestPartResult &r) override {
    if (!r.failed() || failed_) return;
    failed_ = true, at_ = lab::evals;
    for (const char *c = r.summary(); *c != '\0' && message_.size() < 900; c++) message_ += *c == '\n' ? '\x1f' : *c == '\t' ? ' ' : *c;
    if (lab::to != 0) std::fflush(nullptr);
  }
  void OnTestEnd(const testing::TestInfo &t) override {
    std::fprintf(out_, "%s\t%s.%s\t%s\t%llu\t%s\n", word_.c_str(), t.test_suite_name(), t.name(),
                 t.result()->Passed() ? "pass" : "fail", (unsigned long long)at_, message_.c_str());
    std::fflush(out_);
  }

 private:
  FILE *out_;
  std::string word_, message_;
  bool failed_ = false;
  uint64_t at_ = 0;
};

}  // namespace

int main(int argc, char **argv) {
  std::string word;
  std::getline(std::cin, word);
  const char *path = std::getenv("LAB_RESULT");
  FILE *out = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (out == nullptr || word.empty()) {
    std::fprintf(stderr, "error: no file LAB_RESULT or no word by standard input; remedy: run it by testbench/labs/grade.py\n");
    return 2;
  }
  if (std::getenv("LAB_WAVE") != nullptr) {
    Verilated::traceEverOn(true);
    lab::wave = std::getenv("LAB_WAVE");
    lab::from = std::strtoull(std::getenv("LAB_FROM"), nullptr, 10);
    lab::to = std::strtoull(std::getenv("LAB_TO"), nullptr, 10);
  }
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new Results(out, word));
  const int rc = RUN_ALL_TESTS();
  std::fclose(out);
  return rc;
}
