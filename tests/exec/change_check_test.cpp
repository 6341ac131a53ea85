// SPDX-License-Identifier: Apache-2.0
/// What of a parameter is refused.
#include "exec/change_check.hpp"

#include <gtest/gtest.h>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::testing {
namespace {

using exec::Refusal;

/// A mode of 0 to 3, a gain, and a size that holds from the start.
struct Switched {
  static constexpr std::string_view name = "switched";
  static constexpr std::string_view summary = "one parameter of each sort";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array parameters{model::Parameter{"mode", "1", 0, 0, 3, true, true},
                                         model::Parameter{"gain", "1", 0, 0, 3},
                                         model::Parameter{"size", "1", 0, 0, 3, false, true}};
  using D = model::Data<Switched>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 0; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

TEST(ChangeCheck, ParametersAreHeldToWhatTheySay) {
  const auto plant = model::make_plant<Switched>(numerics::forward_euler);
  model::Plant* const plants[] = {plant.get()};
  const auto refusal = [&](std::uint32_t parameter, double value) {
    return check(exec::SetParameter{0, parameter, value}, {.plants = plants});
  };
  EXPECT_EQ(refusal(0, 2), Refusal::none);
  EXPECT_EQ(refusal(0, 1.5), Refusal::not_whole);
  EXPECT_EQ(refusal(0, 4), Refusal::out_of_limits);
  EXPECT_EQ(refusal(1, 1.5), Refusal::none);
  EXPECT_EQ(refusal(2, 2), Refusal::not_tunable);
  EXPECT_EQ(to_string(Refusal::not_whole), "not_whole");
}

}  // namespace
}  // namespace hild::testing
