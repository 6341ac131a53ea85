// SPDX-License-Identifier: Apache-2.0
/// \file
/// Saves state as bytes, loads it again, and measures how many bytes it is at most: by one function
/// of each class for all three, which lists its members once.
///
///     void transfer(Archive& archive) noexcept {
///       archive(x_, started_);                             // numbers, times, arrays of them
///       archive.number(next_, 0, most_passes, "passes");   // a number with limits
///     }
///
/// What is loaded is not believed: each number with limits is checked, and so is every length.
/// With the first thing that does not fit the archive fails, says so, and loads zeros from then on;
/// whoever asked for it discards what was loaded. Real-time safe: nothing is allocated or thrown,
/// and the work is bounded by the size of the state.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hild/core/time.hpp"

namespace hild {

/// Bytes that state is saved to or loaded from; or only a count of them.
class Archive {
 public:
  /// Why an archive failed. The texts are constants, or live as long as what was transferred.
  struct Problem {
    /// What is wrong.
    enum class Kind : std::uint8_t {
      none,          ///< nothing
      cannot,        ///< `what` says why the state cannot be saved
      no_room,       ///< there are fewer bytes than the state takes
      ends_early,    ///< what is loaded has fewer bytes than the state takes
      left_over,     ///< it has more: `found` of them
      out_of_range,  ///< `what` is `found`, and may be `low` to `high`
      unfit,         ///< `what` does not fit the rest
      of_another,    ///< it was saved by something whose `what` is another
      missing,       ///< `what` is not there
    };
    Kind kind = Kind::none;      ///< what is wrong
    const char* what = nullptr;  ///< a few words
    std::int64_t found = 0;      ///< the number found
    std::int64_t low = 0;        ///< the least it may be
    std::int64_t high = 0;       ///< the most it may be
    std::string_view section{};  ///< in which section; empty: in none
    std::size_t at = 0;          ///< which byte of it
  };

  /// Times from here on count as damage: sums of them must stay within 64 bits.
  static constexpr std::int64_t longest_ns = std::int64_t{1} << 60;  // some 36 years

  /// The instant the state is that of, on both clocks: another one of the run's clock is told by
  /// how long after it that is.
  struct Now {
    SimTime time{};   ///< simulated
    MonoTime tick{};  ///< when that is on the run's clock
  };

  /// Counts how many bytes a state is at most: lists are taken to be as long as they may become.
  [[nodiscard]] static Archive measuring() noexcept { return Archive(Mode::measure, {}, {}); }
  /// Saves into `into` the state of `now`.
  [[nodiscard]] static Archive saving(std::span<std::byte> into, const Now& now) noexcept {
    return {Mode::save, into, now};
  }
  /// Loads from `from`, which is not written, the state for `now`.
  [[nodiscard]] static Archive loading(std::span<const std::byte> from, const Now& now) noexcept {
    return {Mode::load, {const_cast<std::byte*>(from.data()), from.size()}, now};
  }

  /// Whether it loads: what follows from the state is then to be put in order.
  [[nodiscard]] bool loads() const noexcept { return mode_ == Mode::load; }
  /// Whether it measures: what varies is to be taken at its largest.
  [[nodiscard]] bool measures() const noexcept { return mode_ == Mode::measure; }
  /// Whether all was well so far.
  [[nodiscard]] bool good() const noexcept { return problem_.kind == Problem::Kind::none; }
  /// What was wrong first.
  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  /// How many bytes were measured, saved or loaded so far.
  [[nodiscard]] std::size_t bytes() const noexcept { return at_; }
  /// How many are left to be loaded, of the section at hand.
  [[nodiscard]] std::size_t left() const noexcept { return end_ - at_; }
  /// The instant the state is that of.
  [[nodiscard]] const Now& now() const noexcept { return now_; }

  /// Transfers each of the values: numbers and flags that may be anything, times, ranges of a fixed
  /// length, and what has a function transfer(Archive&).
  template <class... T>
  void operator()(T&&... values) noexcept {
    (one(values), ...);
  }

