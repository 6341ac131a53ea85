// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/background_thread.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "hild/rt/atomic.hpp"
#include "hild/rt/clock.hpp"

namespace hild::rt {
namespace {

constexpr Duration longest_sleep = 500_ms;  // so that it ends within that

}  // namespace

struct BackgroundThread::State {
  State(const BackgroundOptions& options, std::unique_ptr<Clock> by)
      : period(options.period), grace(options.grace), clock(std::move(by)) {}

  void work() noexcept;
  void run_until(std::uint64_t asked_for) noexcept;

  Duration period;
  Duration grace;
  std::unique_ptr<Clock> clock;
  std::optional<Thread> thread{};
  bool stuck = false;
  Tasks* tasks = nullptr;
  std::size_t task = 0;
  std::uint64_t asked_before = 0;  // by its master
  // Written by its master,
  alignas(64) std::atomic<std::uint64_t> asked{0};
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> ends{false};
  // by the thread,
  alignas(64) std::atomic<std::uint64_t> done{0};
  Counter slept;
  // and by whoever of them has it: all has ended, or not.
  TaskRun run{};
};

void BackgroundThread::State::run_until(std::uint64_t asked_for) noexcept {
  const MonoTime began = clock->now();
  if (run.took.ns == 0) run.start = began;
  std::uint64_t ran = done.load(std::memory_order_relaxed);
  for (; ran != asked_for; ++ran) tasks->run(task);
  run.took += std::max(clock->now() - began, Duration(1_ns));
  done.store(ran, std::memory_order_release);
}

// What is asked late is looked for in steps, of an eighth of a period at first.
void BackgroundThread::State::work() noexcept {
  const Duration shortest = std::max(period / 8, Duration(20_us));
  const Duration longest = std::max(period, shortest);
  Duration step = shortest;
  while (!ends.load(std::memory_order_relaxed)) {
    const std::uint64_t asked_for = asked.load(std::memory_order_acquire);
    if (asked_for != done.load(std::memory_order_relaxed)) {
      run_until(asked_for);
      step = shortest;
      continue;
    }
    const MonoTime now = clock->now();
    MonoTime until = MonoTime{next.load(std::memory_order_relaxed)} + grace;
    if (until <= now) {
      until = now + step;
      step = std::min(step * 2, longest);
    }
    slept.add();
    clock->sleep_until(std::min(until, now + longest_sleep));
  }
}

Result<std::unique_ptr<BackgroundThread>> BackgroundThread::start(const BackgroundOptions& options,
                                                                  Warnings& warnings) {
  auto clock = make_clock(ClockKind::sleep, {});
  if (!clock) return tl::unexpected(clock.error());
  auto state = std::make_shared<State>(options, std::move(*clock));
  // It may outlive the rest, and so holds what it needs.
  auto thread = Thread::start(options.thread, warnings, [state] { state->work(); });
  if (!thread) return tl::unexpected(thread.error());
  state->thread.emplace(std::move(*thread));
  return std::unique_ptr<BackgroundThread>(new BackgroundThread(std::move(state)));
}

BackgroundThread::BackgroundThread(std::shared_ptr<State> state) noexcept
    : state_(std::move(state)) {}

BackgroundThread::~BackgroundThread() {
  state_->ends.store(true, std::memory_order_relaxed);
  if (state_->stuck) state_->thread->leave();
  state_->thread.reset();  // which is known to itself by what it shares
}

void BackgroundThread::add(Tasks& tasks, std::size_t task, int times, MonoTime next) noexcept {
  State& s = *state_;
  if (s.tasks != &tasks || s.task != task) {  // it may be reading them
    s.tasks = &tasks;
    s.task = task;
  }
  s.next.store(next.ns, std::memory_order_relaxed);
  s.asked_before += static_cast<std::uint64_t>(times);
  s.asked.store(s.asked_before, std::memory_order_release);
}

bool BackgroundThread::ended() const noexcept {
  return state_->done.load(std::memory_order_acquire) == state_->asked_before;
}

TaskRun BackgroundThread::take_run() noexcept { return std::exchange(state_->run, TaskRun{}); }

bool BackgroundThread::settle(Duration bound) noexcept {
  const MonoTime until = state_->clock->now() + bound;
  while (!ended() && state_->clock->now() < until) {
    state_->clock->sleep_until(state_->clock->now() + 1_ms);
  }
  state_->stuck = !ended();
  return !state_->stuck;
}

bool BackgroundThread::stuck() const noexcept { return state_->stuck; }

std::int64_t BackgroundThread::sleeps() const noexcept { return state_->slept.get(); }

}  // namespace hild::rt
