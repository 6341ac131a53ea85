// SPDX-License-Identifier: Apache-2.0
/// \file
/// DDS Security of a node: who it is, who the others have to be, and what it may do, by files that
/// are named as those who use it name them.
/// Source: OMG DDS Security 1.1, 8.3 and 8.4.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::dds {

/// The gateway may have another working folder.
[[nodiscard]] std::string whole_path(std::string_view path);

/// Properties of a participant that finds those files in a folder. Error: one of them is not there,
/// or cannot be read.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> security_properties(
    const std::string& folder);

}  // namespace hild::dds
