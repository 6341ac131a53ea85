// SPDX-License-Identifier: Apache-2.0
#include "cli/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace hild::report {
namespace {

constexpr double rounding = 1e-9;  // 0.3 / 0.1 is 2.999...
constexpr double nearly = 0.02;    // of the range

double round_step(double at_least) {
  const double decade = std::pow(10.0, std::floor(std::log10(at_least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * decade >= at_least * (1 - rounding)) return digit * decade;
  }
  return 10 * decade;
}

// U+2800 + bits, in UTF-8.
void append_braille(std::uint8_t bits, std::string& out) {
  out += '\xE2';
  out += static_cast<char>(0xA0 | (bits >> 6));
  out += static_cast<char>(0x80 | (bits & 0x3F));
}

// The dot, 0 ... dots - 1, of a value in a range.
int dot_of(double value, double low, double high, int dots) {
  return static_cast<int>(std::lround((value - low) / (high - low) * (dots - 1)));
}

bool drawable(const PlotPoint& p) {
  return std::isfinite(p.low) && std::isfinite(p.high) && std::isfinite(p.middle);
}

std::string with_unit(const PlottedSignal& s) {
  return s.unit.empty() || s.unit == "1" ? "" : " " + s.unit;
}

void draw(std::span<const PlotPoint> points, PlotFrame& frame) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PlotPoint& p = points[i];
    frame.line({p.t, p.low}, {p.t, p.high});
    if (i > 0) frame.line({points[i - 1].t, points[i - 1].middle}, {p.t, p.middle});
  }
}

std::string legend(const PlottedSignal& s, const Range& values, const Style& style) {
  const std::string numbers = fmt::format("min {:.4g}  max {:.4g}  last {:.4g}{}", values.low,
                                          values.high, s.latest, with_unit(s));
  const int room = style.width - 7;
  const std::string name = cut(s.name, std::max(room - columns(numbers), 16), style);
  return fmt::format(" {} {}   {}\n", painted(style.utf8 ? "⠤⠒" : "**", Colour::cyan, style),
                     painted(name, Colour::bold, style), cut(numbers, room - columns(name), style));
}

}  // namespace

Scale round_scale(double low, double high, int intervals) {
  if (!(high > low)) {
    const double around = low == 0 ? 1 : std::abs(low) / 10;
    high = low + around;
    low -= around;
  }
  const double step = round_step((high - low) / intervals);
  const double room = nearly * (high - low);
  const double below = std::floor(low / step + rounding) * step;
  const double above = std::ceil(high / step - rounding) * step;
  return {low - below <= room ? below : low, above - high <= room ? above : high, step};
}

std::vector<double> Scale::ticks(double from, double to) const {
  std::vector<double> all;
  const double last = std::floor(to / step + rounding);
  for (double k = std::ceil(from / step - rounding); k <= last; ++k) all.push_back(k * step + 0.0);
  return all;
}

std::string Scale::label(double tick) const {
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - rounding)));
  if (decimals > 6 || std::abs(tick) >= 1e7) return fmt::format("{:.4g}", tick);
  return fmt::format("{:.{}f}", tick, decimals);
}

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

void Range::add(double v) {
  low = std::min(low, v);
  high = std::max(high, v);
}

PlotFrame::PlotFrame(Range x, Range y, const Style& style, PlotSize size)
    : style_(style), cells_(size) {
  y_ = round_scale(y.low, y.high, std::max(cells_.rows / 3, 2));
  for (const double tick : y_.ticks(y_.low, y_.high)) {
    margin_ = std::max(margin_, columns(y_.label(tick)) + 1);
  }
  cells_.columns = std::max(8, std::min(cells_.columns, style_.width - margin_ - 4));
  x_ = round_scale(x.low, x.high, std::max(cells_.columns / 12, 2));
  canvas_ = Canvas(cells_.columns, cells_.rows, style_.utf8);
}

