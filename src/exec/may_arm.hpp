// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether outputs that are armed now would stay so.
#pragma once

#include <algorithm>

#include "exec/frame_loop.hpp"

namespace hild::exec {

/// Not while an input is lost for which outputs are disarmed: they would be so again in the next
/// frame; nor before the first step, as nothing is known of such inputs then; nor while an alarm is
/// open for which they are. From any thread; allocates.
[[nodiscard]] inline bool may_arm(const FrameLoop& loop) {
  if (loop.alarms().keep_disarmed() != 0) return false;
  const LostInputs& inputs = loop.lost_inputs();
  if (inputs.may_disarm() && loop.statistics().steps.get() == 0) return false;
  return std::ranges::none_of(inputs.at_present(), &LostInputs::Lost::disarms);
}

}  // namespace hild::exec
