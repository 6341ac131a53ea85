// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every file says under which licence it is, and none knows the machine it was written on.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <regex>

#include "rooms/source_rules.hpp"

namespace hild::rooms {
namespace {

namespace fs = std::filesystem;

const fs::path root = HILD_SOURCE_DIR;

/// What belongs to the repository: not what git keeps, and not what was built or cached.
bool skipped(const std::string& name) {
  return name == ".git" || name == ".cache" || name.starts_with("build");
}

std::vector<fs::path> repository() {
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    if (entry.depth() == 0 && skipped(entry->path().filename().string())) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && !entry->is_symlink()) {
      files.push_back(entry->path());
    }
  }
  return files;
}

/// Formats without comments, the licence itself, and seeds of fuzzers.
bool cannot_carry(const fs::path& path) {
  static constexpr std::array extensions{".json", ".csv", ".mcap", ".png", ".svg", ".fmu"};
  const bool known = std::ranges::any_of(
      extensions, [&](const char* extension) { return path.extension() == extension; });
  return known || path.filename() == "LICENSE" ||
         path.generic_string().find("/corpus/") != std::string::npos;
}

/// The first line, or the one after a "#!".
std::string_view head_line(std::string_view text) {
  if (text.starts_with("#!")) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  return text.substr(0, text.find('\n'));
}

TEST(Licence, EveryFileSaysItsOwn) {
  const std::string tag = std::string("SPDX-License-") + "Identifier: Apache-2.0";
  int seen = 0;
  for (const auto& path : repository()) {
    if (cannot_carry(path)) continue;
    ++seen;
    EXPECT_NE(head_line(read_file(path)).find(tag), std::string_view::npos)
        << path.string() << ":1: the first line has no \"" << tag << "\"";
  }
  EXPECT_GT(seen, 50) << "the repository was not found below " << root;
}

/// Offsets of absolute paths of a developer's machine; part of a longer path is none.
std::vector<std::size_t> machine_paths(const std::string& text) {
  // In pieces, so that this file passes.
  static const std::regex pattern(std::string("(^|[^A-Za-z0-9_.}/-])/(wo") + "rk|fa" + "rm|ho" +
                                  "me/[a-z]+)/");
  std::vector<std::size_t> places;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    places.push_back(static_cast<std::size_t>(match->position()));
  }
  return places;
}

TEST(MachinePaths, AreFoundWhereTheyAreAbsolute) {
  const std::string name = std::string("/wo") + "rk/";
  EXPECT_EQ(machine_paths("cd " + name + "x").size(), 1U);
  EXPECT_EQ(machine_paths(name).size(), 1U);
  EXPECT_EQ(machine_paths("build" + name + "x").size(), 0U);
  EXPECT_EQ(machine_paths("${tmp}" + name + "x").size(), 0U);
}

TEST(MachinePaths, AreNowhere) {
  for (const auto& path : repository()) {
    const std::string text = read_file(path);
    for (const std::size_t at : machine_paths(text)) {
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
      ADD_FAILURE() << path.string() << ":" << line << ": a path of somebody's machine";
    }
  }
}

}  // namespace
}  // namespace hild::rooms
