// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is to be wrong with the messages of a bus: for tests of what stands on the other side of
/// it, and of the plant that listens. Real-time safe but for their names.
#pragma once

#include <fmt/format.h>

#include <array>
#include <span>
#include <vector>

#include "drivers/can_message.hpp"
#include "hild/io/device_fault.hpp"

namespace hild::can {

/// What is wrong with a message, be it sent or received.
struct Wrong {
  bool missing = false;  ///< it does not come
  bool crc = false;      ///< its checksum is wrong
  bool counter = false;  ///< its counter stands still
  Duration delay{};      ///< it comes so much later
};

/// Frames on their way that are to come later. All memory is there from the start.
class DelayLine {
 public:
  static constexpr std::size_t most = 32;

  /// False where there is no room: the frame is lost.
  [[nodiscard]] bool push(const Frame& frame, MonoTime out) noexcept {
    if (count_ == most) return false;
    ring_[(first_ + count_++) % most] = {frame, out};
    return true;
  }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool due(MonoTime now) const noexcept {
    return count_ > 0 && ring_[first_].out <= now;
  }
  /// The oldest one, and when it comes out. Precondition: not empty().
  ///@{
  [[nodiscard]] Frame& front() noexcept { return ring_[first_].frame; }
  [[nodiscard]] MonoTime out() const noexcept { return ring_[first_].out; }
  void pop() noexcept {
    first_ = (first_ + 1) % most;
    --count_;
  }
  ///@}
  /// Lets go of all; whether there was any.
  bool clear() noexcept {
    const bool any = count_ > 0;
    count_ = 0;
    return any;
  }

 private:
  struct Slot {
    Frame frame;
    MonoTime out{};
  };
  std::vector<Slot> ring_ = std::vector<Slot>(most);
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

/// The faults of a device: by name, and what each of them is.
class Faults {
 public:
  enum class Kind : std::uint8_t {
    missing,
    delayed,
    wrong_crc,
    wrong_counter,
    // of the bus:
    bus_off,
    error_passive,
    bus_error
  };
  static constexpr std::size_t kinds = 7;
  /// Which fault is which: of the bus, or of the sent or the received messages, in their order.
  struct Place {
    Kind kind = Kind::bus_off;
    bool sent = false;
    std::size_t message = 0;

    [[nodiscard]] bool of_bus() const noexcept { return kind >= Kind::bus_off; }
  };

  /// Load time.
  void add_bus() {
    for (const Kind kind : {Kind::bus_off, Kind::error_passive, Kind::bus_error}) {
      add("", {.kind = kind});
    }
  }
  void add(std::string_view message, bool sent, std::size_t index, bool protected_one) {
    for (const Kind kind : {Kind::missing, Kind::delayed}) add(message, {kind, sent, index});
    if (!protected_one) return;
    for (const Kind kind : {Kind::wrong_crc, Kind::wrong_counter})
      add(message, {kind, sent, index});
  }
  /// To be called when all are added: their names lie where they stay.
  void settle() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      all_[i].name = std::string_view(names_.data(), names_.size())
                         .substr(begins_[i], begins_[i + 1] - begins_[i]);
    }
  }

  [[nodiscard]] std::span<const io::DeviceFault> all() const noexcept { return all_; }
  [[nodiscard]] const Place& operator[](std::size_t fault) const noexcept { return places_[fault]; }

 private:
  struct Words {
    std::string_view name, help, unit;
    io::Interval allowed;
  };
  static constexpr std::array<Words, kinds> words{
      {{"missing", "its frames do not come", "", {0, 0}},
       {"delayed", "its frames come so much later", "s", {1e-6, 10}},
       {"wrong_crc", "its checksum is wrong", "", {0, 0}},
       {"wrong_counter", "its counter stands still", "", {0, 0}},
       {"bus_off", "nothing is sent, and nothing arrives", "", {0, 0}},
       {"error_passive", "the controller tells that it is error-passive", "", {0, 0}},
       {"bus_error", "the controller tells of an error on the bus, once", "", {0, 0}}}};

  void add(std::string_view message, const Place& place) {
    const Words& w = words[static_cast<std::size_t>(place.kind)];
    fmt::format_to(fmt::appender(names_), "{}{}{}", message, message.empty() ? "" : ".", w.name);
    begins_.push_back(names_.size());
    all_.push_back({.name = {}, .help = w.help, .unit = w.unit, .allowed = w.allowed});
    places_.push_back(place);
  }

  fmt::memory_buffer names_;
  std::vector<std::size_t> begins_{0};
  std::vector<io::DeviceFault> all_;
  std::vector<Place> places_;
};

/// Makes one of them, or ends it, in what is wrong with a message.
inline void set(Wrong& wrong, Faults::Kind kind, bool there, double value) noexcept {
  using enum Faults::Kind;
  if (kind == missing) wrong.missing = there;
  if (kind == wrong_crc) wrong.crc = there;
  if (kind == wrong_counter) wrong.counter = there;
  if (kind == delayed) wrong.delay = there ? from_seconds(value) : Duration{};
}

}  // namespace hild::can
