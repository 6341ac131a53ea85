// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "foreign/contain/process.hpp"
#include "hild/model/registry.hpp"
#include "hild/model/steps_elsewhere.hpp"
#include "hild/numerics/methods.hpp"
#include "support/heap_trap.hpp"

namespace hild {
namespace {

TEST(Contain, CallsNoHeapHere) {
  const auto* r = model::find_model("bouncing-ball");
  auto made = contain::contained(contain::ModelSource::built_in(*r), &numerics::rk4,
                                 {.answer_within = 20_s});
  ASSERT_TRUE(made) << made.error().message;
  model::Stepper& plant = **made;
  std::vector<double> y(r->description.outputs.size());
  std::vector<double> g(r->description.events.size());
  const std::vector<double> u(r->description.inputs.size());
  SimTime t{};
  std::vector<double> dx(r->description.states.size());
  auto& elsewhere = dynamic_cast<model::StepsElsewhere&>(plant);
  const test::HeapTrap trap;
  for (int n = 0; n < 100; ++n, t += 1_ms) {
    if (n % 2 == 0) {
      plant.step(t, 1_ms, u);
    } else {
      elsewhere.ask_step(t, 1_ms, u);
      elsewhere.take_asked_step();
    }
    plant.outputs(seconds(t), u, y);
    plant.system().event_functions(seconds(t), plant.states(), u, g);
    plant.system().derivatives(seconds(t + 1_ms), plant.states(), u, dx);
    static_cast<void>(plant.error_estimate(dx));
    static_cast<void>(plant.system().next_time_event(t));
  }
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
}

}  // namespace
}  // namespace hild
