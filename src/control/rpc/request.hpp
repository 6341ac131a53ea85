// SPDX-License-Identifier: Apache-2.0
/// \file
/// Requests of JSON-RPC 2.0: read from a text, and written as one.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "control/rpc/error.hpp"
#include "control/rpc/parse_json.hpp"

namespace hild::rpc {

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

}  // namespace hild::rpc
