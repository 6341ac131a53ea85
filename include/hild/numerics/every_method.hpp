// SPDX-License-Identifier: Apache-2.0
/// \file
/// The list of the methods, for the compiler: the catalogue is this list, and what is compiled for
/// each of them runs through it.
#pragma once

#include <array>
#include <utility>

#include "hild/numerics/methods.hpp"

namespace hild::numerics {

/// In the order of the papers.
inline constexpr std::array every_method{&forward_euler,
                                         &ab2,
                                         &ab3,
                                         &ab4,
                                         &am2,
                                         &am3,
                                         &am4,
                                         &rtam2,
                                         &rtam3,
                                         &rtam4,
                                         &p2pc3c3,
                                         &p3pc3c3,
                                         &heun,
                                         &rtrk2,
                                         &rtrk3,
                                         &rtrk4,
                                         &rk4,
                                         &ode45,
                                         &libe,
                                         &backward_euler_1,
                                         &backward_euler_2,
                                         &backward_euler,
                                         &backward_euler_5,
                                         &linear_radau_iia,
                                         &radau_iia};

/// Calls `f.template operator()<M>()` for each method M.
template <class F>
constexpr void with_every_method(F f) {
  [&]<std::size_t... I>(std::index_sequence<I...> /*places*/) {
    (f.template operator()<*every_method[I]>(), ...);
  }
  (std::make_index_sequence<every_method.size()>{});
}

}  // namespace hild::numerics
