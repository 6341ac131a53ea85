// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the parts of an FMU for model exchange know of it, each alone.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "foreign/fmi/event_indicators.hpp"
#include "foreign/fmi/fake_instance.hpp"
#include "foreign/fmi/inputs.hpp"
#include "foreign/fmi/parameters.hpp"
#include "foreign/fmi/time_and_state.hpp"
#include "foreign/fmi/time_events.hpp"
#include "hild/model/system.hpp"

namespace hild::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Writes down the values it is given, one by one, and the times and states it is taken to.
class Noting final : public FakeInstance {
 public:
  explicit Noting(std::vector<double>& noted)
      : FakeInstance(step_functions_of(this)), noted_(noted) {}

  Status set_converted(fmi::Group& group) noexcept override {
    noted_.insert(noted_.end(), group.values.begin(), group.values.end());
    return group.values[0] == refused ? Status::error : Status::ok;
  }
  Status set_time(double t) noexcept { return noted_.push_back(t), Status::ok; }
  Status set_states(std::span<const double> x) noexcept {
    return noted_.push_back(x[0]), Status::ok;
  }
  Status get_derivatives(std::span<double>) noexcept { return Status::ok; }
  Status get_event_indicators(std::span<double>) noexcept { return Status::ok; }
  Status completed_step() noexcept { return Status::ok; }

  static constexpr double refused = 666;

 private:
  std::vector<double>& noted_;
};

fmi::Group one(std::size_t place) {
  fmi::Group group{.type = fmi::Type::int32};
  group.add(0, place, 1);
  return group;
}

class Owners : public ::testing::Test {
 protected:
  /// What the FMU has been given since the last call.
  std::vector<double> noted() { return std::exchange(noted_, {}); }

  fmi::Layout layout_{
      .states = {{"x"}},
      .inputs = {{"u", "1"}, {"w", "1"}},
      .parameters = {{"fixed", "1", 1}, {"tunable", "1", 2}, {"sized", "1", 3}},
      .continuous_inputs = {one(0)},
      .discrete_inputs = {one(1)},
      .parameters_set = {one(0), one(1), one(2)},
      .tunable = {false, true, false},
      .always_set = {false, false, true},
      .group_of_parameter = {0, 1, 2},
  };
  std::vector<double> noted_;
  fmi::CheckedInstance fmu_{layout_, std::make_unique<Noting>(noted_)};
};

TEST_F(Owners, ParametersAreSetAtTheStartWhereTheyAreNotTheFmusOwn) {
  fmi::Parameters parameters(layout_);
  parameters.set_at_start(fmu_);
  EXPECT_THAT(noted(), ElementsAre(3)) << "of another size than the FMU's own";
  parameters.change(0, 10);
  parameters.change(1, 20);
  parameters.set_at_start(fmu_);
  EXPECT_THAT(noted(), ElementsAre(10, 20, 3));
  EXPECT_FALSE(parameters.waiting());
}

TEST_F(Owners, ParametersChangeLaterWhereTheyAreTunable) {
  fmi::Parameters parameters(layout_);
  parameters.change(0, 10);
  EXPECT_FALSE(parameters.waiting());
  parameters.change(1, 20);
  parameters.change(1, 21);
  EXPECT_TRUE(parameters.waiting());
  parameters.set_changed(fmu_);
  EXPECT_THAT(noted(), ElementsAre(21));
  EXPECT_FALSE(parameters.waiting());
  parameters.set_changed(fmu_);
  EXPECT_THAT(noted(), IsEmpty());
  EXPECT_EQ(parameters[0], 10);
  EXPECT_EQ(parameters[1], 21);
}

TEST_F(Owners, NothingIsSetAfterACallFailed) {
  fmi::Parameters parameters(layout_);
  parameters.change(0, Noting::refused);
  parameters.change(1, 20);
  parameters.set_at_start(fmu_);
  EXPECT_THAT(noted(), ElementsAre(Noting::refused));
  EXPECT_STREQ(fmu_.failure(), "set parameters");
  fmu_.fail("another call");
  EXPECT_STREQ(fmu_.failure(), "set parameters") << "the first";
  fmu_.reset();
  EXPECT_FALSE(fmu_.failed());
}

TEST_F(Owners, ContinuousInputsAreGivenWhereTheyAreNew) {
  layout_.inputs[0].start = 5;
  layout_.inputs[1].start = 6;
  fmi::Inputs inputs(layout_);
  inputs.start(layout_, fmu_);
  EXPECT_THAT(noted(), ElementsAre(5, 6));
  EXPECT_TRUE(inputs.give(std::array{5.0, 7.0}, fmu_));
  EXPECT_THAT(noted(), ElementsAre(5)) << "not certain yet";
  EXPECT_TRUE(inputs.give(std::array{5.0, 7.0}, fmu_));
  EXPECT_THAT(noted(), IsEmpty());
  inputs.forget();
  EXPECT_TRUE(inputs.give(std::array{5.0, 7.0}, fmu_));
  EXPECT_THAT(noted(), ElementsAre(5));
  EXPECT_THAT(inputs.held(), ElementsAre(5, 6));
  EXPECT_FALSE(inputs.give(std::array{Noting::refused, 7.0}, fmu_));
  EXPECT_STREQ(fmu_.failure(), "set inputs");
}

