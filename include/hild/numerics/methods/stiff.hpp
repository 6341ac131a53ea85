// SPDX-License-Identifier: Apache-2.0
/// \file
/// The methods for stiff models: implicit, with an amount of work that is fixed beforehand, as a
/// real-time run needs it (Cellier, Linearly Implicit Methods). All are L-stable as long as the
/// Jacobian is right. All but libe need inputs at the end of the step.
#pragma once

#include "hild/numerics/method.hpp"
#include "hild/numerics/stiff_conditions.hpp"

namespace hild::numerics {

/// One solve of (I - h J) d = h f(x_n, t_n): with J = 0 this is forward Euler to the bit.
inline constexpr Method libe{.name = "libe",
                             .aliases = {"linearly-implicit-backward-euler"},
                             .source = "Cellier, Linearly Implicit Methods III",
                             .family = Family::linearly_implicit,
                             .order = 1,
                             .passes = 1,
                             .formulas = {{{.at = 0, .pass = {1}}, {.at = 1, .pass = {1}}}}};

namespace detail {

constexpr Method backward_euler_with(int iterations, std::string_view name,
                                     std::array<std::string_view, 3> aliases) noexcept {
  return {.name = name,
          .aliases = aliases,
          .source = "Cellier, Linearly Implicit Methods II, by Newton iterations from x_n",
          .family = Family::newton,
          .order = 1,
          .passes = 1,
          .iterations = iterations,
          .formulas = {{{.at = 1, .pass = {1}}, {.at = 1, .pass = {1}}}}};
}

constexpr Method radau_iia_with(Family family, int order, int iterations, std::string_view name,
                                std::array<std::string_view, 3> aliases) noexcept {
  using R = Rational;
  return {.name = name,
          .aliases = aliases,
          .source = "Hairer and Wanner, Solving ODEs II, table IV.5.5",
          .family = family,
          .order = order,
          .passes = 2,
          .iterations = iterations,
          .formulas = {{{.at = R(1, 3), .pass = {R(5, 12), R(-1, 12)}},
                        {.at = 1, .pass = {R(3, 4), R(1, 4)}},
                        {.at = 1, .pass = {R(3, 4), R(1, 4)}}}}};
}

}  // namespace detail

/// Three iterations are what Cellier expects convergence from (Inline Integration V).
inline constexpr Method backward_euler =
    detail::backward_euler_with(3, "backward-euler", {"be", "be-3", "backward-euler-3"});
/// Backward Euler with one, two or five iterations of Newton's method: order 1.
///@{
inline constexpr Method backward_euler_1 =
    detail::backward_euler_with(1, "backward-euler-1", {"be-1"});
inline constexpr Method backward_euler_2 =
    detail::backward_euler_with(2, "backward-euler-2", {"be-2"});
inline constexpr Method backward_euler_5 =
    detail::backward_euler_with(5, "backward-euler-5", {"be-5"});
///@}

/// Two stages, at 1/3 and 1 of the step, two iterations of Newton's method: order 3.
inline constexpr Method radau_iia =
    detail::radau_iia_with(Family::newton, 3, 2, "radau-iia", {"radau-iia-3", "radau"});
/// One linear system instead of the iterations, at the cost of an order.
inline constexpr Method linear_radau_iia = detail::radau_iia_with(
    Family::linearly_implicit, 2, 1, "linear-radau-iia", {"linearly-implicit-radau-iia"});

}  // namespace hild::numerics
