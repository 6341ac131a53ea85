// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/chunk.hpp"

#include <algorithm>

#include "recording/mcap/fields.hpp"

namespace hild::mcap {

void Chunk::clear() {
  records_.clear();
  for (auto& entries : index_) entries.clear();
  start_ = UINT64_MAX;
  end_ = 0;
  messages_ = 0;
}

void Chunk::add(const Message& message) {
  std::ranges::copy(message.data, add(message, message.data.size()));
}

std::byte* Chunk::add(const Message& head, std::size_t bytes) {
  if (head.channel >= index_.size()) index_.resize(std::size_t{head.channel} + 1);
  index_[head.channel].push_back({head.log_time, records_.size()});
  start_ = std::min(start_, head.log_time);
  end_ = std::max(end_, head.log_time);
  ++messages_;

  Encoder(records_).begin_record(Opcode::message, bytes, head.channel, head.sequence, head.log_time,
                                 head.publish_time);
  const std::size_t data = records_.size();
  records_.resize(data + bytes);
  return reinterpret_cast<std::byte*>(records_.data() + data);
}

}  // namespace hild::mcap
