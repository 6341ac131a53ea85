// SPDX-License-Identifier: Apache-2.0
/// \file
/// Steps of co-simulation that are not made as they were asked for: what counts as made, in 2.0 and
/// in 3.0, and of which length they are.
#include <gmock/gmock.h>

#include <array>

#include "foreign/fmi/exchange.hpp"
#include "foreign/fmi/fake_instance.hpp"
#include "foreign/fmi/fmi2.hpp"
#include "foreign/fmi/fmi3.hpp"
#include "hild/core/grid.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::testing {
namespace {

using fmi::Status;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::StartsWith;

// ---- 2.0 ---------------------------------------------------------------------------------------

fmi::v2::Functions two() {
  fmi::v2::Functions f{};
  f.free_instance = [](void*) {};
  f.do_step = [](void*, double, double, int) { return Status::discard; };
  return f;
}

fmi::Advance advance_of(const fmi::v2::Functions& f) {
  fmi::v2::Instance2 fmu(f, nullptr);
  fmi::Advance advance;
  EXPECT_EQ(fmu.do_step(3, 1, advance), Status::discard);
  return advance;
}

TEST(Discard, CountsForNothingWhereItIsNotSaid) {
  fmi::v2::Functions f = two();
  EXPECT_EQ(advance_of(f).reached, 3);
  f.get_real_status = [](void*, fmi::v2::StatusKind, double* last) {
    *last = 3.75;
    return Status::error;
  };
  EXPECT_EQ(advance_of(f).reached, 3);
  EXPECT_FALSE(advance_of(f).terminate);
}

TEST(Discard, CountsAsFarAsItIsSaid) {
  fmi::v2::Functions f = two();
  f.get_real_status = [](void*, fmi::v2::StatusKind kind, double* last) {
    *last = 3.25;
    return kind == fmi::v2::StatusKind::last_successful_time ? Status::ok : Status::error;
  };
  EXPECT_EQ(advance_of(f).reached, 3.25);
}

TEST(Discard, MayMeanTheEnd) {
  fmi::v2::Functions f = two();
  f.get_boolean_status = [](void*, fmi::v2::StatusKind kind, int* value) {
    *value = 1;
    return kind == fmi::v2::StatusKind::terminated ? Status::ok : Status::error;
  };
  EXPECT_TRUE(advance_of(f).terminate);
  f.get_boolean_status = [](void*, fmi::v2::StatusKind, int* value) {
    *value = 1;
    return Status::discard;
  };
  EXPECT_FALSE(advance_of(f).terminate);
}

TEST(Discard, CountsForNothingInThreeWhereItIsNotSaid) {
  fmi::v3::Functions f{};
  f.free_instance = [](void*) {};
  f.do_step = [](void*, double, double, bool, bool*, bool*, bool*, double*) {
    return Status::discard;
  };
  fmi::v3::Instance3 fmu(f, nullptr);
  fmi::Advance advance;
  EXPECT_EQ(fmu.do_step(3, 1, advance), Status::discard);
  EXPECT_EQ(advance.reached, 3);
}

// ---- steps of one length alone -----------------------------------------------------------------

struct Calls {
  std::vector<double> from{}, lengths{};
  Status status = Status::ok;
  double part = 1;  // of a step that it makes
  bool terminate = false;
};

class Stepped final : public FakeInstance {
 public:
  explicit Stepped(Calls& calls) : FakeInstance(fmi::StepFunctions{}), c_(calls) {}

  Status do_step(double t, double h, fmi::Advance& advance) noexcept override {
    c_.from.push_back(t);
    c_.lengths.push_back(h);
    advance = {t + c_.part * h, c_.terminate};
    return c_.status;
  }

