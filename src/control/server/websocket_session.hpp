// SPDX-License-Identifier: Apache-2.0
/// \file
/// A WebSocket connection: one JSON text a message, both ways. A text is taken when the server's
/// thread asks for the next.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "control/server/front.hpp"

namespace hild::server {

class WebSocketSession final : public Connection {
 public:
  /// `request` is the HTTP request for the WebSocket.
  WebSocketSession(boost::asio::ip::tcp::socket socket, Front& front, Visitor visitor,
                   HttpRequest request);
  /// Accepts the WebSocket; to be called once the front knows this session.
  void start();

  void send(std::string text) override;
  void go_on() override;
  void part() override;
  void close() override;
  void finish() override {}  // the server's thread parts, when all is said
  void make_room() override { close(); }

 private:
  void read();

  boost::beast::websocket::stream<boost::asio::ip::tcp::socket> stream_;
  HttpRequest request_;
  boost::beast::flat_buffer buffer_;
  std::string sending_;
  TokenBucket bucket_;
};

}  // namespace hild::server
