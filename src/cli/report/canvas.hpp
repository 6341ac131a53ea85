// SPDX-License-Identifier: Apache-2.0
/// \file
/// Draws dots on a grid of characters: eight for each character in Braille, one in plain ASCII.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hild::report {

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

}  // namespace hild::report
