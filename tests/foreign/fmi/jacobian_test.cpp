// SPDX-License-Identifier: Apache-2.0
/// \file
/// Jacobians of an FMU: heat along a rod of n elements, x_i' = x_(i-1) - 2 x_i + x_(i+1), whose
/// Jacobian is known, by directional derivatives and by differences.
#include "foreign/fmi/jacobian.hpp"

#include <gtest/gtest.h>

#include "exec/fakes.hpp"
#include "foreign/fmi/fake_instance.hpp"

namespace hild::testing {
namespace {

double of_rod(std::size_t i, std::size_t k) {
  return i == k ? -2.0 : i + 1 == k || k + 1 == i ? 1.0 : 0.0;
}

class Rod final : public FakeInstance {
 public:
  struct Calls {
    int evaluations = 0;
    int directions = 0;
    bool operator==(const Calls&) const = default;
  };

  Rod(std::size_t n, Calls& calls) : FakeInstance(step_functions_of(this)), x_(n), calls_(calls) {}

  Status completed_step() noexcept { return ok; }
  Status set_time(double) noexcept { return ok; }
  Status set_states(In x) noexcept { return x_.assign(x.begin(), x.end()), ok; }
  Status get_states(Out x) noexcept override { return std::ranges::copy(x_, x.begin()), ok; }
  Status get_derivatives(Out dx) noexcept {
    ++calls_.evaluations;
    for (std::size_t i = 0; i < dx.size(); ++i) {
      dx[i] = 0;
      for (std::size_t k = 0; k < x_.size(); ++k) dx[i] += of_rod(i, k) * x_[k];
    }
    return ok;
  }
  Status get_event_indicators(Out) noexcept { return ok; }
  Status get_nominals(Out n) noexcept override { return std::ranges::fill(n, 1.0), ok; }
  Status get_directional_derivative(std::span<const fmi::ValueReference> rows,
                                    std::span<const fmi::ValueReference> states, In by,
                                    Out column) noexcept override {
    ++calls_.directions;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      column[i] = 0;
      for (std::size_t k = 0; k < states.size(); ++k) column[i] += of_rod(i, states[k]) * by[k];
    }
    return ok;
  }

 private:
  static constexpr Status ok = fmi::Status::ok;
  std::vector<double> x_;
  Calls& calls_;
};

constexpr std::size_t n = 7;

std::shared_ptr<fmi::Layout> layout_of_rod() {
  auto layout = std::make_shared<fmi::Layout>();
  std::vector<numerics::Place> places;
  for (std::size_t k = 0; k < n; ++k) {
    layout->states.push_back({"x"});
    layout->state_refs.push_back(static_cast<fmi::ValueReference>(k));
    layout->derivative_refs.push_back(static_cast<fmi::ValueReference>(n + k));
    for (std::size_t i = 0; i < n; ++i) {
      if (of_rod(i, k) != 0) places.push_back({i, k});
    }
  }
  layout->nominals.assign(n, 1.0);
  layout->pattern = std::make_shared<const numerics::Pattern>(n, places);
  return layout;
}

/// The largest error of a Jacobian at a state without symmetry; the `calls` it took.
double error_of(const std::shared_ptr<const fmi::Layout>& layout, Rod::Calls& calls) {
  fmi::ModelExchange fmu(layout, std::make_unique<Rod>(n, calls));
  std::vector<double> x(n);
  fmu.start(x);
  for (std::size_t i = 0; i < n; ++i) x[i] = 1 + 0.3 * static_cast<double>(i * i);
  std::vector<double> dx(n);
  const numerics::Structure& structure = layout->description.structure;
  std::vector<double> values(structure.room(n));
  const numerics::Jacobian j(values.data(), n, structure);
  fmu.derivatives(0, x, {}, dx);
  calls = {};
  fmi::FmuJacobian(*layout).at(fmu, 0, x, {}, dx, j);
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) worst = std::max(worst, std::abs(j(i, k) - of_rod(i, k)));
  }
  return worst;
}

// Rounding of a sum of numbers up to 40, over a difference of half of the digits.
constexpr double rounding = 40 * 0x1p-52 / 0x1p-26 * 4;

TEST(FmuJacobian, StatesThatShareNoDerivativeAreMovedTogether) {
  Rod::Calls calls;
  EXPECT_LT(error_of(layout_of_rod(), calls), rounding);
  EXPECT_EQ(calls, (Rod::Calls{3, 0}));
}

TEST(FmuJacobian, TakesAnEvaluationAStateWhereNothingIsKnown) {
  const auto layout = layout_of_rod();
  layout->pattern = {};
  Rod::Calls calls;
  EXPECT_LT(error_of(layout, calls), rounding);
  EXPECT_EQ(calls, (Rod::Calls{static_cast<int>(n), 0}));
}

TEST(FmuJacobian, DirectionsOfStatesThatShareNoDerivativeAreOne) {
  const auto layout = layout_of_rod();
  layout->directional_derivatives = true;
  Rod::Calls calls;
  EXPECT_EQ(error_of(layout, calls), 0.0);
  EXPECT_EQ(calls, (Rod::Calls{0, 3}));
  layout->pattern = {};
  EXPECT_EQ(error_of(layout, calls), 0.0);
  EXPECT_EQ(calls, (Rod::Calls{0, static_cast<int>(n)}));
}

// Of a pattern what is kept are its places alone, one after the other.
TEST(FmuJacobian, FillsAPatternAsItFillsAMatrix) {
  const auto layout = layout_of_rod();
  layout->description.structure = layout->dependencies();
  Rod::Calls calls;
  EXPECT_LT(error_of(layout, calls), rounding);
  layout->directional_derivatives = true;
  EXPECT_EQ(error_of(layout, calls), 0.0);
}

}  // namespace
}  // namespace hild::testing
