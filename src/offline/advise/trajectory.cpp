// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/trajectory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <unsupported/Eigen/FFT>

#include "hild/numerics/catalogue.hpp"
#include "hild/numerics/sparse_system.hpp"

namespace hild::advise {
namespace {

constexpr double part_of_power = 0.99;
constexpr double constant = 1e-3;  // of the size of the signal: noise and the steps of converters
constexpr double broad = 0.9;      // of the frequencies there are: nothing but noise is so broad

constexpr std::size_t most_points = 32;
constexpr std::size_t least_points = 4;
constexpr double quick = most_of_all_modes;  // states, beyond which this takes its time
constexpr double unchanged = 1e-7;  // of the largest entry of a Jacobian, taken by differences
constexpr std::size_t most_samples = 1U << 16U;
// A second or two: so many steps of few states, or of many so many evaluations and multiplications.
constexpr double explicit_steps = 4e6;
constexpr double evaluated_states = 30 * explicit_steps;
constexpr double implicit_steps = 2e5;
constexpr double multiplications = 2e9;
constexpr double per_time_constant = 1.5;

// The work of a decomposition grows with the cube of the states.
std::size_t points_for(std::size_t states) {
  const double part = quick / std::max(quick, static_cast<double>(states));
  const auto wanted = static_cast<std::size_t>(part * part * static_cast<double>(most_points));
  return std::clamp(std::bit_floor(wanted), least_points, most_points);
}

double largest_of(const SparseMatrix& a) {
  return a.nonZeros() == 0 ? 0 : a.coeffs().abs().maxCoeff();
}

bool unchanged_since(const SparseMatrix& a, const SparseMatrix& b) {
  return largest_of(a - b) <= unchanged * largest_of(a);
}

// Multiplications of a step of linearly implicit Radau IIA: two stages of all states.
double work_of_implicit_step(const model::Description& model) {
  const auto n = 2.0 * static_cast<double>(model.states.size());
  const numerics::Structure& s = model.structure;
  if (s.dense) return n * n * n / 3;
  if (s.pattern != nullptr) {
    return static_cast<double>(numerics::SparseSystem(*s.pattern, 2).work());
  }
  const auto lower = 2.0 * static_cast<double>(s.lower) + 2;
  return n * lower * (lower + 2.0 * static_cast<double>(s.upper) + 2);
}

// The plant on its way. Steps are so short that an event may take effect at the end of one.
class Walk {
 public:
  Walk(plan::Assembly& a, Duration duration, double effort) : a_(a), bus_(a.bus.get()) {
    extent_.samples = std::bit_ceil(
        static_cast<std::size_t>(4 * std::max<std::int64_t>(1, duration.ns / frame().ns)));
    extent_.samples = std::clamp<std::size_t>(extent_.samples, 16 * most_points, most_samples);
    const model::Description& model = a.config.model.description;
    extent_.points = points_for(model.states.size());
    extent_.most_explicit =
        effort * std::min(explicit_steps,
                          evaluated_states /
                              static_cast<double>(std::max<std::size_t>(model.states.size(), 1)));
    extent_.most_implicit =
        effort * std::min(implicit_steps, multiplications / work_of_implicit_step(model));
    extent_.between = std::max(duration / static_cast<std::int64_t>(extent_.samples), Duration{1});
    result_.shortest_step = seconds(extent_.between);
    plant_ = a.another_plant(numerics::find_method("rk-4"));
    now_.u = plan::starts_of(a.bus->inputs());
    now_.g.resize(plant_->description().events.size());
    now_.g_before = now_.g;
    now_.y.resize(plant_->description().outputs.size());
    seen_.inputs.resize(now_.u.size());
    seen_.states.resize(plant_->states().size());
  }

  Result<Trajectory> run() {
    if (auto opened = open(); !opened) return tl::make_unexpected(opened.error());
    plant_->system().event_functions(0, plant_->states(), now_.u, now_.g_before);
    for (std::size_t i = 0; i < extent_.samples; ++i) {
      if (!sample()) break;
      if (i % (extent_.samples / extent_.points) == 0 && (!look() || !can_go_on())) break;
      for (std::int64_t k = 0; k < steps_; ++k)
        step(t_ + extent_.between * k / steps_, t_ + extent_.between * (k + 1) / steps_);
      t_ += extent_.between;
      clock_.advance(extent_.between);
    }
    if (result_.points.empty()) {
      return fail(
          "model {}: its states or its Jacobian are not finite at the start; correct "
          "model.initial or model.parameters",
          plant_->description().name);
    }
    finish();
    return std::move(result_);
  }

