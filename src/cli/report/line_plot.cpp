// SPDX-License-Identifier: Apache-2.0
#include "cli/report/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hild::report {
namespace {

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
