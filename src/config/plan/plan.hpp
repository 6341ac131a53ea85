// SPDX-License-Identifier: Apache-2.0
/// \file
/// The plan of a run: what one frame does when, what it costs, and whether it fits. A plan is
/// refused on the median of the measured cost and warned about on its p99, with the numbers.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/plan/assembly.hpp"
#include "config/plan/instances.hpp"
#include "config/plan/rehearsal.hpp"
#include "config/plan/soundness.hpp"
#include "config/plan/watches.hpp"
#include "foreign/examine/examination.hpp"

namespace hild::plan {

/// One of several models, examined by itself.
struct ExaminedPart {
  std::string model;
  examine::Examination seen;
};

/// Whether this machine can contain the models that are not trusted (`process: own`) in their
/// processes.
struct Containment {
  std::vector<std::string> models;  ///< their names; of a single model its type
  std::string missing;              ///< what this machine refuses; empty: they are contained
};

/// The containment of a configuration; none: all its models run in hild's own process.
[[nodiscard]] std::optional<Containment> containment_of(const config::Config& config);

/// In words: "pump, valve: in a process of its own, but NOT CONTAINED: ...", or that they are
/// contained.
[[nodiscard]] std::string words(const Containment& c);
/// As JSON {models, contained, missing}; null where there is none.
[[nodiscard]] boost::json::value containment_json(const std::optional<Containment>& c);

struct Plan {
  std::string config_file;
  std::string model;
  const numerics::Method* method = nullptr;
  bool compiled_together = false;
  std::shared_ptr<const coupled::Composition> coupled{};  ///< of several models
  exec::Settings settings;
  config::Frame thread;  ///< the frame thread and the workers
  Shape shape;
  std::vector<double> nodes;
  bool varying_inputs = false;                     ///< some are sampled, and more than a line
  std::optional<Measured> measured;                ///< none: not measured (offline)
  std::optional<examine::Examination> examined{};  ///< what the model does in its calls
  std::vector<ExaminedPart> parts_examined{};      ///< each of several
  std::vector<Soundness> soundness{};              ///< of each model; empty: not asked for
  std::vector<BackgroundPlan> background{};        ///< of models in the background
  std::vector<TriedInstances> instances{};         ///< of one FMU, on several threads
  /// The calculated channels: name, formula, unit.
  struct Calculated {
    std::string name, formula, unit;
  };
  std::vector<Calculated> calculated{};
  std::vector<Watch> watches{};                        ///< interlocks and alarms
  std::vector<config::Control::Sequence> sequences{};  ///< that clients may begin
  /// For FMUs under implicit methods: how the Jacobian is made and what one costs; for several
  /// models with their names.
  std::vector<std::string> jacobians{};
  /// What devices tell of themselves: "bus: ...".
  std::vector<std::string> devices{};
  std::optional<Containment> containment{};  ///< of models that are not trusted
  double utilisation_limit = 0;              ///< see feasibility.hpp
  /// Share of the frame the configuration allows such a model.
  double budget = 0;
  /// Why the plan is impossible: a fault where measurements say so, which may succeed another time;
  /// else a usage error.
  std::optional<Error> refusal;
  std::vector<std::string> warnings;

  /// Stores the verdicts on the step, with their warnings.
  void add_soundness(std::vector<Soundness> verdicts);
  [[nodiscard]] Duration frame() const { return settings.grid.period(); }
};

/// Facts about the machine that a plan depends on.
struct Machine {
  double rt_share = 1;       ///< share of time left to real-time threads
  bool fair_server = false;  ///< the rest is taken by a fair server, not by throttling
  bool share_known = true;   ///< else it is the usual one: only root can read it
  bool preempt_rt = false;
};

/// Makes the plan with its verdict. `measured` is absent for runs on the virtual clock.
[[nodiscard]] Plan make_plan(const Assembly& assembly, std::optional<Measured> measured,
                             const Machine& machine);

/// The plan for people and for programs.
[[nodiscard]] std::string to_text(const Plan& plan);
[[nodiscard]] std::string to_json(const Plan& plan);

}  // namespace hild::plan
