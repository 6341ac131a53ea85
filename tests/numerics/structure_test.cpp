// SPDX-License-Identifier: Apache-2.0
/// The structure of equations: small systems worked by hand, random ones beside Boost.Graph, and
/// Cellier's circuit.
#include <gtest/gtest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <boost/graph/strong_components.hpp>
#include <cmath>
#include <random>

#include "hild/numerics/structure/elimination.hpp"
#include "hild/numerics/structure/traced.hpp"

namespace hild::numerics {
namespace {

constexpr Places set(std::initializer_list<std::size_t> places) {
  Places all = 0;
  for (const std::size_t p : places) all |= only(p);
  return all;
}

// ---- matching ----------------------------------------------------------------------------------

// Equation 0 must leave variable 0 to equation 1, which has no other.
TEST(Matching, TakesBackWhatAnotherEquationNeeds) {
  constexpr Incidence<3> equations{set({0, 1}), set({0}), set({1, 2})};
  constexpr auto variable_of = maximum_matching(equations);
  EXPECT_EQ(variable_of, (std::array<std::size_t, 3>{1, 0, 2}));
}

// Three equations of two variables.
TEST(Matching, LeavesAnEquationWithoutVariable) {
  constexpr Incidence<3> equations{set({0, 1}), set({0, 1}), set({0, 1})};
  constexpr auto variable_of = maximum_matching(equations);
  EXPECT_EQ(std::count(variable_of.begin(), variable_of.end(), unmatched), 1);
}

template <std::size_t N>
Incidence<N> random_equations(std::mt19937& random, unsigned one_of) {
  Incidence<N> equations{};
  for (auto& e : equations) {
    for (std::size_t j = 0; j < N; ++j) e |= random() % one_of == 0 ? only(j) : 0;
  }
  return equations;
}

TEST(Matching, IsAsLargeAsBoosts) {
  constexpr std::size_t n = 12;
  std::mt19937 random(1);
  int singular = 0;
  for (int round = 0; round < 200; ++round) {
    const auto equations = random_equations<n>(random, static_cast<unsigned>(3 + round % 4));
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      for_each_place(equations[i], [&](std::size_t j) { boost::add_edge(i, n + j, graph); });
    }
    std::vector<std::size_t> mate(2 * n);
    boost::edmonds_maximum_cardinality_matching(graph, mate.data());
    const auto variable_of = maximum_matching(equations);
    Places used = 0;
    std::size_t matched = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (variable_of[i] == unmatched) continue;
      ASSERT_TRUE(contains(equations[i], variable_of[i]));
      ASSERT_FALSE(contains(used, variable_of[i]));
      used |= only(variable_of[i]);
      ++matched;
    }
    ASSERT_EQ(matched, boost::matching_size(graph, mate.data())) << round;
    singular += matched < n ? 1 : 0;
  }
  EXPECT_GT(singular, 10);
  EXPECT_LT(singular, 190);
}

// ---- blocks ------------------------------------------------------------------------------------

// x2 = 1; x0 + x1 = x2 and x0 - x1 = x2 together; x3 = x0.
TEST(Blocks, ComeAfterWhatTheyNeed) {
  constexpr Incidence<4> equations{set({0, 1, 2}), set({0, 1, 2}), set({2}), set({0, 3})};
  constexpr auto blocks = blocks_of(equations, maximum_matching(equations));
  ASSERT_EQ(blocks.count, 3);
  EXPECT_EQ(blocks.equations[0], set({2}));
  EXPECT_EQ(blocks.equations[1], set({0, 1}));
  EXPECT_EQ(blocks.equations[2], set({3}));
}

TEST(Blocks, AreBoostsStrongComponents) {
  constexpr std::size_t n = 12;
  std::mt19937 random(2);
  int several = 0;
  for (int round = 0; round < 200; ++round) {
    auto equations = random_equations<n>(random, 8);
    for (std::size_t i = 0; i < n; ++i) equations[i] |= only(i);
    const auto variable_of = maximum_matching(equations);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(n);
    for (std::size_t i = 0; i < n; ++i) {
      for_each_place(equations[i], [&](std::size_t j) { boost::add_edge(i, j, graph); });
    }
    std::vector<std::size_t> component(n);
    const auto count = boost::strong_components(graph, component.data());
    const auto blocks = blocks_of(equations, variable_of);
    ASSERT_EQ(blocks.count, count) << round;
    several += count > 1 && count < n ? 1 : 0;
    Places before = 0;
    for (std::size_t b = 0; b < blocks.count; ++b) {
      const Places block = blocks.equations[b];
      before |= block;
      for_each_place(block, [&](std::size_t i) {
        EXPECT_EQ(component[i], component[lowest(block)]);
        EXPECT_EQ(equations[i] & ~before, 0U);  // own variables have the numbers of equations
      });
    }
    EXPECT_EQ(before, first_places(n));
  }
  EXPECT_GT(several, 50);
}

