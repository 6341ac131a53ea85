// SPDX-License-Identifier: Apache-2.0
/// \file
/// Signals that the loop makes and adds to inputs or puts in their place. They are functions of
/// simulated time, evaluated at the very instant an input belongs to, so that a late sample does
/// not blur them. Real-time safe after construction; work is bounded by the number of inputs, and
/// for a table by the logarithm of its length.
#pragma once

#include <vector>

#include "exec/transaction.hpp"

namespace hild::exec {

/// The value of a stimulus `tau` seconds (>= 0) after it took effect.
[[nodiscard]] double value_of(const Stimulus& s, double tau) noexcept;

/// Finds the table of a playback that was started before a state was saved.
class Tables {
 public:
  /// That of this change of this transaction, which started it then; null: it is not known.
  [[nodiscard]] virtual const PlaybackTable* find(std::uint64_t id, std::uint32_t change,
                                                  SimTime start) noexcept = 0;

 protected:
  ~Tables() = default;
};

class Stimuli {
 public:
  explicit Stimuli(std::size_t inputs);

  [[nodiscard]] bool any() const noexcept { return !active_.empty(); }

  /// The transaction, and the change in it, that started a stimulus: they are named when its table
  /// is released.
  struct Source {
    std::uint64_t id = 0;
    std::uint32_t change = 0;
  };

  /// Starts a stimulus at `start`. Precondition: the input has none; stop() it first.
  void start(const Stimulus& s, SimTime start, Source source) noexcept;
  /// Stops the stimulus of an input. True when it held a table; `holder` then says whose.
  [[nodiscard]] bool stop(std::uint32_t input, Source& holder) noexcept;
  /// Stops one stimulus whose duration is over at `t`; call it again until it is false. `holder.id`
  /// is 0 unless it held a table.
  [[nodiscard]] bool stop_ended(SimTime t, Source& holder) noexcept;
  /// Stops any one stimulus; false when there is none left.
  [[nodiscard]] bool stop_any(Source& holder) noexcept;

  /// What is in force; `tables` (null: none are known) has those of playbacks that are loaded.
  /// Returns how many of them are lent.
  std::size_t transfer(Archive& archive, Tables* tables) noexcept;

  /// Applies all stimuli to the inputs `u`, which belong to the instant `t`.
  void apply(SimTime t, std::span<double> u) const noexcept;

 private:
  struct Active {
    Stimulus what;
    SimTime start{};
    Source source;
  };
  [[nodiscard]] bool stop_at(std::size_t place, Source& holder) noexcept;
  static void transfer(Archive& archive, Active& one, std::size_t inputs, Tables* tables) noexcept;

  std::size_t inputs_;
  std::vector<Active> active_;  // of reserved capacity, one an input at most
};

}  // namespace hild::exec
