// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures before the run what a keyframe costs: the state that the plant has is saved, again and
/// again, as the loop would. Nothing is changed by it.
#pragma once

#include <string>

#include "config/plan/assembly.hpp"

namespace hild::plan {

struct KeyframeCost {
  Duration time{};        ///< at the high end: nine of ten take no longer
  std::size_t bytes = 0;  ///< at most
  std::string problem{};  ///< why none can be made; empty: they can
};

/// The cost of a keyframe of `assembly`. Call on a thread scheduled like the frame thread.
[[nodiscard]] KeyframeCost rehearse_keyframe(const Assembly& assembly, rt::Clock& clock);

}  // namespace hild::plan
