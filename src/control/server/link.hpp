// SPDX-License-Identifier: Apache-2.0
/// \file
/// What passes between the thread that serves HTTP and the server's own. Each side knows the
/// connections of the other by number, and either may have forgotten one: then nothing is done.
#pragma once

#include <cstdint>
#include <string>

#include "control/server/http_request.hpp"

namespace hild::server {

/// Of a connection by HTTP; never used again.
using LinkId = std::uint64_t;

/// To the connections. From the server's thread.
class Link {
 public:
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  virtual ~Link() = default;

  /// What was posted, or the next text of a WebSocket, which tells Gate::sent().
  virtual void send(LinkId to, std::string text) = 0;
  /// To a page that was asked for.
  virtual void reply(LinkId to, HttpReply reply) = 0;
  /// The WebSocket's next text may be taken.
  virtual void go_on(LinkId to) = 0;
  /// The WebSocket is closed, with a word.
  virtual void part(LinkId to) = 0;
  /// At once.
  virtual void close(LinkId to) = 0;
};

}  // namespace hild::server
