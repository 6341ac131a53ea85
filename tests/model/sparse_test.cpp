// SPDX-License-Identifier: Apache-2.0
/// A plate whose Jacobian is neither dense nor a band, under the stiff methods, beside its exact
/// modes.
#include <gtest/gtest.h>

#include "hild/numerics/methods/stiff.hpp"
#include "hild/numerics/tableau.hpp"
#include "support/plate.hpp"

namespace hild::test {
namespace {

/// (I - h A lambda) for each stage solved for its last: what a method makes of a mode, by its
/// tableau.
double growth(const numerics::Method& m, double z) {
  const auto a = numerics::uniform_coefficients(m);
  if (m.passes == 1) return 1 + z * a.pass[0][0] / (1 - z * a.pass[0][0]);
  const double det =
      (1 - z * a.pass[0][0]) * (1 - z * a.pass[1][1]) - z * z * a.pass[0][1] * a.pass[1][0];
  const double r0 = z * (a.pass[0][0] + a.pass[0][1]);
  const double r1 = z * (a.pass[1][0] + a.pass[1][1]);
  return 1 + ((1 - z * a.pass[0][0]) * r1 + z * a.pass[1][0] * r0) / det;
}

template <class M>
void expect_modes_to_decay(const numerics::Method& m, double tolerance) {
  const auto plant = model::make_stepper<M>(m);
  for (const auto& [a, b] : {std::pair{1, 1}, std::pair{2, 7}, std::pair{9, 9}}) {
    const auto x = M::mode(a, b);
    plant->set_initial(x);
    plant->step(SimTime{}, 1_ms, {});
    const double by = growth(m, 1e-3 * M::lambda(a, b));
    for (std::size_t i = 0; i < M::n; ++i) {
      ASSERT_NEAR(plant->states()[i], by * x[i], tolerance) << m.name << " " << a << " " << b;
    }
  }
}

TEST(Sparse, EveryLinearlyImplicitMethodTakesAPlate) {
  for (const numerics::Method* m : {&numerics::libe, &numerics::backward_euler,
                                    &numerics::linear_radau_iia, &numerics::radau_iia}) {
    expect_modes_to_decay<Plate<9>>(*m, 1e-13);
  }
}

TEST(Sparse, JacobianByDualNumbersIsTheSame) {
  expect_modes_to_decay<Plate<9, Given::dual>>(numerics::libe, 1e-13);
}

// Differences of half of the digits, of lambda h up to 8.
TEST(Sparse, JacobianByDifferencesOfColoursIsNear) {
  expect_modes_to_decay<Plate<9, Given::differences>>(numerics::libe, 1e-7);
}

template <class M>
int evaluations() {
  const auto plant = model::make_stepper<M>(numerics::libe);
  M::evaluated = 0;
  plant->step(SimTime{}, 1_ms, {});
  return M::evaluated;
}

struct Counted : Plate<9, Given::differences> {
  static inline int evaluated = 0;
  static void derivatives(double t, std::span<const double, n> x, model::Data<Counted>::U u,
                          model::Data<Counted>::P p, std::span<double, n> dx) noexcept {
    ++evaluated;
    Plate::derivatives<double>(t, x, u, p, dx);
  }
};

// One at the state, and one for each colour.
TEST(Sparse, DifferencesTakeAnEvaluationAColour) {
  EXPECT_EQ(evaluations<Counted>(), 1 + static_cast<int>(Counted::pattern.colours()));
  EXPECT_LT(Counted::pattern.colours(), 12U);
}

}  // namespace
}  // namespace hild::test
