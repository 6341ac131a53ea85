// SPDX-License-Identifier: Apache-2.0
/// \file
/// An HTTP request and the reply to it, as the server represents them.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <string>
#include <utility>
#include <vector>

namespace hild::server {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

struct HttpReply {
  boost::beast::http::status status = boost::beast::http::status::ok;
  std::string body{};
  std::vector<std::pair<std::string_view, std::string>> fields{};  ///< further fields of the header
  std::string type = "text/plain; charset=utf-8";
};

/// The path of the target, without its query.
[[nodiscard]] inline std::string_view path_of(const HttpRequest& request) {
  const std::string_view target(request.target().data(), request.target().size());
  return target.substr(0, target.find('?'));
}

}  // namespace hild::server
