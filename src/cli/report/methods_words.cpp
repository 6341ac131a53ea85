// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/report/methods.hpp"
#include "hild/numerics/stiff_conditions.hpp"

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

/// Of the stages, the last of which is the new state.
std::vector<NamedCondition> stiff_conditions(const Method& m) {
  std::vector<NamedCondition> all;
  const auto add = [&](std::string name, std::size_t row, Rational missed) {
    all.push_back({static_cast<int>(row), std::move(name), number(missed)});
  };
  const auto end = static_cast<std::size_t>(m.passes);
  const auto& weights = m.formulas[end - 1].pass;
  if (m.family == numerics::Family::newton) {
    for (std::size_t i = 0; i < end; ++i) {
      const int order = i + 1 == end ? std::max(m.order, m.passes) : m.passes;
      for (int q = 0; q < order; ++q) {
        const std::string name = q == 0 ? "1" : q == 1 ? "t" : fmt::format("t^{}", q);
        add(name, i, conditions_of::moment<Rational>(m, m.formulas[i], q));
      }
    }
  } else {
    const auto sums = numerics::stiff_conditions::abscissae(m);
    add("b 1", end - 1, sums[end - 1] - 1);
    if (m.order >= 2) {
      numerics::Row<Rational> nodes{};
      for (std::size_t i = 0; i < end; ++i) nodes[i] = m.formulas[i].at;
      add("b c", end - 1, numerics::dot(weights, nodes) - Rational(1, 2));
      add("b A 1", end - 1, numerics::dot(weights, sums) - Rational(1, 2));
    }
  }
  Rational missed = m.formulas[end].at - 1;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const Rational by = weights[j] - m.formulas[end].pass[j];
    missed += by.num < 0 ? -by : by;
  }
  add("stiffly accurate", end - 1, missed);
  return all;
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

std::vector<int> rows(const Method& m) {
  std::vector<int> all(static_cast<std::size_t>(m.passes));
  std::iota(all.begin(), all.end(), m.implicit() ? 0 : 1);
  return all;
}

Rational place_of(const Method& m, int formula) {
  const auto row = static_cast<std::size_t>(formula);
  return m.implicit() ? numerics::stiff_conditions::abscissae(m)[row] : m.formulas[row].at;
}

std::string result_name(const Method& m, int formula) {
  if (formula == conditions_of::embedded_result) return "embedded";
  if (formula == conditions_of::dense_result) return "dense";
  const std::string at = fraction(place_of(m, formula));
  const bool last = formula == (m.implicit() ? m.passes - 1 : m.passes);
  return last ? fmt::format("X({})", at) : fmt::format("X{}({})", formula, at);
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
  if (m.implicit()) return stiff_conditions(m);
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
