// SPDX-License-Identifier: Apache-2.0
/// \file
/// The vocabulary in which a kind of change describes the fields it consists of (changes.hpp).
/// Every change has
///
///     template <class V, class C> static void fields(V& v, C& c);
///
/// which shows each of its members to a visitor, with what everybody needs to know of it: its name,
/// what it is for, its unit and limits. Requests, files, command lines, records and checks are such
/// visitors, and nothing else knows the fields of a change. A visitor has:
///
///     v.target(Field, Target, index)             the name of a parameter, signal, fault or alarm
///     v.signal(Field, side, index)               an input or an output
///     v.setting(Field, Target, index, value)     values by name: a change for each
///     v.choice(Field, enumeration, words, otherwise)
///     v.number(Field, value, Quantity)
///     v.scaled(Field, amplitude, Field, table)   points of a function, and their factor
///     v.whole(Field, number, Whole)
///     v.flag(Field, value)                       false unless it is given
///     v.time(Field, duration, required)          more than 0 where it is given
///     v.frames(Field, number)                    how long it lasts; 0: until it is ended
///     v.has(condition)                           whether the fields that follow apply
///     v.template part<Other>()                   changes of another kind that go before it
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace hild::exec {

/// The kinds of things a change addresses, each numbered as in the description of the plant, and
/// the faults of devices as the sampler numbers them, and alarms as they are configured.
enum class Target : std::uint8_t { parameter, input, output, device_fault, alarm };
inline constexpr std::array<std::string_view, 5> target_words{"parameter", "input", "output",
                                                              "device_fault", "alarm"};
[[nodiscard]] constexpr std::string_view to_string(Target t) noexcept {
  return target_words[static_cast<std::size_t>(t)];
}

enum class Side : std::uint8_t { input, output };

/// The names of a field and the text that explains it.
struct Field {
  std::string_view name;
  std::string_view help;
  std::string_view param{};  ///< its name in JSON where it differs: "over_s"
  std::string_view key{};    ///< its name in a file where it differs: "for"
  bool argument = false;     ///< is a positional argument on a command line, not an option

  [[nodiscard]] constexpr std::string_view in_json() const noexcept {
    return param.empty() ? name : param;
  }
  [[nodiscard]] constexpr std::string_view in_files() const noexcept {
    return key.empty() ? name : key;
  }
};

/// One alternative of a choice. Its number is its place in the list.
struct Word {
  std::string_view name;
  std::string_view help;
  std::string_view shown{};  ///< how it reads before a value, where not the name: "stuck at"
};

/// The first frame without what was begun at `frame` and lasts so many; `for_good` where it has no
/// end.
inline constexpr std::int64_t for_good = INT64_MAX;
[[nodiscard]] constexpr std::int64_t end_of(std::int64_t frame, std::int64_t frames) noexcept {
  return frames == 0 || frames > for_good - frame ? for_good : frame + frames;
}

/// The unit and the limits of a number.
struct Quantity {
  std::string_view unit{};  ///< "": that of the signal or parameter that is changed
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::optional<double> otherwise{};  ///< the default; none: the number is required
};

/// The limits of a whole number.
struct Whole {
  std::int64_t low = 0;
  std::int64_t high = INT64_MAX;
  std::int64_t otherwise = 0;  ///< the default
  /// It numbers a thing: a number beyond the limits means "no such thing", not "too much".
  bool place = false;
};

}  // namespace hild::exec
