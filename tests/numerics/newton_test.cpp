// SPDX-License-Identifier: Apache-2.0
/// Newton's method in the order that the structure of the equations gives, beside solutions that
/// can be written down and beside all variables at once.
#include "hild/numerics/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hild/numerics/structure/traced.hpp"

namespace hild::numerics {
namespace {

/// What the equations of a test are traced by.
template <class E>
constexpr TracedSystem<E::size, 1> trace(std::array<double, E::size> at) {
  using T = Traced<E::size>;
  std::array<T, E::size> v{};
  std::array<T, E::size> r{};
  for (std::size_t j = 0; j < E::size; ++j) v[j] = T::variable(j, at[j]);
  E{}.residuals(std::span<const T, E::size>(v), std::span<T, E::size>(r));
  TracedSystem<E::size, 1> system;
  for (std::size_t i = 0; i < E::size; ++i) {
    system.depends[i] = r[i].depends;
    system.nonlinear[i] = r[i].nonlinear;
    system.coefficients[0][i] = r[i].d;
  }
  return system;
}

/// x + y = 3, x - y = 1.
struct Lines {
  static constexpr std::size_t size = 2;
  static constexpr std::array sizes{1.0, 1.0};
  [[maybe_unused]] static constexpr bool differentiable = true;
  template <class S>
  constexpr void residuals(std::span<const S, 2> v, std::span<S, 2> r) const noexcept {
    r[0] = v[0] + v[1] - 3;
    r[1] = v[0] - v[1] - 1;
  }
  static constexpr auto traced() { return trace<Lines>({}); }
};

/// A voltage over a resistor and a diode in a divider: i = (10 - u)/2, i = u^3 + w, w = u/4.
struct Divider {
  static constexpr std::size_t size = 3;
  static constexpr std::array sizes{1.0, 1.0, 1.0};
  [[maybe_unused]] static constexpr bool differentiable = true;
  template <class S>
  constexpr void residuals(std::span<const S, 3> v, std::span<S, 3> r) const noexcept {
    const auto& [u, i, w] = std::tie(v[0], v[1], v[2]);
    r[0] = 2 * i + u - 10;
    r[1] = i - u * u * u - w;
    r[2] = w - 0.25 * u;
  }
  static constexpr auto traced() { return trace<Divider>({1, 0, 0}); }
};

/// A circle and a hyperbola, x^2 + y^2 = 5, x y = 2, of which no variable is linear; beside it
/// a = x + b, b = 2 a - 9, which are.
struct Meeting {
  static constexpr std::size_t size = 4;
  static constexpr std::array sizes{1.0, 1.0, 1.0, 1.0};
  [[maybe_unused]] static constexpr bool differentiable = true;
  template <class S>
  constexpr void residuals(std::span<const S, 4> v, std::span<S, 4> r) const noexcept {
    r[0] = v[0] * v[0] + v[1] * v[1] - 5;
    r[1] = v[0] * v[1] - 2;
    r[2] = v[2] - v[0] - v[3];
    r[3] = v[3] - 2 * v[2] + 9;
  }
  static constexpr auto traced() { return trace<Meeting>({2.5, 0.5, 0, 0}); }
};

/// The same, unseen.
template <class E, bool Differentiable>
struct Opaque : E {
  static constexpr bool differentiable = Differentiable;
  static constexpr auto traced() = delete;
};

template <class E>
double solve(std::array<double, E::size>& v, int iterations) {
  return NewtonFor<E>::Type::solve(E{}, std::span<double, E::size>(v), iterations);
}

TEST(Newton, SolvesLinearEquationsAtOnce) {
  static_assert(Torn<Lines> && TornNewton<Lines>::plan.linear());
  std::array v{-40.0, 0.125};
  EXPECT_EQ(solve<Lines>(v, 1), 0);
  EXPECT_NEAR(v[0], 2, 1e-14);
  EXPECT_NEAR(v[1], 1, 1e-14);
}

// u = 10 - 2 (u^3 + u/4): 2 u^3 + 3/2 u - 10 = 0.
TEST(Newton, IteratesOnOneOfThree) {
  using Torn = TornNewton<Divider>;
  static_assert(Torn::plan.core == 2 && Torn::plan.variable[2] == 0);
  std::array v{1.0, 0.0, 0.0};
  EXPECT_LT(solve<Divider>(v, 8), 1e-12);
  EXPECT_NEAR(2 * v[0] * v[0] * v[0] + 1.5 * v[0], 10, 1e-13);
  EXPECT_NEAR(v[1], (10 - v[0]) / 2, 1e-14);
  EXPECT_NEAR(v[2], v[0] / 4, 1e-15);
}

// x = 2, y = 1; a = x + 2 a - 9 = 7, b = 5.
TEST(Newton, SolvesACoreOfSeveral) {
  static_assert(TornNewton<Meeting>::plan.core == 2);
  std::array v{2.5, 0.5, 0.0, 0.0};
  EXPECT_LT(solve<Meeting>(v, 8), 1e-12);
  const std::array expected{2.0, 1.0, 7.0, 5.0};
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(v[j], expected[j], 1e-13) << j;
}

// Newton's method does not notice in which order linear systems are solved.
template <class E>
void moves_alike(std::array<double, E::size> start) {
  for (int iterations = 1; iterations < 6; ++iterations) {
    auto torn = start;
    auto dense = start;
    const double moved = solve<E>(torn, iterations);
    const double all_moved = solve<Opaque<E, true>>(dense, iterations);
    for (std::size_t j = 0; j < E::size; ++j) {
      EXPECT_NEAR(torn[j], dense[j], 1e-13 * (1 + std::abs(dense[j]))) << iterations << " " << j;
    }
    EXPECT_LE(moved, all_moved * (1 + 1e-9) + 1e-13);  // it looks at less
  }
}

TEST(Newton, MovesAsWithAllAtOnce) {
  static_assert(!Torn<Opaque<Divider, true>>);
  moves_alike<Lines>({-3, 8});
  moves_alike<Divider>({1, 0, 0});
  moves_alike<Divider>({-2, 5, 1});
  moves_alike<Meeting>({2.5, 0.5, 0, 0});
}

// Differences of a slope are wrong by 1e-4 at most here, and take as many digits an iteration.
TEST(Newton, ComesToTheSameByDifferences) {
  std::array v{2.5, 0.5, 0.0, 0.0};
  EXPECT_LT((solve<Opaque<Meeting, false>>(v, 8)), 1e-12);
  const std::array expected{2.0, 1.0, 7.0, 5.0};
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(v[j], expected[j], 1e-13) << j;
}

// One iteration from u = 1, the others in keeping with it: 2 u^3 + 1.5 u - 10 = -6.5, its slope
// 7.5, so that u moves by 13/15 to 28/15.
TEST(Newton, TellsWhatItMovedLast) {
  std::array v{1.0, 4.5, 0.25};
  EXPECT_NEAR(solve<Divider>(v, 1), 13.0 / 15 / (28.0 / 15 + 1), 1e-12);
  EXPECT_NEAR(v[0], 28.0 / 15, 1e-14);
}

// u^3 has no slope at zero, and nothing else gives it one: x^3 = 1 from 0.
struct Flat {
  static constexpr std::size_t size = 1;
  static constexpr std::array sizes{1.0};
  [[maybe_unused]] static constexpr bool differentiable = true;
  template <class S>
  constexpr void residuals(std::span<const S, 1> v, std::span<S, 1> r) const noexcept {
    r[0] = v[0] * v[0] * v[0] - 1;
  }
  static constexpr auto traced() { return trace<Flat>({0}); }
};

TEST(Newton, SaysThatItIsFarOffWhereThereIsNoSlope) {
  std::array v{0.0};
  EXPECT_TRUE(std::isinf(solve<Flat>(v, 3)));
  EXPECT_FALSE(std::isfinite(v[0]));
}

}  // namespace
}  // namespace hild::numerics
