// SPDX-License-Identifier: Apache-2.0
/// \file
/// A recorded run, in place of what time decided in it: whether a step waited for its tick, when it
/// started and ended, which images were waited for. With the images that were read (io::Sampler)
/// and the transactions that took effect (ExternalEvents), the same loop then does the same again,
/// to the bit, at the speed of the machine.
#pragma once

#include "hild/io/frame_record.hpp"

namespace hild::exec {

class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  virtual ~Replay() = default;

  /// The step that comes, valid until the next call; nullptr: there is none, and the run ends.
  /// Called before anything of the step is done: what took effect at its start may be posted now.
  [[nodiscard]] virtual const io::FrameHeader* next() noexcept = 0;
  /// Whether the loop waited for the image that is read next.
  [[nodiscard]] virtual bool waits() noexcept = 0;
};

}  // namespace hild::exec
