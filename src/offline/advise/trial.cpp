// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/trial.hpp"

#include <algorithm>
#include <cmath>

#include "exec/frame_loop.hpp"

namespace hild::advise {
namespace {

constexpr double steps_to_survive = 500;
constexpr double far_beyond = 10;  // times the largest value that the reference has
constexpr double negligible =
    1e-3;  // of the usual size of a state: less is no size to compare with
constexpr double lowered_by = 0.8;
constexpr int most_lowered = 20;
constexpr double most_tried = 5000;
constexpr double least_tried = 20;
constexpr double adds_up_to = 0.1;     // what errors per radian do in a trial, by the accuracy
constexpr double longest_trial = 0.1;  // s, by the costs of passes
constexpr double compared = 1e-8;      // s for a state

// Where modes of the demand last as long as the trajectory: the fastest of these, 1/s.
double fastest_lasting(const Demand& demand, double duration) {
  double fastest = 0;
  for (const Complex l : demand.modes) {
    if (l.real() * duration > -3) fastest = std::max(fastest, std::abs(l));
  }
  return fastest;
}

// Supplies the inputs that were followed, and compares each step.
class Beside final : public io::Sampler {
 public:
  Beside(const FollowedInputs& inputs, const Solution& solution, std::span<const double> usual)
      : inputs_(inputs), solution_(solution), x_(usual.size()) {
    for (std::size_t j = 0; j < usual.size(); ++j) {
      sizes_.push_back(std::max(solution.sizes()[j], negligible * usual[j]));
    }
  }

  bool exchange(std::span<const double> /*y*/, std::span<double> u, MonoTime now,
                std::span<MonoTime> sampled) noexcept override {
    std::ranges::fill(sampled, now);
    if (u.empty()) return true;
    take();
    const SimTime t = SimTime{} + (now - MonoTime{}) + lag;
    inputs_.at(seconds(t), t, u);
    return true;
  }
  [[nodiscard]] std::size_t groups() const noexcept override { return image_groups; }
  bool safe() noexcept override { return true; }

  /// Looks at the steps that were made since.
  void take() noexcept {
    while (const std::byte* const made = records->front()) {
      const io::FrameView v(layout, made);
      const auto& header = v.header();
      compare(seconds(period) * static_cast<double>(header.frame + header.span), v.states());
      records->release();
    }
  }

  rt::SlotRing* records = nullptr;
  io::FrameLayout layout{};
  std::size_t image_groups = 1;
  Duration period{};
  Duration lag{};
  double per_second = 0;
  double from = 0;  // of what is measured, s
  double until = 0;
  Outcome outcome{};
  bool beyond = false;

 private:
  void compare(double t, std::span<const double> states) noexcept {
    const bool known = t >= from && t <= until && solution_.at(t, x_);
    for (std::size_t j = 0; j < states.size(); ++j) {
      beyond = beyond || !(std::abs(states[j]) <= far_beyond * sizes_[j]);
      if (!known || sizes_[j] == 0) continue;
      const double deviation = std::abs(states[j] - x_[j]) / sizes_[j];
      outcome.measured = std::max(outcome.measured, deviation / std::max(1.0, per_second * t));
    }
  }

  const FollowedInputs& inputs_;
  const Solution& solution_;
  std::vector<double> x_;
  std::vector<double> sizes_;
};

std::vector<double> usual_sizes(const model::Description& model) {
  std::vector<double> all;
  for (const auto& state : model.states) all.push_back(state.nominal);
  return all;
}

exec::Settings settings_of(const plan::Assembly& a, const model::Stepper& plant,
                           exec::Sampling sampling, Duration h) {
  exec::Settings s = a.config.settings;
  s.grid = Grid::of_period(h);
  s.sampling = sampling;
  s.images_before = 0;
  s.keep_own_grid();
  s.accuracy = {};
  s.lag = sampling == exec::Sampling::behind ? part(h, plant.method().lag()) : Duration{};
  return s;
}

class Trying {
 public:
  Trying(const Trials& trials,
         const std::function<std::optional<double>(const Window&, double)>& claimed)
      : trials_(trials), claimed_(claimed) {}

  void operator()(Window& w) const {
    if (!trials_.worth(w)) return;
    find_surviving(w);
    if (!w.open()) return;
    w.at_lower = attempt(w, w.calm() ? std::max(w.lower, w.lower_p99) : w.lower);
    if (std::isfinite(w.upper.least())) w.at_upper = attempt(w, w.upper.least());
  }

 private:
  [[nodiscard]] bool survives(const Window& w, double h) const {
    return trials_.run(w, h).survived;
  }

