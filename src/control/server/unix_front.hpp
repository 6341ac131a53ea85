// SPDX-License-Identifier: Apache-2.0
/// \file
/// Serves the Unix socket: listens, and gives who connects a place, for as long as there are any;
/// who comes then is heard only on what makes the run safe.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "config/config.hpp"
#include "control/server/listen.hpp"
#include "control/server/timer.hpp"
#include "control/server/unix_session.hpp"

namespace hild::server {

class UnixFront {
 public:
  /// Both outlive this.
  UnixFront(const config::Control& control, Service& service)
      : control_(control), service_(service), retry_(service.io) {}

  /// Listens, unless there is to be no socket. Error: see UnixListener.
  [[nodiscard]] Result<void> open();
  /// The path it listens at; empty: none.
  [[nodiscard]] std::string path() const { return listener_ ? listener_->path() : std::string(); }
  /// Takes nobody else.
  void close();

 private:
  using Sessions = std::deque<std::weak_ptr<UnixSession>>;

  void accept();
  void welcome(UnixSession::Socket socket);

  const config::Control& control_;
  Service& service_;
  std::optional<UnixListener> listener_;
  Timer retry_;
  Sessions sessions_;
  Sessions urgent_;  // of those beyond
};

}  // namespace hild::server
