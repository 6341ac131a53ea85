// SPDX-License-Identifier: Apache-2.0
/// A model that keeps the others waiting is named, and one that does not return ends the run.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "exec/model_workers.hpp"
#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

/// x' = 1; calls what it is told to in every evaluation.
struct Held {
  static constexpr std::string_view name = "held";
  static constexpr std::string_view summary = "is held up";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Held>;
  static inline std::function<void()> hold;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept {
    hold();
    dx[0] = 1;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

std::unique_ptr<coupled::CoupledStepper> lag_and_held() {
  return couple(kilohertz, {}, One{"lag", model::make_stepper<Lag>(numerics::forward_euler)},
                One{"held", model::make_stepper<Held>(numerics::forward_euler)});
}

std::unique_ptr<rt::Workers> one_worker() {
  rt::Warnings warnings;
  auto workers =
      rt::Workers::start({.cpus = {-1}, .priority = 0, .period = 1_ms, .tasks = 2}, warnings);
  EXPECT_TRUE(workers);
  return std::move(*workers);
}

// Who had them when: within the step, but for what clocks of two threads differ by.
void expect_both(std::span<const io::ModelRun> runs, const io::FrameHeader& h) {
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].model, 0);
  EXPECT_EQ(runs[0].worker, -1) << "has its place on the thread of the loop";
  EXPECT_EQ(runs[1].model, 1);
  for (const io::ModelRun& run : runs) {
    EXPECT_GE(run.start, h.start - h.due - 100_us);
    EXPECT_GT(run.took, 0);
    EXPECT_LE(h.due + run.start + Duration{run.took}, h.end + 100_us);
  }
}

TEST(ModelOnAWorker, ThatKeepsTheFrameWaitingIsNamed) {
  const auto workers = one_worker();
  exec::ModelWorkers models(*workers, {exec::ModelWorkers::here, 0}, 600_s);
  const pthread_t frame_thread = pthread_self();
  int evaluations = 0;
  // On its worker alone, and for so long that what the machine does beside it is little.
  Held::hold = [&] {
    if (++evaluations % 20 != 0 || pthread_equal(pthread_self(), frame_thread) != 0) return;
    const MonoTime until = rt::monotonic_now() + 100_ms;
    while (rt::monotonic_now() < until) sched_yield();
  };
  bool named = false;
  while (!named) {
    const auto clock = rt::make_clock(rt::ClockKind::sleep, {});
    rt::FollowedClock followed(**clock, *workers);
    rt::VirtualClock unused;
    FakeSampler sampler(unused, {nothing()});
    const auto plant = lag_and_held();
    plant->models()->share_work(models);
    const io::FrameLayout layout = exec::FrameLoop::layout(*plant, 0, 0, 1, true);
    rt::SlotRing ring(layout.bytes(), 1024);
    exec::ExternalEvents events;
    exec::Parts parts{followed, sampler, *plant, plain_inputs(1), {0.0}, &events, &ring};
    parts.workers = &models;
    exec::FrameLoop loop({}, std::move(parts));
    const rt::Flag stop;
    loop.run(followed.now() + 2_ms, 200, stop);
    while (const std::byte* slot = ring.front()) {
      const io::FrameHeader& h = io::FrameView(layout, slot).header();
      named = named || (h.cause == io::Cause::worker && h.waited_for == 1 &&
                        h.phases[static_cast<std::size_t>(io::Phase::workers)] > 50_ms);
      EXPECT_TRUE(h.cause != io::Cause::worker || h.waited_for == 1) << "the other one runs here";
      expect_both(io::FrameView(layout, slot).runs(), h);
      ring.release();
    }
  }
}

// The thread is in it still when all this is over: nothing that it may touch goes.
TEST(ModelOnAWorker, ThatDoesNotReturnEndsTheRunWithSafeOutputs) {
  static rt::Flag let_go;
  static rt::Flag left;
  static coupled::CoupledStepper* const plant = lag_and_held().release();
  {
    const auto workers = one_worker();
    exec::ModelWorkers models(*workers, {exec::ModelWorkers::here, 0}, 20_ms);
    static const pthread_t frame_thread = pthread_self();
    static int evaluations = 0;
    Held::hold = [] {
      if (++evaluations < 10 || pthread_equal(pthread_self(), frame_thread) != 0) return;
      while (!let_go.raised()) sched_yield();
      left.raise();
    };
    plant->models()->share_work(models);
    rt::VirtualClock clock;
    FakeSampler sampler(clock, {nothing()});
    exec::ExternalEvents events;
    exec::Parts parts{clock, sampler, *plant, plain_inputs(1), {0.0}, &events};
    parts.workers = &models;
    exec::FrameLoop loop({}, std::move(parts));
    const rt::Flag stop;
    // However seldom the worker is in time, it is at last.
    const exec::Outcome outcome = loop.run(Rig::start, INT64_MAX / 4, stop);
    EXPECT_EQ(outcome.end, exec::End::model_fault);
    EXPECT_EQ(outcome.fault, exec::Fault::not_returned);
    EXPECT_EQ(outcome.index, 1U);
    EXPECT_TRUE(outcome.safe);
    EXPECT_EQ(sampler.safe_calls, 1);
    EXPECT_LT(outcome.frame, sampler.calls) << "nothing was put out of the step at hand";
    EXPECT_TRUE(workers->stuck());
  }
  let_go.raise();
  while (!left.raised()) sched_yield();
}

