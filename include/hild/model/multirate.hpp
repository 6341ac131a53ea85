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

inline constexpr std::size_t max_partitions = 8;
inline constexpr int max_ratio = 16;  ///< passes a frame may have

struct Rate {
  const numerics::Method* method = nullptr;
  int ratio = 1;  ///< steps in a frame

  constexpr bool operator==(const Rate&) const noexcept = default;
};

/// What a faster partition sees of a slower one within its step: the last value computed, or the
/// line through the last two. With `hold`, coupling is of first order.
enum class Interface { hold, extrapolate };

struct Multirate {
  static constexpr bool constant = false;  // as a tableau: read at run time

  std::array<Rate, max_partitions> rates{};  ///< in the order of the model's partitions
  std::size_t count = 0;
  Interface interface = Interface::hold;

  [[nodiscard]] constexpr int minor_steps() const noexcept {
    int most = 1;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, rates[i].ratio);
    return most;
  }
  /// As reports name it; of the order of its worst part, and with `hold` of the first.
  [[nodiscard]] numerics::Method method() const noexcept;

  constexpr bool operator==(const Multirate&) const noexcept = default;
};

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
  static constexpr bool constant = true;
  static constexpr Multirate value = Rates;
};

/// The rates a model is compiled together with, each by_rates({...}).
template <Multirate... Rates>
struct CompiledWithRates {};

/// Whether a partition may take this method: forward Euler, AB-2 or an implicit method of one pass.
[[nodiscard]] bool fit_for_partition(const numerics::Method& method) noexcept;

/// Every state in exactly one partition, every name a state's. The error names model, state and
/// partitions.
[[nodiscard]] Result<void> check_partitions(const Description& model);

/// Methods that fit, ratios that divide the largest. The error names the partition.
[[nodiscard]] Result<void> check_rates(const Description& model, const Multirate& rates);

}  // namespace hild::model