int PlotFrame::x_of(double x) const { return dot_of(x, x_.low, x_.high, canvas_.width()); }

int PlotFrame::y_of(double y) const {
  return canvas_.height() - 1 - dot_of(y, y_.low, y_.high, canvas_.height());
}

void PlotFrame::line(Coordinates from, Coordinates to) noexcept {
  canvas_.line(x_of(from.x), y_of(from.y), x_of(to.x), y_of(to.y));
}

std::string PlotFrame::text(std::string_view unit) const { return body() + axis(unit); }

std::string PlotFrame::body() const {
  std::vector<std::string> labels(static_cast<std::size_t>(cells_.rows));
  for (const double tick : y_.ticks(y_.low, y_.high)) {
    labels[static_cast<std::size_t>(canvas_.row_of(y_of(tick)))] = y_.label(tick);
  }
  std::string out;
  for (int row = 0; row < cells_.rows; ++row) {
    const std::string& label = labels[static_cast<std::size_t>(row)];
    const std::string_view plain = label.empty() ? "|" : "+";
    const std::string_view fine = label.empty() ? "│" : "┤";
    std::string line = canvas_.row(row);
    line.erase(line.find_last_not_of(' ') + 1);
    out += fmt::format(" {} {}{}\n", right(label, margin_, style_), style_.utf8 ? fine : plain,
                       painted(line, Colour::cyan, style_));
  }
  return out;
}

// The line below the plot and the numbers below that.
std::string PlotFrame::axis(std::string_view unit) const {
  const auto ticks = x_.ticks(x_.low, x_.high);
  std::vector<std::string_view> rule(static_cast<std::size_t>(cells_.columns),
                                     style_.utf8 ? "─" : "-");
  std::string labels;
  for (const double tick : ticks) {
    const int column = canvas_.column_of(x_of(tick));
    rule[static_cast<std::size_t>(column)] = style_.utf8 ? "┴" : "+";
    const std::string label =
        x_.label(tick) + (tick == ticks.back() && !unit.empty() ? fmt::format(" {}", unit) : "");
    // Centred below its tick, the unit hanging over.
    const int centred = margin_ + 3 + column - columns(x_.label(tick)) / 2;
    const int at = std::max(std::min(centred, style_.width - columns(label)), 0);
    labels.resize(static_cast<std::size_t>(at), ' ');
    labels += label;
  }
  return fmt::format(" {:{}} {}{}\n{}\n", "", margin_, style_.utf8 ? "└" : "+", fmt::join(rule, ""),
                     labels);
}

std::vector<PlottedSignal> signals_of(const record::Trace& trace,
                                      std::span<const model::Output> outputs) {
  std::vector<PlottedSignal> all;
  for (std::size_t i = 0; i < trace.outputs().size(); ++i) {
    const model::Output& output = outputs[trace.outputs()[i]];
    PlottedSignal& s = all.emplace_back();
    s.name = output.name;
    s.unit = output.unit;
    for (const record::TracePoint& p : trace.points(i)) {
      const double t = 0.5 * (seconds(p.first) + seconds(p.last));
      s.points.push_back({.t = t, .low = p.min, .high = p.max, .middle = p.mean()});
      s.latest = p.latest;
    }
  }
  return all;
}

std::string line_plot(const PlottedSignal& signal, const Style& style, PlotSize size) {
  std::vector<PlotPoint> points;
  std::ranges::copy_if(signal.points, std::back_inserter(points), drawable);
  if (points.empty()) {
    return fmt::format(" {}: no data\n", cut(signal.name, style.width - 11, style));
  }
  Range time;
  Range values;
  for (const PlotPoint& p : points) {
    time.add(p.t);
    values.add(p.low);
    values.add(p.high);
  }
  if (!(time.high > time.low)) time.high = time.low + 1;
  PlotFrame frame(time, values, style, size);
  draw(points, frame);
  return legend(signal, values, style) + frame.text("s");
}

}  // namespace hild::report
