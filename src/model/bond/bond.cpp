// SPDX-License-Identifier: Apache-2.0
#include "model/bond/bond.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace hild::model {

class Bond {
 public:
  explicit Bond(const BondData& data)
      : data_(data),
        parameters_{Parameter{"stiffness", data_.stiffness_unit.view(), data_.stiffness,
                              std::numeric_limits<double>::min()}} {
    const std::string_view effort = data_.effort_unit.view();
    const std::string_view flow = data_.flow_unit.view();
    const std::string_view energy = data_.energy_unit.view();
    states_ = {{"effort", effort}, {"energy_residual", energy}};
    outputs_ = {{"effort", effort}, {"energy_residual", energy}};
    if (whole()) {
      inputs_ = {{"flow_a", flow}, {"flow_b", flow}};
    } else {
      inputs_ = {{"flow", flow}, {"wave_in", effort}};
      outputs_.push_back({"wave_out", effort});
      feedthrough_.push_back({"wave_out", "flow"});
    }
    for (const Input& input : inputs_) feedthrough_.push_back({"effort", input.name});
    description_ = {.name = whole() ? "bond" : "bond-end",
                    .summary = "a stiff spring as a transmission line",
                    .states = states_,
                    .inputs = inputs_,
                    .outputs = outputs_,
                    .parameters = parameters_,
                    .feedthrough = feedthrough_};
  }

  [[nodiscard]] const Description& description() const noexcept { return description_; }
  [[nodiscard]] const BondData& data() const noexcept { return data_; }
  [[nodiscard]] bool whole() const noexcept { return data_.ends == BondEnds::both; }

 private:
  BondData data_;
  std::vector<State> states_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Feedthrough> feedthrough_;
  std::array<Parameter, 1> parameters_;
  Description description_;
};

namespace {

enum { effort, energy_residual, wave_out };  // states and outputs

// Its equations where time is not sampled.
class Spring final : public System {
 public:
  explicit Spring(std::shared_ptr<const Bond> bond)
      : bond_(std::move(bond)), stiffness_(bond_->data().stiffness) {}

  [[nodiscard]] const Description& description() const noexcept override {
    return bond_->description();
  }
  void set_initial(In states) override { std::ranges::copy(states, initial_.begin()); }
  void start(Out x) noexcept override { std::ranges::copy(initial_, x.begin()); }
  void set_parameter(std::size_t /*i*/, double value) noexcept override { stiffness_ = value; }
  [[nodiscard]] double parameter(std::size_t /*i*/) const noexcept override { return stiffness_; }
  void derivatives(double /*t*/, In /*x*/, In u, Out dx) noexcept override {
    dx[effort] = bond_->whole() ? stiffness_ * (u[0] - u[1]) : 0;
    dx[energy_residual] = 0;
  }
  void outputs(double /*t*/, In x, In /*u*/, Out y) noexcept override {
    std::ranges::copy(x, y.begin());
    if (!bond_->whole()) y[wave_out] = x[effort];
  }
  [[nodiscard]] const Bond& bond() const noexcept { return *bond_; }

 private:
  std::shared_ptr<const Bond> bond_;
  std::array<double, 2> initial_{};
  double stiffness_;
};

class BondStepper final : public Stepper {
 public:
  BondStepper(std::shared_ptr<const Bond> bond, const numerics::Method& method)
      : Stepper(system_), system_(std::move(bond)), method_(&method), passes_{{0.0}} {}

  [[nodiscard]] const numerics::Method& method() const noexcept override { return *method_; }
  const Passes& begin(SimTime /*t*/, Duration h) noexcept override {
    before_ = now_;
    h_ = seconds(h);
    return passes_;
  }
  void pass(int /*pass*/, In u) noexcept override {
    const Line line = line_at(u);
    now_.x[energy_residual] += residual(line);
    now_.x[effort] = line.effort;
    now_.arrived = line.arrived;
    now_.flow = line.flow;
    now_.known = true;
  }
  void finish() noexcept override { now_.h = h_; }
  void rewind() noexcept override { now_ = before_; }
  void restart(Restart from) noexcept override {
    if (from != Restart::here) now_.known = false;
  }
  void transfer(Archive& archive, int /*made*/) noexcept override {
    archive(now_.x, now_.arrived, now_.flow, now_.h, now_.known);
  }
  [[nodiscard]] Out states() noexcept override { return now_.x; }
  void outputs(double /*t*/, In u, Out y) noexcept override {
    const Line line = line_at(u);
    y[effort] = line.effort;
    y[energy_residual] = now_.x[energy_residual] + residual(line);
    if (!bond().whole()) y[wave_out] = line.left;
  }
  [[nodiscard]] StepStart step_start() const noexcept override { return {}; }

 private:
  // Between two steps, of the last one: what was at its start, and its length.
  struct Last {
    std::array<double, 2> x{};  // the states
    double arrived = 0;
    double flow = 0;
    double h = 0;
    bool known = false;  // else there was none
  };
  // The line at the end of that step, by the flow there.
  struct Line {
    double flow;     // into it
    double left;     // the wave that the step sent
    double arrived;  // the one that has come
    double effort;
  };

  [[nodiscard]] const Bond& bond() const noexcept { return system_.bond(); }
  [[nodiscard]] double stiffness() const noexcept { return system_.parameter(0); }

  // By the displacement: after a step of twice the length it is twice as much.
  [[nodiscard]] Line line_at(In u) const noexcept {
    const BondData& data = bond().data();
    Line line{};
    if (data.ends == BondEnds::both) {
      // Both waves are a frame old, and what one end has of the other's cancels.
      line.flow = u[0] - u[1];
      line.effort = now_.x[effort] + (now_.known ? stiffness() * now_.h * line.flow : 0);
      line.arrived = line.left = line.effort;
      return line;
    }
    const double z = stiffness() * data.delay;
    line.flow = data.ends == BondEnds::a ? u[0] : -u[0];
    line.left = now_.known ? now_.arrived + z * (now_.h / data.frame) * (now_.flow + line.flow)
                           : now_.x[effort] + z * line.flow;
    line.arrived = u[1];
    line.effort = line.arrived + z * line.flow;
    return line;
  }

  // The energy that has come into the line in the last step and that no model gave: the effort held
  // over it, while the flow, as the models have it, went in a straight line to what it is now.
  [[nodiscard]] double residual(const Line& now) const noexcept {
    if (!now_.known) return 0;
    const auto square = [](double x) { return x * x; };
    const BondData& data = bond().data();
    const double given = now_.x[effort] * now_.h * (now_.flow + now.flow) / 2;
    const double taken = bond().whole()
                             ? (square(now.effort) - square(now_.x[effort])) / (2 * stiffness())
                             : data.frame * (square(now.left) - square(now_.arrived)) /
                                   (4 * stiffness() * data.delay);
    return data.energy_factor * (taken - given);
  }

  Spring system_;
  const numerics::Method* method_;
  Passes passes_;
  Last now_, before_;
  double h_ = 0;
};

}  // namespace

std::shared_ptr<const Bond> make_bond(const BondData& data) {
  return std::make_shared<const Bond>(data);
}

const Description& description_of(const Bond& bond) { return bond.description(); }

std::unique_ptr<System> make_system(std::shared_ptr<const Bond> bond) {
  return std::make_unique<Spring>(std::move(bond));
}

std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const Bond> bond,
                                      const numerics::Method& method) {
  return std::make_unique<BondStepper>(std::move(bond), method);
}

}  // namespace hild::model
