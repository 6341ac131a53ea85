// SPDX-License-Identifier: Apache-2.0
/// \file
/// Signals taken out of the payload of a CAN frame and put into it. What depends on the layout
/// alone is computed when a field is made; then a signal is one load of eight bytes, a shift and a
/// mask, as if it was packed by hand. Fields that touch nine bytes, and integers of more than 53
/// bits, take a longer way. Real-time safe: noexcept and without the heap, but for making a
/// Presence.
///
/// Payloads lie in buffers of buffer_bytes (72): those eight bytes may reach behind the payload. No
/// call looks at the size of its span.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "drivers/can/layout.hpp"

namespace hild::can {

/// One signal of a payload.
class Field {
 public:
  /// The least significant bit of the first byte.
  Field() noexcept : Field(Layout{}) {}
  /// Precondition: the layout lies in 64 bytes (bytes_of() <= most_bytes), has a length of 1 ... 64
  /// (32 and 64 of float32 and float64), and a factor and an offset as Layout wants them.
  explicit Field(const Layout& layout) noexcept
      : factor_(layout.factor),
        offset_(layout.offset),
        mask_(~std::uint64_t{0} >> (64 - layout.length)),
        byte_(static_cast<std::uint16_t>(layout.start / 8)),
        length_(static_cast<std::uint8_t>(layout.length)),
        big_(layout.order == ByteOrder::big_endian),
        kind_(kind_of(layout)) {
    // Bits of the first byte before the signal, as they come in.
    const unsigned before = big_ ? 7 - layout.start % 8U : layout.start % 8U;
    nine_ = before + length_ > 64;
    shift_ = static_cast<std::uint8_t>(big_ && !nine_ ? 64 - before - length_ : before);
    sign_ = layout.is_signed ? std::uint64_t{1} << (length_ - 1) : 0;
    switch (layout.number) {
      case Number::integer:
        // Those of more than 53 bits are rounded here, up to a power of two.
        least_ = -static_cast<double>(sign_);
        most_ = static_cast<double>(mask_ - sign_);
        break;
      case Number::float32:
        most_ = std::numeric_limits<float>::max();
        least_ = -most_;
        break;
      case Number::float64:
        most_ = std::numeric_limits<double>::max();
        least_ = -most_;
        break;
    }
  }

  /// The raw bits, the least significant at the right; a negative integer is not extended.
  [[nodiscard]] std::uint64_t get(std::span<const std::uint8_t> payload) const noexcept {
    if (nine_) [[unlikely]]
      return get_nine(payload.data() + byte_);
    return (load(payload.data() + byte_) >> shift_) & mask_;
  }
  /// Puts raw bits in; those beyond the length are left out, and all others of the payload as they
  /// were.
  void put(std::uint64_t raw, std::span<std::uint8_t> payload) const noexcept {
    std::uint8_t* at = payload.data() + byte_;
    if (nine_) [[unlikely]]
      return put_nine(raw & mask_, at);
    store((load(at) & ~(mask_ << shift_)) | (raw & mask_) << shift_, at);
  }

  /// The physical value of raw bits. Of an integer it is finite where low() and high() are; of a
  /// floating-point number it may be a NaN or an infinity.
  [[nodiscard]] double value_of(std::uint64_t raw) const noexcept {
    return number_of(raw) * factor_ + offset_;
  }
  /// The raw bits of the physical value that is nearest, and whether the value was within what the
  /// bits carry: an integer not by more than half a count beyond its ends. The raw bits of NaN are
  /// 0, and it is not within. An infinity is none that a floating-point field is given.
  [[nodiscard]] std::pair<std::uint64_t, bool> raw_of(double value) const noexcept {
    const double x = (value - offset_) / factor_;
    if (kind_ == Kind::integer) [[likely]] {
      const double not_less = x > least_ ? x : least_;  // one instruction each; least_ for NaN
      const double cut = not_less < most_ ? not_less : most_;
      if (std::isnan(x)) [[unlikely]]
        return {0, false};
      const bool within = std::abs(x - cut) <= 0.5;
      return {static_cast<std::uint64_t>(std::llrint(cut)) & mask_, within};
    }
    return raw_of_others(x);
  }

  /// The physical value in a payload.
  [[nodiscard]] double decode(std::span<const std::uint8_t> payload) const noexcept {
    return value_of(get(payload));
  }
  /// Puts the nearest physical value there is into a payload. False when the value was cut to what
  /// the bits carry, or is NaN, of which raw 0 is put in. A DBC's minimum and maximum cut nothing:
  /// a test bench is to send what is out of them too ("signal not available", a fault); who wants
  /// them asks before.
  bool encode(double value, std::span<std::uint8_t> payload) const noexcept {
    const auto [raw, within] = raw_of(value);
    put(raw, payload);
    return within;
  }

  /// The least and the greatest physical value that the bits carry.
  ///@{
  [[nodiscard]] double low() const noexcept {
    return finite((factor_ < 0 ? most_ : least_) * factor_ + offset_);
  }
  [[nodiscard]] double high() const noexcept {
    return finite((factor_ < 0 ? least_ : most_) * factor_ + offset_);
  }
  ///@}

 private:
  enum class Kind : std::uint8_t {
    integer,  // at most 53 bits: every count is a double
    wide,     // an integer of more
    float32,
    float64,
  };

  static constexpr Kind kind_of(const Layout& layout) noexcept {
    switch (layout.number) {
      case Number::float32:
        return Kind::float32;
      case Number::float64:
        return Kind::float64;
      case Number::integer:
        break;
    }
    return layout.length > 53 ? Kind::wide : Kind::integer;
  }

