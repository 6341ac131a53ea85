// SPDX-License-Identifier: Apache-2.0
#include "control/server/http_pages.hpp"

#include <algorithm>

#include "control/server/assets.hpp"

namespace hild::server {

namespace http = boost::beast::http;

HttpReply method_not_allowed(std::string allowed) {
  return {http::status::method_not_allowed,
          fmt::format("expected {}\n", allowed),
          {{"Allow", allowed}}};
}

HttpReply HttpPages::reply_to(const HttpRequest& request) const {
  const std::string_view path = path_of(request);
  const auto asset = std::ranges::find(assets(), path, &Asset::path);
  const bool known = path == "/metrics" || path == "/healthz" || asset != assets().end();
  if (!known) {
    return {http::status::not_found, "there are /, /rpc, /ws, /metrics and /healthz\n"};
  }
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    return method_not_allowed("GET, HEAD");
  }
  if (path == "/healthz") return healthz();
  if (path == "/metrics") {
    return {.body = metrics(context_), .type = "text/plain; version=0.0.4; charset=utf-8"};
  }
  // Its own scripts and styles, and nobody may frame it.
  return {.body = std::string(asset->body),
          .fields = {{"Content-Security-Policy",
                      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                      "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                      "frame-ancestors 'none'"},
                     {"Cache-Control", "no-cache"}},
          .type = std::string(asset->content_type)};
}

HttpReply HttpPages::healthz() const {
  health_.look();
  const std::string problem = health_.problem();
  if (problem.empty()) return {.body = "ok\n"};
  return {http::status::service_unavailable, problem + "\n"};
}

}  // namespace hild::server
