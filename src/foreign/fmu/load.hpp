// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loads models from FMUs (Functional Mock-up Units, FMI 2.0 and 3.0). Load time only.
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

/// The settings for an FMU.
struct LoadOptions {
  std::optional<Kind> kind{};  ///< none: model exchange where it is offered
  fmi::Caps caps{};
  /// Makes the Jacobian by differences even where directional derivatives are provided.
  bool differences = false;
  Structure structure{};
  /// The step under co-simulation, in seconds, for an FMU that takes only steps of one length; 0:
  /// all are as long as the first.
  double step = 0;
};

/// The model of an FMU.
struct Model {
  model::Description description;
  Kind kind = Kind::model_exchange;
  /// How its Jacobian is made, and what one costs, by either way where it has two; for model
  /// exchange.
  std::string jacobian;
  double fixed_step = 0;  ///< co-simulation: frames must be whole multiples of it; 0: any will do
  /// Make, each with an instance of its own, its equations, or a stepper under any method. They
  /// throw std::runtime_error where the FMU gives no further instance.
  std::function<std::unique_ptr<model::System>()> make_system;
  std::function<std::unique_ptr<model::Stepper>(const numerics::Method&)> make;
};

/// What is known of an FMU under model exchange only once it has been initialised.
struct Found {
  /// Start and nominal values in the description's order; their texts are not used.
  std::vector<model::State> states;
  std::string jacobian;  ///< as Model::jacobian
};

/// An FMU that is unpacked and whose description has been read. None of its code has run.
struct Unopened {
  std::shared_ptr<const Folder> folder;  ///< removed with its last owner
  std::shared_ptr<NamedLayout> layout;   ///< layout of the description; take() completes it
  Kind kind = Kind::model_exchange;
  double fixed_step = 0;

  [[nodiscard]] const model::Description& description() const noexcept {
    return layout->layout.description;
  }
  /// Completes the description. Error: the number of states differs, or there are values that a
  /// description may not have.
  [[nodiscard]] Result<void> take(const Found& found);
};
/// Unpacks an FMU and reads its description.
[[nodiscard]] Result<Unopened> unpacked(const std::filesystem::path& file,
                                        const LoadOptions& options = {});

/// Does what load() does, in a process of its own, for an FMU that is unpacked already: the folder
/// stays, and its messages go to `said`. Given what was `found` before, it is not initialised once
/// more.
[[nodiscard]] Result<Model> open_unpacked(const std::filesystem::path& folder,
                                          const LoadOptions& options, std::span<std::byte> said,
                                          const Found* found = nullptr);

/// Unpacks, checks and opens an FMU, and initialises it once; it stays loaded as long as the
/// description and the models made of it. The error names the file, what was found and what was
/// expected.
[[nodiscard]] Result<Model> load(const std::filesystem::path& file,
                                 const LoadOptions& options = {});

}  // namespace hild::fmu
