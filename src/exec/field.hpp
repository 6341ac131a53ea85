// SPDX-License-Identifier: Apache-2.0
/// \file
/// The words in which a kind of change tells what it consists of (changes.hpp). Every change has
///
///     template <class V, class C> static void fields(V& v, C& c);
///
/// which shows each of its members to a visitor, with what everybody needs to know of it: its name,
/// what it is for, its unit and limits. Requests, files, command lines, records and checks are such
/// visitors, and nothing else knows the fields of a change. A visitor has:
///
///     v.target(Field, Target, index)             one of the plant's names
///     v.signal(Field, side, index)               an input or an output
///     v.setting(Field, Target, index, value)     values by name: a change for each
///     v.choice(Field, enumeration, words, otherwise)
///     v.number(Field, value, Quantity)
///     v.scaled(Field, amplitude, Field, table)   points of a function, and what they are
///     multiplied by v.whole(Field, number, Whole) v.flag(Field, value)                       false
///     unless it is given v.time(Field, duration, required)          more than 0 where it is given
///     v.frames(Field, number)                    how long it lasts; 0: until it is ended
///     v.has(condition)                           whether the fields that follow belong to it
///     v.template part<Other>()                   changes of another kind that go before it
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace hild::exec {

/// What a change aims at: numbered as in the description of the plant.
enum class Target : std::uint8_t { parameter, input, output };

enum class Side : std::uint8_t { input, output };

struct Field {
  std::string_view name;
  std::string_view help;
  std::string_view param{};  ///< its name in JSON, where that is another: "over_s"
  std::string_view key{};    ///< its name in a file, where that is another: "for"
  bool argument = false;     ///< has a place on a command line, no option

  [[nodiscard]] constexpr std::string_view in_json() const noexcept {
    return param.empty() ? name : param;
  }
  [[nodiscard]] constexpr std::string_view in_files() const noexcept {
    return key.empty() ? name : key;
  }
};

/// What a choice may be; numbered as they stand.
struct Word {
  std::string_view name;
  std::string_view help;
  std::string_view shown{};  ///< before a value, where that is no more than the name: "stuck at"
};

struct Quantity {
  std::string_view unit{};  ///< "": that of what is changed
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::optional<double> otherwise{};  ///< where it is not given; none: it must be
};

struct Whole {
  std::int64_t low = 0;
  std::int64_t high = INT64_MAX;
  std::int64_t otherwise = 0;  ///< where it is not given
  bool place = false;          ///< there is nothing beyond: no such thing, rather than too much
};

}  // namespace hild::exec
