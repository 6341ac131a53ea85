// SPDX-License-Identifier: Apache-2.0
#include "cli/report/canvas.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace hild::report {
namespace {

// U+2800 + bits, in UTF-8.
void append_braille(std::uint8_t bits, std::string& out) {
  out += '\xE2';
  out += static_cast<char>(0xA0 | (bits >> 6));
  out += static_cast<char>(0x80 | (bits & 0x3F));
}

}  // namespace

Canvas::Canvas(int columns, int rows, bool braille)
    : columns_(columns),
      rows_(rows),
      braille_(braille),
      dots_x_(braille ? 2 : 1),
      dots_y_(braille ? 4 : 1),
      cells_(static_cast<std::size_t>(columns * rows)) {}

void Canvas::dot(int x, int y) noexcept {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return;
  // Braille numbers its dots down the left, down the right, then the two at the foot.
  static constexpr std::array<std::array<std::uint8_t, 2>, 4> bits{
      {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
  auto& cell = cells_[static_cast<std::size_t>(row_of(y) * columns_ + column_of(x))];
  cell |= bits[static_cast<std::size_t>(y % dots_y_)][static_cast<std::size_t>(x % dots_x_)];
}

void Canvas::line(int x0, int y0, int x1, int y1) noexcept {
  const int dx = x1 - x0;
  const int dy = y1 - y0;
  const int n = std::max(std::abs(dx), std::abs(dy));
  const auto at = [n](int from, int d, int i) {  // from + d i / n, rounded
    return n == 0 ? from : from + (2 * d * i + (d < 0 ? -n : n)) / (2 * n);
  };
  for (int i = 0; i <= n; ++i) dot(at(x0, dx, i), at(y0, dy, i));
}

std::string Canvas::row(int row) const {
  std::string out;
  for (int column = 0; column < columns_; ++column) {
    const auto bits = cells_[static_cast<std::size_t>(row * columns_ + column)];
    if (bits == 0) {
      out += ' ';
    } else if (braille_) {
      append_braille(bits, out);
    } else {
      out += '*';
    }
  }
  return out;
}

}  // namespace hild::report
