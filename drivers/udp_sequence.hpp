// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sequence numbers of packets, which wrap around: what is newer, what comes late or twice, and how
/// many are missing. A sender that begins to count anew is recognized by two numbers in a row, as
/// in RFC 3550, A.1. Real-time safe.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hild::udp {

class Sequence {
 public:
  enum class Order : std::uint8_t {
    newer,      ///< to be taken
    doubled,    ///< the newest again
    reordered,  ///< older than the newest; or so far from it that the next one has to tell
    restarted,  ///< to be taken: the sender counts anew
  };
  struct Verdict {
    Order order;
    std::int64_t missing = 0;  ///< numbers between the newest before and this one
    [[nodiscard]] bool taken() const noexcept {
      return order == Order::newer || order == Order::restarted;
    }
  };

  /// Numbers of so many bits: 8, 16, 32 or 64.
  explicit Sequence(unsigned bits = 32) noexcept
      : mask_(bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1),
        most_ahead_(std::min<std::uint64_t>(mask_ / 2, 1'000'000)),
        most_behind_(std::min<std::uint64_t>(mask_ / 4, 100)) {}

  /// The number of a packet that has come.
  [[nodiscard]] Verdict look(std::uint64_t number) noexcept {
    const std::uint64_t ahead = (number - newest_) & mask_;
    if (!any_ || (ahead > 0 && ahead <= most_ahead_)) {
      const auto missing = any_ ? static_cast<std::int64_t>(ahead - 1) : 0;
      return {take(number, Order::newer), missing};
    }
    if (ahead == 0) return {Order::doubled};
    if (((newest_ - number) & mask_) <= most_behind_) return {Order::reordered};
    if (far_ && number == ((last_far_ + 1) & mask_)) return {take(number, Order::restarted)};
    far_ = true;
    last_far_ = number;
    return {Order::reordered};
  }

 private:
  Order take(std::uint64_t number, Order order) noexcept {
    any_ = true;
    far_ = false;
    newest_ = number;
    return order;
  }

  std::uint64_t mask_;
  std::uint64_t most_ahead_;   // a longer gap is none: the sender counts anew
  std::uint64_t most_behind_;  // nothing comes later than that
  bool any_ = false;
  std::uint64_t newest_ = 0;
  bool far_ = false;
  std::uint64_t last_far_ = 0;
};

}  // namespace hild::udp
