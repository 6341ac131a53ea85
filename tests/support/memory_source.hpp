// SPDX-License-Identifier: Apache-2.0
/// \file
/// An MCAP file in memory.
#pragma once

#include <cstring>
#include <string_view>

#include "recording/mcap/file.hpp"

namespace hild::mcap {

/// Reads bytes in memory, which outlive it.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
  Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) override {
    if (offset > bytes_.size() || bytes.size() > bytes_.size() - offset) {
      return fail(ExitCode::fault, "cannot read at byte {}", offset);
    }
    if (!bytes.empty()) std::memcpy(bytes.data(), bytes_.data() + offset, bytes.size());
    return {};
  }

 private:
  std::string_view bytes_;
};

}  // namespace hild::mcap
