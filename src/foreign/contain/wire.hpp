// SPDX-License-Identifier: Apache-2.0
/// \file
/// What hild and a model's process tell one another by their socket, once: hild the task, as a
/// length and that many bytes; the process how it was born, and then what came of the task.
#pragma once

#include <cstdint>

namespace hild::contain {

// Where the process finds what it has of hild.
inline constexpr int socket_place = 3;
inline constexpr int page_place = 4;

/// What the kernel refused before the program began, each an errno or 0.
struct Birth {
  int filesystems = 0;
  int descriptors = 0;
};

enum class LoadOutcome : std::uint64_t {
  done,         ///< and what came of it follows
  failed,       ///< and why follows, in words
  not_started,  ///< no bytes follow; their number is an errno
};

struct Head {
  LoadOutcome outcome = LoadOutcome::done;
  std::uint64_t bytes = 0;  ///< that follow
};

/// The description of a model of a few million signals.
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30U;

}  // namespace hild::contain
