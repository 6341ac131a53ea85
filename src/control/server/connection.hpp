// SPDX-License-Identifier: Apache-2.0
/// \file
/// A connection by HTTP; lives on the thread of the front.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "control/server/link.hpp"

namespace hild::server {

/// The other end of a connection.
struct Visitor {
  LinkId id = 0;
  std::string from;                ///< its address, or its user where that is known
  std::vector<std::string> names;  ///< the names by which it may address the server
  std::string may_not_write;       ///< Client::may_not_write()
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  explicit Connection(Visitor visitor) : visitor_(std::move(visitor)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  [[nodiscard]] const Visitor& visitor() const { return visitor_; }

  // Passed on from the server's thread; see Link.

  virtual void send(std::string text) = 0;
  virtual void reply(HttpReply /*reply*/) {}  // NOLINT: who overrides it keeps the reply
  virtual void go_on() {}
  virtual void part() = 0;
  virtual void close() = 0;

  /// Takes no more requests.
  virtual void finish() = 0;
  /// Closes the connection to make room for another.
  virtual void make_room() = 0;

 protected:
  Visitor visitor_;
};

}  // namespace hild::server
