// SPDX-License-Identifier: Apache-2.0
//
// Reader of the measured tables in testbench/unit/ref/data (comma separated, no quotes).
#ifndef WG_TESTBENCH_UNIT_REF_CSV_H
#define WG_TESTBENCH_UNIT_REF_CSV_H

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace wgtest {

inline std::vector<std::string> Split(const std::string &line, char sep = ',') {
  std::vector<std::string> v;
  std::stringstream ss(line);
  for (std::string f; std::getline(ss, f, sep);) v.push_back(f);
  return v;
}

/** All rows, the header first; empty if the file cannot be opened. Tests run from the repository root. */
inline std::vector<std::vector<std::string>> ReadCsv(const std::string &name) {
  std::ifstream in("testbench/unit/ref/data/" + name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) rows.push_back(Split(line));
  return rows;
}

}  // namespace wgtest
#endif
