// SPDX-License-Identifier: Apache-2.0
/// \file
/// Zstandard, which MCAP's readers know (RFC 8878).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hild::mcap {

inline constexpr std::string_view zstd_name = "zstd";  ///< in the head of a chunk

/// Keeps its tables from one use to the next.
class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// Into `to`, whatever was there; false where it would not be smaller, or there is no memory for
  /// it. `level`: 1 ... 22 pack ever better, below 0 ever faster.
  [[nodiscard]] bool compress(std::string_view from, int level, std::string& to);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// False where `from` is not exactly `to.size()` bytes compressed. Any bytes may come.
[[nodiscard]] bool expand(std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace hild::mcap
