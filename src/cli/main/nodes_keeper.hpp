// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps a run in agreement with the other nodes of its system, from the main thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <optional>
#include <string>

#include "control/nodes/agreement.hpp"
#include "control/server/timer.hpp"
#include "hild/rt/atomic.hpp"
#include "io/bus.hpp"

namespace hild::commands {

class NodesKeeper {
 public:
  /// What it asks the run, and has it do.
  struct Hooks {
    std::function<nodes::Self()> self;
    std::function<void(bool)> arm;
    std::function<void(const std::string&)> tell;  ///< in words for a log
    /// Every few seconds while members are waited for: whom.
    std::function<void(const std::string&)> waits;
  };

  explicit NodesKeeper(boost::asio::io_context& io) : io_(io), timer_(io) {}

  /// Of the first device that connects nodes; where there is none, nothing is done from here on.
  void start(const io::Bus& bus, Hooks hooks);
  /// With the other nodes; null: there are none.
  [[nodiscard]] nodes::Agreement* agreement() noexcept {
    return agreement_ ? &*agreement_ : nullptr;
  }
  [[nodiscard]] bool connects() const noexcept { return agreement_.has_value(); }
  /// Serves the main thread until all members are there. When they begin, on the monotonic clock;
  /// none: there is nobody to begin with, or `stop` was raised.
  [[nodiscard]] std::optional<MonoTime> await_beginning(const rt::Flag& stop);
  void stop() { timer_.cancel(); }

 private:
  void look();
  void look_again();
  void tell_of_waiting();

  boost::asio::io_context& io_;
  server::Timer timer_;
  Hooks hooks_;
  io::Nodes* nodes_ = nullptr;
  std::optional<nodes::Agreement> agreement_;
  std::optional<MonoTime> begins_;
  std::string waits_for_;  // told last
};

}  // namespace hild::commands
