// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_worker.hpp"

#include <time.h>

#include <algorithm>

namespace hild::sim {
namespace {

MonoTime monotonic_now() noexcept {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return {t.tv_sec * 1'000'000'000 + t.tv_nsec};
}

void nap_until(MonoTime due) noexcept {
  const timespec t{due.ns / 1'000'000'000, due.ns % 1'000'000'000};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
}

}  // namespace

Result<std::unique_ptr<Worker>> Worker::start(std::string_view name, MonoTime epoch, Grid grid,
                                              std::int64_t first, Ticking& target) {
  std::unique_ptr<Worker> worker(new Worker(epoch, grid, target));
  rt::ThreadOptions options;
  options.priority = 0;
  options.name = name;
  rt::Warnings warnings;  // nothing is asked for that could be missing
  auto thread = rt::Thread::start(options, warnings, [w = worker.get(), first] { w->run(first); });
  if (!thread) return tl::make_unexpected(thread.error());
  worker->thread_.emplace(std::move(*thread));
  return worker;
}

Worker::~Worker() { stop_.raise(); }  // the thread joins as the last member goes first

void Worker::run(std::int64_t k) {
  while (wait_until(epoch_ + grid_.tick(k))) {
    target_->tick(monotonic_now());
    k = std::max(k + 1, grid_.frames_in(monotonic_now() - epoch_));
  }
}

bool Worker::wait_until(MonoTime due) {
  // In naps, so that stopping never takes a whole period of a slow rate.
  constexpr Duration nap = 50_ms;
  while (!stop_.raised()) {
    const MonoTime now = monotonic_now();
    if (now >= due) return true;
    nap_until(std::min(due, now + nap));
  }
  return false;
}

}  // namespace hild::sim