 private:
  // How far the plant is followed, and how closely.
  struct Extent {
    std::size_t samples = 0;
    std::size_t points = most_points;
    Duration between{};
    double most_explicit = 0;  // steps in all
    double most_implicit = 0;
  };
  // Of the instant at hand.
  struct Now {
    std::vector<double> u, y;
    std::vector<MonoTime> instants;  // of images
    std::vector<double> g, g_before;
  };
  // Of every sample.
  struct Seen {
    std::vector<std::vector<double>> inputs;
    std::vector<std::vector<double>> states;
  };

  [[nodiscard]] Duration frame() const { return a_.config.settings.grid.period(); }

  // Only what nothing real hangs on is driven.
  Result<void> open() {
    const auto& members = bus_->members();
    for (const auto& member : members) {
      if (member.device->detach()) continue;
      result_.notes.push_back(fmt::format(
          "device {} is hardware and was left alone: inputs kept their start values; give "
          "--bandwidth for what they carry",
          member.name.view()));
      bus_ = nullptr;
    }
    if (bus_ == nullptr) return {};
    if (auto opened = bus_->open(clock_); !opened) return opened;
    bus_->start(clock_.now());
    return {};
  }

  bool sample() {
    if (!finite(plant_->states())) return false;
    if (bus_ != nullptr) {
      plant_->outputs(seconds(Duration{t_.ns}), now_.u, now_.y);
      now_.instants.resize(bus_->groups());
      if (!bus_->exchange(now_.y, now_.u, clock_.now(), now_.instants)) {
        result_.notes.push_back(bus_->failure().message);
        return false;
      }
    }
    for (std::size_t i = 0; i < now_.u.size(); ++i) seen_.inputs[i].push_back(now_.u[i]);
    for (std::size_t i = 0; i < seen_.states.size(); ++i)
      seen_.states[i].push_back(plant_->states()[i]);
    return true;
  }

  // Takes the modes, and steps that suit them.
  bool look() {
    const double t = seconds(Duration{t_.ns});
    const auto j = jacobian_of(plant_->system(), t, plant_->states(), now_.u);
    if (!finite(j)) return false;
    const auto& seen = result_.points;
    Spectrum modes =
        !seen.empty() && unchanged_since(j, seen.back().jacobian) ? seen.back().modes : spectrum(j);
    auto of_inputs = input_jacobian_of(plant_->system(), t, plant_->states(), now_.u);
    result_.points.push_back({t, j, std::move(of_inputs), std::move(modes)});
    const auto& lambda = result_.points.back().modes.lambda;
    const double fastest = lambda.empty() ? 0 : std::abs(lambda.front());
    const double wanted = std::ceil(seconds(extent_.between) * fastest * per_time_constant);
    const bool stiff = wanted * static_cast<double>(extent_.samples) > extent_.most_explicit;
    use(stiff ? "linear-radau-iia" : "rk-4");
    const double most = std::ceil(extent_.most_implicit / static_cast<double>(extent_.samples));
    steps_ = static_cast<std::int64_t>(stiff ? most : std::max(wanted, 1.0));
    steps_ = std::min(steps_, extent_.between.ns);
    result_.shortest_step =
        std::min(result_.shortest_step, seconds(extent_.between) / static_cast<double>(steps_));
    return true;
  }

  // Whether the steps of one kind or the other can be made. Of as many samples as that allows.
  bool can_go_on() {
    if (t_.ns > 0 || plant_->method().called("rk-4")) return true;
    const auto most = static_cast<std::size_t>(extent_.most_implicit);
    if (most >= extent_.samples) return true;
    if (most >= 16 * extent_.points) {
      const std::size_t fewer = std::bit_ceil((extent_.samples + most - 1) / most);
      extent_.samples /= fewer;
      extent_.between = extent_.between * static_cast<std::int64_t>(fewer);
      return true;
    }
    at_start_ = true;
    result_.notes.emplace_back(
        "the model was not followed, since its implicit steps take long: what is said of its modes "
        "is said of its start; a `structure` of its Jacobian makes such steps short");
    return false;
  }

