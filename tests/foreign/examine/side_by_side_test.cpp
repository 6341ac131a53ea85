// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models that share something with their like, and models that do not, on threads of their own.
#include "foreign/examine/side_by_side.hpp"

#include <gmock/gmock.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include "foreign/examine/models.hpp"
#include "hild/rt/thread.hpp"

namespace hild::examine {
namespace {

using testing::decay;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::nothing;

/// x' is a random number that all instances draw from one row, each from its place of the moment.
struct Drawn {
  static constexpr std::string_view name = "drawn", summary = "x' by random numbers";
  static constexpr std::array states{model::State{"level", "V", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"shown", "V"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Drawn>;
  static void derivatives(double t, D::X /*x*/, D::U /*u*/, D::P /*p*/, D::DX dx) noexcept {
    ::srand48(static_cast<long>(t * 1e6));
    for (int n = 0; n < 2000; ++n) static_cast<void>(::lrand48());
    dx[0] = static_cast<double>(::lrand48());
  }
  static void outputs_of(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = x[0];
  }
};

bool one_cpu() { return rt::allowed_cpus().size() < 2; }

// On one CPU two may still be in a step at the same time, or may not.
#define SKIP_ON_ONE_CPU \
  if (one_cpu()) GTEST_SKIP() << "this machine has one CPU"

Result<SideBySide> run_two(const std::unique_ptr<model::Stepper>& a,
                           const std::unique_ptr<model::Stepper>& b,
                           const SideBySideOptions& options = {}) {
  const std::array two{Instance{*a, 1_ms}, Instance{*b, 2_ms}};
  return run_side_by_side(two, options);
}

std::string why_not(const Result<SideBySide>& tried) {
  return tried ? tried->fault : tried.error().message;
}

// A microsecond or so, during which the other can be in one too.
void take_a_moment() {
  for (int n = 0; n < 100; ++n) static_cast<void>(::getppid());
}

TEST(SideBySide, ThoseThatShareNothingGiveTheSame) {
  SKIP_ON_ONE_CPU;
  const auto a = decay<take_a_moment>();
  const auto b = decay<take_a_moment>();
  const auto tried = run_two(a, b, {.steps = 50});
  ASSERT_TRUE(tried) << tried.error().message;
  EXPECT_GT(tried->met, 0);
  EXPECT_EQ(tried->fault, "");
  EXPECT_THAT(a->states(), ElementsAre(1.0)) << "they ran elsewhere";
  EXPECT_THAT(b->states(), ElementsAre(1.0));
}

TEST(SideBySide, ThoseThatShareARowOfNumbersGiveOthers) {
  SKIP_ON_ONE_CPU;
  const auto a = model::make_stepper<Drawn>(numerics::rk4);
  const auto b = model::make_stepper<Drawn>(numerics::rk4);
  EXPECT_EQ(why_not(run_two(a, b)), "give other values side by side than alone");
}

// Of three, each two are to meet; and each has a CPU, although this thread has but one.
TEST(SideBySide, EachTwoMeetWhateverCpuTheCallerIsOn) {
  SKIP_ON_ONE_CPU;
  const std::vector<int> cpus = rt::allowed_cpus();
  cpu_set_t before;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cpus.front()), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  const auto a = decay<take_a_moment>();
  const auto b = decay<take_a_moment>();
  const auto c = decay<take_a_moment>();
  const std::array three{Instance{*a, 1_ms}, Instance{*b, 1_ms}, Instance{*c, 1_ms}};
  const auto tried = run_side_by_side(three, {.cpus = cpus, .steps = 5});
  EXPECT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(why_not(tried), "");
}

// x goes below 1/2 after 0.69 s: that is the second step, and a round has two at least.
void end_at_an_event() { ::_exit(4); }
TEST(SideBySide, TheirEventsAct) {
  const auto a = decay<nothing, nothing, end_at_an_event>();
  const std::array one{Instance{*a, 400_ms}};
  EXPECT_EQ(why_not(run_side_by_side(one)),
            "end the process (exit code 4), alone, before they ran side by side");
}

long calls = 0;
void count_calls() { ++calls; }
struct Counting {
  static constexpr std::string_view name = "counting", summary = "x' = calls so far";
  static constexpr std::array states{model::State{"level", "V", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array<model::Output, 0> outputs{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Counting>;
  static void derivatives(double /*t*/, D::X /*x*/, D::U /*u*/, D::P /*p*/, D::DX dx) noexcept {
    count_calls();
    dx[0] = static_cast<double>(calls);
  }
  static void outputs_of(double /*t*/, D::X /*x*/, D::U /*u*/, D::P /*p*/, D::Y /*y*/) noexcept {}
};

TEST(SideBySide, ThoseThatDifferAloneAreSaidTo) {
  const auto a = model::make_stepper<Counting>(numerics::rk4);
  const auto b = model::make_stepper<Counting>(numerics::rk4);
  EXPECT_THAT(why_not(run_two(a, b)), HasSubstr("other values each time, alone as well"));
}

// On the thread that has all to itself nothing happens, on another what cannot be borne.
void abort_elsewhere() {
  if (::gettid() != ::getpid()) std::abort();
}
void leave_elsewhere() {
  if (::gettid() != ::getpid()) ::_exit(3);
}
void hang_elsewhere() {
  if (::gettid() != ::getpid()) ::pause();
}

TEST(SideBySide, WhatGoesWrongThenIsSaid) {
  const auto said = [](const auto& plant, const SideBySideOptions& options = {}) {
    return why_not(run_two(plant, decay<nothing>(), options));
  };
  EXPECT_EQ(said(decay<abort_elsewhere>()), "crash (Aborted), side by side");
  EXPECT_EQ(said(decay<leave_elsewhere>()), "end the process (exit code 3), side by side");
  EXPECT_EQ(said(decay<hang_elsewhere>(), {.patience = 2_s}), "do not return, side by side");
}

void hang() { ::pause(); }

TEST(SideBySide, AHangAloneIsSaidToBeThat) {
  const auto plant = decay<nothing, hang>();
  EXPECT_EQ(why_not(run_two(plant, plant, {.patience = 300_ms})),
            "do not return, alone, before they ran side by side");
}

// One never is at the same time as another.
TEST(SideBySide, ThatTwoNeverMetIsNotTakenForTheSame) {
  const auto plant = decay<nothing>();
  const std::array one{Instance{*plant, 1_ms}};
  const auto tried = run_side_by_side(one, {.steps = 1});
  ASSERT_FALSE(tried);
  EXPECT_EQ(tried.error().message, "two never ran at the same time");
}

}  // namespace
}  // namespace hild::examine
