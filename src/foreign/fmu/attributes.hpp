// SPDX-License-Identifier: Apache-2.0
/// \file
/// Attributes of a description as numbers and words, read strictly: what is not wholly one is
/// refused. The error says what was found and what was expected, after the attribute's name.
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "foreign/fmi/instance.hpp"
#include "hild/core/result.hpp"

namespace hild::fmu {

/// A whole number from 0 to 4294967295, such as a value reference; it has to be there.
[[nodiscard]] Result<std::uint32_t> read_whole(const pugi::xml_node& node, const char* key);

/// A number of a type, such as a start value: `true` and `false` of booleans, whole ones of whole
/// types, within what they hold.
[[nodiscard]] Result<double> read_number(std::string_view text, fmi::Type type);
/// The same, with white space between them.
[[nodiscard]] Result<std::vector<double>> read_numbers(std::string_view text, fmi::Type type);

/// The place of an attribute's word in a list; none where there is no such attribute.
[[nodiscard]] Result<std::optional<std::size_t>> read_word(const pugi::xml_node& node,
                                                           const char* key,
                                                           std::span<const std::string_view> words);

}  // namespace hild::fmu
