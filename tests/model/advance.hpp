// SPDX-License-Identifier: Apache-2.0
/// \file
/// Advances a built-in model step by step, as a loop would, with inputs that hold.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string_view>
#include <vector>

#include "hild/model/registry.hpp"
#include "hild/model/stepper.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::test {

/// A step of a plant with held inputs.
inline void step(model::Stepper& plant, SimTime t, Duration h,
                 const std::vector<double>& u = {0.0}) {
  const int passes = plant.begin(t, h).count();
  for (int i = 0; i < passes; ++i) plant.pass(i, u);
  plant.finish();
}

class Advance {
 public:
  explicit Advance(std::string_view model, const numerics::Method& method = numerics::rk4)
      : plant_(model::find_model(model)->make(method)),
        inputs(plant_->description().inputs.size(), 0.0) {}

  [[nodiscard]] model::Stepper& plant() { return *plant_; }

  Advance& initial(const std::vector<double>& x) {
    plant_->set_initial(x);
    return *this;
  }
  Advance& parameter(std::string_view name, double value) {
    const auto all = plant_->description().parameters;
    std::size_t i = 0;
    while (i < all.size() && all[i].name != name) ++i;
    EXPECT_LT(i, all.size()) << name;
    if (i < all.size()) plant_->system().set_parameter(i, value);
    return *this;
  }

  /// Over a time, in steps of `h`; `see(t, x)` looks at every state reached.
  using See = std::function<void(double t, model::Stepper::In x)>;
  void run(Duration time, Duration h = 1_ms, const See& see = {}) {
    for (const SimTime end = now_ + time; now_ < end;) {
      step(*plant_, now_, h, inputs);
      now_ += h;
      if (see) see(seconds(now_), plant_->states());
    }
  }

  /// State event `index`.
  void act(std::size_t index) {
    plant_->system().on_event(index, seconds(now_), plant_->states(), inputs);
  }

  [[nodiscard]] double state(std::size_t i) const { return plant_->states()[i]; }
  [[nodiscard]] std::vector<double> derivatives(const std::vector<double>& x) {
    std::vector<double> dx(x.size());
    plant_->system().derivatives(0, x, inputs, dx);
    return dx;
  }
  [[nodiscard]] std::vector<double> outputs() {
    std::vector<double> y(plant_->description().outputs.size());
    plant_->outputs(seconds(now_), inputs, y);
    return y;
  }

 private:
  std::unique_ptr<model::Stepper> plant_;
  SimTime now_{};

 public:
  std::vector<double> inputs;  ///< held
};

/// When a value rises through zero, by linear interpolation between the instants it is seen at.
class Rises {
 public:
  void see(double t, double value) {
    if (last_ < 0 && value >= 0) times.push_back(at_ + (t - at_) * last_ / (last_ - value));
    at_ = t;
    last_ = value;
  }
  /// Mean time between rises.
  [[nodiscard]] double period() const {
    return (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  }
  std::vector<double> times;

 private:
  double at_ = 0;
  double last_ = 0;
};

}  // namespace hild::test
