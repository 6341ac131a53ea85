// SPDX-License-Identifier: Apache-2.0
/// \file
/// The CRC-32 of MCAP, that of zlib and Ethernet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hild::mcap {

/// Of what gave `before` (0: nothing), followed by these bytes.
[[nodiscard]] std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace hild::mcap
