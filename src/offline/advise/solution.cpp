// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/solution.hpp"

#include <algorithm>
#include <cmath>

namespace hild::advise {
namespace {

constexpr double most_steps = 2e5;
constexpr double many_states = 300;  // of more, fewer steps
constexpr double most_rows = 100'000;
constexpr double most_values = 4e6;
constexpr double least_rows = 1000;
constexpr double rows_a_radian = 20;  // a cubic between them is then right to 1e-8

Duration spacing_of(Duration span, double fastest, std::size_t states) {
  const double wanted = std::max(least_rows, rows_a_radian * fastest * seconds(span));
  const double most = std::min(most_rows, most_values / static_cast<double>(states + 1));
  return std::max(from_seconds(seconds(span) / std::min(wanted, most)), Duration{1});
}

}  // namespace

void FollowedInputs::at(double t, SimTime piece, std::span<double> u) const {
  const auto& inputs = followed_.inputs;
  const auto between = static_cast<double>(followed_.between.ns);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const std::size_t last = inputs[i].size() - 1;
    const auto before = std::min<std::size_t>(
        static_cast<std::size_t>(std::max<double>(std::floor(t * 1e9 / between),
                                                  static_cast<double>(piece.ns) / between)),
        last);
    const std::size_t after = std::min(before + 1, last);
    const double part = t * 1e9 / between - static_cast<double>(before);
    u[i] = inputs[i][before] + (inputs[i][after] - inputs[i][before]) * std::min(part, 1.0);
  }
}

bool FollowedInputs::bends_at(std::size_t sample) const {
  return std::ranges::any_of(followed_.inputs, [&](const std::vector<double>& input) {
    const double before = input[sample] - input[sample - 1];
    const double after = sample + 1 < input.size() ? input[sample + 1] - input[sample] : 0;
    return before != after;
  });
}

SimTime FollowedInputs::next_break(SimTime t) const {
  const std::size_t samples = followed_.inputs.empty() ? 0 : followed_.inputs.front().size();
  for (auto i = static_cast<std::size_t>(t.ns / followed_.between.ns) + 1; i < samples; ++i) {
    if (bends_at(i)) return SimTime{} + followed_.between * static_cast<std::int64_t>(i);
  }
  return model::never;
}

/// Keeps the rows of a run.
class Keeper final : public reference::Observer {
 public:
  Keeper(Solution& solution, model::System& system)
      : solution_(solution), system_(system), dx_(system.description().states.size()) {}

  void row(double t, std::span<const double> u, std::span<const double> x,
           std::span<const double> /*y*/) override {
    system_.derivatives(t, x, u, dx_);
    solution_.x_.insert(solution_.x_.end(), x.begin(), x.end());
    solution_.dx_.insert(solution_.dx_.end(), dx_.begin(), dx_.end());
    solution_.events_.push_back(false);
    for (std::size_t j = 0; j < x.size(); ++j) {
      solution_.sizes_[j] = std::max(solution_.sizes_[j], std::abs(x[j]));
    }
  }
  void state_event(double /*t*/, std::size_t /*index*/, std::span<const double> /*x*/) override {
    mark();
  }
  void time_event(double /*t*/) override { mark(); }

 private:
  void mark() {
    if (!solution_.events_.empty()) solution_.events_.back() = true;
  }

  Solution& solution_;
  model::System& system_;
  std::vector<double> dx_;
};

Result<Solution> Solution::of(model::System& system, const Trajectory& trajectory, Duration span,
                              double fastest) {
  Solution s;
  const std::size_t n = system.description().states.size();
  s.spacing_ = spacing_of(span, fastest, n);
  s.sizes_.assign(n, 0);
  Keeper keeper(s, system);
  const FollowedInputs inputs(trajectory);
  reference::SimulationRun run{
      .duration = span, .rows = Grid::of_period(s.spacing_), .options = {}};
  const double share =
      std::min(1.0, many_states / static_cast<double>(std::max<std::size_t>(n, 1)));
  run.options.max_steps = static_cast<std::int64_t>(share * most_steps);
  reference::Summary summary;
  const auto solved = reference::simulate(system, inputs, run, keeper, summary);
  if (s.events_.size() < 2) {
    return fail(ExitCode::fault, "the reference ends at once: {}",
                solved ? "it has no rows" : solved.error().message);
  }
  return s;
}

double Solution::end() const { return seconds(spacing_) * static_cast<double>(events_.size() - 1); }

// Hermite's cubic between two rows.
bool Solution::at(double t, std::span<double> x) const {
  const double h = seconds(spacing_);
  const auto row = static_cast<std::size_t>(t / h);
  if (!(t >= 0) || row + 1 >= events_.size() || events_[row]) return false;
  const double s = t / h - static_cast<double>(row);
  const double bump = s * s * (3 - 2 * s);
  const std::size_t n = sizes_.size();
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t a = row * n + j;
    const std::size_t b = a + n;
    x[j] = x_[a] + bump * (x_[b] - x_[a]) + h * s * (1 - s) * ((1 - s) * dx_[a] - s * dx_[b]);
  }
  return true;
}

}  // namespace hild::advise
