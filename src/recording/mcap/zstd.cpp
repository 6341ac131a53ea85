// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/zstd.hpp"

namespace hild::mcap {

bool Compressor::compress(std::string_view from, int level, std::string& to) {
  if (!context_ || from.empty()) return false;
  // No room for more than there was: what does not shrink fails.
  to.resize(from.size() - 1);
  const std::size_t n =
      ZSTD_compressCCtx(context_.get(), to.data(), to.size(), from.data(), from.size(), level);
  if (ZSTD_isError(n) != 0) return false;
  to.resize(n);
  return true;
}

bool expand(std::span<const std::byte> from, std::span<std::byte> to) {
  const std::size_t n = ZSTD_decompress(to.data(), to.size(), from.data(), from.size());
  return ZSTD_isError(n) == 0 && n == to.size();
}

}  // namespace hild::mcap
