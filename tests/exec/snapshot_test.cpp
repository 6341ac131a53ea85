// SPDX-License-Identifier: Apache-2.0
/// Images of a run for other threads: each of one frame as a whole.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "exec/steering_rig.hpp"
#include "support/grown.hpp"

namespace hild::testing {
namespace {

TEST(Snapshot, IsThatOfTheLastStepAndDecimated) {
  SteeringRig rig(numerics::forward_euler, [](double t) { return std::round(1e3 * t); });
  rig.settings.snapshot_every = 4;
  std::vector<std::int64_t> frames;
  rig.every_step = [&](std::int64_t) {
    rig.loop->snapshot().ask();
    const exec::Image& image = rig.loop->snapshot().newest();
    if (image.frame < 0) return;
    if (frames.empty() || frames.back() != image.frame) frames.push_back(image.frame);
    EXPECT_EQ(image.time.ns, (image.frame + 1) * 1'000'000);
    EXPECT_EQ(image.inputs[0], static_cast<double>(image.frame));
    EXPECT_EQ(image.outputs[1], image.inputs[0]);
    EXPECT_EQ(image.outputs[0], image.states[0]);
    EXPECT_FALSE(image.frozen);
  };
  rig.run(20);
  EXPECT_EQ(frames, (std::vector<std::int64_t>{0, 4, 8, 12, 16}));
  EXPECT_EQ(rig.loop->snapshot().newest().frame, 19) << "the last, when the run has ended";
  EXPECT_EQ(rig.loop->snapshot().published(), 6);
}

TEST(Snapshot, HoldsTheParametersOfItsStep) {
  SteeringRig rig;
  rig.settings.snapshot_every = 1;
  std::vector<double> seen;
  rig.at[4] = [&] { rig.post(transaction(1, exec::SetParameter{0, 3.0})); };
  rig.every_step = [&](std::int64_t step) {  // sees the image of the step before
    rig.loop->snapshot().ask();
    if (step > 0) seen.push_back(rig.loop->snapshot().newest().parameters[0]);
  };
  rig.run(8);
  EXPECT_EQ(seen, (std::vector<double>{1, 1, 1, 1, 1, 3, 3}));
}

TEST(Snapshot, IsNoneUnlessAskedFor) {
  SteeringRig rig;
  rig.settings.snapshot_every = 1;
  rig.every_step = [&](std::int64_t step) {
    EXPECT_EQ(rig.loop->snapshot().begun(), step > 0 ? 1 : 0) << "the first";
  };
  rig.run(20);
  EXPECT_EQ(rig.loop->snapshot().published(), 2) << "and the last";

  SteeringRig without;
  without.every_step = [&](std::int64_t) { without.loop->snapshot().ask(); };
  without.run(20);
  EXPECT_EQ(without.loop->snapshot().published(), 0);
  EXPECT_EQ(without.loop->snapshot().newest().frame, -1);
}

TEST(Snapshot, ComesForAQuarterOfASecondAfterItWasAskedFor) {
  SteeringRig rig;
  rig.settings.snapshot_every = 1;
  rig.at[10] = [&] { rig.loop->snapshot().ask(); };
  std::int64_t last = -1;
  rig.every_step = [&](std::int64_t) { last = rig.loop->snapshot().newest().frame; };
  rig.run(400);
  EXPECT_EQ(last, 259);
  EXPECT_EQ(rig.loop->snapshot().published(), 1 + 250 + 1);
}

// ---- of a plant that has much ------------------------------------------------------------------

using Large = test::Grown<test::Sizes{.states = 1500, .parameters = 1200}, "large">;

struct LargeRig : SteeringRig {
  LargeRig()
      : SteeringRig(model::make_stepper<Large>(numerics::rtam2),
                    [](double t) { return std::sin(50 * t); }) {
    settings.snapshot_every = 1;
    every_step = [this](std::int64_t) {
      loop->snapshot().ask();
      keep();
    };
  }
  void keep() {
    const exec::Image& image = loop->snapshot().newest();
    if (image.frame >= 0 && (images.empty() || images.back().frame != image.frame)) {
      images.push_back(image);
    }
  }
  std::vector<exec::Image> images;
};

// Of 512 values a frame: three buffers get the 1200 parameters, 2700 values in six frames; then
// those are known, and 1500 take three. Each is of the step it was begun in, however long it took.
TEST(LargeSnapshot, IsTakenInPiecesAndOfOneStep) {
  LargeRig rig;
  rig.run(40);
  std::vector<std::int64_t> frames;
  for (const exec::Image& image : rig.images) frames.push_back(image.frame);
  EXPECT_EQ(frames, (std::vector<std::int64_t>{0, 6, 12, 18, 21, 24, 27, 30, 33, 36}));
  for (const exec::Image& image : rig.images) {
    const auto& step = rig.steps.at(static_cast<std::size_t>(image.frame));
    EXPECT_EQ(image.states, step.states) << image.frame;
    EXPECT_EQ(image.outputs, step.outputs);
    EXPECT_EQ(image.parameters, std::vector<double>(1200, 10.0));
  }
}

TEST(LargeSnapshot, IsBegunAnewWhereParametersChangeMeanwhile) {
  LargeRig rig;
  rig.at[0] = [&] { rig.post(transaction(1, exec::SetParameter{0, 20.0})); };
  rig.run(12);
  const exec::Image& image = rig.images.at(0);
  EXPECT_EQ(image.frame, 1);
  EXPECT_EQ(image.parameters[0], 20.0);
  EXPECT_EQ(image.parameters[1199], 10.0);
  EXPECT_EQ(image.states, rig.steps.at(1).states);
}

// Pieces of 512, 1024 and 2048, of which the last takes all parameters in one frame.
TEST(LargeSnapshot, BecomesWholeWhereParametersChangeInEveryFrame) {
  LargeRig rig;
  const auto before = rig.every_step;
  rig.every_step = [&](std::int64_t step) {
    before(step);
    rig.post(transaction(static_cast<std::uint64_t>(step + 1),
                         exec::SetParameter{0, static_cast<double>(step + 1)}));
  };
  rig.run(12);
  const exec::Image& image = rig.images.at(0);
  EXPECT_EQ(image.frame, 2);
  EXPECT_EQ(image.parameters[0], 2.0);
  EXPECT_EQ(image.states, rig.steps.at(2).states);
}

// Records that are dropped, since nobody takes them, are not written over meanwhile either; those
// of so short a ring would be, if pieces were not larger.
TEST(LargeSnapshot, NeedsNobodyWhoReadsRecords) {
  LargeRig known;
  known.run(40);
  for (const std::size_t slots : {1U, 4U}) {
    LargeRig rig;
    rt::SlotRing full(exec::FrameLoop::layout(rig.plant).bytes(), slots);
    rig.loop = std::make_unique<exec::FrameLoop>(
        rig.settings,
        exec::Parts{rig.clock, rig.sampler, rig.plant, plain_inputs(1), {0.0}, &rig.events, &full});
    rig.loop->run(Rig::start, 40, rig.stop);
    EXPECT_GT(rig.loop->statistics().records_dropped.get(), 30);
    EXPECT_GT(rig.images.size(), 8U);
    for (const exec::Image& image : rig.images) {
      EXPECT_EQ(image.states, known.steps.at(static_cast<std::size_t>(image.frame)).states);
    }
  }
}

// ---- of what a run is up to --------------------------------------------------------------------

TEST(Snapshot, TellsOfAFrozenPlant) {
  SteeringRig rig;
  rig.settings.snapshot_every = 1;
  rig.at[4] = [&] { rig.post(transaction(1, exec::Freeze{})); };
  rig.run(10);
  const exec::Image& image = rig.loop->snapshot().newest();
  EXPECT_TRUE(image.frozen);
  EXPECT_EQ(image.frame, 5);
  EXPECT_EQ(image.time.ns, 5'000'000);
  EXPECT_NEAR(image.states[0], 5e-3, 1e-15);
}

// The values that were declared are not the plant's own, whether or not it was falsified before.
TEST(Snapshot, HasThePlantsOwnOutputsBesideThoseDeclared) {
  SteeringRig rig;
  rig.settings.snapshot_every = 1;
  rig.at[4] = [&] {
    rig.post(
        transaction(1, exec::DeclareOutput{0, 7.0}, exec::Freeze{exec::FrozenOutputs::declared}));
  };
  rig.run(10);
  const exec::Image& image = rig.loop->snapshot().newest();
  EXPECT_EQ(image.outputs[0], 7.0);
  EXPECT_NEAR(image.own[0], 5e-3, 1e-15);
}

// The plant shows its input. What falsifies a signal stands between the plant and its line.
TEST(Snapshot, HasThePlantsValuesBesideWhatTheLinesHave) {
  SteeringRig rig;
  rig.settings.snapshot_every = 1;
  using exec::OverrideKind;
  rig.at[2] = [&] {
    rig.post(transaction(
        1,
        exec::Override{
            .side = exec::Side::input, .signal = 0, .kind = OverrideKind::offset, .value = 4},
        exec::Override{
            .side = exec::Side::output, .signal = 1, .kind = OverrideKind::stuck, .value = 42}));
  };
  rig.run(10);
  const exec::Image& image = rig.loop->snapshot().newest();
  EXPECT_EQ(image.inputs, (std::vector<double>{5}));
  EXPECT_EQ(image.sampled, (std::vector<double>{1}));
  EXPECT_EQ(image.outputs[1], 42);
  EXPECT_EQ(image.own[1], 5);
  EXPECT_EQ(image.own[0], image.outputs[0]);
  EXPECT_TRUE(std::isnan(image.lines[0])) << "this sampler has no lines";
}

TEST(Snapshot, TellsHowThePlantIsHeld) {
  SteeringRig rig;
  rig.settings.snapshot_every = 1;
  rig.at[2] = [&] { rig.post(transaction(1, exec::Freeze{exec::FrozenOutputs::safe})); };
  std::vector<exec::Mode> modes;
  std::vector<exec::Mode> told_beside;
  rig.sampler.on_call = [&](int call) {
    rig.loop->snapshot().ask();
    modes.push_back(rig.loop->snapshot().newest().mode);
    told_beside.push_back(rig.loop->snapshot().mode());
    if (call == 6) rig.post(transaction(2, exec::StepFrames{2}));
    if (call == 12) rig.post(transaction(3, exec::Freeze{}));
    if (call == 15) rig.post(transaction(4, exec::Resume{}));
  };
  rig.run(20);
  const auto told = [&](std::size_t call) {
    const exec::Mode& m = modes.at(call);
    const exec::Mode& beside = told_beside.at(call);
    EXPECT_EQ(beside.frozen, m.frozen) << call;
    EXPECT_EQ(beside.stepping, m.stepping) << call;
    EXPECT_EQ(beside.outputs, m.outputs) << call;
    return fmt::format("{}{} {}", m.frozen ? "frozen" : "moves", m.stepping ? " by steps" : "",
                       static_cast<int>(m.outputs));
  };
  EXPECT_EQ(told(1), "moves 0");
  EXPECT_EQ(told(5), "frozen 1");
  EXPECT_EQ(told(8), "moves by steps 1");
  EXPECT_EQ(told(11), "frozen by steps 1");
  EXPECT_EQ(told(14), "frozen 0");
  EXPECT_EQ(told(18), "moves 0");
}

// A reader beside the loop: whatever it sees is of one frame. The input is the number of the frame,
// so that frame, time, input and the outputs of it must all agree.
TEST(Snapshot, IsOfOneFrameWhateverAReaderCatches) {
  SteeringRig rig(numerics::forward_euler, [](double t) { return std::round(1e3 * t); });
  rig.settings.snapshot_every = 1;
  rig.loop = std::make_unique<exec::FrameLoop>(
      rig.settings,
      exec::Parts{
          rig.clock, rig.sampler, rig.plant, plain_inputs(1), {0.0}, &rig.events, nullptr, {}});
  rt::Flag done;
  rt::Counter seen;
  std::int64_t torn = 0;
  std::int64_t last = -1;
  std::thread reader([&] {
    while (!done.raised()) {
      rig.loop->snapshot().ask();
      const exec::Image& image = rig.loop->snapshot().newest();
      if (image.frame < 0) continue;
      const auto n = static_cast<double>(image.frame);
      const bool whole = image.time.ns == (image.frame + 1) * 1'000'000 && image.inputs[0] == n &&
                         image.outputs[1] == n && image.outputs[0] == image.states[0] &&
                         std::abs(image.states[0] - 1e-3 * n * (n + 1) / 2) <= 1e-9 * (n * n + 1);
      torn += whole && image.frame >= last ? 0 : 1;
      seen.add(image.frame > last ? 1 : 0);
      last = image.frame;
    }
  });
  // As long as it takes for the reader to have caught enough, on a machine however busy.
  rig.every_step = [&](std::int64_t step) {
    if (seen.get() >= 1000) rig.stop.raise();
    if (step % 64 == 0) std::this_thread::yield();
  };
  rig.loop->run(Rig::start, 2'000'000, rig.stop);
  done.raise();
  reader.join();
  EXPECT_EQ(torn, 0);
  EXPECT_GE(seen.get(), 1000);
}

}  // namespace
}  // namespace hild::testing
