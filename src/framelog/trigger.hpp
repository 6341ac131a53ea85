// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps frames back until something happens, then lets through those before it, it, and those
/// after it.
#pragma once

#include <cstring>
#include <vector>

#include "config/record.hpp"
#include "hild/core/result.hpp"
#include "record/words.hpp"

namespace hild::framelog {

class Trigger {
 public:
  /// Error: the history would not fit into memory.
  [[nodiscard]] static Result<Trigger> make(const config::Trigger& settings,
                                            const io::FrameLayout& layout);

  /// Calls keep(view) for each frame that is let through now; the oldest first.
  template <class Keep>
  void frame(const io::FrameView& record, Keep keep) {
    if (fires(record.header())) {
      release(keep);
      left_ = settings_.after + 1;
    }
    if (left_ > 0) {
      --left_;
      keep(record);
      return;
    }
    remember(record);
  }

 private:
  Trigger(const config::Trigger& settings, const io::FrameLayout& layout);

  [[nodiscard]] bool fires(const io::FrameHeader& h) const noexcept {
    return (settings_.overrun && record::is_overrun(h)) ||
           (settings_.state_event && h.state_events > 0) || (settings_.command && h.mark != 0);
  }
  void remember(const io::FrameView& record) {
    if (slots_ == 0) return;
    std::memcpy(slot(next_), &record.header(), layout_.bytes());
    next_ = (next_ + 1) % slots_;
    if (held_ < slots_) ++held_;
  }
  template <class Keep>
  void release(Keep keep) {
    for (; held_ > 0; --held_) {
      keep(io::FrameView(layout_, slot((next_ + slots_ - held_) % slots_)));
    }
  }
  [[nodiscard]] std::byte* slot(std::size_t i) noexcept {
    return reinterpret_cast<std::byte*>(memory_.data()) + i * stride_;
  }

  config::Trigger settings_;
  io::FrameLayout layout_;
  std::size_t slots_;
  std::size_t stride_;
  std::vector<std::uint64_t> memory_;
  std::size_t next_ = 0;
  std::size_t held_ = 0;
  std::int64_t left_ = 0;  ///< frames still to be let through
};

}  // namespace hild::framelog
