// SPDX-License-Identifier: Apache-2.0
/// \file
/// Interlocks: conditions that end a run at once, with safe outputs. An emergency stop is a digital
/// input that must stay within [-0.5, 0.5] (or [0.5, 1.5] for a line that is closed while all is
/// well). Inputs are watched as they were sampled, whatever falsifies them for the plant, and
/// before the step they belong to; outputs and states at the end of a step, before they are
/// written. Real-time safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/run_end.hpp"

namespace hild::exec {

/// One condition: trips when the value leaves [low, high]. A value that is not a number has left
/// it.
struct Interlock {
  enum class Of : std::uint8_t { input, output, state } of = Of::input;
  std::uint32_t index = 0;  ///< inputs may also be those sampled beyond the plant's
  double low = -0.5;
  double high = 0.5;
};

/// All interlocks of a run; one that trips ends it.
class Interlocks {
 public:
  Interlocks(std::vector<Interlock> all, RunEnd& end) : all_(std::move(all)), end_(&end) {}

  [[nodiscard]] bool any() const noexcept { return !all_.empty(); }
  /// Whether one on inputs, outputs or states (`of`) trips on `values`: all inputs sampled, all
  /// outputs or all states. It then ends the run.
  [[nodiscard, gnu::noinline]] bool trips(Interlock::Of of, std::span<const double> values,
                                          std::int64_t frame) noexcept {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].of != of || all_[i].index >= values.size()) continue;
      const double v = values[all_[i].index];
      if (v >= all_[i].low && v <= all_[i].high) continue;
      end_->tell_interlock(i, v, frame);
      return true;
    }
    return false;
  }

 private:
  std::vector<Interlock> all_;
  RunEnd* end_;
};

}  // namespace hild::exec
