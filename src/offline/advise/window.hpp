// SPDX-License-Identifier: Apache-2.0
/// \file
/// The window of a method: from the smallest step the machine can do to the largest that is stable
/// and accurate. "If it happens that the lower bound is larger than the upper, then we are in real
/// trouble" (Cellier, The Race Against Time II). Then the choice of a window and of a step in it.
/// Not real-time.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "config/plan/feasibility.hpp"
#include "config/plan/rehearsal.hpp"
#include "hild/model/multirate.hpp"
#include "offline/advise/bounds.hpp"

namespace hild::advise {

/// The lower bound: the smallest h in s, to a nanosecond, in which the work ends (plan::finish) and
/// takes no more than `budget` of it (plan::utilisation). Infinite where not even 1000 s are
/// enough. In proportion to the costs: on a machine twice as fast it is half as large.
[[nodiscard]] double cost_bound(const plan::Shape& shape, const plan::Costs& costs, double budget);

/// A method, or a multirate setting, to be weighed.
struct Candidate {
  std::string name{};
  const numerics::Method* method = nullptr;  ///< null: by `rates`
  std::optional<model::Multirate> rates{};
  bool configured = false;
};

enum class StepLimit { none, stability, modes, inputs, sampling };

/// Upper bounds of h in s; infinite where nothing bounds it.
struct Upper {
  double stability = unbounded;
  double modes = unbounded;     ///< accuracy of the modes, including those that grow
  double inputs = unbounded;    ///< accuracy of the response to inputs known at every node
  double sampling = unbounded;  ///< accuracy of the response to inputs as they are sampled

  [[nodiscard]] double least() const noexcept;
  [[nodiscard]] StepLimit limit() const noexcept;
};

/// What was claimed of a step, and what a trial measured.
struct Attempt {
  double h = 0;                      ///< s
  double span = 0;                   ///< simulated time that was compared, s
  std::optional<double> claimed{};   ///< largest error as a fraction; none: of parts by themselves
  std::optional<double> measured{};  ///< none: the run did not survive
};

struct Window {
  Candidate candidate{};
  int order = 1;
  int passes = 1;
  exec::Sampling sampling = exec::Sampling::frame;  ///< `stage` becomes `extrapolate` ...
  bool future = false;  ///< ... for a method that needs inputs from the future
  plan::Measured costs{};
  double lower = 0;      ///< s, at the median of the costs: below it the executive refuses
  double lower_p99 = 0;  ///< s, at their p99: what one frame in a hundred may need
  Upper upper{};
  /// The bound of stability by the modes, where trials lowered it.
  std::optional<double> stability_of_modes{};
  std::optional<Attempt> at_lower{};  ///< none: not tried
  std::optional<Attempt> at_upper{};

  /// Whether some h fits; calm(): even at the p99 of the costs.
  [[nodiscard]] bool open() const noexcept { return lower <= upper.least(); }
  [[nodiscard]] bool calm() const noexcept { return lower_p99 <= upper.least(); }
  [[nodiscard]] bool holds(double h) const noexcept { return lower <= h && h <= upper.least(); }
  [[nodiscard]] bool holds_calmly(double h) const noexcept { return holds(h) && lower_p99 <= h; }
};

/// Bounds of a method with characteristic polynomial for modes `lambda`, the fastest first.
[[nodiscard]] Upper weigh(const numerics::Method& method, std::span<const Complex> lambda,
                          const Demand& demand, Sampled sampled);

/// The largest of its errors at h > 0, including that of modes that grow; 0 without a
/// characteristic polynomial.
[[nodiscard]] double error_at(const numerics::Method& method, std::span<const Complex> lambda,
                              const Demand& demand, Sampled sampled, double h);

/// The smaller of each bound.
[[nodiscard]] Upper least_of(const Upper& a, const Upper& b) noexcept;
/// The bounds of a step that consists of `parts` such steps.
[[nodiscard]] Upper times(const Upper& upper, int parts) noexcept;

/// A step within [lower, upper]: `wanted` if it lies there; else the number 1, 2 or 5 times a power
/// of ten that is nearest to the geometric mean, or the mean where no such number fits.
[[nodiscard]] double pick(double lower, double upper, double wanted);

/// The window with the largest upper / lower at the p99 of the costs, open or not. An open window
/// of a method that needs no input from the future comes before those of methods that do. Null if
/// there are none, or where no method has a stable step.
[[nodiscard]] const Window* widest(std::span<const Window> windows);

struct Choice {
  const Window* window = nullptr;
  double h = 0;  ///< s
};

/// Chooses so that as little as possible is changed: nothing where the configured method allows the
/// configured `h`, else the method, else the step, else both; each time the widest of the remaining
/// windows. Windows that are open at the p99 come first. Nothing where none is open.
[[nodiscard]] std::optional<Choice> choose(std::span<const Window> windows, double h);

}  // namespace hild::advise
