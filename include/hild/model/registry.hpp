// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models by name. A model registers itself with one macro in its one file. Load time only: making
/// systems and steppers allocates.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "hild/model/description.hpp"
#include "hild/model/multirate.hpp"
#include "hild/model/stepper.hpp"

namespace hild::model {

/// How a model is known and made. Each call makes another one, which the caller owns.
struct Registration {
  Description description;  ///< what the model says of itself; its views hold for the process
  /// Its equations alone, for what needs no method.
  std::unique_ptr<System> (*make_system)();
  /// This model under `method`: compiled together with it where the model lists the
  /// method, else the same kernel with the method's tableau read at run time.
  std::unique_ptr<Stepper> (*make)(const numerics::Method& method);
  /// The same by partitions, which have passed check_rates(); null where the model has none.
  std::unique_ptr<Stepper> (*make_multirate)(const Multirate& rates) = nullptr;
};

/// All that are registered, by rising names; valid until another one is.
[[nodiscard]] std::span<const Registration* const> models();
/// The model of this name; null where there is none.
[[nodiscard]] const Registration* find_model(std::string_view name);
/// Adds a model, as HILD_MODEL() does before main(); true always, so that it can initialise a
/// constant. The registration is kept by its address and must live to the end of the process; its
/// name must not be there yet. Not for several threads at once.
bool register_model(const Registration& registration);

}  // namespace hild::model
