// SPDX-License-Identifier: Apache-2.0
/// \file
/// A histogram of durations of a whole run in constant memory. Its buckets are a thirty-second of
/// an octave wide, so that a quantile is right within 3 %. One writer, any number of readers
/// meanwhile. Real-time safe.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hild/core/time.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::exec {

class Histogram {
 public:
  /// Negative durations count as 0.
  void add(Duration d) noexcept {
    const std::int64_t ns = d.ns;
    if (ns <= 0) return buckets_[0].add();  // phases that most frames do not have
    buckets_[index(ns)].add();
    sum_.add(ns);
    if (ns > max_.get()) max_.set(ns);
    if (ns < min_.get()) min_.set(ns);
  }

  /// Reads all buckets.
  [[nodiscard]] std::int64_t count() const noexcept;
  [[nodiscard]] Duration sum() const noexcept { return {sum_.get()}; }
  [[nodiscard]] Duration max() const noexcept { return {max_.get()}; }
  [[nodiscard]] Duration min() const noexcept;
  [[nodiscard]] Duration mean() const noexcept;
  /// The duration that a share q (0 ... 1) of all do not exceed. Reads all buckets.
  [[nodiscard]] Duration quantile(double q) const noexcept;

  /// For plots: counts of durations in [low, high).
  [[nodiscard]] std::int64_t between(Duration low, Duration high) const noexcept;

 private:
  static constexpr int fine_bits = 5;
  static constexpr std::size_t fine = 1U << fine_bits;
  static constexpr int octaves = 40;  // 2^40 ns, 18 minutes: longer ones fall into the last bucket
  static constexpr std::size_t size = 1 + fine * octaves;

  /// The bucket of a duration. A double is an exponent followed by the fraction of an octave: its
  /// leading bits, counted from those of 1, are the bucket. Bucket 0 is that of 0.
  static constexpr std::size_t index(std::int64_t ns) noexcept {
    constexpr int dropped = std::numeric_limits<double>::digits - 1 - fine_bits;
    constexpr auto leading = [](double x) { return std::bit_cast<std::uint64_t>(x) >> dropped; };
    const std::size_t at = 1 + leading(static_cast<double>(ns)) - leading(1.0);
    return ns <= 0 ? 0 : at < size ? at : size - 1;
  }
  /// The largest duration of a bucket.
  static constexpr std::int64_t upper(std::size_t index) noexcept {
    if (index == 0) return 0;
    const auto octave = static_cast<int>((index - 1) / fine);
    const std::size_t next = (fine + (index - 1) % fine + 1) << octave;  // in 1/fine ns
    return static_cast<std::int64_t>((next + fine - 1) / fine) - 1;
  }

  std::array<rt::Counter, size> buckets_{};
  rt::Counter sum_;
  rt::Counter max_;
  rt::Counter min_{INT64_MAX};
};

}  // namespace hild::exec
