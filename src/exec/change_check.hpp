// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checks whether a change may be made to a plant: its target exists, its values are finite and
/// within limits. It is checked in the slack, before anything takes effect. Real-time safe, fixed
/// work.
#pragma once

#include "exec/transaction.hpp"
#include "hild/io/sampler.hpp"
#include "hild/model/stepper.hpp"

namespace hild::exec {

/// What a plant has that changes can address: its parameters, and how many inputs and outputs;
/// who knows the faults of devices, null where there are none; and how many alarms.
struct Targets {
  std::span<const model::Parameter> parameters;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  const io::Sampler* sampler = nullptr;
  std::size_t alarms = 0;
};

/// `none` when the change may be made. The table of a playback is trusted: see check_table().
[[nodiscard]] Refusal check(const Change& change, const Targets& targets) noexcept;

/// Checks the table of a playback, on the poster's thread: it reads the whole table and is
/// therefore not for the loop.
[[nodiscard]] Refusal check_table(const PlaybackTable& table) noexcept;

}  // namespace hild::exec
