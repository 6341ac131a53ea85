// SPDX-License-Identifier: Apache-2.0
/// \file
/// The tree a configuration is read into: what was written and where, with nothing interpreted yet.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::config {

/// A file, a text in memory or a setting of the command line.
struct TextSource {
  std::string name;                 ///< its name in messages
  std::filesystem::path directory;  ///< relative paths written in it start here
  bool setting = false;             ///< no line numbers: one line, or lines that nobody wrote
  std::string text{};               ///< the whole text
};

struct Position {
  std::shared_ptr<const TextSource> source;
  int line = 1;  ///< of the key: the parser gives empty values a wrong one

  /// "FILE:LINE", or "--set KEY", or "FILE" where nobody wrote the lines.
  [[nodiscard]] std::string text() const;
};

struct Node {
  enum class Type { empty, scalar, list, map };

  Type kind = Type::empty;
  Position place{};
  std::string scalar{};
  std::vector<std::string> keys{};  ///< of a map, one for each item, no two alike
  std::vector<Node> items{};        ///< of a list or a map
  /// The places of the first keys of a long map, so that reading one does not take the square of
  /// its length: of find() alone.
  mutable std::shared_ptr<const std::unordered_map<std::string, std::size_t>> index{};

  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] Node* find(std::string_view key);
  /// Adds to a map, or replaces.
  void put(std::string_view key, Node value);
  void remove(std::string_view key);
  /// The number of nodes of this tree, this one included.
  [[nodiscard]] std::size_t size() const;
  /// The value as messages show it: "abc", nothing, a list, a map.
  [[nodiscard]] std::string found() const;
};

/// The only exception thrown while a configuration is read; load() turns it into its Error.
struct ConfigError {
  Error error;
  Position place{};
  bool follows = false;  ///< it only follows from an error reported already, and is left out
};

/// Ends loading: "PLACE: PATH: PROBLEM"; an empty path is left out.
[[noreturn]] void refuse(const Position& place, std::string_view path, std::string_view problem,
                         ExitCode code = ExitCode::usage);

/// "a.b" from "a" and "b"; "b" at the top.
[[nodiscard]] std::string join(std::string_view path, std::string_view key);

}  // namespace hild::config
