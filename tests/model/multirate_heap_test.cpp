// SPDX-License-Identifier: Apache-2.0
/// Not one heap call in steps of built-in models under stiff methods and by partitions.
#include <gtest/gtest.h>

#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/methods/stiff.hpp"
#include "model/advance.hpp"
#include "support/heap_trap.hpp"

namespace hild::test {
namespace {

static_assert(HeapTrap::counting, "left out where nothing is counted");

void expect_no_calls(model::Stepper& plant) {
  const std::array u{0.1, 0.1};
  const HeapTrap trap;
  for (SimTime t{}; t < SimTime{} + Duration(20_ms); t += 1_ms) {
    for (const Duration h : {Duration(500_us), Duration(1_ms)}) {
      plant.rewind();
      const int passes = plant.begin(t, h).count();
      for (int i = 0; i < passes; ++i) {
        plant.pass(i, std::span(u).first(plant.description().inputs.size()));
      }
      plant.finish();
    }
  }
  plant.restart(model::Restart::here);
  EXPECT_EQ(trap.calls(), 0) << plant.method().name << ": " << trap.first_call();
}

TEST(Plants, CallNoHeapUnderStiffMethods) {
  for (const auto* registration : model::models()) {
    for (const auto* method : numerics::catalogue()) {
      if (method->implicit()) expect_no_calls(*registration->make(*method));
    }
  }
}

TEST(Plants, CallNoHeapForAlgebraicVariables) {
  for (const auto* method : numerics::catalogue()) {
    expect_no_calls(*model::find_model("ferroresonance")->make(*method));
  }
}

TEST(Plants, CallNoHeapByPartitions) {
  model::Multirate rates;
  rates.rates = {{{&numerics::libe, 10}, {&numerics::backward_euler, 5}, {&numerics::libe, 1}}};
  rates.count = 3;
  rates.interface = model::Interface::extrapolate;
  expect_no_calls(*model::find_model("oscillator-load")->make_multirate(rates));
}

}  // namespace
}  // namespace hild::test
