// SPDX-License-Identifier: Apache-2.0
/// \file
/// The output of `hild advise`: text with a table and bars, and JSON, whose names are part of the
/// public surface.
#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "cli/report/text.hpp"
#include "config/plan/soundness.hpp"
#include "offline/advise/advice.hpp"

namespace hild::report {

/// The advice as text. Every line ends in a newline and fits the width of the style, except lines
/// of YAML and words that cannot be broken.
[[nodiscard]] std::string advice_text(const advise::Advice& advice, const Style& style);

/// A table with a row for each method: order, passes, lower bounds, upper bounds and what limits.
[[nodiscard]] std::string windows_table(const advise::Advice& advice, const Style& style);

/// The windows as bars on a logarithmic axis of h, the configured step marked through all of them.
/// A closed window is shown by its two ends, turned away from each other.
[[nodiscard]] std::string windows_chart(const advise::Advice& advice, const Style& style);

/// The advice as JSON. Steps are in s, frequencies in rad/s or Hz as named; null where nothing
/// bounds.
[[nodiscard]] boost::json::object advice_json(const advise::Advice& advice);

using plan::short_time;

/// The verdict on the configured method and step: one or two sentences.
[[nodiscard]] std::string verdict_of(const advise::Advice& advice);

}  // namespace hild::report
