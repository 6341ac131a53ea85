// SPDX-License-Identifier: Apache-2.0
/// \file
/// Serves a Unix socket: listens, and gives who connects a place, for as long as there are any;
/// who comes then is heard only on what makes the run safe.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "control/server/listen.hpp"
#include "control/server/timer.hpp"
#include "control/server/unix_session.hpp"

namespace hild::server {

/// A Unix socket as it is configured.
struct UnixPlace {
  std::string socket;  ///< its path; "auto": the usual one; empty: there is to be none
  unsigned mode = 0660;
  std::string group;    ///< empty: that of the process
  std::size_t clients;  ///< at most
  std::string role{};   ///< of who connects there; empty: none, who may do everything
};

class UnixFront {
 public:
  /// `service` outlives this.
  UnixFront(UnixPlace place, Service& service)
      : place_(std::move(place)), service_(service), retry_(service.io) {}

  /// Listens, unless there is to be no socket. Error: see UnixListener.
  [[nodiscard]] Result<void> open();
  /// The path it listens at; empty: none.
  [[nodiscard]] std::string path() const { return listener_ ? listener_->path() : std::string(); }
  /// The role of who connects there; empty: none.
  [[nodiscard]] const std::string& role() const { return place_.role; }
  /// Takes nobody else.
  void close();

 private:
  using Sessions = std::deque<std::weak_ptr<UnixSession>>;

  void accept();
  void welcome(UnixSession::Socket socket);

  UnixPlace place_;
  Service& service_;
  std::optional<UnixListener> listener_;
  Timer retry_;
  Sessions sessions_;
  Sessions urgent_;  // of those beyond
};

}  // namespace hild::server
