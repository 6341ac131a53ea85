// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hild/rt/heartbeat.hpp"

namespace hild::guard {

/// What a run and its guard have in common, in memory that both see. A model that writes where it
/// must not can change it: so no word of it ends the guard, nor makes it write while the run lives.
struct Shared {
  rt::Heartbeat heartbeat;  ///< of the run; its watcher is the guard
  rt::Lifeline frames;      ///< held by the thread of the frames, which outlives no run
  rt::Counter looks;        ///< by the guard: changes with every look; 0 before the first
};

}  // namespace hild::guard
