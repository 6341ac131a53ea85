// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild new-model`: which names it takes.
#include <gmock/gmock.h>

#include <filesystem>

#include "main/program.hpp"

namespace hild::test {
namespace {

using ::testing::HasSubstr;

// Structs D and Methods would hold an alias of their own name; the rest belongs to CMake.
TEST(NewModel, NamesThatCannotBuildAreRefused) {
  const Folder folder;
  for (const char* name : {"d", "methods", "test", "edit-cache", "package"}) {
    const Ended ended = hild({"new-model", name, "--folder", folder.path("project")});
    EXPECT_EQ(ended.code, 1) << name;
    EXPECT_THAT(ended.err, HasSubstr("this name is taken; choose another")) << name;
    EXPECT_FALSE(std::filesystem::exists(folder.path("project"))) << name;
  }
  const Ended ended = hild({"new-model", "heat-pump", "--folder", folder.path("project")});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(std::filesystem::exists(folder.path("project/heat_pump.cpp")));
}

}  // namespace
}  // namespace hild::test
