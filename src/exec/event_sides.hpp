// SPDX-License-Identifier: Apache-2.0
/// \file
/// On which side of zero each event function of a model is, and which of them crossed.
///
/// A function that leaves an event with exactly the value it had before the action has crossed; any
/// other value after the action counts by its sign. Exactly 0 at the end of a step belongs to that
/// step. Real-time safe after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hild/core/archive.hpp"
#include "hild/model/description.hpp"

namespace hild::exec {

class EventSides {
 public:
  explicit EventSides(std::span<const model::Event> events);

  /// The functions' values at the start of the step: to be written by whoever evaluates them.
  [[nodiscard]] std::span<double> at_start() noexcept { return g0_; }
  /// Starts anew on the sides of at_start(); nothing is pending.
  void start() noexcept;
  /// Something that is no state event took the functions from `before` to at_start(): those that
  /// moved count by their sign. What is pending stays so.
  void follow_jump(std::span<const double> before) noexcept;

  /// All functions are where they were, at the values `g`.
  [[nodiscard]] bool all_stay(std::span<const double> g) const noexcept {
    return !left_over_ && all_on_side(g);
  }
  [[nodiscard]] bool crossed(std::size_t i, double g) const noexcept {
    return model::crosses(crossing_[i], side_[i], g);
  }

  /// Which functions act at the event at hand, as 1.
  [[nodiscard]] std::span<std::uint8_t> fired() noexcept { return fired_; }
  [[nodiscard]] std::span<const std::uint8_t> fired() const noexcept { return fired_; }
  [[nodiscard]] int count_fired() const noexcept;

  /// What crossed by at_start() itself, without a step, is to act at its start.
  void note_crossed_at_start() noexcept;
  /// Everything pending fires. Returns how much.
  int fire_pending() noexcept;
  /// What crossed in the step that ends with the values `g1` fires. Returns how much.
  int fire_crossed(std::span<const double> g1) noexcept;
  /// What fired acts at the start of the next step. Returns how much that is.
  int defer_fired() noexcept;

  /// Notes the sides after the actions of what fired, which took the functions from `before` to
  /// at_start(). `located`: at an instant found within a step.
  void note_action(std::span<const double> before, bool located) noexcept;
  /// The end of this step, with the values `g1`, is the start of the next; takes them over in
  /// exchange for the old ones.
  void end_step(std::vector<double>& g1) noexcept;
  /// The same where all_stay().
  void end_quiet_step(std::vector<double>& g1) noexcept { g0_.swap(g1); }
  /// Notes whether anything is left over for the next step. To be called after an event.
  void note_left_over() noexcept;

  /// Between two steps.
  void transfer(Archive& archive) noexcept;

 private:
  /// The side of zero as a factor: a function stays there while its product with it is positive.
  using Side = double;
  static constexpr Side below = -1, unknown = 0, above = 1;
  static Side side_of(double g) noexcept;
  [[nodiscard]] bool all_on_side(std::span<const double> g) const noexcept;
  void follow_transit(std::size_t i, double g1) noexcept;

  std::vector<model::Crossing> crossing_;
  std::vector<Side> side_;
  std::vector<double> g0_;
  std::vector<std::uint8_t> fired_;
  std::vector<std::uint8_t> pending_;
  std::vector<double> transit_;  // |g| of a function located early and still on its way across
  bool left_over_ = false;       // an event is pending, or a function still on its way across
};

}  // namespace hild::exec
