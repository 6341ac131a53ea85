// SPDX-License-Identifier: Apache-2.0
/// \file
/// The messages of JSON-RPC 2.0: requests, read from a text and written as one; replies, errors and
/// notifications.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "control/rpc/parse_json.hpp"

namespace hild::rpc {

/// The codes of JSON-RPC 2.0 and those of a run (docs/control.md).
enum class Code : int {
  not_json = -32700,         ///< also too long, too deep, not UTF-8
  invalid_request = -32600,  ///< JSON, but no request
  no_such_method = -32601,
  invalid_params = -32602,
  internal = -32603,  ///< a fault of the server's own
  refused = -32000,   ///< the run refused the change
  writing_disabled = -32001,
  too_many = -32002,    ///< too many requests a second, or too many clients
  queue_full = -32003,  ///< the queue of the run for changes is full
  run_ended = -32004,
  controlled = -32005,  ///< another client has control
};

/// One error as a client is told of it.
struct Error {
  Code code = Code::invalid_params;
  std::string message;  ///< what was found, what was expected, what to do next
  json::object data{};  ///< more for programs; may be empty
};

// ---- what a client sends -----------------------------------------------------------------------

/// The most requests of a batch. A larger one is refused: it could ask for more than there is
/// memory for the replies.
inline constexpr std::size_t max_batch = 64;

struct Request {
  json::value id;  ///< a string or an integer; null: a notification, which gets no reply
  std::string method;
  json::object params;
};

/// The requests in one text: each is a request, or the error to answer it with.
struct Incoming {
  struct Bad {
    json::value id;  ///< null where it could not be told
    Error error;
  };
  bool batch = false;
  std::vector<tl::expected<Request, Bad>> requests;
};

/// Reads the requests in a text. An error concerns the whole text, and is to be answered with the
/// id null.
[[nodiscard]] tl::expected<Incoming, Error> read_requests(std::string_view text,
                                                          const Limits& limits);

/// One request as a text, without a line end.
[[nodiscard]] std::string request_text(std::int64_t id, std::string_view method,
                                       const json::object& params);

// ---- what it is sent ---------------------------------------------------------------------------

[[nodiscard]] json::object reply(const json::value& id, json::value result);
[[nodiscard]] json::object error_reply(const json::value& id, const Error& error);
[[nodiscard]] json::object notification(std::string_view method, json::value params);

/// A number; null where it is not finite, since JSON knows no infinity and no NaN.
[[nodiscard]] json::value number(double v);

}  // namespace hild::rpc
