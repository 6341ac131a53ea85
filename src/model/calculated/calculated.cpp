// SPDX-License-Identifier: Apache-2.0
#include "model/calculated/calculated.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/calculated/formula.hpp"

namespace hild::model {

class Calculation {
 public:
  Calculation(const Description& model, std::vector<Channel> channels)
      : channels_(std::move(channels)), description_(model) {
    outputs_.reserve(model.outputs.size() + channels_.size());
    outputs_.assign(model.outputs.begin(), model.outputs.end());
    for (const Channel& channel : channels_) {
      outputs_.push_back({channel.name.view(), channel.unit.view()});
      for (const Operand& operand : channel.operands) {
        uses_states_ = uses_states_ || operand.of == Operand::Of::state;
      }
    }
    description_.outputs = outputs_;
    description_.feedthrough.reset();  // that of formulas is not told
  }

  [[nodiscard]] const std::vector<Channel>& channels() const noexcept { return channels_; }
  [[nodiscard]] const Description& description() const noexcept { return description_; }
  [[nodiscard]] std::size_t first() const noexcept { return outputs_.size() - channels_.size(); }
  [[nodiscard]] bool uses_states() const noexcept { return uses_states_; }

 private:
  std::vector<Channel> channels_;  // outputs are views of their names
  std::vector<Output> outputs_;
  Description description_;
  bool uses_states_ = false;
};

namespace {

// The formulas of one system: each has numbers of its own.
class Channels {
 public:
  explicit Channels(std::shared_ptr<const Calculation> calculation)
      : calculation_(std::move(calculation)) {
    formulas_.reserve(calculation_->channels().size());
    for (const Channel& channel : calculation_->channels()) {
      auto made = Formula::make(channel.formula, channel.names);
      if (!made) throw std::runtime_error(made.error().message);
      formulas_.push_back(std::move(*made));
    }
  }

  [[nodiscard]] const Calculation& calculation() const noexcept { return *calculation_; }

  // The channels into the last of `y`, whose first are the outputs of the model.
  void compute(double t, System::In x, System::In u, System::Out y) noexcept {
    const std::vector<Channel>& channels = calculation_->channels();
    const std::size_t first = calculation_->first();
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const Channel& channel = channels[i];
      Formula& formula = *formulas_[i];
      for (std::size_t k = 0; k < channel.operands.size(); ++k) {
        formula.numbers()[k] = number(channel.operands[k], t, x, u, y);
      }
      const double value = formula.value() * channel.from_base.factor + channel.from_base.offset;
      y[first + i] = channel.otherwise && !std::isfinite(value) ? *channel.otherwise : value;
    }
  }

 private:
  [[nodiscard]] static double number(const Operand& operand, double t, System::In x, System::In u,
                                     System::Out y) noexcept {
    const auto in_base = [&](double value) {
      return value * operand.to_base.factor + operand.to_base.offset;
    };
    switch (operand.of) {
      case Operand::Of::input:
        return in_base(u[operand.index]);
      case Operand::Of::output:
        return in_base(y[operand.index]);
      case Operand::Of::state:
        return in_base(x[operand.index]);
      case Operand::Of::time:
        return t;
      case Operand::Of::constant:
        break;
    }
    return operand.value;
  }

  std::shared_ptr<const Calculation> calculation_;
  std::vector<std::unique_ptr<Formula>> formulas_;
};

// The model's own, with more outputs.
class CalculatedSystem final : public System {
 public:
  // Of a stepper, which keeps the system.
  CalculatedSystem(std::shared_ptr<const Calculation> calculation, System& system)
      : channels_(std::move(calculation)), system_(&system) {}
  CalculatedSystem(std::shared_ptr<const Calculation> calculation, std::unique_ptr<System> system)
      : channels_(std::move(calculation)), kept_(std::move(system)), system_(kept_.get()) {}

  [[nodiscard]] Channels& channels() noexcept { return channels_; }
  [[nodiscard]] Out own_outputs(Out y) const noexcept {
    return y.first(channels_.calculation().first());
  }

