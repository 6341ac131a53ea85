// SPDX-License-Identifier: Apache-2.0
/// \file
/// Frames that begin with the arrival of an image, on the virtual clock: the images come at times
/// that the test says, and what is expected of a frame is one of these, or follows from the
/// tolerance by hand.
#include "exec/fakes.hpp"

namespace hild::testing {
namespace {

/// Image k says that it was made at `made(k)`, and arrives so much later.
class WakingSampler final : public io::Sampler {
 public:
  explicit WakingSampler(rt::VirtualClock& clock) : clock_(&clock) {}

  bool exchange(std::span<const double> /*y*/, std::span<double> u, MonoTime /*now*/,
                std::span<MonoTime> instants) noexcept override {
    if (u.empty()) return true;
    read.push_back(clock_->now());
    while (next() <= clock_->now()) ++seen_;
    for (MonoTime& instant : instants) {
      instant = seen_ == 0 ? Rig::start - 1_s : made(seen_ - 1);
    }
    std::ranges::fill(u, 0.0);
    return true;
  }
  void await_image(std::size_t group, MonoTime from, MonoTime until) noexcept override {
    EXPECT_EQ(group, 0U);
    if (seen_ > 0 && made(seen_ - 1) + takes >= from) return;
    std::int64_t n = seen_;
    while (made(n) + takes < from) ++n;
    clock_->sleep_until(std::min(made(n) + takes, until));
  }
  [[nodiscard]] Duration delivery(std::size_t /*group*/) const noexcept override { return takes; }
  bool safe() noexcept override { return true; }

  std::function<MonoTime(std::int64_t)> made;
  Duration takes{};
  std::vector<MonoTime> read;  ///< when images were read

 private:
  [[nodiscard]] MonoTime next() const { return made(seen_) + takes; }
  rt::VirtualClock* clock_;
  std::int64_t seen_ = 0;
};

struct Wake {
  Wake() {
    rig.settings.follow = exec::Follow{.group = 0, .tolerance = 0.1, .missing = 3, .wake = true};
  }
  exec::Outcome run(std::int64_t frames) {
    const io::FrameLayout layout = exec::FrameLoop::layout(rig.plant);
    rt::SlotRing ring(layout.bytes(), static_cast<std::size_t>(2 * frames + 8));
    exec::Parts parts{rig.clock, sampler, rig.plant, plain_inputs(1), {0.0}, &rig.events, &ring};
    rig.loop = std::make_unique<exec::FrameLoop>(rig.settings, std::move(parts));
    const exec::Outcome outcome = rig.loop->run(Rig::start, frames, rig.stop);
    while (const std::byte* slot = ring.front()) {
      records.push_back(io::FrameView(layout, slot).header());
      ring.release();
    }
    return outcome;
  }
  [[nodiscard]] const exec::Statistics& statistics() const { return rig.loop->statistics(); }

