// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models from FMUs (Functional Mock-up Units, FMI 2.0 and 3.0). Load time only.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fmi/layout.hpp"
#include "fmu/description.hpp"
#include "hild/core/result.hpp"
#include "hild/model/plant.hpp"

namespace hild::fmu {

/// What the configuration says of an FMU.
struct Options {
  std::optional<Kind> kind{};  ///< none: model exchange where it is offered
  fmi::Caps caps{};
  bool differences = false;  ///< for the Jacobian, also where directional derivatives are provided
  Structure structure{};
  /// What a plant under co-simulation is advanced by, in seconds, of an FMU that takes steps of one
  /// length alone; 0: the first is as all.
  double step = 0;
};

struct Model {
  model::Description description;
  Kind kind = Kind::model_exchange;
  /// How its Jacobian is made, and what one takes, by either way where it has two; of model
  /// exchange.
  std::string jacobian;
  double fixed_step = 0;  ///< co-simulation: frames must be whole multiples of it; 0: any will do
  /// A plant with an instance of its own, under any method. Throws std::runtime_error where the
  /// FMU gives no further instance.
  std::function<std::unique_ptr<model::Plant>(const numerics::Method&)> make;
};

/// Unpacks, checks and opens an FMU, and initialises it once: description and plants hold it. The
/// error names the file, what was found and what was expected.
[[nodiscard]] Result<Model> load(const std::filesystem::path& file, const Options& options = {});

}  // namespace hild::fmu
