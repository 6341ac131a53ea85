// SPDX-License-Identifier: Apache-2.0
/// Not one heap call in the frames of coupled models of every rate, with events and overruns.
#include <gtest/gtest.h>

#include "exec/model_workers.hpp"
#include "model/coupled/couple.hpp"
#include "support/heap_trap.hpp"

namespace hild::testing {
namespace {

static_assert(test::HeapTrap::counting, "these tests are left out where nothing is counted");

class QuietSampler final : public io::Sampler {
 public:
  bool exchange(std::span<const double> /*y*/, std::span<double> u, MonoTime now,
                std::span<MonoTime> sampled) noexcept override {
    std::ranges::fill(sampled, now);
    std::ranges::fill(u, 0.5);
    return true;
  }
  bool safe() noexcept override { return true; }
};

class CoupledFrames : public ::testing::TestWithParam<exec::Sampling> {
 protected:
  // Of the thread of the loop; what workers call themselves is counted by their own test.
  static void expect_no_calls(exec::ModelWorkers* workers, rt::BackgroundThread* of_slow = nullptr);
};
INSTANTIATE_TEST_SUITE_P(Under, CoupledFrames,
                         ::testing::Values(exec::Sampling::frame, exec::Sampling::stage));

void CoupledFrames::expect_no_calls(exec::ModelWorkers* workers, rt::BackgroundThread* of_slow) {
  const exec::Sampling sampling = GetParam();
  auto plant = couple(kilohertz,
                      {{.from = 1, .to = 0, .degree = 2},
                       {.from = 0, .to = 1, .degree = 1, .delayed = true},
                       {.from = 2, .to = 2, .degree = 2}},
                      One{"a", model::make_stepper<Integral>(numerics::rtam3)},
                      One{"b", model::make_stepper<Integral>(numerics::ab2), {.substeps = 3}},
                      One{"c",
                          model::make_stepper<Integral>(numerics::rtrk2),
                          {.every = 3, .background = of_slow != nullptr}},
                      One{"ball", model::make_stepper<Ball>(numerics::ab3)});
  plant->system().set_parameter(1, -1.0);
  if (workers != nullptr) plant->models()->share_work(*workers);
  rt::VirtualClock clock;
  QuietSampler sampler;
  exec::Settings settings;
  settings.sampling = sampling;
  exec::ExternalEvents events;
  const bool shared = workers != nullptr || of_slow != nullptr;
  rt::SlotRing records(exec::FrameLoop::layout(*plant, 0, 0, 1, shared).bytes(), 8);
  exec::FrameLoop loop(settings, {.clock = clock,
                                  .sampler = sampler,
                                  .plant = *plant,
                                  .inputs = std::vector<io::SampledInput>(3),
                                  .start_inputs = std::vector<double>(3),
                                  .events = &events,
                                  .records = &records,
                                  .workers = workers,
                                  .background = {nullptr, nullptr, of_slow}});
  const rt::Flag never;
  test::HeapTrap trap;
  const exec::Outcome outcome = loop.run(MonoTime{1'000'000}, 2000, never);
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
  EXPECT_EQ(outcome.end, exec::End::duration);
  EXPECT_GT(loop.statistics().state_events.get(), 0);
  EXPECT_TRUE(of_slow == nullptr || of_slow->settle(600_s));
}

TEST_P(CoupledFrames, CallNoHeap) { expect_no_calls(nullptr); }

TEST_P(CoupledFrames, CallNoHeapWithWorkers) {
  rt::Warnings warnings;
  const auto workers =
      rt::Workers::start({.cpus = {-1, -1}, .priority = 0, .period = 100_us, .tasks = 4}, warnings);
  ASSERT_TRUE(workers);
  exec::ModelWorkers models(**workers, {0, 1, exec::ModelWorkers::here, 1}, 600_s);
  expect_no_calls(&models);
}

TEST_P(CoupledFrames, CallNoHeapWithOneInTheBackground) {
  rt::Warnings warnings;
  const auto thread = rt::BackgroundThread::start(
      {.thread = {.priority = 0, .name = Name("test")}, .period = 50_us}, warnings);
  ASSERT_TRUE(thread);
  expect_no_calls(nullptr, thread->get());
}

}  // namespace
}  // namespace hild::testing
