// SPDX-License-Identifier: Apache-2.0
/// \file
/// The time events of an FMU: when the next one is, as it said last, and how many in a row did not
/// lie ahead. Real-time safe.
#pragma once

#include "foreign/fmi/instance.hpp"
#include "hild/core/time.hpp"

namespace hild::fmi {

class TimeEvents {
 public:
  /// Takes what the FMU says at t. Returns how many in a row, this one included, do not lie ahead.
  int take(const DiscreteUpdate& update, double t) noexcept;

  /// The next one; model::never where there is none. One that does not lie after t is due a
  /// nanosecond later.
  [[nodiscard]] SimTime next(SimTime t) const noexcept;
  /// The exact time of the next one if that is the one at t (within rounding); else t.
  [[nodiscard]] double exact(double t) const noexcept;

  void transfer(Archive& archive) noexcept { archive(next_, timed_, not_ahead_); }

 private:
  double next_ = 0;
  bool timed_ = false;
  int not_ahead_ = 0;
};

}  // namespace hild::fmi
