// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace hild::config {

/// Offset of the first byte that does not belong to printable UTF-8 text (control characters other
/// than tab and line ends count as binary); the size of the text when there is none.
[[nodiscard]] std::size_t first_bad_byte(std::string_view text) noexcept;

}  // namespace hild::config
