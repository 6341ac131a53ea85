// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a page of the documentation is said to be.
#include "core/doc_page.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace hild {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with the test.
class Place : public ::testing::Test {
 protected:
  Place() { fs::create_directories(top_); }
  ~Place() override { fs::remove_all(top_); }
  void write(const fs::path& file) {
    fs::create_directories((top_ / file).parent_path());
    std::ofstream(top_ / file) << "# a page\n";
  }
  fs::path top_ = fs::path(testing::TempDir()) / ("doc_page." + std::to_string(::getpid()));
};
using DocPage = Place;

TEST_F(DocPage, IsBesideTheInstalledProgram) {
  write("usr/share/doc/hild/control.md");
  EXPECT_EQ(doc_page("control", top_ / "usr/bin/hildctl"), top_ / "usr/share/doc/hild/control.md");
}

TEST_F(DocPage, IsInTheTreeOfTheBuild) {
  write("docs/control.md");
  EXPECT_EQ(doc_page("control", top_ / "build/hildctl"), top_ / "docs/control.md");
}

TEST_F(DocPage, IsNamedWhereItIsNowhere) {
  write("docs/control.md");
  EXPECT_EQ(doc_page("methods", top_ / "build/hildctl"), "docs/methods.md of hild's sources");
  EXPECT_EQ(doc_page("control", ""), "docs/control.md of hild's sources");
}

TEST(DocPageOfThisProgram, Exists) { EXPECT_TRUE(fs::is_regular_file(doc_page("control"))); }

}  // namespace
}  // namespace hild