// ---- in the background -------------------------------------------------------------------------

std::unique_ptr<coupled::CoupledStepper> lag_and_slow() {
  return couple(kilohertz, {}, One{"lag", model::make_stepper<Lag>(numerics::forward_euler)},
                One{"held",
                    model::make_stepper<Held>(numerics::forward_euler),
                    {.every = 5, .background = true}});
}

std::unique_ptr<rt::BackgroundThread> background_thread() {
  rt::Warnings warnings;
  auto thread = rt::BackgroundThread::start(
      {.thread = {.priority = 0, .name = Name("test")}, .period = 50_us}, warnings);
  EXPECT_TRUE(thread);
  return std::move(*thread);
}

exec::Settings standing_still_for(Duration most) {
  exec::Settings settings;
  settings.overrun.standstill = most;
  return settings;
}

// Due at the tick of 5 ms, and 20 ms later still not done.
TEST(AModelInTheBackground, ThatDoesNotReturnEndsTheRunWithSafeOutputs) {
  static rt::Flag let_go;
  static rt::Flag left;
  static coupled::CoupledStepper* const plant = lag_and_slow().release();
  Held::hold = [] {
    while (!let_go.raised()) sched_yield();
    left.raise();
  };
  {
    const auto thread = background_thread();
    rt::VirtualClock clock;
    FakeSampler sampler(clock, {nothing()});
    exec::ExternalEvents events;
    exec::Parts parts{clock, sampler, *plant, plain_inputs(1), {0.0}, &events};
    parts.background = {nullptr, thread.get()};
    exec::FrameLoop loop(standing_still_for(20_ms), std::move(parts));
    const rt::Flag stop;
    const exec::Outcome outcome = loop.run(Rig::start, 1000, stop);
    EXPECT_EQ(outcome.end, exec::End::model_fault);
    EXPECT_EQ(outcome.fault, exec::Fault::not_returned);
    EXPECT_EQ(outcome.index, 1U);
    EXPECT_EQ(outcome.frame, 25);
    EXPECT_TRUE(outcome.safe);
    EXPECT_FALSE(thread->settle(1_ms));
  }
  let_go.raise();
  while (!left.raised()) sched_yield();
}

// Late by 15 ms each time: that it was late before does not count.
TEST(AModelInTheBackground, ThatIsLateNowAndThenGoesOn) {
  static std::atomic<int> may_run;
  static std::atomic<int> ran;
  may_run = ran = 0;
  Held::hold = [] {
    while (ran.load() >= may_run.load()) sched_yield();
    ++ran;
  };
  const auto plant = lag_and_slow();
  const auto thread = background_thread();
  rt::VirtualClock clock;
  FakeSampler sampler(clock, {nothing()});
  int frame = -1;
  // A call a frame, before anything is taken over at its tick.
  sampler.on_call = [&](int /*call*/) {
    ++frame;
    if (frame != 20 && frame != 40) return;
    ++may_run;
    while (!thread->ended()) sched_yield();
  };
  exec::ExternalEvents events;
  exec::Parts parts{clock, sampler, *plant, plain_inputs(1), {0.0}, &events};
  const io::FrameLayout layout = exec::FrameLoop::layout(*plant, 0, 0, 1, true);
  rt::SlotRing ring(layout.bytes(), 1024);
  parts.records = &ring;
  parts.background = {nullptr, thread.get()};
  exec::FrameLoop loop(standing_still_for(20_ms), std::move(parts));
  const rt::Flag stop;
  EXPECT_EQ(loop.run(Rig::start, 59, stop).end, exec::End::duration);
  std::vector<std::int64_t> late;
  while (const std::byte* slot = ring.front()) {
    const io::FrameView record(layout, slot);
    if (record.header().late_models == 2) late.push_back(record.header().frame);
    ring.release();
  }
  // Due at 5 and taken over at 20; from there to 25, which is due then, and taken over at 40; and
  // so on.
  std::vector<std::int64_t> expected;
  for (const int due : {5, 25, 45}) {
    for (int n = due; n < std::min(due + 15, 59); ++n) expected.push_back(n);
  }
  EXPECT_EQ(late, expected);
  constexpr auto cap = static_cast<std::size_t>(io::Cap::late_steps);
  EXPECT_EQ(loop.statistics().capped[cap].get(), std::ssize(expected));
  EXPECT_EQ(loop.statistics().capped_by[1][cap].get(), std::ssize(expected));
  may_run = 1000;
  EXPECT_TRUE(thread->settle(600_s));
}

}  // namespace
}  // namespace hild::testing
