// SPDX-License-Identifier: Apache-2.0
/// \file
/// Falsified signals: faults injected into the inputs or the outputs of the plant. The true values
/// go in, and what the run is to believe comes out, as the kinds of the faults say
/// (fault_kinds.hpp). The same seed gives the same noise, deviate by deviate as they are drawn.
/// Real-time safe after construction; work is bounded by the number of falsified signals.
#pragma once

#include <vector>

#include "exec/transaction.hpp"
#include "hild/core/archive.hpp"

namespace hild::exec {

/// A generator of normal deviates by Box and Muller from the generator splitmix64 (Steele, Lea and
/// Flood 2014).
class Noise {
 public:
  Noise() noexcept = default;
  explicit Noise(std::uint64_t seed) noexcept : state_(seed) {}
  /// A deviate of mean 0 and standard deviation 1.
  double next() noexcept;
  void transfer(Archive& archive) noexcept { archive(state_, spare_, has_spare_); }

 private:
  double uniform() noexcept;  // in (0, 1]
  std::uint64_t state_ = 0;
  double spare_ = 0;
  bool has_spare_ = false;
};

class Overrides {
 public:
  /// For one side, inputs or outputs, with `signals` signals.
  explicit Overrides(std::size_t signals);

  [[nodiscard]] bool any() const noexcept { return !active_.empty(); }

  /// Puts an override in force for steps that start at `frame` or later, until its frames are over.
  /// `now` is the value of the signal, which a dropout keeps. Preconditions: as check() of
  /// change_check.hpp.
  void set(const Override& o, std::int64_t frame, double now) noexcept;
  /// Ends all overrides of a signal.
  void release(std::uint32_t signal) noexcept;
  /// Ends the overrides whose frames are over before the step that starts at `frame`.
  [[gnu::noinline]] void expire(std::int64_t frame) noexcept;

  /// Falsifies `values`, all signals of the side; every call draws new noise.
  [[gnu::noinline]] void apply(std::span<double> values) noexcept;
  /// The same with the noise drawn last, for values looked at again.
  [[gnu::noinline]] void apply_again(std::span<double> values) const noexcept;

  /// What is in force.
  void transfer(Archive& archive) noexcept;

 private:
  struct Falsified {
    std::array<std::int64_t, override_kinds> until{};  // first frame without it; 0: not in force
    std::array<FaultMoment, override_kinds> moment{};
    std::array<Noise, override_kinds> noise;  // of those that draw
  };
  static double falsify(const Falsified& s, double v) noexcept;

  std::vector<Falsified> signals_;
  std::vector<std::uint32_t> active_;  // signals with any override; of reserved capacity
};

}  // namespace hild::exec
