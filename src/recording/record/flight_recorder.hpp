// SPDX-License-Identifier: Apache-2.0
/// \file
/// The phase times of the newest steps, so that what led up to an overrun can be kept with it.
#pragma once

#include <vector>

#include "hild/io/frame_record.hpp"

namespace hild::record {

/// What a step took.
struct StepTimes {
  std::int64_t step = 0;
  std::int64_t frame = 0;
  Duration lateness{};
  Duration length{};  ///< of its frames
  std::array<Duration, io::phase_count> phases{};
};

/// Time a step worked, waiting left out.
[[nodiscard]] Duration work_of(const std::array<Duration, io::phase_count>& phases) noexcept;

class FlightRecorder {
 public:
  /// Keeps so many steps, at least 1.
  explicit FlightRecorder(std::size_t steps) : steps_(steps) {}

  /// The next step; a frozen one is left out.
  void note(const io::FrameHeader& h);
  /// Those that are kept, the oldest first.
  [[nodiscard]] std::vector<StepTimes> steps() const;
  /// Share of their frames that work took; 0 while there are none.
  [[nodiscard]] double utilisation() const noexcept;

 private:
  std::vector<StepTimes> steps_;
  std::size_t noted_ = 0;
};

}  // namespace hild::record
