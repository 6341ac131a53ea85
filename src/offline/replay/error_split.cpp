// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/error_split.hpp"

#include <algorithm>
#include <cmath>

#include "offline/reference/simulation.hpp"
#include "offline/replay/exact_steps.hpp"
#include "offline/replay/ideal_run.hpp"
#include "offline/replay/whole_run.hpp"

namespace hild::replay {
namespace {

/// Keeps a reference run: its states at every tick, and when which event acted.
class Solution final : public reference::Observer {
 public:
  Solution(std::size_t states, double length, const SplitOptions& options)
      : length_(length), options_(options) {
    rows.size = states;
  }
  void row(double /*t*/, std::span<const double> /*u*/, std::span<const double> x,
           std::span<const double> /*y*/) override {
    rows.add(static_cast<std::int64_t>(rows.ticks.size()), x);
  }
  void state_event(double t, std::size_t index, std::span<const double> /*x*/) override {
    events.push_back({t, index});
  }
  bool go_on(double t, const reference::Counts& /*counts*/) override {
    return !(stopped = !options_.go_on(t / length_));
  }

  Trajectory rows;
  std::vector<EventAt> events;
  bool stopped = false;

 private:
  double length_;
  const SplitOptions& options_;
};

/// Adds the differences of two runs at one tick after the other.
void add(std::vector<StateError>& share, std::span<const double> a, std::span<const double> b) {
  for (std::size_t i = 0; i < share.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    share[i].largest = std::max(share[i].largest, d);
    share[i].rms += d * d;
  }
}

std::vector<double> ranges_of(const Trajectory& t) {
  std::vector<double> low(t.at(0).begin(), t.at(0).end());
  std::vector<double> high = low;
  for (std::size_t i = 0; i < t.ticks.size(); ++i) {
    for (std::size_t s = 0; s < t.size; ++s) {
      low[s] = std::min(low[s], t.at(i)[s]);
      high[s] = std::max(high[s], t.at(i)[s]);
    }
  }
  for (std::size_t s = 0; s < t.size; ++s) high[s] -= low[s];
  return high;
}

// What each run without one thing more differs from the next by.
ErrorSplit shares_of(const WholeRun& recorded, const Trajectory& late, const Trajectory& in_time,
                     const Trajectory& sampled, const Trajectory& stepped,
                     const Trajectory& exact) {
  ErrorSplit split;
  for (auto& share : split.shares) share.resize(recorded.states.size);
  const auto of = [&split](Share share) -> std::vector<StateError>& {
    return split.shares[static_cast<std::size_t>(share)];
  };
  for (std::size_t i = 0; i < recorded.states.ticks.size(); ++i) {
    const auto tick = static_cast<std::size_t>(recorded.states.ticks[i]);
    const auto record = recorded.states.at(i);
    add(of(Share::total), record, exact.at(tick));
    add(of(Share::overruns), record, late.at(tick));
    add(of(Share::lateness), late.at(tick), in_time.at(tick));
    add(of(Share::sampling), in_time.at(tick), sampled.at(tick));
    add(of(Share::events), sampled.at(tick), stepped.at(tick));
    add(of(Share::method), stepped.at(tick), exact.at(tick));
  }
  split.steps = static_cast<std::int64_t>(recorded.states.ticks.size());
  for (auto& share : split.shares) {
    for (StateError& e : share) e.rms = std::sqrt(e.rms / static_cast<double>(split.steps));
  }
  return split;
}

}  // namespace

Result<ErrorSplit> split_error(const plan::Assembly& assembly, StepSource& source,
                               const SplitOptions& options) {
  if (assembly.config.coupled) {
    return fail(
        "the error of several models is not split: what they get of each other belongs to no "
        "share; `hild simulate` has the solution to compare with");
  }
  auto recorded = WholeRun::read(assembly, source);
  if (!recorded) return tl::make_unexpected(recorded.error());
  const exec::Settings& settings = assembly.config.settings;
  const Duration length = settings.grid.tick(recorded->frames);

  // It begins anew at every sample, and the samples tell how long its steps can be.
  reference::AdaptiveOptions exact = options.reference;
  if (exact.first_step == 0) exact.first_step = seconds(settings.grid.period());
  exact.max_steps = std::max(exact.max_steps, 1000 * recorded->frames);

  Solution solution(recorded->states.size, seconds(length), options);
  reference::Summary summary;
  const auto system = plan::system_of(assembly.config.model);
  if (auto done = reference::simulate(*system, recorded->inputs, {length, settings.grid, exact},
                                      solution, summary);
      !done) {
    return fail(done.error().code, "the reference: {}", done.error().message);
  }
  if (solution.stopped) return fail(ExitCode::fault, "interrupted");

  // Each run without one thing more.
  const auto late = ideal_run(assembly, *recorded, settings.sampling, Taken::as_recorded);
  if (!late) return tl::make_unexpected(late.error());
  const auto in_time = ideal_run(assembly, *recorded, settings.sampling, Taken::on_time);
  if (!in_time) return tl::make_unexpected(in_time.error());
  const auto stepped = exact_steps(assembly, *recorded, solution.events);
  const bool events = !assembly.plant->description().events.empty();
  const auto sampled =
      events ? ideal_run(assembly, *recorded, best_sampling(assembly), Taken::on_time) : stepped;
  if (!sampled) return tl::make_unexpected(sampled.error());

  ErrorSplit split = shares_of(*recorded, *late, *in_time, *sampled, *stepped, solution.rows);
  split.range = ranges_of(solution.rows);
  split.state_events = summary.state_events;
  split.reference = summary.counts;
  return split;
}

}  // namespace hild::replay
