// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sources of this tree obey the rules of rooms.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "rooms/source_rules.hpp"
#include "rooms/source_text.hpp"

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

/// Every arrow between two files of different folders, once.
std::set<Arrow> arrows_there_are() {
  std::set<Arrow> arrows;
  for (const auto& path : sources(top)) {
    const std::string file = path.generic_string();
    const auto names = declared_arrows();
    for (const Include& include : includes_of(read_file(top / path))) {
      const std::string from(room_of_file(file));
      const std::string to(room_of_include(include.path));
      if (to.empty() || from == to) continue;
      // Names that live as long as the table.
      const auto known = [&](const std::string& name) {
        for (const Arrow& a : names) {
          if (a.from == name) return a.from;
          if (a.to == name) return a.to;
        }
        return std::string_view();
      };
      arrows.insert({known(from), known(to)});
    }
  }
  return arrows;
}

TEST(Rooms, NoArrowBetweenThemPointsUp) {
  const auto place = [](std::string_view folder) {
    const auto all = rooms();
    const auto found = std::ranges::find(all, room_of(folder));
    EXPECT_NE(found, all.end()) << folder << " is of no room";
    return found - all.begin();
  };
  for (const Arrow& arrow : declared_arrows()) {
    EXPECT_GE(place(arrow.from), place(arrow.to)) << arrow.from << " to " << arrow.to;
  }
}

TEST(Rooms, EveryDeclaredArrowIsUsed) {
  const std::set<Arrow> used = arrows_there_are();
  for (const Arrow& arrow : declared_arrows()) {
    EXPECT_TRUE(used.contains(arrow)) << arrow.from << " to " << arrow.to;
  }
}

TEST(Rooms, AreJoinedByFewArrows) {
  std::set<Arrow> between;
  for (const Arrow& arrow : arrows_there_are()) {
    if (room_of(arrow.from) != room_of(arrow.to)) {
      between.insert({room_of(arrow.from), room_of(arrow.to)});
    }
  }
  EXPECT_GT(between.size(), 20U);
  EXPECT_LE(between.size(), 65U);
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
