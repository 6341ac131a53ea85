// SPDX-License-Identifier: Apache-2.0
/// \file
/// Draws curves between axes as an SVG, several panels in rows of two.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/report/plot.hpp"

namespace hild::report {

struct SvgCurve {
  std::string name;  ///< in the legend; nothing when empty
  std::vector<Coordinates> points;
  bool dashed = false;
};

struct SvgPanel {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<SvgCurve> curves;
  bool equal_scales = false;  ///< a unit has the same length on both axes
};

/// The whole document. Points that are not finite interrupt a line.
[[nodiscard]] std::string svg_document(std::string_view title, std::span<const SvgPanel> panels);

}  // namespace hild::report
