// SPDX-License-Identifier: Apache-2.0
/// An FMU that brings its own solver: one pass a step, in which it advances itself.
#include <algorithm>
#include <cmath>
#include <limits>

#include "foreign/fmi/exchange.hpp"

namespace hild::fmi {
namespace {

using In = std::span<const double>;
using Out = std::span<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// What it computes; it has no states that hild sees.
class CoSimulation final : public model::System {
 public:
  CoSimulation(std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance)
      : layout_(std::move(layout)),
        instance_(std::move(instance)),
        inputs_(layout_->continuous_inputs),
        read_(layout_->outputs_read),
        groups_(layout_->parameters_set),
        changed_(groups_.size()) {
    std::ranges::copy(layout_->discrete_inputs, std::back_inserter(inputs_));
    for (const auto& p : layout_->parameters) parameters_.push_back(p.value);
    for (const auto& u : layout_->inputs) start_inputs_.push_back(u.start);
  }

  [[nodiscard]] const model::Description& description() const noexcept override {
    return layout_->description;
  }
  void set_initial(In /*states*/) override {}
  void start(Out /*x*/) noexcept override {
    failure_ = nullptr;
    t_ = origin_ = 0;
    steps_ = 0;
    step_ = layout_->step;
    if (started_) take(instance_->reset(), "reset");
    started_ = true;
    for (std::size_t i = 0; i < groups_.size(); ++i) set_parameters(i, true);
    set(inputs_, start_inputs_);
    if (!failed()) take(instance_->enter_initialization(0), "enter initialization mode");
    if (!failed()) take(instance_->exit_initialization(), "exit initialization mode");
  }
  void set_parameter(std::size_t i, double value) noexcept override {
    parameters_[i] = value;
    changed_[layout_->group_of_parameter[i]] = 1;
  }
  [[nodiscard]] double parameter(std::size_t i) const noexcept override { return parameters_[i]; }

  void transfer(Archive& archive) noexcept {
    if (failed()) return archive.refuse("the FMU has failed");
    instance_->transfer(archive);
    archive(parameters_, changed_, t_, end_, step_, origin_, steps_, behind_);
    // Steps that never come to an end would be taken for ever.
    constexpr std::int64_t most = std::int64_t{1} << 52;
    archive.check(step_ == 0 || step_ >= 1e-9, "the length of the FMU's steps");
    archive.check(layout_->variable_steps || (steps_ >= 0 && steps_ <= most &&
                                              t_ == origin_ + static_cast<double>(steps_) * step_),
                  "the number of the FMU's steps");
  }

  /// Its step from t over h, in two parts.
  void begin(SimTime t, Duration h) noexcept {
    end_ = seconds(t + h);
    if (layout_->variable_steps) {
      if (!behind_) t_ = seconds(t);
    } else {
      if (step_ <= 0) step_ = seconds(h);
      if (std::abs(seconds(t) - t_) >= step_) {  // it was moved
        t_ = origin_ = seconds(t);
        steps_ = 0;
      }
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (changed_[i] != 0 && layout_->tunable[i]) set_parameters(i, false);
    }
  }
  void advance(In u) noexcept {
    set(inputs_, u);
    if (layout_->variable_steps) return advance_to_end();
    advance_by_whole_steps();
  }

  void derivatives(double /*t*/, In /*x*/, In /*u*/, Out /*dx*/) noexcept override {}
  // Of where its solver is.
  void outputs(double /*t*/, In /*x*/, In /*u*/, Out y) noexcept override {
    for (Group& g : read_) {
      if (failed() || !take(instance_->get(g), "get outputs")) break;
      for (std::size_t i = 0; i < g.places.size(); ++i) y[g.places[i]] = g.values[i];
    }
    if (failed()) std::ranges::fill(y, nan);
  }
  [[nodiscard]] const model::CapCounts* cap_counts() const noexcept override {
    return &cap_counts_;
  }
  [[nodiscard]] const char* failed_function() const noexcept override { return failure_; }

