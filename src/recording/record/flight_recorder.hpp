// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps the phase times of the newest steps, so that what led up to an overrun can be stored with
/// it.
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "hild/io/frame_record.hpp"

namespace hild::record {

/// The times of one step.
struct StepTimes {
  std::int64_t step = 0;
  std::int64_t frame = 0;
  Duration lateness{};
  Duration length{};  ///< of its frames
  std::array<Duration, io::phase_count> phases{};
};

/// The time a step worked, without waiting.
[[nodiscard]] inline Duration work_of(
    const std::array<Duration, io::phase_count>& phases) noexcept {
  Duration work{};
  for (const io::Phase p : {io::Phase::device, io::Phase::commit, io::Phase::passes,
                            io::Phase::events, io::Phase::outputs}) {
    work += phases[static_cast<std::size_t>(p)];
  }
  return work;
}

class FlightRecorder {
 public:
  /// Keeps the newest `steps` steps, at least 1.
  explicit FlightRecorder(std::size_t steps) : most_(steps) {}

  /// Takes the next step; a frozen one is left out.
  void note(const io::FrameHeader& h) {
    if (h.frozen) return;
    if (steps_.size() == most_) steps_.pop_front();
    steps_.push_back({.step = h.step,
                      .frame = h.frame,
                      .lateness = h.lateness,
                      .length = h.deadline - h.due,
                      .phases = h.phases});
  }
  /// The steps kept, the oldest first.
  [[nodiscard]] std::vector<StepTimes> steps() const { return {steps_.begin(), steps_.end()}; }
  /// The share of their frames that work took; 0 while there are none.
  [[nodiscard]] double utilisation() const noexcept {
    double work = 0;
    double length = 0;
    for (const StepTimes& s : steps_) {
      work += seconds(work_of(s.phases));
      length += seconds(s.length);
    }
    return length > 0 ? work / length : 0;
  }

 private:
  std::size_t most_;
  std::deque<StepTimes> steps_;
};

}  // namespace hild::record
