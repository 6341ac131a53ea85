// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the table, page, JSON and figures of a method have in common.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/report/style.hpp"
#include "numerics/analysis/frequency.hpp"
#include "numerics/analysis/properties.hpp"

namespace hild::report {

/// "17/24"; a decimal where the fraction would be long.
[[nodiscard]] std::string fraction(numerics::Rational r);

/// Limits in words: "-2.785", "none", "unlimited"; "-" where it is not known.
[[nodiscard]] std::string real_limit(const analysis::Properties& p);
[[nodiscard]] std::string imaginary_limit(const analysis::Properties& p);

/// The indices of the formulas that define a method: 1 ... s, of an implicit method 0 ... s-1.
[[nodiscard]] std::vector<int> rows(const numerics::Method& m);
/// The place in the step of a formula's result; not always where an implicit stage takes its
/// inputs.
[[nodiscard]] numerics::Rational place_of(const numerics::Method& m, int formula);
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
inline constexpr std::array corner_frequencies{0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0};

}  // namespace hild::report
