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

#include "hild/core/archive.hpp"
#include "hild/core/tasks.hpp"
#include "hild/model/system.hpp"
#include "hild/numerics/method.hpp"

namespace hild::model {

/// The passes of a step.
struct Passes {
  std::vector<double> nodes;  ///< pass i takes its inputs at t + nodes[i] h
  bool starting = false;      ///< of a starter: the first steps of a multistep method
  bool once = false;          ///< of this step alone: a model was set aside

  /// How many passes a step has.
  [[nodiscard]] int count() const noexcept { return static_cast<int>(nodes.size()); }
};
/// The passes of a step of `method`, as a starter's or not. Allocates: not for use while running.
[[nodiscard]] inline Passes passes_of(const numerics::Method& method, bool starting) {
  Passes passes{{}, starting};
  for (int i = 0; i < method.passes; ++i) passes.nodes.push_back(method.node(i).value());
  return passes;
}

class Stepper;

/// What only a stepper of several models has. Within a step no model sees anything of another but
/// what was connected at its start: so an event is that of one model alone, which takes its step
/// anew, or in parts, while the others' stand.
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
  /// One step with inputs `u` that hold, connected ones as connect() gave them: of the same
  /// results, to the bit, as begin(), the passes and finish(), each model by itself. Returns its
  /// passes.
  virtual const Passes& step_connected(SimTime t, Duration h,
                                       std::span<const double> u) noexcept = 0;
  /// From now on what models do in a step beside one another is run by `runner`, which outlives
  /// this: steps taken whole, and passes of one node, which then use the inputs of the first of
  /// them. A task is a model, by its number. Results are the same to the bit. Once the runner has
  /// said that a model does not return, nothing else may be asked of this. One that cannot share
  /// work goes on as before. Not real-time.
  virtual void share_work(TaskRunner& /*runner*/) {}
  /// From now on the steps of models in the background (in_background()) are taken by `runner`, or
  /// (null) at once, when they are ordered; a line is a model, by its number. Where it changes, no
  /// step may be under way on another thread. Not real-time.
  virtual void run_in_background(BackgroundRunner* /*runner*/) {}
  /// Whether the steps of a model, which take several of the whole, are taken beside those of the
  /// others: nothing of one is seen before the tick it is due at.
  [[nodiscard]] virtual bool in_background(std::size_t /*part*/) const noexcept { return false; }
  /// Steps after which the work of a step repeats; at most 1000.
  [[nodiscard]] virtual int cycle() const noexcept = 0;

  /// One of the models (Description::parts), by itself.
  [[nodiscard]] virtual Stepper& model(std::size_t part) noexcept = 0;
  /// How many steps of its own it takes in one of the whole; 0: one of its own takes several, and
  /// its time events act at the ends of those, without anybody's help.
  [[nodiscard]] virtual int substeps_of(std::size_t part) const noexcept = 0;
  /// Its inputs at t within the step at hand, until anything else is asked; `u` are all inputs
  /// then, connected ones as connect() gave them.
  [[nodiscard]] virtual std::span<const double> inputs_of(std::size_t part, SimTime t,
                                                          std::span<const double> u) noexcept = 0;
  /// It has no part in the next step of the whole: whoever says so takes that step for it, by
  /// model(). Not for one whose steps take several of the whole.
  virtual void set_aside(std::size_t part) noexcept = 0;
  /// It was restarted, for an event of it acted: what it gives to others jumped.
  virtual void note_event(std::size_t part) noexcept = 0;
  /// Time events that models acted on at the ends of steps that take several of the whole, so far.
  [[nodiscard]] virtual std::int64_t slow_events() const noexcept = 0;
  /// What one of the models has cut short; null: it never does.
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

/// Stepper::transfer() between two steps.
inline constexpr int between_steps = -1;

/// A system and the method that advances it, with the state and, of multistep methods, what is kept
/// of steps before. Spans have the sizes and the order of the description; those that it is given
/// need hold for the call only.
class Stepper {
 public:
  using In = System::In;    ///< numbers to read
  using Out = System::Out;  ///< numbers to write

  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  /// What it advances, which is its own.
  [[nodiscard]] System& system() const noexcept { return *system_; }
  /// Of its system; lives as long as the stepper.
  [[nodiscard]] const Description& description() const noexcept { return system_->description(); }
  /// Null: it advances one model.
  [[nodiscard]] Composite* models() const noexcept { return models_; }
  /// The method that steps are taken by; lives as long as the stepper.
  [[nodiscard]] virtual const numerics::Method& method() const noexcept = 0;
  /// Whether model and method were compiled together (inline integration).
  [[nodiscard]] bool compiled_together() const noexcept { return compiled_together_; }

