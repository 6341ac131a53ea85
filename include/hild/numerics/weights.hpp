// SPDX-License-Identifier: Apache-2.0
/// \file
/// The formulas of a method as a kernel evaluates them: without what is zero, in one fixed order.
/// Real-time safe.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "hild/numerics/coefficients.hpp"

namespace hild::numerics {

/// A derivative that a formula uses, of a pass of this step or of a step before.
struct Term {
  std::size_t index = 0;  ///< j of F_j, or, of a step before, k of F_{n-1-k}
  bool earlier = false;   ///< of a step before
  double weight = 0;      ///< to be multiplied by the length of the step
};

inline constexpr std::size_t max_terms = max_passes + max_history;  ///< of a formula

/// What is left of a formula without what is zero, in the order in which derivatives become known:
/// ..., F_{n-2}, F_{n-1}, F_0, F_1, ... The new state is x + h w_0 F + h w_1 F' + ..., summed in
/// this order: when the last derivative is known, a multiplication and an addition are left. Where
/// derivatives are cheap a step takes as long as its longest chain of operations.
struct Terms {
  std::array<Term, max_terms> term{};  ///< the first `count`
  std::size_t count = 0;               ///< how many there are
};

/// Those of formula i: 1 ... s-1 of the stages, s of the new state.
constexpr Terms terms_of(const Coefficients& c, std::size_t i) noexcept {
  Terms t;
  for (std::size_t k = max_history; k-- > 0;) {
    if (c.history[i][k] != 0) t.term[t.count++] = {k, true, c.history[i][k]};
  }
  for (std::size_t j = 0; j < max_passes; ++j) {
    if (c.pass[i][j] != 0) t.term[t.count++] = {j, false, c.pass[i][j]};
  }
  return t;
}

/// A method's weights on a grid.
struct Weights {
  Coefficients value;                         ///< all of them, zeros too
  std::array<Terms, max_passes + 1> formula;  ///< the same by terms, from formula 1 on

  /// Makes `formula` anew, after `value` has changed.
  void find_terms(const Method& m) noexcept {
    for (std::size_t i = 1; i <= static_cast<std::size_t>(m.passes); ++i) {
      formula[i] = terms_of(value, i);
    }
  }
};

/// The weights of a method whose steps all have one length.
inline Weights uniform_weights(const Method& m) noexcept {
  Weights w{uniform_coefficients(m), {}};
  w.find_terms(m);
  return w;
}

/// A formula of so many terms for all states; `weight` is times h.
template <std::size_t... K>
[[gnu::always_inline]] inline void form(std::size_t n,
                                        const std::array<double, sizeof...(K)>& weight,
                                        const std::array<const double*, sizeof...(K)>& f,
                                        const double* x, double* out) noexcept {
  for (std::size_t s = 0; s < n; ++s) {
    double sum = x[s];
    ((sum += weight[K] * f[K][s]), ...);
    out[s] = sum;
  }
}

/// A formula that is read at run time, of the same bits; f[k] is the derivative of its term k.
/// Formulas of few terms each have a loop of their own.
inline void form(std::size_t n, double h, const Terms& terms,
                 const std::array<const double*, max_terms>& f, const double* x,
                 double* out) noexcept {
  const auto few = [&]<std::size_t... K>(std::index_sequence<K...>) {
    form<K...>(n, {h * terms.term[K].weight...}, {f[K]...}, x, out);
  };
  switch (terms.count) {
    case 1:
      return few(std::make_index_sequence<1>{});
    case 2:
      return few(std::make_index_sequence<2>{});
    case 3:
      return few(std::make_index_sequence<3>{});
    case 4:
      return few(std::make_index_sequence<4>{});
    default:
      break;
  }
  std::array<double, max_terms> weight{};
  for (std::size_t k = 0; k < terms.count; ++k) weight[k] = h * terms.term[k].weight;
  for (std::size_t s = 0; s < n; ++s) {
    double sum = x[s];
    for (std::size_t k = 0; k < terms.count; ++k) sum += weight[k] * f[k][s];
    out[s] = sum;
  }
}

/// Formula I of a tableau that the compiler knows; `of(term)` is the derivative of a term.
template <class Tableau, std::size_t I, class Of>
[[gnu::always_inline]] inline void form(std::size_t n, double h, Of of, const double* x,
                                        double* out) noexcept {
  static constexpr Terms terms = terms_of(Tableau::uniform, I);
  [&]<std::size_t... K>(std::index_sequence<K...>) __attribute__((always_inline)) {
    form<K...>(n, {h * terms.term[K].weight...}, {of(terms.term[K])...}, x, out);
  }
  (std::make_index_sequence<terms.count>{});
}

/// The same for the few states S, which no loop keeps from registers.
template <class Tableau, std::size_t I, class Of, std::size_t... S>
[[gnu::always_inline]] inline void form(std::index_sequence<S...> /*states*/, double h, Of of,
                                        const double* x, double* out) noexcept {
  static constexpr Terms terms = terms_of(Tableau::uniform, I);
  const auto sum = [&]<std::size_t... K>(std::size_t s, std::index_sequence<K...>) {
    double y = x[s];
    ((y += h * terms.term[K].weight * of(terms.term[K])[s]), ...);
    return y;
  };
  ((out[S] = sum(S, std::make_index_sequence<terms.count>{})), ...);
}

}  // namespace hild::numerics
