// SPDX-License-Identifier: Apache-2.0
#include "cli/report/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <numeric>

#include "cli/report/plot.hpp"
#include "cli/report/text.hpp"
#include "core/json_parts.hpp"
#include "hild/numerics/stiff_conditions.hpp"
#include "numerics/analysis/truncation.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;
namespace conditions_of = numerics::order_conditions;
using analysis::Properties;
using numerics::Method;
using numerics::Rational;

// ---- words -------------------------------------------------------------------------------------

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

// The stable stretches of an axis in words, `sign` being that of its points: "-2.785" where it is
// stable from 0 on, "0.43...1.16", "none", "unlimited".
std::string stretches(const analysis::AxisStability& axis, double sign) {
  if (axis.unlimited()) return "unlimited";
  std::string all;
  for (const auto [from, to] : axis.stretches) {
    if (!all.empty()) all += ", ";
    all += from == 0 ? fmt::format("{:.3f}", sign * to)
                     : fmt::format("{:.2f}...{:.2f}", sign * from, sign * to);
  }
  return all.empty() ? "none" : all;
}

std::string real_limit(const analysis::Properties& p) {
  return p.limits ? stretches(p.limits->real, -1) : "-";
}

std::string imaginary_limit(const analysis::Properties& p) {
  return p.limits ? stretches(p.limits->imaginary, 1) : "-";
}

std::span<const std::string_view> aliases(const Method& m) {
  return {m.aliases.begin(), std::ranges::find(m.aliases, std::string_view())};
}

// The indices of the formulas that define a method: 1 ... s, of an implicit method 0 ... s-1.
std::vector<int> rows(const Method& m) {
  std::vector<int> all(static_cast<std::size_t>(m.passes));
  std::iota(all.begin(), all.end(), m.implicit() ? 0 : 1);
  return all;
}

// The place in the step of a formula's result; not always where an implicit stage takes its inputs.
Rational place_of(const Method& m, int formula) {
  const auto row = static_cast<std::size_t>(formula);
  return m.implicit() ? numerics::stiff_conditions::abscissae(m)[row] : m.formulas[row].at;
}

constexpr std::array corner_frequencies{0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0};

// ---- JSON --------------------------------------------------------------------------------------

json::array nodes(const Method& m) {
  json::array all;
  for (int i = 0; i < m.passes; ++i) all.push_back(m.node(i).value());
  return all;
}

// Points of an axis in rising order; null where a stretch does not end.
json::array intervals(const analysis::AxisStability& axis, bool negative) {
  return array_of(axis.stretches, [&](const analysis::Stretch& s) {
    if (!negative) return json::array{s.from, or_null(s.to)};
    return json::array{or_null(-s.to), s.from == 0 ? 0.0 : -s.from};
  });
}

json::value stability(const Properties& p) {
  if (!p.limits) return {{"real", nullptr}, {"imaginary", nullptr}};
  const auto& [real, imaginary] = *p.limits;
  const auto end = real.end();
  return {{"real", end ? json::value(-*end) : json::value()},
          {"imaginary", json::value_from(imaginary.end())},
          {"real_unlimited", real.unlimited()},
          {"imaginary_unlimited", imaginary.unlimited()},
          {"real_intervals", intervals(real, true)},
          {"imaginary_intervals", intervals(imaginary, false)}};
}

template <std::size_t N>
json::array weights(const std::array<numerics::Rational, N>& row, int count) {
  json::array all;
  for (int j = 0; j < count; ++j) {
    all.emplace_back(fraction(row[static_cast<std::size_t>(j)]));
  }
  return all;
}

json::array formulas(const Method& m) {
  json::array all;
  if (m.family == numerics::Family::multirate) return all;
  for (const int i : rows(m)) {
    const auto& f = m.formulas[static_cast<std::size_t>(i)];
    all.push_back({{"at", fraction(place_of(m, i))},
                   {"passes", weights(f.pass, m.implicit() ? m.passes : i)},
                   {"history", weights(f.history, m.history)}});
  }
  return all;
}

