// SPDX-License-Identifier: Apache-2.0
/// Images of a run for other threads: each of one frame as a whole.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

TEST(Snapshot, IsThatOfTheLastStepAndDecimated) {
  SteeringRig rig(numerics::forward_euler, [](double t) { return std::round(1e3 * t); });
  rig.settings.snapshot_every = 4;
  std::vector<std::int64_t> frames;
  std::vector<double> scratch;
  rig.every_step = [&](std::int64_t step) {
    auto image = rig.loop->snapshot().image();
    if (!rig.loop->snapshot().read(image, scratch)) {
      EXPECT_LT(step, 4);
      return;
    }
    if (frames.empty() || frames.back() != image.frame) frames.push_back(image.frame);
    EXPECT_EQ(image.time.ns, (image.frame + 1) * 1'000'000);
    EXPECT_EQ(image.inputs[0], static_cast<double>(image.frame));
    EXPECT_EQ(image.outputs[1], image.inputs[0]);
    EXPECT_EQ(image.outputs[0], image.states[0]);
    EXPECT_FALSE(image.frozen);
  };
  rig.run(20);
  EXPECT_EQ(frames, (std::vector<std::int64_t>{3, 7, 11, 15}));
  EXPECT_EQ(rig.loop->snapshot().published(), 5U);
}

TEST(Snapshot, HoldsTheParametersOfItsStep) {
  SteeringRig rig;
  rig.settings.snapshot_every = 1;
  std::vector<double> seen;
  std::vector<double> scratch;
  rig.at[4] = [&] { rig.post(transaction(1, exec::SetParameter{0, 3.0})); };
  rig.every_step = [&](std::int64_t) {  // sees the image of the step before
    auto image = rig.loop->snapshot().image();
    if (rig.loop->snapshot().read(image, scratch)) seen.push_back(image.parameters[0]);
  };
  rig.run(8);
  EXPECT_EQ(seen, (std::vector<double>{1, 1, 1, 1, 1, 3, 3}));
}

TEST(Snapshot, IsNoneUnlessAskedFor) {
  SteeringRig rig;
  rig.run(20);
  auto image = rig.loop->snapshot().image();
  std::vector<double> scratch;
  EXPECT_FALSE(rig.loop->snapshot().read(image, scratch));
  EXPECT_EQ(image.frame, -1);
}

TEST(Snapshot, TellsOfAFrozenPlant) {
  SteeringRig rig;
  rig.settings.snapshot_every = 1;
  rig.at[4] = [&] { rig.post(transaction(1, exec::Freeze{})); };
  rig.run(10);
  auto image = rig.loop->snapshot().image();
  std::vector<double> scratch;
  ASSERT_TRUE(rig.loop->snapshot().read(image, scratch));
  EXPECT_TRUE(image.frozen);
  EXPECT_EQ(image.frame, 5);
  EXPECT_EQ(image.time.ns, 5'000'000);
  EXPECT_NEAR(image.states[0], 5e-3, 1e-15);
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
  auto image = rig.loop->snapshot().image();
  std::vector<double> scratch;
  ASSERT_TRUE(rig.loop->snapshot().read(image, scratch));
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
  std::vector<double> scratch;
  rig.sampler.on_call = [&](int call) {
    auto image = rig.loop->snapshot().image();
    modes.push_back(rig.loop->snapshot().read(image, scratch) ? image.mode : exec::Mode{});
    if (call == 6) rig.post(transaction(2, exec::StepFrames{2}));
    if (call == 12) rig.post(transaction(3, exec::Freeze{}));
    if (call == 15) rig.post(transaction(4, exec::Resume{}));
  };
  rig.run(20);
  const auto told = [&](std::size_t call) {
    const exec::Mode& m = modes.at(call);
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
    auto image = rig.loop->snapshot().image();
    std::vector<double> scratch;
    while (!done.raised()) {
      if (!rig.loop->snapshot().read(image, scratch)) continue;
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
