// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether this machine holds the models that are not trusted (`process: own`) where they run.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/config.hpp"

namespace hild::plan {

struct Containment {
  std::vector<std::string> models;  ///< by name, of one alone its type
  std::string missing;              ///< what this machine refuses; empty: they are contained
};

/// None: all models run in hild's own process.
[[nodiscard]] std::optional<Containment> containment_of(const config::Config& config);

/// "pump, valve: in a process of its own, but NOT CONTAINED: ...", or that they are contained.
[[nodiscard]] std::string words(const Containment& c);
/// {models, contained, missing}; null where there is none.
[[nodiscard]] boost::json::value containment_json(const std::optional<Containment>& c);

}  // namespace hild::plan
