// SPDX-License-Identifier: Apache-2.0
/// \file
/// Several models as one plant: each with its own method and rate, their passes on one thread.
///
/// Within a step of the whole (a frame, or two) every model advances on its own (exchange.hpp), so
/// that an event in one of them is a matter of that one alone: who acts on it takes that model's
/// step anew, or instead of the whole. How a model's passes are placed depends on its rate:
///
///   a step a frame    its passes are passes of the whole, each at its node
///   substeps          a step is a pass of the whole, with all its own passes in it
///   every so many     each of its passes is in the frame that its node lies in, with all of the
///   frames            other slow models in the first pass of the whole; its outputs hold meanwhile
///   in the background likewise, but there they are only ordered (background.hpp)
///
/// Real-time safe after construction, as far as the models are.
#pragma once

#include "model/coupled/background.hpp"
#include "model/coupled/exchange.hpp"
#include "model/coupled/system.hpp"

namespace hild::coupled {

/// The equations of all models as a step sees them: what models get from one another is as they
/// exchanged it last.
class ExchangingSystem final : public ComposedSystem {
 public:
  explicit ExchangingSystem(Exchange& exchange);

  void start(Out x) noexcept override;
  void set_parameter(std::size_t index, double value) noexcept override;
  [[nodiscard]] double parameter(std::size_t index) const noexcept override;
  void derivatives(double t, In x, In u, Out dx) noexcept override;
  void outputs(double t, In x, In u, Out y) noexcept override;
  void event_functions(double t, In x, In u, Out g) noexcept override;
  void on_event(std::size_t index, double t, Out x, In u) noexcept override;
  /// But of models whose steps take several of the whole, which act on theirs by themselves.
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept override;
  void on_time_event(double t, Out x, In u) noexcept override;
  [[nodiscard]] const model::CapCounts* caps_of(std::size_t part) const noexcept override {
    return runs(part) ? exchange_->members()[part].background->cap_counts()
                      : ComposedSystem::caps_of(part);
  }

 private:
  [[nodiscard]] std::int64_t unsolved() const noexcept override { return exchange_->unsolved(); }
  [[nodiscard]] const char* failed_in(std::size_t part) const noexcept override {
    return runs(part) ? exchange_->members()[part].background->failed_function()
                      : ComposedSystem::failed_in(part);
  }
  // It is being advanced by another thread, and nothing may be asked of it.
  [[nodiscard]] bool runs(std::size_t part) const noexcept {
    const auto& background = exchange_->members()[part].background;
    return background != nullptr && background->busy();
  }
  [[nodiscard]] static SimTime event_of(const Member& m, SimTime t) noexcept;

  Exchange* exchange_;
  mutable SimTime asked_{};  // time after which the time event was asked for
};

class CoupledStepper final : public model::Stepper, private model::Composite, private Tasks {
 public:
  /// One stepper for each part, under its method. Precondition: the composition has no loop.
  CoupledStepper(std::shared_ptr<const Composition> composition,
                 std::vector<std::unique_ptr<model::Stepper>> steppers, const Grid& grid);

  [[nodiscard]] const numerics::Method& method() const noexcept override {
    return exchange_.composition()->method();
  }

  const model::Passes& begin(SimTime t, Duration h) noexcept override;
  void pass(int pass, In u) noexcept override;
  void finish() noexcept override;
  bool error_estimate(Out error) const noexcept override;
  const model::Passes& advance(SimTime t, Duration h, int steps, In u) noexcept override;
  void rewind() noexcept override;
  void restart(model::Restart from) noexcept override;

  void transfer(Archive& archive, int made) noexcept override;

  [[nodiscard]] Out states() noexcept override;
  void outputs(double t, In u, Out y) noexcept override;
  [[nodiscard]] StepStart step_start() const noexcept override;

 private:
  struct Slot {
    double node = 0;
    std::size_t member = 0;  // index of the member, or one of those below
    int pass = 0;            // pass, or substep
  };
  // What a slot stands for beside a pass of one member.
  static constexpr std::size_t slow_ones = static_cast<std::size_t>(-1);   // all slow members
  static constexpr std::size_t run_before = static_cast<std::size_t>(-2);  // nothing more
  static constexpr std::size_t shared = static_cast<std::size_t>(-3);      // all passes of its node
  static constexpr std::size_t no_member = shared;                         // from here on
  // The passes of the step at hand.
  struct Schedule {
    std::vector<Slot> slots;  // as many as there can be; those of `passes` are used
    model::Passes passes;
    bool listed = false;  // they are those of an ordinary step
  };
  // Whether any member is so.
  struct Has {
    bool slow = false;
    bool elsewhere = false;
    bool unusual = false;  // slow, or beside one another
    bool aside = false;    // in the step at hand
  };
  struct Step {
    SimTime t{};
    Duration h{};
  };
  // What is run beside one another, of one step or of one node.
  struct SharedWork {
    TaskRunner* runner = nullptr;  // null: nobody runs anything beside anything
    bool stuck = false;            // a member has not returned
    bool whole = false;            // steps, else passes
    In u{};
    std::vector<std::uint16_t> members{};         // that have a part in it
    std::vector<std::span<const Slot>> passes{};  // of each member
    std::vector<Slot> slots{};                    // what those of the schedule stand for
  };

