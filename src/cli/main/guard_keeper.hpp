// SPDX-License-Identifier: Apache-2.0
/// \file
/// Watches the guard of the outputs from the main thread: one that dies or hangs ends the run.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <optional>

#include "config/config.hpp"
#include "control/server/timer.hpp"
#include "io/guard/guard.hpp"
#include "io/guard/watch.hpp"

namespace hild::commands {

class GuardKeeper {
 public:
  explicit GuardKeeper(boost::asio::io_context& io) : death_(io), look_(io) {}

  /// Starts the guard. Throws an Error where it cannot be started.
  void start(io::Bus& bus, const config::Config& config, rt::Warnings& warnings);
  /// The guard; null: the run is offline, no guard is wanted, or there is nothing to make safe.
  [[nodiscard]] guard::Guard* guard() noexcept { return guard_ ? &*guard_ : nullptr; }
  [[nodiscard]] bool lost() const noexcept { return lost_; }
  /// Begins to watch the guard, where there is one.
  void watch();
  /// Reports that the guard is lost, once.
  void tell_lost();
  void stop_watching();
  /// Ends the guard.
  void end() { guard_.reset(); }

 private:
  void look();

  std::optional<guard::Guard> guard_;
  guard::HangWatch hang_{Duration{}};
  bool lost_ = false;
  boost::asio::posix::stream_descriptor death_;
  server::Timer look_;
};

}  // namespace hild::commands
