// SPDX-License-Identifier: Apache-2.0
/// \file
/// Brings the messages of steps into records again. Any bytes at all may come.
#pragma once

#include <optional>
#include <protozero/data_view.hpp>
#include <span>
#include <vector>

#include "recording/framelog/description.hpp"
#include "recording/framelog/step_shape.hpp"

namespace hild::framelog {

/// A step that was read, valid until the next one is.
struct StoredStep {
  explicit StoredStep(const io::FrameView& of) : record(of) {}
  /// What the message did not hold is 0.
  io::FrameView record;
  // Which parts of it there are.
  bool whole = false;    ///< all: it can be run again
  bool inputs = false;   ///< of its first pass
  bool counts = false;   ///< of its first image
  bool timing = false;   ///< more than which step it is
  bool results = false;  ///< outputs and states
};

class StepDecoder {
 public:
  StepDecoder(const StepShape& shape, const ClockBase& clock);

  [[nodiscard]] const io::FrameLayout& layout() const noexcept { return layout_; }
  /// Nothing when these bytes cannot be a step.
  [[nodiscard]] std::optional<StoredStep> decode(std::span<const std::byte> message,
                                                 std::uint64_t log_time);

 private:
  struct Parts;
  StoredStep decode_parts(protozero::data_view message, std::uint64_t log_time);
  void put_results(const Parts& parts, io::FrameSlot& slot);
  [[nodiscard]] bool put_passes(const Parts& parts, io::FrameSlot& slot);
  void put_images(const Parts& parts, io::FrameSlot& slot);

  ClockBase clock_;
  io::FrameLayout layout_;
  std::int64_t most_frame_;            ///< of which a time can be told
  std::vector<std::uint64_t> record_;  ///< aligned as a ring's slot
  std::vector<io::Interval> any_;      ///< of the states: whatever was recorded
  InputPrediction prediction_;
  std::vector<double> u_, image_;  ///< being put together
  std::vector<MonoTime> instants_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace hild::framelog
