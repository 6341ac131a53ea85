// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/side_by_side.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "foreign/examine/forked.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/thread.hpp"

namespace hild::examine {
namespace {

using std::chrono::steady_clock;

// The steps of a round are as many as take about so long alone; rounds go on no longer than that.
constexpr int most_steps = 200;
constexpr auto round_time = std::chrono::milliseconds(100);
constexpr int most_rounds = 1000;
constexpr auto trial_time = std::chrono::seconds(3);
// A thread that waits for the others spins so often before it lets others have its CPU.
constexpr int spins = 2000;

enum class Verdict : unsigned char { none, equal, differ, differ_alone, never_met, no_thread };

// What the process that tries them tells this one.
struct Trial {
  Verdict verdict = Verdict::none;
  bool together = false;  // they have begun to run at the same time
  int met = 0;
};

/// One instance on its way.
class Lane {
 public:
  explicit Lane(const Instance& instance)
      : plant_(&instance.stepper),
        step_(instance.step),
        y_(plant_->description().outputs.size()),
        g_(plant_->description().events.size()),
        before_(g_.size()) {
    for (const auto& input : plant_->description().inputs) u_.push_back(input.start);
  }

  void begin() {
    plant_->reset();
    t_ = {};
    seen_.clear();
    spans_.clear();
    plant_->system().event_functions(0, plant_->states(), u_, before_);
  }

  void take_step() {
    const auto begun = steady_clock::now();
    plant_->step(t_, step_, u_);
    const SimTime from = t_;
    t_ += step_;
    plant_->outputs(seconds(t_), u_, y_);
    plant_->system().event_functions(seconds(t_), plant_->states(), u_, g_);
    for (const auto& values : {std::span<const double>(y_), std::span<const double>(g_),
                               std::span<const double>(plant_->states())}) {
      seen_.insert(seen_.end(), values.begin(), values.end());
    }
    seen_.push_back(plant_->system().failed_function() != nullptr ? 1 : 0);
    act(from);
    spans_.push_back({begun, steady_clock::now()});
  }

  // What all steps since begin() have given.
  using Values = std::vector<double>;
  [[nodiscard]] const Values& seen() const { return seen_; }

  struct Span {
    steady_clock::time_point begun;
    steady_clock::time_point done;
  };
  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }

  /// How many steps it has begun since begin(), for the others to see.
  rt::Counter arrived;

 private:
  // As a run does, but at the end of the step: both ways of the code are to be tried.
  void act(SimTime from) {
    model::System& system = plant_->system();
    bool acted = false;
    if (plant_->description().time_events && system.next_time_event(from) <= t_) {
      system.on_time_event(seconds(t_), plant_->states(), u_);
      acted = true;
    }
    for (std::size_t i = 0; i < g_.size(); ++i) {
      if (!model::crosses(plant_->description().events[i].crossing, before_[i], g_[i])) continue;
      system.on_event(i, seconds(t_), plant_->states(), u_);
      acted = true;
    }
    if (acted) {
      plant_->restart(model::Restart::here);
      system.event_functions(seconds(t_), plant_->states(), u_, g_);
    }
    before_ = g_;
  }