json::array dense(const Method& m) {
  json::array all;
  for (std::size_t i = 0; m.dense.order > 0 && i < static_cast<std::size_t>(m.passes); ++i) {
    all.push_back(weights(m.dense.pass[i], static_cast<int>(numerics::dense_terms)));
  }
  return all;
}

json::array order_conditions(const Method& m) {
  return array_of(conditions(m), [&](const NamedCondition& c) {
    return json::object{
        {"of", result_name(m, c.formula)}, {"name", c.name}, {"residual", c.residual}};
  });
}

json::value error(const std::optional<analysis::FrequencyError>& e) {
  if (!e) return nullptr;
  return {{"gain", e->gain}, {"phase", e->phase}};
}

json::array frequency(const Properties& p) {
  return array_of(corner_frequencies, [&](double omega_h) {
    const CornerError e = corner_error(p, omega_h);
    return json::object{{"omega_h", omega_h},
                        {"lambda_h", -omega_h},
                        {"exact", error(e.exact)},
                        {"asymptotic", error(e.asymptotic)}};
  });
}

json::array boundary(const Properties& p) {
  if (!p.roots) return {};
  return array_of(analysis::stability_boundary(*p.roots), [](const auto& curve) {
    return array_of(curve, [](auto mu) { return json::array{mu.real(), mu.imag()}; });
  });
}

// ---- text --------------------------------------------------------------------------------------

constexpr int with_source = 100;  // columns from which the table has one for the source

// " name   text, wrapped at the column the text begins in"
std::string entry(std::string_view name, std::string_view text, const Style& style) {
  constexpr int width = 10;
  // The text begins behind the name; wrapped() counts from the start of the line.
  return fmt::format(" {} {}\n", left(name, width, style),
                     wrapped(text, style.width - width - 3, width + 2));
}

std::string table_row(const Properties& p, const Style& style) {
  const Method& m = *p.method;
  const std::string source =
      style.width < with_source ? std::string() : "  " + cut(m.source, style.width - 82, style);
  const std::string e = p.error ? analysis::to_string(p.error->exact) : "-";
  const std::string normalised = p.error ? fmt::format("{:.4f}", p.error->normalised) : "-";
  return fmt::format(" {}{:>5}{:>7}  {:<5}{:>11}{:>9}{:>10}{:>12}{}\n", left(m.name, 17, style),
                     m.order, m.passes, m.real_time() ? "yes" : "no", e, normalised, real_limit(p),
                     imaginary_limit(p), source);
}

std::string iterations_words(const Method& m) {
  return fmt::format("{} iteration{} a step, from the state at its start, the Jacobian of each",
                     m.iterations, m.iterations == 1 ? "" : "s");
}

std::string head(const Method& m, const Style& style) {
  std::string out =
      fmt::format(" {}: order {}, {} pass{}, {}\n", painted(m.name, Colour::bold, style), m.order,
                  m.passes, m.passes == 1 ? "" : "es",
                  m.real_time() ? "real-time" : "not real-time: needs future inputs");
  out += entry("source", m.source, style);
  if (const auto names = aliases(m); !names.empty()) {
    out += entry("also", fmt::format("{}", fmt::join(names, ", ")), style);
  }
  if (m.starter != nullptr) {
    const auto steps = m.history == 1 ? "step" : fmt::format("{} steps", m.history);
    out += entry("starter", fmt::format("{}, for the first {}", m.starter->name, steps), style);
  }
  if (m.family == numerics::Family::newton) {
    out += entry("Newton", iterations_words(m), style);
  }
  if (m.family == numerics::Family::linearly_implicit && m.passes == 1) {
    out += entry("Jacobian",
                 "J = (1 - e) lambda, too small by the fraction e: a damped mode is stable for "
                 "e <= 1/2, else up to -lambda h = 2/(2e-1)",
                 style);
  }
  return out;
}

