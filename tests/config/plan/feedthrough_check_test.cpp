// SPDX-License-Identifier: Apache-2.0
/// A model that says its outputs do not depend on an input at once is believed after a look.
#include <gmock/gmock.h>

#include "config/plan/model_checks.hpp"
#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::plan {
namespace {

/// y = x u, which is 0 at the start; z = v.
template <class Said>
struct Product {
  static constexpr std::string_view name = "product";
  static constexpr std::string_view summary = "for tests";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}, model::Input{"v"}};
  static constexpr std::array outputs{model::Output{"y"}, model::Output{"z"}};
  static constexpr auto feedthrough = Said::pairs;
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Product>;
  static void derivatives(double, typename D::X, typename D::U, typename D::P,
                          typename D::DX dx) noexcept {
    dx[0] = 1;
  }
  static void outputs_of(double, typename D::X x, typename D::U u, typename D::P,
                         typename D::Y y) noexcept {
    y[0] = x[0] * u[0];
    y[1] = u[1];
  }
};

struct All {
  static constexpr std::array pairs{model::Feedthrough{"y", "u"}, model::Feedthrough{"z", "v"}};
};
struct OnlyZ {
  static constexpr std::array pairs{model::Feedthrough{"z", "v"}};
};
struct Exchanged {
  static constexpr std::array pairs{model::Feedthrough{"z", "u"}, model::Feedthrough{"y", "u"}};
};

template <class Said>
std::string checked() {
  const auto plant = model::make_stepper<Product<Said>>(numerics::rk4);
  const auto result = check_feedthrough(plant->system());
  return result ? "believed" : result.error().message;
}

TEST(FeedthroughCheck, WhatIsSaidIsTrue) { EXPECT_EQ(checked<All>(), "believed"); }

TEST(FeedthroughCheck, WhatIsNotSaidIsFoundAwayFromZero) {
  EXPECT_THAT(checked<OnlyZ>(),
              ::testing::HasSubstr("model product: its output y goes from 0 to 0.1 at once as its "
                                   "input u goes from 0 to 1; say so in `feedthrough`"));
}

TEST(FeedthroughCheck, PairsAreNotMixedUp) {
  EXPECT_THAT(checked<Exchanged>(), ::testing::HasSubstr("its output z goes from 0 to 1"));
}

}  // namespace
}  // namespace hild::plan
