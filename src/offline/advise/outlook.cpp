// SPDX-License-Identifier: Apache-2.0
// The first half of the advice: what follows from the trajectory alone.
#include <algorithm>
#include <numbers>

#include "hild/numerics/catalogue.hpp"
#include "offline/advise/advice.hpp"
#include "offline/advise/blocks.hpp"

namespace hild::advise {
namespace {

constexpr double per_hz = 2 * std::numbers::pi;

bool any_input_wired(const plan::Assembly& a) {
  return std::ranges::any_of(a.bus->inputs(), [](const auto& i) { return i.device >= 0; });
}

void find_band(StepSizeAnalysis& o, const plan::Assembly& a, const Wishes& wishes) {
  const auto signals = std::max(o.trajectory.input_hz, o.trajectory.state_hz);
  if (wishes.bandwidth_hz) {
    o.band = per_hz * *wishes.bandwidth_hz;
    o.band_from = BandFrom::wish;
    if (any_input_wired(a)) o.demand.input = o.band;
    return;
  }
  o.demand.input = per_hz * o.trajectory.input_hz.value_or(0);
  if (signals) {
    o.band = per_hz * *signals;
    o.band_from = BandFrom::signals;
  } else if (o.modes.slowest > 0) {
    o.band = o.modes.slowest;
    o.band_from = BandFrom::slowest_mode;
  }
}

std::vector<Candidate> subjects_of(const plan::Assembly& a, const std::optional<Split>& split) {
  std::vector<Candidate> all;
  for (const numerics::Method* m : numerics::catalogue()) {
    all.push_back({.name = std::string(m->name),
                   .method = m,
                   .configured = !a.config.multirate && m == a.method});
  }
  auto rates = a.config.multirate;
  if (!rates && split) rates = rates_of(*split, a.config.model.description);
  if (rates) {
    all.push_back(
        {.name = "multirate", .rates = rates, .configured = a.config.multirate.has_value()});
  }
  return all;
}

// A step each plant is stable with.
double stable_step(const Candidate& s, std::span<const Complex> lambda, double accuracy) {
  if (s.rates) return lambda.empty() ? unbounded : 0.1 / std::abs(lambda.front());
  const auto c = analysis::characteristic(*s.method);
  return c ? 0.5 * stability_bound(analysis::Roots(*c), lambda, accuracy) : unbounded;
}

}  // namespace

StepSizeAnalysis look_ahead(const plan::Assembly& assembly, Trajectory trajectory,
                            const Wishes& wishes) {
  StepSizeAnalysis o{.trajectory = std::move(trajectory)};
  std::vector<Spectrum> spectra;
  for (const Point& p : o.trajectory.points) spectra.push_back(p.modes);
  o.modes = modes_of(spectra);
  o.split = split_of(spectra);
  o.demand.accuracy = wishes.accuracy;
  find_band(o, assembly, wishes);
  o.demand.mode = fastest_within(o.modes.distinct, o.band);
  o.candidates = subjects_of(assembly, o.split);
  return o;
}

std::vector<Job> jobs(const plan::Assembly& assembly, const StepSizeAnalysis& known,
                      double accuracy) {
  std::vector<Job> all;
  const double frame = seconds(assembly.config.settings.grid.period());
  for (const Candidate& s : known.candidates) {
    const double stable = stable_step(s, known.modes.distinct, accuracy);
    const double step = stable > 0 ? std::min(frame, stable) : frame;
    all.push_back({plant_of(assembly, s), std::max(from_seconds(step), Duration{10})});
  }
  return all;
}

}  // namespace hild::advise
