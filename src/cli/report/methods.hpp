// SPDX-License-Identifier: Apache-2.0
/// \file
/// The catalogue of methods and what follows from each tableau: as a table, as a page for one
/// method, as JSON and as figures; and what these have in common. The names in JSON are part of the
/// public surface.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/report/text.hpp"
#include "numerics/analysis/frequency.hpp"
#include "numerics/analysis/properties.hpp"

namespace hild::report {

/// The table of methods. Every line ends in a newline and fits the width of the style.
[[nodiscard]] std::string methods_table(std::span<const analysis::Properties> methods,
                                        const Style& style);
/// The page of one method: formulas, order conditions, errors, stability.
[[nodiscard]] std::string method_page(const analysis::Properties& method, const Style& style);

/// The JSON of one method in a list: name, aliases, source, family, iterations (for the newton
/// family), order, passes, nodes, real_time, error_coefficient (Howe's e_I), stability {real,
/// imaginary: where the stretch ends that begins at 0, null where none; real_intervals,
/// imaginary_intervals: all stable stretches}, ...
[[nodiscard]] boost::json::object method_summary(const analysis::Properties& method);
/// The same with formulas (for an implicit method its stages, `at` where they lie, besides `nodes`
/// where they take their inputs), order conditions, frequency errors and the boundary.
[[nodiscard]] boost::json::object method_details(const analysis::Properties& method);

/// The figures of one method as an SVG: stability boundary, root error, gain and phase errors, as
/// in Howe's figures.
[[nodiscard]] std::string method_figures(const analysis::Properties& method);

/// "17/24"; a decimal where the fraction would be long.
[[nodiscard]] std::string fraction(numerics::Rational r);

/// The name of the result of a formula: "X1(1/2)", where pass 1 is evaluated, "X(1)" at the end.
[[nodiscard]] std::string result_name(const numerics::Method& m, int formula);
/// "X + h (17/24 F0 - 7/24 F-1 + 1/12 F-2)"
[[nodiscard]] std::string formula_text(const numerics::Formula& f);

struct NamedCondition {
  int formula;
  std::string name;
  std::string residual;
};
/// The order conditions; for the newton family B, C and being stiffly accurate, for the linearly
/// implicit family what `linearised` asks for (stiff_conditions.hpp). Empty for the multirate
/// family.
[[nodiscard]] std::vector<NamedCondition> conditions(const numerics::Method& m);

/// The errors of x' = lambda x + u at the corner frequency, lambda = -omega, where estimates of
/// states and of inputs contribute equally.
struct CornerError {
  double omega_h;
  std::optional<analysis::FrequencyError> exact;
  std::optional<analysis::FrequencyError> asymptotic;  ///< Howe eq. 16, where it holds
};
[[nodiscard]] CornerError corner_error(const analysis::Properties& p, double omega_h);

}  // namespace hild::report
