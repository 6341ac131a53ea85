// SPDX-License-Identifier: Apache-2.0
/// \file
/// A chunk being filled with messages. It is reused: once it has grown to its size, filling it
/// allocates nothing.
#pragma once

#include <algorithm>
#include <vector>

#include "recording/mcap/fields.hpp"

namespace hild::mcap {

class Chunk {
 public:
  struct Entry {
    std::uint64_t log_time;
    std::uint64_t offset;  ///< of the message within the chunk
  };

  void reserve(std::size_t bytes) { records_.reserve(bytes); }
  void clear() {
    records_.clear();
    for (auto& entries : index_) entries.clear();
    start_ = UINT64_MAX;
    end_ = 0;
    messages_ = 0;
  }

  void add(const Message& message) {
    std::ranges::copy(message.data, add(message, message.data.size()));
  }
  /// Adds the head of a message and returns the place of its `bytes` of data, to be filled before
  /// anything else is added.
  [[nodiscard]] std::byte* add(const Message& head, std::size_t bytes) {
    if (head.channel >= index_.size()) index_.resize(std::size_t{head.channel} + 1);
    index_[head.channel].push_back({head.log_time, records_.size()});
    start_ = std::min(start_, head.log_time);
    end_ = std::max(end_, head.log_time);
    ++messages_;

    Encoder(records_).begin_record(Opcode::message, bytes, head.channel, head.sequence,
                                   head.log_time, head.publish_time);
    const std::size_t data = records_.size();
    records_.resize(data + bytes);
    return reinterpret_cast<std::byte*>(records_.data() + data);
  }
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
