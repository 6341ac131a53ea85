// SPDX-License-Identifier: Apache-2.0
/// \file
/// An integration formula that estimates its own error: one step is tried, measured, and accepted
/// or tried again smaller; results within the last accepted step are available. adaptive.hpp
/// decides; formulas compute.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hild::reference {

/// A system to be integrated: y' = f(t, y), with names for messages.
class Ode {
 public:
  Ode() = default;
  Ode(const Ode&) = delete;
  Ode& operator=(const Ode&) = delete;
  virtual ~Ode() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Evaluates f. Within a step of the formula it may be called for any time and in any order.
  virtual void derivatives(double t, std::span<const double> y, std::span<double> dy) = 0;
  [[nodiscard]] virtual std::string state_name(std::size_t i) const { return std::to_string(i); }
  /// The usual size of a state, above 0.
  [[nodiscard]] virtual double nominal(std::size_t /*i*/) const { return 1; }
};

/// The tolerance against which an error is measured. Both parts are at least 0, one of them
/// greater.
struct Tolerance {
  double relative = 1e-8;
  double absolute = 1e-10;  ///< times the usual size of a state
};

/// The result of a step that was tried. `error` is that of the worst state, in tolerances; infinite
/// when a value is not finite.
struct Trial {
  double error = 0;
  std::size_t worst = 0;
  bool finite = true;
};

class Formula {
 public:
  Formula(Ode& ode, Tolerance tolerance);
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;
  virtual ~Formula() = default;

  /// Begins at t with y; used at the start and after a jump of the state or of f.
  void start(double t, std::span<const double> y);
  /// Tries a step from time() to `end`; `proposed` >= end - time() is the step before it was cut to
  /// end there.
  [[nodiscard]] virtual Trial attempt(double end, double proposed) = 0;
  /// Makes the step tried the last accepted one.
  void accept();

  /// grown(): the next step after one of h with that error (<= 1); shrunk(): the step to try
  /// instead of a refused one.
  [[nodiscard]] virtual double grown(double h, double error) const = 0;
  [[nodiscard]] virtual double shrunk(double h, double error) const = 0;
  /// The power of h that the error estimate is proportional to.
  [[nodiscard]] virtual int error_power() const = 0;

  /// The state at begin() + theta (time() - begin()), theta in 0 ... 1; available until the next
  /// attempt.
  virtual void within(double theta, std::span<double> y) const = 0;

  [[nodiscard]] double begin() const { return t0_; }
  [[nodiscard]] double time() const { return t1_; }
  [[nodiscard]] std::span<const double> state() const { return y1_; }
  [[nodiscard]] std::span<const double> derivative() const { return f1_; }
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }
  [[nodiscard]] const Tolerance& tolerance() const { return tolerance_; }
  /// The absolute tolerance of a state, in its unit.
  [[nodiscard]] double absolute(std::size_t i) const { return absolute_[i]; }

  void evaluate(double t, std::span<const double> y, std::span<double> dy);

 protected:
  using Vector = std::vector<double>;
  [[nodiscard]] std::size_t size() const { return y1_.size(); }
  [[nodiscard]] Vector vector() const { return Vector(y1_.size()); }
  /// The result for these errors and what is allowed for each.
  [[nodiscard]] Trial judge(std::span<const double> error, std::span<const double> allowed) const;

  double t0_ = 0, t1_ = 0;  ///< the last accepted step
  double end_ = 0;          ///< of the step tried
  Vector y0_, f0_;          ///< at its start
  Vector y1_, f1_;          ///< at its end
  Vector result_;           ///< of the step tried

 private:
  Ode& ode_;
  Tolerance tolerance_;
  Vector absolute_;
  std::int64_t evaluations_ = 0;
};

/// Jack's step-doubling Runge-Kutta, and Huang's embedded pair.
[[nodiscard]] std::unique_ptr<Formula> make_jack(Ode& ode, Tolerance tolerance);
[[nodiscard]] std::unique_ptr<Formula> make_ode45(Ode& ode, Tolerance tolerance);

enum class FormulaKind : std::uint8_t { jack, ode45 };
[[nodiscard]] std::string_view to_string(FormulaKind kind);
[[nodiscard]] std::unique_ptr<Formula> make_formula(FormulaKind kind, Ode& ode,
                                                    Tolerance tolerance);

}  // namespace hild::reference
