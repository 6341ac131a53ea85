// SPDX-License-Identifier: Apache-2.0
/// \file
/// Executes what a client's text asks for, and ensures that each request is answered exactly once:
/// at once, or when its transaction has taken effect. For one thread, the server's.
#pragma once

#include <functional>
#include <memory>

#include "control/server/intake.hpp"
#include "control/server/method.hpp"
#include "control/server/turns.hpp"

namespace hild::server {

/// What the clients on the server's thread need from the server; all of it outlives them.
struct Service {
  boost::asio::io_context& io;
  const Context& context;
  Clients& clients;
  Turns& turns;  ///< of the Unix socket's clients
  rpc::Limits limits;
  double rate = 2000;  ///< requests a second of one client
};

/// Executes the urgent requests of a text and one other now, the rest of a batch one a turn. `done`
/// is called when all are dealt with, so that the client's next text may be taken.
void serve(const Context& context, Intake intake, const std::shared_ptr<Client>& client,
           Turns& turns, std::function<void()> done);

}  // namespace hild::server
