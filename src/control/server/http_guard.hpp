// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who may ask by HTTP. A page from elsewhere can make a browser send requests to this server; the
/// names it is asked by, and the page that asks, tell them from those of the bench's own people.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/server/http_request.hpp"

namespace hild::server {

/// The names under which a connection to `address`, the server's end of it, may know the server:
/// that address, this machine's name, also below .local, and localhost where it is one.
[[nodiscard]] std::vector<std::string> own_names(const std::string& address, bool loopback);

/// What to answer instead; nothing when the request may be served. `token` is what /rpc, /ws and
/// /metrics ask for, unless empty.
[[nodiscard]] std::optional<HttpReply> refusal_of(const HttpRequest& request,
                                                  const std::vector<std::string>& names,
                                                  std::string_view token);

/// Whether it carries this token.
[[nodiscard]] bool carries_token(const HttpRequest& request, std::string_view token);

/// The subprotocols a request for a WebSocket offers.
[[nodiscard]] std::vector<std::string_view> subprotocols(const HttpRequest& request);

}  // namespace hild::server
