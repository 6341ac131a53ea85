// SPDX-License-Identifier: Apache-2.0
/// \file
/// The report as JSON. Its names are part of the public surface.
#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "cli/report/report.hpp"
#include "hild/core/result.hpp"

namespace hild::report {

[[nodiscard]] boost::json::value to_json(const Report& report);

/// What `--report FILE.json` writes.
[[nodiscard]] Result<void> write_json(const Report& report, const std::string& file);

}  // namespace hild::report
