// SPDX-License-Identifier: Apache-2.0
#include "report/methods_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hild/numerics/order_conditions.hpp"

namespace hild::report {
namespace {

namespace conditions_of = numerics::order_conditions;
using numerics::Method;
using numerics::Rational;

std::string limit(const std::optional<double>& value, bool unlimited) {
  if (value) return fmt::format("{:.3f}", *value);
  return unlimited ? "unlimited" : "none";
}

std::string number(Rational r) { return r == 0 ? "0" : fraction(r); }
std::string number(double d) { return d == 0 ? "0" : fmt::format("{:.1e}", d); }

template <class Scalar>
std::vector<NamedCondition> conditions_in(const Method& m) {
  std::vector<NamedCondition> out;
  const auto all = conditions_of::of<Scalar>(m);
  for (std::size_t i = 0; i < all.count; ++i) {
    const auto& c = all.list[i];
    out.push_back({c.formula, std::string(c.name), number(c.residual)});
  }
  // Formula by formula; the other results, whose numbers are negative, at the end.
  const auto place = [](const NamedCondition& c) {
    return c.formula > 0 ? c.formula : static_cast<int>(numerics::max_passes) - c.formula;
  };
  std::ranges::stable_sort(out, {}, place);
  return out;
}

void append_term(Rational weight, std::string_view derivative, std::string& out) {
  if (weight == 0) return;
  const bool negative = weight.num < 0;
  if (negative) weight = -weight;
  if (!out.empty()) out += negative ? " - " : " + ";
  if (out.empty() && negative) out += '-';
  if (weight != 1) out += fraction(weight) + ' ';
  out += derivative;
}

}  // namespace

std::string fraction(Rational r) {
  if (r.den > 100'000) return fmt::format("{}", r.value());
  return r.den == 1 ? fmt::format("{}", r.num) : fmt::format("{}/{}", r.num, r.den);
}

std::string real_limit(const analysis::Properties& p) {
  return p.limits ? limit(p.limits->real, p.limits->real_unlimited) : "-";
}

std::string imaginary_limit(const analysis::Properties& p) {
  return p.limits ? limit(p.limits->imaginary, p.limits->imaginary_unlimited) : "-";
}

std::string result_name(const Method& m, int formula) {
  if (formula == conditions_of::embedded_result) return "embedded";
  if (formula == conditions_of::dense_result) return "dense";
  const std::string at = fraction(m.formulas[static_cast<std::size_t>(formula)].at);
  return formula == m.passes ? fmt::format("X({})", at) : fmt::format("X{}({})", formula, at);
}

std::string formula_text(const numerics::Formula& f) {
  std::string sum;
  for (std::size_t j = 0; j < f.pass.size(); ++j) {
    append_term(f.pass[j], fmt::format("F{}", j), sum);
  }
  for (std::size_t k = 0; k < f.history.size(); ++k) {
    append_term(f.history[k], fmt::format("F-{}", k + 1), sum);
  }
  return fmt::format("X + h ({})", sum);
}

std::vector<NamedCondition> conditions(const Method& m) {
  if (m.family != numerics::Family::explicit_passes) return {};
  return m.rounded ? conditions_in<double>(m) : conditions_in<Rational>(m);
}

CornerError corner_error(const analysis::Properties& p, double omega_h) {
  const Method& m = *p.method;
  CornerError e{omega_h, analysis::frequency_error(m, omega_h, -omega_h), {}};
  if (p.error && analysis::asymptotic_holds(m)) {
    e.asymptotic = analysis::asymptotic_error(p.error->value, m.order, omega_h, -omega_h);
  }
  return e;
}

}  // namespace hild::report
