// SPDX-License-Identifier: Apache-2.0
/// \file
/// HTTP as plain as can be: bytes out, a status, fields and a body back. What is missing within
/// a minute and a half fails the test instead of hanging it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace hild::testing {

struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> fields;  ///< names in lower case
  std::string body;
};

inline const std::string status_request = R"({"jsonrpc": "2.0", "id": 1, "method": "status"})";

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port, const std::string& address = "127.0.0.1");
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;
  ~HttpClient();

  void send(std::string_view bytes);
  /// The next response; nothing once the other side has closed. One to HEAD has no body.
  std::optional<HttpAnswer> answer(bool head = false);

  /// "GET /path" and further header lines, each ended by "\r\n"; Host is added.
  HttpAnswer ask(const std::string& request_line, const std::string& fields = {},
                 const std::string& body = {});
  HttpAnswer get(const std::string& path, const std::string& fields = {}) {
    return ask("GET " + path, fields);
  }
  /// To /rpc.
  HttpAnswer post(const std::string& json, const std::string& fields = {});

 private:
  bool more();
  int fd_ = -1;
  std::string host_;
  std::string bytes_;
};

}  // namespace hild::testing
