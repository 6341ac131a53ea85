// SPDX-License-Identifier: Apache-2.0
/// \file
/// The reasons why a transaction is refused.
#pragma once

#include <cstdint>
#include <string_view>

namespace hild::exec {

enum class Refusal : std::uint8_t {
  none,
  no_slack,        ///< found no slack in as many frames as it may wait
  queue_full,      ///< no room among those posted, or among those that wait for a frame far ahead
  unknown_target,  ///< no such parameter, signal, slot; or no change at all
  out_of_limits,   ///< beyond a parameter's limits, or a senseless count or duration
  not_finite,
  not_tunable,    ///< a parameter that is fixed for the whole run
  bad_table,      ///< the table of a playback is empty, or its times do not ascend
  empty_slot,     ///< a restore from a slot that nothing was saved in
  no_id,          ///< a playback without an id: the release of its table could not be told
  device_failed,  ///< a device did not take its safe value
  run_ended,
  not_whole,   ///< a parameter that takes whole numbers only
  withdrawn,   ///< by another transaction, before its frame
  not_frozen,  ///< a step of a plant that runs, without `freezes`
};
[[nodiscard]] std::string_view to_string(Refusal r) noexcept;

}  // namespace hild::exec
