// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole steps of a method and of a size that the compiler knows, on an even grid and with a full
/// history: straight code on local variables, of the bits of ExplicitStep. No variable is anybody
/// else's before the end, so that what it can the compiler keeps in registers. Real-time safe.
#pragma once

#include <array>
#include <utility>

#include "hild/core/time.hpp"
#include "hild/numerics/space.hpp"
#include "hild/numerics/tableau.hpp"
#include "hild/numerics/weights.hpp"

namespace hild::numerics {

/// `Tableau` is a Fixed of an explicit method, `Later` an array of vectors, of the derivatives F_1
/// ... of the last step. It refers to the memory of a kernel, for one call.
template <class Tableau, std::size_t N, class Later>
class UnrolledSteps {
  static constexpr auto history = static_cast<std::size_t>(Tableau::method().history);

 public:
  using Vector = typename Static<N>::Vector;  ///< memory of N values
  /// Of the derivatives at the starts of earlier steps, the newest first.
  using Earlier = std::array<Vector, history>;
  using View = typename Static<N>::View;      ///< how a state is handed to the model
  using Target = typename Static<N>::Target;  ///< where the model writes derivatives

  Vector& x;         ///< the state
  Vector& old;       ///< that before the last step
  Vector& first;     ///< F_0 of the last step
  Later& later;      ///< F_1 ... of the last step
  Earlier& earlier;  ///< those before the first step, and then those before the last

  /// `steps` > 0 of length h from t; returns the start of the last. derivatives(t, x, dx) takes the
  /// time in seconds.
  template <class Derivatives>
  SimTime take(SimTime t, Duration h, int steps, Derivatives& derivatives) noexcept {
    return take(t, h, steps, derivatives, std::make_index_sequence<passes>{});
  }

 private:
  static constexpr auto passes = static_cast<std::size_t>(Tableau::method().passes);
  static constexpr bool small = N <= 16;     // derivatives are of one step alone
  static constexpr bool unrolled = N <= 16;  // no loops over states

  template <class Derivatives, std::size_t... I>
  SimTime take(SimTime t, Duration h, int steps, Derivatives& derivatives,
               std::index_sequence<I...> /*passes*/) noexcept {
    const double length = seconds(h);
    // Where F_i belongs.
    const auto kept = [&](std::size_t i) -> Vector& { return i == 0 ? first : later[i - 1]; };
    Vector now = x;
    Earlier past = earlier;
    if constexpr (small) {
      // What nothing but the loop knows of may stay in registers; only the derivatives of the last
      // step must outlive it.
      for (int n = 1; n < steps; ++n, t += h) {
        std::array<Vector, passes> f;
        step<I...>(seconds(t), length, derivatives, now, past,
                   [&](std::size_t i) -> Vector& { return f[i]; });
        join(f[0], past);
      }
    } else {
      for (int n = 1; n < steps; ++n, t += h) {
        step<I...>(seconds(t), length, derivatives, now, past, kept);
        join(first, past);
      }
    }
    old = now;
    earlier = past;
    Vector last = now;
    step<I...>(seconds(t), length, derivatives, last, earlier, kept);
    x = last;
    return t;
  }

  // F_0 of a step is one of an earlier step from here on.
  [[gnu::always_inline]] static void join(const Vector& f, Earlier& past) noexcept {
    if constexpr (history > 0) {
      // Value by value: what is copied as a whole is kept in memory.
      for (std::size_t s = 0; s < N; ++s) {
        for (std::size_t k = past.size(); k-- > 1;) past[k][s] = past[k - 1][s];
        past[0][s] = f[s];
      }
    }
  }

  // A step from t; `past` are F_{n-1} ..., place(i) is where F_i belongs.
  template <std::size_t... I, class Derivatives, class Place>
  [[gnu::always_inline]] static void step(double t, double h, Derivatives& derivatives, Vector& now,
                                          const Earlier& past, Place place) noexcept {
    const Coefficients& c = Tableau::uniform;
    Vector stage;
    const auto formula = [&]<std::size_t At>(std::integral_constant<std::size_t, At> /*i*/,
                                             Vector& out) {
      const auto of = [&](const Term& term) {
        return term.earlier ? past[term.index].data() : place(term.index).data();
      };
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
