// SPDX-License-Identifier: Apache-2.0
/// \file
/// The messages of a log: what each stream holds, in which order.
#pragma once

#include "framelog/proto.hpp"
#include "mcap/format.hpp"

namespace hild::framelog {

/// Of inputs, outputs, states and raw counts: `tick`, counted in frames of simulated time, and `t`,
/// its seconds; then the signals.
[[nodiscard]] proto::Message signals_message(Topic topic, const std::vector<SignalName>& signals);
inline constexpr std::size_t signal_fields = 2;  ///< before the signals

/// How long a step took and why; the fields in the order of TimingField.
[[nodiscard]] proto::Message timing_message();
enum class TimingField : std::uint8_t {
  step,
  frame,
  t,
  lateness,
  start,
  wake,
  device,
  commit,
  passes,
  wait,
  events,
  outputs,
  record,
  slack,
  idle,
  span,
  slipped,
  passes_run,
  state_events,
  external_events,
  mark,
  cause,
  overrun,
  late_wake,
  starter,
  frozen,
  early
};
inline constexpr std::size_t timing_fields = 27;

/// Steps that are not in the log.
struct Gap {
  enum class Reason : std::uint8_t {
    ring,     ///< dropped: the recorder fell behind the run
    disk,     ///< lost: they could not be written
    trigger,  ///< left out: far from what was looked for
  };
  std::int64_t first = 0;  ///< step
  std::int64_t last = 0;
  Reason reason = Reason::ring;
  bool operator==(const Gap&) const = default;
};
[[nodiscard]] proto::Message gap_message();
[[nodiscard]] std::string_view to_string(Gap::Reason reason) noexcept;

/// Schema and channel of a stream of messages. Units are the channel's metadata: "unit.NAME", and
/// "name.NAME" where a signal's own name is no identifier.
[[nodiscard]] mcap::Schema schema_of(Topic topic, const proto::Message& message);
[[nodiscard]] mcap::Channel channel_of(Topic topic, const proto::Message& message);
/// The names and units of the fields, from there.
void add_signal_names(const mcap::Map& metadata, proto::Message& message);

}  // namespace hild::framelog
