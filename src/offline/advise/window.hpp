// SPDX-License-Identifier: Apache-2.0
/// \file
/// The window of a method: from the smallest step the machine can do to the largest that is stable
/// and accurate. "If it happens that the lower bound is larger than the upper, then we are in real
/// trouble" (Cellier, The Race Against Time II). Not real-time.
#pragma once

#include <optional>
#include <string>

#include "config/plan/rehearsal.hpp"
#include "hild/model/multirate.hpp"
#include "offline/advise/accuracy_bound.hpp"
#include "offline/advise/stability_bound.hpp"

namespace hild::advise {

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
  double inputs = unbounded;    ///< accuracy of the response to inputs
  double sampling = unbounded;  ///< accuracy of inputs at the nodes

  [[nodiscard]] double least() const noexcept;
  [[nodiscard]] StepLimit limit() const noexcept;
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

  /// Whether some h fits; calm(): even at the p99 of the costs.
  [[nodiscard]] bool open() const noexcept { return lower <= upper.least(); }
  [[nodiscard]] bool calm() const noexcept { return lower_p99 <= upper.least(); }
  [[nodiscard]] bool holds(double h) const noexcept { return lower <= h && h <= upper.least(); }
  [[nodiscard]] bool holds_calmly(double h) const noexcept { return holds(h) && lower_p99 <= h; }
};

/// What follows for a method and a model from the tableau alone.
struct Weighed {
  Upper upper{};
  ErrorTerms errors{};
};

/// Bounds of a method with characteristic polynomial for modes `lambda`, the fastest first.
[[nodiscard]] Weighed weigh(const numerics::Method& method, std::span<const Complex> lambda,
                            const Demand& demand, exec::Sampling sampling, int degree);

/// The largest of its errors at h > 0, including that of modes that grow; 0 without a
/// characteristic polynomial.
[[nodiscard]] double error_at(const numerics::Method& method, std::span<const Complex> lambda,
                              const Demand& demand, exec::Sampling sampling, int degree, double h);

/// The smaller of each bound.
[[nodiscard]] Upper least_of(const Upper& a, const Upper& b) noexcept;
/// The bounds of a step that consists of `parts` such steps.
[[nodiscard]] Upper times(const Upper& upper, int parts) noexcept;

/// A step within [lower, upper]: `wanted` if it lies there; else the number 1, 2 or 5 times a power
/// of ten that is nearest to the geometric mean, or the mean where no such number fits.
[[nodiscard]] double pick(double lower, double upper, double wanted);

}  // namespace hild::advise
