// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads ModelStructure of a description: states, their derivatives, event indicators, and their
/// dependencies.
#pragma once

#include <pugixml.hpp>

#include "foreign/fmu/description.hpp"

namespace hild::fmu {

/// Reads it into a description whose variables have been read.
[[nodiscard]] Result<void> read_structure(const pugi::xml_node& root, ModelDescription& d);

}  // namespace hild::fmu
