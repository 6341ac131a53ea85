// SPDX-License-Identifier: Apache-2.0
/// \file
/// Saves and loads what a model keeps in members, without the model's doing: of a struct of
/// numbers, flags, scoped enumerations, times, std::arrays of these and structs of these the
/// members can be found. Another one brings a function of its own:
///
///     void transfer(Archive& archive) noexcept { archive(last_, direction_); }
///
/// So does one that uses a number as an index, to check what is loaded. Real-time safe.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "hild/core/archive.hpp"

namespace hild::model {

namespace detail {

// Stands for a value of any type but the bases of M, where no value is needed.
template <class M>
struct Anything {
  // NOLINTBEGIN(google-explicit-constructor): it is to be converted in braces
  template <class T>
  requires(!std::is_base_of_v<T, M>) constexpr operator T() const noexcept;
  // NOLINTEND(google-explicit-constructor)
};

template <class M, std::size_t... I>
constexpr bool takes_each(std::index_sequence<I...> /*n*/) noexcept {
  return requires { M{{(void(I), Anything<M>{})}...}; };
}
template <class M, std::size_t... I>
constexpr bool takes_all(std::index_sequence<I...> /*n*/) noexcept {
  return requires { M{(void(I), Anything<M>{})...}; };
}

inline constexpr std::size_t most_members = 12;

/// How many members M has; 0: it cannot be told, or there are too many.
template <class M>
constexpr std::size_t members_of() noexcept {
  if constexpr (std::is_aggregate_v<M> && std::is_trivially_copyable_v<M>) {
    std::size_t least = 0;  // a pair of braces begins another member, but may not fit
    std::size_t most = 0;   // without them an array takes several
    const auto look = [&]<std::size_t... N>(std::index_sequence<N...> /*n*/) {
      ((least = takes_each<M>(std::make_index_sequence<N>{}) ? N : least), ...);
      ((most = takes_all<M>(std::make_index_sequence<N>{}) ? N : most), ...);
    };
    look(std::make_index_sequence<most_members + 2>{});
    return least == most && most <= most_members ? most : 0;
  } else {
    return 0;
  }
}

// References to its members.
template <class M>
constexpr auto tie_members(M& m) noexcept {
  constexpr std::size_t n = members_of<std::remove_const_t<M>>();
  if constexpr (n == 1) {
    auto& [a] = m;
    return std::tie(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = m;
    return std::tie(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = m;
    return std::tie(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = m;
    return std::tie(a, b, c, d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = m;
    return std::tie(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, f] = m;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, f, g] = m;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, f, g, h] = m;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (n == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = m;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (n == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = m;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (n == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = m;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (n == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = m;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else {
    return std::tuple<>{};
  }
}

template <class T>
concept OwnTransfer = requires(T& t, Archive& a) {
  t.transfer(a);
};

template <class T>
constexpr bool can_be_told() noexcept;

template <class... T>
constexpr bool all_can_be_told(std::type_identity<std::tuple<T&...>> /*types*/) noexcept {
  return sizeof...(T) > 0 && (can_be_told<T>() && ...);
}

template <class T, std::size_t N>
constexpr bool element_can_be_told(std::type_identity<std::array<T, N>> /*array*/) noexcept {
  return can_be_told<T>();
}

// A scoped enumeration has a type of which every number is a value of it.
template <class T>
constexpr bool can_be_told() noexcept {
  if constexpr (OwnTransfer<T> || std::is_arithmetic_v<T>) {
    return true;
  } else if constexpr (std::is_enum_v<T>) {
    return !std::is_convertible_v<T, int>;
  } else if constexpr (requires { element_can_be_told(std::type_identity<T>{}); }) {
    return element_can_be_told(std::type_identity<T>{});
  } else if constexpr (std::is_class_v<T>) {
    return all_can_be_told(std::type_identity<decltype(tie_members(std::declval<T&>()))>{});
  } else {
    return false;
  }
}

template <class T>
void transfer_told(Archive& archive, T& value) noexcept {
  if constexpr (OwnTransfer<T> || std::is_arithmetic_v<T> || std::is_same_v<T, SimTime> ||
                std::is_same_v<T, Duration>) {
    archive(value);
  } else if constexpr (std::is_enum_v<T>) {
    auto n = static_cast<std::underlying_type_t<T>>(value);
    archive(n);
    value = static_cast<T>(n);
  } else if constexpr (requires { element_can_be_told(std::type_identity<T>{}); }) {
    for (auto& each : value) transfer_told(archive, each);
  } else {
    std::apply([&](auto&... each) { (transfer_told(archive, each), ...); }, tie_members(value));
  }
}

}  // namespace detail

/// What model `m` keeps, which is mostly nothing.
template <class M>
void transfer_kept(Archive& archive, M& m) noexcept {
  if constexpr (detail::OwnTransfer<M>) {
    m.transfer(archive);
  } else if constexpr (std::is_empty_v<M>) {
    // nothing
  } else if constexpr (detail::can_be_told<M>()) {
    detail::transfer_told(archive, m);
  } else {
    archive.refuse("the model has members that it alone can tell, and no transfer()");
  }
}

}  // namespace hild::model
