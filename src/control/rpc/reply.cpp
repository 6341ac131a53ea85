// SPDX-License-Identifier: Apache-2.0
#include "control/rpc/reply.hpp"

#include <cmath>

namespace hild::rpc {

json::object reply(const json::value& id, json::value result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

json::object error_reply(const json::value& id, const Error& error) {
  json::object words{{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!error.data.empty()) words["data"] = error.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(words)}};
}

json::object notification(std::string_view method, json::value params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

json::value number(double v) { return std::isfinite(v) ? json::value(v) : json::value(nullptr); }

json::array numbers(std::span<const double> values) {
  json::array all;
  all.reserve(values.size());
  for (const double v : values) all.push_back(number(v));
  return all;
}

}  // namespace hild::rpc
