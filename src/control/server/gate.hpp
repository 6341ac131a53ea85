// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clients of HTTP as the server's thread knows them: those that have posted a text, for as
/// long as the answer is owed, and those that have a WebSocket. Their requests have turns of their
/// own, apart from those of the Unix socket.
#pragma once

#include <unordered_map>

#include "control/server/dispatcher.hpp"
#include "control/server/http_pages.hpp"

namespace hild::server {

class Front;

/// The number by which the two threads know an HTTP connection; never used again. Either may have
/// forgotten one: then nothing is done.
using LinkId = std::uint64_t;

class Gate {
 public:
  /// Both, and the front of answer_by(), outlive this.
  Gate(Service& service, const HttpPages& pages) : service_(service), pages_(pages) {}

  /// Sets the front, which has the connections. To be called before anything else.
  void answer_by(Front& front) { front_ = &front; }

  // From any thread, each to have its turn.

  void post(LinkId from, Intake intake, Rights rights);
  void get(LinkId from, HttpRequest request);
  void open(LinkId from, Rights rights);
  void text(LinkId from, Intake intake);
  void sent(LinkId from, std::size_t bytes);
  void gone(LinkId from);

  /// Turns away every WebSocket that comes from now on; from the server's thread.
  void finish() { finishing_ = true; }

 private:
  class Post;
  class WebSocket;

  template <class C>
  std::shared_ptr<C> add(LinkId from, Rights rights);
  void send(LinkId to, std::string text);
  /// Has `what` done, when it is its turn, with the client of a connection, if it is there and a C.
  template <class C, class What>
  void with(LinkId from, What what);

  Service& service_;
  const HttpPages& pages_;
  Front* front_ = nullptr;
  std::unordered_map<LinkId, std::weak_ptr<Client>> here_;
  bool finishing_ = false;
  Turns turns_{service_.io};
};

}  // namespace hild::server
