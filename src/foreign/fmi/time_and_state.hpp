// SPDX-License-Identifier: Apache-2.0
/// \file
/// The time and the continuous states that an FMU is at, so that it is given what is new to it
/// alone. Real-time safe, as far as the FMU is.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "foreign/fmi/checked_instance.hpp"

namespace hild::fmi {

class TimeAndState {
 public:
  using In = std::span<const double>;

  explicit TimeAndState(std::size_t states) : x_(states) {}

  /// Where it is is no longer certain.
  void forget() noexcept {
    t_ = std::numeric_limits<double>::quiet_NaN();
    known_ = false;
  }

  // Each takes it there if it is elsewhere, and returns whether that went well.

  [[gnu::always_inline]] bool to_time(double t, CheckedInstance& fmu) noexcept {
    if (t == t_) return true;
    t_ = t;
    return fmu.set_time(t);
  }
  [[gnu::always_inline]] bool to_state(In x, CheckedInstance& fmu) noexcept {
    if (is_at(x)) return true;
    known_ = true;
    for (std::size_t i = 0; i < x.size(); ++i) x_[i] = x[i];
    return fmu.set_states(x);
  }
  /// To a state that will hardly be needed again.
  [[gnu::always_inline]] bool through_state(In x, CheckedInstance& fmu) noexcept {
    if (is_at(x)) [[unlikely]] {
      return true;
    }
    known_ = false;
    return fmu.set_states(x);
  }

  void transfer(Archive& archive) noexcept { archive(x_, t_, known_); }

 private:
  // To the bit: -0 is not 0. One by one, as they were stored: the first one differs, mostly.
  [[nodiscard, gnu::always_inline]] bool is_at(In x) const noexcept {
    if (!known_) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::bit_cast<std::uint64_t>(x[i]) != std::bit_cast<std::uint64_t>(x_[i])) return false;
    }
    return true;
  }

  std::vector<double> x_;                                // valid if known_
  double t_ = std::numeric_limits<double>::quiet_NaN();  // equals nothing: unknown
  bool known_ = false;
};

}  // namespace hild::fmi
