// SPDX-License-Identifier: Apache-2.0
/// A run's error is split into shares that can be written down.
#include "offline/replay/error_split.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hild/model/integrated.hpp"
#include "offline/replay/recorded_inputs.hpp"
#include "offline/replay/recorded_run.hpp"

namespace hild::model {
namespace {

/// x' = rate u, and the other state decays on its own: z' = -z.
struct SplitProbe {
  static constexpr std::string_view name = "split-probe", summary = "an integrator and a decay";
  static constexpr std::array states{State{"x", "m"}, State{"z", "1", 1.0}};
  static constexpr std::array inputs{Input{"u", "m/s"}};
  static constexpr std::array outputs{Output{"y", "m"}};
  static constexpr std::array parameters{Parameter{"rate", "1", 1.0}};
  using D = Data<SplitProbe>;
  static void derivatives(double, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[0] = p[0] * u[0];
    dx[1] = -x[1];
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};
HILD_MODEL(SplitProbe);

namespace of_events {

/// x' = 1, and y' = 1 from where x^2 reaches c on: y is t less the instant of that.
struct EventProbe {
  static constexpr std::string_view name = "event-probe", summary = "a clock started by an event";
  static constexpr std::array states{State{"x", "s"}, State{"y", "s"}, State{"runs"}};
  static constexpr std::array inputs{Input{"u", "1"}};
  static constexpr std::array outputs{Output{"y", "s"}};
  static constexpr std::array parameters{Parameter{"c", "s2", 0.0100525}};
  static constexpr std::array events{Event{"reached", Crossing::rising}};
  using D = Data<EventProbe>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    dx[0] = 1;
    dx[1] = x[2];
    dx[2] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[1]; }
  static void event_functions(double, D::X x, D::U, D::P p, std::span<double, 1> g) noexcept {
    g[0] = x[0] * x[0] - p[0];
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[2] = 1; }
};
HILD_MODEL(EventProbe);

}  // namespace of_events

}  // namespace
}  // namespace hild::model

namespace hild::testing {
namespace {

using replay::ErrorSplit;
using replay::Share;
using ::testing::HasSubstr;

constexpr double h = 1e-3;
constexpr std::int64_t frames = 201;        // recorded
constexpr std::int64_t steps = frames - 1;  // compared: up to the last sample
constexpr double end = h * steps;

/// A run of the probe at 1 kHz under u(t), recorded into memory.
struct Probe {
  explicit Probe(const std::string& method, FakeSampler::Input u,
                 const std::string& model = "split-probe")
      : assembly(plan::assemble(*config::load_text("frame: {period: 1 ms}\n"
                                                   "model: {type: " +
                                                       model +
                                                       "}\n"
                                                       "integrator: {method: " +
                                                       method + "}\n",
                                                   "probe.yaml"))),
        sampler(clock, {std::move(u)}),
        plant(clock, assembly.another_plant()) {
    sampler.origin = Rig::start;
  }

  Result<ErrorSplit> split() {
    source.frame_layout = exec::FrameLoop::layout(plant);
    rt::SlotRing ring(source.frame_layout.bytes(), 2 * frames);
    exec::Parts parts = assembly.parts(clock, sampler, plant, events, ring);
    exec::FrameLoop loop(assembly.config.settings, parts);
    loop.run(Rig::start, frames, stop);
    while (const std::byte* slot = ring.front()) {
      auto& bytes = source.records.emplace_back((source.frame_layout.bytes() + 7) / 8);
      std::memcpy(bytes.data(), slot, source.frame_layout.bytes());
      ring.release();
    }
    while (const auto reply = events.next_reply()) {
      if (reply->kind == exec::Reply::Kind::accepted) source.accepted.push_back(posted);
    }
    return replay::split_error(assembly, source);
  }
  void post(const exec::Change& change) {
    posted.id = 1;
    posted.add(change);
    EXPECT_EQ(events.submit(posted), exec::Refusal::none);
  }