 private:
  // An FMU that stops early, or discards what it cannot do at once, is asked to go on from where it
  // is; one that got nowhere is asked for half as much.
  void advance_to_end() noexcept {
    behind_ = false;
    double h = end_ - t_;
    for (int part = 0; !failed() && end_ - t_ > 1e-12; ++part) {
      if (part == layout_->caps.step_parts.most) return leave_step();
      Advance advance;
      const Status status = instance_->do_step(t_, std::min(h, end_ - t_), advance);
      if (status != Status::discard && !take(status, "do step")) return;
      if (advance.terminate) failure_ = "do step (it asks to terminate)";
      if (advance.reached > t_) {
        t_ = advance.reached;
      } else {
        h /= 2;
      }
    }
  }
  // One that takes steps of one length alone: several where a step of hild covers several frames,
  // and none where an event of another model cuts it, until the rest is due as well. Ticks are
  // rounded to nanoseconds, its steps are not; after a hundred days seconds tell no nanosecond.
  void advance_by_whole_steps() noexcept {
    const double rounding = 2e-9 + 2 * std::numeric_limits<double>::epsilon() * end_;
    while (!failed() && t_ + step_ <= end_ + rounding) {
      Advance advance;
      const Status status = instance_->do_step(t_, step_, advance);
      if (status != Status::discard && !take(status, "do step")) return;
      if (advance.terminate) {
        failure_ = "do step (it asks to terminate)";
      } else if (status == Status::discard || advance.reached < t_ + step_ - rounding) {
        failure_ = "do step (it takes steps of one length alone, and did not finish one)";
      }
      t_ = origin_ + static_cast<double>(++steps_) * step_;
    }
  }
  [[nodiscard]] bool failed() const noexcept { return failure_ != nullptr; }
  bool take(Status status, const char* call) noexcept {
    if (!good(status) && !failed()) failure_ = call;
    return !failed();
  }
  // What is missing is asked for with the next step.
  void leave_step() noexcept {
    ++cap_counts_.step_parts;
    behind_ = true;
    if (layout_->caps.step_parts.stop) {
      failure_ = "do step (in more parts than model.caps.step_parts)";
    }
  }
  void set(std::vector<Group>& groups, In from) noexcept {
    for (Group& g : groups) {
      for (std::size_t i = 0; i < g.values.size(); ++i) g.values[i] = from[g.places[i]];
      if (!failed()) take(instance_->set(g), "set inputs");
    }
  }
  // Before the start those that are not the FMU's own values.
  void set_parameters(std::size_t group, bool starting) noexcept {
    Group& g = groups_[group];
    bool own = !layout_->always_set[group];
    for (std::size_t i = 0; i < g.values.size(); ++i) {
      g.values[i] = parameters_[g.places[i]];
      own = own && g.values[i] == layout_->parameters[g.places[i]].value;
    }
    changed_[group] = 0;
    if (!failed() && !(starting && own)) take(instance_->set(g), "set parameters");
  }

  std::shared_ptr<const Layout> layout_;
  std::unique_ptr<Instance> instance_;
  std::vector<Group> inputs_, read_, groups_;
  std::vector<unsigned char> changed_;
  std::vector<double> parameters_, start_inputs_;
  double t_ = 0;
  double end_ = 0;
  // Of an FMU that takes steps of one length alone: which, and how many since when.
  double step_ = 0;
  double origin_ = 0;
  std::int64_t steps_ = 0;
  bool started_ = false;
  bool behind_ = false;  // the last step was left where it was
  const char* failure_ = nullptr;
  model::CapCounts cap_counts_;
};

class CoSimulationStepper final : public model::Stepper {
 public:
  CoSimulationStepper(std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance,
                      const numerics::Method& method)
      : Stepper(system_),
        system_(std::move(layout), std::move(instance)),
        method_(&method),
        passes_{{0.0}} {
    reset();
  }

  [[nodiscard]] const numerics::Method& method() const noexcept override { return *method_; }
  const model::Passes& begin(SimTime t, Duration h) noexcept override {
    system_.begin(t, h);
    return passes_;
  }
  void pass(int /*pass*/, In u) noexcept override { system_.advance(u); }
  void finish() noexcept override {}
  void rewind() noexcept override {}  // nothing asks for it: there are no events
  void restart(model::Restart /*from*/) noexcept override {}
  void transfer(Archive& archive, int /*made*/) noexcept override { system_.transfer(archive); }
  [[nodiscard]] Out states() noexcept override { return {}; }
  [[nodiscard]] StepStart step_start() const noexcept override { return {}; }

 private:
  CoSimulation system_;
  const numerics::Method* method_;
  model::Passes passes_;
};

}  // namespace

std::unique_ptr<model::System> co_simulation_system(std::shared_ptr<const Layout> layout,
                                                    std::unique_ptr<Instance> instance) {
  return std::make_unique<CoSimulation>(std::move(layout), std::move(instance));
}

std::unique_ptr<model::Stepper> make_co_simulation(std::shared_ptr<const Layout> layout,
                                                   std::unique_ptr<Instance> instance,
                                                   const numerics::Method& method) {
  return std::make_unique<CoSimulationStepper>(std::move(layout), std::move(instance), method);
}

}  // namespace hild::fmi
