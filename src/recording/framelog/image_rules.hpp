// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the inputs of passes follow from the images that were read, by the loop's own polynomial:
/// inputs that do follow need not be recorded.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "hild/io/frame_record.hpp"
#include "io/image_history.hpp"

namespace hild::framelog {

struct ImageRules {
  std::vector<io::SampledInput> inputs{};  ///< all that are sampled; none: nothing follows
  io::ImageHistory::Rule rule{};
};

/// Goes through the steps of a record in their order, at its writer as at its reader.
class InputPrediction {
 public:
  InputPrediction(const ImageRules& rules, const io::FrameLayout& layout);

  /// Whether anything is to be predicted at all.
  [[nodiscard]] bool any() const noexcept { return history_.has_value(); }
  /// What was before is not known, or does not count.
  void begin_anew() noexcept;
  /// Whether a step follows the one before it, of which all images were told.
  [[nodiscard]] bool follows(const io::FrameHeader& h) const noexcept;
  /// A step begins, and is done.
  void begin(const io::FrameHeader& h) noexcept;
  void end(bool whole) noexcept { known_ = whole; }
  /// When the inputs of a pass belong, after the tick: as of the step before, where nobody says.
  /// Nothing where that is not known.
  [[nodiscard]] std::optional<Duration> nominal(std::size_t pass) const noexcept {
    return any() && known_nominal_[pass] ? std::optional(nominal_[pass]) : std::nullopt;
  }
  void note_nominal(std::size_t pass, Duration after_due) noexcept {
    nominal_[pass] = after_due;
    known_nominal_[pass] = true;
  }
  /// Its next image.
  void image(std::span<const MonoTime> instants, std::span<const double> u) noexcept;
  /// Inputs of the plant at an instant of it; valid until the next call.
  [[nodiscard]] std::span<const double> at(MonoTime nominal) noexcept;

 private:
  std::optional<io::ImageHistory> history_;
  io::ImageHistory::Rule rule_;
  std::size_t plain_;  // inputs of the plant
  std::vector<double> u_;
  std::vector<Duration> nominal_;  // of each pass
  std::vector<bool> known_nominal_;
  MonoTime due_{};
  std::int64_t next_step_ = 0;
  bool known_ = false;  // what came before
};

}  // namespace hild::framelog
