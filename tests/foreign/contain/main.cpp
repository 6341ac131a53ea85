// SPDX-License-Identifier: Apache-2.0
/// \file
/// This program is also the one that models of these tests run in: it has them.
#include <gmock/gmock.h>

#include <filesystem>
#include <string_view>

#include "foreign/contain/child.hpp"
#include "foreign/contain/own.hpp"
#include "foreign/contain/server.hpp"

int main(int argc, char** argv) {
  using hild::testing::server_of_a_test;
  if (std::string_view(argv[0]) == server_of_a_test) hild::contain::serve(nullptr);
  ::testing::InitGoogleMock(&argc, argv);
  hild::contain::use_program(std::filesystem::read_symlink("/proc/self/exe"), server_of_a_test);
  return RUN_ALL_TESTS();
}