  Rig rig;
  WakingSampler sampler{rig.clock};
  std::vector<io::FrameHeader> records;
};

/// A clock that is 100 ppm slow, 30 us off the grid of the run.
MonoTime slow(std::int64_t k) { return Rig::start + 30_us + Duration{1'000'100 * k}; }

TEST(Wake, FramesBeginWhenTheirImageArrives) {
  Wake wake;
  wake.sampler.made = slow;
  ASSERT_EQ(wake.run(300).end, exec::End::duration);
  ASSERT_EQ(wake.sampler.read.size(), 300U);
  for (std::size_t k = 0; k < 300; ++k) {
    EXPECT_EQ(wake.sampler.read[k], slow(static_cast<std::int64_t>(k))) << k;
    EXPECT_EQ(wake.records[k].start, wake.sampler.read[k]);
    EXPECT_TRUE(wake.records[k].slept);
    EXPECT_FALSE(wake.records[k].late_wake);
  }
  EXPECT_EQ(wake.statistics().followed_ticks.get(), 300);
  EXPECT_EQ(wake.statistics().missing_ticks.get(), 0);
}

// 40 us early and late in turn: frames begin with them, their grid does not shake as much.
TEST(Wake, TheGridTakesLittleOfTheJitterOver) {
  Wake wake;
  wake.sampler.made = [](std::int64_t k) { return slow(k) + (k % 2 == 0 ? 40_us : -40_us); };
  ASSERT_EQ(wake.run(400).end, exec::End::duration);
  for (std::size_t k = 200; k < 400; ++k) {
    const auto n = static_cast<std::int64_t>(k);
    EXPECT_EQ(wake.sampler.read[k], wake.sampler.made(n)) << k;
    EXPECT_NEAR(static_cast<double>((wake.records[k].due - slow(n)).ns), 0, 10e3) << k;
  }
}

// Where its stamp says that it was made 400 us before it arrives, ticks are of the arrivals.
TEST(Wake, AnImageMayTakeItsTime) {
  Wake wake;
  wake.sampler.made = slow;
  wake.sampler.takes = 400_us;
  ASSERT_EQ(wake.run(300).end, exec::End::duration);
  for (std::size_t k = 100; k < 300; ++k) {
    const MonoTime arrival = wake.records[k].start - 400_us;
    EXPECT_EQ((arrival - slow(0)).ns % 1'000'100, 0) << k;
    EXPECT_NEAR(static_cast<double>((wake.records[k].due - wake.records[k].start).ns), 0, 2e3);
  }
}

// It is waited for until a tenth of a frame after its tick; then the frame begins without it.
TEST(Wake, WithoutAnImageAFrameBeginsAtTheEndOfTheTolerance) {
  Wake wake;
  wake.sampler.made = [](std::int64_t k) {
    return Rig::start + 1_ms * (k < 100 ? k : k + 1);  // that of frame 100 is missing
  };
  ASSERT_EQ(wake.run(200).end, exec::End::duration);
  EXPECT_EQ(wake.sampler.read[99], Rig::start + 99_ms);
  EXPECT_EQ(wake.sampler.read[100], Rig::start + 100'100_us);
  EXPECT_EQ(wake.sampler.read[101], Rig::start + 101_ms);
  EXPECT_EQ(wake.statistics().missing_ticks.get(), 1);
  EXPECT_EQ(wake.statistics().overruns.get(), 0);
}

// No frame begins before the tolerance allows, whoever knocks.
TEST(Wake, AnImageThatIsMuchTooEarlyWaits) {
  Wake wake;
  wake.sampler.made = [](std::int64_t k) {
    return Rig::start + 1_ms * k - (k == 100 ? 400_us : 0_us);
  };
  ASSERT_EQ(wake.run(200).end, exec::End::duration);
  EXPECT_EQ(wake.sampler.read[100], Rig::start + 99'900_us);
  EXPECT_EQ(wake.statistics().stray_ticks.get(), 1);
}

TEST(Wake, ADeviceThatTicksNoMoreEndsTheRun) {
  Wake wake;
  wake.sampler.made = [](std::int64_t k) { return Rig::start + (k < 50 ? 1_ms * k : 1_s * 1000); };
  const exec::Outcome outcome = wake.run(200);
  EXPECT_EQ(outcome.end, exec::End::tick_lost);
  EXPECT_EQ(wake.sampler.read.size(), 54U) << "three are bridged";
}

// A step that took 1.05 ms: the next image is there already, and is not slept for.
TEST(Wake, AfterALateStepTheImageThatIsThereIsTakenAtOnce) {
  Wake wake;
  wake.sampler.made = [](std::int64_t k) { return Rig::start + 1_ms * k; };
  wake.rig.plant.extra[100] = 1'050_us;
  ASSERT_EQ(wake.run(200).end, exec::End::duration);
  EXPECT_EQ(wake.sampler.read[101], Rig::start + 101'050_us);
  EXPECT_FALSE(wake.records[101].slept);
  EXPECT_EQ(wake.sampler.read[102], Rig::start + 102_ms);
  EXPECT_EQ(wake.statistics().overruns.get(), 1);
}

// Where that step ends before the image comes, which is late as well, it is waited for still.
TEST(Wake, AfterALateStepALateImageIsWaitedFor) {
  Wake wake;
  wake.sampler.made = [](std::int64_t k) {
    return Rig::start + 1_ms * k + (k == 101 ? 80_us : 0_us);
  };
  wake.rig.plant.extra[100] = 1'050_us;
  ASSERT_EQ(wake.run(200).end, exec::End::duration);
  EXPECT_EQ(wake.sampler.read[101], Rig::start + 101'080_us);
  EXPECT_FALSE(wake.records[101].slept);
  EXPECT_EQ(wake.statistics().missing_ticks.get(), 0);
}

}  // namespace
}  // namespace hild::testing
