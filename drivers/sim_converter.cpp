// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_converter.hpp"

#include <cmath>

namespace hild::sim {
namespace {

// splitmix64: one multiplication chain a number, good enough for noise on a line.
std::uint64_t next_random(std::uint64_t& state) noexcept {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Quantizer::Quantizer(io::Interval range, int bits) noexcept
    : range_(range),
      step_(bits == 0 ? 0 : (range.high - range.low) / (std::exp2(bits) - 1)),
      top_(bits == 0 ? 0 : static_cast<std::uint32_t>(std::exp2(bits) - 1)) {}

double Noise::next() noexcept {
  // Twelve 16-bit numbers: mean 12 * 65535 / 2, variance 65536^2 - 1.
  std::int64_t sum = 0;
  for (int draw = 0; draw < 3; ++draw) {
    const std::uint64_t r = next_random(state_);
    for (int shift = 0; shift < 64; shift += 16) {
      sum += static_cast<std::int64_t>((r >> shift) & 0xffff);
    }
  }
  return static_cast<double>(sum - 6 * 65535) / 65536;
}

Line read_line(io::Options& entry) {
  const int channel = static_cast<int>(entry.integer("channel", 0, highest_channel));
  if (entry.boolean("digital", false)) return {channel, true, Quantizer({0, 1}, 1)};
  const io::Interval range = entry.interval("range", "V", io::Interval{-10, 10});
  const auto bits = static_cast<int>(entry.integer("resolution", 0, 32, 16));
  return {channel, false, Quantizer(range, bits)};
}

io::Channel describe(const Line& line, std::string_view kind) {
  return {.range = line.quantizer.range(),
          .digital = line.digital,
          .resolution = line.quantizer.step(),
          .counted = line.quantizer.step() > 0,
          .where = Name(fmt::format("{} channel {}", kind, line.channel))};
}

}  // namespace hild::sim
