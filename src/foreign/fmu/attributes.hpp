// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads attributes of a description as numbers and words, strictly: a text with anything else in
/// it is refused. The error says what was found and what was expected, after the attribute's name.
#pragma once

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string_view>
#include <vector>

#include "foreign/fmi/instance.hpp"
#include "hild/core/result.hpp"

namespace hild::fmu {

/// Reads a whole number from 0 to 4294967295, such as a value reference; the attribute must be
/// there.
[[nodiscard]] Result<std::uint32_t> read_whole(const pugi::xml_node& node, const char* key);

/// Reads a number of a type, such as a start value: `true` or `false` for booleans, whole numbers
/// within the range of whole types.
[[nodiscard]] Result<double> read_number(std::string_view text, fmi::Type type);
/// Reads several numbers, with white space between them.
[[nodiscard]] Result<std::vector<double>> read_numbers(std::string_view text, fmi::Type type);
/// Reads several whole numbers; none where anything else is among them.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> read_wholes(std::string_view text);

/// The numbers that a whole type holds.
struct WholeRange {
  std::int64_t low;
  std::uint64_t high;
};
/// Precondition: the type is neither real nor boolean.
[[nodiscard]] WholeRange whole_range(fmi::Type type) noexcept;

}  // namespace hild::fmu
