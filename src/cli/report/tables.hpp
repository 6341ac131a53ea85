// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of the terminal report that are tables.
#pragma once

#include <string>

#include "cli/report/report.hpp"
#include "cli/report/style.hpp"

namespace hild::report {

/// What was counted, in two columns; what rarely happens is left out when it did not.
[[nodiscard]] std::string counts_table(const Report& report, const Style& style);
/// Overruns by cause, the most frequent first; empty when there are none.
[[nodiscard]] std::string causes_table(const Report& report, const Style& style);
/// Wake latency, phases and passes in us.
[[nodiscard]] std::string times_table(const Report& report, const Style& style);
/// Utilisation against the budget, and the margin left.
[[nodiscard]] std::string load_table(const Report& report, const Style& style);

}  // namespace hild::report