std::string dense_weight(const std::array<numerics::Rational, numerics::dense_terms>& row) {
  std::string out;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] == 0) continue;
    const bool negative = row[k].num < 0;
    out += out.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    out += fraction(negative ? -row[k] : row[k]);
    if (k > 0) out += k == 1 ? " t" : " t^2";
  }
  return out;
}

std::string_view formulas_heading(const Method& m) {
  if (m.family == numerics::Family::newton) {
    return "Formulas (Fi: the derivatives at stage Xi; the last stage is the new state)";
  }
  if (m.implicit()) return "Formulas (Fi = f(X) + J (Xi - X); the last stage is the new state)";
  return "Formulas (Fi: the derivatives of pass i, at Xi; F-k: k steps before)";
}

std::string formulas(const Method& m, const Style& style) {
  if (m.family == numerics::Family::multirate) return {};
  std::string out = heading(formulas_heading(m), style);
  for (const int i : rows(m)) {
    const auto& f = m.formulas[static_cast<std::size_t>(i)];
    std::string text = formula_text(f);
    if (place_of(m, i) != f.at) text += fmt::format(", with the inputs of {}", fraction(f.at));
    out += entry(result_name(m, i), text, style);
  }
  if (m.embedded.order > 0) {
    const numerics::Formula row{.at = 1, .pass = m.embedded.pass};
    out +=
        entry("embedded", fmt::format("{}, order {}", formula_text(row), m.embedded.order), style);
  }
  for (std::size_t i = 0; m.dense.order > 0 && i < static_cast<std::size_t>(m.passes); ++i) {
    out += entry(
        i == 0 ? "X(t)" : "",
        fmt::format("{}t F{} ({})", i == 0 ? "X + h " : "  + h ", i, dense_weight(m.dense.pass[i])),
        style);
  }
  return out;
}

std::string order_conditions(const Method& m, const Style& style) {
  std::string out;
  int last = 0;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) out += entry(result_name(m, last), line, style);
    line.clear();
  };
  for (const auto& c : conditions(m)) {
    if (c.formula != last) end_line();
    last = c.formula;
    line += fmt::format("{}{}: {}", line.empty() ? "" : ", ", c.name, c.residual);
  }
  end_line();
  if (out.empty()) return {};
  return heading(m.rounded ? "Order conditions, with what doubles leave"
                           : "Order conditions, with what is left of each",
                 style) +
         out;
}

std::string truncation_part(const Method& m, const Style& style) {
  const auto t = analysis::truncation(m);
  if (t.coefficients.empty()) return {};
  std::string line;
  for (const auto& c : t.coefficients) {
    line += fmt::format("{}{}: {}", line.empty() ? "" : ", ", c.tree,
                        c.exact ? fraction(*c.exact) : fmt::format("{:.6f}", c.value));
  }
  return heading("Truncation coefficients", style) +
         fmt::format(" {}\n sum of sizes {:.3g}, root of squares {:.3g}\n",
                     wrapped(line, style.width - 2, 1), t.sum, t.root_of_squares);
}

std::string error_cells(const std::optional<analysis::FrequencyError>& e) {
  if (!e) return fmt::format("{:>13}{:>13}", "-", "-");
  return fmt::format("{:>13.3e}{:>13.3e}", e->gain, e->phase);
}

std::string errors(const Properties& p, const Style& style) {
  if (!p.error) return {};
  std::string out = heading("Errors", style);
  out += fmt::format(" characteristic root: -e_I (lambda h)^{}, e_I = {}; e_I N^{} = {:.5f}\n",
                     p.method->order, analysis::to_string(p.error->exact), p.method->order,
                     p.error->normalised);
  out += " x' = lambda x + u at its corner frequency, omega = -lambda\n " +
         columns_line(fmt::format("{:>9}{:>13}{:>13}{:>13}{:>13}", "omega h", "gain", "phase, rad",
                                  "gain eq. 16", "phase eq. 16"),
                      style);
  for (const double omega_h : corner_frequencies) {
    const CornerError e = corner_error(p, omega_h);
    out += fmt::format(" {:>9}{}{}\n", omega_h, error_cells(e.exact), error_cells(e.asymptotic));
  }
  return out;
}