  plan::Assembly assembly;
  rt::VirtualClock clock;
  FakeSampler sampler;
  CostlyPlant plant;
  exec::ExternalEvents events;
  exec::Transaction posted;
  MemorySource source;
  rt::Flag stop;
};

double largest(const ErrorSplit& s, Share share, std::size_t state) {
  return s.shares[static_cast<std::size_t>(share)][state].largest;
}

// With u held no input is missing; what is left is the method's: (1 - h)^n against e^(-nh), which
// grows until n h = 1, here to the end.
TEST(ErrorSplit, TheMethodsShareIsThatOfItsFormula) {
  Probe probe("forward-euler", [](double) { return 2.0; });
  const auto split = probe.split();
  ASSERT_TRUE(split) << split.error().message;
  EXPECT_EQ(split->steps, steps);
  const double error = std::exp(-end) - std::pow(1 - h, steps);
  EXPECT_NEAR(largest(*split, Share::method, 1), error, 1e-8);
  EXPECT_NEAR(largest(*split, Share::total, 1), error, 1e-8);
  for (const Share share : {Share::overruns, Share::lateness, Share::sampling, Share::events}) {
    EXPECT_EQ(largest(*split, share, 1), 0);
    EXPECT_NEAR(largest(*split, share, 0), 0, 1e-12);
  }
  EXPECT_NEAR(largest(*split, Share::total, 0), 0, 1e-12) << "x = 2 t is integrated exactly";
  EXPECT_NEAR(split->range[1], 1 - std::exp(-end), 1e-8);
}

// u = t held from tick to tick loses h/2 of it all the time: x is h t / 2 behind t^2 / 2. A method
// of second order that gets u at its nodes is exact.
TEST(ErrorSplit, TheSamplingsShareIsWhatHoldingLoses) {
  Probe probe("heun", [](double t) { return t; });
  const auto split = probe.split();
  ASSERT_TRUE(split) << split.error().message;
  EXPECT_NEAR(largest(*split, Share::sampling, 0), h * end / 2, 1e-10);
  EXPECT_NEAR(largest(*split, Share::total, 0), h * end / 2, 1e-10);
  EXPECT_NEAR(largest(*split, Share::method, 0), 0, 1e-10);
  EXPECT_EQ(largest(*split, Share::overruns, 0), 0);
}

// Step 50 takes one and a half frames more: the next is late within its frame, and one that is two
// frames long holds u(t) = t for the second as well: h^2 is lost there.
TEST(ErrorSplit, TheOverrunsShareIsWhatDoublingLoses) {
  Probe probe("heun", [](double t) { return t; });
  probe.plant.extra_of = [](std::int64_t step) {
    return step == 50 ? Duration(2'500_us) : Duration{};
  };
  const auto split = probe.split();
  ASSERT_TRUE(split) << split.error().message;
  EXPECT_EQ(split->steps, steps - 1) << "one was doubled";
  EXPECT_NEAR(largest(*split, Share::overruns, 0), h * h, 1e-12);
  EXPECT_EQ(largest(*split, Share::lateness, 0), 0);
  EXPECT_NEAR(largest(*split, Share::sampling, 0), h * end / 2, 1e-10);
  EXPECT_NEAR(largest(*split, Share::total, 0), h * end / 2 + h * h, 1e-10);
}

// Every wake-up but the first is late, and u = t with it. Taken for what it was at the tick, x
// gains the lateness all the time; at its true time it is on the straight line through the images.
TEST(ErrorSplit, TheLatenessIsAShareOfItsOwn) {
  constexpr double late = 50e-6;
  const auto split_of = [](const std::string& method) {
    Probe probe(method, [](double t) { return t; });
    probe.plant.extra_of = [&](std::int64_t) {
      probe.clock.delay_next_wake(50_us);
      return Duration{};
    };
    auto split = probe.split();
    EXPECT_TRUE(split) << split.error().message;
    return *split;
  };
  const ErrorSplit taken = split_of("heun, samples: as-taken");
  EXPECT_NEAR(largest(taken, Share::lateness, 0), late * (end - h), 1e-12);
  EXPECT_NEAR(largest(taken, Share::total, 0), h * end / 2 - late * (end - h), 1e-10);
  const ErrorSplit at_true_time = split_of("heun");
  EXPECT_NEAR(largest(at_true_time, Share::lateness, 0), 0, 1e-12);
  EXPECT_NEAR(largest(at_true_time, Share::total, 0), h * end / 2, 1e-10);
  for (const ErrorSplit& split : {taken, at_true_time}) {
    EXPECT_EQ(largest(split, Share::overruns, 0), 0);
    EXPECT_NEAR(largest(split, Share::sampling, 0), h * end / 2, 1e-10);
  }
}

// Step 50 takes 1.2 ms from a wake-up 0.05 ms late: the sample of the next is 0.25 ms late, by an
// overrun and not by a wake-up.
TEST(ErrorSplit, ASampleLateByAnOverrunIsOfItsShare) {
  Probe probe("heun, samples: as-taken", [](double t) { return t; });
  probe.plant.extra_of = [&](std::int64_t step) {
    probe.clock.delay_next_wake(50_us);
    return step == 50 ? Duration(1'200_us) : Duration{};
  };
  const auto split = probe.split();
  ASSERT_TRUE(split) << split.error().message;
  EXPECT_EQ(split->steps, steps);
  EXPECT_NEAR(largest(*split, Share::overruns, 0), 0.25 * h * h, 1e-12);
  EXPECT_NEAR(largest(*split, Share::lateness, 0), 50e-6 * (end - 2 * h), 1e-12);
}

// A first-order method looks for the event on the chord of x^2 - c from 0.1 s to 0.101 s, which
// reaches zero before the curve does; straight lines it integrates exactly. (A clock counts
// nanoseconds.)
TEST(ErrorSplit, TheEventsShareIsWhatOneInterpolationLoses) {
  Probe probe(
      "forward-euler", [](double) { return 0.0; }, "event-probe");
  const auto split = probe.split();
  ASSERT_TRUE(split) << split.error().message;
  constexpr double c = 0.0100525;
  const double chord = 0.1 + h * (c - 0.1 * 0.1) / (0.101 * 0.101 - 0.1 * 0.1);
  const double error = std::abs(chord - std::sqrt(c));
  ASSERT_GT(error, 5e-7);
  EXPECT_EQ(split->state_events, 1);
  EXPECT_NEAR(largest(*split, Share::events, 1), error, 3e-9);
  EXPECT_NEAR(largest(*split, Share::total, 1), error, 3e-9);
  for (const Share share : {Share::overruns, Share::lateness, Share::sampling, Share::method}) {
    EXPECT_NEAR(largest(*split, share, 1), 0, 3e-9);
  }
}

// The rate doubles at the start of some step, in the record and in every run made from it.
TEST(ErrorSplit, ParametersThatWereSetAreSetAgain) {
  Probe probe("forward-euler", [](double) { return 2.0; });
  probe.plant.extra_of = [&](std::int64_t step) {
    if (step == 100) probe.post(exec::SetParameter{0, 2.0});
    return Duration{};
  };
  const auto split = probe.split();
  ASSERT_TRUE(split) << split.error().message;
  ASSERT_EQ(probe.source.accepted.size(), 1U);
  EXPECT_NEAR(largest(*split, Share::total, 0), 0, 1e-12);
  EXPECT_NEAR(split->range[0], 2 * end + 2 * (end - 101 * h), 1e-9);
}

TEST(ErrorSplit, ARunThatWasSteeredOtherwiseIsRefusedInWords) {
  Probe probe("forward-euler", [](double) { return 2.0; });
  probe.plant.extra_of = [&](std::int64_t step) {
    if (step == 10) {
      probe.post(exec::Override{exec::Side::input, 0, exec::OverrideKind::gain, 2.0});
    }
    return Duration{};
  };
  const auto split = probe.split();
  ASSERT_FALSE(split);
  EXPECT_THAT(split.error().message, HasSubstr("frame 11: the run was steered from outside by more "
                                               "than parameters"));
}

TEST(ErrorSplit, AGapIsRefusedInWords) {
  Probe probe("forward-euler", [](double) { return 2.0; });
  ASSERT_TRUE(probe.split());
  probe.source.at = 0;
  probe.source.records.erase(probe.source.records.begin() + 7, probe.source.records.begin() + 9);
  const auto split = replay::split_error(probe.assembly, probe.source);
  ASSERT_FALSE(split);
  EXPECT_THAT(split.error().message, HasSubstr("steps 7 to 8 are missing"));
}

// The cubic through samples of a cubic is that cubic, wherever it is asked for.
TEST(RecordedInputs, GoThroughTheirSamplesAsACubicDoes) {
  replay::RecordedInputs inputs({{}, {.held = true}}, 1);
  const auto cubic = [](double t) { return 1 + t * (2 + t * (-3 + t * 0.5)); };
  for (int i = 0; i < 8; ++i) {
    const std::array u{cubic(0.5 * i), static_cast<double>(i)};
    inputs.add(std::array{SimTime{500'000'000LL * i}}, u);
  }
  std::array<double, 2> u{};
  for (double t = 0.55; t < 3; t += 0.1) {
    inputs.at(t, SimTime{static_cast<std::int64_t>(1e9 * t)}, u);
    EXPECT_NEAR(u[0], cubic(t), 1e-12) << t;
    EXPECT_EQ(u[1], std::floor(t / 0.5)) << "held";
  }
  inputs.at(-1, SimTime{-1'000'000'000}, u);
  EXPECT_EQ(u[0], cubic(0));
  inputs.at(9, SimTime{9'000'000'000}, u);
  EXPECT_EQ(u[0], cubic(3.5));
  EXPECT_EQ(inputs.next_break(SimTime{1}), SimTime{500'000'000});
  EXPECT_EQ(inputs.next_break(SimTime{3'500'000'000}), model::never);
}

}  // namespace
}  // namespace hild::testing
