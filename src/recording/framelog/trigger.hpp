// SPDX-License-Identifier: Apache-2.0
/// \file
/// Holds frames back until an event happens, then lets through those before it, the frame itself,
/// and those after it.
#pragma once

#include "config/record.hpp"
#include "hild/core/result.hpp"
#include "recording/framelog/history.hpp"
#include "recording/record/words.hpp"

namespace hild::framelog {

class Trigger {
 public:
  /// Error: the history would not fit into memory.
  [[nodiscard]] static Result<Trigger> make(const config::Trigger& settings,
                                            const io::FrameLayout& layout);

  /// Takes a frame, and calls keep(view) for each frame that is now let through, the oldest first.
  template <class Keep>
  void frame(const io::FrameView& record, Keep keep) {
    if (fires(record.header())) {
      history_.release(keep);
      left_ = settings_.after + 1;
    }
    if (left_ > 0) {
      --left_;
      keep(record);
      return;
    }
    history_.remember(record, [](const io::FrameView&) {});
  }

 private:
  Trigger(const config::Trigger& settings, const io::FrameLayout& layout);

  [[nodiscard]] bool fires(const io::FrameHeader& h) const noexcept {
    return (settings_.overrun && record::is_overrun(h)) ||
           (settings_.state_event && h.state_events > 0) || (settings_.command && h.mark != 0);
  }
  config::Trigger settings_;
  FrameHistory history_;
  std::int64_t left_ = 0;  ///< frames still to be let through
};

}  // namespace hild::framelog
