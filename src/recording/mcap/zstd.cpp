// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/zstd.hpp"

#include <zstd.h>

namespace hild::mcap {

struct Compressor::Context {
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  ~Context() { ZSTD_freeCCtx(zstd); }
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

Compressor::Compressor() : context_(std::make_unique<Context>()) {}
Compressor::~Compressor() = default;

bool Compressor::compress(std::string_view from, int level, std::string& to) {
  if (context_->zstd == nullptr || from.empty()) return false;
  // No room for more than there was: what does not shrink fails.
  to.resize(from.size() - 1);
  const std::size_t n =
      ZSTD_compressCCtx(context_->zstd, to.data(), to.size(), from.data(), from.size(), level);
  if (ZSTD_isError(n) != 0) return false;
  to.resize(n);
  return true;
}

bool expand(std::span<const std::byte> from, std::span<std::byte> to) {
  const std::size_t n = ZSTD_decompress(to.data(), to.size(), from.data(), from.size());
  return ZSTD_isError(n) == 0 && n == to.size();
}

}  // namespace hild::mcap
