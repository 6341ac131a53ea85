// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models what a converter does to a voltage: range, resolution, noise. A digital line is a
/// converter of one bit over 0 ... 1. Real-time safe after construction.
#pragma once

#include <cstdint>

#include "hild/io/device.hpp"

namespace hild::sim {

/// Cuts to the range and rounds to the nearest of 2^bits levels, both ends of the range included
/// (the coding of the real cards). 0 bits: an ideal converter that only cuts.
class Quantizer {
 public:
  Quantizer(io::Interval range, int bits) noexcept;
  [[nodiscard]] double operator()(double value) const noexcept {
    std::uint32_t count = 0;
    return (*this)(value, count);
  }
  /// Also returns the level in `count`, from 0 at the low end; an ideal converter has no levels,
  /// and `count` is 0.
  [[nodiscard]] double operator()(double value, std::uint32_t& count) const noexcept {
    count = 0;
    if (!(value > range_.low)) return range_.low;  // a NaN comes out here too
    count = top_;
    if (value >= range_.high) return range_.high;
    if (top_ == 0) return value;
    // Not negative here. NOLINTNEXTLINE(bugprone-incorrect-roundings)
    count = static_cast<std::uint32_t>((value - range_.low) / step_ + 0.5);
    return range_.low + step_ * count;
  }
  [[nodiscard]] io::Interval range() const noexcept { return range_; }
  [[nodiscard]] double step() const noexcept { return step_; }

 private:
  io::Interval range_;
  double step_;
  std::uint32_t top_;  // the highest level
};

/// Gaussian noise of rms 1, bounded in cost and size: the sum of twelve uniform numbers (within
/// +-6). It uses only integers and one division by a power of two, so that the bits are the same on
/// every machine.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) noexcept : state_(seed) {}
  [[nodiscard]] double next() noexcept;

 private:
  std::uint64_t state_;
};

/// The highest number of a channel: what is kept of the D/A lines reaches up to the last in use.
inline constexpr int highest_channel = 65'535;

/// The keys a converter line has in both directions: `digital`, or `range` and `resolution`.
struct Line {
  int channel;
  bool digital;
  Quantizer quantizer;
};
[[nodiscard]] Line read_line(io::Options& entry);

/// The line as the rest of hild sees it; `kind` is "A/D" or "D/A".
[[nodiscard]] io::Channel describe(const Line& line, std::string_view kind);

}  // namespace hild::sim