  /// A step from t over h > 0 begins. Its passes are known until the next one does.
  virtual const Passes& begin(SimTime t, Duration h) noexcept = 0;
  /// Evaluates pass `pass`, 0 ... count() - 1 in this order, with the inputs at t + nodes[pass] h.
  virtual void pass(int pass, In u) noexcept = 0;
  /// After all passes: completes the step. states() are those at t + h.
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
  /// `steps` > 0 whole steps of length h > 0 from t, with inputs that hold: of the same results, to
  /// the bit, as begin(), the passes and finish() of each, in one call. Returns the passes of the
  /// last of them, which hold until another step begins.
  virtual const Passes& advance(SimTime t, Duration h, int steps, In u) noexcept {
    const Passes* passes = nullptr;
    do {
      passes = &begin(t, h);
      for (int i = 0; i < passes->count(); ++i) pass(i, u);
      finish();
      t += h;
    } while (--steps > 0);
    return *passes;
  }
  /// One step, with inputs that hold: begin(), the passes and finish() in one call.
  const Passes& step(SimTime t, Duration h, In u) noexcept { return advance(t, h, 1, u); }
  /// The same where models are connected already: what connect() put into `u` holds.
  const Passes& step_as_connected(SimTime t, Duration h, In u) noexcept {
    return models_ != nullptr ? models_->step_connected(t, h, u) : step(t, h, u);
  }
  /// Undoes finish(): the state and the history are those at the start of the step.
  virtual void rewind() noexcept = 0;
  /// Forgets the derivatives of earlier steps.
  virtual void restart(Restart from) noexcept = 0;

  /// Saves or loads all that is to go on, the system's parameters and what is kept of steps before
  /// included: a stepper of the same kind that has loaded it gives the same bits from there on.
  /// Between steps, or (of `made` >= 0) in the midst of one, of which so many passes were made.
  /// What may be asked of a finished step, or taken back, is not part of it. Who cannot says so.
  virtual void transfer(Archive& archive, int /*made*/) noexcept {
    archive.refuse("this kind of model cannot be saved");
  }

  /// The state now; after finish(), that at the end of the step. Between steps it may be written,
  /// and restart() follows. Ask anew after each step: where they are kept may change.
  [[nodiscard]] virtual Out states() noexcept = 0;
  /// Puts those of the state now, at time t in seconds and with inputs `u`, into `y`.
  virtual void outputs(double t, In u, Out y) noexcept { system_->outputs(t, states(), u, y); }
  /// The start of a step, as a polynomial through it needs it.
  struct StepStart {
    In states;       ///< x(t)
    In derivatives;  ///< f(x, t) there; empty where the method does not evaluate it
  };
  /// The state and its derivative at the start of the last step, between finish() and begin(); both
  /// empty where a system without state events advances itself, as an FMU of co-simulation.
  [[nodiscard]] virtual StepStart step_start() const noexcept = 0;

  /// Goes on from other states, between steps: all of them, in the description's order.
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
  /// Keeps the addresses of `system` and `models` (null: of one model), which must live as long.
  /// They may be members of the derived class, made after this: they are asked nothing yet.
  explicit Stepper(System& system, bool compiled_together = false,
                   Composite* models = nullptr) noexcept
      : system_(&system), models_(models), compiled_together_(compiled_together) {}

 private:
  System* system_;
  Composite* models_;
  bool compiled_together_;
};

}  // namespace hild::model
