// SPDX-License-Identifier: Apache-2.0
/// \file
/// Processes that this one has started. Not for the real-time side.
#pragma once

#include <sys/types.h>

#include <optional>

#include "hild/core/descriptor.hpp"
#include "hild/core/time.hpp"

namespace hild {

/// A descriptor of a process, close-on-exec, readable once all its threads are dead; none, with
/// errno, where there is no such process.
[[nodiscard]] Descriptor process_descriptor(pid_t pid) noexcept;

/// Waits until a child has ended, and returns its status (waitpid); none: it had not ended in that
/// time, and has been killed.
std::optional<int> wait_for_child(pid_t child, Duration patience) noexcept;

/// Tells a process that does not come to its end from one that the machine does not let run: by
/// processor time, of which the former has had enough, or wants none. What sleeps again and again
/// looks like what hardly gets to run, so that there is a bound of time as well, a generous one.
class WorkPatience {
 public:
  static constexpr std::int64_t generous = 6;
  static constexpr Duration some_work{1'000'000};  ///< less in all of `most`: it is blocked

  /// `most`: of processor time, or of time without any.
  explicit WorkPatience(Duration most) noexcept : most_(most) {}

  /// Whether it is over, so long after the start, with so much processor time used since.
  [[nodiscard]] bool over(Duration elapsed, Duration used) noexcept;

 private:
  Duration most_;
  // When it was last seen to have worked, and what it had used then.
  Duration worked_at_{};
  Duration used_{};
};

/// Of this process: what kills it leaves no core. It dies when its core has been written, and not
/// before.
void leave_no_core() noexcept;

/// The same as wait_for_child(), but with the patience that one has with a process at work.
std::optional<int> wait_for_work(pid_t child, Duration patience) noexcept;

}  // namespace hild
