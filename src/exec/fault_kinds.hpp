// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kinds of faults: how each falsifies a signal, and how it is asked for. To add one: an
/// enumerator and an entry here, both at the end, since recordings contain the number.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "exec/field.hpp"

namespace hild::exec {

enum class OverrideKind : std::uint8_t { gain, offset, noise, stuck, dropout, coarse };

/// The data from which a kind of fault computes the falsified value.
struct FaultMoment {
  double value = 0;  ///< the fault's parameter; the signal at its start where the kind `keeps`
  double drawn = 0;  ///< a normal deviate where the kind `draws`, another each time
};

/// One kind of fault: its name and the properties that decide which data it needs.
struct FaultKind {
  Word word;
  bool takes_value = true;  ///< it has a parameter; `value` gives its unit and limits
  Quantity value{};
  bool keeps = false;     ///< uses the value that the signal has when the fault begins
  bool draws = false;     ///< uses noise, the same for the same seed
  bool replaces = false;  ///< replaces the signal whatever other faults do; the last such kind wins
  double (*falsify)(double v, const FaultMoment& m) noexcept = nullptr;
};

inline constexpr std::array fault_kinds{
    FaultKind{.word = {"gain", "times VALUE", "gain of"},
              .value = {.unit = "1"},
              .falsify = [](double v, const FaultMoment& m) noexcept { return v * m.value; }},
    FaultKind{.word = {"offset", "plus VALUE", "offset by"},
              .falsify = [](double v, const FaultMoment& m) noexcept { return v + m.value; }},
    FaultKind{
        .word = {"noise", "plus normal deviates of standard deviation VALUE", "noise of"},
        .value = {.low = 0},
        .draws = true,
        .falsify = [](double v, const FaultMoment& m) noexcept { return v + m.value * m.drawn; }},
    FaultKind{.word = {"stuck", "at VALUE, whatever it was", "stuck at"},
              .replaces = true,
              .falsify = [](double /*v*/, const FaultMoment& m) noexcept { return m.value; }},
    FaultKind{.word = {"dropout", "keeps its last value", "dropped out"},
              .takes_value = false,
              .keeps = true,
              .replaces = true,
              .falsify = [](double /*v*/, const FaultMoment& m) noexcept { return m.value; }},
    // A remainder is exact, and finite however small the step is.
    FaultKind{
        .word = {"coarse", "rounded to multiples of VALUE", "in steps of"},
        .value = {.low = 1e-9},
        .falsify = [](double v,
                      const FaultMoment& m) noexcept { return v - std::remainder(v, m.value); }},
};
inline constexpr std::size_t override_kinds = fault_kinds.size();

/// The entry of a kind; that of the first one for a number that is none.
[[nodiscard]] constexpr const FaultKind& fault_kind(OverrideKind kind) noexcept {
  const auto at = static_cast<std::size_t>(kind);
  return fault_kinds[at < override_kinds ? at : 0];
}

inline constexpr std::array fault_words = [] {
  std::array<Word, override_kinds> words{};
  for (std::size_t k = 0; k < override_kinds; ++k) words[k] = fault_kinds[k].word;
  return words;
}();

}  // namespace hild::exec