  [[nodiscard]] const Description& description() const noexcept override {
    return channels_.calculation().description();
  }
  void set_initial(In states) override { system_->set_initial(states); }
  void start(Out x) noexcept override { system_->start(x); }
  void set_parameter(std::size_t index, double value) noexcept override {
    system_->set_parameter(index, value);
  }
  [[nodiscard]] double parameter(std::size_t index) const noexcept override {
    return system_->parameter(index);
  }
  void connect(double t, In x, Out u) noexcept override { system_->connect(t, x, u); }
  void derivatives(double t, In x, In u, Out dx) noexcept override {
    system_->derivatives(t, x, u, dx);
  }
  bool jacobian(double t, In x, In u, numerics::Jacobian j) noexcept override {
    return system_->jacobian(t, x, u, j);
  }
  void outputs(double t, In x, In u, Out y) noexcept override {
    system_->outputs(t, x, u, own_outputs(y));
    channels_.compute(t, x, u, y);
  }
  void event_functions(double t, In x, In u, Out g) noexcept override {
    system_->event_functions(t, x, u, g);
  }
  void on_event(std::size_t index, double t, Out x, In u) noexcept override {
    system_->on_event(index, t, x, u);
  }
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept override {
    return system_->next_time_event(t);
  }
  void on_time_event(double t, Out x, In u) noexcept override { system_->on_time_event(t, x, u); }
  [[nodiscard]] const CapCounts* cap_counts() const noexcept override {
    return system_->cap_counts();
  }
  [[nodiscard]] const char* failed_function() const noexcept override {
    return system_->failed_function();
  }

 private:
  Channels channels_;
  std::unique_ptr<System> kept_;
  System* system_;
};

class CalculatedStepper final : public Stepper {
 public:
  CalculatedStepper(std::shared_ptr<const Calculation> calculation,
                    std::unique_ptr<Stepper> stepper)
      : Stepper(system_, stepper->compiled_together(), stepper->models()),
        stepper_(std::move(stepper)),
        system_(std::move(calculation), stepper_->system()) {}

  [[nodiscard]] const numerics::Method& method() const noexcept override {
    return stepper_->method();
  }
  const Passes& begin(SimTime t, Duration h) noexcept override {
    start_ = t;
    length_ = h;
    passes_ = &stepper_->begin(t, h);
    return *passes_;
  }
  void pass(int pass, In u) noexcept override { stepper_->pass(pass, u); }
  void finish() noexcept override { stepper_->finish(); }
  bool finish_early() noexcept override { return stepper_->finish_early(); }
  bool pass_outputs(int pass, In u, Out y) noexcept override {
    // Of the state that a pass is evaluated at nothing is known here.
    if (system_.channels().calculation().uses_states()) return false;
    if (!stepper_->pass_outputs(pass, u, system_.own_outputs(y))) return false;
    const double node = passes_->nodes[static_cast<std::size_t>(pass)];
    system_.channels().compute(seconds(start_) + node * seconds(length_), {}, u, y);
    return true;
  }
  bool dense(double theta, Out x) const noexcept override { return stepper_->dense(theta, x); }
  bool error_estimate(Out error) const noexcept override { return stepper_->error_estimate(error); }
  const Passes& advance(SimTime t, Duration h, int steps, In u) noexcept override {
    return stepper_->advance(t, h, steps, u);
  }
  void rewind() noexcept override { stepper_->rewind(); }
  void restart(Restart from) noexcept override { stepper_->restart(from); }
  void transfer(Archive& archive, int made) noexcept override { stepper_->transfer(archive, made); }
  [[nodiscard]] Out states() noexcept override { return stepper_->states(); }
  void outputs(double t, In u, Out y) noexcept override {
    stepper_->outputs(t, u, system_.own_outputs(y));
    system_.channels().compute(t, stepper_->states(), u, y);
  }
  [[nodiscard]] StepStart step_start() const noexcept override { return stepper_->step_start(); }

 private:
  std::unique_ptr<Stepper> stepper_;
  CalculatedSystem system_;
  SimTime start_{};
  Duration length_{};
  const Passes* passes_ = nullptr;  // of the step begun last
};

}  // namespace

std::shared_ptr<const Calculation> make_calculation(const Description& model,
                                                    std::vector<Channel> channels) {
  return std::make_shared<const Calculation>(model, std::move(channels));
}

const std::vector<Channel>& channels_of(const Calculation& calculation) {
  return calculation.channels();
}

const Description& description_of(const Calculation& calculation) {
  return calculation.description();
}

std::unique_ptr<System> with_channels(std::shared_ptr<const Calculation> calculation,
                                      std::unique_ptr<System> system) {
  return std::make_unique<CalculatedSystem>(std::move(calculation), std::move(system));
}

std::unique_ptr<Stepper> with_channels(std::shared_ptr<const Calculation> calculation,
                                       std::unique_ptr<Stepper> stepper) {
  return std::make_unique<CalculatedStepper>(std::move(calculation), std::move(stepper));
}

}  // namespace hild::model
