// SPDX-License-Identifier: Apache-2.0
/// \file
/// A connection by HTTP; lives on the thread of the front.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "control/server/http_request.hpp"

namespace hild::server {

class Front;

/// The number by which the two threads know an HTTP connection; never used again. Either may have
/// forgotten one: then nothing is done.
using LinkId = std::uint64_t;

/// The other end of a connection.
struct Visitor {
  LinkId id = 0;
  std::string from;                ///< its address, or its user where that is known
  std::vector<std::string> names;  ///< the names by which it may address the server
  std::string may_not_write;       ///< Client::may_not_write()
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Front& front, Visitor visitor) : front_(front), visitor_(std::move(visitor)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  [[nodiscard]] const Visitor& visitor() const { return visitor_; }

  // Asked for by the server's thread; see Front::tell().

  /// Sends the answer to what was posted, or the next text of a WebSocket, which reports it by
  /// Gate::sent().
  virtual void send(std::string text) = 0;
  /// Sends the reply to a page that was requested.
  virtual void reply(HttpReply /*reply*/) {}  // NOLINT: who overrides it keeps the reply
  /// Lets the WebSocket take its next text.
  virtual void go_on() {}
  /// Closes the WebSocket with a closing message.
  virtual void part() = 0;
  /// Closes the connection at once.
  virtual void close() = 0;

  /// Takes no more requests.
  virtual void finish() = 0;
  /// Closes the connection to make room for another.
  virtual void make_room() = 0;

 protected:
  Front& front_;
  Visitor visitor_;
  bool closed_ = false;
};

}  // namespace hild::server
