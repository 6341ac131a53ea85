// SPDX-License-Identifier: Apache-2.0
/// \file
/// A short name kept in place, so that it can live in real-time data without the heap.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace hild {

/// At most 63 characters; longer text is cut (the configuration refuses longer names).
class Name {
 public:
  static constexpr std::size_t capacity = 63;  ///< the most characters, without the 0 at the end

  constexpr Name() noexcept = default;
  /// A copy of the text, cut to `capacity` bytes.
  constexpr Name(std::string_view text) noexcept  // NOLINT: a name is text
      : size_(static_cast<unsigned char>(std::min(text.size(), capacity))) {
    std::copy_n(text.begin(), size_, text_.begin());
  }

  /// The name; lives as long as this object stays where it is.
  [[nodiscard]] constexpr std::string_view view() const noexcept { return {text_.data(), size_}; }
  /// The same with a 0 at its end, for C interfaces.
  [[nodiscard]] constexpr const char* c_str() const noexcept { return text_.data(); }
  /// Whether it is this text, byte by byte; longer text than fits is never equal.
  constexpr bool operator==(std::string_view other) const noexcept { return view() == other; }

 private:
  std::array<char, capacity + 1> text_{};
  unsigned char size_ = 0;
};

}  // namespace hild
