// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock of a run whose frame follows the hardware: it decides by the present time, as a live
/// one does, on a grid that is kept at the images of a device. Steps begin at the ticks of that
/// grid or, where the device wakes whoever waits (Follow::wake), with the arrival of the images
/// themselves: not before the tolerance allows, and not later. Real-time safe.
#pragma once

#include "exec/frame_clock.hpp"
#include "exec/tick_follower.hpp"
#include "hild/io/sampler.hpp"

namespace hild::exec {

class FollowingClock final : public TimedClock {
 public:
  /// `settings` has what is to be followed, by images of `sampler`.
  FollowingClock(const Settings& settings, rt::Clock& clock, io::Sampler& sampler, Meter& meter,
                 Statistics& statistics, Step& step) noexcept;

  bool next() noexcept override;
  void begin() noexcept override;
  bool follow(std::span<MonoTime> instants) noexcept override;
  void stamp(std::span<MonoTime> instants) const noexcept override;

 private:
  TickFollower follower_;
  std::size_t group_;
  io::Sampler* wakes_;  // null: images are not waited for
  Duration window_;     // before and after the tick in which they are
  Statistics* counted_;
};

}  // namespace hild::exec
