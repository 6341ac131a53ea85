// SPDX-License-Identifier: Apache-2.0
#include "exec/image_publisher.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "hild/core/copy_values.hpp"

namespace hild::exec {
namespace {

constexpr double seconds_asked_for = 0.25;

std::size_t least_piece(const LoopContext& run) {
  const model::Description& d = run.plant.description();
  const std::size_t values = d.states.size() + d.parameters.size();
  const std::size_t frames = std::max<std::size_t>(run.record.lasts(), 1);
  return std::max(ImagePublisher::piece, values / frames + 1);
}

}  // namespace

ImagePublisher::ImagePublisher(const LoopContext& run)
    : snapshot_(
          std::make_unique<Snapshot>(run.plant.description(), run.settings.snapshot_every > 0)),
      least_(least_piece(run)),
      piece_(least_),
      lasts_(std::max<std::int64_t>(
          4, std::llround(seconds_asked_for * run.settings.grid.rate_hz()))) {
  if (!snapshot_->offered()) return;
  // The first step is asked for by nobody: from then on there is an image, however old.
  left_ = 1;
  at_rest_ = -1;
}

// An event of the model may change them too.
std::int64_t ImagePublisher::version(const LoopContext& run) const noexcept {
  return changes_ + run.statistics->state_events.get() + run.statistics->time_events.get();
}

void ImagePublisher::begin(std::int64_t frame, SimTime t, bool frozen,
                           std::span<const double> states, LoopContext& run,
                           const ExternalControl& external, OutputScheduler& outputs,
                           StepRunner& runner) noexcept {
  Image& image = snapshot_->begin(states, version(run));
  image.frame = frame;
  image.time = t;
  image.frames = run.statistics->frames.get();
  image.frozen = frozen;
  image.mode = mode_of(frozen, external, outputs);
  image.mode.moving = run.devices.sampler().lines(image.lines);
  copy_values(runner.u(), image.inputs.data());
  copy_values(outputs.values(), image.outputs.data());
  copy_values(runner.inputs().images().newest().first(image.sampled.size()), image.sampled.data());
  copy_values(outputs.own(), image.own.data());
}

void ImagePublisher::serve(SimTime t, bool frozen, LoopContext& run,
                           const ExternalControl& external, OutputScheduler& outputs,
                           StepRunner& runner) noexcept {
  const std::int64_t asked = snapshot_->asked();
  if (std::exchange(asked_, asked) != asked) left_ = lasts_;
  --left_;
  --until_;
  const bool spoilt = snapshot_->spoilt_by(version(run));
  if (spoilt || (!snapshot_->open() && until_ <= 0)) {
    piece_ = spoilt ? 2 * piece_ : least_;
    until_ = run.settings.snapshot_every;
    begin(run.step.frame, t, frozen, run.record.keep().states(), run, external, outputs, runner);
  }
  if (snapshot_->open()) snapshot_->take(piece_, run.plant.system());
  const bool rests = left_ <= 0 && !snapshot_->open();
  at_rest_ = rests ? asked : -1;
  if (rests) until_ = 0;
}

void ImagePublisher::finish(bool well, LoopContext& run, const ExternalControl& external,
                            OutputScheduler& outputs, StepRunner& runner) noexcept {
  constexpr std::size_t all = SIZE_MAX;
  if (well && snapshot_->offered() && run.statistics->frames.get() > 0) {
    const bool frozen = external.holds();
    const Step& next = run.step;
    begin(next.frame - (frozen ? 0 : 1), next.time, frozen, run.plant.states(), run, external,
          outputs, runner);
  }
  if (snapshot_->open()) snapshot_->take(all, run.plant.system());
}

}  // namespace hild::exec
