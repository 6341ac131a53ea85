// SPDX-License-Identifier: Apache-2.0
/// \file
/// All that is wrong with a configuration, gathered while reading goes on, so that it is told at
/// once.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "config/node.hpp"

namespace hild::config {

class Findings {
 public:
  static constexpr std::size_t most_told = 20;

  /// What only follows from what was told already is left out, and so is what is there twice.
  void add(const ConfigError& refused);
  [[nodiscard]] bool any() const { return !errors_.empty(); }
  /// One a line, in the order of the files and their lines; the last line counts what is more than
  /// `most_told`. There is at least one.
  [[nodiscard]] Error all() const;

  /// What stands under this path could not be read: who refers to it is not to blame.
  void mark_broken(const std::string& path) { broken_.insert(path); }
  [[nodiscard]] bool broken(const std::string& path) const { return broken_.contains(path); }

  bool strict = false;  ///< nothing is gathered: each error ends what is being read

 private:
  std::vector<ConfigError> errors_;
  std::set<std::string> broken_;
};

}  // namespace hild::config
