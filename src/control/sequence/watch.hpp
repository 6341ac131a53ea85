// SPDX-License-Identifier: Apache-2.0
/// \file
/// Decides from samples whether a condition is met. A sample stands for the step that ends at it,
/// so that ten samples in the band at 1 kHz are 10 ms.
#pragma once

#include <limits>
#include <string>

#include "control/sequence/sequence.hpp"
#include "hild/core/time.hpp"

namespace hild::sequence {

class Watch {
 public:
  enum class Verdict { open, met, failed };

  Watch(const Condition& condition, SimTime start) noexcept
      : condition_(&condition), start_(start), out_until_(start) {}

  /// Takes the next sample, later than those before. `after_gap`: some before it were lost, so that
  /// nothing is known of the steps up to it.
  Verdict feed(SimTime time, double value, bool after_gap = false) noexcept;

  [[nodiscard]] Verdict state() const noexcept { return state_; }
  /// The time of the sample that decided.
  [[nodiscard]] SimTime decided() const noexcept { return last_time_; }
  /// What was seen compared with what was expected; times are given since `origin`.
  [[nodiscard]] std::string words(SimTime origin) const;

 private:
  const Condition* condition_;
  SimTime start_;
  SimTime out_until_;  ///< the last instant that is not known to be in the band
  Verdict state_ = Verdict::open;
  bool gap_ = false;
  bool seen_ = false;
  SimTime last_time_{};
  double last_ = 0;
  double lowest_ = std::numeric_limits<double>::infinity();
  double highest_ = -std::numeric_limits<double>::infinity();
};

/// A value of its signal, in words: "3.2 V"; of an alarm "clear", "open" or "active".
[[nodiscard]] std::string value_words(const Condition& condition, double value);

/// What a condition expects, in words: "120 +- 2 rad/s", "at least 3 V", "0 V ... 5 V, for 0.2 s".
[[nodiscard]] std::string to_string(const Condition& condition);

}  // namespace hild::sequence
