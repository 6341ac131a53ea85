// SPDX-License-Identifier: Apache-2.0
/// \file
/// The connection to a daemon: makes calls one after the other, and receives what the daemon sends
/// by itself in between. Every wait has an end, or can be ended by an interrupt from the terminal.
#pragma once

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
#include <tl/expected.hpp>

#include "control/rpc/line_buffer.hpp"

namespace hild::ctl {

/// Why a call has no result.
struct CallError {
  enum class Kind {
    usage,        ///< the request makes no sense; nothing was sent
    refused,      ///< an error reply; `code` and `data` are its own
    silent,       ///< no reply in time
    lost,         ///< there is no connection, or it was lost
    interrupted,  ///< by the user at the terminal
  };
  Kind kind = Kind::usage;
  std::string message;  ///< what was found, and what to do next
  int code = 0;
  boost::json::object data{};
};

template <class T>
using Reply = tl::expected<T, CallError>;

[[nodiscard]] inline tl::unexpected<CallError> call_error(CallError::Kind kind,
                                                          std::string message) {
  return tl::make_unexpected(CallError{kind, std::move(message)});
}

class Client {
 public:
  using Timeout = std::optional<std::chrono::milliseconds>;  ///< none: for ever

  explicit Client(Timeout timeout) : timeout_(timeout) {}

  [[nodiscard]] Reply<void> connect(const std::string& path);
  [[nodiscard]] Timeout timeout() const { return timeout_; }
  /// Calls a method and waits for its result. Notifications that come before it are kept.
  [[nodiscard]] Reply<boost::json::value> call(std::string_view method,
                                               const boost::json::object& params = {});
  struct Notification {
    std::string method;
    boost::json::object params;
  };
  /// Waits for the next notification of any method.
  [[nodiscard]] Reply<Notification> next(Timeout patience);
  /// Waits for the next notification of `method` and returns its params; others are dropped.
  [[nodiscard]] Reply<boost::json::object> notification(std::string_view method, Timeout patience);
  /// How the run ended, if the daemon said so before it went; it does to a client that follows the
  /// run.
  [[nodiscard]] const std::optional<boost::json::object>& ended() const { return ended_; }
  /// From now on SIGINT and SIGTERM each end one wait; a second one that comes while nothing waits
  /// ends the next wait.
  void heed_signals();

 private:
  [[nodiscard]] Reply<void> send(const std::string& line);
  void read_more();
  void take(std::string_view line);
  void take_end(const boost::json::object& notification);
  /// Waits until `done`, `patience` is over, the connection is lost or a signal came.
  template <class Done>
  Reply<void> wait(Timeout patience, std::string_view what, Done done);

  static constexpr std::size_t longest_line = 64U << 20U;

  Timeout timeout_;
  boost::asio::io_context io_{1};
  boost::asio::local::stream_protocol::socket socket_{io_};
  boost::asio::signal_set signals_{io_};
  std::array<char, 65536> chunk_{};
  rpc::LineBuffer lines_{longest_line};
  std::int64_t next_id_ = 1;
  std::optional<boost::json::object> reply_;
  std::deque<boost::json::object> notifications_;
  std::string lost_;  ///< why nothing more will come
  std::optional<boost::json::object> ended_;
  bool interrupted_ = false;
};

}  // namespace hild::ctl
