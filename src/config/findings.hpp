// SPDX-License-Identifier: Apache-2.0
/// \file
/// Collects all errors of a configuration while reading goes on, so that they can be reported at
/// once.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "config/node.hpp"

namespace hild::config {

class Findings {
 public:
  /// With `strict` errors are not collected: each ends what is being read.
  explicit Findings(bool strict_from_the_start = false) : strict(strict_from_the_start) {}

  static constexpr std::size_t most_told = 20;

  /// Adds an error, unless it only follows from others or is there already.
  void add(const ConfigError& refused);
  [[nodiscard]] bool any() const { return !errors_.empty(); }
  /// All errors, one a line, in the order of the files and their lines; the last line counts those
  /// beyond `most_told`. Precondition: any().
  [[nodiscard]] Error all() const;

  /// Marks a path whose value could not be read, so that references to it are not reported as
  /// errors.
  void mark_broken(const std::string& path) { broken_.insert(path); }
  [[nodiscard]] bool broken(const std::string& path) const { return broken_.contains(path); }

  bool strict;

 private:
  std::vector<ConfigError> errors_;
  std::set<std::string> broken_;
};

}  // namespace hild::config
