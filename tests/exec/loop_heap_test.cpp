// SPDX-License-Identifier: Apache-2.0
/// \file
/// The promises of the real-time side: not one heap call in 10 000 frames of everything a frame can
/// hold, and not one page fault once memory is locked. With a simulated device behind the bus.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "exec/fakes.hpp"
#include "hild/rt/thread.hpp"
#include "io/bus.hpp"
#include "support/heap_trap.hpp"
#include "tests/drivers/fake_options.hpp"

namespace hild::testing {
namespace {

using exec::OverrunPolicy;
using exec::Sampling;
using test::FakeOptions;

static_assert(test::HeapTrap::counting, "these tests are left out where nothing is counted");

/// A ramp driven by its input, reset by a state event when it is full and nudged twice a second.
struct Ramp {
  static constexpr std::string_view name = "ramp";
  static constexpr std::string_view summary = "fills, empties, is nudged";
  static constexpr std::array states{model::State{"level", "V"}};
  static constexpr std::array inputs{model::Input{"inflow", "V"}};
  static constexpr std::array outputs{model::Output{"level", "V"}, model::Output{"inflow", "V"}};
  static constexpr std::array parameters{model::Parameter{"gain", "1/s", 20.0}};
  static constexpr std::array events{model::Event{"full", model::Crossing::rising}};
  using Methods = model::CompiledWith<numerics::rtam2>;
  using D = model::Data<Ramp>;
  static inline double largest_input = 0;
  static void derivatives(double, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    largest_input = std::max(largest_input, std::abs(u[0]));
    dx[0] = p[0] * (1.5 + u[0]) - x[0];
  }
  static void outputs_of(double, D::X x, D::U u, D::P, D::Y y) noexcept {
    y[0] = x[0];
    y[1] = u[0];
  }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = x[0] - 1;
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[0] = 0; }
  static SimTime next_time_event(SimTime t, D::P) noexcept {
    constexpr std::int64_t every = 500'000'123;  // never at a tick
    return {(t.ns / every + 1) * every};
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[0] *= 0.5; }
};

/// A simulated device with a controller in the loop, wired to the ramp.
class Device {
 public:
  explicit Device(rt::Clock& clock, FakeOptions::Texts more = {}) {
    more.insert({{"image", image_}});
    FakeOptions options(std::move(more));
    auto device = io::find_driver("sim")->make("rig", options);
    FakeOptions sine{{"channel", "0"},
                     {"noise", "1 mV"},
                     {"delay", "20 us"},
                     {"source.sine.amplitude", "1 V"},
                     {"source.sine.frequency", "7 Hz"}};
    FakeOptions level{{"channel", "0"}};
    FakeOptions flow{{"channel", "1"}};
    io::InputSignal u;
    u.channel = device->add(io::Direction::input, sine).value();
    u.device = 0;
    std::vector<io::OutputSignal> y(2);
    y[0].channel = device->add(io::Direction::output, level).value();
    y[1].channel = device->add(io::Direction::output, flow).value();
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i].device = 0;
      y[i].slot = i;
      y[i].limits = {-0.5, 0.5};  // so that values are cut as well
    }
    std::vector<io::Member> members;
    members.push_back({Name("rig"), std::move(device), {1_s}});
    bus_ = std::make_unique<io::Bus>(std::move(members), std::vector<io::InputSignal>(1, u), y);
    const auto opened = bus_->open(clock);
    EXPECT_TRUE(opened) << opened.error().message;
    bus_->start(clock.now());
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() {
    bus_.reset();
    ::shm_unlink(("/" + image_).c_str());
  }
  [[nodiscard]] io::Bus& bus() { return *bus_; }

 private:
  std::string image_ = "hild-test-heap-" + std::to_string(::getpid());
  std::unique_ptr<io::Bus> bus_;
};

struct HeapCase {
  const char* name;
  const numerics::Method* method;
  Sampling sampling;
  OverrunPolicy policy;
  bool autonomous;  ///< the converter lives at its own rate, with a mailbox on either side
};

class NoHeapCall : public ::testing::TestWithParam<HeapCase> {};

