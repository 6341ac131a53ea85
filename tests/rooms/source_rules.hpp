// SPDX-License-Identifier: Apache-2.0
/// \file
/// The rules of the rooms, as a function of a file's path and text: which room may include which,
/// and what code on the real-time side may not name. The tables are in source_rules.cpp; the
/// reasons are in docs/architecture.md.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hild::rooms {

struct Finding {
  std::string file;
  int line;
  std::string problem;  ///< what is wrong, and why
};

/// "FILE:LINE: PROBLEM"
[[nodiscard]] std::string to_string(const Finding& finding);

/// The room of a file, or the folder of a large one (recording/framelog), by its path from the top
/// of the tree: include/hild/<room>/..., src/<room>/... or drivers/...; empty where it is in none.
[[nodiscard]] std::string_view room_of_file(std::string_view path);
/// Likewise of an included file: hild/<room>/..., <room>/... or drivers/...; empty where it is in
/// none, as for headers of the system.
[[nodiscard]] std::string_view room_of_include(std::string_view path);

/// Whether files of `room` may include files of `other`.
[[nodiscard]] bool may_include(std::string_view room, std::string_view other);

/// The room that a folder is of.
[[nodiscard]] std::string_view room_of(std::string_view folder);
/// All rooms, from the bottom up.
[[nodiscard]] std::span<const std::string_view> rooms();

struct Arrow {
  std::string_view from, to;
  auto operator<=>(const Arrow&) const = default;
};
/// Those of the table, between folders.
[[nodiscard]] std::vector<Arrow> declared_arrows();

/// What is wrong with one file.
[[nodiscard]] std::vector<Finding> check(std::string_view path, std::string_view source);

/// Sources of the rooms below `top`, as paths from there.
[[nodiscard]] std::vector<std::filesystem::path> sources(const std::filesystem::path& top);

[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace hild::rooms
