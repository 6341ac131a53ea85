// SPDX-License-Identifier: Apache-2.0
/// \file
/// The unit in which a log is written to the disk: some steps and what happened between them,
/// written all or not at all. It has three chunks, so that a reader of the changes or of keyframes
/// need not read the steps.
#pragma once

#include "hild/core/time.hpp"
#include "recording/mcap/chunk.hpp"

namespace hild::framelog {

struct Block {
  mcap::Chunk steps;
  mcap::Chunk events;      ///< gaps and changes
  mcap::Chunk keyframes;   ///< each before its step
  MonoTime start{};        ///< the end of the step that was the newest when it was begun
  std::int64_t first = 0;  ///< step
  std::int64_t last = 0;
  std::int64_t count = 0;  ///< steps in it

  [[nodiscard]] std::size_t bytes() const noexcept {
    return steps.bytes() + events.bytes() + keyframes.bytes();
  }
  [[nodiscard]] bool empty() const noexcept {
    return steps.empty() && events.empty() && keyframes.empty();
  }
  void clear() {
    steps.clear();
    events.clear();
    keyframes.clear();
    count = 0;
  }
};

}  // namespace hild::framelog
