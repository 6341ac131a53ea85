// SPDX-License-Identifier: Apache-2.0
/// \file
/// Decides which HTTP requests are served. A page from elsewhere can make a browser send requests
/// to this server; they are told from legitimate ones by the name under which the server is
/// addressed and by the page that asks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "control/server/http_request.hpp"

namespace hild::server {

/// The names under which a connection to `address`, the server's end of it, may address the server:
/// that address, this machine's name, also below .local, and localhost where it is loopback.
[[nodiscard]] std::vector<std::string> own_names(const std::string& address, bool loopback);

/// The refusal to answer with; nothing when the request may be served. `token` must be carried by
/// requests for /rpc, /ws and /metrics, unless it is empty.
[[nodiscard]] std::optional<HttpReply> refusal_of(const HttpRequest& request,
                                                  const std::vector<std::string>& names,
                                                  std::string_view token);

/// Whether the request carries this token.
[[nodiscard]] bool carries_token(const HttpRequest& request, std::string_view token);

/// The name of the role whose token the request carries, if any.
[[nodiscard]] std::optional<std::string> role_of(const HttpRequest& request,
                                                 const std::vector<config::Role>& roles);

/// The subprotocols that a request for a WebSocket offers.
[[nodiscard]] std::vector<std::string> subprotocols(const HttpRequest& request);

}  // namespace hild::server
