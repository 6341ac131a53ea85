// SPDX-License-Identifier: Apache-2.0
/// \file
/// In which order, and at which times, an FMU is called. This one is x' = 1, with an event
/// indicator at x = 0.0105 and a time event at 0.0032, and writes down what it is asked.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "exec/fakes.hpp"
#include "foreign/fmi/exchange.hpp"
#include "foreign/fmi/fake_instance.hpp"
#include "foreign/fmi/jacobian.hpp"

namespace hild::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

struct Diary {
  std::vector<double> completed, events, updates;
  std::vector<double> states;  // at the events
  int again = 0;               // updates it asks for in each event
  bool in_event_mode = true;   // as after initialisation
  bool refuses_event_mode = false;
  bool nominals_changed = false;
  double nominal = 1;
  double farthest = 0;            // state it was put to
  std::vector<std::string> sins;  // calls in the wrong mode
};

class Scripted final : public FakeInstance {
 public:
  explicit Scripted(Diary& diary) : FakeInstance(step_functions_of(this)), d_(diary) {}

  Status enter_initialization(double t) noexcept override { return t_ = t, ok; }
  Status exit_initialization() noexcept override { return d_.in_event_mode = true, ok; }
  Status reset() noexcept override { return x_ = 0, ok; }
  Status enter_event_mode() noexcept override {
    only_in(false, "enter event mode");
    d_.events.push_back(t_);
    d_.states.push_back(x_);
    if (d_.refuses_event_mode) return fmi::Status::fatal;
    d_.in_event_mode = true;
    left_ = d_.again;
    return ok;
  }
  Status update_discrete_states(fmi::DiscreteUpdate& u) noexcept override {
    only_in(true, "update");
    d_.updates.push_back(t_);
    u.again = left_-- > 0;
    u.timed = t_ < 0.0032;
    u.next_time = 0.0032;
    u.nominals_changed = d_.nominals_changed;
    return ok;
  }
  Status enter_continuous_time_mode() noexcept override {
    only_in(true, "enter continuous-time mode");
    return d_.in_event_mode = false, ok;
  }
  Status completed_step() noexcept {
    only_in(false, "completed step");
    d_.completed.push_back(t_);
    return ok;
  }
  Status set_time(double t) noexcept {
    only_in(false, "set time");
    return t_ = t, ok;
  }
  Status set_states(In x) noexcept {
    only_in(false, "set states");
    d_.farthest = std::max(d_.farthest, x[0]);
    return x_ = x[0], ok;
  }
  Status get_states(Out x) noexcept override { return x[0] = x_, ok; }
  Status get_derivatives(Out dx) noexcept { return dx[0] = 1, ok; }
  Status get_event_indicators(Out z) noexcept { return z[0] = x_ - 0.0105, ok; }
  Status get_nominals(Out n) noexcept override { return n[0] = d_.nominal, ok; }

 private:
  static constexpr Status ok = fmi::Status::ok;
  void only_in(bool event_mode, const char* call) {
    if (d_.in_event_mode != event_mode) d_.sins.emplace_back(call);
  }
  Diary& d_;
  double t_ = 0;
  double x_ = 0;
  int left_ = 0;
};

std::shared_ptr<const fmi::Layout> layout_of_scripted() {
  auto layout = std::make_shared<fmi::Layout>();
  layout->states = {{"x"}};
  layout->events = {{"z"}};
  layout->nominals = {1};
  layout->description = {.name = "scripted", .summary = ""};
  layout->description.states = layout->states;
  layout->description.events = layout->events;
  layout->description.time_events = true;
  return layout;
}

std::unique_ptr<model::Stepper> scripted(Diary& diary) {
  return fmi::make_exchange(layout_of_scripted(), std::make_unique<Scripted>(diary),
                            numerics::rtam2);
}

