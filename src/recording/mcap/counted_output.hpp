// SPDX-License-Identifier: Apache-2.0
/// \file
/// An output with how much was written to it, and the checksum of that.
#pragma once

#include "recording/mcap/file.hpp"

namespace hild::mcap {

class CountedOutput {
 public:
  /// The output outlives this.
  explicit CountedOutput(Output& output) : output_(output) {}

  /// Appends all of the parts, or none.
  [[nodiscard]] Result<void> append(std::span<const std::string_view> parts) {
    if (auto added = output_.append(parts); !added) return added;
    for (const std::string_view part : parts) {
      crc_ = crc32(bytes_of(part), crc_);
      end_ += part.size();
    }
    return {};
  }
  [[nodiscard]] Result<void> append(std::string_view part) { return append({&part, 1}); }

  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  [[nodiscard]] std::uint32_t crc() const noexcept { return crc_; }

 private:
  Output& output_;
  std::uint64_t end_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace hild::mcap
