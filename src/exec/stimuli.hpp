// SPDX-License-Identifier: Apache-2.0
/// \file
/// Signals made by the loop, added to inputs or put in their place: functions of simulated time,
/// evaluated at the very instant an input belongs to, so that a late sample does not blur them.
/// Real-time safe after construction; work is bounded by the number of inputs, and for a table by
/// the logarithm of its length.
#pragma once

#include <vector>

#include "exec/transaction.hpp"

namespace hild::exec {

/// What a stimulus is worth `tau` seconds (>= 0) after it took effect.
[[nodiscard]] double value_of(const Stimulus& s, double tau) noexcept;

class Stimuli {
 public:
  explicit Stimuli(std::size_t inputs);

  [[nodiscard]] bool any() const noexcept { return !active_.empty(); }

  /// The transaction and the change that started one: whom a release is told to.
  struct Source {
    std::uint64_t id = 0;
    std::uint32_t change = 0;
  };

  /// From `start` on. Precondition: the input has none; stop() it first.
  void start(const Stimulus& s, SimTime start, Source source) noexcept;
  /// Whether there was one that held a table, and whose.
  [[nodiscard]] bool stop(std::uint32_t input, Source& holder) noexcept;
  /// Stops one whose duration is over at `t`, an input at a time: calls again until it is false.
  /// `holder.id` is 0 unless it held a table.
  [[nodiscard]] bool stop_ended(SimTime t, Source& holder) noexcept;
  /// Stops any one; false when there is none left.
  [[nodiscard]] bool stop_any(Source& holder) noexcept;

  /// Adds to, or replaces, the inputs that belong to the instant `t`.
  void apply(SimTime t, std::span<double> u) const noexcept;

 private:
  struct Active {
    Stimulus what;
    SimTime start{};
    Source source;
  };
  [[nodiscard]] bool stop_at(std::size_t place, Source& holder) noexcept;
  std::vector<Active> active_;  // of reserved capacity, one an input at most
};

}  // namespace hild::exec
