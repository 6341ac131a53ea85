// SPDX-License-Identifier: Apache-2.0
// A plant under the simulated controller, on a virtual clock: frames of 1 ms, controller at 500 Hz.
#include <cmath>

#include "tests/drivers/sim_rig.hpp"

namespace hild::sim {
namespace {

using test::SimRig;
using Values = std::vector<double>;
using Texts = SimRig::Texts;

constexpr double kp = 0.8, ki = 10, setpoint = 2, dt = 0.002;

class Loop {
 public:
  explicit Loop(Texts more = {}) : rig_(keys(std::move(more))) {
    rig_.output({{"channel", "0"}, {"resolution", "0"}});
    rig_.input({{"channel", "1"}, {"resolution", "0"}, {"source.controller", "command"}});
    rig_.open_and_start();
  }
  double exchange(double y) { return rig_.exchange({y})[0]; }
  void advance(Duration d) { rig_.clock().advance(d); }
  void start_again() {
    rig_.device().stop();
    rig_.device().start(rig_.clock().now());
  }

 private:
  static Texts keys(Texts more) {
    more.merge(Texts{{"controller.type", "pi"},
                     {"controller.measure", "0"},
                     {"controller.command", "1"},
                     {"controller.rate", "500 Hz"},
                     {"controller.setpoint.constant", "2 V"},
                     {"controller.kp", "0.8 V/V"},
                     {"controller.ki", "10 V/V/s"}});
    return more;
  }
  SimRig rig_;
};

// The reference is the sampled loop written out by hand: y holds the output of frame n until frame
// n + 1; the controller samples at every second tick, before that tick's output is written.
TEST(SimClosedLoop, IsTheSampledLoopItDescribes) {
  Loop loop;
  double plant = 0;  // y' = (u - y) / T, the plant under test, exact over a frame
  const double decay = std::exp(-0.001 / 0.05);
  double reference = 0, held = 0, integral = 0, command = 0;
  for (int n = 0; n < 4000; ++n) {
    if (n % 2 == 0) {
      integral += ki * (setpoint - held) * dt;
      command = std::min(10.0, kp * (setpoint - held) + integral);
    }
    held = reference;
    const double u = loop.exchange(plant);
    ASSERT_NEAR(u, command, 1e-12) << "frame " << n;
    plant = u + (plant - u) * decay;
    reference = command + (reference - command) * decay;
    loop.advance(1_ms);
  }
  EXPECT_NEAR(plant, setpoint, 1e-6);  // no error is left in the end
}

TEST(SimClosedLoop, TheControllerTicksFromEachStart) {
  Loop loop;
  const auto command_after = [](int ticks) { return kp * setpoint + ki * setpoint * dt * ticks; };
  loop.advance(5_ms);
  EXPECT_NEAR(loop.exchange(0), command_after(3), 1e-12);  // at 0, 2 and 4 ms
  loop.start_again();
  loop.advance(3_ms);
  EXPECT_NEAR(loop.exchange(0), command_after(5), 1e-12);  // at 0 and 2 ms of the new start
}

// Between exchanges the controller goes on by the values held, one tick after the other.
TEST(SimClosedLoop, TicksBetweenExchangesAreAllPlayed) {
  Loop loop;
  (void)loop.exchange(1.5);  // tick 0 saw the 0 V from before
  loop.advance(21_ms);       // ticks 1 ... 10 see the 1.5 V
  const double e0 = setpoint, e = setpoint - 1.5;
  EXPECT_NEAR(loop.exchange(1.5), kp * e + ki * dt * (e0 + 10 * e), 1e-12);
}

TEST(SimClosedLoop, ItsPhaseShiftsItsTicks) {
  Loop loop(Texts{{"controller.phase", "300 us"}});
  EXPECT_EQ(loop.exchange(0), 0);  // not yet begun
  loop.advance(299_us);
  EXPECT_EQ(loop.exchange(0), 0);
  loop.advance(1_us);
  EXPECT_NEAR(loop.exchange(0), kp * setpoint + ki * dt * setpoint, 1e-12);
}

TEST(SimClosedLoop, AnAutonomousConverterPassesTheCommandOnAtItsTicks) {
  Loop loop(Texts{{"autonomous.rate", "1 kHz"}, {"controller.phase", "500 us"}});
  loop.advance(900_us);
  EXPECT_EQ(loop.exchange(0), 0);  // commanded at 500 us, next converted at 1000 us
  loop.advance(100_us);
  EXPECT_NEAR(loop.exchange(0), kp * setpoint + ki * dt * setpoint, 1e-12);
}

// Ticks 0 and 1 of the controller measured the 0 V from before: the 1.5 V were written at the same
// instant as tick 1, after it had measured; and what tick 1 commanded was converted at once.
TEST(SimClosedLoop, AtOneInstantTheControllerGoesBeforeTheConverter) {
  Loop loop(Texts{{"autonomous.rate", "500 Hz"}});
  (void)loop.exchange(1.5);
  loop.advance(2_ms);
  EXPECT_NEAR(loop.exchange(1.5), kp * setpoint + ki * dt * 2 * setpoint, 1e-12);
  loop.advance(2_ms);
  const double e = setpoint - 1.5;
  EXPECT_NEAR(loop.exchange(1.5), kp * e + ki * dt * (2 * setpoint + e), 1e-12);
}

Values run(Texts more) {
  Loop loop(std::move(more));
  Values commands;
  double y = 0;
  for (int n = 0; n < 500; ++n) {
    const double u = loop.exchange(y);
    commands.push_back(u);
    y += 0.02 * (u - y);
    loop.advance(Duration{1'000'000 + (n % 7) * 130'000});
  }
  return commands;
}

TEST(SimClosedLoop, RepeatsBitForBit) {
  EXPECT_EQ(run({}), run({}));
  const Texts autonomous{{"autonomous.rate", "3 kHz"}};
  EXPECT_EQ(run(autonomous), run(autonomous));
  EXPECT_NE(run({}), run(autonomous));
}

TEST(SimClosedLoop, RefusesAControllerThatIsNotWired) {
  const Texts wired{{"controller.type", "pi"},   {"controller.measure", "0"},
                    {"controller.command", "1"}, {"controller.rate", "500 Hz"},
                    {"controller.kp", "1 V/V"},  {"controller.setpoint.constant", "0 V"}};
  const auto problem = [&](Texts input, Texts output) {
    SimRig rig(wired);
    rig.input(std::move(input));
    rig.output(std::move(output));
    const auto opened = rig.device().open(rig.clock());
    return opened ? std::string("none") : opened.error().message;
  };
  const Texts command{{"channel", "1"}, {"source.controller", "command"}};
  EXPECT_EQ(problem(command, {{"channel", "0"}}), "none");
  EXPECT_EQ(problem(command, {{"channel", "2"}}),
            "controller: measure is D/A channel 0, which no output uses");
  EXPECT_EQ(problem({{"channel", "3"}}, {{"channel", "0"}}),
            "controller: command is A/D channel 1, which no input uses");
  EXPECT_EQ(problem({{"channel", "1"}}, {{"channel", "0"}}),
            "A/D channel 1: the controller commands it, so its source must be "
            "{controller: command}");
}

}  // namespace
}  // namespace hild::sim
