// SPDX-License-Identifier: Apache-2.0
/// \file
/// The equations of a model as Newton's method takes them (numerics/newton.hpp): its residuals in
/// the algebraic variables, and those of a step of backward Euler in the new states and the
/// algebraic variables together (Cellier, Inline Integration IV).
///
/// Where derivatives() and residuals() are constexpr templates over the scalar S of x, z, dx and r,
/// the compiler evaluates them once for the structure: with the states, inputs and algebraic
/// variables at their start values and the parameters at their defaults. What depends on a state or
/// an algebraic variable other than linearly is no constant to divide by; what depends on inputs,
/// parameters or time is taken to be of the size that it has there.
#pragma once

#include "hild/model/model.hpp"
#include "hild/numerics/newton.hpp"
#include "hild/numerics/structure/traced.hpp"

namespace hild::model {

/// Whether derivatives() and, if there are any, residuals() of M take any scalar: S is one.
template <class M, class S>
concept WrittenFor = requires(M m, std::span<const S, M::states.size()> x, typename Data<M>::U u,
                              std::span<const S, algebraic_of<M>()> z, typename Data<M>::P p,
                              std::span<S, M::states.size()> dx,
                              std::span<S, algebraic_of<M>()> r) {
  requires(algebraic_of<M>() == 0) || requires { m.residuals(0.0, x, u, z, p, r); };
  requires requires { m.derivatives(0.0, x, u, p, dx); } || requires {
    m.derivatives(0.0, x, u, z, p, dx);
  };
};

namespace detail {

/// The number of states and algebraic variables.
template <class M>
inline constexpr std::size_t unknowns_of = M::states.size() + algebraic_of<M>();

template <class M>
constexpr std::array<double, unknowns_of<M>> sizes_of() noexcept {
  std::array<double, unknowns_of<M>> sizes{};
  std::size_t i = 0;
  for (const State& s : M::states) sizes[i++] = s.nominal;
  if constexpr (algebraic_of<M>() > 0) {
    for (const Algebraic& z : M::algebraic) sizes[i++] = z.nominal;
  }
  return sizes;
}

/// dx = f(t, x, u, z, p), of a model with algebraic variables or without.
template <class M, class S, class U, class P>
constexpr void derivatives(M& model, double t, std::span<const S, M::states.size()> x, U u,
                           std::span<const S, algebraic_of<M>()> z, P p,
                           std::span<S, M::states.size()> dx) noexcept {
  if constexpr (algebraic_of<M>() > 0) {
    model.derivatives(t, x, u, z, p, dx);
  } else {
    model.derivatives(t, x, u, p, dx);
  }
}

/// Derivatives and residuals, one after the other, as they depend on states and algebraic
/// variables.
template <class M>
constexpr auto traced_right_sides() noexcept {
  constexpr std::size_t nx = M::states.size();
  constexpr std::size_t n = unknowns_of<M>;
  using T = numerics::Traced<n>;
  std::array<T, n> v{};
  std::array<T, n> right{};
  for (std::size_t i = 0; i < nx; ++i) v[i] = T::variable(i, M::states[i].start);
  if constexpr (n > nx) {
    for (std::size_t i = nx; i < n; ++i) v[i] = T::variable(i, M::algebraic[i - nx].start);
  }
  std::array<double, M::inputs.size()> u{};
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = M::inputs[i].start;
  std::array<double, M::parameters.size()> p{};
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = M::parameters[i].value;
  M model{};
  const std::span<const T, n> all(v);
  const auto x = all.template first<nx>();
  const auto z = all.template last<n - nx>();
  const typename Data<M>::U inputs(u);
  const typename Data<M>::P parameters(p);
  derivatives<M, T>(model, 0.0, x, inputs, z, parameters, std::span(right).template first<nx>());
  if constexpr (n > nx) {
    model.residuals(0.0, x, inputs, z, parameters, std::span(right).template last<n - nx>());
  }
  return right;
}

}  // namespace detail

/// 0 = g(t, x, u, z, p) in z. A view of what it is made from.
template <class M>
struct AlgebraicEquations {
  using D = Data<M>;                                      ///< shapes of the model's vectors
  static constexpr std::size_t nx = M::states.size();     ///< states
  static constexpr std::size_t size = algebraic_of<M>();  ///< equations, and variables
  /// Usual sizes of the variables.
  static constexpr std::array<double, size> sizes = [] {
    std::array<double, size> z{};
    for (std::size_t i = 0; i < size; ++i) z[i] = M::algebraic[i].nominal;
    return z;
  }();
  /// Whether residuals() also takes dual numbers.
  static constexpr bool differentiable = WrittenFor<M, numerics::Dual<size>>;

