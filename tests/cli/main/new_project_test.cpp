// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild new-model`: which names it takes.
#include <gmock/gmock.h>

#include <filesystem>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(NewModel, SaysWhatItsProjectNeedsAndWhereToReadOn) {
  const Folder folder;
  const Ended ended = hild({"new-model", "heat-pump", "--folder", folder.path("project")});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("apt install g++ cmake make libfmt-dev"));
  const std::string readme = read_file(folder.path("project/README.md"));
  EXPECT_THAT(readme, HasSubstr("apt install g++ cmake make libfmt-dev"));
  EXPECT_THAT(readme, HasSubstr("docs/models.md`"));  // of this tree, which the program is built in
  EXPECT_THAT(readme, Not(HasSubstr("@")));
}

TEST(NewModel, TheLivePageOfItsConfigurationIsOn) {
  const Folder folder;
  ASSERT_EQ(hild({"new-model", "heat-pump", "--folder", folder.path("project")}).code, 0);
  EXPECT_THAT(read_file(folder.path("project/heat_pump.yaml")), HasSubstr("http: 127.0.0.1:8080"));
}

}  // namespace
}  // namespace hild::test
