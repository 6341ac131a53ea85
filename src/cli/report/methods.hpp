// SPDX-License-Identifier: Apache-2.0
/// \file
/// The catalogue of methods and what follows from each tableau: as a table, as a page for one
/// method, as JSON and as figures. The names in JSON are part of the public surface.
#pragma once

#include <boost/json/value.hpp>
#include <span>
#include <string>

#include "cli/report/style.hpp"
#include "numerics/analysis/properties.hpp"

namespace hild::report {

/// The table of methods. Every line ends in a newline and fits the width of the style.
[[nodiscard]] std::string methods_table(std::span<const analysis::Properties> methods,
                                        const Style& style);
/// The page of one method: formulas, order conditions, errors, stability.
[[nodiscard]] std::string method_page(const analysis::Properties& method, const Style& style);

/// The JSON of one method in a list: name, aliases, source, family, iterations (for the newton
/// family), order, passes, nodes, real_time, error_coefficient (Howe's e_I), stability {real,
/// imaginary; null where none}, ...
[[nodiscard]] boost::json::object method_summary(const analysis::Properties& method);
/// The same with formulas (for an implicit method its stages, `at` where they lie, besides `nodes`
/// where they take their inputs), order conditions, frequency errors and the boundary.
[[nodiscard]] boost::json::object method_details(const analysis::Properties& method);

/// The figures of one method as an SVG: stability boundary, root error, gain and phase errors, as
/// in Howe's figures.
[[nodiscard]] std::string method_figures(const analysis::Properties& method);

}  // namespace hild::report
