// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who is in the background, how urgent, and when a step of it ends at the latest: by hand.
#include "config/plan/background.hpp"

#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "config/config.hpp"
#include "config/plan/plan.hpp"
#include "config/plan/rehearsal.hpp"
#include "hild/rt/clock.hpp"

namespace hild::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

BackgroundPlan step(int cpu, int every, Duration pass, std::vector<double> nodes = {0}) {
  return {.cpu = cpu, .every = every, .nodes = std::move(nodes), .pass = pass};
}

// The frame thread is on CPU 0 and takes 0.2 of every millisecond.
std::vector<BackgroundPlan> judged(std::vector<BackgroundPlan> steps) {
  config::Frame thread;
  thread.cpu = 0;
  judge_background(steps, thread, 1_ms, 200_us);
  return steps;
}

TEST(AStepInTheBackground, EndsWithItsPassOnACpuOfItsOwn) {
  const auto steps = judged({step(1, 20, 2700_us)});
  EXPECT_EQ(steps[0].ends, Duration(2700_us));
  EXPECT_TRUE(steps[0].in_time);
}

// 2.7 ms of its own, and those of the frames at 0, 1, 2 and 3 ms.
TEST(AStepInTheBackground, LetsTheFramesOfItsCpuGoFirst) {
  EXPECT_EQ(judged({step(0, 20, 2700_us)})[0].ends, Duration(3500_us));
  const auto late = judged({step(0, 10, 9_ms)});
  EXPECT_FALSE(late[0].in_time) << "9 ms and nine times 0.2 are more than 10";
  EXPECT_TRUE(judged({step(0, 10, 8_ms)})[0].in_time) << "8 ms and ten times 0.2 are not";
}

TEST(AStepInTheBackground, LetsShorterOnesOfItsCpuGoFirst) {
  const auto steps = judged({step(1, 20, 8_ms), step(1, 5, 1_ms), step(2, 2, 1_ms)});
  EXPECT_EQ(steps[0].ends, Duration(10_ms));
  EXPECT_EQ(steps[1].ends, Duration(1_ms));
  EXPECT_EQ(steps[2].ends, Duration(1_ms));
}

// Passes of RK-4 over four frames are asked for in the frames 0, 2, 2 and 3.
TEST(AStepInTheBackground, WaitsForTheInputsOfItsPasses) {
  const std::vector<double> rk4{0, 0.5, 0.5, 1};
  EXPECT_EQ(judged({step(1, 4, 100_us, rk4)})[0].ends, Duration(3100_us));
  EXPECT_EQ(judged({step(1, 4, 600_us, rk4)})[0].ends, Duration(3800_us));
  EXPECT_FALSE(judged({step(1, 4, 900_us, rk4)})[0].in_time);
}

TEST(AStepInTheBackground, ThatIsNotToBeDoneIsRefusedOverhead) {
  EXPECT_FALSE(judged({step(0, 100, Duration(1_s))})[0].in_time);
}

Assembly assembly_with(const std::string& frame, const std::string& models) {
  auto config =
      config::load_text("frame: {period: 1 ms" + frame + "}\nmodels:\n" + models, "rig.yaml");
  if (!config) throw std::runtime_error(config.error().message);
  return assemble(std::move(*config));
}

const std::string dc_motor = "type: dc-motor, integrator: {method: rk-4}";

TEST(ModelsInTheBackground, AreLessUrgentThanTheFramesTheLongerTheirSteps) {
  const Assembly a =
      assembly_with(", cpu: 0, priority: 60",
                    "  a: {" + dc_motor + ", every: 20, cpu: 0}\n  b: {" + dc_motor + "}\n  c: {" +
                        dc_motor + ", every: 5, cpu: 0}\n  d: {" + dc_motor +
                        ", every: 5, cpu: 0}\n  e: {" + dc_motor + ", every: 3}\n");
  const auto steps = background_steps(a.config);
  std::vector<std::size_t> models;
  std::vector<int> priorities;
  for (const BackgroundPlan& one : steps) {
    models.push_back(one.model);
    priorities.push_back(one.priority);
  }
  EXPECT_THAT(models, ElementsAre(0, 2, 3));
  EXPECT_THAT(priorities, ElementsAre(58, 59, 59));
  EXPECT_THAT(steps[0].nodes, ElementsAre(0, 0.5, 0.5, 1));
  EXPECT_THAT(worker_cpus(a.config), IsEmpty()) << "no worker is needed for them";
  EXPECT_TRUE(shares_cpus(a.config));
}

