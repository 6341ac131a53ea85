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
  double ratio = 1;       ///< its weight, as a multiple of that of the first term
};

inline constexpr std::size_t max_terms = max_passes + max_history;  ///< of a formula

/// What is left of a formula without what is zero, in the order in which derivatives become known:
/// ..., F_{n-2}, F_{n-1}, F_0, F_1, ... The new state is x + (h w) (F + r F' + r' F'' + ...),
/// summed in this order: as a person would write it, with a multiplication less a state where
/// weights are alike, and one that depends on h.
struct Terms {
  std::array<Term, max_terms> term{};  ///< the first `count`
  std::size_t count = 0;               ///< how many there are
  double weight = 0;                   ///< of the first, to be multiplied by the length of the step

  /// One more, of that weight.
  constexpr void add(std::size_t index, bool earlier, double w) noexcept {
    if (w == 0) return;
    if (count == 0) weight = w;
    term[count++] = {index, earlier, w / weight};
  }
};

/// Those of formula i: 1 ... s-1 of the stages, s of the new state.
constexpr Terms terms_of(const Coefficients& c, std::size_t i) noexcept {
  Terms t;
  for (std::size_t k = max_history; k-- > 0;) t.add(k, true, c.history[i][k]);
  for (std::size_t j = 0; j < max_passes; ++j) t.add(j, false, c.pass[i][j]);
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

namespace detail {

/// F + r F' + ... of state s; ratio[0] is 1, and not looked at.
template <std::size_t... K>
[[gnu::always_inline]] inline double sum_of(std::size_t s, const auto& ratio, const auto& f,
                                            std::index_sequence<0, K...> /*terms*/) noexcept {
  double sum = f[0][s];
  ((sum += ratio[K] * f[K][s]), ...);
  return sum;
}

}  // namespace detail

/// A formula that is read at run time; `of(term)` is the derivative of a term. Formulas of few
/// terms each have a loop of their own.
template <class Of>
inline void form(std::size_t n, double h, const Terms& terms, Of of, const double* x,
                 double* out) noexcept {
  const double weight = h * terms.weight;
  const auto few = [&]<std::size_t... K>(std::index_sequence<K...> all) {
    const std::array<const double*, sizeof...(K)> f{of(terms.term[K])...};
    const std::array<double, sizeof...(K)> ratio{terms.term[K].ratio...};
    for (std::size_t s = 0; s < n; ++s) out[s] = x[s] + weight * detail::sum_of(s, ratio, f, all);
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
  std::array<const double*, max_terms> f{};
  for (std::size_t k = 0; k < terms.count; ++k) f[k] = of(terms.term[k]);
  for (std::size_t s = 0; s < n; ++s) {
    double sum = f[0][s];
    for (std::size_t k = 1; k < terms.count; ++k) sum += terms.term[k].ratio * f[k][s];
    out[s] = x[s] + weight * sum;
  }
}

/// Formula I of a tableau that the compiler knows, of the same bits; `of(term)` is the derivative
/// of a term.
template <class Tableau, std::size_t I, class Of>
[[gnu::always_inline]] inline void form(std::size_t n, double h, Of of, const double* x,
                                        double* out) noexcept {
  static constexpr Terms terms = terms_of(Tableau::uniform, I);
  const double weight = h * terms.weight;
  [&]<std::size_t... K>(std::index_sequence<K...> all) __attribute__((always_inline)) {
    const std::array<const double*, sizeof...(K)> f{of(terms.term[K])...};
    constexpr std::array<double, sizeof...(K)> ratio{terms.term[K].ratio...};
    for (std::size_t s = 0; s < n; ++s) out[s] = x[s] + weight * detail::sum_of(s, ratio, f, all);
  }
  (std::make_index_sequence<terms.count>{});
}

/// The same for the few states S, which no loop keeps from registers.
template <class Tableau, std::size_t I, class Of, std::size_t... S>
[[gnu::always_inline]] inline void form(std::index_sequence<S...> /*states*/, double h, Of of,
                                        const double* x, double* out) noexcept {
  static constexpr Terms terms = terms_of(Tableau::uniform, I);
  const double weight = h * terms.weight;
  [&]<std::size_t... K>(std::index_sequence<K...> all) __attribute__((always_inline)) {
    const std::array<const double*, sizeof...(K)> f{of(terms.term[K])...};
    constexpr std::array<double, sizeof...(K)> ratio{terms.term[K].ratio...};
    ((out[S] = x[S] + weight * detail::sum_of(S, ratio, f, all)), ...);
  }
  (std::make_index_sequence<terms.count>{});
}

}  // namespace hild::numerics
