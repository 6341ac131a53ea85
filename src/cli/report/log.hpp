// SPDX-License-Identifier: Apache-2.0
/// \file
/// The summary of a frame log in words and as JSON.
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "cli/report/text.hpp"
#include "recording/framelog/summary.hpp"

namespace hild::report {

/// For a person; long lists are cut.
[[nodiscard]] std::string log_text(const framelog::Summary& summary, const std::string& file,
                                   const Style& style);
/// For programs; complete.
[[nodiscard]] boost::json::value log_json(const framelog::Summary& summary,
                                          const std::string& file);

/// Where a recording branches off another one.
[[nodiscard]] boost::json::object branch_json(const framelog::Branch& branch);

}  // namespace hild::report
