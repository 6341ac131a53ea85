// SPDX-License-Identifier: Apache-2.0
/// \file
/// The solution of a model that was followed, with the inputs it had there: by the adaptive
/// reference, kept at evenly spread times. What trials of methods are compared with. Not real-time.
#pragma once

#include <optional>

#include "offline/advise/trajectory.hpp"
#include "offline/reference/simulation.hpp"

namespace hild::advise {

/// The inputs of a trajectory as functions of time: straight lines between its samples, held after
/// the last one. The trajectory outlives this.
class FollowedInputs final : public reference::Inputs {
 public:
  explicit FollowedInputs(const Trajectory& trajectory) : followed_(trajectory) {}

  void at(double t, SimTime piece, std::span<double> u) const override;
  [[nodiscard]] SimTime next_break(SimTime t) const override;

 private:
  [[nodiscard]] bool bends_at(std::size_t sample) const;

  const Trajectory& followed_;
};

/// A solution from 0 to end().
class Solution {
 public:
  /// Solves up to `span`, or as far as a bounded number of steps reaches, or as the solution is
  /// finite; `fastest` is that of its modes, 1/s. Error: it ends at once.
  [[nodiscard]] static Result<Solution> of(model::System& system, const Trajectory& trajectory,
                                           Duration span, double fastest);

  /// The time reached, s.
  [[nodiscard]] double end() const;
  /// Puts the states at t into `x`; false beyond end(), and where an event is near.
  bool at(double t, std::span<double> x) const;
  /// The largest absolute value of each state.
  [[nodiscard]] std::span<const double> sizes() const { return sizes_; }

 private:
  friend class Keeper;

  Duration spacing_{};
  std::vector<double> x_{};     // row after row
  std::vector<double> dx_{};    // derivatives, likewise
  std::vector<bool> events_{};  // whether there is one between a row and the next
  std::vector<double> sizes_{};
};

}  // namespace hild::advise
