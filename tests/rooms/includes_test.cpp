// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sources of this tree obey the rules of rooms.
#include <gtest/gtest.h>

#include <algorithm>

#include "rooms/source_rules.hpp"

namespace hild::rooms {
namespace {

const std::filesystem::path top = HILD_SOURCE_DIR;

TEST(Rooms, ArrowsPointDownAndRealTimeCodeIsBounded) {
  const auto files = sources(top);
  ASSERT_GT(files.size(), 50U) << "the sources were not found below " << top;
  for (const auto& path : files) {
    const std::string source = read_file(top / path);
    EXPECT_FALSE(source.empty()) << path;
    for (const Finding& finding : check(path.generic_string(), source)) {
      ADD_FAILURE() << to_string(finding);
    }
  }
}

// A room that lost its files, to a renamed folder say, would pass unseen.
TEST(Rooms, EveryRealTimeRoomHasSources) {
  const auto files = sources(top);
  for (const char* room : {"core", "rt", "io", "numerics", "model", "drivers", "exec", "config"}) {
    EXPECT_TRUE(std::ranges::any_of(files, [&](const std::filesystem::path& path) {
      return room_of_file(path.generic_string()) == room;
    })) << room;
  }
}

}  // namespace
}  // namespace hild::rooms
