// SPDX-License-Identifier: Apache-2.0
/// \file
/// What there is to say of a frame log.
#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "cli/report/style.hpp"
#include "recording/framelog/summary.hpp"

namespace hild::report {

/// For a person; of long lists the first `most` entries.
[[nodiscard]] std::string log_text(const framelog::Summary& summary, const std::string& file,
                                   const Style& style, std::size_t most = 20);
/// All of it, for programs.
[[nodiscard]] boost::json::value log_json(const framelog::Summary& summary,
                                          const std::string& file);

}  // namespace hild::report
