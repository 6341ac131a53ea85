// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <concepts>
#include <string>

#include "hild/core/grid.hpp"
#include "hild/core/name.hpp"

namespace hild {
namespace {

__extension__ using Wide = __int128;  // the expectation, computed another way

template <class A, class B>
concept Subtractable = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};

// The two time lines cannot be mixed, and a duration is not a time.
static_assert(Subtractable<SimTime, SimTime>);
static_assert(!Subtractable<SimTime, MonoTime>);
static_assert(!Comparable<SimTime, MonoTime>);
static_assert(!Comparable<SimTime, Duration>);
static_assert(!std::convertible_to<Duration, SimTime>);

TEST(Duration, PartRoundsToTheNearestNanosecond) {
  EXPECT_EQ(part(1_ms, 1.0 / 3), 333'333_ns);
  EXPECT_EQ(part(1_ms, 2.0 / 3), 666'667_ns);
  EXPECT_EQ(part(-(1_ms), 2.0 / 3), -(666'667_ns));
}

// floor(n 1e9 / rate), in exact integers.
TEST(Grid, TicksAreTheFloorOfTheExactTime) {
  const Grid grid = Grid::of_rate_hz(3000);
  for (const std::int64_t n : {0L, 1L, 2L, 3L, 2999L, 3000L, 3001L, 1'000'000'000'007L}) {
    const auto exact = static_cast<Wide>(n) * 1'000'000'000 / 3000;
    EXPECT_EQ(grid.tick(n).ns, static_cast<std::int64_t>(exact)) << n;
  }
}

TEST(Grid, HoldsOverYearsAtAnAwkwardRate) {
  const Grid grid(1'000'000'000'000, 59'940);  // 59.94 Hz
  const std::int64_t n = 123'456'789;
  const auto exact = static_cast<Wide>(n) * 1'000'000'000'000 / 59'940;
  EXPECT_EQ(grid.tick(n).ns, static_cast<std::int64_t>(exact));
}

TEST(Grid, CountsTheFramesThatCoverADuration) {
  const Grid grid = Grid::of_rate_hz(3000);
  EXPECT_EQ(grid.frames_in(1_s), 3000);
  EXPECT_EQ(grid.frames_in(1_ns), 1);
  EXPECT_EQ(grid.frames_in(333'333_ns), 1);
  EXPECT_EQ(grid.frames_in(333'334_ns), 2);
}

TEST(Grid, RefusesWhatWouldOverflow) {
  EXPECT_TRUE(Grid::valid(1'000'000'000, 3000));
  EXPECT_FALSE(Grid::valid(0, 1));
  EXPECT_FALSE(Grid::valid(1, 2));
  EXPECT_FALSE(Grid::valid(INT64_MAX / 2, 1'000'000'000));
}

TEST(Name, IsKeptInPlaceAndCutAtItsCapacity) {
  EXPECT_EQ(Name("speed").view(), "speed");
  EXPECT_EQ(Name(std::string(100, 'x')).view().size(), Name::capacity);
  EXPECT_EQ(Name(std::string(100, 'x')).c_str()[Name::capacity], '\0');
}

}  // namespace
}  // namespace hild
