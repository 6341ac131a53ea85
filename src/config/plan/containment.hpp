// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether this machine can contain the models that are not trusted (`process: own`) in their
/// processes.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/config.hpp"

namespace hild::plan {

struct Containment {
  std::vector<std::string> models;  ///< their names; of a single model its type
  std::string missing;              ///< what this machine refuses; empty: they are contained
};

/// The containment of a configuration; none: all its models run in hild's own process.
[[nodiscard]] std::optional<Containment> containment_of(const config::Config& config);

/// In words: "pump, valve: in a process of its own, but NOT CONTAINED: ...", or that they are
/// contained.
[[nodiscard]] std::string words(const Containment& c);
/// As JSON {models, contained, missing}; null where there is none.
[[nodiscard]] boost::json::value containment_json(const std::optional<Containment>& c);

}  // namespace hild::plan
