// SPDX-License-Identifier: Apache-2.0
/// \file
/// Describes the verdict on a step for people and for programs.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "config/plan/soundness.hpp"

namespace hild::plan {

/// The warnings to show; empty where all is well, or not known.
[[nodiscard]] std::vector<std::string> warnings_of(const Soundness& s, const std::string& config);
/// The lines of the plan about it.
[[nodiscard]] std::string soundness_text(const Soundness& s);
[[nodiscard]] boost::json::object soundness_json(const Soundness& s);

}  // namespace hild::plan
