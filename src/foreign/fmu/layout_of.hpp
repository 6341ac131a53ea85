// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes the layout of an FMU: its states, inputs, outputs and parameters by name, and how to reach
/// them.
#pragma once

#include <deque>

#include "foreign/fmi/layout.hpp"
#include "foreign/fmu/description.hpp"

namespace hild::fmu {

/// A layout together with the texts its views point to. Moving it does not move the texts.
struct NamedLayout {
  std::deque<std::string> texts{};
  fmi::Layout layout{};
};

/// Makes the layout. Variables that are not numbers, and parameters whose names exceed 63
/// characters, are left out. Error: a name of another kind that is too long; a state that is not a
/// variable.
[[nodiscard]] Result<NamedLayout> layout_of(const ModelDescription& d, Kind kind);

/// The unit in a form that UDUNITS knows: as written, or in base units, or "1".
[[nodiscard]] std::string unit_of(const ModelDescription& d, const std::string& unit);

}  // namespace hild::fmu
