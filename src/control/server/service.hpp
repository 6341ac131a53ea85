// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the clients on the server's thread need from the server; all of it outlives them.
#pragma once

#include "control/server/clients.hpp"
#include "control/server/dispatcher.hpp"
#include "control/server/timer.hpp"
#include "control/server/turns.hpp"

namespace hild::server {

struct Service {
  boost::asio::io_context& io;
  Dispatcher& dispatcher;
  Clients& clients;
  Turns& turns;  ///< of the Unix socket's clients
  rpc::Limits limits;
  double rate = 2000;  ///< requests a second of one client
};

}  // namespace hild::server
