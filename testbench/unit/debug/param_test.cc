// SPDX-License-Identifier: Apache-2.0
//
// Types of kernel parameters, read from mangled names: names by the Itanium C++ ABI, types by hand.
#include "cosim/debug/debug_param.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

struct Want {
  std::string type;
  dbg_base_t base;
  uint32_t base_size;
  unsigned pointers;
};

void expect(const char *mangled, const std::vector<uint32_t> &sizes, const std::vector<Want> &want) {
  std::vector<wg_obj_param_t> params;
  uint32_t at = 0;
  for (uint32_t n : sizes) {
    params.push_back({at, n, n});
    at += 8;
  }
  wg_obj_kernel_t kernel = {};
  kernel.name = const_cast<char *>(mangled);
  kernel.params = params.data();
  kernel.num_params = static_cast<uint32_t>(params.size());
  wg_obj_t obj = {};
  obj.kernels = &kernel;
  obj.num_kernels = 1;
  for (uint32_t i = 0; i < sizes.size(); i++) {
    dbg_param_t p;
    dbg_param(&obj, 0, i, &p);
    EXPECT_EQ(p.name, "arg" + std::to_string(i)) << mangled;
    EXPECT_EQ(p.type, want[i].type) << mangled << " " << i;
    EXPECT_EQ(p.base, want[i].base) << mangled << " " << i;
    EXPECT_EQ(p.base_size, want[i].base_size) << mangled << " " << i;
    EXPECT_EQ(p.pointers, want[i].pointers) << mangled << " " << i;
    EXPECT_EQ(p.offset, 8 * i);
  }
}

TEST(DebugParamTest, TypesOfPlainAndTemplateKernels) {
  expect("_Z2v1iPKfPf", {4, 8, 8}, {{"int", kDbgSigned, 4, 0}, {"float const*", kDbgFloat, 4, 1},
                                    {"float*", kDbgFloat, 4, 1}});
  expect("_Z1kIfEvPT_S0_jdcbx", {8, 4, 4, 8, 1, 1, 8},
         {{"float*", kDbgFloat, 4, 1}, {"float", kDbgFloat, 4, 0}, {"unsigned int", kDbgUnsigned, 4, 0},
          {"double", kDbgFloat, 8, 0}, {"char", kDbgChar, 1, 0}, {"bool", kDbgBool, 1, 0},
              {"long long", kDbgSigned, 8, 0}});
  expect("_Z1kPvPPi", {8, 8}, {{"void*", kDbgVoid, 0, 1}, {"int**", kDbgSigned, 4, 2}});
}

TEST(DebugParamTest, StructuresFunctionsAndNamesWithoutTypesAreBytes) {
  expect("_Z1k1SPS_", {24, 8}, {{"S", kDbgBytes, 24, 0}, {"S*", kDbgVoid, 0, 1}});
  expect("_Z1kPFviES0_ii", {8, 8, 4, 4}, {{"void (*)(int)", kDbgVoid, 0, 1}, {"void (*)(int)", kDbgVoid, 0, 1},
                                         {"int", kDbgSigned, 4, 0}, {"int", kDbgSigned, 4, 0}});
  expect("plain", {4, 8}, {{"", kDbgBytes, 4, 0}, {"", kDbgBytes, 8, 0}});
}

TEST(DebugParamTest, WhatTheContainerSaysWins) {
  expect("_Z1kif", {4}, {{"", kDbgBytes, 4, 0}});                               // other numbers: no type is believed
  expect("_Z1ki", {8}, {{"int", kDbgBytes, 8, 0}});                             // another size
  expect("_Z1kPi", {4}, {{"int*", kDbgSigned, 4, 0}});                          // no pointer of this machine
  expect("_Z1kv", {4}, {{"", kDbgBytes, 4, 0}});
}

}  // namespace
