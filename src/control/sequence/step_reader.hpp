// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads one step: a keyword with its subject, and the keys that belong to it. Every function
/// throws config::ConfigError; parse.hpp is the boundary.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "config/yaml_options.hpp"
#include "control/sequence/names.hpp"
#include "control/sequence/sequence.hpp"

namespace hild::sequence {

/// Whether a step with this keyword is a change of the run.
[[nodiscard]] bool is_change(std::string_view keyword);

class StepReader {
 public:
  /// `node` is a step, `path` its place in the file ("steps[3]"), `timeout` that of a condition
  /// without one. `node` and `names` outlive the reader; `names` may be null.
  StepReader(const config::Node& node, std::string path, const Names* names, Duration timeout);

  [[nodiscard]] Step read();
  /// Reads a step within a transaction, which must be a change.
  [[nodiscard]] Change read_change();

  // For those that read what belongs to a change.

  [[nodiscard]] config::YamlOptions& options() noexcept { return options_; }
  /// The name under `key`, which must be of one of these kinds; null when no names are known.
  const Named* named(std::string_view key, const std::vector<Kind>& kinds);
  /// Values by name under `key`.
  boost::json::object values(std::string_view key, const std::vector<Kind>& kinds);
  /// A quantity in the unit of `of`; in any unit when that is null.
  double value(std::string_view key, const Named* of) { return value(options_, key, of); }
  /// Reads a key that must have no value.
  void nothing_under(std::string_view key);
  [[nodiscard]] bool empty_under(std::string_view key) const;

 private:
  [[nodiscard]] std::string keyword();
  void read_what(Step& step);
  [[nodiscard]] Command read_transaction();

  /// In read_changes.cpp.
  [[nodiscard]] Change change(std::string_view keyword);

  [[nodiscard]] Ramp ramp();
  [[nodiscard]] Condition condition(bool waiting);
  void read_band(Condition& condition);

  static double value(config::YamlOptions& map, std::string_view key, const Named* of);

  const config::Node& node_;
  std::string path_;
  config::YamlOptions options_;
  const Names* names_;
  Duration timeout_;
};

}  // namespace hild::sequence
