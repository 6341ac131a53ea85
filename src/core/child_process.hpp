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

}  // namespace hild
