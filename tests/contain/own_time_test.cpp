// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model in a process of its own that keeps a time of its own, and misses some of hild's.
#include <gtest/gtest.h>

#include "contain/gate.hpp"
#include "contain/own.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::testing {
namespace {

/// As co-simulation is: without states that hild sees, with a time of its own. Its output is that
/// time, or -1 after a step that began elsewhere.
class OwnTime final : public model::Plant {
 public:
  static const model::Description& describe() {
    static constexpr std::array outputs{model::Output{"t", "s"}};
    static const model::Description d{.name = "own-time", .summary = "a clock", .outputs = outputs};
    return d;
  }
  const model::Description& description() const noexcept override { return describe(); }
  const numerics::Method& method() const noexcept override { return numerics::forward_euler; }
  bool compiled_together() const noexcept override { return false; }
  void set_initial(In) override {}
  void reset() noexcept override {}
  void set_states(In) noexcept override {}
  void set_parameter(std::size_t, double) noexcept override {}
  double parameter(std::size_t) const noexcept override { return 0; }
  void begin(SimTime t, Duration h) noexcept override {
    jumped_ = jumped_ || t != now_;
    h_ = h;
  }
  int passes() const noexcept override { return 1; }
  double node(int) const noexcept override { return 0; }
  bool starting() const noexcept override { return false; }
  void pass(int, In) noexcept override {
    now_ += h_;
    if (now_ == SimTime{} + 3_ms) Gate::wait();
  }
  void finish() noexcept override {}
  void rewind() noexcept override {}
  void restart() noexcept override {}
  In states() const noexcept override { return {}; }
  In start_states() const noexcept override { return {}; }
  In start_derivatives() const noexcept override { return {}; }
  void derivatives(double, In, In, Out) noexcept override {}
  void outputs(double, In, Out y) noexcept override { y[0] = jumped_ ? -1 : seconds(now_); }
  void event_functions(double, In, In, Out) noexcept override {}
  void on_event(std::size_t, double, In) noexcept override {}
  SimTime next_time_event(SimTime) const noexcept override { return model::never; }
  void on_time_event(double, In) noexcept override {}

 private:
  SimTime now_{};
  Duration h_{};
  bool jumped_ = false;
};

const model::Registration own_time{OwnTime::describe(),
                                   [](const numerics::Method&) -> std::unique_ptr<model::Plant> {
                                     return std::make_unique<OwnTime>();
                                   }};
[[maybe_unused]] const bool own_time_registered = model::register_model(own_time);

// The third step ends after it was abandoned; hild is further by then, and it is not.
TEST(Contain, AModelWithATimeOfItsOwnGoesOnWhereItIs) {
  Gate gate;
  const auto made = in_its_own("own-time", &numerics::forward_euler, 1_s);
  model::Plant& plant = *made;
  std::array<double, 1> y{};
  SimTime t{};
  for (; t < SimTime{} + 3_ms; t += 1_ms) plant.step(t, 1_ms, {});
  EXPECT_EQ(plant.cap_counts()->late_answers, 1);
  for (; t < SimTime{} + 6_ms; t += 1_ms) plant.step(t, 1_ms, {});
  EXPECT_EQ(plant.cap_counts()->late_answers, 4);
  gate.open();
  // Until it is back; then two steps more.
  for (std::int64_t late = 0; late != plant.cap_counts()->late_answers; t += 1_ms) {
    late = plant.cap_counts()->late_answers;
    plant.step(t, 1_ms, {});
  }
  plant.step(t, 1_ms, {});
  plant.outputs(seconds(t), {}, y);
  EXPECT_EQ(y[0], 0.005);
}

}  // namespace
}  // namespace hild::testing
