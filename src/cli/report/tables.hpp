// SPDX-License-Identifier: Apache-2.0
/// \file
/// The tables of the terminal report.
#pragma once

#include <string>

#include "cli/report/report.hpp"
#include "cli/report/style.hpp"

namespace hild::report {

/// The counts, in two columns; rare events are left out when there were none.
[[nodiscard]] std::string counts_table(const Report& report, const Style& style);
/// Overruns by cause, the most frequent first; empty when there are none.
[[nodiscard]] std::string causes_table(const Report& report, const Style& style);
/// Wake latency, phases and passes in us.
[[nodiscard]] std::string times_table(const Report& report, const Style& style);
/// Utilisation against the budget, and the margin left.
[[nodiscard]] std::string load_table(const Report& report, const Style& style);

}  // namespace hild::report
