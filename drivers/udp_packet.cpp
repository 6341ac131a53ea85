// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_packet.hpp"

#include <algorithm>
#include <cmath>

namespace hild::udp {

Name where(const Field& field) {
  if (field.type == Type::bit) return Name(fmt::format("byte {} bit {}", field.at, field.bit));
  const std::size_t size = size_of(field.type);
  if (size == 1) return Name(fmt::format("byte {} ({})", field.at, to_string(field.type)));
  return Name(
      fmt::format("bytes {}..{} ({})", field.at, field.at + size - 1, to_string(field.type)));
}

Result<void> Packet::place(const Field& field, std::string_view what) {
  Place mine{.first = 8 * field.at, .end = 8 * (field.at + size_of(field.type)), .words = {}};
  if (field.type == Type::bit) mine.first += field.bit, mine.end = mine.first + 1;
  mine.words = Name(what.empty() ? fmt::format("{}", where(field).view())
                                 : fmt::format("{}, {}", where(field).view(), what));
  if (mine.end > 8 * length_) {
    return fail("found {}, expected a place within the {} bytes of the packet (`length`)",
                mine.words.view(), length_);
  }
  const auto used = std::ranges::find_if(places_, [&](const Place& other) {
    return mine.first < other.end && other.first < mine.end;
  });
  if (used != places_.end()) {
    return fail("found {}, which overlaps {}; expected bytes that nothing else uses",
                mine.words.view(), used->words.view());
  }
  places_.push_back(mine);
  return {};
}

Result<void> Packet::place_sequence(const Field& field) {
  sequence_ = field;
  return place(field, "the sequence number");
}

Result<void> Packet::place_time(const Field& field) {
  time_ = field;
  return place(field, "the time");
}

Result<void> Packet::place_value(const Field& field) {
  if (auto placed = place(field, {}); !placed) return placed;
  values_.push_back(field);
  return {};
}

bool Packet::read(std::span<const std::byte> packet, std::span<double> values) const noexcept {
  if (packet.size() != length_ || values.size() != values_.size()) return false;
  bool finite = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Field& field = values_[i];
    const double value = udp::read(field, packet.data());
    finite = finite && std::isfinite(value);
    values[i] = std::min(std::max(value, field.range.low), field.range.high);
  }
  return finite;
}

void Packet::write(std::span<const double> values, std::span<std::byte> packet) const noexcept {
  if (packet.size() != length_) return;
  const std::size_t count = std::min(values.size(), values_.size());
  for (std::size_t i = 0; i < count; ++i) udp::write(values_[i], values[i], packet.data());
}

std::optional<std::uint64_t> Packet::sequence(std::span<const std::byte> packet) const noexcept {
  if (!sequence_ || packet.size() != length_) return {};
  return read_number(*sequence_, packet.data());
}

std::optional<double> Packet::time(std::span<const std::byte> packet) const noexcept {
  if (!time_ || packet.size() != length_) return {};
  return udp::read(*time_, packet.data());
}

void Packet::stamp(std::uint64_t sequence, double time,
                   std::span<std::byte> packet) const noexcept {
  if (packet.size() != length_) return;
  if (sequence_) write_number(*sequence_, sequence, packet.data());
  if (time_) udp::write(*time_, time, packet.data());
}

}  // namespace hild::udp
