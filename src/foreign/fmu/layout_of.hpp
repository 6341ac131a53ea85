// SPDX-License-Identifier: Apache-2.0
/// \file
/// What hild offers of an FMU: its states, inputs, outputs and parameters by name, and how to reach
/// them.
#pragma once

#include <deque>

#include "foreign/fmi/layout.hpp"
#include "foreign/fmu/description.hpp"

namespace hild::fmu {

/// A layout with the texts its views point to. Moving keeps them where they are.
struct NamedLayout {
  std::deque<std::string> texts{};
  fmi::Layout layout{};
};

/// Variables that are no numbers, and parameters whose names exceed 63 characters, are left out.
/// Error: a name of another kind that is too long; a state that is no variable.
[[nodiscard]] Result<NamedLayout> layout_of(const ModelDescription& d, Kind kind);

/// A unit as UDUNITS knows it: as written, or in base units, or "1".
[[nodiscard]] std::string unit_of(const ModelDescription& d, const std::string& unit);

}  // namespace hild::fmu
