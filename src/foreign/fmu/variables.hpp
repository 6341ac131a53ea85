// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads ModelVariables of a description.
#pragma once

#include <pugixml.hpp>

#include "foreign/fmu/description.hpp"

namespace hild::fmu {

[[nodiscard]] Result<std::vector<Variable>> read_variables(const pugi::xml_node& root, int version,
                                                           const Structure& structure);

}  // namespace hild::fmu
