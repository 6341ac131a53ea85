// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps the newest overruns of a run with their causes. Filled on the recorder's thread, read on
/// any.
#pragma once

#include <algorithm>
#include <deque>
#include <mutex>
#include <vector>

#include "recording/record/flight_recorder.hpp"
#include "recording/record/sink.hpp"
#include "recording/record/words.hpp"

namespace hild::server {

class OverrunHistory final : public record::Sink {
 public:
  static constexpr std::size_t kept = 1000;
  static constexpr std::size_t steps_before = 16;  ///< steps kept before each overrun

  struct Overrun {
    io::FrameHeader header;
    int next_span = 0;  ///< frames the step after it covers; 0: not known
    double utilisation_before = 0;
    std::vector<record::StepTimes> before{};  ///< the steps before it, the oldest first
  };

  void frame(const io::FrameView& record) override {
    const io::FrameHeader& h = record.header();
    const bool late = record::is_overrun(h);
    if (late || open_) keep(h, late);  // as nearly none are: no lock
    flight_.note(h);
  }

  /// The newest `last` of the overruns at step `since_step` or later; oldest first.
  [[nodiscard]] std::vector<Overrun> newest(std::size_t last, std::int64_t since_step) const {
    const std::scoped_lock lock(mutex_);
    const auto first = std::ranges::find_if(
        overruns_, [&](const Overrun& o) { return o.header.step >= since_step; });
    const auto found = static_cast<std::size_t>(overruns_.end() - first);
    return {overruns_.end() - static_cast<std::ptrdiff_t>(std::min(found, last)), overruns_.end()};
  }
  /// How many were seen so far. The loop may have counted more, whose records are still under way.
  [[nodiscard]] std::int64_t seen() const {
    const std::scoped_lock lock(mutex_);
    return seen_;
  }

 private:
  void keep(const io::FrameHeader& h, bool late) {
    const std::scoped_lock lock(mutex_);
    if (open_ && overruns_.back().header.step + 1 == h.step) overruns_.back().next_span = h.span;
    open_ = late;
    if (!late) return;
    ++seen_;
    if (overruns_.size() == kept) overruns_.pop_front();
    overruns_.push_back({h, 0, flight_.utilisation(), flight_.steps()});
  }

  mutable std::mutex mutex_;
  std::deque<Overrun> overruns_;
  record::FlightRecorder flight_{steps_before};
  std::int64_t seen_ = 0;
  bool open_ = false;  // the span of the step after the newest overrun is not known yet
};

}  // namespace hild::server
