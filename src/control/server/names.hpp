// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds the signals and parameters of a run, the faults of its devices, and its alarms by name.
/// Where several kinds have the same name, a prefix such as "input:NAME" distinguishes them; a
/// prefix is always allowed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "hild/io/device_fault.hpp"
#include "hild/model/description.hpp"

namespace hild::server {

/// The first five are those of exec::Target.
enum class Kind : std::uint8_t { parameter, input, output, device_fault, alarm, state };
inline constexpr std::size_t kinds = 6;
[[nodiscard]] std::string_view to_string(Kind k) noexcept;

/// What a name refers to: the n-th of its kind in the description.
struct Place {
  Kind kind = Kind::input;
  std::size_t index = 0;
  bool operator==(const Place&) const = default;
};

class Names {
 public:
  /// All of them outlive this.
  explicit Names(const model::Description& description,
                 std::span<const io::DeviceFault> faults = {},
                 std::span<const config::Alarm> alarms = {});

  /// Finds the name among some kinds. Throws Refused, its message beginning with `called`, when
  /// there is none (near names are offered) or more than one.
  [[nodiscard]] Place find(std::string_view name, std::span<const Kind> among,
                           std::string_view called) const;

  [[nodiscard]] std::string_view name(Place p) const { return entry(p).name; }
  [[nodiscard]] std::string_view unit(Place p) const { return entry(p).unit; }
  /// The name, with its prefix where that is needed to tell it from others.
  [[nodiscard]] std::string shortest(Place p) const;
  [[nodiscard]] std::size_t size(Kind k) const { return of(k).size(); }
  /// All of a kind, in the order of the description.
  [[nodiscard]] std::vector<Place> all(Kind k) const;

 private:
  struct Named {
    std::string_view name;
    std::string_view unit;
  };
  [[nodiscard]] const std::vector<Named>& of(Kind k) const {
    return entries_[static_cast<std::size_t>(k)];
  }
  [[nodiscard]] const Named& entry(Place p) const { return of(p.kind)[p.index]; }
  [[nodiscard]] std::vector<Place> matches(std::string_view name,
                                           std::span<const Kind> among) const;
  [[nodiscard]] std::string suggestions(std::string_view name, std::span<const Kind> among) const;

  std::vector<Named> entries_[kinds];
};

/// Where a sample of all signals has the value of this one; alarms follow behind the signals.
/// Precondition: it is a signal or an alarm.
[[nodiscard]] inline std::size_t sample_column(const Names& names, Place p) {
  std::size_t column = p.index;
  for (const Kind before : {Kind::input, Kind::output, Kind::state}) {
    if (before == p.kind) break;
    column += names.size(before);
  }
  return column;
}

/// What is sampled of an alarm, by its bits among those active and those open: 2: it is active, 1:
/// it is open, and over, 0: neither.
[[nodiscard]] inline double alarm_sample(std::uint32_t active, std::uint32_t open,
                                         std::size_t alarm) noexcept {
  if ((active >> alarm & 1U) != 0) return 2;
  return (open >> alarm & 1U) != 0 ? 1 : 0;
}

/// Signals have samples; parameters and faults of devices do not.
inline constexpr Kind signal_kinds[] = {Kind::input, Kind::output, Kind::state};
inline constexpr Kind alarm_kinds[] = {Kind::alarm};
/// What a name of something sampled may refer to: to alarms by "alarm:NAME" alone, so that none
/// takes the name of a signal away.
[[nodiscard]] inline std::span<const Kind> sampled_kinds(std::string_view name) noexcept {
  return name.starts_with("alarm:") ? std::span<const Kind>(alarm_kinds) : signal_kinds;
}
inline constexpr Kind all_kinds[] = {Kind::input, Kind::output, Kind::state, Kind::parameter};

}  // namespace hild::server
