// SPDX-License-Identifier: Apache-2.0
/// \file
/// A client of the Unix socket, as plain as can be: what is missing within a minute and a half
/// fails the test instead of hanging it.
#pragma once

#include <unistd.h>

#include <boost/json.hpp>
#include <deque>
#include <optional>
#include <string>

namespace hild::testing {

class LineClient {
 public:
  explicit LineClient(const std::string& path);
  LineClient(LineClient&& other) noexcept;
  LineClient& operator=(LineClient&&) = delete;
  ~LineClient();

  /// Bytes as they are.
  void send(std::string_view bytes);
  /// As many of them as go without waiting.
  std::size_t send_some(std::string_view bytes);
  void end_sending();
  void vanish();
  /// The next line; nothing once the other side has closed.
  std::optional<std::string> line();
  /// Whether a line is there, or comes before the other side closes.
  [[nodiscard]] bool closed();

  /// The next message that is no notification.
  boost::json::object reply();
  /// The next notification.
  boost::json::object notification();

  /// A request and its result; an error fails the test.
  boost::json::value call(std::string_view method, const boost::json::object& params = {});
  /// A request and its error; a result fails the test.
  boost::json::object error(std::string_view method, const boost::json::object& params = {});
  /// Only the request; returns its id.
  std::int64_t request(std::string_view method, const boost::json::object& params = {});

  [[nodiscard]] int fd() const { return fd_; }

 private:
  boost::json::object message(bool notification);

  int fd_ = -1;
  std::string bytes_;
  std::deque<boost::json::object> kept_;  // of the other kind, read in passing
  std::int64_t last_id_ = 0;
};

/// A value of JSON text, for short expectations.
boost::json::value operator""_json(const char* text, std::size_t size);

/// Waits for what other threads bring about; false when they never do.
template <class Condition>
bool comes(Condition condition) {
  for (int tries = 0; tries < 6000; ++tries, ::usleep(5000)) {
    if (condition()) return true;
  }
  return false;
}

}  // namespace hild::testing