 private:
  Calls& c_;
};

std::unique_ptr<model::Stepper> stepped(Calls& calls, double step, bool variable = false) {
  auto layout = std::make_shared<fmi::Layout>();
  layout->variable_steps = variable;
  layout->step = step;
  layout->description = {.name = "stepped", .summary = ""};
  return fmi::make_co_simulation(layout, std::make_unique<Stepped>(calls), numerics::forward_euler);
}

// After an overrun a step of hild covers two frames.
TEST(OneLength, ALongerStepIsSeveral) {
  Calls calls;
  const auto plant = stepped(calls, 0);
  plant->step({}, 1_ms, {});
  plant->step(SimTime{1'000'000}, 2_ms, {});
  plant->step(SimTime{3'000'000}, 1_ms, {});
  EXPECT_THAT(calls.lengths, ElementsAre(1e-3, 1e-3, 1e-3, 1e-3));
  Calls any;
  const auto other = stepped(any, 0, true);
  other->step({}, 1_ms, {});
  other->step(SimTime{1'000'000}, 2_ms, {});
  EXPECT_THAT(any.lengths, ElementsAre(1e-3, ::testing::DoubleNear(2e-3, 1e-15)));
}

// An event of another model cuts a frame in two: it holds over the cut.
TEST(OneLength, ACutFrameIsOneStep) {
  Calls calls;
  const auto plant = stepped(calls, 1e-3);
  plant->step({}, 1_ms, {});
  plant->step(SimTime{1'000'000}, 400_us, {});
  EXPECT_EQ(calls.lengths.size(), 1U);
  plant->step(SimTime{1'400'000}, 600_us, {});
  plant->step(SimTime{2'000'000}, 1_ms, {});
  EXPECT_THAT(calls.lengths, ElementsAre(1e-3, 1e-3, 1e-3));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(calls.from[i], 1e-3 * double(i), 1e-15);
}

// Ticks of 3 kHz are 333333 or 333334 ns apart.
TEST(OneLength, IsThatOfTheRate) {
  Calls calls;
  const auto plant = stepped(calls, 1.0 / 3000);
  const Grid grid = Grid::of_rate_hz(3000);
  for (std::int64_t n = 0; n < 6000; ++n) {
    const Duration h = grid.tick(n + 1) - grid.tick(n);
    plant->step(SimTime{grid.tick(n).ns}, h, {});
    ASSERT_EQ(calls.lengths.size(), static_cast<std::size_t>(n + 1));
  }
  EXPECT_THAT(calls.lengths, Each(1.0 / 3000));
}

// A second tells 4 ns apart there.
TEST(OneLength, IsOneAFrameAfterThreeHundredDays) {
  constexpr SimTime days{std::int64_t{300} * 86'400 * 1'000'000'000};
  for (const std::int64_t rate : {1000, 3000}) {
    Calls calls;
    const auto plant = stepped(calls, 1.0 / static_cast<double>(rate));
    const Grid grid = Grid::of_rate_hz(rate);
    for (std::int64_t n = 0; n < 3000; ++n) {
      const Duration h = grid.tick(n + 1) - grid.tick(n);
      plant->step(days + grid.tick(n), h, {});
      ASSERT_EQ(calls.lengths.size(), static_cast<std::size_t>(n + 1)) << rate;
    }
    EXPECT_EQ(plant->system().failed_function(), nullptr);
  }
}

TEST(OneLength, AStepThatIsNotMadeEndsTheRun) {
  Calls discarded{.status = Status::discard, .part = 0.5};
  const auto one = stepped(discarded, 1e-3);
  one->step({}, 1_ms, {});
  EXPECT_EQ(discarded.lengths.size(), 1U);
  EXPECT_THAT(one->system().failed_function(),
              StartsWith("do step (it takes steps of one length alone"));
  Calls early{.part = 0.5};
  const auto two = stepped(early, 1e-3);
  two->step({}, 1_ms, {});
  EXPECT_THAT(two->system().failed_function(),
              StartsWith("do step (it takes steps of one length alone"));
  Calls broken{.status = Status::error};
  const auto three = stepped(broken, 1e-3);
  three->step({}, 1_ms, {});
  EXPECT_STREQ(three->system().failed_function(), "do step");
  Calls ended{.terminate = true};
  const auto four = stepped(ended, 1e-3);
  four->step({}, 2_ms, {});
  EXPECT_EQ(ended.lengths.size(), 1U);
  EXPECT_STREQ(four->system().failed_function(), "do step (it asks to terminate)");
}

}  // namespace
}  // namespace hild::testing
