// SPDX-License-Identifier: Apache-2.0
#include "control/server/http_client.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace hild::testing {

HttpClient::HttpClient(std::uint16_t port, const std::string& address)
    : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      host_(address + ":" + std::to_string(port)) {
  const timeval patience{90, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in end{};
  end.sin_family = AF_INET;
  end.sin_port = htons(port);
  ::inet_pton(AF_INET, address.c_str(), &end.sin_addr);
  EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&end), sizeof end), 0) << host_;
}

HttpClient::~HttpClient() { ::close(fd_); }

void HttpClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;  // refused before all was sent: the answer tells
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool HttpClient::more() {
  char chunk[65536];
  const ssize_t n = ::recv(fd_, chunk, sizeof chunk, 0);
  EXPECT_FALSE(n < 0 && errno == EAGAIN) << "nothing came in a minute and a half";
  if (n > 0) bytes_.append(chunk, static_cast<std::size_t>(n));
  return n > 0;
}

std::optional<HttpAnswer> HttpClient::answer(bool head) {
  std::size_t end = 0;
  while ((end = bytes_.find("\r\n\r\n")) == std::string::npos) {
    if (!more()) return std::nullopt;
  }
  HttpAnswer a;
  std::istringstream lines(bytes_.substr(0, end));
  bytes_.erase(0, end + 4);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line.substr(0, 7), "HTTP/1.") << line;
  a.status = std::stoi(line.substr(9, 3));
  while (std::getline(lines, line)) {
    const auto colon = line.find(": ");
    if (line.ends_with('\r')) line.pop_back();
    std::string name = line.substr(0, colon);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    a.fields[name] = line.substr(colon + 2);
  }
  const auto length = a.fields.find("content-length");
  if (length == a.fields.end() || head) return a;
  const std::size_t size = std::stoul(length->second);
  while (bytes_.size() < size) {
    if (!more()) return std::nullopt;
  }
  a.body = bytes_.substr(0, size);
  bytes_.erase(0, size);
  return a;
}

HttpAnswer HttpClient::ask(const std::string& request_line, const std::string& fields,
                           const std::string& body) {
  std::string text = request_line + " HTTP/1.1\r\nHost: " + host_ + "\r\n" + fields;
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  send(text + "\r\n" + body);
  auto a = answer(request_line.starts_with("HEAD"));
  EXPECT_TRUE(a) << request_line << " was not answered";
  return a.value_or(HttpAnswer{});
}

HttpAnswer HttpClient::post(const std::string& json, const std::string& fields) {
  return ask("POST /rpc", "Content-Type: application/json\r\n" + fields, json);
}

}  // namespace hild::testing
