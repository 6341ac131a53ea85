// SPDX-License-Identifier: Apache-2.0
/// What a keyframe costs, by a clock that only the saving of state moves; and what a plan says.
#include "config/plan/keyframe_rehearsal.hpp"

#include <gmock/gmock.h>

#include "config/plan/plan.hpp"
#include "exec/fakes.hpp"
#include "exec/frame_loop.hpp"

namespace hild::plan {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Assembly recorded_motor(const std::string& record = "{file: run.mcap}") {
  auto config = config::load_text(
      "frame: {period: 1 ms}\n"
      "model: {type: dc-motor}\n"
      "integrator: {method: rtam-2, sampling: stage}\n"
      "record: " +
          record + "\n",
      "motor.yaml", {});
  EXPECT_TRUE(config) << config.error().message;
  return assemble(std::move(*config));
}

/// The same with a plant whose saving takes time.
struct Costly {
  explicit Costly(Assembly of) : assembly(std::move(of)) {
    auto made = std::make_unique<testing::CostlyPlant>(clock, std::move(assembly.plant));
    plant = made.get();
    assembly.plant = std::move(made);
  }
  rt::VirtualClock clock;
  Assembly assembly;
  testing::CostlyPlant* plant = nullptr;
};

TEST(KeyframeRehearsal, FindsWhatOneTakes) {
  Costly motor(recorded_motor());
  motor.plant->save_cost = 14_us;
  const KeyframeCost cost = rehearse_keyframe(motor.assembly, motor.clock);
  EXPECT_EQ(cost.time, 14_us);
  EXPECT_EQ(cost.problem, "");
  exec::ExternalEvents events;
  rt::SlotRing ring(motor.assembly.layout(0).bytes(), 1);
  exec::FrameLoop loop(motor.assembly.config.settings,
                       motor.assembly.parts(motor.clock, *motor.assembly.bus, events, ring));
  EXPECT_EQ(cost.bytes, loop.most_state_bytes());
}

TEST(KeyframeRehearsal, SaysWhyThereCanBeNone) {
  Costly motor(recorded_motor());
  motor.plant->cannot_be_saved = "it is a fake";
  const KeyframeCost cost = rehearse_keyframe(motor.assembly, motor.clock);
  EXPECT_THAT(cost.problem, HasSubstr("its state cannot be saved: it is a fake"));
}

constexpr Costs cheap{.wake = 20_us, .io = 10_us, .pass = 30_us, .outputs = 5_us};

Plan plan_with(const Assembly& assembly, const std::optional<KeyframeCost>& cost) {
  Measured measured{cheap, cheap};
  measured.keyframe = cost;
  return make_plan(assembly, measured, Machine{});
}

TEST(PlanOfKeyframes, WarnsWhereNoneFitsIntoTheSlack) {
  const Assembly motor = recorded_motor();
  const Duration slack =
      motor.config.settings.grid.period() -
      finish(plan_with(motor, {}).shape, cheap, motor.config.settings.grid.period());
  const Duration guard = motor.config.settings.keyframes.guard;
  EXPECT_THAT(plan_with(motor, KeyframeCost{slack - guard, 900}).warnings, IsEmpty());
  EXPECT_THAT(plan_with(motor, KeyframeCost{slack - guard + 1_ns, 900}).warnings,
              ElementsAre(AllOf(HasSubstr("a keyframe takes"), HasSubstr("none will be made"),
                                HasSubstr("record.keyframes: none"))));
  EXPECT_THAT(plan_with(motor, KeyframeCost{1_s, 900, "it is a fake"}).warnings, IsEmpty());
}

TEST(PlanOfKeyframes, TellsOfThem) {
  const Assembly motor = recorded_motor("{file: run.mcap, keyframes: 500}");
  const KeyframeCost cost{3'500_ns, 912};
  EXPECT_THAT(
      to_text(plan_with(motor, cost)),
      HasSubstr("  keyframes        every 500 frames, each 912 bytes and 3.5 us of slack\n"));
  EXPECT_THAT(to_json(plan_with(motor, cost)),
              HasSubstr(R"("keyframes":{"every_frames":500,"bytes":912,"cost_us":3.5E0})"));
  const KeyframeCost none{{}, 0, "it is a fake"};
  EXPECT_THAT(to_text(plan_with(motor, none)),
              HasSubstr("  keyframes        none: it is a fake\n"));
  EXPECT_THAT(to_json(plan_with(motor, none)),
              HasSubstr(R"("keyframes":{"every_frames":500,"problem":"it is a fake"})"));
  EXPECT_THAT(to_text(plan_with(motor, {})), HasSubstr("  keyframes        every 500 frames\n"));
  const Assembly unrecorded = recorded_motor("{file: run.mcap, keyframes: none}");
  EXPECT_THAT(to_text(plan_with(unrecorded, {})), Not(HasSubstr("keyframes")));
  EXPECT_THAT(to_json(plan_with(unrecorded, {})), Not(HasSubstr("keyframes")));
}

}  // namespace
}  // namespace hild::plan
