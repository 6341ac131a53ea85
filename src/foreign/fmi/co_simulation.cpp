// SPDX-License-Identifier: Apache-2.0
/// An FMU that brings its own solver: one pass a step, in which it advances itself.
#include <algorithm>
#include <cmath>
#include <limits>

#include "foreign/fmi/exchange.hpp"
#include "foreign/fmi/parameters.hpp"

namespace hild::fmi {
namespace {

using In = std::span<const double>;
using Out = std::span<double>;

/// What it computes; it has no states that hild sees.
class CoSimulation final : public model::System {
 public:
  CoSimulation(std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance)
      : layout_(std::move(layout)),
        fmu_(*layout_, std::move(instance)),
        inputs_(layout_->continuous_inputs),
        read_(layout_->outputs_read),
        parameters_(*layout_) {
    std::ranges::copy(layout_->discrete_inputs, std::back_inserter(inputs_));
    for (const auto& u : layout_->inputs) start_inputs_.push_back(u.start);
  }

  [[nodiscard]] const model::Description& description() const noexcept override {
    return layout_->description;
  }
  void set_initial(In /*states*/) override {}
  void start(Out /*x*/) noexcept override {
    t_ = origin_ = 0;
    steps_ = 0;
    step_ = layout_->step;
    fmu_.reset();
    parameters_.set_at_start(fmu_);
    fmu_.set(inputs_, start_inputs_);
    fmu_.initialise();
  }
  void set_parameter(std::size_t i, double value) noexcept override {
    parameters_.change(i, value);
  }
  [[nodiscard]] double parameter(std::size_t i) const noexcept override { return parameters_[i]; }

  void transfer(Archive& archive) noexcept {
    if (fmu_.failed()) return archive.refuse("the FMU has failed");
    fmu_->transfer(archive);
    archive(parameters_, t_, end_, step_, origin_, steps_, behind_);
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
    if (parameters_.waiting()) parameters_.set_changed(fmu_);
  }
  void advance(In u) noexcept {
    fmu_.set(inputs_, u);
    if (layout_->variable_steps) return advance_to_end();
    advance_by_whole_steps();
  }

  void derivatives(double /*t*/, In /*x*/, In /*u*/, Out /*dx*/) noexcept override {}
  // Of where its solver is.
  void outputs(double /*t*/, In /*x*/, In /*u*/, Out y) noexcept override { fmu_.read(read_, y); }
  [[nodiscard]] const model::CapCounts* cap_counts() const noexcept override {
    return &cap_counts_;
  }
  [[nodiscard]] const char* failed_function() const noexcept override { return fmu_.failure(); }

 private:
  // An FMU that stops early, or discards what it cannot do at once, is asked to go on from where it
  // is; one that got nowhere is asked for half as much.
  void advance_to_end() noexcept {
    behind_ = false;
    double h = end_ - t_;
    for (int part = 0; !fmu_.failed() && end_ - t_ > 1e-12; ++part) {
      if (part == layout_->caps.step_parts.most) return leave_step();
      Advance advance;
      const Status status = fmu_->do_step(t_, std::min(h, end_ - t_), advance);
      if (status != Status::discard && !fmu_.take(status, "do step")) return;
      if (advance.terminate) fmu_.fail("do step (it asks to terminate)");
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
    while (!fmu_.failed() && t_ + step_ <= end_ + rounding) {
      Advance advance;
      const Status status = fmu_->do_step(t_, step_, advance);
      if (status != Status::discard && !fmu_.take(status, "do step")) return;
      if (advance.terminate) {
        fmu_.fail("do step (it asks to terminate)");
      } else if (status == Status::discard || advance.reached < t_ + step_ - rounding) {
        fmu_.fail("do step (it takes steps of one length alone, and did not finish one)");
      }
      t_ = origin_ + static_cast<double>(++steps_) * step_;
    }
  }
  // What is missing is asked for with the next step.
  void leave_step() noexcept {
    ++cap_counts_.step_parts;
    behind_ = true;
    if (layout_->caps.step_parts.stop) {
      fmu_.fail("do step (in more parts than model.caps.step_parts)");
    }
  }

  std::shared_ptr<const Layout> layout_;
  CheckedInstance fmu_;
  std::vector<Group> inputs_, read_;
  Parameters parameters_;
  std::vector<double> start_inputs_;
  double t_ = 0;
  double end_ = 0;
  // Of an FMU that takes steps of one length alone: which, and how many since when.
  double step_ = 0;
  double origin_ = 0;
  std::int64_t steps_ = 0;
  bool behind_ = false;  // the last step was left where it was
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
