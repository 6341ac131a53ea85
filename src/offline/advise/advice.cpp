// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "exec/frame_loop.hpp"
#include "hild/numerics/catalogue.hpp"
#include "hild/rt/ring.hpp"
#include "offline/advise/partition.hpp"

namespace hild::advise {
namespace {

// A step's meters read the clock once a phase; its record is written into the ring.
plan::Spread time_record(const model::Stepper& plant, rt::Clock& clock) {
  const std::size_t bytes = exec::FrameLoop::layout(plant).bytes();
  rt::SlotRing ring(bytes, 2);
  const std::vector<std::byte> record(bytes);
  return plan::time_each(clock, 200, [&](int) {
    for (std::size_t i = 0; i < io::phase_count; ++i) [[maybe_unused]] const auto t = clock.now();
    if (std::byte* const slot = ring.claim()) {
      std::memcpy(slot, record.data(), bytes);
      ring.publish();
    }
    if (ring.front() != nullptr) ring.release();
  });
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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

// Where all is known of a linear model, at points spread over the trajectory; else mode by mode.
void find_responses(StepSizeAnalysis& o) {
  constexpr std::size_t most_points = 4;
  constexpr std::size_t most_states = 64;  // beyond, the work would be in vain
  if (!(o.demand.input > 0)) return;
  const auto& points = o.trajectory.points;
  const auto n = static_cast<std::size_t>(points.front().jacobian.rows());
  const std::size_t every = (points.size() + most_points - 1) / most_points;
  for (std::size_t i = 0; n <= most_states && i < points.size(); i += every) {
    const RowMajor a(points[i].jacobian);
    const auto at =
        responses_of({std::span(a.data(), n * n), points[i].of_inputs, n}, o.demand.input);
    o.demand.responses.insert(o.demand.responses.end(), at.begin(), at.end());
  }
  if (o.demand.responses.empty()) {
    o.demand.responses = responses_by_mode(o.demand.modes, o.demand.input);
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

// "500 us": at most nanoseconds, with the unit that reads best.
std::string time_text(double s) {
  const double ns = std::round(s * 1e9);
  if (!(ns < 1e15)) return "unlimited";
  if (ns >= 1e9) return fmt::format("{:.9g} s", ns * 1e-9);
  if (ns >= 1e6) return fmt::format("{:.6g} ms", ns * 1e-6);
  if (ns >= 1e3) return fmt::format("{:.6g} us", ns * 1e-3);
  return fmt::format("{:.0f} ns", ns);
}

std::string frame_line(double h, const config::Frame& frame) {
  std::string line =
      fmt::format("frame: {{period: {}, clock: {}", time_text(h), rt::to_string(frame.clock));
  if (frame.margin) line += fmt::format(", margin: {}", time_text(seconds(*frame.margin)));
  if (frame.cpu >= 0) line += fmt::format(", cpu: {}", frame.cpu);
  return line + fmt::format(", priority: {}}}", frame.priority);
}

std::string partitions(const model::Multirate& rates, const model::Description& model) {
  std::string all;
  for (std::size_t i = 0; i < rates.count; ++i) {
    const auto& [method, ratio] = rates.rates[i];
    all += fmt::format("{}{}: {{method: {}", i == 0 ? "" : ", ", model.partitions[i].name,
                       method->name);
    all += ratio == 1 ? "}" : fmt::format(", ratio: {}}}", ratio);
  }
  const bool hold = rates.interface == model::Interface::hold;
  return fmt::format(", interface: {}, partitions: {{{}}}", hold ? "hold" : "extrapolate", all);
}

std::string integrator_line(const Window& w, const config::Config& config) {
  std::string line = fmt::format("integrator: {{method: {}, sampling: {}", w.candidate.name,
                                 config::word_of(w.sampling));
  const int degree = config.settings.extrapolation_under(w.sampling);
  if (degree != exec::usual_extrapolation(w.sampling)) {
    line += fmt::format(", extrapolation: {}",
                        config::extrapolations[static_cast<std::size_t>(degree)]);
  }
  if (w.candidate.rates) line += partitions(*w.candidate.rates, config.model.description);
  if (config.settings.outputs == exec::OutputTime::early) line += ", outputs: early";
  return line + "}";
}

// The lines `frame:` and `integrator:` in flow style, with what the configuration says of clock,
// CPU and outputs as well. They replace the lines of these names.
std::vector<std::string> yaml_lines(const Window& window, double h, const config::Config& config) {
  return {frame_line(h, config.frame), integrator_line(window, config)};
}

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
                       {o_.demand, o_.band, sampled(sampling)});
    }
    return weigh(*candidate.method, lambda, o_.demand, sampled(sampling));
  }

