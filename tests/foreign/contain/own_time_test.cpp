// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model in a process of its own that keeps a time of its own, and misses some of hild's.
#include <gtest/gtest.h>

#include "foreign/contain/gate.hpp"
#include "foreign/contain/own.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::testing {
namespace {

/// As co-simulation is: without states that hild sees, with a time of its own. Its output is that
/// time, or -1 after a step that began elsewhere.
class OwnTimeSystem final : public model::System {
 public:
  static const model::Description& describe() {
    static constexpr std::array outputs{model::Output{"t", "s"}};
    static const model::Description d{.name = "own-time", .summary = "a clock", .outputs = outputs};
    return d;
  }
  const model::Description& description() const noexcept override { return describe(); }
  void set_initial(In) override {}
  void start(Out) noexcept override {}
  void set_parameter(std::size_t, double) noexcept override {}
  double parameter(std::size_t) const noexcept override { return 0; }
  void derivatives(double, In, In, Out) noexcept override {}
  void outputs(double, In, In, Out y) noexcept override { y[0] = jumped ? -1 : seconds(now); }

  SimTime now{};
  bool jumped = false;
};

class OwnTime final : public model::Stepper {
 public:
  OwnTime() : Stepper(system_) {}
  const numerics::Method& method() const noexcept override { return numerics::forward_euler; }
  const model::Passes& begin(SimTime t, Duration h) noexcept override {
    system_.jumped = system_.jumped || t != system_.now;
    h_ = h;
    return passes_;
  }
  void pass(int, In) noexcept override {
    system_.now += h_;
    if (system_.now == SimTime{} + 3_ms) Gate::wait();
  }
  void finish() noexcept override {}
  void rewind() noexcept override {}
  void restart(model::Restart) noexcept override {}
  Out states() noexcept override { return {}; }
  StepStart step_start() const noexcept override { return {}; }

 private:
  OwnTimeSystem system_;
  model::Passes passes_{{0.0}};
  Duration h_{};
};

const model::Registration own_time{OwnTimeSystem::describe(), nullptr,
                                   [](const numerics::Method&) -> std::unique_ptr<model::Stepper> {
                                     return std::make_unique<OwnTime>();
                                   }};
[[maybe_unused]] const bool own_time_registered = model::register_model(own_time);

// The third step ends after it was abandoned; hild is further by then, and it is not.
TEST(Contain, AModelWithATimeOfItsOwnGoesOnWhereItIs) {
  Gate gate;
  const auto made = in_its_own("own-time", &numerics::forward_euler, 1_s);
  model::Stepper& plant = *made;
  std::array<double, 1> y{};
  SimTime t{};
  for (; t < SimTime{} + 3_ms; t += 1_ms) plant.step(t, 1_ms, {});
  EXPECT_EQ(plant.system().cap_counts()->late_answers, 1);
  for (; t < SimTime{} + 6_ms; t += 1_ms) plant.step(t, 1_ms, {});
  EXPECT_EQ(plant.system().cap_counts()->late_answers, 4);
  gate.open();
  // Until it is back; then two steps more.
  for (std::int64_t late = 0; late != plant.system().cap_counts()->late_answers; t += 1_ms) {
    late = plant.system().cap_counts()->late_answers;
    plant.step(t, 1_ms, {});
  }
  plant.step(t, 1_ms, {});
  plant.outputs(seconds(t), {}, y);
  EXPECT_EQ(y[0], 0.005);
}

}  // namespace
}  // namespace hild::testing
