// SPDX-License-Identifier: Apache-2.0
#include "hild/numerics/catalogue.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "hild/numerics/coefficients.hpp"
#include "hild/numerics/methods.hpp"
#include "hild/numerics/methods/stiff.hpp"
#include "hild/numerics/order_conditions.hpp"
#include "numerics/problem.hpp"

namespace hild::numerics {
namespace {

TEST(Catalogue, HasTheMethodsOfThePapersWithTheirShape) {
  struct Row {
    const char* name;
    int order, passes, history;
    bool real_time;
  };
  // Howe's table 1 (passes, order); Bernstein: no four-stage method of order four is real-time.
  for (const Row& row :
       {Row{"forward-euler", 1, 1, 0, true}, Row{"ab-2", 2, 1, 1, true}, Row{"ab-3", 3, 1, 2, true},
        Row{"ab-4", 4, 1, 3, true}, Row{"rtam-2", 2, 2, 1, true}, Row{"rtam-3", 3, 2, 2, true},
        Row{"rtam-4", 4, 2, 3, true}, Row{"rtrk-2", 2, 2, 0, true}, Row{"rtrk-3", 3, 3, 0, true},
        Row{"rtrk-4", 4, 5, 0, true}, Row{"rk-4", 4, 4, 0, false}, Row{"heun", 2, 2, 0, false},
        Row{"am-2", 2, 2, 1, false}, Row{"am-3", 3, 2, 2, false}, Row{"am-4", 4, 2, 3, false},
        Row{"p-2/pc-3/c-3", 3, 3, 1, true}, Row{"p-3/pc-3/c-3", 3, 3, 2, true},
        Row{"ode-45", 4, 5, 0, true},
        // Only the linearly implicit Euler method does without inputs from the future.
        Row{"libe", 1, 1, 0, true}, Row{"backward-euler", 1, 1, 0, false},
        Row{"linear-radau-iia", 2, 2, 0, false}, Row{"radau-iia", 3, 2, 0, false}}) {
    const Method* m = find_method(row.name);
    ASSERT_NE(m, nullptr) << row.name;
    EXPECT_EQ(m->order, row.order) << row.name;
    EXPECT_EQ(m->passes, row.passes) << row.name;
    EXPECT_EQ(m->history, row.history) << row.name;
    EXPECT_EQ(m->real_time(), row.real_time) << row.name;
  }
}

TEST(Catalogue, NamesAndAliasesAreUnique) {
  std::set<std::string> seen;
  for (const Method* m : catalogue()) {
    EXPECT_TRUE(seen.emplace(m->name).second) << m->name;
    for (const auto alias : m->aliases) {
      if (alias.empty()) continue;
      EXPECT_TRUE(seen.emplace(alias).second) << alias;
      EXPECT_EQ(find_method(alias), m);
    }
  }
  EXPECT_EQ(find_method("rk-5"), nullptr);
  EXPECT_EQ(find_method(""), nullptr);
}

// A wrong coefficient must not pass: each weight of each method, changed a little, breaks it.
TEST(OrderConditions, NoticeEveryMisprint) {
  for (const Method* m : explicit_methods()) {
    EXPECT_TRUE(order_conditions::hold(*m)) << m->name;
    for (int i = 1; i <= m->passes; ++i) {
      for (std::size_t j = 0; j < static_cast<std::size_t>(i); ++j) {
        Method wrong = *m;
        auto& w = wrong.formulas[static_cast<std::size_t>(i)].pass[j];
        w = w + Rational(1, 100);
        EXPECT_FALSE(order_conditions::hold(wrong)) << m->name << " " << i << " " << j;
      }
      for (std::size_t k = 0; k < static_cast<std::size_t>(m->history); ++k) {
        Method wrong = *m;
        wrong.formulas[static_cast<std::size_t>(i)].history[k] += Rational(1, 100);
        EXPECT_FALSE(order_conditions::hold(wrong)) << m->name << " " << i << " F-" << k + 1;
      }
    }
  }
}

TEST(OrderConditions, NoticeMisprintsOfTheOtherResultsToo) {
  for (std::size_t j = 0; j < 5; ++j) {
    Method wrong = ode45;
    wrong.embedded.pass[j] += Rational(1, 10'000'000);
    EXPECT_FALSE(order_conditions::hold(wrong)) << "embedded " << j;
    for (std::size_t k = 0; k < dense_terms; ++k) {
      wrong = ode45;
      wrong.dense.pass[j][k] += Rational(1, 10'000'000);
      EXPECT_FALSE(order_conditions::hold(wrong)) << "dense " << j << " " << k;
    }
  }
}

// Huang prints six digits, cut off: not enough for the conditions, whose residual they leave.
TEST(OrderConditions, TheDigitsHuangPrintsAreNotEnough) {
  Method printed = ode45;
  printed.formulas[5].pass = {decimal("-0.389584"), decimal("2.016669"), decimal("-2.295837"),
                              decimal("1.6"), decimal("0.068749")};
  EXPECT_FALSE(order_conditions::hold(printed));
}

TEST(Decimal, IsTheNumberPrinted) {
  static_assert(decimal("0.25") == Rational(1, 4));
  static_assert(decimal("-11.5") == Rational(-23, 2));
  static_assert(decimal("7") == Rational(7));
  EXPECT_EQ(decimal("-11.02325436916627").value(), -11.02325436916627);
  EXPECT_EQ(decimal("0.05329989430716175").value(), 0.05329989430716175);
}

TEST(StiffConditions, NoticeEveryMisprint) {
  for (const Method* m : catalogue()) {
    if (!m->implicit()) continue;
    EXPECT_TRUE(stiff_conditions::hold(*m)) << m->name;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(m->passes); ++i) {
      for (std::size_t j = 0; j < static_cast<std::size_t>(m->passes); ++j) {
        Method wrong = *m;
        auto& w = wrong.formulas[i].pass[j];
        w = w + Rational(1, 100);
        EXPECT_FALSE(stiff_conditions::hold(wrong)) << m->name << " " << i << " " << j;
      }
    }
  }
}

TEST(StiffConditions, NoticeClaimsThatGoTooFar) {
  for (const Method* m : {&libe, &linear_radau_iia, &radau_iia, &backward_euler}) {
    Method wrong = *m;
    ++wrong.order;
    EXPECT_FALSE(stiff_conditions::hold(wrong)) << m->name;
  }
  Method once = radau_iia;  // one iteration from x_n leaves h^3
  once.iterations = 1;
  EXPECT_FALSE(stiff_conditions::hold(once));
}

// Printed is 9 F_{n+1} + 19 F_n - 5 F_{n+1} + F_{n+2}, of 24; meant are F_{n-1} and F_{n-2}.
TEST(OrderConditions, ThePrintedCorrectorOfHoweEquation4IsMisprinted) {
  const std::array<int, 4> weights{9, 19, -5, 1};
  const auto integral = [&](const std::array<int, 4>& at, int degree) {
    Rational sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      Rational term(weights[i], 24);
      for (int k = 0; k < degree; ++k) term *= Rational(at[i]);
      sum += term;
    }
    return sum;
  };
  EXPECT_EQ(integral({1, 0, 1, 2}, 0), Rational(1));
  EXPECT_EQ(integral({1, 0, 1, 2}, 1), Rational(1, 4)) << "and not 1/2";
  for (int degree = 0; degree < 4; ++degree) {
    EXPECT_EQ(integral({1, 0, -1, -2}, degree), Rational(1, degree + 1)) << degree;
  }
  // The catalogue has what is meant.
  const Formula& corrector = am4.formulas[2];
  EXPECT_EQ(corrector.pass[1], Rational(9, 24));
  EXPECT_EQ(corrector.pass[0], Rational(19, 24));
  EXPECT_EQ(corrector.history, (std::array<Rational, 3>{Rational(-5, 24), Rational(1, 24), 0}));
}

