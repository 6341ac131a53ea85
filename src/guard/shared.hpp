// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hild/rt/atomic.hpp"

namespace hild::guard {

/// What a run and its guard have in common, in memory that both see. A model that writes where it
/// must not can change it: so no word of it ends the guard.
struct Shared {
  rt::Counter beat;   ///< by the run: when the last frame began, by its clock; 0 before the first
  rt::Counter looks;  ///< by the guard: changes with every look; 0 before the first
};

}  // namespace hild::guard
