// SPDX-License-Identifier: Apache-2.0
/// \file
/// The part of hild that runs in a model's process, whose program is hild-model; and the messages
/// that the two exchange by their socket, once: hild sends the task, as a length and that many
/// bytes; the process sends how it was started, and then the result of the task.
#pragma once

#include <cstdint>

namespace hild::contain {

// The descriptors by which the process finds what it has of hild.
inline constexpr int socket_place = 3;
inline constexpr int page_place = 4;

/// What the kernel refused before the program began, each an errno or 0.
struct Birth {
  int filesystems = 0;
  int descriptors = 0;
};

enum class LoadOutcome : std::uint64_t {
  done,         ///< the result follows
  failed,       ///< the reason follows, in words
  not_started,  ///< no bytes follow; their number is an errno
};

struct Head {
  LoadOutcome outcome = LoadOutcome::done;
  std::uint64_t bytes = 0;  ///< bytes that follow
};

/// The most bytes of a message: enough to describe a model of a few million signals.
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30U;

/// Does the task that comes through the socket, and ends the process. `heap_calls` counts the heap
/// calls of a thread; null: they are not counted.
[[noreturn]] void serve(long (*heap_calls)());

}  // namespace hild::contain