  /// Memory of a length that is known.
  void bytes(std::span<std::byte> memory) noexcept {
    if (!memory.empty()) raw(memory.data(), memory.size());
  }
  /// A number that may be from `low` to `high`.
  template <std::integral T>
  void number(T& value, std::type_identity_t<T> low, std::type_identity_t<T> high,
              const char* what) noexcept {
    const std::size_t at = at_;
    raw(value);
    if (!loads() || (value >= low && value <= high)) return;
    fail({.kind = Problem::Kind::out_of_range,
          .what = what,
          .found = narrowed(value),
          .low = narrowed(low),
          .high = narrowed(high)},
         at);
    value = low;
  }
  /// An enumeration, whose last value is `last`.
  template <class E>
  requires std::is_enum_v<E>
  void choice(E& value, E last, const char* what) noexcept {
    auto n = static_cast<std::uint8_t>(value);
    number(n, 0, static_cast<std::uint8_t>(last), what);
    value = static_cast<E>(n);
  }
  /// How many there are: now `count`, at most `most`. When it measures, as many.
  [[nodiscard]] std::size_t size(std::size_t count, std::size_t most, const char* what) noexcept {
    auto n = static_cast<std::uint32_t>(count);
    number(n, 0, static_cast<std::uint32_t>(most), what);
    return measures() ? most : n;
  }
  /// A list of varying length, for which memory is reserved; `each` transfers one of it.
  template <class T, class Each>
  void list(std::vector<T>& all, std::size_t most, const char* what, Each each) noexcept {
    const std::size_t n = size(all.size(), most, what);
    if (loads()) all.resize(std::min(n, all.capacity()));
    T any{};
    for (std::size_t i = 0; i < n && good(); ++i) each(i < all.size() ? all[i] : any);
  }
  /// Of what was loaded: `what` belongs to it and is not there.
  void lack(const char* what) noexcept { fail({.kind = Problem::Kind::missing, .what = what}); }
  /// What must be the same on both sides: `value` stands for it.
  void expect(std::uint64_t value, const char* what) noexcept {
    const std::size_t at = at_;
    std::uint64_t found = value;
    raw(found);
    if (found != value) fail({.kind = Problem::Kind::of_another, .what = what}, at);
  }
  /// The state cannot be saved: `why` in a few words.
  void refuse(const char* why) noexcept { fail({.kind = Problem::Kind::cannot, .what = why}); }
  /// Of what was loaded: `what` must fit the rest.
  void check(bool fits, const char* what) noexcept {
    if (loads() && !fits) fail({.kind = Problem::Kind::unfit, .what = what});
  }

  /// A part with a name of its own, of at most 255 bytes, and a length: what is wrong in it is told
  /// by that name.
  template <class Body>
  void section(std::string_view name, Body&& body) noexcept {
    const Section outer = begin(name);
    body();
    close(outer);
  }
  /// The same of what may be missing: what cannot be saved is left out. Whether it is there.
  template <class Body>
  bool section_if_any(std::string_view name, Body&& body) noexcept {
    if (loads() && name_ahead() != name) return false;
    const bool was_good = good();
    const Section outer = begin(name);
    body();
    const bool there = problem_.kind != Problem::Kind::cannot || !was_good;
    close(outer);
    if (there) return true;
    if (!measures()) at_ = outer.from;
    problem_ = {};
    return false;
  }
  /// The name of the section that is loaded next; empty: there is none.
  [[nodiscard]] std::string_view name_ahead() const noexcept {
    if (left() < 1) return {};
    const auto size = std::to_integer<std::size_t>(memory_[at_]);
    if (left() < 1 + size) return {};
    return {reinterpret_cast<const char*>(memory_ + at_ + 1), size};
  }

 private:
  enum class Mode : std::uint8_t { measure, save, load };
  struct Section {
    std::size_t from;  // where its name begins
    std::size_t body;  // where its content begins
    // Of what is around it:
    std::size_t end;
    std::string_view name;
    std::size_t start;
  };

  // Any pattern of bits is one of its values.
  template <class T>
  static constexpr bool plain = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

