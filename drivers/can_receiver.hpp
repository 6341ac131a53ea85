// SPDX-License-Identifier: Apache-2.0
/// \file
/// What arrives: a bounded read of the socket, of which the newest frame of each message is taken.
/// All memory is there from the start.
#pragma once

#include <span>
#include <vector>

#include "drivers/can_counts.hpp"
#include "drivers/can_faults.hpp"
#include "drivers/can_table.hpp"
#include "drivers/stamped_reads.hpp"
#include "hild/rt/clock.hpp"

namespace hild::can {

/// The identifiers of messages, for the kernel. Load time.
[[nodiscard]] std::vector<can_filter> filters_of(std::span<const Incoming> messages);

class Receiver {
 public:
  Receiver() = default;
  /// Its values are `start` until frames have come, and images are older than anything. `counts`
  /// outlives it.
  Receiver(std::vector<Incoming> messages, std::vector<double> start, std::size_t at_once,
           MonoTime opened, Counts& counts);
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  Receiver(Receiver&&) = default;
  Receiver& operator=(Receiver&&) = default;

  /// Reads what is there, once. 0, or the errno of a socket that is of no more use. Real-time safe.
  [[nodiscard]] int read(int socket, rt::Clock& clock) noexcept;

  /// Of the frames taken last: the values, by input.
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }
  /// When they arrived, by message.
  [[nodiscard]] std::span<const MonoTime> sampled() const noexcept { return sampled_; }
  /// Real-time safe.
  ///@{
  void set_fault(std::size_t message, Faults::Kind kind, bool there, double value) noexcept {
    set(wrong_[message], kind, there, value);
    tampered_ = true;
    if (kind != Faults::Kind::delayed) return;
    waiting_ -= late_[message].size();
    static_cast<void>(late_[message].clear());
  }
  void set_bus_off(bool off) noexcept { bus_off_ = off; }
  ///@}

 private:
  void look_at(std::size_t slot) noexcept;
  void note_error(const Frame& frame) noexcept;
  void arrive(std::size_t message, const Frame& frame, MonoTime arrived) noexcept;
  void delay(std::size_t message, const Frame& frame, MonoTime arrived) noexcept;
  void take_late(MonoTime now) noexcept;
  [[nodiscard]] bool is_right(std::size_t message, const Frame& frame) noexcept;
  [[nodiscard]] bool take(const Incoming& message, const Frame& frame) noexcept;

  std::vector<Incoming> messages_;
  MessageTable table_;
  std::vector<ReceiveState> states_;
  Counts* counts_ = nullptr;
  std::vector<Frame> frames_;
  StampedReads reads_;
  std::vector<double> values_;
  std::vector<double> incoming_;  // of a frame, by part
  std::vector<MonoTime> sampled_;
  std::vector<Wrong> wrong_;
  std::vector<DelayLine> late_;
  std::size_t waiting_ = 0;  // frames in them
  bool bus_off_ = false;
  bool tampered_ = false;  // a message has, or had, something wrong
};

}  // namespace hild::can