  // Where nothing bounds stability, the end of the window has to survive.
  void find_surviving(Window& w) const {
    double h = std::min(surviving_share * w.upper.stability, w.upper.least());
    if (std::isfinite(w.upper.stability)) h = surviving_share * w.upper.stability;
    if (!std::isfinite(h) || !(h > 0) || survives(w, h)) return;
    w.stability_of_modes = w.upper.stability;
    for (int i = 0; i < most_lowered; ++i) {
      h *= lowered_by;
      if (survives(w, h)) break;
    }
    w.upper.stability = h / surviving_share;
  }

  [[nodiscard]] Attempt attempt(const Window& w, double h) const {
    const Outcome o = trials_.run(w, h);
    Attempt a{.h = h, .span = trials_.measured_of(w, h), .claimed = claimed_(w, h), .measured = {}};
    if (o.survived) a.measured = o.measured;
    return a;
  }

  const Trials& trials_;
  const std::function<std::optional<double>(const Window&, double)>& claimed_;
};

}  // namespace

std::unique_ptr<model::Stepper> plant_of(const plan::Assembly& assembly,
                                         const Candidate& candidate) {
  if (candidate.rates) return assembly.another_plant(*candidate.rates);
  return assembly.another_plant(candidate.method);
}

Result<Trials> Trials::of(const plan::Assembly& assembly, const Trajectory& trajectory,
                          const Demand& demand, double fastest, double longest) {
  const double span = std::max(seconds(trajectory.duration), steps_to_survive * longest);
  const auto system = plan::system_of(assembly.config.model);
  auto solution = Solution::of(*system, trajectory, from_seconds(span), fastest);
  if (!solution) return tl::make_unexpected(solution.error());
  const double lasting = fastest_lasting(demand, seconds(trajectory.duration));
  return Trials(assembly, trajectory, std::move(*solution), lasting, adds_up_to / demand.accuracy);
}

double Trials::cost_of(const Window& w) const {
  const auto states = static_cast<double>(assembly_->config.model.description.states.size());
  return seconds(w.costs.median.pass) * w.passes + compared * states;
}

double Trials::span_of(const Window& w, double h) const {
  const double step_cost = cost_of(w);
  const double steps = step_cost > 0 ? longest_trial / step_cost : most_tried;
  return std::min(solution_.end(), std::clamp(steps, least_tried, most_tried) * h);
}

bool Trials::worth(const Window& w) const { return least_tried * cost_of(w) <= 4 * longest_trial; }

double Trials::measured_of(const Window& w, double h) const {
  const double span = span_of(w, h);
  return per_second_ > 0 ? std::min(span, radians_ / per_second_) : span;
}

Outcome Trials::run(const Window& window, double h) const {
  const double span = span_of(window, h);
  const auto plant = plant_of(*assembly_, window.candidate);
  const Duration period = std::max(from_seconds(h), Duration{1});
  const exec::Settings settings = settings_of(*assembly_, *plant, window.sampling, period);
  const FollowedInputs inputs(*trajectory_);
  Beside beside(inputs, solution_, usual_sizes(plant->description()));
  const std::size_t lines =
      assembly_->bus->inputs().size() - assembly_->config.model.description.inputs.size();
  beside.image_groups = assembly_->bus->groups();
  beside.layout = exec::FrameLoop::layout(*plant, lines, 0, beside.image_groups);
  beside.period = period;
  beside.lag = settings.lag;
  beside.per_second = per_second_;
  beside.until = measured_of(window, h);
  beside.from = per_second_ > 0 ? 0.5 * beside.until : 0;
  rt::SlotRing records(beside.layout.bytes(), 4);
  beside.records = &records;

  rt::VirtualClock clock;
  exec::ExternalEvents events(exec::AdmissionSettings{});
  exec::Parts parts = assembly_->parts(clock, beside, *plant, events, records);
  parts.interlocks.clear();
  parts.alarms.clear();
  exec::FrameLoop loop(settings, parts);
  const auto frames = static_cast<std::int64_t>(std::ceil(span / seconds(period)));
  const exec::Outcome end = loop.run(MonoTime{}, std::max<std::int64_t>(frames, 1), rt::Flag());
  beside.take();
  beside.outcome.survived = end.end == exec::End::duration && !beside.beyond;
  return beside.outcome;
}

bool try_windows(const Trials& trials, std::span<Window> windows,
                 const std::function<std::optional<double>(const Window&, double)>& claimed,
                 const std::function<bool(double)>& go_on) {
  const Trying try_out(trials, claimed);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (go_on && !go_on(static_cast<double>(i) / static_cast<double>(windows.size()))) return false;
    try_out(windows[i]);
  }
  return true;
}

}  // namespace hild::advise
