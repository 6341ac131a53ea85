// SPDX-License-Identifier: Apache-2.0
#include "cli/main/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "cli/report/svg.hpp"
#include "cli/report/text.hpp"
#include "core/json_parts.hpp"

namespace hild::commands {
namespace {

using framelog::SignalName;
using framelog::Signals;
using replay::Difference;
using replay::Differences;

template <class Range>
std::vector<SignalName> signal_names(const Range& signals) {
  std::vector<SignalName> all;
  all.reserve(signals.size());
  for (const auto& s : signals) all.push_back({std::string(s.name), std::string(s.unit)});
  return all;
}

std::string name_of(const Difference& d, const Signals& signals) {
  switch (d.of) {
    case Difference::Of::input:
      return fmt::format("pass {}, input {}", d.pass, signals.inputs[d.index].name);
    case Difference::Of::state:
      return fmt::format("state {}", signals.states[d.index].name);
    case Difference::Of::output:
      return fmt::format("output {}", signals.outputs[d.index].name);
    case Difference::Of::step:
      break;
  }
  return std::string(replay::step_facts[d.index]);
}

void merge_in_pairs(std::vector<record::TracePoint>& points) {
  for (std::size_t i = 0; i < points.size() / 2; ++i) {
    points[2 * i].merge(points[2 * i + 1]);
    points[i] = points[2 * i];
  }
  points.resize(points.size() / 2);
}

// From the smallest to the largest of what a point covers.
std::vector<report::Coordinates> line_of(const std::vector<record::TracePoint>& full,
                                         const record::TracePoint& open) {
  std::vector<report::Coordinates> line;
  line.reserve(2 * full.size() + 2);
  const auto add = [&](const record::TracePoint& p) {
    if (p.records == 0) return;
    line.push_back({seconds(p.first), p.min});
    if (p.max > p.min) line.push_back({seconds(p.last), p.max});
  };
  for (const record::TracePoint& p : full) add(p);
  add(open);
  return line;
}

}  // namespace

Signals signals_of(const model::Description& model) {
  return {signal_names(model.inputs), signal_names(model.outputs), signal_names(model.states)};
}

std::string in_words(const Difference& d, const Signals& signals) {
  return fmt::format("step {}, frame {}: {} was {:.17g}, is {:.17g}", d.step, d.frame,
                     name_of(d, signals), d.recorded, d.replayed);
}

std::string to_text(const Differences& d, const Signals& signals) {
  std::string out = fmt::format("{} steps differ; the first is {}\n",
                                report::grouped(d.differing_steps), in_words(*d.first, signals));
  const auto largest = [&](std::string_view kind, const SignalName& signal, double worst) {
    if (worst > 0) {
      out += fmt::format("  {} {}: up to {:.6g} {}\n", kind, signal.name, worst, signal.unit);
    }
  };
  for (std::size_t i = 0; i < d.worst_states.size(); ++i) {
    largest("state", signals.states[i], d.worst_states[i]);
  }
  for (std::size_t i = 0; i < d.worst_outputs.size(); ++i) {
    largest("output", signals.outputs[i], d.worst_outputs[i]);
  }
  return out;
}

void add_to(boost::json::object& o, const Differences& d, const Signals& signals) {
  o["compared_steps"] = d.compared;
  o["differing_steps"] = d.differing_steps;
  if (d.first) {
    o["first"] = {{"step", d.first->step},
                  {"frame", d.first->frame},
                  {"signal", name_of(*d.first, signals)},
                  {"recorded", d.first->recorded},
                  {"replayed", d.first->replayed}};
  }
  boost::json::object worst;
  for (std::size_t i = 0; i < d.worst_states.size(); ++i) {
    worst[fmt::format("state:{}", signals.states[i].name)] = or_null(d.worst_states[i]);
  }
  for (std::size_t i = 0; i < d.worst_outputs.size(); ++i) {
    worst[fmt::format("output:{}", signals.outputs[i].name)] = or_null(d.worst_outputs[i]);
  }
  o["worst"] = std::move(worst);
}

DifferenceCurves::DifferenceCurves(const Signals& signals) {
  signals_.reserve(std::min(most_signals, signals.outputs.size() + signals.states.size()));
  const auto take = [&](const std::vector<SignalName>& of, bool output) {
    for (std::size_t i = 0; i < of.size() && signals_.size() < most_signals; ++i) {
      signals_.push_back({.name = of[i].name, .unit = of[i].unit, .output = output, .index = i});
    }
  };
  take(signals.outputs, true);
  take(signals.states, false);
}

void DifferenceCurves::add(SimTime end, const io::FrameView& was, const io::FrameView& is) {
  for (Signal& s : signals_) {
    const double a = s.output ? was.outputs()[s.index] : was.states()[s.index];
    const double b = s.output ? is.outputs()[s.index] : is.states()[s.index];
    s.differs |= std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b);
    const auto point = [&](double v) { return record::TracePoint{end, end, 1, v, v, v, v}; };
    s.was.open.merge(point(a));
    s.is.open.merge(point(b));
  }
  if (++filled_ == stride_) close_points();
}

void DifferenceCurves::close_points() {
  filled_ = 0;
  bool used_up = false;
  for (Signal& s : signals_) {
    for (Curve* const curve : {&s.was, &s.is}) {
      curve->full.push_back(std::exchange(curve->open, {}));
      used_up = curve->full.size() == most_points;
      if (used_up) merge_in_pairs(curve->full);
    }
  }
  if (used_up) stride_ *= 2;
}

std::string DifferenceCurves::svg(std::string_view title, std::string_view was,
                                  std::string_view is) const {
  const bool any = std::ranges::any_of(signals_, &Signal::differs);
  std::vector<report::SvgPanel> panels;
  panels.reserve(signals_.size());
  for (const Signal& s : signals_) {
    if (any && !s.differs) continue;
    report::SvgPanel& panel = panels.emplace_back();
    panel.title = fmt::format("{} {}", s.output ? "output" : "state", s.name);
    panel.x_label = "t in s";
    panel.y_label = s.unit.empty() ? s.name : fmt::format("{} in {}", s.name, s.unit);
    panel.curves.push_back({std::string(was), line_of(s.was.full, s.was.open), true});
    panel.curves.push_back({std::string(is), line_of(s.is.full, s.is.open)});
  }
  return report::svg_document(title, panels);
}

}  // namespace hild::commands
