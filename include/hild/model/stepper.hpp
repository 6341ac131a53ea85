// SPDX-License-Identifier: Apache-2.0
/// \file
/// A method that advances a system, as the executive sees it. A step is begin(), a pass(i, u) for
/// each of its nodes, finish(); whoever calls decides when, and with which inputs. Who has inputs
/// that hold calls step() or advance() instead: the same, without a call a pass. It never sees a
/// clock and never calls upward. Live run, replay, offline run and partial steps around an event
/// are the same calls made by someone else.
///
/// All values are in the units of the description. Everything but the constructor and
/// set_initial() is real-time safe.
#pragma once

#include <algorithm>
#include <vector>

#include "hild/model/system.hpp"
#include "hild/numerics/method.hpp"

namespace hild::model {

/// The passes of a step.
struct Passes {
  std::vector<double> nodes;  ///< pass i takes its inputs at t + nodes[i] h
  bool starting = false;      ///< of a starter: the first steps of a multistep method

  [[nodiscard]] int count() const noexcept { return static_cast<int>(nodes.size()); }
};
[[nodiscard]] inline Passes passes_of(const numerics::Method& method, bool starting) {
  Passes passes{{}, starting};
  for (int i = 0; i < method.passes; ++i) passes.nodes.push_back(method.node(i).value());
  return passes;
}

/// What only a stepper of several models has.
class Composite {
 public:
  Composite() = default;
  Composite(const Composite&) = delete;
  Composite& operator=(const Composite&) = delete;

  /// A step from t is to begin: puts the inputs that the models supply one another into `u`, all
  /// inputs, whose others are as sampled at t. What is changed of them afterwards is what the
  /// models are given, held over the step.
  virtual void connect(SimTime t, std::span<double> u) noexcept = 0;
  /// Within the step: puts what connect() gave into `u`, whose others were sampled anew.
  virtual void reconnect(std::span<double> u) const noexcept = 0;
  /// Steps after which the work of a step repeats; at most 1000.
  [[nodiscard]] virtual int cycle() const noexcept = 0;
  /// A bit for each of the first 32 models that has this event, or the time event after t.
  [[nodiscard]] virtual std::uint32_t event_by(std::size_t index) const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t time_event_by(SimTime t) const noexcept = 0;
  /// What one of the models (Description::parts) has cut short; null: it never does.
  [[nodiscard]] virtual const CapCounts* cap_counts_of(std::size_t part) const noexcept = 0;

 protected:
  ~Composite() = default;
};

/// What the derivatives of earlier steps are forgotten for.
enum class Restart : std::uint32_t {
  here,         ///< an event, or an input that jumped
  from_states,  ///< states() were set: those of a snapshot
  from_start,   ///< states() are those of System::start()
};

class Stepper {
 public:
  using In = System::In;
  using Out = System::Out;

  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  /// What it advances, which is its own.
  [[nodiscard]] System& system() const noexcept { return *system_; }
  [[nodiscard]] const Description& description() const noexcept { return system_->description(); }
  /// Null: it advances one model.
  [[nodiscard]] Composite* models() const noexcept { return models_; }
  [[nodiscard]] virtual const numerics::Method& method() const noexcept = 0;
  /// Whether model and method were compiled together (inline integration).
  [[nodiscard]] bool compiled_together() const noexcept { return compiled_together_; }

  /// A step from t over h > 0 begins. Its passes are known until the next one does.
  virtual const Passes& begin(SimTime t, Duration h) noexcept = 0;
  virtual void pass(int pass, In u) noexcept = 0;
  virtual void finish() noexcept = 0;
  /// Instead of finish(), after pass 0 alone: completes the step by the method's single-pass
  /// companion. False, and nothing done, where there is none.
  virtual bool finish_early() noexcept { return false; }
  /// Outputs at the node of a pass, for the state it is about to be evaluated at. False, and
  /// nothing done, where the method has no such state.
  virtual bool pass_outputs(int /*pass*/, In /*u*/, Out /*y*/) noexcept { return false; }
  /// After finish(): the state at the part theta (0 ... 1) of the step, by the method's dense
  /// result. False, and nothing done, where there is none.
  virtual bool dense(double /*theta*/, Out /*x*/) const noexcept { return false; }
  /// After finish(): the estimated error of the step, state by state. False where there is none.
  virtual bool error_estimate(Out /*error*/) const noexcept { return false; }
  /// `steps` whole steps of length h > 0 from t, with inputs that hold: of the same results, to the
  /// bit, as begin(), the passes and finish() of each, in one call.
  virtual void advance(SimTime t, Duration h, int steps, In u) noexcept {
    for (int n = 0; n < steps; ++n, t += h) {
      const int passes = begin(t, h).count();
      for (int i = 0; i < passes; ++i) pass(i, u);
      finish();
    }
  }
  void step(SimTime t, Duration h, In u) noexcept { advance(t, h, 1, u); }
  /// Undoes finish(): the state and the history are those at the start of the step.
  virtual void rewind() noexcept = 0;
  /// Forgets the derivatives of earlier steps.
  virtual void restart(Restart from) noexcept = 0;

  /// The state now; after finish(), that at the end of the step. Between steps it may be written,
  /// and restart() follows.
  [[nodiscard]] virtual In states() const noexcept = 0;
  [[nodiscard]] virtual Out states() noexcept = 0;
  /// Those of the state now.
  virtual void outputs(double t, In u, Out y) noexcept { system_->outputs(t, states(), u, y); }
  struct StepStart {
    In states;
    In derivatives;
  };
  /// The state and its derivative at the start of the last step, between finish() and begin().
  [[nodiscard]] virtual StepStart step_start() const noexcept = 0;

  void set_states(In x) noexcept {
    std::ranges::copy(x, states().begin());
    restart(Restart::from_states);
  }
  /// Back to the initial states.
  void reset() noexcept {
    system_->start(states());
    restart(Restart::from_start);
  }
  /// Takes effect at once and at every reset().
  void set_initial(In x) {
    system_->set_initial(x);
    reset();
  }

 protected:
  explicit Stepper(System& system, bool compiled_together = false,
                   Composite* models = nullptr) noexcept
      : system_(&system), models_(models), compiled_together_(compiled_together) {}

 private:
  System* system_;
  Composite* models_;
  bool compiled_together_;
};

}  // namespace hild::model
