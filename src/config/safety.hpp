// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hild/core/time.hpp"

namespace hild::config {

/// The section `safety: {guard: true, within: 1 s, ramp_in: 1 s, clamped: {then: safe-stop, after:
/// 1 s}}`. What follows when outputs are clamped is exec::Clamping.
struct Safety {
  bool guard = true;  ///< whether a second process watches the run
  Duration within{};  ///< so long after the last frame of a run that hangs, safe actions have begun
  Duration within_ordinary{};  ///< the same where frames run under the ordinary scheduler
  Duration ramp_in{};          ///< time that outputs take to the model's values once they are armed
};

}  // namespace hild::config
