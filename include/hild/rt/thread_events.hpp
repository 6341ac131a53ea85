// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the kernel did to one thread, each with its instants, by perf: page faults and the times it
/// was off its CPU. The kernel notes it as it happens; another thread reads it. The thread that is
/// watched does nothing for it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"

namespace hild::rt {

/// A stretch of time in which a thread could not run its program.
struct ThreadEvent {
  /// Why it could not.
  enum class Kind : std::uint8_t {
    page_fault,  ///< from its beginning to its end, a wait for the disk included
    preempted,   ///< off the CPU although it had work to do
    slept,       ///< off the CPU of its own accord: a sleep, or a call that waits
  };
  Kind kind{};      ///< why it could not
  MonoTime from{};  ///< when it began, by CLOCK_MONOTONIC
  MonoTime to{};    ///< when it ended
};

/// Appends what has ended since the last call, in the order in which it ended. Not real-time; one
/// thread at a time.
using ThreadEvents = std::function<void(std::vector<ThreadEvent>& into)>;

/// Watches the thread `tid` of this process, as long as there is a copy of what is returned; 0 is
/// the caller. What comes while the kernel's ring is full (some thousands) is lost. Error: the
/// kernel does not offer it, with the remedy.
[[nodiscard]] Result<ThreadEvents> watch_thread(pid_t tid);

}  // namespace hild::rt
