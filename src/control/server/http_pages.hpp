// SPDX-License-Identifier: Apache-2.0
/// \file
/// Serves what can be read by HTTP GET: metrics, health, the page.
#pragma once

#include "control/server/health.hpp"
#include "control/server/http_request.hpp"
#include "control/server/method.hpp"

namespace hild::server {

class HttpPages {
 public:
  /// Both outlive this.
  HttpPages(const Context& context, Health& health) : context_(context), health_(health) {}

  /// The reply to any request but those for /rpc and /ws.
  [[nodiscard]] HttpReply reply_to(const HttpRequest& request) const;

 private:
  [[nodiscard]] HttpReply healthz() const;

  const Context& context_;
  Health& health_;
};

/// A reply that says which HTTP methods are `allowed` instead.
[[nodiscard]] HttpReply method_not_allowed(std::string allowed);

}  // namespace hild::server
