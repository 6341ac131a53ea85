// SPDX-License-Identifier: Apache-2.0
/// \file
/// Compression by Zstandard (RFC 8878), which readers of MCAP support.
#pragma once

#include <zstd.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hild::mcap {

inline constexpr std::string_view zstd_name = "zstd";  ///< its name in the head of a chunk

/// Compresses; keeps its tables from one use to the next.
class Compressor {
 public:
  /// Compresses `from` into `to`, replacing its content; false where it would not be smaller, or
  /// there is no memory for it. `level`: 1 ... 22 pack ever better, below 0 ever faster.
  [[nodiscard]] bool compress(std::string_view from, int level, std::string& to) {
    if (!context_ || from.empty()) return false;
    // No room for more than there was: what does not shrink fails.
    to.resize(from.size() - 1);
    const std::size_t n =
        ZSTD_compressCCtx(context_.get(), to.data(), to.size(), from.data(), from.size(), level);
    if (ZSTD_isError(n) != 0) return false;
    to.resize(n);
    return true;
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> context_{ZSTD_createCCtx()};
};

/// Expands; keeps its tables and its room from one use to the next.
class Expander {
 public:
  /// The `bytes` bytes of which `from` was made, valid until the next call. Nothing where it was
  /// not made of exactly so many, or there is no memory for it; `from` may be anything.
  [[nodiscard]] std::optional<std::span<const std::byte>> expand(std::span<const std::byte> from,
                                                                 std::size_t bytes) {
    if (!context_) return std::nullopt;
    if (room_.size() < bytes) room_.resize(bytes);
    const std::size_t n =
        ZSTD_decompressDCtx(context_.get(), room_.data(), bytes, from.data(), from.size());
    if (ZSTD_isError(n) != 0 || n != bytes) return std::nullopt;
    return std::span(room_).first(bytes);
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
  std::vector<std::byte> room_;
};

}  // namespace hild::mcap
