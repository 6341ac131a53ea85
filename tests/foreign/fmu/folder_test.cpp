// SPDX-License-Identifier: Apache-2.0
/// \file
/// The folder that an FMU is unpacked to: gone with who made it, however that ended.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "foreign/fmu/archive.hpp"

namespace hild::fmu {
namespace {

namespace fs = std::filesystem;

/// Temporary files of this test alone.
class UnpackedTo : public ::testing::Test {
 protected:
  UnpackedTo() { ::setenv("TMPDIR", place_.c_str(), 1); }
  ~UnpackedTo() override {
    before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
    fs::remove_all(place_);
  }
  [[nodiscard]] long there() const {
    return std::distance(fs::directory_iterator(place_), fs::directory_iterator());
  }
  /// What a process that unpacks something and is killed leaves behind.
  void be_killed() const {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto folder = Folder::make();
      if (folder) std::ofstream(folder->path() / "modelDescription.xml") << "text";
      std::raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }

  std::string before_ = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "";
  std::string pattern_ = fs::temp_directory_path() / "hild-folder-test-XXXXXX";
  fs::path place_ = ::mkdtemp(pattern_.data());
};

TEST_F(UnpackedTo, GoesWithItsOwner) {
  {
    const auto folder = Folder::make();
    ASSERT_TRUE(folder);
    EXPECT_EQ(there(), 1);
  }
  EXPECT_EQ(there(), 0);
}

TEST_F(UnpackedTo, OfAProcessThatWasKilledGoesWithTheNext) {
  be_killed();
  EXPECT_EQ(there(), 1);
  const auto folder = Folder::make();
  ASSERT_TRUE(folder);
  EXPECT_EQ(there(), 1);
  EXPECT_TRUE(fs::exists(folder->path()));
}

TEST_F(UnpackedTo, IsLeftAloneWhileSomebodyHoldsItOrItIsNone) {
  const auto mine = Folder::make();
  ASSERT_TRUE(mine);
  const fs::path elsewhere = place_ / "elsewhere";
  fs::create_directory(elsewhere);
  fs::create_directory_symlink(elsewhere, place_ / "hild-unpacked-link");
  std::ofstream(place_ / "hild-unpacked-file") << "text";
  const auto another = Folder::make();
  ASSERT_TRUE(another);
  EXPECT_TRUE(fs::exists(mine->path()));
  EXPECT_TRUE(fs::exists(elsewhere));
  EXPECT_TRUE(fs::is_symlink(place_ / "hild-unpacked-link"));
  EXPECT_TRUE(fs::exists(place_ / "hild-unpacked-file"));
}

}  // namespace
}  // namespace hild::fmu
