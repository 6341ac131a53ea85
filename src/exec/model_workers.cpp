// SPDX-License-Identifier: Apache-2.0
#include "exec/model_workers.hpp"

#include <algorithm>

namespace hild::exec {
namespace {

// Of a rehearsal nobody would be told, nor could its plant be left as it is: it waits as it would
// for a model on its own thread.
constexpr Duration while_rehearsed = Duration(1_s) * 86'400 * 365;

}  // namespace

ModelWorkers::ModelWorkers(rt::Workers& workers, std::vector<int> places, Duration bound)
    : workers_(&workers), places_(std::move(places)), bound_(bound) {}

bool ModelWorkers::run(Tasks& tasks, std::span<const std::uint16_t> models) noexcept {
  for (const std::uint16_t model : models) {
    if (places_[model] != here) workers_->add(static_cast<std::size_t>(places_[model]), model);
  }
  workers_->share_out(tasks);
  for (const std::uint16_t model : models) {
    if (places_[model] == here) workers_->run_here(tasks, model);
  }
  workers_->take_back(tasks);
  if (run_ == nullptr) return workers_->wait(while_rehearsed);

  Meter& meter = run_->meter;
  const MonoTime before = meter.close(io::Phase::passes);
  const bool returned = workers_->wait(bound_);
  if (run_->step.number != step_) begin_step();
  note_wait(meter.close(io::Phase::workers) - before);
  run_->statistics->taken_back.set(workers_->taken_back() - taken_back_before_);
  if (!returned) {
    const Step& step = run_->step;
    run_->end.tell(Fault::not_returned, step.frame, step.end);
    run_->end.blame_model(workers_->waited_for());
    return false;
  }
  if (run_->record.layout().runs() > 0) note_runs(models);
  return true;
}

void ModelWorkers::begin_step() noexcept {
  step_ = run_->step.number;
  waited_ = longest_ = {};
}

void ModelWorkers::note_runs(std::span<const std::uint16_t> models) noexcept {
  for (const std::uint16_t model : models) {
    const rt::TaskRun& run = workers_->last_run(model);
    const std::int64_t took = std::clamp<std::int64_t>(run.took.ns, 0, INT32_MAX);
    run_->record.slot().run(step_, {run.start - run_->step.due, static_cast<std::int32_t>(took),
                                    model, static_cast<std::int16_t>(run.worker)});
  }
}

// Where nothing was left to be waited for, what the time went by is no worker's doing.
void ModelWorkers::note_wait(Duration wait) noexcept {
  if (workers_->waited_for() == rt::Workers::nobody) return;
  waited_ += wait;
  if (wait < longest_) return;
  longest_ = wait;
  longest_for_ = workers_->waited_for();
}

// A sliding mean, which a single long wait moves no more than one of twice the usual length would.
void ModelWorkers::learn() noexcept {
  if (run_->step.number != step_) return;  // of this step nothing was shared
  const Duration usual = usual_.ns > 0 ? usual_ : waited_;
  usual_ = usual + (std::min(waited_, usual * 2) - usual) / 8;
}

Duration ModelWorkers::waited_beyond_usual() const noexcept {
  return run_->step.number == step_ ? waited_ - usual_ : Duration{};
}

}  // namespace hild::exec
