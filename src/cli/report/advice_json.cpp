// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>
#include <numbers>

#include "cli/report/advice.hpp"
#include "core/json_parts.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;
using advise::Advice;
using advise::Window;

json::array names(const Advice& a, const std::vector<std::size_t>& states) {
  return array_of(states, [&](std::size_t k) { return json::value(a.states[k]); });
}

json::object point(const advise::Point& p) {
  return {{"t_s", p.t}, {"eigenvalues", array_of(p.modes.lambda, [](advise::Complex l) {
                           return json::array{l.real(), l.imag()};
                         })}};
}

json::object trajectory(const advise::Trajectory& t) {
  return {{"duration_s", seconds(t.duration)},
          {"method", t.method},
          {"shortest_step_s", t.shortest_step},
          {"input_band_hz", json::value_from(t.input_hz)},
          {"state_band_hz", json::value_from(t.state_hz)},
          {"points", array_of(t.points, point)}};
}

json::object modes(const advise::Modes& m) {
  return {{"slowest", m.slowest},
          {"fastest", m.fastest},
          {"stiffness_ratio", m.stiffness},
          {"stiff", m.stiff()},
          {"least_damping", json::value_from(m.least_damping)},
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
  return {{"method", w.candidate.name},
          {"configured", w.candidate.configured},
          {"order", w.order},
          {"passes", w.passes},
          {"sampling", config::word_of(w.sampling)},
          {"needs_future", w.future},
          {"costs", {{"median", costs(w.costs.median)}, {"p99", costs(w.costs.p99)}}},
          {"lower_s", or_null(w.lower)},
          {"lower_p99_s", or_null(w.lower_p99)},
          {"upper_s", or_null(w.upper.least())},
          {"stability_s", or_null(w.upper.stability)},
          {"modes_s", or_null(w.upper.modes)},
          {"inputs_s", or_null(w.upper.inputs)},
          {"sampling_s", or_null(w.upper.sampling)},
          {"limited_by", to_string(w.upper.limit())},
          {"open", w.open()},
          {"open_at_p99", w.calm()}};
}

json::value recommendation(const Advice& a) {
  if (!a.chosen) return nullptr;
  return {{"method", a.windows[*a.chosen].candidate.name},
          {"h_s", a.chosen_h},
          {"changes", *a.chosen != a.configured || a.chosen_h != a.h},
          {"yaml", json::value_from(a.yaml)}};
}

json::object remedy(const Advice& a, const advise::Offer& o) {
  return {{"remedy", to_string(o.remedy)}, {"helps", o.helps},
          {"price", or_null(o.price)},     {"h_s", or_null(o.h)},
          {"error", or_null(o.error)},     {"states", names(a, o.states)},
          {"share_of_cost", o.share},      {"factor", or_null(o.factor)},
          {"method", or_null(o.method)},   {"words", words_of(o, a)}};
}

}  // namespace

json::object advice_json(const Advice& a) {
  return {{"config", a.config_file},
          {"model", a.model},
          {"configured",
           {{"method", a.method},
            {"h_s", a.h},
            {"sampling", config::word_of(a.sampling)},
            {"in_window", a.in_window()}}},
          {"accuracy", a.wishes.accuracy},
          {"bandwidth_hz", a.known.band / (2 * std::numbers::pi)},
          {"bandwidth_from", to_string(a.known.band_from)},
          {"budget", a.budget},
          {"trajectory", trajectory(a.known.trajectory)},
          {"modes", modes(a.known.modes)},
          {"split", split(a)},
          {"windows", array_of(a.windows, window)},
          {"recommendation", recommendation(a)},
          {"remedies", array_of(a.offers, [&](const auto& o) { return remedy(a, o); })},
          {"verdict", verdict_of(a)},
          {"notes", json::value_from(a.notes)}};
}

}  // namespace hild::report