  M* model;         ///< of which they are
  double t;         ///< time
  typename D::X x;  ///< states
  typename D::U u;  ///< inputs
  typename D::P p;  ///< parameters

  /// r = g(t, x, u, z, p).
  template <class S>
  void residuals(std::span<const S, size> z, std::span<S, size> r) const noexcept {
    if constexpr (std::is_same_v<S, double>) {
      model->residuals(t, x, u, z, p, r);
    } else {
      std::array<S, nx> constant{};
      for (std::size_t i = 0; i < nx; ++i) constant[i] = x[i];
      model->residuals(t, std::span<const S, nx>(constant), u, z, p, r);
    }
  }
  /// Their structure. A coefficient that states appear in is none to divide by.
  static constexpr auto traced() noexcept
      requires(WrittenFor<M, numerics::Traced<detail::unknowns_of<M>>>) {
    const auto right = detail::traced_right_sides<M>();
    numerics::TracedSystem<size, 1> system;
    for (std::size_t i = 0; i < size; ++i) {
      const auto& r = right[nx + i];
      system.depends[i] = r.depends >> nx;
      system.nonlinear[i] = r.nonlinear >> nx;
      for (std::size_t j = 0; j < size; ++j) {
        system.coefficients[0][i][j] = r.d[nx + j] * sizes[j];
      }
    }
    return system;
  }
};

/// x = x0 + h f(t, x, u, z, p) and 0 = g(t, x, u, z, p) in x and z: a step of backward Euler to t.
/// A view of what it is made from.
template <class M>
struct InlinedEquations {
  using D = Data<M>;                                           ///< shapes of the model's vectors
  static constexpr std::size_t nx = M::states.size();          ///< states
  static constexpr std::size_t size = detail::unknowns_of<M>;  ///< equations, and variables
  /// Usual sizes of the variables.
  static constexpr std::array<double, size> sizes = detail::sizes_of<M>();
  /// Whether derivatives() and residuals() also take dual numbers.
  static constexpr bool differentiable = WrittenFor<M, numerics::Dual<size>>;
  /// Steps that every pivot must be good at, partial ones around events included, in seconds.
  static constexpr std::array steps{1e-2, 1e-3, 1e-4, 1e-5, 1e-6};

  M* model;          ///< of which they are
  double t;          ///< end of the step
  double h;          ///< its length
  typename D::X x0;  ///< states at its start
  typename D::U u;   ///< inputs at its end
  typename D::P p;   ///< parameters

  /// Of the new states, then of the algebraic variables; of the equations `wanted` at least.
  template <class S, numerics::Places wanted = numerics::first_places(size)>
  void residuals(std::span<const S, size> v, std::span<S, size> r) const noexcept {
    const auto x = v.template first<nx>();
    const auto z = v.template last<size - nx>();
    if constexpr ((wanted & numerics::first_places(nx)) != 0) {
      detail::derivatives<M, S>(*model, t, x, u, z, p, r.template first<nx>());
      numerics::each_place<(wanted & numerics::first_places(nx))>(
          [&](auto i) { r[i] = x[i] - x0[i] - h * r[i]; });
    }
    if constexpr ((wanted & ~numerics::first_places(nx)) != 0) {
      model->residuals(t, x, u, z, p, r.template last<size - nx>());
    }
  }
  /// Their structure.
  static constexpr auto traced() noexcept requires(WrittenFor<M, numerics::Traced<size>>) {
    const auto right = detail::traced_right_sides<M>();
    numerics::TracedSystem<size, steps.size()> system;
    for (std::size_t i = 0; i < size; ++i) {
      system.depends[i] = right[i].depends | (i < nx ? numerics::only(i) : 0);
      system.nonlinear[i] = right[i].nonlinear;
      for (std::size_t s = 0; s < steps.size(); ++s) {
        auto& row = system.coefficients[s][i];
        for (std::size_t j = 0; j < size; ++j) {
          row[j] =
              (i < nx ? (i == j ? 1 : 0) - steps[s] * right[i].d[j] : right[i].d[j]) * sizes[j];
        }
      }
    }
    return system;
  }
};

}  // namespace hild::model
