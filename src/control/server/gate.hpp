// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clients of HTTP as the server's thread knows them: those that have posted a text, for as
/// long as the answer is owed, and those that have a WebSocket. Their requests have turns of their
/// own, apart from those of the Unix socket.
#pragma once

#include <unordered_map>

#include "control/server/http_pages.hpp"
#include "control/server/link.hpp"
#include "control/server/service.hpp"

namespace hild::server {

class Gate {
 public:
  /// Both, and the link of answer_by(), outlive this.
  Gate(Service& service, const HttpPages& pages) : service_(service), pages_(pages) {}

  /// Sets the link to the connections. To be called before anything else.
  void answer_by(Link& link) { link_ = &link; }

  // From any thread, each to have its turn. `may_not_write` is Client::may_not_write().

  void post(LinkId from, Intake intake, std::string may_not_write);
  void get(LinkId from, HttpRequest request);
  void open(LinkId from, std::string may_not_write);
  void text(LinkId from, Intake intake);
  void sent(LinkId from, std::size_t bytes);
  void gone(LinkId from);

  // From the server's thread.

  void forget(LinkId from) { here_.erase(from); }
  /// Turns away every WebSocket that comes from now on.
  void finish() { finishing_ = true; }
  [[nodiscard]] Link& link() { return *link_; }
  [[nodiscard]] Service& service() { return service_; }
  [[nodiscard]] Turns& turns() { return turns_; }

 private:
  class Post;
  class WebSocket;

  Service& service_;
  const HttpPages& pages_;
  Link* link_ = nullptr;
  std::unordered_map<LinkId, std::weak_ptr<Client>> here_;
  bool finishing_ = false;
  Turns turns_{service_.io};
};

}  // namespace hild::server