TEST(ModelsInTheBackground, OfAnOrdinaryFrameThreadAreOrdinaryToo) {
  const Assembly a =
      assembly_with(", cpu: 0, priority: 0", "  a: {" + dc_motor + ", every: 20, cpu: 0}\n");
  EXPECT_EQ(background_steps(a.config)[0].priority, 0);
  const Assembly lowest =
      assembly_with(", cpu: 0, priority: 2", "  a: {" + dc_motor + ", every: 20, cpu: 0}\n  b: {" +
                                                 dc_motor + ", every: 5, cpu: 0}\n");
  EXPECT_EQ(background_steps(lowest.config)[0].priority, 0) << "below that of the other";
  EXPECT_EQ(background_steps(lowest.config)[1].priority, 1);
}

// What they cost is no part of what is measured of a frame.
TEST(ModelsInTheBackground, AreMeasuredByThemselves) {
  const Assembly a = assembly_with(
      ", cpu: 0",
      "  a: {type: spring-mass-damper, integrator: {method: rk-4}, initial: {position: 1 m}, "
      "every: 20, cpu: 0}\n");
  const auto plant = a.another_plant();
  const auto after_fifty_frames = [&] {
    std::vector<double> u = starts_of(plant->description().inputs);
    for (int n = 0; n < 50; ++n) {
      const SimTime t = SimTime{} + a.config.settings.grid.tick(n);
      plant->models()->connect(t, u);
      static_cast<void>(plant->step_as_connected(t, 1_ms, u));
    }
    return plant->states()[0];
  };
  {
    const WithoutBackground frames_alone(*plant);
    EXPECT_EQ(after_fifty_frames(), 1.0) << "it takes no step";
  }
  EXPECT_EQ(plant->states()[0], 1.0);
  EXPECT_NE(after_fifty_frames(), 1.0);

  const auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  auto steps = background_steps(a.config);
  measure_background(steps, a, **clock);
  EXPECT_GT(steps[0].pass.ns, 0);
}

// A plan that refuses says by whom and why.
TEST(ModelsInTheBackground, ThatCannotEndInTimeAreRefused) {
  const Assembly a = assembly_with(
      ", cpu: 0", "  a: {" + dc_motor + "}\n  slow: {" + dc_motor + ", every: 20, cpu: 0}\n");
  Measured m;
  m.background = background_steps(a.config);
  m.background[0].pass = 6_ms;
  const Plan plan = make_plan(a, m, {});
  ASSERT_TRUE(plan.refusal);
  EXPECT_THAT(plan.refusal->message,
              HasSubstr("models.slow: a step in the background does not end in time: 4 passes of "
                        "6000.0 us at the median on CPU 0"));
  EXPECT_THAT(to_text(plan), HasSubstr("not done 20.0 ms after its tick"));

  m.background[0].pass = 100_us;
  const Plan fits = make_plan(a, m, {});
  EXPECT_FALSE(fits.refusal) << fits.refusal->message;
  EXPECT_THAT(to_text(fits), HasSubstr("slow on CPU 0 below the frame thread, passes of 100.0 us, "
                                       "done 19.1 of 20.0 ms after its tick, by medians"));
  const auto json = boost::json::parse(to_json(fits));
  EXPECT_EQ(json.at_pointer("/models/1/background/in_time"), true);
  EXPECT_EQ(json.at_pointer("/models/1/background/due_us"), 20'000.0);
}

}  // namespace
}  // namespace hild::plan
