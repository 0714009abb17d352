// SPDX-License-Identifier: Apache-2.0
//
// Reader of the measured tables of this folder: comma separated, no quotes, hex numbers, plain or gzip. Needs zlib.
#ifndef WG_TESTBENCH_SILICON_TABLE_H
#define WG_TESTBENCH_SILICON_TABLE_H

#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace silicon {

/** One table; rows() is 0 if the file cannot be read. Tests run in the root of the repository. */
class Table {
 public:
  explicit Table(const std::string &file) {
    gzFile f = gzopen(("testbench/silicon/" + file).c_str(), "rb");
    if (f == nullptr) return;
    std::string text;
    char buf[65536];
    for (int n; (n = gzread(f, buf, sizeof buf)) > 0;) text.append(buf, static_cast<size_t>(n));
    gzclose(f);
    std::stringstream in(text);
    std::string line, cell;
    if (!std::getline(in, line)) return;
    for (std::stringstream head(line); std::getline(head, cell, ',');) names_.push_back(cell);
    while (std::getline(in, line)) {
      std::vector<uint64_t> v;
      for (std::stringstream row(line); std::getline(row, cell, ',');)
        v.push_back(std::strtoull(cell.c_str(), nullptr, 16));
      rows_.push_back(v);
    }
  }
  size_t rows() const { return rows_.size(); }
  const std::vector<std::string> &names() const { return names_; }
  uint64_t at(size_t row, size_t col) const { return rows_[row].at(col); }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<uint64_t>> rows_;
};

}  // namespace silicon
#endif
