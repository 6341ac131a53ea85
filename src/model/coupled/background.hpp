// SPDX-License-Identifier: Apache-2.0
/// \file
/// The models whose steps are taken in the background. Each pass is ordered in the step of the
/// whole in which its node lies, with the inputs of that instant, and what comes of a step is taken
/// over at the tick it is due at, and never earlier, however soon it was done: so results are the
/// same whatever the machine did. Where a step is not done by then its outputs hold, or are carried
/// on as declared, and the next step is longer by as many periods as bring the model back in step.
/// Real-time safe after construction.
#pragma once

#include "model/coupled/exchange.hpp"

namespace hild::coupled {

class Background final : private Tasks {
 public:
  using In = std::span<const double>;

  /// Those of `exchange`, which outlives it.
  explicit Background(Exchange& exchange) noexcept;

  [[nodiscard]] bool any() const noexcept { return any_; }
  /// Null: steps are taken at once, when they are ordered. Those under way are abandoned.
  void run_by(BackgroundRunner* runner) noexcept;
  /// The step of a model that is under way is to come to nothing. Precondition: nobody takes it.
  void abandon(Member& m) noexcept;

  /// At a tick, before anything is connected: takes over what was due by then.
  void take_over(SimTime t) noexcept {
    if (t >= next_due_) take_over_due(t);
  }
  /// Orders what lies in the step of the whole from t to `until`, in which inputs are `u`.
  void order(SimTime t, SimTime until, In u) noexcept {
    if (next_order_ < until) order_due(t, until, u);
  }
  /// Time events that have acted so far.
  [[nodiscard]] std::int64_t events() const noexcept { return events_; }

 private:
  void run(std::size_t member) noexcept override;
  [[gnu::noinline]] void take_over_due(SimTime t) noexcept;
  [[gnu::noinline]] void order_due(SimTime t, SimTime until, In u) noexcept;
  void take_over(std::size_t member) noexcept;
  [[nodiscard]] bool ended(std::size_t member) noexcept {
    return runner_ == nullptr || runner_->ended(member);
  }
  void begin(Member& m, SimTime t, In u) noexcept;
  void order(std::size_t member, SimTime t, SimTime until, In u) noexcept;
  [[nodiscard]] static SimTime next_order(const Member& m) noexcept;
  [[nodiscard]] int give(Member& m, SimTime t, SimTime until, In u) noexcept;

  Exchange* exchange_;
  BackgroundRunner* runner_ = nullptr;  // null: they are taken at once
  bool any_ = false;
  std::int64_t events_ = 0;
  // Nothing is to be done before: at a tick, and within a step of the whole.
  SimTime next_due_ = model::never;
  SimTime next_order_ = model::never;
};

}  // namespace hild::coupled
