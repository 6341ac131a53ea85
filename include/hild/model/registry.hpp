// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models by name. A model registers itself with one macro in its one file.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "hild/model/description.hpp"
#include "hild/model/multirate.hpp"
#include "hild/model/stepper.hpp"

namespace hild::model {

struct Registration {
  Description description;
  std::unique_ptr<System> (*make_system)();
  /// This model under `method`: compiled together with it where the model lists the
  /// method, else the same kernel with the method's tableau read at run time.
  std::unique_ptr<Stepper> (*make)(const numerics::Method& method);
  /// The same by partitions, which have passed check_rates(); null where the model has none.
  std::unique_ptr<Stepper> (*make_multirate)(const Multirate& rates) = nullptr;
};

[[nodiscard]] std::span<const Registration* const> models();
[[nodiscard]] const Registration* find_model(std::string_view name);
bool register_model(const Registration& registration);

}  // namespace hild::model
