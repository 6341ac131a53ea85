// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/report/methods.hpp"
#include "cli/report/plot_frame.hpp"
#include "cli/report/text.hpp"
#include "numerics/analysis/truncation.hpp"

namespace hild::report {
namespace {

constexpr int with_source = 100;  // columns from which the table has one for the source

using analysis::Properties;
using numerics::Method;

// " name   text, wrapped at the column the text begins in"
std::string entry(std::string_view name, std::string_view text, int width, const Style& style) {
  // The text begins behind the name; wrapped() counts from the start of the line.
  return fmt::format(" {} {}\n", left(name, width, style),
                     wrapped(text, style.width - width - 3, width + 2));
}

std::string table_row(const Properties& p, const Style& style) {
  const Method& m = *p.method;
  const std::string source =
      style.width < with_source ? std::string() : "  " + cut(m.source, style.width - 80, style);
  const std::string e = p.error ? analysis::to_string(p.error->exact) : "-";
  const std::string normalised = p.error ? fmt::format("{:.4f}", p.error->normalised) : "-";
  return fmt::format(" {}{:>5}{:>7}  {:<5}{:>11}{:>9}{:>10}{:>10}{}\n", left(m.name, 17, style),
                     m.order, m.passes, m.real_time() ? "yes" : "no", e, normalised, real_limit(p),
                     imaginary_limit(p), source);
}

std::string other_names(const Method& m) {
  const auto end = std::ranges::find(m.aliases, std::string_view());
  return fmt::format("{}", fmt::join(m.aliases.begin(), end, ", "));
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
  out += entry("source", m.source, 10, style);
  if (const auto names = other_names(m); !names.empty()) out += entry("also", names, 10, style);
  if (m.starter != nullptr) {
    const auto steps = m.history == 1 ? "step" : fmt::format("{} steps", m.history);
    out += entry("starter", fmt::format("{}, for the first {}", m.starter->name, steps), 10, style);
  }
  if (m.family == numerics::Family::newton) {
    out += entry("Newton", iterations_words(m), 10, style);
  }
  if (m.family == numerics::Family::linearly_implicit && m.passes == 1) {
    out += entry("Jacobian",
                 "J = (1 - e) lambda, too small by the fraction e: a damped mode is stable for "
                 "e <= 1/2, else up to -lambda h = 2/(2e-1)",
                 10, style);
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
    out += entry(result_name(m, i), text, 10, style);
  }
  if (m.embedded.order > 0) {
    const numerics::Formula row{.at = 1, .pass = m.embedded.pass};
    out += entry("embedded", fmt::format("{}, order {}", formula_text(row), m.embedded.order), 10,
                 style);
  }
  for (std::size_t i = 0; m.dense.order > 0 && i < static_cast<std::size_t>(m.passes); ++i) {
    out += entry(
        i == 0 ? "X(t)" : "",
        fmt::format("{}t F{} ({})", i == 0 ? "X + h " : "  + h ", i, dense_weight(m.dense.pass[i])),
        10, style);
  }
  return out;
}

std::string order_conditions(const Method& m, const Style& style) {
  std::string out;
  int last = 0;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) out += entry(result_name(m, last), line, 10, style);
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

std::string methods_table(std::span<const Properties> methods, const Style& style) {
  constexpr std::string_view row = " {:<17}{:>5}{:>7}  {:<5}{:>11}{:>9}{:>10}{:>10}{}";
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
