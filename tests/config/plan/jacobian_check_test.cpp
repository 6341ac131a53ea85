// SPDX-License-Identifier: Apache-2.0
/// A Jacobian or a structure that is not that of the derivatives is refused, with names and
/// numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/plan/model_checks.hpp"
#include "config/plan/plan.hpp"
#include "hild/model/integrated.hpp"
#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/methods/stiff.hpp"
#include "support/many_states.hpp"

namespace hild::plan {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

enum class Fault { none, factor, place, narrow };

/// x' = -3 x + y^2, y' = 1e6 (x - y), z' = -z, with a Jacobian that may be wrong.
template <Fault F>
struct Wrong {
  static constexpr std::string_view name = "wrong", summary = "for tests";
  static constexpr std::array states{model::State{"x", "V", 1}, model::State{"y", "V", 2},
                                     model::State{"z", "V"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x", "V"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr auto structure =
      F == Fault::narrow ? numerics::banded(1, 0) : numerics::tridiagonal;
  using D = model::Data<Wrong>;
  static void derivatives(double, typename D::X x, typename D::U, typename D::P,
                          typename D::DX dx) noexcept {
    dx[0] = -3 * x[0] + x[1] * x[1];
    dx[1] = 1e6 * (x[0] - x[1]);
    dx[2] = -x[2];
  }
  static void jacobian(double, typename D::X x, typename D::U, typename D::P,
                       typename D::J j) noexcept {
    j(0, 0) = -3;
    j(0, 1) = (F == Fault::factor ? 1 : 2) * x[1];
    j(F == Fault::place ? 2 : 1, 0) = 1e6;
    j(1, 1) = -1e6;
    j(2, 2) = -1;
  }
  static void outputs_of(double, typename D::X x, typename D::U, typename D::P,
                         typename D::Y y) noexcept {
    y[0] = x[0];
  }
};

template <Fault F>
std::string verdict() {
  const auto plant = model::make_stepper<Wrong<F>>(numerics::libe);
  const auto checked = check_jacobian(plant->system(), {1, 2, 0});
  return checked ? "right" : checked.error().message;
}

TEST(CheckJacobian, LetsTheRightOnePass) { EXPECT_EQ(verdict<Fault::none>(), "right"); }

TEST(CheckJacobian, NamesStatesAndNumbersOfAWrongOne) {
  EXPECT_THAT(verdict<Fault::factor>(),
              AllOf(HasSubstr("model wrong"), HasSubstr("d(x')/d(y) = 2, "),
                    HasSubstr("change by 4 at y = 2"), HasSubstr("correct `jacobian`")));
  EXPECT_THAT(verdict<Fault::place>(),
              AllOf(HasSubstr("d(y')/d(x) = 0, "), HasSubstr("change by 1e+06 at x = 1")));
}

TEST(CheckJacobian, SuspectsTheStructureOfWhatItHasNoRoomFor) {
  EXPECT_THAT(verdict<Fault::narrow>(),
              AllOf(HasSubstr("d(x')/d(y) = 0, "), HasSubstr("declared `structure`")));
}

/// x' = -x + z, y' = -y, z' = x - z, where differences find what the pattern has.
template <bool Whole>
struct Patterned {
  static constexpr std::string_view name = "patterned", summary = "for tests";
  static constexpr std::array states{model::State{"x"}, model::State{"y"}, model::State{"z"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static inline const numerics::Pattern pattern{
      3, Whole ? std::vector<numerics::Place>{{0, 0}, {0, 2}, {1, 1}, {2, 0}, {2, 2}}
               : std::vector<numerics::Place>{{0, 0}, {1, 1}, {2, 0}, {2, 2}}};
  static constexpr auto structure = numerics::sparse(pattern);
  using D = model::Data<Patterned>;
  static void derivatives(double, typename D::X x, typename D::U, typename D::P,
                          typename D::DX dx) noexcept {
    dx[0] = -x[0] + x[2];
    dx[1] = -x[1];
    dx[2] = x[0] - x[2];
  }
  static void outputs_of(double, typename D::X x, typename D::U, typename D::P,
                         typename D::Y y) noexcept {
    y[0] = x[0];
  }
};

template <class M>
std::string verdict_of() {
  const auto plant = model::make_stepper<M>(numerics::libe);
  const auto checked = check_jacobian(plant->system(), {1, 2, 3});
  return checked ? "right" : checked.error().message;
}

TEST(CheckJacobian, SuspectsThePatternOfWhatItHasNoPlaceFor) {
  EXPECT_EQ(verdict_of<Patterned<true>>(), "right");
  EXPECT_THAT(verdict_of<Patterned<false>>(),
              AllOf(HasSubstr("d(x')/d(z) = 0, "), HasSubstr("change by 1 at z = 3"),
                    HasSubstr("declared `structure`")));
}

/// A thousand that decay, each said to be by itself, of which one is driven by another. They are of
/// one colour: the model's own differences find in one place what belongs into another.
struct Driven {
  static constexpr std::string_view name = "driven", summary = "for tests";
  static constexpr std::size_t n = 1000;
  static constexpr const auto& states = test::many_states<n>;
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr auto structure = numerics::banded(0, 0);
  using D = model::Data<Driven>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    for (std::size_t i = 0; i < n; ++i) dx[i] = -3 * x[i];
    dx[700] += 50 * x[31];
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};
struct DrivenWithJacobian : Driven {
  static void jacobian(double, D::X, D::U, D::P, D::J j) noexcept {
    for (std::size_t i = 0; i < n; ++i) j(i, i) = -3;
  }
};

TEST(CheckJacobian, FindsOneElementTooManyAmongAMillion) {
  const std::vector<double> x(1000, 1.0);
  const auto own = model::make_stepper<DrivenWithJacobian>(numerics::libe);
  const auto checked = check_jacobian(own->system(), x);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message,
              AllOf(HasSubstr("d(x00700')/d(x00031) = 0, "), HasSubstr("change by 50 at x00031")));

  const auto found = model::make_stepper<Driven>(numerics::libe);
  const auto refused = check_jacobian(found->system(), x);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("d(x00700')/d("), HasSubstr("declared `structure`")));
}

TEST(CheckJacobian, FindsTheBuiltInModelsRight) {
  for (const auto* m : model::models()) {
    if (m->description.name == "test-wrong") continue;
    const auto plant = m->make(numerics::libe);
    std::vector<double> initial;
    for (const auto& s : m->description.states) initial.push_back(s.start);
    const auto checked = check_jacobian(plant->system(), initial);
    EXPECT_TRUE(checked) << checked.error().message;
  }
}

/// A charge of some picocoulombs: q' = -q / tau - (q / q0)^3 i0, with its Jacobian or without.
template <bool Own>
struct Charge {
  static constexpr std::string_view name = "charge", summary = "for tests";
  static constexpr std::array states{model::State{.name = "q", .unit = "C", .nominal = 1e-12}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"q", "C"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Charge>;
  static double cubed(double q) noexcept { return 1e-9 * (q / 1e-12) * (q / 1e-12) * (q / 1e-12); }
  static void derivatives(double, typename D::X x, typename D::U, typename D::P,
                          typename D::DX dx) noexcept {
    dx[0] = -x[0] / 1e-3 - cubed(x[0]);
  }
  static void jacobian(double, typename D::X x, typename D::U, typename D::P,
                       typename D::J j) noexcept requires Own {
    j(0, 0) = -1e3 - 3e3 * (x[0] / 1e-12) * (x[0] / 1e-12);
  }
  static void outputs_of(double, typename D::X x, typename D::U, typename D::P,
                         typename D::Y y) noexcept {
    y[0] = x[0];
  }
};

TEST(CheckJacobian, LooksAroundByTheUsualSizeOfAState) {
  const auto plant = model::make_stepper<Charge<true>>(numerics::libe);
  const auto checked = check_jacobian(plant->system(), {2e-12});
  EXPECT_TRUE(checked) << checked.error().message;
}

TEST(CheckJacobian, SaysNothingOfWhatTheModelDidNotWrite) {
  const auto plant = model::make_stepper<Charge<false>>(numerics::libe);
  EXPECT_FALSE(plant->description().own_jacobian);
  EXPECT_TRUE(check_jacobian(plant->system(), {1.0})) << "far from anything it is usual to be";
  EXPECT_TRUE(model::describe<Charge<true>>().own_jacobian);
  EXPECT_TRUE(model::describe<Wrong<Fault::narrow>>().own_jacobian);
}

/// The same as a model that a configuration can name.
struct Registered : Wrong<Fault::factor> {
  static constexpr std::string_view name = "test-wrong";
};
std::unique_ptr<model::System> make_wrong() {
  return std::make_unique<model::SystemOf<Wrong<Fault::factor>>>();
}
const model::Registration registration{model::describe<Registered>(), &make_wrong,
                                       &model::make_stepper<Wrong<Fault::factor>>};
[[maybe_unused]] const bool registered = model::register_model(registration);

Plan plan_under(const std::string& method) {
  auto config = config::load_text(
      "frame: {period: 1 ms}\nmodel: {type: test-wrong}\n"
      "integrator: {method: " +
          method + "}\n",
      "wrong.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return make_plan(assemble(std::move(*config)), {}, {});
}

TEST(CheckJacobian, RefusesThePlanOfMethodsThatUseIt) {
  ASSERT_TRUE(plan_under("libe").refusal);
  EXPECT_EQ(plan_under("libe").refusal->code, ExitCode::usage);
  EXPECT_THAT(plan_under("libe").refusal->message, HasSubstr("d(x')/d(y)"));
  EXPECT_FALSE(plan_under("rtam-2").refusal);
}

}  // namespace
}  // namespace hild::plan
