// SPDX-License-Identifier: Apache-2.0
/// \file
/// A text that only grows, kept in pieces that are never moved. It takes the memory of its content
/// and of at most one piece more, where a string takes three times as much while it doubles; where
/// memory is locked, none of that would be given back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hild::mcap {

class Pieces {
 public:
  static constexpr std::size_t piece = 64 * 1024;

  /// Appends a record. It lies in one piece, which is larger than `piece` where it has to be.
  void add(std::string_view record) {
    if (pieces_.empty() || pieces_.back().size() + record.size() > pieces_.back().capacity()) {
      pieces_.emplace_back().reserve(std::max(piece, record.size()));
    }
    pieces_.back() += record;
    size_ += record.size();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<std::string>& all() const noexcept { return pieces_; }

 private:
  std::vector<std::string> pieces_;
  std::size_t size_ = 0;
};

}  // namespace hild::mcap
