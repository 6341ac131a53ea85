// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who has which of several models, and what a plan says of it.
#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "config/config.hpp"
#include "config/plan/plan.hpp"

namespace hild::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int here = exec::ModelWorkers::here;

/// Two that take a hundred steps in a frame, and one that takes one.
Assembly assembly_of(const std::string& frame, const std::string& of_first = "",
                     const std::string& of_last = "") {
  const std::string motor = "type: dc-motor, integrator: {method: rk-4}";
  auto config = config::load_text("frame: {period: 10 ms" + frame + "}\nmodels:\n  a: {" + motor +
                                      ", substeps: 100" + of_first + "}\n  b: {" + motor +
                                      ", substeps: 100}\n  c: {" + motor + of_last + "}\n",
                                  "rig.yaml");
  if (!config) throw std::runtime_error(config.error().message);
  return assemble(std::move(*config));
}

Placement placed(const Assembly& assembly) {
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  return place_models(assembly, **clock);
}

TEST(Placement, ModelsShareNothingWhereNoneHasACpu) {
  const Placement p = placed(assembly_of(""));
  EXPECT_FALSE(p.shares());
  EXPECT_THAT(worker_cpus(assembly_of("").config), IsEmpty());
}

TEST(Placement, AModelIsOnTheWorkerOfItsCpu) {
  const Placement p = placed(assembly_of("", ", cpu: 0"));
  EXPECT_THAT(p.cpus, ElementsAre(0));
  EXPECT_THAT(p.places, ElementsAre(0, here, here));
  EXPECT_THAT(p.costs, IsEmpty()) << "nothing is to be measured";
}

TEST(Placement, OnTheCpuOfTheFramesItIsOnTheFrameThread) {
  const Placement p = placed(assembly_of(", cpu: 0", ", cpu: 0"));
  EXPECT_FALSE(p.shares());
}

// Whatever the machine does meanwhile: one hundred steps are more than one.
TEST(Placement, ModelsWithoutACpuAreDistributedByTheirCost) {
  const Placement p = placed(assembly_of(", workers: [0]"));
  ASSERT_EQ(p.costs.size(), 3U);
  EXPECT_GT(p.costs[0], p.costs[2]);
  EXPECT_NE(p.places[0], p.places[1]);
}

TEST(Placement, OneWithACpuStaysThere) {
  const Placement p = placed(assembly_of(", workers: [0]", "", ", cpu: 0"));
  EXPECT_EQ(p.places[2], 0);
}

TEST(Placement, OneOfSeveralFramesStaysOnTheFrameThread) {
  const Placement p = placed(assembly_of(", workers: [0]", "", ", every: 2"));
  EXPECT_EQ(p.places[2], here);
}

// What each span takes is measured; which there are, and where, is known.
TEST(ScheduleOfModels, TellsWhoHasWhichModelWhen) {
  const Assembly assembly = assembly_of(", workers: [0]");
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  rt::Warnings warnings;
  auto crew = Crew::start({{0}, {here, 0, here}, {}}, assembly, **clock, warnings);
  ASSERT_TRUE(crew);
  const auto plant = assembly.another_plant();
  (*crew)->work_for(*plant);
  const Schedule schedule = rehearse_schedule(*plant, **crew, assembly.config.settings);
  ASSERT_EQ(schedule.spans.size(), 3U);
  std::vector<std::size_t> models;
  for (const ModelSpan& span : schedule.spans) {
    models.push_back(span.model);
    EXPECT_GE(span.start.ns, 0);
    EXPECT_GT(span.took.ns, 0);
    EXPECT_TRUE(span.model == 1 || span.worker == here) << "no worker has it";
  }
  EXPECT_THAT(models, ::testing::UnorderedElementsAre(0, 1, 2));
  const auto names = assembly.config.model.description.parts;
  const std::string drawn = chart(schedule, names, assembly.config.frame, 10_ms);
  EXPECT_THAT(drawn, HasSubstr("frame thread, "));
  EXPECT_THAT(drawn, HasSubstr("CPU 0, "));
  EXPECT_THAT(drawn, HasSubstr("█"));
  const auto json = to_json(schedule, names, 4, 10_ms);
  EXPECT_EQ(json.at("spans").as_array().size(), 3U);
  EXPECT_EQ(json.at_pointer("/cpus/0/cpu"), 4);
  EXPECT_EQ(json.at_pointer("/cpus/1/cpu"), 0);
}

TEST(ScheduleOfModels, WarnsOfWhatIsInTheWay) {
  const Schedule schedule{{{0, 3}, {here, 0}, {}}, {}};
  config::Frame frame;
  frame.cpu = 1;
  EXPECT_THAT(warnings_of(schedule, frame), ElementsAre(HasSubstr("the worker of CPU 3")));
  frame.cpu = -1;
  EXPECT_THAT(warnings_of(schedule, frame),
              ElementsAre(HasSubstr("name its own (frame.cpu)"), HasSubstr("CPU 3")));
}

TEST(ScheduleOfModels, OfManySpansIsDrawnInPart) {
  Schedule schedule{{{0}, {0}, {}}, {}};
  for (int i = 0; i < 50; ++i) schedule.spans.push_back({0, 0, Duration{i * 1000}, 500_ns});
  const std::array<std::string_view, 1> names{"one"};
  EXPECT_THAT(chart(schedule, names, {}, 1_ms), HasSubstr("and 10 more"));
  EXPECT_NEAR(schedule.utilisation(0, 1_ms), 0.025, 1e-12);
  EXPECT_EQ(schedule.utilisation(here, 1_ms), 0);
}

}  // namespace
}  // namespace hild::plan
