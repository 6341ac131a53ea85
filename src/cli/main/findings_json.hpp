// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/array.hpp>
#include <vector>

#include "cli/doctor/finding.hpp"

namespace hild::commands {

/// The findings as `hild doctor --json` prints them and a recording keeps them.
[[nodiscard]] boost::json::array findings_json(const std::vector<doctor::Finding>& findings);

}  // namespace hild::commands
