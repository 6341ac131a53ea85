// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds state events without a deadline: every step is examined in several places, and, where an
/// event function turns between them on its way to zero, at the turning point too, which may lie
/// beyond zero. A crossing is bracketed on the results within the step until no double lies
/// between. What counts as a crossing is defined in exec/state_events.hpp.
#pragma once

#include <optional>
#include <vector>

#include "offline/reference/adaptive.hpp"
#include "offline/reference/inputs.hpp"

namespace hild::reference {

class Crossings {
 public:
  explicit Crossings(DrivenSystem& driven);

  /// Notes on which side of zero every event function is, before the first step.
  void start(double t, std::span<const double> x);
  /// Whether an input that jumped at `t` moved an event function across; such functions are then
  /// fired().
  [[nodiscard]] bool jumped(double t, std::span<const double> x);
  /// The first crossing within the last step of `solution`, in (begin, end]; the functions that
  /// cross there are then fired(). Without one, the end of the step becomes the start of the next.
  [[nodiscard]] std::optional<double> find(const Adaptive& solution);
  /// Carries out the actions of the functions that fired, at `t` with state `x`, which they change.
  void act(double t, std::span<double> x);

  [[nodiscard]] bool fired(std::size_t i) const { return fired_[i] != 0; }
  [[nodiscard]] std::size_t size() const { return side_.size(); }

 private:
  enum class Side : std::int8_t { below = -1, unknown = 0, above = 1 };
  static Side side_of(double g) {
    return g > 0 ? Side::above : g < 0 ? Side::below : Side::unknown;
  }
  [[nodiscard]] bool crosses(std::size_t i, double g) const;
  [[nodiscard]] bool mark(const std::vector<double>& g);
  void follow(const std::vector<double>& g);
  void look_at(const Adaptive& solution);
  void find_turns(const Adaptive& solution);
  void find_turn(const Adaptive& solution, std::size_t i, double sign, double low, double high);
  [[nodiscard]] double bracket(const Adaptive& solution, double low, double high);

  DrivenSystem& driven_;
  std::vector<Side> side_;
  std::vector<std::uint8_t> fired_;
  std::vector<double> g_, after_, x_;
  std::vector<double> looks_, seen_;  // instants of the present step, and the functions there
  std::vector<double> turns_;         // instants between them at which a function is beyond zero
};

}  // namespace hild::reference
