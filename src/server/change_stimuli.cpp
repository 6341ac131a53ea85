// SPDX-License-Identifier: Apache-2.0
/// Signals that the loop makes.
#include <algorithm>
#include <cmath>

#include "exec/change_check.hpp"
#include "server/handlers.hpp"

namespace hild::server {
namespace {

constexpr Kind input_kind[] = {Kind::input};

Place read_input(const Context& c, Params& params) {
  return c.names.find(params.text("input"), input_kind, params.name_of("input"));
}

std::unique_ptr<Table> read_table(Params& params, std::string_view unit) {
  Params section(params.object("table"), params.name_of("table"));
  auto table = std::make_unique<Table>();
  table->times = section.numbers("times_s", "s");
  table->values = section.numbers("values", unit);
  section.refuse_unknown();
  if (table->times.size() != table->values.size()) {
    params.reject("table", fmt::format("{} times and {} values, expected as many of both",
                                       table->times.size(), table->values.size()));
  }
  const exec::PlaybackTable lent{table->times.data(), table->values.data(), table->times.size()};
  switch (exec::check_table(lent)) {
    case exec::Refusal::none:
      break;
    case exec::Refusal::not_finite:
      params.reject("table.values", "two of them are further apart than numbers go");
      break;
    default:
      params.reject("table.times_s",
                    "expected one time at least, and each above the one before it");
  }
  return table;
}

/// What a stimulus adds must be a number, however large.
void check_size(const exec::Stimulus& s, Params& params) {
  double most = 1;
  for (std::size_t i = 0; i < s.table.size; ++i) most = std::max(most, std::abs(s.table.values[i]));
  if (!std::isfinite(std::abs(s.offset) + std::abs(s.amplitude) * most)) {
    params.reject("amplitude",
                  "with the offset, and with the values of a table, it goes beyond "
                  "the largest number");
  }
}

}  // namespace

void stimulate(const Context& context, Params& params, Changes& changes) {
  using enum exec::Shape;
  const Place input = read_input(context, params);
  const std::string_view unit = context.names.unit(input);
  exec::Stimulus s{.input = static_cast<std::uint32_t>(input.index)};
  static constexpr exec::Shape order[] = {step, ramp, sine, chirp, playback};
  s.shape = order[params.choice("shape", {"step", "ramp", "sine", "chirp", "playback"})];
  const bool waves = s.shape == sine || s.shape == chirp;
  std::unique_ptr<Table> table;
  if (s.shape == playback) {
    table = read_table(params, unit);
    s.table = {table->times.data(), table->values.data(), table->times.size()};
    s.amplitude = params.number("amplitude", "1", 1.0);
  } else {
    s.amplitude = params.number("amplitude", unit);
  }
  if (waves) {
    s.frequency = params.number("frequency_hz", "Hz", {}, {-exec::most_hz, exec::most_hz});
    s.phase = params.number("phase_rad", "rad", 0.0);
  }
  if (s.shape == chirp)
    s.frequency_end = params.number("frequency_end_hz", "Hz", {}, {-exec::most_hz, exec::most_hz});
  if (s.shape == ramp || s.shape == chirp) {
    s.over = params.duration("over_s");
    if (s.over.ns == 0) params.reject("over_s", "expected a time above 0");
  }
  s.offset = params.number("offset", unit, 0.0);
  check_size(s, params);
  s.replace = params.boolean("replace", false);
  if (params.has("duration_s")) {
    s.duration = params.duration("duration_s");
    if (s.duration.ns == 0) params.reject("duration_s", "expected a time above 0");
  }
  s.restart = params.boolean("restart", false);
  changes.add(s, {0, params.name_of("input")}, std::move(table));
}

void quiet(const Context& context, Params& params, Changes& changes) {
  const Place input = read_input(context, params);
  changes.add(
      exec::StopStimulus{static_cast<std::uint32_t>(input.index), params.boolean("restart", false)},
      {0, params.name_of("input")});
}

}  // namespace hild::server
