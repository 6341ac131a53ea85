// SPDX-License-Identifier: Apache-2.0
/// Inputs made by the loop: their closed forms, their ends, tables that are lent.
#include <gtest/gtest.h>

#include <numbers>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::Refusal;
using exec::Reply;
using exec::Shape;
using exec::Stimulus;

// In force from 2 ms on; `tau` of step n is n - 2 ms.
std::vector<double> stimulated(const Stimulus& s, std::int64_t frames = 12) {
  SteeringRig rig(numerics::forward_euler, [](double) { return 100.0; });
  rig.at[1] = [&] { rig.post(transaction(1, s)); };
  rig.run(frames);
  EXPECT_EQ(rig.inputs()[1], 100);
  const auto u = rig.inputs();
  return {u.begin() + 2, u.end()};
}

TEST(Stimuli, AreTheirClosedForms) {
  constexpr double cycle = 2 * std::numbers::pi;
  const auto expect = [](const Stimulus& s, const std::function<double(double)>& form) {
    const auto u = stimulated(s);
    for (std::size_t n = 0; n < u.size(); ++n) {
      const double tau = 1e-3 * static_cast<double>(n);
      EXPECT_NEAR(u[n], (s.replace ? 0 : 100) + form(tau), 1e-12) << n;
    }
  };
  expect({.shape = Shape::step, .offset = 1, .amplitude = 3}, [](double) { return 4.0; });
  expect({.shape = Shape::ramp, .replace = true, .offset = 1, .amplitude = 8, .over = 4_ms},
         [](double t) { return 1 + 8 * std::min(t / 4e-3, 1.0); });
  expect({.shape = Shape::sine, .replace = true, .amplitude = 2, .frequency = 60, .phase = 0.5},
         [](double t) { return 2 * std::sin(cycle * 60 * t + 0.5); });
  expect({.shape = Shape::chirp,
          .replace = true,
          .amplitude = 2,
          .frequency = 10,
          .frequency_end = 90,
          .over = 8_ms},
         [](double t) {
           if (t <= 8e-3) return 2 * std::sin(cycle * (10 * t + 80 / 8e-3 * t * t / 2));
           return 2 * std::sin(cycle * (10 * 8e-3 + 80 * 8e-3 / 2 + 90 * (t - 8e-3)));
         });
}

TEST(Stimuli, EndWithTheirDuration) {
  const auto u = stimulated({.shape = Shape::step, .amplitude = 1, .duration = 3_ms});
  EXPECT_EQ(std::vector(u.begin(), u.begin() + 5), (std::vector<double>{101, 101, 101, 100, 100}));
}

TEST(Stimuli, PlayTablesAndGiveThemBack) {
  const std::array times{0.001, 0.003, 0.004};
  const std::array values{10.0, 20.0, -20.0};
  const exec::PlaybackTable table{times.data(), values.data(), times.size()};
  const Stimulus play{.shape = Shape::playback, .replace = true, .amplitude = 0.5, .table = table};
  SteeringRig rig;
  rig.at[1] = [&] { rig.post(transaction(5, play)); };
  rig.at[8] = [&] { rig.post(transaction(6, exec::Mark{1}, play)); };  // takes its place
  rig.at[10] = [&] { rig.post(transaction(7, exec::StopStimulus{0})); };
  rig.at[11] = [&] { rig.post(transaction(8, play)); };  // held until the end of the run
  rig.run(14);
  EXPECT_EQ(rig.inputs(), (std::vector<double>{1, 1, 5, 5, 7.5, 10, -10, -10, -10, 5, 5, 1, 5, 5}));
  std::vector<std::pair<std::uint64_t, std::int64_t>> released;
  for (const Reply& r : rig.replies) {
    if (r.kind == Reply::Kind::released) released.emplace_back(r.id, r.frame);
    EXPECT_EQ(r.change, r.kind == Reply::Kind::released && r.id == 6 ? 1U : 0U);
  }
  EXPECT_EQ(released,
            (std::vector<std::pair<std::uint64_t, std::int64_t>>{{5, 9}, {6, 11}, {8, 14}}));
}

TEST(Stimuli, RefuseWhatIsNoTable) {
  exec::ExternalEvents events;
  const auto submit = [&](std::vector<double> times, std::vector<double> values, std::uint64_t id) {
    const exec::PlaybackTable table{times.data(), values.data(), times.size()};
    return events.submit(
        transaction(id, Stimulus{.shape = Shape::playback, .amplitude = 1, .table = table}));
  };
  EXPECT_EQ(submit({0, 1}, {0, 1}, 1), Refusal::none);
  EXPECT_EQ(submit({0, 1}, {0, 1}, 0), Refusal::no_id);
  EXPECT_EQ(submit({}, {}, 1), Refusal::bad_table);
  EXPECT_EQ(submit({0, 1, 1}, {0, 1, 2}, 1), Refusal::bad_table);
  EXPECT_EQ(submit({0, 1}, {0, NAN}, 1), Refusal::not_finite);
  EXPECT_EQ(submit({0, INFINITY}, {0, 1}, 1), Refusal::not_finite);
}

// A late sample is brought back to its nominal time; what is made is evaluated at that time.
TEST(Stimuli, BelongToTheNominalTimeOfALatePass) {
  SteeringRig rig(numerics::forward_euler, [](double) { return 0.0; });
  rig.at[1] = [&] {
    rig.post(transaction(1, Stimulus{.shape = Shape::ramp, .amplitude = 1, .over = 1_s}));
  };
  rig.every_step = [&](std::int64_t step) {
    if (step == 4) rig.clock.advance(1'400_us);
  };
  rig.run(8);
  for (std::size_t n = 2; n < rig.steps.size(); ++n) {
    EXPECT_NEAR(rig.steps[n].inputs[0], seconds(rig.steps[n].header.t) - 2e-3, 1e-15) << n;
  }
}

// u = tau at every pass, and x its integral: exactly so for a method of second order whose passes
// each take what is made at their own release, which is rounded to a nanosecond.
TEST(Stimuli, AreThoseOfTheReleaseOfEachPass) {
  for (const auto* method : {&numerics::rtrk2, &numerics::rtrk3, &numerics::rtrk4}) {
    SteeringRig rig(*method, [](double) { return 7.0; });
    rig.settings.sampling = exec::Sampling::stage;
    rig.at[1] = [&] {
      rig.post(transaction(
          1, Stimulus{.shape = Shape::ramp, .replace = true, .amplitude = 1, .over = 1_s}));
    };
    rig.run(20);
    for (std::size_t n = 2; n < rig.steps.size(); ++n) {
      const double from = 1e-3 * (static_cast<double>(n) - 2);
      const double to = from + 1e-3;
      EXPECT_NEAR(rig.steps[n].states[0] - rig.steps[n - 1].states[0], (to * to - from * from) / 2,
                  1e-12)
          << method->name << " " << n;
    }
  }
}

}  // namespace
}  // namespace hild::testing
