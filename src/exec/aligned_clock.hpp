// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock of a run whose frames are in phase with those of other machines: it decides by the
/// present time, as a live one does, on a grid that is kept on TAI. Real-time safe.
#pragma once

#include "exec/frame_clock.hpp"
#include "exec/tai_grid.hpp"
#include "hild/rt/tai.hpp"

namespace hild::exec {

class AlignedClock final : public TimedClock {
 public:
  /// `settings` has where the grid is to stand (Settings::align); `tai` outlives the clock.
  AlignedClock(const Settings& settings, rt::Clock& clock, rt::TaiClock& tai, Meter& meter,
               Statistics& statistics, Step& step) noexcept;

  bool next() noexcept override;
  bool in_phase() const noexcept override { return good_; }

 private:
  TaiGrid grid_;
  rt::TaiClock* tai_;
  Statistics* counted_;
  bool good_ = true;
};

}  // namespace hild::exec
