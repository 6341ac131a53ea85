// SPDX-License-Identifier: Apache-2.0
#include "exec/image_publisher.hpp"

namespace hild::exec {

ImagePublisher::ImagePublisher(const LoopContext& run)
    : snapshot_(run.plant.description().inputs.size(), run.plant.description().outputs.size(),
                run.plant.description().states.size(), run.plant.description().parameters.size()),
      lines_(run.plant.description().outputs.size()),
      until_(run.settings.snapshot_every),
      parameters_stay_(run.plant.description().events.empty() &&
                       !run.plant.description().time_events) {}

void ImagePublisher::publish(SimTime t, bool frozen, const LoopContext& run,
                             const ExternalControl& external, OutputScheduler& outputs,
                             StepRunner& runner) noexcept {
  until_ = run.settings.snapshot_every;
  const bool moving = run.devices.sampler().lines(lines_);
  snapshot_.begin(run.step.frame, t,
                  {.frozen = frozen,
                   .limited = external.limited(),
                   .stepping = external.stepping(),
                   .moving = moving,
                   .outputs = outputs.mode()});
  snapshot_.add(runner.u());
  snapshot_.add(outputs.values());
  snapshot_.add(runner.inputs().images().newest().first(runner.u().size()));
  snapshot_.add(outputs.own());
  snapshot_.add(lines_);
  snapshot_.add(run.plant.states());
  if (!parameters_known_) {
    const std::size_t parameters = run.plant.description().parameters.size();
    for (std::size_t i = 0; i < parameters; ++i) snapshot_.add(run.plant.system().parameter(i));
    parameters_known_ = parameters_stay_;
  }
  snapshot_.publish();
}

}  // namespace hild::exec
