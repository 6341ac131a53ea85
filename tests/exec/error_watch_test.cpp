// SPDX-License-Identifier: Apache-2.0
/// What the estimate of a step's error is worth: against the exact step, taken by RK-4 in steps so
/// small that their error is far below, from the state the step began with. For ten models and
/// every method of the catalogue, over even grids and over doubled steps.
#include "exec/error_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "hild/model/integrated.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::testing {
namespace {

using exec::ErrorWatch;
using model::Stepper;
using Values = std::vector<double>;

/// The state a step of length h from (t, x) should come to.
Values exact_step(model::System& system, SimTime t, Duration h, const Values& x, const Values& u) {
  const int parts = 64;
  const double by = seconds(h) / parts;
  Values at = x, k(x.size()), sum(x.size()), moved(x.size());
  for (int n = 0; n < parts; ++n) {
    const double now = seconds(t) + n * by;
    Values next = at;
    moved = at;
    for (const auto& [node, weight, ahead] : {std::tuple{0.0, 1 / 6.0, 0.5},
                                              {0.5, 1 / 3.0, 0.5},
                                              {0.5, 1 / 3.0, 1.0},
                                              {1.0, 1 / 6.0, 0.0}}) {
      system.derivatives(now + node * by, moved, u, k);
      for (std::size_t i = 0; i < x.size(); ++i) {
        next[i] += by * weight * k[i];
        moved[i] = at[i] + ahead * by * k[i];
      }
    }
    at = next;
  }
  return at;
}

/// x' = x - x y, y' = x y - y, foxes and hares.
struct Hares {
  static constexpr std::string_view name = "hares", summary = "for tests";
  static constexpr std::array states{model::State{"hares", "1", 2},
                                     model::State{"foxes", "1", 0.5}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"hares"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Hares>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    dx[0] = x[0] - x[0] * x[1];
    dx[1] = x[0] * x[1] - x[1];
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

/// x' = -x + sin 3t, y' = x - y^3: driven by time.
struct Driven {
  static constexpr std::string_view name = "driven", summary = "for tests";
  static constexpr std::array states{model::State{"x", "1", 1}, model::State{"y", "1", 0.2}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Driven>;
  static void derivatives(double t, D::X x, D::U, D::P, D::DX dx) noexcept {
    dx[0] = -x[0] + std::sin(3 * t);
    dx[1] = x[0] - x[1] * x[1] * x[1];
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[1]; }
};

struct Case {
  std::string_view model;
  Duration h;
  double u;
  std::unique_ptr<Stepper> (*make)(const numerics::Method&) = nullptr;  ///< null: of the registry
};
constexpr Case models_watched[] = {{"bouncing-ball", 5_ms, 0},
                                   {"dc-motor", 100_us, 12},
                                   {"oscillator-line", 20_us, 0},
                                   {"oscillator-load", 20_us, 0.1},
                                   {"pendulum", 5_ms, 0.3},
                                   {"spring-mass-damper", 2_ms, 1},
                                   {"two-link-arm", 2_ms, 0.5},
                                   {"van-der-pol", 5_ms, 0},
                                   {"hares", 20_ms, 0, &model::make_stepper<Hares>},
                                   {"driven", 20_ms, 0, &model::make_stepper<Driven>}};

/// A run, each of its steps against the exact one.
class Compared {
 public:
  struct Step {
    double estimate, truth;
  };
  Compared(const Case& of, const numerics::Method& method)
      : plant_(of.make != nullptr ? of.make(method) : model::find_model(of.model)->make(method)),
        u_(plant_->description().inputs.size(), of.u),
        watch_(*plant_, u_),
        size_(plant_->description().states.size(), 1e-3) {
    plant_->reset();
  }

  void take(Duration h) {
    const Values x(plant_->states().begin(), plant_->states().end());
    const int passes = plant_->begin(t_, h).count();
    for (int i = 0; i < passes; ++i) plant_->pass(i, u_);
    plant_->finish();
    const Values right = exact_step(plant_->system(), t_, h, x, u_);
    double truth = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      size_[i] = std::max(size_[i], std::abs(plant_->states()[i]));
      truth = std::max(truth, std::abs(plant_->states()[i] - right[i]) / size_[i]);
    }
    const ErrorWatch::Estimate e = watch_.look(t_, t_ + h);
    const bool of_step_before =
        !plant_->step_start().derivatives.empty() && plant_->method().embedded.order == 0;
    const double before = std::exchange(truth_, truth);
    if (e.known()) steps.push_back({e.error, of_step_before ? before : truth});
    t_ += h;
  }

  std::vector<Step> steps;

 private:
  std::unique_ptr<Stepper> plant_;
  Values u_;
  ErrorWatch watch_;
  Values size_;
  SimTime t_{};
  double truth_ = 0;
};

/// Smallest and largest estimate, in true errors, of the steps whose error is a tenth of the run's
/// largest or more, and above what rounding makes of it.
std::pair<double, double> worth(const std::vector<Compared::Step>& steps) {
  double largest = 1e-10;
  for (const auto& s : steps) largest = std::max(largest, s.truth);
  std::pair<double, double> found{1, 1};
  for (const auto& s : steps) {
    if (s.truth < largest / 10 || s.truth < 1e-10) continue;
    found.first = std::min(found.first, s.estimate / s.truth);
    found.second = std::max(found.second, s.estimate / s.truth);
  }
  return found;
}

class EstimatedError : public ::testing::TestWithParam<const numerics::Method*> {
 protected:
  /// Whether the steps taken are those of a stable run.
  static bool stable(const Case& c) {
    return c.model != "oscillator-load" || GetParam()->implicit();
  }
  static void check(const Case& c, const std::vector<Compared::Step>& steps) {
    const auto [low, high] = worth(steps);
    EXPECT_GE(low, 0.5) << c.model;
    if (GetParam()->history > 0) {
      EXPECT_LE(high, 2) << c.model;
    }
  }
};

TEST_P(EstimatedError, IsEstimatedWithinTheFactorThatIsPromised) {
  for (const Case& c : models_watched) {
    if (!stable(c)) continue;
    Compared run(c, *GetParam());
    for (int n = 0; n < 80; ++n) run.take(c.h);
    ASSERT_GE(run.steps.size(), 74U) << c.model;
    check(c, run.steps);
  }
}

TEST_P(EstimatedError, IsEstimatedSoThroughDoubledSteps) {
  for (const Case& c : models_watched) {
    if (!stable(c)) continue;
    Compared run(c, *GetParam());
    for (int n = 0; n < 80; ++n) run.take(n % 7 == 6 ? c.h : part(c.h, 0.5));
    check(c, run.steps);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EstimatedError, ::testing::ValuesIn(numerics::catalogue()),
                         [](const auto& info) {
                           std::string name(info.param->name);
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace hild::testing
