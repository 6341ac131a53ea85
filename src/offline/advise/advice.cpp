// SPDX-License-Identifier: Apache-2.0
// The second half of the advice: what follows once the costs are known.
#include "offline/advise/advice.hpp"

#include <algorithm>

#include "offline/advise/blocks.hpp"
#include "offline/advise/cost_bound.hpp"
#include "offline/advise/yaml.hpp"

namespace hild::advise {
namespace {

class Weighing {
 public:
  Weighing(const plan::Assembly& a, const StepSizeAnalysis& o)
      : a_(a), o_(o), settings_(a.config.settings), events_(plan::events_of(*a.plant)) {}

  [[nodiscard]] Window window(const Candidate& candidate, const plan::Measured& costs) const {
    const numerics::Method of_rates =
        candidate.rates ? candidate.rates->method() : numerics::Method{};
    const numerics::Method& m = candidate.rates ? of_rates : *candidate.method;
    Window w{.candidate = candidate, .order = m.order, .passes = m.passes};
    w.future = settings_.sampling != exec::Sampling::frame && !m.real_time();
    w.sampling = w.future ? exec::Sampling::extrapolate : settings_.sampling;
    w.costs = costs;
    const plan::Shape shape = plan::shape_of(m, w.sampling, events_);
    w.lower = cost_bound(shape, costs.median, budget());
    w.lower_p99 = cost_bound(shape, costs.p99, budget());
    w.upper = upper(candidate, o_.modes.distinct, w.sampling);
    return w;
  }

  [[nodiscard]] Upper upper(const Candidate& candidate, std::span<const Complex> lambda,
                            exec::Sampling sampling) const {
    if (candidate.rates) {
      return by_blocks(*candidate.rates, a_.config.model.description, o_.trajectory.points,
                       {o_.demand, o_.band, sampling, settings_.extrapolation_under(sampling)});
    }
    return weigh(*candidate.method, lambda, o_.demand, sampling,
                 settings_.extrapolation_under(sampling))
        .upper;
  }

  [[nodiscard]] double error(const Window& w, double h) const {
    if (w.candidate.rates) return 0;  // of parts with methods of their own; see Upper
    return error_at(*w.candidate.method, o_.modes.distinct, o_.demand, w.sampling,
                    settings_.extrapolation_under(w.sampling), h);
  }

  [[nodiscard]] double budget() const { return plan::budget_for(settings_.budget, events_); }

 private:
  const plan::Assembly& a_;
  const StepSizeAnalysis& o_;
  const exec::Settings& settings_;
  plan::Events events_;
};

// The modes below an edge, for when the others have gone.
std::vector<Complex> below(std::span<const Complex> lambda, double edge) {
  std::vector<Complex> slow;
  std::ranges::copy_if(lambda, std::back_inserter(slow),
                       [&](Complex l) { return std::abs(l) < edge; });
  return slow;
}

void offer_remedies(Advice& a, const Weighing& weighing) {
  const Window& ours = a.ours();
  Shortfall shortfall{.window = &ours, .band = a.known.band, .all = a.windows};
  shortfall.error_at_lower = weighing.error(ours, ours.lower);
  const auto& split = a.known.split;
  // Only what lies beyond the band may go.
  if (split && !ours.candidate.rates && split->slowest_fast > a.known.band) {
    shortfall.split = split;
    const auto slow = below(a.known.modes.distinct, split->edge());
    shortfall.upper_without_fast = weighing.upper(ours.candidate, slow, ours.sampling).least();
  }
  a.offers = remedies(shortfall, a.wishes.accuracy);
}

void add_notes(Advice& a) {
  a.notes = a.known.trajectory.notes;
  const Window& ours = a.ours();
  if (ours.upper.limit() != StepLimit::sampling || ours.holds(a.h)) return;
  if (ours.sampling == exec::Sampling::frame) {
    a.notes.emplace_back(
        "sampling: frame holds the inputs over the step, and the later passes see them late; "
        "sampling: stage takes them where they are needed, of methods that do not need the future");
  }
}

void take_choice(Advice& a, const plan::Assembly& assembly) {
  const auto choice = choose(a.windows, a.h);
  if (!choice) return;
  a.chosen = static_cast<std::size_t>(choice->window - a.windows.data());
  a.chosen_h = choice->h;
  a.yaml = yaml_lines(*choice->window, a.chosen_h, assembly.config);
}

}  // namespace

Advice advise(const plan::Assembly& assembly, StepSizeAnalysis known,
              std::span<const plan::Measured> costs, const Wishes& wishes) {
  const config::Config& c = assembly.config;
  Advice a{.config_file = c.file, .model = c.model.type};
  for (const auto& state : c.model.description.states) a.states.emplace_back(state.name);
  a.method = assembly.method->name;
  a.h = seconds(c.settings.grid.period());
  a.sampling = c.settings.sampling;
  a.wishes = wishes;
  a.known = std::move(known);

  const Weighing weighing(assembly, a.known);
  a.budget = weighing.budget();
  for (std::size_t i = 0; i < a.known.candidates.size(); ++i) {
    a.windows.push_back(weighing.window(a.known.candidates[i], costs[i]));
    if (a.known.candidates[i].configured) a.configured = i;
  }
  add_notes(a);
  take_choice(a, assembly);
  if (!a.ours().open() || !a.chosen) offer_remedies(a, weighing);
  return a;
}

}  // namespace hild::advise
