// SPDX-License-Identifier: Apache-2.0
/// \file
/// The report as a person reads it: how the run ended, what was counted, where the time went, and
/// small plots.
#pragma once

#include <span>
#include <string>

#include "cli/report/plot.hpp"
#include "cli/report/report.hpp"
#include "cli/report/text.hpp"

namespace hild::report {

/// The whole report. Every line ends in a newline and fits the width of the style.
[[nodiscard]] std::string terminal_report(const Report& report,
                                          std::span<const PlottedSignal> signals,
                                          const Style& style);

/// The warnings of the machine, a paragraph each; empty when there are none.
[[nodiscard]] std::string warnings_text(std::span<const std::string> warnings, const Style& style);

/// What happened, and what to do next.
[[nodiscard]] std::string verdict_text(const Verdict& verdict, bool good, const Style& style);

/// The counts, in two columns; rare events are left out when there were none.
[[nodiscard]] std::string counts_table(const Report& report, const Style& style);
/// What devices counted of their own, a count a line; empty when there is nothing.
[[nodiscard]] std::string devices_table(const Report& report, const Style& style);
/// Overruns by cause, the most frequent first; empty when there are none.
[[nodiscard]] std::string causes_table(const Report& report, const Style& style);
/// Wake latency, phases and passes in us.
[[nodiscard]] std::string times_table(const Report& report, const Style& style);
/// A line for each bin: its ends in us, its count, its share, a bar. Empty without bins.
[[nodiscard]] std::string bar_chart(std::span<const Bin> bins, const Style& style);
/// Utilisation against the budget, and the margin left.
[[nodiscard]] std::string load_table(const Report& report, const Style& style);

}  // namespace hild::report
