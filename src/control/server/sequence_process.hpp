// SPDX-License-Identifier: Apache-2.0
/// \file
/// The process that runs a sequence, as the server's thread sees it: what it writes, line by line
/// and within bounds, and its end. Nothing that it does or leaves undone holds up the server, and
/// none outlives this.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "control/server/run.hpp"

namespace boost::asio {
class io_context;
}

namespace hild::server {

class SequenceProcess {
 public:
  static constexpr std::size_t longest_line = 64 << 10;  ///< bytes
  static constexpr std::size_t most_bytes = 16 << 20;    ///< of all lines

  /// What is called, on the thread of the io_context.
  struct Calls {
    std::function<void(std::string_view line)> line;
    /// Once, at last: its status (waitpid), and why it was killed, empty where it was not. It may
    /// destroy the process that calls it.
    std::function<void(int status, const std::string& killed_for)> ended;
  };
  /// `io` outlives this.
  SequenceProcess(boost::asio::io_context& io, Run::Launched launched, Calls calls);
  SequenceProcess(const SequenceProcess&) = delete;
  SequenceProcess& operator=(const SequenceProcess&) = delete;
  ~SequenceProcess();  ///< kills it, where it has not ended; nothing is called

  /// Asks it to come to its end (SIGINT), and kills it where it has not within `patience`.
  void interrupt(std::chrono::nanoseconds patience);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace hild::server
