// SPDX-License-Identifier: Apache-2.0
/// \file
/// Draws with characters: dots on a grid of them, lines between two axes with round numbers, and a
/// signal over time.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/report/text.hpp"
#include "hild/model/description.hpp"
#include "recording/record/trace.hpp"

namespace hild::report {

/// Round numbers for an axis: steps of 1, 2 or 5 times a power of ten.
struct Scale {
  double low = 0;
  double high = 1;
  double step = 1;

  /// The multiples of the step from `from` to `to`.
  [[nodiscard]] std::vector<double> ticks(double from, double to) const;
  /// The label of a tick, with as many decimals as are needed to distinguish the ticks.
  [[nodiscard]] std::string label(double tick) const;
};

/// Makes a scale for the range of the data with at most `intervals` steps. An end that is nearly
/// round becomes so; a constant gets room around it.
[[nodiscard]] Scale round_scale(double low, double high, int intervals);

/// A grid of dots: eight for each character in Braille, one in plain ASCII.
class Canvas {
 public:
  Canvas(int columns, int rows, bool braille);

  /// Size in dots.
  [[nodiscard]] int width() const noexcept { return columns_ * dots_x_; }
  [[nodiscard]] int height() const noexcept { return rows_ * dots_y_; }
  /// The row of characters that holds the dots of row y.
  [[nodiscard]] int row_of(int y) const noexcept { return y / dots_y_; }
  [[nodiscard]] int column_of(int x) const noexcept { return x / dots_x_; }

  /// (0, 0) is at the top left; dots outside are not drawn.
  void dot(int x, int y) noexcept;
  void line(int x0, int y0, int x1, int y1) noexcept;

  /// Characters of one row, all columns.
  [[nodiscard]] std::string row(int row) const;

 private:
  int columns_;
  int rows_;
  bool braille_;
  int dots_x_;
  int dots_y_;
  std::vector<std::uint8_t> cells_;  // the bits of a Braille character
};

struct PlotSize {
  int columns = 64;  ///< at most; as many as fit beside the labels
  int rows = 12;
};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double v);
};

struct Coordinates {
  double x = 0;
  double y = 0;
};

class PlotFrame {
 public:
  /// Precondition: `x` is not empty.
  PlotFrame(Range x, Range y, const Style& style, PlotSize size);

  void line(Coordinates from, Coordinates to) noexcept;

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

struct PlotPoint {
  double t = 0;  ///< s
  double low = 0;
  double high = 0;
  double middle = 0;
};

struct PlottedSignal {
  std::string name;
  std::string unit;
  std::vector<PlotPoint> points;  ///< in the order of time
  double latest = 0;
};

/// The signals of a trace; `outputs` describes its outputs.
[[nodiscard]] std::vector<PlottedSignal> signals_of(const record::Trace& trace,
                                                    std::span<const model::Output> outputs);

/// Legend, plot and time axis; every line ends in a newline.
[[nodiscard]] std::string line_plot(const PlottedSignal& signal, const Style& style,
                                    PlotSize size = {});

}  // namespace hild::report
