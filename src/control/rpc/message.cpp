// SPDX-License-Identifier: Apache-2.0
#include "control/rpc/message.hpp"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <cmath>

namespace hild::rpc {
namespace {

tl::unexpected<Incoming::Bad> bad(const json::value& id, std::string message) {
  return tl::make_unexpected(Incoming::Bad{id, {Code::invalid_request, std::move(message), {}}});
}

bool is_id(const json::value& v) { return v.is_string() || v.is_int64() || v.is_uint64(); }

tl::expected<Request, Incoming::Bad> read_request(const json::value& v) {
  const json::object* const o = v.if_object();
  if (o == nullptr) return bad(nullptr, "not a request: expected an object");
  Request request;
  if (const json::value* id = o->if_contains("id")) {
    if (!is_id(*id)) return bad(nullptr, "id: expected a string or an integer");
    request.id = *id;
  }
  const json::value* const version = o->if_contains("jsonrpc");
  if (version == nullptr || *version != "2.0") {
    return bad(request.id, "jsonrpc: expected \"jsonrpc\": \"2.0\"");
  }
  const json::value* const method = o->if_contains("method");
  if (method == nullptr || !method->is_string()) {
    return bad(request.id, "method: expected the name of a method");
  }
  request.method = std::string(method->get_string());
  if (const json::value* params = o->if_contains("params")) {
    if (!params->is_object()) {
      return bad(request.id, "params: expected an object, as params go by name");
    }
    request.params = params->get_object();
  }
  for (const auto& member : *o) {
    const json::string_view key = member.key();
    if (key == "id" || key == "jsonrpc" || key == "method" || key == "params") continue;
    return bad(request.id, fmt::format("{}: expected jsonrpc, id, method and params only",
                                       json::serialize(json::value(key))));
  }
  return request;
}

tl::unexpected<Error> whole(Code code, std::string message) {
  return tl::make_unexpected(Error{code, std::move(message), {}});
}

}  // namespace

tl::expected<Incoming, Error> read_requests(std::string_view text, const Limits& limits) {
  auto parsed = parse_json(text, limits);
  if (!parsed) return whole(Code::not_json, "not a JSON text: " + parsed.error().message);
  Incoming incoming;
  const json::array* const all = parsed->if_array();
  if (all == nullptr) {
    incoming.requests.push_back(read_request(*parsed));
    return incoming;
  }
  if (all->empty()) return whole(Code::invalid_request, "an empty batch: expected a request");
  if (all->size() > max_batch) {
    return whole(Code::invalid_request, fmt::format("a batch of {} requests: expected at most {}",
                                                    all->size(), max_batch));
  }
  incoming.batch = true;
  for (const json::value& v : *all) incoming.requests.push_back(read_request(v));
  return incoming;
}

std::string request_text(std::int64_t id, std::string_view method, const json::object& params) {
  json::object request{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.empty()) request["params"] = params;
  return json::serialize(request);
}

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

}  // namespace hild::rpc
