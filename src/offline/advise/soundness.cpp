// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/soundness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "offline/advise/bounds.hpp"
#include "offline/advise/partition.hpp"
#include "offline/advise/trajectory.hpp"

namespace hild::advise {
namespace {

// When a mode was there first, s.
double time_of(Complex lambda, std::span<const Point> points) {
  for (const Point& p : points) {
    for (const Complex l : p.modes.lambda) {
      if (std::abs(l - lambda) <= 1e-3 * std::abs(lambda)) return p.t;
    }
  }
  return 0;
}

// The mode that leaves the unit circle where stability ends.
void find_limiting(const analysis::Roots& roots, const Advanced& a, plan::Soundness& s) {
  const double accuracy = a.demand.accuracy;
  const double beyond = s.stable_to > 0 ? s.stable_to * 1.001 : a.h;
  double most = 0;
  for (const Complex l : a.modes.distinct) {
    if (grows(l, accuracy)) continue;
    s.growth = std::max(s.growth, roots.radius(l * a.h));
    if (!std::isfinite(beyond)) continue;
    const double allowed = std::max(0.0, l.real() + accuracy * std::abs(l)) * beyond;
    const double excess = std::log(roots.radius(l * beyond)) - allowed;
    if (excess <= most) continue;
    most = excess;
    s.limiting = l;
    s.limiting_at = time_of(l, a.points);
  }
}

void judge_rates(const Advanced& a, plan::Soundness& s) {
  const Upper upper = by_blocks(*a.rates, *a.model, a.points, {a.demand, a.band, a.sampled});
  s.stable_to = upper.stability;
  s.accurate_to = std::min({upper.modes, upper.inputs, upper.sampling});
  s.notes.emplace_back(
      "partition by partition: what couples them is not judged; compare with `hild simulate`");
}

void judge_method(const Advanced& a, plan::Soundness& s) {
  const auto characteristic = analysis::characteristic(*a.method);
  if (!characteristic) {
    s.unknown = fmt::format("{} has no characteristic polynomial", a.method->name);
    return;
  }
  const Upper upper = weigh(*a.method, a.modes.distinct, a.demand, a.sampled);
  s.stable_to = upper.stability;
  s.accurate_to = std::min({upper.modes, upper.inputs, upper.sampling});
  s.error = error_at(*a.method, a.modes.distinct, a.demand, a.sampled, a.h);
  find_limiting(analysis::Roots(*characteristic), a, s);
}

plan::Soundness cannot(const numerics::Method& method, double h, std::string why) {
  plan::Soundness s;
  s.method = method.name;
  s.h = h;
  s.unknown = std::move(why);
  return s;
}

// Finding the modes of n states takes n^3: some seconds beyond this, hours of ten thousand.
constexpr std::size_t most_states = 400;

// Why a model has no modes to be judged by; empty: it has.
std::string why_no_modes(const model::Description& model, bool fmu) {
  if (model.states.size() > most_states) {
    return fmt::format(
        "it has {} states, whose modes take long to find (up to {} are judged here); `hild advise` "
        "takes the time",
        model.states.size(), most_states);
  }
  if (!model.states.empty()) return {};
  return fmu ? "the FMU advances itself (co-simulation), by a solver of its own"
             : "it has no states";
}

// A model as it is configured to be advanced.
struct Configured {
  const config::Model& model;
  const numerics::Method& method;
  const std::optional<model::Multirate>& rates;
  double h;
  const exec::Settings& settings;
};

Advanced advanced(const Configured& c, std::span<const Point> points, const Modes& modes) {
  Advanced a{.method = &c.method, .rates = c.rates, .model = &c.model.description, .h = c.h};
  // As advise has it.
  const bool future = c.settings.sampling != exec::Sampling::frame && !c.method.real_time();
  a.sampled.by = future ? exec::Sampling::extrapolate : c.settings.sampling;
  a.sampled.degree = c.settings.extrapolation_under(a.sampled.by);
  a.points = points;
  a.modes = modes;
  return a;
}

// By the Jacobian at the start, inputs at theirs.
plan::Soundness at_start(const Configured& c) {
  const auto system = plan::system_of(c.model);
  const model::Description& model = system->description();
  if (std::string why = why_no_modes(model, c.model.fmu); !why.empty()) {
    return cannot(c.method, c.h, why);
  }
  Point point;
  point.jacobian = jacobian_of(*system, 0, c.model.initial, plan::starts_of(model.inputs));
  const model::CapCounts* const cut = system->cap_counts();
  if (cut != nullptr && cut->late_answers > 0) {
    return cannot(c.method, c.h, "the model's process did not answer");
  }
  if (!finite(point.jacobian)) {
    return cannot(c.method, c.h, "its Jacobian is not finite where it starts");
  }
  point.modes = spectrum(point.jacobian);
  Advanced a = advanced(c, {&point, 1}, modes_of(std::span(&point.modes, 1)));
  a.band = a.modes.slowest;
  a.demand.modes = modes_within(a.modes.distinct, a.band);
  plan::Soundness s = judge(a);
  s.seen = "at its start";
  return s;
}

std::vector<plan::Soundness> of_parts(const plan::Assembly& assembly) {
  std::vector<plan::Soundness> all;
  const config::Config& config = assembly.config;
  const double frame = seconds(config.settings.grid.period());
  for (const auto& part : config.coupled->parts) {
    const double h = frame * part->rate.every / part->rate.substeps;
    all.push_back(at_start({part->model, part->method, part->multirate, h, config.settings}));
    all.back().model = part->name;
    if (all.back().known()) all.back().seen = "at its start, by itself";
  }
  if (all.size() > 1) {
    all.back().notes.emplace_back("each model by itself: what connects them is not judged");
  }
  return all;
}

Configured configured(const plan::Assembly& a) {
  return {a.config.model, *a.method, a.config.multirate, seconds(a.config.settings.grid.period()),
          a.config.settings};
}

plan::Soundness followed(const plan::Assembly& assembly,
                         const std::function<plan::Assembly()>& another) {
  const Configured c = configured(assembly);
  if (std::string why = why_no_modes(c.model.description, c.model.fmu); !why.empty()) {
    return cannot(c.method, c.h, why);
  }
  plan::Assembly to_follow = another();
  auto trajectory = follow(to_follow, usual_duration(c.settings.grid.period()), effort_of_check);
  if (!trajectory) return cannot(c.method, c.h, trajectory.error().message);
  const StepSizeAnalysis o = look_ahead(assembly, std::move(*trajectory), {});
  Advanced a = advanced(c, o.trajectory.points, o.modes);
  a.demand = o.demand;
  a.band = o.band;
  plan::Soundness s = judge(a);
  s.seen = fmt::format("over {:.3g} s", seconds(o.trajectory.duration));
  s.notes.insert(s.notes.end(), o.trajectory.notes.begin(), o.trajectory.notes.end());
  return s;
}

}  // namespace

plan::Soundness judge(const Advanced& a) {
  plan::Soundness s;
  s.method = a.rates ? "multirate" : std::string(a.method->name);
  s.h = a.h;
  s.accuracy = a.demand.accuracy;
  if (a.rates) {
    judge_rates(a, s);
  } else {
    judge_method(a, s);
  }
  return s;
}

std::vector<plan::Soundness> soundness_at_start(const plan::Assembly& assembly) {
  if (assembly.config.coupled) return of_parts(assembly);
  return {at_start(configured(assembly))};
}

std::vector<plan::Soundness> soundness_of(const plan::Assembly& assembly,
                                          const std::function<plan::Assembly()>& another) {
  const config::Config& config = assembly.config;
  const bool alone = !config.coupled && !config.model.contained;
  if (!alone || config.model.description.states.empty()) return soundness_at_start(assembly);
  return {followed(assembly, another)};
}

}  // namespace hild::advise
