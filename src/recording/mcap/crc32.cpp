// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/crc32.hpp"

#include <libdeflate.h>

namespace hild::mcap {

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

}  // namespace hild::mcap
