// SPDX-License-Identifier: Apache-2.0
/// \file
/// The passes of one step, in the order of their releases. Real-time safe.
#pragma once

#include <array>
#include <span>

#include "exec/settings.hpp"
#include "hild/io/frame_record.hpp"
#include "hild/model/stepper.hpp"

namespace hild::exec {

/// A pass and when it may start, counted from the start of the step.
struct Slot {
  int pass = 0;
  Duration node{};     ///< the instant its inputs belong to
  Duration release{};  ///< node, or min(c_i, i/s) h, or c_i h less the lag
};

class Timetable {
 public:
  /// Makes the table for steps of length h with these passes. Costs next to nothing when they are
  /// like the step before.
  void plan(const model::Passes& passes, const Settings& settings, Duration h) noexcept {
    if (h != h_ || passes.starting || passes.once) build(passes, settings, h);
  }

  [[nodiscard]] std::span<const Slot> slots() const noexcept { return {slots_.data(), count_}; }

 private:
  [[gnu::noinline]] void build(const model::Passes& passes, const Settings& settings,
                               Duration h) noexcept;
  void insert(const Slot& slot) noexcept;

  std::array<Slot, io::max_slots> slots_{};
  std::size_t count_ = 0;
  Duration h_{};  // what the table is built for; 0: a starter, not to be used again
};

/// The release of pass `pass` of `passes` whose node is `node`, in steps after the step's start.
/// Under `behind` it is the release before the lag is taken off; under `frame` all inputs exist at
/// the tick.
[[nodiscard]] constexpr double release_of(double node, int pass, int passes,
                                          Sampling sampling) noexcept {
  if (sampling == Sampling::frame) return 0;
  if (sampling == Sampling::stage || sampling == Sampling::behind) return node;
  const double share = static_cast<double>(pass) / passes;
  return node < share ? node : share;
}

/// Whether some pass of `method` takes an input that is not the one at its node.
[[nodiscard]] constexpr bool misses_inputs(const numerics::Method& method,
                                           Sampling sampling) noexcept {
  for (int i = 0; i < method.passes; ++i) {
    const double node = method.node(i).value();
    if (release_of(node, i, method.passes, sampling) < node) return true;
  }
  return false;
}
/// The sampling that gives a method its inputs as exactly as real time allows.
[[nodiscard]] constexpr Sampling best_sampling(const numerics::Method& method) noexcept {
  return method.real_time() ? Sampling::stage : Sampling::extrapolate;
}

}  // namespace hild::exec
