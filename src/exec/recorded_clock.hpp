// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock of a replay: decides as time did in a recorded run whether a step waited for its tick,
/// when it started and ended, and which images were waited for. With the images that were read
/// (io::Sampler) and the transactions that took effect (ExternalEvents), the same loop then does
/// the same again, to the bit, at the speed of the machine.
#pragma once

#include <algorithm>

#include "exec/frame_clock.hpp"

namespace hild::exec {

/// The source of a recorded run.
class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  virtual ~Replay() = default;

  /// The record of the step to come, valid until the next call; nullptr: there is none, and the run
  /// ends. Called before anything of the step is done: what took effect at its start may be posted
  /// now.
  [[nodiscard]] virtual const io::FrameHeader* next() noexcept = 0;
  /// Whether the recorded run waited for the image that is read next.
  [[nodiscard]] virtual bool waits() noexcept = 0;
};

/// Decides as the recorded run did.
class RecordedClock final : public FrameClock {
 public:
  /// `replay` outlives the clock.
  RecordedClock(const Settings& settings, rt::Clock& clock, Meter& meter, Statistics& statistics,
                Step& step, Replay& replay) noexcept
      : FrameClock(settings, clock, meter, statistics, step), replay_(&replay) {}

  void wait_before(int /*frames*/) noexcept override {}
  bool next() noexcept override {
    was_ = replay_->next();
    if (settings().grid_moves() && was_ != nullptr) {
      move_grid(was_->due - timeline().tick(step().frame + was_->slipped));
    }
    look_ahead();
    return was_ != nullptr;
  }
  void begin() noexcept override {
    // The step may have begun before its tick: woken by an image (Follow::wake).
    close_step_before(was_->slept, std::min(step().due, was_->start));
    if (was_->slept) sleep_until(step().due);
    plan(was_->start);
  }
  bool waits_for_sample(MonoTime /*release*/) noexcept override { return replay_->waits(); }
  // Nobody sees what is put out: all of it is, at once.
  Timing timing(MonoTime /*at*/, MonoTime /*next*/) noexcept override { return Timing::now; }
  void wait_for(MonoTime release) noexcept override { wait(release, true); }
  bool fits(MonoTime /*start*/, Duration /*work*/) noexcept override { return !was_->early; }
  bool in_time(std::size_t model, bool /*done*/) noexcept override {
    return (was_->late_models >> model & 1U) == 0;
  }
  MonoTime ended() noexcept override { return was_->end; }

 private:
  Replay* replay_;
  const io::FrameHeader* was_ = nullptr;
};

}  // namespace hild::exec
