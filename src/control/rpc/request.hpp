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

/// A batch of more is refused: it could ask for more than there is memory for the replies.
inline constexpr std::size_t max_batch = 64;

struct Request {
  boost::json::value id;  ///< a string or an integer; null: a notification, to be not answered
  std::string method;
  boost::json::object params;
};

/// Of one text: each is a request, or what to answer instead.
struct Incoming {
  struct Bad {
    boost::json::value id;  ///< null where it could not be told
    Error error;
  };
  bool batch = false;
  std::vector<tl::expected<Request, Bad>> requests;
};

/// The error is of the whole text, to be answered with the id null.
[[nodiscard]] tl::expected<Incoming, Error> read_requests(std::string_view text,
                                                          const Limits& limits);

/// One request as a text, without a line end.
[[nodiscard]] std::string request_text(std::int64_t id, std::string_view method,
                                       const boost::json::object& params);

}  // namespace hild::rpc