  void connect(SimTime t, Out u) noexcept override {
    background_.take_over(t);
    exchange_.connect(t, u);
  }
  const model::Passes& step_connected(SimTime t, Duration h, In u) noexcept override;
  void reconnect(Out u) const noexcept override { exchange_.reconnect(u); }
  void share_work(TaskRunner& runner) override;
  void run_in_background(BackgroundRunner* runner) override { background_.run_by(runner); }
  [[nodiscard]] bool in_background(std::size_t part) const noexcept override {
    return exchange_.members()[part].pace == Pace::background;
  }
  [[nodiscard]] int cycle() const noexcept override { return exchange_.composition()->cycle(); }
  [[nodiscard]] Stepper& model(std::size_t part) noexcept override {
    return *exchange_.members()[part].stepper;
  }
  [[nodiscard]] int substeps_of(std::size_t part) const noexcept override {
    const Member& m = exchange_.members()[part];
    return takes_several(m.pace) ? 0 : m.rate.substeps;
  }
  [[nodiscard]] In inputs_of(std::size_t part, SimTime t, In u) noexcept override {
    return exchange_.inputs(exchange_.members()[part], t, u);
  }
  void set_aside(std::size_t part) noexcept override;
  void note_event(std::size_t part) noexcept override;
  [[nodiscard]] std::int64_t slow_events() const noexcept override {
    return slow_events_ + background_.events();
  }
  [[nodiscard]] const model::CapCounts* cap_counts_of(std::size_t part) const noexcept override {
    return system_.caps_of(part);
  }

  [[nodiscard]] bool takes_part(const Member& m) const noexcept {
    return m.pace == Pace::frame && !m.aside;
  }
  void open_step(SimTime t, Duration h) noexcept;
  [[nodiscard]] bool take_steps(In u) noexcept;
  template <bool elsewhere>
  [[gnu::always_inline]] inline bool take_step(Member& m, In u) noexcept;
  [[nodiscard, gnu::noinline]] bool take_steps_elsewhere(In u) noexcept;
  [[nodiscard]] const model::Passes& take_passes(Member& m, In u) noexcept;
  void take_pass(const Slot& slot, In u) noexcept;
  [[nodiscard]] const model::Passes& passes_now(bool starting) noexcept;
  void list_passes() noexcept;

  [[gnu::noinline]] void ask_ahead(In u) noexcept;
  // A step of its own whose inputs hold.
  [[nodiscard]] const model::Passes& take_held(Member& m, SimTime t, Duration h, In u) noexcept {
    if (!m.asked) return m.stepper->step(t, h, exchange_.inputs(m, t, u));
    m.asked = false;  // written where it is true alone: its neighbour may run on another CPU
    return m.elsewhere->take_asked_step();
  }

  void run(std::size_t member) noexcept override;

  // Some slow, or beside one another; unusual_steps.cpp.
  [[nodiscard, gnu::noinline]] bool take_unusual_steps(In u) noexcept;
  [[gnu::noinline]] void take_unusual_pass(const Slot& slot, In u) noexcept;
  [[nodiscard]] bool share_steps(In u) noexcept;
  void share_passes(const Slot& first, In u) noexcept;
  void list_shared(std::size_t slots) noexcept;
  void run_shared() noexcept;

  [[nodiscard]] Out states_beside() noexcept;
  void end_aside() noexcept;
  void substep(Member& m, int j, In u) noexcept;
  void slow_passes(In u) noexcept;
  void slow_passes(Member& m, In u) noexcept;
  void end_slow_step(Member& m, In u) noexcept;
  void restart_members() noexcept;
  void set_members(model::Restart from) noexcept;

  Exchange exchange_;
  Background background_;
  ExchangingSystem system_;
  std::vector<double> sampled_;  // inputs for callers that do not connect themselves
  std::vector<double> x_;
  mutable std::vector<double> x0_, f0_;
  Schedule schedule_;
  Has has_;
  std::int64_t slow_events_ = 0;
  Step step_;
  SharedWork shared_;
};

}  // namespace hild::coupled
