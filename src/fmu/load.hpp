// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models from FMUs (Functional Mock-up Units, FMI 2.0 and 3.0). Load time only.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "fmu/description.hpp"
#include "hild/core/result.hpp"
#include "hild/model/plant.hpp"

namespace hild::fmu {

struct Model {
  model::Description description;
  Kind kind = Kind::model_exchange;
  double fixed_step = 0;  ///< co-simulation: frames must be whole multiples of it; 0: any will do
  /// A plant with an instance of its own, under any method. Throws std::runtime_error where the
  /// FMU gives no further instance.
  std::function<std::unique_ptr<model::Plant>(const numerics::Method&)> make;
};

/// Unpacks, checks and opens an FMU, and initialises it once: description and plants hold it. The
/// error names the file, what was found and what was expected. Without a kind, model exchange where
/// it is offered.
[[nodiscard]] Result<Model> load(const std::filesystem::path& file, std::optional<Kind> kind = {});

}  // namespace hild::fmu