// ---- tracing -----------------------------------------------------------------------------------

TEST(Traced, TellsLinearFromNonlinear) {
  using T = Traced<3>;
  const T x = T::variable(0, 2);
  const T y = T::variable(1, 0);
  const T z = T::variable(2, 5);
  const T linear = 3 * x - y / 4 + 1;
  EXPECT_EQ(linear.depends, set({0, 1}));
  EXPECT_EQ(linear.nonlinear, 0U);
  EXPECT_EQ(linear.value, 7);
  EXPECT_EQ(linear.d, (std::array{3.0, -0.25, 0.0}));
  // Its derivative by y is zero here, but not elsewhere.
  const T product = linear - y * y + z;
  EXPECT_EQ(product.depends, set({0, 1, 2}));
  EXPECT_EQ(product.nonlinear, set({1}));
  EXPECT_EQ((x * z).nonlinear, set({0, 2}));
  EXPECT_EQ((1 / z).nonlinear, set({2}));
  EXPECT_DOUBLE_EQ((x / z).d[2], -2.0 / 25);
  EXPECT_EQ(exp(y).nonlinear, set({1}));
  EXPECT_EQ(abs(-x).d[0], 1);
  EXPECT_EQ(exp(y).d[1], 1);
  // At zero its slope is infinite, which is nothing to those that it does not depend on.
  EXPECT_EQ((x + sqrt(y)).d[0], 1);
}

// ---- tearing -----------------------------------------------------------------------------------

// A ring of three, each equation with its own variable and the next: one is torn, two follow.
TEST(Tearing, OpensARing) {
  constexpr Incidence<3> equations{set({0, 1}), set({1, 2}), set({2, 0})};
  constexpr auto t = tear(equations, equations, maximum_matching(equations));
  EXPECT_EQ(count_of(t.torn), 1);
  EXPECT_EQ(t.causal, 2);
  EXPECT_EQ(count_of(t.residuals), 1);
}

TEST(Tearing, TearsNothingThatFollows) {
  constexpr Incidence<3> equations{set({0, 1, 2}), set({1}), set({1, 2})};
  constexpr auto t = tear(equations, equations, maximum_matching(equations));
  EXPECT_EQ(t.torn, 0U);
  EXPECT_EQ(t.equation, (std::array<std::size_t, 3>{1, 2, 0}));
  EXPECT_EQ(t.variable, (std::array<std::size_t, 3>{1, 2, 0}));
}

// The same ring: equation 0 may be solved for neither of its variables, so that it is a residual.
TEST(Tearing, NeverDividesByWhatItMustNot) {
  constexpr Incidence<3> equations{set({0, 1}), set({1, 2}), set({2, 0})};
  constexpr Incidence<3> solvable{0, set({1}), set({2})};
  constexpr auto t = tear(equations, solvable, maximum_matching(equations));
  EXPECT_EQ(t.torn, set({0}));
  EXPECT_EQ(t.residuals, set({0}));
  EXPECT_EQ(t.variable[0], 2);
  EXPECT_EQ(t.variable[1], 1);
}

TEST(Solvable, IsWhatIsConstantAndLargeInEverySample) {
  TracedSystem<2, 2> system;
  system.depends = {set({0, 1}), set({0, 1})};
  system.nonlinear = {0, set({1})};
  system.coefficients[0] = {{{1, 0.5}, {2, 9}}};
  system.coefficients[1] = {{{1, 0.1}, {-3, 9}}};
  // 0.1 and 2 of 9 are less than the least share.
  EXPECT_EQ(system.solvable(), (Incidence<2>{set({0}), 0}));
  system.coefficients[0][1][0] = -3;
  EXPECT_EQ(system.solvable(), (Incidence<2>{set({0}), set({0})}));
}

// ---- Cellier's circuit -------------------------------------------------------------------------

