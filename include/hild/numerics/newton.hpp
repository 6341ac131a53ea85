// SPDX-License-Identifier: Apache-2.0
/// \file
/// Newton's method for equations that the compiler has seen: straight code that eliminates in the
/// order of structure/elimination.hpp, and for others with all variables at once. The number of
/// iterations is the caller's, so that the work is fixed; what the last one still moved the
/// variables by tells how far it was from the solution. Real-time safe.
///
/// Equations are a class:
///
///   static constexpr std::size_t size                        equations, and variables
///   static constexpr std::array<double, size> sizes          usual sizes of the variables, above 0
///   residuals(std::span<const S, size> v, std::span<S, size> r) noexcept
///                                                            zero at the solution; S is double,
///                                                            and where `differentiable` Dual<n>
///                                                            too
///   static constexpr bool differentiable
///   static constexpr auto traced()                           where it can be: a TracedSystem
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "hild/numerics/differences.hpp"
#include "hild/numerics/dual.hpp"
#include "hild/numerics/linear_system.hpp"
#include "hild/numerics/structure/elimination.hpp"

namespace hild::numerics {

namespace detail {

/// Evaluates the equations `wanted`, and others where it cannot be helped.
template <Places wanted, class Equations, class S, std::size_t N>
[[gnu::always_inline]] inline void residuals(const Equations& equations, std::span<const S, N> v,
                                             std::span<S, N> r) noexcept {
  if constexpr (requires { equations.template residuals<S, wanted>(v, r); }) {
    equations.template residuals<S, wanted>(v, r);
  } else {
    equations.residuals(v, r);
  }
}

/// How far a variable was moved, beside what it is.
inline double share_moved(double moved, double now, double usual) noexcept {
  const double share = std::abs(moved) / (std::abs(now) + usual);
  return std::isfinite(share) ? share : std::numeric_limits<double>::infinity();
}

}  // namespace detail

/// Whether the compiler knows the structure of the equations, and an order for them.
template <class Equations>
concept Torn = requires {
  typename std::bool_constant<elimination_of(Equations::traced()).singular>;
  requires !elimination_of(Equations::traced()).singular;
};

/// By the order that their structure gives.
template <class Equations>
class TornNewton {
  static constexpr std::size_t n = Equations::size;
  using Values = std::array<double, n>;

 public:
  /// The order.
  static constexpr Elimination<n> plan = elimination_of(Equations::traced());

  /// What a solution leaves that another one of the same coefficients can begin with.
  struct Kept {
    std::array<double, n * n> a;  ///< coefficients, by equation and variable
    std::array<double, n * n> f;  ///< factors, by place
    Values inverse;               ///< of the pivots
  };

  /// `iterations` >= 1 from `v`, which becomes the solution. `kept`: the coefficients of what is
  /// linear are those of the last solution, which left it; else it is overwritten. Returns what the
  /// last iteration moved a variable by, at most, as a part of its size; 0 where the first gives
  /// the solution.
  [[gnu::always_inline]] static double solve(const Equations& equations, std::span<double, n> v,
                                             int iterations, Kept& kept,
                                             bool is_kept = false) noexcept {
    Work w(kept, v);
    double moved = is_kept ? w.template iterate<From::kept>(equations)
                           : w.template iterate<From::nothing>(equations);
    if constexpr (!plan.linear()) {
      for (int k = 1; k < iterations; ++k) moved = w.template iterate<From::iteration>(equations);
    }
    w.complete();
    return plan.linear() ? 0 : moved;
  }
  /// The same where nothing is kept.
  [[gnu::always_inline]] static double solve(const Equations& equations, std::span<double, n> v,
                                             int iterations) noexcept {
    Kept kept;
    return solve(equations, v, iterations, kept);
  }

 private:
  enum class From { nothing, kept, iteration };  // what an iteration goes on from

