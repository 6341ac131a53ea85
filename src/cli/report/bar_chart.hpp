// SPDX-License-Identifier: Apache-2.0
/// \file
/// Draws a distribution as bars.
#pragma once

#include <span>
#include <string>

#include "cli/report/bins.hpp"
#include "cli/report/style.hpp"

namespace hild::report {

/// A line for each bin: its ends in us, its count, its share, a bar. Empty without bins.
[[nodiscard]] std::string bar_chart(std::span<const Bin> bins, const Style& style);

}  // namespace hild::report
