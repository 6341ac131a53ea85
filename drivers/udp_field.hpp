// SPDX-License-Identifier: Apache-2.0
/// \file
/// A number within a packet: its place, its type, and what it stands for: factor x number + add.
/// Real-time safe.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "hild/io/options.hpp"

namespace hild::udp {

enum class Type : std::uint8_t { u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, boolean, bit };

/// As they are written in a configuration; a bit has a key of its own.
inline constexpr std::array<std::string_view, 12> type_words{
    "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "bool", "bit"};
[[nodiscard]] constexpr std::string_view to_string(Type type) noexcept {
  return type_words[static_cast<std::size_t>(type)];
}
/// Bytes that it takes, or lies in.
[[nodiscard]] constexpr std::size_t size_of(Type type) noexcept {
  constexpr std::array<std::size_t, 12> sizes{1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1, 1};
  return sizes[static_cast<std::size_t>(type)];
}

struct Field {
  std::size_t at = 0;  ///< its first byte
  Type type = Type::f64;
  unsigned bit = 0;  ///< of a bit: 0 is the lowest of its byte
  bool big = false;  ///< the most significant byte comes first
  double factor = 1;
  double add = 0;
  io::Interval range{};  ///< of an input: what is beyond is cut to it

  [[nodiscard]] bool digital() const noexcept { return type == Type::boolean || type == Type::bit; }
};

namespace detail {

template <class T>
struct Unsigned;
template <>
struct Unsigned<double> {
  using type = std::uint64_t;
};
template <>
struct Unsigned<float> {
  using type = std::uint32_t;
};
template <class T>
requires std::is_integral_v<T>
struct Unsigned<T> {
  using type = std::make_unsigned_t<T>;
};

inline std::uint8_t swapped(std::uint8_t v) noexcept { return v; }
inline std::uint16_t swapped(std::uint16_t v) noexcept { return __builtin_bswap16(v); }
inline std::uint32_t swapped(std::uint32_t v) noexcept { return __builtin_bswap32(v); }
inline std::uint64_t swapped(std::uint64_t v) noexcept { return __builtin_bswap64(v); }

constexpr bool native_is_big = std::endian::native == std::endian::big;

template <class T>
[[nodiscard]] T load(const std::byte* from, bool big) noexcept {
  typename Unsigned<T>::type bits{};
  std::memcpy(&bits, from, sizeof bits);
  return std::bit_cast<T>(big == native_is_big ? bits : swapped(bits));
}
template <class T>
void store(T value, std::byte* to, bool big) noexcept {
  auto bits = std::bit_cast<typename Unsigned<T>::type>(value);
  if (big != native_is_big) bits = swapped(bits);
  std::memcpy(to, &bits, sizeof bits);
}

/// The doubles that a whole number can be: of 64 bits, the last below its greatest.
template <class T>
[[nodiscard]] constexpr io::Interval carried_by() noexcept {
  using Limits = std::numeric_limits<T>;
  constexpr int extra = Limits::digits - std::numeric_limits<double>::digits;
  if constexpr (extra > 0) {
    constexpr T cut = (Limits::max() >> extra) << extra;
    return {static_cast<double>(Limits::min()), static_cast<double>(cut)};
  } else {
    return {static_cast<double>(Limits::lowest()), static_cast<double>(Limits::max())};
  }
}

/// The nearest that it can be; the least for what is no number.
template <class T>
void store_nearest(double value, std::byte* to, bool big) noexcept {
  constexpr io::Interval all = carried_by<T>();
  double within = value > all.low ? value : all.low;
  if (within > all.high) within = all.high;
  if constexpr (std::is_integral_v<T>) within = std::nearbyint(within);
  store(static_cast<T>(within), to, big);
}

/// Calls `with` with a number of the C++ type that `type` is, which is no digital one.
template <class With>
auto as_type(Type type, With with) noexcept {
  switch (type) {
    case Type::u8:
      return with(std::uint8_t{});
    case Type::i8:
      return with(std::int8_t{});
    case Type::u16:
      return with(std::uint16_t{});
    case Type::i16:
      return with(std::int16_t{});
    case Type::u32:
      return with(std::uint32_t{});
    case Type::i32:
      return with(std::int32_t{});
    case Type::u64:
      return with(std::uint64_t{});
    case Type::i64:
      return with(std::int64_t{});
    case Type::f32:
      return with(float{});
    default:
      return with(double{});
  }
}

}  // namespace detail

/// What numbers of the type can be: the finite ones.
[[nodiscard]] inline io::Interval carried_by(Type type) noexcept {
  if (type == Type::boolean || type == Type::bit) return {0, 1};
  return detail::as_type(type, [](auto kind) { return detail::carried_by<decltype(kind)>(); });
}
[[nodiscard]] constexpr bool is_whole(Type type) noexcept { return type <= Type::i64; }

/// What the field stands for in a packet that it lies within.
[[nodiscard]] inline double read(const Field& field, const std::byte* packet) noexcept {
  const std::byte* const from = packet + field.at;
  if (field.type == Type::boolean) return *from != std::byte{0} ? 1 : 0;
  if (field.type == Type::bit)
    return static_cast<double>((std::to_integer<unsigned>(*from) >> field.bit) & 1U);
  const double number = detail::as_type(field.type, [&](auto kind) {
    return static_cast<double>(detail::load<decltype(kind)>(from, field.big));
  });
  return field.factor * number + field.add;
}

/// Puts a value into a packet that the field lies within: the nearest number that it can be, the
/// even one of two that are as near.
inline void write(const Field& field, double value, std::byte* packet) noexcept {
  std::byte* const to = packet + field.at;
  if (field.digital()) {
    const bool high = value >= 0.5;
    const auto mask = field.type == Type::bit ? std::byte{1} << field.bit : std::byte{0xff};
    const auto set = field.type == Type::bit ? mask : std::byte{1};
    *to = (*to & ~mask) | (high ? set : std::byte{0});
    return;
  }
  const double number = (value - field.add) / field.factor;
  detail::as_type(field.type,
                  [&](auto kind) { detail::store_nearest<decltype(kind)>(number, to, field.big); });
}

/// The number itself, of a type without sign, as it stands there; 0 of another type.
[[nodiscard]] inline std::uint64_t read_number(const Field& field,
                                               const std::byte* packet) noexcept {
  return detail::as_type(field.type, [&](auto kind) -> std::uint64_t {
    using T = decltype(kind);
    if constexpr (std::is_unsigned_v<T>) return detail::load<T>(packet + field.at, field.big);
    return 0;
  });
}
/// Its lowest bits, as many as the type has.
inline void write_number(const Field& field, std::uint64_t number, std::byte* packet) noexcept {
  detail::as_type(field.type, [&](auto kind) {
    using T = decltype(kind);
    if constexpr (std::is_unsigned_v<T>) {
      detail::store(static_cast<T>(number), packet + field.at, field.big);
    }
  });
}

}  // namespace hild::udp
