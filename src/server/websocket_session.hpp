// SPDX-License-Identifier: Apache-2.0
/// \file
/// A client of the WebSocket: a JSON text a message, both ways.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "server/conversation.hpp"
#include "server/http_request.hpp"

namespace hild::server {

class WebSocketSession final : public Conversation {
 public:
  /// `request` is the one that asked for it.
  WebSocketSession(boost::asio::ip::tcp::socket socket, Service& service, HttpRequest request);
  /// After it was added to the clients.
  void start();

 private:
  void take_next() override;
  void send_waiting() override;
  void part() override;
  void shut() override;

  boost::beast::websocket::stream<boost::asio::ip::tcp::socket> stream_;
  HttpRequest request_;
  boost::beast::flat_buffer buffer_;
  std::string sending_;
  bool open_ = false;  // shaken hands
  bool reading_ = false;
};

}  // namespace hild::server
