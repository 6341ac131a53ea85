// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kinds of faults: how each falsifies a signal, and how it is asked for. A new one is an
/// enumerator and an entry here, at the end of both: recordings have the number.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "exec/field.hpp"

namespace hild::exec {

enum class OverrideKind : std::uint8_t { gain, offset, noise, stuck, dropout, coarse };

/// What a kind may reckon with.
struct FaultMoment {
  double value = 0;  ///< what it was given; the signal at its start where it `keeps`
  double drawn = 0;  ///< a normal deviate where it `draws`, another each time
};

struct FaultKind {
  Word word;
  bool takes_value = true;  ///< `value` says of which unit
  Quantity value{};
  bool keeps = false;     ///< the value that the signal has when the fault begins
  bool draws = false;     ///< noise, the same for the same seed
  bool replaces = false;  ///< the signal, whatever else is done to it; of several the last here
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

/// Of a kind that there is; else the first.
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
