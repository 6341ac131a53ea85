// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>
#include <cmath>
#include <numbers>

#include "cli/report/advice.hpp"
#include "cli/report/advice_words.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;
using advise::Advice;
using advise::Window;

json::value finite(double v) { return std::isfinite(v) ? json::value(v) : json::value(nullptr); }

json::string text(std::string_view words) { return json::string(words); }

json::array names(const Advice& a, const std::vector<std::size_t>& states) {
  json::array all;
  for (const std::size_t k : states) all.push_back(text(a.states[k]));
  return all;
}

json::value band(std::optional<double> hz) { return hz ? json::value(*hz) : nullptr; }

json::object trajectory(const advise::Trajectory& t) {
  json::array points;
  for (const auto& point : t.points) {
    json::array lambda;
    for (const auto l : point.modes.lambda) lambda.push_back(json::array{l.real(), l.imag()});
    points.push_back({{"t_s", point.t}, {"eigenvalues", std::move(lambda)}});
  }
  return {{"duration_s", seconds(t.duration)},  {"method", text(t.method)},
          {"shortest_step_s", t.shortest_step}, {"input_band_hz", band(t.input_hz)},
          {"state_band_hz", band(t.state_hz)},  {"points", std::move(points)}};
}

json::object modes(const advise::Modes& m) {
  return {{"slowest", m.slowest},
          {"fastest", m.fastest},
          {"stiffness_ratio", m.stiffness},
          {"stiff", m.stiff()},
          {"least_damping", m.least_damping ? json::value(*m.least_damping) : nullptr},
          {"grows", m.grows}};
}

json::value split(const Advice& a) {
  const auto& s = a.known.split;
  if (!s) return nullptr;
  return {{"fast", names(a, s->fast)},       {"slow", names(a, s->slow)},
          {"fastest_slow", s->fastest_slow}, {"slowest_fast", s->slowest_fast},
          {"fastest_fast", s->fastest_fast}, {"ratio", s->ratio()}};
}

json::object costs(const plan::Costs& c) {
  return {{"wake_us", microseconds(c.wake)},
          {"device_us", microseconds(c.io)},
          {"pass_us", microseconds(c.pass)},
          {"outputs_us", microseconds(c.outputs)}};
}

json::object window(const Window& w) {
  return {{"method", text(w.candidate.name)},
          {"configured", w.candidate.configured},
          {"order", w.order},
          {"passes", w.passes},
          {"sampling", text(to_string(w.sampling))},
          {"needs_future", w.future},
          {"costs", {{"median", costs(w.costs.median)}, {"p99", costs(w.costs.p99)}}},
          {"lower_s", finite(w.lower)},
          {"lower_p99_s", finite(w.lower_p99)},
          {"upper_s", finite(w.upper.least())},
          {"stability_s", finite(w.upper.stability)},
          {"modes_s", finite(w.upper.modes)},
          {"inputs_s", finite(w.upper.inputs)},
          {"sampling_s", finite(w.upper.sampling)},
          {"limited_by", text(to_string(w.upper.limit()))},
          {"open", w.open()},
          {"open_at_p99", w.calm()}};
}

json::value recommendation(const Advice& a) {
  if (!a.chosen) return nullptr;
  json::array lines;
  for (const auto& l : a.yaml) lines.push_back(text(l));
  return {{"method", text(a.windows[*a.chosen].candidate.name)},
          {"h_s", a.chosen_h},
          {"changes", *a.chosen != a.configured || a.chosen_h != a.h},
          {"yaml", std::move(lines)}};
}

json::object remedy(const Advice& a, const advise::Offer& o) {
  return {{"remedy", text(to_string(o.remedy))},
          {"helps", o.helps},
          {"price", finite(o.price)},
          {"h_s", finite(o.h)},
          {"error", finite(o.error)},
          {"states", names(a, o.states)},
          {"share_of_cost", o.share},
          {"factor", finite(o.factor)},
          {"method", o.method.empty() ? json::value(nullptr) : json::value(text(o.method))},
          {"words", text(words_of(o, a))}};
}

}  // namespace

json::object advice_json(const Advice& a) {
  json::array windows;
  for (const auto& w : a.windows) windows.push_back(window(w));
  json::array remedies;
  for (const auto& o : a.offers) remedies.push_back(remedy(a, o));
  json::array notes;
  for (const auto& note : a.notes) notes.push_back(text(note));
  return {{"config", text(a.config_file)},
          {"model", text(a.model)},
          {"configured",
           {{"method", text(a.method)},
            {"h_s", a.h},
            {"sampling", text(to_string(a.sampling))},
            {"in_window", a.in_window()}}},
          {"accuracy", a.wishes.accuracy},
          {"bandwidth_hz", a.known.band / (2 * std::numbers::pi)},
          {"bandwidth_from", text(to_string(a.known.band_from))},
          {"budget", a.budget},
          {"trajectory", trajectory(a.known.trajectory)},
          {"modes", modes(a.known.modes)},
          {"split", split(a)},
          {"windows", std::move(windows)},
          {"recommendation", recommendation(a)},
          {"remedies", std::move(remedies)},
          {"verdict", text(verdict_of(a))},
          {"notes", std::move(notes)}};
}

}  // namespace hild::report
