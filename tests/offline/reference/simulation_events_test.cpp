// SPDX-License-Identifier: Apache-2.0
/// \file
/// State events of reference runs: relays, directions, events without end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "offline/reference/simulated.hpp"

namespace hild::test {
namespace {

using testing::HasSubstr;

/// A relay with hysteresis: x' = rate, which turns around at 1 and at -1; counts to the third
/// state.
struct Relay {
  static constexpr std::string_view name = "relay", summary{};
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array parameters{model::Parameter{"rate", "1/s", 1.0}};
  static constexpr std::array events{model::Event{"top", model::Crossing::rising},
                                     model::Event{"bottom", model::Crossing::falling}};
  using D = model::Data<Relay>;
  static void derivatives(double, D::X, D::U, D::P p, D::DX dx) noexcept { dx[0] = p[0]; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 2> g) noexcept {
    g[0] = x[0] - 1;
    g[1] = x[0] + 1;
  }
  static void on_event(std::size_t index, double, D::NewX, D::U, D::NewP p) noexcept {
    p[0] = index == 0 ? -1 : 1;
  }
};

// The state stays where it is: the function must be taken to have crossed, once.
TEST(StateEvents, ThatChangeAParameterOnlyFireOnceACrossing) {
  auto b = simulated<Relay>();
  ASSERT_TRUE(b.run(10_s));
  ASSERT_EQ(b.kept.events.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(b.kept.events[i].t, 1.0 + 2.0 * static_cast<double>(i), 1e-12);
    EXPECT_EQ(b.kept.events[i].index, i % 2);
  }
}

/// Watches x' = u cross 1: each way, and both.
struct Gates {
  static constexpr std::string_view name = "gates", summary{};
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"rising", model::Crossing::rising},
                                     model::Event{"falling", model::Crossing::falling},
                                     model::Event{"both"}, model::Event{"input"}};
  using D = model::Data<Gates>;
  static void derivatives(double t, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = std::cos(t); }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U u, D::P, std::span<double, 4> g) noexcept {
    g[0] = g[1] = g[2] = x[0] - 0.5;
    g[3] = u[0] - 3;
  }
  static void on_event(std::size_t, double, D::NewX, D::U, D::NewP) noexcept {}
};

// x = sin t crosses 1/2 at pi/6 and 5 pi/6 in every turn; the input jumps over 3 at 0.7 s.
TEST(StateEvents, MindTheirDirectionAndActTogether) {
  auto b = simulated<Gates>();
  ASSERT_TRUE(b.run(Jumps(), 7_s));
  std::vector<std::pair<double, std::size_t>> found;
  for (const auto& e : b.kept.events) found.emplace_back(e.t, e.index);
  const std::vector<std::pair<double, std::size_t>> expected{
      {M_PI / 6, 0},     {M_PI / 6, 2},      {0.7, 3},          {5 * M_PI / 6, 1},
      {5 * M_PI / 6, 2}, {13 * M_PI / 6, 0}, {13 * M_PI / 6, 2}};
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].first, expected[i].first, 1e-8) << i;
    EXPECT_EQ(found[i].second, expected[i].second) << i;
  }
  EXPECT_EQ(found[2].first, 0.7) << "at the jump, to the bit";
}

/// x = sin(t - phase) looks over a wall that is little lower than its peak.
struct Peak {
  static constexpr std::string_view name = "peak", summary{};
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array parameters{model::Parameter{"phase"}, model::Parameter{"wall"}};
  static constexpr std::array events{model::Event{"over", model::Crossing::rising},
                                     model::Event{"back", model::Crossing::falling},
                                     model::Event{"never"}};
  using D = model::Data<Peak>;
  static void derivatives(double t, D::X, D::U, D::P p, D::DX dx) noexcept {
    dx[0] = std::cos(t - p[0]);
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P p, std::span<double, 3> g) noexcept {
    g[0] = g[1] = x[0] - p[1];
    g[2] = x[0] - 1 - 1e-6;
  }
  static void on_event(std::size_t, double, D::NewX, D::U, D::NewP) noexcept {}
};

// Over it for 2.8 ms in steps of 100 ms, anywhere in them, and beside their ends.
TEST(StateEvents, ThatComeBackWithinAStepAreSeen) {
  constexpr double wall = 1 - 1e-6;
  const double half = std::acos(wall);
  const auto look_over = [&](double peak) {
    for (const auto kind : both_formulas) {
      auto b = simulated<Peak>();
      b.options = {.formula = kind, .tolerance = {1e-11, 1e-11}, .first_step = 0.1};
      b.options.largest_step = 0.1;
      b.system->set_parameter(0, peak - M_PI / 2);
      b.system->set_parameter(1, wall);
      b.system->set_initial(Vector{std::cos(peak)});
      ASSERT_TRUE(b.run(1_s));
      ASSERT_EQ(b.kept.events.size(), 2U) << peak;
      EXPECT_NEAR(b.kept.events[0].t, peak - half, 1e-6);
      EXPECT_NEAR(b.kept.events[1].t, peak + half, 1e-6);
      EXPECT_EQ(b.kept.events[0].index, 0U);
      EXPECT_EQ(b.kept.events[1].index, 1U);
    }
  };
  for (int n = 0; n < 100; ++n) look_over(0.0123 + 0.0091 * n);
  for (const double off : {-1e-3, -1e-4, -1e-6, -1e-9, 0.0, 1e-9, 1e-6, 1e-4, 1e-3}) {
    look_over(0.3 + off);
  }
}

/// A function that its own action keeps moving back across.
struct Endless {
  static constexpr std::string_view name = "endless", summary{};
  static constexpr std::array states{model::State{"x", "1", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"stuck", model::Crossing::falling}};
  using D = model::Data<Endless>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = -1; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = x[0];
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[0] = 1e-14; }
};

TEST(StateEvents, WithoutEndAreAFaultThatNamesThem) {
  auto b = simulated<Endless>();
  const auto done = b.run(2_s);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ExitCode::fault);
  EXPECT_THAT(done.error().message, HasSubstr("event `stuck` of endless fires again and again at "
                                              "t = 1 s"));
}

}  // namespace
}  // namespace hild::test