  static constexpr double finite(double value) noexcept {
    constexpr double most = std::numeric_limits<double>::max();
    return std::clamp(value, -most, most);
  }

  static constexpr std::uint64_t swapped(std::uint64_t word) noexcept {
    return __builtin_bswap64(word);
  }
  [[nodiscard]] bool swaps() const noexcept {
    return big_ == (std::endian::native == std::endian::little);
  }
  [[nodiscard]] std::uint64_t load(const std::uint8_t* at) const noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return swaps() ? swapped(word) : word;
  }
  void store(std::uint64_t word, std::uint8_t* at) const noexcept {
    if (swaps()) word = swapped(word);
    std::memcpy(at, &word, sizeof word);
  }

  // What is rare stays out of the way of what is not.
  // Of nine bytes, shift_ is the number of bits in the first that are not the signal's. The last
  // byte has those that are over.
  [[nodiscard]] unsigned over() const noexcept { return shift_ + length_ - 64U; }
  [[nodiscard]] std::uint64_t get_nine(const std::uint8_t* at) const noexcept {
    const std::uint64_t word = load(at);
    const std::uint64_t last = at[8];
    if (big_) return (word << over() | last >> (8 - over())) & mask_;
    return (word >> shift_ | last << (64 - shift_)) & mask_;
  }
  [[gnu::noinline]] void put_nine(std::uint64_t raw, std::uint8_t* at) const noexcept {
    const std::uint64_t word = load(at);
    const unsigned last = at[8];
    const unsigned lowest = (1U << over()) - 1;  // as many bits as are over
    if (big_) {
      const std::uint64_t kept = ~(~std::uint64_t{0} >> shift_);
      store((word & kept) | raw >> over(), at);
      const unsigned rest = static_cast<unsigned>(raw) & lowest;
      at[8] = static_cast<std::uint8_t>((last & (0xffU >> over())) | rest << (8 - over()));
    } else {
      const std::uint64_t kept = (std::uint64_t{1} << shift_) - 1;
      store((word & kept) | raw << shift_, at);
      const auto rest = static_cast<unsigned>(raw >> (64 - shift_));
      at[8] = static_cast<std::uint8_t>((last & ~lowest) | rest);
    }
  }

  [[nodiscard]] double number_of(std::uint64_t raw) const noexcept {
    // The sign bit's weight is negative.
    const std::uint64_t extended = (raw ^ sign_) - sign_;
    if (kind_ == Kind::integer) [[likely]]
      return static_cast<double>(static_cast<std::int64_t>(extended));
    switch (kind_) {
      case Kind::float32:
        return std::bit_cast<float>(static_cast<std::uint32_t>(raw));
      case Kind::float64:
        return std::bit_cast<double>(raw);
      default:
        return sign_ != 0 ? static_cast<double>(static_cast<std::int64_t>(extended))
                          : static_cast<double>(raw);
    }
  }

  [[nodiscard, gnu::noinline]] std::pair<std::uint64_t, bool> raw_of_others(
      double x) const noexcept {
    if (std::isnan(x)) return {0, false};
    const double cut = std::clamp(x, least_, most_) + 0.0;  // -0, of a negative factor, is 0
    const bool within = cut == x;
    if (kind_ == Kind::float32) {
      return {std::bit_cast<std::uint32_t>(static_cast<float>(cut)), within};
    }
    if (kind_ == Kind::float64) return {std::bit_cast<std::uint64_t>(cut), within};
    // The greatest double may be one more than the greatest count.
    if (cut >= most_) return {mask_ - sign_, within};
    const double count = std::nearbyint(cut);
    const bool near = std::abs(x - cut) <= 0.5;
    if (count < 0) {
      return {static_cast<std::uint64_t>(static_cast<std::int64_t>(count)) & mask_, near};
    }
    return {static_cast<std::uint64_t>(count), near};
  }

  double factor_;
  double offset_;
  double least_ = 0;  // in counts
  double most_ = 0;
  std::uint64_t mask_;
  std::uint64_t sign_ = 0;  // the weight of an integer's sign bit, or 0
  std::uint16_t byte_;
  std::uint8_t shift_ = 0;
  std::uint8_t length_;
  bool big_;
  bool nine_ = false;
  Kind kind_;
};

/// Raw values of a switch from the first to the last.
struct RawRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  ///< not less than the first

  bool operator==(const RawRange&) const noexcept = default;
};

/// Whether a raw value is in one of the ranges.
[[nodiscard]] inline bool present(std::uint64_t raw_switch,
                                  std::span<const RawRange> ranges) noexcept {
  return std::ranges::any_of(ranges, [raw_switch](const RawRange& range) {
    return range.first <= raw_switch && raw_switch <= range.last;
  });
}

/// When a multiplexed signal is in a payload: when its switch has a value that selects it, and the
/// switch is in it itself.
class Presence {
 public:
  /// Adds a switch and the values by which it selects; load time only. Without any the signal is
  /// always there.
  void require(const Field& selecting, std::vector<RawRange> values) {
    conditions_.push_back({selecting, std::move(values)});
  }
  /// Whether the signal is in the payload. Bounded by the number of ranges.
  [[nodiscard]] bool in(std::span<const std::uint8_t> payload) const noexcept {
    return std::ranges::all_of(conditions_, [payload](const Condition& one) {
      return present(one.selecting.get(payload), one.values);
    });
  }
  /// Whether it is in every payload.
  [[nodiscard]] bool always() const noexcept { return conditions_.empty(); }

 private:
  struct Condition {
    Field selecting;
    std::vector<RawRange> values;
  };
  std::vector<Condition> conditions_;
};

}  // namespace hild::can
