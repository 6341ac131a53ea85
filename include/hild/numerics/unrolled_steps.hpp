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

/// `Tableau` is a Fixed of an explicit method without history, `Later` an array of vectors, of the
/// derivatives F_1 ... of the last step. It refers to the memory of a kernel, for one call.
template <class Tableau, std::size_t N, class Later>
class UnrolledSteps {
 public:
  using Vector = typename Static<N>::Vector;  ///< memory of N values
  using View = typename Static<N>::View;      ///< how a state is handed to the model
  using Target = typename Static<N>::Target;  ///< where the model writes derivatives

  Vector& x;      ///< the state
  Vector& old;    ///< that before the last step
  Vector& first;  ///< F_0 of the last step
  Later& later;   ///< F_1 ... of the last step

  /// `steps` > 0 of length h from t; returns the start of the last. derivatives(t, x, dx) takes the
  /// time in seconds.
  template <class Derivatives>
  SimTime take(SimTime t, Duration h, int steps, Derivatives& derivatives) noexcept {
    return take(t, h, steps, derivatives, std::make_index_sequence<passes>{});
  }

 private:
  static constexpr auto passes = static_cast<std::size_t>(Tableau::method().passes);
  static constexpr bool few = N <= 4;        // to stay in registers
  static constexpr bool unrolled = N <= 16;  // no loops over states

  template <class Derivatives, std::size_t... I>
  SimTime take(SimTime t, Duration h, int steps, Derivatives& derivatives,
               std::index_sequence<I...> /*passes*/) noexcept {
    const double length = seconds(h);
    Vector now = x;
    if constexpr (few) {
      // Few derivatives may stay in registers, and only those of the last step must outlive it.
      std::array<Vector, passes> f;
      const auto place = [&](std::size_t i) -> Vector& { return f[i]; };
      for (int n = 1; n < steps; ++n, t += h) {
        step<I...>(seconds(t), length, derivatives, now, place);
      }
      old = now;
      step<I...>(seconds(t), length, derivatives, now, place);
      first = f[0];
      for (std::size_t i = 1; i < passes; ++i) later[i - 1] = f[i];
    } else {
      // Many are written where they belong.
      const auto place = [&](std::size_t i) -> Vector& { return i == 0 ? first : later[i - 1]; };
      for (int n = 1;; ++n, t += h) {
        if (n == steps) old = now;
        step<I...>(seconds(t), length, derivatives, now, place);
        if (n == steps) break;
      }
    }
    x = now;
    return t;
  }

  // A step from t; place(i) is where F_i belongs.
  template <std::size_t... I, class Derivatives, class Place>
  [[gnu::always_inline]] static void step(double t, double h, Derivatives& derivatives, Vector& now,
                                          Place place) noexcept {
    const Coefficients& c = Tableau::uniform;
    Vector stage;
    const auto formula = [&]<std::size_t At>(std::integral_constant<std::size_t, At> /*i*/,
                                             Vector& out) {
      const auto of = [&](const Term& term) { return place(term.index).data(); };
      if constexpr (unrolled) {
        form<Tableau, At>(std::make_index_sequence<N>{}, h, of, now.data(), out.data());
      } else {
        form<Tableau, At>(N, h, of, now.data(), out.data());
      }
    };
    const auto pass = [&]<std::size_t At>(std::integral_constant<std::size_t, At> i) {
      const double at = t + c.node[At] * h;
      if constexpr (At == 0) {
        derivatives(at, View(now), Target(place(0)));
      } else {
        formula(i, stage);
        derivatives(at, View(stage), Target(place(At)));
      }
    };
    (pass(std::integral_constant<std::size_t, I>{}), ...);
    formula(std::integral_constant<std::size_t, passes>{}, now);
  }
};

}  // namespace hild::numerics
