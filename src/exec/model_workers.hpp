// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models of a step on several CPUs: each is run by the worker it was given to, or by the thread of
/// the loop, which also runs what a worker has not begun in time, and then waits for the others.
/// Results do not depend on who ran what. Real-time safe after construction.
#pragma once

#include <vector>

#include "exec/loop_context.hpp"
#include "hild/core/tasks.hpp"
#include "hild/rt/workers.hpp"

namespace hild::exec {

class ModelWorkers final : public TaskRunner {
 public:
  static constexpr int here = -1;  ///< no worker: the thread of the loop

  /// For each model its worker, or `here`. A run that waits longer than `bound` for a model ends.
  /// The workers outlive it.
  ModelWorkers(rt::Workers& workers, std::vector<int> places, Duration bound);

  [[nodiscard]] rt::Workers& workers() const noexcept { return *workers_; }

  /// From now on the models are those of that loop, whose run ends where one does not return.
  void serve(LoopContext& run) noexcept {
    run_ = &run;
    taken_back_before_ = workers_->taken_back();
  }

  bool run(Tasks& tasks, std::span<const std::uint16_t> models) noexcept override;

  // ---- of the step at hand; for the thread of the loop ----

  /// To be called once for each step: what it waited becomes usual.
  void learn() noexcept;
  /// What it waited for models beyond what is usual.
  [[nodiscard]] Duration waited_beyond_usual() const noexcept;
  /// The model that kept it waiting longest. Precondition: it waited.
  [[nodiscard]] std::size_t waited_for() const noexcept { return longest_for_; }

 private:
  void begin_step() noexcept;
  void note_runs(std::span<const std::uint16_t> models) noexcept;
  void note_wait(Duration wait) noexcept;

  rt::Workers* workers_;
  std::vector<int> places_;
  Duration bound_;
  LoopContext* run_ = nullptr;  // null: they are only rehearsed
  std::int64_t step_ = -1;      // that what follows belongs to
  Duration waited_{};
  Duration longest_{};
  std::size_t longest_for_ = 0;
  Duration usual_{};
  std::int64_t taken_back_before_ = 0;  // in rehearsals
};

}  // namespace hild::exec
