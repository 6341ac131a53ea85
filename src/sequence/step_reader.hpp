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
#include "sequence/names.hpp"
#include "sequence/sequence.hpp"

namespace hild::sequence {

class StepReader {
 public:
  /// `node` is a step, `path` the way to it, "steps[3]". All outlive the reader. `names` may be
  /// null.
  StepReader(const config::Node& node, std::string path, const Names* names, Duration timeout);

  [[nodiscard]] Step read();
  /// A step within a transaction: a change and nothing else.
  [[nodiscard]] Change read_change();

 private:
  [[nodiscard]] std::string keyword();
  void read_what(Step& step);
  [[nodiscard]] Command read_transaction();

  [[nodiscard]] Change change(std::string_view keyword);
  [[nodiscard]] Change set();
  [[nodiscard]] Change fault();
  [[nodiscard]] Change release();
  [[nodiscard]] Change stimulate();
  [[nodiscard]] Change quiet();
  [[nodiscard]] Change freeze();
  [[nodiscard]] Change restore();
  void read_table(boost::json::object& params);

  [[nodiscard]] Ramp ramp();
  [[nodiscard]] Condition condition(bool waiting);
  void read_band(Condition& condition);

  /// The name under `key`, one of these kinds; null when nothing is known.
  const Named* named(std::string_view key, const std::vector<Kind>& kinds);
  /// Values by name under `key`.
  boost::json::object values(std::string_view key, const std::vector<Kind>& kinds);
  /// A quantity of the unit of `of`; of any unit when that is null.
  double value(config::YamlOptions& map, std::string_view key, const Named* of);
  double value(std::string_view key, const Named* of) { return value(options_, key, of); }
  void flag(std::string_view key, boost::json::object& params);
  /// The key is there and has no value.
  void nothing_under(std::string_view key);

  const config::Node& node_;
  std::string path_;
  config::YamlOptions options_;
  const Names* names_;
  Duration timeout_;
};

}  // namespace hild::sequence
