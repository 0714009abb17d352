// SPDX-License-Identifier: Apache-2.0
//
// Pieces of the pages: text, tables, CSV, steps of axes, files that cannot be written. Whole pages: testbench/html, in a browser.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/html/plot.h"

namespace {

template <typename F>
std::string Written(F write) {
  char *text = nullptr;
  size_t bytes = 0;
  FILE *f = open_memstream(&text, &bytes);
  write(f);
  fclose(f);
  std::string s(text, bytes);
  free(text);
  return s;
}

std::string Text(const std::string &s) {
  return Written([&](FILE *f) { html_text(f, s.c_str()); });
}

TEST(HtmlTest, TextIsNoMarkup) {
  EXPECT_EQ(Text("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(Text("tab\tline\nbell\a"), "tab\tline\nbell?");
  EXPECT_EQ(Text("\u4e2d\u00e9"), "\u4e2d\u00e9");
}

TEST(HtmlTest, TextThatWasCutStaysUtf8) {
  std::string s = "x\u4e2d";
  EXPECT_EQ(Text(s.substr(0, 3)), "x??") << "two bytes of a character of three";
  EXPECT_EQ(Text("\xff\x80z"), "??z");
}

TEST(HtmlTest, CsvIsQuotedWhereItMustBe) {
  html_table_t t;
  html_table_begin(&t, 2);
  html_table_cell(&t, "name");
  html_table_cell(&t, "value (%%)");
  html_table_cell(&t, "f(int, \"x\")");
  html_table_number(&t, 1.0 / 3);
  html_table_cell(&t, "none");
  html_table_number(&t, NAN);
  html_table_cell(&t, "a row that is not whole");
  EXPECT_EQ(Written([&](FILE *f) { html_table_csv(f, &t); }),
            "name,value (%)\n\"f(int, \"\"x\"\")\",0.333333333333\nnone,\n");
  html_table_free(&t);
}

TEST(HtmlTest, TurnedTableHasRowsForColumns) {
  html_table_t t;
  html_table_begin(&t, 3);
  for (const char *c : {"label", "x", "y", "one", "1", "2"}) html_table_cell(&t, "%s", c);
  html_table_turn(&t);
  EXPECT_EQ(Written([&](FILE *f) { html_table_csv(f, &t); }), "label,one\nx,1\ny,2\n");
  html_table_free(&t);
}

TEST(HtmlTest, StepsAreRound) {
  EXPECT_DOUBLE_EQ(plot_step(100, 10), 10);
  EXPECT_DOUBLE_EQ(plot_step(101, 10), 20);
  EXPECT_DOUBLE_EQ(plot_step(0.9, 10), 0.1);
  EXPECT_DOUBLE_EQ(plot_step(4e9, 10), 5e8);
  EXPECT_DOUBLE_EQ(plot_step(0, 10), 1);
  EXPECT_DOUBLE_EQ(plot_step(NAN, 10), 1);
}

TEST(HtmlTest, LabelsAreCut) {
  char buf[16];
  EXPECT_STREQ(plot_label("short", 8, buf, sizeof buf), "short");
  EXPECT_STREQ(plot_label("a longer one", 8, buf, sizeof buf), "a lon...");
}

std::string ReadFile(const std::string &path) {
  std::ifstream f(path);
  std::stringstream s;
  s << f.rdbuf();
  return s.str();
}

TEST(HtmlTest, PlotIsInThePageAndInItsFiles) {
  char dir[] = "/tmp/wghtmlXXXXXX";
  ASSERT_NE(mkdtemp(dir), nullptr);
  std::string plots = std::string(dir) + "/plots", page = std::string(dir) + "/p.html";
  html_page_t p;
  html_page_begin(&p, "a & b", plots.c_str());
  plot_bar_t bar[] = {{"one", 1, 0}, {"two", 2, 1}};
  plot_bars(&p, "bars", "Bars", "things", "things", bar, 2, 4, nullptr, 64);
  EXPECT_EQ(p.num_plots, 1u);
  ASSERT_TRUE(html_page_end(&p, page.c_str())) << p.error;
  std::string text = ReadFile(page), svg = ReadFile(plots + "/bars.svg");
  EXPECT_NE(text.find("<title>a &amp; b</title>"), std::string::npos);
  EXPECT_NE(text.find("<figure id=\"bars\">"), std::string::npos);
  for (const std::string &s : {text, svg}) EXPECT_NE(s.find("<title>two: 2</title></rect>"), std::string::npos);
  EXPECT_EQ(ReadFile(plots + "/bars.csv"), "label,things\none,1\ntwo,2\n");
  for (const char *f : {"/plots/bars.svg", "/plots/bars.csv", "/p.html"}) unlink((dir + std::string(f)).c_str());
  rmdir(plots.c_str());
  rmdir(dir);
}

TEST(HtmlTest, FirstFailureIsToldAndNothingIsWritten) {
  html_page_t p;
  html_page_begin(&p, "x", "/nowhere/plots");
  plot_bar_t bar = {"one", 1, 0};
  plot_bars(&p, "bars", "Bars", "things", "things", &bar, 1, 0, nullptr, 64);
  EXPECT_FALSE(html_page_end(&p, "/nowhere/x.html"));
  EXPECT_NE(std::string(p.error).find("cannot make the folder '/nowhere/plots'"), std::string::npos) << p.error;
}

}  // namespace
