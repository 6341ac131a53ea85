// SPDX-License-Identifier: Apache-2.0
/// \file
/// Decides what to do about lateness: the span of the next step, slips, and the limits on late
/// steps. An overrun is a step whose work ended after the tick its outputs were due at (Cellier,
/// Overruns). Real-time safe after construction.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/settings.hpp"
#include "exec/timeline.hpp"
#include "hild/core/archive.hpp"

namespace hild::exec {

/// How the next step catches up.
struct StepPlan {
  int span = 1;              ///< frames the step covers
  std::int64_t slipped = 0;  ///< ticks given up before it
};

/// The plan of the step that starts at frame n, decided at `now`, at or after its tick when the
/// run is late. Under `double_step` the span is 1 if the step's end still lies in the future, else
/// 2; lag beyond max_debt becomes a slip first.
[[nodiscard]] StepPlan catch_up(const OverrunSettings& settings, Timeline& timeline, std::int64_t n,
                                MonoTime now) noexcept;

/// The limits that a run can reach.
enum class Limit : std::uint8_t {
  missed,      ///< too many frames late, slipped or unanswered
  standstill,  ///< no frame began for too long
  silent,      ///< its model did not answer for too long
  gone,        ///< the process of its model ended
};

/// Counts the frames that missed their result, among the last `window` and in a row, and tells when
/// that reaches a limit.
class OverrunLimits {
 public:
  explicit OverrunLimits(const OverrunSettings& settings);

  /// Counts a step that ended, `missed` when it was late or unanswered; true when this reaches a
  /// limit. Steps of the start-up grace are not counted.
  [[nodiscard]] bool reached(bool missed) noexcept {
    if (grace_ > 0) {
      --grace_;
      return false;
    }
    // A window without a miss looks the same however far it moved: most frames end here.
    if (!missed && missed_in_window_ == 0) return false;
    return judge(missed);
  }
  /// Counts frames that slipped, each of which missed its result; true when this reaches a limit.
  [[nodiscard]] bool slipped(std::int64_t frames) noexcept;
  /// Starts counting afresh, as for a plant that a limit has frozen and that goes on later.
  void forget() noexcept;
  void transfer(Archive& archive) noexcept;

 private:
  void count(bool missed) noexcept;
  void forget_window() noexcept;
  [[nodiscard]] bool judge(bool missed) noexcept;
  [[nodiscard]] bool too_many() const noexcept;
  OverrunSettings settings_;
  std::vector<std::uint8_t> window_;
  std::size_t next_ = 0;
  std::int64_t grace_ = 0;  // steps of the start-up that are still to come
  int missed_in_window_ = 0;
  std::int64_t in_a_row_ = 0;
};

}  // namespace hild::exec
