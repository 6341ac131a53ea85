// SPDX-License-Identifier: Apache-2.0
/// \file
/// An exchange calls no heap: with images and without, and once the gateway has died.
#include <gtest/gtest.h>

#include <csignal>

#include "support/heap_trap.hpp"
#include "tests/drivers/dds_rig.hpp"

namespace hild::dds {
namespace {

using test::comes_true;
using test::DdsNode;
using test::HeapTrap;
using test::own_system;

TEST(DdsHeap, IsNotCalledByAnExchange) {
  const std::string system = own_system();
  DdsNode one(system, "one");
  DdsNode other(system, "other");
  one.input("other", "y");
  one.output("x");
  other.output("y");
  ASSERT_NO_FATAL_FAILURE(one.begin());
  ASSERT_NO_FATAL_FAILURE(other.begin());
  ASSERT_TRUE(comes_true([&] {
    other.exchange({1});
    return one.exchange()[0] == 1;
  }));
  const std::array outputs{7.0};
  std::array inputs{0.0};
  std::array sampled{one.clock().now()};
  // A thousand, and until what is sent has come.
  const auto exchanges = [&](bool comes) {
    const HeapTrap trap;
    for (long n = 0; n < 1000 || (comes && inputs[0] != 7 && n < 100'000'000); ++n) {
      sampled[0] = one.clock().now();
      static_cast<void>(other.device().exchange(outputs, {}, {}));
      if (!one.device().exchange(outputs, inputs, sampled)) break;
      static_cast<void>(one.device().flush());
    }
    return std::pair(trap.calls(), trap.first_call());
  };
  const auto alive = exchanges(true);
  EXPECT_EQ(alive.first, 0) << alive.second;
  EXPECT_EQ(inputs[0], 7);
  ASSERT_EQ(::kill(one.gateway(), SIGKILL), 0);
  ASSERT_TRUE(comes_true([&] { return one.exchange(), one.count("gateway_lost") == 1; }));
  const auto alone = exchanges(false);
  EXPECT_EQ(alone.first, 0) << alone.second;
}

}  // namespace
}  // namespace hild::dds