  static constexpr auto traced = Equations::traced();
  static constexpr Places all = first_places(n);
  static constexpr auto colours = Colours<n>::found(traced.depends, all);
  static constexpr Places nonlinear = [] {
    Places equations = 0;
    for (std::size_t i = 0; i < n; ++i) equations |= traced.nonlinear[i] != 0 ? only(i) : 0;
    return equations;
  }();
  // Of the equations that are not linear all iterations renew the coefficients that vary.
  static constexpr Places varying = ~plan.linear_in & all;
  static constexpr auto varying_colours = [] {
    Incidence<n> rows{};
    for (std::size_t i = 0; i < n; ++i) rows[i] = contains(nonlinear, i) ? traced.depends[i] : 0;
    return Colours<n>::found(rows, varying);
  }();
  static constexpr std::size_t core = n - plan.core;

  // One solution. Every loop is over constants, so that what is left of this is arithmetic.
  struct Work {
    Kept& kept;
    std::span<double, n> v;
    Values residual;  // by equation
    Values right;     // what elimination made of the residuals, by place
    Values step;      // of this iteration, by place
    Values moved;     // by all iterations, by place

    Work(Kept& k, std::span<double, n> variables) noexcept : kept(k), v(variables) {}

    template <From from>
    [[gnu::always_inline]] double iterate(const Equations& equations) noexcept {
      constexpr bool first = from != From::iteration;
      if constexpr (from == From::nothing) {
        linearise<all, all, colours>(equations);
      } else {
        if constexpr (first && nonlinear != all) {
          detail::residuals<(all & ~nonlinear)>(equations, std::span<const double, n>(v),
                                                std::span<double, n>(residual));
        }
        if constexpr (nonlinear != 0) {
          linearise<nonlinear, varying, varying_colours>(equations);
        }
      }
      each_place<(from == From::nothing ? all : plan.again)>(
          [this](auto k) { this->template factorise<k>(); });
      each_place<(first ? all : plan.again)>(
          [this](auto k) { this->template forward<k, first>(); });
      return back<first>();
    }
    // The variables that no later iteration looked at follow from what all moved the others by.
    [[gnu::always_inline]] void complete() noexcept {
      each_place<(plan.needed)>([this](auto k) { step[k] = moved[k]; });
      each_place_down<(all & ~plan.needed)>([this](auto k) {
        this->template follow<k, true>();
        v[plan.variable[k]] += step[k];
      });
    }

   private:
    // The equations `wanted`, with those of their coefficients that are of the variables `by`.
    template <Places wanted, Places by, auto& groups>
    [[gnu::always_inline]] void linearise(const Equations& equations) noexcept {
      using D = Dual<groups.count>;
      std::array<D, n> x;
      std::array<D, n> r;
      each_place<all>([&](auto j) { x[j].value = v[j]; });
      each_place<by>([&](auto j) { x[j].d[groups.of[j]] = 1; });
      detail::residuals<wanted>(equations, std::span<const D, n>(x), std::span<D, n>(r));
      each_place<wanted>([&](auto i) {
        residual[i] = r[i].value;
        constexpr Places found = by == all ? traced.depends[i] : traced.nonlinear[i];
        each_place<found>([&](auto j) { kept.a[i * n + j] = r[i].d[groups.of[j]]; });
      });
    }
    // Row k of the factors.
    template <std::size_t k>
    [[gnu::always_inline]] void factorise() noexcept {
      constexpr std::size_t i = plan.equation[k];
      constexpr Places diagonal = k < plan.core ? only(k) : 0;
      auto& f = kept.f;
      each_place<(plan.lower[k] | diagonal | plan.upper[k])>([&](auto p) {
        constexpr std::size_t j = plan.variable[p];
        f[k * n + p] = contains(traced.depends[i], j) ? kept.a[i * n + j] : 0;
      });
      each_place<(plan.lower[k])>([&](auto p) {
        f[k * n + p] *= kept.inverse[p];
        each_place<(plan.upper[p])>([&](auto j) { f[k * n + j] -= f[k * n + p] * f[p * n + j]; });
      });
      if constexpr (k < plan.core) kept.inverse[k] = 1 / f[k * n + k];
    }
    // The right side of row k: linear equations are satisfied after the first iteration.
    template <std::size_t k, bool first>
    [[gnu::always_inline]] void forward() noexcept {
      constexpr std::size_t i = plan.equation[k];
      double sum = first || contains(nonlinear, i) ? -residual[i] : 0;
      each_place<(plan.lower[k] & (first ? all : plan.again))>(
          [&](auto p) { sum -= kept.f[k * n + p] * right[p]; });
      right[k] = sum;
    }
    template <bool first>
    [[gnu::always_inline]] double back() noexcept {
      solve_core();
      double most = 0;
      each_place_down<(plan.needed)>([&](auto k) {
        constexpr std::size_t j = plan.variable[k];
        this->template follow<k, first>();
        v[j] += step[k];
        moved[k] = first ? step[k] : moved[k] + step[k];
        most = std::max(most, detail::share_moved(step[k], v[j], Equations::sizes[j]));
      });
      return most;
    }
    [[gnu::always_inline]] void solve_core() noexcept {
      if constexpr (core == 1) {
        step[plan.core] = right[plan.core] / kept.f[plan.core * n + plan.core];
      } else if constexpr (core > 1) {
        LinearSystem<std::array<double, LinearSystem<int>::room(core, dense)>> system(core, dense);
        for (std::size_t i = 0; i < core; ++i) {
          step[plan.core + i] = right[plan.core + i];
          for (std::size_t j = 0; j < core; ++j) {
            system.at(i, j, core, dense) = kept.f[(plan.core + i) * n + plan.core + j];
          }
        }
        system.solve(core, dense, std::span(step).last(core));
      }
    }
    // What variable k moves by, given what later ones do.
    template <std::size_t k, bool first>
    [[gnu::always_inline]] void follow() noexcept {
      if constexpr (k < plan.core) {
        double sum = first || contains(plan.again, k) ? right[k] : 0;
        each_place<(plan.upper[k])>([&](auto j) { sum -= kept.f[k * n + j] * step[j]; });
        step[k] = sum * kept.inverse[k];
      }
    }
  };
};

/// With all variables at once, for equations that cannot be looked into: coefficients by dual
/// numbers or by differences, elimination with pivoting.
template <class Equations>
class DenseNewton {
  static constexpr std::size_t n = Equations::size;

