// SPDX-License-Identifier: Apache-2.0
/// \file
/// How long the rehearsal of passes takes.
#include <gtest/gtest.h>

#include "config/plan/rehearsal.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::plan {
namespace {

/// A clock on which each look at it takes as long.
class Slow final : public rt::Clock {
 public:
  explicit Slow(Duration each) : each_(each) {}

  MonoTime now() noexcept override { return looks_ += 1, now_ += each_; }
  void sleep_until(MonoTime due) noexcept override { now_ = std::max(now_, due); }
  [[nodiscard]] int looks() const noexcept { return looks_; }

 private:
  Duration each_;
  MonoTime now_{};
  int looks_ = 0;
};

int looks_at(Duration each, bool whole) {
  const auto plant =
      model::find_model("spring-mass-damper")->make(*numerics::find_method("rtam-2"));
  Slow clock(each);
  const Spread cost = time_passes(clock, *plant, 1_ms, whole);
  // From one look to the next, for two passes.
  EXPECT_EQ(cost.median, each / 2);
  return clock.looks();
}

TEST(PassRehearsal, HasHundredsOfStepsUnlessTheyTakeTheirTime) {
  for (const bool whole : {false, true}) {
    EXPECT_GT(looks_at(1_us, whole), 2 * 400);
    // 200 ms are over within the first step; five are made. Each has a look before it, one
    // where its passes begin, one after it, and one whether that was enough.
    EXPECT_LE(looks_at(100_ms, whole), 5 * 4 + 1);
    EXPECT_GE(looks_at(100_ms, whole), 5 * 3 + 1);
    // 2 s are over within the first step.
    EXPECT_LE(looks_at(3000_ms, whole), 4 + 1);
  }
}

}  // namespace
}  // namespace hild::plan
