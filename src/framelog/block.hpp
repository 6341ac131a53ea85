// SPDX-License-Identifier: Apache-2.0
/// \file
/// What goes to the disk at once: the frames and the signals of some steps, written both or not at
/// all. Two chunks, so that who wants the signals need not read the frames.
#pragma once

#include "mcap/chunk.hpp"

namespace hild::framelog {

struct Block {
  mcap::Chunk frames;
  mcap::Chunk signals;
  std::int64_t first = 0;  ///< step
  std::int64_t last = 0;
  std::int64_t count = 0;  ///< frames in it

  [[nodiscard]] std::size_t bytes() const noexcept { return frames.bytes() + signals.bytes(); }
  [[nodiscard]] bool empty() const noexcept { return frames.empty() && signals.empty(); }
  void clear() {
    frames.clear();
    signals.clear();
    count = 0;
  }
};

}  // namespace hild::framelog
