// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models from FMUs (Functional Mock-up Units, FMI 2.0 and 3.0). Load time only.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "foreign/fmi/layout.hpp"
#include "foreign/fmu/archive.hpp"
#include "foreign/fmu/description.hpp"
#include "foreign/fmu/layout_of.hpp"
#include "hild/core/result.hpp"
#include "hild/model/stepper.hpp"

namespace hild::fmu {

/// What the configuration says of an FMU.
struct LoadOptions {
  std::optional<Kind> kind{};  ///< none: model exchange where it is offered
  fmi::Caps caps{};
  bool differences = false;  ///< for the Jacobian, also where directional derivatives are provided
  Structure structure{};
  /// What it is advanced by under co-simulation, in seconds, of an FMU that takes steps of one
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
  /// With an instance of its own: its equations, and under any method. Throw std::runtime_error
  /// where the FMU gives no further instance.
  std::function<std::unique_ptr<model::System>()> make_system;
  std::function<std::unique_ptr<model::Stepper>(const numerics::Method&)> make;
};

/// What an FMU under model exchange has only once it has run: it starts there, with these sizes.
struct Found {
  std::vector<model::State> states;  ///< in the description's order; their texts are not used
  std::string jacobian;              ///< as Model::jacobian
};

/// An FMU that is unpacked, and whose description has been read. None of its code has run.
struct Unopened {
  std::shared_ptr<const Folder> folder;  ///< goes with the last who holds it
  std::shared_ptr<NamedLayout> layout;   ///< of the description; `take` completes it
  Kind kind = Kind::model_exchange;
  double fixed_step = 0;

  [[nodiscard]] const model::Description& description() const noexcept {
    return layout->layout.description;
  }
  /// Error: not of as many states, or of values that a description may not have.
  [[nodiscard]] Result<void> take(const Found& found);
};
[[nodiscard]] Result<Unopened> unpacked(const std::filesystem::path& file,
                                        const LoadOptions& options = {});

/// The same as load() of an FMU that is unpacked there, for a process of its own: the folder stays,
/// and what it says goes to `said`. With what was `found` before it is not initialised once more.
[[nodiscard]] Result<Model> open_unpacked(const std::filesystem::path& folder,
                                          const LoadOptions& options, std::span<std::byte> said,
                                          const Found* found = nullptr);

/// Unpacks, checks and opens an FMU, and initialises it once: description and models hold it. The
/// error names the file, what was found and what was expected.
[[nodiscard]] Result<Model> load(const std::filesystem::path& file,
                                 const LoadOptions& options = {});

}  // namespace hild::fmu
