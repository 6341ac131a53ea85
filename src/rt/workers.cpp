// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace hild::rt {
namespace {

constexpr std::size_t cache_line = 64;
// A worker wakes so long before the instant, at first; then by how late it has been.
constexpr Duration shortest_lead = 20_us;
constexpr Duration first_lead = 100_us;
// Readings of the clock are far apart compared with those of the line that is spun on.
constexpr int spins_by_reading = 64;

void pause_spinning() noexcept {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

}  // namespace

namespace worker_parts {

/// What a worker and its master have in common of one lot of work, in one word: the number of the
/// lot, how many tasks it has, and how many of those have been taken. Whoever raises the last has
/// taken a task; in another lot than it has read it cannot, as the word is another then.
struct Lot {
  std::uint32_t number = 0;
  std::uint16_t tasks = 0;
  std::uint16_t taken = 0;

  static Lot of(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint16_t>(word >> 16),
            static_cast<std::uint16_t>(word)};
  }
  [[nodiscard]] std::uint64_t word() const noexcept {
    return (std::uint64_t{number} << 32) | (std::uint64_t{tasks} << 16) | taken;
  }
};

/// One worker's.
struct Desk {
  // Written by the master but for what is taken; the line that is spun on, and which has all that
  // a small lot is.
  alignas(cache_line) std::atomic<std::uint64_t> lot{0};
  std::atomic<std::int64_t> follow{0};  // the instant to sleep to
  Tasks* tasks = nullptr;               // of the lot, as are the lists
  std::array<std::uint16_t, 16> first{};
  std::uint16_t* others = nullptr;
  // Written by the worker.
  alignas(cache_line) std::atomic<std::uint64_t> ended{0};  // tasks it has run, ever
  std::atomic<std::uint16_t> at{0};                         // the task it is in, or was in last
  // The master's own.
  alignas(cache_line) std::uint64_t due = 0;  // what `ended` will be
  std::uint32_t number = 0;                   // of the last lot
  std::uint16_t listed = 0;
  std::vector<std::uint16_t> room;  // of `others`

  void add(std::uint16_t task) noexcept {
    (listed < first.size() ? first[listed] : others[listed - first.size()]) = task;
    ++listed;
  }
  [[nodiscard]] std::uint16_t task_at(std::uint16_t place) const noexcept {
    return place < first.size() ? first[place] : others[place - first.size()];
  }

  /// The next task of the lot at hand that nobody has taken; none: -1.
  int take() noexcept {
    std::uint64_t seen = lot.load(std::memory_order_acquire);
    while (true) {
      Lot next = Lot::of(seen);
      if (next.taken == next.tasks) return -1;
      const std::uint16_t place = next.taken++;
      if (lot.compare_exchange_weak(seen, next.word(), std::memory_order_acquire)) {
        return task_at(place);
      }
    }
  }
};

}  // namespace worker_parts

struct Workers::State {
  using Desk = worker_parts::Desk;
  using Lot = worker_parts::Lot;

  State(const WorkerOptions& options, std::unique_ptr<Clock> by)
      : period(options.period),
        desks(options.cpus.size()),
        runs(options.tasks),
        clock(std::move(by)),
        watch(*clock) {
    for (Desk& desk : desks) {
      desk.room.resize(options.tasks);
      desk.others = desk.room.data();
    }
  }

  /// Runs a task, and notes where and when.
  void run(Tasks& tasks, std::size_t task, int worker, Stopwatch& by) noexcept {
    TaskRun& noted = runs[task];
    noted.worker = worker;
    noted.start = by.now();
    tasks.run(task);
    noted.took = by.now() - noted.start;
  }
  void work(std::size_t worker) noexcept;
  bool spin(std::size_t worker, Stopwatch& by, MonoTime followed, MonoTime until) noexcept;

  Duration period;
  std::vector<Desk> desks;
  std::vector<TaskRun> runs;
  std::unique_ptr<Clock> clock;  // by which workers sleep; it has no state
  Stopwatch watch;               // the master's
  std::atomic<bool> ends{false};
  std::atomic<bool> stuck{false};
  std::atomic<std::int64_t> taken_back{0};
  std::size_t waited_for = nobody;
  std::vector<Thread> threads{};
};

// Until there is something to sleep to, or `until`. Whether there is.
bool Workers::State::spin(std::size_t worker, Stopwatch& by, MonoTime followed,
                          MonoTime until) noexcept {
  Desk& desk = desks[worker];
  for (int spins = 1;; ++spins) {
    for (int task = desk.take(); task >= 0; task = desk.take()) {
      desk.at.store(static_cast<std::uint16_t>(task), std::memory_order_relaxed);
      run(*desk.tasks, static_cast<std::size_t>(task), static_cast<int>(worker), by);
      desk.ended.store(desk.ended.load(std::memory_order_relaxed) + 1, std::memory_order_release);
      until = std::max(until, by.now() + period);
    }
    if (desk.follow.load(std::memory_order_relaxed) != followed.ns) return true;
    if (ends.load(std::memory_order_relaxed)) return false;
    if (spins % spins_by_reading == 0 && by.sync() > until) return false;
    pause_spinning();
  }
}

