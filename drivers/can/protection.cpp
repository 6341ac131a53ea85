// SPDX-License-Identifier: Apache-2.0
#include "drivers/can/protection.hpp"

#include "drivers/can/crc.hpp"

namespace hild::can {
namespace {

/// Some bits within a byte.
struct Part {
  unsigned bit;   // the least significant one
  unsigned bits;  // 1 ... 8

  [[nodiscard]] unsigned byte() const noexcept { return bit / 8; }
  [[nodiscard]] unsigned mask() const noexcept { return ((1U << bits) - 1) << bit % 8; }
  [[nodiscard]] bool lies_in(std::size_t bytes) const noexcept {
    return byte() < bytes && bit % 8 + bits <= 8;
  }
  [[nodiscard]] unsigned get(std::span<const std::uint8_t> payload) const noexcept {
    return (payload[byte()] & mask()) >> bit % 8;
  }
  void put(unsigned value, std::span<std::uint8_t> payload) const noexcept {
    std::uint8_t& at = payload[byte()];
    at = static_cast<std::uint8_t>((at & ~mask()) | (value << bit % 8 & mask()));
  }
};

constexpr unsigned nibble = 4;
constexpr unsigned last_of_profile_1 = 14;

/// Judges a counter that came with a right checksum, and keeps it.
Verdict judge(unsigned counter, unsigned last_counter, MostSteps most_steps,
              ReceiveState& state) noexcept {
  if (counter > last_counter) return Verdict::wrong_sequence;  // no sender has it
  const unsigned before = state.counter;
  const bool first = !state.any;
  state = {.counter = static_cast<std::uint8_t>(counter), .any = true};
  if (first) return Verdict::ok;
  const unsigned steps = counter >= before ? counter - before : counter + last_counter + 1 - before;
  if (steps == 0) return Verdict::repeated;
  if (steps == 1) return Verdict::ok;
  return steps <= most_steps ? Verdict::lost : Verdict::wrong_sequence;
}

/// The counter to send. The one behind the last is taken for 0 the next time.
unsigned taken(SendState& state, unsigned last_counter) noexcept {
  const unsigned counter = state.counter > last_counter ? 0 : state.counter;
  state.counter = static_cast<std::uint8_t>(counter + 1);
  return counter;
}

/// All bytes but some.
template <class Sum>
void add_others(Sum& sum, std::span<const std::uint8_t> payload, std::size_t first,
                std::size_t count) noexcept {
  sum.add(payload.first(first)).add(payload.subspan(first + count));
}

}  // namespace

// ---- profile 1 ---------------------------------------------------------------------------------

bool Profile1::fits(std::size_t bytes) const noexcept {
  const Part counter{s_.counter_bit, nibble};
  if (s_.crc_byte >= bytes || !counter.lies_in(bytes) || counter.byte() == s_.crc_byte)
    return false;
  if (s_.mode != IdMode::nibble) return true;
  const Part id{s_.nibble_bit, nibble};
  if (!id.lies_in(bytes) || id.byte() == s_.crc_byte) return false;
  return id.byte() != counter.byte() || (id.mask() & counter.mask()) == 0;
}

std::uint8_t Profile1::crc_of(std::span<const std::uint8_t> payload,
                              unsigned counter) const noexcept {
  const auto low = static_cast<std::uint8_t>(s_.data_id & 0xffU);
  const auto high = static_cast<std::uint8_t>(s_.data_id >> 8U);
  Crc8 sum(0);
  switch (s_.mode) {
    case IdMode::both:
      sum.add(low).add(high);
      break;
    case IdMode::alternate:
      sum.add(counter % 2 == 0 ? low : high);
      break;
    case IdMode::low:
      sum.add(low);
      break;
    case IdMode::nibble:
      sum.add(low).add(std::uint8_t{0});
      break;
  }
  add_others(sum, payload, s_.crc_byte, 1);
  return sum.value();
}

void Profile1::protect(std::span<std::uint8_t> payload, SendState& state) const noexcept {
  const unsigned counter = taken(state, last_of_profile_1);
  Part{s_.counter_bit, nibble}.put(counter, payload);
  if (s_.mode == IdMode::nibble) Part{s_.nibble_bit, nibble}.put(s_.data_id >> 8U & 0xfU, payload);
  payload[s_.crc_byte] = crc_of(payload, counter);
}

Verdict Profile1::check(std::span<const std::uint8_t> payload, ReceiveState& state) const noexcept {
  const unsigned counter = Part{s_.counter_bit, nibble}.get(payload);
  if (payload[s_.crc_byte] != crc_of(payload, counter)) return Verdict::wrong_crc;
  if (s_.mode == IdMode::nibble &&
      Part{s_.nibble_bit, nibble}.get(payload) != (s_.data_id >> 8U & 0xfU)) {
    return Verdict::wrong_crc;
  }
  return judge(counter, last_of_profile_1, s_.most_steps, state);
}

// ---- profile 2 ---------------------------------------------------------------------------------

bool Profile2::fits(std::size_t bytes) const noexcept { return s_.crc_byte + 1U < bytes; }

std::uint8_t Profile2::crc_of(std::span<const std::uint8_t> payload,
                              unsigned counter) const noexcept {
  Crc8H2F sum(0xff);
  add_others(sum, payload, s_.crc_byte, 1);
  return sum.add(s_.data_ids[counter]).inverted();
}

void Profile2::protect(std::span<std::uint8_t> payload, SendState& state) const noexcept {
  state.counter = (state.counter + 1U) & 0xfU;
  payload[s_.crc_byte + 1U] =
      static_cast<std::uint8_t>((payload[s_.crc_byte + 1U] & 0xf0U) | state.counter);
  payload[s_.crc_byte] = crc_of(payload, state.counter);
}

Verdict Profile2::check(std::span<const std::uint8_t> payload, ReceiveState& state) const noexcept {
  const unsigned counter = payload[s_.crc_byte + 1U] & 0xfU;
  if (payload[s_.crc_byte] != crc_of(payload, counter)) return Verdict::wrong_crc;
  return judge(counter, 15, s_.most_steps, state);
}

// ---- profile 5 ---------------------------------------------------------------------------------

bool Profile5::fits(std::size_t bytes) const noexcept { return s_.crc_byte + 2U < bytes; }

std::uint16_t Profile5::crc_of(std::span<const std::uint8_t> payload) const noexcept {
  Crc16 sum(0xffff);
  add_others(sum, payload, s_.crc_byte, 2);
  return sum.add(static_cast<std::uint8_t>(s_.data_id & 0xffU))
      .add(static_cast<std::uint8_t>(s_.data_id >> 8U))
      .value();
}

void Profile5::protect(std::span<std::uint8_t> payload, SendState& state) const noexcept {
  payload[s_.crc_byte + 2U] = state.counter++;
  const std::uint16_t crc = crc_of(payload);
  payload[s_.crc_byte] = static_cast<std::uint8_t>(crc & 0xffU);
  payload[s_.crc_byte + 1U] = static_cast<std::uint8_t>(crc >> 8U);
}

Verdict Profile5::check(std::span<const std::uint8_t> payload, ReceiveState& state) const noexcept {
  const unsigned crc = unsigned{payload[s_.crc_byte]} | unsigned{payload[s_.crc_byte + 1U]} << 8U;
  if (crc != crc_of(payload)) return Verdict::wrong_crc;
  return judge(payload[s_.crc_byte + 2U], 255, s_.most_steps, state);
}

// ---- neither -----------------------------------------------------------------------------------

bool CrcAndCounter::fits(std::size_t bytes) const noexcept {
  if (s_.counter_bits < 1 || s_.counter_bits > 8) return false;
  const Part counter{s_.counter_bit, s_.counter_bits};
  return s_.crc_byte < bytes && counter.lies_in(bytes) && counter.byte() != s_.crc_byte &&
         s_.last_counter < 1U << s_.counter_bits;
}

void CrcAndCounter::protect(std::span<std::uint8_t> payload, SendState& state) const noexcept {
  Part{s_.counter_bit, s_.counter_bits}.put(taken(state, s_.last_counter), payload);
  Crc8 sum(0xff);
  add_others(sum, payload, s_.crc_byte, 1);
  payload[s_.crc_byte] = sum.inverted();
}

Verdict CrcAndCounter::check(std::span<const std::uint8_t> payload,
                             ReceiveState& state) const noexcept {
  Crc8 sum(0xff);
  add_others(sum, payload, s_.crc_byte, 1);
  if (payload[s_.crc_byte] != sum.inverted()) return Verdict::wrong_crc;
  const unsigned counter = Part{s_.counter_bit, s_.counter_bits}.get(payload);
  return judge(counter, s_.last_counter, s_.most_steps, state);
}

}  // namespace hild::can
