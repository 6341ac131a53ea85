// SPDX-License-Identifier: Apache-2.0
#include "report/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/canvas.hpp"
#include "report/scale.hpp"
#include "report/text.hpp"

namespace hild::report {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
};

bool drawable(const PlotPoint& p) {
  return std::isfinite(p.low) && std::isfinite(p.high) && std::isfinite(p.middle);
}

// The dot, 0 ... dots - 1, of a value in a range.
int dot_of(double value, double low, double high, int dots) {
  return static_cast<int>(std::lround((value - low) / (high - low) * (dots - 1)));
}

std::string with_unit(const Signal& s) {
  return s.unit.empty() || s.unit == "1" ? "" : " " + s.unit;
}

struct Plot {
  Plot(std::vector<PlotPoint> drawn, const Style& s, PlotSize size);
  void draw();
  [[nodiscard]] int x_of(double t) const {
    return dot_of(t, seconds.low, seconds.high, canvas.width());
  }
  [[nodiscard]] int y_of(double v) const {
    return canvas.height() - 1 - dot_of(v, scale.low, scale.high, canvas.height());
  }
  [[nodiscard]] std::string body() const;
  [[nodiscard]] std::string axis() const;

  std::vector<PlotPoint> points;
  Style style;
  PlotSize cells;
  Range values;
  Scale scale;
  Scale seconds;
  int margin = 0;  // columns of the labels
  Canvas canvas{0, 0, false};
};

Plot::Plot(std::vector<PlotPoint> drawn, const Style& s, PlotSize size)
    : points(std::move(drawn)), style(s), cells(size) {
  Range time;
  for (const PlotPoint& p : points) {
    time.add(p.t);
    values.add(p.low);
    values.add(p.high);
  }
  if (!(time.high > time.low)) time.high = time.low + 1;
  scale = round_scale(values.low, values.high, std::max(cells.rows / 3, 2));
  for (const double tick : scale.ticks(scale.low, scale.high)) {
    margin = std::max(margin, columns(scale.label(tick)) + 1);
  }
  cells.columns = std::max(8, std::min(cells.columns, style.width - margin - 4));
  seconds = round_scale(time.low, time.high, std::max(cells.columns / 12, 2));
  canvas = Canvas(cells.columns, cells.rows, style.utf8);
  draw();
}

void Plot::draw() {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PlotPoint& p = points[i];
    const int x = x_of(p.t);
    canvas.line(x, y_of(p.low), x, y_of(p.high));
    if (i == 0) continue;
    canvas.line(x_of(points[i - 1].t), y_of(points[i - 1].middle), x, y_of(p.middle));
  }
}

std::string Plot::body() const {
  std::vector<std::string> labels(static_cast<std::size_t>(cells.rows));
  for (const double tick : scale.ticks(scale.low, scale.high)) {
    labels[static_cast<std::size_t>(canvas.row_of(y_of(tick)))] = scale.label(tick);
  }
  std::string out;
  for (int row = 0; row < cells.rows; ++row) {
    const std::string& label = labels[static_cast<std::size_t>(row)];
    const std::string_view plain = label.empty() ? "|" : "+";
    const std::string_view fine = label.empty() ? "│" : "┤";
    std::string line = canvas.row(row);
    line.erase(line.find_last_not_of(' ') + 1);
    out += fmt::format(" {} {}{}\n", right(label, margin, style), style.utf8 ? fine : plain,
                       painted(line, Colour::cyan, style));
  }
  return out;
}

// The line below the plot and the times below that.
std::string Plot::axis() const {
  const auto ticks = seconds.ticks(seconds.low, seconds.high);
  std::vector<std::string_view> rule(static_cast<std::size_t>(cells.columns),
                                     style.utf8 ? "─" : "-");
  std::string labels;
  for (const double tick : ticks) {
    const int column = canvas.column_of(x_of(tick));
    rule[static_cast<std::size_t>(column)] = style.utf8 ? "┴" : "+";
    const std::string label = seconds.label(tick) + (tick == ticks.back() ? " s" : "");
    // Centred below its tick, the unit hanging over.
    const int centred = margin + 3 + column - columns(seconds.label(tick)) / 2;
    const int at = std::max(std::min(centred, style.width - columns(label)), 0);
    labels.resize(static_cast<std::size_t>(at), ' ');
    labels += label;
  }
  return fmt::format(" {:{}} {}{}\n{}\n", "", margin, style.utf8 ? "└" : "+", fmt::join(rule, ""),
                     labels);
}

std::string legend(const Signal& s, const Range& values, const Style& style) {
  const std::string numbers = fmt::format("min {:.4g}  max {:.4g}  last {:.4g}{}", values.low,
                                          values.high, s.latest, with_unit(s));
  const int room = style.width - 7;
  const std::string name = cut(s.name, std::max(room - columns(numbers), 16), style);
  return fmt::format(" {} {}   {}\n", painted(style.utf8 ? "⠤⠒" : "**", Colour::cyan, style),
                     painted(name, Colour::bold, style), cut(numbers, room - columns(name), style));
}

}  // namespace

std::vector<Signal> signals_of(const record::Trace& trace, std::span<const model::Output> outputs) {
  std::vector<Signal> all;
  for (std::size_t i = 0; i < trace.outputs().size(); ++i) {
    const model::Output& output = outputs[trace.outputs()[i]];
    Signal& s = all.emplace_back();
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

std::string line_plot(const Signal& signal, const Style& style, PlotSize size) {
  std::vector<PlotPoint> points;
  std::ranges::copy_if(signal.points, std::back_inserter(points), drawable);
  if (points.empty()) {
    return fmt::format(" {}: no data\n", cut(signal.name, style.width - 11, style));
  }
  const Plot plot(std::move(points), style, size);
  return legend(signal, plot.values, style) + plot.body() + plot.axis();
}

}  // namespace hild::report
