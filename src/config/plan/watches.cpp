// SPDX-License-Identifier: Apache-2.0
#include "config/plan/watches.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>

#include "core/json_parts.hpp"

namespace hild::plan {
namespace {

// What is sampled for an interlock alone follows the inputs of the plant and is no signal of it.
std::string unit_of(exec::Interlock::Of of, std::size_t index, const model::Description& plant) {
  const auto unit_in = [index](const auto& signals) {
    return index < signals.size() ? std::string(signals[index].unit) : std::string();
  };
  switch (of) {
    case exec::Interlock::Of::input:
      return unit_in(plant.inputs);
    case exec::Interlock::Of::output:
      return unit_in(plant.outputs);
    case exec::Interlock::Of::state:
      return unit_in(plant.states);
  }
  return {};
}

std::string_view name_of(exec::Alarm::Then then) {
  switch (then) {
    case exec::Alarm::Then::note:
      return "note";
    case exec::Alarm::Then::disarm:
      return "disarm";
    case exec::Alarm::Then::stop:
      return "stop";
  }
  return "";
}

}  // namespace

std::vector<Watch> watches_of(const config::Config& config, const model::Description& plant) {
  std::vector<Watch> all;
  for (const auto& [name, signal, limits] : config.interlocks) {
    all.push_back({.interlock = true,
                   .name = name,
                   .signal = signal,
                   .unit = unit_of(limits.of, limits.index, plant),
                   .low = limits.low,
                   .high = limits.high,
                   .then = "stop"});
  }
  for (const config::Alarm& one : config.alarms) {
    all.push_back({.name = one.name,
                   .signal = one.signal,
                   .unit = one.unit,
                   .low = one.alarm.low,
                   .high = one.alarm.high,
                   .then = std::string(name_of(one.alarm.then))});
  }
  return all;
}

std::string words(const Watch& w) {
  const std::string unit = w.unit.empty() || w.unit == "1" ? "" : " " + w.unit;
  const bool low = std::isfinite(w.low);
  const bool high = std::isfinite(w.high);
  const std::string limits = low && high ? fmt::format("within {:g} ... {:g}", w.low, w.high)
                             : low       ? fmt::format("at least {:g}", w.low)
                                         : fmt::format("at most {:g}", w.high);
  return fmt::format("{}: {} {}{}, else {}", w.name, w.signal, limits, unit, w.then);
}

boost::json::array watches_json(std::span<const Watch> all, bool interlocks) {
  boost::json::array array;
  for (const Watch& w : all) {
    if (w.interlock != interlocks) continue;
    array.push_back(boost::json::object{{"name", w.name},
                                        {"signal", w.signal},
                                        {"unit", w.unit},
                                        {"low", or_null(w.low)},
                                        {"high", or_null(w.high)},
                                        {"then", w.then}});
  }
  return array;
}

}  // namespace hild::plan
