// SPDX-License-Identifier: Apache-2.0
#include "cli/main/simulate_summary.hpp"

#include <fmt/format.h>

namespace hild::commands {

namespace json = boost::json;

json::value to_json(const Simulated& o, const Watch& watch) {
  const auto& [counts, rows, state_events, time_events, end, states] = o.summary;
  const auto& tolerance = o.run.options.tolerance;
  json::object by_name;
  for (const auto& [name, count] : watch.count()) by_name[name] = count;
  json::object j{
      {"config", o.config.file},
      {"model", o.config.model.type},
      {"method", reference::to_string(o.run.options.formula)},
      {"rtol", tolerance.relative},
      {"atol", tolerance.absolute},
      {"duration_s", seconds(o.run.duration)},
      {"sim_time_s", end},
      {"steps", json::object{{"accepted", counts.accepted},
                             {"rejected", counts.rejected},
                             {"shortest_s", counts.shortest_step},
                             {"longest_s", counts.longest_step}}},
      {"evaluations", counts.evaluations},
      {"rows", rows},
      {"output", o.output},
      {"state_events",
       json::object{{"total", state_events}, {"by_name", by_name}, {"first", watch.events()}}},
      {"time_events", time_events},
      {"interrupted", o.interrupted},
  };
  j["error"] = o.failure.empty() ? json::value(nullptr) : json::value(o.failure);
  return j;
}

std::string to_text(const Simulated& o, const Watch& watch) {
  const auto& s = o.summary;
  std::string text = fmt::format(
      "{} by {}, tolerances {:g} relative and {:g} absolute: {}{:g} s in {} steps of {:.2e} to "
      "{:.2e} s, {} rejected, {} evaluations\n",
      o.config.model.type, reference::to_string(o.run.options.formula),
      o.run.options.tolerance.relative, o.run.options.tolerance.absolute,
      o.interrupted ? "interrupted after " : "", s.end, s.counts.accepted, s.counts.shortest_step,
      s.counts.longest_step, s.counts.rejected, s.counts.evaluations);
  for (const auto& [name, count] : watch.count())
    text += fmt::format("event {}: {}\n", name, count);
  if (s.time_events > 0) text += fmt::format("time events: {}\n", s.time_events);
  if (!o.output.empty()) text += fmt::format("{} rows in {}\n", s.rows, o.output);
  return text;
}

}  // namespace hild::commands