  model::Stepper* plant_;
  Duration step_;
  SimTime t_{};
  std::vector<double> u_, y_, g_;
  std::vector<double> before_;  // event functions at the end of the step before
  Values seen_;
  std::vector<Span> spans_;
};

using Lanes = std::deque<Lane>;

// To the bit: values that are no numbers have bits, too.
bool same(const Lane::Values& a, const Lane::Values& b) {
  constexpr auto bits = [](double v) { return std::bit_cast<std::uint64_t>(v); };
  return std::ranges::equal(a, b, {}, bits, bits);
}

const Lane::Values& alone(Lane& lane, int steps) {
  lane.begin();
  for (int n = 0; n < steps; ++n) lane.take_step();
  return lane.seen();
}

// As many steps as take `round_time`, of the slowest.
int steps_of_a_round(Lanes& lanes) {
  int steps = most_steps;
  for (Lane& lane : lanes) {
    lane.begin();
    const auto begun = steady_clock::now();
    int n = 0;
    while (n < steps && (n < 2 || steady_clock::now() - begun < round_time)) {
      lane.take_step();
      ++n;
    }
    steps = n;
  }
  return steps;
}

// Until all have come as far: a step begins at the same time for all.
void wait_for(const Lanes& lanes, int step) {
  for (const Lane& lane : lanes) {
    for (int n = 0; lane.arrived.get() < step; ++n) {
      if (n > spins) std::this_thread::yield();
    }
  }
}

// A CPU for each: those asked for, then others that this process may run on; where there are fewer
// than instances, again from the first on.
std::vector<int> places_for(std::size_t lanes, std::vector<int> cpus) {
  for (const int cpu : rt::allowed_cpus()) {
    if (std::ranges::find(cpus, cpu) == cpus.end()) cpus.push_back(cpu);
  }
  for (std::size_t k = 0; !cpus.empty() && cpus.size() < lanes; ++k) cpus.push_back(cpus[k]);
  return cpus;
}

// All at the same time, each on its thread and, as far as there are, its CPU. False: one could not
// be made.
bool together(Lanes& lanes, int steps, const std::vector<int>& cpus) {
  for (Lane& lane : lanes) {
    lane.begin();
    lane.arrived.set(0);
  }
  std::vector<rt::Thread> threads;
  threads.reserve(lanes.size());
  for (Lane& lane : lanes) {
    const int cpu = cpus.empty() ? -1 : cpus[threads.size() % cpus.size()];
    rt::Warnings unbound;  // then it is where the kernel puts it
    auto thread = rt::Thread::start({.cpu = cpu}, unbound, [&lane, &lanes, steps] {
      for (int n = 1; n <= steps; ++n) {
        lane.arrived.set(n);
        wait_for(lanes, n);
        lane.take_step();
      }
    });
    if (!thread) {
      for (rt::Thread& one : threads) one.leave();  // they wait for it
      return false;
    }
    threads.push_back(std::move(*thread));
  }
  for (rt::Thread& thread : threads) thread.join();
  return true;
}

// Steps of two that were under way at the same time.
int steps_that_met(const Lane& a, const Lane& b) {
  int met = 0;
  for (std::size_t n = 0; n < a.spans().size(); ++n) {
    const Lane::Span& one = a.spans()[n];
    const Lane::Span& other = b.spans()[n];
    met += one.begun < other.done && other.begun < one.done ? 1 : 0;
  }
  return met;
}

/// How often each two have met so far.
class Meetings {
 public:
  void count(const Lanes& lanes) {
    std::size_t pair = 0;
    for (std::size_t a = 0; a < lanes.size(); ++a) {
      for (std::size_t b = a + 1; b < lanes.size(); ++b) {
        if (pair == met_.size()) met_.push_back(0);
        met_[pair++] += steps_that_met(lanes[a], lanes[b]);
      }
    }
  }
  /// Of the two that did so least.
  [[nodiscard]] int least() const {
    return met_.empty() ? 0 : *std::min_element(met_.begin(), met_.end());
  }

 private:
  std::vector<int> met_;
};

void try_them(Lanes& lanes, const SideBySideOptions& options, Trial& trial) {
  const int steps = steps_of_a_round(lanes);
  std::vector<Lane::Values> expected;
  for (Lane& lane : lanes) {
    expected.push_back(alone(lane, steps));
    if (same(alone(lane, steps), expected.back())) continue;
    trial.verdict = Verdict::differ_alone;
    return;
  }
  trial.together = true;
  std::vector<int> cpus = places_for(lanes.size(), options.cpus);
  std::minstd_rand turn;
  Meetings meetings;
  const auto begun = steady_clock::now();
  for (int n = 0; n < most_rounds && trial.met < options.steps; ++n) {
    if (n > 0 && steady_clock::now() - begun > trial_time) break;
    // Where there are fewer than instances, these take turns in who shares one with whom.
    if (n > 0 && cpus.size() == lanes.size()) std::ranges::shuffle(cpus, turn);
    if (!together(lanes, steps, cpus)) {
      trial.verdict = Verdict::no_thread;
      return;
    }
    meetings.count(lanes);
    trial.met = meetings.least();
    if (std::ranges::equal(lanes, expected, same, &Lane::seen)) continue;
    trial.verdict = Verdict::differ;
    return;
  }
  trial.verdict = trial.met > 0 ? Verdict::equal : Verdict::never_met;
}

}  // namespace

Result<SideBySide> run_side_by_side(std::span<const Instance> instances,
                                    const SideBySideOptions& options) {
  const auto trial = make_shared_with_children<Trial>();
  if (!trial) return fail("no memory to try them in");
  const Duration patience = options.patience * static_cast<std::int64_t>(instances.size());
  const auto status = in_own_process(patience, [&] {
    Lanes lanes;
    for (const Instance& instance : instances) lanes.emplace_back(instance);
    try_them(lanes, options, *trial);
  });
  if (!status) return tl::unexpected(status.error());
  const char* const when = trial->together ? "side by side" : "alone, before they ran side by side";
  const auto fault = [&](std::string words) { return SideBySide{trial->met, std::move(words)}; };
  if (!*status) return fault(fmt::format("do not return, {}", when));
  if (WIFSIGNALED(**status)) {
    return fault(fmt::format("crash ({}), {}", ::strsignal(WTERMSIG(**status)), when));
  }
  switch (trial->verdict) {
    case Verdict::equal:
      return fault({});
    case Verdict::differ:
      return fault("give other values side by side than alone");
    case Verdict::differ_alone:
      return fault("give other values each time, alone as well, so that nothing can be compared");
    case Verdict::never_met:
      return fail("two never ran at the same time");
    case Verdict::no_thread:
      return fail("no thread could be made");
    case Verdict::none:
      break;
  }
  return fault(fmt::format("end the process (exit code {}), {}", WEXITSTATUS(**status), when));
}

}  // namespace hild::examine
