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
  Duration node{};     ///< where its inputs belong
  Duration release{};  ///< node, or min(c_i, i/s) h, or c_i h less the lag
};

class Timetable {
 public:
  /// For the steps of length h that have these passes.
  /// Costs next to nothing when they are like those before.
  void plan(const model::Passes& passes, const Settings& settings, Duration h) noexcept {
    if (h != h_ || passes.starting) build(passes, settings, h);
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

/// The release of pass i of s under a sampling, in steps after its start; of a plant that runs
/// behind, before the lag is taken off. Under `frame` all inputs exist at the tick.
[[nodiscard]] constexpr double release_of(double node, int pass, int passes,
                                          Sampling sampling) noexcept {
  if (sampling == Sampling::frame) return 0;
  if (sampling == Sampling::stage || sampling == Sampling::behind) return node;
  const double share = static_cast<double>(pass) / passes;
  return node < share ? node : share;
}

}  // namespace hild::exec
