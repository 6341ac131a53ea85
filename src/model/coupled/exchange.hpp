// SPDX-License-Identifier: Apache-2.0
/// \file
/// The steppers of several models, and the exchange of values between them. At the start of every
/// step of the whole, connect() brings outputs to the inputs they feed, in the order that direct
/// feedthrough demands. From there to the step's end, what a model gets from the others is held, or
/// is the polynomial through their last values. Real-time safe after construction, as far as the
/// models are.
#pragma once

#include <memory>
#include <vector>

#include "hild/model/steps_elsewhere.hpp"
#include "model/coupled/background_step.hpp"
#include "model/coupled/composition.hpp"
#include "model/coupled/history.hpp"
#include "model/coupled/loop_solver.hpp"
#include "model/coupled/slow_step.hpp"

namespace hild::coupled {

/// How the steps of a model lie to those of the whole: one in one, several in one, one in several;
/// the last on the thread of the others, or in the background.
enum class Pace : unsigned char { frame, substeps, slow, background };
[[nodiscard]] constexpr bool takes_several(Pace pace) noexcept { return pace >= Pace::slow; }

/// One of the models with its stepper and its place in the whole.
struct Member {
  std::unique_ptr<model::Stepper> stepper;
  FirstIndices first;
  std::size_t inputs, outputs, states, events;
  Pace pace;
  Rate rate;
  History history;
  SlowStep slow;
  std::unique_ptr<BackgroundStep> background{};  // of that pace
  std::vector<std::size_t> fed_by{};             // the connections that feed it
  const model::Passes* passes = nullptr;         // passes of its step under way
  model::Passes loaded{};                      // the same of a step that was loaded while under way
  model::StepsElsewhere* elsewhere = nullptr;  // null: its steps are taken in this process
  bool asked = false;                          // for the step at hand, elsewhere
  bool acted = false;  // an event of it acted, and its method must be restarted
  bool aside = false;  // somebody else takes its step
  bool timed = false;
  bool interpolates = false;  // what feeds it is a polynomial within a step
  bool recalled = false;      // what it feeds takes more of its outputs than the newest ones

  [[nodiscard]] model::System& system() const noexcept { return stepper->system(); }
  /// What it has to go on, also in the midst of a step of several frames.
  void transfer(Archive& archive) noexcept;
  int transfer_slow(Archive& archive) noexcept;
  /// Its own states among those of all.
  template <class T>
  [[nodiscard]] std::span<T> states_of(std::span<T> x) const noexcept {
    return x.subspan(first.states, states);
  }
};

class Exchange {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  Exchange(std::shared_ptr<const Composition> composition,
           std::vector<std::unique_ptr<model::Stepper>> steppers, const Grid& grid);

  [[nodiscard]] const std::shared_ptr<const Composition>& composition() const noexcept {
    return composition_;
  }
  [[nodiscard]] std::vector<Member>& members() noexcept { return members_; }
  [[nodiscard]] const std::vector<Member>& members() const noexcept { return members_; }

  /// As in model::Composite.
  void connect(SimTime t, Out u) noexcept;
  void reconnect(Out u) const noexcept;
  /// To be called when a step from t begins, of the whole or of a part of it; the whole step ends
  /// at `end`.
  void begin(SimTime t, SimTime end) noexcept {
    connected_ = false;
    t_ = t;
    end_ = end;
  }
  /// Whether connect() has been called, and no step has begun since.
  [[nodiscard]] bool connected() const noexcept { return connected_; }
  /// Values in loops may be anywhere: something acted.
  void interrupt() noexcept { far_ = true; }
  /// How often the values in loops were not found so far.
  [[nodiscard]] std::int64_t unsolved() const noexcept { return unsolved_; }
  /// Goes back to the beginning, where nothing has been exchanged.
  void forget() noexcept;
  void transfer(Archive& archive) noexcept;

  /// The inputs of a model at t within the step; `u` are those of all.
  [[nodiscard]] In inputs(const Member& m, SimTime t, In u) noexcept {
    const In held = u.subspan(m.first.inputs, m.inputs);
    return m.interpolates ? interpolated(m, t, u, held) : held;
  }
  [[nodiscard]] In inputs(const Member& m, double t, In u) noexcept {
    return inputs(m, instant_of(t), u);
  }
  /// Evaluates the outputs with which the next step of a model begins, within one of the whole.
  In evaluate(Member& m, SimTime t, In u) noexcept;
  /// The outputs of a model at t, which somebody else has evaluated.
  void give_outputs(Member& m, SimTime t, In y) noexcept;
  /// The outputs of all at t, with states `x`.
  [[nodiscard]] In outputs(double t, In x, In u) noexcept;
  /// The same with the states of the steppers.
  [[nodiscard]] In outputs(double t, In u) noexcept;

 private:
  /// A connection, and what tells how its value is found.
  struct Feed : Connection {
    std::size_t source;  // the member it comes from
    std::size_t output;  // and the output of that member
    bool direct;         // while outputs are evaluated it gives what was found just now
    bool newest;         // and at the start of a step too

    [[nodiscard]] double converted(double y) const noexcept { return factor * y + offset; }
  };

  [[nodiscard]] SimTime instant_of(double t) const noexcept;
  [[nodiscard]] In interpolated(const Member& m, SimTime t, In u, In held) noexcept;
  [[nodiscard]] In inputs_of(const Member& m) const noexcept {
    return {u_.data() + m.first.inputs, m.inputs};
  }
  [[nodiscard]] Out outputs_of(const Member& m) noexcept {
    return {y_.data() + m.first.outputs, m.outputs};
  }
  [[nodiscard]] double supplied(const Feed& feed, SimTime t, SimTime step) const noexcept;
  [[nodiscard]] double of_now(const Feed& feed, SimTime t) const noexcept {
    return feed.direct ? feed.converted(y_[feed.from]) : of_others(feed, t);
  }
  [[nodiscard]] double of_others(const Feed& feed, SimTime t) const noexcept;
  template <class Ask>
  [[nodiscard]] In outputs_by(double t, In u, Ask&& ask) noexcept;
  template <class Evaluate>
  void solve_loops(SimTime t, Evaluate&& evaluate) noexcept;

  std::shared_ptr<const Composition> composition_;
  std::vector<Member> members_;
  std::vector<Feed> feeds_;         // all connections
  std::vector<std::size_t> known_;  // those whose values are known before outputs are
  std::vector<double> given_;       // for each connection, the value that connect() gave
  std::vector<double> u_, y_;
  LoopSolver solver_;
  std::vector<double> closing_;  // values of the connections that close loops
  bool far_ = true;              // they may be anywhere
  std::int64_t unsolved_ = 0;
  SimTime connected_at_{};
  bool connected_ = false;
  SimTime t_{};
  SimTime end_{};
};

}  // namespace hild::coupled