// What keeps it awake is bounded: where its master neither shares anything out nor goes to sleep,
// it goes to sleep itself for a period at a time.
void Workers::State::work(std::size_t worker) noexcept {
  Stopwatch by(*clock);
  const Duration longest_lead = std::max(shortest_lead, period / 4);
  Duration lead = std::min(first_lead, longest_lead);
  const Desk& desk = desks[worker];
  while (!ends.load(std::memory_order_relaxed)) {
    const MonoTime followed{desk.follow.load(std::memory_order_relaxed)};
    const MonoTime wake = followed - lead;
    if (by.now() < wake) {
      clock->sleep_until(wake);
      const Duration late = by.sync() - wake;
      lead = std::clamp(std::max(late + shortest_lead, lead - lead / 256), shortest_lead,
                        longest_lead);
    }
    MonoTime until = std::max(followed, by.sync()) + period;
    while (!spin(worker, by, followed, until)) {
      if (ends.load(std::memory_order_relaxed)) return;
      until = by.now() + period;
      clock->sleep_until(until);  // and a look then
    }
  }
}

Result<std::unique_ptr<Workers>> Workers::start(const WorkerOptions& options, Warnings& warnings) {
  auto clock = make_clock(ClockKind::sleep, {});
  if (!clock) return tl::unexpected(clock.error());
  auto state = std::make_shared<State>(options, std::move(*clock));
  std::unique_ptr<Workers> workers(new Workers(state));
  for (std::size_t k = 0; k < options.cpus.size(); ++k) {
    const ThreadOptions one{.priority = options.priority,
                            .cpu = options.cpus[k],
                            .name = Name(fmt::format("hild-worker-{}", k))};
    // It may outlive the rest, and so holds what it needs.
    auto thread = Thread::start(one, warnings, [state, k] { state->work(k); });
    if (!thread) return tl::unexpected(thread.error());
    state->threads.push_back(std::move(*thread));
  }
  return workers;
}

Workers::Workers(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}

Workers::~Workers() {
  state_->ends.store(true, std::memory_order_relaxed);
  if (stuck()) {
    for (Thread& thread : state_->threads) thread.leave();
  }
  state_->threads.clear();  // which are known to each other by what they share
}

std::size_t Workers::count() const noexcept { return state_->desks.size(); }

void Workers::follow(MonoTime due) noexcept {
  state_->watch.sync();
  for (auto& desk : state_->desks) desk.follow.store(due.ns, std::memory_order_relaxed);
}

void Workers::add(std::size_t worker, std::size_t task) noexcept {
  state_->desks[worker].add(static_cast<std::uint16_t>(task));
}

void Workers::share_out(Tasks& tasks) noexcept {
  for (auto& desk : state_->desks) {
    if (desk.listed == 0) continue;
    desk.tasks = &tasks;
    // Until it has taken one: else it would be one of the lot before that is waited for.
    desk.at.store(desk.task_at(0), std::memory_order_relaxed);
    const State::Lot lot{++desk.number, desk.listed, 0};
    desk.due += lot.tasks;
    desk.lot.store(lot.word(), std::memory_order_release);
  }
}

void Workers::run_here(Tasks& tasks, std::size_t task) noexcept {
  state_->run(tasks, task, -1, state_->watch);
}

void Workers::take_back(Tasks& tasks) noexcept {
  for (auto& desk : state_->desks) {
    if (desk.listed == 0) continue;
    for (int task = desk.take(); task >= 0; task = desk.take()) {
      --desk.due;
      state_->taken_back.store(state_->taken_back.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
      run_here(tasks, static_cast<std::size_t>(task));
    }
  }
}

bool Workers::wait(Duration bound) noexcept {
  State& s = *state_;
  s.waited_for = nobody;
  MonoTime until{};
  for (auto& desk : s.desks) {
    for (int spins = 0; desk.ended.load(std::memory_order_acquire) != desk.due; ++spins) {
      if (spins % spins_by_reading == 0) {
        s.waited_for = desk.at.load(std::memory_order_relaxed);
        const MonoTime now = s.watch.now();
        if (until.ns == 0) until = now + bound;
        if (now > until) {
          s.stuck.store(true, std::memory_order_relaxed);
          return false;
        }
      }
      pause_spinning();
    }
    desk.listed = 0;
  }
  return true;
}

std::size_t Workers::waited_for() const noexcept { return state_->waited_for; }

const TaskRun& Workers::last_run(std::size_t task) const noexcept { return state_->runs[task]; }

std::int64_t Workers::taken_back() const noexcept {
  return state_->taken_back.load(std::memory_order_relaxed);
}

std::int64_t Workers::run_by_workers() const noexcept {
  std::uint64_t all = 0;
  for (const auto& desk : state_->desks) all += desk.ended.load(std::memory_order_relaxed);
  return static_cast<std::int64_t>(all);
}

bool Workers::stuck() const noexcept { return state_->stuck.load(std::memory_order_relaxed); }

}  // namespace hild::rt
