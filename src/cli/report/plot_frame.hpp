// SPDX-License-Identifier: Apache-2.0
/// \file
/// Draws lines between two axes with characters.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "cli/report/canvas.hpp"
#include "cli/report/scale.hpp"
#include "cli/report/style.hpp"

namespace hild::report {

struct PlotSize {
  int columns = 64;  ///< at most; as many as fit beside the labels
  int rows = 12;
};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double v);
};

struct Point {
  double x = 0;
  double y = 0;
};

class PlotFrame {
 public:
  /// Precondition: `x` is not empty.
  PlotFrame(Range x, Range y, const Style& style, PlotSize size);

  void line(Point from, Point to) noexcept;

  /// Labels, plot and axis, with the unit behind the last number of the axis; every line ends in a
  /// newline.
  [[nodiscard]] std::string text(std::string_view unit) const;

 private:
  [[nodiscard]] int x_of(double x) const;
  [[nodiscard]] int y_of(double y) const;
  [[nodiscard]] std::string body() const;
  [[nodiscard]] std::string axis(std::string_view unit) const;

  Style style_;
  PlotSize cells_;
  Scale x_;
  Scale y_;
  int margin_ = 0;  // columns of the labels
  Canvas canvas_{0, 0, false};
};

}  // namespace hild::report
