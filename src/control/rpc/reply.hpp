// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes the messages sent to a client: replies, errors, notifications. JSON knows no infinity and
/// no NaN; they are sent as null.
#pragma once

#include <boost/json/value.hpp>
#include <span>

#include "control/rpc/error.hpp"

namespace hild::rpc {

[[nodiscard]] boost::json::object reply(const boost::json::value& id, boost::json::value result);
[[nodiscard]] boost::json::object error_reply(const boost::json::value& id, const Error& error);
[[nodiscard]] boost::json::object notification(std::string_view method, boost::json::value params);

[[nodiscard]] boost::json::value number(double v);
[[nodiscard]] boost::json::array numbers(std::span<const double> values);

}  // namespace hild::rpc
