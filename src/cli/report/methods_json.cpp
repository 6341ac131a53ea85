// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>

#include "cli/report/methods.hpp"
#include "core/json_parts.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;
using analysis::Properties;
using numerics::Method;

json::array nodes(const Method& m) {
  json::array all;
  for (int i = 0; i < m.passes; ++i) all.push_back(m.node(i).value());
  return all;
}

json::array aliases(const Method& m) {
  json::array all;
  for (const auto alias : m.aliases) {
    if (!alias.empty()) all.emplace_back(alias);
  }
  return all;
}

json::value stability(const Properties& p) {
  if (!p.limits) return {{"real", nullptr}, {"imaginary", nullptr}};
  return {{"real", json::value_from(p.limits->real)},
          {"imaginary", json::value_from(p.limits->imaginary)},
          {"real_unlimited", p.limits->real_unlimited},
          {"imaginary_unlimited", p.limits->imaginary_unlimited}};
}

template <std::size_t N>
json::array weights(const std::array<numerics::Rational, N>& row, int count) {
  json::array all;
  for (int j = 0; j < count; ++j) {
    all.emplace_back(fraction(row[static_cast<std::size_t>(j)]));
  }
  return all;
}

std::string_view family(const Method& m) {
  static constexpr std::array<std::string_view, 4> words{"explicit", "linearly_implicit", "newton",
                                                         "multirate"};
  return words[static_cast<std::size_t>(m.family)];
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

}  // namespace

json::object method_summary(const Properties& p) {
  const Method& m = *p.method;
  json::object o{{"name", m.name},
                 {"aliases", aliases(m)},
                 {"source", m.source},
                 {"family", family(m)},
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

}  // namespace hild::report
