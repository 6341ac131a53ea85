// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a loop and its watcher, in another process, know of each other, in memory that both see.
#pragma once

#include "hild/rt/atomic.hpp"
#include "hild/rt/lifeline.hpp"

namespace hild::rt {

/// Lies in shared memory, zeroed before both begin. Real-time safe to write and to look at.
struct Heartbeat {
  Counter beat;  ///< by the loop, in every frame: when it began, by its clock; 0 before the first
  Lifeline watcher;  ///< held by who watches: the loop sees its end in its next frame
};

}  // namespace hild::rt
