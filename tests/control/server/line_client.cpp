// SPDX-License-Identifier: Apache-2.0
#include "control/server/line_client.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace hild::testing {

namespace json = boost::json;

LineClient::LineClient(const std::string& path)
    : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval patience{90, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << path;
}

LineClient::LineClient(LineClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      bytes_(std::move(other.bytes_)),
      kept_(std::move(other.kept_)),
      last_id_(other.last_id_) {}

LineClient::~LineClient() { vanish(); }

void LineClient::vanish() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void LineClient::end_sending() { ::shutdown(fd_, SHUT_WR); }

void LineClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) {
      ADD_FAILURE() << "nothing could be sent: " << errno;
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::size_t LineClient::send_some(std::string_view bytes) {
  const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

std::optional<std::string> LineClient::line() {
  while (true) {
    const auto end = bytes_.find('\n');
    if (end != std::string::npos) {
      std::string text = bytes_.substr(0, end);
      bytes_.erase(0, end + 1);
      return text;
    }
    char chunk[65536];
    const ssize_t n = ::recv(fd_, chunk, sizeof chunk, 0);
    if (n < 0 && errno == EAGAIN) ADD_FAILURE() << "nothing came in a minute and a half";
    if (n <= 0) return std::nullopt;
    bytes_.append(chunk, static_cast<std::size_t>(n));
  }
}

bool LineClient::closed() { return !line(); }

json::object LineClient::message(bool notification) {
  const auto wanted = [&](const json::object& o) { return o.contains("method") == notification; };
  const auto found = std::ranges::find_if(kept_, wanted);
  if (found != kept_.end()) {
    json::object o = std::move(*found);
    kept_.erase(found);
    return o;
  }
  while (const auto text = line()) {
    json::object o = json::parse(*text).as_object();
    if (wanted(o)) return o;
    kept_.push_back(std::move(o));
  }
  ADD_FAILURE() << "the other side has closed";
  return {};
}

json::object LineClient::reply() { return message(false); }
json::object LineClient::notification() { return message(true); }

std::int64_t LineClient::request(std::string_view method, const json::object& params) {
  json::object o{{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}};
  if (!params.empty()) o["params"] = params;
  send(json::serialize(o) + "\n");
  return last_id_;
}

json::value LineClient::call(std::string_view method, const json::object& params) {
  const std::int64_t id = request(method, params);
  json::object o = reply();
  EXPECT_TRUE(o.contains("id") && o["id"] == id) << o;
  if (!o.contains("result")) {
    ADD_FAILURE() << method << " " << params << "\nwas answered " << o;
    return json::object();
  }
  return o["result"];
}

json::object LineClient::error(std::string_view method, const json::object& params) {
  const std::int64_t id = request(method, params);
  json::object o = reply();
  EXPECT_TRUE(o.contains("id") && o["id"] == id) << o;
  if (!o.contains("error")) {
    ADD_FAILURE() << method << " " << params << "\nwas answered " << o;
    return json::object{{"code", 0}, {"message", ""}};
  }
  return o["error"].as_object();
}

json::value operator""_json(const char* text, std::size_t size) {
  return json::parse({text, size});
}

}  // namespace hild::testing