  Archive(Mode mode, std::span<std::byte> memory, const Now& now) noexcept
      : memory_(memory.data()),
        end_(mode == Mode::measure ? std::numeric_limits<std::size_t>::max() : memory.size()),
        now_(now),
        mode_(mode) {}

  template <std::integral T>
  static std::int64_t narrowed(T value) noexcept {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
      constexpr auto most = static_cast<T>(std::numeric_limits<std::int64_t>::max());
      return static_cast<std::int64_t>(value > most ? most : value);
    } else {
      return value;
    }
  }

  void fail(const Problem& problem) noexcept { fail(problem, at_); }
  void fail(const Problem& problem, std::size_t at) noexcept {
    if (!good()) return;
    problem_ = problem;
    problem_.section = section_;
    problem_.at = at - start_;
  }

  // Memory of a value, to or from where it is.
  void raw(void* value, std::size_t size) noexcept {
    if (mode_ == Mode::measure) {
      at_ += size;
      return;
    }
    if (!good() || size > end_ - at_) {
      fail({.kind = loads() ? Problem::Kind::ends_early : Problem::Kind::no_room});
      if (loads()) std::memset(value, 0, size);
      return;
    }
    if (loads()) {
      std::memcpy(value, memory_ + at_, size);
    } else {
      std::memcpy(memory_ + at_, value, size);
    }
    at_ += size;
  }
  template <class T>
  void raw(T& value) noexcept {
    raw(&value, sizeof value);
  }

  void time(std::int64_t& ns) noexcept {
    number(ns, -longest_ns, longest_ns, "a time in ns");
    if (!good() && loads()) ns = 0;
  }

  template <class T>
  void one(T& value) noexcept {
    if constexpr (requires { value.transfer(*this); }) {
      value.transfer(*this);
    } else if constexpr (std::is_same_v<T, bool>) {
      auto n = static_cast<std::uint8_t>(value ? 1 : 0);
      number(n, 0, 1, "a flag");
      value = n != 0;
    } else if constexpr (plain<T>) {
      raw(value);
    } else if constexpr (std::is_same_v<T, SimTime> || std::is_same_v<T, Duration>) {
      time(value.ns);
    } else if constexpr (std::is_same_v<T, MonoTime>) {
      std::int64_t after = (value - now_.tick).ns;
      time(after);
      value = now_.tick + Duration{after};
    } else if constexpr (plain<std::ranges::range_value_t<T>>) {
      const std::span values(value);
      bytes(std::as_writable_bytes(values));
    } else {
      for (auto& each : value) one(each);
    }
  }

  [[nodiscard]] Section begin(std::string_view name) noexcept {
    Section outer{at_, 0, end_, section_, start_};
    const bool lacking = loads() && good() && name_ahead() != name;
    section_ = name;
    start_ = at_;
    if (lacking) lack("it");
    std::array<char, 255> text{};
    auto size = static_cast<std::uint8_t>(std::min(name.size(), text.size()));
    std::memcpy(text.data(), name.data(), size);
    raw(size);
    raw(text.data(), loads() ? std::min<std::size_t>(size, name.size()) : size);
    std::uint32_t length = 0;  // known at the end
    raw(length);
    outer.body = start_ = at_;
    if (loads()) {
      if (length > end_ - at_) fail({.kind = Problem::Kind::ends_early});
      if (good()) end_ = at_ + length;
    }
    return outer;
  }

  void close(const Section& outer) noexcept {
    if (loads() && good() && at_ < end_) {
      fail({.kind = Problem::Kind::left_over, .found = static_cast<std::int64_t>(end_ - at_)});
    }
    if (mode_ == Mode::save && good()) {
      const auto length = static_cast<std::uint32_t>(at_ - outer.body);
      std::memcpy(memory_ + outer.body - sizeof length, &length, sizeof length);
    }
    end_ = outer.end;
    section_ = outer.name;
    start_ = outer.start;
  }

  std::byte* memory_;
  std::size_t at_ = 0;
  std::size_t end_;
  Now now_;
  std::string_view section_{};
  std::size_t start_ = 0;  // of the content of the section
  Problem problem_{};
  Mode mode_;
};

}  // namespace hild
