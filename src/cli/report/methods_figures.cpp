// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "cli/report/methods.hpp"
#include "cli/report/svg.hpp"

namespace hild::report {
namespace {

using analysis::Properties;
using numerics::Method;

constexpr double grid_step = 0.01;
constexpr int point_count = 100;  // to omega h or |lambda h| of 1

SvgPanel boundary_panel(const Properties& p) {
  SvgPanel panel{"stability boundary", "Re \u03bbh", "Im \u03bbh", {}, true};
  for (const auto& curve : analysis::stability_boundary(*p.roots)) {
    auto& points = panel.curves.emplace_back().points;
    for (const auto mu : curve) points.push_back({mu.real(), mu.imag()});
  }
  return panel;
}

// N^k e_lambda / |lambda h|^k over |lambda h| for negative real lambda (Howe, figure 5).
SvgPanel root_error(const Properties& p) {
  const Method& m = *p.method;
  SvgCurve exact{"exact", {}};
  SvgCurve asymptotic{"asymptotic", {}, true};
  for (int i = 1; i <= point_count; ++i) {
    const double x = i * grid_step;
    const double scale = std::pow(m.passes / x, m.order);
    exact.points.push_back({x, p.roots->root_error(-x).real() * scale});
    asymptotic.points.push_back({x, -p.error->normalised * (m.order % 2 == 0 ? 1 : -1)});
  }
  return {"characteristic-root error for \u03bb < 0",
          "|\u03bbh|",
          fmt::format("N^{0} e / |\u03bbh|^{0}", m.order),
          {std::move(exact), std::move(asymptotic)}};
}

SvgPanel frequency_panel(const Properties& p, bool of_gain) {
  SvgCurve exact{"exact", {}};
  SvgCurve asymptotic{"Howe eq. 16", {}, true};
  const auto pick = [of_gain](const analysis::FrequencyError& e) {
    return of_gain ? e.gain : e.phase;
  };
  for (int i = 1; i <= point_count; ++i) {
    const CornerError e = corner_error(p, i * grid_step);
    if (e.exact) exact.points.push_back({e.omega_h, pick(*e.exact)});
    if (e.asymptotic) asymptotic.points.push_back({e.omega_h, pick(*e.asymptotic)});
  }
  SvgPanel panel{of_gain ? "gain error at \u03c9 = -\u03bb" : "phase error at \u03c9 = -\u03bb",
                 "\u03c9h",
                 of_gain ? "|H*|/|H| - 1" : "rad",
                 {}};
  panel.curves.push_back(std::move(exact));
  if (!asymptotic.points.empty()) panel.curves.push_back(std::move(asymptotic));
  return panel;
}

}  // namespace

std::string method_figures(const Properties& p) {
  std::vector<SvgPanel> panels;
  if (p.roots && p.error) {
    panels.push_back(boundary_panel(p));
    panels.push_back(root_error(p));
  }
  if (corner_error(p, grid_step).exact) {
    panels.push_back(frequency_panel(p, true));
    panels.push_back(frequency_panel(p, false));
  }
  return svg_document(p.method->name, panels);
}

}  // namespace hild::report
