// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes that come in a packet are taken apart within their bounds: of another length than the
/// layout's they give nothing, and what they give is finite, within its range, and the same once it
/// was written and read again. The bytes are a text of an address, too, and numbers of a sequence.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "drivers/udp_address.hpp"
#include "drivers/udp_packet.hpp"
#include "drivers/udp_sequence.hpp"

namespace {

using namespace hild::udp;

void expect(bool holds) {
  if (!holds) std::abort();
}

/// Every type, one behind the other, in both byte orders; bits of one byte; and at the end the
/// number and the time.
Packet layout() {
  constexpr std::array types{Type::u8,  Type::i8,  Type::u16, Type::i16, Type::u32,    Type::i32,
                             Type::u64, Type::i64, Type::f32, Type::f64, Type::boolean};
  std::size_t length = 0;
  std::vector<Field> fields;
  for (const bool big : {false, true}) {
    for (const Type type : types) {
      fields.push_back({.at = length, .type = type, .big = big});
      length += size_of(type);
    }
  }
  for (unsigned bit = 0; bit < 8; ++bit) {
    fields.push_back({.at = length, .type = Type::bit, .bit = bit});
  }
  ++length;
  // 12 bytes more: u32 and f64.
  Packet packet(length + 12);
  for (const Field& field : fields) expect(packet.place_value(field).has_value());
  expect(packet.place_sequence({.at = length, .type = Type::u32}).has_value());
  expect(packet.place_time({.at = length + 4, .type = Type::f64}).has_value());
  expect(!packet.place_value({.at = length + 11, .type = Type::u8}).has_value());
  return packet;
}

void take_apart(std::span<const std::byte> bytes) {
  static const Packet packet = layout();
  std::vector<double> values(packet.values());
  const bool whole = packet.read(bytes, values);
  expect(packet.sequence(bytes).has_value() == (bytes.size() == packet.length()));
  (void)packet.time(bytes);
  if (!whole) return;
  expect(bytes.size() == packet.length());
  for (const double value : values) expect(std::isfinite(value));
  std::vector<std::byte> again(packet.length());
  std::vector<double> same(values.size());
  packet.write(values, again);
  expect(packet.read(again, values));
  packet.write(values, again);
  expect(packet.read(again, same));
  expect(same == values);
}

void count(std::span<const std::byte> bytes) {
  Sequence sequence(16);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint16_t number = 0;
    std::memcpy(&number, bytes.data() + i, sizeof number);
    const Sequence::Verdict verdict = sequence.look(number);
    expect(verdict.missing >= 0 && verdict.missing < 32768);
    expect(sequence.look(number).order == Sequence::Order::doubled || !verdict.taken());
  }
}

void parse(std::string_view text) {
  for (const Without without : {Without::nothing, Without::host, Without::port}) {
    const auto address = parse_address(text, without);
    if (!address) continue;
    const auto again = parse_address(address->words().view(), without);
    expect(again.has_value() && again->words() == address->words().view());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  take_apart(bytes);
  count(bytes);
  parse({reinterpret_cast<const char*>(data), size});
  return 0;
}
