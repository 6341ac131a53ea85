// SPDX-License-Identifier: Apache-2.0
/// \file
/// Describes in words how a run ended: what happened and what to do next.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "config/config.hpp"
#include "exec/frame_loop.hpp"
#include "hild/core/result.hpp"
#include "hild/model/description.hpp"

namespace hild::report {

using ByCause = std::array<std::int64_t, io::cause_count>;

/// The facts for it that the outcome does not contain.
struct OutcomeFacts {
  std::string config;  ///< the file, for the commands in the advice
  const model::Description* plant = nullptr;
  exec::OverrunSettings overrun;
  ByCause by_cause{};          ///< overruns of the run
  std::string device_failure;  ///< "device daq: ...", "input `u` of device daq: ..."
  std::span<const config::Interlock> interlocks{};
  std::span<const config::Alarm> alarms{};
  std::int64_t frames = 0;            ///< of the run
  std::int64_t clamped_frames = 0;    ///< frames whose outputs were cut to their limits
  std::int64_t inaccurate_steps = 0;  ///< whose estimated error was larger than it may be
  std::string clamped{};              ///< names of those outputs, "`shaft_speed`, `current`"
  std::string model_ending{};         ///< how the model's process ended by itself; empty: unknown
};

struct Verdict {
  std::string what;  ///< one or two sentences
  std::string next;  ///< what to do about it; empty when all is well
};

/// "duration", "requested", "overrun_limit", "device_failed", "input_lost", "model_fault",
/// "interlock", "guard_lost", "tick_lost", "clock_set", "alarm"
[[nodiscard]] std::string_view to_string(exec::End end) noexcept;
/// The names of model faults: "not_finite", "implausible", "clamped",
/// "inaccurate", "not_returned".
[[nodiscard]] std::string_view to_string(exec::Fault fault) noexcept;
[[nodiscard]] ExitCode exit_code(const exec::Outcome& outcome) noexcept;
[[nodiscard]] Verdict verdict(const exec::Outcome& outcome, const OutcomeFacts& facts);

/// The cause of most overruns, not counting those that only inherited their lateness.
[[nodiscard]] io::Cause main_cause(const ByCause& by_cause) noexcept;

}  // namespace hild::report
