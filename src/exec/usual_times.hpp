// SPDX-License-Identifier: Apache-2.0
/// \file
/// Learns what the phases of a step usually take, and names the one that made a step late.
/// Real-time safe.
#pragma once

#include <array>

#include "exec/statistics.hpp"

namespace hild::exec {

/// What each phase took.
using PhaseTimes = std::array<Duration, io::phase_count>;

/// Whether something is done in it, and not waited for.
[[nodiscard]] constexpr bool is_work(io::Phase p) noexcept {
  return p != io::Phase::wake && p != io::Phase::wait && p != io::Phase::slack &&
         p != io::Phase::idle;
}

class UsualTimes {
 public:
  /// The phases of a step so far.
  struct Step {
    const PhaseTimes& times;
    /// Those when it last waited for a release; null: it has not.
    const PhaseTimes* before_wait;
  };

  /// The usual times of a pass, and of closing a step; 0 until a step has been on time.
  [[nodiscard]] Duration of_pass() const noexcept { return pass_; }
  [[nodiscard]] Duration of_closing() const noexcept {
    return whole_[static_cast<std::size_t>(io::Phase::outputs)];
  }

  /// Updates the usual length of a pass: a sliding mean, which a single long pass moves no more
  /// than one of twice the usual length would.
  void learn_pass(Duration cost) noexcept {
    const Duration usual = pass_.ns > 0 ? pass_ : cost;
    pass_ = usual + ((cost < usual * 2 ? cost : usual * 2) - usual) / 8;
  }
  /// To be asked of each step that was not late: whether learn() is to be called for it. One in
  /// eight tells enough of what is usual.
  [[nodiscard]] bool due() noexcept {
    if (--until_ > 0) return false;
    until_ = 8;
    return true;
  }
  void learn(const Step& step) noexcept;

  /// The cause of an overrun: the phase that took most beyond its usual time since the loop last
  /// waited, if it explains at least half of `lateness`; else unknown.
  [[nodiscard]] io::Cause cause_of(Duration lateness, const Step& step) const noexcept;

 private:
  // Sliding means of the phases that can be blamed: of whole steps, and since they last waited.
  PhaseTimes whole_{};
  PhaseTimes after_wait_{};
  Duration pass_{};
  int until_ = 1;  // steps until the next one that is due
  bool learnt_ = false;
  bool learnt_waits_ = false;
};

}  // namespace hild::exec
