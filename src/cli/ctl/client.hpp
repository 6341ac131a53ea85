// SPDX-License-Identifier: Apache-2.0
/// \file
/// The connection to a daemon: makes calls one after the other, and receives what the daemon sends
/// by itself in between. Every wait has an end, or can be ended by an interrupt from the terminal.
#pragma once

#include <fmt/format.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "control/rpc/line_buffer.hpp"
#include "control/rpc/message.hpp"

namespace hild::ctl {

/// Why a command cannot be done: the only exception thrown in hildctl. It ends the command, which
/// add_command() makes tell of it.
struct CallError {
  enum class Reason {
    usage,        ///< the request makes no sense; nothing was sent
    refused,      ///< an error reply; `code` and `data` are its own
    silent,       ///< no reply in time
    lost,         ///< there is no connection, or it was lost
    interrupted,  ///< by the user at the terminal
  };
  Reason kind = Reason::usage;
  std::string message;  ///< what was found, and what to do next
  int code = 0;
  json::object data{};
};

/// Throws CallError with a formatted message.
template <class... Args>
[[noreturn]] void fail_call(CallError::Reason kind, fmt::format_string<Args...> text,
                            Args&&... args) {
  throw CallError{kind, fmt::format(text, std::forward<Args>(args)...)};
}

/// All but ended() and timeout() throw CallError.
class Client {
 public:
  using Timeout = std::optional<std::chrono::milliseconds>;  ///< none: for ever

  /// Connects to the socket at `path`; `timeout` is that of calls.
  Client(const std::string& path, Timeout timeout);

  [[nodiscard]] Timeout timeout() const { return timeout_; }
  /// Calls a method and waits for its result. Notifications that come before it are kept.
  json::value call(std::string_view method, const json::object& params = {});
  struct Notification {
    std::string method;
    json::value params;
  };
  /// Waits for the next notification of any method; none: nothing came in time.
  [[nodiscard]] std::optional<Notification> next(Timeout patience);
  /// Waits for the next notification of `method` and returns its params; others are dropped.
  [[nodiscard]] std::optional<json::value> notification(std::string_view method, Timeout patience);
  /// How the run ended, in words, if the daemon said so before it went; it does to a client that
  /// follows the run.
  [[nodiscard]] const std::string& ended() const { return ended_; }
  /// From now on SIGINT and SIGTERM each end one wait; a second one that comes while nothing waits
  /// ends the next wait.
  void heed_signals();

 private:
  void send(std::string line);
  void read_more();
  void take(std::string_view line);
  /// Waits until `done`; false: `patience` is over.
  template <class Done>
  bool wait(Timeout patience, Done done);

  static constexpr std::size_t longest_line = 64U << 20U;

  Timeout timeout_;
  boost::asio::io_context io_{1};
  boost::asio::local::stream_protocol::socket socket_{io_};
  boost::asio::signal_set signals_{io_};
  std::array<char, 65536> chunk_{};
  rpc::LineBuffer lines_{longest_line};
  std::string sending_;
  std::int64_t next_id_ = 1;
  std::optional<json::value> reply_;
  std::deque<Notification> notifications_;
  std::string lost_;  ///< why nothing more will come
  std::string ended_;
  bool interrupted_ = false;
};

}  // namespace hild::ctl