TEST_P(NoHeapCall, InTenThousandFramesOfEverything) {
  constexpr std::int64_t frames = 10'000;
  const HeapCase& c = GetParam();
  rt::VirtualClock clock(MonoTime{1'000'000'000});
  FakeOptions::Texts keys;
  if (c.autonomous) keys = {{"autonomous.rate", "2 kHz"}};
  Device device(clock, keys);
  CostlyPlant plant(clock, model::make_stepper<Ramp>(*c.method));
  plant.starts.reserve(20 * frames);  // what the fake keeps is not the loop's
  plant.lengths.reserve(20 * frames);
  plant.pass_cost = 20_us;

  exec::Settings settings;
  settings.sampling = c.sampling;
  settings.overrun.policy = c.policy;
  settings.overrun.then = exec::LimitAction::carry_on;
  settings.overrun.limit_percent = 1;
  settings.overrun.startup_grace = 0;
  settings.dense_outputs = {0.3, 0.6, 0.9};  // of a method that has them
  settings.keyframes.every = 5;
  exec::ExternalEvents events;
  // Nobody reads the records: those that find no room are dropped.
  rt::SlotRing ring(exec::FrameLoop::layout(plant).bytes(), 1024);
  exec::FrameLoop loop(settings,
                       {clock, device.bus(), plant, plain_inputs(1), {0.0}, &events, &ring});

  // Work that overruns by a little, by one frame, by many; late wakes; events from outside.
  plant.extra_of = [&](std::int64_t step) {
    if (step % 50 == 7) {
      const exec::SetParameter set{0, 20.0 + double(step % 3), true};
      static_cast<void>(events.submit(transaction(0, set)));
    }
    while (loop.keyframes()->front() != nullptr) loop.keyframes()->release();
    if (step % 70 == 3) clock.delay_next_wake(300_us);
    if (step % 100 == 40) return Duration(700_us);
    if (step % 250 == 41) return Duration(1'500_us);
    if (step % 1000 == 500) return Duration(30_ms);
    return Duration{};
  };
  Ramp::largest_input = 0;
  const rt::Flag stop;
  const MonoTime start = clock.now() + 10_ms;
  exec::Outcome outcome;
  long calls = -1;
  std::string first;
  {
    const test::HeapTrap trap;
    outcome = loop.run(start, frames, stop);
    calls = trap.calls();
    first = trap.first_call();
  }
  EXPECT_EQ(calls, 0) << first;

  // Samples brought back over 30 frames are still samples of a sine of 1 V with noise of 1 mV.
  EXPECT_GT(Ramp::largest_input, 0.99);
  EXPECT_LT(Ramp::largest_input, 1.2);

  // What a frame can hold was in those frames.
  const auto& s = loop.statistics();
  EXPECT_EQ(outcome.end, exec::End::duration);
  EXPECT_GE(s.frames.get(), frames);
  EXPECT_GT(s.overruns.get(), 10);
  EXPECT_GT(s.late_wakes.get(), 10);
  EXPECT_GT(s.slips.get(), 0);
  EXPECT_GT(s.state_events.get(), 100);
  EXPECT_GT(s.time_events.get(), 10);
  EXPECT_GT(s.events_served.get(), 100);
  EXPECT_GT(s.records_dropped.get(), 1000);
  EXPECT_GT(device.bus().clamped(), 1000);
  EXPECT_GT(s.keyframes.get(), 1000);
  EXPECT_EQ(s.keyframes_left_out.get(), 0);
  if (c.policy == OverrunPolicy::double_step) {
    EXPECT_GT(s.doubled_steps.get(), 10);
  }
  EXPECT_EQ(s.intermediate_writes.get() > 10'000, c.method == &numerics::ode45);
  if (c.sampling == Sampling::stage) {
    EXPECT_GT(s.late_samples.get(), 10);
  }
}

const auto name_of = [](const auto& info) { return std::string(info.param.name); };

INSTANTIATE_TEST_SUITE_P(
    Loop, NoHeapCall,
    ::testing::Values(
        HeapCase{"Rtam2Stage", &numerics::rtam2, Sampling::stage, OverrunPolicy::double_step,
                 false},
        HeapCase{"Rtam2StageMailbox", &numerics::rtam2, Sampling::stage, OverrunPolicy::double_step,
                 true},
        HeapCase{"Ab4Frame", &numerics::ab4, Sampling::frame, OverrunPolicy::double_step, false},
        HeapCase{"Rtam4StageSlip", &numerics::rtam4, Sampling::stage, OverrunPolicy::slip, false},
        HeapCase{"Rk4Extrapolate", &numerics::rk4, Sampling::extrapolate,
                 OverrunPolicy::double_step, false},
        HeapCase{"Ode45Stage", &numerics::ode45, Sampling::stage, OverrunPolicy::double_step,
                 false}),
    name_of);

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt + usage.ru_majflt;
}

/// Notes the page faults of the loop's thread at its first device call and at its last.
class FaultCounter final : public io::Sampler {
 public:
  explicit FaultCounter(io::Sampler& inner) : inner_(&inner) {}
  bool exchange(std::span<const double> y, std::span<double> u, MonoTime now,
                std::span<MonoTime> sampled) noexcept override {
    if (first < 0) first = page_faults();
    return inner_->exchange(y, u, now, sampled);
  }
  bool safe() noexcept override {
    const bool all = inner_->safe();
    last = page_faults();
    return all;
  }
  long first = -1;
  long last = -1;

 private:
  io::Sampler* inner_;
};

// On the real clock, from the first frame on: what the loop will touch was touched before.
TEST(NoPageFault, InTwoThousandFramesOfALiveRun) {
  constexpr std::int64_t frames = 2000;
  const auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  ASSERT_TRUE(clock);
  Device device(**clock);
  FaultCounter sampler(device.bus());
  const auto plant = model::make_stepper<Ramp>(numerics::rtam2);
  exec::Settings settings;
  settings.grid = Grid::of_rate_hz(4000);
  settings.sampling = Sampling::stage;
  settings.overrun.then = exec::LimitAction::carry_on;
  exec::ExternalEvents events;
  rt::SlotRing ring(exec::FrameLoop::layout(*plant).bytes(), 2 * frames);
  exec::FrameLoop loop(settings,
                       {**clock, sampler, *plant, plain_inputs(1), {0.0}, &events, &ring});

  rt::Warnings warnings;
  rt::lock_memory(warnings);
  const bool locked = warnings.empty();
  exec::Outcome outcome;
  const rt::Flag stop;
  auto thread = rt::Thread::start(
      {}, warnings, [&] { outcome = loop.run((*clock)->now() + 10_ms, frames, stop); });
  ASSERT_TRUE(thread) << thread.error().message;
  thread->join();
  ::munlockall();

  EXPECT_EQ(outcome.end, exec::End::duration);
  EXPECT_GE(loop.statistics().frames.get(), frames);
  ASSERT_GE(sampler.first, 0);
  if (!locked) GTEST_SKIP() << "memory cannot be locked here: faults may happen";
  EXPECT_EQ(sampler.last - sampler.first, 0);
}

}  // namespace
}  // namespace hild::testing
