// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models in the background: their threads, what their steps cost, and whether these end in time.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/plan/assembly.hpp"
#include "exec/background_models.hpp"
#include "hild/rt/clock.hpp"
#include "hild/rt/thread.hpp"

namespace hild::plan {

/// The step of one of them.
struct BackgroundPlan {
  std::size_t model = 0;        ///< its number
  int cpu = 0;                  ///< that its thread is bound to
  int priority = 0;             ///< of its thread; 0: the ordinary scheduler
  int every = 0;                ///< frames
  std::vector<double> nodes{};  ///< of its passes
  Duration pass{};              ///< what one of them costs: the median
  std::optional<Duration>
      ends{};           ///< after its tick, at the latest; none: nobody has worked it out
  bool in_time = true;  ///< by then it is due at the earliest

  [[nodiscard]] Duration due(Duration frame) const noexcept { return frame * every; }
  [[nodiscard]] Duration cost() const noexcept {
    return pass * static_cast<std::int64_t>(nodes.size());
  }
};

/// Those of a configuration, without costs. The shorter its period, the more urgent is a thread
/// among those of a CPU (rate-monotonic), and all are less so than the frame thread.
[[nodiscard]] std::vector<BackgroundPlan> background_steps(const config::Config& config);

/// Measures their passes. Call on a thread scheduled like the frame thread.
void measure_background(std::vector<BackgroundPlan>& steps, const Assembly& assembly,
                        rt::Clock& clock);

/// Works out when their steps end at the latest, beside what is more urgent on their CPU: of the
/// frame thread `busy` in every frame. A pass begins at the tick of the frame its node lies in, or
/// when the one before it has ended.
void judge_background(std::vector<BackgroundPlan>& steps, const config::Frame& thread,
                      Duration frame, Duration busy);

/// "passes of 675.0 us, on CPU 0 below the frame thread, ends 2.9 of 20.0 ms after its tick".
[[nodiscard]] std::string words(const BackgroundPlan& step, const config::Frame& thread,
                                Duration frame);
[[nodiscard]] boost::json::value to_json(const BackgroundPlan& step, Duration frame);

/// Their threads.
class BackgroundCrew {
 public:
  /// Starts them; warnings as of rt::Thread. Error: one could not be started. None where no model
  /// is in the background.
  [[nodiscard]] static Result<std::unique_ptr<BackgroundCrew>> start(const config::Config& config,
                                                                     rt::Warnings& warnings);

  /// The thread of each model of a plant.
  [[nodiscard]] exec::BackgroundThreads threads() const;
  /// After a run: waits until nothing is under way any more. One that goes on for longer than
  /// `bound` is stuck.
  void settle(Duration bound) noexcept;
  [[nodiscard]] bool stuck() const noexcept;

 private:
  BackgroundCrew() = default;
  std::vector<std::unique_ptr<rt::BackgroundThread>> threads_;  // by model; null: it needs none
};

/// While it lives, models in the background cost a plant nothing, for what is left to be measured;
/// afterwards the plant is reset.
class WithoutBackground final : private BackgroundRunner {
 public:
  explicit WithoutBackground(model::Stepper& plant);
  ~WithoutBackground();

 private:
  void add(Tasks& /*tasks*/, std::size_t /*line*/, int /*count*/,
           SimTime /*next*/) noexcept override {}
  [[nodiscard]] bool ended(std::size_t /*line*/) noexcept override { return true; }

  model::Stepper* plant_;
};

}  // namespace hild::plan
