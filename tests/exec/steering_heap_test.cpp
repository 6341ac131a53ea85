// SPDX-License-Identifier: Apache-2.0
/// Not one heap call in frames that are steered in every way there is.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"
#include "support/heap_trap.hpp"

namespace hild::testing {
namespace {

static_assert(test::HeapTrap::counting, "these tests are left out where nothing is counted");

/// Keeps nothing, and is called while the plant is held as well: it plays the poster.
class PostingSampler final : public io::Sampler {
 public:
  bool exchange(std::span<const double>, std::span<double> u, MonoTime now,
                std::span<MonoTime> sampled) noexcept override {
    for (MonoTime& instant : sampled) instant = now;
    for (double& v : u) v = 0.5;
    post();
    return true;
  }
  bool safe() noexcept override { return true; }
  std::function<void()> post;
};

// Every change there is, one after the other, good ones and bad ones.
exec::Transaction nth(std::uint64_t n, const exec::PlaybackTable& table) {
  using namespace exec;  // NOLINT: a list of what it has
  const auto kind = static_cast<OverrideKind>(n / 16 % override_kinds);
  const auto shape = static_cast<Shape>(n / 16 % 5);
  const std::uint64_t id = n + 1;
  switch (n % 16) {
    case 0:
      return transaction(id, SetParameter{0, 2.0, true}, SetParameter{1, 3.0});
    case 1:
      return transaction(id, Override{Side::input, 0, kind, 0.5, n, 20, true});
    case 2:
      return transaction(id, Override{Side::output, 1, kind, 0.5, n});
    case 3:
      return transaction(id, Stimulus{.shape = shape,
                                      .amplitude = 0.1,
                                      .frequency = 5,
                                      .frequency_end = 50,
                                      .over = 10_ms,
                                      .duration = n % 3 == 0 ? 5_ms : 0_ms,
                                      .table = table});
    case 4:
      return transaction(id, Freeze{static_cast<FrozenOutputs>(n / 16 % 3)});
    case 5:
      return transaction(id, StepFrames{3});
    case 6:
      return transaction(id, DeclareOutput{0, 1.0});
    case 7:
      return transaction(id, Resume{}, Mark{5}, Acknowledge{0});
    case 8:
      return transaction(id, SaveStates{static_cast<std::uint32_t>(n / 16 % saved_slots)});
    case 9:
      return transaction(id, RestoreStates{static_cast<std::uint32_t>(n / 32 % saved_slots), true});
    case 10:
      return transaction(id, Reset{true});
    case 11:
      return transaction(id, SetParameter{0, NAN});
    case 12:
      return transaction(id, ReleaseOverride{Side::output, 1});
    case 13:
      return transaction(id, StopStimulus{0});
    case 14: {
      auto later = transaction(id, Mark{2});
      later.when = When::at_frame(static_cast<std::int64_t>(n / 2));
      return later;
    }
    default:
      return transaction(id, ReleaseOverride{Side::input, 0});
  }
}

TEST(NoHeapCall, InTenThousandSteeredFrames) {
  const std::array times{0.0, 0.01, 0.02};
  const std::array values{0.0, 1.0, 0.0};
  const exec::PlaybackTable table{times.data(), values.data(), times.size()};
  for (const auto sampling : {exec::Sampling::frame, exec::Sampling::stage}) {
    rt::VirtualClock clock(MonoTime{1'000'000'000});
    PostingSampler sampler;
    CostlyPlant plant(clock, model::make_stepper<Tracker>(numerics::rtam2));
    plant.starts.reserve(40'000);
    plant.lengths.reserve(40'000);
    plant.pass_cost = 100_us;
    exec::Settings settings;
    settings.sampling = sampling;
    settings.snapshot_every = 1;
    settings.keyframes.every = 3;
    exec::ExternalEvents events;
    rt::SlotRing records(exec::FrameLoop::layout(plant).bytes(), 64);  // nobody reads them
    exec::FrameLoop loop(settings, {clock,
                                    sampler,
                                    plant,
                                    plain_inputs(1),
                                    {0.0},
                                    &events,
                                    &records,
                                    {{exec::Interlock::Of::input, 0, -5, 5}},
                                    {{.of = exec::Interlock::Of::output,
                                      .index = 1,
                                      .low = -0.2,
                                      .high = 0.45,
                                      .hysteresis = 0.1,
                                      .after = 2,
                                      .latch = true,
                                      .then = exec::Alarm::Then::disarm}}});
    std::uint64_t next = 0;
    std::array<std::int64_t, 3> replies{};
    std::int64_t last_tick = 0;
    sampler.post = [&] {  // once a frame, so that what one does is seen before the next
      if (std::exchange(last_tick, clock.now().ns / 1'000'000) == clock.now().ns / 1'000'000)
        return;
      loop.snapshot().ask();
      static_cast<void>(events.submit(nth(next++, table)));
      while (loop.keyframes()->front() != nullptr) loop.keyframes()->release();
      while (const auto r = events.next_reply()) ++replies[static_cast<std::size_t>(r->kind)];
    };
    const rt::Flag stop;
    long calls = -1;
    std::string first;
    {
      const test::HeapTrap trap;
      loop.run(clock.now() + 10_ms, 10'000, stop);
      calls = trap.calls();
      first = trap.first_call();
    }
    EXPECT_EQ(calls, 0) << first;
    EXPECT_GT(replies[0], 8000);  // accepted
    EXPECT_GT(replies[1], 500);   // refused
    EXPECT_GT(replies[2], 50);    // tables released
    EXPECT_GT(loop.statistics().frozen_frames.get(), 500);
    EXPECT_EQ(loop.snapshot().published(), 10'001) << "the last is that of the end";
    EXPECT_GT(loop.statistics().keyframes.get(), 3000);
    EXPECT_EQ(loop.statistics().keyframes_left_out.get(), 0);
    for (const auto& c : loop.statistics().events_by_class) EXPECT_GT(c.served.get(), 100);
  }
}

}  // namespace
}  // namespace hild::testing