  void use(std::string_view method) {
    if (plant_->method().called(method)) return;
    auto other = a_.another_plant(numerics::find_method(method));
    for (std::size_t i = 0; i < other->description().parameters.size(); ++i) {
      other->system().set_parameter(i,
                                    plant_->system().parameter(i));  // events may have changed them
    }
    other->set_initial(plant_->states());
    plant_ = std::move(other);
  }

  void step(SimTime from, SimTime now) {
    plant_->step(from, now - from, now_.u);
    const double t = seconds(Duration{now.ns});
    if (plant_->system().next_time_event(from) <= now)
      plant_->system().on_time_event(t, plant_->states(), now_.u);
    plant_->system().event_functions(t, plant_->states(), now_.u, now_.g);
    const auto& events = plant_->description().events;
    for (std::size_t i = 0; i < now_.g.size(); ++i) {
      if (crosses(events[i].crossing, now_.g_before[i], now_.g[i]))
        plant_->system().on_event(i, t, plant_->states(), now_.u);
    }
    plant_->system().event_functions(t, plant_->states(), now_.u,
                                     now_.g_before);  // as the actions left it
  }

  void finish() {
    if (bus_ != nullptr) bus_->stop();
    const double rate = 1 / seconds(extent_.between);
    const auto widest = [&](const std::vector<std::vector<double>>& signals) {
      std::optional<double> most;
      for (const auto& s : signals) most = std::max(most, band_of(s, rate));
      return most;
    };
    result_.input_hz = widest(seen_.inputs);
    result_.state_hz = widest(seen_.states);
    result_.inputs = std::move(seen_.inputs);
    result_.between = extent_.between;
    result_.duration = Duration{t_.ns};
    result_.method = plant_->method().name;
    if (!result_.points.front().modes.whole) {
      result_.notes.push_back(fmt::format(
          "of {} states {} modes were looked at, those at the edges of the spectrum (Arnoldi's "
          "method): the fastest, the slowest, those of the largest real and imaginary parts; fast "
          "and slow states were not told apart",
          seen_.states.size(), result_.points.front().modes.lambda.size()));
    }
    if (result_.points.size() < extent_.points && !at_start_) {
      result_.notes.push_back(fmt::format(
          "the states did not stay finite after {:.3g} s; what came before was analysed",
          result_.points.back().t));
    }
  }

  plan::Assembly& a_;
  io::Bus* bus_;
  rt::VirtualClock clock_;
  std::unique_ptr<model::Stepper> plant_;
  Extent extent_;
  bool at_start_ = false;   // and nowhere else
  std::int64_t steps_ = 1;  // between two samples
  SimTime t_{};
  Now now_;
  Seen seen_;
  Trajectory result_;
};

}  // namespace

std::optional<double> band_of(std::span<const double> samples, double rate_hz) {
  const std::size_t n = samples.size();
  if (n < 16) return std::nullopt;
  const auto count = static_cast<double>(n);
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  std::vector<double> windowed(n);
  double moving = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double away = samples[i] - mean;
    moving += away * away;
    const double turn = 2 * std::numbers::pi * static_cast<double>(i) / count;
    windowed[i] = away * 0.5 * (1 - std::cos(turn));
  }
  if (!(std::sqrt(moving / count) > constant * std::abs(mean))) return std::nullopt;

  std::vector<std::complex<double>> spectrum;
  Eigen::FFT<double>().fwd(spectrum, windowed);
  double total = 0;
  for (std::size_t i = 1; i <= n / 2; ++i) total += std::norm(spectrum[i]);
  double below = 0;
  for (std::size_t i = 1; i <= n / 2; ++i) {
    below += std::norm(spectrum[i]);
    if (below < part_of_power * total) continue;
    const double share = static_cast<double>(i) / count;
    if (share > broad / 2) return std::nullopt;
    return share * rate_hz;
  }
  return std::nullopt;
}

bool finite(std::span<const double> x) {
  return std::ranges::all_of(x, [](double v) { return std::isfinite(v); });
}

Result<Trajectory> follow(plan::Assembly& assembly, Duration duration, double effort) {
  return Walk(assembly, duration, effort).run();
}

Duration usual_duration(Duration frame) { return std::max(Duration{1'000'000'000}, frame * 1000); }

}  // namespace hild::advise
