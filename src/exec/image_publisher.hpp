// SPDX-License-Identifier: Apache-2.0
/// \file
/// One frame in so many for the readers of other threads. Real-time safe after construction.
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
  /// Whether the frame at hand is one of them; to be asked once in each.
  [[nodiscard]] bool due() noexcept { return until_ != 0 && --until_ == 0; }
  /// The frame at hand, of which states and outputs are at `t`.
  [[gnu::noinline]] void publish(SimTime t, bool frozen, const LoopContext& run,
                                 const ExternalControl& external, OutputScheduler& outputs,
                                 StepRunner& runner) noexcept;

 private:
  Snapshot snapshot_;
  std::vector<double> lines_;  // what the output lines carry
  int until_;                  // frames to the next; 0: there are none
};

}  // namespace hild::exec
