// SPDX-License-Identifier: Apache-2.0
/// What of a parameter is refused.
#include "exec/change_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exec/stimuli.hpp"
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::testing {
namespace {

using exec::Refusal;

/// A mode of 0 to 3, a gain, and a size that holds from the start.
struct Choosable {
  static constexpr std::string_view name = "switched";
  static constexpr std::string_view summary = "one parameter of each sort";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array parameters{model::Parameter{"mode", "1", 0, 0, 3, true, true},
                                         model::Parameter{"gain", "1", 0, 0, 3},
                                         model::Parameter{"size", "1", 0, 0, 3, false, true}};
  using D = model::Data<Choosable>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 0; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

TEST(ChangeCheck, ParametersAreHeldToWhatTheySay) {
  const auto plant = model::make_stepper<Choosable>(numerics::forward_euler);
  const auto refusal = [&](std::uint32_t parameter, double value) {
    return check(exec::SetParameter{parameter, value},
                 {.parameters = plant->description().parameters});
  };
  EXPECT_EQ(refusal(0, 2), Refusal::none);
  EXPECT_EQ(refusal(0, 1.5), Refusal::not_whole);
  EXPECT_EQ(refusal(0, 4), Refusal::out_of_limits);
  EXPECT_EQ(refusal(1, 1.5), Refusal::none);
  EXPECT_EQ(refusal(2, 2), Refusal::not_tunable);
  EXPECT_EQ(to_string(Refusal::not_whole), "not_whole");
}

// Whoever posts it: what the loop makes of a stimulus is a number for as long as a run can last.
TEST(ChangeCheck, StimuliAreHeldToWhatStaysANumber) {
  const auto refusal = [](exec::Stimulus s) { return check(s, {.parameters = {}, .inputs = 1}); };
  const exec::Stimulus sine{.shape = exec::Shape::sine, .amplitude = 1, .frequency = 1e9};
  EXPECT_EQ(refusal(sine), Refusal::none);
  EXPECT_TRUE(std::isfinite(exec::value_of(sine, 1e10))) << "300 years";
  EXPECT_EQ(refusal({.shape = exec::Shape::sine, .frequency = 1.0000001e9}),
            Refusal::out_of_limits);
  EXPECT_EQ(refusal({.shape = exec::Shape::sine, .frequency = -1e308}), Refusal::out_of_limits);
  EXPECT_EQ(refusal({.shape = exec::Shape::chirp, .frequency_end = 1e308, .over = 1_s}),
            Refusal::out_of_limits);
  EXPECT_EQ(refusal({.offset = 1e308, .amplitude = -0.7e308}), Refusal::none);
  EXPECT_EQ(refusal({.offset = 1e308, .amplitude = -0.9e308}), Refusal::out_of_limits);
}

TEST(ChangeCheck, TablesAreHeldToWhatCanBeInterpolated) {
  const double times[] = {0, 1};
  const double near[] = {8e307, -8e307};
  const double far[] = {1e308, -1e308};
  EXPECT_EQ(exec::check_table({times, near, 2}), Refusal::none);
  EXPECT_EQ(exec::check_table({times, far, 2}), Refusal::not_finite);
}

}  // namespace
}  // namespace hild::testing
