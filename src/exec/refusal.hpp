// SPDX-License-Identifier: Apache-2.0
/// \file
/// Why a transaction has no effect.
#pragma once

#include <cstdint>
#include <string_view>

namespace hild::exec {

enum class Refusal : std::uint8_t {
  none,
  no_slack,        ///< it found no slack in as many frames as it may wait
  queue_full,      ///< no room among those posted, or among those that wait for a frame far ahead
  unknown_target,  ///< no such parameter, signal, slot; or no change at all
  out_of_limits,   ///< a parameter's limits, or a count or a duration that makes no sense
  not_finite,
  not_tunable,    ///< a parameter that holds from the start
  bad_table,      ///< of a playback: empty, or its times do not ascend
  empty_slot,     ///< nothing was saved there
  no_id,          ///< a playback without an id: its release could not be told
  device_failed,  ///< a device did not take its safe value
  run_ended,
  not_whole,   ///< a parameter that takes whole numbers only
  withdrawn,   ///< by another transaction, before its frame
  not_frozen,  ///< a step of a plant that runs
};
[[nodiscard]] std::string_view to_string(Refusal r) noexcept;

}  // namespace hild::exec
