// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which CPU runs which of several models, and the workers that do.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "config/plan/assembly.hpp"
#include "exec/model_workers.hpp"
#include "hild/rt/thread.hpp"

namespace hild::plan {

/// The workers of a run and what each of them has.
struct Placement {
  std::vector<int> cpus;    ///< of each worker
  std::vector<int> places;  ///< of each model its worker; exec::ModelWorkers::here: none
  /// What a step of each model takes, by which they were distributed; empty: all have a CPU in the
  /// configuration.
  std::vector<Duration> costs{};

  [[nodiscard]] bool shares() const noexcept { return !cpus.empty(); }
};

/// The CPUs of the workers that a configuration has; empty: all models run on the frame thread.
[[nodiscard]] std::vector<int> worker_cpus(const config::Config& config);

/// Whether some model runs on another thread than the frame thread: a worker, or one of its own.
[[nodiscard]] bool shares_cpus(const config::Config& config);

/// What a step of the whole takes of each model by itself: medians. Call on a thread scheduled like
/// the frame thread. Precondition: there are several models.
[[nodiscard]] std::vector<Duration> costs_of_models(const Assembly& assembly, rt::Clock& clock);

/// The CPU that a model is to be on, if it is one of the workers', else the frame thread; none: it
/// is to be distributed.
using CpuOfPart = std::function<std::optional<int>(const config::Part&)>;
/// Distributes models by what their steps take, the longest ones first, each to where least is to
/// be done. Instances of one FMU stay together; models whose steps take several frames are on the
/// frame thread.
[[nodiscard]] Placement distribute(const Assembly& assembly, std::vector<int> cpus,
                                   std::vector<Duration> costs, const CpuOfPart& cpu_of);

/// As the configuration has it: models with a CPU are there, others, where there are workers for
/// them, are distributed by what they cost here. Call on a thread scheduled like the frame thread.
[[nodiscard]] Placement place_models(const Assembly& assembly, rt::Clock& clock);

/// The threads of a placement, ready to run.
class Crew {
 public:
  /// Starts them; warnings as of rt::Thread. Error: one could not be started. Precondition: the
  /// placement shares something.
  [[nodiscard]] static Result<std::unique_ptr<Crew>> start(Placement placement,
                                                           const Assembly& assembly,
                                                           rt::Clock& clock,
                                                           rt::Warnings& warnings);

  [[nodiscard]] const Placement& placement() const noexcept { return placement_; }
  [[nodiscard]] exec::ModelWorkers& models() noexcept { return *models_; }
  /// The clock of the frame thread, by which the workers wake too.
  [[nodiscard]] rt::Clock& clock() noexcept { return *clock_; }
  /// Has the models of a plant run by them.
  void work_for(model::Stepper& plant) { plant.models()->share_work(*models_); }
  /// A model has not returned: its thread is in it for good.
  [[nodiscard]] bool stuck() const noexcept { return workers_->stuck(); }

 private:
  explicit Crew(Placement placement) : placement_(std::move(placement)) {}

  Placement placement_;
  std::unique_ptr<rt::Workers> workers_;
  std::unique_ptr<exec::ModelWorkers> models_;
  std::unique_ptr<rt::FollowedClock> clock_;
};

}  // namespace hild::plan