TEST_F(Owners, DiscreteInputsAreGivenInEventMode) {
  fmi::Inputs inputs(layout_);
  inputs.start(layout_, fmu_);
  noted();
  EXPECT_FALSE(inputs.discrete_changed(std::array{1.0, 0.0}));
  EXPECT_TRUE(inputs.discrete_changed(std::array{1.0, 8.0}));
  inputs.give_discrete(std::array{1.0, 8.0}, fmu_);
  EXPECT_THAT(noted(), ElementsAre(8));
  EXPECT_FALSE(inputs.discrete_changed(std::array{1.0, 8.0}));
  EXPECT_THAT(inputs.held(), ElementsAre(0, 8));
}

TEST_F(Owners, TimeAndStateAreGivenWhereTheyAreNew) {
  fmi::TimeAndState at(1);
  at.to_time(0, fmu_);
  at.to_time(0, fmu_);
  at.to_state(std::array{3.0}, fmu_);
  at.to_state(std::array{3.0}, fmu_);
  EXPECT_THAT(noted(), ElementsAre(0, 3));
  at.through_state(std::array{3.0}, fmu_);
  at.to_state(std::array{3.0}, fmu_);
  EXPECT_THAT(noted(), IsEmpty());
  at.through_state(std::array{4.0}, fmu_);
  at.through_state(std::array{4.0}, fmu_);
  at.to_state(std::array{4.0}, fmu_);
  EXPECT_THAT(noted(), ElementsAre(4, 4, 4)) << "not kept on the way";
  at.through_state(std::array{5.0}, fmu_);
  at.to_state(std::array{4.0}, fmu_);
  EXPECT_THAT(noted(), ElementsAre(5, 4)) << "left on the way";
  at.to_state(std::array{0.0}, fmu_);
  at.to_state(std::array{-0.0}, fmu_);
  at.forget();
  at.to_time(0, fmu_);
  at.to_state(std::array{-0.0}, fmu_);
  EXPECT_THAT(noted(), ElementsAre(0, 0, 0, 0)) << "-0 is not 0; forgotten";
}

// The standard's domains are z > 0 and z <= 0.
TEST(Indicators, CrossWhereTheyLeaveTheSideOfTheLastEvent) {
  fmi::EventIndicators z(2);
  const auto become = [&](double a, double b) {
    z.values()[0] = a;
    z.values()[1] = b;
  };
  become(1, 0);
  z.settle();
  become(1e-300, -5);
  EXPECT_FALSE(z.any_crossed());
  become(0, -5);
  EXPECT_TRUE(z.crossed(0));
  EXPECT_FALSE(z.crossed(1));
  EXPECT_TRUE(z.any_crossed());
  become(2, 1e-300);
  EXPECT_FALSE(z.crossed(0));
  EXPECT_TRUE(z.crossed(1));
  EXPECT_TRUE(z.any_crossed());
  z.settle();
  EXPECT_FALSE(z.any_crossed());
}

fmi::DiscreteUpdate next_at(double t) { return {.timed = true, .next_time = t}; }

TEST(TimeEvents, AreDueWhenTheFmuSaysOrANanosecondLater) {
  fmi::TimeEvents events;
  EXPECT_EQ(events.next({}), model::never);
  EXPECT_EQ(events.take(next_at(0.25), 0), 0);
  EXPECT_EQ(events.next({}), SimTime{250'000'000});
  EXPECT_EQ(events.next(SimTime{250'000'000}), SimTime{250'000'001});
  EXPECT_EQ(events.take({}, 0.25), 0);
  EXPECT_EQ(events.next({}), model::never);
}

TEST(TimeEvents, AreCountedWhereTheyDoNotLieAhead) {
  fmi::TimeEvents events;
  EXPECT_EQ(events.take(next_at(1), 1), 1);
  EXPECT_EQ(events.take(next_at(0.5), 1), 2);
  EXPECT_EQ(events.take(next_at(1.5), 1), 0);
  EXPECT_EQ(events.take(next_at(1.5), 1.5), 1);
}

// hild's time is whole nanoseconds, and seconds as a double tell 2^-23 s apart beyond 2^29 s.
TEST(TimeEvents, AreActedUponAtTheirExactTime) {
  fmi::TimeEvents events;
  events.take(next_at(1.0 / 3), 0);
  EXPECT_EQ(events.exact(0.333333333), 1.0 / 3);
  EXPECT_EQ(events.exact(0.333333331), 0.333333331);
  const double late = 0x1p29;
  events.take(next_at(late), 0);
  const double beside = std::nextafter(late, 1e9);
  EXPECT_EQ(events.exact(beside), late);
  events.take({.timed = false, .next_time = late}, 0);
  EXPECT_EQ(events.exact(beside), beside);
}

}  // namespace
}  // namespace hild::testing
