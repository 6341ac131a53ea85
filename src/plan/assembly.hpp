// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a configuration describes, put together: the plant, the bus with its devices, and what the
/// frame loop needs to know of their signals.
#pragma once

#include <memory>

#include "config/config.hpp"
#include "exec/frame_loop.hpp"
#include "hild/core/result.hpp"

namespace hild::plan {

struct Assembly {
  config::Config config;  ///< its devices and signals have moved into the bus
  const numerics::Method* method;
  std::unique_ptr<model::Plant> plant;
  std::unique_ptr<io::Bus> bus;

  /// What the loop works with; `sampler` is the bus, or stands in for it, as `other` does for the
  /// plant.
  [[nodiscard]] exec::Parts parts(rt::Clock& clock, io::Sampler& sampler,
                                  exec::ExternalEvents& events, rt::SlotRing& records) const {
    return parts(clock, sampler, *plant, events, records);
  }
  [[nodiscard]] exec::Parts parts(rt::Clock& clock, io::Sampler& sampler, model::Plant& other,
                                  exec::ExternalEvents& events, rt::SlotRing& records) const;
  /// The plant in this process, of models that are all trusted: to be examined.
  [[nodiscard]] std::unique_ptr<model::Plant> plant_here() const;
  /// One to be tried before the run, where the model has its process: see plant_to_try().
  [[nodiscard]] std::unique_ptr<model::Plant> plant_to_try() const;
  /// A second plant of the same kind, to be rehearsed.
  [[nodiscard]] std::unique_ptr<model::Plant> another_plant() const;
  /// One of the same model under another method, or by partitions, which the model has.
  [[nodiscard]] std::unique_ptr<model::Plant> another_plant(const numerics::Method& other) const;
  [[nodiscard]] std::unique_ptr<model::Plant> another_plant(const model::Multirate& rates) const;
};

[[nodiscard]] Assembly assemble(config::Config config);

/// One of several models, by itself and in this process, which is trusted: to be examined.
[[nodiscard]] std::unique_ptr<model::Plant> plant_here(const config::Part& part);
/// One of several models, to be tried by itself before the run. One that is not trusted is in an
/// ordinary process of its own, with `time_to_try` for all answers.
[[nodiscard]] std::unique_ptr<model::Plant> plant_to_try(const config::Part& part);
inline constexpr Duration time_to_try = 2_s;

/// The model alone, or the models connected without steps, delays and rates: for a reference.
/// Error: without its delays they make an algebraic loop.
[[nodiscard]] Result<std::unique_ptr<model::Plant>> reference_plant(const config::Config& config);

}  // namespace hild::plan
