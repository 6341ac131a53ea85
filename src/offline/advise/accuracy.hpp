// SPDX-License-Identifier: Apache-2.0
/// \file
/// The errors of a method at a given step, as fractions, exactly for linear models, from its
/// tableau:
///
///   a mode      |lambda* - lambda| / |lambda| of the characteristic root (Howe eq. 25),
///   response    the whole model as a sum over its modes: the response of a state to an input,
///               sum_i r_i / (j omega - lambda_i), becomes sum_i r_i H*_i / H_i / (j omega -
///               lambda_i), with the digital transfer function H*_i of each. The difference is gain
///               and phase error of the state, in which those of all poles and zeros are summed
///               (Howe, after eq. 16),
///   sampling    the same with the inputs of the passes as they are sampled: held from their
///               release, or carried on by a polynomial.
///
/// Errors that small models do not have (of stages in the nonlinear terms, of state events) are not
/// counted. Not real-time.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "exec/settings.hpp"
#include "hild/numerics/method.hpp"
#include "numerics/analysis/roots.hpp"

namespace hild::advise {

using analysis::Complex;
inline constexpr double unbounded = std::numeric_limits<double>::infinity();

/// How states respond to an input at a frequency, mode by mode.
struct Response {
  double omega = 0;               ///< rad/s
  std::vector<Complex> lambda{};  ///< 1/s, conjugates too
  /// share[j * lambda.size() + i]: the part of mode i in the response of state j, 1 in sum over the
  /// modes, less where the response is faint and its error is judged by that at other frequencies.
  std::vector<Complex> share{};
};

/// The response of each mode by itself (Howe eq. 11), at `omega` > 0; without modes that of an
/// integrator.
[[nodiscard]] std::vector<Response> responses_by_mode(std::span<const Complex> lambda,
                                                      double omega);

/// A linear model x' = A x + B u.
struct LinearModel {
  std::span<const double> a;  ///< n by n, A(i, k) at a[i * n + k]
  std::span<const double> b;  ///< n by m, likewise
  std::size_t n = 0;
};

/// The responses of its states to its inputs, at frequencies up to `omega`, those among its modes'
/// included. No run meets the resonance of a mode that is damped by less than 2 % in its steady
/// state: nothing is judged there. Empty where the modes are not independent.
[[nodiscard]] std::vector<Response> responses_of(const LinearModel& model, double omega);

/// What must be accurate, and to which fraction.
struct Demand {
  double accuracy = 1e-3;        ///< the largest fraction
  std::vector<Complex> modes{};  ///< those that matter, rad/s, none of them zero
  double input = 0;              ///< omega of the fastest part of the inputs, rad/s; 0: constant
  std::vector<Response> responses{};  ///< to such inputs
};

/// How the inputs of the passes are sampled; `degree` is exec::Settings::extrapolation.
struct Sampled {
  exec::Sampling by = exec::Sampling::stage;
  int degree = 1;
};

/// The errors of one method.
class Errors {
 public:
  /// All outlive this.
  Errors(const numerics::Method& method, const analysis::Roots& roots, const Demand& demand,
         Sampled sampled)
      : method_(method), roots_(roots), demand_(demand), sampled_(sampled) {}

  /// The largest of the modes that matter at h, in s.
  [[nodiscard]] double of_modes(double h) const;
  /// The largest of the responses, with inputs that are known at every node.
  [[nodiscard]] double of_responses(double h) const;
  /// The largest of the responses, with inputs as they are sampled.
  [[nodiscard]] double as_sampled(double h) const;
  /// Whether some pass takes an input that is not the one at its node.
  [[nodiscard]] bool misses_inputs() const;

 private:
  [[nodiscard]] std::vector<Complex> samples(double omega_h) const;
  [[nodiscard]] double worst(double h, bool sampled) const;

  const numerics::Method& method_;
  const analysis::Roots& roots_;
  const Demand& demand_;
  Sampled sampled_;
};

/// The largest h in s up to which an error stays within the accuracy; `fastest` is the largest
/// angular frequency that it depends on, in rad/s; 0: infinite. Errors near h = 0, which rounding
/// hides, are taken to follow a power of h.
[[nodiscard]] double accurate_to(const std::function<double(double)>& error, double accuracy,
                                 double fastest);

}  // namespace hild::advise
