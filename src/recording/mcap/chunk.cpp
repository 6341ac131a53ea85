// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/chunk.hpp"

#include <algorithm>
#include <cstring>

namespace hild::mcap {
namespace {

constexpr std::size_t message_head = 2 + 4 + 8 + 8;

template <class Number>
char* put(char* place, Number n) {
  std::memcpy(place, &n, sizeof n);
  return place + sizeof n;
}

}  // namespace

void Chunk::clear() {
  records_.clear();
  for (auto& entries : index_) entries.clear();
  start_ = UINT64_MAX;
  end_ = 0;
  messages_ = 0;
}

void Chunk::add(const Message& message) {
  std::byte* const place = add_head(message, message.data.size());
  if (!message.data.empty()) std::memcpy(place, message.data.data(), message.data.size());
}

std::byte* Chunk::add(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_time,
                      std::size_t bytes) {
  return add_head({channel, sequence, log_time, log_time, {}}, bytes);
}

std::byte* Chunk::add_head(const Message& head, std::size_t bytes) {
  const std::size_t at = records_.size();
  if (head.channel >= index_.size()) index_.resize(std::size_t{head.channel} + 1);
  index_[head.channel].push_back({head.log_time, at});
  start_ = std::min(start_, head.log_time);
  end_ = std::max(end_, head.log_time);
  ++messages_;

  records_.resize(at + head_bytes + message_head + bytes);
  char* place = records_.data() + at;
  place = put(place, Opcode::message);
  place = put(place, std::uint64_t{message_head + bytes});
  place = put(place, head.channel);
  place = put(place, head.sequence);
  place = put(place, head.log_time);
  place = put(place, head.publish_time);
  return reinterpret_cast<std::byte*>(place);
}

}  // namespace hild::mcap
