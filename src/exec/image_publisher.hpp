// SPDX-License-Identifier: Apache-2.0
/// \file
/// Publishes images of steps to the reader that asks for them, `snapshot_every` frames apart at
/// least, for a quarter of a second after it asked last. Signals are taken at once, in the frame
/// the image is of; states and parameters, of which there may be many, in pieces, so that no frame
/// pays for them all. States come from the record of the step, which stays as it is meanwhile;
/// where parameters become others before they are all taken, the image is begun anew, with larger
/// pieces, so that it becomes whole even where they do in every frame. Real-time safe after
/// construction.
#pragma once

#include <memory>
#include <vector>

#include "exec/external_control.hpp"
#include "exec/output_scheduler.hpp"
#include "exec/snapshot.hpp"
#include "exec/step_runner.hpp"

namespace hild::exec {

class ImagePublisher {
 public:
  /// States and parameters that are taken in a frame, unless the records would not last so long.
  static constexpr std::size_t piece = 512;

  explicit ImagePublisher(const LoopContext& run);

  [[nodiscard]] Snapshot& snapshot() const noexcept { return *snapshot_; }
  /// Parameters may be others from here on.
  void note_change() noexcept { ++changes_; }
  /// Tells the mode; to be called where it may be another one.
  void tell(bool frozen, const ExternalControl& external, const OutputScheduler& outputs) noexcept {
    snapshot_->tell(mode_of(frozen, external, outputs));
  }
  /// Whether the frame at hand is to be served: somebody asked, or an image is not whole yet.
  [[nodiscard]] bool due() const noexcept { return snapshot_->asked() != at_rest_; }
  /// Takes of the frame at hand, whose states and outputs are those of `t`, what is to be taken.
  [[gnu::noinline]] void serve(SimTime t, bool frozen, LoopContext& run,
                               const ExternalControl& external, OutputScheduler& outputs,
                               StepRunner& runner) noexcept;
  /// The run has ended, after a step that ended well, or within one: publishes the last image, all
  /// at once.
  void finish(bool well, LoopContext& run, const ExternalControl& external,
              OutputScheduler& outputs, StepRunner& runner) noexcept;

 private:
  [[nodiscard]] static Mode mode_of(bool frozen, const ExternalControl& external,
                                    const OutputScheduler& outputs) noexcept {
    return {.frozen = frozen,
            .limited = external.limited(),
            .stepping = external.stepping(),
            .outputs = outputs.mode()};
  }
  void begin(std::int64_t frame, SimTime t, bool frozen, std::span<const double> states,
             LoopContext& run, const ExternalControl& external, OutputScheduler& outputs,
             StepRunner& runner) noexcept;
  [[nodiscard]] std::int64_t version(const LoopContext& run) const noexcept;

  std::unique_ptr<Snapshot> snapshot_;  // which others write too
  std::size_t least_;                   // values of a piece
  std::size_t piece_;                   // of the image at hand
  std::int64_t lasts_;                  // frames for which asking once is good
  std::int64_t asked_ = 0;              // as often, the last time this looked
  std::int64_t at_rest_ = 0;            // the same while there is nothing to do; else never true
  std::int64_t left_ = 0;               // of those frames
  std::int64_t changes_ = 0;            // of parameters from outside
  int until_ = 0;                       // frames until the next image may begin
};

}  // namespace hild::exec
