// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts the values of a group between their own type and the doubles that hild uses. Real-time
/// safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "foreign/fmi/instance.hpp"

namespace hild::fmi {

/// The buffer of a group as values of T. All types take at most the 8 bytes of an element.
template <class T>
[[nodiscard]] T* raw_as(Group& g) noexcept {
  static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
  return reinterpret_cast<T*>(g.raw.data());  // NOLINT: room for any of them
}

/// The nearest value of T; the bounds of T beyond its range, 0 for NaN.
template <class T>
[[nodiscard]] T nearest(double value) noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return value >= 0.5;
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    constexpr auto low = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto high = static_cast<double>(std::numeric_limits<T>::max());
    const double whole = std::nearbyint(value);
    if (std::isnan(whole)) return 0;
    if (whole <= low) return std::numeric_limits<T>::min();
    if (whole >= high) return std::numeric_limits<T>::max();
    return static_cast<T>(whole);
  }
}

template <class T>
void to_raw(Group& g) noexcept {
  T* const raw = raw_as<T>(g);
  for (std::size_t i = 0; i < g.values.size(); ++i) raw[i] = nearest<T>(g.values[i]);
}

template <class T>
void from_raw(Group& g) noexcept {
  const T* const raw = raw_as<T>(g);
  for (std::size_t i = 0; i < g.values.size(); ++i) g.values[i] = static_cast<double>(raw[i]);
}

}  // namespace hild::fmi