// AB-2 on an uneven grid, from the textbook: x + h ((1 + r/2) f_n - r/2 f_{n-1}), r = h / h_before.
TEST(Coefficients, AreRenewedForAnUnevenGrid) {
  for (const double r : {0.25, 1.0, 2.0, 3.7}) {
    Coefficients c = uniform_coefficients(ab2);
    const std::array<double, 1> age{1 / r};
    renew(ab2, age, c);
    EXPECT_NEAR(c.pass[1][0], 1 + r / 2, 1e-15);
    EXPECT_NEAR(c.history[1][0], -r / 2, 1e-15);
  }
}

// Whatever the ages, a formula over m derivatives integrates polynomials of degree m - 1 exactly.
TEST(Coefficients, IntegratePolynomialsExactlyWhateverTheAges) {
  const std::array<double, 3> age{0.5, 2.5, 3.0};
  for (const Method* m : {&ab4, &rtam4}) {
    Coefficients c = uniform_coefficients(*m);
    renew(*m, age, c);
    for (int degree = 0; degree < 4; ++degree) {
      const auto n = static_cast<std::size_t>(m->passes);
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += c.pass[n][j] * std::pow(c.node[j], degree);
      for (std::size_t k = 0; k < 3; ++k) sum += c.history[n][k] * std::pow(-age[k], degree);
      // rtam-4's corrector uses two of the three ages and its second pass.
      EXPECT_NEAR(sum, 1.0 / (degree + 1), 1e-14) << m->name << " degree " << degree;
    }
  }
}

TEST(Quadrature, SimpsonsRuleFollowsFromItsNodes) {
  const std::array<Rational, max_nodes> nodes{0, Rational(1, 2), 1};
  const auto w = interpolatory_weights(nodes, 3, Rational(1));
  EXPECT_EQ(w[0], Rational(1, 6));
  EXPECT_EQ(w[1], Rational(4, 6));
  EXPECT_EQ(w[2], Rational(1, 6));
}

}  // namespace
}  // namespace hild::numerics
