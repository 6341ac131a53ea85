// SPDX-License-Identifier: Apache-2.0
/// \file
/// Puts together what a configuration describes: the plant, the bus with its devices, and what the
/// frame loop needs to know of their signals.
#pragma once

#include <memory>
#include <vector>

#include "config/config.hpp"
#include "exec/frame_loop.hpp"
#include "foreign/contain/task.hpp"
#include "hild/core/result.hpp"

namespace hild::plan {

struct Assembly {
  config::Config config;  ///< its devices and signals have moved into the bus
  const numerics::Method* method;
  std::unique_ptr<model::Stepper> plant;
  std::unique_ptr<io::Bus> bus;

  /// The parts of a frame loop. `sampler` is the bus or replaces it; `other` replaces the plant.
  [[nodiscard]] exec::Parts parts(rt::Clock& clock, io::Sampler& sampler,
                                  exec::ExternalEvents& events, rt::SlotRing& records) const {
    return parts(clock, sampler, *plant, events, records);
  }
  [[nodiscard]] exec::Parts parts(rt::Clock& clock, io::Sampler& sampler, model::Stepper& other,
                                  exec::ExternalEvents& events, rt::SlotRing& records) const;
  /// The layout of the records of its loop, with `counted` raw counts, and with the runs of models
  /// where these share work.
  [[nodiscard]] io::FrameLayout layout(std::size_t counted, bool shared = false) const;
  /// A second plant of the same kind, to be rehearsed.
  [[nodiscard]] std::unique_ptr<model::Stepper> another_plant() const;
  /// A plant of the same model under another method, or by partitions that the model has.
  [[nodiscard]] std::unique_ptr<model::Stepper> another_plant(const contain::Way& way) const;
};

[[nodiscard]] Assembly assemble(config::Config config);

/// The way a model is advanced, in the form in which its own process is told of it: one of several
/// models, and a single one.
[[nodiscard]] contain::Way way_of(const config::Part& part);
[[nodiscard]] contain::Way way_of(const Assembly& assembly);

/// The values that inputs start with.
template <class Inputs>
[[nodiscard]] std::vector<double> starts_of(const Inputs& inputs) {
  std::vector<double> starts;
  starts.reserve(inputs.size());
  for (const auto& input : inputs) starts.push_back(input.start);
  return starts;
}

/// A stepper of one of several models alone, in this process, to be examined. The model must be
/// trusted.
[[nodiscard]] std::unique_ptr<model::Stepper> plant_here(const config::Part& part);
/// The equations of a model at its start, with its parameters and initial states. A model that is
/// not trusted runs in an ordinary process of its own, with `time_to_try` for an answer.
[[nodiscard]] std::unique_ptr<model::System> system_of(const config::Model& model);
inline constexpr Duration time_to_try = 2_s;

/// The equations of all models, connected without steps, delays and rates: for a reference. Error:
/// without its delays they make an algebraic loop.
[[nodiscard]] Result<std::unique_ptr<model::System>> reference_system(const config::Config& config);

}  // namespace hild::plan
