// SPDX-License-Identifier: Apache-2.0
/// \file
/// The control server of docs/control.md: JSON-RPC over a Unix socket, HTTP and WebSockets, metrics
/// and the page. It runs on the one thread of an io_context that somebody else runs, except HTTP,
/// which has a thread of its own, so that nothing coming by HTTP takes places, rate or time from
/// clients of the Unix socket. The two sinks are fed by the recorder's thread. It reaches the run
/// only through `Run`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "control/server/run.hpp"
#include "control/server/users.hpp"
#include "recording/record/sink.hpp"

namespace boost::asio {
class io_context;
}

namespace hild::server {

class Server {
 public:
  /// `io` and what `run` refers to outlive the server.
  Server(boost::asio::io_context& io, const config::Control& control, Run run, Users users = {});
  ~Server();

  /// The sinks that the recorder must feed, as long as it records.
  [[nodiscard]] std::vector<record::Sink*> sinks();

  /// Begins to listen. Error: a socket or a port is in use, or may not be used.
  [[nodiscard]] Result<void> open();
  /// Where it listens: "unix /run/hild/control.sock, http://127.0.0.1:8080/"; after open().
  [[nodiscard]] std::string where() const;

  /// To be called when the run has ended: waiting clients are answered, what is owed is sent within
  /// a second at most, then no work is left on the io_context.
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hild::server
