// SPDX-License-Identifier: Apache-2.0
/// \file
/// A chunk being filled with messages. It is reused: once it has grown to its size, filling it
/// allocates nothing.
#pragma once

#include <vector>

#include "recording/mcap/format.hpp"

namespace hild::mcap {

class Chunk {
 public:
  struct Entry {
    std::uint64_t log_time;
    std::uint64_t offset;  ///< of the message within the chunk
  };

  void reserve(std::size_t bytes) { records_.reserve(bytes); }
  void clear();

  void add(const Message& message);
  /// Adds the head of a message and returns the place of its `bytes` of data, to be filled before
  /// anything else is added.
  [[nodiscard]] std::byte* add(const Message& head, std::size_t bytes);
  [[nodiscard]] std::byte* add(std::uint16_t channel, std::uint32_t sequence,
                               std::uint64_t log_time, std::size_t bytes) {
    return add({channel, sequence, log_time, log_time, {}}, bytes);
  }

  [[nodiscard]] bool empty() const noexcept { return records_.empty(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return records_.size(); }
  [[nodiscard]] std::uint64_t start() const noexcept { return messages_ > 0 ? start_ : 0; }
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
  [[nodiscard]] std::string_view records() const noexcept { return records_; }
  /// The messages of each channel, by channel id; most are empty.
  [[nodiscard]] const std::vector<std::vector<Entry>>& index() const noexcept { return index_; }

 private:
  std::string records_;
  std::vector<std::vector<Entry>> index_;
  std::uint64_t start_ = UINT64_MAX;
  std::uint64_t end_ = 0;
  std::uint64_t messages_ = 0;
};

}  // namespace hild::mcap
