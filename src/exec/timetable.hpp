// SPDX-License-Identifier: Apache-2.0
/// \file
/// The passes of one step of all plants, in the order of their releases. Real-time safe.
#pragma once

#include <array>
#include <span>

#include "exec/settings.hpp"
#include "hild/io/frame_record.hpp"
#include "hild/model/plant.hpp"

namespace hild::exec {

/// A pass and when it may start, both in parts of the step.
struct Slot {
  int plant = 0;
  int pass = 0;
  double node = 0;     ///< where its inputs belong
  double release = 0;  ///< node, or min(c_i, i/s) for methods that need the future
};

class Timetable {
 public:
  /// For the steps the plants have just begun.
  void build(std::span<model::Plant* const> plants, Sampling sampling) noexcept;

  [[nodiscard]] std::span<const Slot> slots() const noexcept { return {slots_.data(), count_}; }

 private:
  void insert(const Slot& slot) noexcept;

  std::array<Slot, io::max_slots> slots_{};
  std::size_t count_ = 0;
};

/// The release of pass i of s under a sampling. Under `frame` all inputs exist at the tick.
[[nodiscard]] constexpr double release_of(double node, int pass, int passes,
                                          Sampling sampling) noexcept {
  if (sampling == Sampling::frame) return 0;
  if (sampling == Sampling::stage) return node;
  const double share = static_cast<double>(pass) / passes;
  return node < share ? node : share;
}

}  // namespace hild::exec
