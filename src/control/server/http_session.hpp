// SPDX-License-Identifier: Apache-2.0
/// \file
/// An HTTP/1.1 connection: serves requests one after the other. A request for a WebSocket hands the
/// connection over.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <optional>

#include "control/server/front.hpp"

namespace hild::server {

class HttpSession final : public Connection {
 public:
  HttpSession(boost::asio::ip::tcp::socket socket, Front& front, Visitor visitor);
  /// Begins to read; to be called once the front knows this session.
  void start() { read(); }

  /// Answers POST /rpc; empty: there is nothing to say.
  void send(std::string text) override;
  void reply(HttpReply reply) override;
  void part() override { close(); }
  void finish() override;
  void make_room() override;
  void close() override;

 private:
  void read();
  void serve(HttpRequest request);
  void serve_rpc(const HttpRequest& request);
  void become_websocket(HttpRequest request);
  void watch_for_end();
  void refuse(boost::system::error_code failure);
  void linger();

  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  std::size_t discarded_ = 0;  // bytes discarded while it lingers
  Rights rights_{};            // of the request being served
  bool keep_alive_ = false;
  bool head_only_ = false;
  unsigned version_ = 11;
  bool busy_ = false;   // a request is being served
  bool asked_ = false;  // the server's thread was asked for the answer
  bool finishing_ = false;
};

}  // namespace hild::server
