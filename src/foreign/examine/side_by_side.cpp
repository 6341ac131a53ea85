// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/side_by_side.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "foreign/examine/forked.hpp"
#include "hild/rt/atomic.hpp"

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

enum class Verdict : unsigned char { none, equal, differ, differ_alone, never_met };

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

// All at the same time, each on its thread.
void together(Lanes& lanes, int steps) {
  for (Lane& lane : lanes) {
    lane.begin();
    lane.arrived.set(0);
  }
  std::vector<std::thread> threads;
  threads.reserve(lanes.size());
  for (Lane& lane : lanes) {
    threads.emplace_back([&lane, &lanes, steps] {
      for (int n = 1; n <= steps; ++n) {
        lane.arrived.set(n);
        wait_for(lanes, n);
        lane.take_step();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Steps that were under way while one of another was.
int steps_that_met(const Lanes& lanes, int steps) {
  int met = 0;
  for (std::size_t n = 0; n < static_cast<std::size_t>(steps); ++n) {
    auto last = steady_clock::time_point::min();
    for (const Lane& lane : lanes) last = std::max(last, lane.spans()[n].begun);
    const auto under_way =
        std::ranges::count_if(lanes, [&](const Lane& lane) { return lane.spans()[n].done > last; });
    met += under_way > 1 ? 1 : 0;
  }
  return met;
}

void try_them(Lanes& lanes, int wanted, Trial& trial) {
  const int steps = steps_of_a_round(lanes);
  std::vector<Lane::Values> expected;
  for (Lane& lane : lanes) {
    expected.push_back(alone(lane, steps));
    if (same(alone(lane, steps), expected.back())) continue;
    trial.verdict = Verdict::differ_alone;
    return;
  }
  trial.together = true;
  const auto begun = steady_clock::now();
  for (int n = 0; n < most_rounds && trial.met < wanted; ++n) {
    if (n > 0 && steady_clock::now() - begun > trial_time) break;
    together(lanes, steps);
    trial.met += steps_that_met(lanes, steps);
    if (std::ranges::equal(lanes, expected, same, &Lane::seen)) continue;
    trial.verdict = Verdict::differ;
    return;
  }
  trial.verdict = trial.met > 0 ? Verdict::equal : Verdict::never_met;
}

}  // namespace

Result<int> run_side_by_side(std::span<const Instance> instances,
                             const SideBySideOptions& options) {
  const auto trial = make_shared_with_children<Trial>();
  if (!trial) return fail("cannot be tried: no memory");
  const auto status = in_own_process(options.patience, [&] {
    Lanes lanes;
    for (const Instance& instance : instances) lanes.emplace_back(instance);
    try_them(lanes, options.steps, *trial);
  });
  if (!status) return tl::unexpected(status.error());
  const char* const when = trial->together ? "side by side" : "alone, before they ran side by side";
  if (!*status) return fail("do not return, {}", when);
  if (WIFSIGNALED(**status)) return fail("crash ({}), {}", ::strsignal(WTERMSIG(**status)), when);
  switch (trial->verdict) {
    case Verdict::equal:
      return trial->met;
    case Verdict::differ:
      return fail("give other values side by side than alone");
    case Verdict::differ_alone:
      return fail("give other values each time, alone as well, so that nothing can be compared");
    case Verdict::never_met:
      return fail("could not be tried on this machine: two never ran at the same time");
    case Verdict::none:
      break;
  }
  return fail("end the process (exit code {}), {}", WEXITSTATUS(**status), when);
}

}  // namespace hild::examine
