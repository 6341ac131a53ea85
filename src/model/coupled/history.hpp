// SPDX-License-Identifier: Apache-2.0
/// \file
/// The newest outputs of one model with their times, and their values at other times by the
/// polynomial through the newest ones. Real-time safe after construction.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "hild/core/archive.hpp"

namespace hild::coupled {

class History {
 public:
  static constexpr std::size_t depth = 4;  ///< a quadratic through those before the newest

  explicit History(std::size_t outputs);

  /// Adds outputs; they replace the newest ones if those are of the same time.
  void push(SimTime t, std::span<const double> y) noexcept;
  /// Marks a discontinuity before the next push(): no polynomial goes through values on both sides
  /// of it.
  void interrupt() noexcept { interrupted_ = true; }
  /// Marks a discontinuity before the newest values.
  void begin_with_newest() noexcept { samples_[newest_].first = true; }
  void clear() noexcept;
  void transfer(Archive& archive) noexcept;

  [[nodiscard]] bool empty() const noexcept { return known_ == 0; }
  /// Whether there are values from before t.
  [[nodiscard]] bool reaches_before(SimTime t) const noexcept;
  /// Output i at t by the polynomial of at most `degree` through the newest values; before() uses
  /// only values from before `limit`. Precondition: there are some.
  [[nodiscard]] double at(SimTime t, std::size_t i, int degree) const noexcept {
    return through(0, t, i, degree);
  }
  [[nodiscard]] double before(SimTime limit, SimTime t, std::size_t i, int degree) const noexcept;

 private:
  struct Sample {
    SimTime t{};
    bool first = false;  // after an interruption
    std::vector<double> y;
  };
  [[nodiscard]] std::size_t place(std::size_t age) const noexcept {
    return (newest_ + depth - age) % depth;
  }
  [[nodiscard]] const Sample& sample(std::size_t age) const noexcept {
    return samples_[place(age)];
  }
  [[nodiscard]] double through(std::size_t age, SimTime t, std::size_t i,
                               int degree) const noexcept;

  std::array<Sample, depth> samples_;
  std::size_t newest_ = 0;
  std::size_t known_ = 0;
  bool interrupted_ = true;
};

}  // namespace hild::coupled
