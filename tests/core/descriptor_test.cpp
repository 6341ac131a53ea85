// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is open is closed once: with the object that has it last.
#include "hild/core/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <utility>

namespace hild {
namespace {

int opened() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }
bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(Descriptor, IsClosedWithItsObject) {
  const int fd = opened();
  {
    const Descriptor d(fd);
    EXPECT_TRUE(d);
    EXPECT_EQ(d.get(), fd);
    EXPECT_TRUE(is_open(fd));
  }
  EXPECT_FALSE(is_open(fd));
}

TEST(Descriptor, GoesFromOneToAnother) {
  const int first = opened();
  const int second = opened();
  Descriptor a(first);
  Descriptor b(second);
  b = std::move(a);
  EXPECT_FALSE(is_open(second)) << "what it had is closed";
  EXPECT_EQ(b.get(), first);
  const Descriptor c(std::move(b));
  EXPECT_EQ(c.get(), first);
  EXPECT_TRUE(is_open(first));
}

TEST(Descriptor, IsTheCallersOnceReleased) {
  Descriptor d(opened());
  const int fd = d.release();
  EXPECT_FALSE(d);
  EXPECT_TRUE(d.close()) << "there is nothing to close";
  EXPECT_TRUE(is_open(fd));
  Descriptor again(fd);
  EXPECT_TRUE(again.close());
  EXPECT_FALSE(is_open(fd));
}

TEST(Descriptor, OfNothingIsNone) {
  EXPECT_FALSE(Descriptor());
  EXPECT_FALSE(Descriptor(-1));
  Descriptor gone(1'000'000);
  EXPECT_FALSE(gone.close()) << "the kernel knows of none";
}

}  // namespace
}  // namespace hild