  [[nodiscard]] double error(const Window& w, double h) const {
    if (w.candidate.rates) return 0;  // of parts with methods of their own; see Upper
    return error_at(*w.candidate.method, o_.modes.distinct, o_.demand, sampled(w.sampling), h);
  }

  [[nodiscard]] double budget() const { return plan::budget_for(settings_.budget, events_); }

 private:
  [[nodiscard]] Sampled sampled(exec::Sampling by) const {
    return {by, settings_.extrapolation_under(by)};
  }

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

// The longest of the steps that have to survive.
double longest_bounded(std::span<const Window> windows) {
  double longest = 0;
  for (const Window& w : windows) {
    if (std::isfinite(w.upper.stability)) longest = std::max(longest, w.upper.stability);
  }
  return longest;
}

void try_out(Advice& a, const plan::Assembly& assembly, const Weighing& weighing,
             const std::function<bool(double)>& go_on) {
  if (assembly.config.model.contained) {
    a.notes.emplace_back("nothing was tried: the model runs in a process of its own");
    return;
  }
  const auto trials = Trials::of(assembly, a.known.trajectory, a.known.demand,
                                 a.known.modes.fastest, longest_bounded(a.windows));
  if (!trials) {
    a.notes.push_back(fmt::format("nothing was tried: {}", trials.error().message));
    return;
  }
  const auto claimed = [&](const Window& w, double h) -> std::optional<double> {
    if (w.candidate.rates) return std::nullopt;
    return weighing.error(w, h);
  };
  if (!try_windows(*trials, a.windows, claimed, go_on)) {
    a.notes.emplace_back("the trials were interrupted");
  }
}

void add_notes(Advice& a) {
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

std::vector<plan::Measured> measure(std::span<const Job> jobs, io::Bus* bus, rt::Clock& clock,
                                    const exec::Settings& settings) {
  const bool whole = settings.takes_whole();
  std::vector<plan::Measured> all;
  if (jobs.empty()) return all;
  plan::Measured common =
      plan::rehearse(*jobs.front().plant, bus, clock, settings.grid.period(), whole);
  const plan::Spread record = time_record(*jobs.front().plant, clock);
  common.median.outputs += record.median;
  common.p99.outputs += record.p99;
  for (const Job& job : jobs) {
    const plan::Spread pass = plan::time_passes(clock, *job.plant, job.step, whole);
    all.push_back(common);
    all.back().median.pass = pass.median;
    all.back().p99.pass = pass.p99;
  }
  return all;
}

StepSizeAnalysis look_ahead(const plan::Assembly& assembly, Trajectory trajectory,
                            const Wishes& wishes) {
  StepSizeAnalysis o{.trajectory = std::move(trajectory)};
  std::vector<Spectrum> spectra;
  for (const Point& p : o.trajectory.points) spectra.push_back(p.modes);
  o.modes = modes_of(spectra);
  o.split = split_of(spectra);
  o.demand.accuracy = wishes.accuracy;
  find_band(o, assembly, wishes);
  o.demand.modes = leading_of(modes_within(o.modes.distinct, o.band));
  find_responses(o);
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

Advice advise(const plan::Assembly& assembly, StepSizeAnalysis known,
              std::span<const plan::Measured> costs, const Wishes& wishes,
              const std::function<bool(double)>& go_on) {
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
  a.notes = a.known.trajectory.notes;
  if (wishes.trials) try_out(a, assembly, weighing, go_on);
  add_notes(a);
  take_choice(a, assembly);
  if (!a.ours().open() || !a.chosen) offer_remedies(a, weighing);
  return a;
}

}  // namespace hild::advise