// SPDX-License-Identifier: Apache-2.0
/// \file
/// A client of the Unix socket: one JSON text a line, both ways.
#pragma once

#include <array>
#include <boost/asio/local/stream_protocol.hpp>

#include "control/rpc/line_buffer.hpp"
#include "control/server/conversation.hpp"

namespace hild::server {

class UnixSession final : public Conversation {
 public:
  using Socket = boost::asio::local::stream_protocol::socket;

  /// `crowded`: the answer to all but urgent requests when every place is taken; the connection is
  /// then closed when its first text has been answered. Empty: it has a place.
  UnixSession(Socket socket, Service& service, Rights rights, std::string crowded = {});
  /// Begins to read; to be called after it was added to the clients.
  void start() { take_next(); }

 private:
  void take_next() override;
  void send_waiting() override;
  void shut() override;
  [[nodiscard]] Intake intake_of(const rpc::LineBuffer::Whole& line);
  void read();
  void no_more();

  Socket socket_;
  rpc::LineBuffer lines_;
  TokenBucket bucket_;
  std::string crowded_;
  std::array<char, 16384> chunk_{};
  std::vector<std::string> sending_;
  bool reading_ = false;
};

}  // namespace hild::server
