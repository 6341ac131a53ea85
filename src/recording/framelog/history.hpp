// SPDX-License-Identifier: Apache-2.0
/// \file
/// Holds back the newest frames, in case they are wanted after all.
#pragma once

#include <cstring>
#include <vector>

#include "hild/io/frame_record.hpp"

namespace hild::framelog {

class FrameHistory {
 public:
  /// Holds at most `frames` frames, which may be 0.
  FrameHistory(std::size_t frames, const io::FrameLayout& layout)
      : layout_(layout),
        slots_(frames),
        stride_((layout.bytes() + 7) / 8 * 8),
        memory_(slots_ * stride_ / 8) {}

  /// Takes a frame. Where there is no room left, calls drop(view) for the oldest.
  template <class Drop>
  void remember(const io::FrameView& record, Drop drop) {
    if (slots_ == 0) return drop(record);
    if (held_ == slots_) drop(io::FrameView(layout_, slot(next_)));
    std::memcpy(slot(next_), &record.header(), layout_.bytes());
    next_ = (next_ + 1) % slots_;
    if (held_ < slots_) ++held_;
  }
  /// Calls keep(view) for each frame, the oldest first; the history is then empty.
  template <class Keep>
  void release(Keep keep) {
    for (; held_ > 0; --held_) {
      keep(io::FrameView(layout_, slot((next_ + slots_ - held_) % slots_)));
    }
  }

 private:
  [[nodiscard]] std::byte* slot(std::size_t i) noexcept {
    return reinterpret_cast<std::byte*>(memory_.data()) + i * stride_;
  }

  io::FrameLayout layout_;
  std::size_t slots_;
  std::size_t stride_;
  std::vector<std::uint64_t> memory_;
  std::size_t next_ = 0;
  std::size_t held_ = 0;
};

}  // namespace hild::framelog
