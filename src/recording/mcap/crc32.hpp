// SPDX-License-Identifier: Apache-2.0
/// \file
/// The CRC-32 of MCAP, that of zlib and Ethernet.
#pragma once

#include <libdeflate.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace hild::mcap {

/// The CRC-32 of these bytes, or of earlier bytes followed by these, where `before` is the CRC-32
/// of the earlier ones.
[[nodiscard]] inline std::uint32_t crc32(std::span<const std::byte> bytes,
                                         std::uint32_t before = 0) {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

}  // namespace hild::mcap
