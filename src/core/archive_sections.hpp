// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sections of a state that was saved, taken apart and put together without who saved them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace hild {

/// A section as Archive::section() writes it: a length and a name, a length and the bytes.
struct ArchiveSection {
  std::string_view name;
  std::span<const std::byte> bytes;
};
/// Those of a state, up to the first that is not whole; views of it.
[[nodiscard]] std::vector<ArchiveSection> sections_of(std::span<const std::byte> state);
/// Adds a section behind those of a state.
void append(const ArchiveSection& section, std::vector<std::byte>& state);

}  // namespace hild
