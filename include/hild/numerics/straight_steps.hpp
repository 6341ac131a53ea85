// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole steps of a method without history and of a size that the compiler knows: straight code on
/// local variables, of the bits of ExplicitStep. No variable is anybody else's before the end, so
/// that what it can the compiler keeps in registers. Real-time safe.
#pragma once

#include <utility>

#include "hild/core/time.hpp"
#include "hild/numerics/space.hpp"
#include "hild/numerics/tableau.hpp"
#include "hild/numerics/weights.hpp"

namespace hild::numerics {

/// `Later` is an array of vectors, of the derivatives F_1 ... of the last step.
template <class Tableau, std::size_t N, class Later>
class StraightSteps {
 public:
  using Vector = typename Static<N>::Vector;
  using View = typename Static<N>::View;
  using Target = typename Static<N>::Target;

  Vector& x;      ///< the state
  Vector& old;    ///< that before the last step
  Vector& first;  ///< F_0 of the last step
  Later& later;

  /// `steps` > 0 of length h from t; returns the start of the last.
  template <class Derivatives>
  SimTime take(SimTime t, Duration h, int steps, Derivatives& derivatives) noexcept {
    return take(t, h, steps, derivatives, std::make_index_sequence<passes>{});
  }

 private:
  static constexpr auto passes = static_cast<std::size_t>(Tableau::method().passes);

  template <class Derivatives, std::size_t... I>
  SimTime take(SimTime t, Duration h, int steps, Derivatives& derivatives,
               std::index_sequence<I...> /*passes*/) noexcept {
    const double length = seconds(h);
    const Coefficients& c = Tableau::uniform;
    Vector now = x;
    Vector before;
    Vector stage;
    // Few derivatives may stay in registers; many are written where they belong.
    constexpr bool few = N <= 4;
    std::array<Vector, few ? passes : 0> local;
    const auto f = [&](std::size_t i) -> Vector& {
      if constexpr (few) return local[i];
      return i == 0 ? first : later[i - 1];
    };
    const auto formula = [&]<std::size_t At>(std::integral_constant<std::size_t, At> /*i*/,
                                             Vector& out) {
      form<Tableau, At>(
          N, length, [&](const Term& term) { return f(term.index).data(); }, now.data(),
          out.data());
    };
    const auto pass = [&]<std::size_t At>(std::integral_constant<std::size_t, At> i) {
      const double at = seconds(t) + c.node[At] * length;
      if constexpr (At == 0) {
        derivatives(at, View(now), Target(f(0)));
      } else {
        formula(i, stage);
        derivatives(at, View(stage), Target(f(At)));
      }
    };
    for (int n = 0; n < steps; ++n, t += h) {
      (pass(std::integral_constant<std::size_t, I>{}), ...);
      if (n + 1 == steps) before = now;
      formula(std::integral_constant<std::size_t, passes>{}, now);
    }
    x = now;
    old = before;
    if constexpr (few) {
      first = local[0];
      for (std::size_t i = 1; i < passes; ++i) later[i - 1] = local[i];
    }
    return t + -h;
  }
};

}  // namespace hild::numerics
