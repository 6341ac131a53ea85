// SPDX-License-Identifier: Apache-2.0
#include "hild/core/whole_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace hild {
namespace {

TEST(WholeFile, IsAllOfIt) {
  const std::string path = ::testing::TempDir() + "hild-whole-" + std::to_string(::getpid());
  for (const std::size_t size : {0U, 1U, 65536U, 200'001U}) {
    std::string written(size, '\0');
    for (std::size_t i = 0; i < size; ++i) written[i] = static_cast<char>(i * 7);
    std::ofstream(path, std::ios::binary) << written;
    const auto text = whole_file(path);
    ASSERT_TRUE(text);
    EXPECT_TRUE(*text == written) << size;
  }
  std::filesystem::remove(path);
}

TEST(WholeFile, IsNoneWhereThereIsNone) {
  EXPECT_FALSE(whole_file("/no/such/file"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(whole_file("/proc"));
  EXPECT_EQ(errno, EISDIR);
}

// As of a process that goes while it is read: nothing is at address 0.
TEST(WholeFile, IsNoneWhereReadingFails) {
  EXPECT_FALSE(whole_file("/proc/self/mem"));
  EXPECT_EQ(errno, EIO);
}

}  // namespace
}  // namespace hild
