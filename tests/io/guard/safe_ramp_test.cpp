// SPDX-License-Identifier: Apache-2.0
/// \file
/// Outputs brought to the end of their safe actions, also where a device does not take its values.
#include "io/guard/safe_ramp.hpp"

#include <stdexcept>

#include "io/fake_device.hpp"

namespace hild::test {
namespace {

/// Two devices of one line each: a and b, driven at 8 V, ramp to 0 V within 4 ms.
struct TwoLines {
  TwoLines() {
    std::vector<io::Member> members;
    std::vector<io::OutputSignal> outputs(2);
    for (int d = 0; d < 2; ++d) {
      auto device = std::make_unique<FakeDevice>();
      fake[d] = device.get();
      members.push_back({Name(d == 0 ? "a" : "b"), std::move(device), {}});
      io::OutputSignal& out = outputs[static_cast<std::size_t>(d)];
      out.limits = {-10, 10};
      out.action = {.hold = false, .ramp = 4_ms};
      out.device = d;
    }
    bus = std::make_unique<io::Bus>(std::move(members), std::vector<io::InputSignal>{}, outputs);
    EXPECT_TRUE(bus->open(clock));
    EXPECT_TRUE(bus->exchange(std::array{8.0, 8.0}, {}, clock.now(), {}));
  }
  /// Calls `at` with the number of looks so far, from 1; a way without an end fails.
  bool ramp_to_safe(const std::function<void(int)>& at = [](int) {}) {
    int looks = 0;
    return guard::ramp_to_safe(*bus, clock, [&] {
      if (++looks > 1000) throw std::runtime_error("it never settles");
      at(looks);
    });
  }

  rt::VirtualClock clock{MonoTime{1'000'000'000}};
  FakeDevice* fake[2] = {};
  std::unique_ptr<io::Bus> bus;
};

TEST(Settle, WalksTheRampsToTheirEnd) {
  TwoLines lines;
  int looks = 0;
  EXPECT_TRUE(lines.ramp_to_safe([&](int n) { looks = n; }));
  EXPECT_EQ(looks, 4) << "a write a millisecond";
  const std::vector<double> way{8, 8, 6, 4, 2, 0};
  const auto& written = lines.fake[1]->written;
  ASSERT_EQ(written.size(), way.size());
  for (std::size_t i = 0; i < way.size(); ++i) EXPECT_NEAR(written[i][0], way[i], 1e-12) << i;
}

// Twenty milliseconds more for a device whose receivers take silence for a failure.
TEST(Settle, GoesOnWithSafeValuesForAsLongAsADeviceWants) {
  TwoLines lines;
  lines.fake[1]->keeps_safe = 20_ms;
  EXPECT_TRUE(lines.ramp_to_safe());
  EXPECT_EQ(lines.fake[0]->written.size(), 6U + 20U) << "of all devices";
  EXPECT_EQ(lines.fake[1]->written.back()[0], 0);
}

// One that came back may have missed what stood between; all others have their values.
TEST(Settle, ADeviceThatMissedAWriteIsNotForgiven) {
  TwoLines lines;
  EXPECT_FALSE(lines.ramp_to_safe([&](int n) { lines.fake[0]->alive = n != 2; }));
  EXPECT_EQ(lines.fake[0]->written.back()[0], 0);
  EXPECT_EQ(lines.fake[1]->written.back()[0], 0);
}

TEST(Settle, ADeviceThatMissedTheFirstWriteIsNotForgivenEither) {
  TwoLines lines;
  lines.fake[0]->alive = false;
  EXPECT_FALSE(lines.ramp_to_safe([&](int) { lines.fake[0]->alive = true; }));
  EXPECT_EQ(lines.fake[0]->written.back()[0], 0);
}

TEST(Settle, ADeviceThatIsGoneKeepsNoOtherFromItsEnd) {
  for (const int gone : {0, 1}) {
    TwoLines lines;
    lines.fake[gone]->alive = false;
    EXPECT_FALSE(lines.ramp_to_safe());
    EXPECT_EQ(lines.fake[1 - gone]->written.back()[0], 0);
    EXPECT_EQ(lines.bus->failed(), gone);
  }
}

TEST(RampToSafe, WaitsForWhatHasNotLeftItsDevice) {
  TwoLines lines;
  lines.fake[1]->holds = 20;
  EXPECT_TRUE(lines.ramp_to_safe());
  EXPECT_EQ(lines.fake[1]->holds, 0);
}

TEST(RampToSafe, SaysWhatNeverLeaves) {
  TwoLines lines;
  lines.fake[0]->holds = 1'000'000;
  EXPECT_FALSE(lines.ramp_to_safe());
  EXPECT_EQ(lines.fake[1]->written.back(), std::vector{0.0}) << "the other one is safe";
}

}  // namespace
}  // namespace hild::test
