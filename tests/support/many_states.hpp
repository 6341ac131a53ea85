// SPDX-License-Identifier: Apache-2.0
/// \file
/// As many states as one likes, of names of their own: x00000, x00001 ...
#pragma once

#include <array>

#include "hild/model/description.hpp"

namespace hild::test {

template <std::size_t N>
inline constexpr auto many_names = [] {
  std::array<std::array<char, 6>, N> all{};
  for (std::size_t i = 0; i < N; ++i) {
    std::size_t rest = i;
    for (std::size_t d = 6; d-- > 1; rest /= 10) all[i][d] = static_cast<char>('0' + rest % 10);
    all[i][0] = 'x';
  }
  return all;
}();

/// All start at 1.
template <std::size_t N>
inline constexpr auto many_states = [] {
  std::array<model::State, N> all{};
  for (std::size_t i = 0; i < N; ++i) {
    all[i] = {.name = std::string_view(many_names<N>[i].data(), 6), .start = 1.0};
  }
  return all;
}();

}  // namespace hild::test
