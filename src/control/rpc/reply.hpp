// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes the messages sent to a client: replies, errors, notifications. JSON knows no infinity and
/// no NaN; they are sent as null.
#pragma once

#include <boost/json/value.hpp>
#include <span>

#include "control/rpc/error.hpp"

namespace hild::rpc {

[[nodiscard]] json::object reply(const json::value& id, json::value result);
[[nodiscard]] json::object error_reply(const json::value& id, const Error& error);
[[nodiscard]] json::object notification(std::string_view method, json::value params);

[[nodiscard]] json::value number(double v);
[[nodiscard]] json::array numbers(std::span<const double> values);

}  // namespace hild::rpc
