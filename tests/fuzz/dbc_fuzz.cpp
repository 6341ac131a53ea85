// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes at all, as a DBC file, are read or refused with words; what is read is consistent:
/// every field of it takes any payload, and gives back what it was given.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "drivers/dbc/dbc.hpp"

namespace {

using namespace hild::can;
using Buffer = std::array<std::uint8_t, buffer_bytes>;

void expect(bool holds) {
  if (!holds) std::abort();
}

/// Some payloads: all bits clear, all set, and bytes that all differ.
std::array<Buffer, 3> payloads() {
  std::array<Buffer, 3> made{};
  made[1].fill(0xff);
  for (std::size_t i = 0; i < buffer_bytes; ++i)
    made[2][i] = static_cast<std::uint8_t>(i * 73 + 29);
  return made;
}

void look_at(const Signal& signal, Buffer payload) {
  const Layout& layout = signal.layout;
  const Field field(layout);
  expect(std::isfinite(field.low()) && std::isfinite(field.high()) && field.low() <= field.high());
  const Buffer before = payload;
  const std::uint64_t raw = field.get(payload);
  field.put(raw, payload);
  expect(payload == before);
  const double value = field.decode(payload);
  if (layout.number != Number::integer) {
    field.encode(value, payload);
    return;
  }
  expect(field.low() <= value && value <= field.high());
  const bool within = field.encode(value, payload);
  // What rounding loses is less than a count as long as both parts are some.
  if (layout.length <= 32 && std::abs(layout.offset) < 0x1p18 * std::abs(layout.factor) &&
      std::abs(layout.factor) > 1e-290) {
    expect(within && payload == before);
  }
  for (std::size_t i = 0; i < payload.size() * 8; ++i) {
    const bool changed = ((payload[i / 8] ^ before[i / 8]) >> i % 8 & 1) != 0;
    expect(!changed || (i < most_bytes * 8 && bits_of(layout)[i]));
  }
}

/// No two that are there at once have a bit in common.
void look_at(const Message& message, const Buffer& payload) {
  Bits taken;
  for (const Signal& signal : message.signals) {
    expect(bytes_of(signal.layout) <= static_cast<std::size_t>(message.length));
    look_at(signal, payload);
    if (!presence_of(message, signal).in(payload)) continue;
    const Bits bits = bits_of(signal.layout);
    expect((taken & bits).none());
    taken |= bits;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read =
      read_dbc({reinterpret_cast<const char*>(data), size}, "fuzz.dbc");  // NOLINT: bytes
  if (!read) {
    expect(read.error().message.starts_with("fuzz.dbc:"));
    return 0;
  }
  for (const Message& message : read->messages) {
    expect(message.length >= 0 && message.length <= static_cast<int>(most_bytes));
    expect(read->find(message.name) == &message);
    for (const Buffer& payload : payloads()) look_at(message, payload);
  }
  return 0;
}
