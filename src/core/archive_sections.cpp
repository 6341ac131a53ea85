// SPDX-License-Identifier: Apache-2.0
#include "core/archive_sections.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hild {

std::vector<ArchiveSection> sections_of(std::span<const std::byte> state) {
  std::vector<ArchiveSection> sections;
  while (!state.empty()) {
    const auto named = std::to_integer<std::size_t>(state[0]);
    std::uint32_t length = 0;
    const std::size_t head = 1 + named + sizeof length;
    if (state.size() < head) break;
    std::memcpy(&length, state.data() + 1 + named, sizeof length);
    if (state.size() - head < length) break;
    sections.push_back(
        {{reinterpret_cast<const char*>(state.data() + 1), named}, state.subspan(head, length)});
    state = state.subspan(head + length);
  }
  return sections;
}

void append(const ArchiveSection& section, std::vector<std::byte>& state) {
  const auto put = [&](const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    state.insert(state.end(), bytes, bytes + size);
  };
  const auto named = static_cast<std::uint8_t>(std::min<std::size_t>(section.name.size(), 255));
  const auto length = static_cast<std::uint32_t>(section.bytes.size());
  put(&named, sizeof named);
  put(section.name.data(), named);
  put(&length, sizeof length);
  put(section.bytes.data(), length);
}

}  // namespace hild
