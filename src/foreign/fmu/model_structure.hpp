// SPDX-License-Identifier: Apache-2.0
/// \file
/// ModelStructure of a description: states, their derivatives, event indicators, and who depends on
/// whom.
#pragma once

#include <pugixml.hpp>

#include "foreign/fmu/description.hpp"

namespace hild::fmu {

/// Into a description that has its variables.
[[nodiscard]] Result<void> read_structure(const pugi::xml_node& root, ModelDescription& d);

}  // namespace hild::fmu
