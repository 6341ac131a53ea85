// SPDX-License-Identifier: Apache-2.0
#include "exec/background_models.hpp"

#include <algorithm>

#include "exec/loop_context.hpp"

namespace hild::exec {

BackgroundModels::BackgroundModels(LoopContext& run, BackgroundThreads threads)
    : run_(&run), threads_(std::move(threads)) {
  model::Composite* const models = run.plant.models();
  for (std::size_t k = 0; models != nullptr && k < run.plant.description().parts.size(); ++k) {
    if (models->in_background(k)) models_ = models;
  }
  if (models_ != nullptr) models_->run_in_background(this);
}

// Of a model that hangs nothing is touched.
BackgroundModels::~BackgroundModels() {
  const auto hangs = [](const rt::BackgroundThread* t) { return t != nullptr && !t->ended(); };
  if (models_ == nullptr || std::ranges::any_of(threads_, hangs)) return;
  models_->run_in_background(nullptr);
}

void BackgroundModels::add(Tasks& tasks, std::size_t model, int count, SimTime next) noexcept {
  rt::BackgroundThread* const thread = thread_of(model);
  if (thread == nullptr) {
    for (int k = 0; k < count; ++k) tasks.run(model);
    return;
  }
  // It is asked for more at the tick of the frame that `next` lies in.
  const Grid& grid = run_->settings.grid;
  std::int64_t frame = grid.frames_in(next - SimTime{});
  if (SimTime{} + grid.tick(frame) > next) --frame;
  thread->add(tasks, model, count, run_->step.wall(SimTime{} + grid.tick(frame)));
}

bool BackgroundModels::ended(std::size_t model) noexcept {
  const rt::BackgroundThread* const thread = thread_of(model);
  const bool done = thread == nullptr || thread->ended();
  if (!run_->clock->in_time(model, done)) {
    note_late(model);
    return false;
  }
  late_since_[model] = {};
  if (thread != nullptr && run_->record.layout().runs() > 0) note_run(model);
  return true;
}

// One that stays late as long as a run may stand still is taken to hang, where it can.
void BackgroundModels::note_late(std::size_t model) noexcept {
  const Step& step = run_->step;
  run_->record.header().late_models |= std::uint32_t{1} << model;
  if (thread_of(model) == nullptr) return;
  MonoTime& since = late_since_[model];
  if (since.ns == 0) since = step.due;
  const Duration bound = run_->settings.overrun.standstill;
  if (bound.ns == 0 || step.due - since < bound || run_->end.reached()) return;
  run_->end.tell(Fault::not_returned, step.frame, step.end);
  run_->end.blame_model(model);
}

void BackgroundModels::note_run(std::size_t model) noexcept {
  const Step& step = run_->step;
  const rt::TaskRun run = threads_[model]->take_run();
  run_->record.slot().run(
      step.number, {run.start - step.due,
                    static_cast<std::int32_t>(std::clamp<std::int64_t>(run.took.ns, 0, INT32_MAX)),
                    static_cast<std::uint16_t>(model), io::in_background});
}

}  // namespace hild::exec
