// SPDX-License-Identifier: Apache-2.0
/// \file
/// The messages from the server's thread to the thread that serves HTTP. Each side knows the
/// connections of the other by number, and either may have forgotten one: then nothing is done.
#pragma once

#include <cstdint>
#include <string>

#include "control/server/http_request.hpp"

namespace hild::server {

/// The number of an HTTP connection; never used again.
using LinkId = std::uint64_t;

/// Reaches the HTTP connections from the server's thread.
class Link {
 public:
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  virtual ~Link() = default;

  /// Sends the answer to what was posted, or the next text of a WebSocket, which reports it by
  /// Gate::sent().
  virtual void send(LinkId to, std::string text) = 0;
  /// Sends the reply to a page that was requested.
  virtual void reply(LinkId to, HttpReply reply) = 0;
  /// Lets the WebSocket take its next text.
  virtual void go_on(LinkId to) = 0;
  /// Closes the WebSocket with a closing message.
  virtual void part(LinkId to) = 0;
  /// Closes the connection at once.
  virtual void close(LinkId to) = 0;
};

}  // namespace hild::server
