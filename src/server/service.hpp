// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the connections need of the server; all of it outlives them.
#pragma once

#include "server/clients.hpp"
#include "server/dispatcher.hpp"
#include "server/timer.hpp"

namespace hild::server {

class HttpPages;

struct Service {
  boost::asio::io_context& io;
  Dispatcher& dispatcher;
  Clients& clients;
  const HttpPages& pages;
  rpc::Limits limits;
  double rate = 2000;          ///< requests of a client in a second
  TokenBucket& http_requests;  ///< of all without a lasting connection together
  std::string token;           ///< that HTTP asks for; empty: none
};

}  // namespace hild::server
