// SPDX-License-Identifier: Apache-2.0
// The threads of a live run. Waits for what must come in the end, never for a length of time: for
// so many exchanges that it came long before, or never comes.
#include <time.h>

#include <cmath>

#include "tests/drivers/sim_rig.hpp"

namespace hild::sim {
namespace {

using test::SimRig;
using Values = std::vector<double>;

class MonotonicClock final : public rt::Clock {
 public:
  MonoTime now() noexcept override {
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return {t.tv_sec * 1'000'000'000 + t.tv_nsec};
  }
  void sleep_until(MonoTime) noexcept override {}
};

class SimLive : public ::testing::Test {
 protected:
  void open(SimRig& rig) {
    ASSERT_TRUE(rig.device().open(clock_));
    rig.device().start(rig.clock().now());
  }
  /// Of a wait for what must come; some hundred thousand are usual.
  [[nodiscard]] bool patient() { return ++exchanges_ < 20'000'000; }

  MonotonicClock clock_;
  int exchanges_ = 0;
};

TEST_F(SimLive, AConverterFillsItsMailboxByItself) {
  SimRig rig(SimRig::Texts{{"autonomous.rate", "1 kHz"}});
  rig.output({{"channel", "0"}, {"resolution", "0"}});
  rig.input({{"channel", "0"}, {"resolution", "0"}, {"source.loopback", "0"}});
  open(rig);
  double posted = 0;
  MonoTime last{};
  for (int images = 0; images < 20;) {
    ASSERT_TRUE(patient()) << "after " << images << " images";
    const double seen = rig.exchange({posted += 1})[0];
    ASSERT_LT(seen, posted);  // what was posted before, never what comes
    ASSERT_GE(rig.sampled(), last);
    images += rig.sampled() > last;
    last = rig.sampled();
  }
  rig.device().stop();
  Values held(1);
  ASSERT_TRUE(rig.device().read_back(held));
  EXPECT_EQ(held[0], std::min(posted, 10.0));
}

TEST_F(SimLive, AControllerClosesTheLoop) {
  SimRig rig(SimRig::Texts{{"controller.type", "pi"},
                           {"controller.measure", "0"},
                           {"controller.command", "0"},
                           {"controller.rate", "1 kHz"},
                           {"controller.setpoint.constant", "1 V"},
                           {"controller.kp", "0.1 V/V"},
                           {"controller.ki", "100 V/V/s"}});
  rig.output({{"channel", "0"}});
  rig.input({{"channel", "0"}, {"source.controller", "command"}});
  open(rig);
  double y = 0;
  while (std::abs(y - 1) > 1e-3) {
    ASSERT_TRUE(patient()) << "at " << y;
    y = rig.exchange({y})[0];  // the plant is a wire
  }
}

TEST_F(SimLive, StartsAgainAfterAStop) {
  SimRig rig(SimRig::Texts{{"autonomous.rate", "1 kHz"}});
  rig.input({{"channel", "0"}});
  open(rig);
  rig.device().stop();
  rig.device().start(rig.clock().now());
  const MonoTime begin = clock_.now();
  while (rig.sampled() <= begin) {
    ASSERT_TRUE(patient());
    rig.exchange();
  }
}

TEST_F(SimLive, LinesHoldWhatAnEarlierProcessLeft) {
  SimRig rig;
  rig.output({{"channel", "0"}, {"resolution", "0"}});
  open(rig);
  rig.exchange({2.5});
  rig.unplug();
  SimRig second(SimRig::Texts{{"image", rig.image()}});
  second.output({{"channel", "0"}, {"resolution", "0"}});
  second.input({{"channel", "0"}, {"resolution", "0"}, {"source.loopback", "0"}});
  open(second);
  EXPECT_EQ(second.exchange(), Values{2.5});
  second.unplug();
  SimRig third(SimRig::Texts{{"image", rig.image()}, {"autonomous.rate", "1 kHz"}});
  third.output({{"channel", "0"}, {"resolution", "0"}});
  third.input({{"channel", "0"}, {"resolution", "0"}, {"source.loopback", "0"}});
  open(third);
  EXPECT_EQ(third.exchange(), Values{2.5}) << "until something is posted";
}

}  // namespace
}  // namespace hild::sim
