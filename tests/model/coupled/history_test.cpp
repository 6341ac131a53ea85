// SPDX-License-Identifier: Apache-2.0
/// The polynomial through what is known of a model's outputs, and where it ends.
#include "model/coupled/history.hpp"

#include <gtest/gtest.h>

namespace hild::coupled {
namespace {

constexpr SimTime at_ms(std::int64_t ms) { return {ms * 1'000'000}; }

// What is pushed: a quadratic, at times that are not evenly spaced.
double square(std::int64_t ms) {
  const auto t = static_cast<double>(ms);
  return 3 - 2 * t + t * t;
}

History of_squares(const std::vector<std::int64_t>& times) {
  History history(1);
  for (const std::int64_t t : times) history.push(at_ms(t), std::array{square(t)});
  return history;
}

// The newest three make the quadratic, whatever the degree.
TEST(History, GoesThroughNoMoreValuesThanThereAre) {
  for (const int degree : {2, 3}) {
    EXPECT_NEAR(of_squares({1, 2, 4}).at(at_ms(7), 0, degree), square(7), 1e-9) << degree;
    EXPECT_NEAR(of_squares({0, 1, 2, 4}).at(at_ms(7), 0, degree), square(7), 1e-9) << degree;
  }
}

// One at the limit has no part in it, also where no more than three are left then.
TEST(History, KnowsOnlyWhatWasBeforeALimit) {
  for (const auto& times : {std::vector<std::int64_t>{1, 2, 4}, {-9, -3, 0, 1, 2, 4}}) {
    History history = of_squares(times);
    history.push(at_ms(5), std::array{1000.0});
    for (const int degree : {2, 3}) {
      EXPECT_NEAR(history.before(at_ms(5), at_ms(7), 0, degree), square(7), 1e-9) << degree;
    }
    EXPECT_NEAR(history.before(at_ms(5), at_ms(6), 0, 1), square(4) + (square(4) - square(2)),
                1e-9);  // 2 ms on, as from 2 to 4 ms
    EXPECT_EQ(history.before(at_ms(5), at_ms(7), 0, 0), square(4));
    EXPECT_EQ(history.before(at_ms(6), at_ms(7), 0, 0), 1000.0);
  }
}

TEST(History, GoesBackToAnInterruptionOnly) {
  History history = of_squares({1, 2, 4});
  history.interrupt();
  history.push(at_ms(5), std::array{10.0});
  EXPECT_EQ(history.at(at_ms(7), 0, 2), 10.0);
  // The same time once more does not bring back what was before it.
  history.push(at_ms(5), std::array{12.0});
  EXPECT_EQ(history.at(at_ms(7), 0, 2), 12.0);
  EXPECT_NEAR(history.before(at_ms(5), at_ms(7), 0, 2), square(7), 1e-9);
  history.push(at_ms(6), std::array{13.0});
  EXPECT_NEAR(history.at(at_ms(8), 0, 2), 15.0, 1e-12);
}

}  // namespace
}  // namespace hild::coupled
