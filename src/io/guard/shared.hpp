// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hild/rt/heartbeat.hpp"

namespace hild::guard {

/// The memory that a run and its guard share. A faulty model may overwrite it: nothing written here
/// can end the guard, nor make it write outputs while the run lives.
struct Shared {
  rt::Heartbeat heartbeat;  ///< of the run, watched by the guard
  rt::Lifeline frames;      ///< held by the frame thread, which outlives no run
  rt::Counter looks;        ///< set by the guard: changes with every look; 0 before the first
};

}  // namespace hild::guard