/// Inline Integration IV: backward Euler's equations for a step h at u_C = v.
CoefficientsOf<13> circuit(double h, double v) {
  constexpr double l = 10e-3, c = 1e-3, r = 10, k = 0.04, r_load = 1e3, c_load = 1e-9;
  CoefficientsOf<13> a{};
  for (std::size_t i = 0; i < 13; ++i) a[i][i] = 1;
  a[0][1] = -h / l;
  a[1][0] = a[1][2] = h / c;
  a[1][1] = 1 - h / c * (1 - 3 * k * v * v);
  for (std::size_t i = 2; i < 12; i += 2) {
    a[i][i - 1] = -h / l;
    a[i][i] = 1 + h * r / l;
    a[i][i + 1] = h / l;
    a[i + 1][i] = -h / c;
    if (i < 10) a[i + 1][i + 2] = h / c;
  }
  a[11][11] = 1 + h / (r_load * c);
  a[11][12] = -h / (r_load * c);
  a[12][11] = -h / (r_load * c_load);
  a[12][12] = 1 + h / (r_load * c_load);
  return a;
}

TracedSystem<13, 3> traced_circuit() {
  TracedSystem<13, 3> system;
  system.coefficients = {circuit(1e-3, 0.1), circuit(1e-4, 0.1), circuit(1e-5, 0.1)};
  for (std::size_t i = 0; i < 13; ++i) {
    for (std::size_t j = 0; j < 13; ++j) {
      if (system.coefficients[0][i][j] != 0) system.depends[i] |= only(j);
    }
  }
  system.nonlinear[1] = only(1);
  return system;
}

// Inline Integration V: "We got away with six tearing variables." They are the voltages.
TEST(CellierCircuit, IsTornAtSixVoltages) {
  const auto system = traced_circuit();
  const auto t = tear(system.depends, system.solvable(), maximum_matching(system.depends));
  EXPECT_EQ(t.torn, set({1, 3, 5, 7, 9, 11}));
  EXPECT_EQ(t.causal, 7);
  // What follows is a current, from voltages by h/L over one or two, or the load's voltage.
  EXPECT_LT(amplification(t, circuit(1e-3, 0.1)), 1000.5 / 1001 + 1.1);
}

// With u_C alone torn, each equation gives the next state: on paper only. 7.27e11 is what errors of
// it become in the last equation at 1 ms, by that recurrence.
TEST(CellierCircuit, WouldOnPaperNeedOneOnly) {
  const auto system = traced_circuit();
  const auto t = tear(system.depends, system.depends, maximum_matching(system.depends));
  EXPECT_EQ(count_of(t.torn), 1);
  Tearing<13> paper{.causal = 12, .residuals = only(12), .torn = only(1)};
  for (std::size_t k = 0; k < 12; ++k) {
    paper.equation[k] = k;
    paper.variable[k] = k == 0 ? 0 : k + 1;
  }
  EXPECT_NEAR(amplification(paper, circuit(1e-3, 0.1)) / 7.27e11, 1, 1e-3);
  EXPECT_GT(amplification(t, circuit(1e-3, 0.1)), 1e4);
}

TEST(CellierCircuit, LeavesOneVariableToTheIterations) {
  const auto e = elimination_of(traced_circuit());
  ASSERT_FALSE(e.singular);
  EXPECT_EQ(e.core, 12);
  EXPECT_EQ(e.variable[12], 1);
  EXPECT_EQ(e.equation[12], 1);
  EXPECT_EQ(e.again, only(12));
}

TEST(Elimination, IsRefusedWhereThereIsNoMatching) {
  TracedSystem<2, 1> system;
  system.depends = {set({0}), set({0})};
  system.coefficients[0] = {{{1, 0}, {1, 0}}};
  EXPECT_TRUE(elimination_of(system).singular);
}

TEST(Colours, ShareNoEquation) {
  constexpr Incidence<4> chain{set({0, 1}), set({0, 1, 2}), set({1, 2, 3}), set({2, 3})};
  constexpr auto c = Colours<4>::found(chain, first_places(4));
  EXPECT_EQ(c.count, 3);  // tridiagonal
  EXPECT_EQ(c.of, (std::array<std::size_t, 4>{0, 1, 2, 0}));
  EXPECT_EQ((Colours<4>::found(chain, set({0, 3})).count), 1);
}

}  // namespace
}  // namespace hild::numerics
