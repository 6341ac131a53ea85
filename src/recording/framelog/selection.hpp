// SPDX-License-Identifier: Apache-2.0
/// \file
/// Decides what of each frame is written: all, or around notable ones all and else a brief step.
#pragma once

#include "config/record.hpp"
#include "recording/framelog/encoder.hpp"
#include "recording/framelog/history.hpp"
#include "recording/record/words.hpp"

namespace hild::framelog {

class Selection {
 public:
  Selection(const config::Record& settings, const io::FrameLayout& layout)
      : all_(settings.all_frames),
        decimate_(settings.decimate),
        before_(settings.all_frames ? 0 : frames_before, layout) {}

  /// Takes a frame, and calls write(view, whole) for each that is now decided on, the oldest first.
  /// Around what is notable the frames before are wanted whole as well: what led up to it.
  template <class Write>
  void frame(const io::FrameView& record, Write write) {
    if (all_) {
      write(record, true);
    } else if (notable(record.header())) {
      before_.release([&](const io::FrameView& led_up) { write(led_up, true); });
      write(record, true);
    } else {
      before_.remember(record, [&](const io::FrameView& oldest) { write(oldest, false); });
    }
  }
  /// Nothing notable follows on those that wait: calls write(view, false) for each of them.
  template <class Write>
  void nothing_follows(Write write) {
    before_.release([&](const io::FrameView& one) { write(one, false); });
  }

  /// What is written of a frame; of each one, in order.
  [[nodiscard]] Wanted wanted(const io::FrameHeader& h, bool whole) noexcept {
    // What belongs to one tick is of two steps: the results of the one, the inputs of the other.
    held_ = h.frozen ? held_ + 1 : 0;
    const std::int64_t n = h.frozen ? held_ - 1 : h.step;
    return {.whole = whole,
            .inputs = n % decimate_ == 0,
            .results = (h.frozen ? n : n + 1) % decimate_ == 0};
  }

 private:
  static constexpr std::size_t frames_before = 16;  // a notable one are written whole

  bool notable(const io::FrameHeader& h) noexcept {
    const bool held_anew = h.frozen && !was_frozen_;
    was_frozen_ = h.frozen;
    return record::is_overrun(h) || h.late_wake || h.early || h.state_events > 0 ||
           h.external_events > 0 || h.mark != 0 || h.span > 1 || h.slipped > 0 || held_anew;
  }

  bool all_;
  std::int64_t decimate_;
  FrameHistory before_;  // the newest frames, in case a notable one follows
  bool was_frozen_ = false;
  std::int64_t held_ = 0;  // consecutive frames in which the plant was held
};

}  // namespace hild::framelog
