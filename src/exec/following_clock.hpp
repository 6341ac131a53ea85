// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock of a run whose frame follows the hardware: it decides by the present time, as a live
/// one does, on a grid that is kept at the images of a device. Real-time safe.
#pragma once

#include "exec/frame_clock.hpp"
#include "exec/tick_follower.hpp"

namespace hild::exec {

class FollowingClock final : public LiveClock {
 public:
  /// `settings` has what is to be followed.
  FollowingClock(const Settings& settings, rt::Clock& clock, Meter& meter, Statistics& statistics,
                 Step& step) noexcept;

  bool next() noexcept override;
  bool follow(std::span<MonoTime> instants) noexcept override;
  void stamp(std::span<MonoTime> instants) const noexcept override;

 private:
  TickFollower follower_;
  std::size_t group_;
  Statistics* counted_;
};

}  // namespace hild::exec
