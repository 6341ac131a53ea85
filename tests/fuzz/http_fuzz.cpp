// SPDX-License-Identifier: Apache-2.0
/// \file
/// Any bytes at all as a request of HTTP are either none or answered; who may not ask is not.
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/json.hpp>
#include <cstdint>
#include <cstdlib>

#include "control/server/http_guard.hpp"
#include "control/server/http_pages.hpp"
#include "served_motor.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace http = boost::beast::http;
  http::request_parser<http::string_body> parser;
  parser.eager(true);
  parser.header_limit(2048);
  parser.body_limit(2048);
  boost::system::error_code failure;
  parser.put(boost::asio::const_buffer(data, size), failure);
  if (failure || !parser.is_done()) return 0;
  const hild::server::HttpRequest request = parser.release();
  const std::vector<std::string> names{"127.0.0.1", "localhost"};
  const auto refused = hild::server::refusal_of(request, names, "a-token-of-16-or-more");
  if (refused && (refused->body.empty() || refused->status == http::status::ok)) std::abort();
  static hild::fuzz::ServedMotor motor;
  static hild::server::Health health(motor.run);
  const hild::server::HttpPages pages(motor.context, health);
  const hild::server::HttpReply reply = pages.reply_to(request);
  if (reply.status == http::status::ok && reply.body.empty()) std::abort();
  static_cast<void>(hild::server::subprotocols(request));
  return 0;
}