std::string stability(const Properties& p, const Style& style) {
  if (!p.roots) return {};
  std::string out = heading("Stability of lambda h, upper half plane", style);
  out += fmt::format(" real axis: {}   imaginary axis: {}\n", real_limit(p), imaginary_limit(p));
  Range x;
  Range y;
  y.add(0);
  const auto boundary = analysis::stability_boundary(*p.roots);
  for (const auto& curve : boundary) {
    for (const auto mu : curve) {
      x.add(mu.real());
      y.add(mu.imag());
    }
  }
  if (!(x.high > x.low)) return out;
  PlotFrame frame(x, y, style, {.columns = 64, .rows = 16});
  for (const auto& curve : boundary) {
    for (std::size_t i = 1; i < curve.size(); ++i) {
      frame.line({curve[i - 1].real(), curve[i - 1].imag()}, {curve[i].real(), curve[i].imag()});
    }
  }
  return out + frame.text("");
}

}  // namespace

std::string fraction(Rational r) {
  if (r.den > 100'000) return fmt::format("{}", r.value());
  return r.den == 1 ? fmt::format("{}", r.num) : fmt::format("{}/{}", r.num, r.den);
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

json::object method_summary(const Properties& p) {
  const Method& m = *p.method;
  json::object o{
      {"name", m.name},
      {"aliases", array_of(aliases(m), [](auto a) { return json::value(a); })},
      {"source", m.source},
      {"family", word_of(m.family, {"explicit", "linearly_implicit", "newton", "multirate"})},
      {"order", m.order},
      {"passes", m.passes},
      {"history", m.history},
      {"nodes", nodes(m)},
      {"real_time", m.real_time()},
      {"error_coefficient", nullptr},
      {"error_coefficient_exact", nullptr},
      {"normalised_error_coefficient", nullptr},
      {"stability", stability(p)}};
  if (m.family == numerics::Family::newton) o["iterations"] = m.iterations;
  if (p.error) {
    o["error_coefficient"] = p.error->value;
    o["error_coefficient_exact"] = analysis::to_string(p.error->exact);
    o["normalised_error_coefficient"] = p.error->normalised;
  }
  return o;
}

json::object method_details(const Properties& p) {
  const Method& m = *p.method;
  json::object o = method_summary(p);
  o["starter"] = or_null(m.starter == nullptr ? std::string_view() : m.starter->name);
  o["formulas"] = formulas(m);
  if (m.embedded.order > 0) {
    o["embedded"] = {{"order", m.embedded.order}, {"passes", weights(m.embedded.pass, m.passes)}};
  }
  if (m.dense.order > 0) o["dense"] = {{"order", m.dense.order}, {"passes", dense(m)}};
  o["order_conditions"] = order_conditions(m);
  o["frequency"] = frequency(p);
  o["boundary"] = boundary(p);
  return o;
}

std::string methods_table(std::span<const Properties> methods, const Style& style) {
  constexpr std::string_view row = " {:<17}{:>5}{:>7}  {:<5}{:>11}{:>9}{:>10}{:>12}{}";
  std::string out =
      columns_line(fmt::format(row, "method", "order", "passes", "real-", "", "e_I N^k", "stable",
                               "stable", style.width < with_source ? "" : "  source"),
                   style) +
      columns_line(fmt::format(row, "", "k", "N", "time", "e_I", "", "real", "imag.", ""), style);
  for (const Properties& p : methods) out += table_row(p, style);
  return out + " `hild methods NAME` shows formulas, conditions, errors and stability of one.\n";
}

std::string method_page(const Properties& p, const Style& style) {
  const Method& m = *p.method;
  return head(m, style) + formulas(m, style) + order_conditions(m, style) +
         truncation_part(m, style) + errors(p, style) + stability(p, style);
}

}  // namespace hild::report
