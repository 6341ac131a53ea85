// SPDX-License-Identifier: Apache-2.0
/// \file
/// Knows which steps are missing from a recording and why, until that stands in it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hild/io/frame_record.hpp"
#include "recording/framelog/gap.hpp"

namespace hild::framelog {

class StepGaps {
 public:
  explicit StepGaps(std::int64_t first_step) noexcept
      : next_seen_(first_step), next_kept_(first_step) {}

  /// A frame came out of the ring. Steps are counted without gaps; held frames belong to the step
  /// that waits. Returns how many steps before it did not.
  std::int64_t came(const io::FrameHeader& h);
  /// There was no place for a frame that was to be kept.
  void no_place_for(const io::FrameHeader& h);
  /// Whether it was or not, such a frame is done with.
  void done_with(const io::FrameHeader& h) noexcept { next_kept_ = next_after(h); }

  /// Those frames without a place since the last call; none: each had one.
  [[nodiscard]] std::optional<Gap> take_unplaced() noexcept;
  /// What is missing between the last frame that was done with and this one, in order.
  [[nodiscard]] std::vector<Gap> before(const io::FrameHeader& h);

 private:
  [[nodiscard]] static std::int64_t next_after(const io::FrameHeader& h) noexcept {
    return h.frozen ? h.step : h.step + 1;
  }

  std::int64_t next_seen_;       // step expected to come next
  std::int64_t next_kept_;       // step expected to be kept next
  std::vector<Gap> dropped_;     // by the ring, not yet told, in order
  std::optional<Gap> unplaced_;  // frames without a place, not yet told
};

}  // namespace hild::framelog
