// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "config/plan/plan.hpp"
#include "config/sections.hpp"
#include "support/heap_trap.hpp"

namespace hild::config {
namespace {

TEST(CalculatedHeap, AllocateNothingInAFrame) {
  auto read = load_text(
      "frame: {rate: 1 kHz}\nmodel: {type: dc-motor}\nintegrator: {method: rk-4}\ncalculated:\n"
      "  power: {formula: \"max(armature_voltage, v0) * shaft_speed / w\", unit: V, where: {v0: 1 "
      "V, w: 1 rad/s}}\n",
      "rig.yaml");
  ASSERT_TRUE(read) << read.error().message;
  plan::Assembly assembly = plan::assemble(std::move(*read));
  std::vector<double> y(assembly.plant->description().outputs.size());
  const std::vector<double> u{12, 0};
  const test::HeapTrap trap;
  for (int i = 0; i < 500; ++i) {
    assembly.plant->step(SimTime{i * 1'000'000}, 1_ms, u);
    assembly.plant->outputs(i * 1e-3, u, y);
  }
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
  EXPECT_GT(y.back(), 0);
}

}  // namespace
}  // namespace hild::config
