// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "io/guard/guard.hpp"

namespace hild::guard {

/// What the guard process needs in order to watch over its run.
struct Watched {
  io::Bus& bus;
  std::unique_ptr<rt::Clock> clock;  ///< its own: a clock that sleeps on a descriptor is not shared
  Shared& shared;
  pid_t pid;       ///< of the run
  int run;         ///< pidfd of the run
  int connection;  ///< reads `goodbye`, or end-of-file when the run has lost the other end
  /// Descriptor to write one byte to: 0 once the guard watches, an errno if without its priority.
  int ready;
};

/// Sent by the run: the guard must not touch the outputs any more.
inline constexpr char goodbye = 'g';

/// Runs the guard process; does not return.
[[noreturn]] void watch_over(const Watched& watched, const Settings& settings);

}  // namespace hild::guard
