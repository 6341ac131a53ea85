// SPDX-License-Identifier: Apache-2.0
/// \file
/// Why a Comedi device failed: noted by a device call, put into words later.
#pragma once

#include <cstdint>
#include <filesystem>

#include "hild/core/result.hpp"

namespace hild::comedi {

struct Failure {
  enum class Of : std::uint8_t {
    nothing,       ///< it has not failed
    instructions,  ///< a list of them, by `error`, or after `count` of them
    start,         ///< the command was not begun
    reading,       ///< scans could not be read
    ended,         ///< the card ended its command
    overflow,      ///< the same, since nobody took the scans in time
    stopped,       ///< the same, for an error of its own
  };
  Of of = Of::nothing;
  int error = 0;           ///< errno, where there was one
  std::int64_t count = 0;  ///< instructions that were carried out, or scans that were read

  explicit operator bool() const noexcept { return of != Of::nothing; }
  /// It is the sampling alone that has failed: outputs can still be made safe.
  [[nodiscard]] bool leaves_outputs() const noexcept {
    return of == Of::start || of == Of::ended || of == Of::overflow || of == Of::stopped;
  }
};

/// What happened to the card at `path`, and what to do; nothing where it has not failed.
void put_into_words(const Failure& failure, const std::filesystem::path& path,
                    fmt::memory_buffer& words);

}  // namespace hild::comedi