// Not at 11 ms, which the step across the event reached first; and not at all within a step.
TEST(Exchange, StepsAreCompletedOnceNoEventIsLeftInThem) {
  Diary diary;
  Rig rig(scripted(diary), [](double) { return 0.0; });
  rig.run(13);
  EXPECT_THAT(diary.sins, ElementsAre());
  std::vector<double> expected{1, 2, 3, 3.2, 4, 5, 6, 7, 8, 9, 10, 10.5, 11, 12};
  ASSERT_EQ(diary.completed.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(diary.completed[i], 1e-3 * expected[i], 1e-12) << i;
  }
  ASSERT_EQ(diary.events.size(), 2U) << ::testing::PrintToString(diary.events);
  EXPECT_EQ(diary.events[0], 0.0032);  // exactly as the FMU said
  EXPECT_NEAR(diary.events[1], 0.0105, 1e-12);
  EXPECT_GT(diary.states[1], 0.0105);
}

// The standard's domains are z > 0 and z <= 0: at 0 an indicator that rises has yet to cross.
TEST(Exchange, RisingIndicatorsCrossBeyondZero) {
  Diary diary;
  fmi::ModelExchange fmu(layout_of_scripted(), std::make_unique<Scripted>(diary));
  std::array<double, 1> x{};
  fmu.start(x);
  x[0] = 0.0105;
  EXPECT_FALSE(fmu.complete_step_without_event(0.0105, x));
  EXPECT_TRUE(fmu.carry_across(0, 0.0105, x, {}));
  EXPECT_GT(x[0], 0.0105);
  EXPECT_NEAR(x[0], 0.0105, 1e-12);
  EXPECT_TRUE(fmu.complete_step_without_event(0.0105, x));
}

// After a fatal error nothing may be called.
TEST(Exchange, NothingIsUpdatedWhereEventModeIsNotEntered) {
  Diary diary;
  fmi::ModelExchange fmu(layout_of_scripted(), std::make_unique<Scripted>(diary));
  std::array<double, 1> x{};
  fmu.start(x);
  diary.updates.clear();
  diary.refuses_event_mode = true;
  fmu.handle_event(0.001, x, {});
  EXPECT_THAT(diary.updates, ElementsAre());
  EXPECT_THAT(diary.sins, ElementsAre());
  EXPECT_TRUE(std::isnan(x[0]));
  EXPECT_STREQ(fmu.failure(), "enter event mode");
}

// Differences move a state at 0 by a part of its nominal value, whatever that is by now.
TEST(Exchange, NominalsAreThoseOfTheLastEventThatChangedThem) {
  Diary diary;
  auto layout = std::make_shared<fmi::Layout>(*layout_of_scripted());
  fmi::ModelExchange fmu(layout, std::make_unique<Scripted>(diary));
  std::array<double, 1> x{};
  fmu.start(x);
  const auto moved = [&] {
    std::array<double, 1> j{};
    diary.farthest = 0;
    fmi::FmuJacobian(*layout).by_differences(fmu, 0.001, std::array{0.0}, {}, std::array{1.0},
                                             {j.data(), 1, numerics::dense});
    return diary.farthest;
  };
  const double first = moved();
  EXPECT_GT(first, 0);
  diary.nominal = 1024;
  fmu.handle_event(0.001, x, {});
  EXPECT_EQ(moved(), first);  // it did not say so
  diary.nominals_changed = true;
  fmu.handle_event(0.001, x, {});
  EXPECT_EQ(fmu.nominals()[0], 1024);
  EXPECT_DOUBLE_EQ(moved(), 1024 * first);
}

TEST(Exchange, UpdatesAreCapped) {
  Diary diary;
  Rig rig(scripted(diary), [](double) { return 0.0; });
  diary.updates.clear();
  diary.again = 1000;
  rig.run(5);
  EXPECT_EQ(diary.updates.size(), 32U);
  EXPECT_THAT(diary.updates, Each(0.0032));
  EXPECT_THAT(diary.sins, ElementsAre());
}

}  // namespace
}  // namespace hild::testing
