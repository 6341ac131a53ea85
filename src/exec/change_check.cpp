// SPDX-License-Identifier: Apache-2.0
#include "exec/change_check.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace hild::exec {
namespace {

using enum Refusal;

Refusal finite(std::initializer_list<double> values) noexcept {
  for (const double v : values) {
    if (!std::isfinite(v)) return not_finite;
  }
  return none;
}

struct Checker {
  const Targets& targets;

  [[nodiscard]] std::size_t signals(Side side) const noexcept {
    return side == Side::input ? targets.inputs : targets.outputs;
  }

  Refusal operator()(const SetParameter& c) const noexcept {
    if (c.parameter >= targets.parameters.size()) return unknown_target;
    if (!std::isfinite(c.value)) return not_finite;
    const auto& p = targets.parameters[c.parameter];
    if (!p.tunable) return not_tunable;
    if (p.whole && c.value != std::round(c.value)) return not_whole;
    return c.value < p.low || c.value > p.high ? out_of_limits : none;
  }
  Refusal operator()(const Override& c) const noexcept {
    if (c.signal >= signals(c.side)) return unknown_target;
    if (static_cast<std::size_t>(c.kind) >= override_kinds) return unknown_target;
    if (!std::isfinite(c.value)) return not_finite;
    const bool negative_noise = c.kind == OverrideKind::noise && c.value < 0;
    return c.frames < 0 || negative_noise ? out_of_limits : none;
  }
  Refusal operator()(const ReleaseOverride& c) const noexcept {
    return c.signal >= signals(c.side) ? unknown_target : none;
  }
  Refusal operator()(const Stimulus& c) const noexcept {
    if (c.input >= targets.inputs || c.shape > Shape::playback) return unknown_target;
    const Refusal bad = finite({c.offset, c.amplitude, c.frequency, c.frequency_end, c.phase});
    if (bad != none) return bad;
    if (!std::isfinite(std::abs(c.offset) + std::abs(c.amplitude))) return out_of_limits;
    if (std::max(std::abs(c.frequency), std::abs(c.frequency_end)) > most_hz) return out_of_limits;
    if (c.over.ns < 0 || c.duration.ns < 0) return out_of_limits;
    return c.shape == Shape::chirp && c.over.ns == 0 ? out_of_limits : none;
  }
  Refusal operator()(const StopStimulus& c) const noexcept {
    return c.input >= targets.inputs ? unknown_target : none;
  }
  Refusal operator()(const Freeze& c) const noexcept {
    return c.outputs > FrozenOutputs::declared ? unknown_target : none;
  }
  Refusal operator()(const StepFrames& c) const noexcept {
    return c.frames < 1 ? out_of_limits : none;
  }
  Refusal operator()(const Resume& /*c*/) const noexcept { return none; }
  Refusal operator()(const DeclareOutput& c) const noexcept {
    return c.output >= targets.outputs ? unknown_target : finite({c.value});
  }
  Refusal operator()(const SaveStates& c) const noexcept {
    return c.slot >= saved_slots ? unknown_target : none;
  }
  Refusal operator()(const RestoreStates& c) const noexcept {
    return c.slot >= saved_slots ? unknown_target : none;
  }
  Refusal operator()(const Reset& /*c*/) const noexcept { return none; }
  Refusal operator()(const Mark& /*c*/) const noexcept { return none; }
};

}  // namespace

Refusal check(const Change& change, const Targets& targets) noexcept {
  return std::visit(Checker{targets}, change);
}

Refusal check_table(const PlaybackTable& table) noexcept {
  if (table.size == 0 || table.times == nullptr || table.values == nullptr) return bad_table;
  for (std::size_t i = 0; i < table.size; ++i) {
    if (!std::isfinite(table.times[i]) || !std::isfinite(table.values[i])) return not_finite;
    if (i == 0) continue;
    if (table.times[i] <= table.times[i - 1]) return bad_table;
    // Between them is interpolated.
    if (!std::isfinite(table.values[i] - table.values[i - 1])) return not_finite;
  }
  return none;
}

}  // namespace hild::exec
