// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hild/rt/atomic.hpp"

namespace hild::guard {

/// What a run and its guard have in common, in memory that both see.
struct Shared {
  rt::Counter beat;   ///< by the run: when the last frame began, by its clock; 0 before the first
  rt::Counter looks;  ///< by the guard: changes with every look; 0 before the first
  rt::Counter dismissed;  ///< by the run: 1 when its outputs are no longer the guard's concern
};

}  // namespace hild::guard
