// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is sent: the messages that are due, by one system call. Counters go on where the run forks
/// its guard. All memory is there from the start.
#pragma once

#include <sys/socket.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "drivers/can_counts.hpp"
#include "drivers/can_faults.hpp"
#include "drivers/can_message.hpp"
#include "hild/rt/clock.hpp"
#include "hild/rt/shared_memory.hpp"

namespace hild::can {

class Sender {
 public:
  Sender() = default;

  /// Load time. `counts` outlives it. Error: no memory.
  [[nodiscard]] static Result<Sender> make(std::vector<Outgoing> messages, std::size_t outputs,
                                           Counts& counts);

  /// Cycles begin at `zero`. In a process that never calls it, the guard of a run say, all messages
  /// but the silent ones are sent at the first write and where they change.
  void start(MonoTime zero) noexcept;
  /// Takes the outputs, unless there are none, and sends what is due. 0, or the errno of a socket
  /// that is of no more use. Real-time safe.
  [[nodiscard]] int exchange(int socket, rt::Clock& clock,
                             std::span<const double> outputs) noexcept;
  /// Sends what the last write changed, and what the kernel did not take, also where it is not due,
  /// and whatever is wrong with a message. False where the kernel does not take all of it now.
  /// Real-time safe.
  [[nodiscard]] bool flush(int socket, rt::Clock& clock) noexcept;
  /// Real-time safe.
  ///@{
  void set_fault(std::size_t message, Faults::Kind kind, bool there, double value) noexcept {
    State& state = states_[message];
    set(state.wrong, kind, there, value);
    tampered_ = true;
    // Those that wait are of another delay: what is newest takes their place.
    if (kind == Faults::Kind::delayed && state.late.clear()) state.wanted = true;
  }
  void set_bus_off(bool off) noexcept { bus_off_ = off; }
  ///@}
  /// The longest time for which a message goes on once outputs are safe.
  [[nodiscard]] Duration safe_for() const noexcept;
  /// What was sent last, by this process or one forked from it. False while there is an output that
  /// was never sent.
  [[nodiscard]] bool last(std::span<double> outputs) const noexcept;

 private:
  using Payload = std::array<std::uint8_t, buffer_bytes>;
  struct State {
    Frame frame;
    Payload base{};     // constants of what is always in it
    Payload payload{};  // as written last, without counter and checksum
    Payload sent{};     // the same, as sent last
    SendState before{};
    MonoTime next{};
    bool once = false;    // sent by this process, or by its trigger alone
    bool wanted = false;  // asked for by its trigger, or not taken by the kernel
    bool risen = false;   // its trigger
    Wrong wrong{};
    DelayLine late{};
  };
  // One frame to be handed over.
  struct Due {
    std::size_t message;
    bool late;  // out of the delay line
  };
  // Of what both processes have, by message: the counter, and whether it was ever sent; behind them
  // the outputs as sent last.
  [[nodiscard]] std::span<double> counters() const noexcept;
  [[nodiscard]] std::span<double> ever() const noexcept;
  [[nodiscard]] std::span<double> outputs() const noexcept;

  void put_in(std::size_t message) noexcept;
  void look_at_trigger(std::size_t message) noexcept;
  [[nodiscard]] bool is_due(std::size_t message, MonoTime now, bool wrote) const noexcept;
  void make(std::size_t message, const Wrong& wrong) noexcept;
  void prepare(std::size_t message, const Wrong& wrong) noexcept;
  void delay(std::size_t message, MonoTime now) noexcept;
  void prepare_late(std::size_t message, MonoTime now) noexcept;
  void put_in_row(Frame& frame, Due due) noexcept;
  [[nodiscard]] int hand_over(int socket, MonoTime now) noexcept;
  void note_made(std::size_t message, MonoTime now) noexcept;
  void note_unsent(const Due& due) noexcept;
  [[nodiscard]] bool changed(std::size_t message) const noexcept {
    return !states_[message].once || states_[message].payload != states_[message].sent;
  }

  std::vector<Outgoing> messages_;
  std::vector<State> states_;
  std::vector<iovec> bytes_;
  std::vector<mmsghdr> headers_;
  std::vector<std::size_t> triggered_;  // messages that have a trigger
  std::vector<Due> due_;                // as many as headers are in use
  std::vector<double> values_;
  Counts* counts_ = nullptr;
  rt::SharedMemory memory_;
  bool started_ = false;
  bool written_ = false;
  bool bus_off_ = false;
  bool tampered_ = false;               // a message has, or had, something wrong
  std::optional<MonoTime> safe_since_;  // all that was written last has left
};

}  // namespace hild::can
