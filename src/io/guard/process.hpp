// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "io/guard/guard.hpp"

namespace hild::guard {

/// What the guard is given of its run.
struct Watched {
  io::Bus& bus;
  std::unique_ptr<rt::Clock> clock;  ///< its own: a clock that sleeps on a descriptor is not shared
  Shared& shared;
  pid_t pid;       ///< of the run
  int run;         ///< its pidfd
  int connection;  ///< reads `goodbye`; and end-of-file when the run has lost the other end
  int ready;       ///< takes one byte: 0 once the guard watches, an errno without its priority
};

inline constexpr char goodbye = 'g';  ///< from the run: its outputs are not the guard's any more

/// The life of the guard process; does not return.
[[noreturn]] void watch_over(const Watched& watched, const Settings& settings);

}  // namespace hild::guard
