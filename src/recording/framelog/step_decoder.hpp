// SPDX-License-Identifier: Apache-2.0
/// \file
/// Brings the messages of steps into records again. Any bytes at all may come.
#pragma once

#include <memory>
#include <optional>
#include <protozero/data_view.hpp>
#include <span>
#include <vector>

#include "recording/framelog/description.hpp"
#include "recording/framelog/step_shape.hpp"

namespace hild::framelog {

/// Parts of a step: those that there are, or those that are asked for.
struct StepParts {
  bool whole = false;    ///< all: it can be run again
  bool inputs = false;   ///< of its first pass
  bool counts = false;   ///< of its first image
  bool timing = false;   ///< more than which step it is
  bool results = false;  ///< outputs and states
};

/// A step that was read, valid until the next one is.
struct StoredStep : StepParts {
  explicit StoredStep(const io::FrameView& of) : record(of) {}
  io::FrameView record;  ///< what the message did not hold, or was not asked for, is 0
};

class StepDecoder {
 public:
  /// What only parts need that are not `asked` for is passed over.
  StepDecoder(const StepShape& shape, const ClockBase& clock, StepParts asked = {.whole = true});
  ~StepDecoder();

  /// Nothing when these bytes cannot be a step.
  [[nodiscard]] std::optional<StoredStep> decode(std::span<const std::byte> message,
                                                 std::uint64_t log_time);

 private:
  struct Message;
  /// How messages of signals mostly are laid out.
  struct Usual {
    struct Kind {
      explicit Kind(const SignalGroup& group, proto::Type type = proto::Type::float64);
      proto::Template selected, others;
    };
    Kind inputs, outputs, states, counts;
  };
  StoredStep decode_parts(protozero::data_view message, std::uint64_t log_time);
  void put_results(io::FrameSlot& slot);
  [[nodiscard]] bool put_passes(io::FrameSlot& slot);
  void put_images(io::FrameSlot& slot);

  ClockBase clock_;
  io::FrameLayout layout_;
  std::int64_t most_frame_;  ///< of which a time can be told
  // Aligned as a ring's slot: a record of nothing, and the one being put together.
  std::vector<std::uint64_t> blank_, record_;
  std::vector<io::Interval> any_;  ///< of the states: whatever was recorded
  Usual usual_;
  InputPrediction prediction_;
  std::vector<double> u_, image_;  ///< being put together
  std::vector<MonoTime> instants_;
  std::vector<std::uint32_t> counts_;
  std::unique_ptr<Message> message_;  ///< being read
};

}  // namespace hild::framelog
