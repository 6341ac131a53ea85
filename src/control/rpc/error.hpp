// SPDX-License-Identifier: Apache-2.0
/// \file
/// Errors in reply to a request: the codes of JSON-RPC 2.0 and those of a run (docs/control.md).
#pragma once

#include <boost/json/object.hpp>
#include <string>

namespace hild {
namespace json = boost::json;
}  // namespace hild

namespace hild::rpc {

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

}  // namespace hild::rpc
