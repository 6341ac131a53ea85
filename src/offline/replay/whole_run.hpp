// SPDX-License-Identifier: Apache-2.0
/// \file
/// A whole recorded run in memory, as a comparison with the solution needs it.
#pragma once

#include "config/plan/assembly.hpp"
#include "offline/replay/recorded_inputs.hpp"
#include "offline/replay/source.hpp"

namespace hild::replay {

/// The states at ticks of simulated time.
struct Trajectory {
  std::size_t size = 0;  ///< number of states
  std::vector<std::int64_t> ticks;
  std::vector<double> values;

  void add(std::int64_t tick, std::span<const double> x) {
    ticks.push_back(tick);
    values.insert(values.end(), x.begin(), x.end());
  }
  [[nodiscard]] std::span<const double> at(std::size_t i) const {
    return std::span(values).subspan(i * size, size);
  }
};

/// When the images of each frame were taken, less its tick; none where its step did not begin in
/// time, or was not done with them before the next tick.
class ImageOffsets {
 public:
  /// Of the next frame, all images one after the other, each with an offset of each group.
  void add(std::span<const Duration> offsets) {
    offsets_.insert(offsets_.end(), offsets.begin(), offsets.end());
    ends_.push_back(offsets_.size());
  }
  /// Of the groups of an image of a frame; empty where it is not known.
  [[nodiscard]] std::span<const Duration> of(std::size_t frame, std::size_t image,
                                             std::size_t groups) const noexcept {
    if (frame >= ends_.size()) return {};
    const std::size_t at = (frame == 0 ? 0 : ends_[frame - 1]) + image * groups;
    if (at + groups > ends_[frame]) return {};
    return std::span(offsets_).subspan(at, groups);
  }

 private:
  std::vector<Duration> offsets_;
  std::vector<std::size_t> ends_;  // of each frame
};

struct WholeRun {
  RecordedInputs inputs;
  ImageOffsets offsets;
  Trajectory states;  ///< at the end of each step
  std::int64_t frames =
      0;  ///< of simulated time, up to the last sample: after it inputs are not known

  /// Leaves out the steps that end after the last sample.
  void cut(const Grid& grid);
  /// Reads a run. Error: a gap, or something that a solution of the model does not include.
  [[nodiscard]] static Result<WholeRun> read(const plan::Assembly& assembly, StepSource& source);
};

}  // namespace hild::replay
