// SPDX-License-Identifier: Apache-2.0
/// \file
/// What becomes of a text from a client: it is taken in, then its requests are served.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "control/rpc/message.hpp"
#include "control/server/method.hpp"
#include "control/server/rates.hpp"
#include "control/server/turns.hpp"

namespace hild::server {

// ---- taking it in: needs nothing of the run, any thread may do it ------------------------------

/// A text from a client, parsed into requests and checked against the rate of its sender, before
/// any of it is done.
struct Intake {
  /// A request, or the error to answer it with.
  struct Item {
    rpc::Request request;                 ///< only the id where it was refused
    std::optional<rpc::Error> refused{};  ///< why: it exceeds the rate, or is not a request
    bool unknown = false;                 ///< is answered even where there is no id
    bool urgent = false;                  ///< is executed before all else
  };
  bool batch = false;
  std::vector<Item> items;
  /// How long nothing more should be taken from this client: 0, unless it asks too much.
  std::chrono::duration<double> pause{0};
};

/// Parses a text. If `may_write`, requests that make a run safe are never refused for their rate. A
/// text that holds no request at all becomes one refused item.
[[nodiscard]] Intake take_in(std::string_view text, const rpc::Limits& limits, bool may_write,
                             TokenBucket& bucket);

/// The intake of a text that was too long to be received.
[[nodiscard]] Intake too_long(const rpc::Limits& limits);

// ---- serving it, on the server's thread --------------------------------------------------------

/// What the clients on the server's thread need from the server; all of it outlives them.
struct Service {
  boost::asio::io_context& io;
  const Context& context;
  Clients& clients;
  Turns& turns;  ///< of the Unix socket's clients
  rpc::Limits limits;
  double rate = 2000;  ///< requests a second of one client
};

/// Executes what a text asks for, and ensures that each request is answered exactly once: at once,
/// or when its transaction has taken effect. Executes the urgent requests of a text and one other
/// now, the rest of a batch one a turn. `done` is called when all are dealt with, so that the
/// client's next text may be taken.
void serve(const Context& context, Intake intake, const std::shared_ptr<Client>& client,
           Turns& turns, std::function<void()> done);

}  // namespace hild::server
