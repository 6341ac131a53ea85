// SPDX-License-Identifier: Apache-2.0
/// \file
/// One request to a daemon that runs, over its Unix socket.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <string>

namespace hild::test {

/// The whole answer; a minute and a half without one fails the test.
[[nodiscard]] inline boost::json::value call(const std::string& socket, const std::string& method,
                                             const std::string& params = "{}") {
  boost::asio::local::stream_protocol::iostream stream;
  stream.expires_after(std::chrono::seconds(90));
  stream.connect(boost::asio::local::stream_protocol::endpoint(socket));
  stream << R"({"jsonrpc": "2.0", "id": 1, "method": ")" << method << R"(", "params": )" << params
         << "}" << std::endl;
  std::string line;
  EXPECT_TRUE(std::getline(stream, line)) << stream.error().message();
  return boost::json::parse(line.empty() ? "{}" : line);
}

}  // namespace hild::test
