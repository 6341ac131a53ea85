// SPDX-License-Identifier: Apache-2.0
/// \file
/// A bus to look at: all that comes, by a socket of its own, taken apart as the DBC file says.
/// Never in a run; allocates and waits.
#pragma once

#include <fmt/format.h>

#include <vector>

#include "drivers/can_setup.hpp"
#include "drivers/can_table.hpp"
#include "drivers/stamped_reads.hpp"
#include "hild/core/descriptor.hpp"
#include "hild/io/listener.hpp"
#include "hild/rt/clock.hpp"

namespace hild::can {

class CanListener final : public io::Listener {
 public:
  /// The socket is one of open_socket() that takes all identifiers. `setup` and `clock` outlive it.
  CanListener(const Setup& setup, Descriptor socket, rt::Clock& clock);

  Result<std::optional<io::Heard>> hear(MonoTime until) override;

 private:
  [[nodiscard]] int read() noexcept;
  [[nodiscard]] bool wait(MonoTime until) const noexcept;
  [[nodiscard]] std::optional<io::Heard> look_at(std::size_t slot);
  void name(const Frame& frame, io::Heard& heard);
  void take_apart(std::size_t message, const Frame& frame, std::size_t length);
  void check(std::size_t message, const Frame& frame);
  void tell_error(const Frame& frame);
  template <class... Args>
  void remark(fmt::format_string<Args...> format, Args&&... args);

  const Setup& setup_;
  Descriptor socket_;
  rt::Clock& clock_;
  std::vector<Incoming> messages_;  // by message of the file
  MessageTable table_;
  std::vector<ReceiveState> states_;
  std::vector<Frame> frames_;
  rt::Counter dropped_;
  StampedReads reads_;
  // Of those read last: which is next, and how many there are.
  std::size_t next_ = 0;
  std::size_t came_ = 0;
  // Of the message heard last.
  Name address_;
  std::vector<io::HeardValue> values_;
  fmt::memory_buffer remark_;
};

}  // namespace hild::can