 public:
  /// Nothing.
  struct Kept {};

  /// As TornNewton::solve(); all coefficients are taken to vary.
  static double solve(const Equations& equations, std::span<double, n> v, int iterations,
                      Kept& /*kept*/, bool /*is_kept*/ = false) noexcept {
    return solve(equations, v, iterations);
  }
  /// The same.
  static double solve(const Equations& equations, std::span<double, n> v, int iterations) noexcept {
    double most = 0;
    for (int k = 0; k < iterations; ++k) {
      std::array<double, n> right{};
      System system(n, dense);
      linearise(equations, v, right, system);
      system.solve(n, dense, right);
      most = 0;
      for (std::size_t j = 0; j < n; ++j) {
        v[j] -= right[j];
        most = std::max(most, detail::share_moved(right[j], v[j], Equations::sizes[j]));
      }
    }
    return most;
  }

 private:
  using System = LinearSystem<std::array<double, LinearSystem<int>::room(n, dense)>>;

  static void linearise(const Equations& equations, std::span<const double, n> v,
                        std::array<double, n>& r, System& system) noexcept {
    if constexpr (Equations::differentiable) {
      using D = Dual<n>;
      std::array<D, n> x{};
      std::array<D, n> y{};
      for (std::size_t j = 0; j < n; ++j) {
        x[j].value = v[j];
        x[j].d[j] = 1;
      }
      equations.residuals(std::span<const D, n>(x), std::span<D, n>(y));
      for (std::size_t i = 0; i < n; ++i) {
        r[i] = y[i].value;
        for (std::size_t j = 0; j < n; ++j) system.at(i, j, n, dense) = y[i].d[j];
      }
    } else {
      const auto residuals = [&](std::span<const double> x, std::span<double> y) {
        equations.residuals(x.first<n>(), y.first<n>());
      };
      std::array<double, n> moved{};
      std::array<double, n> there{};
      residuals(v, r);
      differences(residuals, v, r, Equations::sizes, moved, there,
                  Jacobian(&system.at(0, 0, n, dense), n, dense));
    }
  }
};

/// The way that fits the equations.
template <class Equations>
struct NewtonFor {
  using Type = DenseNewton<Equations>;  ///< all at once
};
/// Of which the structure is known.
template <Torn Equations>
struct NewtonFor<Equations> {
  using Type = TornNewton<Equations>;  ///< by their structure
};

}  // namespace hild::numerics
