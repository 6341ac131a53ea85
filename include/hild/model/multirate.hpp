// SPDX-License-Identifier: Apache-2.0
/// \file
/// Multirate and mixed-mode integration as settings: a model's partitions, each with a method and
/// a number of steps in a frame (Cellier, Multi-rate Integration and Mixed-mode Integration).
///
/// A frame h has k minor steps, k the largest ratio, and each is a pass at i h / k: fast partitions
/// take fresh inputs there, and slow work is spread over them. Not for use while running.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>

#include "hild/core/result.hpp"
#include "hild/model/description.hpp"
#include "hild/numerics/method.hpp"

namespace hild::model {

inline constexpr std::size_t max_partitions = 8;  ///< that a model may have
inline constexpr int max_ratio = 16;              ///< passes a frame may have

/// How one partition is advanced.
struct Rate {
  const numerics::Method* method = nullptr;  ///< one that fits a partition; it must outlive this
  int ratio = 1;                             ///< steps in a frame, 1 ... max_ratio

  /// Compares methods by their addresses; same() by their names.
  constexpr bool operator==(const Rate&) const noexcept = default;
};

/// What a faster partition sees of a slower one within its step: the last value computed, or the
/// line through the last two. With `hold`, coupling is of first order.
enum class Interface {
  hold,        ///< the last value computed
  extrapolate  ///< the line through the last two
};

/// The rates of all partitions of a model, to be read at run time. What came from outside is fit
/// for use once check_rates() has passed it.
struct Multirate {
  static constexpr bool constant = false;  ///< as of a tableau: read at run time

  std::array<Rate, max_partitions> rates{};  ///< in the order of the model's partitions
  std::size_t count = 0;                     ///< how many of them are used
  Interface interface = Interface::hold;     ///< what fast partitions see of slow ones

  /// Minor steps in a frame, which are its passes: the largest ratio.
  [[nodiscard]] constexpr int minor_steps() const noexcept {
    int most = 1;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, rates[i].ratio);
    return most;
  }
  /// As reports name it; of the order of its worst part, and with `hold` of the first.
  [[nodiscard]] numerics::Method method() const noexcept;

  /// Compares methods by their addresses; same() by their names.
  constexpr bool operator==(const Multirate&) const noexcept = default;
};

/// Rates in the order of the model's partitions, at most max_partitions. Nothing is checked.
[[nodiscard]] constexpr Multirate by_rates(std::initializer_list<Rate> list,
                                           Interface interface = Interface::hold) noexcept {
  Multirate m;
  for (const Rate& r : list) m.rates[m.count++] = r;
  m.interface = interface;
  return m;
}

/// Whether both ask for the same; methods are known by their names.
[[nodiscard]] constexpr bool same(const Multirate& a, const Multirate& b) noexcept {
  bool all = a.count == b.count && a.interface == b.interface;
  for (std::size_t i = 0; all && i < a.count; ++i) {
    all =
        a.rates[i].ratio == b.rates[i].ratio && a.rates[i].method->name == b.rates[i].method->name;
  }
  return all;
}

/// Rates that the compiler knows.
template <Multirate Rates>
struct FixedRates {
  static constexpr bool constant = true;     ///< as of a tableau: the compiler knows them
  static constexpr Multirate value = Rates;  ///< what they are
};

/// The rates a model is compiled together with, each by_rates({...}).
template <Multirate... Rates>
struct CompiledWithRates {};

/// Whether a partition may take this method: forward Euler, AB-2 or an implicit method of one pass.
[[nodiscard]] bool fit_for_partition(const numerics::Method& method) noexcept;

/// At most max_partitions, every state in exactly one, every name a state's. The error names model,
/// state and partitions.
[[nodiscard]] Result<void> check_partitions(const Description& model);

/// As many rates as partitions, methods that fit, ratios of 1 ... max_ratio that divide the
/// largest. The error names the partition, or the model where the numbers differ.
[[nodiscard]] Result<void> check_rates(const Description& model, const Multirate& rates);

}  // namespace hild::model
