// SPDX-License-Identifier: Apache-2.0
/// \file
/// Publishes an image of every so many-th frame (`snapshot_every`) for readers of other threads.
/// Real-time safe after construction.
#pragma once

#include <vector>

#include "exec/external_control.hpp"
#include "exec/output_scheduler.hpp"
#include "exec/snapshot.hpp"
#include "exec/step_runner.hpp"

namespace hild::exec {

class ImagePublisher {
 public:
  explicit ImagePublisher(const LoopContext& run);

  [[nodiscard]] const Snapshot& snapshot() const noexcept { return snapshot_; }
  /// Parameters may be others from here on.
  void note_change() noexcept { parameters_known_ = false; }
  /// Whether the frame at hand is to be published; to be asked once in each frame.
  [[nodiscard]] bool due() noexcept { return until_ != 0 && --until_ == 0; }
  /// Publishes the frame at hand, whose states and outputs are those of `t`.
  [[gnu::noinline]] void publish(SimTime t, bool frozen, const LoopContext& run,
                                 const ExternalControl& external, OutputScheduler& outputs,
                                 StepRunner& runner) noexcept;

 private:
  Snapshot snapshot_;
  std::vector<double> lines_;      // what the output lines carry
  int until_;                      // frames to the next image; 0: no images are published
  bool parameters_stay_;           // unless they are set: no event of the model changes them
  bool parameters_known_ = false;  // to readers: there may be many, and each is a call
};

}  // namespace hild::exec
