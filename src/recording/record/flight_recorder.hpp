// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps the phase times of the newest steps, so that what led up to an overrun can be stored with
/// it.
#pragma once

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
[[nodiscard]] Duration work_of(const std::array<Duration, io::phase_count>& phases) noexcept;

class FlightRecorder {
 public:
  /// Keeps the newest `steps` steps, at least 1.
  explicit FlightRecorder(std::size_t steps) : most_(steps) {}

  /// Takes the next step; a frozen one is left out.
  void note(const io::FrameHeader& h);
  /// The steps kept, the oldest first.
  [[nodiscard]] std::vector<StepTimes> steps() const { return {steps_.begin(), steps_.end()}; }
  /// The share of their frames that work took; 0 while there are none.
  [[nodiscard]] double utilisation() const noexcept;

 private:
  std::size_t most_;
  std::deque<StepTimes> steps_;
};

}  // namespace hild::record
